"""The record of the options of a learning algorithm; ID3, C4.5 and CART are values of it (`algorithms`)."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from attrs import NOTHING, field, fields, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.notes import or_none
from treerules._internal.short_repr import short_repr
from treerules.criteria import CRITERIA, SQUARED_ERROR, Criterion
from treerules.criteria.criterion import UnknownCriterion
from treerules.criteria.scores import LOGARITHMS
from treerules.errors import OptionError
from treerules.recipes.optimal_search import OptimalSearch, check_search
from treerules.recipes.option_checks import (
    is_cost,
    is_name,
    is_number,
    is_positive,
    is_whole,
    require,
    require_pairs,
)
from treerules.recipes.size_choice import SizeChoice

CATEGORIES = ("subset", "one_against_rest", "multiway", "grouped")
THRESHOLDS = ("midpoint", "short", "data", "none")
MISSING = ("larger", "learned", "fraction", "branch", "error")
#: Relative tolerance of the bounds on weights: sums of fractional weights are rounded.
_ROUNDING = 1e-9


_NO_IMPURITY = "0 to a criterion that has no impurity"
_NO_PURITY = "subset, one_against_rest or multiway to a criterion that has no purity"
_WEIGHTS = "balanced, or a number from 1e-12 to 1e12 for each class"


def _pairs(values: Any) -> tuple[tuple[Any, ...], ...]:
    """Return a mapping, or its pairs from a model file, as a tuple of pairs, which is immutable."""
    try:
        rows = values.items() if isinstance(values, Mapping) else values
        return tuple(tuple(unwrap_scalar(value) for value in row) for row in rows)
    except TypeError:
        return ((values,),)  # the validator refuses it with the option's name


def _costs(values: Any) -> tuple[tuple[Any, ...], ...]:
    """Return a cost matrix as triples (true class, predicted class, cost)."""
    if isinstance(values, Mapping):
        return _pairs([(*_classes(pair), cost) for pair, cost in values.items()])
    return _pairs(values)


def _classes(pair: Any) -> tuple[Any, ...]:
    return pair if isinstance(pair, tuple) else (pair,)


def _class_weight(value: Any) -> Any:
    return value if isinstance(value, str) else _pairs(() if value is None else value)


def _names(values: Any) -> Any:
    return tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else values


@short_repr
@frozen(repr=False)
class Recipe:
    """The options of a learning algorithm. `id3()`, `c45()` and `cart()` return the usual recipes.

    Args:
        name: the name of the algorithm, which notes and reports show.
        criterion: the split criterion: a name in `CRITERIA`, or a `Criterion`. A regression is always scored by the
            squared error.
        categories: how categories are divided: "subset", "one_against_rest", "multiway" or "grouped".
        thresholds: the threshold of a cut between two neighbouring values: "midpoint", "short" (the number of fewest
            digits) or "data" (a value of the table); "none" cuts neither numbers nor ordinals.
        base: the base of logarithms, "2" (bits) or "e".
        average_gain: whether only features whose gain is at least the average gain compete (C4.5).
        missing: the child of rows with a missing value: "larger", "learned", "fraction", "branch" or "error".
        quinlan: whether the tree is that of C4.5 as published.
        confidence: the confidence of pessimistic pruning after growth, above 0 and at most 0.5; None prunes nothing.
        max_depth: the greatest depth of a leaf; None is unbounded.
        max_leaves: the greatest number of leaves, the best splits first; None is unbounded.
        min_samples_split: the least number of rows of a node that is split; whole weights are copies of rows.
        min_samples_leaf: the least number of rows of both children of a split, or of two of a multiway split.
        min_gain: the least score of a split, in the unit of the criterion.
        min_impurity: the least impurity of a node that is split.
        class_weight: "balanced", or a mapping from classes to factors of the weight of their rows (by default 1).
        priors: a mapping from each class to its share outside the table.
        costs: a mapping from pairs (true class, predicted class) to the cost of the error (by default 1).
        monotone: a mapping from features to +1, where predictions never fall with them, or -1, where they never rise.
        feature_cost: a mapping from features to the divisors of their scores (by default 1).
        prefer: features that win ties, in this order.
        own_criterion: the record of a criterion that is not in `CRITERIA`; it is set by `criterion`.
        size_choice: how a subtree is chosen by cross-validation after growth; None keeps the whole tree.
        optimal_search: how the tree of least cost is searched; None grows a tree split by split.

    Raises:
        OptionError: an option has an invalid value.
    """

    name: str
    #: the name of the split criterion; the argument is a name in `CRITERIA`, or a `Criterion` of your own. A regression
    #: is always scored by the squared error
    criterion: str
    #: how categories are divided: in two subsets, one against the rest, a child for each, or greedily in groups
    categories: str
    #: where numbers, integers, dates and timestamps are cut between two neighbouring values: at their decimal
    #: `midpoint`; at the number of fewest digits (`short`); at a value of the table (`data`); nowhere (`none`)
    thresholds: str = "midpoint"
    #: the base of logarithms, "2" (bits) or "e"
    base: str = "2"
    #: only features whose gain is at least the average gain compete (C4.5)
    average_gain: bool = False
    #: the child of rows with a missing value: the `larger` one; the one where they help most, or separate from known
    #: values (`learned`); all children, by weight (`fraction`); a child of their own (`branch`); none, they are an
    #: error (`error`)
    missing: str = "larger"
    #: C4.5 as published: see `c45`
    quinlan: bool = False
    #: the tree is pruned pessimistically at this confidence after growth, with subtree raising; None: not pruned
    confidence: float | None = field(default=None, converter=unwrap_scalar)
    #: the greatest depth of a leaf; None is unbounded
    max_depth: int | None = field(default=None, converter=unwrap_scalar)
    #: the greatest number of leaves: the split that removes most impurity is made first; None is unbounded
    max_leaves: int | None = field(default=None, converter=unwrap_scalar)
    #: a node of fewer rows is a leaf; a row of weight k counts as k rows where all weights are whole numbers
    min_samples_split: float = field(default=2, converter=unwrap_scalar)
    #: both children of a split (two of a multiway split's) have at least so many rows, counted in the same way
    min_samples_leaf: float = field(default=1, converter=unwrap_scalar)
    #: a split's own score (gain, gain ratio, impurity decrease) is at least this: the books' epsilon
    min_gain: float = field(default=0.0, converter=unwrap_scalar)
    #: a node whose impurity (entropy, Gini, variance) is below this is a leaf
    min_impurity: float = field(default=0.0, converter=unwrap_scalar)
    #: "balanced", or a factor for the weight of each row of a class (1 where not named); given as a mapping
    class_weight: Any = field(default=(), converter=_class_weight)
    #: the share that each class has outside the table, normalised; given as a mapping
    priors: tuple[tuple[Any, ...], ...] = field(default=(), converter=_pairs)
    #: (true class, predicted class, cost), 1 where not named; given as a mapping of pairs of classes
    costs: tuple[tuple[Any, ...], ...] = field(default=(), converter=_costs)
    #: features in which the prediction never falls (+1) or never rises (-1); given as a mapping
    monotone: tuple[tuple[Any, ...], ...] = field(default=(), converter=_pairs)
    #: the divisors of the features' scores (1 if not named), from a mapping
    feature_cost: tuple[tuple[Any, ...], ...] = field(default=(), converter=_pairs)
    #: features that win ties, before all others
    prefer: tuple[str, ...] = field(default=(), converter=_names)
    #: the record of a criterion that is not in `CRITERIA`; it takes no part in equality, and model files do not hold it
    own_criterion: Criterion | UnknownCriterion | None = field(default=None, eq=False, repr=False)
    #: how a subtree of the cost-complexity path is chosen after growth; None: the whole tree is kept
    size_choice: SizeChoice | None = None
    #: the search for the tree of least cost, which takes the place of growth; None: the tree is grown
    optimal_search: OptimalSearch | None = None

    def __attrs_post_init__(self) -> None:
        require("name", self.name, isinstance(self.name, str), "text")
        for flag in ("average_gain", "quinlan"):
            require(flag, getattr(self, flag), isinstance(getattr(self, flag), bool), "True or False")
        self._settle_criterion()
        for name, accepted in (
            ("categories", CATEGORIES),
            ("thresholds", THRESHOLDS),
            ("missing", MISSING),
            ("base", tuple(LOGARITHMS)),
        ):
            value = getattr(self, name)
            require(name, value, isinstance(value, str) and value in accepted, f"one of {', '.join(accepted)}")
        self._check_bounds()
        self._check_classes()
        self._check_features()
        fits_choice = self.size_choice is None or (isinstance(self.size_choice, SizeChoice) and self.confidence is None)
        require("size_choice", self.size_choice, fits_choice, or_none("a SizeChoice without a confidence"))
        if self.optimal_search is not None:
            check_search(self)

    def __repr__(self) -> str:
        return f"Recipe({', '.join([f'name={self.name!r}', *self.option_texts])})"

    @property
    def option_texts(self) -> list[str]:
        """The options that are not their defaults, such as "max_depth=3"."""
        choices = [choice for choice in fields(Recipe)[1:] if choice.repr and self._is_chosen(choice)]
        return [f"{choice.name}={getattr(self, choice.name)!r}" for choice in choices]

    def _is_chosen(self, attribute: Any) -> bool:
        return attribute.default is NOTHING or getattr(self, attribute.name) != attribute.default

    def _settle_criterion(self) -> None:
        """Store the name of the criterion, and its record if that is not in `CRITERIA`."""
        name, own_record = self.criterion, self.own_criterion
        if isinstance(name, (Criterion, UnknownCriterion)):
            own_record, name = name, name.name
        elif own_record is not None and own_record.name != name:  # attrs.evolve changed the criterion
            own_record = None
        if isinstance(own_record, Criterion) and name in CRITERIA:
            require(
                "criterion",
                own_record.name,
                own_record == CRITERIA[name],
                f"it another name: {name} is one of treerules' own",
            )
            own_record = None
        is_known = isinstance(name, str) and (own_record is not None or name in CRITERIA)
        require("criterion", name, is_known, f"one of {', '.join(CRITERIA)}, or a Criterion")
        object.__setattr__(self, "criterion", name)
        object.__setattr__(self, "own_criterion", own_record)
        if isinstance(own_record, Criterion):
            accepted = "a criterion of a classification: a regression is scored by the squared error"
            require("criterion", own_record.name, "classification" in own_record.tasks, accepted)
        record = own_record or CRITERIA[name]
        if isinstance(record, Criterion):
            has_impurity, is_grouped = record.impurity is not None, self.categories == "grouped"
            require("min_impurity", self.min_impurity, has_impurity or not self.min_impurity, _NO_IMPURITY)
            require("categories", self.categories, record.purity is not None or not is_grouped, _NO_PURITY)

    def _check_bounds(self) -> None:
        fits_depth = self.max_depth is None or is_whole(self.max_depth, 0)
        require("max_depth", self.max_depth, fits_depth, or_none("a whole number from 0"))
        fits_leaves = self.max_leaves is None or is_whole(self.max_leaves, 1)
        require("max_leaves", self.max_leaves, fits_leaves, or_none("a whole number from 1"))
        for name in ("min_samples_split", "min_samples_leaf"):
            value = getattr(self, name)
            require(name, value, is_positive(value), "a number from 1e-12 to 1e12")
        for name in ("min_gain", "min_impurity"):
            value = getattr(self, name)
            require(name, value, is_number(value) and 0 <= value < inf, "a number from 0")
        fits_confidence = self.confidence is None or (is_number(self.confidence) and 0 < self.confidence <= 0.5)
        require("confidence", self.confidence, fits_confidence, or_none("a number above 0, at most 0.5"))

    def _check_classes(self) -> None:
        weight = self.class_weight
        if isinstance(weight, str):
            require("class_weight", weight, weight == "balanced", _WEIGHTS)
        else:
            require_pairs("class_weight", weight, is_positive, _WEIGHTS)
        require_pairs("priors", self.priors, is_positive, "a number from 1e-12 to 1e12 for each class")
        are_costs = all(len(row) == 3 and is_name(row[:2]) and is_cost(row[2]) for row in self.costs)
        is_diagonal_zero = all(row[0] != row[1] or row[2] == 0 for row in self.costs if len(row) == 3)
        require(
            "costs",
            self.costs,
            are_costs and is_diagonal_zero,
            "0, or a number from 1e-12 to 1e12, for (true class, predicted class)",
        )
        pairs = [row[:2] for row in self.costs if are_costs]
        require("costs", self.costs, len(set(pairs)) == len(pairs), "each pair of classes once")

    def _check_features(self) -> None:
        require_pairs("monotone", self.monotone, lambda sign: is_number(sign) and sign in (1, -1), "+1 or -1")
        require_pairs("feature_cost", self.feature_cost, is_positive, "a number from 1e-12 to 1e12 for each feature")
        prefer: Any = self.prefer
        are_names = isinstance(prefer, tuple) and all(isinstance(name, str) for name in prefer)
        require("prefer", self.prefer, are_names, "a list of names of columns")
        in_order = (self.is_binary and self.has_cuts) or not self.monotone
        require("monotone", self.monotone, in_order, "it to a recipe of cuts in two, such as cart()")

    @property
    def scoring(self) -> Criterion:
        """The criterion that scores the splits of a classification.

        Raises:
            OptionError: the recipe was read from a model file, which does not store a user's criterion.
        """
        if isinstance(self.own_criterion, UnknownCriterion):
            accepted = "its Criterion, of which a model file holds the name alone: evolve(recipe, criterion=RECORD)"
            raise OptionError("criterion", self.criterion, accepted)
        return self.own_criterion or CRITERIA[self.criterion]

    def scoring_of(self, is_regression: bool) -> Criterion:
        """Return the criterion that scores splits; for a regression always the squared error.

        Raises:
            OptionError: as `scoring` does.
        """
        return SQUARED_ERROR if is_regression else self.scoring

    @property
    def least(self) -> float:
        """The least number of rows of a child: `min_samples_leaf`, with a tolerance for rounding."""
        return self.min_samples_leaf * (1 - _ROUNDING)

    @property
    def least_to_split(self) -> float:
        """The least number of rows of a node that may be split: `min_samples_split`, with a tolerance for rounding."""
        return self.min_samples_split * (1 - _ROUNDING)

    @property
    def is_binary(self) -> bool:
        """Whether every split has two children, apart from one for missing values."""
        return self.categories in ("subset", "one_against_rest")

    @property
    def has_cuts(self) -> bool:
        """Whether numbers, integers, dates and timestamps are cut, and ordinals in their order."""
        return self.thresholds != "none"

    @property
    def features_by_option(self) -> dict[str, dict[str, float] | tuple[str, ...]]:
        """The options that name features, each with its value."""
        return {"monotone": dict(self.monotone), "feature_cost": dict(self.feature_cost), "prefer": self.prefer}

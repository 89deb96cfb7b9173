"""The algorithms ID3, C4.5 and CART as recipes with their usual options."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from treerules._internal.arguments import require_flags
from treerules._internal.notes import with_arguments
from treerules.criteria import Base, Criterion
from treerules.errors import OptionError
from treerules.recipes.recipe import Recipe

Thresholds = Literal["midpoint", "short", "data"]
Missing = Literal["larger", "learned", "fraction", "branch", "error"]
ClassWeight = Mapping[Any, float] | Literal["balanced"]
Costs = Mapping[tuple[Any, Any], float]

_CONFIDENCE = 0.25


def id3(
    *,
    base: Base = "2",
    missing: Missing = "larger",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float = 2,
    min_samples_leaf: float = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006 (copied)
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return ID3: a child for each category, chosen by information gain (Quinlan 1986; Li Hang, algorithm 5.2).

    Numbers, integers, dates and timestamps are refused; ordinals are treated as categories.

    Args:
        base: the base of the logarithms of entropies: "2" (bits) or "e".
        missing: where rows with a missing value go: "larger", to the child of most weight; "learned", where they help
            most, or apart from known values; "fraction", to all children, divided; "branch", to a child of their own;
            "error" refuses missing values.
        max_depth: the greatest depth of a leaf, a whole number from 0; None is unbounded.
        max_leaves: the greatest number of leaves, from 1: the split that takes most impurity away is made first. None
            is unbounded.
        min_samples_split: a node of fewer rows is a leaf (with weights: see `learn`).
        min_samples_leaf: the least number of rows of both children of a split; of two children of a multiway split.
        min_gain: the least score of a split, the epsilon of the books, in the unit of the criterion.
        min_impurity: a node of less impurity (entropy, Gini, variance) is a leaf.
        class_weight: a factor for the weight of each class, such as {"bad": 5}, 1 where not named; "balanced" makes all
            classes weigh the same.
        priors: the share that each class has outside the table, for all classes; they are normalised.
        costs: the cost of predicting a class for another, such as {("bad", "good"): 5} for (true, predicted); 1 where
            not named.
        feature_cost: divisors of the scores of features, such as {"x-ray": 10}; 1 where not named.
        prefer: the names of features that win ties, before all others, in this order.

    Returns:
        A Recipe, for `learn(recipe=...)`.

    Raises:
        OptionError: an argument has an invalid value.

    Examples:
        >>> id3(min_gain=0.1).min_gain
        0.1
    """
    return Recipe(
        "id3",
        "information_gain",
        "multiway",
        thresholds="none",
        base=base,
        missing=missing,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        feature_cost=feature_cost,
        prefer=prefer,
    )


def c45(
    *,
    quinlan: bool = False,
    categories: Literal["multiway", "grouped", "subset", "one_against_rest"] = "multiway",
    thresholds: Thresholds | None = None,
    base: Base = "2",
    average_gain: bool = False,
    confidence: float | None = None,
    unpruned: bool = False,
    missing: Missing = "fraction",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float | None = None,
    min_samples_leaf: float | None = None,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    monotone: Mapping[str, int] = {},
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return C4.5: features compete by gain ratio (Quinlan 1993; Li Hang, algorithm 5.3).

    Numbers are cut in two where the gain is greatest. `quinlan=True` grows and prunes as release 8 does, in doubles: a
    cut leaves a tenth of the known rows for each class on either side (at least `min_samples_leaf`, at most 25), and
    pays log2(cuts tried)/n of its gain; cuts lie at values of the table, between values more than 1e-5 apart; only
    features of at least average gain (less 1e-3) compete, where features with a category for every third row are left
    out of the average; every category has a child. Then, unless `unpruned`, subtrees that do not reduce the training
    error are cut off and the tree is pruned with subtree raising. Unlike release 8, it makes no splits that gain
    nothing. What release 8 and J48 -U call unpruned is `prune(tree, "collapse")` of the `unpruned` tree.
    docs/en/explanations/differences.md lists all differences.

    Args:
        quinlan: True grows and prunes as C4.5 release 8.
        categories: "multiway" makes a child for each category; "grouped" for each group that merging two at a time
            finds (Quinlan 1993, chapter 7); "subset" for the best two subsets; "one_against_rest" for one category and
            the rest.
        thresholds: where numbers are cut, as for `cart`; None is "midpoint", or "data" with `quinlan`.
        base: the base of the logarithms of entropies: "2" (bits) or "e".
        average_gain: True lets only features compete that gain at least the average of those that gain anything.
        confidence: the confidence of pessimistic pruning after growth, above 0 and at most 0.5; smaller prunes more.
            None does not prune, or prunes at 0.25 with `quinlan`.
        unpruned: True does not prune where `quinlan` would.
        missing: where rows with a missing value go: "larger", to the child of most weight; "learned", where they help
            most, or apart from known values; "fraction", to all children, divided; "branch", to a child of their own;
            "error" refuses missing values.
        max_depth: the greatest depth of a leaf, a whole number from 0; None is unbounded.
        max_leaves: the greatest number of leaves, from 1: the split that takes most impurity away is made first. None
            is unbounded.
        min_samples_split: a node of fewer rows is a leaf (with weights: see `learn`); None is 2, or twice
            `min_samples_leaf` with `quinlan`.
        min_samples_leaf: the least number of rows of both children of a split; of two children of a multiway
            split. None is 1, or 2 with `quinlan`.
        min_gain: the least score of a split, the epsilon of the books, in the unit of the criterion.
        min_impurity: a node of less impurity (entropy, Gini, variance) is a leaf.
        class_weight: a factor for the weight of each class, such as {"bad": 5}, 1 where not named; "balanced" makes all
            classes weigh the same.
        priors: the share that each class has outside the table, for all classes; they are normalised.
        costs: the cost of predicting a class for another, such as {("bad", "good"): 5} for (true, predicted); 1 where
            not named.
        monotone: features in which the prediction never falls (+1) or never rises (-1), such as {"income": 1}; for cuts
            in two only.
        feature_cost: divisors of the scores of features, such as {"x-ray": 10}; 1 where not named.
        prefer: the names of features that win ties, before all others, in this order.

    Returns:
        A Recipe, for `learn(recipe=...)`.

    Raises:
        OptionError: an argument has an invalid value.

    Examples:
        >>> c45(quinlan=True).confidence
        0.25
    """
    require_flags(quinlan=quinlan, average_gain=average_gain, unpruned=unpruned)
    if unpruned and confidence is not None:
        raise OptionError("confidence", confidence, with_arguments("None with {unpruned:True}", "unpruned"))
    leaf = (2 if quinlan else 1) if min_samples_leaf is None else min_samples_leaf
    return Recipe(
        "c45",
        "gain_ratio",
        categories,
        thresholds=("data" if quinlan else "midpoint") if thresholds is None else thresholds,
        base=base,
        average_gain=average_gain or quinlan,
        missing=missing,
        quinlan=quinlan,
        confidence=_CONFIDENCE if quinlan and not unpruned and confidence is None else confidence,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=_split(leaf, quinlan) if min_samples_split is None else min_samples_split,
        min_samples_leaf=leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        monotone=monotone,
        feature_cost=feature_cost,
        prefer=prefer,
    )


def _split(leaf: float, quinlan: bool) -> float:
    return 2 * leaf if quinlan and isinstance(leaf, (int, float)) else 2


def cart(
    *,
    criterion: str | Criterion = "gini",
    categories: Literal["subset", "one_against_rest"] = "subset",
    thresholds: Thresholds = "midpoint",
    base: Base = "2",
    missing: Missing = "learned",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float = 2,
    min_samples_leaf: float = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    monotone: Mapping[str, int] = {},
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return CART: two children for each split, by Gini, entropy or, for a regression, squared error (Breiman 1984).

    `x <= threshold` goes to the first child, where rpart asks `x < threshold`, and a split that gains nothing is not
    made, where scikit-learn makes it (docs/en/explanations/differences.md).

    The best two subsets of categories are exact with two classes in the node or in a regression, when each category
    alone is large enough for `min_samples_leaf` (Breiman, theorem 4.5), and up to 10 categories always. Beyond that,
    two classes and regressions are divided in the theorem's order, more classes in that of the first principal
    component of their shares (Coppersmith, Hong and Hosking 1999), and the tree has a note.

    Args:
        criterion: how splits of a classification are scored: the name of a criterion in `treerules.criteria.CRITERIA`,
            such as "gini" or "entropy", or a Criterion of your own. A regression is scored by the squared error.
        categories: "subset" divides categories into the best two subsets; "one_against_rest" into one category and the
            rest (Li Hang, algorithm 5.6).
        thresholds: the threshold of a cut between neighbouring values a < b, at least a and below b, so that it changes
            no division of the table's rows: "midpoint", their decimal midpoint (between 17.4 and 17.5: 17.45), rounded
            down for integers, dates and timestamps; "short", the number of fewest significant digits, of those the
            nearest to the midpoint (between 38.2 and 44.9: 40), of timestamps a whole day, hour, minute or second;
            "data", the greatest value of the column up to the midpoint (C4.5).
        base: the base of the logarithms of entropies: "2" (bits) or "e".
        missing: where rows with a missing value go: "larger", to the child of most weight; "learned", where they help
            most, or apart from known values; "fraction", to all children, divided; "branch", to a child of their own;
            "error" refuses missing values.
        max_depth: the greatest depth of a leaf, a whole number from 0; None is unbounded.
        max_leaves: the greatest number of leaves, from 1: the split that takes most impurity away is made first. None
            is unbounded.
        min_samples_split: a node of fewer rows is a leaf (with weights: see `learn`).
        min_samples_leaf: the least number of rows of both children of a split; of two children of a multiway split.
        min_gain: the least score of a split, the epsilon of the books, in the unit of the criterion.
        min_impurity: a node of less impurity (entropy, Gini, variance) is a leaf.
        class_weight: a factor for the weight of each class, such as {"bad": 5}, 1 where not named; "balanced" makes all
            classes weigh the same.
        priors: the share that each class has outside the table, for all classes; they are normalised.
        costs: the cost of predicting a class for another, such as {("bad", "good"): 5} for (true, predicted); 1 where
            not named.
        monotone: features in which the prediction never falls (+1) or never rises (-1), such as {"income": 1}.
        feature_cost: divisors of the scores of features, such as {"x-ray": 10}; 1 where not named.
        prefer: the names of features that win ties, before all others, in this order.

    Returns:
        A Recipe, for `learn(recipe=...)`.

    Raises:
        OptionError: an argument has an invalid value.

    Examples:
        >>> cart(criterion="entropy", max_depth=3)
        Recipe(name='cart', criterion='entropy', categories='subset', missing='learned', max_depth=3)
    """
    return Recipe(
        "cart",
        cast(str, criterion),
        categories,
        thresholds=thresholds,
        base=base,
        missing=missing,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        monotone=monotone,
        feature_cost=feature_cost,
        prefer=prefer,
    )

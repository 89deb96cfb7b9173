"""A sum of trees: a forest, or a boosted model, with how its library adds and decides.

    margin   = ((base + leaf of tree 1 + leaf of tree 2 + ...) * scale) / trees for a margin, where `average`
             = ((leaf of tree 1 + leaf of tree 2 + ...) * scale) / trees for a margin + base, with "base last"
    answer   = link(margin): a mean, or the probabilities of the classes
    label    = the second class where margin >= cut; without a cut the class of the greatest margin, the first on ties,
               or that of the greatest probability, which is rounded, so that near margins tie

The numbers of a library depend on the order and the type of its sums, so both are part of the value.
"""

from collections.abc import Iterator
from functools import cached_property
from math import isfinite
from typing import Any, Literal, TypeAlias

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_flags, require_type
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.schema import Schema
from treerules.errors import InvalidTreeError, OptionError, UnknownNameError, counted, shortened
from treerules.trees.ensemble_routing import EnsembleRouting, compile_ensemble, leaf_vector
from treerules.trees.links import LINKS, WITH_SLOPE
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves

SumType = Literal["float64", "float32"]
SUM_TYPES = ("float64", "float32")
LabelBy = Literal["margins", "probabilities"]
LABELS_BY = ("margins", "probabilities")
Order = Literal["base first", "base last"]
ORDERS = ("base first", "base last")
StepOperator = Literal["*", "/", "+"]
#: The fields that say how an ensemble adds and decides.
SUM_FIELDS = ("base", "outputs", "order", "sum_type", "scale", "average", "link", "slope", "cut", "label_by")


def _as_floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) if type(value) is int else value for value in as_tuple(values))


@frozen(repr=False)
class Ensemble(Shown):
    """A sum of trees, such as a random forest or a gradient boosted model of another library.

    Each of `trees` is a Tree, so rules, check, explain and code work on each: `compile_rules(ensemble.trees[0])`. The
    trees of a forest of classes predict classes, and the probabilities in their leaves are added. Those of other
    ensembles predict numbers, which are added to one margin, or to that of one class.

    Args:
        schema: the features, and the target.
        trees: the trees, in the order in which they are added, each with the features of the schema.
        base: the number that each margin begins with; one number for a regression and for two classes with a `cut`,
            else one for each class.
        outputs: for each tree of numbers the position of the margin that it is added to; empty where there is one
            margin, or the trees predict classes.
        order: "base first", the default, or "base last": when the base is added.
        sum_type: the type of all sums: "float64", the default, or "float32": then leaves, base, scale and cut are
            numbers that float32 holds too.
        scale: the factor of the sum of leaves (and of the base, where that is added first).
        average: whether the sum is then divided by the number of trees for each margin.
        link: the name of the link function: "identity", "exp", "expit", "square" or "softplus" of a mean; "sigmoid" or
            "step" of two classes; "softmax", "sigmoids" or, of trees of classes, "identity".
        slope: the factor of the margin in "sigmoid" and "sigmoids", above 0.
        cut: for two classes with one margin, the least margin at which the label is the second class; else None.
        label_by: of several classes, what the label has the greatest of: "margins", the default, or "probabilities",
            as libraries decide that compare those: rounded ones of near margins are equal, and the first class wins.
        notes: sentences about where the ensemble came from; they take no part in equality.

    Raises:
        OptionError: an argument has a wrong type.
        UnknownNameError: there is no such link function.
        InvalidTreeError: the parts do not fit each other.

    Examples:
        >>> from treerules import Feature, Kind, predict
        >>> from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, predict_margin
        >>> low, high = Leaf(MeanPrediction(-1.0), (3,)), Leaf(MeanPrediction(0.5), (4,))
        >>> features = [Feature("x", Kind.NUMBER)]
        >>> tree = Tree(Schema(features, Feature("margin", Kind.NUMBER)), Split(ThresholdTest(0, 2.5), [low, high]))
        >>> ill = Feature("ill", Kind.CATEGORY, ("no", "yes"))
        >>> ensemble = Ensemble(Schema(features, ill), [tree, tree], base=[0.25], link="sigmoid", cut=0.0)
        >>> predict_margin(ensemble, {"x": 3.0}), predict(ensemble, {"x": 3.0}), predict(ensemble, {"x": 2.0})
        (1.25, 'yes', 'no')
    """

    #: the features, and the target
    schema: Schema
    #: the trees, in the order in which they are added
    trees: tuple[Tree, ...] = field(converter=as_tuple)
    #: the number that each margin begins with
    base: tuple[float, ...] = field(default=(0.0,), converter=_as_floats)
    #: the position of the margin that each tree is added to; empty for one margin, and for trees of classes
    outputs: tuple[int, ...] = field(default=(), converter=as_tuple)
    order: Order = field(default="base first", kw_only=True)
    sum_type: SumType = field(default="float64", kw_only=True)
    scale: float = field(default=1.0, kw_only=True)
    average: bool = field(default=False, kw_only=True)
    #: the name of a link function, a key of LINKS
    link: str = field(default="identity", kw_only=True)
    slope: float = field(default=1.0, kw_only=True)
    #: the least margin of the second of two classes; None where there is a margin for each class, or no classes
    cut: float | None = field(default=None, kw_only=True)
    #: what the label of several classes has the greatest of
    label_by: LabelBy = field(default="margins", kw_only=True)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        require_type("schema", self.schema, Schema, "a Schema")
        require_flags(average=self.average)
        for name, known in (("order", ORDERS), ("sum_type", SUM_TYPES), ("label_by", LABELS_BY)):
            if getattr(self, name) not in known:
                raise OptionError(name, getattr(self, name), " or ".join(map(repr, known)))
        for tree in self.trees:
            require_type("trees", tree, Tree, "Tree objects")
        if self.schema.target is None or not self.trees:
            raise InvalidTreeError("an ensemble needs a target and at least one tree", "give both")
        self._check_numbers()
        self._check_link()
        self._check_trees()

    def _check_numbers(self) -> None:
        """Raise InvalidTreeError unless the numbers of the sum are finite, and of the type of the sum."""
        numbers = [("base", number) for number in self.base] + [("scale", self.scale), ("slope", self.slope)]
        numbers += [] if self.cut is None else [("cut", self.cut)]
        for name, number in numbers:
            if type(number) is not float or not isfinite(number):
                raise InvalidTreeError(f"{name} of an ensemble is {number!r:.60}", "give a finite float")
        if self.slope <= 0:
            raise InvalidTreeError(f"slope of an ensemble is {self.slope!r}", "give a number above 0")
        compared = [number for name, number in numbers if name != "slope"]
        if self.sum_type == "float32" and not _are_float32([*compared, *_leaf_numbers(self.trees)]):
            problem = "a leaf, the base, the scale or the cut of an ensemble that adds in float32 is no float32"
            raise InvalidTreeError(problem, "round them to float32 first")

    def _check_trees(self) -> None:
        """Raise InvalidTreeError unless each tree has the features of the schema, and adds to a margin."""
        classes = self.schema.classes
        for number, tree in enumerate(self.trees, 1):
            if tree.schema.features is not self.schema.features and tree.schema.features != self.schema.features:
                raise InvalidTreeError(f"tree {number} of an ensemble has other features than the ensemble")
            if not tree.schema.is_regression and tree.schema.classes != classes:
                raise InvalidTreeError(f"tree {number} of an ensemble has other classes than the ensemble")
        of_classes = {not tree.schema.is_regression for tree in self.trees}
        if len(of_classes) > 1:
            raise InvalidTreeError("trees of an ensemble predict classes, and others numbers")
        wanted = (0,) * len(self.trees) if not self.adds_vectors and len(self.base) == 1 else ()
        if not self.outputs and wanted:
            object.__setattr__(self, "outputs", wanted)
        is_valid = all(type(output) is int and 0 <= output < len(self.base) for output in self.outputs)
        if not is_valid or len(self.outputs) != (0 if self.adds_vectors else len(self.trees)):
            problem = f"the outputs of {counted(len(self.trees), 'tree')} are {shortened(self.outputs)}"
            raise InvalidTreeError(problem, f"give each tree of numbers one below {len(self.base)}")

    def _check_link(self) -> None:
        """Raise unless there is the link function, and it fits the margins and the target."""
        if not isinstance(self.link, str) or self.link not in LINKS:
            raise UnknownNameError("link function", self.link, LINKS)
        n_margins = len(self.schema.classes) if self.use == "classes" else 1
        if len(self.base) != n_margins:
            raise InvalidTreeError(f"an ensemble has {len(self.base)} numbers as its base; it needs {n_margins}")
        if self.label_by != "margins" and self.use != "classes":
            raise InvalidTreeError("labels of one margin are by the cut", "give label_by='margins'")
        if self.cut is not None and len(self.schema.classes) != 2:
            raise InvalidTreeError(f"an ensemble of {len(self.schema.classes)} classes has a cut, which is for two")
        if self.use not in LINKS[self.link].uses or (self.slope != 1 and self.link not in WITH_SLOPE):
            problem = f"an ensemble with the link {self.link!r} and the slope {self.slope} predicts {self.use}"
            raise InvalidTreeError(problem, f"its link is for {' or '.join(LINKS[self.link].uses)}")
        if self.adds_vectors and self.use != "classes":
            raise InvalidTreeError("trees of classes have no single margin", "leave the cut out")
        if self.use == "classes" and self.link == "identity" and not self.adds_vectors:
            raise InvalidTreeError("margins of trees of numbers are no probabilities", "give the link 'softmax'")

    def __repr__(self) -> str:
        return f"<Ensemble {shortened(target_of(self).name)} trees={len(self.trees)} leaves={self.n_leaves}>"

    @property
    def use(self) -> Literal["mean", "cut", "classes"]:
        """What the margins decide: a mean, one of two classes by a cut, or the class of the greatest margin."""
        if self.schema.is_regression:
            return "mean"
        return "classes" if self.cut is None else "cut"

    @property
    def adds_vectors(self) -> bool:
        """Whether leaves hold a number for each class: the trees predict classes."""
        return not self.trees[0].schema.is_regression

    @property
    def start(self) -> tuple[float, ...]:
        """The number that each sum begins with: the base, or 0 with "base last"."""
        return self.base if self.order == "base first" else (0.0,) * len(self.base)

    @property
    def steps(self) -> tuple[tuple[StepOperator, tuple[float, ...]], ...]:
        """What follows the sums of the leaves, in order: an operator, and its number for each margin."""
        n = len(self.base)
        steps: list[tuple[StepOperator, tuple[float, ...]]] = []
        if self.scale != 1:
            steps.append(("*", (self.scale,) * n))
        if self.average:
            n_trees = len(self.trees) / (1 if self.adds_vectors else n)
            steps.append(("/", (float(np.dtype(self.sum_type).type(n_trees)),) * n))
        if self.order == "base last" and any(self.base):
            steps.append(("+", self.base))
        return tuple(steps)

    @property
    def n_leaves(self) -> int:
        """The number of leaves of all trees."""
        return sum(tree.n_leaves for tree in self.trees)

    @property
    def depth(self) -> int:
        """The depth of the deepest tree."""
        return max(tree.depth for tree in self.trees)

    @cached_property
    def _routing(self) -> EnsembleRouting:
        """The routing tables of all trees; made when rows are first routed, and kept as long as the ensemble."""
        return compile_ensemble(self.schema, self.trees, self.outputs, self.sum_type)


#: A model that `predict` takes.
TreeModel: TypeAlias = Tree | Ensemble


def require_tree(argument: str, value: object) -> None:
    """Raise OptionError unless a value is a Tree; of an Ensemble the error says to give one of its trees."""
    require_type(argument, value, Tree, one_tree_of(value, "a Tree"))


def one_tree_of(value: object, wanted: str) -> str:
    """Return what is wanted, in words; for an Ensemble with how to give one of its trees."""
    return (
        f"{wanted}; of an Ensemble one of its trees, such as ensemble.trees[0]"
        if isinstance(value, Ensemble)
        else wanted
    )


def _leaf_numbers(trees: tuple[Tree, ...]) -> Iterator[float]:
    return (number for tree in trees for leaf in leaves(tree.root) for number in leaf_vector(leaf.prediction))


def _are_float32(numbers: Any) -> bool:
    array = np.array(numbers, dtype=np.float64)
    with np.errstate(over="ignore"):
        return bool((array.astype(np.float32).astype(np.float64) == array).all())

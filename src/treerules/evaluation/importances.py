"""Importances of features: by the decrease of impurity of their splits, or by shuffling their columns."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import frexp, fsum, inf, ldexp
from statistics import fmean, pstdev
from typing import Any, cast

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_callables_or_none, require_whole_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.criteria import GINI, SQUARED_ERROR, Base, Criterion
from treerules.data.casting import align_column
from treerules.data.column import take_rows
from treerules.data.schema import Feature, Schema
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError, OptionError, shortened
from treerules.evaluation.evaluation import leaf_values
from treerules.learning import metrics
from treerules.pruning.common import require_spreads
from treerules.trees.class_weighting import class_weighting_of_tree
from treerules.trees.ensemble import require_tree
from treerules.trees.ground_truth import GroundTruth, ground_truth
from treerules.trees.node_parts import MeanPrediction
from treerules.trees.nodes import Leaf, Split, as_leaf
from treerules.trees.predict import apply
from treerules.trees.tested_columns import Progress
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import preorder


@short_repr
@frozen
class Importance:
    """The importance of one feature."""

    #: the name of the feature
    feature: str
    #: by impurity: the share of the total decrease, summing to 1; by permutation: the mean of `drops`
    value: float
    #: the number of splits that test it
    n_splits: int
    #: by impurity: the decrease of impurity by its splits, per row of the root; by permutation None
    decrease: float | None = None
    #: by permutation: the standard deviation (population) of `drops`; by impurity None
    sd: float | None = None
    #: by permutation: the decrease of the score in each repeat
    drops: tuple[float, ...] = field(default=(), converter=as_tuple)


@frozen(repr=False)
class Importances(Shown):
    """The importances of the features of a tree, in the schema's order."""

    target: Feature
    #: "impurity" or "permutation"
    method: str
    #: the impurity: "gini", "entropy", "variance", or a criterion; by permutation the score: "accuracy" or "r2"
    measure: str
    features: tuple[Importance, ...] = field(converter=as_tuple)
    #: by permutation: the score before shuffling, the number of repeats and the seed; by impurity None
    score: float | None = None
    repeats: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    #: by impurity: the criterion whose impurity it is; by permutation None
    criterion: Criterion | None = field(default=None, eq=False)

    def __repr__(self) -> str:
        return f"<Importances {shortened(self.target.name)} by {self.method} features={len(self.features)}>"

    @property
    def ranked(self) -> tuple[Importance, ...]:
        """The features, the most important first; ties in the schema's order."""
        return tuple(sorted(self.features, key=lambda importance: -importance.value))

    def feature(self, name: str) -> Importance:
        """Return the importance of the feature of a name.

        Raises:
            UnknownNameError: there is no such feature; the error names the closest one.
        """
        names = Schema([Feature(importance.feature, "number") for importance in self.features])
        return self.features[names.index(name)]


# ---- by impurity


def importances(tree: Tree, *, criterion: Criterion | None = None) -> Importances:
    """Return the decrease of impurity by the splits of each feature (Breiman 1984, section 5.3.4, without surrogates).

    `decrease` is the sum, over the splits by a feature, of n x impurity of the node less that of its children, divided
    by the n of the root. `value` is its share of the decrease of all features: scikit-learn's feature_importances_.
    Both are 0 for a tree without splits. The impurity is that of the recipe's criterion: Gini, entropy (in the recipe's
    base) for gain and gain ratio, variance for a regression; Gini without a recipe. Class weights and priors of the
    recipe multiply the counts; costs are ignored. For a criterion without an impurity `decrease` is the sum of n x
    score of the splits. The decrease of a split may be negative: rows with a missing value, which its score ignores,
    may make a child less pure.

    Args:
        tree: a Tree whose splits hold the leaf that they would be, as those that `learn` makes.
        criterion: the Criterion to measure by; None is that of the tree's recipe. It is required for a tree that was
            loaded from a model file and learned by a user's criterion.

    Returns:
        An Importances: an Importance for each feature, in the schema's order; `ranked` sorts them.

    Raises:
        DataError: a split has no figures (`as_leaf`), as in a tree built by hand; or the standard deviations of a
            regression are not known, as of an imported tree of absolute errors.
        OptionError: `tree` is not a Tree, or `criterion` is required, is not a Criterion, or does not support the
            tree's task.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 1, 2, 2], "z": [1, 2, 1, 2], "y": ["a", "a", "a", "b"]})
        >>> result = importances(learn(table, target="y", recipe=cart()))
        >>> [(importance.feature, round(importance.value, 3)) for importance in result.features]
        [('x', 0.333), ('z', 0.667)]
    """
    require_tree("tree", tree)
    criterion = _criterion_of(tree, criterion)
    measure = _measure(tree, criterion)
    terms_by_feature: dict[int, list[float]] = {}
    for node in preorder(tree.root):
        if isinstance(node, Split):
            terms_by_feature.setdefault(node.test.feature, []).extend(_terms(node, measure))
    n = measure.n(as_leaf(tree.root))
    taken_away = {feature: fsum(terms) / n if n > 0 else 0.0 for feature, terms in terms_by_feature.items()}
    total, split_counts = fsum(taken_away.values()), n_splits(tree)
    results = [
        Importance(
            feature.name,
            taken_away.get(position, 0.0) / total if total > 0 else 0.0,
            split_counts[position],
            decrease=_times_power_of_two(taken_away.get(position, 0.0), 2 * measure.exponent),
        )
        for position, feature in enumerate(tree.schema.features)
    ]
    return Importances(target_of(tree), "impurity", criterion.measure.name, results, criterion=criterion)


def _terms(split: Split, measure: "_Measure") -> list[float]:
    """Return the terms of n times the decrease of impurity by a split, or n times its score."""
    if measure.score is not None:
        return [measure.score(split)]
    return [measure.of(as_leaf(split)), *(-measure.of(as_leaf(child)) for child in split.children)]


@frozen(eq=False)
class _Measure:
    """The impurity of a tree's criterion: functions of a node's figures for its weight and its impurity.

    Results must be multiplied by 2**(2 x exponent); so squares do not overflow float64.
    """

    n: Callable[[Leaf], float]
    impurity: Callable[[Leaf], float]
    exponent: int = 0
    #: n times the score of a split, where the criterion has no impurity
    score: Callable[[Split], float] | None = None

    def of(self, figures: Leaf) -> float:
        """Return n x impurity."""
        return self.n(figures) * self.impurity(figures)


def _criterion_of(tree: Tree, criterion: Criterion | None) -> Criterion:
    """Return the criterion that measures the impurity of a tree."""
    if criterion is None:
        usual = SQUARED_ERROR if tree.schema.is_regression else GINI
        return usual if tree.recipe is None else cast(Criterion, tree.recipe.scoring_of(tree.schema.is_regression))
    task = "regression" if tree.schema.is_regression else "classification"
    if not isinstance(criterion, Criterion) or task not in criterion.tasks:
        raise OptionError("criterion", criterion, f"a Criterion for a {task}")
    return SQUARED_ERROR if tree.schema.is_regression else criterion


def _measure(tree: Tree, criterion: Criterion) -> _Measure:
    base = cast(Base, "2" if tree.recipe is None else tree.recipe.base)
    impurity = criterion.impurity
    if tree.schema.is_regression:
        require_spreads(tree)
        assert impurity is not None
        of = impurity.of
        sds = [cast(MeanPrediction, as_leaf(node).prediction).sd for node in preorder(tree.root)]
        exponent = frexp(max(sds))[1]
        return _Measure(
            lambda leaf: leaf.n,
            lambda leaf: of((ldexp(cast(MeanPrediction, leaf.prediction).sd, -exponent),), base),
            exponent,
        )
    weighed = class_weighting_of_tree(tree).weigh_counts

    def n_of(leaf: Leaf) -> float:
        return sum(weighed(leaf.counts))

    def n_score(split: Split) -> float:
        groups = [weighed(as_leaf(child).counts) for child in split.children]
        return n_of(as_leaf(split)) * criterion.score_of(groups, base)

    if impurity is None:
        return _Measure(n_of, lambda leaf: criterion.largest_score(weighed(leaf.counts), base), 0, n_score)
    of = impurity.of
    return _Measure(n_of, lambda leaf: of(weighed(leaf.counts), base))


def n_splits(tree: Tree) -> Counter[int]:
    """Return the number of splits that test each feature, by its position in the schema."""
    return Counter(node.test.feature for node in preorder(tree.root) if isinstance(node, Split))


def _times_power_of_two(value: float, exponent: int) -> float:
    try:
        return ldexp(value, exponent)
    except OverflowError:
        return inf


# ---- by permutation


def permutation_importances(
    tree: Tree,
    table: TableLike,
    *,
    repeats: int = 5,
    seed: int = 0,
    weight: Any = None,
    drop_missing_target: bool = False,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Importances:
    """Return the decrease of a tree's accuracy (or R2) on a table when the column of one feature is shuffled.

    The method is that of Breiman (2001, section 10). `drops` are the accuracy (R2 for a regression) of the table less
    that after shuffling, in each repeat; `value` is their mean and `sd` their standard deviation (population), as in
    scikit-learn's permutation_importance. A feature that the tree does not test has exactly 0. A label that the tree
    does not know counts as an error.

    Args:
        tree: the Tree to measure.
        table: a Table, a data frame, a list of dicts, a dict of columns or a 2-D array, with the features that the
            tree tests and a column with the name of its target.
        repeats: the number of shuffles of each feature, from 1.
        seed: an integer of at least 0. All features use the same permutations, the first of numpy's default_rng(seed).
        weight: the name of a column of sample weights, or an array of shape (rows,). A weight is 0 or a number from
            1e-12 to 1e12; a row of weight 2 counts as two rows. Weights are not shuffled. None: each row counts once.
        drop_missing_target: True leaves out rows without a value of the target; False refuses them.
        columns: the names of the columns where `table` is a 2-D array, which has none; else None.
        progress: a function that is called with (shuffles done, all shuffles), or None.

    Returns:
        An Importances: an Importance for each feature, in the schema's order.

    Raises:
        OptionError: `repeats` is not an integer of at least 1, `seed` is not an integer of at least 0, `tree` is not a
            Tree, or `table` is no table.
        DataError: rows lack a value of the target, or no row has one.
        UnknownNameError: no column has the name that `weight` gives.
        ColumnError: the table lacks the target or a column that the tree tests, a column is of the wrong kind, a target
            is infinite, or weights are missing, negative, infinite or all 0.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 3, 5, 7], "z": [1, 1, 2, 1], "y": ["a", "a", "b", "b"]})
        >>> result = permutation_importances(learn(table, target="y", recipe=cart()), table, repeats=3)
        >>> [(importance.feature, importance.n_splits) for importance in result.features]
        [('x', 1), ('z', 0)]
    """
    require_whole_number("repeats", repeats, 1)
    require_whole_number("seed", seed, 0)
    require_callables_or_none(progress=progress)
    table = table_of(table, columns=columns)
    truth = ground_truth(tree, table, weight=weight, drop_missing_target=drop_missing_target)
    if tree.schema.is_regression and len(truth.values) < 2:
        raise DataError("R2 has no meaning for a single row", "give more rows")
    score = _score(tree, truth, truth.of(apply(tree, table)))
    split_counts, features = n_splits(tree), tree.schema.features
    tested = {
        position: take_rows(align_column(features[position], table.column(features[position].name)), truth.rows)
        for position in sorted(split_counts)
    }
    drops: dict[int, list[float]] = {position: [] for position in tested}
    for position, column in tested.items():
        for order in _orders(len(truth.values), repeats, seed):
            shuffled = Table({**tested, position: take_rows(column, order)}.values())
            drops[position].append(score - _score(tree, truth, apply(tree, shuffled)))
            if progress is not None:
                progress(sum(map(len, drops.values())), len(drops) * repeats)
    results = [
        Importance(feature.name, fmean(falls), split_counts[position], sd=pstdev(falls), drops=falls)
        for position, feature in enumerate(features)
        for falls in [drops.get(position, [0.0] * repeats)]
    ]
    measure = "r2" if tree.schema.is_regression else "accuracy"
    return Importances(target_of(tree), "permutation", measure, results, score, repeats, seed, truth.notes)


def _orders(n: int, repeats: int, seed: int) -> Iterator[Any]:
    random = np.random.default_rng(seed)
    return (random.permutation(n) for _ in range(repeats))


def _score(tree: Tree, truth: GroundTruth, numbers: Any) -> float:
    """Return the accuracy, or R2, of rows whose rules have these numbers."""
    predictions = leaf_values(tree)[numbers - 1]
    if tree.schema.is_regression:
        return cast(float, metrics.r2(truth.values, predictions, truth.weight))
    return float(np.average(truth.values == predictions, weights=truth.weight))

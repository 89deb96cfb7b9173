"""The record of a split criterion, with the functions that growing, importances and pruning use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isclose, isfinite, nan
from numbers import Real
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from treerules._internal.notes import or_none
from treerules._internal.short_repr import short_repr
from treerules.criteria.scores import Base, Counts
from treerules.errors import OptionError

#: What is predicted: classes, or a number.
Task = Literal["classification", "regression"]
#: Counts below this share of their class in the node are rounding errors of sums of weights: they count as 0.
_ROUNDING = 1e-12


#: Counts of classes of children, on which all forms of a score must agree.
_SAMPLES = (((3, 1), (1, 3)), ((5, 0), (2, 4)), ((1, 0, 2), (0, 4, 1)), ((2, 1), (0, 3), (4, 4)), ((7, 7), (7, 7)))


def _as_tuple(tasks: Any) -> tuple[Task, ...]:
    if not isinstance(tasks, Iterable):
        raise OptionError("tasks of a criterion", tasks, "classification, regression or both")
    return tuple(tasks)


def _as_pairs(names: Any) -> tuple[tuple[str, str], ...]:
    pairs = tuple(names.items()) if isinstance(names, Mapping) else names
    if not isinstance(pairs, tuple) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise OptionError("words of a criterion", names, 'a mapping from languages, such as {"en": "my score"}')
    return pairs


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and value is not True and value is not False and isfinite(value)


def _only(values: Any) -> Any:
    """Return the only number of an array; NaN for an array of another size."""
    numbers = np.asarray(values, dtype=np.float64).reshape(-1).tolist()
    return numbers[0] if len(numbers) == 1 else nan


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise OptionError("name of a criterion", name, "an identifier, such as my_score")


def word_of(measure: "Impurity | Criterion", lang: str) -> str:
    """Return the name of an impurity or a criterion in a language."""
    return dict(measure.words).get(lang, measure.name)


@short_repr
@frozen
class Impurity:
    """The impurity of a node: its name, its function of the class counts, and its word in each language."""

    name: str
    of: Callable[[Counts, Base], float]
    words: tuple[tuple[str, str], ...] = field(default=(), converter=_as_pairs)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.name, str) or not callable(self.of):
            raise OptionError("impurity", self.name, "a name and a function of class counts and the base of logarithms")


@short_repr
@frozen
class Criterion:
    """A split criterion, with the functions that growing, importances and pruning use.

    A recipe takes the name of a row of `CRITERIA`, or a record: `cart(criterion=Criterion("mine", my_score))`. Only
    `name` and `score` are required. Define the functions in a module: a recipe with a lambda cannot be pickled, so it
    cannot be cross-validated in several processes. Recipes are compared by the name of their criterion alone.

    Args:
        name: the name in recipes and model files, an identifier.
        score: score(groups, base), the score of a split from the class counts of its children; larger is better, and 0
            means that the split is useless.
        tasks: "classification", "regression" or both.
        impurity: the Impurity of a node; None where the criterion has none.
        purity: purity(sums, n), a vectorised form of the score as a sum over the children.
        scores: scores(counts, base), a vectorised form that scores many splits at once. Without it and `purity` each
            split is scored by itself, which is slow.
        exact_score: exact_score(groups, n), the score of integer counts as a Fraction, to decide ties; of a regression
            a group is its weight and its sum of targets.
        known_score: known_score(groups, known, n, base), the score times known / n, the share of the rows whose value
            is known; None computes that product.
        divisor: divisor(sizes, base), by which the best score of a feature is divided before features compete.
        orders_categories: whether, of two classes, the best subset of categories is a cut in the order of their shares.
        words: the name in reports by language, {"en": ..., "zh": ...}; by default `name`.

    Raises:
        OptionError: `name` is not an identifier, a field is not callable, a form of the score does not agree with
            `score`, or there is no such task.
    """

    #: the name in recipes and model files
    name: str
    #: score(groups, base): the score of a split from the class counts of its children, two or more; larger is better,
    #: and 0 means that the split is useless. Empty children, and classes that no child has, are left out
    score: Callable[[Sequence[Counts], Base], float]
    #: the tasks that it supports; a regression is always scored by the decrease of variance
    tasks: tuple[Task, ...] = field(default=("classification",), converter=_as_tuple)
    #: of a node; None: tolerances are relative to the score of the split that separates all classes
    impurity: Impurity | None = None
    #: purity(sums, n): vectorised, n times the part of the impurity that a group removes; the score of a split is the
    #: sum over its children minus the purity of the node, divided by n. `sums` has an array for each class; n is their
    #: sum
    purity: Callable[[Sequence[Any], Any], Any] | None = None
    #: scores(counts, base): vectorised, the scores of many splits; the array `counts` has the shape (children, classes,
    #: splits), with zeros for an empty child. None, and no `purity`: `score` is called for each split, which is slow
    scores: Callable[[Any, Base], Any] | None = None
    #: exact_score(groups, n): the score of integer counts times their share of n rows, to decide ties
    exact_score: Callable[[Sequence[Sequence[int]], int], Fraction] | None = None
    #: the score times the share known / n of the rows whose value is known; None: that product
    known_score: Callable[[Sequence[Counts], float, float, Base], float] | None = None
    #: divisor([(size,), ...], base): features compete by the score of their best candidate over this (Quinlan 1993)
    divisor: Callable[[Sequence[Counts], Base], float] | None = None
    #: whether, of two classes, the best subset of categories is a cut in the order of their shares (Breiman 1984,
    #: theorem 4.5); else all subsets are tried, and of more than 10 categories the cuts in that order
    orders_categories: bool = False
    #: its name in each language, {"en": ..., "zh": ...}; by default `name`
    words: tuple[tuple[str, str], ...] = field(default=(), converter=_as_pairs)

    def __attrs_post_init__(self) -> None:
        _check_name(self.name)
        for name in ("score", "purity", "scores", "exact_score", "known_score", "divisor"):
            value = getattr(self, name)
            if not callable(value) and (name == "score" or value is not None):
                raise OptionError(f"{name} of the criterion {self.name}", value, "a function")
        if not isinstance(self.impurity, Impurity | None):
            raise OptionError(f"impurity of the criterion {self.name}", self.impurity, or_none("an Impurity"))
        if not self.tasks or not set(self.tasks) <= {"classification", "regression"}:
            raise OptionError(f"tasks of the criterion {self.name}", self.tasks, "classification, regression or both")
        if "classification" in self.tasks:
            self._check_agreement()

    def _check_agreement(self) -> None:
        """Raise OptionError if another form of the score differs from `score` on sample counts."""
        for groups in _SAMPLES:
            score, n = self.score_of(groups, "2"), sum(map(sum, groups))
            for name, value in self._forms(groups, n):
                if not (_is_number(value) and isclose(value, score, rel_tol=1e-9, abs_tol=1e-9)):
                    form = f"{name} of the criterion {self.name}"
                    raise OptionError(form, value, f"{score!r} for {groups}, as its score is")

    def _forms(self, groups: Sequence[Sequence[int]], n: int) -> Iterator[tuple[str, Any]]:
        """Yield (name, score of a split) for each form of the score that the record has."""
        if self.known_score is not None:
            yield "known_score", self.known_score(groups, n, n, "2")
        if self.exact_score is not None:
            yield "exact_score", self.exact_score(groups, n)
        if self.scores is not None:
            yield "scores", _only(self.scores(np.array(groups, dtype=np.float64)[:, :, np.newaxis], "2"))
        if self.purity is not None:
            node_counts = [sum(column) for column in zip(*groups, strict=True)]
            group_purities = [
                self.purity([np.array([float(c)]) for c in counts], np.array([float(sum(counts))]))
                for counts in (*groups, node_counts)
            ]
            yield "purity", (sum(map(_only, group_purities[:-1])) - _only(group_purities[-1])) / n

    @property
    def measure(self) -> "Impurity | Criterion":
        """The measure of importances: the impurity, or the criterion itself if it has no impurity."""
        return self.impurity or self

    def score_of(self, groups: Sequence[Counts], base: Base) -> float:
        """Return the score of a split, without empty children and absent classes; 0 where fewer than two are left.

        Raises:
            OptionError: the score is not a finite number.
        """
        totals = [sum(column) for column in zip(*groups, strict=True)]
        classes = [position for position, total in enumerate(totals) if total > 0]
        least = [_ROUNDING * total for total in totals]
        cleaned = [[group[c] if group[c] > least[c] else 0 for c in classes] for group in groups]
        children = [group for group in cleaned if any(group)]
        if len(children) < 2 or len(classes) < 2:
            return 0.0
        score = self.score(children, base)
        if not _is_number(score):
            raise OptionError(f"score of the criterion {self.name}", score, f"a finite number for {children}")
        return float(score)

    def score_of_known(self, groups: Sequence[Counts], known: float, n: float, base: Base) -> float:
        """Return the score of a split of the rows whose value is known, times their share of all rows."""
        if self.known_score is not None:
            return self.known_score(groups, known, n, base)
        return known / n * self.score_of(groups, base)

    def scores_of(self, counts: Any, base: Base) -> Any:
        """Return the scores of many splits; `counts` has the shape (children, classes, splits)."""
        counts = np.where(counts > _ROUNDING * counts.sum(axis=0), counts, 0.0)
        if self.scores is not None:
            scores = self.scores(counts, base)
            if np.shape(scores) != counts.shape[2:] or not np.isfinite(scores).all():
                accepted = f"an array of {counts.shape[2]} finite numbers, one for each split"
                raise OptionError(f"scores of the criterion {self.name}", scores, accepted)
            return scores
        by_split = np.moveaxis(counts, 2, 0).tolist()
        return np.array([self.score_of(groups, base) for groups in by_split], dtype=np.float64)

    def largest_score(self, counts: Counts, base: Base) -> float:
        """Return the scale of tolerances: the impurity of a node.

        That is the score of the split that separates its classes. A criterion without an impurity has that score too.
        """
        if self.impurity is not None:
            return self.impurity.of(counts, base)
        return self.score_of(
            [[c * (index == position) for index, c in enumerate(counts)] for position in range(len(counts))], base
        )


@short_repr
@frozen
class UnknownCriterion:
    """A user's criterion that was read from a model file, which stores only its name."""

    name: str

    def __attrs_post_init__(self) -> None:
        _check_name(self.name)

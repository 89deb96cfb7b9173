"""The record of a split criterion: all that growing, importances and pruning ask of it."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from treerules.criteria.scores import Base, Counts
from treerules.errors import OptionError

Task = Literal["classification", "regression"]
#: Counts below this share of their class in the node are rounding errors of sums of weights: they count as 0.
_ROUNDING = 1e-12


def _as_tuple(tasks: Any) -> tuple[Task, ...]:
    return tuple(tasks)


def _as_pairs(words: Any) -> tuple[tuple[str, str], ...]:
    return tuple(words.items()) if isinstance(words, Mapping) else tuple(words)


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier():
        raise OptionError("name of a criterion", name, "an identifier, such as my_score")


def word_of(measure: "Impurity | Criterion", lang: str) -> str:
    """Return what an impurity or a criterion is called in a language."""
    return dict(measure.words).get(lang, measure.name)


@frozen
class Impurity:
    """The impurity of a node: its name, its function of the class counts, and its word in each language."""

    name: str
    of: Callable[[Counts, Base], float]
    words: tuple[tuple[str, str], ...] = field(default=(), converter=_as_pairs)


@frozen
class Criterion:
    """A split criterion: all that growing, importances and pruning ask of it.

    A recipe takes the name of a row of `CRITERIA`, or a record: `cart(criterion=Criterion("mine", my_score))`. Its
    functions stand in a module, so that recipes can be pickled. Only `name` and `score` are required.

    Raises:
        OptionError: the name is no identifier, a function is none, or there is no such task.
    """

    #: what recipes and model files call it
    name: str
    #: score(groups, base): the score of a split from the class counts of its children, two or more; larger is better,
    #: and 0 means that the split is useless. Empty children, and classes that no child has, are left out
    score: Callable[[Sequence[Counts], Base], float]
    #: what it can be asked for; a regression is always scored by the decrease of variance
    tasks: tuple[Task, ...] = field(default=("classification",), converter=_as_tuple)
    #: of a node; None: tolerances are relative to the score of the split that separates all classes
    impurity: Impurity | None = None
    #: purity(sums, n): vectorised, n times what a group takes away from the impurity, where the score of a split is the
    #: sum over its children less that of the node, over n. `sums` has an array for each class; n is their sum
    purity: Callable[[Sequence[Any], Any], Any] | None = None
    #: scores(counts, base): vectorised, the scores of many splits; the array `counts` has the shape (children, classes,
    #: splits), with zeros for an empty child. None, and no `purity`: `score` is called for each split, which is slow
    scores: Callable[[Any, Base], Any] | None = None
    #: exact_score(groups, n): the score of integer counts times their share of n rows, which ties are decided by
    exact_score: Callable[[Sequence[Sequence[int]], int], Fraction] | None = None
    #: the score times the share known / n of the rows whose value is known; None: that product
    known_score: Callable[[Sequence[Counts], float, float, Base], float] | None = None
    #: divisor([(size,), ...], base): features compete by the score of their best candidate over this (Quinlan 1993)
    divisor: Callable[[Sequence[Counts], Base], float] | None = None
    #: whether, of two classes, the best subset of categories is a cut in the order of their shares (Breiman 1984,
    #: theorem 4.5); else all subsets are tried, and of more than 10 categories the cuts in that order
    orders_categories: bool = False
    #: the code of the compiled kernels that compute `purity`; None: no compiled or level-wise grower
    kernel: int | None = None
    #: what it is called in each language, {"en": ..., "zh": ...}; where none is given, `name`
    words: tuple[tuple[str, str], ...] = field(default=(), converter=_as_pairs)

    def __attrs_post_init__(self) -> None:
        _check_name(self.name)
        functions = ("score", "purity", "scores", "exact_score", "known_score", "divisor")
        for name in functions:
            value = getattr(self, name)
            if not callable(value) and (name == "score" or value is not None):
                raise OptionError(f"{name} of the criterion {self.name}", value, "a function")
        if not self.tasks or not set(self.tasks) <= {"classification", "regression"}:
            raise OptionError(f"tasks of the criterion {self.name}", self.tasks, "classification, regression or both")

    @property
    def measure(self) -> "Impurity | Criterion":
        """What importances are measured by: the impurity, or the criterion itself where it has none."""
        return self.impurity or self

    def score_of(self, groups: Sequence[Counts], base: Base) -> float:
        """Return the score of a split, without empty children and absent classes; 0 where fewer than two are left.

        Raises:
            OptionError: the score is not a finite number.
        """
        totals = [sum(column) for column in zip(*groups, strict=True)]
        classes = [place for place, total in enumerate(totals) if total > 0]
        least = [_ROUNDING * total for total in totals]
        cleaned = [[group[c] if group[c] > least[c] else 0 for c in classes] for group in groups]
        children = [group for group in cleaned if any(group)]
        if len(children) < 2 or len(classes) < 2:
            return 0.0
        score = float(self.score(children, base))
        if not isfinite(score):
            raise OptionError(f"score of the criterion {self.name}", score, f"a finite number for {children}")
        return score

    def score_of_known(self, groups: Sequence[Counts], known: float, n: float, base: Base) -> float:
        """Return the score of a split of the rows whose value is known, times their share of all rows."""
        if self.known_score is not None:
            return self.known_score(groups, known, n, base)
        return known / n * self.score_of(groups, base)

    def scores_of(self, counts: Any, base: Base) -> Any:
        """Return the scores of many splits; `counts` has the shape (children, classes, splits)."""
        counts = np.where(counts > _ROUNDING * counts.sum(axis=0), counts, 0.0)
        if self.scores is not None:
            return self.scores(counts, base)
        by_split = np.moveaxis(counts, 2, 0).tolist()
        return np.array([self.score_of(groups, base) for groups in by_split], dtype=np.float64)

    def largest_score(self, counts: Counts, base: Base) -> float:
        """Return what tolerances are relative to: the impurity of a node.

        That is the score of the split that separates its classes. A criterion without an impurity has that score too.
        """
        if self.impurity is not None:
            return self.impurity.of(counts, base)
        return self.score_of([[c * (at == place) for at, c in enumerate(counts)] for place in range(len(counts))], base)


@frozen
class UnknownCriterion:
    """A user's criterion of which only the name is known, as a model file holds it."""

    name: str

    def __attrs_post_init__(self) -> None:
        _check_name(self.name)

"""Folds of cross-validation: which rows are held out together."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules._internal.arguments import require_columns
from treerules.data.column import column_of, take_rows
from treerules.data.row_hash import category_hashes, content_cells, row_hashes
from treerules.data.sample_weights import without_rounding
from treerules.data.table import Table
from treerules.errors import ColumnError, DataError, OptionError
from treerules.growing.problem import Problem

#: With fewer distinct rows than this for each fold, and this many copies of each, copies lie in several folds.
_FEW = 5
#: A weighted row is at most so many units.
_MOST_COPIES = 1000


@frozen(eq=False)
class Folds:
    """The rows of a problem, dealt to folds."""

    #: the problem; a weighted row that is divided among folds is several rows here
    problem: Problem
    #: the fold of each row, from 0, shape (rows,)
    numbers: Any
    #: the unit of each row, from 0: rows that were dealt together; the order depends on what rows hold. Copies that
    #: were divided among folds are a unit each; of a weighted row, the first of its copies' units
    units: Any
    #: how many units each row is: more than one for weighted rows that were divided
    n_units: Any
    #: whether a fold is predicted from the folds before it alone; then fold 0 is never held out
    is_in_time: bool = False

    def normalised(self) -> "Folds":
        """Return the folds of the problem with weights of mean 1 (see `Problem.normalised`)."""
        return evolve(self, problem=self.problem.normalised())

    def times(self, factor: float) -> "Folds":
        """Return the folds with weights times a factor."""
        weights = self.problem.weights
        return self if factor == 1 else evolve(self, problem=evolve(self.problem, weights=weights * factor))

    @property
    def n(self) -> int:
        """The number of folds that are held out."""
        return int(self.numbers.max()) + (0 if self.is_in_time else 1)

    def parts(self) -> Iterator[tuple[Any, Any]]:
        """Yield, for each fold that is held out, the rows to learn from and the rows held out, ascending."""
        yield from map(self.part, range(self.n))

    def part(self, number: int) -> tuple[Any, Any]:
        """Return the rows to learn from and the rows held out of one of the folds that are held out, from 0."""
        fold = number + 1 if self.is_in_time else number
        training = self.numbers < fold if self.is_in_time else self.numbers != fold
        return np.flatnonzero(training), np.flatnonzero(self.numbers == fold)


def folds_of(table: Table, problem: Problem, folds: Any, seed: int) -> Folds:
    """Return the folds that the argument `folds` of a public function describes.

    Args:
        table: the table of the problem.
        problem: the rows to deal.
        folds: a number of folds (see `dealt_folds`), the name of a column of fold labels, or an array of labels, shape
            (rows of the table,).
        seed: a whole number from 0, for a number of folds.

    Raises:
        OptionError: there are fewer than two folds, or more folds than rows.
        ColumnError: labels are missing.
        DataError: the number of labels is not the number of rows.
    """
    n = len(problem.target)
    if isinstance(folds, int) and not isinstance(folds, bool):
        if not 2 <= folds <= n:
            raise OptionError("folds", folds, f"a number from 2 to {n}, the number of rows")
        return dealt_folds(problem, folds, seed)
    labels = labels_of(table, problem, "folds", folds)
    distinct, numbers = np.unique(labels, return_inverse=True)
    if len(distinct) < 2:
        raise OptionError("folds", folds, "labels of at least two folds")
    return Folds(problem, numbers, *_units(problem))


def labels_of(table: Table, problem: Problem, argument: str, labels: Any) -> Any:
    """Return the labels that a column, or an array, gives to the rows of a problem.

    Raises:
        OptionError: the argument is neither the name of a column nor an array.
        ColumnError: labels are missing.
        DataError: the number of labels is not the number of rows.
    """
    if isinstance(labels, bool) or not isinstance(labels, Iterable) or hasattr(labels, "columns"):
        raise OptionError(argument, labels, "a number, the name of a column, or an array of labels")
    if isinstance(labels, str):
        require_columns(table.schema.indices, **{argument: labels})
    column = table.column(labels) if isinstance(labels, str) else column_of(argument, labels)
    if len(column.data) != table.n_rows:
        raise DataError(f"{len(column.data)} fold labels are given for {table.n_rows} rows", "give one label per row")
    column = take_rows(column, problem.rows)
    if column.missing.any():
        kind = {"groups": "group", "time": "time"}.get(argument, "fold")
        raise ColumnError(column.feature.name, f"names no {kind} in some rows", "give each row one")
    return column.data


# ---- random folds


def dealt_folds(problem: Problem, n_folds: int, seed: int = 0) -> Folds:
    """Return random folds, stratified: each gets its share of each class, or of each interval of a regression's target.

    The folds depend on what rows hold, not on their order, and a row of weight k is dealt as k copies of it are. All
    copies of a row lie in one fold, so that no row is predicted from a copy of itself. Two kinds of rows are divided
    among the folds instead: rows of which the table has copies with other targets (their target is not known from the
    copies, and a fold without them would learn the opposite), and all rows where the table has few distinct ones.
    """
    seeds = np.full(len(problem.target), seed, dtype=np.int64)
    cells = [*content_cells(problem.columns), (seeds, None)]
    hashes = row_hashes([*cells, _target_cells(problem)])
    _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    weight = without_rounding(np.bincount(group, problem.weights).astype(np.float64))
    is_divided = _is_divided(row_hashes(cells)[first], weight, n_folds)
    places = np.where(is_divided, np.ceil(weight), 1).astype(np.int64)
    n_folds = int(min(n_folds, places.sum()))
    start = _first_folds(problem, first, weight, places, n_folds)
    if problem.weights is not None and is_divided.any():
        return _with_divided_rows(problem, group, first, weight, is_divided, start, n_folds)
    numbers = (start[group] + np.where(is_divided[group], _copy_numbers(group), 0)) % n_folds
    return _folds(problem, numbers, group, is_divided)


def _target_cells(problem: Problem) -> tuple[Any, Any]:
    """Return the cells of the target: hashes of the classes, or numbers."""
    classes = problem.schema.classes
    return (category_hashes(classes).take(problem.target) if classes else problem.target), None


def _is_divided(hashes: Any, weight: Any, n_folds: int) -> Any:
    """Return whether each distinct row is divided among folds, from the hashes of its features and its weight."""
    has_few = len(weight) < _FEW * n_folds and weight.sum() >= _FEW * len(weight)
    if has_few or len(weight) == 1:
        return np.ones(len(weight), dtype=bool)
    _, same, n_targets = np.unique(hashes, return_inverse=True, return_counts=True)
    return (n_targets[same] > 1) & (weight > 1)


def _first_folds(problem: Problem, first: Any, weight: Any, places: Any, n_folds: int) -> Any:
    """Return the fold of each distinct row, or of its first copy: they are dealt in turn, class by class.

    Within a class the order is that of the hashes, which is random, the heaviest rows first. Rows of a regression are
    dealt in the order of their target, at random within as many as there are folds.
    """
    target, by_hash = problem.target[first], np.arange(len(first))
    if problem.schema.is_regression:
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.lexsort((by_hash, target))] = by_hash
        order = np.lexsort((by_hash, rank // n_folds))
    else:
        order = np.lexsort((by_hash, -weight, target))
    start = np.empty(len(first), dtype=np.int64)
    start[order] = np.cumsum(places[order]) - places[order]
    if not problem.schema.is_regression:
        start += _shifts_of_classes(target, weight, places, n_folds)[target]
    return start % n_folds


def _shifts_of_classes(target: Any, weight: Any, places: Any, n_folds: int) -> Any:
    """Return how many folds later each class begins than where the class before it ended.

    Classes of equal weight begin at one fold. A fold that held out more of one of them would be predicted from more of
    the other, and a tree of one leaf would err in more than its share of the rows. Classes of fewer rows than there are
    folds are dealt in turn, since their rows would all lie in the first folds.
    """
    n_places = np.bincount(target, places).astype(np.int64)
    ends = np.cumsum(n_places)
    sizes = zip(n_places.tolist(), np.bincount(target, weight).tolist(), strict=True)
    shifts, shift, begins = np.zeros(len(ends), dtype=np.int64), 0, dict[tuple[int, float], int]()
    for label, (size, end) in enumerate(zip(sizes, ends.tolist(), strict=True)):
        begin = end - size[0]
        if size[0] >= n_folds:
            shift = begins.setdefault(size, begin + shift) - begin
        shifts[label] = shift
    return shifts


def _copy_numbers(group: Any) -> Any:
    """Return, for each row, how many rows of its group stand before it."""
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    numbers = np.empty(len(group), dtype=np.int64)
    numbers[order] = np.arange(len(group)) - starts[group[order]]
    return numbers


def _with_divided_rows(
    problem: Problem, group: Any, first: Any, weight: Any, is_divided: Any, start: Any, n_folds: int
) -> Folds:
    """Return the folds of a weighted problem in which some rows are divided: each has a row in each of its folds.

    Copy i of a row lies in fold start + i, modulo the number of folds; the last copy of a fraction weighs less.
    """
    divided = np.flatnonzero(is_divided)
    whole = np.floor(weight[divided])[:, None]
    turn = (np.arange(n_folds) - start[divided][:, None]) % n_folds
    amounts = np.floor_divide(whole - turn + n_folds - 1, n_folds) + np.where(
        whole % n_folds == turn, weight[divided][:, None] - whole, 0
    )
    which, folds = np.nonzero(amounts)
    kept = np.flatnonzero(~is_divided[group])
    rows = np.concatenate([kept, first[divided][which]])
    weights = np.concatenate([problem.weights[kept], amounts[which, folds]])
    numbers = np.concatenate([start[group[kept]], folds])
    order = np.lexsort((weights, problem.target[rows]))
    rows, numbers = rows[order], numbers[order]
    return _folds(evolve(problem.part(rows), weights=weights[order]), numbers, group[rows], is_divided)


def _folds(problem: Problem, numbers: Any, group: Any, is_divided: Any) -> Folds:
    """Return folds without empty ones; each copy of a divided row is a unit of its own."""
    numbers = np.unique(numbers, return_inverse=True)[1]
    of_divided = is_divided[group]
    fold_of_divided = np.where(of_divided, numbers + 1, 0)
    if problem.weights is None:
        position_of_divided = np.where(of_divided, np.arange(len(group)), 0)
        units = _numbered(group, fold_of_divided, position_of_divided)
        return Folds(problem, numbers, units, np.ones(len(group), dtype=np.int64))
    n_copies = np.clip(np.ceil(problem.weights), 1, _MOST_COPIES)
    n_units = np.where(of_divided, n_copies, 1).astype(np.int64)
    rows_alike = _numbered(group, fold_of_divided)
    sizes = np.ones(int(rows_alike.max()) + 1, dtype=np.int64)
    sizes[rows_alike] = n_units
    first_units = np.cumsum(sizes) - sizes
    return Folds(problem, numbers, first_units[rows_alike], n_units)


def _numbered(*keys: Any) -> Any:
    """Return a number for each row, from 0 in the order of its keys; rows of equal keys have one number."""
    return np.unique(np.stack(keys), axis=1, return_inverse=True)[1].ravel()


def _units(problem: Problem) -> tuple[Any, Any]:
    """Return the unit of each row, where equal rows are one unit, and how many units each row is."""
    hashes = row_hashes([*content_cells(problem.columns), _target_cells(problem)])
    return np.unique(hashes, return_inverse=True)[1], np.ones(len(hashes), dtype=np.int64)


# ---- folds of groups, and folds in time


def folds_of_groups(problem: Problem, labels: Any, n_folds: int) -> Folds:
    """Return folds in which all rows with one label lie together; the heaviest labels are dealt first.

    The rows of the folds are ordered by what they hold, whatever their order in the table.

    Raises:
        DataError: all rows have one label.
    """
    distinct, units = np.unique(labels, return_inverse=True)
    if len(distinct) < 2:
        raise DataError("all rows are of one group", "give groups= a column of at least two groups")
    order = np.lexsort((row_hashes(content_cells(problem.columns)), units, *_weights(problem), problem.target))
    problem, units = problem.part(order), units[order]  # the losses of a group are then added in one order
    weight = np.bincount(units, problem.weights)
    folds = np.empty(len(distinct), dtype=np.int64)
    folds[np.lexsort((np.arange(len(distinct)), -weight))] = np.arange(len(distinct)) % min(n_folds, len(distinct))
    return Folds(problem, folds[units], units, np.ones(len(units), dtype=np.int64))


def _weights(problem: Problem) -> list[Any]:
    return [] if problem.weights is None else [problem.weights]


def folds_in_time(problem: Problem, times: Any, n_folds: int) -> Folds:
    """Return folds of later rows, each predicted from all rows before it; rows of one time lie in one fold.

    Raises:
        DataError: all rows are of one time.
    """
    distinct, moments = np.unique(times, return_inverse=True)
    if len(distinct) < 2:
        raise DataError("all rows are of one time", "give time= a column of at least two times")
    before = np.cumsum(np.bincount(moments, problem.weights))
    share = np.concatenate([[0], before[:-1]]) / before[-1]
    numbers = np.unique(np.floor(share * (n_folds + 1)), return_inverse=True)[1][moments]
    if not numbers.any():  # one moment holds nearly all rows
        numbers = (moments > 0).astype(np.int64)
    return Folds(problem, numbers, *_units(problem), is_in_time=True)

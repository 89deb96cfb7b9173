"""Where whole columns go: down a tree split by split, or down a whole tree on a tape, a block of rows at once.

The steps down a tape are here in numpy and in `routing_kernel` compiled by numba; both give the same answers.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast
from weakref import ReferenceType, ref

import numpy as np
from attrs import frozen

from treerules._internal.jit import ROUTES, is_used, load_kernels
from treerules.data.column import Column
from treerules.data.schema import UNSEEN, Kind, ordinate
from treerules.errors import ColumnError
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.nodes import fold
from treerules.trees.tree import Leaf, Node, Split

#: So many rows are routed at once: their cells stay in the processor's cache.
BLOCK = 8_192
#: Compiling saves as much in so many questions to a row as it does in one cell of a table to learn from.
PER_CELL = 32
#: The greatest int64, which nothing is above; its bits are all but the sign.
TOP = 2**63 - 1
#: What `Tape.grouped` and `Tape.signed` hold for the features of which kind of test.
_MASKS = ((-1, CategoryTest), (TOP, float))


def sides_of(test: Test, column: Column, *, missing: int, unseen: int | None) -> Any:
    """Return the child that a test sends each row of its feature's column to (int64)."""
    if isinstance(test, ThresholdTest):
        sides = (column.data > ordinate(test.threshold)).astype(np.int64)
    else:
        n = sum(len(group) for group in test.groups)
        child = np.full(n + 2, 0 if unseen is None else unseen, dtype=np.int64)  # unseen is -2, missing -1
        for side, group in enumerate(test.groups):
            child[list(group)] = side
        sides = child[column.data]
    sides[column.missing] = missing
    return sides


# ---- the tape


@frozen(eq=False)
class Tape:
    """A tree as one row of integers (int64). The split at place p has

        p         p + 1   p + 2    p + 3     p + 4 ...
        column    cut     unseen   missing   a child for each answer

    where `column` counts `asked`. The answer to a threshold is 0, or 1 where the cell is above the cut; that to groups
    is the position of the category. A missing cell answers -1, an unseen one -2; thresholds have the same child for
    both. A child is the place of a split, or below 0 the code of a leaf: -1 is the last leaf, -2 the one before. A
    code and the length of `values` add up to the rule's number.
    """

    array: Any
    root: int
    #: the features that some split asks for, ascending
    asked: tuple[int, ...]
    #: for each of them -1 where it has groups, else 0; and `TOP` where it is a number, else 0 (see `turn`)
    grouped: Any
    signed: Any
    #: what each leaf predicts, by its rule's number; there is no rule 0
    values: Any


#: The tapes of the trees that live, by the identity of a root: nodes never change.
TAPES: dict[int, tuple[ReferenceType[Node], Tape]] = {}


def tape_of(root: Node) -> Tape:
    """Return the tape of a tree's root; it is made once, and forgotten with the root."""
    key = id(root)
    known = TAPES.get(key)
    if known is None or known[0]() is not root:
        known = ref(root, lambda _: TAPES.pop(key, None)), _taped(root)
        TAPES[key] = known
    return known[1]


def _taped(root: Node) -> Tape:
    array: list[int] = []
    values: list[Any] = []
    splits: list[int] = []
    numbers: dict[int, float] = {}  # cuts, by their places; they are put on the line all at once
    kinds: dict[int, type] = {}

    def leaf(node: Leaf) -> int:
        values.append(node.prediction.value)  # fold meets the last leaf first
        return -len(values)

    def split(node: Split, children: tuple[int, ...]) -> int:
        test, at, missing = node.test, len(array), children[node.missing]
        splits.append(at)
        if isinstance(test, CategoryTest):
            kinds[test.feature] = CategoryTest
            array.extend((test.feature, TOP, children[node.unseen or 0], missing, *_answers(test, children)))
            return at
        kinds[test.feature], cut = type(test.threshold), 0
        if isinstance(test.threshold, float):
            numbers[at + 1] = test.threshold
        else:
            cut = ordinate(test.threshold)
        array.extend((test.feature, cut, missing, missing, children[0], children[1]))
        return at

    start = fold(root, leaf, split)
    asked = sorted(kinds)
    tape = np.array(array, dtype=np.int64)
    tape[splits] = np.searchsorted(asked, tape[splits])
    cuts = (np.array(list(numbers.values())) + 0.0).view(np.int64)  # -0.0 is 0.0
    turn(cuts, TOP)
    tape[list(numbers)] = cuts
    grouped, signed = (np.array([mask * (kinds[f] is kind) for f in asked], np.int64) for mask, kind in _MASKS)
    return Tape(tape, start, tuple(asked), grouped, signed, np.array([None, *reversed(values)], dtype=object))


def _answers(test: CategoryTest, children: tuple[int, ...]) -> list[int]:
    """Return the child of each category, by its position."""
    sides = {position: child for group, child in zip(test.groups, children, strict=False) for position in group}
    return [sides[position] for position in range(len(sides))]


def turn(bits: Any, signed: int) -> None:
    """Make the bits of numbers (float64, seen as int64) ascend with the numbers, in place; with 0 leave integers alone.

    The bits are the sign and the magnitude. Read as an integer they descend below 0, so there the magnitude is turned
    round. NaN must be told from `missing`, and -0.0 comes just before 0.0.

    >>> bits = np.array([-np.inf, -1.0, -5e-324, 0.0, 5e-324, np.inf]).view(np.int64)
    >>> turn(bits, TOP)
    >>> np.diff(bits.astype(object)) > 0
    array([ True,  True,  True,  True,  True])
    """
    if signed:
        bits ^= (bits >> 63) & signed  # >> 63 is -1 below 0, else 0


# ---- down the tape


def routed(
    tape: Tape,
    columns: Sequence[Column],
    n_rows: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    compiled: bool | None = None,
) -> Any:
    """Return the number of each row's rule (int64), given the columns that the tape asks for, in its order.

    `progress` is called with (rows in leaves, all rows) after each block. `compiled` is what `jit.is_used` takes.

    Raises:
        ColumnError: a column holds codes of no category.
    """
    if not columns:
        return np.ones(n_rows, dtype=np.int64)
    for column in columns:
        if not column.feature.is_ordered:
            _check_codes(column)
    step_down = _steps(tape, n_rows, compiled)
    shape = len(columns), min(BLOCK, n_rows)
    cells, holes = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
    codes = np.empty(n_rows, dtype=np.int64)
    for start in range(0, n_rows, BLOCK):
        rows = slice(start, min(start + BLOCK, n_rows))
        for place, column in enumerate(columns):
            _fill(column, rows, cells[place], holes[place])
        step_down(tape.array, tape.root, tape.grouped, tape.signed, cells, holes, codes[rows])
        if progress is not None:
            progress(rows.stop, n_rows)
    codes += len(tape.values)
    return codes


def _steps(tape: Tape, n_rows: int, compiled: bool | None) -> Callable[..., None]:
    """Return the function that takes rows down a tape: the compiled one where it is worth loading."""
    questions = n_rows * len(tape.values).bit_length()
    if not is_used(ROUTES, questions // PER_CELL, compiled):
        return step_down
    return cast(Callable[..., None], load_kernels(ROUTES).step_down)


def _check_codes(column: Column) -> None:
    """Raise ColumnError where a code is that of no category: it would lead off the tape."""
    data, n = column.data, len(column.feature.categories)
    if len(data) and (np.minimum.reduce(data) < UNSEEN or np.maximum.reduce(data) >= n):
        strange = data[~column.missing & ((data < UNSEEN) | (data >= n))]  # a missing cell may hold anything
        if len(strange):
            name, shown = column.feature.name, strange[:3].tolist()
            raise ColumnError(name, "holds codes of no category", "make it of values", shown)


def _fill(column: Column, rows: slice, cells: Any, holes: Any) -> None:
    """Write the cells of some rows of a column as integers, numbers as their bits, and in `holes` which are missing.

    Categories have no holes: a missing one is -1.
    """
    data, missing = column.data[rows], column.missing[rows]
    cells[: len(data)] = data.view(np.int64) if column.feature.kind is Kind.NUMBER else data
    if column.feature.is_ordered:
        holes[: len(data)] = missing
    elif column.n_missing:
        cells[: len(data)] |= -missing.view(np.int8)  # -1, which is `MISSING`, has all bits


def step_down(tape: Any, root: int, grouped: Any, signed: Any, cells: Any, holes: Any, codes: Any) -> None:
    """Write the code of each row's leaf: all rows take a step before any takes the next.

    `cells` and `holes` have a line for each column that the tape asks for, at least as long as `codes`. The cells are
    made fit to compare, in place.
    """
    for line, mask in zip(cells, signed, strict=True):
        turn(line, mask)
    width, any_holes, any_groups = cells.shape[1], holes.any(), grouped.any()
    cells, holes = cells.reshape(-1), holes.reshape(-1)
    rows, places = np.arange(len(codes)), np.full(len(codes), root)
    while len(rows):
        columns = tape.take(places)
        at = columns * width + rows
        cell = cells.take(at)
        answer = (cell > tape.take(places + 1)).astype(np.int64)
        if any_groups:
            answer += cell & grouped.take(columns)
        if any_holes:
            answer -= 2 * holes.take(at)  # 0 or 1 becomes -2 or -1, which have the same child
        places += 4
        places += answer
        places = tape.take(places)
        codes[rows] = places
        onward = np.flatnonzero(places >= 0)
        if len(onward) < len(rows):
            rows, places = rows.take(onward), places.take(onward)

"""The tests of splits where cells are codes, small integers, and only `code <= bound` can be asked.

    feature                              code of a cell
    number, integer, date, timestamp     the number of bounds below it, of all that some tree has for the feature
    boolean, category, ordinal           the position of the category; -1 is missing, -2 unseen

A missing cell of an ordered feature goes where its test says, which may be with the least values or with the greatest.
So such a feature has a code for each: `LOW` (missing is below all codes) and `HIGH` (above all). `AS_IT_IS` is -1 where
the cell is missing, for tests that send missing values to a child of their own.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from treerules.data.schema import MISSING, UNSEEN
from treerules.trees.cell_codes import AS_IT_IS, HIGH, LOW
from treerules.trees.node_parts import CategoryTest, fold_bounds, fold_thresholds
from treerules.trees.nodes import Split

T = TypeVar("T")


def fold_codes(split: Split, children: Sequence[T], cut: Callable[[int, Any, T, T], T]) -> T:
    """Return what stands for a split where only codes can be compared with bounds.

    Args:
        split: the split.
        children: what stands for its children.
        cut: returns what stands for the test `code <= bound`, given the kind of the code (LOW, HIGH or AS_IT_IS), the
            bound, and what stands for the cells that pass, and for those that do not. The bound is a threshold, or of
            AS_IT_IS a code.

    >>> from treerules.trees import Leaf, MeanPrediction, ThresholdTest
    >>> split = Split(ThresholdTest(0, 2.5), [Leaf(MeanPrediction(0.0), (1,))] * 2, missing=1)
    >>> fold_codes(split, ["left", "right"], lambda kind, bound, low, high: (kind == HIGH, bound, low, high))
    (True, 2.5, 'left', 'right')
    """
    test = split.test
    if isinstance(test, CategoryTest):
        ends, runs = _runs(test, split.unseen or 0, split.missing)
        return fold_bounds(ends, [children[child] for child in runs], partial(cut, AS_IT_IS))
    highest = (len(test.thresholds) + test.lowest_child) % 2
    known = fold_thresholds(test, children, partial(cut, HIGH if split.missing == highest else LOW))
    is_sent_with_others = split.missing in (test.lowest_child, highest)
    return known if is_sent_with_others else cut(AS_IT_IS, MISSING, children[split.missing], known)


def _runs(test: CategoryTest, unseen: int, missing: int) -> tuple[list[int], list[int]]:
    """Return the runs of codes with one child, from unseen to the last category.

    They are the last code of each run but the last one, and the child of each run.
    """
    child_of_code = {UNSEEN: unseen, MISSING: missing}
    child_of_code |= {category: child for child, group in enumerate(test.groups) for category in group}
    n_categories = len(child_of_code) - 2
    ends = [code for code in range(UNSEEN, n_categories - 1) if child_of_code[code] != child_of_code[code + 1]]
    return ends, [child_of_code[code] for code in [*ends, n_categories - 1]]

"""Trees and their prunings beside those of R's rpart, without surrogates and on complete rows."""

from itertools import pairwise
from math import floor, sqrt
from typing import Any

import pytest

from rpart import Rpart, needs_rpart
from rpart_cases import CASES, Case
from treerules import Kind, Table, Tree, learn
from treerules.pruning.cost_complexity import cost_complexity_path
from treerules.pruning.pruners import prune
from treerules.trees import Split, ThresholdTest, descend
from treerules.trees.node_parts import child_of

Rows = frozenset[int]
#: What each split asks, by the rows of its node: the feature, the threshold if it has one, and its children's rows.
Splits = dict[Rows, tuple[str, Any, frozenset[Rows]]]


def splits_of(tree: Tree, table: Table) -> Splits:
    """Return what our tree asks of a table's rows."""
    schema, found = tree.schema, {}
    columns = [[table.column(feature.name).value(row) for row in range(table.n_rows)] for feature in schema.features]

    def step(split: Split, rows: Rows) -> list[Rows]:
        feature, cells = schema.features[split.test.feature], columns[split.test.feature]
        side = {row: child_of(split.test, feature, cells[row], split.missing, split.unseen) for row in rows}
        parts = [frozenset(row for row in rows if side[row] == child) for child in range(len(split.children))]
        cut = split.test.threshold if isinstance(split.test, ThresholdTest) else None
        found[rows] = (feature.name, cut, frozenset(part for part in parts if part))
        return parts

    for _ in descend(tree.root, frozenset(range(table.n_rows)), step):
        pass
    return found


def splits_of_rpart(fit: Rpart, table: Table) -> Splits:
    """Return what rpart's tree asks, by the rows that it says are in each leaf; an integer's cut is its whole part."""
    rows_of: dict[int, set[int]] = {node.number: set() for node in fit.nodes}
    for row, number in enumerate(fit.leaf_of):
        while number:
            rows_of[number].add(row)
            number //= 2
    found = {}
    for node in fit.nodes:
        if node.feature is not None:
            whole = node.threshold is not None and table.column(node.feature).feature.kind is Kind.INTEGER
            parts = frozenset(frozenset(rows_of[2 * node.number + side]) for side in (0, 1))
            found[frozenset(rows_of[node.number])] = (
                node.feature,
                floor(node.threshold) if whole else node.threshold,
                parts,
            )
    return found


def drawn(splits: Splits, only: set[Rows]) -> list[str]:
    """Return some splits in words, the largest nodes first."""
    found = []
    for rows in sorted(only, key=lambda rows: (-len(rows), min(rows))):
        feature, cut, parts = splits[rows]
        sizes = sorted((len(part), min(part)) for part in parts)
        found.append(f"{len(rows)} rows with {min(rows)}: {feature} {cut} into (size, first row) {sizes}")
    return found


def assert_same(ours: Splits, theirs: Splits) -> None:
    """Assert that two trees ask the same; a threshold may differ by an ulp, as the midpoint is rounded."""
    differ = {
        rows
        for rows in ours.keys() | theirs.keys()
        if ours.get(rows, ())[::2] != theirs.get(rows, ())[::2]
        or ours[rows][1] != (None if theirs[rows][1] is None else pytest.approx(theirs[rows][1], rel=1e-15))
    }
    assert drawn(ours, differ & ours.keys()) == drawn(theirs, differ & theirs.keys())


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_what_is_read_of_rpart_sends_each_row_to_its_leaf(case: Case) -> None:
    """The splits that rpart prints, followed by hand, end where rpart says that each row is, with its counts."""
    fit, table = case.theirs(-1), case.table
    nodes = {node.number: node for node in fit.nodes}
    for row in range(table.n_rows):
        number = 1
        while (node := nodes[number]).feature is not None:
            value = table.column(node.feature).value(row)
            if node.threshold is None:
                assert (value in node.left) is not (value in node.right)
                number = 2 * number + (value in node.right)
            else:
                low = value < node.threshold
                number = node.low if low else 4 * number + 1 - node.low
        assert number == fit.leaf_of[row]
        assert node.value == fit.predictions[row]
    for node in fit.nodes:
        below = [row for row, number in enumerate(fit.leaf_of) if number == node.number]
        if node.feature is None:
            assert node.n == len(below)
            assert node.weight == pytest.approx(sum((case.weights or [1] * table.n_rows)[row] for row in below))


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_the_whole_tree_is_that_of_rpart(case: Case) -> None:
    """Unpruned, every node asks what rpart's asks (cp -1) and divides its rows in the same way."""
    assert_same(splits_of(learn(case.table, **case.asked), case.table), splits_of_rpart(case.theirs(-1), case.table))


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_the_tree_pruned_at_each_cp_is_that_of_rpart(case: Case) -> None:
    """Between the cps of the table, weakest-link pruning leaves the tree that rpart grows with that cp."""
    tree = learn(case.table, **case.asked)
    risk = cost_complexity_path(tree).steps[-1].risk
    cps = [row.cp for row in case.theirs(0.0).rows]
    for above, below in pairwise(cps[:5]):
        cp = sqrt(above * below) if below else above / 2
        pruned = prune(tree, "cost_complexity", alpha=cp * risk)
        assert_same(splits_of(pruned, case.table), splits_of_rpart(case.theirs(cp), case.table))

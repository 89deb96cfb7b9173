"""Prediction for whole tables: the tree as flat arrays, all rows routed a level at a time."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from treerules.errors import ColumnError, OptionError, did_you_mean
from treerules.parts import Groups, Label, Threshold, child_of
from treerules.schema import MISSING, UNSEEN, Feature, ordinate
from treerules.table import Table
from treerules.tree import Leaf, Node, Split, Tree, leaves, numbered, preorder, shape

if TYPE_CHECKING:
    from treerules.columns import Column

Progress = Callable[[int, int], None]


def leaf_of(tree: Tree, row: Mapping[str, Any]) -> Leaf:
    """Return the leaf that a row reaches; a missing key is a missing value.

    Raises:
        CellError: a value on the row's path is of the wrong kind.
    """
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        value = feature.converted(row.get(feature.name))
        node = node.children[child_of(node.test, feature, value, node.missing, node.unseen)]
    assert isinstance(node, Leaf)
    return node


def predict(tree: Tree, table: Table | Mapping[str, Any], *, progress: Progress | None = None) -> Any:
    """Return what a tree predicts: an array, a row each, for a table; one value for a row (a mapping).

    Classes come as an array of objects, means as float64. The table may hold other columns, and in any order.
    `progress` is called with (rows in leaves, all rows).

    Raises:
        ColumnError, CellError: the table lacks a column that the tree asks for, or has one of the wrong kind.
    """
    import numpy as np

    if not isinstance(table, Table):
        return leaf_of(tree, table).prediction.value
    values = np.array([None, *(leaf.prediction.value for leaf in leaves(tree.root))], dtype=object)
    found = values[rule_numbers(tree, table, progress=progress)]
    return found.astype(np.float64) if tree.schema.is_regression else found


def predict_proba(tree: Tree, table: Table | Mapping[str, Any]) -> Any:
    """Return the share of each class where a row's leaf was learned, classes in the schema's order.

    For a table an array of shape (rows, classes); for a row (a mapping) a tuple.

    Raises:
        OptionError: the tree is a regression, which has no classes.
    """
    import numpy as np

    if tree.schema.is_regression:
        raise OptionError("predict_proba of", tree, "a classification; a regression has no classes")
    if not isinstance(table, Table):
        prediction = leaf_of(tree, table).prediction
        assert isinstance(prediction, Label)
        return prediction.probabilities
    shares = [leaf.prediction.probabilities for leaf in leaves(tree.root) if isinstance(leaf.prediction, Label)]
    return np.array(shares)[rule_numbers(tree, table) - 1]


def rule_numbers(tree: Tree, table: Table, *, progress: Progress | None = None) -> Any:
    """Return the number of the rule that fires for each row: the place of its leaf, from 1 (int64)."""
    import numpy as np

    flat = _flattened(tree)
    codes = np.array([_codes(tree, table, *asked) for asked in flat.asked]).reshape(len(flat.asked), table.n_rows)
    node = np.zeros(table.n_rows, dtype=np.int64)
    active = np.arange(table.n_rows) if flat.asked else np.empty(0, dtype=np.int64)
    while len(active):
        here = node[active]
        code = codes[flat.feature[here], active]
        by_group = flat.groups[np.where(flat.start[here] >= 0, flat.start[here] + code, 0)]
        by_cut = np.where(code <= flat.cut[here], flat.first[here], flat.second[here])
        known = np.where(flat.start[here] >= 0, by_group, by_cut)
        node[active] = np.where(code == MISSING, flat.missing[here], known)
        active = active[flat.number[node[active]] == 0]
        if progress is not None:
            progress(table.n_rows - len(active), table.n_rows)
    return flat.number[node]


def unseen_cells(tree: Tree, table: Table) -> dict[str, int]:
    """Return how many cells hold a value that the tree has not seen, for each column asked for where any do."""
    import numpy as np

    asked = [tree.schema.features[index] for index, _ in _flattened(tree).asked]
    columns = {feature.name: _aligned(feature, table) for feature in asked if feature.is_open}
    counts = {name: int(np.count_nonzero(column.data == UNSEEN)) for name, column in columns.items()}
    return {name: n for name, n in counts.items() if n}


def rows_at(tree: Tree, table: Table, node: int) -> Any:
    """Return the numbers of the table's rows that pass a node (number in preorder, the root is 0).

    Raises:
        OptionError: the tree has no such node.
        ColumnError: as `predict` does.
    """
    import numpy as np

    before, below = _leaves_around(tree, node)
    found = rule_numbers(tree, table)
    return np.flatnonzero((found > before) & (found <= before + below))


def asked_at(tree: Tree, node: int) -> int | None:
    """Return the feature that a node asks for, by its place in the schema; None of a leaf."""
    found = _node(tree, node)
    return found.test.feature if isinstance(found, Split) else None


def _leaves_around(tree: Tree, node: int) -> tuple[int, int]:
    """Return how many leaves come before a node, and how many are below it."""
    found = _node(tree, node)
    before = sum(isinstance(other, Leaf) for _, other in zip(range(node), preorder(tree.root), strict=False))
    return before, shape(found)[0]


def _node(tree: Tree, number: int) -> Node:
    nodes = enumerate(preorder(tree.root))
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    found = next((node for place, node in nodes if place == number), None) if is_whole else None
    if found is None:
        last = sum(1 for _ in preorder(tree.root)) - 1
        raise OptionError("node", number, f"the number of a node, from 0 to {last}")
    return found


@frozen(eq=False)
class _Flat:
    """A tree by node number. A row at a node goes on by the code of its value (see `_codes`).

    A cut sends codes up to `cut` to node `first`, others to `second`; groups send code c to `groups[start + c]`.
    `start` is -1 at a cut, `number` is the rule number of a leaf and 0 at a split.
    """

    feature: Any
    cut: Any
    first: Any
    second: Any
    missing: Any
    start: Any
    groups: Any
    number: Any
    #: the features that some node asks for, and the thresholds of each in ascending order; `feature` counts these
    asked: tuple[tuple[int, tuple[Any, ...]], ...]


def _flattened(tree: Tree) -> _Flat:
    import numpy as np

    nodes = numbered(tree.root)
    thresholds: dict[int, set[Any]] = {}
    for node, _ in nodes:
        if isinstance(node, Split):
            cuts = thresholds.setdefault(node.test.feature, set())
            cuts.update([node.test.threshold] if isinstance(node.test, Threshold) else [])
    asked = [(feature, tuple(sorted(cuts))) for feature, cuts in sorted(thresholds.items())]
    place = {feature: row for row, (feature, _) in enumerate(asked)}
    rank = {feature: {cut: rank for rank, cut in enumerate(cuts)} for feature, cuts in asked}
    fields = {
        name: np.zeros(len(nodes), dtype=np.int64)
        for name in ("feature", "cut", "first", "second", "missing", "start", "number")
    }
    groups, n_leaves = [0], 0
    for at, (node, children) in enumerate(nodes):
        fields["start"][at] = -1
        if not isinstance(node, Split):
            n_leaves += 1
            fields["number"][at] = n_leaves
            continue
        fields["feature"][at] = place[node.test.feature]
        fields["missing"][at] = children[node.missing]
        if isinstance(node.test, Threshold):
            fields["cut"][at] = rank[node.test.feature][node.test.threshold]
            fields["first"][at], fields["second"][at] = children[:2]
        else:
            fields["start"][at] = len(groups)
            groups.extend(_targets(node, node.test, children))
    return _Flat(groups=np.array(groups), asked=tuple(asked), **fields)


def _targets(split: Split, test: Groups, children: tuple[int, ...]) -> list[int]:
    """Return the node that each category's position goes to, and after them where unseen values go."""
    sides = {position: side for side, group in enumerate(test.groups) for position in group}
    return [children[sides[position]] for position in range(len(sides))] + [children[split.unseen or 0]]


def _aligned(feature: Feature, table: Table) -> "Column":
    from treerules.declaring import aligned

    if feature.name not in table.schema.indices:
        hint = did_you_mean(feature.name, table.schema.indices)
        raise ColumnError(feature.name, "the model asks for it and the table has none", f"{hint}add or rename it")
    return aligned(feature, table.column(feature.name))


def _codes(tree: Tree, table: Table, index: int, thresholds: tuple[Any, ...]) -> Any:
    """Return a feature's codes: the number of thresholds below the value, or the position of the category.

    Missing is -1, an unseen value has the position after the last.
    """
    import numpy as np

    feature = tree.schema.features[index]
    column = _aligned(feature, table)
    if feature.is_ordered:
        cuts = np.array([ordinate(threshold) for threshold in thresholds], dtype=column.data.dtype)
        codes = np.searchsorted(cuts, column.data, side="left")
    else:
        codes = np.where(column.data < 0, len(feature.categories), column.data)
    return np.where(column.missing, MISSING, codes)

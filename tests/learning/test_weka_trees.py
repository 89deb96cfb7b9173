"""C4.5 as published beside Weka's J48: every line that it draws, with thresholds, classes and counts."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from attrs import frozen

from paths import TABLES
from published_tables import rows_of
from treerules import Table, Tree, c45, learn
from treerules.pruning.pruners import prune
from treerules.trees import Leaf, Split, ThresholdTest, descend
from weka_j48 import WEKA_DATA, J48Leaf, J48Line, arff_table, j48, needs_weka

#: The tables, with their targets; those that are not in tests/tables come with Weka's package.
TARGETS = {
    "golf": "class",
    "golf, row 6 without outlook": "class",
    "weather.numeric": "play",
    "weather.nominal": "play",
    "contact-lenses": "contact-lenses",
    "labor": "class",
    "vote": "Class",
    "breast-cancer": "Class",
    "iris": "class",
    "glass": "Type",
    "soybean": "class",
    "diabetes": "class",
    "credit-g": "class",
}
PUBLISHED = tuple(TARGETS)[:8]


@frozen
class Asked:
    """What J48 is asked for; without `confidence` it does not prune."""

    confidence: float | None = 0.25
    min_leaf: int = 2
    raising: bool = True

    def __str__(self) -> str:
        unpruned = "unpruned" if self.confidence is None else f"C{self.confidence}"
        return f"{unpruned}-M{self.min_leaf}{'' if self.raising else '-S'}"


UNPRUNED, DEFAULT, NO_RAISING = Asked(None), Asked(), Asked(raising=False)
EVERYWHERE = (UNPRUNED, DEFAULT, NO_RAISING)
SOMEWHERE = (Asked(0.05), Asked(0.1), Asked(0.5), Asked(min_leaf=1), Asked(min_leaf=5), Asked(None, 1), Asked(None, 5))
CASES = [
    *((name, asked) for name in TARGETS for asked in EVERYWHERE),
    *((name, asked) for name in ("golf", "labor", "vote", "breast-cancer") for asked in SOMEWHERE),
]
PARAMETERS = [pytest.param(name, asked, id=f"{name}-{asked}") for name, asked in CASES]


def table_of(name: str) -> Table:
    """Return a table by its name; skip the test where Weka came without it."""
    if name.startswith("golf"):
        rows = rows_of("quinlan_golf")
        if name != "golf":
            rows[5]["outlook"] = None  # Quinlan 1993, section 3.2: the sixth row loses its outlook
        return Table.from_rows(rows)
    path = next(
        (folder / f"{name}.arff" for folder in (TABLES, WEKA_DATA) if (folder / f"{name}.arff").is_file()), None
    )
    if path is None:
        pytest.skip(f"{name}.arff did not come with Weka")
    return arff_table(path)


def drawn(table: Table, name: str, asked: Asked) -> tuple[J48Line, ...]:
    """Return J48's drawing."""
    return j48(
        table,
        TARGETS[name],
        unpruned=asked.confidence is None,
        confidence=asked.confidence,
        min_leaf=asked.min_leaf,
        raising=asked.raising,
    ).lines


def ours(table: Table, name: str, asked: Asked) -> Tree:
    """Return our tree: J48 too first cuts off what does not reduce the training error, then prunes by its own limit."""
    recipe = c45(quinlan=True, unpruned=True, min_samples_leaf=asked.min_leaf)
    tree = prune(learn(table, target=TARGETS[name], recipe=recipe), "collapse")
    if asked.confidence is None:
        return tree
    raising = {"table": table} if asked.raising else {}
    return prune(tree, "pessimistic", confidence=asked.confidence, limit="j48", **raising)


def lines_of(tree: Tree) -> Iterator[J48Line]:
    """Yield our tree as J48 draws one: a line for each node but the root, or one for the root alone."""
    schema = tree.schema

    def step(split: Split, line: J48Line) -> list[J48Line]:
        feature, depth = schema.features[split.test.feature], line.depth + 1
        if isinstance(split.test, ThresholdTest):
            edges: list[tuple[str, Any]] = [("<=", split.test.threshold), (">", split.test.threshold)]
        else:  # one category to a child; several would differ from what J48 draws, and show
            groups = [tuple(feature.categories[place] for place in group) for group in split.test.groups]
            edges = [("=", group[0] if len(group) == 1 else group) for group in groups]
        edges += [("is", "missing")] * (len(split.children) - len(edges))
        return [J48Line(depth, feature.name, *edge, None) for edge in edges]

    for node, line in descend(tree.root, J48Line(-1, None, None, None, None), step):
        if isinstance(node, Leaf):
            errors = node.n - node.counts[schema.classes.index(node.prediction.value)]
            yield J48Line(max(0, line.depth), *edge_of(line), J48Leaf(node.prediction.value, node.n, errors))
        elif line.feature is not None:
            yield line


def edge_of(line: J48Line) -> tuple[Any, Any, Any]:
    """Return the edge that leads to a line's node."""
    return line.feature, line.relation, line.value


def printed(line: J48Line, near: J48Line | None = None) -> tuple[Any, ...]:
    """Return a line as J48 prints it: numbers are those of the line `near` where they are as near as printing allows,
    thresholds with 6 decimals and weights with 2."""
    numbers = [line.value, *((line.leaf.n, line.leaf.errors) if line.leaf else ())]
    others = [near.value, *((near.leaf.n, near.leaf.errors) if near.leaf else ())] if near else []
    for place, (mine, step) in enumerate(zip(numbers, (1e-6, 1e-2, 1e-2), strict=False)):
        if place < len(others) and isinstance(mine, (int, float)) and isinstance(others[place], (int, float)):
            is_near = abs(mine - others[place]) <= step / 2 * 1.000001
            numbers[place] = others[place] if is_near else mine
    label = (line.leaf.label,) if line.leaf else ()
    return (line.depth, line.feature, line.relation, *numbers[:1], *label, *numbers[1:])


@pytest.mark.peer
@needs_weka
@pytest.mark.parametrize(("name", "asked"), PARAMETERS)
def test_the_tree_is_that_of_j48(name: str, asked: Asked) -> None:
    """Shape, thresholds, classes and counts are J48's to every printed digit."""
    table = table_of(name)
    theirs = drawn(table, name, asked)
    mine = list(lines_of(ours(table, name, asked)))
    nearest = [*theirs, *[None] * len(mine)]
    assert [printed(line, near) for line, near in zip(mine, nearest, strict=False)] == [printed(x) for x in theirs]


# ---- the oracle itself: what is read of it describes the table


def children_of(lines: Sequence[J48Line]) -> dict[int, list[int]]:
    """Return the places of the lines right below each line; -1 is the root."""
    found: dict[int, list[int]] = {-1: []}
    path: list[int] = []
    for place, line in enumerate(lines):
        del path[line.depth :]
        found[path[-1] if path else -1].append(place)
        found[place] = []
        path.append(place)
    return found


def meets(value: Any, line: J48Line) -> bool:
    """Whether a known value goes along a line's edge."""
    return {"<=": lambda: value <= line.value, ">": lambda: value > line.value, "=": lambda: value == line.value}[
        line.relation or ""
    ]()


def reached(table: Table, lines: Sequence[J48Line]) -> dict[int, dict[int, float]]:
    """Return the weight with which each row reaches each line: a missing value goes everywhere, in the known shares."""
    below, found = children_of(lines), {-1: dict.fromkeys(range(table.n_rows), 1.0)}
    for parent in [-1, *range(len(lines))]:
        if not below[parent]:
            continue
        column = table.column(lines[below[parent][0]].feature or "")
        values = {row: column.value(row) for row in found[parent]}
        known = dict.fromkeys(below[parent], 0.0)
        for row, weight in found[parent].items():
            for place in known:
                known[place] += weight * (values[row] is not None and meets(values[row], lines[place]))
        shares = {place: weight / sum(known.values()) for place, weight in known.items()}
        for place in known:
            went = {
                row: weight * (shares[place] if values[row] is None else meets(values[row], lines[place]))
                for row, weight in found[parent].items()
            }
            found[place] = {row: weight for row, weight in went.items() if weight}
    return found


@pytest.mark.peer
@needs_weka
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_read_of_j48_gives_its_counts(name: str) -> None:
    """Rows sent down what J48 draws, a missing value in shares, make the weights and errors that it prints."""
    table = table_of(name)
    labels = table.column(TARGETS[name])
    for asked in EVERYWHERE:
        lines = drawn(table, name, asked)
        if lines[0].feature is None:
            continue
        for place, rows in reached(table, lines).items():
            leaf = lines[place].leaf if place >= 0 else None
            if leaf is not None:
                wrong = sum(weight for row, weight in rows.items() if labels.value(row) != leaf.label)
                assert (leaf.n, leaf.errors) == pytest.approx((sum(rows.values()), wrong), abs=0.0051)


@pytest.mark.peer
@needs_weka
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_read_of_j48_is_all_that_it_drew(name: str) -> None:
    """As many leaves and nodes are read as J48 says that its tree has."""
    found = j48(table_of(name), TARGETS[name])
    assert sum(line.leaf is not None for line in found.lines) == found.n_leaves
    assert len(found.lines) + (found.lines[0].feature is not None) == found.size


@pytest.mark.peer
@needs_weka
def test_weights_are_handed_to_j48() -> None:
    """A row of weight n is n rows to J48."""
    rows = rows_of("quinlan_golf")
    times = [1 + place % 3 for place in range(len(rows))]
    repeated = Table.from_rows([row for row, n in zip(rows, times, strict=True) for _ in range(n)])
    weighed = j48(Table.from_rows(rows), "class", weights=[float(n) for n in times])
    assert len(weighed.lines) > 1 and weighed == j48(repeated, "class")


#: Rows of the columns a, b, c, d and the class, where two branches are equally large while the tree is pruned.
TIED_BRANCHES = (
    "2202p 2121q 2002p 0120p 1002p 1120q 0201p 1211q 1012p 1200p 0012q 1122q 0211q 2220p 1110p 1212p",
    "0022q 1122p 1220p 2110q 0021p 2020q 0112p 2120q 2121p 2221p 2220p 2000q 2111q 0022q 0221q 1212q",
    "2211q 1120q 2112q 1002p 1210q 0210q 2000p 1221p 0002p 0002q 1110q 2202q",
    "1220q 1012p 2210p 1222p 0121p 2210q 1012q 0222p 2100p 0010q 0202q 2210q",
)


@pytest.mark.peer
@needs_weka
@pytest.mark.parametrize("rows", TIED_BRANCHES)
def test_j48_raises_the_last_of_equally_large_branches(rows: str) -> None:
    """Where two branches tie, which one is raised decides how many leaves are left."""
    cells = [list(row) for row in rows.split()]
    table = Table.from_columns(dict(zip("abcdy", zip(*cells, strict=True), strict=True)))
    theirs = j48(table, "y", confidence=0.5, min_leaf=1).lines
    whole = learn(table, target="y", recipe=c45(quinlan=True, unpruned=True, min_samples_leaf=1))
    tree = prune(prune(whole, "collapse"), "pessimistic", confidence=0.5, limit="j48", table=table)
    assert [printed(line) for line in lines_of(tree)] == [printed(line) for line in theirs]

"""Trees and their prunings beside those of R's rpart, without surrogates and on complete rows."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor, sqrt
from typing import Any

import pytest
from attrs import evolve, field, frozen

from oracles import Rpart, needs_rpart, r_dataset, rpart
from treerules import Kind, Split, Table, Threshold, Tree, cart, descend, learn
from treerules.parts import child_of
from treerules.prune import cost_complexity_path, prune

Rows = frozenset[int]
#: What each split asks, by the rows of its node: the feature, the threshold if it has one, and its children's rows.
Splits = dict[Rows, tuple[str, Any, frozenset[Rows]]]


@frozen
class Case:
    """A data set, what is predicted from which columns, and how a tree grows."""

    name: str
    target: str
    method: str = "class"
    columns: tuple[str, ...] = ()
    types: Mapping[str, str] = field(factory=dict)
    folds: int = 10
    #: the least number of rows of a node that is split, and of a leaf
    split: int = 20
    leaf: int = 7
    #: of cart(): criterion, priors, costs, feature_cost
    choices: Mapping[str, Any] = field(factory=dict)
    weights: tuple[float, ...] | None = None
    #: how many columns of the cp tables agree: see test_oracles_cp.py
    agree: int = 5

    def __str__(self) -> str:
        weighted = ["weights"] if self.weights else []
        return "-".join([self.name, self.target, str(self.split), str(self.leaf), *self.choices, *weighted])

    @property
    def table(self) -> Table:
        """The complete rows."""
        return r_dataset(self.name, self.columns, na_omit=True, types=self.types)

    @property
    def fold_of(self) -> list[int]:
        """The number of each row's fold: 1, 2, ..., again and again."""
        return [row % self.folds + 1 for row in range(self.table.n_rows)]

    @property
    def asked(self) -> dict[str, Any]:
        """What `learn` and `cross_validate` are asked."""
        return {
            "target": self.target,
            "recipe": cart(min_samples_split=self.split, min_samples_leaf=self.leaf, **self.choices),
            "task": "classification" if self.method == "class" else "regression",
            **({"weight": self.weights} if self.weights else {}),
        }

    def theirs(self, cp: float, folds: Sequence[int] | None = None, table: Table | None = None) -> Rpart:
        """Return rpart's tree, of the case's table or of another."""
        choices = dict(self.choices)
        return rpart(
            table or self.table,
            self.target,
            method=self.method,
            folds=folds,
            split={"gini": "gini", "entropy": "information"}[choices.pop("criterion", "gini")],
            weights=self.weights,
            minsplit=self.split,
            minbucket=self.leaf,
            cp=cp,
            **choices,
        )


_STAGEC = Case(
    "stagec",
    "pgstat",
    columns=("pgstat", "age", "eet", "g2", "grade", "gleason", "ploidy"),
    types={"pgstat": "category"},
)
_CAR90 = Case(
    "car90",
    "Price",
    "anova",
    columns=("Price", "Country", "Disp", "HP", "Length", "Tank", "Type", "Weight", "Wheel.base", "Width"),
)
KYPHOSIS = Case("kyphosis", "Kyphosis", folds=9)
IRIS = Case("iris", "Species", split=2, leaf=1)
#: The last two columns of the cp table differ where a tree without a fold meets, in the fold, a category that its node
#: never had: rpart stops there, ours goes on to the larger child. So there are cases without categories too.
CATEGORIES = [
    Case("cu.summary", "Reliability", split=6, leaf=2, agree=3),
    Case("cu.summary", "Mileage", "anova", split=6, leaf=2, agree=3),
    evolve(_CAR90, agree=3),
    evolve(_CAR90, split=4, leaf=2, agree=3),
    Case("solder.balance", "skips", "anova", agree=3),
]
_NUMBERS_OF_CAR90 = tuple(name for name in _CAR90.columns if name not in ("Country", "Type"))
#: Leaves of a regression are not made too small: among the equally good cuts of a few rows, rpart's rounding decides
#: (with leaves of 4, in the trees without a fold).
PLAIN = [
    KYPHOSIS,
    evolve(KYPHOSIS, split=2, leaf=1),
    IRIS,
    evolve(IRIS, split=20, leaf=7),
    _STAGEC,
    evolve(_STAGEC, split=2, leaf=1),
    Case("cu.summary", "Reliability", columns=("Price", "Reliability", "Mileage"), split=6, leaf=2),
    Case("cu.summary", "Mileage", "anova", columns=("Price", "Reliability", "Mileage")),
    evolve(_CAR90, columns=_NUMBERS_OF_CAR90),
    evolve(_CAR90, columns=_NUMBERS_OF_CAR90, split=6, leaf=3),
    Case("Boston", "medv", "anova"),
    Case("Boston", "medv", "anova", split=12, leaf=4, agree=3),
]
_HALVES = {"absent": 0.5, "present": 0.5}
_FEW = {"absent": 0.875, "present": 0.125}
COSTS = {("absent", "present"): 1.0, ("present", "absent"): 4.0}
#: rpart counts rows where we count weight, so weights from 1 up come with no least number of rows.
VARIANTS = [
    evolve(KYPHOSIS, choices={"criterion": "entropy"}),
    evolve(KYPHOSIS, choices={"priors": _HALVES}),
    evolve(KYPHOSIS, choices={"priors": {"absent": 0.25, "present": 0.75}}, split=2, leaf=1),
    evolve(KYPHOSIS, choices={"costs": COSTS}, agree=3),
    evolve(KYPHOSIS, choices={"priors": _FEW, "costs": COSTS}, agree=3),
    evolve(KYPHOSIS, choices={"feature_cost": {"Start": 4.0, "Age": 2.0}}),
    evolve(KYPHOSIS, weights=tuple(1 + row % 4 / 2 for row in range(81)), split=2, leaf=1),
    Case("cu.summary", "Reliability", split=6, leaf=2, choices={"criterion": "entropy"}, agree=3),
]
CASES = [pytest.param(case, id=str(case)) for case in (*PLAIN, *CATEGORIES, *VARIANTS)]


def splits_of(tree: Tree, table: Table) -> Splits:
    """Return what our tree asks of a table's rows."""
    schema, found = tree.schema, {}
    columns = [[table.column(feature.name).value(row) for row in range(table.n_rows)] for feature in schema.features]

    def step(split: Split, rows: Rows) -> list[Rows]:
        feature, cells = schema.features[split.test.feature], columns[split.test.feature]
        side = {row: child_of(split.test, feature, cells[row], split.missing, split.unseen) for row in rows}
        parts = [frozenset(row for row in rows if side[row] == child) for child in range(len(split.children))]
        cut = split.test.threshold if isinstance(split.test, Threshold) else None
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


@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_the_whole_tree_is_that_of_rpart(case: Case) -> None:
    """Unpruned, every node asks what rpart's asks (cp -1) and divides its rows in the same way."""
    assert_same(splits_of(learn(case.table, **case.asked), case.table), splits_of_rpart(case.theirs(-1), case.table))


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

"""Tables and arguments on which trees are compared with those of R's rpart."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from attrs import evolve, field, frozen

from rpart import Rpart, r_dataset, rpart
from treerules import Table, cart


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
    #: how many columns of the cp tables agree: see test_rpart_cp_tables.py
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
#: rpart's standard error of fractional weights depends on their scale; ours counts rows.
VARIANTS = [
    evolve(KYPHOSIS, choices={"criterion": "entropy"}),
    evolve(KYPHOSIS, choices={"priors": _HALVES}),
    evolve(KYPHOSIS, choices={"priors": {"absent": 0.25, "present": 0.75}}, split=2, leaf=1),
    evolve(KYPHOSIS, choices={"costs": COSTS}, agree=3),
    evolve(KYPHOSIS, choices={"priors": _FEW, "costs": COSTS}, agree=3),
    evolve(KYPHOSIS, choices={"feature_cost": {"Start": 4.0, "Age": 2.0}}),
    evolve(KYPHOSIS, weights=tuple(1 + row % 4 / 2 for row in range(81)), split=2, leaf=1, agree=4),
    Case("cu.summary", "Reliability", split=6, leaf=2, choices={"criterion": "entropy"}, agree=3),
]
CASES = [pytest.param(case, id=str(case)) for case in (*PLAIN, *CATEGORIES, *VARIANTS)]

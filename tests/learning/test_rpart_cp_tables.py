"""The cp tables of cross-validation beside those of R's rpart, and those that were printed."""

import csv
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from paths import EXAMPLES
from rpart import Rpart, needs_rpart
from rpart_cases import CASES, COSTS, IRIS, KYPHOSIS, VARIANTS, Case
from treerules import Table
from treerules.learning.cross_validation import cross_validate

#: The cp tables of rpart 4.1.19: cp, splits, relative error, xerror.
NUMBERS = [
    (KYPHOSIS, 0.01, [(3 / 17, 0, 1, 1), (1 / 51, 1, 14 / 17, 18 / 17), (0.01, 4, 13 / 17, 18 / 17)]),
    (
        IRIS,
        0.0,
        [
            (0.5, 0, 1, 1),
            (0.44, 1, 0.5, 0.5),
            (0.02, 2, 0.06, 0.1),
            (0.01, 3, 0.04, 0.1),
            (0.005, 6, 0.01, 0.06),
            (0, 8, 0, 0.07),
        ],
    ),
]


def close(number: float) -> Any:
    """Return what equals a number to 9 digits."""
    return pytest.approx(number, rel=1e-9, abs=1e-12)


def published(case: Case) -> Table:
    """Return the table of a case without R: kyphosis from a file, iris from scikit-learn, whose rows are R's."""
    if case is KYPHOSIS:
        with (EXAMPLES / "kyphosis.csv").open(encoding="utf-8") as file:
            rows = [{k: v if k == "Kyphosis" else int(v) for k, v in row.items()} for row in csv.DictReader(file)]
        return Table.from_rows(rows)
    from sklearn.datasets import load_iris

    iris = load_iris()
    columns = {name: iris.data[:, place] for place, name in enumerate(iris.feature_names)}
    return Table.from_columns({**columns, "Species": [str(iris.target_names[code]) for code in iris.target]})


def cubed(table: Table, target: str) -> Table:
    """Return the table with the cubes of its numbers: no cube lies midway between two others (Euler), so no row that is
    held out lies on a threshold, which rpart's `<` and our `<=` send apart."""
    columns = []
    for column in table.columns:
        is_number = column.feature.is_ordered and column.feature.name != target
        columns.append(evolve(column, data=column.data**3) if is_number else column)
    return evolve(table, columns=columns)


def distinct(rows: Sequence[Any]) -> list[Any]:
    """Return a cp table of rpart's without the rows whose cp differs from that of the row before by rounding only."""
    return [row for place, row in enumerate(rows) if not place or row.cp != close(rows[place - 1].cp)]


def figures(row: Any) -> tuple[float, ...]:
    """Return a row of a cp table."""
    return row.n_splits, row.cp, row.relative_error, row.xerror, row.xstd


def weakest_links(fit: Rpart) -> list[tuple[int, float, float]]:
    """Return splits, cp and relative error of the subtrees, the root first: the weakest link cut, again and again."""
    risk = {node.number: node.deviance for node in fit.nodes}
    splits = {node.number for node in fit.nodes if node.feature is not None}
    alpha, found = 0.0, []
    while splits:
        below = {at: [n for n in risk if n not in splits and is_below(n, at)] for at in splits}
        links = {at: (risk[at] - sum(risk[n] for n in ends)) / (len(ends) - 1) for at, ends in below.items()}
        weakest = min(links.values())
        if weakest > (alpha + 1e-12 * risk[1]) * (1 + 1e-9):
            ends = below[1]
            found.append((len(ends) - 1, alpha / risk[1], sum(risk[n] for n in ends) / risk[1]))
            alpha = weakest
        cut = {at for at, link in links.items() if link == weakest}
        splits -= {at for at in splits if any(at == top or is_below(at, top) for top in cut)}
        risk = {n: r for n, r in risk.items() if n == 1 or n // 2 in splits}
    return [(0, alpha / risk[1], 1.0), *found[::-1]]


def is_below(number: int, top: int) -> bool:
    """Whether a node of rpart's stands below another."""
    return number > top and number >> (number.bit_length() - top.bit_length()) == top


@pytest.mark.parametrize(("case", "cp", "rows"), NUMBERS)
def test_the_cp_table_is_the_published_one(case: Case, cp: float, rows: list[Any]) -> None:
    """Kyphosis with folds rep(1:9) and iris with rep(1:10) have the cp tables that rpart 4.1.19 prints."""
    asked = {"recipe": case.asked["recipe"], "target": case.target, "cp": cp}
    table = published(case)
    found = cross_validate(table, folds=[row % case.folds + 1 for row in range(table.n_rows)], **asked)
    rounded = [(row.cp, row.n_splits, row.relative_error, row.xerror) for row in found.rows]
    assert rounded == [tuple(close(number) for number in row) for row in rows]


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize(("case", "cp", "rows"), NUMBERS)
def test_the_published_cp_table_is_what_rpart_finds(case: Case, cp: float, rows: list[Any]) -> None:
    """The literals above are rpart's own numbers, and its tables are those that are read without R."""
    found = case.theirs(cp, case.fold_of).rows
    rounded = [(row.cp, row.n_splits, row.relative_error, row.xerror) for row in found]
    assert rounded == [tuple(close(number) for number in row) for row in rows]
    table = published(case)
    assert [list(row.values()) for row in table.rows()] == [list(row.values()) for row in case.table.rows()]


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_the_cp_table_is_that_of_rpart(case: Case) -> None:
    """With the same folds and rpart's own alphas, cp, splits, relative error, xerror and xstd are rpart's to 9 digits.

    Three columns where xerror is another for a known reason: unequal costs (rpart takes the transposed matrix), and
    categories or equal cuts of which a fold's tree knows less (`Case.agree`). Where weights are fractional, our
    xstd counts rows.
    """
    table = cubed(case.table, case.target)
    theirs = distinct(case.theirs(0.0, case.fold_of, table).rows)
    ours = cross_validate(table, folds=case.fold_of, cp=0.0, complexity="rpart", **case.asked).rows
    assert [figures(row)[: case.agree] for row in ours] == [
        tuple(map(close, figures(row)[: case.agree])) for row in theirs
    ]


@pytest.mark.peer
@needs_rpart
@pytest.mark.parametrize("case", CASES)
def test_the_path_is_that_of_the_weakest_links_of_rparts_tree(case: Case) -> None:
    """cp, splits and relative error are those of Breiman's algorithm, step by step, on the whole tree of rpart."""
    ours = cross_validate(case.table, folds=case.fold_of, cp=0.0, **case.asked).rows
    assert [figures(row)[:3] for row in ours] == [tuple(map(close, row)) for row in weakest_links(case.theirs(-1))]


@pytest.mark.peer
@needs_rpart
def test_the_xerror_of_rpart_takes_costs_transposed() -> None:
    """The root's xerror on kyphosis is the held-out cost, for rpart that of the transposed matrix."""
    case = next(case for case in VARIANTS if case.choices == {"costs": COSTS})
    truth, sums = [case.table.column("Kyphosis").value(row) for row in range(81)], [0.0, 0.0]
    for fold in range(1, 10):
        kept = [label for row, label in enumerate(truth) if case.fold_of[row] != fold]
        given = "absent" if 4 * kept.count("present") < kept.count("absent") else "present"
        for row, label in enumerate(truth):
            if case.fold_of[row] == fold and label != given:
                sums[0] += COSTS[label, given]
                sums[1] += COSTS[given, label]
    theirs = case.theirs(0.0, case.fold_of).rows[0].xerror
    ours = cross_validate(case.table, folds=case.fold_of, **case.asked).rows[0].xerror
    assert (ours, theirs) == (close(sums[0] / 64), close(sums[1] / 64))

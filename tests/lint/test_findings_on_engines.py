"""Each finding on a drawn CASE is asked of engines, code by code, with rows from both sides of every literal."""

import re
from contextlib import nullcontext
from itertools import product
from random import Random
from typing import Any

import pytest

from duckdb_session import session
from engines import opened, postgres
from treerules.lint.case_findings import CaseFinding
from treerules.lint.codes import CODES
from treerules.lint.lint_file import LintOptions, lint_sql

_COLUMNS = {"x": "DOUBLE PRECISION", "y": "DOUBLE PRECISION", "s": "TEXT", "d": "TIMESTAMP", "b": "BOOLEAN"}
_GRID = tuple(
    product(
        ("NULL", "0", "1.5", "2", "2.5", "9"),
        ("NULL", "1", "2.5", "7"),
        ("NULL", "'a'", "'b'", "'A'", "'ab'", "'other'"),
        ("NULL", "'2023-05-05'", "'2024-01-01'", "'2024-01-01 06:00:00'", "'2024-01-01 12:00:00'", "'2025-01-01'"),
        ("NULL", "TRUE", "FALSE"),
    )
)
_ATOMS = (
    "x < 1.5", "x <= 1.5", "x > 1.5", "x > 2.5", "x >= 2.5", "x = 2.5", "x <> 1.5", "x IS NULL", "x IN (1.5, 2.5)",
    "x BETWEEN 1.5 AND 2.5", "x NOT IN (1.5, NULL)", "x IS DISTINCT FROM 1.5", "COALESCE(x, 2.5) > 1.5", "x < y",
    "y > x", "x + y > 2.5", "y < 2.5", "y >= 2.5", "s = 'a'", "s <> 'a'", "s IN ('a', 'b')", "s IS NOT NULL",
    "lower(s) = 'a'", "upper(s) = 'B'", "s LIKE 'a%'", "COALESCE(s, 'a') = 'a'", "b", "NOT b", "b IS NULL", "b = TRUE",
    "d < DATE '2024-01-01'", "d >= DATE '2024-01-01'", "d > TIMESTAMP '2024-01-01 12:00:00'", "x = NULL",
)  # fmt: skip
_ANY = {"x": 1.0, "y": 1.0, "s": "unseen", "d": "2024-01-01", "b": True}
#: The codes that claim a row that no WHEN takes.
_NOT_TAKEN = ("TR101", "TR102", "TR103", "TR201", "TR202", "TR207")
#: The codes that claim nothing of rows that an engine could refute; TR204 does not name the part that it means.
_NO_CLAIM = ("TR204", "TR205", "TR206", "TR301", "TR302", "TR303", "TR304", "TR305")
_ON_ROWS = ("TR001", "TR002", "TR104", "TR203")


def _condition(random: Random, depth: int = 0) -> str:
    if depth == 2 or random.random() < 0.5:
        return random.choice(_ATOMS)
    parts = f"({_condition(random, depth + 1)}) {random.choice(['AND', 'OR'])} ({_condition(random, depth + 1)})"
    return f"NOT ({parts})" if random.random() < 0.2 else parts


def _drawn(random: Random) -> tuple[list[str], str]:
    """Return the conditions of a CASE, some implied by those before them or their contrary, and its text."""
    last = random.choice(["", "", " ELSE NULL", " ELSE 'e'"])
    if random.random() < 0.15:
        column, values = random.choice([("x", ["1.5", "2.5", "1.5"]), ("s", ["'a'", "'b'", "'a'"])])
        values = random.choices(values, k=random.randint(1, 3))
        whens = " ".join(f"WHEN {value} THEN 'z{number}'" for number, value in enumerate(values))
        return [f"{column} = {value}" for value in values], f"CASE {column} {whens}{last} END"
    conditions = [_condition(random)]
    for _ in range(random.randint(0, 3)):
        other, fresh = random.choice(conditions), _condition(random)
        conditions.append(random.choice([fresh, fresh, f"({other}) AND ({fresh})", f"NOT ({other})"]))
    whens = " ".join(f"WHEN {condition} THEN 'z{number}'" for number, condition in enumerate(conditions))
    return conditions, f"CASE {whens}{last} END"


def _truths(connection: Any, conditions: list[str], rows: str) -> list[list[bool]]:
    asked = ", ".join(f"COALESCE(({condition}), FALSE)" for condition in conditions)
    return [list(row) for row in connection.execute(f"SELECT {asked} FROM {rows}").fetchall()]


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).upper().replace("NONE", "NULL")
    return "'{}'".format(str(value).replace("'", "''"))


def _witness(finding: CaseFinding) -> str | None:
    """Return a table of the row that a finding shows, in SQL."""
    row = finding.finding.row
    if row is None:
        return None
    # a column that is only asked whether it is NULL has no kind: "unseen" stands for any value of it
    values = {name: _ANY[name] if row.get(name) == "unseen" else row.get(name) for name in _COLUMNS}
    cells = [f"CAST({_literal(values[name])} AS {kind}) AS {name}" for name, kind in _COLUMNS.items()]
    return f"(SELECT {', '.join(cells)}) AS witness"


def _number(name: str) -> int:
    return int(name.split()[1].partition(".")[0]) - 1


def _assert_holds(connection: Any, conditions: list[str], finding: CaseFinding, grid: list[list[bool]]) -> None:
    """Ask an engine what a finding claims."""
    code, witness = finding.code, _witness(finding)
    rows = [] if witness is None else _truths(connection, conditions, witness)
    if code == "TR001":
        assert not any(truths.index(True) == _number(finding.when) for truths in grid if True in truths)
    elif code == "TR002":
        assert not any(truths[_number(finding.when)] for truths in grid)
    elif code == "TR104":
        assert all(map(any, grid))
    elif code == "TR203":
        named = [_number(name) for name in (finding.when, *(label for _, label in finding.others))]
        assert rows and sum(rows[0][number] for number in named) > 1
    elif code in _NOT_TAKEN:
        assert not rows or not any(rows[0])
        # TR103: whatever row is not taken has NULL in a column that is compared
        used = [name for name in _COLUMNS if any(re.search(rf"\b{name}\b", each) for each in conditions)]
        is_null = " OR ".join(f"{name} IS NULL" for name in used)
        if code == "TR103":
            known = _truths(connection, [f"NOT ({is_null})", *conditions], "drawn")
            assert not any(first and not any(others) for first, *others in known)
    else:
        assert code in _NO_CLAIM
        assert code not in ("TR205", "TR206") or witness is None, "what is only possible shows no row"


def test_each_code_has_a_check() -> None:
    """A new code must say here what an engine is asked."""
    assert sorted([*_NOT_TAKEN, *_NO_CLAIM, *_ON_ROWS]) == sorted(CODES)


@pytest.mark.parametrize("n", [40, pytest.param(500, marks=pytest.mark.large)])
@pytest.mark.parametrize("engine", ["duckdb", pytest.param("postgres", marks=pytest.mark.engine)])
@pytest.mark.parametrize("is_named", [True, False])
def test_no_engine_refutes_a_finding(engine: str, is_named: bool, n: int) -> None:
    """No finding is refuted, whether or not the dialect is named; of a CASE read exactly all dead WHENs are found."""
    random, met = Random(f"findings {engine}"), set[str]()
    dialect = engine if is_named else None
    if engine == "postgres":
        opened("postgres")
    with session() if engine == "duckdb" else nullcontext(postgres.connection()) as connection:
        values = ", ".join(f"({', '.join(row)})" for row in _GRID)
        cells = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in _COLUMNS.items())
        connection.execute("DROP TABLE IF EXISTS drawn")
        connection.execute(
            f"CREATE TEMPORARY TABLE drawn AS SELECT {cells} FROM (VALUES {values}) AS t({', '.join(_COLUMNS)})"
        )
        for _ in range(n):
            conditions, case = _drawn(random)
            linted = lint_sql(f"SELECT {case} AS z FROM t".encode(), "a.sql", LintOptions(dialect=dialect))
            assert not linted.problem, case
            grid = _truths(connection, conditions, "drawn")
            for finding in linted.findings:
                met.add(finding.code)
                try:
                    _assert_holds(connection, conditions, finding, grid)
                except AssertionError as error:
                    raise AssertionError(f"{finding.code} is refuted: {finding.finding} in {case}") from error
            if not {"TR301", "TR302", "TR303"} & {finding.code for finding in linted.findings}:
                dead = {_number(each.when) for each in linted.findings if each.code in ("TR001", "TR002")}
                deciding = {truths.index(True) for truths in grid if True in truths}
                assert dead == set(range(len(conditions))) - deciding, f"not found in {case}"
        connection.execute("DROP TABLE drawn")
    assert {"TR001", "TR101", "TR203"} <= met, met

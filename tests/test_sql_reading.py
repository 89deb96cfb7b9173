"""CASE expressions of SQL as rule lists: what is read answers each row as the engine does."""

from random import Random
from typing import Any

import pytest

from drawn_sql import CELLS, TYPES, Drawn, some_rows
from engines import opened
from engines.storing import Stored
from treerules import Feature, Kind, Schema
from treerules.parse.sql import rules_from_sql
from treerules.parse.written import Written

KINDS = Schema([
    Feature("x", Kind.NUMBER), Feature("n", Kind.INTEGER), Feature("b", Kind.BOOLEAN), Feature("d", Kind.DATE),
    Feature("t", Kind.TIMESTAMP),
])  # fmt: skip


def stored(rows: list[dict[str, Any]]) -> list[Stored]:
    """Return rows as columns of an engine's table."""
    return [Stored(name, TYPES[name], [row[name] for row in rows]) for name in CELLS]


def answer(written: Written, row: dict[str, Any]) -> Any:
    """Return what the first rule that fires says; NULL where none does."""
    fired = written.rules.firing(row)
    value = fired[0].value if fired else None
    return None if value == "NULL" else value


def differences(dialect: str, cases: list[str], rows: list[dict[str, Any]]) -> list[Any]:
    """Return where reading a CASE and the engine differ."""
    engine = opened(dialect)
    found = engine.ask(stored(rows), [f"SELECT rid, {case} FROM {engine.table} AS t" for case in cases])
    wrong = []
    for case, answers in zip(cases, found, strict=True):
        (written,) = rules_from_sql(f"SELECT {case}", dialect=dialect, schema=KINDS)
        assert not written.unread, (case, written.unread)
        wrong += [
            (case, row, given, answer(written, row))
            for row, (given,) in zip(rows, answers, strict=True)
            if answer(written, row) != given
        ]
    return wrong


@pytest.mark.parametrize(("dialect", "n"), [("duckdb", 120), ("sqlite", 60), ("postgres", 60)])
def test_what_is_read_is_what_the_engine_answers(dialect: str, n: int) -> None:
    """The first rule that fires gives what the engine does, on every row: bounds, their neighbours, NULL."""
    random = Random(dialect)
    drawn = Drawn(random, dialect)
    rows = some_rows(random, 30)
    assert not differences(dialect, [drawn.case() for _ in range(n)], rows)[:3]

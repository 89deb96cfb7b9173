"""CASEs of SQLite as SQLite compares: dates as text, numbers by their values; what is read is what it answers."""

import sqlite3
from contextlib import closing
from datetime import date, datetime, timedelta
from math import inf, nextafter
from random import Random
from typing import Any

import pytest

from treerules import Feature, Kind, Schema, check_list, to_sql
from treerules.formats import rules_from_sql
from treerules.rules.parsed import ParsedRules

KINDS = Schema([
    Feature("x", Kind.NUMBER), Feature("n", Kind.INTEGER), Feature("b", Kind.BOOLEAN), Feature("d", Kind.DATE),
    Feature("t", Kind.TIMESTAMP),
])  # fmt: skip
COLUMNS = {"x": "REAL", "n": "INTEGER", "b": "BOOLEAN", "d": "TEXT", "t": "DATETIME"}
TEXTS = (
    "2020-01-01", "2020-01-01 00:00:00", "2020-01-01 00:00:00.5", "2020-01-01 10:30", "2020-01-01T00:00:00",
    "2020-01-02", "2020-01", "2020-01-01 23:59:59.999999", "2019-12-31 24:00:00", "", "zz", "0001-01-01", "9999-12-31",
    "9999-12-31 23:59:59.999999", "2020-1-1", "2020-01-01 00:00:00+00:00", "2020-01-01 00:00:00.500000",
)  # fmt: skip
NUMBERS = (
    "0", "1", "1.5", "-1", "9007199254740993", "9007199254740992", "-9007199254740993", "9007199254740993.0",
    "9007199254740995", "9223372036854775807", "9007199254740992e0", "99999999999999999999", "CAST(2 AS INTEGER)",
    "CAST('9007199254740993' AS REAL)", "CAST('9007199254740993' AS BIGINT)", "1e999", "TRUE", "FALSE", "0.1",
    "-0.1", "-118.055", "-0.0", "- 5e-324", "0x10", "0x7FFFFFFFFFFFFFFF", "0x8000000000000000", "0XffffFFFFffffFFFF",
    "0x00000000000000000002", "-0x1",
)  # fmt: skip
WHOLE = (0, 1, -1, 2, 2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3, 2**53 + 4, -(2**53), -(2**53) - 1, 2**63 - 1, -(2**63))
DOUBLES = (
    *map(float, WHOLE),
    1.5,
    nextafter(1.5, 2),
    0.1,
    nextafter(0.1, 1),
    1e20,
    inf,
    -inf,
    0.5,
    -0.1,
    -118.055,
    -5e-324,
)
MOMENTS = (
    *(datetime(2020, 1, 1) + timedelta(microseconds=away) for away in (-1, 0, 1, 499_999, 500_000, 37_800_000_000)),
    datetime.min, datetime.max, datetime(2020, 1, 2), datetime(2019, 12, 31, 12),
)  # fmt: skip
DAYS = (date.min, date.max, *(date(2020, 1, 1) + timedelta(days=away) for away in (-1, 0, 1, 2)))
CELLS: dict[str, tuple[Any, ...]] = {
    "x": (None, *DOUBLES), "n": (None, *WHOLE), "b": (None, True, False), "d": (None, *DAYS), "t": (None, *MOMENTS),
}  # fmt: skip


def answers_of(columns: dict[str, str], rows: list[tuple[Any, ...]], cases: list[str]) -> list[list[Any]]:
    """Return what SQLite answers: for each CASE a value for each row."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE r ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
        stored = [tuple(str(cell) if isinstance(cell, date) else cell for cell in row) for row in rows]
        connection.executemany(f"INSERT INTO r VALUES ({', '.join('?' * len(columns))})", stored)
        return [[answer for (answer,) in connection.execute(f"SELECT {case} FROM r")] for case in cases]


def a_condition(random: Random, depth: int = 2) -> str:
    """Return a condition on typed columns."""
    if depth and random.random() < 0.5:
        parts = [f"({a_condition(random, depth - 1)})" for _ in range(2)]
        tests = ("{} AND {}", "{} OR {}", "NOT {}", "{} IS NOT TRUE", "{} IS NULL")
        return random.choice(tests).format(*parts)
    name = random.choice(list(CELLS))
    if name == "b":
        return random.choice(("b", "NOT b", "b = 1", "b = TRUE", "b <> 0", "b IS TRUE", "b IS NOT FALSE", "b IS NULL"))
    literals = NUMBERS if name in "xn" else tuple(f"'{text}'" for text in TEXTS)
    one, two, three = (random.choice(literals) for _ in range(3))
    sign = random.choice(("=", "==", "<>", "<", "<=", ">", ">="))
    shapes = [
        f"{name} {sign} {one}", f"{one} {sign} {name}", f"{name} BETWEEN {one} AND {two}",
        f"{name} NOT BETWEEN {one} AND {two}", f"{name} IN ({one}, {two}, {three})", f"{name} NOT IN ({one}, NULL)",
        f"{name} IS NOT NULL",
    ]  # fmt: skip
    shapes += [f"{name} IS {one}", name, f"NOT {name}"] if name in "xn" else []
    return random.choice(shapes)


def what_fires(read: ParsedRules, row: dict[str, Any]) -> Any:
    """Return the value of the first rule that fires."""
    firing = read.rules.firing(row)
    return firing[0].value if firing else None


def test_what_is_read_is_what_sqlite_answers() -> None:
    """Timestamps and dates beside any text, BETWEEN, IN, casts, integers beyond 2^53 beside doubles, booleans."""
    random = Random(1)
    rows = [tuple(random.choice(CELLS[name]) for name in CELLS) for _ in range(150)]
    cases = [f"CASE WHEN {a_condition(random)} THEN 1 WHEN {a_condition(random)} THEN 2 ELSE 3 END" for _ in range(250)]
    n_read = 0
    for case, answers in zip(cases, answers_of(COLUMNS, rows, cases), strict=True):
        (read,) = rules_from_sql(case, dialect="sqlite", schema=KINDS)
        if not read.unparsed:
            n_read += 1
            given = [what_fires(read, dict(zip(CELLS, row, strict=True))) for row in rows]
            assert given == answers, (
                case,
                next(pair for pair in zip(rows, given, answers, strict=True) if pair[1] != pair[2]),
            )
    assert n_read > 200


#: What a column whose kind nobody declared may hold.
STORED = (
    *TEXTS, "2019-12-31 12:00:00", "2020-01-01 12:00", "2020-01-02 00:00:00", "2020-01-01 00:00:00.000001", "2021",
    "2020-01-03", "2020-01-01x", None, 5, 2.5,
)  # fmt: skip


def test_a_rule_that_never_decides_decides_for_no_text_in_sqlite() -> None:
    """Where no kind is declared: whatever form the texts of the column have."""
    random, n_dead, n_unread = Random(2), 0, 0
    literals = [text for text in TEXTS if text[:1].isdigit()]
    for _ in range(400):
        some = random.sample(literals[:6] if random.random() < 0.5 else literals, 2)
        signs = [random.choice(("<", "<=", ">", ">=", "=")) for _ in range(3)]
        tests = [f"t {sign} '{random.choice(some)}'" for sign in signs]
        case = "CASE" + "".join(f" WHEN {test} THEN {n}" for n, test in enumerate(tests, 1)) + " ELSE 0 END"
        (read,) = rules_from_sql(case, dialect="sqlite")
        n_unread += bool(read.unparsed)
        if read.unparsed:
            read = ParsedRules(read.rules, lines=read.lines, names=read.names)
        dead = {read.name(rule.number) for rule in check_list(read).subsumed}
        (answers,) = answers_of({"t": ""}, [(text,) for text in STORED], [case])
        names = {"ELSE" if answer == 0 else f"WHEN {answer}" for answer in answers}
        assert not dead & names, (case, dead & names)
        n_dead += bool(dead)
    assert n_dead > 30
    assert n_unread > 50


UNREAD = (
    ("t <= '2020-01-01'", "t = '2020-01-01 00:00:00'", "days and timestamps mix: declare the kind"),
    ("t <= '2019-12-31'", "t >= '2020-01-01'", "days and timestamps mix: declare the kind"),
    ("x IS NOT DISTINCT FROM TRUE", "x > 1", "the number x is compared with a truth value"),
    ("x < 0x1FFFFFFFFFFFFFFFF", "x IS NULL", "0x1FFFFFFFFFFFFFFFF has more than 16 digits, which sqlite refuses"),
    ("x < -0x8000000000000000", "x IS NULL", "-0x8000000000000000 is too large, and sqlite refuses it"),
)


@pytest.mark.parametrize(("first", "second", "problem"), UNREAD)
def test_what_has_no_exact_reading_is_unread(first: str, second: str, problem: str) -> None:
    """It is named with line and column, and what to do is said; nothing is claimed about it."""
    (read,) = rules_from_sql(f"SELECT CASE WHEN {first} THEN 1\n  WHEN {second} THEN 2 END FROM r", dialect="sqlite")
    part = read.unparsed[0]
    assert (part.line, part.column, part.text) == (1, 18, first)
    assert problem in part.problem
    assert not any(rule.number == 1 and read.name(1) == "WHEN 1" for rule in read.rules.rules)


def test_a_number_in_quotes_is_no_date() -> None:
    """A column that was declared DATE compares '2020' as a number, one of TEXT as a text: it is not read."""
    (read,) = rules_from_sql("CASE WHEN d > '2020' THEN 1 END", dialect="sqlite", schema=KINDS)
    assert "compared with the number '2020'" in read.unparsed[0].problem
    case = "CASE WHEN d > '2020' THEN 1 END"
    assert answers_of({"d": "TEXT"}, [("2019-05-05",)], [case]) == [[None]]
    assert answers_of({"d": "DATE"}, [("2019-05-05",)], [case]) == [[1]]


@pytest.mark.parametrize("one", ["1", "TRUE"])
def test_any_number_but_zero_is_true(one: str) -> None:
    """A column that is compared with 1 or TRUE and stands alone is a number: 2 is true, and is not TRUE."""
    case = f"CASE WHEN x = {one} THEN 1 WHEN x THEN 2 WHEN NOT x THEN 3 END"
    (read,) = rules_from_sql(case, dialect="sqlite")
    assert not read.unparsed
    cells = [0, 1, 2, 0.5, -1, None]
    (answers,) = answers_of({"x": ""}, [(cell,) for cell in cells], [case])
    assert [what_fires(read, {"x": cell}) for cell in cells] == answers == [3, 1, 2, 2, 2, None]


@pytest.mark.parametrize("dialect", ["sqlite", "mysql", "duckdb"])
def test_a_column_that_is_compared_with_true_and_false_may_hold_another_number(dialect: str) -> None:
    """Where TRUE is 1; a column of a type that only knows both has no other value."""
    case = "CASE WHEN b = TRUE THEN 1 WHEN b = FALSE THEN 2 WHEN b IS NULL THEN 3 ELSE 4 END"
    (read,) = rules_from_sql(case, dialect=dialect)
    dead = [read.name(rule.number) for rule in check_list(read).subsumed]
    assert dead == (["ELSE"] if dialect == "duckdb" else [])
    if dialect == "sqlite":
        assert answers_of({"b": "BOOLEAN"}, [(2,)], [case]) == [[4]]


def test_emitted_dates_and_timestamps_are_read_back_whole() -> None:
    """Also without the schema: thresholds have the full form."""
    from treerules import Table, cart, learn

    moments = [datetime(2020, 1, 1, hour) for hour in range(8)]
    days = [date(2020, 1, day) for day in range(1, 9)]
    table = Table.from_columns({"t": moments, "d": days, "y": list("aabbccab")})
    tree = learn(table, target="y", recipe=cart())
    sql = to_sql(tree, dialect="sqlite")
    for schema in (None, tree.schema):
        (read,) = rules_from_sql(sql, dialect="sqlite", schema=schema)
        assert not read.unparsed
        assert check_list(read).complete

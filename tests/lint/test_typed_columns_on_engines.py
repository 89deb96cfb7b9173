"""WHENs that are said never to decide, over columns whose types are not told: engines are asked with typed rows.

A column of numbers may be a DECIMAL or a 32-bit float, one of texts a CHAR, a day, an interval or a UUID. The literals
suit the type, or nearly so: '5' and '05', 0.1 and 0.10000000149. What an engine refuses is not asked.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from random import Random
from sqlite3 import connect
from typing import Any

import pytest
from attrs import frozen

from duckdb_session import session
from engines import mariadb, opened, parameters, postgres
from treerules import review
from treerules.formats import rules_from_sql
from treerules.lint.case_findings import case_findings


@frozen
class _Column:
    """A column of a type: its values and the literals that it is compared with, as SQL, and other conditions on it."""

    type: str
    values: tuple[str, ...]
    literals: tuple[str, ...]
    conditions: tuple[str, ...] = ()


_NUMERIC = ("abs(@) = {}", "@ + 1 >= {}", "round(@) <> {}", "-@ < {}", "nullif(@, {}) = {}", "@ * 2 <> {}")
_TEXTS = (
    "@ LIKE 'a%'", "@ LIKE 'ab%'", "@ NOT LIKE 'a%'", "@ LIKE '%b%'", "lower(@) = {}", "upper(@) <> {}", "trim(@) = {}",
    "nullif(@, {}) = {}",
)  # fmt: skip
_COLUMNS = {
    "i": _Column("INTEGER", ("-1", "0", "1", "2", "5"), ("0", "1", "1.5", "-1", "5", "1e0"), _NUMERIC),
    "b": _Column("BIGINT", ("9007199254740993", "9007199254740992", "0"), ("9007199254740993", "5", "0"), _NUMERIC),
    "m": _Column("DECIMAL(5, 2)", ("0.10", "1.25", "-1.00", "0.11"), ("0.1", "0.10", "1.25", "1.249"), _NUMERIC),
    "r": _Column("REAL", ("0.1", "5", "1.25"), ("0.1", "5", "1.25", "0.10000000149", "1e-1"), _NUMERIC),
    "f": _Column("DOUBLE PRECISION", ("0.1", "0.10000000000000002"), ("0.1", "5", "0.10000000000000001"), _NUMERIC),
    "s": _Column(
        "VARCHAR(9)", ("''", "'a'", "'A'", "'ab'", "'abc '", "'05'", "'5'", "'é'"),
        ("'a'", "'A'", "'abc'", "'5'", "'05'", "''", "'abc '", "'${x}'"), _TEXTS,
    ),
    "c": _Column("CHAR(5)", ("''", "'a'", "'A'", "'ab'", "'abc '"), ("'a'", "'a '", "'ab'", "''", "' '"), _TEXTS),
    "d": _Column(
        "DATE", ("'2020-01-01'", "'2020-02-29'", "'2020-12-31'"),
        ("'2020-01-01'", "'2020-02-29'", "'20200101'", "'2020-1-1'"), ("coalesce(@, @) = {}",),
    ),
    "t": _Column(
        "TIMESTAMP", ("'2020-01-01 00:00:00'", "'2020-01-01 12:00:00'"),
        ("'2020-01-01'", "'2020-01-01 12:00:00'", "'2020-01-02'"), ("coalesce(@, @) <> {}",),
    ),
    "o": _Column("BOOLEAN", ("TRUE", "FALSE"), ("TRUE", "FALSE"), ("@", "NOT @", "@ IS TRUE", "@ IS NOT FALSE")),
}  # fmt: skip
_UUID = "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"
_OTHERS = {  # what only some engines have
    "p": _Column(
        "INTERVAL", ("'1 day'", "'25 hours'"), ("'1 day'", "'24 hours'", "'25:00:00'"), ("coalesce(@, @) = {}",),
    ),
    "u": _Column("UUID", (_UUID,), (_UUID, _UUID.upper())),
    "z": _Column(
        "TIMESTAMP WITH TIME ZONE", ("'2020-01-01 00:00:00+00'",), ("'2020-01-01'", "'2020-01-01 01:00:00+01'"),
    ),
}  # fmt: skip
_TYPES = {"sqlite": {"REAL": "DOUBLE PRECISION"}, "mariadb": {"REAL": "FLOAT", "TIMESTAMP": "DATETIME(6)"}}
_NOT_EQUAL = {"mariadb": ("@ <=> {}", "NOT (@ <=> {})")}
_BY_STANDARD = ("@ IS DISTINCT FROM {}", "@ IS NOT DISTINCT FROM {}")
_FORMS = (
    "@ = {}", "@ <> {}", "{} = @", "@ IN ({}, {})", "@ NOT IN ({}, {})", "@ IS NULL", "@ IS NOT NULL",
    "coalesce(@, {}) = {}",
)  # fmt: skip
_ORDERED = ("@ < {}", "@ <= {}", "@ > {}", "{} >= @", "@ BETWEEN {} AND {}")


def _columns_of(dialect: str) -> dict[str, _Column]:
    return _COLUMNS | _OTHERS if dialect in ("duckdb", "postgres") else _COLUMNS


def _table(dialect: str, random: Random) -> list[str]:
    """Return the statements that make a table of 400 drawn rows."""
    columns, types = _columns_of(dialect), _TYPES.get(dialect, {})
    fields = ", ".join(f"{name} {types.get(column.type, column.type)}" for name, column in columns.items())
    rows = [[random.choice([*column.values, "NULL"]) for column in columns.values()] for _ in range(400)]
    values = ", ".join(f"({', '.join(row)})" for row in rows)
    return [f"CREATE TEMPORARY TABLE typed ({fields})", f"INSERT INTO typed VALUES {values}"]


def _condition(random: Random, dialect: str, names: list[str], depth: int = 2) -> str:
    if depth and random.random() < 0.45:
        form = random.choice(["({} AND {})", "({} OR {})", "NOT ({})", "({}) IS TRUE", "({}) IS NOT TRUE"])
        return form.format(*(_condition(random, dialect, names, depth - 1) for _ in range(2)))
    name = random.choice(names)
    column = _columns_of(dialect)[name]
    order = () if column.type in ("BOOLEAN", "VARCHAR(9)", "CHAR(5)", "UUID") else _ORDERED
    forms = [*_FORMS, *order, *_NOT_EQUAL.get(dialect, _BY_STANDARD)]
    form = random.choice(column.conditions) if column.conditions and random.random() < 0.35 else random.choice(forms)
    return form.replace("@", name).format(*(random.choice(column.literals) for _ in range(2)))


def _case(random: Random, dialect: str) -> str:
    """Return a CASE over one or two columns, of which each answer is the number of a WHEN, or 99."""
    columns = _columns_of(dialect)
    names = random.sample(list(columns), random.choice([1, 1, 2]))
    if random.random() < 0.2:
        values = [random.choice([*columns[names[0]].literals, "NULL"]) for _ in range(random.randint(2, 4))]
        return f"CASE {names[0]} {_whens(values)} ELSE 99 END"
    conditions = [_condition(random, dialect, names) for _ in range(random.randint(2, 5))]
    nested = f"CASE WHEN {_condition(random, dialect, names)} THEN 1 ELSE 98 END"
    text = _whens(conditions)
    return f"CASE {text.replace('THEN 1', f'THEN {nested}', 1) if random.random() < 0.2 else text} ELSE 99 END"


def _whens(conditions: list[str]) -> str:
    return " ".join(f"WHEN {condition} THEN {number}" for number, condition in enumerate(conditions, 1))


@contextmanager
def _engine(dialect: str) -> Iterator[Callable[[str], list[Any]]]:
    """Yield the function that returns the rows of a statement."""
    opened(dialect)
    if dialect == "duckdb":
        with session() as connection:
            yield lambda statement: connection.execute(statement).fetchall()
    elif dialect == "sqlite":
        with closing(connect(":memory:")) as connection:
            yield lambda statement: connection.execute(statement).fetchall()
    elif dialect == "postgres":
        connection = postgres.connection()
        connection.execute("DROP TABLE IF EXISTS pg_temp.typed")
        yield lambda statement: _rows_of(connection.execute(statement))
    else:
        with mariadb.connection().cursor() as cursor:
            cursor.execute("DROP TEMPORARY TABLE IF EXISTS typed")
            yield lambda statement: [cursor.execute(statement), cursor.fetchall()][1]


def _rows_of(cursor: Any) -> list[Any]:
    return cursor.fetchall() if cursor.description else []


def _never(case: str, dialect: str) -> set[int]:
    """Return the answers of the branches that are said never to decide."""
    (parsed,) = rules_from_sql(case, dialect=dialect)
    found = case_findings(parsed, review(parsed) if parsed.rules.rules else None)
    numbers = {name: outcome for number, outcome in parsed.sql.outcomes.items() for name in [parsed.names[number]]}
    names = [each.when for each in found if each.code in ("TR001", "TR002", "TR104")]
    return {int(numbers[name]) for name in names if name in numbers}


@pytest.mark.parametrize("n", [100, pytest.param(2000, marks=pytest.mark.large)])
@pytest.mark.parametrize("dialect", parameters(["duckdb", "sqlite", "postgres", "mariadb"]))
def test_what_never_decides_is_no_answer_whatever_the_types_are(dialect: str, n: int) -> None:
    """No answer of the engine is that of a branch with TR001, TR002 or TR104."""
    random, n_asked, n_claims = Random(f"typed {dialect}"), 0, 0
    with _engine(dialect) as ask:
        for statement in _table(dialect, random):
            ask(statement)
        for _ in range(n):
            case = _case(random, dialect)
            try:
                answers = {answer for (answer,) in ask(f"SELECT DISTINCT {case} FROM typed")}
            except Exception:  # of each driver its own: the types do not fit
                continue
            claimed = _never(case, dialect)
            assert not claimed & answers, (case, claimed & answers)
            n_asked, n_claims = n_asked + 1, n_claims + len(claimed)
    assert n_asked > n / 4 and n_claims > n / 10, "most of what is drawn is asked"

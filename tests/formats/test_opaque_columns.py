"""Expressions that are not understood, as columns: what is claimed of them is asked of engines."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from itertools import product
from random import Random
from typing import Any

import pytest

from duckdb_session import session
from engines import opened, postgres
from treerules import Feature, Kind, Schema, check, review
from treerules.formats import rules_from_sql
from treerules.proof.check import Verdict
from treerules.proof.check_list import ListVerdict
from treerules.report.findings import findings
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet

_NUMBERS = (
    "abs(a)", "a + b", "a - b", "length(x)", "coalesce(a, b)", "coalesce(a, 1)", "a * 2", "(a + 1)",
)  # fmt: skip
_TEXTS = ("lower(x)", "upper(x)", "coalesce(x, y)", "x || y", "substr(x, 1, 1)", "trim(x)")
_CONDITIONS = (
    "a = b", "a < b", "b > a", "a <= b", "a <> b", "x LIKE '%a%'", "x LIKE 'a%'", "x = lower(x)",
    "EXISTS (SELECT 1 WHERE a > 1)",
    "a IN (b, 1)", "a BETWEEN 0 AND b", "a IS NOT DISTINCT FROM b", "(a < b) IS NULL", "x IS NULL", "a > 1", "a <= 1",
)  # fmt: skip
_DATES = ("date_trunc('month', d)", "d + 1", "coalesce(d, e)")
_RANDOM = ("random()", "random() * 2")
_GRID = tuple(product((None, -1, 0, 1, 2), (None, 0, 1, 3), (None, "", "a", "A", "Ab", "2"), (None, "a", "B")))


def _respelled(random: Random, text: str) -> str:
    """Return an expression with other blanks and case of its function."""
    name, bracket, rest = text.partition("(")
    if random.random() < 0.6 or not bracket or "'" in text:
        return text
    return f"{name.upper()} ({rest}" if name.isidentifier() else text


#: The cast of an engine that does not fail for a text that is no number, or of one that is only compared.
_CASTS = {"duckdb": ["try_cast(x as double)"], "sqlite": ["cast(x as integer)"], "postgres": []}


def _leaf(random: Random, *, dialect: str, is_volatile: bool) -> str:
    has_dates = dialect != "sqlite"
    kinds = ["number", "text", "condition", "condition", *["date"] * has_dates, *["random"] * is_volatile]
    kind = random.choice(kinds)
    sign = random.choice(["<", "<=", ">", ">=", "=", "<>"])
    if kind == "random":
        return f"{random.choice(_RANDOM)} {sign} 0.5"
    if kind == "number":
        expression = _respelled(random, random.choice([*_NUMBERS, *_CASTS[dialect]]))
        forms = [f"{sign} {random.randint(-1, 3)}", "IN (0, 1)", "BETWEEN 0 AND 2", "IS NULL", "IS NOT NULL"]
        return f"{expression} {random.choice(forms)}"
    if kind == "text":
        forms = [f"{random.choice(['=', '<>'])} '{random.choice('aAb')}'", "IN ('a', 'A')", "IS NULL", "NOT IN ('a')"]
        return f"{_respelled(random, random.choice(_TEXTS))} {random.choice(forms)}"
    if kind == "date":
        return f"{random.choice(_DATES)} {sign} DATE '2024-0{random.randint(1, 3)}-0{random.randint(1, 2)}'"
    return random.choice(_CONDITIONS)


def _condition(random: Random, depth: int = 0, **kinds: Any) -> str:
    if depth == 2 or random.random() < 0.5:
        leaf = _leaf(random, **kinds)
        return f"NOT ({leaf})" if random.random() < 0.2 else leaf
    parts = [_condition(random, depth + 1, **kinds) for _ in range(2)]
    return f"({random.choice([' AND ', ' OR ']).join(parts)})"


def _case(random: Random, **kinds: Any) -> list[str]:
    """Return the conditions of a CASE, of which some are implied by those before them."""
    conditions = [_condition(random, **kinds) for _ in range(random.randint(1, 2))]
    for _ in range(random.randint(1, 2)):
        other, fresh = random.choice(conditions), _condition(random, **kinds)
        conditions.append(
            random.choice([other, f"({other}) AND {fresh}", f"NOT ({other})", fresh, f"({other}) IS NULL"])
        )
    return conditions


def _read(conditions: list[str], dialect: str) -> ParsedRules | None:
    whens = " ".join(f"WHEN {condition} THEN {number}" for number, condition in enumerate(conditions, 1))
    (parsed,) = rules_from_sql(f"CASE {whens} END", dialect=dialect)
    return None if parsed.unparsed else parsed


def _claims(parsed: ParsedRules, n: int) -> tuple[set[int], bool, list[tuple[int, int]]]:
    """Return the WHENs that never decide, whether all rows are taken, and the pairs that exclude each other."""
    verdict = review(parsed)
    assert isinstance(verdict.verdict, ListVerdict)
    dead = {int(parsed.name(rule.number).split()[1]) for rule in verdict.subsumed()}
    pairs = []
    for first, second in product(range(1, n + 1), repeat=2):
        names = {f"WHEN {first}", f"WHEN {second}"}
        rules = [rule for rule in parsed.rules.rules if parsed.name(rule.number) in names]
        firsts = {rule.number for rule in rules if parsed.name(rule.number) == f"WHEN {first}"}
        if first < second:
            found = check(RuleSet(parsed.rules.schema, rules), limit=10_000)
            assert isinstance(found, Verdict)
            if not any((one.first in firsts) is not (one.second in firsts) for one in found.overlaps):
                pairs.append((first, second))
    return dead, verdict.verdict.complete is True, pairs


def _question(number: int, conditions: list[str]) -> str:
    truth = ", ".join(f"coalesce(({condition}), FALSE)" for condition in conditions)
    return f"SELECT {number}, {truth} FROM grid"


@pytest.mark.parametrize("n", [4, pytest.param(200, marks=pytest.mark.large)])
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", pytest.param("postgres", marks=pytest.mark.engine)])
def test_what_is_claimed_of_expressions_holds_on_the_engine(dialect: str, n: int) -> None:
    """No row reaches a dead WHEN, a complete CASE takes all rows, and no two exclusive WHENs hold at once."""
    random, met = Random(dialect), Counter[str]()
    with _engine(dialect) as connection:
        for number in range(n):
            conditions = _case(random, dialect=dialect, is_volatile=number % 4 == 0)
            parsed = _read(conditions, dialect)
            if parsed is None or not parsed.opaque:
                continue
            dead, complete, pairs = _claims(parsed, len(conditions))
            met.update(dead=len(dead), complete=complete, exclusive=len(pairs), read=1)
            for _, *truths in connection.execute(_question(number, conditions)).fetchall():
                decided = truths.index(True) + 1 if True in truths else 0
                assert decided not in dead, (conditions, decided)
                assert decided or not complete, conditions
                assert not any(truths[first - 1] and truths[second - 1] for first, second in pairs), conditions
    assert n < 200 or (met["dead"] > 40 and met["exclusive"] > 40 and met["read"] > 100), met


@contextmanager
def _engine(dialect: str) -> Iterator[Any]:
    """Yield a connection to an engine that has the grid as a table."""
    if dialect == "sqlite":
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE TABLE grid (a INTEGER, b INTEGER, x TEXT, y TEXT)")
            connection.executemany("INSERT INTO grid VALUES (?, ?, ?, ?)", _GRID)
            yield connection
        return
    with session() if dialect == "duckdb" else nullcontext(_postgres()) as connection:
        rows = ", ".join(f"({', '.join('NULL' if cell is None else repr(cell) for cell in row)})" for row in _GRID)
        days = "SELECT NULL::DATE AS d UNION ALL SELECT DATE '2024-01-01' UNION ALL SELECT DATE '2024-02-01'"
        connection.execute(f"CREATE TEMPORARY TABLE plain AS SELECT * FROM (VALUES {rows}) AS t(a, b, x, y)")
        connection.execute(f"CREATE TEMPORARY TABLE grid AS SELECT *, d - 31 AS e FROM plain, ({days}) AS days")
        yield connection


def _postgres() -> Any:
    opened("postgres")  # says where there is no server
    connection = postgres.connection()
    connection.execute("DROP TABLE IF EXISTS pg_temp.grid, pg_temp.plain")
    return connection


def one(*conditions: str, dialect: str | None = None) -> ParsedRules:
    """Return the rules of a CASE of some conditions."""
    whens = " ".join(f"WHEN {condition} THEN {number}" for number, condition in enumerate(conditions, 1))
    return rules_from_sql(f"CASE {whens} ELSE 0 END", dialect=dialect)[0]


def dead(parsed: ParsedRules) -> list[str]:
    """Return the names of the WHENs that never decide."""
    return [parsed.name(rule.number) for rule in review(parsed).subsumed()]


@pytest.mark.parametrize(
    ("first", "second", "dialect"),
    [
        ("lower(x) = 'a'", "LOWER( x ) /* again */ = 'a'", "postgres"),
        ("a < b", "b > a", None),
        ("a = b", "NOT b <> a", None),
        ("a - b > 3", "a - b >= 4.5", "duckdb"),
        ("a + b > 2.50", "a + b > 2.5", None),
        ("x LIKE '%q%'", "x LIKE '%q%' AND y = 1", "mysql"),
        ("now() > d", "d < NOW()", "postgres"),
        ("@limit < x", "x > @limit", "tsql"),
        ("EXISTS (SELECT 1 FROM u WHERE u.id = t.id)", "EXISTS (SELECT 1 FROM u WHERE u.id = t.id)", None),
        ("date(x) >= '2024-01-01'", "date(x) > '2024-01-05'", "mysql"),
        ("COUNT(*) > 1", "count( * ) > 2", "postgres"),
        ("count(*) OVER (PARTITION BY a) > 1", "COUNT(*) OVER (PARTITION BY a) > 2", "snowflake"),
    ],
)
def test_equal_texts_are_equal_values(first: str, second: str, dialect: str | None) -> None:
    """The second WHEN never decides, whatever blanks, comments, case and sides it has."""
    assert dead(one(first, second, dialect=dialect)) == ["WHEN 2"]


@pytest.mark.parametrize(
    ("first", "second", "dialect"),
    [
        ("random() > 0.5", "random() > 0.5", "duckdb"),
        ("newid() = x", "newid() = x", "tsql"),
        ("my_function(x) = 1", "my_function(x) = 1", "postgres"),
        ("app.f(x) = 1", "app.f(x) = 1", "tsql"),
        ("nextval('s') > 5", "nextval('s') > 5", "postgres"),
        ("s.nextval + 1 > 5", "s.nextval + 1 > 5", "oracle"),
        ("clock_timestamp() > d", "clock_timestamp() > d", "postgres"),
        ("sysdate() > d", "sysdate() > d", "mysql"),
        ("getdate() > d", "sysdatetime() > d", "tsql"),
        ("x = ?", "x = ?", None),
        ("(SELECT a FROM u LIMIT 1) = 1", "(SELECT a FROM u LIMIT 1) = 1", "postgres"),
        ("any_value(x) = 1", "any_value(x) = 1", "duckdb"),
        ("coalesce(\"a\", b) = 1", "coalesce(\"A\", b) = 1", "postgres"),
        ("lower(x:Key) = 'a'", "lower(x:KEY) = 'a'", "snowflake"),
        ("left(x, 1) = 'a'", "left(x, 1) = 'A'", None),
        ("f(x) = 'a '", "f(x) = 'a'", "postgres"),
        ("(a + b) * c = 1", "a + b * c = 1", None),
        ("EXISTS (SELECT 1 FROM T)", "EXISTS (SELECT 1 FROM t)", "bigquery"),
        ("x || 'A' = 'b'", "x || 'a' = 'b'", "postgres"),
    ],
)  # fmt: skip
def test_what_may_differ_is_not_taken_as_equal(first: str, second: str, dialect: str | None) -> None:
    """Functions of users, random ones, clocks that go on, texts of another meaning: no WHEN is called dead."""
    parsed = one(first, second, dialect=dialect)
    assert not parsed.unparsed and len(parsed.opaque) in (1, 2)
    assert dead(parsed) == []


@pytest.mark.parametrize("quantifier", ["ANY", "ALL", "SOME"])
def test_a_quantifier_is_not_one_value(quantifier: str) -> None:
    """Of (1, 2) both `1 = ANY` and `2 = ANY` are true, and so are `= ANY` and `<> ANY`; Postgres says the same."""
    rows = f"{quantifier} (SELECT y FROM u)"
    for first, second in ((f"1 = {rows}", f"2 = {rows}"), (f"x = {rows}", f"x <> {rows}")):
        assert len(one(first, second, dialect="postgres").opaque) == 2
        assert not dead(one(f"{first} AND {second}", dialect="postgres"))
        assert not dead(one(f"NOT ({first}) AND NOT ({second})", dialect="postgres"))


def test_a_random_number_is_not_equal_to_itself() -> None:
    """`random() > 0.5 OR random() <= 0.5` is not true of all rows; BETWEEN and a simple CASE may ask twice."""
    assert not dead(one("random() > 0.5 OR random() <= 0.5", "x = 1"))
    assert not dead(one("random() IS NULL OR random() IS NOT NULL", "x = 1"))
    assert not dead(one("NOT random() BETWEEN 2 AND 1", "x = 1"))
    (simple,) = rules_from_sql("CASE random() WHEN 1 THEN 1 WHEN 1 THEN 2 END")
    assert not dead(simple) and len(simple.opaque) == 2
    (operand,) = rules_from_sql("CASE lower(x) WHEN 'a' THEN 1 WHEN 'a' THEN 2 END")
    assert dead(operand) == ["WHEN 2"] and operand.opaque == ("lower(x)",)


@pytest.mark.parametrize(
    ("conditions", "problem", "dialect"),
    [
        (("a + b > 9007199254740992 AND a + b < 9007199254740993",), "no different doubles", None),
        (("f(x) > 1", "f(x) > 1.5"), None, None),
        (("coalesce(x, y) = 1", "coalesce(x, y) > 1.2"), "several types", None),
        (("coalesce(x, y) = '1'", "coalesce(x, y) = '01'"), "may be equal", None),
        (("coalesce(x, y) = 't'", "coalesce(x, y) = 'true'"), "may be equal", None),
        (("trim(x) = 'a'", "trim(x) = 'A'"), "may be equal", "tsql"),
        (("coalesce(x, y) > 5", "coalesce(x, y) = 'a'"), "several kinds", None),
        (("coalesce(x, y) > 'b'",), "by order", None),
        (("TRUE = b IS NULL",), "without parentheses", None),
        (("x ->> 'a' = 'b'",), "without parentheses", "duckdb"),
        (("a = 1 XOR b = 2",), "XOR", "mysql"),
    ],
)
def test_what_depends_on_the_type_of_an_expression_is_not_read(
    conditions: tuple[str, ...], problem: str | None, dialect: str | None
) -> None:
    """Literals that are equal in one type and differ in another are not compared with one expression."""
    parsed = one(*conditions, dialect=dialect)
    if problem is None:
        assert not parsed.unparsed
        return
    assert len(parsed.unparsed) == len(conditions) and all(problem in part.problem for part in parsed.unparsed)


def test_an_expression_of_sqlite_may_be_an_integer_that_is_no_double() -> None:
    """SQLite compares integers and doubles by their values: the condition holds, so it is no contradiction."""
    condition = "nullif(a, 5) = 9007199254740993"
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute(f"SELECT {condition} FROM (SELECT 9007199254740993 AS a)").fetchall() == [(1,)]
    parsed = one(condition, dialect="sqlite")
    assert "no double" in parsed.unparsed[0].problem and not dead(parsed)


@pytest.mark.parametrize(
    ("first", "second", "expression", "value"),
    [
        ("0.10000000149", "0.1", "abs(a)", "0.1::REAL"),
        ("'1 day'", "'24 hours'", "coalesce(a, b)", "INTERVAL '1 day'"),
        ("'2020-01-01'", "'2020-1-1'", "coalesce(a, b)", "DATE '2020-01-01'"),
        ("'1.5'", "'1.50'", "coalesce(a, b)", "1.5::DECIMAL(5, 2)"),
    ],
)
def test_what_two_literals_are_in_one_type_is_asked_of_an_expression_too(
    first: str, second: str, expression: str, value: str
) -> None:
    """DuckDB answers 2 where both literals are equal to the expression: no WHEN is said never to decide."""
    case = f"CASE WHEN {expression} <> {first} THEN 1 WHEN {expression} = {second} THEN 2 END"
    with session() as connection:
        assert connection.execute(f"SELECT {case} FROM (SELECT {value} AS a, {value} AS b)").fetchall() == [(2,)]
    assert not dead(rules_from_sql(case, dialect="duckdb")[0])


def test_the_kind_of_another_table_is_not_taken_for_that_of_a_column() -> None:
    """Only a.n is declared: b.n may be a text, of which TRY_CAST makes NULL, and DuckDB comes to ELSE."""
    case = "CASE WHEN a.n = 1 THEN 1 WHEN TRY_CAST(b.n AS DOUBLE) > 5 THEN 2 WHEN TRY_CAST(b.n AS DOUBLE) <= 5 THEN 3 "
    case += "WHEN b.n IS NULL THEN 4 ELSE 5 END"
    with session() as connection:
        asked = f"SELECT {case} FROM (SELECT 2 AS n) AS a, (SELECT 'x' AS n) AS b"
        assert connection.execute(asked).fetchall() == [(5,)]
    schema = Schema([Feature("n", Kind.NUMBER)])
    assert not dead(rules_from_sql(case, dialect="duckdb", schema=schema)[0])


_DEFAULTS = (
    "coalesce(a, 1) > 0", "coalesce(a, 0) > 1", "NOT coalesce(a, 2) IN (2, 0)", "ifnull(a, 1) BETWEEN 1 AND 2",
    "coalesce(x, 'none') = 'a'", "coalesce(x, 'a') <> 'a'", "coalesce(x, 'a') IN ('a', 'A')", "coalesce(a, 1) IS NULL",
    "coalesce(a, 1) IS NOT NULL", "coalesce(a, 1) IS NOT DISTINCT FROM 1", "coalesce(a, 1) IS DISTINCT FROM 1",
    "coalesce(a, 1) = NULL OR a = 3", "1 <= coalesce(a, 1)", "coalesce(a, 3) NOT BETWEEN 0 AND 2 AND b = 1",
    "coalesce(a, 1) = -1",
)  # fmt: skip


@pytest.mark.parametrize("condition", _DEFAULTS)
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_coalesce_of_a_column_and_a_literal_is_understood(condition: str, dialect: str) -> None:
    """It is read without a column of its own, and answers for each row as the engine does, also under NOT and IS."""
    with _engine(dialect) as connection:
        for whole in (condition, f"NOT ({condition})", f"({condition}) IS NULL", f"({condition}) IS TRUE"):
            parsed = one(whole, dialect=dialect)
            assert not parsed.opaque and not parsed.unparsed
            query = f"SELECT DISTINCT a, b, x, coalesce(({whole}), FALSE) FROM grid"
            for a, b, x, truth in connection.execute(query).fetchall():
                row = {"a": a if a is None else float(a), "b": b if b is None else float(b), "x": x}
                first = parsed.rules.firing({name: row[name] for name in parsed.rules.schema.indices})[0]
                assert (first.value == 1) is bool(truth), (whole, row)


@pytest.mark.parametrize(
    ("condition", "dialect"),
    [
        ("isnull(x, 0) > 5", "tsql"),
        ("coalesce(x, 0.5) > 5", None),
        ("coalesce(x, '2024-1-1') = '2024-01-01'", None),
        ("coalesce(x, 'a') = 'A'", "tsql"),
        ("coalesce(x, 'b') < 'a'", None),
        ("coalesce(x, y, 0) > 5", None),
        ("coalesce(x, TRUE)", "mysql"),
    ],
)
def test_a_default_of_another_type_is_a_column(condition: str, dialect: str | None) -> None:
    """ISNULL converts its second argument; other literals may be compared otherwise with the column than alone."""
    parsed = one(condition, dialect=dialect)
    assert parsed.opaque or parsed.unparsed


def test_coalesce_of_a_truth_value_is_understood() -> None:
    """`coalesce(b, FALSE)` is `b IS TRUE`, and `coalesce(b, TRUE)` is `b IS NOT FALSE`."""
    parsed = one("coalesce(b, FALSE)", "b IS TRUE", "coalesce(b, TRUE)", "b IS NOT FALSE", "NOT coalesce(b, FALSE)")
    assert not parsed.opaque and dead(parsed) == ["WHEN 2", "WHEN 4", "ELSE"]


def test_two_days_in_a_row_leave_moments_between_them() -> None:
    """An expression that is compared with days may be a timestamp: what lies between two days is not nothing."""
    parsed = one("coalesce(d, e) > '2024-01-01' AND coalesce(d, e) < '2024-01-02'", "f(d) = DATE '2024-01-01'")
    assert not dead(parsed) and not parsed.unparsed


def test_a_field_of_nested_structures_is_a_column() -> None:
    """BigQuery's `a.b.c.d.e` is a column, as `a.b` is; a field of an expression is not."""
    parsed = one("a.b.c.d.e.f = 'x'", "A.B.c.d.e.f IN ('x')", "a.b[0].c = 'x'", dialect="bigquery")
    assert dead(parsed) == ["WHEN 2"] and parsed.opaque == ("a.b[0].c",)


def test_a_case_of_many_expressions_is_read_in_part() -> None:
    """The first 150 expressions are columns; a WHEN with another one is unread, and one of them is not."""
    parsed = one(*(f"x LIKE '%{number}%'" for number in range(170)), "x LIKE '%7%'")
    assert len(parsed.opaque) == 150 and len(parsed.unparsed) == 20
    assert all("more than 150 expressions" in part.problem for part in parsed.unparsed)
    assert "WHEN 171" in parsed.names.values()


def test_regions_that_need_expressions_are_only_possible() -> None:
    """lower(x) = 'a' and upper(x) = 'B' never both hold: the overlap is told without a row."""
    parsed = one("lower(x) = 'a'", "upper(x) = 'B'", "y > 1", "y > 2 AND z = 1")
    found = review(parsed)
    certain = [parsed.is_certain(overlap.region) for overlap in found.overlaps()]
    assert certain.count(True) == 1 and len(certain) == 6
    assert [finding.row is not None for finding in findings(found) if finding.kind == "order"] == certain
    (note,) = [note for note in parsed.notes if note.startswith("taken as")]
    assert note.startswith("taken as columns: lower(x); upper(x);")


def test_a_cast_that_gives_null_is_no_plain_column() -> None:
    """In DuckDB a text that is no number reaches ELSE; only of a declared number the cast is the column itself."""
    case = "CASE WHEN x IS NULL THEN 1 WHEN TRY_CAST(x AS DOUBLE) IS NOT NULL THEN 2 ELSE 3 END"
    with session() as connection:
        assert connection.execute(f"SELECT {case} FROM (SELECT 'abc' AS x)").fetchall() == [(3,)]
    (unknown,) = rules_from_sql(case, dialect="duckdb")
    assert not review(unknown).subsumed()
    (spark,) = rules_from_sql(case.replace("TRY_", ""), dialect="spark")
    assert not review(spark).subsumed()
    (declared,) = rules_from_sql(case, dialect="duckdb", schema=Schema([Feature("x", Kind.NUMBER)]))
    assert [declared.name(rule.number) for rule in review(declared).subsumed()] == ["ELSE"]

"""CASE expressions of SQL as rule lists: what is read answers each row as the engine does; what is not is named."""

import math
import re
import sys
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

import pytest

from engines import opened, parameters
from engines.storing import Stored
from random_sql import KINDS, KINDS_AND_TEXTS, TYPES, Drawn, some_rows, stored
from selection import few
from strategies_random import a_schema, a_tree
from strategies_random import some_rows as rows_of_tree
from treerules import Feature, Kind, RuleSet, Schema, predict, to_sql
from treerules.data.domain import ColumnDomain
from treerules.errors import MissingExtraError, OptionError, ParseError, UnknownNameError, UnsupportedError
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.sql.rewrite_case import rewrite_case
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import DIALECTS, dialect_to_read


def answer(written: ParsedRules, row: dict[str, Any]) -> Any:
    """Return what the first rule that fires says; NULL where none does."""
    fired = written.rules.firing(row)
    value = fired[0].value if fired else None
    return None if value == "NULL" else value


def one(condition: str, dialect: str = "duckdb", **given: Any) -> ParsedRules:
    """Return the reading of a CASE with one condition."""
    (written,) = rules_from_sql(f"CASE WHEN {condition} THEN 1 ELSE 0 END", dialect=dialect, **given)
    return written


# ---- the engine's answers


@pytest.mark.parametrize(
    ("dialect", "n"), [("duckdb", 100), ("sqlite", 50), pytest.param("postgres", 50, marks=pytest.mark.engine)]
)
def test_what_is_read_is_what_the_engine_answers(dialect: str, n: int) -> None:
    """The first rule that fires gives what the engine does, on every row: bounds, their neighbours, NULL."""
    engine, random = opened(dialect), Random(dialect)
    drawn, rows = Drawn(random, dialect), some_rows(random, 20)
    cases = [drawn.case() for _ in range(n)]
    found = engine.ask(stored(rows), [f"SELECT rid, {case} FROM {engine.table} AS t" for case in cases])
    for case, answers in zip(cases, found, strict=True):
        schema = KINDS_AND_TEXTS if dialect == "postgres" else KINDS
        (written,) = rules_from_sql(f"SELECT {case} FROM t", dialect=dialect, schema=schema)
        assert not written.unparsed, (case, written.unparsed)
        wrong = [(row, given) for row, (given,) in zip(rows, answers, strict=True) if answer(written, row) != given]
        assert not wrong, (case, wrong[0])


@pytest.mark.parametrize("dialect", parameters(["duckdb", "sqlite", "postgres"]))
def test_what_binds_tighter_is_the_engines_to_say(dialect: str) -> None:
    """Conditions without parentheses are read as the engine does, or not at all: parsers differ over them."""
    engine, rows = opened(dialect), some_rows(Random(1), 0)
    conditions = (
        "x = 1 IS TRUE", "b IS NULL = FALSE", "x < 5 IS NULL", "NOT b IS NULL = TRUE", "x IN (1) IS NULL", "NOT NOT b",
        "x BETWEEN 1 AND 2 IS TRUE", "NOT x BETWEEN 1 AND 2 AND b", "b OR b IS NULL AND x > 1", "NOT b = FALSE",
        "x = 1 = TRUE", "x IS NOT NULL IS TRUE", "NOT x IN (1, 2) OR b", "x > 1 IS NOT TRUE", "b = x > 1",
    )  # fmt: skip
    read = 0
    for condition in conditions:
        written = one(condition, dialect, schema=KINDS)
        if not written.unparsed:
            query = f"SELECT rid, CASE WHEN {condition} THEN 1 ELSE 0 END FROM {engine.table} AS t"
            answers = engine.ask(stored(rows), [query])[0]
            assert [answer(written, row) for row in rows] == [given for (given,) in answers], condition
            read += 1
    assert read >= 4


def test_every_construct_is_met() -> None:
    """The CASEs that are compared hold each thing that can be read."""
    drawn = Drawn(Random("duckdb"), "duckdb")
    some_rows(drawn.random, 20)
    for _ in range(100):
        drawn.case()
    assert drawn.met >= {
        "and", "or", "not", "is", "paren", "truth", "simple case", "nested case", "else", "no else", "null outcome",
        "number", "integer", "text", "boolean", "date", "timestamp", "constant", "compare", "reversed", "between",
        "not between", "in", "not in", "not in null", "null", "same", "differs", "= null", "=", "<>", "!=", "<", "<=",
        ">", ">=", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "IS NULL", "IS NOT NULL", "b", "NOT b",
        '"x"', "t.x", "1 = 1", "NULL",
    }  # fmt: skip


def test_nan_is_the_greatest_number_where_the_engine_says_so() -> None:
    """What decides a NaN on DuckDB is what decides infinity, as the note says."""
    import duckdb

    case = "CASE WHEN x <= 5 THEN 'low' WHEN NOT x > 100 THEN 'mid' WHEN x <> 7 THEN 'high' END"
    (written,) = rules_from_sql(case, dialect="duckdb")
    assert any("NaN above infinity" in note for note in written.notes)
    ((found,),) = duckdb.sql(f"SELECT {case} FROM (SELECT 'nan'::DOUBLE AS x)").fetchall()
    assert answer(written, {"x": math.inf}) == found == "high"


# ---- our own SQL


@pytest.mark.parametrize("dialect", few(DIALECTS, 4))
def test_what_we_emit_reads_back(dialect: str) -> None:
    """Trees of any kinds answer the same after a walk through the SQL of each dialect, in both layouts."""
    language, n_read = DIALECTS[dialect].spelling, 0
    for seed in range(10):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), random.randint(1, 10))
        for layout in ("flat", "guarded"):
            try:
                sql = to_sql(tree, dialect=dialect, layout=layout)  # type: ignore[arg-type]
            except UnsupportedError:
                continue
            for written in rules_from_sql(sql, dialect=dialect, schema=tree.schema):
                n_read += 1
                assert not written.unparsed
                for row in rows_of_tree(random, tree, 20):
                    if language.infinity is None and {math.inf, -math.inf} & {*row.values()}:
                        continue
                    empty = language.empty_text_is_missing
                    stored_row = {name: None if empty and cell == "" else cell for name, cell in row.items()}
                    assert written.rules.firing(stored_row)[0].value == predict(tree, stored_row), (sql, row)
    assert n_read > 3


def test_the_dialects_that_are_read_are_those_that_are_emitted() -> None:
    """Each name of a dialect can be given to both."""
    assert all(dialect_to_read(name) is record for name, record in DIALECTS.items())


# ---- made exclusive


def checked_queries(dialect: str, table: str, case: str, fixed: str) -> str:
    """Return a query of what a CASE says, what the other does, and how many WHENs of the other are true."""
    lines = [line for line in fixed.splitlines() if line.startswith("  WHEN ")]
    tests = [line.removeprefix("  WHEN ").rpartition(" THEN ")[0] for line in lines]
    count = " + ".join(f"CASE WHEN {test} THEN 1 ELSE 0 END" for test in tests) or "0"
    return f"SELECT rid, {case}, {fixed}, {count} FROM {table} AS t"


@pytest.mark.parametrize(
    ("dialect", "n"), [("duckdb", 40), ("sqlite", 20), pytest.param("postgres", 20, marks=pytest.mark.engine)]
)
def test_an_exclusive_case_gives_what_the_source_does(dialect: str, n: int) -> None:
    """On the engine the two agree of each row, NaN too; one WHEN is true, or none where the source says NULL."""
    engine, random = opened(dialect), Random(f"{dialect} fixed")
    drawn, rows = Drawn(random, dialect), some_rows(random, 10)
    rows += [{**row, "x": math.nan} for row in rows[:20]]
    cases = [drawn.case(1) for _ in range(n)]
    read = [rules_from_sql(f"SELECT {case} FROM t", dialect=dialect, schema=KINDS)[0] for case in cases]
    fixed = [rewrite_case(written, dialect=dialect) for written in read]
    queries = [checked_queries(dialect, engine.table, *pair) for pair in zip(cases, fixed, strict=True)]
    for case, answers in zip(cases, engine.ask(stored(rows), queries), strict=True):
        for row, (given, again, n_true) in zip(rows, answers, strict=True):
            assert given == again, (case, row)
            assert n_true == 1 or (n_true == 0 and given is None), (case, row)


def test_an_exclusive_case_of_our_own_sql_sends_nan_where_that_does() -> None:
    """Where the source tells NaN from infinity, so does what it becomes."""
    engine, n_nan = opened("duckdb"), 0
    for seed in range(20):
        random = Random(seed)
        features = [
            Feature("x", Kind.NUMBER),
            Feature("n", Kind.INTEGER),
            Feature("s", Kind.CATEGORY, ["", "a", "it's"]),
        ]
        tree = a_tree(random, Schema(features, Feature("y", Kind.CATEGORY, ["p", "q"])), 8)
        rows = [*rows_of_tree(random, tree, 20), {"x": math.nan, "n": 1, "s": "a"}]
        n_nan += sum(row["x"] != row["x"] for row in rows)
        columns = [Stored(name, TYPES[name], [row[name] for row in rows]) for name in ("x", "n", "s")]
        sql = to_sql(tree, dialect="duckdb", layout="flat")
        for written in rules_from_sql(sql, dialect="duckdb", schema=tree.schema):
            query = checked_queries("duckdb", "t", "\n" + sql, rewrite_case(written, dialect="duckdb"))
            ((*answers,),) = engine.ask(columns, [query])
            assert all(given == again and n_true == 1 for given, again, n_true in answers), (seed, sql)
    assert n_nan > 20


def test_an_exclusive_case_is_spelled_as_its_source() -> None:
    """Columns, bounds, dates and outcomes stand there as they did."""
    text = (
        "CASE WHEN t.Price < 0.10 THEN n * 2 WHEN t.Price >= 1e3 OR day >= '2024-01-01' THEN NULL"
        " WHEN day IS NULL THEN 'a' END"
    )
    (written,) = rules_from_sql(text, dialect="duckdb")
    found = rewrite_case(written, dialect="duckdb")
    assert found.startswith("CASE\n  WHEN t.Price < 0.10 THEN n * 2\n  WHEN ")
    assert all(part in found for part in ("t.Price >= 1e3", "t.Price < 1e3", "t.Price >= 0.10", "day >= '2024-01-01'"))
    assert {*re.findall(r"[<>=]+ ('[^']*'|[0-9.e]+)", found)} == {"0.10", "1e3", "'2024-01-01'"}
    assert {*re.findall(r"THEN (.*)", found)} == {"n * 2", "NULL", "'a'"}


def test_what_cannot_be_made_exclusive_is_refused() -> None:
    """A WHEN that was not read, another dialect, a rule set, an unknown dialect."""
    with pytest.raises(UnsupportedError, match=r"1 WHEN could not be read, the first in line 1 \(s, of kind"):
        rewrite_case(one("s > 'A'"), dialect="duckdb")
    with pytest.raises(UnsupportedError, match=r"taken as a column: upper\(s\)"):
        rewrite_case(one("upper(s) = 'A'"), dialect="duckdb")
    with pytest.raises(OptionError, match="'duckdb', in which"):
        rewrite_case(one("x > 1"), dialect="sqlite")
    with pytest.raises(UnknownNameError, match="dialect"):
        rewrite_case(one("x > 1"), dialect="duck")
    rules = one("x > 1").rules
    with pytest.raises(OptionError, match="RuleSet"):
        rewrite_case(ParsedRules(RuleSet(rules.schema, rules.rules)), dialect="duckdb")
    (nothing,) = rules_from_sql("CASE WHEN x = NULL THEN 1 END")
    assert rewrite_case(nothing, dialect="ansi") == "NULL\n"


# ---- what is not read


UNREAD = (
    ("s < 'm'", "compared by order"),
    ("x > 5 AND x < '7'", "compared with '7'"),
    ("s = 'a' OR s = 5", "compared with 'a'"),
    ("x > 1 AND x", "stands alone"),
    ("lower(s) > 5 OR lower(s) = 'a'", "several kinds"),
    ("t > TIMESTAMPTZ '2024-01-01 10:00:00+02:00' AND t < TIMESTAMP '2024-01-02 00:00:00'", "2024-01-01"),
    (" AND ".join(f"(a{n} = 1 OR b{n} = 1)" for n in range(12)), "more than 1000 conjunctions"),
    ("x NOT IN ({0}) AND y NOT IN ({0})".format(", ".join(map(str, range(200)))), "25000"),
    ("(" * 3000 + "x > 1" + ")" * 3000, "nested too deep"),
    ("NOT " * 3000 + "x > 1", "nested too deep"),
)


@pytest.mark.parametrize(("condition", "problem"), UNREAD)
def test_what_cannot_be_read_is_named(condition: str, problem: str) -> None:
    """The WHEN is left out, its place, its text and the reason are told, and a note says what that means."""
    text = f"SELECT id,\n  CASE WHEN b THEN 1\n       WHEN {condition} THEN 2 ELSE 3 END AS y FROM t"
    written = rules_from_sql(text, dialect="duckdb")[0]
    assert {written.name(rule.number) for rule in written.rules.rules} == {"WHEN 1", "ELSE"}
    (unread,) = written.unparsed
    assert (unread.line, unread.column, unread.text) == (3, 13, condition)
    assert problem in unread.problem
    assert any("could not be read" in note for note in written.notes)


def test_numbers_that_an_engine_refuses_are_not_read() -> None:
    """1e999 is infinity to DuckDB and an error to Postgres; an integer meets no double beyond 2^53 for certain."""
    assert not one("x < 1e999").unparsed
    assert one("x < 1e999", "postgres").opaque == ("x < 1e999",)
    assert one("n <= 9007199254740992e0", schema=KINDS).unparsed
    assert not one("n <= 9007199254740993", schema=KINDS).unparsed


def test_null_among_values_is_clickhouses_own() -> None:
    """ClickHouse leaves NULL out of IN, and finds it after WHEN; others find x NOT IN (1, NULL) true of nothing."""
    assert one("x NOT IN (1, NULL)", "clickhouse").unparsed
    assert rules_from_sql("CASE x WHEN NULL THEN 1 END", dialect="clickhouse")[0].unparsed
    assert not one("x NOT IN (1, NULL)", "duckdb").unparsed


def test_integers_that_are_no_doubles_make_a_column_of_integers() -> None:
    """2^53 + 1 is told from 2^53 without any declaration."""
    written = one("n > 9007199254740992 AND n <= 9007199254740993")
    assert [answer(written, {"n": 2**53 + away}) for away in (0, 1, 2)] == [0, 1, 0]


# ---- three truth values, by the book


@pytest.mark.parametrize(
    "condition",
    ["x = NULL", "x NOT IN (1, NULL)", "NULL", "1 = 0", "x > 5 AND x < 3", "NOT NULL"],
)
def test_a_condition_that_is_never_true_is_a_rule_that_never_fires(condition: str) -> None:
    """It is there, so that a check can name it."""
    (written,) = rules_from_sql(f"CASE WHEN {condition} THEN 1 WHEN x > 0 THEN 2 ELSE 3 END")
    assert written.names == {1: "WHEN 1", 2: "WHEN 2", 3: "ELSE"}
    assert {answer(written, {"x": x}) for x in (None, -1.0, 1.0, 4.0, 9.0)} == {2.0, 3.0}


def test_a_number_below_a_bound_that_is_no_integer() -> None:
    """n < 2.5 is n <= 2 of integers; of numbers 2.4 is among them."""
    assert [answer(one("n < 2.5", schema=KINDS), {"n": n}) for n in (2, 3, None)] == [1, 0, 0]
    assert [answer(one("x < 2.5"), {"x": x}) for x in (2.4, 2.5, None)] == [1, 0, 0]


# ---- what stands around a CASE, and in it


def test_each_case_of_a_text_is_found() -> None:
    """Statements, views, inserts, common tables, calls: each CASE is read, named by its column, its lines told."""
    text = (
        "-- CASE WHEN this THEN is a comment END\n"
        "WITH w AS (SELECT CASE WHEN a > 1 THEN 'x' END AS first FROM t)\n"
        "SELECT 'CASE WHEN', SUM(CASE k WHEN 'p' THEN 1 ELSE 0 END), w.\"case\" FROM w;\n"
        "CREATE VIEW v AS SELECT (CASE\n  WHEN b\n  THEN 'it''s'\n  ELSE CASE WHEN c THEN 'q' END END) last FROM t;\n"
        "INSERT INTO u SELECT COALESCE(CASE WHEN a > 1 THEN CASE WHEN a > 2 THEN 1 ELSE 2 END END, 0);"
    )
    found = rules_from_sql(text, dialect="duckdb")
    assert [written.title for written in found] == ["CASE 1 (first)", "CASE 2", "CASE 3 (last)", "CASE 4"]
    assert [[*written.lines.values()] for written in found] == [[2], [3, 3], [5, 7], [8, 8]]
    assert [[*written.names.values()] for written in found] == [
        ["WHEN 1"], ["WHEN 1", "ELSE"], ["WHEN 1", "ELSE.1"], ["WHEN 1.1", "WHEN 1.ELSE"],
    ]  # fmt: skip
    assert answer(found[2], {"b": None, "c": True}) == "q"
    assert [answer(found[3], {"a": a}) for a in (1.0, 2.0, 3.0)] == [None, 2.0, 1.0]
    assert rules_from_sql("SELECT 1", dialect="duckdb") == ()


def test_a_null_within_ends_the_search() -> None:
    """Where a CASE in the place of an outcome falls through, the answer is NULL, whatever comes later."""
    (written,) = rules_from_sql("CASE WHEN x > 1 THEN CASE WHEN y > 1 THEN 'a' END WHEN x > 0 THEN 'b' END")
    assert [answer(written, {"x": 2.0, "y": y}) for y in (2.0, 0.0, None)] == ["a", None, None]
    assert len(written.rules.firing({"x": 2.0, "y": 0.0})) == 2
    assert not written.rules.firing({"x": 0.0})


REAL = {
    "snowflake": (
        "CREATE OR REPLACE VIEW v AS SELECT s.id, CASE WHEN s.TOTAL >= 100000 AND s.last_order >= '2024-01-01'::DATE"
        " THEN 'platinum' WHEN total BETWEEN 10000 AND 50000 THEN 'silver' WHEN Region IN ('EMEA') AND NOT \"Is Test\""
        " THEN 'bronze' END AS tier FROM spend s QUALIFY ROW_NUMBER() OVER (ORDER BY total) = 1;",
        {"TOTAL": 1e5, "last_order": date(2024, 1, 1)}, "platinum",
    ),
    "bigquery": (
        "SELECT `user-id`, CASE WHEN country IN ('US', \"CA\") AND age >= 21 THEN 'adult' ELSE 'minor' END AS grp,"
        " FROM `proj.ds.users` WHERE created_at > TIMESTAMP '2024-01-01 00:00:00'",
        {"country": "CA", "age": 21.0}, "adult",
    ),
    "tsql": (
        "UPDATE t SET [Risk Band] = CASE WHEN [Credit Score] < 580 THEN N'E' WHEN [Credit Score] >= 580 AND"
        " t.[credit score] < 670 AND [Has Default] = CAST(0 AS BIT) THEN N'D' ELSE N'A' END FROM dbo.[Loans] AS t",
        {"Credit Score": 600.0, "Has Default": False}, "D",
    ),
    "mysql": (
        "INSERT INTO l SELECT id, CASE WHEN `status` = \"active\" && (`score` > 0.75 || `vip`) THEN 'hot'"
        " WHEN `status` <=> NULL THEN 'none' ELSE 'cold' END FROM `leads`",
        {"status": "active", "vip": True}, "hot",
    ),
    "postgres": (
        "CREATE FUNCTION f() RETURNS text AS $$ SELECT 'x' $$ LANGUAGE sql; SELECT sum(CASE WHEN paid IS NOT TRUE AND"
        " due < date '2024-06-30' THEN 1 ELSE 0 END) FILTER (WHERE x > 1) FROM t",
        {"due": date(2024, 6, 29)}, 1.0,
    ),
    "oracle": (
        "SELECT CASE WHEN e.dept = '' THEN 1 WHEN e.hired < TO_DATE('2021-06-30', 'YYYY-MM-DD') THEN 3 ELSE 4 END band"
        " FROM emp e",
        {"dept": "x", "hired": date(2021, 6, 29)}, 3.0,
    ),
    "duckdb": (
        "{{ config(materialized='table') }} select {{ dbt_utils.star(ref('x')) }}, case when amount > 10 then 'big'"
        " else 'small' end as size from {{ ref('orders') }}",
        {"amount": 11.0}, "big",
    ),
}  # fmt: skip


@pytest.mark.parametrize("dialect", REAL)
def test_statements_as_people_write_them(dialect: str) -> None:
    """Quotes, casts, names in any case, and whatever else the dialect has around a CASE."""
    text, row, expected = REAL[dialect]
    (written,) = rules_from_sql(text, dialect=dialect)
    assert not written.unparsed
    assert written.rules.firing(row)[0].value == expected


ONE_TABLE = (
    "SELECT {} FROM t", "SELECT x, {} AS x FROM t WHERE a > 1 ORDER BY 1", "UPDATE t SET x = {} WHERE a > 1",
    "SELECT SUM({}) FROM s.u AS t GROUP BY b;", "DELETE FROM t WHERE {} = 1", "SELECT {} FROM (SELECT * FROM a, b) t",
    "CREATE VIEW v AS SELECT {} FROM {{{{ ref('u') }}}} AS t", "SELECT 1 FROM a, b UNION SELECT {} FROM t",
    "WITH w AS (SELECT 1 FROM a, b) SELECT {} FROM db.t", "SELECT a IS DISTINCT FROM b, {} FROM t",
)  # fmt: skip
NOT_ONE_TABLE = (
    "{}", "SELECT {}", "SELECT {} FROM u", "SELECT {} FROM t, u", "SELECT {} FROM t JOIN u USING (x)",
    "SELECT {} FROM u AS t CROSS JOIN v", "SELECT y AS x, {} FROM t", "SELECT y + 1 x, {} FROM t",
    "UPDATE t SET x = {} FROM u", "INSERT INTO t VALUES ({})", "SELECT list_filter(l, x -> {}) FROM t",
    "SELECT ({}) FROM u UNION SELECT 1 FROM t", "SELECT {} FROM f(1) t", "SELECT (SELECT {}) FROM t",
)  # fmt: skip


def names_of(text: str, dialect: str = "duckdb") -> list[str]:
    """Return the columns of the first CASE of a text."""
    return [feature.name for feature in rules_from_sql(text, dialect=dialect)[0].rules.schema.features]


def test_a_column_behind_its_table_is_the_one_without_where_that_is_certain() -> None:
    """t.x is x where t is the one table of the statement; else they are two, which a note tells."""
    case = "CASE WHEN t.x > 1 AND X < 5 THEN 1 END"
    assert {text: names_of(text.format(case)) for text in ONE_TABLE} == {text: ["x"] for text in ONE_TABLE}
    assert {text: names_of(text.format(case)) for text in NOT_ONE_TABLE} == {
        text: ["t.x", "X"] for text in NOT_ONE_TABLE
    }
    assert names_of("SELECT CASE WHEN t.x > 1 THEN 1 END FROM t, u") == ["x"]
    assert names_of("CASE WHEN a.x > 1 AND b.x < 5 THEN 1 END") == ["a.x", "b.x"]
    assert names_of('CASE WHEN Age > 1 AND "Age" < 5 THEN 1 END', "postgres") == ["Age", '"Age"']
    (written,) = rules_from_sql(case)
    assert any("'t.x', 'X' are read as 2 columns" in note for note in written.notes)


@pytest.mark.parametrize("dialect", ["duckdb", "bigquery"])
def test_a_field_of_a_structure_is_not_the_column_of_its_name(dialect: str) -> None:
    """Where city is a field of addr and a column besides, each WHEN decides, and what is declared is the column's."""
    case = "CASE WHEN addr.city = 'x' THEN 1 WHEN city = 'x' THEN 2 ELSE 3 END"
    (written,) = rules_from_sql(f"SELECT {case} FROM people", dialect=dialect)
    assert [answer(written, {"addr.city": a, "city": c}) for a, c in (("x", "y"), ("y", "x"), ("y", "y"))] == [1, 2, 3]
    schema = Schema([Feature("city", Kind.CATEGORY, ["w", "x"])])
    (written,) = rules_from_sql(f"SELECT {case} FROM people", dialect=dialect, schema=schema)
    assert written.rules.schema.feature("city").categories == ("w", "x")
    assert written.rules.schema.feature("addr.city").categories == ("x",)


# ---- outcomes


def test_outcomes_are_of_one_type_or_text() -> None:
    """Numbers make a number target; what is no literal, or of several types, is its text, and that is said."""

    def target(*outcomes: str) -> Any:
        whens = " ".join(f"WHEN x = {n} THEN {outcome}" for n, outcome in enumerate(outcomes))
        (written,) = rules_from_sql(f"CASE {whens} END", dialect="duckdb")
        goal = written.rules.schema.target
        assert goal is not None
        return str(goal.kind), goal.scalar, goal.categories

    assert target("1", "2.5", "-3") == ("number", "number", ())
    assert target("TRUE", "FALSE") == ("category", "boolean", (False, True))
    assert target("DATE '2024-02-29'") == ("category", "date", (date(2024, 2, 29),))
    assert target("'b'", "'a'", "NULL") == ("category", "text", ("NULL", "a", "b"))
    assert target("1", "'1'", "y + 1") == ("category", "text", ("'1'", "1", "y + 1"))
    assert target("'NULL'", "NULL") == ("category", "text", ("'NULL'", "NULL"))
    assert target("9007199254740993", "9007199254740992") == ("category", "integer", (2**53, 2**53 + 1))
    (written,) = rules_from_sql("CASE WHEN x > 1 THEN amount * 2 ELSE 0 END")
    assert any("amount * 2" in note for note in written.notes)


def test_what_is_declared_holds() -> None:
    """Kinds, categories, classes and domains come from the caller; what is none of them is refused."""
    schema = Schema([Feature("c", Kind.CATEGORY, ["green", "red"])], Feature("y", Kind.ORDINAL, ["low", "high"]))
    text = "SELECT\n CASE WHEN c = 'red' THEN 'high' ELSE 'low' END AS y"
    (written,) = rules_from_sql(text, schema=schema, domain={"c": ColumnDomain(missing=False)})
    assert written.rules.schema == schema
    assert written.domain == {"c": ColumnDomain(missing=False)}
    for wrong, problem in (
        (text.replace("'red'", "'rod'"), "did you mean 'red'"),
        (text.replace("'high'", "'hi'"), "'hi'"),
    ):
        with pytest.raises(ParseError, match=problem) as caught:
            rules_from_sql(wrong, schema=schema, file="q.sql")
        assert str(caught.value).startswith("q.sql:2:7: ")


# ---- errors and limits


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("SELECT CASE\n WHEN a > 5\n THEN 1", (1, 8), "CASE\n WHEN a > 5\n THEN 1"),
        ("SELECT CASE\n a END", (1, 8), "CASE\n a END"),
        ("CASE WHEN THEN 1 END", (1, 1), "CASE WHEN THEN 1 END"),
        ("CASE WHEN a > 5 THEN END", (1, 1), "CASE WHEN a > 5 THEN END"),
        ("CASE WHEN a > 5 1 END", (1, 1), "CASE WHEN a > 5 1 END"),
        ("CASE WHEN a > 5 b THEN 1 END", (1, 11), "a > 5 b"),
        ("CASE\n WHEN (a > 5 THEN 1 END", (1, 1), "CASE\n WHEN (a > 5 THEN 1 END"),
        ("CASE WHEN a THEN 1 ELSE 2 ELSE 3 END", (1, 1), "CASE WHEN a THEN 1 ELSE 2 ELSE 3 END"),
    ],
)
def test_what_is_no_sql_is_unread_with_its_place(text: str, place: tuple[int, int], part: str) -> None:
    """Line, column and the text itself, in the file that also has a CASE before and one behind, which are read."""
    (alone,) = rules_from_sql(text, dialect="duckdb")
    (unread,) = alone.unparsed
    assert ((unread.line, unread.column), unread.text) == (place, part)
    assert not alone.rules.rules
    first, _, last = rules_from_sql(f"SELECT CASE WHEN a THEN 1 END, {text}, CASE WHEN b THEN 2 END", dialect="duckdb")
    assert [rule.value for rule in (*first.rules.rules, *last.rules.rules)] == [1.0, 2.0]


def test_a_text_that_is_not_closed_leaves_nothing_to_read() -> None:
    """Where no CASE stands before the quote it is an error with the place of the quote."""
    with pytest.raises(ParseError) as caught:
        rules_from_sql("SELECT 1,\n 'abc", dialect="duckdb")
    assert (caught.value.line, caught.value.column, caught.value.text) == (2, 2, " 'abc")


def test_any_text_is_read_or_refused() -> None:
    """Texts torn from CASEs give rules or an error of ours, never another."""
    random = Random(7)
    drawn = Drawn(random, "duckdb")
    for _ in range(60):
        words = drawn.case().split(" ")
        random.shuffle(words) if random.random() < 0.3 else words.pop(random.randrange(len(words)))
        try:
            rules_from_sql(" ".join(words), dialect="duckdb")
        except ParseError as error:
            assert error.line == 1


@pytest.mark.large
def test_long_and_deep_cases() -> None:
    """Thousands of WHENs, of ANDs, of values, and of CASEs within CASEs are read."""
    whens = " ".join(f"WHEN x = {n} THEN {n % 7}" for n in range(2_000))
    assert len(rules_from_sql(f"CASE {whens} END")[0].rules) == 2_000
    (written,) = rules_from_sql("".join(f"CASE WHEN x = {n} THEN 1 ELSE " for n in range(1_000)) + "0" + " END" * 1_000)
    assert len(written.rules) == 1_001
    (written,) = rules_from_sql("".join(f"CASE WHEN x > {n} THEN " for n in range(300)) + "0" + " END" * 300)
    assert answer(written, {"x": 300.0}) == "0"
    assert len(one(" AND ".join(f"x > {n}" for n in range(3_000))).rules) == 2
    assert len(one("s IN (" + ", ".join(f"'{n}'" for n in range(3_000)) + ")").rules) == 2


def test_what_is_lacking_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown dialect names the known ones; without sqlglot the extra is named."""
    with pytest.raises(UnknownNameError, match="did you mean 'duckdb'"):
        rules_from_sql("", dialect="duckd")
    monkeypatch.setitem(sys.modules, "sqlglot.dialects.dialect", None)
    with pytest.raises(MissingExtraError, match=r"treerules\[sql\]"):
        rules_from_sql("CASE WHEN a THEN 1 END")


def test_notes_tell_what_the_dialect_does() -> None:
    """Text that two spellings are one to, '' that is NULL, dates that were guessed, NaN."""

    def notes(condition: str, dialect: str) -> str:
        return "\n".join(one(condition, dialect).notes)

    assert "'ABC' and 'abc' of 's' as equal" in notes("s = 'abc' OR s = 'ABC'", "mysql")
    assert "as equal" not in notes("s = 'abc' OR s = 'ABC'", "postgres")
    assert "'' is NULL" in notes("s = ''", "oracle")
    assert "read as a date" in notes("d >= '2024-01-01'", "sqlite")
    assert "NaN" in notes("x > 1.5", "trino")
    assert notes("x > 1.5", "sqlite") == ""
    assert "declare the kind integer" in notes("x > 1", "sqlite")


def test_a_date_that_may_be_a_moment_is_noted() -> None:
    """Between two days there are moments; what is declared is no guess."""
    case = "ts <= DATE '2024-01-31' OR ts >= DATE '2024-02-01'"
    for written in (case, case.replace("DATE ", "")):
        assert any("declare the kind date" in note for note in one(written).notes)
    assert one(case, schema=Schema([Feature("ts", Kind.DATE)])).notes == ()


def test_moments_finer_than_microseconds_are_noted_where_they_can_be() -> None:
    """Snowflake's moments have nanoseconds, which lie between two bounds a microsecond apart; Postgres' have not."""
    near = "t <= TIMESTAMP '2024-01-31 23:59:59.999999' OR t >= TIMESTAMP '2024-02-01 00:00:00'"
    far = near.replace("23:59:59.999999", "23:59:59")
    told = {
        (dialect, case): any("microseconds" in note for note in one(case, dialect).notes)
        for dialect in ("snowflake", "postgres")
        for case in (near, far)
    }
    assert [pair for pair, is_told in told.items() if is_told] == [("snowflake", near)]


def test_an_else_of_null_is_no_rule() -> None:
    """CASE gives NULL without it too: the two have one reading, and can be compared; NULL elsewhere is a class."""
    (bare,) = rules_from_sql("CASE WHEN f < 30 THEN 1 END")
    for last in ("NULL", "CASE WHEN f < 30 THEN 1 ELSE NULL END"):
        (written,) = rules_from_sql(f"CASE WHEN f < 30 THEN 1 ELSE {last} END")
        assert written.rules.schema == bare.rules.schema
        assert [answer(written, {"f": f}) for f in (29.0, 30.0, None)] == [1.0, None, None]
        assert any("gives NULL" in note for note in written.notes)
    (kept,) = rules_from_sql("CASE WHEN f < 30 THEN CASE WHEN f < 9 THEN 1 ELSE NULL END WHEN f < 40 THEN 2 END")
    assert [answer(kept, {"f": f}) for f in (8.0, 10.0, 35.0)] == ["1", None, "2"]


def test_a_schema_tells_of_columns_and_slips_in_it_are_told() -> None:
    """The rules have the columns that are asked, as declared; one that is nearly named is a slip of one of the two."""
    schema = Schema([Feature("other", Kind.DATE), Feature("income", Kind.INTEGER)])
    text = "SELECT\n CASE WHEN {} > 5 AND n = 1 THEN 1 END FROM t"
    (written,) = rules_from_sql(text.format("income"), schema=schema)
    assert [(f.name, f.kind) for f in written.rules.schema.features] == [("income", Kind.INTEGER), ("n", Kind.NUMBER)]
    with pytest.raises(ParseError, match=r"2:7: no column named 'incom' .* did you mean 'income'"):
        rules_from_sql(text.format("incom"), schema=schema, file="q.sql")
    both = text.format("incom").replace("SELECT", "SELECT income,")
    assert rules_from_sql(both, schema=schema)[0].rules.schema.features[0].name == "incom"


@pytest.mark.parametrize("dialect", ["tsql", "postgres"])
def test_days_without_dashes_are_days_where_a_date_is_declared(dialect: str) -> None:
    """T-SQL's idiom, which Postgres reads too; nothing else tells that it is no text."""
    for kind, day in ((Kind.DATE, date(2024, 1, 1)), (Kind.TIMESTAMP, datetime(2024, 1, 1))):
        written = one("d >= '20240101'", dialect, schema=Schema([Feature("d", kind)]))
        assert not written.unparsed
        assert [answer(written, {"d": day - away}) for away in (timedelta(), timedelta(days=1))] == [1, 0]
    (unread,) = one("d >= '20240101'", dialect).unparsed
    assert "declare it date if '20240101' is a day" in unread.problem
    assert not one("d >= CAST('20240101' AS DATE)", dialect).unparsed
    assert one("d >= '20240132'", dialect, schema=Schema([Feature("d", Kind.DATE)])).unparsed
    assert one("d >= '20240101'", schema=Schema([Feature("d", Kind.DATE)])).unparsed


@pytest.mark.engine
def test_a_day_without_dashes_is_what_the_engine_takes_it_for() -> None:
    """Postgres answers as the reading does, on the day, before and after."""
    engine = opened("postgres")
    days = [None, date(2024, 2, 28), date(2024, 2, 29), date(2024, 3, 1)]
    case = "CASE WHEN d >= '20240229' THEN 'late' WHEN d < CAST('20240229' AS DATE) THEN 'early' END"
    (written,) = rules_from_sql(case, dialect="postgres", schema=Schema([Feature("d", Kind.DATE)]))
    (found,) = engine.ask([Stored("d", "date", days)], [f"SELECT rid, {case} FROM {engine.table} AS t"])
    assert [answer(written, {"d": day}) for day in days] == [given for (given,) in found]


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("EXECUTE f(CASE WHEN a > 1 THEN 'x' ELSE 'y' END)", "postgres"),
        ("BEGIN SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END; END", "bigquery"),
        ("SELECT CASE WHEN a > 1THEN 'x' ELSE 'y' END FROM t", "sqlite"),
    ],
)
def test_a_case_is_found_whatever_statement_is_around_it(text: str, dialect: str) -> None:
    """In statements that sqlglot takes for one text, such as EXECUTE, and behind a number without a blank."""
    (parsed,) = rules_from_sql(text, dialect=dialect)
    assert [rule.value for rule in parsed.rules.rules] == ["x", "y"]


def test_replace_at_the_beginning_of_a_condition_is_a_function() -> None:
    """REPLACE begins a statement of SQLite; in a condition it is a function."""
    (parsed,) = rules_from_sql("CASE WHEN REPLACE(a, 'x', 'y') = 'z' THEN 1 ELSE 2 END", dialect="sqlite")
    assert parsed.opaque == ("replace(a, 'x', 'y')",) and not parsed.unparsed


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("CASE /* x", "the comment that starts here has no closing */"),
        ("CASE WHEN [a = 1", "the quote that starts here has no closing ]"),
    ],
)
def test_what_is_not_closed_is_said_with_its_place(text: str, mark: str) -> None:
    """A comment or a name in brackets without an end."""
    with pytest.raises(ParseError, match=re.escape(mark)) as caught:
        rules_from_sql(text, dialect="tsql")
    assert caught.value.column == text.index(text.split()[1] if "/*" in text else "[") + 1

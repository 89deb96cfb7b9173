"""The rules table: what it holds, and that the query which joins it gives the tree's answers on real engines."""

import os
import re
import sqlite3
from contextlib import closing
from datetime import date
from random import Random
from typing import Any

import duckdb
import pytest
from attrs import evolve

from engines import ENGINES, Stored, clickhouse, datafusion_, mariadb, opened, parameters, postgres
from engines.storing import arrow
from hostile_names import ATTACKS, UNSTORABLE, attack_parameters, attacked
from profiles import examples
from run_emitted import POSTGRES, Rows, statements
from selection import few
from strategies_random import a_schema, a_tree, some_rows
from treerules import (
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    cart,
    compile_rules,
    learn,
    to_sql,
)
from treerules.data.interval import Interval
from treerules.emit.sql.rules_table import rules_table_sql, rules_table_statements
from treerules.errors import NotAPartitionError, OptionError, UnknownNameError, UnsupportedError
from treerules.rules.rule import Condition, named_categories
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split, ThresholdTest, find_leaf

Source = Tree | RuleSet
LOAN = learn(
    Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]}), target="类别", recipe=cart()
)
QUICK = ("duckdb", "sqlite", "postgres")


def found(dialect: str, source: Source, rows: Rows, *more: str) -> list[tuple[Any, ...]]:
    """Return what the query gives for rows, in order of their keys; or what one `more` statement gives after it."""
    engine = opened(dialect)
    columns = [Stored(f.name, f.scalar, [row.get(f.name) for row in rows]) for f in source.schema.features]
    parts = rules_table_statements(source, dialect=dialect, keys=["rid"], table=engine.table, name=NAMES[dialect])
    answers = RUN[dialect](columns, [*parts, *more])
    return sorted((tuple(row) for row in answers), key=lambda row: str(row[0]).zfill(9))


def _in_process(dialect: str) -> Any:
    """Return what runs statements in a database of their own."""

    def run(columns: list[Stored], parts: list[str]) -> Any:
        columns = [Stored("rid", "integer", list(range(len(columns[0].cells)))), *columns]
        connection = sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect()
        with closing(connection):
            language = DIALECTS[dialect].spelling
            if dialect == "duckdb":
                connection.execute("SET TimeZone = 'UTC'")
            fields = ", ".join(f"{language.identifier(c.name)} {language.types[c.type]}" for c in columns)
            connection.execute(f"CREATE TABLE t ({fields})")
            marks = ", ".join(f"CAST(? AS {language.types[c.type]})" if dialect == "duckdb" else "?" for c in columns)
            cells = [[str(cell) if isinstance(cell, date) else cell for cell in column.cells] for column in columns]
            connection.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*cells, strict=True)))
            return [connection.execute(part) for part in parts][-1].fetchall()

    return run


def _by_postgres(columns: list[Stored], parts: list[str]) -> Any:
    ENGINES["postgres"].ask(columns, [])
    connection = postgres.connection()
    connection.execute("DROP TABLE IF EXISTS pg_temp.rules, pg_temp.rules_members")
    result = [connection.execute(part.encode()) for part in parts][-1].fetchall()
    connection.execute("DROP TABLE IF EXISTS pg_temp.rules, pg_temp.rules_members")
    return result


def _by_mariadb(columns: list[Stored], parts: list[str]) -> Any:
    ENGINES["mariadb"].ask(columns, [])
    with mariadb.connection().cursor() as cursor:
        for part in parts:
            cursor.execute(part)
        result = cursor.fetchall()
        cursor.execute(f"DROP TABLE IF EXISTS {NAMES['mariadb']}, {NAMES['mariadb']}_members")
    return result


def _by_clickhouse(columns: list[Stored], parts: list[str]) -> Any:
    ENGINES["clickhouse"].ask(columns, [])
    for table in ("rules", "rules_members"):
        clickhouse.session().query(f"DROP TABLE IF EXISTS {table}")
    for part in parts[:-1]:
        clickhouse.session().query(part)
    return clickhouse._rows(parts[-1])


def _by_datafusion(columns: list[Stored], parts: list[str]) -> Any:
    import datafusion

    context = datafusion.SessionContext()
    context.register_record_batches("t", [arrow(columns).to_batches()])
    for part in parts[:-1]:
        context.sql(part).collect()
    return datafusion_._rows(context, parts[-1])


RUN = {
    "duckdb": _in_process("duckdb"),
    "sqlite": _in_process("sqlite"),
    "postgres": _by_postgres,
    "mariadb": _by_mariadb,
    "clickhouse": _by_clickhouse,
    "datafusion": _by_datafusion,
}
#: In Postgres a temporary table beside the temporary data; suites may share a server of MariaDB.
NAMES = {**dict.fromkeys(RUN, "rules"), "postgres": "pg_temp.rules", "mariadb": f"rules{os.getpid()}"}


def _as_stored(dialect: str, answers: list[tuple[Any, ...]], tree: Tree) -> list[tuple[Any, ...]]:
    """Return answers with truth values for the 1 and 0 of an engine that has none."""
    is_boolean = bool(tree.schema.classes) and isinstance(tree.schema.classes[0], bool)
    if not is_boolean or ENGINES[dialect].booleans:
        return answers
    return [(rid, rule, bool(value)) for rid, rule, value in answers]


def expected(source: Source, rows: Rows) -> list[tuple[Any, ...]]:
    """Return key, rule and prediction of each row, by the rules and the tree themselves."""
    rules = compile_rules(source) if isinstance(source, Tree) else source
    answers = []
    for rid, row in enumerate(rows):
        (rule,) = rules.firing(row)
        if rules.tree is not None:
            assert find_leaf(rules.tree, row).prediction.value == rule.value
        answers.append((rid, rule.number, rule.value))
    return answers


@pytest.mark.parametrize("dialect", parameters(RUN))
def test_the_join_gives_the_answers_of_drawn_trees(dialect: str) -> None:
    """Every kind, missing (NULL and NaN), unseen, boundary rows: each key once, with the tree's rule and answer.

    What an engine cannot hold is left out: MariaDB has no infinities, and a table of DataFusion counts nanoseconds.
    """
    n_rows = 0
    n_trees = examples(60 if dialect in QUICK else 30)
    for seed in range(n_trees):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), random.choice((3, 12, 30)), deep=seed % 3 == 0)
        holds = ENGINES[dialect].holds
        rows = [row for row in some_rows(random, tree, 40) if all(map(holds, row.values()))]
        categories = [category for feature in tree.schema.features for category in feature.categories]
        timed = dialect == "datafusion" and any("timestamp" in feature.scalar for feature in tree.schema.features)
        if rows and all(map(holds, categories)) and not timed:
            assert _as_stored(dialect, found(dialect, tree, rows), tree) == expected(tree, rows), seed
            n_rows += len(rows)
    assert n_rows > {60: 2300, 30: 300}.get(n_trees, 15 * n_trees)


@pytest.mark.parametrize("dialect", parameters(QUICK))
@pytest.mark.parametrize("attack", attack_parameters([*ATTACKS, ""]), ids=lambda attack: ascii(attack)[:20])
def test_hostile_text_is_only_literals_and_names(dialect: str, attack: str) -> None:
    """As column, category and label at once, on the engine itself; what it cannot hold is refused."""
    tree = attacked(attack, attack, attack)
    rows: list[dict[str, Any]] = [{attack: attack}, {attack: "other"}, {attack: "another"}, {attack: "unseen"}, {}]
    try:
        DIALECTS[dialect].spelling.identifier(attack)
    except UnsupportedError:
        with pytest.raises(UnsupportedError):
            rules_table_sql(tree, dialect=dialect, keys=["rid"])
        return
    assert found(dialect, tree, rows) == expected(tree, rows)


@pytest.mark.parametrize("dialect", parameters(QUICK))
def test_integers_are_exact_and_infinities_are_numbers(dialect: str) -> None:
    """2^53 and 2^53 + 1 differ, as do the ends of int64; -inf is at most a bound of -inf, and NaN is missing."""
    for kind, bounds in ((Kind.INTEGER, (2**53, 2**53 + 1, -(2**63), 2**63 - 1)), (Kind.NUMBER, (float("-inf"), 0.3))):
        schema = Schema([Feature("x", kind)], Feature("y", Kind.CATEGORY, ["a", "b"]))
        leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
        near: list[Any] = [None, *bounds]
        near += [2**53 - 1, 2**53 + 2] if kind is Kind.INTEGER else [float("nan"), float("inf"), -1e308, 0.1 + 0.2]
        rows = [{"x": value} for value in near]
        for bound in bounds:
            tree = Tree(schema, Split(ThresholdTest(0, bound), leaf, missing=1))
            assert found(dialect, tree, rows) == expected(tree, rows), bound


@pytest.mark.parametrize("dialect", parameters(QUICK))
def test_a_rule_that_asks_nothing_is_one_row(dialect: str) -> None:
    """A tree of one leaf: position 0, no feature, and every row gets its answer."""
    tree = learn(Table.from_columns({"x": [1.0], "y": ["a"]}), target="y", recipe=cart())
    assert found(dialect, tree, [{"x": 3.0}, {}]) == [(0, 1, "a"), (1, 1, "a")]
    names = [DIALECTS[dialect].spelling.identifier(name) for name in ("rule", "position", "feature", "n_conditions")]
    assert found(dialect, tree, [{}], f"SELECT {', '.join(names)} FROM {NAMES[dialect]}") == [(1, 0, None, 0)]


@pytest.mark.parametrize("dialect", parameters(QUICK))
def test_keys_may_repeat_and_be_missing(dialect: str) -> None:
    """Rows are told apart by their place: two rows of one key are two rows of the result."""
    opened(dialect)
    column = DIALECTS[dialect].spelling.identifier("有工作")
    create = f"CREATE TABLE people (rid INTEGER, {column} VARCHAR(9))"
    insert = "INSERT INTO people VALUES (1, '是'), (1, '是'), (1, '否'), (NULL, '是'), (NULL, NULL)"
    parts = rules_table_statements(LOAN, dialect=dialect, keys=["rid"], table="people")
    rows = statements(dialect, create, insert, *parts)
    assert rows is not None
    wanted = [("1", 1, "否"), ("1", 2, "是"), ("1", 2, "是"), ("None", 1, "否"), ("None", 2, "是")]
    assert sorted((str(key), rule, value) for key, rule, value in rows) == wanted


def test_the_table_holds_the_conditions_of_the_rules() -> None:
    """Read back from DuckDB: bounds, members and figures are those of the rules, by value and type."""
    for seed in range(30):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 4), 20)
        if any(feature.scalar == "timestamp_utc" for feature in tree.schema.features):
            continue  # to read them back from DuckDB takes pytz
        rules = compile_rules(tree)
        shown = found("duckdb", tree, [{}], "SELECT * FROM rules ORDER BY rule, position")
        names = [row[0] for row in _described(tree)]
        stored = [dict(zip(names, row, strict=True)) for row in shown]
        conditions = [
            (rule, name, part) for rule in rules.rules for name, held in rule.conditions for part in rows_of(held)
        ]
        by_place = sorted((row for row in stored if row["position"]), key=place_of)
        conditions.sort(key=lambda a: (a[0].number, [name for name, _ in a[0].conditions].index(a[1])))
        assert len(by_place) == len(conditions)
        for row, (rule, name, condition) in zip(by_place, conditions, strict=True):
            feature = tree.schema.feature(name)
            assert (row["rule"], row["feature"], row["kind"]) == (rule.number, name, str(feature.kind))
            assert (row["prediction"], row["n"]) == (rule.value, rule.figures.n)
            assert (row["takes_missing"], row["takes_unseen"]) == (condition.missing, condition.unseen)
            assert (row["operator"] == "within") is isinstance(condition.values, Interval)
            if isinstance(condition.values, Interval):
                bounds = (row[f"above_{feature.scalar}"], row[f"upto_{feature.scalar}"])
                assert bounds == (condition.values.above, condition.values.upto)


def place_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """Return the place of a row: that of its condition, and within it the lower bound, if it has one."""
    above = (value for name, value in row.items() if name.startswith("above_") and value is not None)
    return row["rule"], row["position"], *above


def rows_of(condition: Condition) -> list[Condition]:
    """Return the parts of a condition that have a row each: its intervals, of which the first takes missing values."""
    if len(condition.intervals) < 2:
        return [condition]
    return [Condition(part, condition.missing and at == 0) for at, part in enumerate(condition.intervals)]


def _described(tree: Tree) -> list[Any]:
    with duckdb.connect() as connection:
        connection.execute(rules_table_statements(tree, dialect="duckdb", keys=["rid"])[0])
        return connection.execute("DESCRIBE rules").fetchall()


def test_members_are_the_categories_that_are_named() -> None:
    """Those that a condition takes; where unseen values are taken too, those that it does not take."""
    for seed in range(20):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 3), 15)
        rules = compile_rules(tree)
        wanted = [
            (rule.number, position, category)
            for rule in rules.rules
            for position, (name, condition) in enumerate(rule.conditions, 1)
            if not tree.schema.feature(name).is_ordered
            for category in named_categories(tree.schema.feature(name), condition)[0]
        ]
        parts = rules_table_statements(tree, dialect="duckdb", keys=["rid"])
        if not any("_members" in part.split("(", 1)[0] for part in parts[:2]):
            assert not wanted
            continue
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            for part in parts[:-1]:
                connection.execute(part)
            rows = connection.execute("SELECT * FROM rules_members").fetchall()
        shown = [(row[0], row[1], next(value for value in row[2:] if value is not None)) for row in rows]
        assert sorted(shown, key=repr) == sorted(wanted, key=repr)


@pytest.mark.parametrize("dialect", few(DIALECTS, 4))
def test_every_statement_parses_in_every_dialect(dialect: str) -> None:
    """As sqlglot reads it; what is named stands in quotes."""
    sqlglot = pytest.importorskip("sqlglot")
    for seed in range(10):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 3), 12)
        try:
            parts = rules_table_statements(tree, dialect=dialect, keys=["the id"], name="main.its rules")
        except UnsupportedError:
            continue
        for part in parts:
            if dialect == "oracle":
                part = re.sub(r"(e[+-]?\d+)d\b", r"\1", part)  # sqlglot knows no 1e0d
            assert sqlglot.parse_one(part, read=DIALECTS[dialect].reading.grammar) is not None


def test_many_rules_are_inserted_in_parts() -> None:
    """No INSERT holds more than 200 rows, and together they hold every condition."""
    table = Table.from_columns({"x": [float(i) for i in range(600)], "y": [float(i) for i in range(600)]})
    tree = learn(table, target="y", recipe=cart())
    parts = rules_table_statements(tree, dialect="duckdb", keys=["rid"])
    inserts = [part for part in parts if part.startswith("INSERT")]
    assert [part.count("\n") for part in inserts] == [200, 200, 200]
    rows = [{"x": float(i)} for i in (0, 17, 599)]
    assert found("duckdb", tree, rows) == expected(tree, rows)


def test_what_a_table_needs_is_a_field_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dialect of another name is one more value: it ends its tables, and divides its rows, as the value says."""
    oracle = DIALECTS["oracle"]
    mine = evolve(oracle.spelling, name="mine", table_ending=" HERE", text_in_rows="CLOB", most_rows=2)
    monkeypatch.setitem(DIALECTS, "mine", evolve(oracle, spelling=mine))
    parts = rules_table_statements(LOAN, dialect="mine", keys=["id"])
    assert parts[0].endswith(") HERE") and '"feature" CLOB' in parts[0]
    assert next(part.count("\n") for part in parts if part.startswith("INSERT")) == 2
    assert [part.count("\n") for part in rules_table_statements(LOAN, dialect="oracle", keys=["id"])[2:4]] == [1, 1]


def test_an_edited_rule_set_is_a_table_like_any_other() -> None:
    """Without its tree; refused when it is no partition."""
    rules = compile_rules(LOAN)
    edited = evolve(rules, rules=rules.rules)
    assert edited.tree is None
    rows: list[dict[str, Any]] = [{"有工作": "是"}, {"有工作": "也许"}, {}]
    assert found("sqlite", edited, rows) == expected(edited, rows)
    with pytest.raises(NotAPartitionError):
        rules_table_sql(rules.where("n", least=2), dialect="duckdb", keys=["rid"])


def test_columns_may_have_other_names_in_the_database() -> None:
    """The data is read by those names; the table keeps the model's."""
    parts = rules_table_statements(LOAN, dialect="duckdb", keys=["id"], rename={"有工作": "has_job"})
    create = "CREATE TABLE data AS SELECT 7 AS id, '是' AS has_job"
    assert statements("duckdb", create, *parts) == [(7, 2, "是")]
    assert statements("duckdb", create, *parts, "SELECT DISTINCT feature FROM rules") == [("有工作",)]


def test_the_result_may_have_other_names() -> None:
    """As in `to_sql`: so a key may be called prediction. The name of a column of the model is that column's alone."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data AS SELECT 7 AS prediction, '是' AS \"有工作\"")
        choices: dict[str, Any] = {"dialect": "duckdb", "keys": ["prediction"], "rename": {"prediction": "p2"}}
        for part in rules_table_statements(LOAN, **choices):
            answer = connection.execute(part)
        assert [column[0] for column in answer.description] == ["prediction", "rule", "p2"]
        assert answer.fetchall() == [(7, 2, "是")]
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    schema = Schema([Feature("rule", Kind.INTEGER)], Feature("y", Kind.CATEGORY, ["a", "b"]))
    tree = Tree(schema, Split(ThresholdTest(0, 1), leaf, missing=1))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data AS SELECT 7 AS id, 1 AS r")
        for part in rules_table_statements(tree, dialect="duckdb", keys=["id"], rename={"rule": "r"}):
            answer = connection.execute(part)
        assert [column[0] for column in answer.description] == ["id", "rule", "prediction"]
        assert answer.fetchall() == [(7, 1, "a")]


@pytest.mark.parametrize("dialect", parameters(RUN))
@pytest.mark.parametrize("key", ["n_conditions", "prediction", "feature_number"])
def test_keys_may_be_named_like_columns_of_the_rules(dialect: str, key: str) -> None:
    """Whatever engine: the key is the data's, and the rules' column of that name counts and answers all the same."""
    engine = opened(dialect)
    data = [Stored("有工作", "text", ["是", "否", None]), Stored(key, "integer", [7, 8, 9])]
    choices: dict[str, Any] = {"keys": ["rid", key], "table": engine.table, "name": NAMES[dialect]}
    rename = {"prediction": "said", "rule": "number"}
    parts = rules_table_statements(LOAN, dialect=dialect, rename=rename, **choices)
    answers = sorted(tuple(row) for row in RUN[dialect](data, list(parts)))
    assert answers == [(0, 7, 2, "是"), (1, 8, 1, "否"), (2, 9, 1, "否")]


def test_columns_of_other_numbers_are_compared_as_doubles() -> None:
    """float32 0.1 is above the double 0.1; a DECIMAL of more digits than a double has is the nearest double."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ["a", "b"]))
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    for dialect, kind, cells in (
        ("duckdb", "FLOAT", "(0.1::FLOAT), ('nan'::FLOAT), ('-inf'::FLOAT)"),
        ("postgres", "REAL", "(0.1::REAL), ('nan'::REAL), ('-infinity'::REAL)"),
        ("duckdb", "DECIMAL(38, 20)", "(0.10000000000000000001), (NULL), (0.0999)"),
        ("postgres", "NUMERIC", "(0.10000000000000000001), ('nan'), (0.0999)"),
    ):
        if dialect == "postgres" and not POSTGRES:
            continue
        tree = Tree(schema, Split(ThresholdTest(0, 0.1), leaf, missing=1))
        parts = rules_table_statements(tree, dialect=dialect, keys=["x"])
        rows = statements(dialect, f"CREATE TABLE data (x {kind})", f"INSERT INTO data VALUES {cells}", *parts)
        below = ["b", "b", "a"] if kind in ("FLOAT", "REAL") else ["a", "b", "a"]
        assert sorted(row[2] for row in rows or ()) == sorted(below), (dialect, kind)


@pytest.mark.parametrize(
    "dialect",
    [
        pytest.param(dialect, marks=pytest.mark.engine) if dialect in {*RUN} - {*QUICK} else dialect
        for dialect, record in DIALECTS.items()
        if record.spelling.infinity is None
    ],
)
def test_a_category_that_no_cell_can_be_is_no_member(dialect: str) -> None:
    """Where there are no infinities, `to_sql` asks for the other categories, and the table holds those alone."""
    categories = (1.0, 2.0, float("inf"))
    schema = Schema([Feature("x", Kind.CATEGORY, categories, "number")], Feature("y", Kind.CATEGORY, ["a", "b"]))
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    tree = Tree(schema, Split(CategoryTest(0, [[0], [1, 2]]), leaf, missing=0, unseen=0))
    two = DIALECTS[dialect].spelling.literal(2.0)
    assert two in to_sql(tree, dialect=dialect)
    assert f"{two})" in rules_table_sql(tree, dialect=dialect, keys=["id"])
    if dialect in RUN:
        rows: list[dict[str, Any]] = [{"x": value} for value in (1.0, 2.0, 3.0, None)]
        assert found(dialect, tree, rows) == expected(tree, rows)


@pytest.mark.engine
def test_decimals_are_compared_as_doubles_on_datafusion() -> None:
    """Beside a DECIMAL column infinity would be made a DECIMAL, and fail; `to_sql` casts the column, and so do we."""
    datafusion = pytest.importorskip("datafusion")
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ["a", "b"]))
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    context = datafusion.SessionContext()
    cells = "(CAST('0.100' AS DECIMAL(10, 3))), (CAST('0.101' AS DECIMAL(10, 3))), (NULL)"
    context.sql(f"CREATE TABLE data AS SELECT column1 AS x FROM (VALUES {cells}) v").collect()
    parts = rules_table_statements(
        Tree(schema, Split(ThresholdTest(0, 0.1), leaf, missing=1)), dialect="datafusion", keys=["x"]
    )
    for part in parts[:-1]:
        context.sql(part).collect()
    answers = {str(row[0]): row[2] for row in datafusion_._rows(context, parts[-1])}
    assert answers == {"0.100": "a", "0.101": "b", "None": "b"}


@pytest.mark.parametrize("dialect", parameters(RUN))
def test_columns_may_be_named_like_ours(dialect: str) -> None:
    """f0, f1, k0, n, d, c and rule are names of the query too; each is the column of the data."""
    names = ["f1", "f0", "k0", "n", "d", "c", "rule", "prediction"]
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    node: Any = leaf[0]
    for index in range(len(names)):
        node = Split(ThresholdTest(index, index), [node, leaf[1]], missing=1)
    schema = Schema([Feature(name, Kind.INTEGER) for name in names], Feature("y", Kind.CATEGORY, ["a", "b"]))
    tree = Tree(schema, node)
    fits: dict[str, Any] = {name: index for index, name in enumerate(names)}
    rows = [fits, *({**fits, name: value} for index, name in enumerate(names) for value in (index + 1, None))]
    assert found(dialect, tree, rows) == expected(tree, rows)


def test_dates_are_dates() -> None:
    """In DuckDB and Postgres the bounds are of type DATE, in SQLite they are ISO text, which sorts alike."""
    schema = Schema([Feature("d", Kind.DATE)], Feature("y", Kind.CATEGORY, ["a", "b"]))
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in "ab"]
    tree = Tree(schema, Split(ThresholdTest(0, date(2024, 2, 29)), leaf, missing=0))
    rows = [{"d": day} for day in (date(2024, 2, 29), date(2024, 3, 1), date.min, date.max, None)]
    for dialect, value in (("duckdb", date(2024, 2, 29)), ("sqlite", "2024-02-29"), ("postgres", date(2024, 2, 29))):
        if dialect == "postgres" and not POSTGRES:
            continue
        assert found(dialect, tree, rows) == expected(tree, rows)
        query = f"SELECT upto_date FROM {NAMES[dialect]} WHERE upto_date IS NOT NULL"
        assert found(dialect, tree, [{}], query) == [(value,)]


@pytest.mark.large
def test_what_is_too_long_for_one_statement_fits_into_many() -> None:
    """A query of `to_sql` beyond BigQuery's megabyte is refused; of the table no statement is so long."""
    most = DIALECTS["bigquery"].spelling.longest_statement
    assert most is not None
    labels = ["y" * 2000 + str(i) for i in range(600)]
    table = Table.from_columns({"x": [float(i) for i in range(600)], "y": labels})
    tree = learn(table, target="y", recipe=cart(), task="classification")
    with pytest.raises(UnsupportedError):
        to_sql(tree, dialect="bigquery")
    parts = rules_table_statements(tree, dialect="bigquery", keys=["id"])
    assert max(len(part.encode()) for part in parts) < most < sum(len(part.encode()) for part in parts)


def test_what_cannot_be_is_refused() -> None:
    """No keys, unknown dialects, names that clash with the result, text that SQL cannot hold."""
    for error, call in (
        (OptionError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys=[])),
        (OptionError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys="id")),
        (OptionError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys=["id"], name="")),
        (UnknownNameError, lambda: rules_table_sql(LOAN, dialect="duck", keys=["id"])),
        (UnsupportedError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys=["Rule"])),
        (OptionError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys=["id", "id"])),
        (UnknownNameError, lambda: rules_table_sql(LOAN, dialect="duckdb", keys=["id"], rename={"nothing": "x"})),
        (UnsupportedError, lambda: rules_table_sql(attacked("x", "a", "b"), dialect="duckdb", keys=["X"])),
        (UnsupportedError, lambda: rules_table_sql(attacked("x", UNSTORABLE[0], "b"), dialect="sqlite", keys=["i"])),
        (UnsupportedError, lambda: rules_table_sql(attacked("x", "a", UNSTORABLE[2]), dialect="sqlite", keys=["i"])),
    ):
        with pytest.raises(error):
            call()


def test_what_is_wrong_with_the_arguments_is_an_error() -> None:
    """A dialect that there is not, no key, no name of a table, and one that is too long."""
    with pytest.raises(UnknownNameError):
        rules_table_sql(LOAN, dialect="duck", keys=["id"])
    with pytest.raises(OptionError):
        rules_table_sql(LOAN, dialect="duckdb", keys=[])
    with pytest.raises(OptionError):
        rules_table_sql(LOAN, dialect="duckdb", keys=["id"], name="")
    with pytest.raises(UnsupportedError):
        rules_table_sql(LOAN, dialect="postgres", keys=["id"], table="t" * 64)


def test_the_statements_are_the_text() -> None:
    """One after another, each ended by a semicolon; the same rules give the same bytes."""
    parts = rules_table_statements(LOAN, dialect="postgres", keys=["id"])
    text = rules_table_sql(LOAN, dialect="postgres", keys=["id"])
    assert text == "".join(f"{part};\n" for part in parts)
    assert text.startswith("-- treerules") and "model " in text.split("\n", 1)[0]
    assert [part.split()[0] for part in parts[1:]] == ["CREATE", "INSERT", "INSERT", "SELECT"]

"""Emitted text: what a Python module takes and refuses, hostile names, what engines cannot hold, templates."""

import ast
import json
import math
import sqlite3
import subprocess
import sys
import tokenize
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import partial
from io import StringIO
from pathlib import Path
from tokenize import COMMENT
from typing import Any

import duckdb
import numpy as np
import pytest
import toolz
from attrs import evolve

from hostile_names import ATTACKS, UNSTORABLE, attack_parameters, attacked
from run_emitted import ENGINES, POSTGRES, module, statements
from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Schema,
    Table,
    Tree,
    cart,
    compile_rules,
    curried,
    learn,
    predict,
    render,
    to_javascript,
    to_python,
    to_sql,
)
from treerules.emit.header import opening_in
from treerules.errors import (
    CellError,
    NotAPartitionError,
    OptionError,
    TreeRulesError,
    UnknownNameError,
    UnsupportedError,
)
from treerules.rules.wording import condition_text, rule_text
from treerules.sql.dialects import DIALECTS
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, find_leaf

LOAN = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
TREE = learn(LOAN, target="类别", recipe=cart())
MEANS = Table.from_columns({"x": [1.0, 2.0], "y": [0.1, 0.2]})

NAME = "who's who"


def evolve_threshold(tree: Tree, threshold: float) -> Tree:
    """Return a tree of one cut with another threshold."""
    assert isinstance(tree.root, Split)
    return evolve(tree, root=evolve(tree.root, test=ThresholdTest(0, threshold)))


@pytest.mark.parametrize("attack", attack_parameters([*ATTACKS, ""]), ids=lambda attack: ascii(attack)[:20])
def test_hostile_names_categories_and_labels_are_only_literals(attack: str) -> None:
    """Executed in every language and layout: the answer is the tree's. Names that an engine has not are refused."""
    tree = attacked(attack, attack, attack)
    rows: list[dict[str, Any]] = [{attack: attack}, {attack: "other"}, {attack: "another"}, {attack: "unseen"}, {}]
    wanted = [find_leaf(tree, row).prediction.value for row in rows]
    for engine, run in ENGINES.items():
        is_too_long = engine.startswith("postgres") and len(attack.encode()) > 63
        if is_too_long or (engine.startswith(("duckdb", "postgres")) and not attack):
            with pytest.raises(UnsupportedError, match=r"empty name|at most 63 bytes"):
                run(tree, rows)
        else:
            assert run(tree, rows) == wanted, engine


@pytest.mark.parametrize("attack", UNSTORABLE, ids=ascii)
def test_what_sql_cannot_hold_is_refused_and_python_holds_it(attack: str) -> None:
    """NUL and lone surrogates: a clear error, whether in a name, a category or a label."""
    for tree in (attacked(attack, "a", "b"), attacked("x", attack, "b"), attacked("x", "a", attack)):
        rows = [{tree.schema.features[0].name: category} for category in (*tree.schema.features[0].categories, None)]
        wanted = [find_leaf(tree, row).prediction.value for row in rows]
        doors = [f"python-{style}-{layout}" for style in ("plain", "full") for layout in ("flat", "guarded")]
        assert all(ENGINES[door](tree, rows) == wanted for door in doors)
        for dialect in DIALECTS:
            with pytest.raises(UnsupportedError, match=f"{dialect} cannot express this"):
                to_sql(tree, dialect=dialect)


def called_in(python: str) -> set[str]:
    """Return what a module calls."""
    return {ast.unparse(node.func) for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Call)}


def comments_in(python: str) -> list[str]:
    """Return the comments of a module."""
    return [token.string for token in tokenize.generate_tokens(StringIO(python).readline) if token.type == COMMENT]


@pytest.mark.parametrize("attack", ["a\nb", "\x85", "'''", "#", "é", "*/", "--"], ids=ascii)
def test_names_stand_in_no_comment(attack: str) -> None:
    """Every comment line of the emitted text is our own, so nothing can end it early; only our names are called."""
    tree = attacked(attack, attack, attack)
    for style in ("plain", "full"):
        python, tame = to_python(tree, style=style), to_python(attacked("a", "b", "c"), style=style)
        assert called_in(python) == called_in(tame)
        assert comments_in(python)[1:] == comments_in(tame)[1:]
        assert comments_in(python)[0] == python.split("\n")[0]
    for dialect, record in DIALECTS.items():
        if not set(attack) & set(record.spelling.no_names_with):
            assert to_sql(tree, dialect=dialect).split("\n", 1)[1].lstrip().startswith("CASE")


def test_names_that_a_dialect_takes_for_one_are_refused() -> None:
    """DuckDB and SQLite ignore the case of A to Z; É and é are two columns. To Postgres all of these differ."""
    table = Table.from_columns({"A": [1.0, 2.0], "a": [5.0, 9.0], "y": ["p", "q"]})
    tree = learn(table, target="y", recipe=cart())
    for dialect in ("duckdb", "sqlite"):
        with pytest.raises(UnsupportedError, match="treats 'A' and 'a' as one column"):
            to_sql(tree, dialect=dialect)
    for engine, run in ENGINES.items():
        if engine.startswith(("python", "postgres")):
            assert run(tree, [{"A": 1.0, "a": 1.0}]) == ["p"]
    other = learn(Table.from_columns({"É": [1.0, 2.0], "é": [5.0, 9.0], "y": ["p", "q"]}), target="y", recipe=cart())
    rows = [{"É": 1.0, "é": 9.0}, {"É": 2.0, "é": 5.0}]
    assert ENGINES["duckdb-flat"](other, rows) == ENGINES["sqlite-flat"](other, rows) == ["p", "q"]


@pytest.mark.parametrize("kind", ["view", "table"])
@pytest.mark.parametrize("layout", ["flat", "guarded"])
def test_a_view_and_a_table_hold_the_predictions(kind: str, layout: str) -> None:
    """Executed as they are on each engine; keys are passed through, names are quoted, a second run is refused."""
    rows = [(1, "是"), (2, None), (3, "否"), (4, "也许")]
    wanted = [(n, find_leaf(TREE, {"有工作": value}).prediction.value) for n, value in rows]
    for dialect in ("duckdb", "sqlite", "postgres"):
        language = DIALECTS[dialect].spelling
        names = [language.identifier(name) for name in ("the id", "有工作")]
        sql = to_sql(TREE, dialect=dialect, kind=kind, layout=layout, table="people", keys=["the id"], name=NAME)
        values = ", ".join(
            "(" + ", ".join("NULL" if v is None else language.literal(v) for v in row) + ")" for row in rows
        )
        results = statements(
            dialect,
            f"CREATE TABLE people ({names[0]} INTEGER, {names[1]} VARCHAR(9))",
            f"INSERT INTO people VALUES {values}",
            sql,
            f"SELECT * FROM {language.identifier(NAME)} ORDER BY 1",
        )
        assert results == wanted or (results is None and not POSTGRES), dialect


@pytest.mark.engine
@pytest.mark.skipif(not POSTGRES, reason="no Postgres server (TREERULES_POSTGRES is not set)")
def test_postgres_compares_decimal_columns_as_doubles() -> None:
    """0.3000000000000000001 in a NUMERIC column is the double 0.3, as the tree sees it."""
    table = Table.from_columns({"x": [0.1, 0.3, 0.3000000000000001, 0.5], "y": ["a", "a", "b", "b"]})
    tree = evolve_threshold(learn(table, target="y", recipe=cart()), 0.3)
    sql = to_sql(tree, dialect="postgres", kind="select", table="amounts")
    rows = "INSERT INTO amounts VALUES (0.3000000000000000001), (0.31)"
    assert statements("postgres", "CREATE TABLE amounts (x NUMERIC)", rows, sql) == [("a",), ("b",)]


# ---- what a module takes


def a_column(kind: Kind, threshold: Any, scalar: str | None = None) -> Any:
    """Return a module that cuts one column x."""
    feature = Feature("x", kind) if scalar is None else Feature("x", kind, (), scalar)
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in ("high", "low")]
    schema = Schema([feature], Feature("y", Kind.CATEGORY, ["high", "low"]))
    return module(to_python(Tree(schema, Split(ThresholdTest(0, threshold), leaf[::-1], missing=0)), style="full"))


@pytest.mark.parametrize(
    ("kind", "threshold", "low", "high"),
    [
        (
            Kind.NUMBER,
            2.5,
            [2.5, 2, -0.0, np.longdouble(1.5), np.float64(1), np.float32(2), np.int8(1), Decimal("2.5"), -math.inf],
            [3, 2.6],
        ),
        (Kind.NUMBER, 2.0**53, [2**53, 2**53 + 1, Decimal(2**53 + 1)], [2**53 + 2]),
        (Kind.INTEGER, 3, [3, 3.0, np.int64(3), np.float64(3), Decimal(3), -(2**63)], [4, 4.0, 2**63 - 1]),
        (
            Kind.DATE,
            date(2024, 3, 1),
            [date(2024, 3, 1), np.datetime64("2024-02-29"), "2024-03-01", "2024/3/1", np.str_("0001-01-01")],
            [date(2024, 3, 2), "2024-03-02", "2024/12/1"],
        ),
        (
            Kind.TIMESTAMP,
            datetime(2024, 3, 1, 12),
            [
                datetime(2024, 3, 1, 12),
                "2024-03-01 12:00",
                "2024-03-01T12:00:00.0",
                np.datetime64("2024-03-01T11", "ns"),
                np.datetime64("2020-01-01T00", "ps"),
            ],
            [datetime(2024, 3, 1, 12, 0, 0, 1), "2024-03-01 12:00:00.000001"],
        ),
    ],
)
def test_a_module_converts_values_as_a_table_does(kind: Kind, threshold: Any, low: list[Any], high: list[Any]) -> None:
    """Integers, numpy scalars and decimals become the column's kind first; missing is None, NaN, NaT or no key."""
    emitted = a_column(kind, threshold)
    assert [emitted.predict({"x": value}) for value in low] == ["low"] * len(low)
    assert [emitted.predict({"x": value}) for value in high] == ["high"] * len(high)
    missing: list[Any] = [None, math.nan, np.float64("nan"), Decimal("NaN"), np.datetime64("NaT", "us")]
    assert [emitted.predict({"x": value}) for value in missing] == ["low"] * len(missing)
    assert emitted.predict({}) == "low"
    assert emitted.predict({"x": None, "extra": object()}) == "low"


@pytest.mark.parametrize(
    ("kind", "threshold", "wrong"),
    [
        (Kind.NUMBER, 2.5, ["2", Fraction(5, 2), [1], np.array([1, 2]), 10**400, 10**5000, 1j, date.max]),
        (Kind.INTEGER, 3, [True, "3", math.inf, 2**63, 10**5000, Decimal("1e1000000")]),
        (
            Kind.DATE,
            date(2024, 3, 1),
            ["1.3.2024", "2024-02-30", "2024-3-1", "", "0000-01-01", datetime(2024, 3, 1), 5, np.timedelta64(5, "ns")],
        ),
        (
            Kind.TIMESTAMP,
            datetime(2024, 3, 1),
            ["2024/3/1", "2024-02-30", "2024-03-01 12:00Z", "2024-03-01 24:00", 5, datetime(2024, 3, 1, tzinfo=UTC)],
        ),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_type_error_that_names_its_column(
    kind: Kind, threshold: Any, wrong: list[Any]
) -> None:
    """In a module a TypeError; in the library the same sentence as a CellError, which is one too."""
    emitted = a_column(kind, threshold)
    feature = Feature("x", kind)
    for value in wrong:
        with pytest.raises(TypeError, match="column 'x' takes"):
            emitted.predict({"x": value})
        with pytest.raises(CellError, match="column 'x' takes"):
            feature.convert(value)


def test_zoned_timestamps_are_compared_in_utc() -> None:
    """20:00+08:00 is noon UTC; without a zone the value is refused."""
    emitted = a_column(Kind.TIMESTAMP, datetime(2024, 3, 1, 12, tzinfo=UTC), "timestamp_utc")
    east = timezone(timedelta(hours=8))
    assert emitted.predict({"x": datetime(2024, 3, 1, 20, tzinfo=east)}) == "low"
    assert emitted.predict({"x": datetime(2024, 3, 1, 20, 0, 1, tzinfo=east)}) == "high"
    with pytest.raises(TypeError, match="with a time zone"):
        emitted.predict({"x": datetime(2024, 3, 1, 12)})


def test_categories_and_booleans_keep_their_type() -> None:
    """1 is not "1" and not True; a boolean column takes booleans alone."""
    data: dict[str, list[Any]] = {"n": [1, 1, 2, 2], "y": ["a", "a", "b", "b"]}
    tree = learn(Table.from_columns(data, types={"n": "category"}), target="y", recipe=cart())
    emitted = module(to_python(tree, style="full"))
    assert [emitted.predict({"n": n}) for n in (1, 2, 1.0, np.int8(2), 99, None)] == ["a", "b", "a", "b", "a", "a"]
    for wrong in ("1", True):
        with pytest.raises(TypeError, match="column 'n'"):
            emitted.predict({"n": wrong})
    flags = learn(Table.from_columns({"b": [True, True, False], "y": ["p", "p", "q"]}), target="y", recipe=cart())
    emitted = module(to_python(flags, style="full"))
    assert [emitted.predict({"b": b}) for b in (True, False, np.bool_(False), None)] == ["p", "q", "q", "p"]
    with pytest.raises(TypeError, match="True or False"):
        emitted.predict({"b": 1})


def test_a_module_explains_and_gives_shares() -> None:
    """predict_proba maps classes to shares, explain gives number and text, RULES the figures."""
    emitted = module(to_python(TREE, style="full"))
    assert emitted.predict_proba({"有工作": "是"}) == {"否": 0.0, "是": 1.0}
    assert emitted.explain({"有工作": "是"}) == (2, "IF 有工作 = 是 THEN 类别 = 是")
    assert [rule["n"] for rule in emitted.RULES] == [2, 1]
    assert emitted.TARGET == "类别"


def test_a_regression_has_no_shares() -> None:
    """A module of a regression has no predict_proba at all."""
    tree = learn(Table.from_columns({"x": [1.0, 2.0], "y": [0.1, 0.2]}), target="y", recipe=cart())
    emitted = module(to_python(tree))
    assert not hasattr(emitted, "predict_proba")
    assert emitted.predict({"x": 2}) == 0.2


@pytest.mark.process
def test_a_module_needs_the_standard_library_only(tmp_path: Path) -> None:
    """Run by an isolated interpreter without site-packages, it imports nothing of ours or anyone's."""
    path = tmp_path / "rules.py"
    path.write_text(to_python(TREE), encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import rules; "
    code += "print(rules.predict({}), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-X", "utf8", "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().split() == ["否", "False"]


# ---- layouts and partitions


@pytest.mark.parametrize(
    ("emit", "most"),
    [
        (partial(to_python, style="full"), 8),
        (partial(to_javascript, style="full"), 64),
        (partial(to_sql, dialect="sqlite"), 64),
    ],
)
def test_auto_is_flat_for_few_rules(emit: Any, most: int) -> None:
    """Of more it is guarded, and the first line says so; in Python, where each question costs most, sooner."""
    for n in (most, most + 1):
        table = Table.from_columns({"x": [float(i) for i in range(n)], "y": [float(i) for i in range(n)]})
        tree = learn(table, target="y", recipe=cart())
        assert tree.n_leaves == n
        opening = opening_in(emit(tree))
        assert opening is not None
        assert opening.layout == ("flat" if n == most else "guarded")
        assert opening.n_rules == n


def test_a_single_leaf_is_a_constant() -> None:
    """No question, no CASE."""
    tree = learn(Table.from_columns({"x": [1.0], "y": ["a"]}), target="y", recipe=cart())
    assert to_sql(tree, dialect="duckdb").splitlines()[1:] == ["'a'"]
    for run in ENGINES.values():
        assert run(tree, [{"x": 3.0}, {}]) == ["a", "a"]


def test_an_edited_rule_set_is_emitted_only_when_it_is_a_partition() -> None:
    """Without its tree a rule set is checked first: refused with a witness, or emitted flat."""
    rules = compile_rules(TREE)
    with pytest.raises(NotAPartitionError, match="leave a gap") as caught:
        to_python(rules.where("n", least=2))
    assert rules.where("n", least=2).firing(caught.value.witness) == ()
    double = evolve(rules, rules=[*rules.rules, evolve(rules.rules[0], number=9)])
    with pytest.raises(NotAPartitionError, match="rules 1 and 9 overlap"):
        to_sql(double, dialect="sqlite")
    edited = evolve(rules, rules=rules.rules)
    assert edited.tree is None
    rows: list[dict[str, Any]] = [{"有工作": "是"}, {"有工作": "否"}, {}]
    for engine in ("python-plain-flat", "duckdb-flat", "sqlite-flat"):
        assert ENGINES[engine](edited, rows) == ["是", "否", "否"]
    with pytest.raises(OptionError, match="has no tree to walk"):
        to_python(edited, layout="guarded")


def test_choices_that_do_not_exist_are_refused() -> None:
    """Each error names what is known."""
    for error, call in (
        (UnknownNameError, lambda: to_sql(TREE, dialect="postgre")),
        (OptionError, lambda: to_sql(TREE, dialect="duckdb", kind="select", name="v")),
        (OptionError, lambda: to_sql(TREE, dialect="postgres", kind="view", keys=["id", "id"])),
        (UnknownNameError, lambda: to_sql(TREE, dialect="duckdb", kind="pmml")),  # type: ignore[call-overload]
        (UnknownNameError, lambda: to_python(TREE, layout="nested")),  # type: ignore[call-overload]
        (OptionError, lambda: render(compile_rules(TREE), format="pdf")),
        (UnknownNameError, lambda: compile_rules(TREE).sorted_by("size")),
        (OptionError, lambda: to_sql(TREE, dialect="duckdb", kind="select", table="")),
        (OptionError, lambda: to_python("a tree")),  # type: ignore[call-overload]
        (UnsupportedError, lambda: to_sql(TREE, dialect="duckdb", kind="select", keys=["Prediction"])),
        (OptionError, lambda: to_sql(TREE, dialect="duckdb", kind="select", keys="id")),
        (OptionError, lambda: to_sql(TREE, dialect="duckdb", keys=["id"])),
        (OptionError, lambda: to_sql(TREE, dialect="duckdb", table="t")),
        (OptionError, lambda: compile_rules(TREE).where("n", least=math.nan)),
        (UnknownNameError, lambda: compile_rules(learn(MEANS, target="y", recipe=cart())).sorted_by("lift")),
    ):
        with pytest.raises(error):
            call()


def test_the_pipe_of_the_readme() -> None:
    """Curried forms wait for what flows through the pipe."""
    steps = curried.learn(target="类别", recipe=cart()), compile_rules, curried.to_sql(dialect="duckdb")
    sql = toolz.pipe(LOAN, *steps)
    assert sql == to_sql(TREE, dialect="duckdb")
    assert toolz.pipe(TREE, curried.to_python(layout="flat")) == to_python(TREE, layout="flat")


# ---- SQL in place


def test_a_select_names_its_table_and_keys() -> None:
    """Dots divide schema and table; a sequence of names keeps dots."""
    sql = to_sql(TREE, dialect="duckdb", kind="select", table="main.people", keys=["id", "二"])
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE people (id INTEGER, "二" VARCHAR, "有工作" VARCHAR)')
        connection.execute("INSERT INTO people VALUES (1, 'x', '是'), (2, 'y', NULL)")
        result = connection.execute(sql)
        assert [column[0] for column in result.description] == ["id", "二", "prediction"]
        assert sorted(result.fetchall()) == [(1, "x", "是"), (2, "y", "否")]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE `a.b` (`有工作`)")
    connection.execute("INSERT INTO `a.b` VALUES ('是')")
    sql = to_sql(TREE, dialect="sqlite", kind="select", table=["a.b"])
    assert connection.execute(sql).fetchall() == [("是",)]
    connection.close()


def test_an_expression_stands_inside_a_query() -> None:
    """The fragment may be used wherever an expression may."""
    expression = to_sql(TREE, dialect="duckdb")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT unnest(['是', '否', NULL]) AS \"有工作\"")
        counted_row = connection.execute(f"SELECT count(*) FROM t WHERE ({expression}) = '否'").fetchone()
    assert counted_row == (2,)


def test_a_column_that_is_not_there_is_an_error_in_sqlite() -> None:
    """In double quotes SQLite would take the name for a string."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (other)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(to_sql(TREE, dialect="sqlite", kind="select"))
    connection.close()


# ---- text


@pytest.mark.parametrize(
    ("feature", "condition", "text"),
    [
        (Feature("x", Kind.NUMBER), Condition(Interval(1.0, 2.5)), "1 < x <= 2.5"),
        (Feature("x", Kind.NUMBER), Condition(Interval(0.1 + 0.2, None), True), "(x > 0.30000000000000004 or missing)"),
        (Feature("x", Kind.NUMBER), Condition(Interval()), "x is known"),
        (Feature("x", Kind.NUMBER), Condition(None, True), "x is missing"),
        (Feature("d", Kind.DATE), Condition(Interval(None, date(2024, 3, 1))), "d <= 2024-03-01"),
        (Feature("b", Kind.BOOLEAN), Condition(Members([True])), "b = true"),
        (
            Feature("年龄", Kind.CATEGORY, ["中年", "老年", "青年"]),
            Condition(Members(["中年", "青年"])),
            "年龄 in {中年, 青年}",
        ),
        (
            Feature("c", Kind.CATEGORY, ["a", "b", "c"]),
            Condition(Members(["b"], True), True, True),
            "(c != b or missing)",
        ),
        (Feature("c", Kind.CATEGORY, ["a", "b"]), Condition(Members(["a"]), False, True), "(c = a or unseen)"),
        (Feature("c", Kind.CATEGORY, ["a"]), Condition(None, False, True), "c is unseen"),
        (Feature("c", Kind.CATEGORY, ["a", "b", "unseen"]), Condition(Members(["unseen"])), 'c = "unseen"'),
        (Feature("size", Kind.ORDINAL, ["S", "M", "L"]), Condition(Members(["S", "M"])), "size <= M"),
        (Feature("two words", Kind.CATEGORY, ["", "1"]), Condition(Members(["", "1"])), '"two words" in {"", "1"}'),
        (Feature("a\nb", Kind.CATEGORY, ["\u202e"]), Condition(Members(["\u202e"])), '"a\\nb" = "\\u202e"'),
    ],
)
def test_a_condition_in_words(feature: Feature, condition: Condition, text: str) -> None:
    """Exact, one line, nothing that cannot be printed."""
    assert condition_text(feature, condition) == text
    assert text.isprintable()


def test_rules_in_every_format() -> None:
    """Text, Markdown, CSV and JSON hold the same rules and figures."""
    rules = compile_rules(TREE)
    text, markdown, csv, shown = (render(rules, format=name) for name in ("text", "md", "csv", "json"))
    assert (
        text.splitlines()[1]
        == "2: IF 有工作 = 是 THEN 类别 = 是 (n 1, coverage 0.3333, support 0.3333, confidence 1, lift 3)"
    )
    assert markdown.splitlines()[0].startswith("| rule | if | 类别 | n |")
    assert markdown.splitlines()[3] == "| 2 | 有工作 = 是 | 是 | 1 | 0.3333 | 0.3333 | 1 | 3 |"
    assert csv.splitlines()[2] == "2,有工作 = 是,是,1,0.3333333333333333,0.3333333333333333,1.0,3.0"
    record = json.loads(shown)
    assert record["rules"][1]["if"] == {"有工作": {"in": ["是"], "missing": False, "unseen": False}}
    assert rule_text(rules.schema, rules.rules[1]) == "IF 有工作 = 是 THEN 类别 = 是"


def test_json_holds_infinities_and_dates_as_text() -> None:
    """Whatever the categories and labels are, the JSON is JSON."""
    data: dict[str, list[Any]] = {"x": [math.inf, math.inf, -math.inf], "d": [date(2024, 3, 1)] * 2 + [date.max]}
    types = {"x": "category", "d": "category", "y": "category"}
    tree = learn(Table.from_columns({**data, "y": [math.inf, math.inf, 0.5]}, types=types), target="y", recipe=cart())
    for name in ("csv", "md", "text"):
        assert "inf" in render(compile_rules(tree), format=name)
    record = json.loads(render(compile_rules(tree), format="json"))
    assert {rule["then"] for rule in record["rules"]} == {"inf", 0.5}


def test_rules_are_sorted_and_filtered_by_figures() -> None:
    """Largest first, ties by number; rules without the figure last, and never in a range."""
    rules = compile_rules(TREE)
    assert [rule.number for rule in rules.sorted_by("lift").rules] == [2, 1]
    assert [rule.number for rule in rules.sorted_by("n", descending=False).rules] == [2, 1]
    assert [rule.number for rule in rules.where("n", most=1).rules] == [2]
    assert [rule.figures.confidence for rule in rules.rules] == [1.0, 1.0]


def test_predicting_a_row_of_the_wrong_kind_is_an_error_of_ours() -> None:
    """Not a TypeError of ours alone: a TreeRulesError too."""
    with pytest.raises(TreeRulesError, match="column '有工作' takes text"):
        predict(TREE, {"有工作": 5})

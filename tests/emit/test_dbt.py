"""dbt files, built by dbt itself on DuckDB, and every variant rendered by jinja and parsed."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import duckdb
import jinja2
import pytest
from attrs import evolve

from hostile_names import ATTACKS, attack_parameters, attacked
from strategies_random import a_schema, a_tree, some_rows
from treerules import (
    Ensemble,
    Feature,
    Kind,
    RuleSet,
    Schema,
    Table,
    Tree,
    cart,
    check,
    compile_rules,
    learn,
    to_sql,
)
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.dbt import to_dbt
from treerules.emit.dbt_variants import ADAPTERS
from treerules.emit.header import opening_in
from treerules.emit.jinja_strings import jinja_string, yaml_string
from treerules.errors import NotAPartitionError, OptionError, UnknownNameError, UnsupportedError
from treerules.sql.dialects import DIALECTS
from treerules.sql.lexer import tokens_of
from treerules.trees import CategoryTest, ClassPrediction, Leaf, MeanPrediction, Split, find_leaf

BESIDE = Path(sys.executable).with_name("dbt")
#: The dbt to run: TREERULES_DBT, else that of this Python.
DBT = os.environ.get("TREERULES_DBT") or (str(BESIDE) if BESIDE.exists() else None)
#: Where TREERULES_ENGINES says "required", as in .ci/run, these tests fail without dbt.
needs_dbt = pytest.mark.skipif(
    not DBT and os.environ.get("TREERULES_ENGINES") != "required",
    reason="no dbt (pip install treerules[engines], or set TREERULES_DBT)",
)

LOAN = learn(
    Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]}), target="类别", recipe=cart()
)
PROJECT = """
name: p
version: "1.0"
profile: p
flags: {send_anonymous_usage_stats: false, use_colors: false}
"""
PROFILES = """
p:
  target: dev
  outputs: {dev: {type: duckdb, path: "db.duckdb", threads: 1, settings: {TimeZone: UTC}}}
"""


def _cell(value: Any) -> Any:
    return str(value) if isinstance(value, date) else value  # whose years may be beyond the driver's zones


class Project:
    """A dbt project on a DuckDB file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write({"dbt_project.yml": PROJECT, "profiles.yml": PROFILES})

    def write(self, files: Any) -> None:
        """Write files, as an engine for a table: a model that selects from it."""
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8", newline="\n")

    def hold(self, table: str, schema: Schema, rows: list[dict[str, Any]]) -> None:
        """Store rows under keys, and declare them as a model `ref_{table}`."""
        names = [DIALECTS["duckdb"].spelling.identifier(feature.name) for feature in schema.features]
        cells = [[rid, *(_cell(row.get(f.name)) for f in schema.features)] for rid, row in enumerate(rows)]
        types = [DIALECTS["duckdb"].spelling.types[feature.scalar] for feature in schema.features]
        with duckdb.connect(str(self.folder / "db.duckdb")) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            fields = "".join(f", {name} {kind}" for name, kind in zip(names, types, strict=True))
            connection.execute(f"CREATE TABLE {table} (rid INTEGER{fields})")
            marks = ", ".join(f"CAST(? AS {kind})" for kind in ["INTEGER", *types])
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", cells)
        self.write({f"models/ref_{table}.sql": f"select * from {table}"})

    def build(self, *more: str) -> subprocess.CompletedProcess[str]:
        """Run and test every model."""
        command = [str(DBT), "--no-use-colors", "build", "--profiles-dir", ".", *more]
        return subprocess.run(command, cwd=self.folder, capture_output=True, encoding="utf-8", timeout=300)

    def answers(self, model: str) -> list[Any]:
        """Return a model's predictions by key."""
        with duckdb.connect(str(self.folder / "db.duckdb")) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            return [row[0] for row in connection.execute(f"SELECT prediction FROM {model} ORDER BY rid").fetchall()]


def calling(files: Any) -> Callable[..., str]:
    """Return what renders a call of the macro, jinja standing in for a dbt with that adapter."""
    text = next(text for path, text in files.items() if path.startswith("macros/"))
    around: dict[str, Any] = {"return": lambda value: value}

    def refuse(problem: str) -> str:
        raise AssertionError(problem)

    around["exceptions"] = SimpleNamespace(raise_compiler_error=refuse)
    around["adapter"] = SimpleNamespace()
    module = jinja2.Environment(keep_trailing_newline=True).from_string(text, globals=around).module

    def call(adapter: str, *alias: str) -> str:
        around["adapter"].dispatch = lambda name: getattr(module, f"{adapter}__{name}")
        return str(module.treerules_predict(*alias)).strip()  # type: ignore[attr-defined]

    return call


def expression(tree: Any, dialect: str) -> str:
    """Return the CASE of a dialect without its opening."""
    return to_sql(tree, dialect=dialect).split("\n", 1)[1].strip()


# ---- dbt itself


@pytest.mark.engine
@needs_dbt
def test_dbt_builds_drawn_trees_and_their_tests_pass(tmp_path: Path) -> None:
    """Every kind of column and class, boundary rows: the model's predictions are the trees', and its tests pass."""
    project, wanted = Project(tmp_path), {}
    for seed in range(12):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), 25, deep=seed % 2 == 0)
        rows = some_rows(random, tree, 40)
        project.hold(f"t{seed}", tree.schema, rows)
        project.write(to_dbt(tree, name=f"predict{seed}", model=f"m{seed}", table=f"ref_t{seed}"))
        wanted[f"m{seed}"] = [find_leaf(tree, row).prediction.value for row in rows]
    done = project.build()
    assert done.returncode == 0, done.stdout[-3000:]
    assert "WARN=0 ERROR=0 SKIP=0" in done.stdout
    assert {model: project.answers(model) for model in wanted} == wanted


@pytest.mark.engine
@needs_dbt
def test_dbt_takes_every_hostile_text_as_text(tmp_path: Path) -> None:
    """All attacks as categories and as labels of one model, and each as a column's name of one more."""
    texts = sorted({*ATTACKS, "{% endraw %}", "{% endmacro %}", "}}", "%}", "#}", "{#", "ref('x')", "doc(1)", "00123"})
    wide = [Feature(text, Kind.CATEGORY, ["a"]) for text in ("{{ 1 }}", "{% endraw %}", "#}", "it's", 'a"b', "\r\n")]
    feature = Feature("c", Kind.CATEGORY, texts)
    schema = Schema([feature], Feature("y", Kind.CATEGORY, texts))
    shares = (1 / len(texts),) * len(texts)
    leaves = [Leaf(ClassPrediction(text, shares), (1,) * len(texts)) for text in texts]
    tree = Tree(schema, Split(CategoryTest(0, [[start] for start in range(len(texts))]), leaves, missing=0, unseen=1))
    rows: list[dict[str, Any]] = [*({"c": text} for text in texts), {}, {"c": "unseen"}]
    project = Project(tmp_path)
    project.hold("t", schema, rows)
    project.write(to_dbt(tree, table="ref_t"))
    leaf = Leaf(ClassPrediction("no", (1.0, 0.0)), (1, 0)), Leaf(ClassPrediction("yes", (0.0, 1.0)), (0, 1))
    node: Any = leaf[0]
    for start in range(len(wide)):
        node = Split(CategoryTest(start, [[0], []]), [node, leaf[1]], missing=1, unseen=1)
    named = Tree(Schema(wide, Feature("y", Kind.CATEGORY, ["no", "yes"])), node)
    cells: list[dict[str, Any]] = [dict.fromkeys([f.name for f in wide], "a"), *({f.name: "b"} for f in wide)]
    project.hold("w", named.schema, cells)
    project.write(to_dbt(named, name="named", model="names", table="ref_w"))
    done = project.build()
    assert done.returncode == 0, done.stdout[-3000:]
    assert project.answers("predictions") == [*texts, texts[0], texts[1]]
    assert project.answers("names") == [find_leaf(named, row).prediction.value for row in cells]


@pytest.mark.engine
@needs_dbt
@pytest.mark.parametrize(("answer", "failing"), [("'maybe'", "accepted_values"), ("cast(null as varchar)", "not_null")])
def test_the_tests_fail_on_what_is_no_class(tmp_path: Path, answer: str, failing: str) -> None:
    """A model that predicts something else, or nothing, does not pass."""
    project = Project(tmp_path)
    project.write(to_dbt(LOAN))
    project.write({"models/predictions/predictions.sql": f"select 1 as id, {answer} as prediction"})
    done = project.build()
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if "FAIL 1" in line and failing in line]
    assert "PASS=2 WARN=0 ERROR=1" in done.stdout


@pytest.mark.engine
@needs_dbt
def test_a_macro_stands_in_a_join(tmp_path: Path) -> None:
    """With an alias the columns are that relation's, although the other one has columns of the same name."""
    project = Project(tmp_path)
    rows = [{"有工作": "是"}, {"有工作": "否"}]
    for table, table_rows in (("t", rows), ("u", rows[::-1])):
        project.hold(table, LOAN.schema, table_rows)
    project.write(to_dbt(LOAN))
    join = "from {{ ref('ref_t') }} a join {{ ref('ref_u') }} b on a.rid = b.rid"
    query = "select a.rid, {{ treerules_predict('b') }} as prediction " + join
    project.write({"models/predictions/predictions.sql": query})
    done = project.build()
    assert done.returncode == 0, done.stdout[-3000:]
    assert project.answers("predictions") == ["否", "是"]


# ---- every variant


@pytest.mark.parametrize("attack", attack_parameters(ATTACKS), ids=lambda attack: ascii(attack)[:20])
def test_each_variant_renders_the_expression_of_its_dialect(attack: str) -> None:
    """Hostile text as column, category and label: jinja gives the tokens of `to_sql`; lines may break elsewhere."""
    tree = attacked(attack, attack, attack)
    call = calling(to_dbt(tree))
    for dialect, adapter in ADAPTERS.items():
        if dialect not in DIALECTS:
            continue
        try:
            wanted = expression(tree, dialect)
        except UnsupportedError as error:
            with pytest.raises(AssertionError) as caught:
                call(adapter)
            assert str(caught.value) == str(error)
            continue
        column = DIALECTS[dialect].spelling.identifier(attack)
        assert tokens_in(call(adapter), dialect) == tokens_in(wanted, dialect)
        assert tokens_in(call(adapter, "t"), dialect) == tokens_in(wanted.replace(column, "t." + column), dialect)


def tokens_in(sql: str, dialect: str) -> list[tuple[str, str]]:
    """Return the tokens of a text, each with its kind."""
    return [token[:2] for token in tokens_of(sql, DIALECTS[dialect].reading.lexical)]


def test_every_dialect_has_an_adapter_of_its_own() -> None:
    """No two variants have one name, though dialects are made of others; dbt has no adapter of DataFusion."""
    assert "datafusion" not in ADAPTERS
    assert all(DIALECTS[name].spelling.dbt_adapter == adapter for name, adapter in ADAPTERS.items())
    assert len(set(ADAPTERS.values())) == len(ADAPTERS)


def test_each_variant_parses_with_an_alias() -> None:
    """As sqlglot reads them, every column is the relation's."""
    sqlglot = pytest.importorskip("sqlglot")
    for seed in range(3):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 4), 30)
        call = calling(to_dbt(tree))
        for dialect, adapter in ADAPTERS.items():
            if dialect not in DIALECTS:
                continue
            try:
                to_sql(tree, dialect=dialect)
            except UnsupportedError:
                continue
            text = call(adapter, "t")
            text = re.sub(r"(e[+-]?\d+)d\b", r"\1", text) if dialect == "oracle" else text  # sqlglot knows no 1e0d
            parsed = sqlglot.parse_one(text, read=DIALECTS[dialect].reading.grammar)
            infinity = DIALECTS[dialect].infinities  # words of ClickHouse and Oracle
            columns = [column for column in parsed.find_all(sqlglot.exp.Column) if column.name.lower() not in infinity]
            assert {column.table for column in columns} <= {"t"}, dialect


@pytest.mark.parametrize("text", [*ATTACKS, "{% endraw %}", "😀", "\U000e0001", "yes", "null", "2024-03-01"])
def test_strings_read_back(text: str) -> None:
    """jinja reads back its string, YAML its scalar, and neither holds anything that ends it early."""
    written = jinja_string(text)
    assert jinja2.Environment().compile_expression(written)() == text
    assert not set(written) & set("{}%#\n\r") and written.isprintable()
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(yaml_string(text)) == text
    assert yaml.safe_load(f"- {yaml_string(written)}") == [written]


def test_classes_of_every_type_are_accepted_as_they_are_spelled() -> None:
    """Plain words in dbt's quotes; numbers, truth values and what needs an escape as literals; means not at all."""
    yaml = pytest.importorskip("yaml")

    def accepted(*labels: Any, dialects: Any = ("duckdb",)) -> Any:
        table = Table.from_columns({"x": list(range(len(labels))), "y": list(labels)}, types={"y": "category"})
        schema = to_dbt(learn(table, target="y", recipe=cart()), dialects=dialects)["models/predictions/schema.yml"]
        data_tests = yaml.safe_load(schema)["models"][0]["columns"][0]["data_tests"]
        assert data_tests[0] == "not_null"
        arguments = data_tests[1]["accepted_values"]["arguments"]
        values = [jinja2.Environment().from_string(value).render() for value in arguments["values"]]
        return values, arguments["quote"]

    assert accepted("no", "yes") == (["no", "yes"], True)
    assert accepted("否", "是") == (["否", "是"], True)
    assert accepted(1, 2) == (["1", "2"], False)
    assert accepted(False, True) == (["FALSE", "TRUE"], False)
    assert accepted("it's", "no") == (["'it''s'", "'no'"], False)
    means = learn(Table.from_columns({"x": [1.0, 2.0], "y": [0.5, 0.25]}), target="y", recipe=cart())
    assert "accepted_values" not in to_dbt(means)["models/predictions/schema.yml"]


def test_literals_that_differ_are_chosen_by_the_warehouse() -> None:
    """SQLite spells truth values as numbers: the test compares with what its own macro predicts."""
    yaml = pytest.importorskip("yaml")
    tree = learn(
        Table.from_columns({"x": [1, 2], "y": [False, True]}, types={"y": "category"}), target="y", recipe=cart()
    )
    schema = yaml.safe_load(to_dbt(tree, dialects=["duckdb", "sqlite"])["models/predictions/schema.yml"])
    values = schema["models"][0]["columns"][0]["data_tests"][1]["accepted_values"]["arguments"]["values"]
    for adapter, wanted in (("duckdb", ["FALSE", "TRUE"]), ("sqlite", ["0", "1"]), ("other", ["FALSE", "TRUE"])):
        target = SimpleNamespace(type=adapter)
        assert [jinja2.Environment().from_string(value).render(target=target) for value in values] == wanted


def test_columns_may_have_other_names_in_the_warehouse() -> None:
    """The alias goes before the new name, and the rest is what `to_sql` gives."""
    rename = {"有工作": "has {{ job }}"}
    for adapter in ("duckdb", "sqlite", "postgres"):
        wanted = to_sql(LOAN, dialect=adapter, rename=rename).split("\n", 1)[1].strip()
        assert calling(to_dbt(LOAN, rename=rename))(adapter) == wanted
        column = DIALECTS[adapter].spelling.identifier("has {{ job }}")
        shown = calling(to_dbt(LOAN, rename=rename))(adapter, "t")
        assert shown == wanted.replace(column, f"t.{column}")
    with pytest.raises(UnknownNameError):
        to_dbt(LOAN, rename={"nothing": "x"})


def test_an_edited_rule_set_is_emitted_like_any_other() -> None:
    """Without its tree, flat; refused when it is no partition."""
    rules = compile_rules(LOAN)
    edited = evolve(rules, rules=rules.rules)
    assert edited.tree is None
    assert calling(to_dbt(edited))("duckdb") == expression(LOAN, "duckdb")
    with pytest.raises(NotAPartitionError):
        to_dbt(rules.where("n", least=2))


def test_an_edited_rule_set_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once a dialect: the check takes longer than all the rest."""
    rules, calls = compile_rules(LOAN), list[RuleSet]()

    def counted(rule_set: RuleSet, **options: Any) -> Any:
        calls.append(rule_set)
        return check(rule_set, **options)

    monkeypatch.setattr("treerules.emit.checked_rules.check", counted)
    assert to_dbt(evolve(rules, rules=rules.rules)).keys() == to_dbt(LOAN).keys()
    assert len(calls) == 1
    edited = evolve(rules, rules=rules.rules)
    assert check_source(edited) == CheckedRules(edited, None)
    assert check_source(rules) == CheckedRules(rules, LOAN) and check_source(LOAN).rules == rules
    assert len(calls) == 2
    with pytest.raises(NotAPartitionError):  # the rules of a tree are sound, those that are left of them are not
        check_source(rules.where("n", least=2))


def test_the_files_say_which_layout_was_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flat for few rules, else guarded; a variant whose dialect does not nest CASE so deep says that it is flat."""
    numbers = [float(i) for i in range(100)]
    long = learn(Table.from_columns({"x": numbers, "y": numbers}), target="y", recipe=cart())
    tsql = DIALECTS["tsql"]
    monkeypatch.setitem(DIALECTS, "tsql", evolve(tsql, spelling=evolve(tsql.spelling, deepest_case=3)))
    for tree, layout in ((LOAN, "flat"), (long, "guarded")):
        files = to_dbt(tree)
        assert {opening_in(text).layout for text in files.values()} == {layout}  # type: ignore[union-attr]
        macros = files["macros/treerules_predict.sql"]
        assert macros.count("{# flat: ") == (tree is long)
        assert ("sqlserver__treerules_predict(relation_alias=none) %}\n{# flat: " in macros) is (tree is long)
        others = {dialect for dialect in ADAPTERS if f" {dialect} {layout}: " not in to_sql(tree, dialect=dialect)}
        assert others == ({"tsql"} if tree is long else set())


def test_a_mark_that_the_rules_hold_is_not_taken_for_a_column() -> None:
    """A label that looks like the emitter's own placeholder stays a label."""
    mark = "tr_0"
    tree = attacked(mark, f'"{mark}"', f"`{mark}`")
    assert "@1" in to_dbt(attacked("@", "a", "b"))["macros/treerules_predict.sql"]
    for hostile in (tree, attacked("@", "@1", "@2"), attacked("@1", "@", '@"')):
        for adapter in ("duckdb", "sqlite", "postgres"):
            assert calling(to_dbt(hostile))(adapter) == expression(hostile, adapter)
            quoted = DIALECTS[adapter].spelling.identifier(hostile.schema.features[0].name)
            wanted = expression(hostile, adapter).replace(quoted, f"@.{quoted}")
            assert hostile is tree or calling(to_dbt(hostile))(adapter, "@") == wanted


def test_what_dbt_does_not_take_is_refused() -> None:
    """Names of macros and models, dialects, and what a dialect cannot hold when it is asked for."""
    long = attacked("n" * 64, "a", "b")
    for error, call in (
        (OptionError, lambda: to_dbt(LOAN, table=" ")),
        (OptionError, lambda: to_dbt(LOAN, name="has blank")),
        (OptionError, lambda: to_dbt(LOAN, model="../up")),
        (OptionError, lambda: to_dbt(LOAN, dialects=[])),
        (OptionError, lambda: to_dbt(LOAN, dialects="duckdb")),
        (OptionError, lambda: to_dbt("a tree")),  # type: ignore[arg-type]
        (UnknownNameError, lambda: to_dbt(LOAN, dialects=["duck"])),
        (UnknownNameError, lambda: to_dbt(LOAN, layout="nested")),  # type: ignore[arg-type]
        (UnknownNameError, lambda: to_dbt(LOAN, layout="lookup")),  # type: ignore[arg-type]
        (UnsupportedError, lambda: to_dbt(long, dialects=["postgres"])),
    ):
        with pytest.raises(error):
            call()
    with pytest.raises(AssertionError, match="at most 63 bytes"):
        calling(to_dbt(long))("postgres")
    leaf = Leaf(MeanPrediction(1.0, 0.0), (1.0,))
    ensemble = Ensemble(Schema([], Feature("y", "number")), [Tree(Schema([], Feature("y", "number")), leaf)], [0.0])
    with pytest.raises(OptionError, match="an Ensemble is added by a query, which to_sql"):
        to_dbt(ensemble)  # type: ignore[arg-type]


def test_the_same_rules_give_the_same_files() -> None:
    """Byte for byte; each opens with the hashes of schema and model."""
    files = to_dbt(LOAN, table="applicants")
    assert files == to_dbt(LOAN, table="applicants")
    assert sorted(files) == [
        "macros/treerules_predict.sql",
        "models/predictions/predictions.sql",
        "models/predictions/schema.yml",
    ]
    assert all("treerules" in text.split("\n", 1)[0] and "model " in text for text in files.values())

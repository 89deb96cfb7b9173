"""The code of ensembles: margins and labels are those of the ensemble to the bit, in every language."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engines
from drawn_ensembles import ensembles
from ensemble_outputs import (
    NODE,
    filled,
    n_different,
    of_arrays,
    of_ensemble,
    of_javascript,
    of_python,
    of_sql,
)
from profiles import examples
from run_emitted import module, statements
from treerules import Ensemble, Feature, Kind, Schema, Tree, predict, to_javascript, to_python, to_sql, verify
from treerules.emit import SqlSize, estimate, javascript_ensemble, opening_in
from treerules.emit.python import ensemble_arrays, plain_links
from treerules.emit.sql import link_functions
from treerules.errors import OptionError
from treerules.testing import boundary_rows
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, predict_margin
from treerules.trees.links import LINKS

FEATURES = [Feature("age", Kind.NUMBER), Feature("颜色", Kind.CATEGORY, ("红", "绿")), Feature("n", Kind.INTEGER)]


def drawn_rows(data: st.DataObject, most: int = 60) -> tuple[Ensemble, list[dict[str, Any]]]:
    """Draw an ensemble, and return it with rows at the tests of its trees."""
    ensemble = data.draw(ensembles())
    return ensemble, filled(ensemble, boundary_rows(ensemble, most))


@given(st.data())
def test_python_gives_the_margins_of_the_ensemble(data: st.DataObject) -> None:
    """Plain modules, with functions and with tables of nodes: every kind of column, of sum and of decision."""
    ensemble, rows = drawn_rows(data)
    expected = of_ensemble(ensemble, rows)
    for style in ("plain", "lookup"):
        assert n_different(expected, of_python(ensemble, rows, style=style)) == 0


@given(st.data())
def test_vectorized_python_gives_the_margins_of_the_ensemble(data: st.DataObject) -> None:
    """Modules that take columns, for the same drawn ensembles."""
    ensemble, rows = drawn_rows(data)
    assert n_different(of_ensemble(ensemble, rows), of_arrays(ensemble, rows)) == 0


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_javascript_gives_the_margins_of_the_ensemble(tmp_path: Path, data: st.DataObject) -> None:
    """Plain modules, with functions and with tables of nodes, run by Node.js."""
    ensemble, rows = drawn_rows(data)
    expected = of_ensemble(ensemble, rows)
    for style in ("plain", "lookup"):
        assert n_different(expected, of_javascript(ensemble, rows, tmp_path, style=style)) == 0


@pytest.mark.parametrize("dialect", engines.parameters(engines.ENGINES))
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_sql_gives_the_margins_of_the_ensemble(dialect: str, data: st.DataObject) -> None:
    """On every engine, with cells that it can hold; sums of doubles, and of numbers of 32 bits."""
    features = st.just(Schema(FEATURES))
    ensemble = data.draw(ensembles(features=features))
    engine = engines.opened(dialect)
    rows = filled(ensemble, boundary_rows(ensemble, 60))
    rows = [row for row in rows if all(engine.holds(cell) and _is_plain(cell) for cell in row.values())]
    assert rows and n_different(of_ensemble(ensemble, rows), of_sql(ensemble, rows, dialect)) == 0


def _is_plain(cell: Any) -> bool:
    """Return whether a cell is one that all engines store: no decimal among integers, no text that some refuse."""
    return not isinstance(cell, str) or ("\0" not in cell and cell.isprintable())


def many_trees(n: int, **options: Any) -> Ensemble:
    """Return an ensemble of n trees whose sum depends on the order of its additions."""
    schema = Schema(FEATURES, Feature("margin", Kind.NUMBER))
    members = []
    for number in range(n):
        low, high = (Leaf(MeanPrediction(value), (1,)) for value in (0.1 * (number % 7) - 0.3, 1e-3 * number + 0.7))
        inner = Split(CategoryTest(1, [[0], [1]]), [low, high], missing=0, unseen=1)
        members.append(Tree(schema, Split(ThresholdTest(0, float(number)), [inner, high], missing=number % 2)))
    target = Feature("y", Kind.CATEGORY, ("no", "yes"))
    return Ensemble(Schema(FEATURES, target), members, [0.1], link="sigmoid", cut=20.0, **options)


@pytest.mark.parametrize("dialect", engines.parameters(engines.ENGINES))
def test_three_hundred_trees_are_added_in_order(dialect: str) -> None:
    """In stages of 50: the same margins to the bit, by each engine."""
    ensemble = many_trees(300)
    rows = filled(ensemble, boundary_rows(ensemble, 100))
    engine = engines.opened(dialect)
    rows = [row for row in rows if all(engine.holds(cell) and _is_plain(cell) for cell in row.values())]
    assert n_different(of_ensemble(ensemble, rows), of_sql(ensemble, rows, dialect)) == 0
    size = estimate(ensemble, dialect)
    assert size and size.n_trees == 300 and size.n_stages == 6 and size.n_rules == 900 and size.depth == 1


def test_another_order_is_another_margin() -> None:
    """So the test above would find sums in another order."""
    ensemble = many_trees(300)
    row = {"age": 150.0, "颜色": "红"}
    turned = evolve(ensemble, trees=ensemble.trees[::-1])
    assert predict_margin(ensemble, row) != predict_margin(turned, row)


# ---- kinds and names of SQL


def test_views_tables_macros_and_expressions_give_the_predictions() -> None:
    """Each kind of DuckDB answers as the ensemble; an expression adds the trees of one margin."""
    ensemble = many_trees(60)
    rows = filled(ensemble, boundary_rows(ensemble, 100))
    rows = [row for row in rows if row["n"] is None or isinstance(row["n"], int)]
    expected = [(predict(ensemble, row),) for row in rows]
    create = "CREATE TABLE data(id INTEGER, age DOUBLE, 颜色 VARCHAR, n BIGINT)"
    cells = ", ".join(f"({at}, {_sql(r['age'])}, {_sql(r['颜色'])}, {_sql(r['n'])})" for at, r in enumerate(rows))
    fill = f"INSERT INTO data VALUES {cells}"
    for kind, query in (
        ("view", "SELECT prediction FROM predictions ORDER BY id"),
        ("table", "SELECT prediction FROM predictions ORDER BY id"),
        ("macro", 'SELECT predict(age, "颜色") FROM data ORDER BY id'),
    ):
        text = to_sql(ensemble, dialect="duckdb", kind=kind, keys=["id"] if kind != "macro" else [])
        assert statements("duckdb", create, fill, text, query) == expected
    expression = to_sql(ensemble, dialect="duckdb")
    assert statements("duckdb", create, fill, f"SELECT {expression} FROM data ORDER BY id") == expected


def _sql(value: Any) -> str:
    if isinstance(value, float):
        return f"CAST('{value}' AS DOUBLE)"
    return "NULL" if value is None else repr(value).replace("\\n", " ")


def test_columns_may_be_named_like_those_of_the_stages() -> None:
    """And like the result: names are made that no column has."""
    names = ["treerules_margin", "treerules_margin_", "margin"]
    features = [Feature(name, Kind.NUMBER) for name in names]
    ensemble = many_trees(60)
    schema = Schema(features, Feature("m", Kind.NUMBER))
    leaf = [Leaf(MeanPrediction(0.1), (1,)), Leaf(MeanPrediction(0.2), (1,))]
    members = [Tree(schema, Split(ThresholdTest(at % 3, 0.5 * at), leaf)) for at in range(60)]
    ensemble = evolve(ensemble, schema=Schema(features, ensemble.schema.target), trees=members, cut=7.0)
    rows = filled(ensemble, boundary_rows(ensemble, 100))
    for dialect in ("duckdb", "sqlite"):
        found = of_sql(ensemble, rows, dialect)
        assert n_different(of_ensemble(ensemble, rows), found) == 0


def test_columns_and_tables_may_have_names_that_the_code_uses(tmp_path: Path) -> None:
    """CLASSES and Map in JavaScript, a table called like the first stage in SQL."""
    features = [Feature(name, Kind.NUMBER) for name in ("CLASSES", "Map", "BASE")]
    target = Feature("y", Kind.CATEGORY, ("a", "b", "c"))
    leaf = [Leaf(MeanPrediction(0.1), (1,)), Leaf(MeanPrediction(0.2), (1,))]
    schema = Schema(features, Feature("m", Kind.NUMBER))
    members = [Tree(schema, Split(ThresholdTest(at, 0.5), leaf)) for at in range(3)]
    ensemble = Ensemble(Schema(features, target), members, [0.5, 0.25, 0.0], range(3), link="softmax")
    rows = filled(ensemble, boundary_rows(ensemble, 50))
    expected = of_ensemble(ensemble, rows)
    assert n_different(expected, of_python(ensemble, rows)) == 0
    if NODE is not None:
        assert n_different(expected, of_javascript(ensemble, rows, tmp_path)) == 0
    text = to_sql(ensemble, dialect="sqlite", kind="select", table="treerules_sum_1")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE treerules_sum_1 (CLASSES REAL, Map REAL, BASE REAL)")
        connection.execute("INSERT INTO treerules_sum_1 VALUES (1, 0, 0)")
        assert connection.execute(text).fetchall() == [(predict(ensemble, {"CLASSES": 1, "Map": 0, "BASE": 0}),)]


def test_a_table_of_tsql_is_a_query_with_stages() -> None:
    """T-SQL has no WITH inside a query: the stages stand in front."""
    text = to_sql(many_trees(60), dialect="tsql", kind="table", replace=True)
    statements_of = [statement.strip() for statement in text.split(";\n")]
    assert len(statements_of) == 2 and statements_of[1].startswith("WITH\n")
    assert text.count("WITH") == 1 and "INTO [predictions]" in text


def test_result_columns_are_renamed() -> None:
    """`rename` gives features and results other names in the database."""
    text = to_sql(
        many_trees(2),
        dialect="postgres",
        kind="select",
        keys=["id"],
        margin=True,
        proba=True,
        rename={"age": "years", "margin": "score", "p_yes": "chance", "prediction": "answer"},
    )
    assert '"years" <=' in text and '"age"' not in text
    assert all(f'AS "{name}"' in text for name in ("answer", "score", "p_no", "chance"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "flat"}, "layout"),
        ({"layout": "lookup", "kind": "select"}, "layout"),
        ({"kind": "select", "rule": True}, "a rule of each tree fires"),
        ({"kind": "select", "reason": True}, "a rule of each tree fires"),
        ({"comments": True}, "comments"),
        ({"otherwise": "no", "layout": "guarded"}, "otherwise"),
        ({"margin": True}, "kind"),
        ({"keys": ["id"]}, "kind"),
    ],
)
def test_what_a_sum_has_not_is_refused_by_sql(options: Any, message: str) -> None:
    """Layouts and columns that mean one rule."""
    with pytest.raises(OptionError, match=message):
        to_sql(many_trees(2), dialect="duckdb", **options)


def test_expressions_of_many_margins_or_trees_are_refused() -> None:
    """A query has room for them."""
    with pytest.raises(OptionError, match="at most 200 trees"):
        to_sql(many_trees(201), dialect="duckdb")
    target = Feature("y", Kind.CATEGORY, ("a", "b", "c"))
    multi = evolve(
        many_trees(3), schema=Schema(FEATURES, target), base=[0.0] * 3, outputs=[0, 1, 2], link="softmax", cut=None
    )
    with pytest.raises(OptionError, match="a margin for each class"):
        to_sql(multi, dialect="duckdb")
    with pytest.raises(OptionError, match="margin"):
        to_sql(multi.trees[0], dialect="duckdb", kind="select", margin=True)


def test_modules_of_one_style_and_layout() -> None:
    """A full module, and flat tests, are those of a tree."""
    for emit in (to_python, to_javascript):
        for options in ({"style": "full"}, {"layout": "flat"}):
            with pytest.raises(OptionError, match="Ensemble"):
                emit(many_trees(2), **options)


# ---- the text


def test_the_first_line_names_the_model() -> None:
    """The same hash in each language; another for another base, order, cut or leaf; the same text again."""
    ensemble = many_trees(3)
    texts = [
        to_python(ensemble),
        to_javascript(ensemble),
        to_sql(ensemble, dialect="sqlite"),
        to_python(ensemble, vectorized=True),
    ]
    openings = [opening_in(text) for text in texts]
    assert len({opening.model_hash for opening in openings if opening}) == 1
    assert [opening.n_rules for opening in openings if opening] == [9] * 4
    for other in (
        evolve(ensemble, base=[0.2]),
        evolve(ensemble, order="base last"),
        evolve(ensemble, cut=0.5),
        evolve(ensemble, trees=ensemble.trees[::-1]),
    ):
        assert opening_in(to_python(other)).model_hash != openings[0].model_hash  # type: ignore[union-attr]
    assert to_python(evolve(ensemble, notes=["a note"])) == texts[0]


@pytest.mark.process
def test_modules_are_formatted_and_free_of_lint(tmp_path: Path) -> None:
    """ruff format leaves them as they are, and ruff check finds nothing."""
    wide = [Feature(f"a column with a rather long name {at}", Kind.NUMBER) for at in range(9)]
    leaves = [Leaf(MeanPrediction(0.1), (1,)), Leaf(MeanPrediction(0.2), (1,))]
    root: Any = leaves[0]
    for at in range(9):
        root = Split(ThresholdTest(at, 0.123456789), [root, leaves[1]])
    tree = Tree(Schema(wide, Feature("m", Kind.NUMBER)), root)
    many = Ensemble(Schema(wide, Feature("y", Kind.NUMBER)), [tree, tree], link="exp", sum_type="float64")
    target = Feature("y", Kind.CATEGORY, tuple(f"class {at}" for at in range(9)))
    classes = Ensemble(Schema(wide, target), [tree] * 9, [0.1] * 9, range(9), link="softmax", order="base last")
    for name, ensemble in (("binary", many_trees(3)), ("wide", many), ("classes", classes)):
        (tmp_path / f"{name}.py").write_text(to_python(ensemble), encoding="utf-8")
        (tmp_path / f"{name}_arrays.py").write_text(to_python(ensemble, vectorized=True), encoding="utf-8")
    for command in (["format", "--check"], ["check", "--no-cache", "--select", "E4,E7,E9,F"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "."], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_module_runs_as_a_script(tmp_path: Path) -> None:
    """It prints the prediction of each row of a CSV file."""
    (tmp_path / "sum.py").write_text(to_python(many_trees(40)), encoding="utf-8")
    (tmp_path / "rows.csv").write_text("age,颜色\\n1,红\\n99,绿\\n,\\n".replace("\\n", "\n"), encoding="utf-8")
    done = subprocess.run([sys.executable, "sum.py", "rows.csv"], cwd=tmp_path, capture_output=True, text=True)
    rows = [{"age": 1.0, "颜色": "红"}, {"age": 99.0, "颜色": "绿"}, {}]
    assert done.stdout.split() == [predict(many_trees(40), row) for row in rows], done.stderr


def test_wrong_values_name_their_column() -> None:
    """As in modules of trees."""
    emitted = module(to_python(many_trees(2)))
    with pytest.raises(TypeError, match="age"):
        emitted.predict({"age": "old"})


# ---- verify and estimate


def test_verify_finds_one_changed_number(tmp_path: Path) -> None:
    """In each language: the code as emitted has no difference, with one leaf changed it has."""
    ensemble = many_trees(20, average=True)
    ensemble = evolve(ensemble, cut=0.3)
    texts = {
        "a.py": to_python(ensemble),
        "b.py": to_python(ensemble, vectorized=True),
        "duckdb.sql": to_sql(ensemble, dialect="duckdb", kind="select", keys=["id"]),
        "sqlite.sql": to_sql(ensemble, dialect="sqlite"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert verify(ensemble, tmp_path / name), name
        changed = text.replace("0.709", "-9.709")
        assert changed != text, name
        (tmp_path / name).write_text(changed, encoding="utf-8")
        result = verify(ensemble, tmp_path / name)
        assert not result and result.difference is not None, name
        assert predict(ensemble, result.difference.row) == result.difference.expected


def test_verify_compares_two_ensembles_on_rows() -> None:
    """And an ensemble with a function; it proves nothing of sums."""
    ensemble = many_trees(5)
    assert verify(ensemble, ensemble) and not verify(ensemble, ensemble).is_proved
    other = evolve(ensemble, cut=1.0, base=[0.9])
    result = verify(ensemble, other, most=500)
    assert result.difference is not None
    row = result.difference.row
    assert predict(ensemble, row) == result.difference.expected != predict(other, row)
    assert verify(ensemble, lambda row: predict(ensemble, row))


@pytest.mark.parametrize("module", [plain_links, ensemble_arrays, javascript_ensemble, link_functions])
def test_each_language_spells_each_link_function(module: Any) -> None:
    """Means, and the probabilities of classes."""
    assert set(module.MEANS) == {link.name for link in LINKS.values() if "mean" in link.uses}
    assert set(module.PROBABILITIES) == {link.name for link in LINKS.values() if {"cut", "classes"} & {*link.uses}}
    if module is not link_functions:  # which rounds where the sums are float32
        assert set(module.SINGLE_MEANS) == set(module.MEANS)
        assert set(module.SINGLE_PROBABILITIES) == set(module.PROBABILITIES)


def test_probabilities_of_far_margins_are_0_and_1() -> None:
    """Beyond the range of exp, in each language and in prediction."""
    ensemble = evolve(many_trees(1), trees=[Tree(many_trees(1).trees[0].schema, Leaf(MeanPrediction(0.0), (1,)))])
    for base in (-800.0, -720.0, 720.0, 800.0):
        far = evolve(ensemble, base=[base])
        expected = of_ensemble(far, [{}])
        assert expected.probabilities == [[1.0, 0.0] if base < 0 else [0.0, 1.0]]
        for found in (of_python(far, [{}]), of_arrays(far, [{}]), of_sql(far, [{}], "duckdb")):
            assert found.probabilities == expected.probabilities


def test_estimate_measures_what_to_sql_writes() -> None:
    """Bytes, depth, stages; what a dialect cannot do is a problem and no error."""
    ensemble = many_trees(120)
    size = estimate(ensemble, "duckdb", margin=True)
    text = to_sql(ensemble, dialect="duckdb", kind="select", margin=True)
    assert size == SqlSize("duckdb", len(text.encode()), 120, 360, 1, 3)
    single = evolve(
        ensemble,
        sum_type="float32",
        base=[0.0],
        trees=[Tree(ensemble.trees[0].schema, Leaf(MeanPrediction(0.5), (1,)))] * 120,
    )
    refused = estimate(single, "snowflake")
    assert not refused and refused.n_bytes == 0 and "float32" in refused.problems[0]
    refused = estimate(many_trees(5_000), "snowflake")
    assert not refused and f"{refused.n_bytes} bytes; the limit is 1048576" in refused.problems[0]
    limits = estimate(many_trees(1_800), "clickhouse")
    assert not limits and "the limit is 262144: set max_query_size" in limits.problems[0]

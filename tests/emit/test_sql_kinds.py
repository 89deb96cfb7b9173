"""Kinds of SQL besides the expression, run on real engines: what stands beside a prediction, functions, comments."""

import re
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings

from engines import ENGINES, Stored, opened, parameters
from profiles import examples
from run_emitted import POSTGRES, same, statements
from selection import few
from strategies_random import a_schema, a_tree, some_rows, trees_with_rows
from treerules import Table, Tree, cart, compile_rules, learn, predict_proba, to_sql
from treerules.errors import OptionError, UnsupportedError
from treerules.rules.wording import rule_text
from treerules.sql.dialects import DIALECTS
from treerules.trees import ClassPrediction, Split, find_leaf, leaves, preorder

LOAN = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
TREE = learn(LOAN, target="类别", recipe=cart())


def stored(tree: Tree, rows: list[dict[str, Any]]) -> list[Stored]:
    """Return rows as typed columns."""
    return [Stored(f.name, f.scalar, [row.get(f.name) for row in rows]) for f in tree.schema.features]


def expected(tree: Tree, row: dict[str, Any]) -> tuple[Any, ...]:
    """Return prediction, probabilities, the rule's number and its text: the tree's own."""
    leaf = find_leaf(tree, row)
    number = next(n for n, other in enumerate(leaves(tree.root), 1) if other is leaf)
    rule = next(rule for rule in compile_rules(tree).rules if rule.number == number)
    shares = leaf.prediction.probabilities if isinstance(leaf.prediction, ClassPrediction) else ()
    return leaf.prediction.value, *shares, number, rule_text(tree.schema, rule)


def answered(dialect: str, tree: Tree, rows: list[dict[str, Any]], **choices: Any) -> list[tuple[Any, ...]]:
    """Return prediction, probabilities, rule and reason as an engine gives them."""
    engine = ENGINES[dialect]
    names = {label: f"share {index}" for index, label in enumerate(share_names(tree))}
    rename = {**names, "prediction": "the answer", "rule": "no", "reason": "why"}
    beside = {"proba": not tree.schema.is_regression, "rule": True, "reason": True, "rename": rename, **choices}
    sql = to_sql(tree, dialect=dialect, kind="select", table=engine.table, keys=["rid"], **beside)
    (result,) = engine.ask(stored(tree, rows), [sql])
    values = engine.predictions(tree.schema, result)
    return [(value, *row[1:]) for value, row in zip(values, result, strict=True)]


def share_names(tree: Tree) -> list[str]:
    """Return what the columns of probabilities are called unless they are renamed."""
    form = {False: "false", True: "true"}
    return [f"p_{form[label] if isinstance(label, bool) else label}" for label in tree.schema.classes]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
@settings(max_examples=examples(30))
@given(drawn=trees_with_rows(20, 20))
def test_a_query_gives_probabilities_rule_and_reason(dialect: str, drawn: tuple[Tree, list[dict[str, Any]]]) -> None:
    """Each is the tree's own for every row, in either layout, missing and unseen values included."""
    tree, rows = drawn
    for layout in ("flat", "guarded"):
        answers = answered(dialect, tree, rows, layout=layout)
        for row, answer in zip(rows, answers, strict=True):
            assert all(map(same, answer, expected(tree, row)))


@pytest.mark.parametrize("dialect", parameters(ENGINES))
def test_every_engine_gives_probabilities_rule_and_reason(dialect: str) -> None:
    """A tree of 70 rules and seven classes."""
    opened(dialect)
    labels = [f"label {n % 7}" for n in range(70)]
    table = Table.from_columns({"x": [float(n) for n in range(len(labels))], "y": labels})
    tree = learn(table, target="y", recipe=cart())
    assert tree.n_leaves == 70
    rows: list[dict[str, Any]] = [{"x": n + 0.25} for n in range(len(labels))] + [{"x": None}]
    for row, answer in zip(rows, answered(dialect, tree, rows), strict=True):
        assert all(map(same, answer, expected(tree, row))), row


@pytest.mark.parametrize("dialect", parameters(ENGINES))
def test_columns_may_be_called_as_results_are(dialect: str) -> None:
    """A later column of the result asks the table's column, not the result before it that has its name."""
    engine = opened(dialect)
    data = {"prediction": [1.0, 2.0, 3.0, 4.0], "rule": [1.0, 2.0, 1.0, 2.0], "y": ["p", "q", "r", "r"]}
    tree = learn(Table.from_columns(data), target="y", recipe=cart())
    rows: list[dict[str, Any]] = [
        {"prediction": x, "rule": rule} for x in (0.5, 1.5, 2.5, 3.5, None) for rule in (1.0, 2.0, None)
    ]
    sql = to_sql(tree, dialect=dialect, kind="select", table=engine.table, keys=["rid"], rule=True, reason=True)
    for row, answer in zip(rows, engine.ask(stored(tree, rows), [sql])[0], strict=True):
        value, *_, number, reason = expected(tree, row)
        assert answer == (value, number, reason)


def test_a_key_of_rename_is_the_models_column_first() -> None:
    """A column of the model that is called as a result is renamed; the result keeps its name."""
    data = {"prediction": [1.0, 2.0], "y": ["p", "q"]}
    tree = learn(Table.from_columns(data), target="y", recipe=cart())
    sql = to_sql(tree, dialect="duckdb", kind="select", rename={"prediction": "score"})
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data AS SELECT 2.0 AS score")
        result = connection.execute(sql)
        assert [column[0] for column in result.description] == ["prediction"]
        assert result.fetchall() == [("q",)]
    with pytest.raises(UnsupportedError, match="or leave the key out"):
        to_sql(tree, dialect="duckdb", kind="select", keys=["prediction"])


def test_a_function_of_more_columns_than_postgres_takes_is_refused() -> None:
    """With the kinds that work."""
    data = {f"c{n}": [float(row == n) for row in range(102)] for n in range(101)}
    table = Table.from_columns({**data, "y": [f"row {row}" for row in range(102)]})
    tree = learn(table, target="y", recipe=cart(), task="classification")
    assert len({node.test.feature for node in preorder(tree.root) if isinstance(node, Split)}) == 101
    with pytest.raises(UnsupportedError, match="a function of 101 columns; the limit is 100; use the expression"):
        to_sql(tree, dialect="postgres", kind="function")


@pytest.mark.parametrize("layout", few(["flat", "guarded", "block"], 1))
@pytest.mark.parametrize("dialect", parameters(["duckdb", "postgres"]))
def test_a_function_of_the_columns(dialect: str, layout: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB's macro and Postgres's function give the tree's answers, whatever the kinds and names.

    A block is how Postgres gets the guarded layout of many rules; here of any number.
    """
    if layout == "block":
        layout = "guarded"
        monkeypatch.setattr("treerules.emit.sql.statement.MOST_INLINED", 0)
    if dialect == "postgres" and not POSTGRES:
        pytest.skip("no Postgres server (TREERULES_POSTGRES is not set)")
    language = DIALECTS[dialect].spelling
    for seed in range(12):
        random = Random(seed)
        tree = a_tree(random, a_schema(random, 3), 12)
        rows = some_rows(random, tree, 12)
        kind: Any = {"duckdb": "macro", "postgres": "function"}[dialect]
        created = to_sql(tree, dialect=dialect, kind=kind, layout=layout, name="the rules")
        used_features = [feature for feature in tree.schema.features if parameter(language, feature.name) in created]
        used_features.sort(key=lambda feature: created.index(parameter(language, feature.name)))
        arguments = [
            ", ".join(f"CAST({cell(language, row.get(f.name))} AS {language.types[f.scalar]})" for f in used_features)
            for row in rows
        ]
        query = " UNION ALL ".join(
            f"SELECT {index}, {language.identifier('the rules')}({values})" for index, values in enumerate(arguments)
        )
        result = statements(dialect, created, f"SELECT * FROM ({query}) AS t ORDER BY 1")
        assert result is not None
        for row, (_, answer) in zip(rows, result, strict=True):
            assert same(answer, find_leaf(tree, row).prediction.value)


def parameter(language: Any, name: str) -> str:
    """Return how a parameter stands in the head of a function."""
    return str(language.identifier(name))


def cell(language: Any, value: Any) -> str:
    """Return a cell as a literal; NaN too."""
    if value is None:
        return "NULL"
    return "'NaN'" if value != value else str(language.literal(value))


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_comments_hold_figures_alone_and_change_no_answer(dialect: str) -> None:
    """Number, n and confidence stand above each rule, and what no rule answers is said."""
    rows: list[dict[str, Any]] = [{"有工作": value} for value in ("是", "否", None, "else")]
    for layout in ("flat", "guarded"):
        otherwise = "no rule" if layout == "flat" else None
        sql = to_sql(TREE, dialect=dialect, layout=layout, comments=True, otherwise=otherwise)  # type: ignore[arg-type]
        comments = re.findall(r"-- (.*)", sql)[1:]
        assert sorted(comments) == ["rule 1: n 2, confidence 1", "rule 2: n 1, confidence 1"]
        assert ("ELSE 'no rule'" in sql) is (layout == "flat")
        answers = answered(dialect, TREE, rows, layout=layout, comments=True, otherwise=otherwise)
        assert [answer[0] for answer in answers] == [find_leaf(TREE, row).prediction.value for row in rows]


def test_what_no_rule_answers_is_of_the_type_of_the_labels() -> None:
    """A CASE has one type."""
    with pytest.raises(OptionError, match="a value of the type of the predictions, str"):
        to_sql(TREE, dialect="duckdb", otherwise=5)
    with pytest.raises(OptionError, match="in the guarded layout each row has a prediction"):
        to_sql(TREE, dialect="duckdb", otherwise="?", layout="guarded")
    with pytest.raises(OptionError, match="the lookup layout, which has no line for each rule"):
        to_sql(TREE, dialect="duckdb", kind="select", comments=True, layout="lookup")


@pytest.mark.parametrize("kind", ["expression", "macro"])
def test_a_probability_is_a_column_of_a_query(kind: Any) -> None:
    """An expression is one value: the error names the argument and what has it."""
    article = "an expression" if kind == "expression" else "a macro"
    with pytest.raises(OptionError, match=f"whose query has proba: {article} is one value, the prediction"):
        to_sql(TREE, dialect="duckdb", kind=kind, proba=True)


def test_probabilities_are_those_of_predict_proba() -> None:
    """In a table that is created too; the columns are named as `treerules predict --proba` names them."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE data AS SELECT 1 AS id, '是' AS \"有工作\"")
        connection.execute(to_sql(TREE, dialect="duckdb", kind="table", proba=True, keys=["id"]))
        result = connection.execute("SELECT * FROM predictions")
        assert [column[0] for column in result.description] == ["id", "prediction", "p_否", "p_是"]
        assert result.fetchall() == [(1, "是", *predict_proba(TREE, {"有工作": "是"}))]


def test_the_documented_dialects_are_all_dialects() -> None:
    """The docstring of `to_sql` lists the name of each dialect."""
    listed = (to_sql.__doc__ or "").split("SQL dialect:")[1].split("layout:")[0]
    assert set(re.findall(r'"(\w+)"', listed)) == set(DIALECTS)

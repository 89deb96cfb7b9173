"""Class and text of the errors of every public function that are not met elsewhere."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from behaviour import calls
from behaviour.calls import (
    FUNCTION_NAMES,
    ColumnDomain,
    Feature,
    Language,
    Schema,
    Table,
    apply,
    c45,
    cart,
    check,
    check_list,
    compare_recipes,
    compile_rules,
    cost_complexity_path,
    cross_validate,
    diff,
    evaluate,
    explain,
    find_leaf,
    id3,
    importances,
    learn,
    outcome,
    penalised_loss,
    permutation_importances,
    predict,
    predict_proba,
    predict_table,
    prune,
    relearn,
    rule_metrics,
    rules_from_text,
    rules_table_sql,
    to_code,
    to_dbt,
    to_dmn,
    to_exclusive,
    to_javascript,
    to_python,
    to_sql,
    told,
    tree_from_rules,
    tree_text,
)
from behaviour.emitting import LUA, TEMPLATES
from behaviour.pruned import tree_called
from behaviour.reading import without_engine
from behaviour.stored import models, tables

#: What no function takes.
ODD: tuple[Any, ...] = (None, 3, "text", [1], {"a": 1}, True)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is raised."""
    yield from _learning()
    yield from _odd_arguments()
    yield from _emitting()
    yield from _rules()
    yield from _tables()
    yield from _cells()
    yield "all names", repr(sorted(name for name in calls.top.__all__))
    yield "no name", outcome(lambda: calls.top.nothing)


def _learning() -> Iterator[tuple[str, str]]:
    two, number = tables()["two"], tables()["number"]
    choices: dict[str, dict[str, Any]] = {
        "target": {"target": "Y"},
        "no target": {"target": "nothing at all"},
        "task": {"target": "y", "task": "x"},
        "regression of text": {"target": "y", "task": "regression"},
        "weight text": {"target": "y", "weight": "colour"},
        "weight none": {"target": "y", "weight": "q"},
        "weight negative": {"target": "y", "weight": [-1] * 60},
        "weight length": {"target": "y", "weight": [1, 2]},
        "weight zero": {"target": "y", "weight": [0] * 60},
        "weight nan": {"target": "y", "weight": [float("nan")] * 60},
        "weight large": {"target": "y", "weight": [1e13] * 60},
        "weight odd": {"target": "y", "weight": ["a"] * 60},
        "weight is target": {"target": "y", "weight": "y"},
        "keep text": {"target": "y", "keep": "x"},
        "keep none": {"target": "y", "keep": ["zz"]},
        "drop none": {"target": "y", "drop": ["zz"]},
        "drop target": {"target": "y", "drop": ["y"]},
        "drop all": {"target": "y", "drop": ["colour", "flag", "level", "x", "n", "day", "w", "f"]},
        "keep and drop": {"target": "y", "keep": ["x"], "drop": ["x"]},
        "recipe": {"target": "y", "recipe": "cart"},
        "compiled": {"target": "y", "compiled": 1},
        "threads": {"target": "y", "threads": 0},
        "threads bool": {"target": "y", "threads": True},
        "validation": {"target": "y", "validation": 3},
        "validation columns": {"target": "y", "validation": Table.from_columns({"x": [1.0], "y": ["no"]})},
        "validation classes": {"target": "y", "validation": tables()["three"]},
        "id3 numbers": {"target": "y", "recipe": id3(), "keep": ["x"]},
        "monotone category": {"target": "y", "recipe": cart(monotone={"colour": 1})},
        "monotone unknown": {"target": "y", "recipe": cart(monotone={"zz": 1})},
        "monotone target": {"target": "y", "recipe": cart(monotone={"y": 1})},
        "feature_cost unknown": {"target": "y", "recipe": cart(feature_cost={"zz": 2})},
        "prefer unknown": {"target": "y", "recipe": cart(prefer=["zz"])},
        "class_weight unknown": {"target": "y", "recipe": cart(class_weight={"maybe": 2})},
        "priors few": {"target": "y", "recipe": cart(priors={"no": 1})},
        "priors unknown": {"target": "y", "recipe": cart(priors={"no": 0.5, "maybe": 0.5})},
        "costs unknown": {"target": "y", "recipe": cart(costs={("no", "maybe"): 2})},
        "monotone unequal": {"target": "y", "recipe": cart(monotone={"x": 1}, costs={("no", "yes"): 2})},
    }
    for name, given in choices.items():
        yield f"learn {name}", outcome(lambda given=given: learn(two, **given))
    for name, recipe in (
        ("class_weight", cart(class_weight="balanced")),
        ("priors", cart(priors={1: 1.0})),
        ("costs", cart(costs={("a", "b"): 2})),
        ("c45 quinlan", c45(quinlan=True)),
        ("id3", id3()),
        ("c45", c45()),
        ("monotone", cart(monotone={"level": 1})),
    ):
        yield f"learn number {name}", outcome(lambda recipe=recipe: learn(number, target="y", recipe=recipe))
    three = outcome(lambda: learn(tables()["three"], target="y", recipe=cart(monotone={"x": 1})))
    yield "learn three monotone", three
    odd: dict[str, dict[str, list[Any]]] = {
        "no rows": {"x": [], "y": []},
        "no target values": {"x": [1.0], "y": [None]},
        "missing target": {"x": [1.0, 2.0], "y": ["a", None]},
        "infinite target": {"x": [1.0, 2.0], "y": [float("inf"), 1.5]},
        "only the target": {"y": ["a", "b"]},
        "text ids": {"id": ["a1", "b2", "c3"], "y": ["a", "b", "a"]},
        "counter": {"n": [1, 2, 3, 4], "x": [1.5, 2.5, 1.5, 3.5], "y": ["a", "b", "a", "b"]},
        "boolean target": {"x": [1.5, 2.5], "y": [True, False]},
        "many classes": {"x": [1.5, 2.5, 3.5] * 10, "y": list(range(30))},
        "large target": {"x": [1.5, 2.5], "y": [1e308, -1e308]},
    }
    for name, columns in odd.items():
        for recipe in (cart(), c45(), id3()):
            text = outcome(
                lambda columns=columns, recipe=recipe: learn(Table.from_columns(columns), target="y", recipe=recipe)
            )
            yield f"learn {name} {recipe.name}", text


def _odd_arguments() -> Iterator[tuple[str, str]]:
    """Yield what functions say of things that they do not take."""
    tree, table = tree_called("cart two"), tables()["two"]
    taken: dict[str, Callable[[Any], Any]] = {
        "learn": lambda odd: learn(odd, target="y") if odd is not None else learn(3, target="y"),
        "prune": lambda odd: prune(odd, alpha=1) if odd is not None else None,
        "check": check,
        "check_list": check_list,
        "diff": lambda odd: diff(odd, tree),
        "diff new": lambda odd: diff(tree, odd),
        "explain": lambda odd: explain(odd, {}),
        "explain row": lambda odd: explain(tree, odd),
        "score": lambda odd: rule_metrics(odd, table),
        "score table": lambda odd: rule_metrics(tree, odd),
        "tree_of": tree_from_rules,
        "made_exclusive": to_exclusive,
        "compile_rules": compile_rules,
        "predict": lambda odd: predict(tree, odd),
        "predict_proba": lambda odd: predict_proba(tree, odd),
        "leaf_of": lambda odd: find_leaf(tree, odd),
        "rule_numbers": lambda odd: apply(tree, odd),
        "evaluate": lambda odd: evaluate(tree, odd),
        "importances": importances,
        "permutation": lambda odd: permutation_importances(tree, odd),
        "path": cost_complexity_path,
        "to_python": lambda odd: to_python(odd) if odd is not None else None,
        "to_sql": lambda odd: to_sql(odd, dialect="duckdb") if odd is not None else None,
        "to_dmn": to_dmn,
        "to_javascript": lambda odd: to_javascript(odd) if odd is not None else None,
        "to_dbt": lambda odd: to_dbt(odd) if odd is not None else None,
        "tree_text": tree_text,
        "grid": lambda odd: compare_recipes(table, odd, target="y"),
        "cross_validate": lambda odd: cross_validate(table, target="y", folds=odd),
        "cross_validate recipe": lambda odd: cross_validate(table, target="y", recipe=odd or 3),
        "rules_from_text": rules_from_text,
        "relearn": lambda odd: relearn(odd, table),
        "rules_from_csv": calls.rules_from_csv,
        "rules_from_sql": calls.rules_from_sql,
        "rules_from_dmn": calls.rules_from_dmn,
        "written_text": calls.rules_to_text,
        "decision_table_text": calls.decision_table_text,
        "rules_text": calls.rules_text,
        "boundary_rows": calls.boundary_rows,
        "review": calls.review,
        "declared": lambda odd: calls.declared_from_json(str(odd)),
        "domain": lambda odd: check(tree, domain=odd),
        "limit": lambda odd: check(tree, limit=odd),
        "budget": lambda odd: check(tree, budget=odd),
        "verdict_text": lambda odd: calls.verdict_text(odd, tree),
        "from_frame": Table.from_frame,
        "read_connection": lambda odd: calls.read_connection(odd, "SELECT 1"),
        "read_query": lambda odd: calls.read_query(str(odd)),
    }
    for name, function in taken.items():
        for odd in ODD:
            text = outcome(lambda function=function, odd=odd: function(odd))
            yield f"{name} of {odd!r}", without_engine(text)


def _emitting() -> Iterator[tuple[str, str]]:
    tree = models()["learned_cart"]
    number = models()["learned_regression"]
    rules = compile_rules(tree)
    fewer = type(rules)(rules.schema, rules.rules[1:])
    twice = type(rules)(
        rules.schema,
        [*rules.rules, calls.Rule(99, rules.rules[0].conditions, rules.rules[0].prediction, rules.rules[0].figures)],
    )
    made: dict[str, Callable[[], Any]] = {
        "python layout": lambda: to_python(tree, layout="lookup"),
        "python lang": lambda: to_python(tree, lang="de"),
        "python fewer": lambda: to_python(fewer),
        "python twice": lambda: to_python(twice),
        "python guarded rules": lambda: to_python(fewer, layout="guarded"),
        "javascript lang": lambda: to_javascript(tree, lang="de"),
        "sql dialect": lambda: to_sql(tree, dialect="postgress"),
        "sql kind": lambda: to_sql(tree, dialect="duckdb", kind="index"),
        "sql layout": lambda: to_sql(tree, dialect="duckdb", layout="x"),
        "sql lookup": lambda: to_sql(tree, dialect="sqlite", layout="lookup"),
        "sql otherwise": lambda: to_sql(tree, dialect="duckdb", otherwise=3),
        "sql otherwise guarded": lambda: to_sql(tree, dialect="duckdb", otherwise="?", layout="guarded"),
        "sql proba": lambda: to_sql(number, dialect="duckdb", kind="select", proba=True),
        "sql rename": lambda: to_sql(tree, dialect="duckdb", rename={"zz": "q"}),
        "sql rename twice": lambda: to_sql(tree, dialect="duckdb", rename={"x": "n"}),
        "sql name": lambda: to_sql(tree, dialect="duckdb", kind="view"),
        "sql name of an expression": lambda: to_sql(tree, dialect="duckdb", name="v"),
        "sql keys": lambda: to_sql(tree, dialect="duckdb", kind="select", keys="id"),
        "sql keys twice": lambda: to_sql(tree, dialect="duckdb", kind="select", keys=["id", "id"]),
        "sql key prediction": lambda: to_sql(tree, dialect="duckdb", kind="select", keys=["prediction"]),
        "sql table": lambda: to_sql(tree, dialect="duckdb", kind="select", table=""),
        "sql table parts": lambda: to_sql(tree, dialect="duckdb", kind="select", table=["a", ""]),
        "sql templates": lambda: to_sql(tree, dialect="duckdb", templates="none"),
        "sql rule of an expression": lambda: to_sql(tree, dialect="duckdb", rule=True),
        "sql reason of a macro": lambda: to_sql(tree, dialect="duckdb", kind="macro", name="m", reason=True),
        "code language": lambda: to_code(tree, "lua", template="rules.lua.j2", templates=TEMPLATES),
        "code template": lambda: to_code(tree, LUA, template="none.j2", templates=TEMPLATES),
        "code folder": lambda: to_code(tree, LUA, template="rules.lua.j2", templates="none"),
        "code failing": lambda: to_code(tree, LUA, template="failing.j2", templates=TEMPLATES),
        "code waiting": lambda: to_code(tree, language=LUA, template="rules.lua.j2", templates=TEMPLATES),
        "code undefined": lambda: to_code(tree, LUA, template="undefined.j2", templates=TEMPLATES),
        "code syntax": lambda: to_code(tree, LUA, template="syntax.j2", templates=TEMPLATES),
        "code layout": lambda: to_code(tree, LUA, template="rules.lua.j2", templates=TEMPLATES, layout="x"),
        "language": lambda: Language(name="x", missing_is="zero"),
        "language quotes": lambda: Language(name="x", quotes=("a",)),
        "dbt dialects": lambda: to_dbt(tree, dialects=["cobol"]),
        "dbt no dialects": lambda: to_dbt(tree, dialects=[]),
        "dbt name": lambda: to_dbt(tree, name="two words"),
        "dbt model": lambda: to_dbt(tree, model=""),
        "dbt sqlite": lambda: to_dbt(tree, dialects=["sqlite"]),
        "rules table keys": lambda: rules_table_sql(tree, dialect="duckdb", keys=[]),
        "rules table key": lambda: rules_table_sql(tree, dialect="duckdb", keys=["x", "x"]),
        "rules table dialect": lambda: rules_table_sql(tree, dialect="cobol", keys=["id"]),
        "rules table waiting": lambda: rules_table_sql(tree, dialect="duckdb", keys=["id"]),
        "dbt waiting": lambda: repr(to_dbt(tree, dialects=["duckdb"])),
        "dmn fewer": lambda: to_dmn(fewer),
        "dmn name": lambda: to_dmn(tree, name=""),
        "tree_text depth": lambda: tree_text(tree, depth=-1),
        "tree_text format": lambda: tree_text(tree, format="svg"),
        "tree_text lang": lambda: tree_text(tree, lang="de"),
        "table format": lambda: calls.decision_table_text(tree, format="json"),
        "case of a tree": lambda: calls.rewrite_case(tree, dialect="duckdb"),
        "predictions keys": lambda: predict_table(tree, tables()["three"], keys=["zz"]),
        "predictions proba": lambda: predict_table(number, tables()["number"], proba=True),
        "predictions format": lambda: calls.predictions_text(predict_table(tree, tables()["three"]), "xml"),
        "predictions twice": lambda: predict_table(tree, tables()["three"], keys=["x", "x"]),
        "parquet": lambda: calls.write_parquet(predict_table(tree, tables()["three"]), "none/p.parquet"),
        "save": lambda: calls.save(tree, "none/m.tree.json"),
        "predict_proba number": lambda: predict_proba(number, {}),
        "rules text": lambda: calls.rules_text(rules, format="xml"),
    }
    for name, make in made.items():
        yield name, outcome(make)


def _rules() -> Iterator[tuple[str, str]]:
    tree = models()["learned_cart"]
    ordered = rules_from_text("ordered\nIF x > 3 THEN y = a\nOTHERWISE y = b\n").rules
    wrong: dict[str, Any] = {
        "unknown": {"zz": ColumnDomain()},
        "odd": {"x": 3},
        "bounds": {"x": ColumnDomain("a")},
        "crossed": {"x": ColumnDomain(3.0, 1.0)},
        "category": {"colour": ColumnDomain(1, 2)},
        "narrow": {"x": ColumnDomain(0.0, 0.5, missing=False), "level": ColumnDomain(unseen=False)},
    }
    for name, domain in wrong.items():
        for called, function in (
            ("check", check),
            ("tree_of", tree_from_rules),
            ("check_list", check_list),
            ("made_exclusive", to_exclusive),
        ):
            yield (
                f"{called} domain {name}",
                outcome(lambda function=function, domain=domain: function(tree, domain=domain)),
            )
        yield f"diff domain {name}", outcome(lambda domain=domain: diff(tree, tree, domain=domain))
        yield f"explain domain {name}", outcome(lambda domain=domain: explain(tree, {"x": 1.0}, domain=domain))
    made: dict[str, Callable[[], Any]] = {
        "diff columns": lambda: diff(tree, models()["kinds"]),
        "diff limit": lambda: diff(tree, tree, limit=0),
        "diff targets": lambda: diff(tree, models()["learned_regression"]),
        "explain strange": lambda: explain(tree, {"zz": 1}),
        "explain odd": lambda: explain(tree, {"x": "a"}),
        "score columns": lambda: rule_metrics(tree, tables()["corners"]),
        "score weight": lambda: rule_metrics(tree, tables()["three"], weight="w"),
        "score weights": lambda: rule_metrics(tree, tables()["three"], weight=[1]),
        "predict columns": lambda: predict(tree, tables()["corners"]),
        "predict odd": lambda: predict(tree, {"x": "a"}),
        "predict lists": lambda: predict(tree, {"x": [1]}),
        "check list of a list": lambda: check(ordered),
        "list as set": lambda: check_list(ordered),
        "tree of a list": lambda: tree_from_rules(ordered),
        "tree_of budget": lambda: tree_from_rules(models()["bushy"], budget=3),
        "python of a list": lambda: to_python(ordered),
        "dmn of a list": lambda: to_dmn(ordered),
        "penalised": lambda: penalised_loss(tree, alpha=-1),
        "penalised base": lambda: penalised_loss(tree, alpha=1, base="10"),
        "prune method": lambda: prune(tree, "x"),
        "prune option": lambda: prune(tree, "snip", alpha=1),
        "prune no option": lambda: prune(tree, "merge_equal_leaves", alpha=1),
        "prune lacks": lambda: prune(tree, "penalised"),
        "prune alpha": lambda: prune(tree, alpha=-1),
        "prune alpha text": lambda: prune(tree, alpha="1"),
        "prune risk": lambda: prune(tree, alpha=1, risk="x"),
        "prune node": lambda: prune(tree, "snip", node="a"),
        "prune limit": lambda: prune(tree, "pessimistic", limit="x"),
        "prune confidence": lambda: prune(tree, "pessimistic", confidence=0.9),
        "prune m": lambda: prune(tree, "minimum_error", m=-1),
        "prune table": lambda: prune(tree, "reduced_error", table=3),
        "prune regression": lambda: prune(models()["learned_regression"], "pessimistic"),
        "prune waiting": lambda: prune(method="snip", node=1)(tree),
        "prune drawn": lambda: prune(models()["kinds"], alpha=1),
        "path drawn": lambda: cost_complexity_path(models()["kinds"]),
        "importances drawn": lambda: importances(models()["kinds"]),
        "evaluate columns": lambda: evaluate(tree, tables()["corners"]),
        "evaluate no rows": lambda: evaluate(tree, Table.from_columns({})),
        "permutation repeats": lambda: permutation_importances(tree, tables()["three"], repeats=0),
        "permutation seed": lambda: permutation_importances(tree, tables()["three"], seed=-1),
        "cross-validation folds": lambda: cross_validate(tables()["two"], target="y", folds=1),
        "cross-validation column": lambda: cross_validate(tables()["two"], target="y", folds="zz"),
        "cross-validation many": lambda: cross_validate(tables()["two"], target="y", folds=99),
        "cross-validation cp": lambda: cross_validate(tables()["two"], target="y", cp=-1),
        "cross-validation complexity": lambda: cross_validate(tables()["two"], target="y", complexity="x"),
        "cross-validation nothing": lambda: cross_validate(tables()["two"]),
        "cross-validation array": lambda: cross_validate(tables()["two"], target="y", folds=[1, 2]),
        "cross-validation processes": lambda: cross_validate(tables()["two"], target="y", processes=0),
        "grid none": lambda: compare_recipes(tables()["two"], [], target="y"),
        "grid folds": lambda: compare_recipes(tables()["two"], [cart()], target="y", folds=1),
        "rules_from_text schema": lambda: rules_from_text("", schema=3),
        "rules_from_text domain": lambda: rules_from_text("IF x > 1 THEN y = a", domain=3),
        "read_rules": lambda: calls.read_rules("none.rules"),
        "read_rules form": lambda: calls.read_rules("a.rules", format="x"),
        "rule_text": lambda: calls.rule_text(ordered.schema, ordered.rules[0]),
        "rules numbers": lambda: apply(tree, {}),
        "verdict of others": lambda: calls.verdict_text(check(tree), ordered),
        "verdict format": lambda: calls.verdict_text(check(tree), tree, format="xml"),
        "verdict lang": lambda: calls.verdict_text(check(tree), tree, lang="de"),
    }
    for name, make in made.items():
        yield f"rules {name}", outcome(make)


def _tables() -> Iterator[tuple[str, str]]:
    table = tables()["two"]
    made: dict[str, Callable[[], Any]] = {
        "column": lambda: table.column("Colour"),
        "row": lambda: table.row(0),
        "types column": lambda: Table.from_columns({"a": [1]}, types={"b": "number"}),
        "types kind": lambda: Table.from_columns({"a": [1]}, types={"a": "numbr"}),
        "types ordinal": lambda: Table.from_columns({"a": ["S"]}, types={"a": "ordinal:M<L"}),
        "types twice": lambda: Table.from_columns({"a": ["S"]}, types={"a": "ordinal:S<S"}),
        "name": lambda: Table.from_columns({1: [1]}),
        "cell": lambda: Table.from_columns({"a": [[1]]}),
        "compared": lambda: repr([table == 3, table != table, table == Table.from_rows(list(table.rows()))]),
    }
    for name, make in made.items():
        yield f"table {name}", outcome(make)
    yield from _judged()


def _judged() -> Iterator[tuple[str, str]]:
    """Yield what is said of tables to judge by that lack rows, targets or weights."""
    table, number = tables()["two"], tables()["number"]
    some: dict[str, Any] = {
        "one missing": [None, "yes"],
        "all missing": [None, None],
        "known": ["no", "yes"],
        "unknown": ["maybe", "yes"],
        "none": [],
    }
    tree = tree_called("cart two")
    for name, cells in some.items():
        n = len(cells)
        rows = {feature.name: [None] * n for feature in tree.schema.features}
        judge = Table.from_columns({**rows, "y": cells, "w": [0.0] * n})
        given = {"target": "y", "recipe": cart(), "drop": ["w", "f"]}
        yield f"validation {name}", outcome(lambda judge=judge, given=given: learn(table, validation=judge, **given))
        weighed = {"target": "y", "recipe": cart(), "drop": ["f"], "weight": "w"}
        found = outcome(lambda judge=judge, weighed=weighed: learn(table, validation=judge, **weighed))
        yield f"validation {name} weighed", found
        for function in (evaluate, rule_metrics, permutation_importances):
            for choices in ({}, {"drop_missing_target": True}, {"weight": "w"}, {"weight": "f"}):
                called = f"{FUNCTION_NAMES.get(function.__name__, function.__name__)} {name} {choices}"
                text = outcome(lambda f=function, judge=judge, choices=choices: f(tree, judge, **choices))
                yield f"judged {called}", text
        for method in ("reduced_error", "pessimistic"):
            text = outcome(lambda judge=judge, method=method: prune(tree, method, table=judge))
            yield f"judged {method} {name}", text
        yield f"judged relearn {name}", outcome(lambda judge=judge: relearn(tree, judge, anew=True))
        yield f"judged predict {name}", outcome(lambda judge=judge: predict(tree, judge))
        yield (
            f"judged predictions {name}",
            outcome(lambda judge=judge: predict_table(tree, judge, keys=["w"], rule=True)),
        )
        yield f"judged cross_validate {name}", outcome(lambda judge=judge: cross_validate(judge, tree=tree, folds=2))
    infinite = Table.from_columns({"x": [1.5, 2.5], "y": [float("inf"), 1.0]})
    small = learn(
        number, target="y", recipe=cart(max_depth=1), keep=["x"], drop=["n", "colour", "flag", "level", "day", "w", "f"]
    )
    for function in (evaluate, rule_metrics, permutation_importances):
        called = FUNCTION_NAMES.get(function.__name__, function.__name__)
        yield f"judged {called} infinite", outcome(lambda function=function: function(small, infinite))
    yield "judged scores", repr(rule_metrics(tree, table))


#: Cells of every kind, and of none.
CELLS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    10**400,
    3.0,
    3.5,
    -0.0,
    float("nan"),
    float("inf"),
    1e300,
    Decimal("1.5"),
    Decimal("NaN"),
    Decimal("1e999"),
    Decimal("3"),
    "",
    "text",
    "3",
    "3.5",
    " 3 ",
    "inf",
    "true",
    "TRUE",
    "2024-03-21",
    "2024/3/21",
    "2024-02-30",
    "2024-03-21 20:21:09",
    "2024-03-21T20:21:09Z",
    "2024-03-21T20:21:09.5+08:00",
    "0001-01-01T00:00:00+14:00",
    "20240321",
    b"bytes",
    [1],
    date(2024, 3, 21),
    datetime(2024, 3, 21, 20, 21, 9),
    datetime(2024, 3, 21, 20, 21, 9, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
    timedelta(1),
    np.float32(0.1),
    np.int64(7),
    np.bool_(True),
    np.str_("text"),
    np.datetime64("2024-03-21"),
    np.datetime64("2024-03-21T20:21:09.123456789"),
    np.datetime64("NaT"),
    np.longdouble("1.5"),
    np.float64("nan"),
    np.timedelta64(1, "D"),
    pd.NA,
    pd.NaT,
    pd.Timestamp("2024-03-21 20:21:09"),
)
#: Cells of a row as somebody pastes it.
PASTED = (
    '"inf"',
    '"-inf"',
    '"x"',
    "3",
    "3.5",
    "true",
    "null",
    '"2024-03-21"',
    '"soon"',
    '"2024-03-21T20:21:09"',
    "[1]",
    "{}",
    '"2024-03-21T20:21:09+00:00"',
    "1e999",
    "NaN",
    "date(2024, 3, 21)",
    "datetime(2024, 3, 21, 20, 21, 9)",
    "float('inf')",
    "float('x')",
    "datetime.datetime(2024, 3, 21, tzinfo=datetime.UTC)",
    "datetime.date(2024, 13, 1)",
    "open('x')",
    "1 + 1",
    "None",
    "-3",
    "b'x'",
)


def _cells() -> Iterator[tuple[str, str]]:
    """Yield what each kind of column makes of each cell, alone, in a row that is pasted and in a declared column."""
    features = [
        Feature("a", "number"),
        Feature("a", "integer"),
        Feature("a", "boolean"),
        Feature("a", "category", ("text", "x")),
        Feature("a", "category", (3, 7), "integer"),
        Feature("a", "category", (0.5, 3.5), "number"),
        Feature("a", "category", (date(2024, 3, 21),), "date"),
        Feature("a", "ordinal", ("x", "text")),
        Feature("a", "date"),
        Feature("a", "timestamp"),
        Feature("a", "timestamp", (), "timestamp_utc"),
    ]
    for feature in features:
        kind = f"{feature.kind} {feature.scalar}"
        for place, cell in enumerate(CELLS):
            yield f"cell {kind} {place:02}", outcome(lambda f=feature, cell=cell: told(f.convert(cell)))
        for pasted in PASTED:
            schema = Schema([feature])
            for text in (f'{{"a": {pasted}}}', f"{{'a': {pasted}, 'b': 1}}"):
                found = outcome(lambda text=text, schema=schema: calls.row_from_text(text, schema))
                yield f"row {kind} {text}", found
    yield from _columns()


def _columns() -> Iterator[tuple[str, str]]:
    """Yield what columns of odd cells are, declared and not."""
    for kind in ("number", "integer", "boolean", "category", "ordinal:text<x<3", "date", "timestamp"):
        for place, cell in enumerate(CELLS):
            text = outcome(
                lambda kind=kind, cell=cell: Table.from_columns({"a": [cell, None, cell]}, types={"a": kind})
            )
            yield f"column {kind} {place:02}", text
    for place, cell in enumerate(CELLS):
        for other in (1, "x", date(2024, 3, 1), True):
            text = outcome(lambda cell=cell, other=other: Table.from_columns({"a": [cell, other]}))
            yield f"column of {place:02} and {other!r}", text

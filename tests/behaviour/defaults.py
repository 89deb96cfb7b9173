"""What rests on defaults: calls without a recipe or options. A changed default changes lines of this section alone."""

from collections.abc import Iterator
from typing import Any

from behaviour.calls import (
    c45,
    cart,
    check,
    compare_recipes,
    compile_rules,
    cross_validate,
    cross_validation_text,
    decision_table_text,
    diff,
    diff_text,
    evaluate,
    evaluation_text,
    explain,
    explanation_text,
    feature_gains,
    gains_text,
    grid_text,
    id3,
    importances,
    importances_text,
    outcome,
    permutation_importances,
    predict,
    predict_table,
    predictions_text,
    prune,
    relearn,
    review,
    reviews_text,
    rule_metrics,
    rules_text,
    rules_to_text,
    scores_text,
    to_dbt,
    to_dmn,
    to_javascript,
    to_python,
    to_sql,
    told,
    tree_text,
    tree_to_json,
    verdict_text,
)
from behaviour.calls import (
    learn_by_default as learn,
)
from behaviour.commands import LOAN, NUMBERS, run
from behaviour.parsing import parts
from behaviour.reading import working_in
from behaviour.stored import models, rows_of, tables
from behaviour.verdicts import is_small


def recorded() -> Iterator[tuple[str, str]]:
    """Yield learning, pruning, selection, emitting and commands by default."""
    for make in (cart, c45, id3):
        yield f"recipe {make.__name__}", repr(make())
    yield from _learned()
    for name, tree in models().items():
        if name not in ("leaves", "chain"):
            yield from _emitted(name, tree)
    for place, (name, part) in enumerate(parts()):
        if place % 12 == 0 and is_small(part):
            yield f"review {name}", outcome(lambda part=part: reviews_text([("file", [review(part)])]))
    with working_in({"loan.csv": LOAN.encode(), "numbers.csv": NUMBERS.encode()}):
        for line in (
            "learn loan.csv --target 类别 -o m.tree.json",
            "build loan.csv --target 类别 -o out",
            "rules m.tree.json",
            "check m.tree.json",
            "emit python m.tree.json",
            "gains loan.csv --target 类别",
            "learn numbers.csv --target y",
            "evaluate m.tree.json loan.csv",
            "importances m.tree.json",
            "predict m.tree.json loan.csv",
            "show m.tree.json",
            "prune m.tree.json --data loan.csv --cv 3",
            "emit sql m.tree.json --dialect duckdb",
            "emit dmn m.tree.json",
            "emit dbt m.tree.json -o dbt",
            "emit rules m.tree.json --dialect duckdb --keys id",
        ):
            yield f"command {line}", run(line.split())


def _learned() -> Iterator[tuple[str, str]]:
    for name, table in tables().items():
        yield f"learn {name}", outcome(lambda table=table: tree_to_json(learn(table, target="y")))
        yield f"learn {name} waiting", outcome(lambda table=table: tree_to_json(learn(target="y")(table)))
        if name.startswith("big"):
            continue
        if name in ("two", "number", "named", "small", "one_row"):
            yield f"cross_validate {name}", outcome(lambda table=table: _cross_validated(table))
            yield (
                f"grid {name}",
                outcome(lambda table=table: grid_text(compare_recipes(table, [cart(max_depth=2)], target="y"))),
            )
        yield f"gains {name}", outcome(lambda table=table: gains_text(feature_gains(table, target="y")))
        yield f"all {name}", outcome(lambda table=table: _used(table))


def _cross_validated(table: Any) -> str:
    found = cross_validate(table, target="y")
    return cross_validation_text(found) + tree_to_json(found.chosen())


def _used(table: Any) -> str:
    """Return what a default tree is pruned to, judged by and worth."""
    tree = learn(table, target="y")
    return "\n".join(
        [
            outcome(lambda: tree_to_json(prune(tree, alpha=0.5))),
            outcome(lambda: tree_to_json(prune(tree, "pessimistic"))),
            outcome(lambda: tree_to_json(prune(tree, "minimum_error"))),
            evaluation_text(evaluate(tree, table)),
            importances_text(importances(tree)),
            importances_text(permutation_importances(tree, table)),
            scores_text(rule_metrics(compile_rules(tree), table)),
            predictions_text(predict_table(tree, table)),
            told(predict(tree, table)),
            outcome(lambda: tree_to_json(relearn(tree, table))),
        ]
    )


def _emitted(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    rules, row = compile_rules(tree), rows_of(name)[0]
    made: dict[str, Any] = {
        "python": lambda: to_python(tree),
        "javascript": lambda: to_javascript(tree),
        "sql": lambda: to_sql(tree, dialect="ansi"),
        "dbt": lambda: "\n".join(f"{path}\n{text}" for path, text in to_dbt(tree).items()),
        "dmn": lambda: to_dmn(rules),
        "table": lambda: decision_table_text(rules),
        "text": lambda: rules_to_text(rules),
        "rules": lambda: rules_text(rules),
        "tree": lambda: tree_text(tree),
        "verdict": lambda: verdict_text(check(rules), rules),
        "explanation": lambda: explanation_text(explain(tree, row)),
        "diff": lambda: diff_text(diff(tree, rules)),
        "waiting": lambda: to_python(tree) + to_javascript(tree) + to_sql(tree, dialect="duckdb"),
    }
    for what, make in made.items():
        yield f"{what} of {name}", outcome(make)

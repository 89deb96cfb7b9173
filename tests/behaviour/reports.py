"""The text of every report in every format and both languages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from behaviour.calls import (
    c45,
    cart,
    compare_recipes,
    compile_rules,
    cross_validate,
    cross_validation_text,
    evaluate,
    evaluation_text,
    feature_gains,
    gains_text,
    grid_text,
    id3,
    importances,
    importances_text,
    learn,
    outcome,
    permutation_importances,
    rules_text,
    told,
    tree_text,
)
from behaviour.growing import RECIPES
from behaviour.pruned import TREES, drop_of, tree_called
from behaviour.stored import tables

FORMATS = ("text", "md", "csv", "json", "html", "xml")
LANGS = ("en", "zh", "de")
TEMPLATES = Path(__file__).parent / "templates"


def every(show: Any, value: Any, **more: Any) -> str:
    """Return a report in all formats and languages; wrong ones are refused."""
    texts = [
        outcome(lambda f=format, g=lang: show(value, format=f, lang=g, **more)) for format in FORMATS for lang in LANGS
    ]
    return "\n".join(texts)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield the reports on tables, trees and recipes."""
    for name, table in tables().items():
        drop = drop_of(name)
        for recipe_name in ("cart", "id3", "c45", "cart one_against_rest", "c45 quinlan", "c45 grouped"):
            recipe = RECIPES[recipe_name]()
            text = outcome(lambda t=table, r=recipe, d=drop: _gains(t, target="y", recipe=r, drop=d))
            yield f"gains {name} | {recipe_name}", text
        for task in ("classification", "regression"):
            text = outcome(lambda t=table, k=task: _gains(t, target="y", task=k, recipe=cart(missing="larger")))
            yield f"gains {name} | task={task}", text
        yield (
            f"gains {name} | keep",
            outcome(lambda t=table: _gains(t, target="y", keep=["w", "f"], drop=["x"], recipe=c45())),
        )
    for name, (table_name, _) in TREES.items():
        tree, table = tree_called(name), tables()[table_name]
        for node in (0, 1, 2, 77):
            text = outcome(lambda t=table, tree=tree, n=node: told(feature_gains(t, tree=tree, node=n)))
            yield f"gains of {name} | node={node}", text
        found = evaluate(tree, table)
        yield f"evaluation {name}", every(evaluation_text, found) + repr(found)
        yield f"evaluation {name} templates", outcome(lambda f=found: evaluation_text(f, templates=TEMPLATES))
        one, other = importances(tree), permutation_importances(tree, table, repeats=2, seed=1)
        yield f"importances {name}", every(importances_text, one) + every(importances_text, other) + repr(one)
        yield f"importances {name} ranked", told([one.ranked, other.ranked])
        yield f"rules {name}", every(rules_text, compile_rules(tree))
        yield f"drawing {name}", every(tree_text, tree)
    yield from _selection()
    yield from _digits()


def _gains(table: Any, **choices: Any) -> str:
    found = feature_gains(table, **choices)
    html = found._repr_html_() if hasattr(found, "_repr_html_") else ""
    return "\n".join([told(found), repr(found), html, every(gains_text, found)])


def _digits() -> Iterator[tuple[str, str]]:
    found = feature_gains(tables()["three"], target="y", recipe=cart(), drop=["w", "f"])
    for digits in (0, 1, 7, 17, -1, 18, 2.5):
        yield f"gains digits={digits}", outcome(lambda d=digits: gains_text(found, digits=d))
    yield "gains templates", outcome(lambda: gains_text(found, templates=TEMPLATES))
    missing = outcome(lambda: _gains(tables()["two_missing"], target="flag", drop_missing_target=True, recipe=id3()))
    yield "gains missing target dropped", missing
    yield "gains missing target", outcome(lambda: feature_gains(tables()["two_missing"], target="flag", recipe=id3()))
    yield "gains of nothing", outcome(lambda: feature_gains(tables()["two_missing"]))
    tree = learn(tables()["two"], target="y", recipe=cart(), drop=["w", "f"])
    yield "gains of both", outcome(lambda: feature_gains(tables()["two"], target="y", tree=tree))


def _selection() -> Iterator[tuple[str, str]]:
    for name in ("two", "three_missing", "number"):
        found = cross_validate(tables()[name], target="y", recipe=cart(min_samples_leaf=3), folds=5, drop=drop_of(name))
        yield f"cross-validation {name}", every(cross_validation_text, found) + repr(found)
        row = outcome(lambda f=found: f.row("least"))
        yield f"cross-validation {name} row", row
        rows = compare_recipes(
            tables()[name],
            [cart(max_depth=2), c45(missing="larger", max_depth=3)]
            if name != "number"
            else [cart(max_depth=2), cart(min_samples_leaf=9)],
            target="y",
            folds=3,
            drop=drop_of(name),
        )
        yield f"grid {name}", every(grid_text, rows) + repr(rows)

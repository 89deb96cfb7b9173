"""What numba's compiled kernels grow and find: where numba is not installed, nothing is recorded."""

from collections.abc import Iterator
from typing import Any

from behaviour.calls import (
    apply,
    cart,
    compare_recipes,
    cross_validate,
    cross_validation_text,
    grid_text,
    learn,
    outcome,
    predict,
    tree_to_json,
)
from behaviour.growing import PLAIN, RECIPES, grown
from behaviour.predicting import table_of
from behaviour.stored import models, rows_of, tables


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what the kernels make, on one thread and on several."""
    yield from grown(("compiled", "threads"))
    for name, tree in models().items():
        table = table_of(tree, rows_of(name))
        yield f"predict {name}", outcome(lambda tree=tree, table=table: predict(tree, table, compiled=True))
        yield f"rule_numbers {name}", outcome(lambda tree=tree, table=table: apply(tree, table, compiled=True))
    yield from _selected()
    for table in ("three", "number", "big", "big_number", "named"):
        heard: list[Any] = []
        for threads in (1, 2):
            learn(tables()[table], target="y", recipe=cart(max_depth=4), compiled=True, threads=threads,
                  progress=lambda *told, heard=heard: heard.append(told),
                  drop=PLAIN["drop"] if "w" in tables()[table].schema.indices else [])  # fmt: skip
        yield f"progress {table}", repr(heard[-1])


def _selected() -> Iterator[tuple[str, str]]:
    """Yield cross-validation once the kernels are loaded, which take part then."""
    for table in ("three", "number", "two_missing", "named", "corners", "big_missing"):
        drop = PLAIN["drop"] if "w" in tables()[table].schema.indices else []
        for name in ("cart min_samples_leaf=5", "cart entropy base=2", "c45 missing=larger", "cart one_against_rest"):
            for complexity in ("breiman", "rpart"):
                found = outcome(
                    lambda table=table, name=name, complexity=complexity, drop=drop: _cp_text(
                        tables()[table], RECIPES[name](), complexity, drop
                    )
                )
                yield f"cp {table} | {name} | {complexity}", found
        text = outcome(lambda table=table, drop=drop: _grid_text(tables()[table], drop))
        yield f"grid {table}", text


def _cp_text(table: Any, recipe: Any, complexity: str, drop: list[str]) -> str:
    found = cross_validate(table, target="y", recipe=recipe, folds=5, complexity=complexity, drop=drop)
    return cross_validation_text(found, format="json") + tree_to_json(found.chosen("1se"))


def _grid_text(table: Any, drop: list[str]) -> str:
    recipes = {name: RECIPES[name]() for name in ("cart max_depth=2", "cart min_samples_leaf=5", "cart entropy base=2")}
    return grid_text(compare_recipes(table, recipes, target="y", folds=4, drop=drop), format="json")

"""Pruning by every method and option, learning again, cross-validation and grids of recipes."""

from collections.abc import Iterator
from typing import Any

from behaviour.calls import (
    LIMITS,
    c45,
    cart,
    compare_recipes,
    cost_complexity_path,
    cross_validate,
    cross_validation_text,
    extra_errors,
    grid_text,
    id3,
    learn,
    outcome,
    penalised_loss,
    prune,
    relearn,
    told,
    tree_from_json,
    tree_to_json,
)
from behaviour.growing import NAMED, PLAIN, RECIPES
from behaviour.stored import models, tables

#: The trees that are pruned: the table and the recipe.
TREES: dict[str, tuple[str, Any]] = {
    "cart two": ("two", cart(criterion="gini")),
    "cart two_missing": ("two_missing", cart(missing="learned")),
    "cart three": ("three", cart(criterion="entropy")),
    "cart fraction": ("three_missing", cart(missing="fraction")),
    "cart branch": ("two_missing", cart(missing="branch")),
    "cart weights": ("three", cart(class_weight="balanced")),
    "cart costs": ("three", cart(costs={("小", "大"): 5})),
    "cart priors": ("three", cart(priors={"小": 0.5, "中": 0.25, "大": 0.25})),
    "cart number": ("number", cart(min_samples_leaf=2)),
    "cart number_missing": ("number_missing", cart(missing="larger")),
    "cart monotone": ("number", cart(monotone={"x": 1})),
    "cart corners": ("corners", cart(max_depth=6)),
    "cart corners_number": ("corners_number", cart(max_depth=6)),
    "id3 named": ("named", id3(base="2")),
    "id3 named_missing": ("named_missing", id3(missing="larger")),
    "c45 three": ("three", c45(missing="larger")),
    "c45 three_missing": ("three_missing", c45(missing="fraction")),
    "c45 quinlan": ("three_missing", c45(quinlan=True, unpruned=True)),
    "c45 grouped": ("two", c45(categories="grouped")),
    "one_class": ("one_class", cart(max_depth=3)),
}
#: Methods and options; "same" and "other" stand for the training table and one like it.
METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("penalised", {"alpha": alpha, "base": base}) for alpha in (0, 0.5, 2.5, 20) for base in ("2", "e")),
    *(("cost_complexity", {"alpha": alpha}) for alpha in (0.0, 0.01, 0.5, 1.0, 3, 100)),
    *(("cost_complexity", {"alpha": 0.4, "risk": risk})
      for risk in ("misclassification", "gini", "entropy", "squared_error")),
    *(("pessimistic", {"confidence": confidence, "limit": limit})
      for confidence in (0.05, 0.25, 0.5) for limit in ("quinlan", "j48", "binomial")),
    *(("pessimistic", {"table": "same", "limit": limit}) for limit in ("quinlan", "j48", "binomial")),
    ("pessimistic", {"table": "same", "confidence": 0.1}),
    ("pessimistic", {"table": "other"}),
    ("reduced_error", {"table": "other"}),
    ("reduced_error", {"table": "same"}),
    ("reduced_error", {"table": "other", "weight": "w"}),
    *(("minimum_error", {"m": m}) for m in (0, 0.5, 2, 30)),
    ("snip", {"node": 0}), ("snip", {"node": 1}), ("snip", {"node": [1, 2]}), ("snip", {"node": 9999}),
    ("merge_equal_leaves", {}),
)  # fmt: skip
#: The trees that are cross-validated in every way.
FEW = ("cart two", "cart costs", "cart number", "id3 named_missing")
_OTHERS = {
    "two": "two_missing", "two_missing": "two", "three": "three_missing", "three_missing": "three",
    "number": "number_missing", "number_missing": "number", "named": "three", "named_missing": "two_missing",
    "corners": "corners", "corners_number": "corners_number", "one_class": "one_class",
}  # fmt: skip


def drop_of(name: str) -> list[str]:
    """Return the columns of weights and folds of a table, where it has them."""
    return PLAIN["drop"] if "w" in tables()[name].schema.indices else []


def tree_called(name: str) -> Any:
    """Return one of the trees that are pruned."""
    table, recipe = TREES[name]
    return learn(tables()[table], target="y", recipe=recipe, drop=drop_of(table), compiled=False)


def _given(name: str, options: dict[str, Any]) -> dict[str, Any]:
    table = TREES[name][0]
    wanted = {"same": tables()[table], "other": tables()[_OTHERS[table]]}
    return {key: wanted.get(value, value) if isinstance(value, str) else value for key, value in options.items()}


def recorded() -> Iterator[tuple[str, str]]:
    """Yield each tree pruned in every way, the paths, the losses and the limits of errors."""
    for name in TREES:
        tree = tree_called(name)
        for method, options in METHODS:
            called = " ".join(f"{key}={value}" for key, value in options.items())
            given = _given(name, options)
            text = outcome(lambda tree=tree, method=method, given=given: prune(tree, method, **given))
            yield f"{name} | {method} {called}".strip(), text
        for risk in (None, "misclassification", "gini", "entropy", "squared_error"):
            yield f"{name} | path risk={risk}", outcome(lambda tree=tree, risk=risk: _path(tree, risk))
        for alpha in (0.0, 1.5):
            for base in ("2", "e"):
                loss = outcome(lambda tree=tree, alpha=alpha, base=base: penalised_loss(tree, alpha=alpha, base=base))
                yield f"{name} | loss alpha={alpha} base={base}", loss
    yield from _drawn()
    for limit in LIMITS:
        found = [[extra_errors(n, errors, confidence, limit) for n in (0, 1, 2.5, 6, 9, 14, 100, 1e6)]
                 for errors in (0, 0.3, 1, 1.5, 5) for confidence in (0.001, 0.1, 0.25, 0.5)]  # fmt: skip
        yield f"limit {limit}", repr(found)


def _drawn() -> Iterator[tuple[str, str]]:
    """Yield trees that were not learned, merged and snipped."""
    for name, tree in models().items():
        for method, options in (("merge_equal_leaves", {}), ("snip", {"node": 1}), ("minimum_error", {"m": 1.0})):
            yield f"{name} | {method}", outcome(lambda tree=tree, m=method, options=options: prune(tree, m, **options))


def _path(tree: Any, risk: str | None) -> str:
    path = cost_complexity_path(tree, risk=risk)
    some = [tree_to_json(path.subtree(alpha)) for alpha in (0.0, *path.alphas[1:4], 1e9)]
    return told([path.risk, path.steps, path.alphas, some, list(path.subtrees())])


def relearned() -> Iterator[tuple[str, str]]:
    """Yield trees that are learned again, from the same rows and from others, as they were pruned."""
    for name, (table, recipe) in TREES.items():
        tree = tree_called(name)
        yield f"{name} | same", outcome(lambda tree=tree, table=table: relearn(tree, tables()[table]))
        other = tables()[_OTHERS[table]]
        yield f"{name} | other", outcome(lambda tree=tree, other=other: relearn(tree, other))
        yield f"{name} | anew", outcome(lambda tree=tree, other=other: relearn(tree, other, anew=True))
        for method, options in (("cost_complexity", {"alpha": 1.0}), ("merge_equal_leaves", {}), ("snip", {"node": 1}),
                                ("pessimistic", {"confidence": 0.2})):  # fmt: skip
            text = outcome(lambda tree=tree, table=table, m=method, options=options: relearn(
                tree_from_json(tree_to_json(prune(tree, m, **options))), tables()[table]))  # fmt: skip
            yield f"{name} | {method}", text
        weighted = outcome(lambda table=table, recipe=recipe: _weighted(table, recipe))
        yield f"{name} | weight", weighted
    yield from _again_with_others()


def _weighted(table: str, recipe: Any) -> str:
    known = tables()[table]
    tree = learn(known, target="y", recipe=recipe, drop=["f"], weight="w")
    again = relearn(tree, known)
    raised = outcome(lambda: relearn(tree, known, weight="w"))
    return tree_to_json(tree) + tree_to_json(again) + raised


def _again_with_others() -> Iterator[tuple[str, str]]:
    known, judge, n = tables()["two"], tables()["two_missing"], 60
    tree = learn(known, target="y", recipe=cart(), drop=["f", "w"], validation=judge)
    yield "validation", outcome(lambda: relearn(tree, known, validation=judge))
    yield "validation left out", outcome(lambda: relearn(tree, known))
    yield "validation another", outcome(lambda: relearn(tree, known, validation=known))
    yield "validation too many", outcome(lambda: relearn(tree_called("cart two"), known, validation=judge))
    array = [1 + place % 2 for place in range(n)]
    weighted = learn(known, target="y", recipe=cart(), drop=["f", "w"], weight=array)
    yield "array", outcome(lambda: relearn(weighted, known, weight=array))
    yield "array left out", outcome(lambda: relearn(weighted, known))
    yield "array too many", outcome(lambda: relearn(tree_called("cart two"), known, weight=array))
    pruned = prune(tree_called("cart two"), "reduced_error", table=judge)
    yield "pruned with a table", outcome(lambda: relearn(pruned, known))
    for name, tree in models().items():
        if name.startswith(("drawn0", "learned")):
            yield f"model {name}", outcome(lambda tree=tree: relearn(tree, tables()["three"], anew=True))


def selected() -> Iterator[tuple[str, str]]:
    """Yield cross-validation, cp tables and grids."""
    for name, (table, recipe) in TREES.items():
        for folds in (3, 10, "f") if name in FEW else (4,):
            for complexity in ("breiman", "rpart"):
                text = outcome(lambda t=table, r=recipe, f=folds, c=complexity: _cross_validated(
                    t, recipe=r, folds=f, complexity=c))  # fmt: skip
                yield f"{name} | folds={folds} complexity={complexity}", text
        for choice, options in (("cp=0.02", {"cp": 0.02}), ("seed=7", {"seed": 7}), ("weight=w", {"weight": "w"}),
                                ("processes=2", {"processes": 2, "folds": 3})):  # fmt: skip
            if name not in FEW or (choice == "processes=2" and name != "cart two"):
                continue
            text = outcome(lambda t=table, r=recipe, o=options: _cross_validated(t, recipe=r, **{"folds": 4, **o}))
            yield f"{name} | {choice}", text
        tree = tree_called(name)
        text = outcome(lambda t=table, tree=tree: told(cross_validate(tables()[t], tree=tree, folds=4)))
        yield f"{name} | of the tree", text
    yield from _grids()


def _cross_validated(table: str, **options: Any) -> str:
    known = tables()[table]
    drop = [name for name in drop_of(table) if name not in (options.get("weight"), options.get("folds"))]
    found = cross_validate(known, target="y", drop=drop, **options)
    texts = [cross_validation_text(found, format=format) for format in ("text", "json")]
    return "\n".join([*texts, *(tree_to_json(found.chosen(rule)) for rule in ("1se", "min"))])


def _grids() -> Iterator[tuple[str, str]]:
    for table in ("two", "number", "named_missing"):
        names = [name for place, name in enumerate(RECIPES) if place % 8 == 0]
        recipes = {name: RECIPES[name]() for name in names}
        for folds in (4, "f"):
            text = outcome(lambda t=table, r=recipes, f=folds: _grid(t, r, folds=f))
            yield f"grid {table} | folds={folds}", text
        some = {name: recipes[name] for name in names if name.startswith("cart")}
        yield f"grid {table} | cart", outcome(lambda t=table, r=some: _grid(t, r, folds=3, seed=3))
        yield f"grid {table} | weight", outcome(lambda t=table, r=some: _grid(t, r, folds=3, weight="w"))
        listed = list(some.values())[:3]
        yield f"grid {table} | listed", outcome(lambda t=table, r=listed: _grid(t, r, folds=3))
    for name, (table, recipe) in NAMED.items():
        yield f"grid {table} | {name}", outcome(lambda t=table, r=recipe: _grid(t, [r(), r()], folds=3))


def _grid(table: str, recipes: Any, **options: Any) -> str:
    drop = [name for name in drop_of(table) if name not in (options.get("weight"), options.get("folds"))]
    found = compare_recipes(tables()[table], recipes, target="y", drop=drop, **options)
    return grid_text(found, format="text") + grid_text(found, format="json") + told(found.rows)

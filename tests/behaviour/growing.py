"""Learning: every recipe and option, every grower that does not need numba, every task."""

from collections.abc import Iterator, Mapping
from typing import Any

from behaviour.calls import GROWERS, c45, cart, id3, learn, outcome, tree_to_json
from behaviour.stored import tables

#: Each recipe with what it is called.
RECIPES: dict[str, Any] = {
    "cart": lambda: cart(criterion="gini", categories="subset", missing="learned"),
    "cart missing=larger": lambda: cart(missing="larger"),
    "cart missing=fraction": lambda: cart(missing="fraction"),
    "cart missing=branch": lambda: cart(missing="branch"),
    "cart missing=error": lambda: cart(missing="error"),
    "cart entropy base=2": lambda: cart(criterion="entropy", base="2"),
    "cart entropy base=e": lambda: cart(criterion="entropy", base="e", missing="larger"),
    "cart one_against_rest": lambda: cart(categories="one_against_rest"),
    "cart one_against_rest entropy": lambda: cart(categories="one_against_rest", criterion="entropy", missing="larger"),
    "cart max_depth=0": lambda: cart(max_depth=0),
    "cart max_depth=2": lambda: cart(max_depth=2),
    "cart max_leaves=5": lambda: cart(max_leaves=5),
    "cart min_samples_leaf=5": lambda: cart(min_samples_leaf=5),
    "cart min_samples_leaf=2.5 min_samples_split=9": lambda: cart(min_samples_leaf=2.5, min_samples_split=9),
    "cart min_gain=0.02": lambda: cart(min_gain=0.02),
    "cart min_gain=0.125": lambda: cart(min_gain=0.125),
    "cart min_impurity=0.3": lambda: cart(min_impurity=0.3),
    "cart class_weight=balanced": lambda: cart(class_weight="balanced"),
    "cart feature_cost": lambda: cart(feature_cost={"x": 10, "a": 3.0}),
    "cart prefer": lambda: cart(prefer=["level", "flag"]),
    "id3": lambda: id3(base="2", missing="larger"),
    "id3 base=e min_gain=0.05": lambda: id3(base="e", min_gain=0.05),
    "id3 missing=fraction": lambda: id3(missing="fraction"),
    "id3 missing=branch": lambda: id3(missing="branch"),
    "id3 missing=learned max_depth=2": lambda: id3(missing="learned", max_depth=2),
    "id3 max_leaves=7 min_samples_leaf=3": lambda: id3(max_leaves=7, min_samples_leaf=3),
    "c45": lambda: c45(categories="multiway", missing="fraction"),
    "c45 missing=larger": lambda: c45(missing="larger"),
    "c45 missing=learned": lambda: c45(missing="learned"),
    "c45 missing=branch average_gain": lambda: c45(missing="branch", average_gain=True),
    "c45 base=e average_gain": lambda: c45(base="e", average_gain=True, missing="larger"),
    "c45 subset": lambda: c45(categories="subset", missing="larger"),
    "c45 one_against_rest": lambda: c45(categories="one_against_rest", missing="larger"),
    "c45 grouped": lambda: c45(categories="grouped", missing="fraction"),
    "c45 quinlan": lambda: c45(quinlan=True),
    "c45 quinlan unpruned": lambda: c45(quinlan=True, unpruned=True),
    "c45 quinlan confidence=0.1": lambda: c45(quinlan=True, confidence=0.1),
    "c45 quinlan grouped": lambda: c45(quinlan=True, categories="grouped"),
    "c45 confidence=0.25": lambda: c45(confidence=0.25, missing="larger"),
    "c45 max_depth=3 min_samples_leaf=2": lambda: c45(max_depth=3, min_samples_leaf=2, missing="larger"),
    "c45 min_gain=0.1": lambda: c45(min_gain=0.1, missing="larger"),
    "c45 class_weight=balanced": lambda: c45(class_weight="balanced"),
}
#: Recipes whose options name classes or features of one table.
NAMED: dict[str, tuple[str, Any]] = {
    "cart priors": ("three", lambda: cart(priors={"小": 0.5, "中": 0.25, "大": 0.25})),
    "cart costs": ("three", lambda: cart(costs={("小", "大"): 5, ("大", "小"): 2.5})),
    "cart class_weight": ("three_missing", lambda: cart(class_weight={"小": 3, "大": 0.5})),
    "cart costs two": ("two", lambda: cart(costs={("yes", "no"): 4}, max_depth=2)),
    "cart costs missing": ("two_missing", lambda: cart(costs={("yes", "no"): 4}, missing="fraction")),
    "cart monotone": ("number", lambda: cart(monotone={"x": 1, "n": -1}, max_depth=5)),
    "cart monotone missing": ("number_missing", lambda: cart(monotone={"x": 1}, max_depth=4)),
    "cart monotone classes": ("two", lambda: cart(monotone={"x": 1})),
    "cart monotone booleans": ("booleans", lambda: cart(monotone={"x": -1, "n": 1}, missing="larger")),
    "c45 costs": ("three", lambda: c45(costs={("小", "大"): 5}, missing="larger")),
    "c45 monotone": ("two", lambda: c45(monotone={"x": 1}, categories="subset", missing="larger")),
    "id3 priors": ("named", lambda: id3(priors={"小": 0.2, "中": 0.3, "大": 0.5})),
    "id3 class_weight": ("named_missing", lambda: id3(class_weight={"yes": 2})),
    "cart priors weight": ("integers", lambda: cart(priors={0: 0.2, 1: 0.3, 2: 0.5})),
}
#: What else `learn` is asked, with the table.
CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    "weight column": ("three", {"weight": "w"}),
    "weight column missing": ("two_missing", {"weight": "w", "drop": ["f"]}),
    "weight number": ("number", {"weight": "w"}),
    "weight array": ("two", {"weight": [1 + place % 3 for place in range(60)]}),
    "weight zeros": ("two", {"weight": [place % 2 for place in range(60)]}),
    "weight fractions": ("three", {"weight": [0.5 + place / 7 for place in range(120)]}),
    "weight ones": ("two", {"weight": [1.0] * 60}),
    "task regression": ("integers", {"task": "regression"}),
    "task classification": ("integers", {"task": "classification"}),
    "task classification of numbers": ("big_number", {"task": "classification"}),
    "keep": ("two", {"keep": ["w", "f"]}),
    "drop": ("two", {"drop": ["w", "f", "x"]}),
    "target level": ("three", {"target": "level"}),
    "target day": ("three", {"target": "day"}),
    "target flag missing": ("two_missing", {"target": "flag"}),
    "target flag missing dropped": ("two_missing", {"target": "flag", "drop_missing_target": True}),
    "target x missing dropped": ("two_missing", {"target": "x", "drop_missing_target": True}),
}
#: What is learned from without the columns of weights and folds.
PLAIN = {"drop": ["w", "f"]}
_BIG = ("big", "big_missing", "big_number")


def plain_of(table: Any) -> dict[str, Any]:
    """Return the choices that leave out the columns of weights and folds, where the table has them."""
    return PLAIN if "w" in table.schema.indices else {}


def grown(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the tree of each recipe and table by each of the named growers."""
    for table_name, table in tables().items():
        for recipe_name, recipe in RECIPES.items():
            yield from _by(names, table_name, recipe_name, table, recipe)
    for recipe_name, (table_name, recipe) in NAMED.items():
        yield from _by(names, table_name, recipe_name, tables()[table_name], recipe)


def _by(names: tuple[str, ...], table_name: str, recipe_name: str, table: Any, recipe: Any) -> Iterator[Any]:
    choices = {"target": "y", **plain_of(table)}
    for grower in names:
        if table_name in _BIG and (grower == "reference" or not _is_bounded(recipe_name)):
            continue
        text = outcome(lambda grower=grower: _tree(GROWERS[grower](table, recipe(), choices)))
        if text:
            yield f"{table_name} | {recipe_name} | {grower}", text


def _is_bounded(recipe_name: str) -> bool:
    """Whether a recipe is learned from the big tables too: those that level-wise growth and kernels take."""
    return recipe_name.startswith("cart") and any(
        word in recipe_name for word in ("max_depth", "min_samples", "entropy", "min_gain", "one_against", "larger")
    )


def _tree(tree: Any) -> str:
    return "" if tree is None else tree_to_json(tree)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is learned without numba."""
    yield from grown(("reference", "levelwise", "learn"))
    for name, (table, choices) in CHOICES.items():
        for recipe_name in ("cart", "c45", "id3", "cart min_samples_leaf=5"):
            text = outcome(lambda table=table, choices=choices, recipe=recipe_name: _chosen(table, choices, recipe))
            yield f"{table} | {recipe_name} | {name}", text
    yield from _validated()
    yield from _told_progress()


def _chosen(table: str, choices: Mapping[str, Any], recipe: str) -> str:
    given = {"target": "y", **choices}
    return tree_to_json(learn(tables()[table], recipe=RECIPES[recipe](), compiled=False, **given))


def _validated() -> Iterator[tuple[str, str]]:
    """Yield trees whose splits are judged on other rows."""
    pairs = (("two", "two_missing"), ("three", "three_missing"), ("number", "number_missing"),
             ("named", "three_missing"), ("named_missing", "two"))  # fmt: skip
    for table, judge in pairs:
        for recipe_name in ("cart", "c45", "id3", "c45 quinlan", "cart max_leaves=5"):
            for weight in (None, "w"):
                text = outcome(
                    lambda table=table, judge=judge, recipe=recipe_name, weight=weight: tree_to_json(
                        learn(
                            tables()[table],
                            target="y",
                            recipe=RECIPES[recipe](),
                            drop=["f"] if weight else ["f", "w"],
                            validation=tables()[judge],
                            weight=weight,
                        )
                    )
                )
                yield f"{table} | {recipe_name} | validation={judge} weight={weight}", text


def _told_progress() -> Iterator[tuple[str, str]]:
    """Yield what progress hears."""
    for table, names in (("three", ("cart", "c45")), ("three_missing", ("cart", "c45")), ("number", ("cart",))):
        for recipe_name in names:
            heard: list[tuple[int, int]] = []
            learn(
                tables()[table],
                target="y",
                recipe=RECIPES[recipe_name](),
                compiled=False,
                progress=lambda *told, heard=heard: heard.append(told),
                **PLAIN,
            )
            yield f"{table} | {recipe_name} | progress", repr(heard)

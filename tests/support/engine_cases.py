"""Trees with the rows they are tried on in SQL engines, drawn from the corners: what a column stores and what it means.

A number is stored as a double, in single precision or as a decimal; the tree's answer is that for `float(cell)`.
"""

import math
from collections.abc import Mapping
from decimal import Context, Decimal
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from engines import Engine, Stored
from strategies_random import NAMES, TEXTS, a_feature, a_schema, a_tree, a_value, thresholds_of
from treerules import Condition, Feature, Kind, Schema, Table, Tree, c45, cart, compile_rules, id3, learn
from treerules.data.column import of_values

N_DRAWN, N_LEARNED = 8, 8
#: Categories that some collation, encoding, trimming or quoting takes for one another.
HOSTILE = (
    *TEXTS,
    "a ",
    " a",
    "ａ",
    "ß",
    "ss",
    "I",
    "ı",
    "i",
    "😀",
    "😃",
    "中文",
    "中文 ",
    "\\'",
    "a\\",
    "\u2028",
    "NULL",
)
#: A decimal column's cells have so many digits behind the point.
STEP, _EXACTLY = Decimal("1e-19"), Context(prec=60)


class World(NamedTuple):
    """A tree, and how the columns of its rows are stored: scalars, or float32 and decimal for a number."""

    tree: Tree
    types: list[str]


class Row(NamedTuple):
    """A row as it is stored, and as the tree sees it."""

    cells: list[Any]
    values: dict[str, Any]


_NUMBERS = ("number", "float32", "decimal")


def _features(random: Random) -> tuple[list[Feature], list[str]]:
    """Return features of any kinds; numbers stored in every way and a category of hostile values are always there."""
    names = random.sample(NAMES, 9)
    numbers = [Feature(name, Kind.NUMBER) for name in names[:3]]
    hostile = Feature(names[3], Kind.CATEGORY, sorted(random.sample(HOSTILE, 12)))
    features = [*numbers, hostile, *(a_feature(random, name) for name in names[4:])]
    stored = [random.choice(_NUMBERS) if f.scalar == "number" else f.scalar for f in features[3:]]
    return features, [*_NUMBERS, *stored]


def _drawn(seed: int) -> World:
    random = Random(seed)
    features, types = _features(random)
    schema = Schema(features, a_schema(random, 1).target)
    return World(a_tree(random, schema, 60, deep=seed % 2 == 0), types)


def _learned(seed: int) -> World:
    """Return a tree that a recipe learns from 150 rows of corners, whose target depends on some of them."""
    random = Random(seed)
    recipe, regression = [
        (cart(), False),
        (c45(), False),
        (cart(), True),
        (id3(), False),
        (c45(quinlan=True), False),
        (c45(categories="grouped", missing="branch"), False),
        (cart(categories="one_against_rest", missing="larger"), False),
        (c45(categories="subset", missing="learned"), False),
    ][seed % 8]
    features, types = _features(random)
    kept = [place for place, feature in enumerate(features) if recipe.has_cuts or feature.kind in _GROUPED]
    features, types = [features[place] for place in kept], [types[place] for place in kept]
    cells = [[a_value(random, feature, ()) for feature in features] for _ in range(150)]
    known = [[value if _is_known(feature, value) else None for feature, value in zip(features, row, strict=True)]
             for row in cells]  # fmt: skip
    scores = [sum(hash_of(value) for value in row[:4]) % 5 for row in known]
    goal = Feature("y", Kind.NUMBER) if regression else Feature("y", Kind.CATEGORY, ("", "c", "it's", "é", "否"))
    target = [float(score) if regression else goal.categories[score] for score in scores]
    columns = [of_values(f, [row[place] for row in known]) for place, f in enumerate(features)]
    table = Table([*columns, of_values(goal, target)], declared=frozenset(feature.name for feature in features))
    tree = learn(table, target="y", recipe=recipe)
    used = [feature.name for feature in tree.schema.features]
    stored = dict(zip((feature.name for feature in features), types, strict=True))
    return World(tree, [stored[name] for name in used])


_GROUPED = (Kind.BOOLEAN, Kind.CATEGORY, Kind.ORDINAL)


def _is_known(feature: Feature, value: Any) -> bool:
    return feature.is_ordered or feature.kind is Kind.BOOLEAN or value in feature.categories


def hash_of(value: Any) -> int:
    """Return a number of a value, the same in every run."""
    return sum(repr(value).encode())


@cache
def worlds(kind: str) -> tuple[World, ...]:
    """Return the trees of a kind, drawn or learned."""
    if kind == "drawn":
        return tuple(_drawn(seed) for seed in range(N_DRAWN))
    return tuple(_learned(seed) for seed in range(N_LEARNED))


def a_cell(random: Random, feature: Feature, type: str, cuts: tuple[Any, ...]) -> Any:
    """Return a cell from the corners of a column as it is stored."""
    value = a_value(random, feature, cuts)
    if type == "float32":
        return _single(random, value)
    if type == "decimal":
        return _decimal(random, value)
    if type == "text" and random.random() < 0.5:
        return _lookalike(random, random.choice(feature.categories or ("a",)))
    return value


def _single(random: Random, value: Any) -> Any:
    if value is None:
        return None
    with np.errstate(over="ignore"):
        single = np.float32(value)
        return float(np.nextafter(single, np.float32(random.choice((-math.inf, math.inf, single)))))


def _decimal(random: Random, value: Any) -> Any:
    if value is None or math.isnan(value):
        return None
    if abs(value) >= 1e18:
        value = math.copysign(0.3, value)
    return _EXACTLY.add(_EXACTLY.quantize(Decimal(value), STEP), random.choice((-STEP, Decimal(0), STEP)))


def _lookalike(random: Random, text: str) -> str:
    """Return another text that a careless comparison takes for this one."""
    others = (text + " ", text + "\t", text.swapcase(), text.replace("é", "e\u0301"), text.replace("e\u0301", "é"))
    return random.choice((*others, text + "\u3000", text.replace("a", "ａ"), "😃", *HOSTILE))


def rows_of(world: World, engine: Engine, n: int, seed: int) -> tuple[list[Row], int]:
    """Return n rows that the engine can store, every other aimed at a rule, and how many others were drawn."""
    random, cuts = Random(seed), thresholds_of(world.tree)
    rules = compile_rules(world.tree).rules
    found, left_out = list[Row](), 0
    while len(found) < n:
        aim = dict(random.choice(rules).conditions) if len(found) % 2 else {}
        row = _row(random, world, cuts, aim)
        if all(map(engine.holds, row.cells)):
            found.append(row)
        else:
            left_out += 1
    return found, left_out


def _row(random: Random, world: World, cuts: Mapping[int, tuple[Any, ...]], aim: Mapping[str, Condition]) -> Row:
    """Return a row whose values, if some tries find such ones, meet the conditions aimed at."""
    cells, values = [], {}
    for place, (feature, type) in enumerate(zip(world.tree.schema.features, world.types, strict=True)):
        for _ in range(20):
            cell = a_cell(random, feature, type, cuts.get(place, ()))
            value = float(cell) if isinstance(cell, Decimal) else cell
            if feature.name not in aim or aim[feature.name].holds(feature, feature.convert(value)):
                break
        cells.append(cell)
        values[feature.name] = value
    return Row(cells, values)


def columns_of(world: World, rows: list[Row]) -> list[Stored]:
    """Return the columns of rows as an engine stores them."""
    features = world.tree.schema.features
    return [
        Stored(feature.name, type, [row.cells[place] for row in rows])
        for place, (feature, type) in enumerate(zip(features, world.types, strict=True))
    ]

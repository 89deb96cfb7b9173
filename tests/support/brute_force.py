"""Small domains that can be looked at row by row: rule sets drawn over them, and what brute force finds."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise, product
from random import Random
from typing import Any, NamedTuple

from treerules import Condition, Feature, Interval, Members, Rule, RuleFigures, Schema
from treerules.data.domain import ColumnDomain
from treerules.trees import ClassPrediction

FEATURES = (
    Feature("n", "integer"),
    Feature("d", "date"),
    Feature("x", "number"),
    Feature("b", "boolean"),
    Feature("c", "category", ["p", "q", "r"]),
    Feature("o", "ordinal", ["S", "L"]),
)
TARGET = Feature("y", "category", ["A", "B"])
_DAYS = [date(2024, 2, 27) + timedelta(days=n) for n in range(6)]
#: Bounds that rules may have: neighbours, so that whatever lies between is a value or nothing.
BOUNDS: dict[str, list[Any]] = {
    "n": [-1, 0, 1, 2, 3, 4],
    "d": _DAYS,
    "x": [-1.0, 0.0, 5e-324, 1e-323, 1.5e-323, 1.0],
}
_BEYOND: dict[str, list[Any]] = {
    "n": [-(2**63), 2**63 - 1],
    "d": [date.min, date.max],
    "x": [float("-inf"), float("inf")],
}

Row = dict[str, Any]


class World(NamedTuple):
    """A schema, a domain declared of it, all rows that differ to rules with those bounds, and rules."""

    schema: Schema
    domain: dict[str, ColumnDomain] | None
    rows: list[Row]
    rules: list[Rule]


def a_domain(random: Random, feature: Feature) -> ColumnDomain:
    """Return what may come in a column: from its second bound to its fifth, or two categories without others."""
    missing = random.random() < 0.5
    if feature.is_ordered:
        bounds = BOUNDS[feature.name]
        return ColumnDomain(bounds[1], bounds[4] if random.random() < 0.7 else None, missing=missing)
    return ColumnDomain(missing=missing, unseen=random.random() < 0.5)


def values(feature: Feature, domain: dict[str, ColumnDomain] | None) -> list[Any]:
    """Return a value for every cell of a column, ordered ones in their order, missing last."""
    declared = (domain or {}).get(feature.name, ColumnDomain())
    if feature.is_ordered:
        every = sorted([*BOUNDS[feature.name], *_BEYOND[feature.name]])
        low, high = declared.lowest, declared.highest
        found = [v for v in every if (low is None or v >= low) and (high is None or v <= high)]
    else:
        found = [*feature.categories, *(["other"] if feature.is_open and declared.unseen else [])]
    return [*found, *([None] if declared.missing else [])]


def a_condition(random: Random, feature: Feature) -> Condition:
    """Return any condition on a column, now and then nothing but missing, or nothing at all."""
    missing, unseen = random.random() < 0.5, random.random() < 0.5 and feature.is_open
    if random.random() < 0.1:
        return Condition(None, missing, unseen)
    if feature.is_ordered:
        if random.random() < 0.25:
            ends = [None, *sorted(random.sample(BOUNDS[feature.name], random.randint(2, 4))), None]
            return Condition([Interval(*pair) for pair in list(pairwise(ends))[random.randint(0, 1) :: 2]], missing)
        bounds = [*BOUNDS[feature.name], None, None, None]
        above, upto = random.choice(bounds), random.choice(bounds)
        fits = above is None or upto is None or above < upto
        return Condition(Interval(above if fits else None, upto), missing)
    named = [value for value in feature.categories if random.random() < 0.5]
    return Condition(Members(named, random.random() < 0.5), missing, unseen)


def a_rule(number: int, conditions: Sequence[tuple[str, Condition]], value: str = "A") -> Rule:
    """Return a rule that nobody learned."""
    return Rule(
        number, conditions, ClassPrediction(value, [float(value == other) for other in "AB"]), RuleFigures(0, 0.0)
    )


def a_world(seed: int, most_rules: int = 6) -> World:
    """Return a world of one to three columns of any kinds; now and then a rule stands there twice."""
    random = Random(seed)
    features = random.sample(FEATURES, random.randint(1, 3))
    domain = {f.name: a_domain(random, f) for f in features if random.random() < 0.7}
    rules = []
    for number in range(1, random.randint(0, most_rules) + 1):
        asked = [(f.name, a_condition(random, f)) for f in features if random.random() < 0.7]
        rules.append(a_rule(number, asked, random.choice("AB")))
    if rules and random.random() < 0.3:
        copied = random.choice(rules)
        rules.append(a_rule(50, copied.conditions, copied.value))
    random.shuffle(rules)
    names = [f.name for f in features]
    rows = [dict(zip(names, cells, strict=True)) for cells in product(*(values(f, domain) for f in features))]
    return World(Schema(features, TARGET), domain if random.random() < 0.8 or domain else None, rows, rules)


def lies_in(schema: Schema, region: Sequence[tuple[str, Condition]], row: Row) -> bool:
    """Whether a row meets conditions."""
    return all(condition.holds(schema.feature(name), row[name]) for name, condition in region)


def is_possible(world: World, row: Row) -> bool:
    """Whether a row lies in the domain."""
    for feature in world.schema.features:
        declared, value = (world.domain or {}).get(feature.name, ColumnDomain()), row[feature.name]
        if value is None:
            fits = declared.missing
        elif feature.is_ordered:
            low, high = declared.lowest, declared.highest
            fits = (low is None or value >= low) and (high is None or value <= high)
        else:
            fits = value in feature.categories or declared.unseen
        if not fits:
            return False
    return True


def wider(world: World, inside: set[int], column: Feature) -> list[set[int]]:
    """Return the places of the rows that a box of rows would gain by one value more of a column, for each such value.

    An interval may only gain a value next to it, or missing.
    """
    every = values(column, world.domain)
    held = {every.index(world.rows[at][column.name]) for at in inside}
    known = [at for at in held if every[at] is not None]
    gained = [at for at in range(len(every)) if at not in held]
    if column.is_ordered and known:
        gained = [at for at in gained if every[at] is None or at in (min(known) - 1, max(known) + 1)]
    places = {tuple(row.values()): at for at, row in enumerate(world.rows)}
    found = []
    for at in gained:
        rows = [{**world.rows[place], column.name: every[at]} for place in inside]
        found.append({places[tuple(row.values())] for row in rows})
    return found

"""Random schemas, trees and rows, drawn from the corners: every kind, every routing, boundary values.

Trees are drawn, not learned, so that they meet what learning seldom makes: tests that no value passes, missing and
unseen values sent anywhere, missing ones to a child of their own too, thresholds at the ends of the domain.
"""

import math
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st

from treerules import Feature, Groups, Kind, Label, Leaf, Mean, Schema, Split, Table, Threshold, Tree, unfold
from treerules.columns import of_values
from treerules.domains import unseen_value

NAMES = ("x", "年龄", "it's", 'a"b', "select", "two words", "{{ x }}", "%s", "back\\slash", "`tick`", "row", "f0")
TEXTS = (
    "",
    " ",
    "a",
    "A",
    "否",
    "是",
    "青年",
    "it's",
    'q"q',
    "1",
    "nan",
    "NA",
    "a\nb",
    "--",
    "'); DROP TABLE t;--",
    "é",
    "e\u0301",
)
NUMBERS = (
    0.0, 1.0, -1.0, 0.1, 0.1 + 0.2, 5e-324, -5e-324, 1.7976931348623157e308, math.inf, -math.inf,
    math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0), 2.0**53, 2.0**53 + 2, 16777217.0, 1e-9, 3.5,
)  # fmt: skip
INTEGERS = (0, 1, -1, 2, 5, 2**53 - 1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1, 7)
DATES = (date.min, date(1582, 10, 15), date(1970, 1, 1), date(2024, 2, 29), date(2024, 3, 1), date.max)
MOMENTS = (
    datetime.min,
    datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime(2024, 3, 21, 20, 21, 9),
    datetime(2024, 3, 21, 20, 21, 9, 1),
    datetime.max,
)
_POOLS: dict[str, tuple[Any, ...]] = {
    "number": NUMBERS,
    "integer": INTEGERS,
    "boolean": (False, True),
    "text": TEXTS,
    "date": DATES,
    "timestamp": MOMENTS,
    "timestamp_utc": tuple(moment.replace(tzinfo=UTC) for moment in MOMENTS),
}


def a_schema(random: Random, n_features: int) -> Schema:
    """Return a schema of so many features of any kind, and a target of any task."""
    names = random.sample(NAMES, n_features)
    target = random.choice(("text", "integer", "boolean", "mean"))
    if target == "mean":
        goal = Feature("y", Kind.NUMBER)
    else:
        classes = sorted(random.sample(_POOLS[target], random.randint(1, min(4, len(_POOLS[target])))))
        goal = Feature("y", Kind.CATEGORY, classes, target)
    return Schema([a_feature(random, name) for name in names], goal)


def a_feature(random: Random, name: str) -> Feature:
    """Return a feature of any kind."""
    kind = random.choice(list(Kind))
    if kind in (Kind.CATEGORY, Kind.ORDINAL):
        scalar = random.choice(("text", "text", "integer", "number", "date", "timestamp"))
        pool = [value for value in _POOLS[scalar] if value == value]
        values = random.sample(pool, random.randint(0 if kind is Kind.CATEGORY else 1, min(5, len(pool))))
        return Feature(name, kind, sorted(values) if kind is Kind.CATEGORY else values, scalar)
    if kind is Kind.TIMESTAMP:
        return Feature(name, kind, (), random.choice(("timestamp", "timestamp_utc")))
    return Feature(name, kind)


def a_tree(random: Random, schema: Schema, n_splits: int, *, deep: bool = False) -> Tree:
    """Return a tree of at most so many splits, grown by `unfold`; a deep one grows along one path."""
    budget = n_splits

    def step(depth: int) -> Any:
        nonlocal budget
        if budget <= 0 or (not deep and depth > 0 and random.random() < 0.1):
            return _a_leaf(random, schema)
        budget -= 1
        index = random.randrange(len(schema.features))
        test = _a_test(random, schema.features[index], index)
        of_its_own = random.random() < 0.25
        missing = test.arity if of_its_own else random.randrange(test.arity)
        unseen = random.randrange(test.arity) if schema.features[index].is_open else None
        seeds = [depth + 1] * (test.arity + of_its_own)
        return lambda children: Split(test, children, missing, unseen), seeds

    priority = (lambda depth: -depth) if deep else (lambda depth: depth)  # breadth first makes bushy trees
    return Tree(schema, unfold(0, step, priority=priority))


def _a_test(random: Random, feature: Feature, index: int) -> Any:
    if feature.is_ordered:
        pool = _POOLS[feature.scalar]
        return Threshold(index, random.choice(pool) if random.random() < 0.8 else _near(random, random.choice(pool)))
    arity = random.choice((2, 2, 2, 3, 4))
    sides = [random.randrange(arity) for _ in feature.categories]
    return Groups(index, [[place for place, side in enumerate(sides) if side == child] for child in range(arity)])


def _near(random: Random, value: Any) -> Any:
    """Return a neighbour of an ordered value, within its domain."""
    up = random.random() < 0.5
    try:
        if isinstance(value, float):
            near = math.nextafter(value, math.inf if up else -math.inf) + 0.0
        elif isinstance(value, datetime):
            near = value + timedelta(microseconds=1 if up else -1)
        elif isinstance(value, date):
            near = value + timedelta(days=1 if up else -1)
        else:
            near = value + (1 if up else -1)
    except OverflowError:
        return value
    return near if not isinstance(near, int) or -(2**63) <= near < 2**63 else value


def _a_leaf(random: Random, schema: Schema) -> Leaf:
    if schema.is_regression:
        return Leaf(Mean(random.choice((0.0, 1.5, -2.5, 1e300, 0.1, 5e-324)), random.random()), (random.randint(0, 9),))
    counts = [random.randint(0, 5) for _ in schema.classes]
    total = sum(counts)
    shares = [count / total for count in counts] if total else [1 / len(counts)] * len(counts)
    return Leaf(Label(random.choice(schema.classes), shares), counts)


def a_value(random: Random, feature: Feature, thresholds: tuple[Any, ...]) -> Any:
    """Return a value from the corners of a feature: at a threshold, beside it, missing, each category, unseen."""
    if random.random() < 0.15:
        return random.choice((None, math.nan)) if feature.scalar == "number" else None
    if feature.is_ordered:
        pool = thresholds or _POOLS[feature.scalar]
        value = random.choice(pool if random.random() < 0.8 else _POOLS[feature.scalar])
        return value if random.random() < 0.4 else _near(random, value)
    choices = [*feature.categories, *([unseen_value(feature)] if feature.is_open else [])]
    return random.choice(choices)


def some_rows(random: Random, tree: Tree, n: int) -> list[dict[str, Any]]:
    """Return rows at the boundaries of a tree."""
    cuts = thresholds_of(tree)
    return [
        {f.name: a_value(random, f, cuts.get(index, ())) for index, f in enumerate(tree.schema.features)}
        for _ in range(n)
    ]


def thresholds_of(tree: Tree) -> dict[int, tuple[Any, ...]]:
    """Return the thresholds of each feature of a tree."""
    from treerules import preorder

    cuts: dict[int, set[Any]] = {}
    for node in preorder(tree.root):
        if isinstance(node, Split) and isinstance(node.test, Threshold):
            cuts.setdefault(node.test.feature, set()).add(node.test.threshold)
    return {feature: tuple(sorted(values)) for feature, values in cuts.items()}


def a_table(random: Random, *, ordered: bool = True, holes: float = 0.3, regression: bool = False) -> Table:
    """Return a small table of any kinds of features with a target y; so many of the features' cells are missing.

    Each column has few values, from the corners; without `ordered` none is cut.
    """
    n = random.randint(1, 24)
    features = []
    for name in random.sample(NAMES, random.randint(1, 4)):
        feature = a_feature(random, name)
        while (feature.is_ordered and not ordered) or (feature.kind is Kind.CATEGORY and not feature.categories):
            feature = a_feature(random, name)
        features.append(feature)
    columns = []
    for feature in features:
        pool = feature.categories or random.choices(_POOLS[feature.scalar], k=4)
        if feature.is_ordered:
            pool = [value if random.random() < 0.7 else _near(random, value) for value in pool]
        cells = [None if random.random() < holes else random.choice(pool) for _ in range(n)]
        columns.append(of_values(feature, cells))
    labels = (0.0, 1.5, -2.0, 8.0) if regression else ("it's", "否", "")
    cells = [random.choice(labels) for _ in range(n)]
    goal = Feature("y", Kind.NUMBER) if regression else Feature("y", Kind.CATEGORY, sorted(set(cells)))
    return Table([*columns, of_values(goal, cells)], declared=frozenset(feature.name for feature in features))


@st.composite
def trees(draw: st.DrawFn, max_splits: int = 40) -> Tree:
    """Draw a tree over one to five features."""
    random = Random(draw(st.integers(0, 2**32)))
    schema = a_schema(random, draw(st.integers(1, 5)))
    return a_tree(random, schema, draw(st.integers(0, max_splits)), deep=draw(st.booleans()))


@st.composite
def trees_with_rows(draw: st.DrawFn, max_splits: int = 40, n_rows: int = 30) -> tuple[Tree, list[dict[str, Any]]]:
    """Draw a tree and rows at its boundaries."""
    tree = draw(trees(max_splits))
    return tree, some_rows(Random(draw(st.integers(0, 2**32))), tree, n_rows)


@st.composite
def columns(draw: st.DrawFn, max_rows: int = 30, missing: bool = True) -> dict[str, list[Any]]:
    """Draw the columns of a small table to learn from, full of ties: numbers, integers, booleans, categories."""
    n = draw(st.integers(1, max_rows))
    hole = [st.none()] if missing else []
    cells = {
        "number": st.one_of(st.sampled_from((0.0, 0.1, 0.2, 1.0, -1.0, math.inf, 1.0 + 2**-52)), *hole),
        "integer": st.one_of(st.integers(-2, 2), st.sampled_from((2**53, 2**53 + 1)), *hole),
        "flag": st.one_of(st.booleans(), *hole),
        "colour": st.one_of(st.sampled_from(("red", "green", "blue", "否")), *hole),
    }
    names = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, unique=True))
    return {name: draw(st.lists(cells[name], min_size=n, max_size=n)) for name in names}

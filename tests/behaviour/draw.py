"""How the inputs were drawn, once, by seed: run again it would draw others wherever the library has changed.

Tables to learn from, trees of every kind of test and routing with rows at their boundaries, rules with single slips.
What readers, parsers and commands are given (`parsed`, `reads`, `commands`, `files`) was collected from the project's
own tests: each call of a reader, a parser or the command line was noted with the files that it names.
"""

import gzip
import math
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from behaviour.calls import (
    EDITS,
    NAMES,
    POOLS,
    CategoryTest,
    ClassPrediction,
    Feature,
    Kind,
    Leaf,
    MeanPrediction,
    Schema,
    SeededChoices,
    Split,
    Table,
    ThresholdTest,
    Tree,
    boundary_rows,
    build_tree,
    c45,
    cart,
    compile_rules,
    draw_feature,
    draw_routed_test,
    draw_target,
    drawn_leaf,
    id3,
    learn,
    mutate,
    preorder,
    rules_to_text,
    tree_to_json,
)
from behaviour.stored import INPUTS, keep, tables, to_plain

SEED = 20261122
COLOURS = ("red", "green", "blue", "否", "it's", "")
LEVELS = ("low", "middle", "high")
TYPES = {"x": "number", "n": "integer", "level": "ordinal:low<middle<high", "day": "date"}


# ---- tables


def a_table(random: Random, n: int, target: str, *, holes: float = 0.0, kinds: str = "all") -> dict[str, Any]:
    """Return a table of every kind of column whose target depends on some of them, with weights and folds."""
    columns: dict[str, list[Any]] = {
        "colour": [random.choice(COLOURS) for _ in range(n)],
        "flag": [random.random() < 0.4 for _ in range(n)],
        "level": [random.choice(LEVELS) for _ in range(n)],
    }
    if kinds == "all":
        columns["x"] = [round(random.gauss(0, 2), 1) for _ in range(n)]
        columns["n"] = [random.choice((0, 1, 2, 3, 5, 8, 2**53, 2**53 + 1)) for _ in range(n)]
        columns["day"] = [date(2024, 2, 20) + timedelta(days=random.randrange(20)) for _ in range(n)]
    told = [_told(row, random) for row in _rows(columns, n)]
    if target == "number":
        columns["y"] = [round(value + random.gauss(0, 1), 2) for value in told]
    else:
        columns["y"] = [_class(value, target) for value in told]
    for name in [name for name in columns if name != "y"]:
        columns[name] = [None if random.random() < holes else value for value in columns[name]]
    columns["w"] = [random.choice((1, 1, 2, 3)) for _ in range(n)]
    columns["f"] = [f"f{random.randrange(4)}" for _ in range(n)]
    types = {name: kind for name, kind in TYPES.items() if name in columns}
    return _stored(columns, {**types, **({"y": "number"} if target == "number" else {})})


def _rows(columns: dict[str, list[Any]], n: int) -> list[dict[str, Any]]:
    return [{name: cells[place] for name, cells in columns.items()} for place in range(n)]


def _told(row: dict[str, Any], random: Random) -> float:
    value = 2.0 * (row["colour"] in ("red", "否")) + 1.5 * row["flag"] + LEVELS.index(row["level"])
    if "x" in row:
        value += 2.0 * (row["x"] > 0.3) + (row["n"] > 2) + 0.5 * (row["day"] > date(2024, 3, 1))
    return value + random.choice((0, 0, 0, 2, -2))


def _class(value: float, target: str) -> Any:
    labels: dict[str, tuple[Any, ...]] = {
        "two": ("no", "yes"),
        "three": ("小", "中", "大"),
        "integer": (0, 1, 2),
        "boolean": (False, True),
    }
    chosen = labels[target]
    return chosen[min(int(max(value, 0) / 7 * len(chosen)), len(chosen) - 1)]


def _stored(columns: dict[str, list[Any]], types: dict[str, str]) -> dict[str, Any]:
    return {"columns": {name: list(map(to_plain, cells)) for name, cells in columns.items()}, "types": types}


def corner_table(random: Random, n: int, *, is_regression: bool) -> dict[str, Any]:
    """Return a table of corners: infinities, neighbouring floats, large integers, twins, moments, many categories."""
    columns: dict[str, list[Any]] = {
        "x": [
            random.choice((-math.inf, math.inf, 0.0, -0.0, 1.0, math.nextafter(1.0, 2), 0.1, 0.1 + 0.2, 5e-324))
            for _ in range(n)
        ],
        "n": [random.choice((-(2**62), 2**62, 2**53, 2**53 + 1, 7)) for _ in range(n)],
        "many": [f"c{random.randrange(14):02}" for _ in range(n)],
        "at": [datetime(2024, 3, 21, 20, 21, 9, random.randrange(4)) for _ in range(n)],
        "seen": [datetime(2024, 3, 21, 20, 21, random.randrange(50), tzinfo=UTC) for _ in range(n)],
    }
    columns["twin"] = list(columns["x"])
    told = [
        (int(name[1:]) % 3 + (n > 2**50) + (x > 0.2)) % 4
        for name, n, x in zip(columns["many"], columns["n"], columns["x"], strict=True)
    ]
    noisy = [value if random.random() < 0.8 else random.randrange(4) for value in told]
    columns["y"] = [value * 1e300 + 0.1 for value in noisy] if is_regression else [f"k{value}" for value in noisy]
    return _stored(
        columns, {"x": "number", "twin": "number", "n": "integer", "y": "number" if is_regression else "category"}
    )


def big_table(random: Random, n: int, *, is_regression: bool, holes: float = 0.0) -> dict[str, Any]:
    """Return a table of many rows of numbers and few values."""
    columns: dict[str, list[Any]] = {
        "a": [round(random.gauss(0, 1), 3) for _ in range(n)],
        "b": [random.randrange(40) for _ in range(n)],
        "c": [random.randrange(1000) / 8 for _ in range(n)],
        "d": [random.choice("abcdefg") for _ in range(n)],
        "e": [random.random() < 0.5 for _ in range(n)],
    }
    told = [
        a + (b > 17) + (d in "bdf") + c / 60
        for a, b, c, d in zip(columns["a"], columns["b"], columns["c"], columns["d"], strict=True)
    ]
    columns["y"] = [round(value, 1) if is_regression else "pqr"[int(value * 3) % 3] for value in told]
    for name in "abcde":
        columns[name] = [None if random.random() < holes else value for value in columns[name]]
    return _stored(
        columns, {"a": "number", "b": "integer", "c": "number", "y": "number" if is_regression else "category"}
    )


def drawn_tables() -> dict[str, Any]:
    """Return all tables to learn from."""
    random = Random(SEED)
    found = {
        "two": a_table(random, 60, "two"),
        "two_missing": a_table(random, 70, "two", holes=0.15),
        "three": a_table(random, 120, "three"),
        "three_missing": a_table(random, 90, "three", holes=0.1),
        "integers": a_table(random, 66, "integer"),
        "booleans": a_table(random, 64, "boolean"),
        "number": a_table(random, 110, "number"),
        "number_missing": a_table(random, 80, "number", holes=0.15),
        "named": a_table(random, 90, "three", kinds="named"),
        "named_missing": a_table(random, 50, "two", holes=0.2, kinds="named"),
        "named_number": a_table(random, 64, "number", kinds="named"),
        "corners": corner_table(random, 140, is_regression=False),
        "corners_number": corner_table(random, 130, is_regression=True),
        "small": a_table(random, 6, "two", holes=0.2),
        "big": big_table(random, 2500, is_regression=False),
        "big_missing": big_table(random, 900, is_regression=False, holes=0.1),
        "big_number": big_table(random, 1800, is_regression=True),
    }
    one = {"x": [1.5], "y": ["a"]}
    found["one_row"] = _stored(one, {})
    found["one_class"] = _stored({"x": [1.5, 2.5, 3.5], "y": ["a", "a", "a"]}, {})
    found["constant"] = _stored({"x": [1.5, 1.5, 1.5], "c": ["a", None, "a"], "y": ["a", "b", "a"]}, {})
    return found


# ---- models


def a_schema(random: Random, n_features: int) -> Schema:
    """Return a schema of so many features of any kind, and a target of any task."""
    choices = SeededChoices(random)
    return Schema([draw_feature(choices, name) for name in random.sample(NAMES, n_features)], draw_target(choices))


def a_tree(random: Random, schema: Schema, n_splits: int, *, deep: bool = False) -> Tree:
    """Return a tree of at most so many splits."""
    left, choices = n_splits, SeededChoices(random)

    def question(depth: int) -> Any:
        nonlocal left
        if left <= 0 or (not deep and depth > 0 and random.random() < 0.1):
            return None
        left -= 1
        return draw_routed_test(choices, schema, random.randrange(len(schema.features)))

    return build_tree(schema, question, lambda: drawn_leaf(choices, schema), deep=deep)


def every_kind(target: Feature) -> Tree:
    """Return a tree that asks every kind of column, with missing and unseen values on either side."""
    features = [
        Feature("x", Kind.NUMBER),
        Feature("count", Kind.INTEGER),
        Feature("is it", Kind.BOOLEAN),
        Feature("年龄", Kind.CATEGORY, sorted(["", "it's", "back\\slash", "青年"])),
        Feature("size", Kind.ORDINAL, ["S", "M", "L"]),
        Feature("rate", Kind.CATEGORY, [0.1, 2.5], "number"),
        Feature("day", Kind.DATE),
        Feature("at", Kind.TIMESTAMP),
        Feature("seen", Kind.TIMESTAMP, (), "timestamp_utc"),
        Feature("not asked", Kind.INTEGER),
    ]
    tests: list[tuple[Any, int, int | None]] = [
        (ThresholdTest(0, 0.1 + 0.2), 0, None),
        (ThresholdTest(1, 2**53 + 1), 1, None),
        (CategoryTest(2, [[0], [1]]), 0, None),
        (CategoryTest(3, [[0, 1], [2, 3]]), 1, 0),
        (CategoryTest(4, [[0, 1], [2]]), 0, 1),
        (CategoryTest(5, [[0], [1]]), 1, 1),
        (ThresholdTest(6, date(2024, 2, 29)), 0, None),
        (ThresholdTest(7, datetime(2024, 3, 21, 20, 21, 9, 1)), 1, None),
        (ThresholdTest(8, datetime(2024, 3, 21, 20, 21, 9, tzinfo=UTC)), 0, None),
        (ThresholdTest(0, -2.5), 1, None),
    ]
    node: Any = _leaf(target, 10)
    for place, (test, missing, unseen) in reversed(list(enumerate(tests))):
        node = Split(test, [_leaf(target, place), node], missing=missing, unseen=unseen)
    return Tree(Schema(features, target), node)


def _leaf(target: Feature, place: int) -> Leaf:
    if target.kind is Kind.NUMBER:
        return Leaf(MeanPrediction(place / 4, 0.5), (place + 1,))
    k = len(target.categories)
    counts = tuple(place + 1 if each == place % k else each for each in range(k))
    shares = tuple(count / sum(counts) for count in counts)
    return Leaf(ClassPrediction(target.categories[place % k], shares), counts)


def a_chain(depth: int) -> Tree:
    """Return a tree that is one long path of thresholds."""
    target = Feature("y", Kind.CATEGORY, ("a", "b"))
    node: Any = _leaf(target, depth)
    for place in reversed(range(depth)):
        node = Split(ThresholdTest(0, place + 0.5), [_leaf(target, place), node])
    return Tree(Schema([Feature("x", Kind.NUMBER)], target), node)


def drawn_models() -> dict[str, Tree]:
    """Return all models."""
    random = Random(SEED + 1)
    found = {
        f"drawn{place:02}": a_tree(random, a_schema(random, 1 + place % 5), 2 + place, deep=place % 7 == 6)
        for place in range(14)
    }
    labels = ["it's", "否"]
    found["kinds"] = every_kind(Feature("结果", Kind.CATEGORY, labels))
    found["kinds_number"] = every_kind(Feature("y", Kind.NUMBER))
    found["kinds_integer"] = every_kind(Feature("y", Kind.CATEGORY, (-1, 0, 7), "integer"))
    found["kinds_boolean"] = every_kind(Feature("y", Kind.CATEGORY, (False, True), "boolean"))
    found["kinds_date"] = every_kind(Feature("y", Kind.CATEGORY, (date(2024, 2, 29), date(2024, 3, 1)), "date"))
    found["chain"] = a_chain(300)
    few = Schema(
        [Feature("a", Kind.NUMBER), Feature("b", Kind.INTEGER), Feature("c", Kind.CATEGORY, tuple("pqrst"))],
        Feature("y", Kind.CATEGORY, ("no", "yes")),
    )
    found["bushy"] = a_tree(Random(3), few, 60)
    found["leaves"] = a_tree(Random(4), few, 640)
    found["leaf"] = Tree(few, _leaf(few.target, 1))
    known = tables()
    recipes: list[tuple[str, str, Any]] = [
        ("cart", "three", cart(min_samples_leaf=4)),
        ("id3", "named", id3()),
        ("c45", "two_missing", c45()),
        ("quinlan", "three_missing", c45(quinlan=True)),
        ("regression", "number", cart(min_samples_leaf=6)),
        ("weighted", "three", cart(min_samples_leaf=5, class_weight="balanced")),
        ("branch", "two_missing", cart(missing="branch", max_depth=4)),
        ("grouped", "corners", c45(categories="grouped", max_depth=4)),
    ]
    for name, table, recipe in recipes:
        found[f"learned_{name}"] = learn(
            known[table], target="y", recipe=recipe, drop=["w", "f"][: 2 * (table != "corners")]
        )
    return found


def some_rows(random: Random, tree: Tree, n: int) -> list[dict[str, Any]]:
    """Return boundary rows of a tree, and rows of values from the corners."""
    found = boundary_rows(tree, n)[:n]
    for _ in range(n // 2):
        row = {}
        for feature in tree.schema.features:
            pool = feature.categories or POOLS[feature.scalar]
            row[feature.name] = random.choice((None, *pool)) if pool else None
        found.append(row)
    return found


def broken_rules() -> dict[str, str]:
    """Return rules of small trees with single slips, as text that reads back."""
    random, found = Random(SEED + 2), {}
    kinds = list(EDITS)
    while len(found) < 48:
        rules = compile_rules(a_tree(random, a_schema(random, random.randint(1, 4)), random.randint(1, 6)))
        for _ in range(random.randint(1, 2)):
            rules, kind = mutate(SeededChoices(random), rules, [kinds[len(found) % len(kinds)]])
        try:
            found[f"slip{len(found):02}_{kind}"] = rules_to_text(rules)
        except Exception:  # names or values that rule text cannot spell
            continue
    return found


def draw() -> None:
    """Draw all and store it."""
    keep("tables.json.gz", drawn_tables())
    random, rows = Random(SEED + 3), {}
    folder = INPUTS / "models"
    for old in folder.glob("*.gz"):
        old.unlink()
    for name, tree in drawn_models().items():
        (folder / f"{name}.tree.json.gz").write_bytes(gzip.compress(tree_to_json(tree).encode(), 9, mtime=0))
        n = 8 if len(list(preorder(tree.root))) > 500 else 30
        rows[name] = [
            {"names": list(row), "values": list(map(to_plain, row.values()))} for row in some_rows(random, tree, n)
        ]
    keep("rows.json.gz", rows)
    keep("rules.json.gz", broken_rules())


if __name__ == "__main__":
    assert isinstance(Table, type)
    draw()

"""Emitted JavaScript, run by Node.js: the tree's answer to every row, names that are only literals, what it refuses."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from hostile_names import ATTACKS, UNSTORABLE, attack_parameters, attacked
from strategies_random import NAMES, a_schema, a_table, a_tree, some_rows
from treerules import Feature, Kind, Schema, Table, Tree, c45, cart, compile_rules, learn
from treerules.data.domain import unseen_value
from treerules.emit.javascript import to_javascript
from treerules.emit.layout import STYLES
from treerules.errors import FileError, NotAPartitionError, OptionError, UnknownNameError
from treerules.rules.wording import rule_texts
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    Split,
    ThresholdTest,
    ValueSetTest,
    find_leaf,
    leaves,
    preorder,
)

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")

#: Runs jobs: a module and rows, each an object, a Map or the values in order. Values are tagged, since JSON has no NaN.
RUNNER = """
import { readFileSync, writeFileSync } from "node:fs";
const [jobs, answers] = process.argv.slice(2);
const read = {
  n: Number, i: BigInt, d: (text) => new Date(text), t: (text) => text, b: (value) => value,
  undefined: () => undefined, null: () => null,
};
const tag = (value) => {
  const kind = typeof value;
  if (kind === "number") return ["n", Object.is(value, -0) ? "-0.0" : String(value)];
  return kind === "bigint" ? ["i", String(value)] : [kind[0], value];
};
const shapes = {
  plain_map: (module, cells) => module.predict(new Map(cells)),
  object: (module, cells) => module.predict(cells.reduce((row, [name, value]) =>
    Object.defineProperty(row, name, { value, enumerable: true }), { extra: Symbol("of no column") })),
  map: (module, cells) => [...module.predictMany(new Set([new Map(cells)]))][0],
  positional: (module, cells) => {
    const row = new Map(cells);
    return module.predictValues(...module.FEATURES.map((name) => row.get(name)));
  },
};
const found = [];
for (const { path, rows } of JSON.parse(readFileSync(jobs))) {
  const module = await import(path);
  found.push(rows.map(({ shape, cells }) => {
    const values = cells.map(([name, kind, value]) => [name, read[kind](value)]);
    const shares = module.predictProba ? [...module.predictProba(new Map(values)).values()] : [];
    return [...tag(shapes[shape](module, values)), module.explain(new Map(values))[0], shares];
  }));
}
writeFileSync(answers, JSON.stringify(found));
"""


def tagged(random: Random, value: Any) -> tuple[str, Any]:
    """Return one of the ways in which a caller may hand over a value."""
    if value is None:
        return random.choice((("null", None), ("undefined", None), ("n", "NaN")))
    if isinstance(value, bool):
        return "b", value
    if isinstance(value, str):
        return "t", value
    if isinstance(value, (date, datetime)):
        return _tagged_day(random, value)
    is_exact = float(value) == value and (isinstance(value, int) or float(value).is_integer())
    if isinstance(value, int) and (not is_exact or random.random() < 0.5):
        return "i", str(value)
    if is_exact and not (value == 0 and math.copysign(1, value) < 0) and random.random() < 0.1:
        return "i", str(int(value))
    return "n", {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(float(value)), repr(float(value)))


def _tagged_day(random: Random, value: date) -> tuple[str, str]:
    if not isinstance(value, datetime):
        form = random.choice(("iso", "slashed", "date"))
        slashed = f"{value.year:04}/{value.month}/{value.day}"
        return (
            ("d", value.isoformat()) if form == "date" else ("t", slashed if form == "slashed" else value.isoformat())
        )
    if value.tzinfo and not value.microsecond % 1000 and random.random() < 0.5:
        return "d", value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    text = value.isoformat(random.choice(("T", " ")))
    return "t", text if random.random() < 0.5 else text.replace("+00:00", "Z")


def answered(folder: Path, jobs: Sequence[tuple[Tree, str, Sequence[dict[str, Any]]]]) -> list[list[Any]]:
    """Return (value, number of the rule, shares) for each row of each job, by one process."""
    random, written = Random(1), []
    for index, (_, text, rows) in enumerate(jobs):
        (folder / f"rules{index}.mjs").write_text(text, encoding="utf-8")
        shapes = ("object", "plain_map") if " plain-" in text.split("\n", 1)[0] else ("object", "map", "positional")
        calls = []
        for row in rows:
            cells = [[name, *tagged(random, value)] for name, value in row.items()]
            cells = [cell for cell in cells if cell[1] != "null" or random.random() < 0.5]  # a missing key is missing
            calls.append({"shape": random.choice(shapes), "cells": cells})
        written.append({"path": f"./rules{index}.mjs", "rows": calls})
    (folder / "jobs.json").write_text(json.dumps(written), encoding="utf-8")
    (folder / "run.mjs").write_text(RUNNER, encoding="utf-8")
    node(folder, "run.mjs", "jobs.json", "answers.json")
    found = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return [
        [(_untagged(kind, value), number, tuple(shares)) for kind, value, number, shares in answers]
        for answers in found
    ]


def _untagged(kind: str, value: Any) -> Any:
    return {"n": float, "i": int}.get(kind, lambda value: value)(value)


def node(folder: Path, *arguments: str) -> str:
    """Return what Node.js prints."""
    done = subprocess.run([str(NODE), *arguments], cwd=folder, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout.decode()


def ran(folder: Path, tree: Tree, script: str, style: Any = "plain") -> Any:
    """Return the value of an expression of the module, `m`, that JSON can hold."""
    (folder / "rules.mjs").write_text(to_javascript(tree, style=style), encoding="utf-8")
    refusal = 'const no = (f) => { try { return ["value", f()]; } catch (e) { return [e.name, e.message]; } };'
    (folder / "script.mjs").write_text(
        f'import * as m from "./rules.mjs";\n{refusal}\nconsole.log(JSON.stringify({script}));\n', encoding="utf-8"
    )
    return json.loads(node(folder, "script.mjs"))


def spoken(value: Any) -> Any:
    """Return a prediction as JavaScript has it: integers up to 2**53 are numbers, dates are text."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value


def differences(folder: Path, jobs: Sequence[tuple[Tree, str, Sequence[dict[str, Any]]]]) -> tuple[int, list[Any]]:
    """Return how many rows were compared with their trees, and those that differ in value, rule or shares."""
    n, wrong = 0, []
    for (tree, _, rows), answers in zip(jobs, answered(folder, jobs), strict=True):
        numbers = {id(leaf): number for number, leaf in enumerate(leaves(tree.root), 1)}
        for row, answer in zip(rows, answers, strict=True):
            leaf = find_leaf(tree, row)
            shares = leaf.prediction.probabilities if isinstance(leaf.prediction, ClassPrediction) else ()
            wanted = (spoken(leaf.prediction.value), numbers[id(leaf)], shares)
            n += 1
            if answer != wanted or type(answer[0]) is not type(wanted[0]):
                wrong.append((tree.schema, row, answer, wanted))
    return n, wrong


# ---- the law


def layouts_of(style: Any) -> tuple[Any, ...]:
    """Return the layouts that modules of a style have."""
    return ("auto",) if style == "lookup" else ("flat", "guarded")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
def test_the_answer_is_the_trees_for_every_row(tmp_path: Path, style: Any) -> None:
    """100,000 rows at the boundaries of drawn and learned trees of every kind: same value, rule and shares."""
    random, jobs, kinds = Random(20240321), [], set()
    for number in range(400):
        tree = a_tree(random, a_schema(random, random.randint(1, 5)), random.randint(0, 90), deep=number % 4 == 0)
        text = to_javascript(tree, style=style, layout=layouts_of(style)[number % len(layouts_of(style))])
        jobs.append((tree, text, some_rows(random, tree, 200)))
        kinds |= {(feature.kind, feature.scalar) for feature in tree.schema.features}
    while len(jobs) < 500:
        is_regression = len(jobs) % 3 == 0
        recipes = (cart(), cart(missing="learned"), cart(missing="branch") if is_regression else c45(missing="branch"))
        table = a_table(random, regression=is_regression)
        tree = learn(table, target="y", recipe=random.choice(recipes))
        jobs.append((tree, to_javascript(tree, style=style), some_rows(random, tree, 200)))
    n, wrong = differences(tmp_path, jobs)
    assert not wrong[:1]
    assert n == 100_000
    assert {kind for kind, _ in kinds} == set(Kind)
    assert {scalar for _, scalar in kinds} >= {"number", "integer", "boolean", "text", "date", "timestamp_utc"}
    assert max(tree.n_leaves for tree, _, _ in jobs) > 64
    assert max(tree.depth for tree, _, _ in jobs) > 20
    routings = [node for tree, _, _ in jobs for node in preorder(tree.root) if isinstance(node, Split)]
    assert {type(split.test) for split in routings} == {ThresholdTest, ValueSetTest, CategoryTest}
    assert any(split.missing == split.test.arity for split in routings)


def _of_many(random: Random, categories: list[Any], scalar: str) -> Tree:
    schema = Schema([Feature("c", Kind.CATEGORY, categories, scalar)], Feature("y", Kind.CATEGORY, list("abcd")))
    groups: list[list[int]] = [[], [], []]
    for position in range(len(categories)):
        random.choice(groups).append(position)
    children = [Leaf(ClassPrediction(label, (0.25,) * 4), (1,) * 4) for label in "abcd"]
    missing, unseen = random.choice(((0, 2), (3, 0), (3, 2), (1, 1)))
    return Tree(schema, Split(CategoryTest(0, groups), children[: 4 if missing == 3 else 3], missing, unseen))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
def test_many_categories_are_found_as_few_are(tmp_path: Path, style: Any) -> None:
    """Three groups of 60 categories of every type: each category, missing and unseen values reach the tree's leaf."""
    random, days = Random(3), [date.fromordinal(730_000 + 7 * second) for second in range(60)]
    moments = [datetime(2024, 3, 1, 12, 30, 1, second) for second in range(60)]
    pools: dict[str, list[Any]] = {
        "text": sorted(f"a{second}\n\"'é" for second in range(60)),
        "integer": [*range(-10, 20), *range(2**53 - 10, 2**53 + 20)],
        "number": [-math.inf, *(second / 8 for second in range(-20, 38)), math.inf],
        "date": days,
        "timestamp": moments,
        "timestamp_utc": [moment.replace(tzinfo=UTC) for moment in moments],
    }
    jobs = []
    for scalar, pool in pools.items():
        for layout in layouts_of(style):
            for _ in range(4):
                tree = _of_many(random, pool, scalar)
                feature = tree.schema.features[0]
                rows = [{"c": value} for value in (*pool, *pool, None, None, unseen_value(feature))]
                text = to_javascript(tree, style=style, layout=layout)
                assert style == "lookup" or re.search(r"\.has\((f0|c)\)", text)
                jobs.append((tree, text, rows))
    n, wrong = differences(tmp_path, jobs)
    assert not wrong[:1]
    assert n > 2_500 * len(layouts_of(style))


def a_chain(depth: int) -> Tree:
    """Return a tree of one path: x <= 0, x <= 1, ..."""
    classes = ("a", "b")
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, classes))
    node: Any = Leaf(ClassPrediction("a", (1.0, 0.0)), (1, 0))
    for level in reversed(range(depth)):
        leaf = Leaf(ClassPrediction(classes[level % 2], (0.5, 0.5)), (1, 1))
        node = Split(ThresholdTest(0, float(level)), (leaf, node), missing=1)
    return Tree(schema, node)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
@pytest.mark.parametrize("size", [5_000, 20_000])
def test_any_size_loads(tmp_path: Path, style: Any, size: int) -> None:
    """A path of 5,000 cuts, and 20,000 leaves: Node.js loads the module and gives the tree's answers."""
    if size == 5_000:
        tree = a_chain(size)
    else:
        values = [float(index) for index in range(size)]
        tree = learn(Table.from_columns({"x": values, "y": values}), target="y", recipe=cart())
        assert tree.n_leaves == size
    rows = [{"x": x} for index in range(0, size, 97) for x in (float(index), index + 0.5)] + [{"x": None}]
    n, wrong = differences(tmp_path, [(tree, to_javascript(tree, style=style), rows)])
    assert n == len(rows) > 100
    assert not wrong[:1]


# ---- names


#: Names that every object of JavaScript has, or that its modules and loops look for.
OWN_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then", "default", "length", "size"]
#: The string literals of a module, whose comments and regular expressions hold no double quotes.
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
def test_hostile_names_categories_and_labels_give_the_trees_answer(tmp_path: Path, style: Any) -> None:
    """Each as column, category and label: own keys alone count, whatever every object has."""
    jobs = []
    for attack in [*ATTACKS, *OWN_NAMES, *UNSTORABLE, *NAMES, ""]:
        tree = attacked(attack, attack, attack)
        rows = [{attack: category} for category in (attack, "other", "another", "unseen", None)]
        jobs += [(tree, to_javascript(tree, style=style, layout=layout), [*rows, {}]) for layout in layouts_of(style)]
    n, wrong = differences(tmp_path, jobs)
    assert not wrong[:1]
    assert n > 500 * len(layouts_of(style))


@pytest.mark.parametrize(
    "attack", attack_parameters([*ATTACKS, *OWN_NAMES, *UNSTORABLE, ""]), ids=lambda attack: ascii(attack)[:20]
)
def test_hostile_text_stands_in_string_literals_alone(attack: str) -> None:
    """Without its strings the module is that of the same tree with harmless names, but for the hashes."""

    def skeleton(text: str) -> str:
        hashes = re.compile(r"schema [0-9a-f]{16}, model [0-9a-f]{16}\n")
        opening = text.split("\n", 1)[0]
        assert hashes.search(opening + "\n")
        return hashes.sub("\n", STRINGS.sub('""', text))

    other = "other" if attack != "other" else "another"
    harmless = attacked("column", "a" if attack < other else "z", "label")
    for lang in ("en", "zh"):
        for layout in ("flat", "guarded"):
            text = to_javascript(attacked(attack, attack, attack), layout=layout, lang=lang, style="full")  # type: ignore[arg-type]
            tame = to_javascript(harmless, layout=layout, lang=lang, style="full")  # type: ignore[arg-type]
            assert skeleton(text) == skeleton(tame)
            assert text.encode().decode() == text
            assert "</script" not in text.lower()
            assert not set("\u2028\u2029\r\0\x7f\u202e\u2066\ufeff") & set(text)
            assert "<!--" not in text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
def test_what_every_object_inherits_is_no_value(tmp_path: Path, style: Any) -> None:
    """A row without own keys is all missing, one made by JSON.parse may have the key __proto__ of its own."""
    for name in OWN_NAMES:
        tree = attacked(name, "taken", "label")
        missing = find_leaf(tree, {}).prediction.value
        key = json.dumps(name)
        rows = f"[{{}}, Object.create({{[{key}]: 'taken'}}), Object.create(null), new Map(), new (class Row {{}})()]"
        assert ran(tmp_path, tree, f"{rows}.map(m.predict)", style) == [missing] * 5
        own = f"[JSON.parse('{{{key}: \"taken\"}}'), new Map([[{key}, 'taken']])].map(m.predict)"
        assert ran(tmp_path, tree, own, style) == [find_leaf(tree, {name: "taken"}).prediction.value] * 2


# ---- what a module takes


def a_cut(kind: Kind, threshold: Any, scalar: str | None = None) -> Tree:
    """Return a tree that cuts one column x; a missing value is none."""
    feature = Feature("x", kind) if scalar is None else Feature("x", kind, (), scalar)
    low, high, none = (Leaf(ClassPrediction(label, (0.5, 0.25, 0.25)), (2, 1, 1)) for label in ("low", "high", "none"))
    schema = Schema([feature], Feature("y", Kind.CATEGORY, ["high", "low", "none"]))
    return Tree(schema, Split(ThresholdTest(0, threshold), (low, high, none), missing=2))


NOON = datetime(2024, 3, 1, 12)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
@pytest.mark.parametrize(
    ("tree", "low", "high"),
    [
        (a_cut(Kind.NUMBER, 2.5), "2.5, 2n, -0, -Infinity, 5e-324", "2.6, 3n, 10n ** 300n, Infinity"),
        (a_cut(Kind.NUMBER, 2.0**53), "2n ** 53n + 1n", "2n ** 53n + 2n"),
        (a_cut(Kind.INTEGER, 3), "3, 3n, -0, -(2n ** 63n), -(2 ** 63)", "4, 4n, 2n ** 63n - 1n, 2 ** 62"),
        (a_cut(Kind.INTEGER, 2**53), "2 ** 53, 2n ** 53n", "2n ** 53n + 1n, 2 ** 53 + 2"),
        (a_cut(Kind.INTEGER, 2**53 + 1), "2 ** 53, 2n ** 53n + 1n", "2n ** 53n + 2n, 2 ** 53 + 2"),
        (
            a_cut(Kind.DATE, date(2024, 3, 1)),
            "'2024-03-01', '2024/3/1', '2024-02-29', '0001-01-01', new Date('2024-03-01')",
            "'2024-03-02', '9999-12-31', new Date(Date.UTC(2024, 2, 2))",
        ),
        (
            a_cut(Kind.TIMESTAMP, NOON),
            "'2024-03-01 12:00', '2024-03-01T12:00:00.000000', '2024-03-01T11:59:59.999999', '0001-01-01 00:00'",
            "'2024-03-01 12:00:00.000001', '9999-12-31T23:59:59.999999'",
        ),
        (
            a_cut(Kind.TIMESTAMP, NOON.replace(tzinfo=UTC), "timestamp_utc"),
            "'2024-03-01 12:00Z', '2024-03-01T20:00:00+08:00', '2024-03-01T06:30-05:30', new Date('2024-03-01T12:00Z')",
            "'2024-03-01T20:00:00.000001+08:00', '2024-03-01T06:30:01-05:30', new Date('2024-03-01T12:00:00.001Z')",
        ),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_module_takes_what_callers_have(tmp_path: Path, style: Any, tree: Tree, low: str, high: str) -> None:
    """Integers of either kind, exactly; dates and timestamps as text or Date; four ways to be missing."""
    missing = "undefined, null, NaN"
    values = f"[[{low}], [{high}], [{missing}]].map((some) => some.map((x) => m.predict({{ x }})))"
    answers = ran(tmp_path, tree, values, style)
    assert [set(some) for some in answers] == [{"low"}, {"high"}, {"none"}]
    assert ran(tmp_path, tree, "[m.predict({}), m.predict({ x: null, more: 1n })]", style) == ["none", "none"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
@pytest.mark.parametrize(
    ("tree", "wrong"),
    [
        (a_cut(Kind.NUMBER, 2.5), "'2', true, [1], {}, 10n ** 400n, new Date(0), new Number(1), Symbol('s'), () => 1"),
        (a_cut(Kind.INTEGER, 3), "true, '3', Infinity, 2 ** 63, 2n ** 63n, -(2n ** 63n) - 1n, new Date(0)"),
        (
            a_cut(Kind.DATE, date(2024, 3, 1)),
            "'2024-02-30', '2023-02-29', '0000-01-01', '2024-13-01', '2024-03-01 00:00', '1 March', 5, "
            "new Date('2024-03-01T01:00Z'), new Date(NaN), new Date(Date.UTC(10000, 0)), '2024-03-01\\n'",
        ),
        (
            a_cut(Kind.TIMESTAMP, NOON),
            "'2024/3/1', '2024-03-01 12:00Z', '2024-03-01 24:00', '2024-02-30 12:00', '2024-03-01 12:00:00.0000001', "
            "new Date(0), 5",
        ),
        (
            a_cut(Kind.TIMESTAMP, NOON.replace(tzinfo=UTC), "timestamp_utc"),
            "'2024-03-01 12:00', '0001-01-01T00:00+08:00', '9999-12-31T23:59-08:00', new Date(NaN), 5, "
            "new Date(Date.UTC(10000, 0)), '2024-03-01T12:00+16:00'",
        ),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_value_of_the_wrong_kind_is_a_type_error_that_names_its_column(
    tmp_path: Path, style: Any, tree: Tree, wrong: str
) -> None:
    """Never a wrong answer."""
    messages = ran(tmp_path, tree, f"[{wrong}].map((x) => no(() => m.predict({{ x }})))", style)
    assert len(messages) > 4
    for name, message in messages:
        assert (name, message[:17]) == ("TypeError", 'column "x" takes ')


@pytest.mark.engine
@needs_node
def test_a_row_is_an_object_or_a_map_and_values_are_as_many_as_columns(tmp_path: Path) -> None:
    """Anything else would look like a row in which all is missing."""
    rows = "[null, undefined, 5, 'x', [1]].map((row) => no(() => m.predict(row)))"
    assert {name for name, _ in ran(tmp_path, a_cut(Kind.NUMBER, 1.0), rows, "full")} == {"TypeError"}
    calls = "[[], [1, 2]].map((values) => no(() => m.predictValues(...values)))"
    assert {name for name, _ in ran(tmp_path, a_cut(Kind.NUMBER, 1.0), calls, "full")} == {"TypeError"}
    assert ran(tmp_path, a_cut(Kind.NUMBER, 1.0), "no(() => m.predictValues(2))", "full") == ["value", "high"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.engine
@needs_node
def test_categories_and_booleans_keep_their_type(tmp_path: Path, style: Any) -> None:
    """0 is not "0" and not false, -0 is 0; an integer may come as a BigInt."""
    data: dict[str, list[Any]] = {"n": [0, 0, 2**53 + 1, 2**53 + 1], "y": ["a", "a", "b", "b"]}
    tree = learn(Table.from_columns(data, types={"n": "category"}), target="y", recipe=cart())
    values = "[0, -0, 0n, 2n ** 53n + 1n, 2 ** 53, 99].map((n) => m.predict({ n }))"
    wanted = [find_leaf(tree, {"n": n}).prediction.value for n in (0, 0, 0, 2**53 + 1, 2**53, 99)]
    assert ran(tmp_path, tree, values, style) == wanted
    assert {"a", "b"} == set(wanted)
    messages = ran(tmp_path, tree, "['0', false, 2 ** 70].map((n) => no(() => m.predict({ n })))", style)
    assert [name for name, _ in messages] == ["TypeError"] * 3
    flags = learn(Table.from_columns({"b": [True, True, False], "y": ["p", "p", "q"]}), target="y", recipe=cart())
    messages = ran(tmp_path, flags, "[true, false, null, 1, 'true'].map((b) => no(() => m.predict({ b })))", style)
    assert [pair if pair[0] == "value" else pair[0] for pair in messages] == [
        ["value", "p"],
        ["value", "q"],
        ["value", "p"],
        "TypeError",
        "TypeError",
    ]


# ---- what a module gives


@pytest.mark.engine
@needs_node
def test_a_module_says_what_it_is(tmp_path: Path) -> None:
    """Rules and figures as compiled, shares as the leaf's, the schema's names; the model's hash is the first line's."""
    data: dict[str, list[Any]] = {"x": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "否"], "y": [7, 7, 8, 7]}
    tree = learn(Table.from_columns(data, types={"y": "category"}), target="y", recipe=cart())
    rules = compile_rules(tree)
    exports = ran(
        tmp_path,
        tree,
        "{...m, shares: [...m.predictProba({x: 3, colour: 'red'})], said: m.explain({x: 3, colour: 'red'}), "
        "many: [...m.predictMany([{x: 3, colour: 'red'}, {}])], number: m.rule({})}",
        "full",
    )
    leaf = find_leaf(tree, {"x": 3, "colour": "red"})
    assert isinstance(leaf.prediction, ClassPrediction)
    assert exports["shares"] == [[7, leaf.prediction.probabilities[0]], [8, leaf.prediction.probabilities[1]]]
    assert exports["CLASSES"] == [7, 8]
    assert exports["TARGET"] == "y"
    assert exports["FEATURES"] == ["x", "colour"] == [feature["name"] for feature in exports["SCHEMA"]]
    assert [feature["kind"] for feature in exports["SCHEMA"]] == ["number", "category"]
    assert exports["many"] == [8, find_leaf(tree, {}).prediction.value]
    texts = dict(zip([rule.number for rule in rules.rules], rule_texts(tree.schema, rules.rules), strict=True))
    assert {rule["rule"]: rule["text"] for rule in exports["RULES"]} == texts
    assert exports["said"] == [exports["said"][0], texts[exports["said"][0]]]
    assert [(r["n"], r["coverage"], r["lift"]) for r in exports["RULES"]] == [
        (r.figures.n, r.figures.coverage, r.figures.lift) for r in rules.rules
    ]
    opening = to_javascript(tree, style="full").split("\n", 1)[0]
    assert re.fullmatch(
        rf"// treerules \S+ javascript flat: \d rules, schema [0-9a-f]{{16}}, model {exports['MODEL']}", opening
    )


@pytest.mark.engine
@needs_node
def test_a_regression_has_no_classes(tmp_path: Path) -> None:
    """Neither CLASSES nor predictProba; means are numbers."""
    tree = learn(Table.from_columns({"x": [1.0, 2.0], "y": [0.1, 0.2]}), target="y", recipe=cart())
    answers = ran(tmp_path, tree, "[Object.keys(m), m.predict({ x: 2 }), Object.keys(m.RULES[0])]", "full")
    assert answers[1:] == [0.2, ["rule", "text", "value", "n", "coverage"]]
    assert not {"CLASSES", "predictProba"} & set(answers[0])
    assert {"predict", "explain", "rule", "predictMany", "predictValues", "MODEL"} <= set(answers[0])


@pytest.mark.engine
@needs_node
def test_a_single_leaf_is_a_constant(tmp_path: Path) -> None:
    """Nothing is asked, so nothing is converted."""
    tree = learn(Table.from_columns({"x": [1.0], "y": ["a"]}), target="y", recipe=cart())
    calls = "[m.predict({ x: 'anything' }), m.predictValues(1), m.rule(new Map())]"
    assert ran(tmp_path, tree, calls, "full") == ["a", "a", 1]
    assert "TypeError(`column" not in to_javascript(tree, style="full")


@pytest.mark.parametrize("style", STYLES)
def test_comments_are_english_or_chinese_and_nothing_else_differs(style: Any) -> None:
    """Without comments both are the same module, which imports nothing."""
    tree = attacked("name", "category", "label")
    texts = [to_javascript(tree, style=style, lang=lang) for lang in ("en", "zh")]  # type: ignore[arg-type]
    codes = [re.sub(r"/\*\*(?s:.*?)\*/|^// .*$", "", text, flags=re.MULTILINE) for text in texts]
    # the texts of rules in a plain module are phrased in its language
    english, chinese = (STRINGS.sub('""', code) if style != "full" else code for code in codes)
    assert english == chinese
    assert "类别" not in to_javascript(tree, style=style)
    assert "缺失值" in to_javascript(tree, style=style, lang="zh")
    assert "import" not in english and "require" not in english


@pytest.mark.parametrize("style", STYLES)
def test_choices_that_do_not_exist_are_refused(tmp_path: Path, style: Any) -> None:
    """As in every language; what waits for its tree gives the same text."""
    tree = attacked("name", "category", "label")
    rules = compile_rules(tree)
    for error, call in (
        (UnknownNameError, lambda: to_javascript(tree, style=style, layout="nested")),  # type: ignore[call-overload]
        (UnknownNameError, lambda: to_javascript(tree, style="short")),  # type: ignore[arg-type]
        (UnknownNameError, lambda: to_javascript(tree, style=style, lang="de")),  # type: ignore[call-overload]
        (OptionError, lambda: to_javascript("a tree", style=style)),  # type: ignore[call-overload]
        (OptionError, lambda: to_javascript(evolve(rules, rules=rules.rules), style=style, layout="guarded")),
        (NotAPartitionError, lambda: to_javascript(evolve(rules, rules=rules.rules[1:]), style=style)),
        (FileError, lambda: to_javascript(tree, style=style, templates=tmp_path / "none")),
    ):
        with pytest.raises(error):
            call()
    if style != "lookup":  # which needs a tree
        edited = evolve(rules, rules=rules.rules)
        assert to_javascript(edited, style=style, layout="flat") == to_javascript(tree, style=style, layout="flat")
    (tmp_path / "javascript").mkdir()
    (tmp_path / "javascript/module.js.j2").write_text("{{ code.target }} {{ loads[0].name }} {{ returns }}")
    (tmp_path / "javascript/plain.js.j2").write_text("{{ loads[0] }}")
    wanted = {"full": '"label of it" "name" string', "plain": 'const name = value(row, "name", "string");'}
    assert to_javascript(tree, style=style, templates=tmp_path) == wanted["full" if style == "full" else "plain"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.process
def test_the_same_tree_gives_the_same_bytes_whatever_the_seed_of_hashes(style: Any) -> None:
    """In processes of their own, as PYTHONHASHSEED asks."""
    code = (
        "from hashlib import sha256\nfrom random import Random\n"
        "from strategies_random import a_schema, a_tree\n"
        "from treerules.emit.javascript import to_javascript\n"
        "random = Random(5); trees = [a_tree(random, a_schema(random, 5), 30) for _ in range(20)]\n"
        f"print(sha256(''.join(to_javascript(tree, style={style!r}) for tree in trees).encode()).hexdigest())"
    )
    path = os.pathsep.join(filter(None, sys.path))
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1

"""The law on real engines: what is emitted gives the tree's own answer to thousands of rows from the corners.

An engine that is not installed, or whose server does not run, is skipped with the reason; where TREERULES_ENGINES is
"required", as in .ci/run, that is a failure.
"""

import os
import unicodedata
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from engine_cases import World, columns_of, rows_of, worlds
from engines import ENGINES, Engine, Stored, opened, parameters
from hostile_names import ATTACKS
from run_emitted import same
from strategies_random import a_tree
from treerules import Feature, Kind, Rule, RuleSet, Schema, Tree, compile_rules, to_sql
from treerules.errors import UnsupportedError
from treerules.sql.dialects import DIALECTS
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Split,
    ThresholdTest,
    find_leaf,
    leaves,
    preorder,
)

#: Rows each engine answers, of drawn trees and of learned ones together.
N_ROWS = 40_000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 4_000
LAYOUTS = ("flat", "guarded")


def numbers_backwards(tree: Tree) -> RuleSet:
    """Return the rules of a tree, each predicting its own number, the last rule first."""
    rules = [
        Rule(rule.number, rule.conditions, MeanPrediction(float(rule.number)), rule.figures)
        for rule in compile_rules(tree).rules
    ]
    return RuleSet(Schema(tree.schema.features, Feature("rule", Kind.NUMBER)), rules[::-1])


def asked(engine: Engine, source: Tree | RuleSet, layout: str, *, rule: bool = False) -> str:
    """Return the query of a table's predictions."""
    choices: Any = {"layout": layout, "kind": "select", "table": engine.table, "keys": ["rid"], "rule": rule}
    return to_sql(source, dialect=engine.dialect, **choices)


@pytest.mark.parametrize("kind", ["drawn", pytest.param("learned", marks=pytest.mark.large)])
@pytest.mark.parametrize("dialect", parameters(ENGINES))
def test_an_engine_gives_the_answer_of_the_tree_and_fires_one_rule(
    dialect: str, kind: str, record_property: Callable[[str, object], None]
) -> None:
    """Both layouts agree with the tree on every row; of the flat rules the first that is true is the last: the leaf's.

    A row that an engine cannot store is left out for it, and another one drawn: `holds` says which.
    """
    engine, run, left_out = opened(dialect), 0, 0
    some = worlds(kind)[1::2] if engine.slow else worlds(kind)
    for seed, world in enumerate(some):
        rows, others = rows_of(world, engine, N_ROWS // 2 // len(some), seed)
        run, left_out = run + len(rows), left_out + others
        numbers = {id(leaf): number for number, leaf in enumerate(leaves(world.tree.root), 1)}
        reached = [find_leaf(world.tree, row.values) for row in rows]
        wanted = [[leaf.prediction.value] * 2 + [float(numbers[id(leaf)])] * 2 for leaf in reached]
        answers = answers_of(engine, world, columns_of(world, rows))
        wrong = [
            (seed, row.cells, w, a) for row, w, a in zip(rows, wanted, answers, strict=True) if not all(map(same, w, a))
        ]
        assert not wrong, f"{len(wrong)} of {len(rows)} rows differ: (tree, row, wanted, answered) {wrong[:3]}"
    wont = f"; {left_out} others drawn, it cannot hold {engine.cannot}" if left_out else ""
    record_property("engine", f"{dialect}: {run} rows of {kind} trees{wont}")
    assert run == N_ROWS // 2
    assert engine.cannot or not left_out


def answers_of(engine: Engine, world: World, columns: list[Stored]) -> list[list[Any]]:
    """Return, for each row, the flat and the guarded answer, the first flat rule that is true and the last."""
    tree = world.tree
    queries = [asked(engine, tree, "flat", rule=True), asked(engine, tree, "guarded")]
    flat, guarded, last = engine.ask(columns, [*queries, asked(engine, numbers_backwards(tree), "flat")])
    predictions = [engine.predictions(tree.schema, rows) for rows in (flat, guarded)]
    numbers = [[float(row[1]) for row in flat], [row[0] for row in last]]
    return [list(row) for row in zip(*predictions, *numbers, strict=True)]


@pytest.mark.parametrize("dialect", parameters(ENGINES))
def test_a_decimal_is_the_double_nearest_to_it(dialect: str) -> None:
    """A cell of 0.3000000000000000001 is at the threshold 0.3, as float(cell) is; the next double is above it."""
    engine = opened(dialect)
    cells = ["0.3", "0.3000000000000000001", "0.2999999999999999999", "0.3000000000000001", "0.2999999999999999", None]
    column = Stored("amount", "decimal", [None if cell is None else Decimal(cell) for cell in cells])
    schema = Schema([Feature("amount", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("above", "upto")))
    above, upto = (Leaf(ClassPrediction(value, (0.5, 0.5)), (1, 1)) for value in ("above", "upto"))
    tree = Tree(schema, Split(ThresholdTest(0, 0.3), (upto, above), 0, None))
    answers = engine.ask([column], [asked(engine, tree, layout) for layout in LAYOUTS])
    wanted = [("upto",), ("upto",), ("upto",), ("above",), ("upto",), ("upto",)]
    assert answers == [wanted] * 2


#: What a session may set that changes how literals are read.
SETTINGS = {
    "duckdb": ["SET TimeZone = 'Asia/Shanghai'"],
    "postgres": [
        "SET TimeZone = 'Asia/Shanghai'",
        "SET DateStyle = 'SQL, DMY'",
        "SET escape_string_warning = off",
        "SET standard_conforming_strings = off",
    ],
    "mariadb": [
        "SET time_zone = '+08:00'",
        "SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'",
    ],
    "spark": [
        "SET spark.sql.session.timeZone = Asia/Shanghai",
        "SET spark.sql.ansi.enabled = false",
        "SET spark.sql.caseSensitive = true",
        "SET spark.sql.timestampType = TIMESTAMP_NTZ",
        "SET spark.sql.legacy.consecutiveStringLiterals.enabled = true",
    ],
}


@pytest.mark.parametrize("dialect", parameters(SETTINGS))
def test_the_settings_of_a_session_change_no_answer(dialect: str) -> None:
    """Time zone, form of dates, SQL modes, what a backslash means, what '' means."""
    engine = opened(dialect)
    features = [
        Feature("at", Kind.TIMESTAMP, scalar="timestamp_utc"),
        Feature("local", Kind.TIMESTAMP),
        Feature("day", Kind.DATE),
        Feature("text", Kind.CATEGORY, sorted(["a\\nb", "it's", "a\\", "", "x"])),
    ]
    schema = Schema(features, Feature("y", Kind.CATEGORY, ["it's", "q\\n", "z"]))
    for seed in range(4):
        tree = a_tree(Random(seed), schema, 12)
        world = World(tree, [feature.scalar for feature in features])
        rows, _ = rows_of(world, engine, 200, seed)
        queries = [asked(engine, tree, layout) for layout in LAYOUTS]
        wanted = [(find_leaf(tree, row.values).prediction.value,) for row in rows]
        assert engine.ask(columns_of(world, rows), queries, SETTINGS[dialect]) == [wanted] * 2


#: Text that some engine, client or format replaces, ends a literal at, or reads as something else.
SUBSTITUTED = (
    "${env:HOME}", "${spark.master}", "${x", "$\\{x}", "a\\nb", "\\x41", "\\u0041", "\\%", "\\_", "\\'", "\\\n", "x\\",
    "it''s", "{p:String}", "&x", "@x", "@@version", ":x", "$(x)", "<<x>>", "😀", "\t",
)  # fmt: skip


@pytest.mark.parametrize("dialect", parameters(ENGINES))
def test_hostile_text_reaches_an_engine_unchanged_and_names_its_own_column(dialect: str) -> None:
    """Each of them as the name of a column, where the dialect can hold it, as a category and as a label.

    Only the row whose column of that name holds that text gets the label; the tables are made without our spelling.
    """
    engine, texts = opened(dialect), list(dict.fromkeys([*ATTACKS, *SUBSTITUTED]))
    names = names_for(dialect, texts)
    schema = Schema(
        [Feature(name, Kind.CATEGORY, [text]) for name, text in zip(names, texts, strict=True)],
        Feature("y", Kind.CATEGORY, sorted({*texts, "none"})),
    )
    shares = [1 / len(schema.classes)] * len(schema.classes)
    node: Any = Leaf(ClassPrediction("none", shares), [1] * len(schema.classes))
    for index in reversed(range(len(texts))):
        leaf = Leaf(ClassPrediction(texts[index], shares), [1] * len(schema.classes))
        node = Split(CategoryTest(index, [[0], []]), [leaf, node], missing=1, unseen=1)
    columns = [
        Stored(name, "text", [text if row == place else "another" for row in range(len(texts) + 1)])
        for place, (name, text) in enumerate(zip(names, texts, strict=True))
    ]
    (result,) = engine.ask(columns, [asked(engine, Tree(schema, node), "guarded")])
    wrong = [(text, row) for text, row in zip([*texts, "none"], result, strict=True) if row != (text,)]
    assert not wrong
    assert len(set(names) & set(texts)) > 60


def names_for(dialect: str, texts: list[str]) -> list[str]:
    """Return a name for each text: itself, where the dialect can hold it and takes no other for it."""
    language, used, names = DIALECTS[dialect].spelling, {"rid"}, list[str]()
    for index, text in enumerate(texts):
        try:
            language.identifier(text)
            taken = unicodedata.normalize("NFKC", text).casefold() in used
        except UnsupportedError:
            taken = True
        names.append(f"column {index}" if taken else text)
        used.add(unicodedata.normalize("NFKC", text).casefold())
    return names


def test_the_trees_meet_every_case() -> None:
    """What engines are asked includes every test, routing and way to store a value."""
    met: Counter[str] = Counter()
    for kind in ("drawn", "learned"):
        for world in worlds(kind):
            met["regression"] += world.tree.schema.is_regression
            for node in preorder(world.tree.root):
                if isinstance(node, Split):
                    met.update(_met(world, node))
    stored = ("number", "float32", "decimal", "integer", "boolean", "text", "date", "timestamp", "timestamp_utc")
    wanted = ["regression", *(f"stored as {type}" for type in stored)]
    wanted += [f"{kind} {test}" for kind in ("number", "integer", "date", "timestamp") for test in ("cut", "intervals")]
    wanted += [f"{kind} in {n}" for kind in ("boolean", "category", "ordinal") for n in ("two", "many")]
    wanted += ["missing to first", "missing to another", "missing to its own"]
    wanted += ["unseen to none", "unseen to first", "unseen to another"]
    assert not [case for case in wanted if not met[case]]


def _met(world: World, node: Split) -> list[str]:
    feature = world.tree.schema.features[node.test.feature]
    own = "its own" if node.missing == node.test.arity else "another"
    missing = "first" if node.missing == 0 else own
    unseen = "none" if node.unseen is None else "first" if node.unseen == 0 else "another"
    many = "many" if node.test.arity > 2 else "two"
    met = [f"missing to {missing}", f"unseen to {unseen}", f"stored as {world.types[node.test.feature]}"]
    if isinstance(node.test, CategoryTest):
        return [*met, f"{feature.kind} in {many}"]
    return [*met, f"{feature.kind} {'cut' if isinstance(node.test, ThresholdTest) else 'intervals'}"]

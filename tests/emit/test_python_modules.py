"""Emitted Python modules: on every Python, typed, formatted, as scripts, vectorized; always beside the tree."""

import ast
import os
import subprocess
import sys
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from python_scripts import TREE, drawn
from run_emitted import module, same
from strategies_random import trees_with_rows
from treerules import (
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    cart,
    compile_rules,
    learn,
    predict,
    to_python,
)
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest, find_leaf, unfold
from treerules.trees.walkers import leaves

PYTHONS = sorted(Path.home().joinpath(".pyenv/versions").glob("3.*/bin/python"))


def version_of(python: Path) -> tuple[int, int]:
    """Return the version that the name of an interpreter's folder says."""
    major, minor, *_ = python.parent.parent.name.split(".")
    return int(major), int(minor)


OLDER = [python for python in PYTHONS if version_of(python) >= (3, 8) and version_of(python) != sys.version_info[:2]]


def numbers_of(tree: Tree, rows: list[dict[str, Any]]) -> list[int]:
    """Return the number of the leaf that each row reaches."""
    numbers = {id(leaf): number for number, leaf in enumerate(leaves(tree.root), 1)}
    assert len(numbers) == tree.n_leaves
    return [numbers[id(find_leaf(tree, row))] for row in rows]


# ---- answers


@given(trees_with_rows(), st.sampled_from(("flat", "guarded")))
def test_every_door_of_a_module_gives_the_answers_of_the_tree(drawn: Any, layout: Any) -> None:
    """predict, rule, predict_many, predict_values and explain agree with the tree, in value and type."""
    tree, rows = drawn
    emitted = module(to_python(tree, layout=layout, style="full"))
    wanted = [find_leaf(tree, row).prediction.value for row in rows]
    assert [emitted.rule(row) for row in rows] == numbers_of(tree, rows)
    for predictions in ([emitted.predict(row) for row in rows], list(emitted.predict_many(iter(rows)))):
        assert all(map(same, predictions, wanted))
    assert [emitted.predict_values(*(row[name] for name in emitted.FEATURES)) for row in rows] == wanted
    assert [emitted.explain(row)[0] for row in rows] == numbers_of(tree, rows)


@given(trees_with_rows())
def test_a_vectorized_module_gives_the_answers_of_the_tree(drawn: Any) -> None:
    """On columns of any values, missing and unseen ones among them."""
    tree, rows = drawn
    emitted = module(to_python(tree, vectorized=True))
    columns = {feature.name: [row[feature.name] for row in rows] for feature in tree.schema.features}
    wanted = [find_leaf(tree, row).prediction.value for row in rows]
    assert emitted.rule(columns).tolist() == numbers_of(tree, rows)
    assert all(map(same, emitted.predict(columns).tolist(), wanted))


def test_shares_of_both_modules_are_those_of_the_leaf() -> None:
    """predict_proba maps classes to shares; vectorized it has a row a row, classes in their order."""
    for seed in range(40):
        tree, rows = drawn(seed, 20)
        if tree.schema.is_regression:
            continue
        shares: list[Any] = [find_leaf(tree, row).prediction for row in rows]
        columns = {feature.name: [row[feature.name] for row in rows] for feature in tree.schema.features}
        one, many = module(to_python(tree, style="full")), module(to_python(tree, vectorized=True))
        wanted = [dict(zip(tree.schema.classes, prediction.probabilities, strict=True)) for prediction in shares]
        assert [one.predict_proba(row) for row in rows] == wanted
        assert many.predict_proba(columns).tolist() == [list(prediction.probabilities) for prediction in shares]


def test_predict_many_is_lazy() -> None:
    """It takes a row when a prediction is asked for, and no sooner."""
    taken = []

    def rows() -> Any:
        for value in ("是", "否"):
            taken.append(value)
            yield {"有工作": value}

    predictions = module(to_python(TREE, style="full")).predict_many(rows())
    assert taken == []
    assert (next(predictions), taken) == ("是", ["是"])


def test_a_module_says_what_it_is_of() -> None:
    """Names, kinds, categories, classes, target and the rules' figures are plain data; MODEL is in the first line."""
    for seed in range(20):
        tree, _ = drawn(seed)
        text, rules = to_python(tree, style="full"), compile_rules(tree)
        emitted, schema = module(text), tree.schema
        assert tuple(feature.name for feature in schema.features) == emitted.FEATURES
        assert [record["kind"] for record in emitted.SCHEMA] == [feature.kind for feature in schema.features]
        assert [record.get("categories", ()) for record in emitted.SCHEMA] == [f.categories for f in schema.features]
        assert emitted.TARGET == "y" and text.split("\n")[0].endswith(f"model {emitted.MODEL}")
        assert [(record["rule"], record["value"]) for record in emitted.RULES] == [
            (r.number, r.value) for r in rules.rules
        ]
        for record, rule in zip(emitted.RULES, rules.rules, strict=True):
            assert {
                name: record[name] for name in record if name in ("n", "coverage", "support", "confidence", "lift")
            } == {name: getattr(rule.figures, name) for name in record if hasattr(rule.figures, name)}


def test_a_wrong_number_of_values_is_a_type_error() -> None:
    """predict_values takes as many as there are features."""
    emitted = module(to_python(TREE, style="full"))
    for wrong in ((), ("是", "是")):
        with pytest.raises(TypeError, match="predict_values"):
            emitted.predict_values(*wrong)


# ---- what callers have


def test_pandas_values_are_taken() -> None:
    """NA and NaT are missing, a Timestamp is a timestamp, a Series is a row; so say module and tree."""
    pd = pytest.importorskip("pandas")
    schema = Schema([Feature("t", Kind.TIMESTAMP), Feature("n", Kind.INTEGER)], Feature("y", Kind.NUMBER))
    ends = [Leaf(MeanPrediction(float(value)), (1,)) for value in range(4)]
    root = Split(
        ThresholdTest(0, datetime(2024, 3, 1)), [Split(ThresholdTest(1, 3), ends[:3], missing=2), ends[3]], missing=1
    )
    tree = Tree(schema, root)
    emitted, arrays = module(to_python(tree, style="full")), module(to_python(tree, vectorized=True))
    frame = pd.DataFrame(
        {
            "t": pd.to_datetime(["2024-02-01", None, "2024-03-01", "2024-03-01 00:00:00.000001"], format="ISO8601"),
            "n": pd.array([3, 4, None, 2**53 + 1], dtype="Int64"),
        }
    )
    rows = [row for _, row in frame.astype(object).iterrows()]
    wanted = [predict(tree, dict(row)) for row in rows]
    assert [emitted.predict(row) for row in rows] == wanted == [0.0, 3.0, 2.0, 3.0]
    assert arrays.predict(frame).tolist() == wanted


@pytest.mark.parametrize(
    ("kind", "threshold", "cells"),
    [
        (Kind.NUMBER, 2.0**53, np.array([2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2])),
        (Kind.NUMBER, 0.1, np.array([0.1, np.nextafter(0.1, 1), -0.0, np.inf, -np.inf, np.nan])),
        (Kind.NUMBER, float(np.float32(0.1)), np.array([0.1, 0.2, np.nan], dtype=np.float32)),
        (Kind.INTEGER, 2**53, np.array([2**53 - 1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1])),
        (Kind.INTEGER, 3, np.array([3.0, 4.0, np.nan])),
        (Kind.INTEGER, 3, np.array([3, 4, 5], dtype=np.uint8)),
        (Kind.INTEGER, 3, np.ma.array([3, 4, 5], mask=[False, True, False])),
        (Kind.DATE, date(2024, 3, 1), np.array(["2024-03-01", "2024-03-02", "NaT", "0001-01-01"], dtype="M8[D]")),
        (Kind.DATE, date(2024, 3, 1), np.array(["2024-03-01", "2024-03-02"])),
        (Kind.TIMESTAMP, datetime(2024, 3, 1), np.array(["2024-03-01", "2024-03-01T00:00:01", "NaT"], dtype="M8[ns]")),
        (Kind.TIMESTAMP, datetime(2024, 3, 1), np.array(["2024-03-01", "2024-03-01T01"], dtype="M8[h]")),
        (Kind.BOOLEAN, None, np.array([True, False])),
        (Kind.CATEGORY, None, np.array(["a", "b", "unseen"])),
        (Kind.CATEGORY, None, np.array(["a", None, "b", "c\0"], dtype=object)),
    ],
)
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_arrays_of_every_type_are_read_exactly(kind: Kind, threshold: Any, cells: Any, missing: int) -> None:
    """A vectorized module answers each array as the tree answers its cells."""
    is_open = kind is Kind.CATEGORY
    feature = Feature("x", kind, ["a", "b"] if is_open else ())
    test: Any = CategoryTest(0, [[0], [1]]) if threshold is None else ThresholdTest(0, threshold)
    ends = [Leaf(MeanPrediction(float(value)), (1,)) for value in range(2 + (missing == 2))]
    tree = Tree(Schema([feature], Feature("y", Kind.NUMBER)), Split(test, ends, missing, 1 if is_open else None))
    values = [None if cell is np.ma.masked else cell for cell in cells]
    predictions = module(to_python(tree, vectorized=True)).predict({"x": cells}).tolist()
    assert predictions == [predict(tree, {"x": value}) for value in values]
    assert module(to_python(tree, vectorized=True)).predict({"x": cells[:0]}).tolist() == []


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (Kind.NUMBER, ["1"]),
        (Kind.NUMBER, [Fraction(1, 2)]),
        (Kind.INTEGER, [2.0**63]),
        (Kind.INTEGER, np.array([2**63], dtype=np.uint64)),
        (Kind.DATE, ["1.3.2024"]),
        (Kind.DATE, np.array(["2024-03-01T12"], dtype="M8[h]")),
        (Kind.DATE, np.array(["20000-03-01"], dtype="M8[D]")),
        (Kind.TIMESTAMP, np.array(["20000-03-01"], dtype="M8[D]")),
        (Kind.TIMESTAMP, [datetime(2024, 3, 1, tzinfo=UTC)]),
        (Kind.NUMBER, np.ones((2, 2))),
    ],
)
def test_an_array_of_the_wrong_kind_is_a_type_error_that_names_its_column(kind: Kind, wrong: Any) -> None:
    """Never a wrong answer."""
    cut = {Kind.NUMBER: 1.0, Kind.INTEGER: 1, Kind.DATE: date(2024, 3, 1), Kind.TIMESTAMP: datetime(2024, 3, 1)}[kind]
    ends = [Leaf(MeanPrediction(0.0), (1,)), Leaf(MeanPrediction(1.0), (1,))]
    tree = Tree(Schema([Feature("x", kind)], Feature("y", Kind.NUMBER)), Split(ThresholdTest(0, cut), ends))
    with pytest.raises(TypeError, match="column 'x'"):
        module(to_python(tree, vectorized=True)).predict({"x": wrong})


def test_columns_of_unlike_lengths_are_refused_and_absent_ones_are_missing() -> None:
    """The error names the column; a column that is not there is missing in all rows."""
    table = Table.from_columns({"a": [1.0, 1.0, 2.0, 2.0], "b": [1.0, 2.0, 1.0, 2.0], "y": ["p", "q", "q", "r"]})
    tree = learn(table, target="y", recipe=cart())
    emitted = module(to_python(tree, vectorized=True))
    with pytest.raises(ValueError, match="column 'b' has 1 rows"):
        emitted.predict({"a": [1.0, 2.0], "b": [1.0]})
    assert emitted.predict({"b": [1.0, 2.0]}).tolist() == [predict(tree, {"b": b}) for b in (1.0, 2.0)]


# ---- Pythons and tools


@pytest.mark.process
@pytest.mark.parametrize(
    "python", OLDER or [None], ids=lambda python: "-".join(map(str, version_of(python))) if python else "none"
)
def test_modules_run_on_every_python_from_3_8_on(python: Path | None, tmp_path: Path) -> None:
    """They load, check themselves and score a CSV file; of all kinds, 20,000 leaves, and chains of 5,000."""
    if python is None:
        pytest.skip("no other Python than this in ~/.pyenv/versions")
    for name, text in texts().items():
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([python, "-W", "error", path, "--selftest"], capture_output=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, b""), name
    done = subprocess.run(
        [python, tmp_path / "loan.py"], input="有工作\n是\n".encode(), capture_output=True, timeout=60
    )
    assert done.stdout.decode() == "有工作,prediction,rule\n是,是,2\n"


@cache
def texts() -> dict[str, str]:
    """Return modules of trees of every kind and size."""
    drawn_trees = {f"drawn{seed}": drawn(seed)[0] for seed in range(12)}
    trees = {**drawn_trees, "loan": TREE, "wide": balanced(20_000), "deep": chain(5_000)}
    return {
        name: to_python(tree, lang="zh" if at % 2 else "en", style="full")
        for at, (name, tree) in enumerate(trees.items())
    }


def balanced(n: int) -> Tree:
    """Return a tree of so many leaves, as shallow as can be."""

    def step(span: tuple[int, int]) -> Any:
        first, last = span
        if last - first == 1:
            return Leaf(MeanPrediction(float(first)), (1,))
        middle = (first + last) // 2
        return lambda children: Split(ThresholdTest(0, middle - 0.5), children), [(first, middle), (middle, last)]

    return Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), unfold((0, n), step))


def chain(n: int) -> Tree:
    """Return a tree of so many splits along one path."""
    node: Any = Leaf(MeanPrediction(0.0), (1,))
    for cut in range(n):
        node = Split(ThresholdTest(0, float(cut)), [node, Leaf(MeanPrediction(float(cut)), (1,))])
    return Tree(Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER)), node)


@pytest.mark.large
def test_modules_are_of_the_grammar_of_python_3_8() -> None:
    """Whatever Python runs the tests."""
    for seed in range(30):
        for form in ({}, {"style": "full"}, {"vectorized": True}):
            ast.parse(to_python(drawn(seed)[0], **form), feature_version=(3, 8))
    for text in texts().values():
        ast.parse(text, feature_version=(3, 8))


HOSTILE = ("\n", '"""', "'''", "\\", "{{ x }}", "#", "\ud800", "\0", "\x85", "x" * 100, "x" * 81, "否" * 60, '\'"\'""')


def to_check() -> dict[str, str]:
    """Return modules of learned and drawn trees, both layouts, both languages, row by row and vectorized."""
    rng = np.random.default_rng(5)
    columns = {f"column {i}": rng.normal(size=900) for i in range(6)}
    noise = learn(Table.from_columns({**columns, "y": rng.normal(size=900)}), target="y", recipe=cart())
    trees = {"loan": TREE, "noise": noise, **{f"drawn{seed}": drawn(seed, 40 * seed)[0] for seed in range(14)}}
    for index, text in enumerate(HOSTILE):
        data = {text: [text, text, "b", "b"], text + "2": [1, 2, 1, 2], "y": [text, text + "2", text + "2", "d"]}
        trees[f"hostile{index}"] = learn(Table.from_columns(data), target="y", recipe=cart())
    modules = {}
    for index, (name, tree) in enumerate(trees.items()):
        lang: Any = ("en", "zh")[index % 2]
        modules |= {
            f"{name}_{layout}": to_python(tree, layout=layout, lang=lang, style="full")
            for layout in ("flat", "guarded")
        }
        modules[f"{name}_arrays"] = to_python(tree, vectorized=True, lang=lang)
    return modules


@pytest.mark.process
def test_modules_are_typed_formatted_and_linted(tmp_path: Path) -> None:
    """mypy --strict at the lowest version that it knows, ruff format --check and ruff check find nothing."""
    for name, text in to_check().items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    for command in (
        ("ruff", "format", "--isolated", "--check", "."),
        ("ruff", "check", "--isolated", "--no-cache", "."),
        ("ruff", "check", "--isolated", "--no-cache", "--select", "E4,E7,E9,F", "."),
        ("mypy", "--config-file=", "--strict", "--python-version", "3.10", "--cache-dir", os.devnull, "."),
    ):
        pytest.importorskip(command[0]) if command[0] == "mypy" else None
        done = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[:3000] + done.stderr[:1000]


@pytest.mark.process
def test_the_same_tree_gives_the_same_bytes_whatever_the_seed_of_hashes(tmp_path: Path) -> None:
    """In processes of different PYTHONHASHSEED."""
    code = (
        f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "from python_scripts import drawn\nfrom treerules import to_python\n"
        "from hashlib import sha256; digest = sha256()\n"
        "for seed in range(8):\n"
        "    for v in (False, True): digest.update(to_python(drawn(seed)[0], vectorized=v).encode())\n"
        "print(digest.hexdigest())"
    )
    outputs = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True,
        )  # fmt: skip
        outputs.add(done.stdout)
    assert len(outputs) == 1

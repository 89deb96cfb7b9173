"""Plain Python modules: short, formatted, readable by every Python from 3.8 on, and equal to the tree."""

import ast
import keyword
import re
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_names import ATTACKS, attack_parameters
from plain_trees import COLLIDING, three_rules
from python_scripts import TREE, drawn
from run_emitted import module, same
from strategies_random import trees_with_rows
from treerules import Feature, Kind, Schema, Table, Tree, cart, compile_rules, learn, predict, to_python
from treerules.emit.layout import LAYOUTS, STYLES
from treerules.emit.variable_names import variable_names
from treerules.errors import CellError, TreeRulesError
from treerules.readers import read_csv
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split, ThresholdTest, find_leaf

PYTHONS = sorted(Path.home().joinpath(".pyenv/versions").glob("3.[89].*/bin/python"))
MISSING = (None, float("nan"), np.float32("nan"), Decimal("nan"), pd.NA, pd.NaT)
MOMENT = np.datetime64("2024-03-01T00:00:00", "ns")
NOT_OF_64_BITS = (2**63, -(2**63) - 1, 2.0**63, float("inf"), Decimal(2**63), 10**400)


@pytest.mark.parametrize("tree", three_rules())
def test_three_rules_of_three_columns_are_at_most_72_lines_of_88_columns(tree: Tree) -> None:
    """With docstrings, shares, explanations and the script."""
    lines = to_python(tree).splitlines()
    assert tree.n_leaves == 3
    assert len(lines) <= 72
    assert max(map(len, lines[1:])) <= 88


@given(trees_with_rows(), st.sampled_from((("auto", "lookup"), *((layout, "plain") for layout in LAYOUTS))))
def test_a_plain_module_answers_as_the_tree(drawn: Any, choice: Any) -> None:
    """In value and type, with the rule's number and the shares of the classes; also as a table of nodes."""
    (tree, rows), (layout, style) = drawn, choice
    emitted = module(to_python(tree, layout=layout, style=style))
    rules = {rule.number: rule for rule in compile_rules(tree).rules}
    for row in rows:
        leaf = find_leaf(tree, row)
        number, _ = emitted.explain(row)
        assert same(emitted.predict(row), leaf.prediction.value)
        assert same(rules[number].prediction.value, leaf.prediction.value)
        if isinstance(leaf.prediction, ClassPrediction):
            assert emitted.predict_proba(row) == dict(
                zip(tree.schema.classes, leaf.prediction.probabilities, strict=True)
            )


def test_a_large_module_has_its_texts_in_a_table() -> None:
    """With the same answers, numbers and shares as the full module has."""
    table = Table.from_columns({"x": [float(i) for i in range(90)], "y": ["p", "q"] * 45})
    tree = learn(table, target="y", recipe=cart())
    plain, full = module(to_python(tree)), module(to_python(tree, style="full"))
    for row in ({"x": i / 2} for i in range(-1, 181)):
        assert plain.explain(row)[0] == full.explain(row)[0]
        assert (plain.predict(row), plain.predict_proba(row)) == (full.predict(row), full.predict_proba(row))
    assert tree.n_leaves == 90


def a_tree(feature: Feature, threshold: Any) -> Tree:
    """Return a tree of one test, of sets of categories where there is no threshold; missing values are low."""
    low, high = (Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in ("low", "high"))
    schema = Schema([feature], Feature("y", Kind.CATEGORY, ["high", "low"]))
    test = CategoryTest(0, [[0], [1]]) if threshold is None else ThresholdTest(0, threshold)
    unseen = 1 if feature.kind is Kind.CATEGORY else None
    return Tree(schema, Split(test, [low, high], missing=0, unseen=unseen))


@pytest.mark.parametrize(
    ("feature", "threshold", "low", "high"),
    [
        (
            Feature("x", Kind.NUMBER),
            2.5,
            [2.5, 2, -0.0, np.float32(2), np.int8(1), Decimal("2.5"), float("-inf")],
            [3, 2.6, np.int64(3), 2**64, float("inf")],
        ),
        (Feature("x", Kind.NUMBER), 2.0**53, [2**53 + 1, Decimal(2**53 + 1)], [2**53 + 2]),
        (
            Feature("x", Kind.INTEGER),
            3,
            [3, 3.0, np.int64(3), -(2**63)],
            [4, 3.5, np.uint8(4), Decimal("3.5"), 2**63 - 1],
        ),
        (Feature("x", Kind.INTEGER), 2**53, [2**53, 2.0**53], [2**53 + 1, Decimal(2**53 + 1), np.int64(2**53 + 1)]),
        (Feature("x", Kind.INTEGER), 2**53 - 1, [2**53 - 1], [2**53, np.float32(2**53)]),
        (Feature("x", Kind.DATE), date(2024, 3, 1), [date(2024, 3, 1), "2024/3/1"], [date(2024, 3, 2), "2024-03-02"]),
        (Feature("x", Kind.TIMESTAMP), datetime(2024, 3, 1), ["2024-03-01 00:00"], [datetime(2024, 3, 1, 1)]),
    ],
)
def test_values_are_compared_as_the_tree_compares_them(feature: Feature, threshold: Any, low: Any, high: Any) -> None:
    """Also numpy's numbers and Decimals; None, NaN, NA of pandas and no key are missing."""
    for style in ("plain", "lookup"):
        emitted = module(to_python(a_tree(feature, threshold), style=style))  # type: ignore[arg-type]
        assert [emitted.predict({"x": value}) for value in (*low, *MISSING)] == ["low"] * (len(low) + len(MISSING))
        assert [emitted.predict({"x": value}) for value in high] == ["high"] * len(high)
        assert emitted.predict({}) == "low"


@pytest.mark.parametrize(
    ("feature", "threshold", "wrong"),
    [
        (Feature("x", Kind.NUMBER), 2.5, ["1", Fraction(5, 2), b"1", [1], date(2024, 3, 1)]),
        (Feature("x", Kind.INTEGER), 3, ["1", False, [1], {}, *NOT_OF_64_BITS]),
        (Feature("x", Kind.INTEGER), 2**60, ["1", False, [1], {}, MOMENT, *NOT_OF_64_BITS]),
        (Feature("x", Kind.BOOLEAN), None, ["true", 1, 0.0, [True]]),
        (Feature("x", Kind.CATEGORY, ["a", "b"]), None, [1, True, b"a", ["a"]]),
        (Feature("x", Kind.DATE), date(2024, 3, 1), [1, "yesterday", datetime(2024, 3, 1)]),
        (Feature("x", Kind.TIMESTAMP), datetime(2024, 3, 1), [1, "2024", datetime(2024, 3, 1, tzinfo=UTC)]),
    ],
)
def test_a_value_of_another_kind_is_a_type_error(feature: Feature, threshold: Any, wrong: list[Any]) -> None:
    """It names the column, as the full module's does; the value is never taken for a missing or an unseen one."""
    tree = a_tree(feature, threshold)
    for emitted in (module(to_python(tree, style=style)) for style in STYLES):  # type: ignore[arg-type]
        for value in wrong:
            with pytest.raises(TypeError, match="column 'x'"):
                emitted.predict({"x": value})


@pytest.mark.parametrize("wrong", [MOMENT, np.timedelta64(1, "s"), 10**400, 1j, np.array([1.0, 2.0])])
def test_what_no_float_can_be_is_an_error(wrong: Any) -> None:
    """Moments of numpy, numbers beyond the floats, arrays: Python's error or numpy's, and never an answer."""
    with pytest.raises((TypeError, OverflowError, ValueError)):
        module(to_python(a_tree(Feature("x", Kind.NUMBER), 2.5))).predict({"x": wrong})


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.BOOLEAN])
def test_truth_values_are_taken_as_the_model_takes_them(kind: Kind) -> None:
    """0 and 1 of a column of numbers, in each style; also those of numpy."""
    tree = a_tree(Feature("x", kind), 0.5 if kind is Kind.NUMBER else None)
    for emitted in (module(to_python(tree, style=style)) for style in STYLES):  # type: ignore[arg-type]
        for value in (True, False, np.True_, np.False_, None):
            assert emitted.predict({"x": value}) == predict(tree, {"x": value})


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.INTEGER])
@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["400", "-400", "5000"])
def test_an_integer_that_no_float_holds_is_a_type_error_that_names_the_column(kind: Kind, value: int) -> None:
    """As `predict` refuses it, in each style; also one of more digits than Python prints."""
    tree = a_tree(Feature("x", kind), 0.5 if kind is Kind.NUMBER else 1)
    with pytest.raises(CellError, match="column 'x'"):
        predict(tree, {"x": value})
    for emitted in (module(to_python(tree, style=style)) for style in STYLES):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="column 'x'"):
            emitted.predict({"x": value})


def test_text_is_no_boolean_and_no_number() -> None:
    """Each column takes its own kind: 1 is not "1" and not True."""
    data: dict[str, list[Any]] = {"n": [1, 1, 2, 2], "s": ["p", "p", "q", "q"], "b": [True, True, False, False]}
    for name, wrong in (("n", ("1", True)), ("s", (1, True, b"p")), ("b", (1, "true", 0.0))):
        table = Table.from_columns(
            {name: data[name], "y": ["a", "a", "b", "b"]}, types={"n": "category"} if name == "n" else {}
        )
        emitted = module(to_python(learn(table, target="y", recipe=cart())))
        assert [emitted.predict({name: value}) for value in data[name]] == ["a", "a", "b", "b"]
        for value in wrong:
            with pytest.raises(TypeError, match=f"column '{name}'"):
                emitted.predict({name: value})


# ---- names


@given(st.lists(st.text(max_size=30), unique=True, max_size=8))
def test_variables_are_identifiers_that_differ(columns: list[str]) -> None:
    """Also after Python has brought them into the normal form NFKC; none is reserved."""
    from unicodedata import normalize

    names = list(variable_names(columns, ["row", "value", *keyword.kwlist]).values())
    assert len({normalize("NFKC", name) for name in names}) == len(columns)
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    assert not {"row", "value"} & set(names)


def test_columns_may_be_named_like_anything_of_the_module() -> None:
    """Keywords, our functions and tables, builtins, and names that become one identifier."""
    n = len(COLLIDING)
    table = Table.from_columns(
        {
            **{name: [float(at == i) for i in range(n)] for at, name in enumerate(COLLIDING)},
            "y": [f"l{i}" for i in range(n)],
        }
    )
    tree = learn(table, target="y", recipe=cart(), keep=list(COLLIDING))
    assert tree.n_leaves == n
    emitted = module(to_python(tree))
    assert [emitted.predict(row) for row in table.rows()] == predict(tree, table).tolist()


@pytest.mark.parametrize("attack", attack_parameters(ATTACKS))
def test_names_and_categories_reach_a_plain_module_as_constants_and_identifiers(attack: str) -> None:
    """What the module calls and does depends on no text of the user's."""

    def shape(names: list[str]) -> str:
        data = {names[0]: [names[0], names[0], names[1], names[1]], names[1]: [1.0, 2.0, 1.0, 2.0]}
        table = Table.from_columns({**data, "y": [names[0], names[1], names[1], names[1]]})
        text = to_python(learn(table, target="y", recipe=cart(), keep=names))
        variables = set(variable_names(names, keyword.kwlist).values()) | {
            f"{name}_" for name in variable_names(names, keyword.kwlist).values()
        }
        assert {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} <= OURS | variables
        return " ".join(
            sorted(ast.unparse(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
        )

    assert shape([attack, attack + "z"]) == shape(["a", "az"])


OURS = {
    "ANSWERS", "CLASSES", "COLUMNS", "COLUMN_1", "COLUMN_2", "COUNTS", "Exception", "G1", "G2", "TypeError",
    "ValueError", "__name__", "answers", "any", "at", "bool", "c", "cells", "counts", "csv", "dict", "error",
    "explain", "file", "filter", "fits", "float", "got", "hasattr", "head", "is_real", "isinstance", "kind", "lacking",
    "label", "labels", "len", "line", "map", "missing", "n", "name", "names", "odd", "open", "path", "predict",
    "print", "re", "real", "row", "rows", "signal", "sorted", "str", "strict", "sum", "sys", "top", "truth", "type",
    "value", "x", "zip", "abs", "huge", "int",
}  # fmt: skip


# ---- scripts


def run(script: Path, *arguments: str, python: str | Path = sys.executable) -> subprocess.CompletedProcess[str]:
    """Run a script."""
    command = [python, "-X", "utf8", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)


@pytest.mark.process
@pytest.mark.parametrize("arguments", [(), ("a.csv", "b.csv")])
def test_a_script_that_is_not_given_one_file_says_how_it_is_used(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """One line on the standard error output, and an exit code that is not 0."""
    script = tmp_path / "m.py"
    for lang in ("zh", "en"):
        script.write_text(to_python(TREE, lang=lang), encoding="utf-8")
        done = run(script, *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert done.stderr.endswith("THIS.py FILE.csv\n")


@pytest.mark.process
def test_a_script_predicts_a_file_as_the_library_does(tmp_path: Path) -> None:
    """Numbers, integers, booleans, text, dates and moments, missing cells, a byte order mark."""
    header = "amount,有工作,flag,day,t,n,big,y"
    lines = [
        f"{'' if i % 5 == 0 else i * 1.5},{'是' if i % 3 else '否'},{'true' if i % 2 else 'FALSE'},"
        f"2024-03-{i % 28 + 1:02},"
        f"2024-03-21T20:{i % 60:02}:09.5,{i % 7},{2**53 + i},{'pqr'[(i * 7) % 3]}"
        for i in range(60)
    ]
    data, script = tmp_path / "rows.csv", tmp_path / "m.py"
    data.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8-sig")
    table = read_csv(data)
    for drop in ([], ["amount", "n"], ["amount", "n", "big"], ["amount", "n", "big", "day"], ["n", "big", "day", "t"]):
        tree = learn(table, target="y", recipe=cart(), drop=drop)
        script.write_text(to_python(tree), encoding="utf-8")
        done = run(script, str(data))
        assert (done.stdout.split(), done.stderr) == (predict(tree, table).tolist(), "")


@pytest.mark.process
@pytest.mark.parametrize("name", ["money", "days"])
def test_a_script_reads_the_forms_of_its_columns(name: str, tmp_path: Path) -> None:
    """Amounts such as $1,660.16 and dates such as 21/03/2024, as in the file that was learned from."""
    cells = {
        "money": [f"$1,{i:03}.50" for i in range(100, 140)],
        "days": [f"{i % 28 + 1:02}/03/2024" for i in range(40)],
    }
    data, script = tmp_path / "rows.csv", tmp_path / "m.py"
    data.write_text(
        "x,y\n" + "".join(f'"{x}",{"ab"[i % 28 > 13]}\n' for i, x in enumerate(cells[name])), encoding="utf-8"
    )
    table = read_csv(data)
    tree = learn(table, target="y", recipe=cart(max_leaves=2), keep=["x"])
    assert tree.n_leaves == 2
    script.write_text(to_python(tree), encoding="utf-8")
    assert run(script, str(data)).stdout.split() == predict(tree, table).tolist()


@pytest.mark.process
@pytest.mark.parametrize(
    "text", ["有工作\n\xe9", "other\n1\n", "有工作;other\n是;1\n", "有工作\n是,否\n", "有工作,b\n是\n"]
)
def test_a_file_that_does_not_fit_is_an_error_of_one_line(text: str, tmp_path: Path) -> None:
    """No traceback: not UTF-8, a column that is not there, semicolons, a row with more or fewer cells."""
    data, script = tmp_path / "rows.csv", tmp_path / "m.py"
    data.write_bytes(text.encode("latin-1") if "\xe9" in text and text.isascii() else text.encode("gb18030"))
    if text.startswith(("有工作\n是", "有工作,", "有工作;")) or text.isascii():
        data.write_text(text, encoding="utf-8")
    script.write_text(to_python(TREE), encoding="utf-8")
    done = run(script, str(data))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "\xe9" in text or "--style full reads more forms" in done.stderr


@pytest.mark.process
@pytest.mark.parametrize("is_category", [False, True])
@pytest.mark.parametrize(
    "cell", ["3_5", "\uff12", "nan", "inf", "1.0", "01", "+1", "1e0", "\t1", "1\xa0", "\u0661", "2", "-7", "NA", ""]
)
def test_a_number_is_read_as_the_library_reads_it_or_refused(cell: str, is_category: bool, tmp_path: Path) -> None:
    """What `float` takes and treerules does not is no number; 1.0 is not the category 1."""
    data, script = tmp_path / "rows.csv", tmp_path / "m.py"
    types = {"x": "category"} if is_category else {}
    table = Table.from_columns({"x": [1, 1, 2, 2, 3, 3], "y": list("aabbaa")}, types=types)
    tree = learn(table, target="y", recipe=cart(), keep=["x"])
    script.write_text(to_python(tree), encoding="utf-8")
    data.write_text(f"x,z\n{cell},1\n2,1\n", encoding="utf-8")
    done = run(script, str(data))
    try:
        expected = predict(tree, read_csv(data, schema=tree.schema)).tolist()
    except TreeRulesError:
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    else:
        assert done.stdout.split() == expected or (done.returncode == 1 and not done.stdout)


@pytest.mark.process
def test_a_cell_that_is_no_number_and_a_reader_that_ends(tmp_path: Path) -> None:
    """Nothing is printed before the error, which names the line; `head` ends the script without a word."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": ["p", "q"]}, types={"x": "number"})
    (tmp_path / "m.py").write_text(to_python(learn(table, target="y", recipe=cart())), encoding="utf-8")
    (tmp_path / "f.csv").write_text("x\n" + "1\n" * 234 + "5'9''\n", encoding="utf-8")
    done = run(tmp_path / "m.py", str(tmp_path / "f.csv"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{tmp_path / 'f.csv'}, line 236: ")
    assert "5'9''" in done.stderr
    (tmp_path / "gbk.csv").write_bytes("x,年龄\n1,2\n".encode("gbk"))
    done = run(tmp_path / "m.py", str(tmp_path / "gbk.csv"))
    assert done.stderr.startswith(f"{tmp_path / 'gbk.csv'}, line 1: 'utf-8' codec")
    (tmp_path / "long.csv").write_text("x\n" + "1\n" * 200_000, encoding="utf-8")
    command = f"'{sys.executable}' '{tmp_path / 'm.py'}' '{tmp_path / 'long.csv'}' | head -1"
    # a terminal starts a shell without blocked signals; chdb blocks this one in the process of the tests
    unblock = partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, {signal.SIGPIPE})
    done = subprocess.run(command, shell=True, capture_output=True, text=True, preexec_fn=unblock)
    assert (done.stdout, done.stderr) == ("p\n", "")


@pytest.mark.process
def test_a_script_reads_names_with_blanks_around_them(tmp_path: Path) -> None:
    """A model has them without blanks; the file that it was learned from is read by its script."""
    data, script = tmp_path / "rows.csv", tmp_path / "m.py"
    data.write_text(" HIV/AIDS , BMI ,y\n1,20,a\n2,21,a\n7,20,b\n8,22,b\n")
    table = read_csv(data)
    tree = learn(table, target="y", features=["HIV/AIDS"], recipe=cart())
    script.write_text(to_python(tree), encoding="utf-8")
    assert run(script, str(data)).stdout.split() == ["a", "a", "b", "b"]


@pytest.mark.process
@pytest.mark.parametrize(
    "text",
    [
        "39, Gov, x, 1\n50, Self, y, 2\n38, Gov, x, 1\n53, Self, x, 2\n28, Gov, y, 1\n37, Self, y, 2\n",
        "Gov;x;1\nSelf;y;2\nGov;y;1\nSelf;x;2\n",
        "p,Gov,1\np,Self,2\nq,Gov,1\nq,Self,2\np\n",
        "c1,c2,c3\nx,p,a\nz,p,b\nx,q,a\nz,q,b\nx,p,a\nz,q,b\n",
        "x,x,c3\nGov,Gov,1\nSelf,Self,2\n",
        "c1,c2,c3\n'Gov',Gov,1\nSelf,Self,2\n",
        "c1,c2,c3\nx,Gov,1\nx,Self,2\n\nx,Gov,1\n",
        'c1,c2,c3\nx,Gov,"1\nx,Self,2\nx,Gov,1\n',
    ],
    ids=["blanks", "semicolons", "ragged", "header", "duplicate names", "quotes", "blank lines", "open quote"],
)
def test_a_script_predicts_as_the_library_or_refuses(text: str, tmp_path: Path) -> None:
    """Blanks after delimiters, other delimiters and quotes, headers: never another prediction in silence."""
    learned, data, script = tmp_path / "learned.csv", tmp_path / "rows.csv", tmp_path / "m.py"
    for header in ("", "c1,c2,c3\n"):
        learned.write_text(header + "x,Gov,1\nz,Self,2\nx,Gov,1\nz,Self,2\nx,Gov,1\nz,Self,2\n", encoding="utf-8")
        data.write_text(text, encoding="utf-8")
        for drop in ("c1", "c2"):
            tree = learn(read_csv(learned, header=bool(header)), target="c3", recipe=cart(), drop=[drop])
            script.write_text(to_python(tree), encoding="utf-8")
            done = run(script, str(data))
            assert done.returncode == 0 or len(done.stderr.splitlines()) == 1
            with suppress(TreeRulesError):  # where the library takes a column for another kind
                wanted = predict(tree, read_csv(data)).tolist()
                assert done.returncode == 1 or [int(label) for label in done.stdout.split()] == wanted


@pytest.mark.process
def test_a_script_prints_labels_as_the_file_spells_them(tmp_path: Path) -> None:
    """TRUE stays TRUE, and a label with a line break is one cell of CSV."""
    for labels in ("TRUE,FALSE", '"a\nb","c,d"'):
        data, script = tmp_path / "rows.csv", tmp_path / "m.py"
        first, second = labels.split(",", 1)
        data.write_text(f"y,x\n{first},1\n{first},2\n{second},3\n{second},4\n", encoding="utf-8")
        script.write_text(to_python(learn(read_csv(data), target="y", recipe=cart())), encoding="utf-8")
        assert run(script, str(data)).stdout == f"{first}\n{first}\n{second}\n{second}\n"


@pytest.mark.process
@pytest.mark.skipif(not PYTHONS, reason="neither Python 3.8 nor 3.9 is installed by pyenv")
@pytest.mark.parametrize("style", STYLES)
def test_modules_with_long_lines_of_chinese_start_on_python_3_8_and_3_9(style: Any, tmp_path: Path) -> None:
    """CPython before 3.10 divides a line of over 8 KB within a character, unless the encoding is declared."""
    rows = [{"小区": "小区" + chr(0x4E00 + i) + chr(0x5000 + i), "y": "是" if i % 2 else "否"} for i in range(1600)] * 2
    tree = learn(Table.from_rows(rows), target="y", recipe=cart(), keep=["小区"])
    script, data = tmp_path / "m.py", tmp_path / "rows.csv"
    script.write_text(to_python(tree, style=style), encoding="utf-8")
    data.write_text("小区\n" + "".join(f"{row['小区']}\n" for row in rows[:50]), encoding="utf-8")
    for python in PYTHONS:
        done = run(script, str(data), python=python)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count("是") >= 25


# ---- form

HOSTILE = ("\n", '"""', "'''", "\\", "{{ x }}", "#", "\ud800", "\0", "\x85", "x" * 100, "x" * 81, "否" * 60, '\'"\'""')


@pytest.mark.parametrize(
    ("kind", "threshold"),
    [
        *[(Kind.NUMBER, 2.5), (Kind.INTEGER, 3), (Kind.INTEGER, 2**60), (Kind.DATE, date(2024, 3, 1))],
        *[(Kind.TIMESTAMP, datetime(2024, 3, 1)), (Kind.BOOLEAN, None), (Kind.CATEGORY, None)],
    ],
)
def test_values_of_columns_with_long_names_are_loaded_on_a_line(kind: Kind, threshold: Any) -> None:
    """Of at most 88 columns, whatever the width of the name."""
    for width in range(20, 36):
        feature = Feature("n" * width, kind, ["a", "b"] if kind is Kind.CATEGORY else ())
        style: Any = ("plain", "lookup")[width % 2]
        load = re.findall(r"\n(    n+ = .*)", to_python(a_tree(feature, threshold), style=style))[0]
        assert len(load) <= 88
        assert load.endswith(")")


@pytest.mark.process
def test_plain_modules_are_formatted_and_linted(tmp_path: Path) -> None:
    """ruff format leaves them as they are, and ruff check finds nothing."""
    rng = np.random.default_rng(5)
    columns = {f"column {i}": rng.normal(size=900) for i in range(6)}
    noise = learn(Table.from_columns({**columns, "y": rng.normal(size=900)}), target="y", recipe=cart())
    small = learn(Table.from_columns({**columns, "y": rng.normal(size=900)}), target="y", recipe=cart(max_leaves=50))
    trees = {
        "loan": TREE,
        "noise": noise,
        "small": small,
        **{f"drawn{seed}": drawn(seed, 40 * seed)[0] for seed in range(14)},
    }
    trees |= {f"few{seed}": drawn(seed, 10)[0] for seed in range(14)}
    for index, text in enumerate(HOSTILE):
        data = {text: [text, text, "b", "b"], text + "2": [1, 2, 1, 2], "y": [text, text + "2", text + "2", "d"]}
        trees[f"hostile{index}"] = learn(Table.from_columns(data), target="y", recipe=cart())
    for index, (name, tree) in enumerate(trees.items()):
        for layout, style in (("flat", "plain"), ("guarded", "plain"), ("auto", "lookup")):
            text = to_python(tree, layout=layout, style=style, lang=("en", "zh")[index % 2])  # type: ignore[arg-type]
            (tmp_path / f"{name}_{layout}.py").write_text(text, encoding="utf-8")
    for command in (("format", "--check"), ("check", "--no-cache", "--select", "E4,E7,E9,F")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "."], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[:3000] + done.stderr[:1000]

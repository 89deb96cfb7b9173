"""An emitted Python module as a script: it scores CSV files as `treerules predict` does, and checks itself."""

import ast
import csv
import io
import re
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hostile_names import ATTACKS, UNSTORABLE, attack_parameters
from python_scripts import TREE, run
from run_emitted import module
from selection import few
from strategies_random import a_schema, a_tree, some_rows
from treerules import (
    Feature,
    Kind,
    Schema,
    Table,
    Tree,
    cart,
    learn,
    render,
    to_python,
)
from treerules._internal.notes import Note
from treerules.data.value_format import value_text
from treerules.errors import ColumnError
from treerules.readers import read_csv
from treerules.rendering.text_tables import csv_text
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
from treerules.trees.prediction_table import predict_table

#: Cells that each kind of column may meet in a file.
CELLS = {
    "number": ("1", " 7 ", "+.5", "1e5", "1e999", "-inf", "Infinity", "007", "7.", "NaN", "1_0", "１", "abc", "0x1"),
    "integer": ("1", "007", "7.0", "-0", "9223372036854775807", "9223372036854775808", "7.5", "1e3", " 5 ", "NA"),
    "boolean": ("true", "FALSE", "True", "0", "yes", "?", " true"),
    "date": ("2024-03-21", "2024/3/21", "2024-02-30", "2024-3-21", "21.3.2024", "null", "0000-01-01"),
    "timestamp": ("2024-03-21 20:21", "2024-03-21T20:21:09.5", "2024-03-21 24:00", "2024-03-21", "2024-03-21 20:21Z"),
    "timestamp_utc": ("2024-03-21 20:21Z", "2024-03-21T20:21:09.1+08:00", "2024-03-21 20:21", "9999-12-31 23:59-01"),
}  # fmt: skip
KINDS = {"timestamp_utc": Kind.TIMESTAMP}
CUTS: dict[str, Any] = {"number": 5.0, "integer": 5, "date": date(2024, 3, 20)}


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The module of the loan tree as a file."""
    path = tmp_path / "loan_rules.py"
    path.write_text(to_python(TREE, style="full"), encoding="utf-8")
    return path


def one_column(scalar: str) -> Tree:
    """Return a tree that asks one column of such values."""
    feature = Feature("x", KINDS.get(scalar, scalar), (), scalar)
    cut = CUTS.get(scalar, feature.highest if feature.is_ordered else None)
    ends = [Leaf(MeanPrediction(float(value)), (1,)) for value in range(3)]
    if cut is not None:
        return Tree(Schema([feature], Feature("y", Kind.NUMBER)), Split(ThresholdTest(0, cut), ends, missing=2))
    from treerules.trees import CategoryTest

    return Tree(Schema([feature], Feature("y", Kind.NUMBER)), Split(CategoryTest(0, [[0], [1]]), ends, missing=2))


@pytest.mark.parametrize(("scalar", "cell"), few([(scalar, cell) for scalar in CELLS for cell in CELLS[scalar]], 20))
def test_a_cell_is_read_as_the_library_reads_it_or_refused_as_there(scalar: str, cell: str, tmp_path: Path) -> None:
    """The same prediction as `read_csv` with the model's schema gives, or an error where that has one.

    Where the library notes that a file writes values in another form than the model's, the module has an error: it
    reads cells one by one, in the form of the model.
    """
    tree, path = one_column(scalar), tmp_path / "rows.csv"
    path.write_text(f"id,x\n1,{cell}\n", encoding="utf-8")
    emitted, out = module(to_python(tree, style="full")), io.StringIO()
    try:
        table = read_csv(path, schema=tree.schema)
        is_refused = any(isinstance(note, Note) and note.code == "other_form" for note in table.notes)
    except ColumnError:
        is_refused = True
    if is_refused:
        with pytest.raises(ValueError, match="line 2, column 'x'"):
            emitted.score(
                io.StringIO(path.read_text(encoding="utf-8"), newline=""), csv.writer(out).writerow, only=True
            )
        return
    emitted.score(
        io.StringIO(path.read_text(encoding="utf-8"), newline=""),
        csv.writer(out, lineterminator="\n").writerow,
        only=True,
    )
    assert out.getvalue() == render(predict_table(tree, table, rule=True), format="csv")


def cell_of(feature: Feature, value: Any) -> str:
    """Return a value as a cell of a CSV file."""
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, float) else value_text(value, feature.form)


@pytest.mark.parametrize("seed", few(range(25), 8))
def test_a_file_is_scored_as_by_the_library(seed: int, tmp_path: Path) -> None:
    """Drawn trees of every kind, their boundary rows as a file: byte for byte what predictions of the table are."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(2, 5)), 30)
    names = [feature.name for feature in tree.schema.features]
    rows = some_rows(random, tree, 40)
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(
            [
                ["id", *names],
                *([n, *(cell_of(f, row[f.name]) for f in tree.schema.features)] for n, row in enumerate(rows)),
            ]
        )
    proba = not tree.schema.is_regression
    wanted = render(predict_table(tree, read_csv(path, schema=tree.schema), rule=True, proba=proba), format="csv")
    emitted, out = module(to_python(tree, style="full")), io.StringIO()
    with path.open(encoding="utf-8-sig", newline="") as lines:
        emitted.score(lines, csv.writer(out, lineterminator="\n").writerow, proba=proba, only=True)
    assert out.getvalue() == wanted


@pytest.mark.process
def test_a_script_scores_files_of_every_make(script: Path, tmp_path: Path) -> None:
    """BOM, Windows line ends, semicolons, blanks after commas, quotes; from a file, or from the standard input."""
    wanted = b"id,\xe6\x9c\x89\xe5\xb7\xa5\xe4\xbd\x9c,prediction,rule\n"
    for text in (
        "id,有工作\n1,是\n",
        "\ufeffid,有工作\r\n1,是\r\n",
        "id;有工作\n1;是\n",
        'id,"有工作"\n"1", 是\n',
        "id\t有工作\n1\t是",
    ):
        path = tmp_path / "rows.csv"
        path.write_bytes(text.encode())
        for done in (run(script, path), run(script, text=text), run(script, "-", text=text)):
            assert (done.returncode, done.stdout) == (0, wanted + "1,是,是,2\n".encode()), text
    done = run(script, "--encoding", "gb18030", "--only", "--proba", text="有工作\n否\n".encode("gb18030"))
    assert done.stdout.decode() == "prediction,p_否,p_是,rule\n否,1.0,0.0,1\n"


@pytest.mark.process
@pytest.mark.parametrize("cell", ["a\rb", "a\nb", "a\r\nb", "\r", 'a"b', " a", "a,b", ""])
def test_a_script_reads_what_it_has_written(script: Path, cell: str) -> None:
    """Cells with line ends come out as they went in, as CSV of RFC 4180 has them: other readers find them too."""
    head = [cell + "名", "有工作"]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([head, [cell, "是"]])
    done = run(script, text=out.getvalue())
    assert done.returncode == 0, done.stderr.decode()
    rows = list(csv.reader(io.StringIO(done.stdout.decode(), newline=""), strict=True))
    assert rows == [[*head, "prediction", "rule"], [cell, "是", "是", "2"]]
    assert done.stdout.decode() == csv_text(rows)
    again = run(script, "--only", text=done.stdout.decode())
    assert (again.returncode, again.stdout.decode()) == (0, "prediction,rule\n是,2\n")


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\n1\n", "the file has no column '有工作'"),
        ("有工作,有工作\n是,是\n", "the file has two columns '有工作'"),
        ("id,有工作\n1,是\n2\n", "line 3 has 1 cells, not 2"),
        ('有工作,id\n"是,1\n', "line 2 cannot be read as CSV"),
        ("有工作,rule\n是,1\n", "the file has a column 'rule'"),
        ("", "the file is empty"),
        (b"\xb1\xff\n1\n", "not utf-8-sig: name it"),
    ],
)
def test_what_cannot_be_read_is_told_with_exit_code_1(script: Path, text: str | bytes, said: str) -> None:
    """On the standard error, without a traceback."""
    done = run(script, text=text)
    assert done.returncode == 1
    assert said in done.stderr.decode()


@pytest.mark.process
def test_a_cell_that_cannot_be_read_is_told_with_line_and_column(tmp_path: Path) -> None:
    """The rows before it are written."""
    path = tmp_path / "rules.py"
    path.write_text(to_python(one_column("integer"), style="full"), encoding="utf-8")
    done = run(path, text="x\n1\nmany\n")
    assert (done.returncode, done.stdout) == (1, b"x,prediction,rule\n1,0.0,1\n")
    assert "line 3, column 'x': 'many' is no integer" in done.stderr.decode()


@pytest.mark.process
def test_usage_and_missing_files_have_their_exit_codes(script: Path, tmp_path: Path) -> None:
    """2 for a wrong command line, 1 for a file that is not there, 0 for help."""
    for arguments in (("--bad",), ("--delimiter", "ab"), ("--encoding", "none"), ("a", "b")):
        assert run(script, *arguments).returncode == 2
    done = run(script, tmp_path / "none.csv")
    assert (done.returncode, b"No such file" in done.stderr) == (1, True)
    assert run(script, "--help").returncode == 0


@pytest.mark.process
def test_a_closed_pipe_is_quiet(script: Path) -> None:
    """Whoever reads the first line alone ends the script without a word."""
    import subprocess
    import sys

    text = ("有工作\n" + "是\n" * 200_000).encode()
    shown = [sys.executable, "-c", "import sys; sys.stdin.buffer.read(10)"]
    with subprocess.Popen(shown, stdin=subprocess.PIPE) as reader:
        assert reader.stdin is not None
        done = subprocess.run([sys.executable, script], input=text, stdout=reader.stdin, stderr=subprocess.PIPE)
        reader.stdin.close()
    assert (done.returncode, done.stderr) == (0, b"")


# ---- the self-test


def test_the_selftest_fails_where_a_module_differs_from_its_tree() -> None:
    """Each question moved by one value or turned round is found; so is a changed rule number."""
    columns = {"x": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "n": [1, 2, 3, 3, 2, 1], "c": ["a", "b", "a", "b", "c", "c"]}
    table = Table.from_columns({**columns, "y": ["p", "q", "r", "s", "t", "u"]})
    text = to_python(learn(table, target="y", recipe=cart()), layout="guarded", style="full")
    assert module(text).selftest() == 0
    body = text[text.index("that fires for a row") : text.index("\ndef predict_proba(")]
    changes = [(" <= ", " < "), (" > ", " >= "), ("return 1", "return 2"), (" == ", " != "), ("not ", "")]
    edits = [(match, new) for old, new in changes for match in re.finditer(old, body)]
    assert len(edits) > 4
    for match, new in edits:
        if "class" not in body[: match.start()].rpartition("\n")[2]:  # that line only says what is converted
            changed = body[: match.start()] + new + body[match.end() :]
            assert module(text.replace(body, changed)).selftest() == 1, changed


@pytest.mark.process
def test_the_selftest_of_a_script_has_an_exit_code(script: Path) -> None:
    """One line and 0, or 1 where a rule differs."""
    done = run(script, "--selftest")
    assert done.returncode == 0 and done.stdout.count(b"\n") == 1
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("return 1\n", "return 2\n", 1), encoding="utf-8")
    done = run(script, "--selftest")
    assert (done.returncode, done.stdout[:5]) == (1, b"rule ")


def test_the_selftest_says_where_no_rule_fires() -> None:
    """A module that lost a rule fails its test, without a traceback."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0], "y": ["p", "q", "r"]})
    text = to_python(learn(table, target="y", recipe=cart()), layout="flat", style="full")
    assert module(text.replace("return 2\n", "pass\n")).selftest() == 1


# ---- hostility


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("attack", attack_parameters([*ATTACKS, *UNSTORABLE]), ids=lambda attack: ascii(attack)[:20])
def test_user_text_reaches_a_module_as_constants_alone(attack: str, vectorized: bool) -> None:
    """With constants blanked, the module of hostile names is that of harmless ones: no name or call is the user's."""

    def blank(names: list[str]) -> str:
        data = {names[0]: [names[0], names[0], names[1], names[1]], names[1]: [1.0, 2.0, 1.0, 2.0]}
        table = Table.from_columns({**data, "y": [names[0], names[1], names[1], names[1]]})
        parsed = ast.parse(to_python(learn(table, target="y", recipe=cart()), vectorized=vectorized, style="full"))
        for node in ast.walk(parsed):
            if isinstance(node, ast.Constant):
                node.value = None
        return ast.dump(parsed)

    tame = "a" * (len(attack) if len(attack) > 80 else 1)  # long text is laid out otherwise
    assert blank([attack, attack + "z"]) == blank([tame, tame + "z"])


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_model_of_a_file_without_a_header_scores_that_file(delimiter: str, tmp_path: Path) -> None:
    """Its columns are c1, c2, ...: a first line that has none of these names is a row, as it is for `predict`."""
    lines = [delimiter.join([f"{n / 4}", f"{n * 7 % 11}", "low" if n < 20 else "high"]) for n in range(40)]
    path, script = tmp_path / "a.csv", tmp_path / "a.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    tree = learn(read_csv(path), target="c3", recipe=cart())
    script.write_text(to_python(tree, style="full"), encoding="utf-8")
    headed = delimiter.join(["c1", "c2", "c3"]) + "\n" + path.read_text(encoding="utf-8")
    for text in (path.read_text(encoding="utf-8"), headed):
        first, *rows = csv.reader(io.StringIO(run(script, text=text).stdout.decode()))
        assert first == ["c1", "c2", "c3", "prediction", "rule"]
        assert [row[3] for row in rows] == [line.split(delimiter)[2] for line in lines]


def test_a_script_that_asks_no_column_finds_the_delimiter(tmp_path: Path) -> None:
    """A tree of one leaf names no column by which a delimiter could be known: it divides all lines alike."""
    table = Table.from_columns({"x": [1.0, 2.0], "y": ["a", "a"]})
    script = tmp_path / "a.py"
    script.write_text(to_python(learn(table, target="y", recipe=cart()), style="full"), encoding="utf-8")
    done = run(script, text="x;y\n1,5;a\n2,5;b\n")
    assert done.stdout.decode() == 'x,y,prediction,rule\n"1,5",a,a,1\n"2,5",b,a,1\n'

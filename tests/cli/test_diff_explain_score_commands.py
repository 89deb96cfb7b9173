"""`diff`, `explain` and `score` as a shell meets them: real files, rows put to the rules as Python says them."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from loan_rules import QUERY, TEXT, asked, fired, written
from paths import LOAN
from terminal import TERMINALS, Terminal
from treerules import Feature, Kind, Schema, cart, learn, save
from treerules.cli import main
from treerules.errors import OptionError
from treerules.formats.pasted_rows import row_from_text
from treerules.readers import read_csv
from treerules.rendering.text_tables import display_width
from treerules.rules.row_text import row_text
from treerules.trees import find_leaf

#: Rules that are exclusive and complete, in two versions: the bound of an age moves from 30 to 35.
WHOLE = "column age: integer 0..120, never missing\nIF age <= 30 THEN y = no\nIF age > 30 THEN y = yes\n"
MOVED = WHOLE.replace("30", "35")
ROWS = "id,age,y\na,20,no\nb,33,yes\nc,34,no\nd,60,yes\n"


def printed(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object) -> tuple[int, Any]:
    """Return the exit code of a command and the record that it prints."""
    code = main([*map(str, arguments), "--format", "json"])
    return code, json.loads(capfdbinary.readouterr().out)


def test_diff_names_the_region_in_which_answers_differ(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Ages over 30 up to 35: the witness lies there, two rows of the data do, and --exit-code makes it a 1."""
    old, new, data = (
        written(tmp_path, name, text) for name, text in (("old.rules", WHOLE), ("new.rules", MOVED), ("t.csv", ROWS))
    )
    code, found = printed(capfdbinary, "diff", old, new, "--data", data)
    assert (code, found["equal"], found["n_regions"]) == (0, False, 1)
    (region,) = found["regions"]
    assert 30 < region["row"]["age"] <= 35
    assert (region["old"]["value"], region["new"]["value"], region["rows"]) == ("yes", "no", 2)
    assert main(["diff", str(old), str(new), "--exit-code"]) == 1
    capfdbinary.readouterr()
    code, found = printed(capfdbinary, "diff", old, old, "--exit-code")
    assert (code, found["equal"], found["regions"]) == (0, True, [])


def test_diff_takes_any_two_forms(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Text is equal to the table that says the same and to the model that is compiled from it; a CASE is one too."""
    text = written(tmp_path, "a.rules", WHOLE)
    table = written(tmp_path, "a.csv", "age,y\n<=30,no\n>30,yes\n")
    query = written(tmp_path, "a.sql", "SELECT CASE WHEN age <= 35 THEN 'no' ELSE 'yes' END AS y FROM t")
    model = tmp_path / "a.tree.json"
    schema = {"columns": {"age": {"kind": "integer", "lowest": 0, "highest": 120, "missing": False}}}
    declared = written(tmp_path, "schema.json", json.dumps(schema))
    assert main(["compile", str(text), "-o", str(model)]) == 0
    for other in (table, model):
        code = main(["diff", str(text), str(other), "--schema", str(declared), "--exit-code"])
        assert code == 0, capfdbinary.readouterr()
    capfdbinary.readouterr()
    _, found = printed(capfdbinary, "diff", text, query, "--schema", declared)
    assert found["equal"] is False and all(30 < region["row"]["age"] <= 35 for region in found["regions"])
    two = written(tmp_path, "two.sql", QUERY)
    assert [part["change"] for part in printed(capfdbinary, "diff", two, two)[1]["parts"]] == ["same", "same"]
    assert main(["diff", str(two), str(two), "--case", "2", "--exit-code"]) == 0


def test_one_case_with_expressions_is_compared(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """As one of several is; rows of data have no such columns."""
    old, new = tmp_path / "old.sql", tmp_path / "new.sql"
    old.write_text("SELECT CASE WHEN lower(x) = 'a' THEN 1 ELSE 0 END AS k FROM t")
    new.write_text("SELECT CASE WHEN lower(x) <> 'a' OR lower(x) IS NULL THEN 0 ELSE 1 END AS k FROM t")
    code, found = printed(capfdbinary, "diff", old, new, "--exit-code")
    assert (code, [part["change"] for part in found["parts"]]) == (0, ["equal"])
    (tmp_path / "t.csv").write_text("x\na\n")
    assert main(["diff", str(old), str(new), "--data", str(tmp_path / "t.csv")]) == 3
    assert b"taken as a column" in capfdbinary.readouterr().err


def test_explain_names_the_rule_and_a_change_that_flips(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The rule is the one that Python fires, and so is the answer of the changed row."""
    path = written(tmp_path, "whole.rules", WHOLE)
    code, found = printed(capfdbinary, "explain", path, "--row", '{"age": 20}')
    assert (code, found["rule"], found["answer"]) == (0, 1, "no")
    assert found["change"]["row"]["age"] == 31 and found["change"]["answer"] == "yes"
    data = written(tmp_path, "t.csv", ROWS)
    for options in (("--id", 3), ("--id", "d", "--id-column", "id")):
        _, found = printed(capfdbinary, "explain", path, "--data", data, *options)
        assert (found["rule"], found["answer"], found["row"]["age"]) == (2, "yes", 60)
    assert main(["explain", str(path), "--row", '{"agge": 20, "age": 5}']) == 0
    assert "did you mean 'age'?" in capfdbinary.readouterr().err.decode()


def test_explain_follows_a_model_and_a_query(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The path of a model is told; of a CASE the WHEN that DuckDB's answer comes from."""
    model = tmp_path / "m.tree.json"
    tree = learn(read_csv(LOAN), target="类别", recipe=cart())
    save(tree, model)
    _, found = printed(capfdbinary, "explain", model, "--data", LOAN, "--id", 0)
    row = next(iter(read_csv(LOAN).rows()))
    assert found["answer"] == find_leaf(tree, row).prediction.value
    assert found["path"]
    query = written(tmp_path, "q.sql", QUERY)
    witness = {"age": 65.0, "city": "北京"}
    _, found = printed(capfdbinary, "explain", query, "--case", 1, "--row", row_text(witness))
    assert found["answer"] == asked("band", witness) == "senior here"
    assert found["name"] == "WHEN 3"


def test_what_explain_refuses(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """2 for a wrong call, 3 for wrong data, 1 where two rules fire and predict different values."""
    path, data = written(tmp_path, "whole.rules", WHOLE), written(tmp_path, "t.csv", ROWS + "d,61,yes\n")
    torn = written(tmp_path, "torn.rules", WHOLE + "IF age <= 20 THEN y = yes\n")
    for file, options, code, message in (
        (path, (), 2, "--row"),
        (path, ("--data", data), 2, "--id"),
        (path, ("--row", "{}", "--data", data, "--id", 1), 2, "--row"),
        (path, ("--row", "age=20"), 2, "as JSON"),
        (path, ("--row", "[20]"), 2, "as JSON"),
        (path, ("--row", "__import__('os').getcwd()"), 2, "as JSON"),
        (path, ("--row", '{"age": "old"}'), 3, "age"),
        (path, ("--data", data, "--id", 9), 3, "from 0 to 4"),
        (path, ("--data", data, "--id", "d", "--id-column", "id"), 3, "2 rows"),
        (path, ("--data", data, "--id", "x", "--id-column", "id"), 3, "no row"),
        (path, ("--data", data, "--id", "x", "--id-column", "key"), 2, "key"),
        (torn, ("--row", '{"age": 20}'), 1, "both fire"),
    ):
        assert main(["explain", str(file), *map(str, options)]) == code, options
        done = capfdbinary.readouterr()
        assert message in done.err.decode() and done.out == b"", options


def test_score_counts_as_python_does(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """n of each rule, rows that several claim and rows that none does, counted by hand."""
    pairs = [(age, pay) for age in (None, 10, 30, 31, 46, 50, 51, 90) for pay in (None, 3000.0, 3000.5)]
    lines = [f"{'' if age is None else age},{'' if pay is None else pay}" for age, pay in pairs]
    data = written(tmp_path, "t.csv", "年龄,income\n" + "\n".join(lines) + "\n")
    path = written(tmp_path, "loan.rules", TEXT)
    code, found = printed(capfdbinary, "score", path, data)
    assert code == 0 and found["n"] == len(pairs)
    rows = [fired({"年龄": age, "income": pay}) for age, pay in pairs]
    assert [rule["n"] for rule in found["rules"]] == [sum(number in row for row in rows) for number in (1, 2, 3)]
    assert found["uncovered"]["n"] == sum(not row for row in rows) > 0
    assert sum(pair["n"] for pair in found["overlaps"]) == sum(len(row) == 2 for row in rows) > 0


def test_score_judges_a_model_by_its_own_table(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The figures of learned rules on the table that they were learned from are those they carry."""
    model = tmp_path / "m.tree.json"
    save(learn(read_csv(LOAN), target="类别", recipe=cart()), model)
    assert main(["rules", str(model), "--format", "json"]) == 0
    learned = json.loads(capfdbinary.readouterr().out)["rules"]
    _, found = printed(capfdbinary, "score", model, LOAN)
    names = ("n", "coverage", "support", "confidence", "lift")
    assert [[rule[name] for name in names] for rule in found["rules"]] == [
        [pytest.approx(rule[name]) for name in names] for rule in learned
    ]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "md", "csv", "json"])
def test_every_format_and_language(
    format: str, lang: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Each command prints each; on stdout, and nothing on stderr."""
    old, new = written(tmp_path, "old.rules", WHOLE), written(tmp_path, "new.rules", MOVED)
    data = written(tmp_path, "t.csv", ROWS)
    for command in (("diff", old, new, "--data", data), ("explain", old, "--row", '{"age": 20}'), ("score", old, data)):
        assert main([*map(str, command), "--format", format, "--lang", lang]) == 0
        done = capfdbinary.readouterr()
        assert done.out.decode() and b"\x1b" not in done.out, command
        assert done.err == b"", command


@TERMINALS
def test_tables_fit_a_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """On a terminal of 80 columns conditions are folded, no line is wider, and nothing is left out."""
    schema = "column city: category {北京, 上海, 广州, 深圳, 成都}\n"
    cities = "AND city in {北京, 上海, 广州, 深圳} THEN y ="
    old = written(tmp_path, "old.rules", schema + WHOLE.replace("30 THEN y =", f"30 {cities}"))
    new = written(tmp_path, "new.rules", schema + MOVED.replace("35 THEN y =", f"35 {cities}"))
    data = written(tmp_path, "t.csv", "id,age,city,y\na,20,北京,no\nb,33,上海,yes\n")
    for command, told in (
        (("diff", old, new, "--data", data), "1 of 2 rows answered differently"),
        (("explain", old, "--data", data, "--id", 1), "nearest change"),
        (("score", old, data), "every row fires one rule"),
    ):
        code, shown = terminal(*command)
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).splitlines()
        assert code == 0 and told in shown
        assert all(display_width(line.rstrip()) <= 80 for line in lines), shown


def test_help_fits_a_terminal(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """No line is wider than 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("diff", "explain", "score"):
        assert main([command, "--help"]) == 0
        assert all(display_width(line) <= 80 for line in capfdbinary.readouterr().out.decode().splitlines())


def test_rows_that_are_pasted() -> None:
    """Infinities, dates and moments, from JSON and from Python; nothing else is called."""
    schema = Schema(
        [Feature("x", Kind.NUMBER), Feature("day", Kind.DATE), Feature("at", Kind.TIMESTAMP, (), "timestamp_utc")]
    )
    json_row = '{"x": "-inf", "day": "2024-03-21", "at": "2024-03-21T08:00:00+00:00"}'
    row, strange = row_from_text(json_row, schema)
    assert not strange
    assert row_from_text(row_text(row), schema) == (row, ())
    assert row_from_text(f"  {row_text({'x': -1.5, 'c': None})}", schema) == ({"x": -1.5}, ("c",))
    for wrong in ("", "{", "7", "{'x': open('a')}", "{1: 2}", "{**a}", '{"day": "21.3.2024"}', "{'x': float('x')}"):
        with pytest.raises(OptionError):
            row_from_text(wrong, schema)


@TERMINALS
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_narrow_terminal_folds_text_and_cuts_none(
    terminal: Terminal, columns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a terminal shows has each character of what a pipe gets, on lines that fit it."""
    old, new = tmp_path / "old.rules", tmp_path / "new.rules"
    text = "target 决定: category {低, 很高}\nIF age <= 29.5 THEN 低\nIF (age > 29.5 or missing) THEN 很高\n"
    old.write_text(text, encoding="utf-8")
    new.write_text(text.replace("29.5", "54321"), encoding="utf-8")
    code, shown = terminal("diff", old, new, columns=columns)
    assert code == 0 and main(["diff", str(old), str(new)]) == 0
    lines = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", shown).split("\n")
    assert max(display_width(line.rstrip()) for line in lines) <= columns
    assert Counter("".join("".join(lines).split())) == Counter("".join(capsys.readouterr().out.split()))


def test_what_was_not_read_whole_is_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is equal, explained or scored by a CASE of which a WHEN is not known."""
    whole, torn, data = tmp_path / "whole.sql", tmp_path / "torn.sql", tmp_path / "rows.csv"
    whole.write_text("SELECT CASE WHEN f < 30 THEN 'a' ELSE 'b' END AS k FROM t", encoding="utf-8")
    torn.write_text("SELECT CASE WHEN f < 30 THEN 'a' WHEN g < 'x' THEN 'c' ELSE 'b' END AS k", encoding="utf-8")
    data.write_text("f,k\n1,a\n40,b\n", encoding="utf-8")
    for command in (
        ["diff", whole, torn],
        ["diff", torn, torn],
        ["explain", torn, "--row", "{}"],
        ["score", torn, data],
    ):
        assert main([*map(str, command)]) == 3
        error = capsys.readouterr().err
        assert "a part of the rules was not read, on line 1: g, of kind category, is compared by order" in error
    assert main(["diff", str(whole), str(whole), "--exit-code"]) == 0

"""`check` and `compile` as a shell meets them: the same rules in every form, real files, a real engine."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from command_line import ENVIRONMENT, run
from loan_rules import QUERY, TEXT, answered, asked, fired, written
from paths import EXAMPLES, LOAN, ROOT
from treerules import Feature, Kind, cart, learn, load, save
from treerules.cli import main
from treerules.data.domain import ColumnDomain
from treerules.errors import FileError, ModelFileError, OptionError, ParseError, UnknownNameError
from treerules.formats.dmn.dmn_reader import rules_from_dmn
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.rule_files import read_rules
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.schema_json import read_declared_schema, schema_from_json
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.tables.table_reader import rules_from_csv, rules_from_markdown
from treerules.readers import read_csv
from treerules.rendering.text_tables import display_width
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees import find_leaf

CELLS = (("年龄", "income", "类别"), ("<=30", "-", "拒绝"), ("(30..50]", ">3000", "批准"), (">45", "-", "批准"))
CSV = "".join(",".join(row) + "\n" for row in CELLS)
MARKDOWN = "\n".join("| " + " | ".join(row) + " |" for row in (CELLS[0], ("---",) * 3, *CELLS[1:])) + "\n"
DMN = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="贷款" namespace="urn:x">
  <decision id="loan" name="类别"><decisionTable id="t" hitPolicy="UNIQUE">
    <input id="i1"><inputExpression typeRef="number"><text>年龄</text></inputExpression></input>
    <input id="i2"><inputExpression typeRef="number"><text>income</text></inputExpression></input>
    <output id="o" name="类别" typeRef="string"/>
    <rule id="r1"><inputEntry><text>&lt;= 30</text></inputEntry><inputEntry><text>-</text></inputEntry>
      <outputEntry><text>"拒绝"</text></outputEntry></rule>
    <rule id="r2"><inputEntry><text>(30..50]</text></inputEntry><inputEntry><text>&gt; 3000</text></inputEntry>
      <outputEntry><text>"批准"</text></outputEntry></rule>
    <rule id="r3"><inputEntry><text>&gt; 45</text></inputEntry><inputEntry><text>-</text></inputEntry>
      <outputEntry><text>"批准"</text></outputEntry></rule>
  </decisionTable></decision>
</definitions>
"""
FORMS = {"loan.rules": TEXT, "loan.csv": CSV, "loan.md": MARKDOWN, "loan.dmn": DMN}
#: What makes the rules above complete and exclusive.
FINE = TEXT.replace("年龄 > 45 THEN", "年龄 > 50 THEN") + "IF 年龄 > 30 AND 年龄 <= 50 AND income <= 3000 THEN 拒绝\n"
SCHEMA = {
    "columns": {
        "年龄": {"kind": "integer", "lowest": 0, "highest": 120, "missing": False},
        "income": {"kind": "number", "missing": False},
    }
}


def checked(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object) -> tuple[int, Any]:
    """Return the exit code of `check` and the record that it prints."""
    code = main(["check", *map(str, arguments), "--format", "json"])
    return code, json.loads(capfdbinary.readouterr().out)


@pytest.mark.parametrize("name", FORMS)
def test_the_same_rules_in_every_form_have_the_same_verdict(
    name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Text, CSV, Markdown and DMN: each witness fires two of the rules as Python says them, or none; exit code 1."""
    code, found = checked(capfdbinary, written(tmp_path, name, FORMS[name]))
    assert (code, found["exclusive"], found["complete"], found["rules"]) == (1, False, False, 3)
    for overlap in found["overlaps"]:
        assert {overlap["first"], overlap["second"]} <= fired(overlap["row"])
    assert found["overlaps"] and not any(fired(gap["row"]) for gap in found["gaps"])
    assert found["gaps"]
    if name != "loan.dmn":
        lines = FORMS[name].splitlines()
        assert "拒绝" in lines[found["lines"]["1"] - 1] and "45" in lines[found["lines"]["3"] - 1]


def test_closing_a_gap_as_told_closes_it(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The rules that a check of text proposes, pasted into the file, leave no gap."""
    path = written(tmp_path, "loan.rules", TEXT)
    for _ in range(5):
        code, found = checked(capfdbinary, path)
        if found["complete"]:
            break
        path = written(tmp_path, "loan.rules", path.read_text("utf-8") + found["gaps"][0]["rule"] + "\n")
    assert found["complete"] is True and code == 1
    assert found["rules"] > 3


def test_what_is_declared_is_the_domain(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Rules that leave missing values alone are complete where none is missing: exit code 0."""
    path = written(tmp_path, "loan.rules", FINE)
    assert checked(capfdbinary, path)[0] == 1
    schema = written(tmp_path, "schema.json", json.dumps(SCHEMA))
    code, found = checked(capfdbinary, path, "--schema", schema)
    assert (code, found["ok"], found["exclusive"], found["complete"]) == (0, True, True, True)
    assert main(["check", str(path), "--schema", str(schema)]) == 0
    proved, assuming = capfdbinary.readouterr().out.decode().splitlines()
    assert proved == "checked: 4 rules, mutually exclusive and complete"
    assert assuming.startswith("assuming: ") and "never missing" in assuming
    target = written(tmp_path, "named.json", json.dumps({**SCHEMA, "target": "answer"}))
    _, found = checked(capfdbinary, written(tmp_path, "t.rules", "IF 年龄 < 9 THEN no"), "--schema", target)
    assert "THEN answer = no" in found["gaps"][0]["rule"]


def test_a_model_is_checked_as_ever(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Whatever its file is called; a damaged one is refused with exit code 4."""
    model = tmp_path / "loan.tree.json"
    save(learn(read_csv(LOAN), target="类别", recipe=cart()), model)
    other = tmp_path / "model.v2"
    other.write_bytes(model.read_bytes())
    for path in (model, other):
        assert main(["check", str(path)]) == 0
        text = b"checked, with missing and unseen values: 3 rules, mutually exclusive and complete\n"
        assert capfdbinary.readouterr().out == text
    other.write_bytes(model.read_bytes().replace(b"0.4", b"0.5"))
    assert main(["check", str(other)]) == 4
    schema = written(tmp_path, "schema.json", json.dumps({"columns": {"有工作": "number"}}))
    assert main(["check", str(model), "--schema", str(schema)]) == 3
    assert "有工作" in capfdbinary.readouterr().err.decode()


def test_a_query_is_checked_case_by_case(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Which WHEN never fires, which depend on the order, what comes to ELSE and to NULL; DuckDB says so of each row."""
    path = written(tmp_path, "query.sql", QUERY)
    code, found = checked(capfdbinary, path, "--dialect", "duckdb")
    assert code == 1 and found["format"] == "treerules.verdicts"
    band, z = found["verdicts"]
    names = {int(number): name for number, name in band["names"].items()}
    assert {names[part["rule"]] for part in band["never"]} == {"WHEN 2"}
    assert {names[number] for part in band["never"] for number in part["by"]} == {"WHEN 1"}
    assert band["lines"][str(band["never"][0]["rule"])] == 3
    pairs = {(names[part["first"]], names[part["second"]]): part["row"] for part in band["overlaps"]}
    assert ("WHEN 3", "WHEN 4") in pairs
    assert asked("band", pairs["WHEN 3", "WHEN 4"]) == "senior here"
    assert band["complete"] is True
    assert {asked("band", part["row"]) for part in band["otherwise"]} == {"adult"}
    assert z["complete"] is False and [asked("z", gap["row"]) for gap in z["gaps"]] == [None] * len(z["gaps"])
    assert main(["check", str(path), "--dialect", "duckdb"]) == 1
    shown = capfdbinary.readouterr().out.decode()
    for part in (
        f"== {path}:2: CASE 1 (band)\nerror TR001: WHEN 2 (line 3) never decides: WHEN 1 (line 2) takes its rows\n",
        "note TR203: the order decides between WHEN 3 (line 4) and WHEN 4 (line 5)\n",
        f"== {path}:7: CASE 2 (z)\nwarning TR101: no WHEN holds: the answer is NULL\n",
    ):
        assert part in shown, shown


def test_fix_prints_an_exclusive_case(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """DuckDB answers alike, and a check of it finds no pair whose order matters; the verdict goes to stderr."""
    cases = QUERY.replace(",\n  CASE WHEN age > 3 THEN 1 WHEN city = '北京' THEN 2 END AS z", "")
    path = written(tmp_path, "query.sql", cases)
    assert main(["check", str(path), "--dialect", "duckdb", "--independent"]) == 1
    done = capfdbinary.readouterr()
    assert b"never decides" in done.err
    fixed = done.out.decode()
    expression = re.sub(r"\s+AS\s+\S+\s*;?\s*$", "", re.sub(r"^\s*SELECT\s+", "", fixed.strip()))
    query = f"SELECT id, {expression} AS v FROM people"
    ages = (None, -1.0, 9.5, 10.0, 17.9, 18.0, 49.0, 50.0, 60.0, 70.0, 70.5, 1e9)
    rows = [{"age": age, "city": city} for age in ages for city in (None, "北京", "上海", "广州", "")]
    assert answered("v", rows, query) == answered("band", rows, cases)
    _, found = checked(capfdbinary, written(tmp_path, "fixed.sql", f"SELECT {expression} AS v FROM people"))
    assert found["overlaps"] == [] and found["never"] == [] and found["complete"] is True


def test_fix_of_text_in_order_is_a_set(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Rules in order come out as rules that are exclusive, and complete where there was an `otherwise`."""
    text = "ordered\nIF age < 30 THEN young\nIF age < 60 THEN middle\nOTHERWISE old\n"
    path = written(tmp_path, "ages.rules", text)
    assert main(["check", str(path), "--independent"]) == 0
    fixed = written(tmp_path, "fixed.rules", capfdbinary.readouterr().out.decode())
    (before,), (after,) = read_rules(path), read_rules(fixed)
    assert isinstance(before.rules, RuleList) and isinstance(after.rules, RuleSet)
    assert main(["check", str(fixed)]) == 0
    for age in (None, -1.0, 29.9, 30.0, 59.0, 60.0):
        (rule,) = after.rules.firing({"age": age})
        assert rule.value == before.rules.firing({"age": age})[0].value
    assert main(["check", str(fixed), "--independent"]) == 2, "a set needs none"


def test_what_cannot_be_read_is_a_note(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The order of texts in a WHEN is named with its place: a note in SQL, exit code 0, and nothing is fixed."""
    path = written(tmp_path, "q.sql", "SELECT CASE WHEN y > 3 THEN 1\n WHEN x < 'm' THEN 2 ELSE 3 END AS z FROM t")
    code, found = checked(capfdbinary, path)
    assert code == 0 and found["ok"] is True
    assert found["unread"][0]["line"] == 2 and "by order" in found["unread"][0]["problem"]
    assert ("TR301", "note", 2) in [(each["code"], each["severity"], each["line"]) for each in found["findings"]]
    assert main(["check", str(path), "--independent"]) == 3


def test_exit_codes_and_messages(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """2 for a wrong call, 3 for what cannot be read; one message on stderr, with the line and a caret."""
    wrong = written(tmp_path, "wrong.rules", "IF age < THEN yes\n")
    strange = written(tmp_path, "rules.foo", TEXT)
    schema = written(tmp_path, "schema.json", '{"columns": {"年龄": {"kind": "integr"}}}')
    fine = written(tmp_path, "fine.rules", TEXT)
    for arguments, code, message in (
        ((wrong,), 3, "wrong.rules:1:"),
        ((strange,), 3, "ends in .foo"),
        ((tmp_path / "none.rules",), 3, "No such file"),
        ((fine, "--schema", schema), 3, "did you mean 'integer'?"),
        ((fine, "--as", "cobol"), 2, "cobol"),
        ((fine, "--limit", "0"), 2, "--limit"),
        ((fine, "--format", "xml"), 2, "xml"),
        ((fine, "--independent", "--format", "json"), 2, "--format"),
        ((fine, "--independent", "--format", "text"), 2, "--format"),
        ((), 2, "FILE"),
    ):
        assert main(["check", *map(str, arguments)]) == code, arguments
        done = capfdbinary.readouterr()
        assert message in done.err.decode() and done.out == b""
    assert main(["check", str(strange), "--as", "rules"]) == 1
    assert main(["check", str(wrong)]) == 3
    assert capfdbinary.readouterr().err.decode().rstrip().endswith("^")


def test_files_stand_one_after_another(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Each under its name; one no makes the exit code, as a hook of pre-commit needs."""
    first = written(tmp_path, "a.rules", "IF x <= 1 OR missing THEN no\nIF x > 1 THEN yes\n")
    second = written(tmp_path, "b.csv", CSV)
    assert main(["check", str(first), str(second)]) == 1
    shown = capfdbinary.readouterr().out.decode()
    assert shown.startswith(
        f"== {first}\nchecked: 2 rules, mutually exclusive and complete\n\n== {second}\nexclusive: no"
    )
    assert main(["check", str(first), str(first)]) == 0
    capfdbinary.readouterr()
    code, found = checked(capfdbinary, first, second)
    assert (code, found["ok"], [part["ok"] for part in found["verdicts"]]) == (1, False, [True, False])
    assert [part["file"] for part in found["verdicts"]] == [str(first), str(second)]


def test_rules_are_read_from_stdin() -> None:
    """- is stdin, with --as; without it the form cannot be known."""
    completed = run("check", "-", "--as", "rules", "--lang", "zh", stdin=TEXT)
    assert completed.returncode == 1, completed.stderr
    assert completed.stdout.startswith("互斥: 否\n完备: 否\n") and "规则 2(第 6 行)" in completed.stdout
    refused = run("check", "-", stdin=TEXT)
    assert refused.returncode == 2 and "--as" in refused.stderr


@pytest.mark.process
def test_stdin_a_pipe_and_bytes(tmp_path: Path) -> None:
    """- is stdin, with --as; what is printed is UTF-8 whatever the locale, and a reader that goes away is no error."""
    environment = {**ENVIRONMENT, "PYTHONUTF8": "0", "LC_ALL": "C"}
    command = [sys.executable, "-m", "treerules", "check", "-", "--as", "rules", "--lang", "zh"]
    done = subprocess.run(command, input=TEXT.encode(), capture_output=True, env=environment, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.decode("utf-8").startswith("互斥: 否\n完备: 否\n") and "规则 2(第 6 行)" in done.stdout.decode(
        "utf-8"
    )
    assert all(display_width(line) <= 80 for line in done.stdout.decode("utf-8").splitlines())
    path = written(tmp_path, "loan.rules", "\ufeff" + TEXT.replace("\n", "\r\n"))
    shell = f'"{sys.executable}" -m treerules check "{path}" | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, env=ENVIRONMENT, check=False)
    assert done.stderr == b"" and done.stdout in (b"0\n", b"1\n")


def test_limit_is_a_limit_and_is_said(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """No more findings of a kind than asked for, and a line that says that there are more."""
    rules = "".join(f"IF x > {n} AND x <= {n + 2} THEN {'ab'[n % 2]}\n" for n in range(8))
    path = written(tmp_path, "many.rules", rules)
    _, found = checked(capfdbinary, path, "--limit", 3)
    assert len(found["overlaps"]) == 3 and "overlaps" in found["cut_off"]
    assert main(["check", str(path), "--limit", "3"]) == 1
    assert "more findings are not shown (overlaps" in capfdbinary.readouterr().out.decode()
    _, found = checked(capfdbinary, path)
    assert len(found["overlaps"]) == 7 and found["cut_off"] == []


def test_compile_makes_a_model_of_rules_by_hand(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The model answers as the rules do in Python, passes its own check, and the growth is told."""
    text = FINE + "IF 年龄 is missing THEN 拒绝\nIF 年龄 > 30 AND 年龄 <= 50 AND income is missing THEN 拒绝\n"
    path, model = written(tmp_path, "loan.rules", text), tmp_path / "loan.tree.json"
    assert main(["compile", str(path), "-o", str(model)]) == 0
    said = capfdbinary.readouterr().err.decode()
    assert re.search(r"6 rules became \d+ leaves\ndepth \d+\n", said) and f"wrote {model}" in said
    tree = load(model)
    rows = [{"年龄": age, "income": pay} for age in (None, 0, 30, 31, 50, 51) for pay in (None, 3000.0, 3000.5)]
    for row in rows:
        age, pay = row["年龄"], row["income"]
        approved = age is not None and (age > 50 or (age > 30 and pay is not None and pay > 3000))
        assert find_leaf(tree, row).prediction.value == ("批准" if approved else "拒绝")
    assert main(["check", str(model)]) == 0


def test_compile_refuses_what_is_no_partition(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """The verdict on stdout, exit code 1, and nothing is written, not even over an old model."""
    model = written(tmp_path, "m.tree.json", "old")
    for name, text in FORMS.items():
        assert main(["compile", str(written(tmp_path, name, text)), "-o", str(model)]) == 1
        done = capfdbinary.readouterr()
        assert done.out.decode().startswith("exclusive: no\ncomplete: no\n") or name == "loan.dmn"
        assert "is not written" in done.err.decode()
    path = written(tmp_path, "q.sql", "SELECT CASE WHEN x > 1 THEN 'a' END AS y")
    assert main(["compile", str(path), "-o", str(model)]) == 1
    assert model.read_text("utf-8") == "old"


def test_compile_takes_rules_in_order(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A CASE becomes a model that answers as DuckDB does; of several one is chosen with --case."""
    path, model = written(tmp_path, "query.sql", QUERY), tmp_path / "band.tree.json"
    assert main(["compile", str(path), "-o", str(model)]) == 2
    assert "--case" in capfdbinary.readouterr().err.decode()
    assert main(["compile", str(path), "-o", str(model), "--case", "3"]) == 2
    assert main(["compile", str(path), "-o", str(model), "--case", "1", "--dialect", "duckdb"]) == 0
    assert re.search(r"\d rules became \d+ leaves", capfdbinary.readouterr().err.decode())
    tree = load(model)
    rows = [{"age": age, "city": city} for age in (None, 5.0, 17.0, 55.0, 65.0, 90.0) for city in (None, "北京", "x")]
    assert [find_leaf(tree, row).prediction.value for row in rows] == answered("band", rows)


def test_declarations_are_read(tmp_path: Path) -> None:
    """Kinds, values in their types and order, what may come; a model declares what its schema does."""
    text = json.dumps(
        {
            "columns": {
                "age": {"kind": "integer", "lowest": 0, "highest": 120, "missing": False},
                "size": {"kind": "ordinal", "categories": ["S", "M", "L"], "unseen": False},
                "city": {"categories": ["北京", "上海"]},
                "code": {"kind": "category", "categories": [7, 3]},
                "day": {"kind": "date", "lowest": "2024-01-01"},
                "at": {"kind": "timestamp", "highest": "2024-01-01T00:00:00+00:00"},
                "x": "number",
                "any": {"missing": False},
            },
            "target": {"name": "y", "kind": "boolean"},
        }
    )
    found = read_declared_schema(written(tmp_path, "schema.json", "\ufeff" + text))
    assert [feature.name for feature in found.schema.features] == ["age", "size", "city", "code", "day", "at", "x"]
    assert found.schema.feature("size").categories == ("S", "M", "L")
    assert found.schema.feature("city") == Feature("city", Kind.CATEGORY, ("上海", "北京"))
    assert found.schema.feature("code").categories == (3, 7)
    assert found.schema.feature("at").scalar == "timestamp_utc"
    assert found.schema.classes == (False, True)
    assert found.domain["age"] == ColumnDomain(0, 120, missing=False)
    assert found.domain["size"] == ColumnDomain(unseen=False)
    assert found.domain["day"] == ColumnDomain(date(2024, 1, 1))
    assert found.domain["any"] == ColumnDomain(missing=False)
    model = tmp_path / "m.tree.json"
    tree = learn(read_csv(LOAN), target="类别", recipe=cart())
    save(tree, model)
    assert read_declared_schema(model).schema == tree.schema
    with pytest.raises(ModelFileError, match=r"m\.tree\.json"):
        read_declared_schema(written(tmp_path, "m.tree.json", model.read_text("utf-8").replace("年龄", "年纪")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "is not JSON"),
        ("[]", "is not an object"),
        ('{"colums": {}}', "did you mean 'columns'?"),
        ('{"columns": []}', "not an object"),
        ('{"columns": {"a": "int"}}', "did you mean 'integer'?"),
        ('{"columns": {"a": {"kind": "integer", "low": 1}}}', "did you mean 'lowest'?"),
        ('{"columns": {"a": {"kind": "integer", "lowest": 1.5}}}', "not all of integer"),
        ('{"columns": {"a": {"kind": "integer", "lowest": 3, "highest": 1}}}', "lowest"),
        ('{"columns": {"a": {"kind": "date", "lowest": "1.1.2024"}}}', "not all of date"),
        ('{"columns": {"a": {"lowest": 1}}}', "no kind"),
        ('{"columns": {"a": {"kind": "number", "categories": [1]}}}', "has categories"),
        ('{"columns": {"a": {"categories": ["a", 1]}}}', "several types"),
        ('{"columns": {"a": {"categories": ["a", "a"]}}}', "twice"),
        ('{"columns": {"a": {"categories": ["a"], "lowest": "a"}}}', "has bounds"),
        ('{"columns": {"a": "date", "a": "date"}}', "stands twice"),
        ('{"columns": {"a": {"missing": 1}}}', "true or false"),
        ('{"columns": {"y": "date"}, "target": {"name": "y", "categories": ["a"]}}', "twice"),
        ('{"target": {"kind": "number"}}', "named None"),
    ],
)
def test_wrong_declarations_are_told(text: str, message: str) -> None:
    """What is wrong, and what to do."""
    with pytest.raises(FileError, match=re.escape(message)) as raised:
        schema_from_json(text)
    assert raised.value.remedy


def test_forms_that_nobody_knows_are_refused(tmp_path: Path) -> None:
    """And text that is not UTF-8 is refused with its line; wrong text with line and column."""
    with pytest.raises(UnknownNameError):
        read_rules(written(tmp_path, "a.rules", TEXT), format="cobol")
    path = tmp_path / "latin.rules"
    path.write_bytes(b"# fine\n# caf\xe9\n")
    with pytest.raises(FileError, match="line 2"):
        read_rules(path)
    with pytest.raises(ParseError) as raised:
        read_rules(written(tmp_path, "b.rules", "# fine\nIF a < < 3 THEN b\n"))
    assert raised.value.line == 2 and raised.value.file.endswith("b.rules")


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (rules_from_text, TEXT),
        (rules_from_csv, "age,y\n<=3,a\n>3,b\n"),
        (rules_from_markdown, "| age | y |\n|---|---|\n| <=3 | a |\n| >3 | b |\n"),
        (rules_from_sql, "SELECT CASE WHEN age > 3 THEN 'a' END FROM t"),
        (rules_from_dmn, to_dmn(rules_from_csv("age,y\n<=3,a\n>3,b\n").rules)),
    ],
)
def test_readers_refuse_what_is_of_another_type(reader: Callable[..., Any], text: str, tmp_path: Path) -> None:
    """What is no text, no schema, no domain or no name of a file is named as what was given, by every reader."""
    assert reader(text)
    path = written(tmp_path, "a.rules", TEXT)
    for wrong in (None, 3, Path("a.rules"), ["IF"], *([] if reader is rules_from_dmn else [b"IF", b"a" * 10_000])):
        with pytest.raises(OptionError, match=r"text=.*\): expected the text itself") as raised:
            reader(wrong)
        assert len(str(raised.value)) < 300
    for name, wrongs in {
        "schema": (3, "x", {}, [Feature("age", "number")]),
        "domain": (3, "x", [], Feature("age", "number"), {"age": (0, 9)}, {"年龄": 3}, {3: ColumnDomain()}),
        "file": (3, None),
    }.items():
        for wrong in wrongs:
            with pytest.raises(OptionError, match=name):
                reader(text, **{name: wrong})
            if name != "file":
                with pytest.raises(OptionError, match=name):
                    read_rules(path, **{name: wrong})


def test_what_is_no_path_is_refused() -> None:
    """A number would be taken for a file that is open already."""
    for wrong in (3, None, b"a.rules", ["a.rules"]):
        with pytest.raises(OptionError, match="path="):
            read_rules(wrong)  # type: ignore[arg-type]
    for options in ({"format": 3}, {"dialect": 3, "format": "sql"}, {"dialect": [], "format": "sql"}):
        with pytest.raises(OptionError):
            read_rules(__file__, **options)  # type: ignore[arg-type]


def test_help_fits_a_terminal(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """No line is wider than 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("check", "compile"):
        assert main([command, "--help"]) == 0
        assert all(display_width(line) <= 80 for line in capfdbinary.readouterr().out.decode().splitlines())


def test_the_hook_of_pre_commit_calls_the_command() -> None:
    """`.pre-commit-hooks.yaml` has the keys that pre-commit asks for, and its entry is a command of ours."""
    yaml = pytest.importorskip("yaml")
    path = ROOT / ".pre-commit-hooks.yaml"
    if not path.exists():
        pytest.skip("the sources are not here")
    hook, of_sql = yaml.safe_load(path.read_text("utf-8"))
    for each in (hook, of_sql):
        assert {"id", "name", "entry", "language", "files"} <= set(each) and each["entry"] == "treerules check"
    assert (hook["id"], of_sql["id"]) == ("treerules-check", "treerules-sql")
    assert re.search(of_sql["files"], "models/a.sql") and not re.search(of_sql["files"], "loan.dmn")
    for name in ("a.rules", "b/loan.dmn", "loan.tree.json"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "query.sql"), "SQL, CSV and Markdown are whatever a repository holds"


def test_a_table_of_data_is_noted(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A file with one value in each cell is probably data; a table of conditions has no such note."""
    for file in (EXAMPLES / "loan.csv", EXAMPLES / "kyphosis.csv"):
        assert main(["check", str(file)]) == 1
        assert f"learn a tree first: treerules learn {file} --target COL" in capfdbinary.readouterr().err.decode()
    for text in ("age,band\n<=30,young\n>40,old\n", "a,b,y\nx,-,1\nz,v,2\n"):
        assert main(["check", str(written(tmp_path, "rules.csv", text))]) == 1
        assert capfdbinary.readouterr().err == b""

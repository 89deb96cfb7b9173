"""`check` of SQL as a shell meets it: exit codes, codes that are chosen, comments, pyproject.toml, folders, formats."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from loan_rules import written
from treerules.cli import main
from treerules.cli.lint_run import lint_file, lint_files
from treerules.lint.codes import CODES
from treerules.lint.lint_file import LintOptions
from treerules.rendering.text_tables import display_width

DEAD = "SELECT CASE WHEN x > 1.5 THEN 'a'\n  WHEN x > 2.5 THEN 'b'\n  ELSE 'c' END AS z FROM t\n"
GAP = "SELECT CASE WHEN s = 'a' THEN 1\n  WHEN s = 'b' THEN 2 END AS z FROM t\n"
NOTE = "SELECT CASE WHEN x > 1.5 THEN 1 END AS z FROM t\n"
FINE = "SELECT CASE WHEN x > 1.5 THEN 1 ELSE 0 END AS z FROM t\n"
BROKEN = "SELECT 'no end\n"
Captured = pytest.CaptureFixture[bytes]


def listed(capfdbinary: Captured, *arguments: object) -> tuple[int, list[dict[str, str]]]:
    """Return the exit code of `check` and the rows of its CSV."""
    code = main(["check", *map(str, arguments), "--format", "csv"])
    return code, list(csv.DictReader(io.StringIO(capfdbinary.readouterr().out.decode())))


def codes_of(rows: list[dict[str, str]]) -> list[str]:
    """Return the codes of rows of the CSV, remarks aside."""
    return [row["code"] for row in rows if row["code"] != "TR304"]


@pytest.mark.parametrize(
    ("texts", "arguments", "code"),
    [
        ([FINE], [], 0),
        ([NOTE], [], 0),
        ([GAP], [], 0),
        ([GAP], ["--strict"], 1),
        ([NOTE], ["--strict"], 0),
        ([DEAD], [], 1),
        ([DEAD], ["--ignore", "TR001"], 0),
        ([DEAD], ["--select", "TR1"], 0),
        ([DEAD], ["--select", "TR1,TR0"], 1),
        ([FINE, DEAD, NOTE], [], 1),
        (["SELECT 1"], [], 0),
        ([BROKEN], [], 3),
        ([BROKEN, DEAD], [], 3),
        ([DEAD], ["--select", "TR9"], 2),
        ([DEAD], ["--ignore", "TR001", "--ignore", ""], 2),
    ],
)
def test_exit_codes(texts: list[str], arguments: list[str], code: int, tmp_path: Path, capfdbinary: Captured) -> None:
    """0 without errors, 1 with, 2 on usage, 3 if a file is unreadable; --strict counts warnings, never notes."""
    paths = [written(tmp_path, f"{n}.sql", text) for n, text in enumerate(texts)]
    assert main(["check", *map(str, paths), *arguments]) == code
    capfdbinary.readouterr()


def test_a_bad_file_does_not_hide_the_others(tmp_path: Path, capfdbinary: Captured) -> None:
    """It is named with its reason on stderr and in each format for machines; the others are reported."""
    bad, dead, none = written(tmp_path, "bad.sql", BROKEN), written(tmp_path, "dead.sql", DEAD), tmp_path / "no.sql"
    assert main(["check", str(bad), str(none), str(dead)]) == 3
    done = capfdbinary.readouterr()
    assert "bad.sql:1:8" in done.err.decode() and "No such file" in done.err.decode()
    assert b"TR001" in done.out and done.out.endswith(b"\n2 of the files cannot be read\n")
    code, rows = listed(capfdbinary, bad, none, dead)
    assert code == 3 and codes_of(rows)[:3] == ["unreadable", "unreadable", "TR001"]
    assert main(["check", str(bad), str(dead), "--format", "json"]) == 3
    record = json.loads(capfdbinary.readouterr().out)
    assert [each["file"] for each in record["unreadable"]] == [str(bad)] and record["ok"] is False
    assert record["verdicts"][0]["findings"][0]["code"] == "TR001" and record["counts"]["error"] == 1


def test_other_formats_beside_sql_keep_their_answer(tmp_path: Path, capfdbinary: Captured) -> None:
    """A gap of rules as text is a no, whatever SQL stands beside it; each format has both."""
    rules, sql = written(tmp_path, "a.rules", "IF x < 3 THEN no"), written(tmp_path, "b.sql", GAP)
    assert main(["check", str(rules), str(sql)]) == 1
    shown = capfdbinary.readouterr().out.decode()
    assert f"== {rules}\nexclusive: yes\ncomplete: no\n" in shown and "warning TR101" in shown
    for format in ("json", "sarif", "csv", "github", "md", "html"):
        assert main(["check", str(rules), str(sql), "--format", format]) == 1
        shown = capfdbinary.readouterr().out.decode()
        assert ("no rule fires" in shown and ("TR101" in shown)) or format == "json"
    whole = written(tmp_path, "c.rules", "IF x < 3 OR missing THEN no\nIF x >= 3 THEN yes")
    assert main(["check", str(whole), str(sql)]) == 0
    assert main(["check", str(whole), str(sql), "--strict"]) == 1
    capfdbinary.readouterr()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (DEAD.replace("'b'", "'b' -- treerules: ignore[TR001]"), []),
        (DEAD.replace("'b'", "'b' -- treerules: ignore"), []),
        (DEAD.replace("'b'", "'b' -- moved; treerules: ignore"), ["TR001"]),
        (DEAD.replace("'b'", "'b' --TreeRules:ignore [ tr0 , TR203 ]"), []),
        (DEAD.replace("'b'", "'b' -- treerules: ignore[TR203]"), ["TR001"]),
        (DEAD.replace("'a'", "'a' -- treerules: ignore[TR001]"), []),
        (DEAD.replace("'b'", "'-- treerules: ignore'"), ["TR001"]),
        (DEAD.replace("'b'", "'b' -- treerules: ignore[TR001, TR9]"), ["TR305"]),
        ("-- treerules: ignore\n" + DEAD, ["TR001"]),
        (GAP.replace("1\n", "1 -- treerules: ignore[TR1]\n"), []),
        (GAP.replace("1\n", "1 -- treerules: ignore[TR1]\r\n"), []),
        (GAP.replace("2 END", "2 -- treerules: ignore[TR1]\n END"), ["TR101"]),
    ],
)
def test_comments_ignore_findings(text: str, left: list[str], tmp_path: Path, capfdbinary: Captured) -> None:
    """On the line of the WHEN or of the CASE, all codes or those that are named; in a text it is no comment."""
    path = tmp_path / "q.sql"
    path.write_bytes(text.encode())
    _, rows = listed(capfdbinary, path)
    assert codes_of(rows) == left


def test_pyproject_toml_holds_defaults(tmp_path: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the nearest folder upwards that has the table; an option of the command line replaces it."""
    below = tmp_path / "models" / "old"
    below.mkdir(parents=True)
    written(below, "dead.sql", DEAD)
    written(tmp_path / "models", "gap.sql", GAP)
    settings = 'ignore = ["TR001"]\nstrict = true\nexclude = ["old"]\ndialect = "pg"\n'
    written(tmp_path, "pyproject.toml", f"[tool.treerules.check]\n{settings}")
    written(tmp_path / "models", "pyproject.toml", "[tool.other]\nx = 'treerules'\n")
    monkeypatch.chdir(tmp_path / "models")
    assert main(["check", "."]) == 1, "strict"
    assert listed(capfdbinary, ".")[0] == 1
    assert listed(capfdbinary, ".", "--select", "TR2")[0] == 0
    code, rows = listed(capfdbinary, ".", "--exclude", "nothing")
    assert code == 1 and set(codes_of(rows)) == {"TR101"}, "TR001 is ignored"
    _, rows = listed(capfdbinary, ".", "--exclude", "nothing", "--ignore", "TR2")
    assert set(codes_of(rows)) == {"TR101", "TR001"}, "it is not ignored, since --ignore replaces the setting"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("strct = true", "tool.treerules.check.strct is True; expected one of the keys select, ignore"),
        ("strict = 1", "tool.treerules.check.strict is 1; expected true or false"),
        ("select = 3", "tool.treerules.check.select is 3; expected a list of texts"),
        ('ignore = ["TR001", 3]', "tool.treerules.check.ignore is ['TR001', 3]; expected a list"),
        ('ignore = ["TR9"]', "tool.treerules.check.ignore is 'TR9'; expected codes"),
        ('dialect = "cobol"', "tool.treerules.check.dialect is 'cobol'; expected a dialect"),
    ],
)
def test_wrong_settings_are_told(
    settings: str, message: str, tmp_path: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the file, the key, the value and what is accepted; exit code 2."""
    file = written(tmp_path, "pyproject.toml", f"[tool.treerules.check]\n{settings}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["check", str(written(tmp_path, "a.sql", FINE))]) == 2
    said = capfdbinary.readouterr().err.decode()
    assert f"{file}: {message}" in said, said


def test_folders_are_walked(tmp_path: Path, capfdbinary: Captured) -> None:
    """Their files that end in .sql, by path; hidden folders and excluded names, paths and patterns are left out."""
    for name in ("b/z.sql", "b/a.SQL", "a.sql", ".git/x.sql", "old/c.sql", "b/gen_1.sql", "b/x.rules", "b/x.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, DEAD)

    def files(*arguments: str) -> list[str]:
        rows = listed(capfdbinary, tmp_path, *arguments)[1]
        return [Path(row["file"]).relative_to(tmp_path).as_posix() for row in rows if row["code"] == "TR001"]

    assert files() == ["a.sql", "b/a.SQL", "b/gen_1.sql", "b/z.sql", "old/c.sql"]
    assert files("--exclude", "old", "--exclude", "gen_*") == ["a.sql", "b/a.SQL", "b/z.sql"]
    assert files("--exclude", "b/") == ["a.sql", "old/c.sql"]
    assert files("--exclude", "b/*.sql") == ["a.sql", "b/a.SQL", "old/c.sql"]
    (tmp_path / "empty").mkdir()
    assert main(["check", str(tmp_path / "empty")]) == 3
    assert b"has no file that ends in .sql" in capfdbinary.readouterr().err


@pytest.mark.process
def test_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order, with the same lines, whether or not files are read by several processes."""
    texts = (DEAD, GAP, NOTE, BROKEN, FINE)
    paths = [written(tmp_path, f"{n}.sql", f"-- {n}\n{texts[n % 5]}") for n in range(23)]
    alone = [lint_file(path, LintOptions()) for path in paths]
    monkeypatch.setattr("treerules.cli.lint_run._PAYS_FROM", 0)
    monkeypatch.setattr("treerules.cli.lint_run._n_cores", lambda: 3)
    assert lint_files(paths, LintOptions()) == alone


def test_a_fault_in_one_file_is_told_and_stops_nothing(
    tmp_path: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception that nobody expected makes its file unreadable, with exit code 3."""
    from treerules.cli import lint_run

    own = lint_run.lint_sql

    def failing(content: bytes, name: str, options: Any) -> Any:
        if b"bad" in content:
            raise ZeroDivisionError("no")
        return own(content, name, options)

    monkeypatch.setattr(lint_run, "lint_sql", failing)
    paths = [written(tmp_path, "a.sql", "bad"), written(tmp_path, "b.sql", DEAD)]
    assert main(["check", *map(str, paths)]) == 3
    done = capfdbinary.readouterr()
    assert b"internal error: ZeroDivisionError: no" in done.err and b"TR001" in done.out


def test_github_commands_are_escaped(tmp_path: Path, capfdbinary: Captured) -> None:
    """Percent, line ends, colons and commas, as GitHub's documentation says; one line for each finding."""
    folder = tmp_path / "a,b:c%"
    folder.mkdir()
    path = written(folder, "q.sql", "SELECT CASE WHEN s = 'a%b\nc' THEN 1 WHEN s = 'd' THEN 2 END FROM t\n" + DEAD)
    assert main(["check", str(path), "--format", "github"]) == 1
    lines = capfdbinary.readouterr().out.decode().splitlines()
    shown = str(path).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    pattern = rf"::(error|warning|notice) file={re.escape(shown)},line=\d+,title=TR\d\d\d::\S.*"
    assert all(re.fullmatch(pattern, line) for line in lines), lines
    assert sum(line.startswith("::error ") for line in lines) == 1
    assert "%0A" not in lines[-1] and not any(re.search(r"%(?!25|0D|0A|3A|2C)", line) for line in lines)


def test_sarif_names_the_codes(tmp_path: Path, capfdbinary: Captured) -> None:
    """Each result has the place of its rule, a level of SARIF and a line of the file; what is unreadable is told."""
    path, bad = written(tmp_path, "q.sql", DEAD + GAP + NOTE), written(tmp_path, "bad.sql", BROKEN)
    assert main(["check", str(path), str(bad), "--format", "sarif"]) == 3
    (run,) = json.loads(capfdbinary.readouterr().out)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert result["level"] == rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert 1 <= line <= len(path.read_text("utf-8").splitlines())
    assert {result["ruleId"] for result in run["results"]} >= {"TR001", "TR101", "TR201"}
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("q.sql") and all(each["partialFingerprints"] for each in run["results"])
    (problem,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "bad.sql:1:8" in problem["message"]["text"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_text_fits_a_terminal_and_cuts_many_notes(lang: str, tmp_path: Path, capfdbinary: Captured) -> None:
    """At most 80 columns; errors are shown, and many notes are counted by code."""
    case = "CASE WHEN 年龄 > 60.5 AND 城市 = '北' THEN '长' WHEN 年龄 > 70.5 AND 城市 = '北' THEN '寿' ELSE '' END"
    path = written(tmp_path, "q.sql", f"SELECT {case} AS 类别 FROM t;\n" + NOTE * 30)
    assert main(["check", str(path), "--lang", lang]) == 1
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert all(display_width(line) <= 80 for line in lines if not line.startswith("== "))
    shown = "\n".join(lines)
    assert shown.count("TR001") == 1 and "TR201 30" in shown and shown.count("TR201") == 1
    counted = "1 file, 31 CASEs: 1 error, 0 warnings" if lang == "en" else "1 个文件,31 个 CASE:1 个错误,0 个警告"
    assert lines[-1].startswith(counted)


def test_help_explains_codes_and_commands(capfdbinary: Captured) -> None:
    """A code by its example, a command by its help and its page; the nearest of an unknown topic, exit code 2."""
    assert main(["help"]) == 0
    listing = capfdbinary.readouterr().out.decode()
    assert all(code in listing for code in CODES)
    assert main(["help", "tr001"]) == 0
    assert CODES["TR001"].explanation.split()[0] in capfdbinary.readouterr().out.decode()
    assert main(["help", "check"]) == 0
    by_help = capfdbinary.readouterr().out
    assert main(["check", "--help"]) == 0
    assert by_help.startswith(capfdbinary.readouterr().out.rstrip())
    assert main(["help", "TR01"]) == 2
    assert b"did you mean 'TR" in capfdbinary.readouterr().err


def test_a_baseline_leaves_new_findings(tmp_path: Path, capfdbinary: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has is not reported, wherever its lines moved; a CASE that changed, or one more of its kind, is."""
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, "a.sql", DEAD + GAP)
    assert main(["check", "a.sql", "--write-baseline", "known.json"]) == 0
    capfdbinary.readouterr()

    def new(text: str) -> tuple[int, list[str]]:
        path.write_text(text, encoding="utf-8")
        code, rows = listed(capfdbinary, "a.sql", "--baseline", "known.json")
        return code, [row["code"] for row in rows]

    assert new(DEAD + GAP) == (0, [])
    moved = "-- moved\n\n" + GAP.replace("SELECT", "select") + "\r\n" + DEAD.replace("THEN", "THEN  ")
    assert new(moved) == (0, [])
    assert new(DEAD.replace("2.5", "3.5") + GAP)[0] == 1
    assert new(DEAD + DEAD + GAP) == (1, ["TR001"]), "the second one is new"
    assert new(GAP) == (0, [])
    path.rename(tmp_path / "b.sql")
    assert codes_of(listed(capfdbinary, "b.sql", "--baseline", "known.json")[1]) == ["TR101"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "treerules.baseline", "version": 2, "findings": []}'])
def test_what_is_no_baseline_is_refused(text: str, tmp_path: Path, capfdbinary: Captured) -> None:
    """With its name and what to do, before anything is checked; so is one with a finding that lacks a part."""
    bad = '{"format": "treerules.baseline", "version": 1, "findings": [{"file": "a", "code": 3}]}'
    path = written(tmp_path, "a.sql", DEAD)
    for each in (text, bad):
        assert main(["check", str(path), "--baseline", str(written(tmp_path, "known.json", each))]) == 3
        done = capfdbinary.readouterr()
        assert b"known.json: is no baseline" in done.err and b"--write-baseline" in done.err and done.out == b""


def test_a_sentence_of_markdown_is_one_item(tmp_path: Path, capfdbinary: Captured) -> None:
    """However long: as many items as a finding has sentences and details, and what they say is what CSV says."""
    names = [f"a_column_with_quite_a_long_name_{number}" for number in range(4)]
    condition = " AND ".join(f"{name} > 1.5" for name in names)
    file = written(tmp_path, "a.sql", f"CASE WHEN {condition} THEN 1 WHEN {condition} THEN 2\nWHEN x < 0.5 THEN 3 END")
    assert main(["check", str(file), "--format", "md"]) == 1
    items = [line for line in capfdbinary.readouterr().out.decode().splitlines() if line.startswith("- ")]
    _, rows = listed(capfdbinary, file)
    details = [row[name] for row in rows for name in ("where", "witness") if row["level"] != "note"]  # a note has none
    assert len(items) == len(rows) + len([*filter(None, details)])
    assert all(re.match(r"- (error|warning|note) TR\d+: |- where: |- row: ", item) for item in items), items

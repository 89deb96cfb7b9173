"""`treerules check --fix`, `--independent` and `--show`: files that are edited, and rules that are printed."""

from pathlib import Path

import pytest

from treerules.cli import main

#: The second WHEN never decides, and the last one takes all that is left.
QUERY = (
    "SELECT\n"
    "  CASE\n"
    "    WHEN age < 18 THEN 'minor'\n"
    "    WHEN age < 10 THEN 'child'\n"
    "    WHEN age >= 18 THEN 'adult'\n"
    "    WHEN age IS NULL THEN '未知'\n"
    "  END AS band\n"
    "FROM people\n"
)
FIXED = QUERY.replace("    WHEN age < 10 THEN 'child'\n", "").replace("WHEN age IS NULL THEN", "ELSE")


def test_a_file_is_edited_after_its_diff_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A check before ends with 1, the fix and a check after it with 0; the second fix changes nothing."""
    path = tmp_path / "people.sql"
    path.write_bytes(b"\xef\xbb\xbf" + QUERY.replace("\n", "\r\n").encode())
    assert main(["check", str(path)]) == 1
    capsys.readouterr()
    assert main(["check", str(path), "--fix"]) == 0
    shown, told = capsys.readouterr()
    assert "-    WHEN age < 10 THEN 'child'\n" in shown and "+    ELSE '未知'\n" in shown
    assert told == f"fixed 2 WHENs of {path}\n"
    assert path.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert main(["check", str(path), "--fix"]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_ignored_is_not_fixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By a comment at the WHEN or at the CASE, or by an option."""
    path = tmp_path / "people.sql"
    for before, after, options in (
        ("'child'\n", "'child' -- treerules: ignore[TR001]\n", []),
        ("CASE\n", "CASE -- treerules: ignore\n", []),
        ("", "", ["--ignore", "TR0"]),
    ):
        path.write_text(QUERY.replace(before, after), encoding="utf-8")
        assert main(["check", str(path), "--fix", *options]) == 0
        assert "age < 10" in path.read_text(encoding="utf-8")


def test_other_files_of_a_folder_are_fixed_beside_one_that_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file that is not read stays as it is, and the exit code is 3."""
    (tmp_path / "odd.sql").write_bytes(b"SELECT '\xff")
    (tmp_path / "people.sql").write_text(QUERY, encoding="utf-8")
    assert main(["check", str(tmp_path), "--fix"]) == 3
    assert (tmp_path / "people.sql").read_text(encoding="utf-8") == FIXED
    assert (tmp_path / "odd.sql").read_bytes() == b"SELECT '\xff"
    assert "odd.sql" in capsys.readouterr().err


def test_what_cannot_be_fixed_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules as text, standard input, and two options that print."""
    rules, query = tmp_path / "a.rules", tmp_path / "a.sql"
    rules.write_text("IF a < 3 THEN x\n")
    query.write_text(QUERY, encoding="utf-8")
    for arguments, message in (
        ([str(rules), "--fix"], "--fix edits files of SQL"),
        (["-", "--as", "sql", "--fix"], "--fix edits files of SQL; - is none"),
        ([str(query), "--fix", "--show"], "--fix and --show exclude each other"),
        ([str(query), "--show", "--format", "json"], "--show takes no --format"),
    ):
        assert main(["check", *arguments]) == 2, arguments
        assert message in capsys.readouterr().err
    assert query.read_text(encoding="utf-8") == QUERY


def test_show_prints_the_rules_as_they_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the name and the line of each WHEN, what is not read, and without a check."""
    path = tmp_path / "people.sql"
    path.write_text(QUERY.replace("age >= 18", "name < 'm'"), encoding="utf-8")
    assert main(["check", str(path), "--show"]) == 0
    shown = capsys.readouterr().out
    assert "WHEN 2 (line 4): IF age < 10 THEN band = child\n" in shown
    assert "line 5, column 10 is not read: " in shown
    assert "never decides" not in shown.replace("never decides in any case", "")

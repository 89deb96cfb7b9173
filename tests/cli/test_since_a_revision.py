"""`diff --base REV` and `check --base REV`: what has changed since a revision, in a real repository of git."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from treerules.cli import main

pytestmark = pytest.mark.process

OLD = "SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS band, CASE a WHEN 1 THEN 2 END AS code FROM t\n"


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with one revision: models/m.sql and models/gone.sql."""
    models = tmp_path / "repository" / "models"
    models.mkdir(parents=True)
    (models / "m.sql").write_text(OLD)
    (models / "gone.sql").write_text(OLD)
    git(models, "init", "-q", "..")
    git(models, "add", ".")
    git(models, "commit", "-qm", "first")
    return models.parent


def printed(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object) -> tuple[int, Any]:
    """Return the exit code of a command and the record that it prints."""
    code = main([*map(str, arguments), "--format", "json"])
    return code, json.loads(capfdbinary.readouterr().out)


def test_changes_of_a_folder_since_a_revision(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A file that changed, a new one, one that is gone, and one that cannot be read, which does not stop the others."""
    models = repository / "models"
    (models / "m.sql").write_text(OLD.replace("< 18", "<= 18"))
    (models / "new.sql").write_text(OLD)
    (models / "odd.sql").write_bytes(b"SELECT '\xff'")
    (models / "plain.sql").write_text("SELECT 1")  # no CASE, nothing to say
    (models / "gone.sql").unlink()
    code, found = printed(capfdbinary, "diff", "--base", "HEAD", models, "--exit-code")
    told = [(Path(part["file"]).name, part["name"], part["change"]) for part in found["parts"]]
    assert told == [
        ("gone.sql", "band", "removed"),
        ("gone.sql", "code", "removed"),
        ("m.sql", "band", "different"),
        ("m.sql", "code", "same"),
        ("new.sql", "band", "added"),
        ("new.sql", "code", "added"),
        ("odd.sql", "", "not compared"),
    ]
    assert (code, found["equal"]) == (3, False), "a file that cannot be read outweighs a difference, as in check"


def test_a_file_that_did_not_change_is_equal(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Also where it is named by a path of another folder."""
    code, found = printed(capfdbinary, "diff", "--base", "HEAD", repository / "models" / "m.sql", "--exit-code")
    assert (code, found["equal"]) == (0, True)
    assert printed(capfdbinary, "diff", "--base", "HEAD", repository)[1]["parts"] == []


def test_what_cannot_be_asked_is_an_error(repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such revision, no such file, no repository, options that need one CASE."""
    file, alone = repository / "models" / "m.sql", tmp_path / "alone.sql"
    alone.write_text(OLD)
    for arguments, code, message in (
        (["--base", "nowhere", str(file)], 2, "expected a revision of the file's repository"),
        (["--base", "-x", str(file)], 2, "expected a revision of the file's repository"),
        (["--base", "HEAD", str(file.with_name("nothing.sql"))], 3, "exists neither here nor in HEAD"),
        (["--base", "HEAD", str(alone)], 3, "is in no repository that git reads"),
        (["--base", "HEAD", str(tmp_path / "nowhere" / "a.sql")], 3, "is not found"),
        (["--base", "HEAD", str(file), "--case", "1"], 2, "--base takes neither --case nor --data"),
        ([str(file)], 2, "Give two files, OLD and NEW, or --base REV and files."),
        ([str(file), str(file), "--data", str(alone)], 2, "choose it with --case"),
    ):
        assert main(["diff", *arguments]) == code, arguments
        assert message in capsys.readouterr().err


DEAD = "CASE WHEN a > 5 THEN 1 WHEN a > 9 THEN 2 ELSE 3 END"


def test_only_new_cases_are_checked(repository: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """A WHEN that never decides is an error in a new CASE, and none in one that the revision has, wherever that is."""
    models = repository / "models"
    (models / "old.sql").write_text(f"SELECT {DEAD} AS x FROM t")
    git(models, "add", ".")
    git(models, "commit", "-qm", "second")
    assert main(["check", str(models)]) == 1
    assert main(["check", str(models), "--base", "HEAD"]) == 0
    (models / "old.sql").write_text(f"SELECT b,\n  {DEAD} AS x FROM t")  # the CASE moves
    assert main(["check", str(models), "--base", "HEAD"]) == 0
    capfdbinary.readouterr()
    (models / "old.sql").write_text(f"SELECT {DEAD} AS x, {DEAD} AS y FROM t")  # it is there once more
    code, found = printed(capfdbinary, "check", models, "--base", "HEAD")
    assert (code, [each["code"] for each in found["findings"]].count("TR001")) == (1, 1)
    (models / "old.sql").write_text(f"SELECT {DEAD.replace('9', '8')} AS x FROM t")
    assert main(["check", str(models / "old.sql"), "--base", "HEAD"]) == 1
    assert main(["check", str(models / "m.sql"), "--base", "HEAD"]) == 0
    assert main(["check", str(models / "old.sql"), "--base", "HEAD~1"]) == 1
    assert main(["check", str(models), "--base", "nowhere"]) == 2
    assert main(["check", "-", "--as", "sql", "--base", "HEAD"]) == 2

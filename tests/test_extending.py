"""The records of examples/extending: registered in their tables, they obey the laws of these tables."""

import os
import subprocess
import sys

import pytest

from example_records import FOLDER
from paths import ROOT

#: The laws of each table. Golden files are of the dialects that treerules has itself.
LAWS = {
    "hellinger": ["tests/criteria"],
    "critical_value": ["tests/pruning/test_pruners.py"],
    "teradata": ["tests/sql", "tests/emit", "tests/formats/test_sql_case.py"],
}


def run(*arguments: str, python_path: str = "") -> subprocess.CompletedProcess[str]:
    """Return the finished process of a Python in the checkout."""
    paths = [*([python_path] if python_path else []), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.process
@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_each_example_runs_as_a_script(name: str) -> None:
    """It ends without an error and prints what it makes."""
    done = run(str(FOLDER / f"{name}.py"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.process
@pytest.mark.parametrize("name", LAWS)
def test_the_laws_of_the_table_hold_for_the_record(name: str) -> None:
    """Every test that has a case for each row of the table passes for this one; there are several."""
    selection = f"{name} and not test_golden"
    arguments = ("-q", "-n", "0", "-p", "example_records", "-p", "no:cacheprovider", *LAWS[name], "-k", selection)
    done = run("-m", "pytest", *arguments, python_path=str(ROOT / "tests" / "support"))
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split(" passed")[0].split()[-1]) >= 3

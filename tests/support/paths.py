"""Folders that tests read: named here once, so that a test file can be moved without an edit."""

from pathlib import Path

#: The folder of the checkout, or of the copy of it in which an installed wheel is tested.
ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
TESTS = ROOT / "tests"
EXAMPLES = ROOT / "examples"

#: Texts that people approved; `pytest --approve` rewrites them.
GOLDEN = TESTS / "golden"

#: Published tables and results.
TABLES = TESTS / "tables"

#: The loan table that most examples use.
LOAN = EXAMPLES / "loan.csv"

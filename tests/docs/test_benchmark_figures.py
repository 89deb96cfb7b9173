"""The summary of the benchmarks on the site: figures of benchmarks/README.md, which can be measured again."""

import os
import re
import subprocess
import sys

import pytest

from paths import ROOT

CLAIMS = ROOT / "benchmarks" / "claims.py"


def test_the_figures_of_the_summary_are_those_of_the_benchmarks() -> None:
    """Each ratio, and the errors of the default model, are figures that a benchmark printed."""
    page = (ROOT / "docs" / "en" / "benchmarks.md").read_text(encoding="utf-8")
    figures = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    summary = page[page.index("## In short") : page.index("## All figures")]
    ratios = re.findall(r"\| ([\d.]+) \|$", summary, re.MULTILINE) + re.findall(r"\d\.\d{2,3}(?= of )", summary)
    assert len(ratios) > 15
    assert not [ratio for ratio in ratios if not re.search(rf"(?<![\d.]){re.escape(ratio)}(?![\d.]*\d)", figures)]


def test_each_row_of_the_summary_has_a_command_that_measures_it() -> None:
    """benchmarks/claims.py names every row of the summary."""
    page = (ROOT / "docs" / "en" / "benchmarks.md").read_text(encoding="utf-8")
    summary = page[page.index("## In short") : page.index("## All figures")]
    rows = re.findall(r"^\| (.+?) \| [^|]+ \| [\d.]+ \|$", summary, re.MULTILINE)
    script = CLAIMS.read_text(encoding="utf-8")
    assert len(rows) > 15
    assert [row for row in rows if f'"{row}"' not in script] == []


@pytest.mark.peer
def test_what_the_pages_say_of_other_libraries_holds() -> None:
    """scikit-learn, rpart and SQLite behave as the pages say; a library that is not installed is not measured."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, str(CLAIMS), "behaviour"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "DOES NOT HOLD" not in done.stdout
    assert "scikit-learn: another tree for another seed" in done.stdout

"""The summary of the benchmarks on the site: each figure stands in benchmarks/README.md too."""

import re

from paths import ROOT


def test_the_figures_of_the_summary_are_those_of_the_benchmarks() -> None:
    """Each ratio, and the errors of the default model, are figures that a benchmark printed."""
    page = (ROOT / "docs" / "en" / "benchmarks.md").read_text(encoding="utf-8")
    figures = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    summary = page[page.index("## In short") : page.index("## All figures")]
    ratios = re.findall(r"\| ([\d.]+) \|$", summary, re.MULTILINE) + re.findall(r"\d\.\d{2,3}(?= of )", summary)
    assert len(ratios) > 15
    assert not [ratio for ratio in ratios if not re.search(rf"(?<![\d.]){re.escape(ratio)}(?![\d.]*\d)", figures)]

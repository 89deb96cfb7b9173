"""The pages about the books: each figure that a book prints stands in the page of each language.

tests/learning/test_textbook_examples.py computes these figures, and the examples of the pages run.
"""

import re

import pytest

from paths import ROOT
from published_tables import CASES, LOAN, MELON

#: The page about each published table; figures of other sources, such as a solutions manual, stand in neither book.
PAGES = {LOAN: "li_hang", "lihang_5_2": "li_hang", MELON: "watermelon"}


def printed_forms(value: float) -> set[str]:
    """Return the ways in which a figure may be printed: 0.42, 0.420."""
    return {repr(value), f"{value:.2f}", f"{value:.3f}"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("case", PAGES)
def test_the_figures_of_a_book_stand_in_its_page(case: str, language: str) -> None:
    """To the digits that the book prints."""
    text = (ROOT / "docs" / language / "books" / f"{PAGES[case]}.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"(?<![\d.])\d+\.\d+(?![\d.]*\d)", text))
    published = [check for check in CASES[case]["checks"] if "manual" not in check["name"]]
    assert len(published) > 2
    assert not [check["name"] for check in published if not numbers & printed_forms(check["published"])]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("page", ["li_hang", "watermelon"])
def test_figures_of_ours_are_marked(page: str, language: str) -> None:
    """Each section without a published figure says that its figures are ours, or compares with the book in words."""
    text = (ROOT / "docs" / language / "books" / f"{page}.md").read_text(encoding="utf-8")
    assert text.count("*ours*" if language == "en" else "**本页自算**") >= (6 if page == "li_hang" else 2)

"""What the page of a model says beside its rules: missing and unseen values, assumptions, training rows, the recipe."""

from html import unescape

import pytest

from treerules import Table, auto, cart, compile_rules, learn, render, tree_from_rules
from treerules.formats import rules_from_text
from treerules.report import report_page

TABLE = Table.from_columns(
    {"income": [1.0, 2.0, 3.0, 4.0] * 5, "city": ["a", "b", "a", "c"] * 5, "y": ["no", "no", "yes", "yes"] * 5}
)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_lines_on_missing_and_unseen_values_stand_below_the_rules(lang: str) -> None:
    """Those of the rules in text: the page says that every row meets one rule."""
    tree = learn(TABLE, target="y", recipe=cart())
    _, _, lines = render(compile_rules(tree), format="text", lang=lang).rstrip("\n").partition("\n\n")
    below = unescape(report_page(tree, lang=lang)).partition("</table>")[2]
    assert lines
    for line in lines.splitlines():
        assert f"<p>{line}</p>" in below


def test_the_page_says_what_its_proof_assumes() -> None:
    """In the summary beside the verdict, and below the rules."""
    parsed = rules_from_text(
        "column revenue: number 0..10, never missing\nIF revenue <= 5 OR missing THEN low\nIF revenue > 5 THEN high"
    )
    assuming = (
        "assuming: revenue in 0..10, never missing. "
        "Outside this, rule 1 answers for missing, NaN and below 0, rule 2 for above 10"
    )
    page = unescape(report_page(tree_from_rules(parsed)))
    summary, _, below = page.partition("</dl>")
    assert assuming in summary and f"<p>{assuming}</p>" in below
    assert "assuming" not in report_page(learn(TABLE, target="y", recipe=cart()))


def test_a_regression_has_no_criterion() -> None:
    """Its page names the recipe without gini."""
    table = Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0] * 5, "y": [1.0, 1.5, 3.0, 4.0] * 5})
    for recipe in (cart(max_depth=2), auto()):
        page = report_page(learn(table, target="y", recipe=recipe))
        assert "criterion=" not in page
    assert "criterion=" in unescape(report_page(learn(TABLE, target="y", recipe=cart(criterion="entropy"))))


def test_the_page_says_where_the_rows_are_the_training_rows() -> None:
    """By their hash."""
    tree = learn(TABLE, target="y", recipe=cart())
    assert "Predictions of the training rows" in report_page(tree, data=TABLE)
    other = Table.from_columns({"income": [1.0, 9.0], "city": ["a", "b"], "y": ["no", "yes"]})
    page = report_page(tree, data=other)
    assert "Predictions of the rows of data" in page and "training rows</h2>" not in page

"""The HTML that notebooks show of a value: the one place where values ask for reports."""

from typing import Any


def as_html(renderer: str, value: Any) -> str:
    """Return the HTML of a value, by the name of its renderer in `report.html`, such as "tree_html"."""
    from treerules.report import html  # late: values know how notebooks show them, reports need these values

    text: str = getattr(html, renderer)(value)
    return text

"""`render`: any result as text, by its row in the table `REPORTS`."""

from pathlib import Path
from typing import Any

from toolz import concat, unique

from treerules.errors import OptionError
from treerules.report.render_report import render_report
from treerules.report.report import Report
from treerules.report.reports import REPORTS
from treerules.rules.parsed import ParsedRules
from treerules.rules.sources import all_rules_of

#: Every format that some result has.
FORMATS = tuple(unique(concat(report.formats for report in REPORTS.values())))


def render(
    result: Any,
    *,
    format: str = "text",
    lang: str = "en",
    templates: str | Path | None = None,
    **options: Any,
) -> str:
    """Return a result as text, Markdown, CSV, JSON, HTML or another format that it has.

    `str(result)`, and so `print`, gives the text, and notebooks show the HTML.

    In text and Markdown figures have four significant digits, and `-` stands for a figure that does not exist. In CSV
    and JSON figures are exact; a figure that does not exist is empty in CSV and null in JSON. The CSV is one table.
    HTML shows the first 500 rows of a table and counts the others.

    Args:
        result: A Tree, a RuleSet, a RuleList, ParsedRules, of which the rules are rendered, or what a function such as
            `evaluate`, `check` or `diff` returns. `REPORTS` lists the types.
        format: One of the formats that the result has: `REPORTS[type(result)].formats`. Most have "text", "md", "csv",
            "json" and "html". A verdict also has "sarif"; a tree has "text", "mermaid", "dot", "html" and "svg";
            cross-validations, importances and feature gains have "svg" too.
        lang: The language of headings: "en" or "zh". Names and values stay as they are, and so does JSON.
        templates: A folder of your own templates, searched before those of treerules, such as `text/table.md.j2`.
        **options: Further keywords that one type of result accepts. Of rules, a tree and an explanation: `exact=True`
            for conditions that say every missing and unseen value they take and predictions with all digits,
            `full=True` for sets of more than 12 categories as a whole, `digits`, the number of significant digits of
            figures. Of a tree `depth`, the depth down to which it is drawn (by default the whole tree, as an SVG up to
            100 leaves), and of its SVG `row`, a mapping from column names to values whose path is marked, or `regions`,
            the names of two features over which its regions are drawn. Of feature gains `digits`, the number of digits
            after the decimal point (by default 3). Of feature gains, importances and tables of subtrees `top`, the
            number of their first rows; 0 for all, which CSV and JSON have by default.

    Returns:
        The text, which ends in a newline.

    Raises:
        OptionError: This type of result cannot be rendered, it does not have the format, or it does not accept the
            option or its value.
        DataError: A part of a file of rules was not parsed.
        UnknownNameError: There are no headings in this language.
        FileError: `templates` is not a folder.
        TemplateFailedError: A template has an error.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> tree = learn(Table.from_columns({"age": [20, 30, 40], "y": ["no", "no", "yes"]}), target="y", recipe=cart())
        >>> print(render(tree), end="")
        y: no 2, yes 1
        ├─ age <= 35 -> no: no 2 (rule 1)
        └─ age > 35 -> yes: yes 1 (rule 2)
        <BLANKLINE>
        missing age: as age <= 35
        >>> render(tree, exact=True).splitlines()[1]
        '├─ (age <= 35 or missing) -> no: no 2 (rule 1)'
    """
    result = all_rules_of(result, "result") if isinstance(result, ParsedRules) else result
    return render_report(report_of(result), result, format=format, lang=lang, templates=templates, **options)


def report_of(result: Any) -> Report:
    """Return the row of a result's type in `REPORTS`.

    Raises:
        OptionError: There is none.
    """
    for kind in type(result).__mro__:
        if kind in REPORTS:
            return REPORTS[kind]
    names = ", ".join(kind.__name__ for kind in REPORTS)
    raise OptionError("result", result, f"a result that can be rendered: {names}")

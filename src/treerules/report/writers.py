"""The writers of the formats: contents of a report to text. Only `render_report` calls them."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treerules.rendering.headings import heading
from treerules.rendering.templates import render_template
from treerules.rendering.text_contexts import HtmlPart, HtmlReportContext, HtmlTable
from treerules.rendering.text_tables import TextTable, escape_markdown, escape_unprintable, table_text
from treerules.report.report import Content, Heading, Page, Part

Templates = str | Path | None
#: HTML shows the first rows of a table and counts the others: a browser could not show them all.
MOST_ROWS = 500


def write(content: Content, format: str, lang: str, templates: Templates) -> str:
    """Return the text of a content in a format; a page is written by its own template in any format."""
    if isinstance(content, Page):
        return render_template(content.template, templates, content.context)
    return WRITERS[format](content, lang, templates)


def _write_text(parts: Sequence[Part], lang: str, templates: Templates) -> str:
    """Return paragraphs and tables with a blank line between them; what follows a heading stands right below it."""
    blocks = [_text_part(part, templates) for part in parts]
    after = ["\n" if isinstance(part, Heading) else "\n\n" for part in parts[:-1]]
    return "".join(block + end for block, end in zip(blocks, [*after, "\n"], strict=True))


def _text_part(part: Part, templates: Templates) -> str:
    if isinstance(part, Heading):
        return f"== {escape_unprintable(part.text)}"
    return table_text(part, "text", templates).removesuffix("\n") if isinstance(part, TextTable) else part


def _write_markdown(parts: Sequence[Part], lang: str, templates: Templates) -> str:
    """Return paragraphs, lists and tables; several lines in one paragraph become a list."""
    return "\n\n".join(_markdown_part(part, templates) for part in parts) + "\n"


def _markdown_part(part: Part, templates: Templates) -> str:
    if isinstance(part, Heading):
        return f"## {escape_markdown(part.text)}"
    if isinstance(part, TextTable):
        return table_text(part, "md", templates).removesuffix("\n")
    lines = [escape_markdown(line.strip()) for line in part.split("\n")]  # an indented line would be a block of code
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _write_csv(table: TextTable, lang: str, templates: Templates) -> str:
    return table_text(table, "csv")


def _write_json(record: Mapping[str, Any], lang: str, templates: Templates) -> str:
    """Return a record as JSON; values that JSON lacks, such as dates, become text."""
    return json.dumps(dict(record), ensure_ascii=False, indent=1, allow_nan=False, default=str) + "\n"


def _write_html(parts: Sequence[Part], lang: str, templates: Templates) -> str:
    context = HtmlReportContext([_html_part(part, lang) for part in parts])
    return render_template("html/report.html.j2", templates, context)


def _html_part(part: Part, lang: str) -> HtmlPart:
    if isinstance(part, Heading):
        return HtmlPart(heading=escape_unprintable(part.text))
    if isinstance(part, TextTable):
        return HtmlPart(table=_html_table(part, lang))
    return HtmlPart(lines=[escape_unprintable(line) for line in part.split("\n")])


def _html_table(table: TextTable, lang: str) -> HtmlTable:
    n_more = len(table.rows) - MOST_ROWS
    more = heading("{n} more row" if n_more == 1 else "{n} more rows", lang, n=n_more) if n_more > 0 else ""
    return HtmlTable(
        [escape_unprintable(cell) for cell in table.headings],
        [[escape_unprintable(cell) for cell in row] for row in table.rows[:MOST_ROWS]],
        table.right or [False] * len(table.headings),
        (table.marked or [False] * len(table.rows))[:MOST_ROWS],
        more,
    )


#: The writer of each format; any other format of a report is written as a page.
WRITERS: Mapping[str, Callable[[Any, str, Templates], str]] = {
    "text": _write_text,
    "md": _write_markdown,
    "csv": _write_csv,
    "json": _write_json,
    "html": _write_html,
    "sarif": _write_json,
}

"""The constants of the scripts of pages: what they know of the columns, and how values become JavaScript in HTML."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import asdict

from treerules.data.schema import Feature, Schema
from treerules.emit.javascript_language import choice_lines, javascript_text
from treerules.emit.javascript_plain import COLUMN_LOADS
from treerules.emit.lookup_nodes import LookupNodes
from treerules.report.page.page_columns import page_columns
from treerules.report.page.page_words import SCRIPT_WORDS, translated
from treerules.rules.phrasing import Phrasing
from treerules.rules.wording import KEYWORDS, figure_text, word


def constants_of(
    schema: Schema, nodes: LookupNodes, phrasing: Phrasing, lang: str, others: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the statements that set the constants that all pages have, and others."""
    values = {
        "COLUMNS": list(page_columns(nodes, phrasing)),
        "WORDS": asdict(phrasing.words),
        "KEYWORDS": sorted(KEYWORDS),
        "MOST_MEMBERS": phrasing.most_members,
        "TARGET": word(schema.target.name) if schema.target else "value",
        "TEXTS": translated(SCRIPT_WORDS, lang),
        **others,
    }
    yield from (f"const {name} = {inside_html(_json(value))};" for name, value in values.items())
    yield f"const TABLES = [{', '.join(nodes.table_names)}];"
    yield f"const LOADS = [{', '.join(map(_load, nodes.features))}];"


def _load(feature: Feature) -> str:
    """Return the function that reads the cell of a row as the module does."""
    load = COLUMN_LOADS[feature.scalar].format(inside_html(javascript_text(feature.name)))
    choices = " ".join(map(inside_html, choice_lines(feature, "cell", "undefined")))
    return f"(row) => {{ let cell = {load}; {choices} return cell; }}" if choices else f"(row) => {load}"


def short_number(n: float) -> float | str:
    """Return a number of rows as it is shown."""
    return int(n) if n == int(n) else figure_text(n)


def _json(value: Any) -> str:
    """Return a value as JSON, which JavaScript reads too; lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return "".join(c if c.isprintable() or c == " " else json.dumps(c)[1:-1] for c in text)


def inside_html(script: str) -> str:
    """Return a script in which no text ends the element that it stands in, or begins a comment of HTML."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")

"""The list of emitters: languages, SQL dialects, kinds and layouts, with a line about each."""

from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuples
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, tables_report
from treerules.sql.dialects import DIALECTS

_COLUMNS = ("what", "name", "about")
#: The purpose of each language.
LANGUAGES = {
    "python": "a module for Python 3.8 and later without dependencies; with --vectorized it needs numpy",
    "javascript": "an ES module without dependencies",
    "dbt": "a macro with a variant for each warehouse, and a schema.yml with tests",
    "text": "rules to edit by hand; they read back equal",
    "table": "a decision table to edit by hand, in CSV or Markdown",
    "dmn": "a decision table of DMN 1.3, hit policy UNIQUE",
    "rules": "SQL: the rules as a table with a row for each condition, and the query that applies them",
}
_LAYOUTS = {
    "auto": "flat up to 64 rules (8 in Python), else guarded; lookup for DuckDB queries of more than 500 leaves",
    "flat": "a line for each rule, for people and auditors",
    "guarded": "nested at most log2(leaves) deep: loads at any size and runs fast",
    "lookup": "DuckDB queries: constant arrays that are searched level by level, for thousands of leaves",
}


@frozen
class Catalogue:
    """The list of emitters: rows of a category, a name, and a line about it."""

    rows: tuple[tuple[str, str, str], ...] = field(converter=as_tuples)


def catalogue() -> Catalogue:
    """Return the languages, SQL dialects, SQL kinds and layouts that `emit` can print."""
    rows = [
        *(("language", name, about) for name, about in LANGUAGES.items()),
        *(("SQL dialect", name, record.spelling.about) for name, record in DIALECTS.items()),
        *(("SQL kind", kind.name, kind.about) for kind in SQL_KINDS.values()),
        *(("layout", name, about) for name, about in _LAYOUTS.items()),
    ]
    return Catalogue(rows)


def _table(listed: Catalogue, lang: str) -> TextTable:
    rows = [(heading(what, lang), name, heading(about, lang)) for what, name, about in listed.rows]
    return TextTable([heading(name, lang) for name in _COLUMNS], rows)


def _parts(listed: Catalogue, lang: str) -> list[Part]:
    return [_table(listed, lang)]


def _record(listed: Catalogue, lang: str) -> dict[str, Any]:
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in listed.rows]
    return {"format": "treerules.catalogue", "version": 1, "rows": rows}


CATALOGUE = tables_report(Catalogue, parts=_parts, table=_table, record=_record)

"""Readers and writers of rules that people edit: rule text, decision tables in CSV and Markdown, DMN, SQL.

    rule text            rules_from_text, rules_to_text
    decision tables      rules_from_csv, rules_from_markdown, decision_table_text
    DMN                  rules_from_dmn
    CASE of SQL          rules_from_sql, rewrite_case

Readers return `ParsedRules`: the rules, the domain that the text declares, the line of each rule; an `UnparsedPart` is
a part of the text that could not be read. `treerules` has read_rules, which reads a file of any of them, and to_dmn.
Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.formats.dmn.dmn_reader import rules_from_dmn as rules_from_dmn
    from treerules.formats.rules_text.text_reader import rules_from_text as rules_from_text
    from treerules.formats.rules_text.text_writer import rules_to_text as rules_to_text
    from treerules.formats.sql.case_reader import rules_from_sql as rules_from_sql
    from treerules.formats.sql.rewrite_case import rewrite_case as rewrite_case
    from treerules.formats.tables.table_reader import rules_from_csv as rules_from_csv
    from treerules.formats.tables.table_reader import rules_from_markdown as rules_from_markdown
    from treerules.formats.tables.table_writer import decision_table_text as decision_table_text
    from treerules.rules.parsed import ParsedRules as ParsedRules, UnparsedPart as UnparsedPart
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "formats.dmn.dmn_reader": "rules_from_dmn",
    "formats.rules_text.text_reader": "rules_from_text",
    "formats.rules_text.text_writer": "rules_to_text",
    "formats.sql.case_reader": "rules_from_sql",
    "formats.sql.rewrite_case": "rewrite_case",
    "formats.tables.table_reader": "rules_from_csv rules_from_markdown",
    "formats.tables.table_writer": "decision_table_text",
    "rules.parsed": "ParsedRules UnparsedPart",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)

"""Rules as a decision table in CSV or Markdown, as `table_reader` reads them."""

import re
from pathlib import Path

from treerules.data.schema import Feature
from treerules.errors import OptionError, UnknownNameError
from treerules.formats.tables.cell_texts import condition_cell, quoted_cell, text_cell, value_cell
from treerules.formats.tables.table_reader import is_reserved
from treerules.rendering.templates import rendered
from treerules.rendering.text_contexts import TableContext
from treerules.rendering.text_tables import csv_text
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of

TABLE_FORMATS = ("csv", "md")


def decision_table_text(rules: Source, *, format: str = "csv", templates: str | Path | None = None) -> str:
    """Return rules as a decision table, in CSV or Markdown: a column for each feature that is asked, the target last.

    Read with the rules' schema, it gives equal rules again; figures and probabilities are not written. The first column
    has the rules' numbers and is headed `rule`, or `FIRST` in a rule list.

    Raises:
        UnknownNameError: there is no such format.
        OptionError: these are no rules, or they have no target.
    """
    if format not in TABLE_FORMATS:
        raise UnknownNameError("format", format, TABLE_FORMATS)
    rules = all_rules_of(rules)
    target = rules.schema.target
    if target is None:
        raise OptionError("the rules' target", None, "rules over a schema with a target")
    features = asked_features(rules)
    head = ["FIRST" if isinstance(rules, RuleList) else "rule", *(_heading(f.name) for f in (*features, target))]
    rows = []
    for rule in rules.rules:
        asked = dict(rule.conditions)
        cells = [condition_cell(f, asked[f.name]) if f.name in asked else "-" for f in features]
        rows.append([str(rule.number), *cells, value_cell(rule.value)])
    if format == "csv":
        return csv_text([head, *rows])
    escaped = [[_markdown(cell) for cell in row] for row in (head, *rows)]
    context = TableContext(escaped[0], escaped[1:], [True, *(False for _ in head[1:])])
    return rendered("text/table.md.j2", templates, context)


def asked_features(rules: RuleSet | RuleList) -> list[Feature]:
    """Return the features that some rule asks, in the schema's order."""
    names = {name for rule in rules.rules for name, _ in rule.conditions}
    return [feature for feature in rules.schema.features if feature.name in names]


def _heading(name: str) -> str:
    return quoted_cell(name) if is_reserved(name) else text_cell(name)


def _markdown(cell: str) -> str:
    """Return a cell that Markdown shows as it is; `<=` is no tag, so that it may stand."""
    return re.sub(r"[\\|`*_~&]|<(?=[A-Za-z/!?])|[\[\]](?=[(:\[])", r"\\\g<0>", cell)

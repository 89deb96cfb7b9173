"""Write rules as a decision table in CSV or Markdown, as `table_reader` reads it."""

import re
from collections.abc import Sequence
from pathlib import Path

from treerules.data.schema import Feature
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.errors import OptionError, UnknownNameError
from treerules.formats.tables.cell_texts import (
    condition_cell,
    quoted_cell,
    require_single_intervals,
    text_cell,
    value_cell,
)
from treerules.formats.tables.table_reader import is_reserved
from treerules.rendering.templates import render_template
from treerules.rendering.text_contexts import TableContext
from treerules.rendering.text_tables import csv_text
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList
from treerules.rules.sources import Source, all_rules_of

#: The formats of `decision_table_text`.
TABLE_FORMATS = ("csv", "md")


def decision_table_text(rules: Source, *, format: str = "csv", templates: str | Path | None = None) -> str:
    """Return rules as a decision table, in CSV or Markdown.

    The table has a column for each feature of the rules' conditions, a row for each rule, and the target in the last
    column. The first column has the numbers of the rules and is headed `rule`, or `FIRST` in a rule list. A bound that
    is shorter open than closed is written open: `<50`, not `<=49.99999999999999`. Figures and probabilities are not
    written.

    Args:
        rules: The rules: a RuleSet, RuleList, ParsedRules or Tree, with a target.
        format: "csv" or "md" (Markdown).
        templates: A folder with a template text/table.md.j2, which replaces that of treerules for Markdown.

    Returns:
        The table. `rules_from_csv` or `rules_from_markdown` reads equal rules from it, given the rules' schema.

    Raises:
        UnknownNameError: there is no such format.
        OptionError: `rules` holds no rules, or they have no target.
        DataError: a part of the file of the rules was not read.
        UnsupportedError: a rule takes several intervals of a column.

    Examples:
        >>> from treerules.formats.rules_text.text_reader import rules_from_text
        >>> parsed = rules_from_text("IF age < 30 THEN no  IF age >= 30 OR missing THEN yes")
        >>> print(decision_table_text(parsed), end="")
        rule,age,decision
        1,<30,no
        2,>=30 or missing,yes
    """
    if not isinstance(format, str) or format not in TABLE_FORMATS:
        raise UnknownNameError("format", str(format), TABLE_FORMATS)
    rules = all_rules_of(rules)
    target = rules.schema.target
    if target is None:
        raise OptionError("rules", rules, "rules with a target")
    require_single_intervals(rules, "a decision table")
    features = features_of_rules(rules)
    head = ["FIRST" if isinstance(rules, RuleList) else "rule", *(_heading(f.name) for f in (*features, target))]
    rows = [[str(rule.number), *_condition_cells(rule, features), value_cell(rule.value)] for rule in rules.rules]
    if format == "csv":
        return csv_text([head, *rows])
    escaped = [[_markdown(cell) for cell in row] for row in (head, *rows)]
    context = TableContext(escaped[0], escaped[1:], [True, *(False for _ in head[1:])])
    return render_template("text/table.md.j2", templates, context)


def _condition_cells(rule: Rule, features: Sequence[Feature]) -> list[str]:
    conditions = dict(rule.conditions)
    return [condition_cell(f, conditions[f.name]) if f.name in conditions else "-" for f in features]


def _heading(name: str) -> str:
    return quoted_cell(name) if is_reserved(name) else text_cell(name)


def _markdown(cell: str) -> str:
    """Return a cell escaped for Markdown; `<=` cannot start a tag, so it is not escaped."""
    return re.sub(r"[\\|`*_~&]|<(?=[A-Za-z/!?])|[\[\]](?=[(:\[])", r"\\\g<0>", cell)

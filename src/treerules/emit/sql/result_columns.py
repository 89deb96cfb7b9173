"""The columns of a query's result besides the keys: prediction, probabilities, number and text of the rule.

Each column is a CASE of its own over the same conditions. One CASE for the rule's number in an inner query, and others
over that number, would be shorter. But optimisers put the inner expression into each place that names it: Postgres took
5 GB for 250 rules.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.data.value_format import value_text
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.sql.case_lines import case_lines
from treerules.emit.sql.identifiers import Rename, output_name
from treerules.emit.template_records import PrintedLine, prediction_literals, printed_rules
from treerules.rules.rule_set import figure_names
from treerules.sql.language import Language
from treerules.sql.lexer import LexicalRules

Extra = Literal["proba", "rule", "reason"]


@short_repr
@frozen
class Output:
    """A column of the result: its quoted name, the finished lines of its CASE, and its values as literals.

    The values are by the numbers of the rules.
    """

    name: str
    lines: tuple[str, ...]
    values: Mapping[int, str]


def output_names(schema: Schema, extras: Sequence[Extra]) -> list[str]:
    """Return the names of the columns besides the keys: prediction, one p_CLASS for each class, rule, reason."""
    names = ["prediction", *(share_names(schema) if "proba" in extras else [])]
    return [*names, *(name for name in ("rule", "reason") if name in extras)]


def share_names(schema: Schema) -> list[str]:
    """Return the names of the columns of probabilities, p_CLASS, as `treerules predict --proba` names them."""
    form = schema.target.form if schema.target else ""
    return [f"p_{value_text(label, form)}" for label in schema.classes]


def outputs_of(
    language: Language,
    checked: CheckedRules,
    lines: Sequence[PrintedLine],
    extras: Sequence[Extra],
    rename: Rename,
    *,
    otherwise: str | None = None,
    comments: bool = False,
    lexical: LexicalRules | None = None,
    lookup: Callable[[Sequence[str], str], Sequence[str]] | None = None,
    guard: PrintedLine | None = None,
) -> tuple[Output, ...]:
    """Return the columns of a result besides the keys.

    Args:
        language: the dialect.
        checked: the rules.
        lines: the lines of the layout.
        extras: the columns besides the prediction.
        rename: the names of columns in the database.
        otherwise: the prediction of a row that fires no rule, as a literal; None for NULL.
        comments: whether a comment stands above each rule of the prediction.
        lexical: how the dialect quotes names and texts, by which long lines are broken; None to leave them.
        lookup: the function that writes the values of the leaves and their type as an expression, for a layout without
            lines.
        guard: the WHEN before all others; None without one.

    Raises:
        UnsupportedError: the language cannot hold a name, a label or the text of a rule.
    """

    def output_of(name: str, scalar: str, values: Mapping[int, str], **choices: Any) -> Output:
        column = language.identifier(output_name(checked.schema, name, rename))
        if lookup is not None:
            literals = [literal for _, literal in sorted(values.items())]
            return Output(column, tuple(lookup(literals, language.types[scalar])), values)
        return Output(column, case_lines(lines, values, lexical=lexical, guard=guard, **choices), values)

    predictions, predicted = prediction_literals(language, checked), checked.schema.predicted
    counted = figure_names(checked.schema)[0] if comments else ""
    outputs = [output_of("prediction", predicted, predictions, otherwise=otherwise, comments=counted)]
    if not extras:
        return tuple(outputs)
    rules = printed_rules(language, checked)
    if "proba" in extras:
        for index, name in enumerate(share_names(checked.schema)):
            outputs.append(output_of(name, "number", {rule.number: rule.shares[index] for rule in rules}))
    if "rule" in extras:
        outputs.append(output_of("rule", "integer", {rule.number: str(rule.number) for rule in rules}))
    if "reason" in extras:  # a leaf that no row can reach has no text
        outputs.append(output_of("reason", "text", {rule.number: rule.text or "NULL" for rule in rules}))
    return tuple(outputs)

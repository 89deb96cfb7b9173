"""What a query gives besides its keys: the prediction, probabilities, the rule's number, its text.

Each is a CASE of its own over the same questions. (One CASE for the rule's number in an inner query, and others over
that number, would be shorter, but optimisers put the inner expression into each place that names it: Postgres took
5 GB for 250 rules.)
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import evolve, frozen

from treerules.data.schema import Schema
from treerules.data.value_format import spelled
from treerules.emit.sql.identifiers import Rename, output_name
from treerules.emit.template_records import PrintedLine, PrintedRule, printed_rules, values_by_number
from treerules.rules.rule_set import RuleSet
from treerules.sql.language import Language

Extra = Literal["proba", "rule", "reason"]


@frozen
class Output:
    """A column of the result: its quoted name, and its questions with the values that it has."""

    name: str
    lines: tuple[PrintedLine, ...]
    #: what the flat layout says where no rule fires, as a literal; None for NULL
    otherwise: str | None = None
    #: whether each rule's number, n and confidence stand in a comment
    comments: bool = False


def output_names(schema: Schema, extras: Sequence[Extra]) -> list[str]:
    """Return the names of the columns besides the keys: prediction, p_CLASS each, rule, reason."""
    names = ["prediction", *(share_names(schema) if "proba" in extras else [])]
    return [*names, *(name for name in ("rule", "reason") if name in extras)]


def share_names(schema: Schema) -> list[str]:
    """Return the names of the columns of probabilities: p_CLASS, as `treerules predict --proba` names them."""
    form = schema.target.form if schema.target else ""
    return [f"p_{spelled(label, form)}" for label in schema.classes]


def outputs_of(
    language: Language,
    rules: RuleSet,
    lines: Sequence[PrintedLine],
    extras: Sequence[Extra],
    rename: Rename,
    *,
    otherwise: str | None = None,
    comments: bool = False,
) -> tuple[Output, ...]:
    """Return the columns of a result besides the keys; `lines` have the values of the prediction.

    Raises:
        UnsupportedError: the language cannot hold a name, a label or the text of a rule.
    """

    def named(name: str, values: Mapping[int, str]) -> Output:
        filled = [line if line.number is None else evolve(line, value=values[line.number]) for line in lines]
        return Output(language.identifier(output_name(rules.schema, name, rename)), tuple(filled))

    found = [evolve(named("prediction", values_by_number(language, rules)), otherwise=otherwise, comments=comments)]
    if not extras:
        return tuple(found)
    printed = printed_rules(language, rules)
    if "proba" in extras:
        for place, name in enumerate(share_names(rules.schema)):
            found.append(named(name, {rule.number: rule.shares[place] for rule in printed}))
    if "rule" in extras:
        found.append(named("rule", {rule.number: str(rule.number) for rule in printed}))
    if "reason" in extras:
        found.append(named("reason", {rule.number: _reason(rule) for rule in printed}))
    return tuple(found)


def _reason(rule: PrintedRule) -> str:
    """Return the text of a rule; a leaf that no value can reach has none."""
    return "NULL" if rule.text is None else rule.text

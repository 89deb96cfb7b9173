"""What a query gives besides its keys: the prediction, probabilities, the rule's number, its text.

More than the prediction is made of the rule's number, which an inner query finds once. Rules stand in the order of
their numbers, so that one CASE of `rule <= n` gives a value to each run of rules that share it.
"""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Literal

from attrs import frozen

from treerules.emit.languages import Language
from treerules.emit.names import Rename
from treerules.emit.printed import PrintedRule, printed_rules
from treerules.forms import spelled
from treerules.rules import RuleSet
from treerules.schema import Schema

Extra = Literal["proba", "rule", "reason"]
#: More runs than these are asked in two steps, so that a row does not meet them all.
MOST_RUNS = 100


@frozen
class Run:
    """The rules up to a number, and the literal that they all give."""

    upto: int
    value: str


@frozen
class Output:
    """A column of the result: its name, quoted for templates, and its values by blocks of runs of rules."""

    name: str
    blocks: tuple[tuple[Run, ...], ...]
    #: whether it is the rule's number itself
    is_rule: bool = False

    def named(self, language: Language, rename: Rename) -> "Output":
        """Return the output under its quoted name in the database."""
        return Output(language.identifier(rename.get(self.name, self.name)), self.blocks, self.is_rule)


@frozen
class Plan:
    """The columns of a result besides the keys; none where the prediction stands alone."""

    outputs: tuple[Output, ...]
    #: the names of ours that the result, or the query within, has
    names: tuple[str, ...]


def outputs_of(language: Language, rules: RuleSet, extras: tuple[Extra, ...]) -> Plan:
    """Return what a result has besides the keys."""
    if not extras:
        return Plan((), ("prediction",))
    columns: dict[str, Callable[[PrintedRule], str]] = {"prediction": lambda rule: rule.value}
    if "proba" in extras:
        for place, name in enumerate(share_names(rules.schema)):
            columns[name] = partial(_share, place)
    if "reason" in extras:
        columns["reason"] = lambda rule: str(rule.text)
    printed = [rule for rule in printed_rules(language, rules) if rule.text is not None]
    found = [Output(name, _blocks([(rule.number, value(rule)) for rule in printed])) for name, value in columns.items()]
    if "rule" in extras:
        found.insert(len(columns) - ("reason" in extras), Output("rule", (), is_rule=True))
    return Plan(tuple(found), tuple(dict.fromkeys([*(output.name for output in found), "rule"])))


def _share(place: int, rule: PrintedRule) -> str:
    return rule.shares[place]


def share_names(schema: Schema) -> list[str]:
    """Return the names of the columns of probabilities: p_CLASS, as `treerules predict --proba` names them."""
    form = schema.target.form if schema.target else ""
    return [f"p_{spelled(label, form)}" for label in schema.classes]


def _blocks(values: list[tuple[int, str]]) -> tuple[tuple[Run, ...], ...]:
    groups = [list(group) for _, group in groupby(values, key=lambda pair: pair[1])]
    runs = [Run(*group[-1]) for group in groups]
    if len(runs) <= MOST_RUNS:
        return (tuple(runs),)
    return tuple(tuple(runs[start : start + MOST_RUNS]) for start in range(0, len(runs), MOST_RUNS))

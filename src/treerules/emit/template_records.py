"""What templates print: the lines of a layout, the features and the rules, spelled in a language. It is public API.

Every text that stands here is a finished literal, question or quoted name, so a template may print it as it is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from treerules.data.schema import Feature, Schema
from treerules.emit.layout import Line, prediction_by_rule
from treerules.emit.predicates import asker_in, reference
from treerules.emit.sql.identifiers import NO_RENAME, Rename, renamed
from treerules.rules.rule import RuleFigures
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import distinct
from treerules.rules.wording import rule_texts
from treerules.sql.language import Language
from treerules.trees.node_parts import ClassPrediction, Prediction


@frozen
class PrintedLine:
    """A step of a layout: `depth` counts the blocks around it.

    open, close    a block with questions begins and ends
    when           if `test` holds: the rule `number`, whose answer is `value`, or, when it is None, what follows
    else           otherwise: that rule; alone where nothing is asked
    """

    depth: int
    step: str
    #: the question, in the language; of `else` what always holds
    test: str
    #: the rule's answer as a literal; None where a block follows
    value: str | None
    number: int | None
    #: the figures of the rule, None where a block follows or the leaf gives no rule
    figures: RuleFigures | None = None


@frozen
class PrintedFeature:
    """A column of the model: its place in the schema from 0, its name as a literal, how the language refers to it."""

    index: int
    name: str
    column: str
    #: number, integer, boolean, category, ordinal, date or timestamp
    kind: str
    #: the type of its values: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalar: str
    #: whether it is cut at thresholds
    is_ordered: bool
    #: whether some rule asks for it
    is_asked: bool
    #: its categories as literals
    categories: tuple[str, ...]


@frozen
class PrintedRule:
    """A leaf of the model: its number, what it predicts, its text as a literal, and its figures.

    `shares` are those of the classes, in their order; empty for a regression. A leaf that no value can reach has a
    number and a value, but no text and no figures.
    """

    number: int
    value: str
    shares: tuple[str, ...]
    text: str | None
    figures: RuleFigures | None


def printed_lines(
    language: Language,
    rules: RuleSet,
    lines: Sequence[Line],
    *,
    rename: Rename = NO_RENAME,
) -> list[PrintedLine]:
    """Return the lines of a layout in a language."""
    tests = question_texts(language, rules.schema, lines, rename)
    values = values_by_number(language, rules)
    figures = {rule.number: rule.figures for rule in rules.rules}
    return [
        PrintedLine(
            line.depth,
            line.step,
            language.both.join([tests[id(pair)] for pair in line.conditions]) or language.always,
            None if line.number is None else values[line.number],
            line.number,
            None if line.number is None else figures.get(line.number),
        )
        for line in lines
    ]


def values_by_number(language: Language, rules: RuleSet) -> dict[int, str]:
    """Return the literal of what each leaf predicts."""
    predictions = prediction_by_rule(rules)
    spelled = value_texts(language, predictions.values())
    return {number: spelled[id(prediction.value)] for number, prediction in predictions.items()}


def question_texts(
    language: Language, schema: Schema, lines: Sequence[Line], rename: Rename = NO_RENAME
) -> dict[int, str]:
    """Return each condition of the lines as a question, by the identity of the pair of its column's name and itself."""
    asked = distinct(pair for line in lines for pair in line.conditions)
    names = dict.fromkeys(name for name, _ in asked.values())
    ask = {name: asker_in(language, renamed(schema.feature(name), rename), schema.index(name)) for name in names}
    return {key: ask[name](condition) for key, (name, condition) in asked.items()}


def value_texts(language: Language, predictions: Any) -> dict[int, str]:
    """Return the literals of what is predicted, by the identity of the value."""
    values = distinct(prediction.value for prediction in predictions)
    return {key: language.literal(value) for key, value in values.items()}


def printed_features(language: Language, schema: Schema, asked: Sequence[str]) -> list[PrintedFeature]:
    """Return the columns of a schema in a language; `asked` are the names of those that some rule asks for."""
    return [_printed_feature(language, feature, index, asked) for index, feature in enumerate(schema.features)]


def _printed_feature(language: Language, feature: Feature, index: int, asked: Sequence[str]) -> PrintedFeature:
    return PrintedFeature(
        index,
        language.literal(feature.name),
        reference(language, feature, index),
        str(feature.kind),
        feature.scalar,
        feature.is_ordered,
        feature.name in asked,
        tuple(language.literal(category) for category in feature.categories),
    )


def printed_rules(language: Language, rules: RuleSet) -> list[PrintedRule]:
    """Return the leaves of a model in a language, by number."""
    predictions = prediction_by_rule(rules)
    values = value_texts(language, predictions.values())
    texts: Mapping[int, str] = {
        rule.number: language.literal(text)
        for rule, text in zip(rules.rules, rule_texts(rules.schema, rules.rules), strict=True)
    }
    figures = {rule.number: rule.figures for rule in rules.rules}
    return [
        PrintedRule(number, values[id(found.value)], shares_of(language, found), texts.get(number), figures.get(number))
        for number, found in predictions.items()
    ]


def shares_of(language: Language, prediction: Prediction) -> tuple[str, ...]:
    """Return the shares of the classes as literals; none for a regression."""
    return tuple(map(language.literal, prediction.probabilities)) if isinstance(prediction, ClassPrediction) else ()

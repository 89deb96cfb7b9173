"""Records that templates print: the lines of a layout, the features and the rules, written in a language.

Users' templates read these fields, so they are public API. Every text is finished (a literal, a test or a quoted name),
and templates print it unchanged.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Schema
from treerules.emit.checked_rules import CheckedRules, prediction_by_rule
from treerules.emit.layout import CodeLine
from treerules.emit.predicates import column_reference, condition_writer
from treerules.emit.sql.identifiers import NO_RENAME, Rename, renamed_feature
from treerules.rules.rule import RuleFigures
from treerules.rules.shared_conditions import by_identity
from treerules.rules.wording import rule_texts
from treerules.sql.language import Language
from treerules.trees.node_parts import ClassPrediction, Prediction


@short_repr
@frozen
class PrintedLine:
    """One line of a layout. `depth` is the number of blocks around it.

    open, close    a block of lines begins, ends
    when           if `test` holds: the rule `number`, which predicts `value`; the block that follows if both are None
    else           otherwise the rule `number`; the only line if the model has one rule without conditions

    A line `when` with a `value` and no `number` is the first one of `outside="refuse"`: a row outside of the declared
    domain gets `value`, which is NULL.
    """

    depth: int
    step: str
    #: the test, in the language; of `else` the test that always holds
    test: str
    #: the prediction of the rule as a literal; None if a block follows
    value: str | None
    number: int | None
    #: the training figures of the rule; None if a block follows, or if no row can reach the leaf
    figures: RuleFigures | None = None
    #: the tests of the conditions one by one; `test` is all of them together
    tests: tuple[str, ...] = ()


@short_repr
@frozen
class PrintedFeature:
    """A feature of the model: its position in the schema from 0, its name as a literal, and how tests refer to it."""

    index: int
    name: str
    column: str
    #: number, integer, boolean, category, ordinal, date or timestamp
    kind: str
    #: the type of its values: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalar: str
    #: whether it is split at thresholds
    is_ordered: bool
    #: whether some rule has a condition on it
    is_asked: bool
    #: its categories as literals
    categories: tuple[str, ...]


@short_repr
@frozen
class PrintedRule:
    """A leaf of the model: its number, its prediction as a literal, the rule's text as a literal, and its figures.

    `shares` are the probabilities of the classes as literals, in the order of the classes; empty for a regression. A
    leaf that no row can reach has a number and a value, but no text and no figures.
    """

    number: int
    value: str
    shares: tuple[str, ...]
    text: str | None
    figures: RuleFigures | None


def printed_tests(
    language: Language, schema: Schema, lines: Sequence[CodeLine], *, rename: Rename = NO_RENAME
) -> list[PrintedLine]:
    """Return the lines of a layout, written in a language, without values and figures."""
    tests = _tests_by_pair(language, schema, lines, rename)
    return [
        PrintedLine(
            line.depth,
            line.step,
            language.both.join([tests[id(pair)] for pair in line.conditions]) or language.always,
            None,
            line.number,
            None,
            tuple([tests[id(pair)] for pair in line.conditions]),
        )
        for line in lines
    ]


def printed_lines(
    language: Language, checked: CheckedRules, lines: Sequence[CodeLine], *, rename: Rename = NO_RENAME
) -> list[PrintedLine]:
    """Return the lines of a layout, written in a language. `rename` gives features the names of their columns."""
    values = prediction_literals(language, checked)
    figures = {rule.number: rule.figures for rule in checked.rules.rules}
    return [
        line if line.number is None else evolve(line, value=values[line.number], figures=figures.get(line.number))
        for line in printed_tests(language, checked.schema, lines, rename=rename)
    ]


def with_refusal(
    language: Language, schema: Schema, outside: Sequence[CodeLine], lines: Sequence[PrintedLine], rename: Rename
) -> list[PrintedLine]:
    """Return the lines of a CASE with one more WHEN in front, which answers rows outside the domain with NULL."""
    tests = [line.test for line in printed_tests(language, schema, outside, rename=rename)]
    refusal = PrintedLine(0, "when", language.either.join(tests), "NULL", None)
    first, last = (PrintedLine(0, step, "", None, None) for step in ("open", "close"))
    return [first, refusal, *lines, last] if len(lines) == 1 else [lines[0], refusal, *lines[1:]]


def _tests_by_pair(language: Language, schema: Schema, lines: Sequence[CodeLine], rename: Rename) -> dict[int, str]:
    """Return the test of each condition, by the identity of its pair of name and condition.

    The rules of a tree share these pairs. A lookup by value would take a quarter of the time of emitting.
    """
    pairs = by_identity(pair for line in lines for pair in line.conditions)
    writers = {
        name: condition_writer(language, renamed_feature(schema.feature(name), rename), schema.index(name))
        for name in dict.fromkeys(name for name, _ in pairs.values())
    }
    return {key: writers[name](condition) for key, (name, condition) in pairs.items()}


def prediction_literals(language: Language, checked: CheckedRules) -> dict[int, str]:
    """Return the prediction of each rule number as a literal."""
    literal = _literal_writer(language, checked.schema)
    return {number: literal(prediction.value) for number, prediction in prediction_by_rule(checked).items()}


def _literal_writer(language: Language, schema: Schema) -> Callable[[Any], str]:
    """Return the function that writes predictions as literals. Many leaves share a class, but few share a mean."""
    return language.literal if schema.is_regression else lru_cache(maxsize=None, typed=True)(language.literal)


def printed_features(language: Language, schema: Schema, used: Collection[str]) -> list[PrintedFeature]:
    """Return the features of a schema, written in a language; `used` are the names of those with conditions."""
    return [_printed_feature(language, feature, index, used) for index, feature in enumerate(schema.features)]


def _printed_feature(language: Language, feature: Feature, index: int, used: Collection[str]) -> PrintedFeature:
    """Return a feature, written in a language; `index` is its position in the schema."""
    return PrintedFeature(
        index,
        language.literal(feature.name),
        column_reference(language, feature, index),
        str(feature.kind),
        feature.scalar,
        feature.is_ordered,
        feature.name in used,
        tuple([language.literal(category) for category in feature.categories]),
    )


def printed_rules(language: Language, checked: CheckedRules) -> list[PrintedRule]:
    """Return the leaves of a model in the order of their numbers, written in a language."""
    rules, literal = checked.rules.rules, _literal_writer(language, checked.schema)
    texts = {
        rule.number: language.literal(text) for rule, text in zip(rules, rule_texts(checked.schema, rules), strict=True)
    }
    figures = {rule.number: rule.figures for rule in rules}
    return [
        PrintedRule(
            number,
            literal(prediction.value),
            _share_literals(language, prediction),
            texts.get(number),
            figures.get(number),
        )
        for number, prediction in prediction_by_rule(checked).items()
    ]


def _share_literals(language: Language, prediction: Prediction) -> tuple[str, ...]:
    """Return the probabilities of the classes as literals; none for a regression."""
    return tuple(map(language.literal, prediction.probabilities)) if isinstance(prediction, ClassPrediction) else ()

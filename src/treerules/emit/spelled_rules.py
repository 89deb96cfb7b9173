"""The rules of plain modules with their texts: sentences for people, and what the hash of the model is made of.

Those of a tree are written straight from its paths, which share the texts of conditions.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from attrs import evolve

from treerules.data.schema import Feature, Schema
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.hashed_text import hashed_condition_writer, hashed_prediction_text, hashed_rule_text
from treerules.rules.compile import leaf_paths
from treerules.rules.phrasing import Phrasing, phrasing_for
from treerules.rules.rule import Condition
from treerules.rules.shared_conditions import ConstraintWriters, by_identity
from treerules.rules.wording import consequent_text, constraint_phraser, sentence_writer
from treerules.trees.node_parts import Prediction

#: The text of a leaf that no row can reach: it has a number, but no rule.
NO_RULE = "no row can meet the conditions that lead here"


class SpelledCondition(NamedTuple):
    """A condition of a rule with its texts."""

    name: str
    condition: Condition
    #: as the sentence of a rule has it
    text: str
    #: as the hash of the model has it
    hashed: str


class SpelledRule(NamedTuple):
    """A rule, or a leaf that no row can reach, with its texts."""

    number: int
    prediction: Prediction
    #: the `repr` of the mean or class
    value: str
    #: the rule as a sentence: short, since the code beside it is exact; means have all digits
    text: str
    #: the text that the hash of the model has; "" for a leaf that no row can reach
    hashed: str


def spelled_rules(checked: CheckedRules, writers: ConstraintWriters, lang: str) -> list[SpelledRule]:
    """Return the rules with their texts: those of a tree straight from its paths, in the order of its leaves.

    `writers` are the `constraint_writers` of the schema, of which the caller has other uses.
    """
    schema = checked.schema
    phrasing = evolve(phrasing_for(checked.training, lang), mean_digits=None)
    sentence, conjunction = sentence_writer(schema, phrasing), phrasing.words.and_
    predicted = _prediction_speller(schema, phrasing)
    spelled: list[SpelledRule] = []
    for number, prediction, conditions in _paths(checked, writers, phrasing):
        value, consequent, hashed_prediction = predicted(prediction)
        if conditions is None:
            spelled.append(SpelledRule(number, prediction, value, NO_RULE, ""))
            continue
        text = sentence(conjunction.join([text for _, _, text, _ in conditions]), consequent)
        hashed = hashed_rule_text(number, [hashed for _, _, _, hashed in conditions], hashed_prediction)
        spelled.append(SpelledRule(number, prediction, value, text, hashed))
    return spelled


def _paths(
    checked: CheckedRules, writers: ConstraintWriters, phrasing: Phrasing
) -> Iterator[tuple[int, Prediction, Sequence[SpelledCondition] | None]]:
    """Yield number, prediction and conditions of each rule; None for the conditions of a leaf that no row reaches."""
    if checked.tree is not None:
        paths = leaf_paths(checked.tree, lambda feature: _condition_speller(feature, writers, phrasing))
        for number, (leaf, path) in enumerate(paths, 1):
            yield number, leaf.prediction, path
        return
    spellers = {feature.name: _condition_speller(feature, writers, phrasing) for feature in checked.schema.features}
    pairs = by_identity(pair for rule in checked.rules for pair in rule.conditions)
    spelled = {key: spellers[name](condition) for key, (name, condition) in pairs.items()}
    for rule in checked.rules:
        yield rule.number, rule.prediction, [spelled[id(pair)] for pair in rule.conditions]


def _condition_speller(
    feature: Feature, writers: ConstraintWriters, phrasing: Phrasing
) -> Callable[[Condition], SpelledCondition]:
    name, constraint_of = feature.name, writers[feature.name]
    phrase, hashed_text = constraint_phraser(feature, phrasing), hashed_condition_writer(feature)

    def spell(condition: Condition) -> SpelledCondition:
        constraint = constraint_of(condition)
        return SpelledCondition(name, condition, phrase(constraint), hashed_text(constraint))

    return spell


def _prediction_speller(schema: Schema, phrasing: Phrasing) -> Callable[[Prediction], tuple[str, str, str]]:
    """Return a function from a prediction to the `repr` of its value, the value in sentences, and its hashed text.

    Many leaves share the prediction of a class, which is written once; few share a mean.
    """
    known: dict[int, tuple[str, str, str]] = {}

    def spell(prediction: Prediction) -> tuple[str, str, str]:
        texts = known.get(id(prediction))
        if texts is None:
            value = repr(prediction.value)
            consequent = value.removesuffix(".0") if schema.is_regression else consequent_text(schema, prediction.value)
            texts = known[id(prediction)] = value, consequent, hashed_prediction_text(prediction, value)
        return texts

    return spell

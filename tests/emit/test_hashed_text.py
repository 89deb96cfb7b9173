"""The texts behind the hashes of emitted files: published, so no renaming in the code changes them.

What is expected here was printed by treerules before these texts had a source of their own.
"""

import datetime as datetime_module
import re
from datetime import UTC, date, datetime
from hashlib import sha256
from math import inf
from typing import Any

import pytest
from hypothesis import given

from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Rule,
    RuleFigures,
    RuleSet,
    Schema,
    Tree,
    compile_rules,
)
from treerules.emit.hashed_text import (
    hash_of_rules,
    hashed_feature_text,
    hashed_prediction_text,
    hashed_rule_texts,
    hashed_schema_text,
)
from treerules.emit.header import opening_of
from treerules.rules.shared_conditions import constraints_of
from treerules.testing import schemas, trees
from treerules.trees import ClassPrediction, MeanPrediction
from treerules.trees.node_parts import Prediction

DAY, MOMENT = date(2024, 3, 21), datetime(2024, 3, 21, 20, 21, 9, 500000)
START = datetime(1970, 1, 1)
#: Every kind and every type of values, beside its text.
FEATURES = (
    (
        Feature("x", Kind.NUMBER),
        "Feature(name='x', kind=<Kind.NUMBER: 'number'>, categories=(), scalar='number', form='')",
    ),
    (
        Feature("n", Kind.INTEGER),
        "Feature(name='n', kind=<Kind.INTEGER: 'integer'>, categories=(), scalar='integer', form='')",
    ),
    (
        Feature('it\'s "so"\n\\ 年 \ud800', Kind.BOOLEAN),
        "Feature(name='it\\'s \"so\"\\n\\\\ \u5e74 \\ud800', kind=<Kind.BOOLEAN: 'boolean'>, "
        "categories=(False, True), scalar='boolean', form='')",
    ),
    (
        Feature("shouted", Kind.BOOLEAN, form="TRUE"),
        "Feature(name='shouted', kind=<Kind.BOOLEAN: 'boolean'>, categories=(False, True), "
        "scalar='boolean', form='TRUE')",
    ),
    (
        Feature("text", Kind.CATEGORY, ("", "a", "b'", "年")),
        "Feature(name='text', kind=<Kind.CATEGORY: 'category'>, categories=('', 'a', \"b'\", "
        "'\u5e74'), scalar='text', form='')",
    ),
    (
        Feature("one", Kind.CATEGORY, ("a",)),
        "Feature(name='one', kind=<Kind.CATEGORY: 'category'>, categories=('a',), scalar='text', form='')",
    ),
    (
        Feature("none", Kind.CATEGORY),
        "Feature(name='none', kind=<Kind.CATEGORY: 'category'>, categories=(), scalar='text', form='')",
    ),
    (
        Feature("sizes", Kind.ORDINAL, ("S", "M", "L")),
        "Feature(name='sizes', kind=<Kind.ORDINAL: 'ordinal'>, categories=('S', 'M', 'L'), scalar='text', form='')",
    ),
    (
        Feature("numbers", Kind.CATEGORY, (-inf, 0.0, 1e-300, 0.1, 1e300), "number"),
        "Feature(name='numbers', kind=<Kind.CATEGORY: 'category'>, categories=(-inf, 0.0, 1e-300, 0.1, "
        "1e+300), scalar='number', form='')",
    ),
    (
        Feature("integers", Kind.ORDINAL, (3, -1, 2**63 - 1), "integer"),
        "Feature(name='integers', kind=<Kind.ORDINAL: 'ordinal'>, categories=(3, -1, 9223372036854775807), "
        "scalar='integer', form='')",
    ),
    (
        Feature("truth", Kind.ORDINAL, (True, False), "boolean"),
        "Feature(name='truth', kind=<Kind.ORDINAL: 'ordinal'>, categories=(True, False), scalar='boolean', form='')",
    ),
    (
        Feature("days", Kind.ORDINAL, (DAY, date.min), "date", "y/m/d"),
        "Feature(name='days', kind=<Kind.ORDINAL: 'ordinal'>, categories=(datetime.date(2024, 3, 21), "
        "datetime.date(1, 1, 1)), scalar='date', form='y/m/d')",
    ),
    (
        Feature("moments", Kind.CATEGORY, (START, MOMENT), "timestamp"),
        "Feature(name='moments', kind=<Kind.CATEGORY: 'category'>, categories=(datetime.datetime(1970, 1, "
        "1, 0, 0), datetime.datetime(2024, 3, 21, 20, 21, 9, 500000)), scalar='timestamp', form='')",
    ),
    (
        Feature("zoned", Kind.CATEGORY, (START.replace(tzinfo=UTC), MOMENT.replace(tzinfo=UTC)), "timestamp_utc"),
        "Feature(name='zoned', kind=<Kind.CATEGORY: 'category'>, categories=(datetime.datetime(1970, 1, 1, "
        "0, 0, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 3, 21, 20, 21, 9, 500000, "
        "tzinfo=datetime.timezone.utc)), scalar='timestamp_utc', form='')",
    ),
    (
        Feature("day", Kind.DATE, form="y/mm/dd"),
        "Feature(name='day', kind=<Kind.DATE: 'date'>, categories=(), scalar='date', form='y/mm/dd')",
    ),
    (
        Feature("moment", Kind.TIMESTAMP),
        "Feature(name='moment', kind=<Kind.TIMESTAMP: 'timestamp'>, categories=(), scalar='timestamp', form='')",
    ),
    (
        Feature("moment in UTC", Kind.TIMESTAMP, scalar="timestamp_utc", form=" +08:00"),
        "Feature(name='moment in UTC', kind=<Kind.TIMESTAMP: 'timestamp'>, categories=(), "
        "scalar='timestamp_utc', form=' +08:00')",
    ),
)
COLUMNS = [feature for feature, _ in FEATURES]
#: Schemas, and the hash of their text.
SCHEMAS = (
    (Schema(COLUMNS, Feature("y", Kind.CATEGORY, ("no", "yes"))), "21711d860f6d029b"),
    (Schema(COLUMNS[:1], Feature("y", Kind.ORDINAL, (2, 1), "integer")), "06af1d2b23dd04d5"),
    (Schema(COLUMNS[:2], Feature("y", Kind.NUMBER)), "10d6000faa26a2d2"),
    (Schema(COLUMNS[1:2], Feature("y", Kind.INTEGER)), "234d9528b10b641d"),
    (Schema(COLUMNS[:1]), "70cb52d7a1a32c5d"),
    (Schema((), Feature("y", Kind.NUMBER)), "3e4f4f256ead926f"),
)
#: Conditions of every form, beside their text.
CONDITIONS: tuple[tuple[tuple[str, Condition], str], ...] = (
    (
        ("x", Condition(Interval(0.1, 1e300))),
        "('x', Condition(values=Interval(above=0.1, upto=1e+300), missing=False, unseen=False))",
    ),
    (
        ("x", Condition(Interval(None, -0.5), missing=True)),
        "('x', Condition(values=Interval(above=None, upto=-0.5), missing=True, unseen=False))",
    ),
    (
        ("x", Condition(Interval(-inf))),
        "('x', Condition(values=Interval(above=-inf, upto=None), missing=False, unseen=False))",
    ),
    (
        ("x", Condition(Interval())),
        "('x', Condition(values=Interval(above=None, upto=None), missing=False, unseen=False))",
    ),
    (("x", Condition(None, missing=True)), "('x', Condition(values=None, missing=True, unseen=False))"),
    (
        ("n", Condition(Interval(-3, 2**63 - 2))),
        "('n', Condition(values=Interval(above=-3, upto=9223372036854775806), missing=False, unseen=False))",
    ),
    (
        ('it\'s "so"\n\\ 年 \ud800', Condition(Members((True,)), missing=True)),
        "('it\\'s \"so\"\\n\\\\ \u5e74 \\ud800', Condition(values=Members(values=(True,), "
        "complement=False), missing=True, unseen=False))",
    ),
    (
        ("text", Condition(Members(("", "b'"), complement=True), unseen=True)),
        "('text', Condition(values=Members(values=('', \"b'\"), complement=True), missing=False, unseen=True))",
    ),
    (
        ("one", Condition(Members(("a",)), missing=True, unseen=True)),
        "('one', Condition(values=Members(values=('a',), complement=False), missing=True, unseen=True))",
    ),
    (("none", Condition(None, unseen=True)), "('none', Condition(values=None, missing=False, unseen=True))"),
    (
        ("numbers", Condition(Members((-inf, 0.1)))),
        "('numbers', Condition(values=Members(values=(-inf, 0.1), complement=False), missing=False, unseen=False))",
    ),
    (
        ("integers", Condition(Members((3, -1)))),
        "('integers', Condition(values=Members(values=(3, -1), complement=False), missing=False, unseen=False))",
    ),
    (
        ("truth", Condition(Members((False,)))),
        "('truth', Condition(values=Members(values=(False,), complement=False), missing=False, unseen=False))",
    ),
    (
        ("days", Condition(Members((date.min,)))),
        "('days', Condition(values=Members(values=(datetime.date(1, 1, 1),), complement=False), "
        "missing=False, unseen=False))",
    ),
    (
        ("moments", Condition(Members((MOMENT,)))),
        "('moments', Condition(values=Members(values=(datetime.datetime(2024, 3, 21, 20, 21, 9, 500000),), "
        "complement=False), missing=False, unseen=False))",
    ),
    (
        ("zoned", Condition(Members((MOMENT.replace(tzinfo=UTC),), complement=True))),
        "('zoned', Condition(values=Members(values=(datetime.datetime(2024, 3, 21, 20, 21, 9, 500000, "
        "tzinfo=datetime.timezone.utc),), complement=True), missing=False, unseen=False))",
    ),
    (
        ("day", Condition(Interval(DAY, date.max))),
        "('day', Condition(values=Interval(above=datetime.date(2024, 3, 21), upto=datetime.date(9999, 12, "
        "31)), missing=False, unseen=False))",
    ),
    (
        ("moment", Condition(Interval(START, MOMENT))),
        "('moment', Condition(values=Interval(above=datetime.datetime(1970, 1, 1, 0, 0), "
        "upto=datetime.datetime(2024, 3, 21, 20, 21, 9, 500000)), missing=False, unseen=False))",
    ),
    (
        ("moment in UTC", Condition(Interval(MOMENT.replace(tzinfo=UTC)), missing=True)),
        "('moment in UTC', Condition(values=Interval(above=datetime.datetime(2024, 3, 21, 20, 21, 9, "
        "500000, tzinfo=datetime.timezone.utc), upto=None), missing=True, unseen=False))",
    ),
)
#: What rules predict, beside its text.
PREDICTIONS: tuple[tuple[Prediction, str], ...] = (
    (ClassPrediction("no", (1.0, 0.0)), "Label(value='no', probabilities=(1.0, 0.0))"),
    (ClassPrediction("yes", (0.1, 0.9)), "Label(value='yes', probabilities=(0.1, 0.9))"),
    (ClassPrediction(2, (1 / 3, 2 / 3)), "Label(value=2, probabilities=(0.3333333333333333, 0.6666666666666666))"),
    (MeanPrediction(0.1), "Mean(value=0.1, sd=0.0)"),
    (MeanPrediction(-1e300, 0.25), "Mean(value=-1e+300, sd=0.25)"),
    (MeanPrediction(3.0), "Mean(value=3.0, sd=0.0)"),
)

NOTHING = RuleFigures(0, 0.0)
NO, YES = ClassPrediction("no", (1.0, 0.0)), ClassPrediction("yes", (0.1, 0.9))
#: A rule for each condition; a rule for all columns beside one for none; means; no rules at all.
RULES = (
    RuleSet(SCHEMAS[0][0], [Rule(n, (pair,), NO, NOTHING) for n, (pair, _) in enumerate(CONDITIONS, 1)]),
    RuleSet(
        SCHEMAS[0][0],
        [Rule(7, {pair[0]: pair for pair, _ in CONDITIONS}.values(), YES, NOTHING), Rule(2, (), NO, NOTHING)],
    ),
    RuleSet(
        SCHEMAS[2][0],
        [
            Rule(1, [CONDITIONS[0][0]], MeanPrediction(0.1), NOTHING),
            Rule(2, [CONDITIONS[5][0], CONDITIONS[4][0]], MeanPrediction(-1e300, 0.25), NOTHING),
        ],
    ),
    RuleSet(SCHEMAS[4][0], ()),
)
#: What the first line of a file says of each: the hashes of its schema and of the model.
HASHES = (
    ("21711d860f6d029b", "8e0588b19145de89"),
    ("21711d860f6d029b", "823911f1c4408381"),
    ("10d6000faa26a2d2", "0f6ddef48e7d5d26"),
    ("70cb52d7a1a32c5d", "70cb52d7a1a32c5d"),
)


def hashed(text: str) -> str:
    """Return the hash of a text, as the first line of a file gives it."""
    return sha256(text.encode("ascii", "backslashreplace")).hexdigest()[:16]


@pytest.mark.parametrize(("feature", "text"), FEATURES, ids=lambda value: getattr(value, "name", ""))
def test_the_text_of_a_feature(feature: Feature, text: str) -> None:
    """It holds the name, the kind, the categories, their type and the form."""
    assert hashed_feature_text(feature) == text


@pytest.mark.parametrize(("schema", "expected"), SCHEMAS, ids=["classes", "order", "means", "whole", "none", "empty"])
def test_the_hash_of_a_schema(schema: Schema, expected: str) -> None:
    """It is that of the text of its features and target."""
    assert hashed(hashed_schema_text(schema)) == expected == opening_of(RuleSet(schema, ()), "sqlite").schema_hash


@pytest.mark.parametrize(("pair", "text"), CONDITIONS)
def test_the_text_of_a_condition(pair: tuple[str, Condition], text: str) -> None:
    """It holds the column, the values, and whether missing and unseen ones are taken."""
    rule = Rule(12, [pair], NO, NOTHING)
    expected = f"(12, ({text},), Label(value='no', probabilities=(1.0, 0.0)))"
    assert list(hashed_rule_texts([rule], constraints_of(SCHEMAS[0][0], [rule.conditions]))) == [expected]


@pytest.mark.parametrize(("prediction", "text"), PREDICTIONS)
def test_the_text_of_a_prediction(prediction: Prediction, text: str) -> None:
    """It holds the value, and the shares or the standard deviation."""
    assert hashed_prediction_text(prediction) == text


@pytest.mark.parametrize(("rules", "expected"), [*zip(RULES, HASHES, strict=True)], ids=["each", "all", "means", "no"])
def test_the_hashes_of_rules(rules: RuleSet, expected: tuple[str, str]) -> None:
    """The first line of a file says the same of the same rules in every version."""
    opening = opening_of(rules, "sqlite")
    assert (opening.schema_hash, opening.model_hash) == expected and hash_of_rules(rules) == expected[1]


#: What the words of the texts mean; a class that is renamed keeps its word here.
WORDS = {
    **{"Schema": Schema, "Feature": Feature, "Condition": Condition, "Interval": Interval, "Members": Members},
    **{"Label": ClassPrediction, "Mean": MeanPrediction, "datetime": datetime_module, "inf": inf},
}


def read_back(text: str) -> Any:
    """Return what a text says."""
    return eval(re.sub(r"<Kind\.[A-Z]+: ('[a-z]+')>", r"\1", text), dict(WORDS))


@given(schemas())
def test_different_schemas_have_different_texts(schema: Schema) -> None:
    """The text of a schema reads back as the schema, forms too, so no other schema has it."""
    same_schema = read_back(hashed_schema_text(schema))
    assert same_schema == schema and [f.form for f in same_schema.features] == [f.form for f in schema.features]


@given(trees())
def test_different_rules_have_different_texts(tree: Tree) -> None:
    """The text of a rule reads back as its number, conditions and prediction."""
    rules = compile_rules(tree)
    texts = hashed_rule_texts(rules.rules, constraints_of(rules.schema, (rule.conditions for rule in rules.rules)))
    assert [read_back(text) for text in texts] == [(r.number, r.conditions, r.prediction) for r in rules.rules]

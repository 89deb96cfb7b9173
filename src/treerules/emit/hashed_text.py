"""The texts whose hashes stand in the first line of emitted files: of a schema, and of what rules ask and predict.

The hashes are published, so every word of these texts stays as it is: `Feature(`, `kind=<Kind.NUMBER: 'number'>` and
the like are part of the format, whatever the classes and fields of this package are called. Values are spelled by
`repr`, which Python defines.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.rule import Members, Rule
from treerules.rules.shared_conditions import Asked
from treerules.trees.node_parts import ClassPrediction, Prediction


def hash_of_text(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text; what is not ASCII is escaped before."""
    return sha256(text.encode("ascii", "backslashreplace")).hexdigest()[:16]


def schema_text(schema: Schema) -> str:
    """Return the text of a schema: two schemas that differ have different texts.

    >>> schema_text(Schema([]))
    'Schema(features=(), target=None)'
    """
    target = None if schema.target is None else feature_text(schema.target)
    return f"Schema(features={_tuple_text(map(feature_text, schema.features))}, target={target})"


def feature_text(feature: Feature) -> str:
    """Return the text of a feature.

    >>> feature_text(Feature("x", "number"))
    "Feature(name='x', kind=<Kind.NUMBER: 'number'>, categories=(), scalar='number', form='')"
    """
    kind = str(feature.kind)
    return (
        f"Feature(name={feature.name!r}, kind=<Kind.{kind.upper()}: {kind!r}>, categories={feature.categories!r}, "
        f"scalar={feature.scalar!r}, form={feature.form!r})"
    )


def rule_texts(rules: Iterable[Rule], asked: Mapping[int, Asked]) -> Iterator[str]:
    """Yield the text of each rule: its number, conditions and prediction. `asked` is `asked_of` the rules.

    Conditions that rules share are spelled once.
    """
    texts = {key: f"({found.feature.name!r}, {_condition_text(found)})" for key, found in asked.items()}
    for rule in rules:
        conditions = _tuple_text([texts[id(pair)] for pair in rule.conditions])
        yield f"({rule.number!r}, {conditions}, {prediction_text(rule.prediction)})"


def _condition_text(asked: Asked) -> str:
    condition = asked.condition
    values = _values_text(condition.values, asked)
    return f"Condition(values={values}, missing={condition.missing!r}, unseen={condition.unseen!r})"


def _values_text(values: Any, asked: Asked) -> str:
    if isinstance(values, Interval):
        return f"Interval(above={asked.above}, upto={asked.upto})"
    if isinstance(values, Members):
        return f"Members(values={values.values!r}, complement={values.complement!r})"
    return repr(values)


def prediction_text(prediction: Prediction) -> str:
    """Return the text of a prediction.

    >>> from treerules.trees.node_parts import MeanPrediction
    >>> prediction_text(MeanPrediction(2.5))
    'Mean(value=2.5, sd=0.0)'
    """
    if isinstance(prediction, ClassPrediction):
        return f"Label(value={prediction.value!r}, probabilities={prediction.probabilities!r})"
    return f"Mean(value={prediction.value!r}, sd={prediction.sd!r})"


def _tuple_text(texts: Iterable[str]) -> str:
    """Return texts as the `repr` of a tuple shows its values."""
    listed = list(texts)
    return f"({listed[0]},)" if len(listed) == 1 else f"({', '.join(listed)})"

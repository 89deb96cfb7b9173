"""The texts whose hashes are in the first line of emitted files: of a schema, and of the rules of a model.

The hashes are published, so these texts never change. `Feature(`, `kind=<Kind.NUMBER: 'number'>` and the like belong to
the format; renaming classes or fields does not change them. Values are written by `repr`, which Python defines.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from attrs import astuple

from treerules.data.cell_reading import AS_USUAL
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.rules.rule import Members, Rule
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import Constraint, by_identity, constraints_of
from treerules.trees.node_parts import ClassPrediction, Prediction


def hash_of_text(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text; characters beyond ASCII are escaped first."""
    return sha256(text.encode("ascii", "backslashreplace")).hexdigest()[:16]


def hash_of_schema(schema: Schema) -> str:
    """Return the hash of the columns of a model: names, kinds, categories and the target."""
    return hash_of_text(hashed_schema_text(schema))


def hash_of_rules(rules: RuleSet, constraints: Mapping[int, Constraint] | None = None) -> str:
    """Return the hash of the columns, conditions and predictions of a model, without figures.

    `constraints` is `constraints_of` the rules, if the caller has it.
    """
    if constraints is None:
        constraints = constraints_of(rules.schema, (rule.conditions for rule in rules.rules))
    return hash_of_rule_texts(rules.schema, hashed_rule_texts(rules.rules, constraints))


def hash_of_rule_texts(schema: Schema, rule_texts: Iterable[str]) -> str:
    """Return the hash of a model, given the `hashed_rule_texts` of its rules."""
    return hash_of_text("\n".join([hashed_schema_text(schema), *rule_texts]))


def hashed_schema_text(schema: Schema) -> str:
    """Return the text of a schema: two schemas that differ have different texts.

    >>> hashed_schema_text(Schema([]))
    'Schema(features=(), target=None)'
    """
    target = None if schema.target is None else hashed_feature_text(schema.target)
    return f"Schema(features={_tuple_text(list(map(hashed_feature_text, schema.features)))}, target={target})"


def hashed_feature_text(feature: Feature) -> str:
    """Return the text of a feature.

    >>> hashed_feature_text(Feature("x", "number"))
    "Feature(name='x', kind=<Kind.NUMBER: 'number'>, categories=(), scalar='number', form='')"
    """
    kind = str(feature.kind)
    reading = "" if feature.reading == AS_USUAL else f", reading={astuple(feature.reading)!r}"
    return (
        f"Feature(name={feature.name!r}, kind=<Kind.{kind.upper()}: {kind!r}>, categories={feature.categories!r}, "
        f"scalar={feature.scalar!r}, form={feature.form!r}{reading})"
    )


def hashed_rule_texts(rules: Iterable[Rule], constraints: Mapping[int, Constraint]) -> Iterator[str]:
    """Yield the text of each rule: its number, conditions and prediction. `constraints` is `constraints_of` the rules.

    A condition that several rules share is written once.
    """
    writers = {
        feature.name: hashed_condition_writer(feature)
        for feature in by_identity(constraint.feature for constraint in constraints.values()).values()
    }
    texts = {key: writers[constraint.feature.name](constraint) for key, constraint in constraints.items()}
    for rule in rules:
        conditions = [texts[id(pair)] for pair in rule.conditions]
        yield hashed_rule_text(rule.number, conditions, hashed_prediction_text(rule.prediction))


def hashed_rule_text(number: int, conditions: list[str], prediction: str) -> str:
    """Return the text of a rule, given the texts of its conditions and of its prediction."""
    return f"({number}, {_tuple_text(conditions)}, {prediction})"


def hashed_condition_writer(feature: Feature) -> Callable[[Constraint], str]:
    """Return a function from a condition on a feature to the text of the pair (name of the column, condition)."""
    start = f"({feature.name!r}, Condition(values="

    def write(constraint: Constraint) -> str:
        condition = constraint.condition
        values = condition.values
        if isinstance(values, Interval):
            values_text = _interval_text(constraint)
        elif constraint.intervals:
            values_text = _tuple_text(list(map(_interval_text, constraint.intervals)))
        elif isinstance(values, Members):
            values_text = f"Members(values={values.values!r}, complement={values.complement!r})"
        else:
            values_text = repr(values)
        return f"{start}{values_text}, missing={condition.missing!r}, unseen={condition.unseen!r}))"

    return write


def _interval_text(constraint: Constraint) -> str:
    above, upto = (None if bound is None else bound.text for bound in (constraint.lower, constraint.upper))
    return f"Interval(above={above}, upto={upto})"


def hashed_prediction_text(prediction: Prediction, value: str = "") -> str:
    """Return the text of a prediction; `value` is the `repr` of its value, if the caller has it.

    >>> from treerules.trees.node_parts import MeanPrediction
    >>> hashed_prediction_text(MeanPrediction(2.5))
    'Mean(value=2.5, sd=0.0)'
    """
    if isinstance(prediction, ClassPrediction):
        return f"Label(value={value or repr(prediction.value)}, probabilities={prediction.probabilities!r})"
    return f"Mean(value={value or repr(prediction.value)}, sd={prediction.sd!r})"


def _tuple_text(parts: list[str]) -> str:
    """Return texts as the `repr` of a tuple shows its values."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"

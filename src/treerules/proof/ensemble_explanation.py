"""Explanation of a margin of an ensemble: the rule that each tree fires, and what it adds.

    margin = base + what tree 1 adds + what tree 2 adds + ... + rounding

The base and what trees add are exact fractions: a leaf times the scale, divided by the number of trees where the
ensemble averages. A library rounds each of its additions, so that the margin differs from the exact sum by `rounding`.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.data.value_format import value_text
from treerules.errors import OptionError, UnknownNameError, shortened
from treerules.proof.reasons import Reason, reasons_of, row_values
from treerules.regions.space import Row
from treerules.rules.compile import fired_rule
from treerules.rules.rule import Rule
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.margins import margins_of_row, predictions_of, probabilities_of


@short_repr
@frozen
class Contribution:
    """What a tree of an ensemble adds to a margin.

    Attributes:
        tree: the number of the tree, from 1.
        rule: the rule of the tree that fires.
        reasons: the conditions of that rule with the row's values.
        leaf: the number in the leaf; of a tree of classes the probability of the class whose margin is explained.
        added: what the tree adds to the margin: the leaf times the factor of the explanation.
    """

    tree: int
    rule: Rule
    reasons: tuple[Reason, ...] = field(converter=as_tuple)
    leaf: float
    added: Fraction


@frozen(repr=False)
class EnsembleExplanation(Shown):
    """The result of `explain` of an ensemble.

    `base + sum(contribution.added for contribution in contributions) + rounding == margin`, as fractions.

    Attributes:
        row: the row with a value for every column of the schema; None is missing.
        label: the class whose margin is explained; None where there is one margin.
        contributions: what each tree adds to the margin, the largest first, and of equally large ones the first tree.
        base: what the base of the ensemble adds.
        factor: what a leaf is multiplied by: the scale, over the number of trees for a margin where they are averaged.
        rounding: the margin less the exact sum, since the library rounds each sum; None where the margin is not finite.
        margins: the margin of each class as the library computes it, in the order of the classes; or the only margin.
        probabilities: the probability of each class, in the order of the classes; None for a regression.
        answer: the prediction: a class, or a mean.
        ensemble: the ensemble.
    """

    row: Row
    label: Any
    contributions: tuple[Contribution, ...] = field(converter=as_tuple)
    base: Fraction
    factor: Fraction
    rounding: Fraction | None
    margins: tuple[float, ...] = field(converter=as_tuple)
    probabilities: tuple[float, ...] | None
    answer: Any
    ensemble: Ensemble = field(eq=False, repr=False)

    def __repr__(self) -> str:
        n, answer = len(self.contributions), shortened(self.answer)
        return f"<EnsembleExplanation answer={answer} margin={self.margin!r} trees={n}>"

    @property
    def schema(self) -> Schema:
        """The schema of the ensemble."""
        return self.ensemble.schema

    @property
    def output(self) -> int:
        """The position of the explained margin among the margins."""
        return 0 if self.label is None else self.schema.classes.index(self.label)

    @property
    def margin(self) -> float:
        """The margin that is explained, as the library computes it."""
        return self.margins[self.output]

    @property
    def added(self) -> Fraction:
        """What all trees add to the margin."""
        return sum((contribution.added for contribution in self.contributions), Fraction(0))


def explain_ensemble(ensemble: Ensemble, row: Mapping[str, Any], label: Any = None) -> EnsembleExplanation:
    """Return the explanation of a margin for a row; `label` is the class of the margin, None the predicted one.

    Raises:
        CellError: a value of the row is of the wrong kind.
        OptionError: `row` is not a mapping, or a label is given where there is one margin.
        UnknownNameError: the target has no such class.
    """
    values = row_values(ensemble.schema, row)
    margins = margins_of_row(ensemble, values)
    answer = predictions_of(ensemble, margins).tolist()[0]
    answer = answer if ensemble.schema.is_regression else ensemble.schema.classes[answer]
    label = _explained_class(ensemble, label, answer)
    output = 0 if label is None else ensemble.schema.classes.index(label)
    base, factor = exact_base(ensemble, output), exact_factor(ensemble, output)
    contributions = sorted(
        _contributions(ensemble, values, output, factor), key=lambda each: (-abs(each.added), each.tree)
    )
    margin, added = margins[0].tolist()[output], sum((each.added for each in contributions), base)
    return EnsembleExplanation(
        row=values,
        label=label,
        contributions=contributions,
        base=base,
        factor=factor,
        rounding=Fraction(margin) - added if isfinite(margin) else None,
        margins=margins[0].tolist(),
        probabilities=None if ensemble.schema.is_regression else tuple(probabilities_of(ensemble, margins)[0].tolist()),
        answer=answer,
        ensemble=ensemble,
    )


def _explained_class(ensemble: Ensemble, label: Any, answer: Any) -> Any:
    """Return the class whose margin is explained: the label, or the answer; None where there is one margin."""
    if ensemble.use != "classes":
        if label is not None:
            raise OptionError("label", label, "none: this ensemble has one margin, not one for each class")
        return None
    if label is None:
        return answer
    return class_of(ensemble.schema, label)


def class_of(schema: Schema, label: Any) -> Any:
    """Return a class of the target; it may be named by its text.

    Raises:
        UnknownNameError: the target has no such class.
    """
    label = unwrap_scalar(label)
    named = {text: known for known in schema.classes for text in (str(known), _class_text(schema, known))}
    for known in schema.classes:
        if type(known) is type(label) and known == label:
            return known
    if not isinstance(label, str) or label not in named:
        what = f"class of {schema.target.name!r}" if schema.target else "class"
        names = [_class_text(schema, known) for known in schema.classes]
        raise UnknownNameError(what, str(label), names, argument="label", passed=label)
    return named[label]


def _class_text(schema: Schema, label: Any) -> str:
    return value_text(label, schema.target.form if schema.target else "")


def exact_base(ensemble: Ensemble, output: int) -> Fraction:
    """Return what the base adds to a margin; a base that is added first is scaled and divided as leaves are."""
    base = Fraction(ensemble.base[output])
    return base * exact_factor(ensemble, output) if ensemble.order == "base first" else base


def exact_factor(ensemble: Ensemble, output: int) -> Fraction:
    """Return what a leaf is multiplied by: the product of the steps that follow the sum, their numbers exact."""
    factor = Fraction(1)
    for operator, numbers in ensemble.steps:
        number = Fraction(numbers[output])
        if operator != "+":
            factor = factor * number if operator == "*" else factor / number
    return factor


def _contributions(ensemble: Ensemble, row: Row, output: int, factor: Fraction) -> Iterator[Contribution]:
    """Yield what each tree of a margin adds, in the order of the trees."""
    for number, tree in enumerate(ensemble.trees, 1):
        if ensemble.adds_vectors or ensemble.outputs[number - 1] == output:
            rule = fired_rule(tree, row)
            vector = leaf_vector(rule.prediction)
            leaf = vector[output] if ensemble.adds_vectors else vector[0]
            yield Contribution(number, rule, reasons_of(rule, row), leaf, Fraction(leaf) * factor)

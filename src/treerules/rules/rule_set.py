"""Rules as values: conditions on columns, what follows from them, and how they fared.

A rule set is unordered: a rule never leans on the ones before it. `rules/compile.py` makes them of trees.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain
from treerules.data.interval import Interval
from treerules.data.schema import SCALARS, Feature, Schema, is_threshold
from treerules.errors import InvalidTreeError, OptionError, UnknownNameError, shortened
from treerules.rules.editable import Editable
from treerules.rules.rule import FIGURES, Condition, Members, Rule
from treerules.trees.node_parts import prediction_check
from treerules.trees.tree import Tree


@frozen(repr=False)
class RuleSet(Editable, Shown):
    """Rules over one schema, unordered: which rules fire does not depend on where they stand.

    A rule set compiled from a tree remembers the tree, so that it can be emitted in the guarded layout; any edit
    forgets it.

    Raises:
        InvalidTreeError: a condition or prediction does not fit the schema, or a number is none or stands twice.
    """

    schema: Schema
    rules: tuple[Rule, ...] = field(converter=as_tuple)
    tree: Tree | None = field(default=None, init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        _check_rules(self.schema, self.rules)

    @classmethod
    def _of_tree(cls, tree: Tree, rules: Iterable[Rule]) -> "RuleSet":
        """Return the rules that were compiled from a tree. They fit its schema by construction and are not checked."""
        found = object.__new__(cls)
        for name, value in (("schema", tree.schema), ("rules", tuple(rules)), ("tree", tree)):
            object.__setattr__(found, name, value)
        return found

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        name = self.schema.target.name if self.schema.target else ""
        return f"<RuleSet {shortened(name)} rules={len(self.rules)}>"

    def firing(self, row: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return the rules that fire for a row; a missing key is a missing value.

        Raises:
            CellError, OptionError: a value is of the wrong kind, or the row is no mapping.
        """
        return tuple(_firing(self.schema, self.rules, row))

    def sorted_by(self, figure: str, *, descending: bool = True) -> "RuleSet":
        """Return the rules in the order of a figure, ties and rules without it last, by number."""
        _require_figure(self.schema, figure)
        sign = -1.0 if descending else 1.0

        def key(rule: Rule) -> tuple[bool, float, int]:
            value = getattr(rule.figures, figure)
            return value is None, 0.0 if value is None else sign * value, rule.number

        return evolve(self, rules=sorted(self.rules, key=key))

    def where(self, figure: str, least: float | None = None, most: float | None = None) -> "RuleSet":
        """Return the rules whose figure lies in least..most, both included; rules without it are left out.

        What is left is no longer complete, and says so when it is checked or emitted.
        """
        _require_figure(self.schema, figure)
        for name, bound in (("least", least), ("most", most)):
            if bound is not None and bound != bound:
                raise OptionError(name, bound, "a number")

        def fits(rule: Rule) -> bool:
            value = getattr(rule.figures, figure)
            return value is not None and (least is None or value >= least) and (most is None or value <= most)

        return evolve(self, rules=[rule for rule in self.rules if fits(rule)])


@frozen(repr=False)
class RuleList(Editable, Shown):
    """Rules over one schema of which the first that fires decides: an ordered list, as people and SQL write them.

    `to_exclusive` says the same as a rule set. Nothing emits a list.

    Raises:
        InvalidTreeError: a condition or prediction does not fit the schema, or a number is none or stands twice.
    """

    schema: Schema
    rules: tuple[Rule, ...] = field(converter=as_tuple)

    def __attrs_post_init__(self) -> None:
        _check_rules(self.schema, self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        name = self.schema.target.name if self.schema.target else ""
        return f"<RuleList {shortened(name)} rules={len(self.rules)}>"

    def firing(self, row: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return the rules whose conditions a row meets, the one that decides first; a missing key is a missing value.

        Raises:
            CellError, OptionError: a value is of the wrong kind, or the row is no mapping.
        """
        return tuple(_firing(self.schema, self.rules, row))

    def to_exclusive(self, *, domain: Domain | None = None, budget: int = 300_000) -> "ExclusiveRules":
        """Return the rule set that gives every row what the list gives it, with where its rules come from.

        Raises:
            DataError: it takes more steps than the budget.
            OptionError: the budget is no whole number, or the domain does not fit the rules.
            UnknownNameError: the domain names a column that the schema does not have.
        """
        from treerules.proof.to_exclusive import (
            to_exclusive,  # late: a method, carried out by a stage that needs rules
        )

        return to_exclusive(self, domain=domain, budget=budget)


def _firing(schema: Schema, rules: Iterable[Rule], row: Mapping[str, Any]) -> Iterator[Rule]:
    if not isinstance(row, Mapping):
        raise OptionError("the row", row, "a mapping from columns' names to values")
    values = {feature.name: feature.converted(row.get(feature.name)) for feature in schema.features}
    for rule in rules:
        if all(condition.holds(schema.feature(name), values[name]) for name, condition in rule.conditions):
            yield rule


def figures_of(schema: Schema) -> tuple[str, ...]:
    """Return the names of the figures that rules over a schema have; those of a regression count rows alone."""
    return FIGURES[:2] if schema.is_regression else FIGURES


def _require_figure(schema: Schema, figure: str) -> None:
    if figure not in figures_of(schema):
        raise UnknownNameError("figure", figure, figures_of(schema))


def _check_rules(schema: Schema, rules: Sequence[Rule]) -> None:
    if not isinstance(schema, Schema):
        raise InvalidTreeError(f"rules are over a schema, not {schema!r}")
    for rule in rules:
        if not isinstance(rule, Rule) or type(rule.number) is not int:
            raise InvalidTreeError(f"among the rules is {rule!r}, which is no Rule whose number is a whole one")
    if len({rule.number for rule in rules}) < len(rules):
        raise InvalidTreeError("two rules have the same number")
    for name, condition in {id(asked): asked for rule in rules for asked in rule.conditions}.values():
        _check_condition(condition, schema.feature(name))
    if schema.target is not None:  # without one there is nothing to fit
        _check_predictions(schema, rules)


def _check_predictions(schema: Schema, rules: Sequence[Rule]) -> None:
    fits = prediction_check(schema)
    for rule in {id(rule.prediction): rule for rule in rules}.values():
        if not fits(rule.prediction):
            wanted = "a Mean of finite floats" if schema.is_regression else "a Label: a class and a float for each"
            said = f"rule {rule.number} predicts {rule.prediction!r}, which does not fit the target"
            raise InvalidTreeError(f"{said}; give {wanted}")


def _check_condition(condition: Condition, feature: Feature) -> None:
    values, name = condition.values, feature.name
    if condition.unseen and not feature.is_open:
        raise InvalidTreeError(f"a rule asks for unseen values of column {name!r}, which has none")
    if isinstance(values, Members):
        kinds = {type(value) for value in values.values}
        places = [feature.positions.get(value, -1) for value in values.values] if kinds <= {_type(feature)} else [-1]
        fits = not feature.is_ordered and -1 not in places and places == sorted(set(places))
    elif isinstance(values, Interval):
        bounds = [bound for bound in (values.above, values.upto) if bound is not None]
        fits = feature.is_ordered and all(is_threshold(bound, feature) for bound in bounds)
    else:
        fits = values is None
    if not fits:
        raise InvalidTreeError(f"a rule asks whether column {name!r} is in {values!r}")


def _type(feature: Feature) -> type:
    return SCALARS[feature.scalar].type


def _as_dict(values: Any) -> Any:
    return dict(values)


@frozen
class ExclusiveRules:
    """A rule list as a rule set, the number in the list that each rule comes from, and the sizes of both."""

    rules: RuleSet
    sources: dict[int, int] = field(converter=_as_dict, hash=False)
    n_before: int
    n_after: int

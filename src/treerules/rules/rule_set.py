"""Rule sets and rule lists, and whether rules fit their schema. `rules/compile.py` makes rule sets of trees."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_type
from treerules._internal.field_converters import as_dict
from treerules._internal.notes import or_none
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import SCALARS, Feature, Schema, is_threshold
from treerules.errors import InvalidTreeError, OptionError, UnknownNameError, shortened
from treerules.rules.conditions import all_bounds
from treerules.rules.rule import FIGURES, Condition, Members, Rule
from treerules.rules.rule_collection import RuleCollection
from treerules.rules.shared_conditions import by_identity
from treerules.trees.node_parts import prediction_check
from treerules.trees.training_values import TrainingValues
from treerules.trees.tree import Tree


def _as_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    if not isinstance(rules, Iterable):
        raise InvalidTreeError(f"rules must be Rule objects, not {shortened(rules)}")
    return tuple(rules)


@frozen(repr=False)
class RuleSet(RuleCollection):
    """Rules over one schema without an order: which rules fire does not depend on their positions.

    A rule set is meant to be exclusive and complete, so that exactly one rule fires for each row; `check` proves it.
    A rule set that was compiled from a tree remembers the tree in `tree`, for the guarded layout of emitted code. Any
    edit forgets it.

    Args:
        schema: the columns that the rules have conditions on, and the target.
        rules: the rules, each with a number of its own.
        training: which columns had missing or unseen values in the rows that the rules were learned from, for the short
            form in which they are printed; None where that is unknown. It takes no part in equality, and edits keep it.
        domain: the values that columns are declared to have, a `ColumnDomain` by name, over which `check` proves; empty
            where nothing is declared. It takes no part in equality, and edits keep it.

    Raises:
        InvalidTreeError: a condition or prediction does not fit the schema, or two rules have the same number.
        OptionError, UnknownNameError: the domain does not fit the schema.

    Examples:
        >>> from treerules.formats import rules_from_text
        >>> rules = rules_from_text("IF age < 30 THEN no IF age >= 30 THEN yes").rules
        >>> len(rules), rules[0].value, rules.by_number(2).value
        (2, 'no', 'yes')
    """

    schema: Schema
    rules: tuple[Rule, ...] = field(converter=_as_rules)
    training: TrainingValues | None = field(default=None, eq=False, kw_only=True)
    domain: Domain = field(factory=dict, converter=as_dict, eq=False, kw_only=True)
    tree: Tree | None = field(default=None, init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        require_type("training", self.training, TrainingValues | None, or_none("TrainingValues"))
        _check_rules(self.schema, self.rules)
        require_domain(self.schema, self.domain)

    @classmethod
    def _of_tree(cls, tree: Tree, rules: Iterable[Rule]) -> "RuleSet":
        """Return the rules that were compiled from a tree. They fit its schema by construction and are not checked."""
        rule_set = object.__new__(cls)
        training = None if tree.origin is None else tree.origin.values
        values = {"schema": tree.schema, "rules": tuple(rules), "training": training, "tree": tree}
        for name, value in {**values, "domain": tree.domain}.items():
            object.__setattr__(rule_set, name, value)
        return rule_set

    def sorted_by(self, figure: str, *, descending: bool = True) -> "RuleSet":
        """Return the rules sorted by a figure; ties by number, rules without the figure last.

        Args:
            figure: `n` (or `weight`, where that is counted) or `coverage`; for a classification also `support`,
                `confidence` or `lift`.
            descending: whether the greatest figure comes first.

        Returns:
            A rule set of the same rules, which remembers no tree.

        Raises:
            UnknownNameError: the rules have no such figure.
        """
        _require_figure(self.schema, figure)
        sign = -1.0 if descending else 1.0

        def key(rule: Rule) -> tuple[bool, float, int]:
            value = getattr(rule.figures, figure)
            return value is None, 0.0 if value is None else sign * value, rule.number

        return evolve(self, rules=sorted(self.rules, key=key))

    def where(self, figure: str, least: float | None = None, most: float | None = None) -> "RuleSet":
        """Return the rules whose figure lies between two bounds, both included; rules without the figure are left out.

        The result is no longer complete, which is an error when it is checked or emitted. It is printed in the exact
        form: some of the rules cannot tell where all missing and unseen values go.

        Args:
            figure: `n` (or `weight`, where that is counted) or `coverage`; for a classification also `support`,
                `confidence` or `lift`.
            least: the lower bound; None for none.
            most: the upper bound; None for none.

        Returns:
            A rule set of some of the rules.

        Raises:
            UnknownNameError: the rules have no such figure.
            OptionError: a bound is NaN.
        """
        _require_figure(self.schema, figure)
        for name, bound in (("least", least), ("most", most)):
            if bound is not None and bound != bound:
                raise OptionError(name, bound, "a number")

        def fits(rule: Rule) -> bool:
            value = getattr(rule.figures, figure)
            return value is not None and (least is None or value >= least) and (most is None or value <= most)

        return evolve(self, rules=[rule for rule in self.rules if fits(rule)], training=None)


@frozen(repr=False)
class RuleList(RuleCollection):
    """Rules over one schema in an order: of the rules that fire for a row, the first decides (a decision list).

    So people and SQL write rules. No code is emitted from a list; `to_exclusive` turns it into a rule set.

    Args:
        schema: the columns that the rules have conditions on, and the target.
        rules: the rules, each with a number of its own.
        domain: the values that columns are declared to have, as of a RuleSet.

    Raises:
        InvalidTreeError: a condition or prediction does not fit the schema, or two rules have the same number.
        OptionError, UnknownNameError: the domain does not fit the schema.
    """

    schema: Schema
    rules: tuple[Rule, ...] = field(converter=_as_rules)
    domain: Domain = field(factory=dict, converter=as_dict, eq=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        _check_rules(self.schema, self.rules)
        require_domain(self.schema, self.domain)

    @property
    def training(self) -> None:
        """None: a list is not learned."""
        return

    def to_exclusive(self, *, domain: Domain | None = None, budget: int = 300_000) -> "ExclusiveRules":
        """Return an exclusive rule set that predicts the same for every row, and where its rules come from.

        Args:
            domain: which values may come, by the name of a column; by default those that the rules declare.
            budget: the greatest number of steps.

        Returns:
            The rule set and the rule of the list that each of its rules comes from.

        Raises:
            DataError: it takes more steps than the budget.
            OptionError: the budget is no positive integer, or the domain does not fit the rules.
            UnknownNameError: the domain names a column that the schema does not have.
        """
        from treerules.proof.to_exclusive import to_exclusive  # late: a method, carried out by a stage that needs rules

        return to_exclusive(self, domain=domain, budget=budget)


def figure_names(schema: Schema) -> tuple[str, ...]:
    """Return the names of the figures that rules over a schema have; those of a regression have counts alone."""
    first = "n" if schema.counted == "rows" else "weight"
    return (first, *(FIGURES[1:2] if schema.is_regression else FIGURES[1:]))


def _require_figure(schema: Schema, figure: str) -> None:
    if figure not in ("n", *figure_names(schema)):
        raise UnknownNameError("figure", figure, figure_names(schema))


def _check_rules(schema: Schema, rules: Sequence[Rule]) -> None:
    """Raise unless rules have numbers of their own, and conditions and predictions that fit a schema."""
    if not isinstance(schema, Schema):
        raise InvalidTreeError(f"the schema of rules is {shortened(schema)}, which is no Schema")
    for rule in rules:
        if not isinstance(rule, Rule) or type(rule.number) is not int:
            raise InvalidTreeError(f"rules must be Rule objects with an integer number, not {shortened(rule)}")
    if len({rule.number for rule in rules}) < len(rules):
        raise InvalidTreeError("two rules have the same number")
    for name, condition in by_identity(pair for rule in rules for pair in rule.conditions).values():
        _check_condition(condition, schema.feature(name))
    if schema.target is not None:
        _check_predictions(schema, rules)


def _check_predictions(schema: Schema, rules: Sequence[Rule]) -> None:
    fits = prediction_check(schema)
    for rule in {id(rule.prediction): rule for rule in rules}.values():
        if not fits(rule.prediction):
            expected = "a MeanPrediction of finite floats"
            if not schema.is_regression:
                expected = "a ClassPrediction: a class, and a float from 0 to 1 for each class"
            problem = f"rule {rule.number} predicts {shortened(rule.prediction)}, which does not fit the target"
            raise InvalidTreeError(f"{problem}; expected {expected}")


def _check_condition(condition: Condition, feature: Feature) -> None:
    if not isinstance(condition, Condition):
        raise InvalidTreeError(f"the condition on column {feature.name!r} is {shortened(condition)}, no Condition")
    values, name = condition.values, feature.name
    if condition.unseen and not feature.is_open:
        raise InvalidTreeError(f"a rule takes unseen values of column {name!r}, which has no unseen values")
    if isinstance(values, Members):
        fits = not feature.is_ordered and _are_sorted_categories(values.values, feature)
    elif condition.intervals:
        fits = feature.is_ordered and all(is_threshold(bound, feature) for bound in all_bounds(condition))
    else:
        fits = values is None
    if not fits:
        problem = f"the condition {shortened(values)} does not fit column {name!r} of kind {feature.kind}"
        if isinstance(values, Members) and not feature.is_ordered:
            problem += ": its members are not some of the categories, each once and in the order of the schema"
        raise InvalidTreeError(problem)


def _are_sorted_categories(values: Sequence[Any], feature: Feature) -> bool:
    """Whether values are distinct categories of a feature, in the order of the schema."""
    if not {type(value) for value in values} <= {SCALARS[feature.scalar].type}:
        return False
    positions = [feature.positions.get(value, -1) for value in values]
    return -1 not in positions and positions == sorted(set(positions))


@frozen(repr=False)
class ExclusiveRules:
    """An exclusive rule set that predicts the same as a rule list.

    Args:
        rules: the rule set.
        sources: by the number of each rule of the set, the number of the rule of the list that it comes from.
        n_before: the number of rules of the list.
        n_after: the number of rules of the set.
    """

    rules: RuleSet
    sources: dict[int, int] = field(converter=as_dict, hash=False)
    n_before: int
    n_after: int

    def __repr__(self) -> str:
        return f"<ExclusiveRules rules={self.n_after} of a list of {self.n_before}>"

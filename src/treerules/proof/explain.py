"""Explanation of an answer: the rule that fires, its conditions, and the nearest change that gives another answer.

Of an ensemble: the rule that each tree fires, and what it adds (`ensemble_explanation`).
"""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, overload

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_type, require_whole_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Feature, Kind, Schema
from treerules.errors import NotAPartitionError, OptionError, shortened
from treerules.proof.counterfactual import Change as Change
from treerules.proof.counterfactual import NewValue as NewValue
from treerules.proof.counterfactual import nearest_change
from treerules.proof.ensemble_explanation import EnsembleExplanation, explain_ensemble
from treerules.proof.reasons import Reason as Reason
from treerules.proof.reasons import reasons_of, row_values
from treerules.regions.space import Row
from treerules.rules.compile import branch_condition_of
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, domain_for, names_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.leaf_of_row import find_leaf
from treerules.trees.node_parts import child_of
from treerules.trees.nodes import Node, Split
from treerules.trees.training_values import TrainingValues
from treerules.trees.tree import Tree
from treerules.trees.walkers import preorder

BUDGET = 20_000


@short_repr
@frozen
class PathStep:
    """A split on the row's path: its number, the row's value, and the condition of the row's child."""

    node: int
    column: str
    value: Any
    condition: Condition


@frozen(repr=False)
class Explanation(Shown):
    """The result of `explain`.

    Attributes:
        schema: the schema of the rules.
        row: the row with a value for every column of the schema; None is missing.
        rule: the rule that fires; None if no rule fires.
        reasons: the conditions of that rule with the row's values.
        path: the splits that the row passes; empty without a tree.
        others: the numbers of the other rules that fire and predict the same; in a list, of all later ones.
        change: the nearest change that gives another answer; None if no row of the domain gets one, or the search was
            not completed.
        decided: whether the nearest change was found, or proved not to exist, within the budget.
        names: the names that a file gives its rules, by number.
        training: which columns had missing or unseen values in training, for the short form; None where it is unknown.
    """

    schema: Schema
    row: Row
    rule: Rule | None
    reasons: tuple[Reason, ...] = field(default=(), converter=as_tuple)
    path: tuple[PathStep, ...] = field(default=(), converter=as_tuple)
    others: tuple[int, ...] = field(default=(), converter=as_tuple)
    change: Change | None = None
    decided: bool = True
    names: Mapping[int, str] = field(factory=dict, eq=False, repr=False)
    training: TrainingValues | None = field(default=None, eq=False, repr=False)

    def __repr__(self) -> str:
        rule = None if self.rule is None else self.rule.number
        changed = [] if self.change is None else [value.column for value in self.change.values]
        return f"<Explanation rule={rule} answer={shortened(self.answer)} change={shortened(changed)}>"

    @property
    def answer(self) -> Any:
        """The predicted value; None if no rule fires."""
        return None if self.rule is None else self.rule.value


@overload
def explain(
    rules: Source, row: Mapping[str, Any], *, domain: Domain | None = ..., budget: int = ..., label: None = ...
) -> Explanation: ...


@overload
def explain(
    rules: Ensemble, row: Mapping[str, Any], *, domain: None = ..., budget: int = ..., label: Any = ...
) -> EnsembleExplanation: ...


def explain(
    rules: Source | Ensemble,
    row: Mapping[str, Any],
    *,
    domain: Domain | None = None,
    budget: int = BUDGET,
    label: Any = None,
) -> Explanation | EnsembleExplanation:
    """Return the rule that fires for a row with its conditions, and the nearest change that gives another answer.

    The nearest change has the fewest columns; among those, the smallest sum of changes. A change of an ordered column
    is a share of the distance between the lowest and the highest of the rules' bounds and the row's value; a change of
    a category is 1. Ties go to the columns that come first in the schema, then to the rules' order. If no rule fires
    for the row, the change leads to a rule.

    Of an ensemble it is the rule that each tree fires and what it adds to the margin, which add up exactly; no change
    is searched.

    Args:
        rules: a tree, a rule set, a rule list, a parsed file of rules, or an ensemble.
        row: a mapping from column names to values; a missing key is a missing value. Keys that are not columns of the
            schema are ignored, as a row may have more columns: a misspelt name is therefore a missing value.
        domain: the values that columns can take after a change, by column name. By default what the file declares;
            where it declares nothing, every value of the column's kind. Not for an ensemble.
        budget: the greatest number of regions of rules that are looked at for the change, from 0. Not for an
            ensemble.
        label: the class whose margin is explained, or its text, for an ensemble with a margin for each class; None is
            the predicted class.

    Returns:
        The explanation: an Explanation, of an ensemble an EnsembleExplanation.

    Raises:
        CellError: a value of the row is of the wrong kind.
        DataError: a part of the file was not read.
        NotAPartitionError: rules of a set fire together and predict different values, for the row or a change of it.
        OptionError: `rules` are not rules, `row` is not a mapping, `budget` is not such a number, `domain` does not
            fit the rules, or an argument is not for such rules.
        UnknownNameError: `domain` names a column that the schema does not have, or `label` is no class of it.

    Examples:
        >>> from treerules import Table, cart, learn
        >>> tree = learn(Table.from_columns({"age": [25, 30, 40], "y": ["no", "no", "yes"]}), target="y", recipe=cart())
        >>> explanation = explain(tree, {"age": 30})
        >>> explanation.rule.number, explanation.change.values
        (1, (NewValue(column='age', before=30, after=36),))
        >>> from sklearn.ensemble import GradientBoostingRegressor
        >>> from treerules.importers import import_model
        >>> fitted = GradientBoostingRegressor(n_estimators=2, learning_rate=0.5).fit([[1], [2], [4]], [1.0, 1.0, 4.0])
        >>> print(explain(import_model(fitted), {"x0": 1}))
        target = margin = 1.25
        margin 1.25 = base 2 - 0.75 from 2 trees
        <BLANKLINE>
        tree   adds   sum  rule
           1   -0.5   1.5  x0 <= 3.0000001192092896
           2  -0.25  1.25  x0 <= 3.0000001192092896
    """
    if isinstance(rules, Ensemble):
        for name, value, default in (("domain", domain, None), ("budget", budget, BUDGET)):
            if value != default:
                raise OptionError(name, value, "none: it is for rules; of an Ensemble no nearest change is searched")
        return explain_ensemble(rules, row, label)
    require_type("rules", rules, Source, "a Tree, a RuleSet, a RuleList, ParsedRules or an Ensemble")
    if label is not None:
        raise OptionError("label", label, "none: it is for an Ensemble with a margin for each class")
    return _explain_rules(rules, row, domain, budget)


def _explain_rules(source: Source, row: Mapping[str, Any], domain: Domain | None, budget: int) -> Explanation:
    """Return the explanation of the answer of rules."""
    domain = domain_for(source, domain)
    rules = all_rules_of(source)
    require_domain(rules.schema, domain)
    require_whole_number("budget", budget, 0)
    values = row_values(rules.schema, row)
    compared = {feature.name: _compared(feature, values[feature.name]) for feature in rules.schema.features}
    fired = _fired(rules, compared)
    rule = fired[0] if fired else None
    change, decided = nearest_change(rules, compared, rule, domain, budget, lambda after: _fired(rules, after)[0])
    change = None if change is None else _change_of(values, change)
    tree = source if isinstance(source, Tree) else getattr(rules, "tree", None)
    if tree is not None and change is not None and find_leaf(tree, change.row).prediction.value != change.answer:
        raise AssertionError(f"the tree has another answer than its rules for {change.row!r}")
    return Explanation(
        schema=rules.schema,
        row=values,
        rule=rule,
        reasons=[] if rule is None else reasons_of(rule, values),
        path=[] if tree is None else _path(tree, values, compared),
        others=[other.number for other in fired[1:]],
        change=change,
        decided=decided,
        names=names_of(source),
        training=rules.training,
    )


def _fired(rules: RuleSet | RuleList, row: Row) -> tuple[Rule, ...]:
    """Return the rules that fire for a row; the first one decides.

    Raises:
        NotAPartitionError: rules of a set predict different values.
    """
    firing = rules.firing(row)
    if isinstance(rules, RuleSet):
        other = next((rule for rule in firing if rule.value != firing[0].value), None)
        if other is not None:
            pair = f"rules {firing[0].number} and {other.number}"
            raise NotAPartitionError(f"{pair} both fire and predict different values", row)
    return firing


def _compared(feature: Feature, value: Any) -> Any:
    """Return a value of the row, a decimal as the integer that compares with all integers as the decimal does."""
    return ceil(value) if feature.kind is Kind.INTEGER and isinstance(value, float) else value


def _change_of(row: Row, change: Change) -> Change:
    """Return a change of the compared row as one of the row itself."""
    values = [evolve(value, before=row[value.column]) for value in change.values]
    changed = {value.column for value in values}
    after = {name: change.row[name] if name in changed else value for name, value in row.items()}
    return evolve(change, values=values, row=after)


def _path(tree: Tree, row: Row, compared: Row) -> Iterator[PathStep]:
    """Yield the splits that a row passes; `compared` has its values as the tree compares them."""
    condition_of, number = branch_condition_of(tree.schema), 0
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        child = child_of(node.test, feature, compared[feature.name], node.missing, node.unseen)
        yield PathStep(number, feature.name, row[feature.name], condition_of(node, child))
        number += 1 + sum(sum(1 for _ in preorder(other)) for other in node.children[:child])
        node = node.children[child]

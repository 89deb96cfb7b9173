"""Why a row gets its answer, and the nearest change of the row that would give another.

    the rule that fires     each of its conditions beside the row's value; in a tree the path of splits as well
    the nearest change      as few columns as possible, then as small a change as possible, as concrete new values

Which columns must change for a rule to fire is known from the rule alone: those whose condition does not hold. So the
rule with the fewest of them is the nearest. Where rules come in a list, what earlier rules take is cut away first.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.errors import NotAPartitionError, OptionError, shortened
from treerules.proof.check import require_budget
from treerules.proof.counterfactual import Change as Change
from treerules.proof.counterfactual import NewValue as NewValue
from treerules.proof.counterfactual import nearest_change
from treerules.rules.compile import branch_conditions_of
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, domain_for, names_of
from treerules.trees.node_parts import child_of
from treerules.trees.nodes import Node, Split
from treerules.trees.predict import find_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import preorder

Row = dict[str, Any]
#: So many regions of rules are looked at for the nearest change.
BUDGET = 20_000


@frozen
class Reason:
    """A condition that holds for the row, and the row's value there; None is missing."""

    column: str
    value: Any
    condition: Condition


@frozen
class PathStep:
    """A split on the row's way: its number, the row's value, and what sends it to the child it goes to."""

    node: int
    column: str
    value: Any
    condition: Condition


@frozen(repr=False)
class Explanation(Shown):
    """Why a row gets its answer."""

    schema: Schema
    #: the row as the rules see it
    row: Row
    #: the rule that fires; None where none does
    rule: Rule | None
    reasons: tuple[Reason, ...] = field(default=(), converter=as_tuple)
    #: the splits that the row passes; empty where there is no tree
    path: tuple[PathStep, ...] = field(default=(), converter=as_tuple)
    #: rules that fire too, and predict the same; of a list also those that come too late
    others: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: None where no rule that can fire predicts anything else, or where `decided` is False
    change: Change | None = None
    #: False where the nearest change was not found within the budget
    decided: bool = True
    #: the names that a file gives its rules, by number
    names: Mapping[int, str] = field(factory=dict, eq=False, repr=False)

    def __repr__(self) -> str:
        rule = None if self.rule is None else self.rule.number
        changed = [] if self.change is None else [value.column for value in self.change.values]
        return f"<Explanation rule={rule} answer={shortened(self.answer)} change={shortened(changed)}>"

    @property
    def answer(self) -> Any:
        """What is predicted; None where no rule fires."""
        return None if self.rule is None else self.rule.value


def explain(
    source: Source,
    row: Mapping[str, Any],
    *,
    domain: Domain | None = None,
    budget: int = BUDGET,
) -> Explanation:
    """Return which rule fires for a row and why, and the nearest change that would give another answer.

    A missing key is a missing value. The change has the fewest columns that any has; among those the smallest sum of
    changes, where a change of an ordered column is measured by how far apart its bounds and the row's value lie, and
    any other counts 1; then schema order decides, then the rules' order. A row that no rule fires for is no answer:
    the change leads to a rule. New values lie in the `domain`; by default that which the file of rules declares.

    >>> from treerules.learning.learn import learn
    >>> from treerules.data.table import Table
    >>> tree = learn(Table.from_columns({"age": [25, 30, 40], "y": ["no", "no", "yes"]}), target="y")
    >>> found = explain(tree, {"age": 30})
    >>> found.rule.number, found.change.values
    (1, (NewValue(column='age', before=30, after=36),))

    Raises:
        CellError: a value is of the wrong kind.
        NotAPartitionError: rules of a set fire together and predict different values, for the row or a change of it.
        OptionError, UnknownNameError: the source holds no rules, this is no row, the budget counts nothing, or
            the domain does not fit the schema.
    """
    rules = all_rules_of(source)
    domain = domain_for(source, domain)
    require_domain(rules.schema, domain)
    require_budget(budget)
    if not isinstance(row, Mapping):
        raise OptionError("row", row, "a mapping from columns' names to values")
    values = {feature.name: feature.converted(row.get(feature.name)) for feature in rules.schema.features}
    fired = _fired(rules, values)
    rule = fired[0] if fired else None
    change, decided = nearest_change(rules, values, rule, domain, budget, lambda after: _fired(rules, after)[0])
    tree = source if isinstance(source, Tree) else getattr(rules, "tree", None)
    if tree is not None and change is not None and find_leaf(tree, change.row).prediction.value != change.answer:
        raise AssertionError(f"the tree has another answer than its rules for {change.row!r}")
    return Explanation(
        schema=rules.schema,
        row=values,
        rule=rule,
        reasons=[] if rule is None else [Reason(name, values[name], asked) for name, asked in rule.conditions],
        path=[] if tree is None else _path(tree, values),
        others=[other.number for other in fired[1:]],
        change=change,
        decided=decided,
        names=names_of(source),
    )


def _fired(rules: RuleSet | RuleList, row: Row) -> tuple[Rule, ...]:
    """Return the rules that fire, the one that decides first.

    Raises:
        NotAPartitionError: those of a set predict different values.
    """
    fired = rules.firing(row)
    if isinstance(rules, RuleSet):
        other = next((each for each in fired if each.value != fired[0].value), None)
        if other is not None:
            pair = f"rules {fired[0].number} and {other.number}"
            raise NotAPartitionError(f"{pair} both fire and predict different values", row)
    return fired


def _path(tree: Tree, row: Row) -> Iterator[PathStep]:
    """Yield the splits that a row passes."""
    conditions, number = branch_conditions_of(tree.schema), 0
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        child = child_of(node.test, feature, row[feature.name], node.missing, node.unseen)
        yield PathStep(number, feature.name, row[feature.name], conditions(node)[child])
        number += 1 + sum(sum(1 for _ in preorder(other)) for other in node.children[:child])
        node = node.children[child]

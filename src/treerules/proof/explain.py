"""Why a row gets its answer, and the nearest change of the row that would give another.

    the rule that fires     each of its conditions beside the row's value; in a tree the path of splits as well
    the nearest change      as few columns as possible, then as small a change as possible, as concrete new values

Which columns must change for a rule to fire is known from the rule alone: those whose condition does not hold. So the
rule with the fewest of them is the nearest. Where rules come in a list, what earlier rules take is cut away first.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any

from attrs import field, frozen
from toolz import groupby

from treerules._internal.field_converters import as_tuple
from treerules.data.domain import ColumnDomain, Domain, domain_of, require_domain
from treerules.data.schema import Schema
from treerules.data.value_set import ValueSet
from treerules.errors import NotAPartitionError, OptionError
from treerules.proof.check import require_budget
from treerules.rules.compile import asker
from treerules.rules.conditions import to_value_set
from treerules.rules.nearest_value import change_order, change_size, change_unit, nearest_values
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import distinct
from treerules.rules.sources import Source, all_rules_of, declared_for, names_of
from treerules.trees.node_parts import child_of
from treerules.trees.predict import find_leaf
from treerules.trees.tree import Node, Split, Tree, preorder

Row = dict[str, Any]
#: The values of each column that a part of a rule takes; any value of a column that it does not name.
Box = Mapping[str, ValueSet]
#: So many regions of rules are looked at for the nearest change.
BUDGET = 20_000


@frozen
class Reason:
    """A condition that holds for the row, and the row's value there; None is missing."""

    column: str
    value: Any
    condition: Condition


@frozen
class Step:
    """A split on the row's way: its number, the row's value, and what sends it to the child it goes to."""

    node: int
    column: str
    value: Any
    condition: Condition


@frozen
class NewValue:
    """A column that changes; None is missing."""

    column: str
    before: Any
    after: Any


@frozen
class Change:
    """The nearest change that gives another answer: the row after it was put to the rules again."""

    values: tuple[NewValue, ...] = field(converter=as_tuple)
    row: Row
    #: the rule that fires then
    rule: Rule
    #: the sum of the columns' changes, each from 0 to 1
    size: float

    @property
    def answer(self) -> Any:
        """What is predicted then."""
        return self.rule.value


@frozen
class Explanation:
    """Why a row gets its answer."""

    schema: Schema
    #: the row as the rules see it
    row: Row
    #: the rule that fires; None where none does
    rule: Rule | None
    reasons: tuple[Reason, ...] = field(default=(), converter=as_tuple)
    #: the splits that the row passes; empty where there is no tree
    path: tuple[Step, ...] = field(default=(), converter=as_tuple)
    #: rules that fire too, and predict the same; of a list also those that come too late
    others: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: None where no rule that can fire predicts anything else, or where `decided` is False
    change: Change | None = None
    #: False where the nearest change was not found within the budget
    decided: bool = True
    #: the names that a file gives its rules, by number
    names: Mapping[int, str] = field(factory=dict, eq=False, repr=False)

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
    domain = declared_for(source, domain)
    require_domain(rules.schema, domain)
    require_budget(budget)
    if not isinstance(row, Mapping):
        raise OptionError("row", row, "a mapping from columns' names to values")
    values = {feature.name: feature.converted(row.get(feature.name)) for feature in rules.schema.features}
    fired = _fired(rules, values)
    rule = fired[0] if fired else None
    change, decided = _Search(rules, values, rule, domain).nearest(budget)
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


def _path(tree: Tree, row: Row) -> Iterator[Step]:
    """Yield the splits that a row passes."""
    conditions, number = asker(tree.schema), 0
    node: Node = tree.root
    while isinstance(node, Split):
        feature = tree.schema.features[node.test.feature]
        child = child_of(node.test, feature, row[feature.name], node.missing, node.unseen)
        yield Step(number, feature.name, row[feature.name], conditions(node)[child])
        number += 1 + sum(sum(1 for _ in preorder(other)) for other in node.children[:child])
        node = node.children[child]


# ---- the nearest change


@frozen(eq=False)
class _Search:
    """What the search for the nearest change knows."""

    rules: RuleSet | RuleList
    row: Row
    rule: Rule | None
    domain: Domain | None

    #: the change of a column that leads into each set of values met so far, by the identity of the set
    changes: dict[int, tuple[ValueSet, Any]] = field(factory=dict)

    @cached_property
    def _domains(self) -> dict[str, ColumnDomain]:
        return {feature.name: domain_of(feature, self.domain) for feature in self.rules.schema.features}

    @cached_property
    def _units(self) -> dict[str, float]:
        return _units(self._sets.values(), self.row)

    @cached_property
    def _sets(self) -> dict[int, ValueSet]:
        """The set of values of each condition, by the identity of its pair, which rules share."""
        pairs = distinct(pair for rule in self.rules.rules for pair in rule.conditions)
        feature = self.rules.schema.feature
        return {key: to_value_set(feature(name), condition) for key, (name, condition) in pairs.items()}

    def nearest(self, budget: int) -> tuple[Change | None, bool]:
        """Return the nearest change, and whether that is decided."""
        turns = count()  # nothing ties with its turn
        waiting: list[Any] = []
        for place, rule in enumerate(self.rules.rules):
            if self._is_other(rule):
                box = self._box(rule)
                waiting += [(cost, next(turns), box, new) for cost, new in self._reached(place, box)]
        heapify(waiting)
        while waiting:
            cost, _, box, new = heappop(waiting)
            after = {**self.row, **new}
            rule = _fired(self.rules, after)[0]
            if self._is_other(rule):
                changed = [NewValue(name, self.row[name], new[name]) for name in self.row if name in new]
                return Change(changed, after, rule, cost[1]), True
            budget -= 1
            if budget < 0:
                return None, False
            for rest in _outside(box, self._box(rule)):
                for further, news in self._reached(cost[-1], rest):
                    heappush(waiting, (further, next(turns), rest, news))
        return None, True

    def _is_other(self, rule: Rule) -> bool:
        return self.rule is None or rule.value != self.rule.value

    def _reached(self, place: int, box: Box) -> Iterator[tuple[tuple[Any, ...], Row]]:
        """Yield what it costs to come into a box of the rule at a place, and the new values; nothing if none may."""
        asked = [(name, self._change(name, values)) for name, values in box.items()]
        if all(found is not None for _, found in asked):
            new = {name: found[0] for name, found in asked if found}
            size = sum(found[1] for _, found in asked if found)
            columns = sorted((self.rules.schema.index(name), found[2]) for name, found in asked if found)
            yield (len(new), size, [index for index, _ in columns], columns, place), new

    def _box(self, rule: Rule) -> Box:
        return {pair[0]: self._sets[id(pair)] for pair in rule.conditions}

    def _change(self, name: str, values: ValueSet) -> Any:
        """Return the new value of a column, the size of its change, and what decides between equal sizes.

        () is no change; None where no value may come.
        """
        if id(values) not in self.changes:
            self.changes[id(values)] = values, self._nearest_change(name, values)
        return self.changes[id(values)][1]

    def _nearest_change(self, name: str, values: ValueSet) -> Any:
        feature, value = values.feature, self.row[name]
        if value in values:
            return ()
        unit = self._units.get(name, 0)
        changes = [
            (after, change_size(feature, value, after, unit), change_order(feature, value, after))
            for after in nearest_values(values, self._domains[name], value)
        ]
        return min(changes, key=lambda change: change[1:], default=None)


def _units(sets: Iterable[ValueSet], row: Row) -> dict[str, float]:
    """Return the unit of changes of each ordered column that has bounds."""
    return {
        name: change_unit([bound for values in named for bound in values.bounds], row[name])
        for name, named in groupby(lambda values: values.feature.name, sets).items()
        if named[0].feature.is_ordered
    }


def _outside(box: Box, other: Box) -> Iterator[Box]:
    """Yield the parts of a box outside another that meets it: boxes of which no two share a row."""
    inside = dict(box)
    for name, taken in other.items():
        values = inside.get(name, ValueSet.everything(taken.feature))
        rest = values - taken
        if not rest.is_empty:
            yield {**inside, name: rest}
        inside[name] = values & taken

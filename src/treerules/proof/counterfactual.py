"""The nearest change of a row that gives another answer (a counterfactual), found best first.

For a rule to fire, exactly the columns whose condition does not hold must change. So the regions of rules are tried in
the order of the cost of reaching them. If another rule decides in such a region, that rule is subtracted, and the
remainder of the region is tried again.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.domain import ColumnDomain, Domain, domain_of
from treerules.data.schema import Feature, Schema
from treerules.data.value_set import ValueSet
from treerules.regions.space import Row
from treerules.rules.conditions import to_value_set
from treerules.rules.nearest_value import change_order, change_size, change_unit, nearest_values
from treerules.rules.rule import Condition, Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity


@short_repr
@frozen
class NewValue:
    """A column that changes; None is missing."""

    column: str
    before: Any
    after: Any


@short_repr
@frozen
class Change:
    """The nearest change that gives another answer; the changed row was verified against the rules."""

    values: tuple[NewValue, ...] = field(converter=as_tuple)
    row: Row
    #: the rule that fires then
    rule: Rule
    #: the sum of the columns' changes, each from 0 to 1
    size: float

    @property
    def answer(self) -> Any:
        """The prediction for the changed row."""
        return self.rule.value


@frozen(eq=False)
class _Move:
    """The nearest value of a column that lies in a set, the size of that change, and the key that breaks ties."""

    after: Any
    size: float
    direction: tuple[bool, Any]


@frozen(eq=False)
class _Side:
    """The values of a column in a region, and the change that leads to them; None if the row has such a value."""

    #: the values, or the feature and the condition: few regions need the values as a set
    source: ValueSet | tuple[Feature, Condition]
    move: _Move | None
    #: whether the set holds a value of the domain, or the row's own
    is_reachable: bool

    @cached_property
    def values(self) -> ValueSet:
        """The values as a set."""
        return to_value_set(*self.source, is_checked=True) if isinstance(self.source, tuple) else self.source


#: A region: its side of each column that it constrains.
_Region = Mapping[str, _Side]
#: The sort key of a region; the last entry is the position of the rule that the region comes from.
_Cost = tuple[Any, ...]


@paused_gc()  # saves a quarter of the time on 1,000 rules
def nearest_change(
    rules: RuleSet | RuleList,
    row: Row,
    rule: Rule | None,
    domain: Domain | None,
    budget: int,
    decide: Callable[[Row], Rule],
) -> tuple[Change | None, bool]:
    """Return the nearest change after which a rule with another prediction fires, and whether the search was completed.

    Args:
        rules: the rules.
        row: the row, with a value for every column of the schema.
        rule: the rule that fires for the row; None if none does, in which case every rule counts as another answer.
        domain: the values that columns can take; None is all.
        budget: the greatest number of regions to search.
        decide: returns the rule that decides for a row.
    """
    sides = _Sides.of(rules, row, domain)
    turns = count()  # no two entries of the queue compare equal

    def is_other(candidate: Rule) -> bool:
        return rule is None or candidate.value != rule.value

    queue = [
        (cost, next(turns), region)
        for position, candidate in enumerate(rules.rules)
        if is_other(candidate) and (cost := sides.cost(region := sides.region(candidate), position)) is not None
    ]
    heapify(queue)
    while queue:
        cost, _, region = heappop(queue)
        changed = {name: side.move.after for name, side in region.items() if side.move is not None}
        after = {**row, **changed}
        decisive = decide(after)
        if is_other(decisive):
            values = [NewValue(name, row[name], changed[name]) for name in row if name in changed]
            return Change(values, after, decisive, cost[1]), True
        budget -= 1
        if budget < 0:
            return None, False
        for remainder in sides.difference(region, sides.region(decisive)):
            further = sides.cost(remainder, cost[-1])
            if further is not None:
                heappush(queue, (further, next(turns), remainder))
    return None, True


@frozen(eq=False)
class _Sides:
    """The sides of regions relative to one row."""

    schema: Schema
    row: Row
    #: the domain of each column, by its name
    domains: Mapping[str, ColumnDomain]
    #: the unit of the changes of each ordered column that has bounds
    units: Mapping[str, float]
    #: the sides computed so far, by the identity of the condition: rules share conditions
    of_conditions: dict[int, _Side] = field(factory=dict)

    @classmethod
    def of(cls, rules: RuleSet | RuleList, row: Row, domain: Domain | None) -> "_Sides":
        """Return the sides of rules."""
        bounds: dict[str, set[Any]] = {feature.name: set() for feature in rules.schema.features if feature.is_ordered}
        for name, condition in by_identity(pair for rule in rules.rules for pair in rule.conditions).values():
            if name in bounds:
                bounds[name].update(to_value_set(rules.schema.feature(name), condition, is_checked=True).bounds)
        units = {name: change_unit(list(of_column), row[name]) for name, of_column in bounds.items()}
        domains = {feature.name: domain_of(feature, domain) for feature in rules.schema.features}
        return cls(rules.schema, row, domains, units)

    def region(self, rule: Rule) -> _Region:
        """Return the region of a rule."""
        return {pair[0]: self.of_conditions.get(id(pair)) or self._side_of_condition(pair) for pair in rule.conditions}

    def _side_of_condition(self, pair: tuple[str, Condition]) -> _Side:
        name, condition = pair
        feature = self.schema.feature(name)
        if condition.holds(feature, self.row[name]):
            side = _Side((feature, condition), None, True)
        else:
            side = self._changed_side(to_value_set(feature, condition, is_checked=True))
        self.of_conditions[id(pair)] = side
        return side

    def side(self, values: ValueSet) -> _Side:
        """Return a set of values as a side."""
        if self.row[values.feature.name] in values:
            return _Side(values, None, True)
        return self._changed_side(values)

    def _changed_side(self, values: ValueSet) -> _Side:
        """Return a set of values without the row's own value as a side."""
        feature = values.feature
        before = self.row[feature.name]
        unit = self.units.get(feature.name, 0)
        moves = [
            _Move(after, change_size(feature, before, after, unit), change_order(feature, before, after))
            for after in nearest_values(values, self.domains[feature.name], before)
        ]
        if len(moves) > 1:
            moves = [min(moves, key=lambda move: (move.size, move.direction))]
        return _Side(values, moves[0] if moves else None, bool(moves))

    def cost(self, region: _Region, position: int) -> _Cost | None:
        """Return the sort key of a region of the rule at a position; None if the domain has no row in it.

        The number of changed columns comes first, then the sum of the changes, then the columns in schema order.
        """
        if not all(side.is_reachable for side in region.values()):
            return None
        moves = [(name, side.move) for name, side in region.items() if side.move is not None]
        columns = sorted((self.schema.index(name), move.direction) for name, move in moves)
        return len(moves), sum(move.size for _, move in moves), [index for index, _ in columns], columns, position

    def difference(self, region: _Region, other: _Region) -> Iterator[_Region]:
        """Yield the difference of two regions as disjoint regions."""
        inside = dict(region)
        for name, taken in other.items():
            side = inside.get(name)
            if side is taken:
                continue
            values = ValueSet.everything(taken.values.feature) if side is None else side.values
            for piece in _pieces(values - taken.values):
                yield {**inside, name: self.side(piece)}
            inside[name] = self.side(values & taken.values)


def _pieces(values: ValueSet) -> Iterator[ValueSet]:
    """Yield a set as sets of at most one interval; the missing value of an ordered column comes first, separately."""
    feature: Feature = values.feature
    if not feature.is_ordered:
        if values.has_known or values.missing or values.unseen:
            yield values
        return
    if values.missing:
        yield ValueSet(feature, missing=True)
    for interval in values.intervals:
        yield ValueSet(feature, [interval])

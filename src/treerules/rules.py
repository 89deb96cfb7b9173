"""Rules as values: what a tree says, one rule a leaf, every rule readable by itself.

    Split(x <= 5)                                  1: IF x <= 5 THEN no
      ├─ Leaf no                compile_rules      2: IF x > 5 AND colour in {red} THEN yes
      └─ Split(colour)          ────────────▶      3: IF x > 5 AND colour != red THEN no
           ├─ red: Leaf yes
           └─ else: Leaf no          not: 1: x <= 5; 2: else colour = red; 3: else

A rule set is unordered: a rule never leans on the ones before it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._attrs import as_tuple
from treerules.errors import InvalidTreeError, UnknownNameError
from treerules.parts import Label, Prediction, Threshold, is_threshold
from treerules.schema import SCALARS, Feature, Schema
from treerules.tree import Leaf, Split, Tree, descend, leaves


@frozen
class Interval:
    """The values in (above, upto]; None is unbounded, which contains the infinities.

    Raises:
        InvalidTreeError: no value lies between the bounds.
    """

    above: Any = None
    upto: Any = None

    def __attrs_post_init__(self) -> None:
        for bound in (self.above, self.upto):
            if bound != bound:
                raise InvalidTreeError(f"an interval is bounded by {bound!r}")
        if self.above is not None and self.upto is not None and not self.above < self.upto:
            raise InvalidTreeError(f"no value is above {self.above!r} and at most {self.upto!r}")

    def __contains__(self, value: Any) -> bool:
        return (self.above is None or value > self.above) and (self.upto is None or value <= self.upto)


@frozen
class Members:
    """Some of the schema's categories, in its order; with `complement`, all of the schema's categories but these."""

    values: tuple[Any, ...] = field(converter=as_tuple)
    complement: bool = False

    def __contains__(self, value: Any) -> bool:
        return (value in self.values) is not self.complement

    def of(self, categories: Sequence[Any], *, taken: bool = True) -> list[Any]:
        """Return the categories that are taken, or those that are left, in the schema's order."""
        if taken is self.complement:
            named = set(self.values)
            return [category for category in categories if category not in named]
        return list(self.values)


@frozen
class Condition:
    """What one feature must be: among the `values` (None is no value at all), or `missing`, or `unseen`.

    Unseen means a value that is none of the schema's categories.
    """

    values: Interval | Members | None
    missing: bool = False
    unseen: bool = False

    def holds(self, feature: Feature, value: Any) -> bool:
        """Whether a converted value of the feature meets the condition; None is missing."""
        if value is None:
            return self.missing
        if feature.is_open and feature.position(value) is None:
            return self.unseen
        return self.values is not None and value in self.values


def listed(feature: Feature, condition: Condition) -> tuple[list[Any], bool]:
    """Return the categories to name for a condition, and whether they are those that it does not take.

    Where unseen values are taken, the others are named, since unseen ones have no names.
    """
    values = condition.values if isinstance(condition.values, Members) else Members(())
    return values.of(feature.categories, taken=not condition.unseen), condition.unseen


@frozen
class Figures:
    """How a rule fared on the training rows. With n = 0 coverage is 0 and the others are None.

    n: rows that satisfy the antecedent (weighted). coverage: their share of all rows. support: the share of all rows
    that satisfy antecedent and consequent (Agrawal). confidence: support / coverage. lift: confidence / share of the
    predicted class among all rows. The last three are None for a regression.
    """

    n: float
    coverage: float
    support: float | None = None
    confidence: float | None = None
    lift: float | None = None


FIGURES = ("n", "coverage", "support", "confidence", "lift")


@frozen
class Rule:
    """A conjunction of conditions, at most one a feature, in the order in which the tree asks; what follows; figures.

    `number` is the leaf's place in the tree, from 1.
    """

    number: int
    conditions: tuple[tuple[str, Condition], ...] = field(converter=as_tuple)
    prediction: Prediction
    figures: Figures

    def __attrs_post_init__(self) -> None:
        names = [name for name, _ in self.conditions]
        if len(set(names)) < len(names):
            raise InvalidTreeError(f"rule {self.number} has two conditions on one column")

    @property
    def value(self) -> Any:
        """What the rule predicts: a class, or the mean."""
        return self.prediction.value


@frozen(repr=False)
class RuleSet:
    """Rules over one schema, unordered: which rules fire does not depend on where they stand.

    A rule set compiled from a tree remembers the tree, so that it can be emitted in the guarded layout; any edit
    forgets it.

    Raises:
        InvalidTreeError: a condition does not fit the schema, or a number stands twice.
    """

    schema: Schema
    rules: tuple[Rule, ...] = field(converter=as_tuple)
    tree: Tree | None = field(default=None, init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if len({rule.number for rule in self.rules}) < len(self.rules):
            raise InvalidTreeError("two rules have the same number")
        for rule in self.rules:
            for name, condition in rule.conditions:
                _check_condition(condition, self.schema.feature(name))

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        name = self.schema.target.name if self.schema.target else ""
        return f"<RuleSet {name!r} rules={len(self.rules)}>"

    def firing(self, row: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return the rules that fire for a row; a missing key is a missing value.

        Raises:
            CellError: a value is of the wrong kind.
        """
        values = {feature.name: feature.converted(row.get(feature.name)) for feature in self.schema.features}
        return tuple(rule for rule in self.rules if self._fires(rule, values))

    def _fires(self, rule: Rule, values: Mapping[str, Any]) -> bool:
        return all(condition.holds(self.schema.feature(name), values[name]) for name, condition in rule.conditions)

    def sorted_by(self, figure: str, *, descending: bool = True) -> "RuleSet":
        """Return the rules in the order of a figure, ties and rules without it last, by number."""
        _require_figure(figure)
        sign = -1.0 if descending else 1.0

        def key(rule: Rule) -> tuple[bool, float, int]:
            value = getattr(rule.figures, figure)
            return value is None, 0.0 if value is None else sign * value, rule.number

        return evolve(self, rules=sorted(self.rules, key=key))

    def where(self, figure: str, least: float | None = None, most: float | None = None) -> "RuleSet":
        """Return the rules whose figure lies in least..most, both included; rules without it are left out.

        What is left is no longer complete, and says so when it is checked or emitted.
        """
        _require_figure(figure)

        def fits(rule: Rule) -> bool:
            value = getattr(rule.figures, figure)
            return value is not None and (least is None or value >= least) and (most is None or value <= most)

        return evolve(self, rules=[rule for rule in self.rules if fits(rule)])


def _require_figure(figure: str) -> None:
    if figure not in FIGURES:
        raise UnknownNameError("figure", figure, FIGURES)


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


# ---- from a tree


@frozen
class _Room:
    """What a path leaves of one feature: the bounds of an ordered one, else positions of categories (None: all)."""

    above: Any = None
    upto: Any = None
    positions: frozenset[int] | None = None
    is_empty: bool = False
    missing: bool = True
    unseen: bool = True


Path = Mapping[int, _Room]


def compile_rules(tree: Tree) -> RuleSet:
    """Return one rule a leaf, the conditions of its path merged to one a feature.

    A path that no value can follow gives no rule; its leaf keeps its number. One walk over the tree.
    """
    schema = tree.schema
    start: Path = {}
    totals = [sum(column) for column in zip(*(leaf.counts for leaf in leaves(tree.root)), strict=True)]
    rules, number = [], 0
    for node, path in descend(tree.root, start, lambda split, path: _narrowed(schema, split, path)):
        if isinstance(node, Leaf):
            number += 1
            rooms = [(schema.features[index], room) for index, room in path.items()]
            if all(not room.is_empty or room.missing or room.unseen for _, room in rooms):
                conditions = [(f.name, _condition(f, room)) for f, room in rooms if not _is_everything(f, room)]
                rules.append(Rule(number, conditions, node.prediction, _figures(node, schema, totals)))
    found = RuleSet(schema, rules)
    object.__setattr__(found, "tree", tree)
    return found


def _narrowed(schema: Schema, split: Split, path: Path) -> list[Path]:
    """Return, for each child of a split, what its path leaves of each feature."""
    index = split.test.feature
    feature = schema.features[index]
    room = path.get(index) or _Room(unseen=feature.is_open)
    return [{**path, index: _taken(feature, split, side, room)} for side in range(len(split.children))]


def child_condition(schema: Schema, split: Split, side: int) -> Condition:
    """Return what sends a row to one child of a split, as if nothing had been asked before."""
    feature = schema.features[split.test.feature]
    return _condition(feature, _taken(feature, split, side, _Room(unseen=feature.is_open)))


def _taken(feature: Feature, split: Split, side: int, room: _Room) -> _Room:
    test = split.test
    missing, unseen = room.missing and split.missing == side, room.unseen and split.unseen == side
    if not isinstance(test, Threshold):
        group = test.groups[side]
        positions = frozenset(group) if room.positions is None else room.positions.intersection(group)
        return _Room(None, None, positions, not positions, missing, unseen)
    above, upto = room.above, room.upto
    if side == 0 and (upto is None or test.threshold < upto):
        upto = test.threshold
    if side == 1 and (above is None or test.threshold > above):
        above = test.threshold
    is_empty = room.is_empty or above == feature.highest or (None not in (above, upto) and not above < upto)
    return _Room(above, upto, None, is_empty, missing, False)


def _condition(feature: Feature, room: _Room) -> Condition:
    if room.is_empty:
        return Condition(None, room.missing, room.unseen)
    if feature.is_ordered:
        return Condition(Interval(room.above, None if room.upto == feature.highest else room.upto), room.missing)
    held = room.positions or frozenset()
    named = sorted(held) if not room.unseen else [p for p in range(len(feature.categories)) if p not in held]
    return Condition(Members([feature.categories[p] for p in named], room.unseen), room.missing, room.unseen)


def _is_everything(feature: Feature, room: _Room) -> bool:
    if not room.missing or room.is_empty or room.unseen is not feature.is_open:
        return False
    if feature.is_ordered:
        return room.above is None and room.upto in (None, feature.highest)
    return len(room.positions or ()) == len(feature.categories)


def _figures(leaf: Leaf, schema: Schema, totals: Sequence[float]) -> Figures:
    n, n_rows = leaf.n, sum(totals)
    coverage = n / n_rows if n_rows else 0.0
    if not n or not isinstance(leaf.prediction, Label):
        return Figures(n, coverage)
    place = schema.classes.index(leaf.prediction.value)
    hits = leaf.counts[place]
    prior = totals[place] / n_rows
    return Figures(n, coverage, hits / n_rows, hits / n, hits / n / prior if prior else None)

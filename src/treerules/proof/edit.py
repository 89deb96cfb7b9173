"""Edits of rules: one replaced, some merged, some left out. Each returns new rules, which remember no tree.

merge: rules that predict the same become one where their union is one box, decided exactly:

    age <= 30, city in {A}   ─┐
    age <= 30, city in {B}   ─┴─▶   age <= 30, city in {A, B}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import sqrt
from numbers import Integral
from operator import or_
from typing import Any, TypeVar, cast

from attrs import evolve

from treerules.data.domain import unseen_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.errors import DataError, OptionError, UnknownNameError, counted, listed
from treerules.rules.conditions import among, places_of
from treerules.rules.rule import Condition, Members, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import ClassPrediction, MeanPrediction, Prediction, certain

Rules = TypeVar("Rules")
_UNKNOWN = RuleFigures(0, 0.0)
#: So many pieces of what rules leave of the box around them are looked at; only many rules over many columns make more.
_MOST_PIECES = 200_000


def replaced(
    rules: Rules,
    number: int,
    rule: Rule | str | None,
    conditions: Mapping[str, Condition | None] | None,
    value: Any,
) -> Rules:
    """Return rules of which one is replaced: see `Editable.replace`."""
    held = _held(rules)
    old = _found(held, number)
    if rule is None:
        new = _changed(held.schema, old, {} if conditions is None else conditions, value)
    elif not isinstance(rule, (Rule, str)):
        raise OptionError("the rule", rule, "a Rule, or the text of one")
    elif conditions is not None or value is not ...:
        raise OptionError("the rule", rule, "either a rule or changes of the one that is there")
    else:
        new = rule if isinstance(rule, Rule) else evolve(_read(held.schema, rule), number=old.number)
    return _edited(rules, [new if other is old else other for other in held.rules])


def without(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return rules without some: see `Editable.without`."""
    left_out = {id(_found(_held(rules), number)) for number in numbers}
    return _edited(rules, [rule for rule in _held(rules).rules if id(rule) not in left_out])


def merged(rules: Rules, numbers: Sequence[int]) -> Rules:
    """Return rules of which some are one: see `Editable.merge`."""
    held = _held(rules)
    chosen = list({id(rule): rule for rule in (_found(held, number) for number in numbers)}.values())
    numbers = [rule.number for rule in chosen]
    if len(chosen) < 2:
        raise OptionError("the rules to merge", numbers, "at least two different numbers")
    values = [rule.value for rule in chosen]
    if any(value != values[0] for value in values):
        raise DataError(f"{_called(numbers)} predict {listed(values)}", "merge rules that predict the same value")
    _require_neighbours(held, chosen)
    boxes = _Boxes(held.schema, [rule.conditions for rule in chosen])
    one = _together(chosen, boxes.union(_called(numbers)), exclusive=boxes.are_disjoint)
    gone = {id(rule) for rule in chosen[1:]}
    return _edited(rules, [one if rule is chosen[0] else rule for rule in held.rules if id(rule) not in gone])


def _held(rules: Any) -> RuleSet | RuleList:
    return cast(RuleSet | RuleList, rules)


def _edited(rules: Rules, left: Sequence[Rule]) -> Rules:
    return cast(Rules, evolve(cast(Any, rules), rules=left))


def _called(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"rules {', '.join(most)} and {last}"


def _found(rules: RuleSet | RuleList, number: Any) -> Rule:
    if isinstance(number, bool) or not isinstance(number, Integral):  # numpy's integers are some too
        raise OptionError("a rule's number", number, "a whole number")
    for rule in rules.rules:
        if rule.number == number:
            return rule
    raise UnknownNameError("rule", str(number), [str(rule.number) for rule in rules.rules])


def _read(schema: Schema, text: str) -> Rule:
    """Return the rule that a text says over a schema."""
    from treerules.formats.rules_text.text_reader import rules_from_text  # late: an edit may be given as text

    found = rules_from_text(text, schema=schema).rules
    if len(found) != 1:
        raise OptionError("the rule", text, f"the text of one rule; this is {counted(len(found), 'rule')}")
    for feature in found.schema.features:
        schema.feature(feature.name)
    return found.rules[0]


def _changed(schema: Schema, old: Rule, conditions: Mapping[str, Condition | None], value: Any) -> Rule:
    if not isinstance(conditions, Mapping):
        raise OptionError("conditions", conditions, "a mapping from columns' names to conditions")
    for name, condition in conditions.items():
        schema.feature(name)
        if condition is not None and not isinstance(condition, Condition):
            raise OptionError(f"the condition on column {name!r}", condition, "a Condition, or None")
    asked = {**dict(old.conditions), **conditions}
    left = [(name, condition) for name, condition in asked.items() if condition is not None]
    prediction = old.prediction if value is ... else certain(schema, value)
    is_same = tuple(left) == old.conditions and prediction == old.prediction
    return Rule(old.number, left, prediction, old.figures if is_same else _UNKNOWN)


def _require_neighbours(rules: RuleSet | RuleList, chosen: Sequence[Rule]) -> None:
    """Raise where rules of a list do not stand beside each other: those between may take the rows of the later one."""
    if isinstance(rules, RuleSet):
        return
    places = sorted(place for place, rule in enumerate(rules.rules) if any(rule is other for other in chosen))
    if places[-1] - places[0] >= len(places):
        between = rules.rules[next(p for p in range(places[0], places[-1]) if p not in places)].number
        numbers = _called([rule.number for rule in chosen])
        raise DataError(
            f"{numbers} do not stand beside each other: rule {between} comes between them and decides first",
            "merge neighbours in a list, or make the list exclusive before",
        )


def _together(chosen: Sequence[Rule], conditions: Sequence[tuple[str, Condition]], *, exclusive: bool) -> Rule:
    """Return one rule of several that predict the same. Figures add up where no row is counted twice."""
    known = exclusive and sum(rule.figures.n for rule in chosen) > 0
    weights = [rule.figures.n for rule in chosen] if known else [1.0] * len(chosen)
    prediction = _mixed([rule.prediction for rule in chosen], weights)
    return Rule(chosen[0].number, conditions, prediction, _added([r.figures for r in chosen]) if known else _UNKNOWN)


def _mixed(predictions: Sequence[Prediction], weights: Sequence[float]) -> Prediction:
    """Return the prediction of the rows of several rules together: shares and variances are weighted."""
    first, total = predictions[0], sum(weights)
    if all(other == first for other in predictions):
        return first
    if isinstance(first, MeanPrediction):
        variances = [
            weight * p.sd**2 for p, weight in zip(predictions, weights, strict=True) if isinstance(p, MeanPrediction)
        ]
        return MeanPrediction(first.value, sqrt(sum(variances) / total))
    columns = zip(*(p.probabilities for p in predictions if isinstance(p, ClassPrediction)), strict=True)
    shares = [sum(w * s for w, s in zip(weights, column, strict=True)) / total for column in columns]
    return ClassPrediction(first.value, [min(share, 1.0) for share in shares])


def _added(figures: Sequence[RuleFigures]) -> RuleFigures:
    n = sum(one.n for one in figures)
    coverage = sum(one.coverage for one in figures)
    if all(one.support is None for one in figures):
        return RuleFigures(n, coverage)
    support = sum(one.support or 0.0 for one in figures)
    confidence = support / coverage if coverage else None
    prior = next((one.confidence / one.lift for one in figures if one.confidence and one.lift), None)
    return RuleFigures(
        n, coverage, support, confidence, confidence / prior if prior and confidence is not None else None
    )


class _Boxes:
    """The boxes of some rules, each side a set of bits: one for each part of its column that no rule cuts further."""

    def __init__(self, schema: Schema, conjunctions: Sequence[Sequence[tuple[str, Condition]]]) -> None:
        names = dict.fromkeys(name for conditions in conjunctions for name, _ in conditions)
        self.columns = [
            _Parts(schema.feature(name), [dict(conditions).get(name) for conditions in conjunctions]) for name in names
        ]
        self.boxes = [
            tuple(column.bits(dict(conditions).get(column.feature.name)) for column in self.columns)
            for conditions in conjunctions
        ]

    @property
    def are_disjoint(self) -> bool:
        """Whether no row lies in two boxes."""
        return not any(
            all(a & b for a, b in zip(first, second, strict=True))
            for place, first in enumerate(self.boxes)
            for second in self.boxes[:place]
        )

    def union(self, called: str) -> list[tuple[str, Condition]]:
        """Return the conditions of the one box that these boxes fill.

        Raises:
            DataError: there is none; the error names a row that lies between them.
        """
        full = [box for box in self.boxes if all(box)] or self.boxes[:1]
        around = tuple(reduce(or_, sides) for sides in zip(*full, strict=True))
        pieces = _left_over(around, full)
        for column, bits in zip(self.columns, around, strict=True):
            if not column.is_one_piece(bits):
                problem = f"{called} take values of column {column.feature.name!r} with others between them"
                raise DataError(problem, "merge rules whose intervals touch")
        if pieces:
            sides = zip(self.columns, pieces[0], strict=True)
            row = {column.feature.name: column.sample(bits) for column, bits in sides}
            problem = f"{called} are not one rule together: one that holds both would take the row {row!r} too"
            raise DataError(problem, "merge rules that differ in one column, or that fill a box together")
        sides = zip(self.columns, around, strict=True)
        return [(column.feature.name, column.condition(bits)) for column, bits in sides if bits != column.all]


def _left_over(around: tuple[int, ...], boxes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return what boxes leave of the one around them, in pieces that share no row."""
    pieces = [around]
    for box in boxes:
        pieces = [left for piece in pieces for left in _minus(piece, box)]
        if len(pieces) > _MOST_PIECES:
            raise DataError("these rules are too many to merge at once", "merge fewer of them first")
    return pieces if all(around) else []


def _minus(piece: tuple[int, ...], box: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Return what a box leaves of a piece: for each side, what lies beyond it and within the sides before."""
    if not all(a & b for a, b in zip(piece, box, strict=True)):
        yield piece
        return
    for place, (held, taken) in enumerate(zip(piece, box, strict=True)):
        if held & ~taken:
            yield (*piece[:place], held & ~taken, *piece[place + 1 :])
        piece = (*piece[:place], held & taken, *piece[place + 1 :])


class _Parts:
    """The parts of a column that no condition of some rules cuts: a bit each, the last two for unseen and missing."""

    def __init__(self, feature: Feature, conditions: Iterable[Condition | None]) -> None:
        self.feature = feature
        intervals = [c.values for c in conditions if c is not None and isinstance(c.values, Interval)]
        bounds = {bound for interval in intervals for bound in (interval.above, interval.upto)}
        #: the upper ends of an ordered column's parts, the last of which is that of its kind
        self.ends = sorted({*bounds, feature.highest} - {None}) if feature.is_ordered else []
        self.n = len(self.ends) if feature.is_ordered else len(feature.categories)
        self.unseen, self.missing = 1 << self.n, 2 << self.n
        self.all = (1 << self.n) - 1 | self.missing | (self.unseen if feature.is_open else 0)

    def bits(self, condition: Condition | None) -> int:
        """Return the parts that a condition takes; all where there is none."""
        if condition is None:
            return self.all
        return (
            self._known(condition.values)
            | (self.unseen if condition.unseen else 0)
            | (self.missing if condition.missing else 0)
        )

    def _known(self, values: Interval | Members | None) -> int:
        if isinstance(values, Interval):
            low = 0 if values.above is None else self.ends.index(values.above) + 1
            high = self.n if values.upto is None else self.ends.index(values.upto) + 1
            return (1 << high) - (1 << low)
        return sum(1 << place for place in places_of(self.feature, values))

    def is_one_piece(self, bits: int) -> bool:
        """Whether one condition can take these parts: those of an ordered column must touch."""
        known = bits & ((1 << self.n) - 1)
        lowest = known & -known
        return not self.feature.is_ordered or (known + lowest) & known == 0

    def condition(self, bits: int) -> Condition:
        """Return the condition that takes these parts."""
        known, missing = bits & ((1 << self.n) - 1), bool(bits & self.missing)
        if not self.feature.is_ordered:
            places = [place for place in range(self.n) if known >> place & 1]
            return among(self.feature, places, bool(bits & self.unseen), missing)
        if not known:
            return Condition(None, missing)
        low, high = (known & -known).bit_length() - 1, known.bit_length()
        return Condition(
            Interval(self.ends[low - 1] if low else None, self.ends[high - 1] if high < self.n else None), missing
        )

    def sample(self, bits: int) -> Any:
        """Return a value of these parts."""
        place = (bits & -bits).bit_length() - 1
        if place >= self.n:
            return unseen_value(self.feature) if bits & self.unseen else None
        return self.ends[place] if self.feature.is_ordered else self.feature.categories[place]

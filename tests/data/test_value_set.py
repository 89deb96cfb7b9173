"""The algebra of sets of values: laws against the values that each set holds, for every kind of feature."""

import itertools
import math
import pickle
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules.data.domain import ColumnDomain, next_value, unseen_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind
from treerules.data.value_set import SIGNS, ValueSet
from treerules.errors import CellError, InvalidTreeError, OptionError, UnknownNameError
from treerules.rules.conditions import to_condition, to_conditions, to_value_set
from treerules.testing.edge_cases import POOLS

#: A feature of each kind, open and closed categories and corners among them.
FEATURES = (
    Feature("x", Kind.NUMBER),
    Feature("n", Kind.INTEGER),
    Feature("day", Kind.DATE),
    Feature("moment", Kind.TIMESTAMP),
    Feature("utc", Kind.TIMESTAMP, scalar="timestamp_utc"),
    Feature("flag", Kind.BOOLEAN),
    Feature("city", Kind.CATEGORY, ("", "a", "北京")),
    Feature("empty", Kind.CATEGORY),
    Feature("code", Kind.CATEGORY, (0, 1, 7), "integer"),
    Feature("both", Kind.CATEGORY, (False, True), "boolean"),
    Feature("size", Kind.ORDINAL, ("S", "M", "L", "XL")),
)
ORDERED = [feature for feature in FEATURES if feature.is_ordered]
X, N, DAY = FEATURES[:3]
CITY, SIZE = FEATURES[6], FEATURES[-1]


def samples(feature: Feature) -> list[Any]:
    """Return values of a feature: corners and their neighbours, categories, an unseen one, the missing one."""
    if feature.is_ordered:
        pool = POOLS[feature.scalar]
        beside = [next_value(feature, value, up=up) for value in pool for up in (False, True)]
        return [*dict.fromkeys((*pool, *beside, feature.lowest, feature.highest)), None]
    return [*feature.categories, unseen_value(feature), None]


def held(values: ValueSet) -> set[Any]:
    """Return the sampled values that a set holds."""
    return {value for value in samples(values.feature) if value in values}


@st.composite
def value_sets(draw: st.DrawFn, feature: Feature) -> ValueSet:
    """Draw a set of values of a feature: few or many intervals, any categories."""
    missing, unseen = draw(st.booleans()), draw(st.booleans()) and feature.is_open
    if not feature.is_ordered:
        categories = draw(st.sets(st.sampled_from(feature.categories))) if feature.categories else ()
        return ValueSet(feature, (), categories, missing, unseen)
    ends = st.sampled_from([value for value in samples(feature) if value is not None])
    pairs = draw(st.lists(st.tuples(st.none() | ends, st.none() | ends), max_size=4))
    intervals = [Interval(low, up) for low, up in pairs if low is None or up is None or low < up]
    return ValueSet(feature, intervals, (), missing, unseen)


features = st.sampled_from(FEATURES)
one_set = features.flatmap(value_sets)
two_sets = features.flatmap(lambda feature: st.tuples(value_sets(feature), value_sets(feature)))
three_sets = features.flatmap(lambda feature: st.tuples(*[value_sets(feature)] * 3))


@given(two_sets)
def test_operators_are_those_of_sets(sets: tuple[ValueSet, ValueSet]) -> None:
    """`&`, `|`, `-` and `~` hold exactly the values that sets of sampled values hold."""
    one, other = sets
    universe = set(samples(one.feature))
    assert held(one & other) == held(one) & held(other)
    assert held(one | other) == held(one) | held(other)
    assert held(one - other) == held(one) - held(other)
    assert held(~one) == {value for value in universe if value not in one}


@given(two_sets)
def test_subset_and_equality_are_those_of_sets(sets: tuple[ValueSet, ValueSet]) -> None:
    """`<=` is the order of sets; two sets that hold the same values are equal, and so are their hashes."""
    one, other = sets
    if one <= other:
        assert held(one) <= held(other)
        assert one & other == one
        assert (one | other).is_everything == other.is_everything
    assert (one <= other) == (one - other).is_empty
    assert one & other <= one <= one | other
    if one == other:
        assert hash(one) == hash(other)
    if one <= other and other <= one and unseen_value(one.feature) is not None:
        assert one == other


@given(three_sets)
def test_algebra_is_boolean(sets: tuple[ValueSet, ValueSet, ValueSet]) -> None:
    """De Morgan's laws, distributivity, absorption and the double complement hold, as equalities."""
    one, two, three = sets
    assert ~(one & two) == ~one | ~two
    assert ~(one | two) == ~one & ~two
    assert ~~one == one
    assert one & (two | three) == (one & two) | (one & three)
    assert one | (two & three) == (one | two) & (one | three)
    assert one & (one | two) == one == one | (one & two)
    assert one & two == two & one
    assert (one & two) & three == one & (two & three)
    assert one - two == one & ~two


@given(one_set)
def test_nothing_and_everything_are_the_bounds(values: ValueSet) -> None:
    """The empty set and the whole set are neutral, and complements of each other."""
    nothing, everything = ValueSet.nothing(values.feature), ValueSet.everything(values.feature)
    assert values & everything == values == values | nothing
    assert values & nothing == nothing
    assert values | everything == everything
    assert values | ~values == everything
    assert (values & ~values).is_empty
    assert ~nothing == everything
    assert nothing.is_empty
    assert everything.is_everything


@given(one_set)
def test_witness_lies_in_the_set(values: ValueSet) -> None:
    """A set is empty if it has no witness; a witness lies in it."""
    if values.is_empty:
        with pytest.raises(OptionError, match="witness"):
            values.witness()
    else:
        assert values.witness() in values
    assert not (held(values) and values.is_empty)


@given(st.sampled_from(ORDERED).flatmap(value_sets), st.data())
def test_witness_lies_in_the_domain(values: ValueSet, data: st.DataObject) -> None:
    """A witness lies between the bounds of the domain, and is missing only where the domain allows it."""
    ends = [value for value in samples(values.feature) if value is not None]
    lowest, highest = sorted(data.draw(st.tuples(st.sampled_from(ends), st.sampled_from(ends))))
    domain = ColumnDomain(lowest, highest, missing=data.draw(st.booleans()))
    allowed = values & ValueSet.everything(values.feature, domain)
    if allowed.is_empty:
        with pytest.raises(OptionError):
            values.witness(domain)
    else:
        witness = values.witness(domain)
        assert witness in values
        assert domain.missing if witness is None else lowest <= witness <= highest


@given(one_set)
def test_spelling_is_canonical(values: ValueSet) -> None:
    """Intervals ascend, do not touch and hold values; a bound at the end of the kind is as good as none."""
    intervals = values.intervals
    for first, second in itertools.pairwise(intervals):
        assert first.upto is not None
        assert second.above is not None
        assert first.upto < second.above
    assert set(values.bounds) == {end for i in intervals for end in (i.above, i.upto)} - {None}
    if values.feature.is_ordered:
        bounded = ValueSet(values.feature, [Interval(values.feature.lowest, values.feature.highest)])
        unbounded = ValueSet(values.feature, [Interval(values.feature.lowest, None)])
        assert bounded == unbounded
        assert hash(bounded) == hash(unbounded)
        assert (values | bounded) == (values | unbounded)
        assert (values & bounded) == (values & unbounded)


@given(one_set)
def test_conditions_take_the_set(values: ValueSet) -> None:
    """The conditions of a set take its values, each once; a condition and its set are each other's inverse."""
    feature, conditions = values.feature, to_conditions(values)
    for value in samples(feature):
        if value is not None or unseen_value(feature) is not None:
            assert sum(c.holds(feature, value) for c in conditions) == (value in values), (value, conditions)
    united = ValueSet.nothing(feature)
    for condition in conditions:
        assert to_conditions(to_value_set(feature, condition)) == [condition]
        united |= to_value_set(feature, condition)
    assert united == values
    if len(conditions) > 1:
        with pytest.raises(OptionError, match="one interval"):
            to_condition(values)
    else:
        assert to_value_set(feature, to_condition(values)) == values
    assert to_value_set(feature, None).is_everything


@given(st.sampled_from(ORDERED), st.sampled_from(SIGNS[:6]), st.data())
def test_comparisons_of_ordered_values(feature: Feature, sign: str, data: st.DataObject) -> None:
    """A comparison holds the known values for which Python's own comparison is true, -0.0 and infinities included."""
    known = [value for value in samples(feature) if value is not None]
    value = data.draw(st.sampled_from(known))
    compare = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "=": "__eq__", "!=": "__ne__"}[sign]
    expected = {other for other in known if getattr(other, compare)(value)}
    assert held(ValueSet.from_comparison(feature, sign, value)) == expected


@given(st.sampled_from(SIGNS[:6]), st.sampled_from(["-0.5", "2.5", "3", "1e30", "-1e30", "9223372036854775807.5"]))
def test_integers_compare_with_any_number(sign: str, spelled: str) -> None:
    """Integers are compared with fractions and numbers beyond 64 bits exactly."""
    value, known = Decimal(spelled), [value for value in samples(N) if value is not None]
    compare = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "=": "__eq__", "!=": "__ne__"}[sign]
    expected = {other for other in known if getattr(Decimal(other), compare)(value)}
    assert held(ValueSet.from_comparison(N, sign, value)) == expected
    assert ValueSet.from_comparison(N, "<", math.inf) == ValueSet.from_comparison(N, ">", -math.inf)


@given(st.sampled_from(SIGNS[:6]), st.sampled_from([(2024, 2, 29), (2024, 2, 29, 12)]))
def test_dates_compare_with_moments(sign: str, moment: tuple[int, ...]) -> None:
    """A date is compared with a moment as its midnight."""
    value, known = datetime(*moment), [value for value in samples(DAY) if value is not None]
    compare = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "=": "__eq__", "!=": "__ne__"}[sign]
    expected = {d for d in known if getattr(datetime(d.year, d.month, d.day), compare)(value)}
    assert held(ValueSet.from_comparison(DAY, sign, value)) == expected


def test_comparisons_of_categories() -> None:
    """`!=` and `not in` take unseen values of an open feature; levels of an ordinal have their declared order."""
    assert held(ValueSet.from_comparison(CITY, "!=", "a")) == {"", "北京", "unseen"}
    assert held(ValueSet.from_comparison(CITY, "in", ["a", ""])) == {"a", ""}
    assert held(ValueSet.from_comparison(CITY, "not in", ["a", None])) == {"", "北京", "unseen"}
    assert held(ValueSet.from_comparison(SIZE, "<", "M")) == {"S"}
    assert held(ValueSet.from_comparison(SIZE, ">=", "M")) == {"M", "L", "XL"}
    assert held(ValueSet.of_values(SIZE, ["M", None])) == {"M", None}
    assert held(ValueSet.of_values(X, [1, math.nan, -0.0])) == {0.0, 1.0, None}
    moment = datetime(2024, 1, 1, tzinfo=UTC)
    assert moment in ValueSet.of_values(FEATURES[4], [moment])


def test_wrong_values_are_refused() -> None:
    """What does not fit a feature is an error that names it."""
    with pytest.raises(InvalidTreeError, match="'x'"):
        ValueSet(X, [Interval(1, 2)])
    with pytest.raises(InvalidTreeError, match="'city'"):
        ValueSet(CITY, [Interval(1, 2)])
    with pytest.raises(InvalidTreeError, match="'city'"):
        ValueSet(CITY, categories=["z"])
    with pytest.raises(InvalidTreeError, match="unseen"):
        ValueSet(X, unseen=True)
    with pytest.raises(InvalidTreeError, match="Interval"):
        ValueSet(X, [(1.0, 2.0)])  # type: ignore[list-item]
    with pytest.raises(OptionError, match="Feature"):
        ValueSet("x")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="did you mean 'a'"):
        ValueSet.of_values(CITY, ["A"])
    with pytest.raises(CellError):
        ValueSet.from_comparison(X, "<", "5")
    with pytest.raises(OptionError, match="sign"):
        ValueSet.from_comparison(X, "=<", 5)
    with pytest.raises(OptionError, match="order"):
        ValueSet.from_comparison(CITY, "<", "a")
    with pytest.raises(OptionError, match="missing"):
        ValueSet.from_comparison(N, "<", math.nan)
    with pytest.raises(OptionError, match="values"):
        ValueSet.of_values(CITY, "a")
    with pytest.raises(OptionError, match="same feature"):
        ValueSet.nothing(X) | ValueSet.nothing(N)
    with pytest.raises(TypeError, match="unsupported operand"):
        ValueSet.nothing(X) & {1}  # type: ignore[operator]


def test_bounds_of_a_domain_are_values_of_the_feature() -> None:
    """An integer bounds a number as its float does; what is no value of the kind is an error."""
    assert ValueSet.everything(X, ColumnDomain(1, 2)) == ValueSet.everything(X, ColumnDomain(1.0, 2.0))
    assert 0.5 not in ValueSet.everything(X, ColumnDomain(1, 2))
    assert type(ValueSet.everything(X).witness(ColumnDomain(5, 6))) is float
    with pytest.raises(OptionError, match="bounds of kind integer"):
        ValueSet.everything(N, ColumnDomain("a", "b"))


def test_values_of_numpy_and_pandas() -> None:
    """A scalar of numpy is its Python value, NA is the missing value; neither is an error of another library."""
    assert ValueSet.from_comparison(N, "<", np.float64(2.5)) == ValueSet.from_comparison(N, "<", 2.5)
    assert ValueSet.of_values(CITY, [np.str_("a"), pd.NA]) == ValueSet.of_values(CITY, ["a", None])
    for value in (pd.NA, Decimal("sNaN"), np.float64("nan"), None):
        with pytest.raises(OptionError, match="missing"):
            ValueSet.from_comparison(X, "<", value)
    for feature in (X, N, CITY):
        with pytest.raises(CellError):
            ValueSet.from_comparison(feature, "=", np.array([1, 2]))


def test_a_category_of_both_truth_values_has_no_unseen_value() -> None:
    """Equal sets compare equal, with whichever flags they were made."""
    answer = Feature("answer", "category", (False, True), "boolean")
    assert ValueSet(answer, unseen=True) == ValueSet(answer)
    assert ValueSet(answer, unseen=True).is_empty
    assert ~ValueSet.nothing(answer) == ValueSet.everything(answer)
    with pytest.raises(OptionError, match=r"missing=3"):
        ValueSet(answer, missing=3)  # type: ignore[arg-type]


def test_repr_is_short() -> None:
    """A set shows its values, in at most 200 characters."""
    assert (
        repr(ValueSet(DAY, [Interval(None, date(2024, 3, 1))], (), True))
        == "<ValueSet 'day' (.., 2024-03-01], missing>"
    )
    assert repr(ValueSet.nothing(X)) == "<ValueSet 'x' nothing>"
    assert repr(ValueSet.everything(CITY)) == "<ValueSet 'city' everything>"
    many = Feature("c" * 500, Kind.CATEGORY, [f"{number:05}" for number in range(9999)])
    assert len(repr(ValueSet.of_values(many, many.categories))) < 200


@given(one_set)
def test_sets_are_values(values: ValueSet) -> None:
    """A set is pickled, hashed and compared by its values."""
    assert pickle.loads(pickle.dumps(values)) == values
    assert len({values, pickle.loads(pickle.dumps(values))}) == 1

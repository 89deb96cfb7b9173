"""Bounds of conditions as text."""

from math import inf, nextafter

from hypothesis import example, given
from hypothesis import strategies as st

from treerules.data.schema import Feature
from treerules.rules.bounds import bound_of, shorter_next

NUMBER = Feature("x", "number")
#: Numbers of few digits and their neighbours, and any numbers.
SHORT = st.integers(-(10**6), 10**6).flatmap(
    lambda digits: st.integers(-320, 300).map(lambda exponent: float(f"{digits}e{exponent}"))
)
NUMBERS = st.one_of(SHORT, SHORT.map(lambda x: nextafter(x, -inf)), SHORT.map(lambda x: nextafter(x, inf)), st.floats())


@given(NUMBERS.filter(lambda x: x == x))
@example(1.7976931348623157e308)
@example(-1.5900000000000003)
@example(9999999999999998.0)
@example(9.999999999999999e-05)
@example(-2.2250738585072014e-308)
@example(-5e-324)
def test_next_number_is_taken_where_it_is_six_characters_shorter(bound: float) -> None:
    """A bound of more than twelve characters is written as the number next above it if that saves six characters.

    So is the one next below 0, whose seven characters some engines read as 0.
    """
    after = nextafter(bound, inf) + 0.0
    is_shorter = (len(repr(bound)) > 12 and len(repr(after)) + 6 <= len(repr(bound))) or bound == -5e-324
    assert shorter_next(NUMBER, bound) == (after if is_shorter else None)
    written = bound_of(NUMBER, bound)
    assert float(written.shown) == (after if is_shorter else bound)
    assert (written.text, bool(written.after)) == (repr(bound), is_shorter)

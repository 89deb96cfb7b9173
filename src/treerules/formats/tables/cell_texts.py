"""Conditions and values as cells of a decision table, in the table's own language or in FEEL, that of DMN.

Reading them again gives equal conditions. A bound that is shorter open than closed is written open: `< 50`, not `<=
49.99999999999999`.
"""

import json
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from typing import Any

from treerules._internal.unicode import is_of_words, is_shown
from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Kind
from treerules.errors import UnsupportedError
from treerules.formats.notation.literals import is_text
from treerules.formats.tables.column_features import looks_like_range
from treerules.rules.conditions import bounds_of
from treerules.rules.rule import Condition, Members
from treerules.rules.rule_set import RuleList, RuleSet

_KEYWORDS = {"missing", "null", "known", "unseen", "nothing"}


def text_cell(text: str) -> str:
    r"""Return text as a cell or heading of a CSV or Markdown table: bare if that is unambiguous, else in double quotes.

    >>> text_cell("New York"), text_cell("a, b"), text_cell("30"), text_cell("missing")
    ('New York', '"a, b"', '"30"', '"missing"')
    """
    words = text.split(" ")
    is_bare = not looks_like_range(text) and all(
        word and all(is_of_words(c) or c in "_%/.-" for c in word) for word in words
    )
    reserved = {"or", "not", "is", *_KEYWORDS} & {word.lower() for word in words}
    if is_bare and not reserved and ".." not in text and text.strip("-") and is_text(text):
        return text
    return quoted_cell(text)


def quoted_cell(text: str) -> str:
    """Return text in double quotes; unprintable characters are escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if is_shown(c) else json.dumps(c)[1:-1] for c in quoted)


def value_cell(value: Any, *, feel: bool = False) -> str:
    """Return a value as a literal.

    Raises:
        UnsupportedError: FEEL has no infinities.

    >>> value_cell(1e-7, feel=True), value_cell(2.0), value_cell(date(2024, 3, 21), feel=True)
    ('0.0000001', '2', 'date("2024-03-21")')
    """
    if isinstance(value, str):
        return quoted_cell(value) if feel else text_cell(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        iso = value.isoformat().replace("+00:00", "Z")
        return f'date and time("{iso}")' if feel else iso.replace("T", " ")
    if isinstance(value, date):
        return f'date("{value.isoformat()}")' if feel else value.isoformat()
    if feel and not _is_finite(value):
        raise UnsupportedError("FEEL", f"{value!r} is a category, and FEEL has no infinities", "write the rules as CSV")
    number = repr(value).removesuffix(".0")
    return f"{Decimal(number):f}" if feel and "e" in number else number


def require_single_intervals(rules: RuleSet | RuleList, written: str) -> None:
    """Raise UnsupportedError for a rule whose condition takes several intervals.

    A cell may list several, but a reader makes a rule of each. `written` is what is written, such as "DMN".
    """
    for rule in rules.rules:
        for name, condition in rule.conditions:
            if len(condition.intervals) > 1:
                n = len(condition.intervals)
                problem = f"rule {rule.number} takes {n} intervals of column {name!r}, which would be read as {n} rules"
                raise UnsupportedError(written, problem, "give each interval a rule of its own, or write rule text")


def condition_cell(feature: Feature, condition: Condition, *, feel: bool = False) -> str:
    """Return a condition as a cell.

    Raises:
        UnsupportedError: FEEL cannot express an infinity, or a condition that no value satisfies.

    >>> condition_cell(Feature("x", Kind.NUMBER), Condition(Interval(3.0, 49.99999999999999), missing=True))
    '(3..50) or missing'
    >>> condition_cell(Feature("c", "category", ("a", "b")), Condition(Members(("a",)), unseen=True), feel=True)
    'not("b", null)'
    """
    tests = (
        _interval_tests(condition, feature, feel) if feature.is_ordered else _category_tests(condition, feature, feel)
    )
    if tests == _ANYTHING:
        return "-" if condition.missing else "not(null)" if feel else "known"
    if feel:
        return _feel_cell(tests, condition.missing, feature)
    if not tests:
        return "missing" if condition.missing else "nothing"
    return f"{', '.join(tests)} or missing" if condition.missing else ", ".join(tests)


def _feel_cell(tests: tuple[str, ...], missing: bool, feature: Feature) -> str:
    """Return tests as a cell of FEEL, in which not(...) takes null unless it names it."""
    if tests and tests[0].startswith("not("):
        return tests[0] if missing else f"{tests[0][:-1]}, null)"
    if not tests and not missing:
        problem = f"no value at all meets the condition on column {feature.name!r}"
        raise UnsupportedError("FEEL", problem, "leave out the rule, which never fires")
    return ", ".join([*tests, "null"] if missing else tests)


#: The tests of a condition that every known value satisfies.
_ANYTHING = ("",)


def _interval_tests(condition: Condition, feature: Feature, feel: bool) -> tuple[str, ...]:
    """Return an interval as at most one test; `_ANYTHING` for one without ends."""
    if not isinstance(condition.values, Interval):
        return ()
    above, upto = bounds_of(condition.values)
    upto = None if upto == feature.highest else upto
    lowest = feature.lowest if above is None else next_value(feature, above)
    if feel and lowest is None and not _is_finite(above):  # above all numbers is none
        return ()
    # without a schema 2 would be a number, beside which rows fire no rule; (1..2] is the same integer, and no gap
    is_single = upto is not None and upto == lowest and (feel or feature.kind is not Kind.INTEGER)
    if is_single and (not feel or _is_finite(upto)):
        return (value_cell(upto, feel=feel),)
    low = None if above is None else _end(feature, above, "(", "[", feel=feel)
    high = None if upto is None else _end(feature, upto, "]", ")", feel=feel)
    blank = " " if feel else ""
    if low is None:
        return _ANYTHING if high is None else (f"{'<=' if high[0] == ']' else '<'}{blank}{high[1]}",)
    if high is None:
        return (f"{'>' if low[0] == '(' else '>='}{blank}{low[1]}",)
    return (f"{low[0]}{low[1]}..{high[1]}{high[0]}",)


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or isfinite(value)


def _end(feature: Feature, bound: Any, bracket: str, bracket_of_next: str, *, feel: bool) -> tuple[str, str]:
    """Return the bracket and the value of an end: those of the bound, or of the next value if that is shorter.

    FEEL has no infinities: they are replaced by the greatest or least finite number.
    """
    text = value_cell(bound, feel=feel) if _is_finite(bound) or not feel else ""
    if feature.kind is not Kind.NUMBER:
        return bracket, text
    after = next_value(feature, bound)
    if after is None or (feel and not _is_finite(after)):
        return bracket, text
    text_of_next = value_cell(after, feel=feel)
    is_shorter = not text or len(text_of_next) < len(text)
    return (bracket_of_next, text_of_next) if is_shorter else (bracket, text)


def _category_tests(condition: Condition, feature: Feature, feel: bool) -> tuple[str, ...]:
    """Return the categories of a condition as tests, or not(...) of the others where it takes unseen values.

    So the cell means the same under a schema with further categories.
    """
    values = condition.values if isinstance(condition.values, Members) else Members(())
    taken, excluded = (values.of(feature.categories, taken=which) for which in (True, False))
    if not excluded and (condition.unseen or not feature.is_open):
        return _ANYTHING
    if condition.unseen:
        return (f"not({', '.join(value_cell(value, feel=feel) for value in excluded)})",)
    return tuple(value_cell(value, feel=feel) for value in taken)

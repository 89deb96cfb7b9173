"""The kind of a column that stands for an expression, as far as it holds whatever the expression is.

The engine may round the value or the literals of a comparison, or convert one of them, in ways that depend on the type
of the expression, which is not known. Literals of different types are not compared with one column therefore, nor such
as may be equal in one type and differ in another: '1' and '01'.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from math import inf, nextafter
from typing import Any

from numpy import float32

from treerules.data.schema import Feature, Kind
from treerules.formats.sql.column_usage import ORDER, Usage, inferred_feature
from treerules.formats.sql.loose_texts import alike_texts, may_be_equal
from treerules.sql.dialect import Dialect
from treerules.sql.literals import SqlLiteral, parse_moment

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}([ T])\d{2}:\d{2}:\d{2}(\.\d+)?", re.ASCII)
_MICROSECOND = timedelta(microseconds=1)
_FIRST, _LAST = datetime(1, 1, 2), datetime(9999, 12, 30)


def opaque_feature(name: str, usage: Usage, dialect: Dialect) -> tuple[Feature, str]:
    """Return the column of an expression, and why the comparisons with it cannot be read; "" if they can."""
    kinds = {value.kind for value in usage.values}
    if len(kinds) > 1 or ("alone" in usage.relations and not kinds <= {"boolean"}):
        return inferred_feature(name, usage, dialect), "is compared with values of several kinds"
    values = list(usage.values)
    make = next((_MAKERS.get(kind, _as_inferred) for kind in kinds), _as_inferred)
    return make(name, usage, values, dialect)


def _as_inferred(name: str, usage: Usage, values: Sequence[SqlLiteral], dialect: Dialect) -> tuple[Feature, str]:
    return inferred_feature(name, usage, dialect), ""


def _of_numbers(name: str, usage: Usage, values: Sequence[SqlLiteral], dialect: Dialect) -> tuple[Feature, str]:
    """Return a column of numbers, which are not integers alone, even if all literals are."""
    feature = Feature(name, Kind.NUMBER)
    numbers = sorted({value.value for value in values})
    if any(abs(number) == inf for number in numbers):
        return feature, "is compared with infinity"
    if dialect.reading.exact_numbers and any(number % 1 == 0 and float(number) != number for number in numbers):
        return feature, "is compared with an integer that is no double"
    if problem := _too_near_numbers(usage):
        return feature, problem
    forms = {(number.as_tuple().exponent, value.is_double) for value in values for number in [Decimal(value.value)]}
    if len(forms) > 1 and usage.column.type != "number":
        return feature, "may be a text, and is compared with numbers of several types"
    return feature, ""


def doubtful_numbers(usages: Mapping[str, Usage], dialect: Dialect) -> dict[str, str]:
    """Return why comparisons of columns with numbers cannot be read, by the names of the columns."""
    doubtful = {}
    for name, usage in usages.items():
        is_number = not usage.column.is_opaque and inferred_feature(name, usage, dialect).kind is Kind.NUMBER
        if is_number and not dialect.reading.exact_numbers:
            doubtful[name] = _too_near_numbers(usage)
    return {name: problem for name, problem in doubtful.items() if problem}


def _too_near_numbers(usage: Usage) -> str:
    """Return why the numbers of a column cannot be told from each other in a column of some type; "" if they can.

    A DECIMAL lies between two numbers that are no different doubles, or are neighbours. A 32-bit float is compared with
    a double exactly, and with a decimal by the float to which it rounds, so that 0.1 and 1e-1 may differ and 0.1 and
    0.10000000149 be equal; integers are taken to be compared with integers.
    """
    numbers = sorted({number for number, _ in usage.numbers})
    if any(nextafter(float(low), inf) >= float(high) for low, high in pairwise(numbers)):
        return "is compared with numbers that are no different doubles, or neighbours"
    forms = sorted(usage.numbers)
    if any(not (low[1] and high[1]) and _is_one_single(low[0], high[0]) for low, high in pairwise(forms)):
        return "is compared with fractions that are no different floats of 32 bits"
    return ""


def _is_one_single(low: Any, high: Any) -> bool:
    """Return whether two numbers, of which one is no integer, round to one float of 32 bits."""
    is_fraction = any(abs(number) < 2**53 and number % 1 for number in (low, high))
    return is_fraction and bool(float32(float(low)) == float32(float(high)))


def _of_texts(name: str, usage: Usage, values: Sequence[SqlLiteral], dialect: Dialect) -> tuple[Feature, str]:
    texts = [str(value.value) for value in values]
    category = Feature(name, Kind.CATEGORY, sorted(set(texts)))
    if usage.relations & set(ORDER):
        moments = [] if dialect.reading.moments_are_text else _ordered_moments(texts)
        if moments:
            return Feature(name, Kind.TIMESTAMP, scalar="timestamp"), _too_near(moments)
    for group in alike_texts(texts, dialect, usage.column.type):
        if any(len(asked & set(group)) not in (0, len(group)) for asked in usage.asked):
            return category, may_be_equal(group)
    return category, ""


def _ordered_moments(texts: Sequence[str]) -> list[datetime]:
    """Return the moments of texts that have one form, in which the order of texts is that of moments; [] of others."""
    if all(map(_DAY.fullmatch, texts)):
        moments = [parse_moment(text) for text in texts]
        return [] if None in moments else moments
    matches = [_MOMENT.fullmatch(text) for text in texts]
    if len({len(text) for text in texts}) > 1 or len({match and match[1] for match in matches}) > 1:
        return []
    moments = [parse_moment(text) if match else None for text, match in zip(texts, matches, strict=True)]
    near = any(later - earlier < timedelta(days=1) for earlier, later in pairwise(sorted(filter(None, moments))))
    return [] if None in moments or near else moments


def _of_moments(name: str, usage: Usage, values: Sequence[SqlLiteral], dialect: Dialect) -> tuple[Feature, str]:
    """Return a column of timestamps, also where the literals are days: the expression may lie between two."""
    scalar = "timestamp_utc" if values[0].kind == "timestamp_utc" else "timestamp"
    moments = [
        value.value.replace(tzinfo=None)
        if isinstance(value.value, datetime)
        else datetime.combine(value.value, datetime.min.time())
        for value in values
    ]
    return Feature(name, Kind.TIMESTAMP, scalar=scalar), _too_near(moments)


def _too_near(moments: Sequence[datetime]) -> str:
    near = any(later - earlier <= _MICROSECOND for earlier, later in pairwise(sorted(set(moments))))
    extreme = not all(_FIRST <= moment <= _LAST for moment in moments)
    return "is compared with moments between which, or beyond which, there may be others" if near or extreme else ""


_MAKERS = {
    "number": _of_numbers,
    "text": _of_texts,
    "date": _of_moments,
    "timestamp": _of_moments,
    "timestamp_utc": _of_moments,
}

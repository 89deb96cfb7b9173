"""The functions that emitted Python modules carry answer as those by which a Table reads values."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from inspect import isfunction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Feature
from treerules._internal import conversion
from treerules.data.schema import SCALARS, kind_of_scalar
from treerules.emit.python import runtime
from treerules.emit.python.value_loading import (
    conversion_entries,
    helper_sources,
    load_of,
    number_entries,
    reader_entries,
)


class Text(str):
    """Text of a type of its own."""

    __slots__ = ()


class Whole(int):
    """A number of a type of its own."""


class Part(float):
    """A number of a type of its own, shown at length."""

    def __repr__(self) -> str:
        return "Part" * 30


ZONES = st.builds(timezone, st.timedeltas(timedelta(hours=-23, minutes=-59), timedelta(hours=23, minutes=59)))
FLOATS = st.floats() | st.sampled_from([0.0, -0.0, 3.0, 2.0**63, -(2.0**63), 1e300, 2.0**53 + 2])
INTEGERS = (
    st.integers() | st.integers(-(2**65), 2**65) | st.sampled_from([2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**5000])
)
DECIMALS = st.decimals() | st.sampled_from(
    [Decimal("NaN"), Decimal("sNaN"), Decimal("1E+400"), Decimal("-0"), Decimal(7)]
)
DATES = st.dates() | st.sampled_from([date.min, date.max])
MOMENTS = (
    st.datetimes(timezones=st.none() | ZONES)
    | st.sampled_from([datetime.min, datetime.max])
    | st.builds(datetime.replace, st.sampled_from([datetime.min, datetime.max]), tzinfo=ZONES)
    | st.builds(lambda moment: moment.replace(fold=1), st.datetimes())
)
_TEXTS_OF_NUMBERS = (
    r"[ \t\x1c]?[+-]?[0-9]{0,21}(\.[0-9]{0,3})?([eE][+-]?[0-9]{1,3})?[ \n]?|[+-]?[iI]nf(inity)?|true|FALSE"
)
_TEXTS_OF_DAYS = r"[0-9]{4}(-[01][0-9]-[0-3][0-9]|/[0-9]{1,2}/[0-9]{1,2})"
_TEXTS_OF_MOMENTS = (
    r"(0001|2024|9999)-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9]{1,7})?)?"
    r"(Z|[+-][01][0-9](:[0-6][0-9])?)?"
)
TEXTS = st.one_of(
    st.text(),
    *(st.from_regex(text, fullmatch=True) for text in (_TEXTS_OF_NUMBERS, _TEXTS_OF_DAYS, _TEXTS_OF_MOMENTS)),
    *(values.map(str) for values in (FLOATS, st.integers(-(2**65), 2**65), DATES)),
    MOMENTS.map(datetime.isoformat),
)
NUMPY = st.one_of(
    FLOATS.map(np.float64),
    st.floats(width=32).map(np.float32),
    st.floats(-1e300, 1e300).map(np.longdouble),
    st.integers(-(2**63), 2**63 - 1).map(np.int64),
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.booleans().map(np.bool_),
    st.text(st.characters(exclude_characters="\0")).map(np.str_),
    st.builds(
        np.datetime64,
        st.integers(-(2**62), 2**62) | st.just("NaT"),
        st.sampled_from(["Y", "D", "s", "us", "ns"]),
    ),
    st.integers(-(2**40), 2**40).map(lambda n: np.timedelta64(n, "ns")),
    st.sampled_from([np.array(1.5), np.array([1, 2]), np.ma.masked]),
)
VALUES = st.one_of(
    st.none() | st.booleans(),
    *(FLOATS, INTEGERS, DECIMALS, DATES, MOMENTS, TEXTS, NUMPY),
    *(TEXTS.map(Text), st.integers(-(2**65), 2**65).map(Whole), FLOATS.map(Part)),
    st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1), timezones=st.none() | ZONES).map(pd.Timestamp),
    st.sampled_from([pd.NA, pd.NaT, object, (), [1], b"1", 1j, timedelta(1)]),
)
EAST = timezone(timedelta(hours=8))
#: Values at which a slip in a function shows, and texts of cells.
CORNERS: tuple[Any, ...] = (
    *(None, True, False, np.bool_(True), 0.0, -0.0, np.float64(-0.0), 3.0, 3.5, float("nan"), float("inf")),
    *(np.float32(0.1), np.longdouble("0.1"), np.uint64(2**64 - 1), np.str_("a"), Text("a"), Whole(7), Part(0.5)),
    *(2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**400, 10**5000, float(2**63)),
    *map(Decimal, ("NaN", "1E+400", "-0", "7", "7.5", "9223372036854775807", "9223372036854775808")),
    *(pd.NA, pd.NaT, np.ma.masked, np.datetime64("NaT", "us"), np.array(1.5), np.array([1, 2]), object, [1], "x" * 70),
    *(date.min, date.max, datetime.min, datetime.max, datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))),
    *(datetime(2024, 3, 21, 20, 21, 9, 500000), datetime(2024, 3, 21, fold=1), datetime(2024, 3, 21, tzinfo=EAST)),
    *(datetime(1969, 12, 31, 23, 59, 59, 999999), datetime.min.replace(tzinfo=EAST), pd.Timestamp(2024, 3, 21)),
    *(np.datetime64("2024-03-21"), np.datetime64("2024-03-21T20:21:09.123456789", "ns"), np.timedelta64(1, "ns")),
    *(np.datetime64(2**62, "Y"), np.datetime64(2**62, "s"), np.datetime64("2024-03-21T20:21:09.123456", "us")),
)
CORNERS_OF_CELLS = (
    *("", "7", " 7\t", "+007.00", "7.5", "-0", "-0.0", "0" * 30 + "7", "9" * 19, "9223372036854775807", "1_0", "１"),
    *("9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1e3", "1E400", ".5", "5.", ".", "\x1c7"),
    *("inf", "-Infinity", "nan", "true", "TRUE", "yes", "2024-03-21", "2024-3-21", "2024/3/21", "2024/13/1"),
    *("0000-01-01", "2024-02-30", "2024-03-21 20:21", "2024-03-21T20:21:09", "2024-03-21 20:21:09.5"),
    *("2024-03-21 20:21:09.123456", "2024-03-21 20:21:09.1234567", "2024-03-21 24:00", "2024-03-21 20:21:60"),
    *("2024-03-21 20:21Z", "2024-03-21 20:21+08", "2024-03-21 20:21-08:30", "2024-03-21 20:21+16:00"),
    *("0001-01-01 00:00+01:00", "9999-12-31 23:59-01:00", "2024-03-21 20:21+08:60", "2024-03-21  20:21"),
)


def _number(value: Any, column: str) -> Any:
    """Return a number of a new row, where True is 1."""
    return float(value) if isinstance(value, bool | np.bool_) else SCALARS["number"].convert(value, column)


#: Each function by which a Table reads values, beside the one that modules carry.
CONVERSIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "number": (_number, runtime.number),
    "integer": (conversion.to_new_integer, runtime.integer),
    "boolean": (SCALARS["boolean"].convert, runtime.boolean),
    "text": (SCALARS["text"].convert, runtime.text),
    "date": (SCALARS["date"].convert, runtime.day),
    "timestamp": (SCALARS["timestamp"].convert, lambda value, column: runtime.moment(value, column, False)),
    "timestamp_utc": (
        SCALARS["timestamp_utc"].convert,
        lambda value, column: runtime.moment(value, column, True),
    ),
}


def _between(cell: str) -> float | None:
    """Return the number of a cell that no integer of 64 bits is, within their range."""
    number = conversion.parse_number(cell)
    return number if number is not None and -(2.0**63) <= number < 2.0**63 else None


CELLS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "number": (conversion.parse_number, runtime.spelled_number),
    "integer": (conversion.parse_integer, runtime.spelled_integer),
    "integer of a new row": (
        lambda cell: conversion.parse_integer(cell) if conversion.parse_integer(cell) is not None else _between(cell),
        runtime.spelled_between,
    ),
    "boolean": (conversion.parse_boolean, runtime.spelled_boolean),
    "date": (conversion.parse_date, runtime.spelled_day),
    "timestamp": (
        lambda cell: conversion.parse_timestamp(cell, False),
        lambda cell: runtime.spelled_moment(cell, False),
    ),
    "timestamp_utc": (
        lambda cell: conversion.parse_timestamp(cell, True),
        lambda cell: runtime.spelled_moment(cell, True),
    ),
}


def answered(function: Callable[..., Any], *arguments: Any) -> tuple[Any, ...]:
    """Return what a function answers, exactly: its type and text (zone, fold and sign are in it), or the error."""
    try:
        answer = function(*arguments)
    except Exception as error:
        return type(error), str(error)
    fold = getattr(answer, "fold", 0)
    return type(answer), answer.hex() if isinstance(answer, float) else answer, str(getattr(answer, "tzinfo", "")), fold


@pytest.mark.parametrize("scalar", CONVERSIONS)
def test_corners_are_read_as_a_table_reads_them(scalar: str) -> None:
    """Both give the same value of the same type, or refuse it in the same words, where a slip would show."""
    of_table, of_module = CONVERSIONS[scalar]
    for value in (*CORNERS, *CORNERS_OF_CELLS):
        assert answered(of_module, value, "x") == answered(of_table, value, "x"), repr(value)[:80]
    of_table, of_module = CELLS.get(scalar, (str, str))
    for cell in CORNERS_OF_CELLS:
        assert answered(of_module, cell) == answered(of_table, cell), cell


@pytest.mark.parametrize("scalar", CONVERSIONS)
@given(value=VALUES, column=st.text(max_size=3))
def test_a_module_reads_values_as_a_table_does(scalar: str, value: Any, column: str) -> None:
    """Both give the same value of the same type, or refuse it in the same words."""
    of_table, of_module = CONVERSIONS[scalar]
    assert answered(of_module, value, column) == answered(of_table, value, column)


@pytest.mark.parametrize("scalar", CELLS)
@given(cell=TEXTS)
def test_a_module_reads_cells_as_a_table_does(scalar: str, cell: str) -> None:
    """Both take a text for the same value, or for none."""
    of_table, of_module = CELLS[scalar]
    assert answered(of_module, cell) == answered(of_table, cell)


@given(VALUES)
def test_a_module_knows_missing_values_as_a_table_does(value: Any) -> None:
    """Both give the same Python value."""
    assert answered(runtime.plain, value) == answered(conversion.unwrap_scalar, value)


@given(DATES | MOMENTS)
def test_a_module_places_moments_as_numpy_does(value: Any) -> None:
    """Both count the same days or microseconds since 1970; a missing value has no place."""
    local = value.replace(tzinfo=None) if isinstance(value, datetime) else value
    assert runtime.placed(value) == np.datetime64(local).astype(np.int64)
    assert runtime.placed(None) is None


@pytest.mark.parametrize("scalar", SCALARS)
def test_what_is_called_is_carried(scalar: str) -> None:
    """The functions that the code of a module calls are among those that are pasted."""
    feature = Feature("x", kind_of_scalar(scalar), scalar=scalar)
    rest = {name: value for name, value in vars(runtime).items() if not isfunction(value)}
    of_module = {"known": lambda value, hole: value, "MISSING": None, "FEATURES": ["x"], "f0": None}
    for cells in (True, False):
        names = {**rest, **of_module}
        exec("\n\n\n".join(helper_sources([feature], cells=cells)), names)
        eval(load_of(0, feature).converted, names)
        if cells:
            readers = eval("{" + ", ".join(reader_entries([feature])) + "}", names)
            assert [reader("?") for reader in readers.values()] == [None] * (scalar != "text")
        else:
            tables = [
                eval("{" + ", ".join(entries) + "}", names)
                for entries in (conversion_entries([feature]), number_entries([feature]))
            ]
            assert [function(None, "x") for table in tables for function in table.values()]

"""The functions that plain Python modules carry. Their source is pasted into a module that uses them.

COLUMNS is the table of the module that has the type of each column, and DOMAIN has what is declared of some. Names and
texts are part of what is emitted, so they stay as they are. The functions need nothing but Python 3.8. Dates,
timestamps and integers that no float holds are loaded by functions of `runtime`.

A module carries one of these, as `value`: the first if its columns are text and booleans, the second if it has numbers.
`top` is the greatest integer of 64 bits for a column of integers. A truth value is 0 or 1 for a number, and no integer.
"""

from collections.abc import Mapping
from typing import Any

COLUMNS: Mapping[str, Any] = {}
DOMAIN: Mapping[str, str] = {}


def value(row: Any, name: Any) -> Any:
    """Return the value of a row in a column, None if it is missing."""
    if (got := row.get(name)) is None or type(got).__name__ == "NAType" or got != got:
        return None
    got = bool(got) if "bool" in type(got).__name__ else got
    if not isinstance(got, COLUMNS[name]):
        raise TypeError(f"column {name!r} cannot hold {got!r}")
    return got


def value_or_number(row: Any, name: Any, top: Any = float("inf")) -> Any:
    """Return the value of a row in a column, None if it is missing."""
    kind, got = COLUMNS[name], row.get(name)
    if got is None or type(got).__name__ == "NAType" or got != got:
        return None
    truth, real = "bool" in type(got).__name__, hasattr(got, "__float__")
    real = top > 2**63 if truth else real and type(got).__name__ != "Fraction"
    huge = isinstance(got, int) and abs(got) >= 2**1024 - 2**970  # float() overflows
    fits = real and -top - 1 <= got <= top if kind is float else isinstance(got, kind)
    if (fits and not huge) or (truth and kind is bool):
        return kind(got)
    raise TypeError(f"column {name!r} cannot hold {'a huge number' if huge else got!r}")


def outside(row: Any, name: Any) -> Any:
    """Return the error for a value outside the declared domain."""
    problem = f"column {name!r} is {row.get(name)!r}, outside the declared domain"
    return ValueError(f"{problem}: {DOMAIN[name]}")

"""A row as Python code, to be pasted into a program."""

from collections.abc import Mapping
from typing import Any


def row_text(row: Mapping[str, Any]) -> str:
    """Return a row as a Python dict literal; dates and timestamps need `import datetime`.

    >>> from datetime import date
    >>> row_text({"x": float("inf"), "城市": "北京", "day": date(2024, 3, 21), "n": None})
    "{'x': float('inf'), '城市': '北京', 'day': datetime.date(2024, 3, 21), 'n': None}"
    """
    return "{" + ", ".join(f"{name!r}: {_python(value)}" for name, value in row.items()) + "}"


def _python(value: Any) -> str:
    if isinstance(value, float) and not abs(value) < float("inf"):
        return f"float('{value!r}')"
    return repr(value)

"""A row as it can be pasted: a Python dict."""

from collections.abc import Mapping
from typing import Any


def row_text(row: Mapping[str, Any]) -> str:
    """Return a row as Python writes it; dates and timestamps ask for `import datetime`.

    >>> from datetime import date
    >>> row_text({"x": float("inf"), "城市": "北京", "day": date(2024, 3, 21), "n": None})
    "{'x': float('inf'), '城市': '北京', 'day': datetime.date(2024, 3, 21), 'n': None}"
    """
    return "{" + ", ".join(f"{name!r}: {_python(value)}" for name, value in row.items()) + "}"


def _python(value: Any) -> str:
    if isinstance(value, float) and not abs(value) < float("inf"):
        return f"float('{value!r}')"
    return repr(value)

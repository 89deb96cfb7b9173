"""Make a row that shows a difference smaller, and write rows as calls that can be pasted."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treerules.rules.row_text import row_text

Row = Mapping[str, Any]
#: Returns for each row whether it shows the difference.
Shows = Callable[[Sequence[Row]], list[bool]]

#: The number of steps, each of which removes as many values as it can.
_STEPS = 8
#: With more values than this the single values are not tried.
_MOST_KEYS = 300


def minimise_row(row: Row, names: Sequence[str], shows: Shows) -> dict[str, Any]:
    """Return the row without values that the difference does not need.

    First all values but those of `names` are removed, the features of the rule that fires; then the others in steps.
    """
    smaller = {name: value for name, value in row.items() if value is not None}
    if not shows([smaller])[0]:  # some code needs the keys of missing values too
        smaller = dict(row)
    of_rule = {name: smaller[name] for name in names if name in smaller}
    smaller = of_rule if len(of_rule) < len(smaller) and shows([of_rule])[0] else smaller
    for _ in range(_STEPS if len(smaller) <= _MOST_KEYS else 0):
        still_shown = shows([_without(smaller, [name]) for name in smaller])
        removable = [name for name, is_shown in zip(smaller, still_shown, strict=True) if is_shown]
        if not removable:
            break
        candidates = [_without(smaller, removable[:n]) for n in range(1, len(removable) + 1)]
        smaller = [row for row, is_shown in zip(candidates, shows(candidates), strict=True) if is_shown][-1]
    return smaller


def _without(row: Row, names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def python_call(row: Row) -> str:
    """Return a row as a call of a Python module.

    >>> python_call({"x": float("inf"), "c": None})
    "predict({'x': float('inf'), 'c': None})"
    """
    return f"predict({row_text(row)})"


def javascript_call(row: Row) -> str:
    """Return a row as a call of an ES module.

    >>> javascript_call({"x": float("-inf"), "n": 2**53 + 1, "c": None})
    'predict({"x": -Infinity, "n": 9007199254740993n, "c": null})'
    """
    cells = ", ".join(f"{_key(name)}: {_javascript(value)}" for name, value in row.items())
    return "predict({" + cells + "})"


def _key(name: str) -> str:
    return f"[{json.dumps(name)}]" if name == "__proto__" else json.dumps(name, ensure_ascii=not _is_storable(name))


def _is_storable(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" or c in "\u2028\u2029" for c in text)


def _javascript(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value)) or repr(value)
    if isinstance(value, int):
        return f"{value}n" if abs(value) > 2**53 - 1 else str(value)
    text = value if isinstance(value, str) else value.isoformat()
    return json.dumps(text, ensure_ascii=not _is_storable(text))

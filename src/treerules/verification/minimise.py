"""The row that shows a difference: made as small as it can be cheaply, and written so that it can be pasted."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treerules.rules.row_text import row_text

Row = Mapping[str, Any]
#: Whether each of some rows shows the difference.
Shows = Callable[[Sequence[Row]], list[bool]]

#: So often a row is made smaller: one step takes as many values as it can.
_STEPS = 8
#: Of so many values each is tried.
_MOST_KEYS = 300


def minimise_row(row: Row, asked: Sequence[str], shows: Shows) -> dict[str, Any]:
    """Return the row without the values that the difference does not need, tried many at once.

    First all but the `asked` go, those of the rule that fires; then one after another what can.
    """
    found = {name: value for name, value in row.items() if value is not None}
    if not shows([found])[0]:  # some code needs the keys of missing values too
        found = dict(row)
    alone = {name: found[name] for name in asked if name in found}
    found = alone if len(alone) < len(found) and shows([alone])[0] else found
    for _ in range(_STEPS if len(found) <= _MOST_KEYS else 0):
        names = list(found)
        without = shows([_without(found, [name]) for name in names])
        spare = [name for name, still in zip(names, without, strict=True) if still]
        if not spare:
            break
        some = [_without(found, spare[:n]) for n in range(1, len(spare) + 1)]
        found = [less for less, still in zip(some, shows(some), strict=True) if still][-1]
    return found


def _without(row: Row, names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def python_call(row: Row) -> str:
    """Return a call that asks a Python module.

    >>> python_call({"x": float("inf"), "c": None})
    "predict({'x': float('inf'), 'c': None})"
    """
    return f"predict({row_text(row)})"


def javascript_call(row: Row) -> str:
    """Return a call that asks an ES module.

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

"""Rows and answers as lines of JSON without loss; run as a script, the process that answers them.

    python -I -B protocol.py MODULE ROWS ANSWERS    imports MODULE, and writes the answers of its predict(row) as lines

It needs the standard library alone, since it runs in a process of its own, with code of the user.
"""

import importlib.util
import json
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any


def to_cell(value: Any) -> Any:
    """Return a value as JSON: numbers as text, so that infinities, NaN and long integers keep their values.

    >>> to_cell(float("inf")), to_cell(2**53 + 1), to_cell(date(2024, 3, 21)), to_cell(None)
    (['number', 'inf'], ['integer', '9007199254740993'], ['date', '2024-03-21'], None)
    """
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return ["text", str.__str__(value)]
    if isinstance(value, int):
        return ["integer", str(int(value))]
    if isinstance(value, float):
        return ["number", repr(float(value))]
    if isinstance(value, datetime):
        return ["timestamp", value.isoformat()]
    return ["date", value.isoformat()] if isinstance(value, date) else ["other", repr(value)[:200]]


def from_cell(cell: Any) -> Any:
    """Return the value of a cell that `to_cell` made."""
    if not isinstance(cell, list):
        return cell
    kind, text = cell
    makes: dict[str, Any] = {
        "integer": int,
        "number": float,
        "timestamp": datetime.fromisoformat,
        "date": date.fromisoformat,
    }
    return makes[kind](text) if kind in makes else text


def row_line(row: Any) -> str:
    """Return a row as a line of JSON."""
    return json.dumps([[name, to_cell(value)] for name, value in row.items()]) + "\n"


def error_line(error: BaseException) -> str:
    """Return an error in one line: its class and its message."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _answer(predict: Any, line: str) -> Any:
    row = {name: from_cell(cell) for name, cell in json.loads(line)}
    try:
        return to_cell(predict(row))
    except BaseException as error:
        return ["raised", error_line(error)]


def _module(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("verified", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["verified"] = module
    spec.loader.exec_module(module)
    return module


def _serve(path: str, rows: str, answers: str) -> None:
    with Path(answers).open("w", encoding="utf-8", newline="\n") as out, Path(rows).open(encoding="utf-8") as lines:
        try:
            predict = getattr(_module(path), "predict", None)
        except BaseException as error:
            out.write(json.dumps(["failed", error_line(error)]) + "\n")
            return
        if not callable(predict):
            out.write(json.dumps(["failed", "it has no function predict(row)"]) + "\n")
            return
        for line in lines:
            out.write(json.dumps(_answer(predict, line)) + "\n")
            out.flush()  # so that a row without an answer can be named


if __name__ == "__main__":
    _serve(*sys.argv[1:])

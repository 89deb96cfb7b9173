"""Rows and answers as lines of JSON without loss; run as a script, the process that answers them.

    python -I -B protocol.py MODULE ROWS ANSWERS    imports MODULE, and writes the answers of its predict(row) as lines

A vectorised module, whose predict(columns) answers many rows at once, is asked by columns of them.

It needs the standard library alone, since it runs in a process of its own, with code of the user.
"""

import importlib.util
import inspect
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


def row_of(line: str) -> Any:
    """Return the row of a line that `row_line` made."""
    return {name: from_cell(cell) for name, cell in json.loads(line)}


def takes_columns(module: Any) -> bool:
    """Return whether a module is vectorised: it has FEATURES and predict(columns)."""
    try:
        return next(iter(inspect.signature(module.predict).parameters), "") == "columns" and hasattr(module, "FEATURES")
    except (TypeError, ValueError):  # a function that has no signature
        return False


def column_answers(module: Any, rows: Any, answered: Any, raised: Any) -> Any:
    """Return the answers of a vectorised module to rows, in their order; where a row of many raises, by halves.

    `answered` makes an answer of a value, `raised` one of an error.
    """
    columns = {name: [row.get(name) for row in rows] for name in module.FEATURES} or {"": [None] * len(rows)}
    try:
        found = module.predict(columns)
        values = list(found.tolist() if hasattr(found, "tolist") else found)
        if len(values) != len(rows):
            raise ValueError(f"it answers {len(rows)} rows with {len(values)} values")
        return list(map(answered, values))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if len(rows) == 1:
            return [raised(error)]
    half = len(rows) // 2
    return [part for some in (rows[:half], rows[half:]) for part in column_answers(module, some, answered, raised)]


def _raised(error: BaseException) -> Any:
    return ["raised", error_line(error)]


def _answer(predict: Any, line: str) -> Any:
    try:
        return to_cell(predict(row_of(line)))
    except BaseException as error:
        return _raised(error)


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
            module = _module(path)
            predict = getattr(module, "predict", None)
        except BaseException as error:
            out.write(json.dumps(["failed", error_line(error)]) + "\n")
            return
        if not callable(predict):
            out.write(json.dumps(["failed", "it has no function predict(row)"]) + "\n")
            return
        if takes_columns(module):
            asked = list(map(row_of, lines))
            cells = column_answers(module, asked, to_cell, _raised) if asked else []
            out.writelines(json.dumps(cell) + "\n" for cell in cells)
            return
        for line in lines:
            out.write(json.dumps(_answer(predict, line)) + "\n")
            out.flush()  # so that a row without an answer can be named


if __name__ == "__main__":
    _serve(*sys.argv[1:])

"""Read a row that a user pastes: JSON, or the Python dict that a check prints."""

import ast
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from treerules.data.schema import Schema
from treerules.errors import OptionError, TreeRulesError, did_you_mean
from treerules.trees.json_values import reader_of

_WANTED = """a row as JSON, such as '{"age": 31}', or as the Python dict that a check prints"""
#: The functions that a row in Python may call, by their names in the text.
_CALLS = {
    "float": float,
    "date": date,
    "datetime": datetime,
    "datetime.date": date,
    "datetime.datetime": datetime,
}
_NAMES = {"UTC": UTC, "datetime.UTC": UTC, "datetime.timezone.utc": UTC, "timezone.utc": UTC}


def row_from_text(text: str, schema: Schema) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the row that a text describes, and the names in it that the schema does not have.

    Dates and timestamps in JSON are ISO text, infinities "inf" and "-inf". Nothing in the text is executed.

    >>> from treerules.data.schema import Feature
    >>> schema = Schema([Feature("day", "date"), Feature("x", "number")])
    >>> row_from_text('{"day": "2024-03-21", "x": "inf", "id": 7}', schema)
    ({'day': datetime.date(2024, 3, 21), 'x': inf}, ('id',))
    >>> row_from_text("{'day': datetime.date(2024, 3, 21), 'x': float('inf')}", schema)[0]["x"]
    inf

    Raises:
        OptionError: the text is not a row, or a value is not of the kind of its column.
    """
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = _python_literal(text)
    if not isinstance(row, Mapping) or not all(isinstance(name, str) for name in row):
        raise OptionError("row", text[:200], _WANTED)
    values = {name: _value(schema, name, value) for name, value in row.items() if name in schema.indices}
    return values, tuple(name for name in row if name not in values)


def unknown_column_text(name: str, schema: Schema) -> str:
    """Return a message about a name that the schema does not have."""
    return f"no rule has a condition on column {name!r}; {did_you_mean(name, schema.indices)}it is ignored"


def _value(schema: Schema, name: str, value: Any) -> Any:
    scalar = schema.feature(name).scalar
    if not isinstance(value, str) or scalar not in ("number", "date", "timestamp", "timestamp_utc"):
        return value
    try:
        return reader_of(scalar)(value)
    except (TreeRulesError, ValueError) as error:
        example = {"number": '3.5 or "inf"', "date": '"2024-03-21"'}.get(scalar, '"2024-03-21T08:00:00"')
        raise OptionError(
            f"column {name!r} of the row", value, f"a value of kind {scalar}, such as {example}"
        ) from error


def _python_literal(text: str) -> Any:
    """Return the value of a Python literal that may call date, datetime and float; None for any other text."""
    try:
        return _literal_value(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError):
        return None


def _literal_value(node: ast.expr) -> Any:
    if isinstance(node, ast.Dict):
        keys = [_literal_value(key) if key is not None else None for key in node.keys]
        return dict(zip(keys, [_literal_value(value) for value in node.values], strict=True))
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ast.unparse(node)
    if isinstance(node, ast.Call) and name in _CALLS:
        keywords: dict[str, Any] = {word.arg or "": _literal_value(word.value) for word in node.keywords}
        return _CALLS[name](*[_literal_value(argument) for argument in node.args], **keywords)
    return _NAMES[name] if name in _NAMES else ast.literal_eval(node)

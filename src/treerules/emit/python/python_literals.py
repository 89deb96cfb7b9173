"""Python literals of values and of nested plain data, formatted as `ruff format` does."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from treerules._internal.unicode import escape_hidden_characters

#: The longest line, in columns.
WIDTH = 88
INDENT = "    "


class Braces(tuple[Any, ...]):
    """Values that are written as a set, in this order."""


def python_literal(value: Any) -> str:
    """Return a Python expression for a value. It evaluates to exactly that value and has only printable characters.

    >>> python_literal("it's"), python_literal(0.1), python_literal(float("-inf")), python_literal(date(2024, 3, 21))
    ('"it\\'s"', '0.1', '-INF', 'date(2024, 3, 21)')
    """
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return number_text(repr(value))
    if isinstance(value, datetime):
        fields = [value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond]
        zone = ", UTC" if value.tzinfo else ""
        return f"datetime({', '.join(map(str, fields))}{zone})"
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return repr(value)


def number_text(text: str) -> str:
    """Return the `repr` of a number as Python code.

    >>> number_text("1e+300"), number_text("-inf")
    ('1e300', '-INF')
    """
    return text.replace("e+", "e").replace("inf", "INF")


def _quoted(text: str) -> str:
    """Return a text in double quotes, or in single quotes if those need fewer backslashes."""
    inner = escape_hidden_characters(
        repr('"' + text)[2:-1]
    )  # for a text with a double quote, `repr` uses single quotes and escapes those
    if text.count('"') > text.count("'"):
        return f"'{inner}'"
    return '"' + inner.replace("\\'", "'").replace('"', '\\"') + '"'


def assignment(name: str, value: Any, annotation: str = "") -> str:
    """Return the statement that gives plain data (tuples, lists and mappings of literals) a name.

    >>> assignment("A", ("a", 1))
    'A = ("a", 1)'
    >>> assignment("A", ["a" * 70, {"b": 1}], "list[Any]").splitlines()[2:]
    ['    {"b": 1},', ']']
    """
    start = f"{name}: {annotation} = " if annotation else f"{name} = "
    expression = _expression(value, 0, len(start))
    is_atom = not isinstance(value, (tuple, list, Mapping))
    if is_atom and len(start) + len(expression) > WIDTH >= len(INDENT) + code_width(expression):
        return f"{start}(\n{INDENT}{expression}\n)"
    return start + expression


def _expression(value: Any, depth: int, before: int, after: int = 0) -> str:
    """Return plain data on one line if it fits, otherwise with one line for each entry.

    `before` and `after` are the columns in front of it and behind it; `depth` is that of its indent.
    """
    flat = _flat(value)
    if not isinstance(value, (tuple, list, Mapping)) or not value or before + code_width(flat) + after <= WIDTH:
        return flat
    is_braced = isinstance(value, (Mapping, Braces))
    opening, closing = ("{", "}") if is_braced else ("[", "]") if isinstance(value, list) else ("(", ")")
    indent = INDENT * (depth + 1)
    if isinstance(value, Mapping):
        keys = [f"{python_literal(key)}: " for key in value]
        entries = [
            key + _expression(entry, depth + 1, len(indent) + code_width(key), 1)
            for key, entry in zip(keys, value.values(), strict=True)
        ]
    else:
        entries = [_expression(entry, depth + 1, len(indent), 1) for entry in value]
    return f"{opening}\n" + "".join(f"{indent}{entry},\n" for entry in entries) + f"{INDENT * depth}{closing}"


def _flat(value: Any) -> str:
    """Return plain data on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{python_literal(key)}: {_flat(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, Braces):
        return f"{{{', '.join(map(_flat, value))}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    if isinstance(value, tuple):
        return f"({_flat(value[0])},)" if len(value) == 1 else f"({', '.join(map(_flat, value))})"
    return python_literal(value)


def code_width(text: str) -> int:
    """Return the number of columns that a formatter counts for a text: two for each wide character of East Asia."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def block_text(lines: Iterable[str]) -> str:
    r"""Return lines as the inside of a string in three double quotes, which evaluates to exactly these lines.

    >>> block_text(['a\\b', 'say \"\"\"'])
    'a\\\\b\nsay \\x22\\x22\\x22'
    """
    return escape_hidden_characters("\n".join(lines).replace("\\", "\\\\").replace('"""', "\\x22" * 3))


def type_name(value: Any) -> str:
    """Return the name of the type of a literal, as an annotation has it.

    >>> type_name(1), type_name("a"), type_name(date.min)
    ('int', 'str', 'date')
    """
    return type(value).__name__


#: The longest line, in bytes, that Python 3.8 and 3.9 read whole without knowing the encoding of the file.
_LONGEST_UNDECLARED = 8000


def with_encoding(module: str) -> str:
    """Return a module that declares its encoding, if it needs to.

    Python before 3.10 reads files by blocks of 8 KB until it knows the encoding, and refuses a character that lies in
    two of them.
    """
    if module.isascii() or all(len(line.encode()) <= _LONGEST_UNDECLARED for line in module.split("\n")):
        return module
    first, rest = module.split("\n", 1)
    return f"{first}\n# -*- coding: utf-8 -*-\n{rest}"

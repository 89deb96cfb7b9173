"""Python literals as `ruff format` would write them, of values and of nested plain data."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from treerules._internal.unicode import fixed

#: The longest line that a formatter leaves as it is.
WIDTH = 88
INDENT = "    "


class Braces(tuple[Any, ...]):
    """Values that are written as a set, in their order."""


def python_literal(value: Any) -> str:
    """Return a Python expression of a value: it reads back exactly, and holds no character that cannot be printed.

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
    """Return a text in double quotes, in single ones where those need fewer backslashes."""
    inner = fixed(repr('"' + text)[2:-1])  # with a double quote inside, `repr` takes single ones, and escapes those
    if text.count('"') > text.count("'"):
        return f"'{inner}'"
    return '"' + inner.replace("\\'", "'").replace('"', '\\"') + '"'


def assigned(name: str, value: Any, kind: str = "") -> str:
    """Return the statement that gives plain data (tuples, lists, mappings of literals) a name.

    >>> assigned("A", ("a", 1))
    'A = ("a", 1)'
    >>> assigned("A", ["a" * 70, {"b": 1}], "list[Any]").splitlines()[2:]
    ['    {"b": 1},', ']']
    """
    start = f"{name}: {kind} = " if kind else f"{name} = "
    said = _laid(value, 0, len(start))
    is_atom = not isinstance(value, (tuple, list, Mapping))
    if is_atom and len(start) + len(said) > WIDTH >= len(INDENT) + width(said):
        return f"{start}(\n{INDENT}{said}\n)"
    return start + said


def _laid(value: Any, depth: int, before: int, after: int = 0) -> str:
    """Return plain data on one line where it fits between what is before and after it, else a line an entry."""
    flat = _flat(value)
    if not isinstance(value, (tuple, list, Mapping)) or not value or before + width(flat) + after <= WIDTH:
        return flat
    is_braced = isinstance(value, (Mapping, Braces))
    opening, closing = ("{", "}") if is_braced else ("[", "]") if isinstance(value, list) else ("(", ")")
    indent = INDENT * (depth + 1)
    if isinstance(value, Mapping):
        keys = [f"{python_literal(key)}: " for key in value]
        entries = [
            key + _laid(entry, depth + 1, len(indent) + width(key), 1)
            for key, entry in zip(keys, value.values(), strict=True)
        ]
    else:
        entries = [_laid(entry, depth + 1, len(indent), 1) for entry in value]
    return f"{opening}\n" + "".join(f"{indent}{entry},\n" for entry in entries) + f"{INDENT * depth}{closing}"


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{python_literal(key)}: {_flat(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, Braces):
        return f"{{{', '.join(map(_flat, value))}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    if isinstance(value, tuple):
        return f"({_joined(map(_flat, value))})"
    return python_literal(value)


def _joined(entries: Iterable[str]) -> str:
    found = list(entries)
    return f"{found[0]}," if len(found) == 1 else ", ".join(found)


def width(text: str) -> int:
    """Return how many columns a formatter counts for a text: two for the wide characters of East Asia."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def block_text(lines: Iterable[str]) -> str:
    r"""Return lines as the inside of a string in three double quotes, which reads back as they are.

    >>> block_text(['a\\b', 'say \"\"\"'])
    'a\\\\b\nsay \\x22\\x22\\x22'
    """
    return fixed("\n".join(lines).replace("\\", "\\\\").replace('"""', "\\x22" * 3))


def typed(value: Any) -> str:
    """Return the name of the type of a literal, as an annotation names it.

    >>> typed(1), typed("a"), typed(date.min)
    ('int', 'str', 'date')
    """
    return type(value).__name__

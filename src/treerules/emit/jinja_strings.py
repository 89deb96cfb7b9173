"""The user's text in files that dbt renders: as strings of jinja and of YAML."""

import re
from itertools import groupby

from treerules._internal.unicode import is_shown


def jinja_string(text: str) -> str:
    r"""Return text as a string of a jinja expression, in one line and without jinja's special characters.

    >>> jinja_string("it's {% 中 %}\n") == r'''"it's \x7b\x25 中 \x25\x7d\x0a"'''
    True
    """
    return '"' + "".join([c if is_shown(c) and c not in _ACTIVE else _escape(c) for c in text]) + '"'


_ACTIVE = frozenset('"\\{}%#')


def _escape(character: str) -> str:
    """Return an escape that Python, jinja and YAML read alike."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def yaml_string(text: str) -> str:
    r"""Return text as a double quoted YAML scalar, which is never read as a date, a number or a boolean.

    >>> yaml_string('a: "b"\n') == r'''"a: \"b\"\x0a"'''
    True
    """
    escapes = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join([escapes.get(c) or (c if is_shown(c) else _escape(c)) for c in text]) + '"'


def jinja_expression(text: str) -> str:
    """Return a jinja expression that prints a text."""
    return "{{ " + jinja_string(text) + " }}"


def jinja_text(text: str) -> str:
    """Return text that jinja prints unchanged: braces and unprintable characters are in string expressions."""
    return re.sub(r"[{}]+|[^\n -~]+", lambda match: _jinja_run(match[0]), text)


def _jinja_run(text: str) -> str:
    """Return braces, or characters beyond printable ASCII, as jinja text; printable ones are kept."""
    runs = ((is_plain, "".join(cs)) for is_plain, cs in groupby(text, lambda c: is_shown(c) and c not in "{}"))
    return "".join([run if is_plain else jinja_expression(run) for is_plain, run in runs])

"""Names and texts that could break out of emitted code."""

from collections.abc import Sequence
from typing import Any

import pytest

from treerules import Table, Tree, cart, learn

ATTACKS = [
    "a\nb", "\r", "\r\n", "'", '"', "'''", '"""', "\\", "\\\\'", "'); DROP TABLE t;--", 'x" OR 1=1 --', "*/", "--", "#",
    "{{7*7}}", "{% raw %}", "{x}", "%s", "%(a)s", ":p", "?", "$1", "$$", "<script>alert(1)</script>",
    '"><img src=x onerror=1>', "&lt;", "]]>", "\x1a", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", " ", "x" * 10_000,
    "class", "TRUE",
    "False", "None", "match", "type", "__import__('os')", "__class__", "self", "row", "predict", "_fired", "f0", "NAN",
    "ﬁeld", "field", "ｘ", "x²", "é", "e\u0301", "A", "1", "1.0", "True", "nan", "=1+1", "`", "``", "''", '""', "text",
]  # fmt: skip
#: What SQL text cannot hold, and what DuckDB cannot.
UNSTORABLE = ["\0", "a\0b", "\ud800"]


def attack_parameters(attacks: Sequence[str]) -> list[Any]:
    """Return texts for pytest.mark.parametrize: every eighth runs by default, the others are marked `large`."""
    return [
        attack if place % 8 == 0 else pytest.param(attack, marks=pytest.mark.large)
        for place, attack in enumerate(attacks)
    ]


def attacked(name: str, category: str, label: str) -> Tree:
    """Return a tree with these as column, category and label."""
    other = "other" if category != "other" else "another"
    data = {name: [category, category, *[other] * 3], "label of it": [label, label, *[label + "2"] * 3]}
    return learn(Table.from_columns(data), target="label of it", recipe=cart())

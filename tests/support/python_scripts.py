"""Emitted Python modules as scripts: a drawn tree, its rows, and the script's output."""

import subprocess
import sys
from random import Random
from typing import Any

from strategies_random import a_schema, a_tree, some_rows
from treerules import Table, Tree, cart, learn

LOAN = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
TREE = learn(LOAN, target="类别", recipe=cart())


def run(*arguments: object, text: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    """Return what a script did that reads some text; it is checked that it shows no traceback."""
    given = text.encode() if isinstance(text, str) else text
    done = subprocess.run([sys.executable, *map(str, arguments)], input=given, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr, done.stderr
    return done


def drawn(seed: int, n_splits: int = 60) -> tuple[Tree, list[dict[str, Any]]]:
    """Return a tree over up to six features of any kinds, and rows at its boundaries."""
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(1, 6)), n_splits)
    return tree, some_rows(random, tree, 60)

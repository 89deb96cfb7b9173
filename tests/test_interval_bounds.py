"""Who may read the bounds of an interval: whoever else asks which values a condition takes asks a ValueSet."""

import ast
from pathlib import Path

import treerules

SOURCE = Path(treerules.__file__).parent

#: The folders that hold values, rules and their geometry, and the emitters' spelling of conditions.
MAY_READ_BOUNDS = (
    *("data/", "rules/", "regions/"),
    *("emit/predicates.py", "emit/python/statements.py", "emit/hashed_text.py"),
)


def readers_of_bounds() -> set[str]:
    """Return the files below treerules that read `.above` or `.upto` of anything."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(
            isinstance(node, ast.Attribute) and node.attr in ("above", "upto")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }


def test_bounds_of_intervals_are_read_in_few_places() -> None:
    """Only data/, rules/, regions/ and the emitters' conditions read `.above` and `.upto`."""
    others = {name for name in readers_of_bounds() if not name.startswith(MAY_READ_BOUNDS)}
    assert not others

"""Who may read the bounds of an interval: whoever else asks which values a condition takes asks a ValueSet."""

import ast
from pathlib import Path

import treerules
from sources import files_with, syntax_nodes

SOURCE = Path(treerules.__file__).parent

#: The folders that hold values, rules and their geometry, and the emitters' spelling of conditions.
MAY_READ_BOUNDS = (
    *("data/", "rules/", "regions/"),
    *("emit/predicates.py", "emit/python/statements.py", "emit/hashed_text.py"),
    *("emit/javascript_statements.py", "emit/python/plain_loading.py"),  # plain modules
    "report/unsaid_lines.py",  # the words of a range below the rules
    "trees/json_values.py",  # intervals in model files
    "importers/sklearn_inputs.py",  # bounds of tests, each looked up behind the steps of a pipeline
)


def readers_of_bounds() -> set[str]:
    """Return the files below treerules that read `.above` or `.upto` of anything."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in files_with(SOURCE, r"\.(above|upto)\b")
        if any(isinstance(node, ast.Attribute) and node.attr in ("above", "upto") for node in syntax_nodes(path))
    }


def test_bounds_of_intervals_are_read_in_few_places() -> None:
    """Only data/, rules/, regions/ and the emitters' conditions read `.above` and `.upto`."""
    others = {name for name in readers_of_bounds() if not name.startswith(MAY_READ_BOUNDS)}
    assert not others

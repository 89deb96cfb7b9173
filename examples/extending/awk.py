"""A language of your own: AWK, as a record that spells values and conditions, and a template that prints lines.

The emitted program reads a table with tabs between cells, of columns of numbers and text, and prints a prediction for
each row.

    python examples/extending/awk.py > rules.awk
"""

import re
import sys
from pathlib import Path

from treerules import cart, learn, read
from treerules.emit import to_code
from treerules.sql.language import Language

TEMPLATES = Path(__file__).parent / "awk"


def awk_text(text: str) -> str:
    """Return text in quotes: in parts, as mawk takes at most 8 KB of source between two quotes."""
    parts = [text[start : start + 1000] for start in range(0, len(text), 1000)] or [""]
    escaped = (re.sub(r'[\0-\37"\\/\177]', lambda match: f"\\{ord(match[0]):03o}", part) for part in parts)
    return " ".join(f'"{part}"' for part in escaped)


def awk_number(value: float) -> str:
    """Return a number that reads back exactly; mawk reads one below the normal doubles as text alone."""
    return f'("{value!r}" + 0)' if 0 < abs(value) < sys.float_info.min else repr(value)


#: A missing cell is "", which awk takes for less than any number: so each comparison asks for it too. Text ends in a
#: dot, so that none is "" and none looks like a number, which awk would compare as one.
AWK = Language(
    name="awk",
    column="f[{index}]",
    text=awk_text,
    number=awk_number,
    text_end=".",
    at_most='({0} != "" && {0} <= {1})',
    above='({0} != "" && {0} > {1})',
    equal="{} == {}",
    differs='({0} != "" && {0} != {1})',
    among=None,
    not_among=None,
    missing='{} == ""',
    known='{} != ""',
    both=" && ",
    either=" || ",
    no="!({})",
    always="1",
    never="0",
)

if __name__ == "__main__":
    tree = learn(read("examples/loan.csv"), target="类别", recipe=cart())
    print(to_code(tree, AWK, template="rules.awk.j2", templates=TEMPLATES))

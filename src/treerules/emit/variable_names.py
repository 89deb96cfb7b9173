"""Variables of emitted code that are named like columns: identifiers of Python as of JavaScript."""

import re
from collections.abc import Iterable
from unicodedata import normalize

from treerules._internal.unicode import is_of_words
from treerules.emit.python.python_literals import code_width

#: The widest name of a variable, in columns of 88.
_WIDEST = 24


def variable_names(columns: Iterable[str], reserved: Iterable[str]) -> dict[str, str]:
    """Return a variable for each column: its name where that is an identifier, otherwise what is most like it.

    Characters that identifiers lack become `_`, wide names are cut, and a name that is taken gets a number. Names are
    in the normal form NFKC, in which Python compares them. What is an identifier of Python is one of JavaScript.

    Args:
        columns: the names of the columns, which differ.
        reserved: the names that no variable may have, among them the keywords of the language.

    >>> variable_names(["age", "annual income (k$)", "有工作", "text"], ["text"])["annual income (k$)"]
    'annual_income_k'
    >>> list(variable_names(["class", "2nd", "text", "a b", "a_b"], ["class", "text"]).values())
    ['class_', '_2nd', 'text_', 'a_b', 'a_b_2']
    """
    taken = {*reserved, *_MISLEADING}
    names: dict[str, str] = {}
    for column in columns:
        base = _identifier(column)
        found, count = (f"{base}_" if base in taken and base not in names.values() else base), 1
        while found in taken:
            count += 1
            found = f"{base}_{count}"
        taken.add(found)
        names[column] = found
    return names


#: The names of constants: dates, timestamps, sets, wide names of columns.
_CONSTANT = re.compile("[DTG][0-9]+.*|COLUMN_[0-9]+")
#: Names that a reader takes for something else.
_MISLEADING = ("_", "True", "False", "None")


def _identifier(column: str) -> str:
    """Return the identifier that is most like a name."""
    normal = normalize("NFKC", column)
    words = "".join(c if is_of_words(c) and f"_{c}".isidentifier() else "_" for c in normal)
    name = "_".join(part for part in words.split("_") if part) if words != normal else words
    name = name if name.isidentifier() else f"_{name}"
    name = f"{name}_" if _CONSTANT.fullmatch(name) else name
    while code_width(name) > _WIDEST:
        name = name[:-1]
    return name if normalize("NFKC", name) == name else "_"

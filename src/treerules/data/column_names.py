"""Names of columns with blanks at their ends: left out where text is read, and matched where names are looked up."""

import re
from collections.abc import Collection, Iterable, Sequence

from toolz import frequencies

from treerules._internal.notes import Note

#: Characters that are left out at the ends of names: space, tab, no-break space, ideographic space.
BLANKS = " \t\u00a0\u3000"


def stripped(name: str) -> str:
    """Return a name without blanks at its ends."""
    return name.strip(BLANKS)


def stripped_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names without blanks at their ends; those that would become equal stay as they are.

    >>> stripped_names([" age ", "a", "a "])
    ('age', 'a', 'a ')
    """
    n_alike = frequencies(map(stripped, names))
    return tuple(stripped(name) if n_alike[stripped(name)] == 1 else name for name in names)


def matching_name(wanted: str, names: Collection[str]) -> str | None:
    """Return the name among some that is meant: the same one, or the only one that differs in blanks at the ends.

    >>> matching_name("age", ["sex", " age "]), matching_name("age", ["age", " age"]), matching_name("age", ["Age"])
    (' age ', 'age', None)
    """
    if wanted in names:
        return wanted
    alike = [name for name in names if stripped(name) == stripped(wanted)]
    return alike[0] if len(alike) == 1 else None


def names_as_asked(names: Sequence[str], asked: Iterable[str]) -> tuple[str, ...]:
    """Return names, spelled as a caller asks for them where they differ in blanks at the ends alone.

    >>> names_as_asked(["age", "sex"], ["age ", "other"])
    ('age ', 'sex')
    """
    wanted = set(asked)
    found = {matching_name(name, names): name for name in wanted.difference(names)}
    meant = {name: spelled for name, spelled in found.items() if name not in wanted}
    return tuple(meant.get(name, name) for name in names)


def stripping_notes(given: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the note on names that lost blanks at their ends; none where none did."""
    changed = [repr(before) for before, name in zip(given, names, strict=True) if before != name]
    if not changed:
        return []
    shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
    return [f"left out the blanks at the ends of names: {shown}"]


def other_case_notes(names: Collection[str], asked: Iterable[str]) -> list[Note]:
    """Return a note on each name that is asked for and differs from one that there is in case alone.

    >>> [str(note) for note in other_case_notes(["Age", "sex"], ["age", "sex"])]
    ["no column 'age'; did you mean 'Age'?"]
    """
    by_folded = {name.casefold(): name for name in names}
    found = {name: by_folded.get(name.casefold()) for name in asked if name not in names}
    fact = "no column {place!r}; did you mean {other!r}?"
    return [Note("other_case", fact, name, other=other) for name, other in found.items() if other is not None]


def is_numbered(name: str) -> bool:
    """Return whether a name is that of a column of a file without a header: c1, c2, ..."""
    return re.fullmatch("c[1-9][0-9]*", name) is not None

"""Notes of one kind on many columns: the first are printed, the others counted. The model keeps all of them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

#: At most so many notes that differ only in names and numbers are printed.
_MOST_ALIKE = 10
#: What differs between notes of one kind.
_VARYING = re.compile(r"'(?:[^'\\]|\\.)*'|\d+")


def first_of_each_kind(notes: Iterable[str]) -> Iterator[str]:
    """Yield notes without those that are like ten before them, of which a note tells the number.

    >>> list(first_of_each_kind(f"left out 'k{n}': constant; to use it: --keep k{n}" for n in range(300)))[-1]
    "… 290 more like: left out 'k9': constant"
    """
    notes = list(notes)
    kinds = [_VARYING.sub("#", note.partition("; ")[0]) for note in notes]
    totals, seen = Counter(kinds), Counter[str]()
    for note, kind in zip(notes, kinds, strict=True):
        seen[kind] += 1
        if seen[kind] <= _MOST_ALIKE:
            yield note
        if seen[kind] == _MOST_ALIKE < totals[kind]:
            yield f"… {totals[kind] - _MOST_ALIKE:,} more like: {note.partition('; ')[0]}"

"""Notes of one kind on many columns: the first are printed, the others counted. The model keeps all of them."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from treerules._internal.notes import Note
from treerules.rendering.headings import heading, in_language

#: At most so many notes of one kind are printed.
_MOST_ALIKE = 10


def first_of_each_kind(notes: Iterable[str], lang: str = "en") -> Iterator[str]:
    """Yield notes in a language without those that are like ten before them, of which a note tells the number.

    >>> list(first_of_each_kind(Note("left_out", "left out {place!r}", f"k{n}", "use it") for n in range(300)))[-1]
    "… 290 more like: left out 'k9'"
    """
    notes = list(notes)
    totals, seen = Counter(map(_kind, notes)), Counter[Hashable]()
    for note in notes:
        kind = _kind(note)
        seen[kind] += 1
        if seen[kind] <= _MOST_ALIKE:
            yield in_language(note, lang)
        if isinstance(note, Note) and seen[kind] == _MOST_ALIKE < totals[kind]:
            fact = in_language(Note(note.code, note.templates[0], note.place, **note.parts), lang)
            yield heading("… {n:,} more like: {fact}", lang, n=totals[kind] - _MOST_ALIKE, fact=fact)


def _kind(note: str) -> Hashable:
    return note.kind if isinstance(note, Note) else note

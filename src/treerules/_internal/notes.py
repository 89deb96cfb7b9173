"""Sentences as records: a note keeps its code, the place that it is about and its parts; its text is made of them.

A note is a `str`, so that it can be printed, compared and written into a model file as the English sentence. What code
asks of a note it asks of its code and parts, never of the text.
"""

from collections.abc import Mapping
from typing import Any


class Argument(str):
    """The argument of a Python function in a sentence, by its name; the command line says its option there.

    >>> drop, unpruned = Argument("drop"), Argument("unpruned")
    >>> f"{drop} names it", f"None with {unpruned:True}"
    ('drop= names it', 'None with unpruned=True')
    """

    def __format__(self, value: str) -> str:
        return f"{self!s}={value}"


class Names(tuple[str, ...]):
    """Names in a sentence, with commas between them."""

    def __format__(self, spec: str) -> str:
        return ", ".join(self)


class Note(str):
    """A sentence as a record.

    Args:
        code: what the sentence says, such as "left_out": notes of one kind have the same code.
        fact: the sentence with the names of its parts in braces.
        place: the column, file or branch that it is about; "" for the whole. It is the part `{place}`.
        remedy: what can be done, with the names of parts too; it follows the fact after a semicolon.
        parts: the values of the parts, which can be notes too.

    >>> note = Note("left_out", "left out {place!r}: {reason}", "k9", "to use it: keep=[{place!r}]", reason="constant")
    >>> print(note)
    left out 'k9': constant; to use it: keep=['k9']
    >>> note.code, note.place, note.fact, note.parts
    ('left_out', 'k9', "left out 'k9': constant", {'reason': 'constant'})
    """

    code: str
    place: str
    #: the sentence and the remedy with the names of their parts in braces
    templates: tuple[str, str]
    parts: Mapping[str, Any]

    def __new__(cls, code: str, fact: str, place: str = "", remedy: str = "", /, **parts: Any) -> "Note":
        """Return the note, whose text is the fact and the remedy with the parts filled in."""
        template = f"{fact}; {remedy}" if remedy else fact
        note = super().__new__(cls, template.format(place=place, **parts))
        note.code, note.place, note.templates, note.parts = code, place, (fact, remedy), parts
        return note

    def __getnewargs_ex__(self) -> tuple[tuple[str, ...], dict[str, Any]]:
        return (self.code, self.templates[0], self.place, self.templates[1]), dict(self.parts)

    def with_parts(self, **parts: Any) -> "Note":
        """Return the note with other values of some parts."""
        return Note(self.code, self.templates[0], self.place, self.templates[1], **{**self.parts, **parts})

    @property
    def fact(self) -> str:
        """The sentence without the remedy."""
        return self.templates[0].format(place=self.place, **self.parts)

    @property
    def kind(self) -> tuple[str, ...]:
        """The code, and the codes of the parts that are notes: equal for notes that differ in names and figures."""
        return (self.code, *(code for part in self.parts.values() if isinstance(part, Note) for code in part.kind))


def or_none(wanted: str, meaning: str = "") -> Note:
    """Return what an argument accepts besides None, which the command line leaves out.

    >>> print(or_none("a number of seconds above 0", "no limit"))
    a number of seconds above 0, or None: no limit
    """
    end = ", or None: {meaning}" if meaning else ", or None"
    return Note("or_none", "{wanted}" + end, wanted=wanted, meaning=meaning)


def with_arguments(text: str, *names: str) -> Note:
    """Return what is accepted, in a sentence that names arguments.

    >>> print(with_arguments("None with {unpruned:True}", "unpruned"))
    None with unpruned=True
    """
    return Note("with_arguments", text, **{name: Argument(name) for name in names})


def one_of(first: str, second: str) -> Note:
    """Return what is accepted where two arguments exclude each other.

    >>> print(one_of("features", "drop"))
    features= or drop=, one of them
    """
    return with_arguments(f"{{{first}}} or {{{second}}}, one of them", first, second)

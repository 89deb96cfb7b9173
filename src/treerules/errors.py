"""What can go wrong: frozen records whose sentence says what was asked, what is true and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any
from unicodedata import combining, east_asian_width

from attrs import field, frozen


def _as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(values)  # that of `_internal.field_converters`, which stands behind the errors in the order of imports


def listed(values: Iterable[object], limit: int = 8) -> str:
    """Return at most `limit` values as one readable enumeration.

    >>> listed("abc"), listed(range(4), limit=2)
    ("'a', 'b', 'c'", '0, 1 and 2 more')
    """
    shown = [repr(value) for value in values]
    rest = len(shown) - limit
    return ", ".join(shown[:limit]) + (f" and {rest} more" if rest > 0 else "")


def counted(n: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "row"), counted(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return a hint at the known name that is closest, empty when none is close.

    >>> did_you_mean("AGE", ["income", "age"]), did_you_mean("incom", ["income", "age"]), did_you_mean("x", ["y"])
    ("did you mean 'age'? ", "did you mean 'income'? ", '')
    """
    names = list(known)
    alike = [other for other in names if other.casefold() == str(name).casefold()]
    close = alike or get_close_matches(str(name), names, n=1)
    return f"did you mean {close[0]!r}? " if close else ""


class TreeRulesError(Exception):
    """The root of every error that treerules raises on purpose."""


@frozen
class UnknownNameError(TreeRulesError, LookupError):
    """A name was asked for that is not there."""

    what: str
    name: str
    known: tuple[str, ...] = field(converter=_as_tuple)

    def __str__(self) -> str:
        hint = did_you_mean(self.name, self.known)
        return f"no {self.what} named {self.name!r}; {hint}known: {listed(self.known)}"


@frozen
class OptionError(TreeRulesError, ValueError):
    """An option has a value that means nothing."""

    option: str
    value: Any
    wanted: str

    def __str__(self) -> str:
        return f"{self.option} is {self.value!r}; give {self.wanted}"


@frozen
class DataError(TreeRulesError, ValueError):
    """The data cannot be used as asked."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


@frozen
class FileError(TreeRulesError, OSError):
    """A file could not be read or written."""

    path: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.remedy}"


@frozen
class ColumnError(TreeRulesError, ValueError):
    """A column's values do not fit what was asked of it."""

    column: str
    problem: str
    remedy: str
    examples: tuple[object, ...] = field(default=(), converter=_as_tuple)

    def __str__(self) -> str:
        cells = f" (for example {listed(self.examples, 3)})" if self.examples else ""
        return f"column {self.column!r}: {self.problem}{cells}; {self.remedy}"


@frozen
class CellError(TreeRulesError, TypeError):
    """One value of a row is of the wrong kind for its column."""

    problem: str

    def __str__(self) -> str:
        return f"{self.problem}; convert the value before asking"


@frozen
class InvalidTreeError(TreeRulesError, ValueError):
    """A tree, rule or schema was built that means nothing."""

    problem: str

    def __str__(self) -> str:
        return f"{self.problem}; build it from a schema's own features, categories and classes"


@frozen
class NotAPartitionError(TreeRulesError, ValueError):
    """A rule set was to be emitted that is not proved exclusive and complete."""

    problem: str
    witness: Any

    def __str__(self) -> str:
        return f"{self.problem}, shown by the row {self.witness!r}; mend the rules, then check them again"


@frozen
class WrittenError(TreeRulesError, ValueError):
    """Something that people wrote, a rule or a table of rules, cannot be read. Lines and columns count from 1."""

    problem: str
    remedy: str
    line: int = 1
    column: int = 1
    #: the line as it stands there
    text: str = ""
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.file else f"line {self.line}, column {self.column}"
        said = f"{where}: {self.problem}; {self.remedy}"
        if not self.text:
            return said
        shown = self.text.replace("\t", " ")
        before = sum(2 if east_asian_width(c) in "WF" else not combining(c) for c in shown[: self.column - 1])
        return f"{said}\n    {shown}\n    {' ' * before}^"


@frozen
class UnsupportedError(TreeRulesError, ValueError):
    """A language cannot hold what was to be written in it."""

    language: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.language} cannot express this: {self.problem}; {self.remedy}"


@frozen
class TemplateFailedError(TreeRulesError, ValueError):
    """A template, usually one of the user's, could not be rendered."""

    template: str
    problem: str

    def __str__(self) -> str:
        return f"template {self.template!r}: {self.problem}; compare it with the one that treerules ships"


@frozen
class ModelFileError(TreeRulesError, ValueError):
    """A model file is damaged, or was never one."""

    problem: str

    def __str__(self) -> str:
        return f"not a usable model file: {self.problem}; write it again with `treerules learn`"


@frozen
class MissingExtraError(TreeRulesError, ImportError):
    """An optional dependency is not installed."""

    package: str
    extra: str

    def __str__(self) -> str:
        return f"this needs {self.package}, which is not installed; run: pip install 'treerules[{self.extra}]'"

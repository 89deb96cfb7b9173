"""The errors that treerules raises: frozen records of facts, and the sentence that says what to do.

An error about an argument names the public function that was called, such as `learn(target='z')`. The function is found
in the call stack when the error is made, so that no function must hand its own name to its helpers.
"""

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from types import FrameType
from typing import Any
from unicodedata import combining, east_asian_width

from attrs import Factory, field, fields, frozen, has

#: The greatest number of characters of a `repr`.
LONGEST_REPR = 200


def _as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(values)  # that of `_internal.field_converters`, which stands behind the errors in the order of imports


def listed(values: Iterable[object], limit: int = 8) -> str:
    """Return at most `limit` values as one readable enumeration.

    >>> listed("abc"), listed(range(4), limit=2)
    ("'a', 'b', 'c'", '0, 1 and 2 more')
    """
    shown = [shortened(value) for value in values]
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


def _called_function() -> str:
    """Return the name of the outermost function of treerules in the call stack, the command line aside; "" for none."""
    name = ""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        function = frame.f_code.co_qualname.partition(".<locals>")[0]
        owner, _, method = function.rpartition(".")
        if frame.f_code.co_varnames[:1] == ("self",):  # the user knows the class of the value, not its base class
            owner = type(frame.f_locals["self"]).__name__
            function = f"{owner}.{method}"
        if module.startswith("treerules.") and not module.startswith(
            ("treerules.cli", "treerules.errors", "treerules._internal")
        ):
            if not method.startswith(("_", "<")):
                name = function
            elif owner and method.startswith("__"):  # Recipe.__init__ is called as Recipe
                name = owner
        frame = frame.f_back
    return name


def shortened(value: object, longest: int = 80) -> str:
    """Return the repr of a value on one line, cut in the middle where it is longer than `longest` characters.

    >>> shortened("a" * 100, 20)
    "'aaaaaaa...aaaaaaaa'"
    """
    return cut_text(" ".join(repr(value).split()), longest)


def cut_text(text: str, longest: int) -> str:
    """Return a text, cut in the middle where it is longer than `longest` characters."""
    if len(text) <= longest:
        return text
    start = (longest - 3) // 2
    return f"{text[:start]}...{text[start + 3 - longest :]}"


class TreeRulesError(Exception):
    """The base class of all errors of treerules."""

    def __repr__(self) -> str:
        kind: Any = type(self)
        if not has(kind):
            return cut_text(super().__repr__(), LONGEST_REPR)
        facts = ", ".join(f"{a.name}={getattr(self, a.name)!r}" for a in fields(kind) if a.repr)
        return cut_text(f"{kind.__name__}({facts})", LONGEST_REPR)

    def sentence(self) -> str:
        """Return the message without the name of the Python function that was called."""
        return str(self)


@frozen(repr=False)
class UnknownNameError(TreeRulesError, LookupError):
    """A name is not among the known ones."""

    #: the kind of thing that was looked up, such as "column"
    what: str
    name: str
    #: the names that exist
    known: tuple[str, ...] = field(converter=_as_tuple)
    #: the public function that was called; "" where none is known
    function: str = field(eq=False, repr=False, factory=_called_function)
    #: the argument that holds the name, or the option with its dashes; "" where none is known
    argument: str = field(default="", eq=False, repr=False)
    #: what was passed for that argument
    passed: Any = field(eq=False, repr=False, default=Factory(lambda self: self.name, takes_self=True))

    def __str__(self) -> str:
        """Return the sentence with the name of the function, and of the argument where it is known."""
        if not self.function or self.argument.startswith("-"):
            return self.sentence()
        argument = f"{self.argument}={shortened(self.passed)}" if self.argument else ""
        return f"{self.function}({argument}): {self._problem()}"

    def sentence(self) -> str:
        """Return the sentence without the name of the function."""
        return f"{self.argument}: {self._problem()}" if self.argument else self._problem()

    def _problem(self) -> str:
        if self.what == "column" and len(self.known) > 1 and self.known == _numbered(len(self.known)):
            end = self.known[-1]
            hint = f"the file was read as one with no header, whose columns are 'c1' to {end!r} (header=True, --header)"
            return f"no column named {shortened(self.name)}; {hint}"
        hint = did_you_mean(self.name, self.known)
        return f"no {self.what} named {shortened(self.name)}; {hint}known: {listed(self.known)}"


def _numbered(n: int) -> tuple[str, ...]:
    """Return the names of the columns of a file without a header."""
    return tuple(f"c{number}" for number in range(1, n + 1))


@frozen(repr=False)
class OptionError(TreeRulesError, ValueError):
    """An argument has an invalid value."""

    #: the name of the argument, or of the option with its dashes, or a phrase such as "the domain of column 'age'"
    option: str
    value: Any
    #: what is accepted, as a noun phrase
    wanted: str
    #: the public function that was called; "" where none is known
    function: str = field(eq=False, repr=False, factory=_called_function)

    def __str__(self) -> str:
        """Return the sentence with the name of the function."""
        if not self.function or self.option.startswith("-"):
            return self.sentence()
        if self.option.isidentifier():
            return f"{self.function}({self.option}={shortened(self.value)}): expected {self.wanted}"
        return f"{self.function}(): {self.sentence()}"

    def sentence(self) -> str:
        """Return the sentence without the name of the function."""
        is_typed = self.option.startswith("-")  # the command line has no None and no True
        if is_typed and self.value is True:
            return f"{self.option}: expected {self.wanted}"
        value = "not given" if is_typed and self.value is None else shortened(self.value)
        return f"{self.option} is {value}; expected {self.wanted}"


@frozen(repr=False)
class DataError(TreeRulesError, ValueError):
    """The data do not allow what was requested."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


@frozen(repr=False)
class FileError(TreeRulesError, OSError):
    """A file could not be read or written."""

    path: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.remedy}"


@frozen(repr=False)
class ColumnError(TreeRulesError, ValueError):
    """The values of a column do not fit their use."""

    column: str
    problem: str
    remedy: str
    examples: tuple[object, ...] = field(default=(), converter=_as_tuple)
    #: whether the table lacks the column; `problem` is who needs it
    is_lacking: bool = False

    def __str__(self) -> str:
        shown = ", ".join(map(shortened, self.examples[:3]))
        rest = f" and {len(self.examples) - 3} more" if len(self.examples) > 3 else ""
        cells = f" (for example {shown}{rest})" if self.examples else ""
        subject = "the table lacks column {}, which" if self.is_lacking else "column {}"
        return f"{subject.format(shortened(self.column))} {self.problem}{cells}; {self.remedy}"


@frozen(repr=False)
class CellError(TreeRulesError, TypeError):
    """A value of a row has the wrong type for its column."""

    problem: str

    def __str__(self) -> str:
        return f"{self.problem}; convert the value first"


@frozen(repr=False)
class InvalidTreeError(TreeRulesError, ValueError):
    """A tree, rule or schema is inconsistent."""

    problem: str
    remedy: str = "build it from a schema's own features, categories and classes"

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


@frozen(repr=False)
class NotAPartitionError(TreeRulesError, ValueError):
    """A rule set is not exclusive and complete, so that no code is emitted for it."""

    problem: str
    witness: Any

    def __str__(self) -> str:
        return f"{self.problem}, shown by the row {self.witness!r}; correct the rules, then check them again"


@frozen(repr=False)
class ParseError(TreeRulesError, ValueError):
    """A rule or a table of rules cannot be parsed. Lines and columns are counted from 1."""

    problem: str
    remedy: str
    line: int = 1
    column: int = 1
    #: the text of that line
    text: str = ""
    file: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.file else f"line {self.line}, column {self.column}"
        sentence = f"{where}: {self.problem}; {self.remedy}"
        if not self.text:
            return sentence
        line = self.text.replace("\t", " ")
        width = sum(2 if east_asian_width(c) in "WF" else not combining(c) for c in line[: self.column - 1])
        return f"{sentence}\n    {line}\n    {' ' * width}^"


@frozen(repr=False)
class UnsupportedError(TreeRulesError, ValueError):
    """The target language cannot express a value or a construct; `n_bytes` is the length of what is too long."""

    language: str
    problem: str
    remedy: str
    n_bytes: int = 0

    def __str__(self) -> str:
        return f"{self.language} cannot express this: {self.problem}; {self.remedy}"


@frozen(repr=False)
class TemplateFailedError(TreeRulesError, ValueError):
    """A template cannot be rendered."""

    template: str
    problem: str

    def __str__(self) -> str:
        return f"template {self.template!r}: {self.problem}; compare it with the one that treerules ships"


@frozen(repr=False)
class ModelFileError(TreeRulesError, ValueError):
    """A file is not a valid model file."""

    problem: str
    remedy: str = "write it again with `treerules learn`"

    def __str__(self) -> str:
        return f"not a usable model file: {self.problem}; {self.remedy}"


@frozen(repr=False)
class MissingExtraError(TreeRulesError, ImportError):
    """An optional dependency is not installed."""

    package: str
    extra: str

    def __str__(self) -> str:
        command = f"pip install 'treerules[{self.extra}]' (in a clone: '.[{self.extra}]')"
        return f"this needs {self.package}, which is not installed; run: {command}"

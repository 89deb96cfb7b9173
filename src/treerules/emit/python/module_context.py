"""What the template of a Python module is given."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.emit.header import Opening


@frozen
class PythonLoad:
    """How the function that asks gets one column's value."""

    #: its variable: f and the place of the feature in the schema
    variable: str
    #: an expression of the column's name
    key: str
    #: a condition that holds of values which must be converted; "" where all must
    strange: str
    #: an expression that converts the variable
    converted: str


@frozen
class PythonContext:
    """What `python/module.py.j2` is given. All texts are finished code of Python 3.8, formatted as by `ruff format`."""

    #: for the first line: as text, one line without any text of the user's
    opening: Opening
    #: docstrings, help texts and comments by what they are about, in the language asked for
    docs: Mapping[str, str]
    #: import statements, sorted
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: whether UTC is named
    has_zones: bool
    #: the names for __all__, sorted
    public: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets TARGET
    target: str
    #: the statement that sets CLASSES; "" for a regression
    classes: str
    #: the statement that sets SCHEMA
    features: str
    #: the statement that sets _ANSWERS, to which the table's second column counts; "" for a regression
    answers: str
    #: the annotation of what is predicted: str, float, ...
    value_type: str
    #: statements that set dates, timestamps and sets that the questions name
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets _ASKED: the places of the columns that are asked for
    asked: str
    #: the highest number of a rule
    highest: int
    #: the names of the figures in the table
    figures: tuple[str, ...] = field(converter=as_tuple)
    #: those of them that some rule lacks, which is printed as -
    unsure: tuple[str, ...] = field(converter=as_tuple)
    #: the rules, one a line, as the inside of a string: number, value, figures, text, separated by blanks
    table: str
    #: for each rule its number and the share of each class, one rule a line; "" for a regression
    shares: str
    #: the columns that are asked for
    loads: tuple[PythonLoad, ...] = field(converter=as_tuple)
    #: a variable for each feature
    variables: tuple[str, ...] = field(converter=as_tuple)
    #: the source of the functions that convert values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: whether some load calls known(value, hole), and whether one names MISSING
    has_holes: bool
    has_moments: bool
    #: the questions: `if` and `return` statements, one line each
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last of them asks something
    falls_through: bool
    #: JSON lines, the first with the names of columns, each other with a rule's number and a row that fires it
    checks: tuple[str, ...] = field(converter=as_tuple)
    #: statements for reading CSV: _SPELLED, _UNSEEN, and for a classification _SHARE_NAMES and _SAID
    spelled: tuple[str, ...] = field(converter=as_tuple)
    #: for each type of cell that is no text, `"type": function`
    readers: tuple[str, ...] = field(converter=as_tuple)
    #: an expression of the text of the prediction for `number`
    said: str

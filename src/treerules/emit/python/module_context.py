"""The values passed to the template of a Python module."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.emit.header import Opening


@short_repr
@frozen
class PythonLoad:
    """The code that loads the value of one column of a row."""

    #: the variable of the tests: f and the position of the feature in the schema
    variable: str
    #: an expression of the column's name
    key: str
    #: a test for values that must be converted; "" if all must
    strange: str
    #: the expression that converts the variable
    converted: str
    #: statements that read words for missing values as such, and trim text
    choices: tuple[str, ...] = field(default=(), converter=as_tuple)


@short_repr
@frozen
class PythonContext:
    """The values passed to `python/module.py.j2`, by field name. Public API.

    All texts are finished code of Python 3.8, formatted as `ruff format` does.
    """

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: docstrings, help texts and comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: import statements, sorted
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: whether the name UTC is used
    has_zones: bool
    #: the names for __all__, sorted
    public: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets TARGET
    target: str
    #: the statement that sets CLASSES; "" for a regression
    classes: str
    #: the statement that sets SCHEMA
    features: str
    #: the statement that sets _ANSWERS, the values whose positions the table of rules holds; "" for a regression
    answers: str
    #: the annotation of a prediction: str, float, ...
    value_type: str
    #: statements that set the dates, timestamps and sets that tests name
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets _ASKED: the positions of the features with conditions
    asked: str
    #: the highest number of a rule
    highest: int
    #: the names of the training figures in the table of rules
    figures: tuple[str, ...] = field(converter=as_tuple)
    #: the figures that some rule lacks, where the table has -
    unsure: tuple[str, ...] = field(converter=as_tuple)
    #: the table of rules as the inside of a string: one rule a line, with number, value, figures and text
    table: str
    #: one rule a line, with its number and the probability of each class; "" for a regression
    shares: str
    #: the features with conditions
    loads: tuple[PythonLoad, ...] = field(converter=as_tuple)
    #: a variable for each feature of the schema
    variables: tuple[str, ...] = field(converter=as_tuple)
    #: the source of the functions that convert values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: whether some load calls known(value, hole), and whether one names MISSING
    has_holes: bool
    has_moments: bool
    #: the tests: `if` and `return` statements, one line each
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool
    #: JSON lines: the names of columns, then a rule's number and a row that fires it
    checks: tuple[str, ...] = field(converter=as_tuple)
    #: statements for reading CSV: _SPELLED, _UNSEEN, and for a classification _SHARE_NAMES and _SAID
    spelled: tuple[str, ...] = field(converter=as_tuple)
    #: `"type": function` for each type of cells but text
    readers: tuple[str, ...] = field(converter=as_tuple)
    #: statements that set _WORDS, _TRIMMED and _UNREADABLE, where some cells are not read as usual
    choices: tuple[str, ...] = field(converter=as_tuple)
    #: whether some column is read in a form of its own, by _FORMS and plain_cell(cell, form)
    has_forms: bool
    #: whether all features with conditions are named c1, c2, ..., as the columns of a file without a header are
    is_numbered: bool
    #: the expression of the text of the prediction of rule `number`
    said: str

"""The code by which a plain Python module loads values of a row, and reads cells of CSV."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from inspect import getsource
from itertools import chain

from attrs import evolve, frozen

from treerules.data.schema import Feature
from treerules.data.value_format import cell_form, is_read_by_form
from treerules.emit.python import plain_helpers
from treerules.emit.python.cell_choices import choice_lines
from treerules.emit.python.python_literals import INDENT, WIDTH, assignment, code_width, python_literal
from treerules.emit.python.value_loading import converter_sources, form_source
from treerules.rules.conditions import all_bounds
from treerules.rules.rule import Condition

#: From this integer on, not every integer is a double.
_FIRST_INEXACT = 2**53
#: A name of a column that is wider stands in a constant, and one with which its value is loaded on more than a line.
_WIDEST_NAME = 32


@frozen
class Loading:
    """How values of a type of column are loaded; {name} is the expression of the column's name."""

    #: the Python type that the table COLUMNS names
    type_name: str
    call: str = "value(row, {name})"
    #: the function that reads a cell of CSV; "" where the type reads it
    cell_reader: str = ""


@frozen
class LoadedColumn:
    """A column that the rules test: how its value is loaded, and the words for it in the code."""

    feature: Feature
    loading: Loading
    #: the variable of its value
    variable: str
    #: an expression of its name: a literal, or the constant of a wide one
    name: str

    @property
    def load_statement(self) -> str:
        """The statement that loads the value of a row."""
        return f"{self.variable} = {self.loading.call.format(name=self.name)}"

    @property
    def load_statements(self) -> list[str]:
        """The statements that load the value of a row as the model reads it."""
        return [self.load_statement, *choice_lines(self.feature, self.variable)]


_TRUTH = 'lambda c: ["false", "true"].index(c.lower()) == 1'
_LOADINGS = {
    "number": Loading("float"),
    "integer": Loading("float", "value(row, {name}, 2**63 - 1)"),
    "text": Loading("str"),
    "boolean": Loading("bool", cell_reader=_TRUTH),
    "date": Loading("str", "day(row.get({name}), {name})"),
    "timestamp": Loading("str", "moment(row.get({name}), {name}, False)"),
    "timestamp_utc": Loading("str", "moment(row.get({name}), {name}, True)"),
}
#: The categories 1 and 1.0 are two, so a cell is the integer as Python writes it; others are an error.
_CATEGORY_NUMBER = "lambda c: {str(int(c)): int(c)}[c]"
#: Decimal is exact, and reads 7.0 as 7.
_EXACT_INTEGER = Loading("int", "integer(row.get({name}), {name})", "Decimal")


def loading_of(feature: Feature, conditions: Iterable[Condition]) -> Loading:
    """Return how a column is loaded, given the conditions on it.

    An integer is compared as a float where all bounds and words for missing values are below 2^53, since that is exact.
    """
    compared = chain(
        feature.reading.values("integer", feature.form), *(_numbers(feature, condition) for condition in conditions)
    )
    large = feature.scalar == "integer" and any(abs(number) >= _FIRST_INEXACT for number in compared)
    loading = _EXACT_INTEGER if large else _LOADINGS[feature.scalar]
    is_category = feature.scalar == "integer" and not feature.is_ordered
    return evolve(loading, cell_reader=_CATEGORY_NUMBER) if is_category else loading


def _numbers(feature: Feature, condition: Condition) -> Iterable[int]:
    """Return the numbers that a condition on integers compares with."""
    if not feature.is_ordered:
        return feature.categories
    return all_bounds(condition)


def loaded_columns(
    loadings: Mapping[Feature, Loading], variables: Mapping[str, str]
) -> tuple[list[LoadedColumn], list[str]]:
    """Return the columns of these features, and the statements that set the constants of wide names."""
    columns: list[LoadedColumn] = []
    statements: list[str] = []
    for feature, loading in loadings.items():
        column = LoadedColumn(feature, loading, variables[feature.name], python_literal(feature.name))
        if code_width(column.name) > _WIDEST_NAME or code_width(INDENT + column.load_statement) > WIDTH:
            column = evolve(column, name=f"COLUMN_{len(statements) + 1}")
            statements.append(assignment(column.name, feature.name))
        columns.append(column)
    return columns, statements


def plain_sources(loadings: Mapping[Feature, Loading], *, refuses: bool = False) -> list[str]:
    """Return the source of the functions that a module needs for columns of these features."""
    by_value = [loading for loading in loadings.values() if loading.call.startswith("value(")]
    converted = [feature for feature, loading in loadings.items() if loading not in by_value]
    has_numbers = any(loading.type_name == "float" for loading in by_value)
    sources = [_value_source(has_numbers)] if by_value else []
    sources += converter_sources(converted)
    sources += [_without_annotations(getsource(plain_helpers.outside))] if refuses else []
    return [*sources, form_source()] if any(_has_form(feature) for feature in loadings) else sources


@cache
def _value_source(has_numbers: bool) -> str:
    """Return the source of the function `value`, without annotations."""
    function = plain_helpers.value_or_number if has_numbers else plain_helpers.value
    return _without_annotations(getsource(function)).replace(f"def {function.__name__}(", "def value(")


def _without_annotations(source: str) -> str:
    return source.rstrip().replace(": Any = ", "=").replace(": Any", "").replace(" -> Any", "")


def _has_form(feature: Feature) -> bool:
    return is_read_by_form(feature.scalar, feature.form)


def columns_statements(columns: Iterable[LoadedColumn]) -> list[str]:
    """Return the statement that sets COLUMNS, the type of each column by its name; none without columns."""
    types = {column.name: column.loading.type_name for column in columns}
    return [_mapping("COLUMNS", types)] if types else []


def reader_statements(columns: Sequence[LoadedColumn]) -> list[str]:
    """Return the statements that set the forms of cells, and `readers`, the function that reads cells of each column.

    There are none where the types in COLUMNS read them.
    """
    readers = {column.name: column.loading.cell_reader for column in columns if column.loading.cell_reader}
    statements: list[str] = []
    for column in columns:
        if _has_form(column.feature):
            form, loading = f"form_{len(statements) + 1}", column.loading
            statements.append(assignment(form, tuple(cell_form(column.feature.form))))
            cell = f"plain_cell(c, {form})"
            called = cell if loading.type_name == "str" else f"{loading.cell_reader or loading.type_name}({cell})"
            readers[column.name] = f"lambda c: {called}"
    return [*statements, _mapping("readers", {"**COLUMNS": "", **readers})] if readers else []


def _mapping(name: str, entries: Mapping[str, str]) -> str:
    """Return the statement that sets a mapping of expressions; an entry `**OTHER` has no value."""
    texts = [f"{key}: {entry}" if entry else key for key, entry in entries.items()]
    flat = f"{name} = {{{', '.join(texts)}}}"
    if code_width(flat) + 4 <= WIDTH:
        return flat
    return "\n".join([f"{name} = {{", *(f"    {text}," for text in texts), "}"])

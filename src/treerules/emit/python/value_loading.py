"""The code by which an emitted Python module loads values: from rows with values of any type, and from CSV cells."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from inspect import getsource, isfunction

from attrs import frozen

from treerules.data.domain import unseen_value
from treerules.data.schema import Feature, Schema
from treerules.data.value_format import cell_form, is_read_by_form, value_text
from treerules.emit.python import runtime
from treerules.emit.python.cell_choices import choice_lines
from treerules.emit.python.module_context import PythonLoad
from treerules.emit.python.python_literals import WIDTH, assignment, code_width, python_literal


@frozen
class _Conversion:
    """The conversion of a value of a row. {v} is replaced by its variable, {name} by an expression of its column."""

    #: the call of a function of `runtime`
    call: str
    #: a test for values that may be of another type; "" where the test would cost more than the call
    strange: str
    #: the value of a missing cell in an ordered feature: all comparisons with NAN and MISSING are false
    hole: str = "None"
    #: what `call` returns for a missing value
    missing: str = "None"


_INT64 = "{v}.__class__ is not int or not -(2**63) <= {v} < 2**63"
_CONVERSIONS = {
    "number": _Conversion("number({v}, {name})", "{v}.__class__ is not float", "NAN", "NAN"),
    "integer": _Conversion("integer({v}, {name})", _INT64, "NAN"),
    "boolean": _Conversion("boolean({v}, {name})", "{v} is not True and {v} is not False"),
    "text": _Conversion("text({v}, {name})", "{v}.__class__ is not str"),
    "date": _Conversion("day({v}, {name})", "{v}.__class__ is not date", "MISSING"),
    "timestamp": _Conversion("moment({v}, {name}, False)", "", "MISSING"),
    "timestamp_utc": _Conversion("moment({v}, {name}, True)", "", "MISSING"),
}
#: The functions that read cells of CSV, by type; those of text need none.
_READERS = {
    "number": "spelled_number",
    "integer": "spelled_between",
    "boolean": "spelled_boolean",
    "date": "spelled_day",
    "timestamp": "lambda cell: spelled_moment(cell, False)",
    "timestamp_utc": "lambda cell: spelled_moment(cell, True)",
}


def load_of(index: int, feature: Feature) -> PythonLoad:
    """Return the code that loads the value of a feature; `index` is its position in the schema, from 0."""
    conversion, variable = _CONVERSIONS[feature.scalar], f"f{index}"
    hole = conversion.hole if feature.is_ordered else "None"
    converted = conversion.call.format(v=variable, name=f"FEATURES[{index}]")
    name = python_literal(feature.name)
    is_short = len("        get(),") + code_width(name) <= WIDTH
    has_test = feature.is_ordered or feature.scalar != "number"  # NaN is a float, but no category
    return PythonLoad(
        variable,
        name if is_short else f"FEATURES[{index}]",
        conversion.strange.format(v=variable) if has_test else "",
        converted if hole == conversion.missing else f"known({converted}, {hole})",
        choice_lines(feature, variable, hole),
    )


def helper_sources(features: Sequence[Feature], *, cells: bool = True) -> list[str]:
    """Return the source of the functions that convert values of these features as a Table does.

    With `cells`, functions that read CSV cells are included; without, functions that convert dates to numbers.
    """
    if not features:
        return []
    calls = _converters(features)
    readers = {name for feature in features for name in re.findall(r"spelled_\w+", _reader(feature)) if cells}
    readers |= {"placed"} if calls & {"day", "moment"} and not cells else set()
    readers |= {"spelled_integer", "spelled_number"} if "spelled_between" in readers else set()
    forms = {"plain_cell"} if cells and any(is_read_by_form(f.scalar, f.form) for f in features) else set()
    return _sources_of({*_names_with_callees(calls), *readers, *forms})


def converter_sources(features: Sequence[Feature]) -> list[str]:
    """Return the source of the functions that convert values of these features, and of those that they call."""
    return _sources_of(_names_with_callees(_converters(features)))


def _converters(features: Sequence[Feature]) -> set[str]:
    return {_CONVERSIONS[feature.scalar].call.partition("(")[0] for feature in features}


def _names_with_callees(converters: Collection[str]) -> set[str]:
    """Return the names of functions that convert values, and of those that they call."""
    parsers = {f"spelled_{name}" for name in ("day", "moment") if name in converters}
    return {"refused", "plain", "unpacked", *converters, *parsers} if converters else set()


def _sources_of(names: Collection[str]) -> list[str]:
    return [source for name, source in _sources().items() if name in names]


def form_source() -> str:
    """Return the source of `plain_cell`, which reads a cell in the form of its column."""
    return _sources()["plain_cell"]


@cache
def _sources() -> dict[str, str]:
    """Return the source of each function of `runtime` by its name, in the order of the file."""
    functions = {name: value for name, value in vars(runtime).items() if isfunction(value)}
    return {name: getsource(function).rstrip() for name, function in functions.items()}


def _reader(feature: Feature) -> str:
    """Return the function that reads cells of a column; "" for text, and for categories, which a mapping reads."""
    return "" if feature.is_open else _READERS.get(feature.scalar, "")


def reader_entries(features: Iterable[Feature]) -> list[str]:
    """Return the entries `"type": function` of a table of readers of CSV cells."""
    scalars = {feature.scalar for feature in features if _reader(feature)}
    return [f'"{scalar}": {reader}' for scalar, reader in _READERS.items() if scalar in scalars]


def conversion_entries(features: Iterable[Feature]) -> list[str]:
    """Return the entries `"type": function` of a table of functions that convert categories."""
    scalars = {feature.scalar for feature in features if not feature.is_ordered}
    return [f'"{scalar}": {_converter(scalar)}' for scalar in _CONVERSIONS if scalar in scalars]


def number_entries(features: Iterable[Feature]) -> list[str]:
    """Return the entries `"type": function` of a table of functions that turn ordered values into numbers."""
    scalars = {feature.scalar for feature in features if feature.is_ordered}
    return [f'"{scalar}": {_NUMBERS.get(scalar) or _converter(scalar)}' for scalar in _CONVERSIONS if scalar in scalars]


def _converter(scalar: str) -> str:
    call = _CONVERSIONS[scalar].call
    if not scalar.startswith("timestamp"):
        return call.partition("(")[0]
    return f"lambda v, name: {call.format(v='v', name='name')}"


#: Dates and timestamps as days or microseconds since 1970, as numpy counts them.
_NUMBERS = {
    "date": "lambda v, name: placed(day(v, name))",
    "timestamp": "lambda v, name: placed(moment(v, name, False))",
    "timestamp_utc": "lambda v, name: placed(moment(v, name, True))",
}


def csv_statements(schema: Schema, indices: Sequence[int], has_classes: bool) -> list[str]:
    """Return statements for reading and writing CSV: the texts of categories that are not text, and of classes.

    `indices` are the positions of the features with conditions.
    """
    features = {index: schema.features[index] for index in indices}
    typed = {index: feature for index, feature in features.items() if feature.is_open and feature.scalar != "text"}
    spellings = {
        i: {value_text(value, feature.form): value for value in feature.categories} for i, feature in typed.items()
    }
    statements = [
        assignment("_SPELLED", spellings, "dict[int, dict[str, Any]]"),
        assignment("_UNSEEN", {index: unseen_value(feature) for index, feature in typed.items()}, "dict[int, Any]"),
    ]
    forms = {i: _form_data(f) for i, f in features.items() if is_read_by_form(f.scalar, f.form)}
    statements += [assignment("_FORMS", forms, "dict[int, tuple[str, ...]]")] if forms else []
    if has_classes and schema.target is not None:
        texts = {value: value_text(value, schema.target.form) for value in schema.classes}
        names = tuple(f"p_{text}" for text in texts.values())
        statements.append(assignment("_SHARE_NAMES", names, "tuple[str, ...]"))
        statements += [assignment("_SAID", texts, "dict[Any, str]")] if schema.target.scalar != "text" else []
    return statements


def _form_data(feature: Feature) -> tuple[str, ...]:
    """Return the arguments of `plain_cell` for a column; numbers that are categories are spelled as Python does."""
    is_category = feature.is_open and feature.scalar == "number"
    return (*cell_form(feature.form), *(("category",) if is_category else ()))


_MODULES = ("math", "re", "sys")
_NAMES = (
    ("collections.abc", ("Callable", "Iterable", "Iterator", "Mapping", "Sequence")),
    ("datetime", ("date", "datetime", "timedelta", "timezone")),
    ("decimal", ("Decimal",)),
    ("typing", ("Any",)),
)
#: The names in literals of a type.
_LITERAL_NAMES = {"date": ("date",), "timestamp": ("datetime",), "timestamp_utc": ("datetime", "UTC")}
_ALWAYS = frozenset({"sys", "Callable", "Iterable", "Iterator", "Mapping", "Sequence", "Any"})


def import_statements(helpers: Iterable[str], schema: Schema | None, always: Collection[str] = _ALWAYS) -> list[str]:
    """Return the import statements of a module, for the names in its helpers and in the literals of a schema.

    `always` are names that the module needs besides.
    """
    features = [] if schema is None else [*schema.features, *([schema.target] if schema.target else [])]
    scalars = {feature.scalar for feature in features if feature.categories}
    names_used = {name for text in helpers for name in re.findall(r"(?<![.\w])\w+", text)} | {*always}
    names_used |= {name for scalar in scalars for name in _LITERAL_NAMES.get(scalar, ())}
    names_used |= {"timedelta", "timezone"} if "UTC" in names_used else set()
    statements = [f"import {name}" for name in _MODULES if name in names_used]
    for module, names in _NAMES:
        imported = [name for name in names if name in names_used]
        statements += [f"from {module} import {', '.join(imported)}"] if imported else []
    return statements

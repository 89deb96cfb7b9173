"""How an emitted Python module gets its values: from rows of any types, and from the cells of CSV files."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from inspect import getsource, isfunction

from attrs import frozen

from treerules.data.domain import unseen_value
from treerules.data.schema import Feature, Schema
from treerules.data.value_format import spelled
from treerules.emit.python import runtime
from treerules.emit.python.module_context import PythonLoad
from treerules.emit.python.python_literals import WIDTH, assigned, python_literal, width


@frozen
class _Conversion:
    """How a cell becomes the value that the tests see; {v} is its variable, {name} an expression of its column."""

    #: the function of `runtime`, with its arguments
    call: str
    #: holds of a value that is not surely one of the column's; "" where that is cheaper not asked
    strange: str
    #: what a missing value becomes in a column that is cut: all comparisons with NAN and MISSING are false
    hole: str = "None"
    #: what `call` makes of a missing value
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
_READERS = {
    "number": "spelled_number",
    "integer": "spelled_integer",
    "boolean": "spelled_boolean",
    "date": "spelled_day",
    "timestamp": "lambda cell: spelled_moment(cell, False)",
    "timestamp_utc": "lambda cell: spelled_moment(cell, True)",
}


def load_of(index: int, feature: Feature) -> PythonLoad:
    """Return how the value of a feature is loaded, the one at that place of the schema."""
    found, variable = _CONVERSIONS[feature.scalar], f"f{index}"
    hole = found.hole if feature.is_ordered else "None"
    converted = found.call.format(v=variable, name=f"FEATURES[{index}]")
    name = python_literal(feature.name)
    is_short = len("        get(),") + width(name) <= WIDTH
    is_sure = feature.is_ordered or feature.scalar != "number"  # of floats NaN is one, and no category
    return PythonLoad(
        variable,
        name if is_short else f"FEATURES[{index}]",
        found.strange.format(v=variable) if is_sure else "",
        converted if hole == found.missing else f"known({converted}, {hole})",
    )


def helpers_of(features: Sequence[Feature], *, cells: bool = True) -> list[str]:
    """Return the source of the conversions in use, which answer as those of a Table do.

    With `cells` those of CSV cells too, without them those that place moments on a line.
    """
    if not features:
        return []
    calls = {_CONVERSIONS[feature.scalar].call.partition("(")[0] for feature in features}
    reads = {found for feature in features for found in re.findall(r"spelled_\w+", _reader(feature)) if cells}
    reads |= {"placed"} if calls & {"day", "moment"} and not cells else set()
    used = {"refused", "plain", "unpacked", *calls, *reads, *(f"spelled_{name}" for name in calls & {"day", "moment"})}
    return [source for name, source in _sources().items() if name in used]


@cache
def _sources() -> dict[str, str]:
    """Return the source of each function of `runtime`, by its name, in the order of the file."""
    found = vars(runtime).items()
    return {name: getsource(part).rstrip() for name, part in found if isfunction(part)}


def _reader(feature: Feature) -> str:
    """Return what reads the cells of a column that is no text; categories are looked up."""
    return "" if feature.is_open else _READERS.get(feature.scalar, "")


def readers_of(features: Iterable[Feature]) -> list[str]:
    """Return the readers of CSV cells in use, by the type of the column."""
    used = {feature.scalar for feature in features if _reader(feature)}
    return [f'"{scalar}": {reader}' for scalar, reader in _READERS.items() if scalar in used]


def placing_of(features: Iterable[Feature]) -> tuple[list[str], list[str]]:
    """Return entries of two tables, by type: what converts a value, and what gives its place on the line."""
    used = {feature.scalar: feature.is_ordered for feature in features}
    cut = {feature.scalar for feature in features if feature.is_ordered}
    kept = {feature.scalar for feature in features if not feature.is_ordered}
    return (
        [f'"{name}": {_converter(name)}' for name in _CONVERSIONS if name in used and name in kept],
        [f'"{name}": {_PLACES.get(name) or _converter(name)}' for name in _CONVERSIONS if name in cut],
    )


def _converter(scalar: str) -> str:
    call = _CONVERSIONS[scalar].call
    if not scalar.startswith("timestamp"):
        return call.partition("(")[0]
    return f"lambda v, name: {call.format(v='v', name='name')}"


#: Where a moment lies: its days or microseconds since 1970, as numpy counts them.
_PLACES = {
    "date": "lambda v, name: placed(day(v, name))",
    "timestamp": "lambda v, name: placed(moment(v, name, False))",
    "timestamp_utc": "lambda v, name: placed(moment(v, name, True))",
}


def spelled_of(schema: Schema, indices: Sequence[int], has_classes: bool) -> list[str]:
    """Return statements for reading and writing CSV: how categories that are no text are spelled, and classes."""
    typed = {i: schema.features[i] for i in indices if schema.features[i].is_open and _is_typed(schema.features[i])}
    said = {index: {spelled(c, feature.form): c for c in feature.categories} for index, feature in typed.items()}
    found = [
        assigned("_SPELLED", said, "dict[int, dict[str, Any]]"),
        assigned("_UNSEEN", {index: unseen_value(feature) for index, feature in typed.items()}, "dict[int, Any]"),
    ]
    if has_classes and schema.target is not None:
        texts = {value: spelled(value, schema.target.form) for value in schema.classes}
        names = tuple(f"p_{text}" for text in texts.values())
        found.append(assigned("_SHARE_NAMES", names, "tuple[str, ...]"))
        found += [assigned("_SAID", texts, "dict[Any, str]")] if _is_typed(schema.target) else []
    return found


def _is_typed(feature: Feature) -> bool:
    return feature.scalar != "text"


_MODULES = ("math", "re", "sys")
_NAMES = (
    ("collections.abc", ("Callable", "Iterable", "Iterator", "Mapping", "Sequence")),
    ("datetime", ("date", "datetime", "timedelta", "timezone")),
    ("decimal", ("Decimal",)),
    ("typing", ("Any",)),
)
#: what literals of a scalar name
_NAMED = {"date": ("date",), "timestamp": ("datetime",), "timestamp_utc": ("datetime", "UTC")}
_ALWAYS = {"sys", "Callable", "Iterable", "Iterator", "Mapping", "Sequence", "Any"}


def imports_of(helpers: Iterable[str], schema: Schema) -> list[str]:
    """Return the import statements of a module for the names that its helpers and its schema's literals use."""
    features = [*schema.features, *([schema.target] if schema.target else [])]
    typed = {feature.scalar for feature in features if feature.categories}
    used = {name for text in helpers for name in re.findall(r"(?<![.\w])\w+", text)} | _ALWAYS
    used |= {name for scalar in typed for name in _NAMED.get(scalar, ())}
    used |= {"timedelta", "timezone"} if "UTC" in used else set()
    found = [f"import {name}" for name in _MODULES if name in used]
    for module, names in _NAMES:
        asked = [name for name in names if name in used]
        found += [f"from {module} import {', '.join(asked)}"] if asked else []
    return found

"""Descriptions of columns: Kind, Feature, Schema."""

from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Literal

from attrs import field, frozen

from treerules._internal import conversion
from treerules._internal.arguments import require_type
from treerules._internal.field_converters import as_tuple
from treerules._internal.notes import or_none
from treerules._internal.short_repr import short_repr
from treerules.data.cell_reading import AS_USUAL, CellReading
from treerules.data.value_format import is_form
from treerules.errors import CellError, InvalidTreeError, OptionError, UnknownNameError, listed


class Kind(StrEnum):
    """The kind of a column's values. Every kind also has the missing value."""

    #: float64; the infinities are ordinary numbers, -0.0 is 0.0
    NUMBER = "number"
    #: exact int64
    INTEGER = "integer"
    #: False and True; there are no unseen values
    BOOLEAN = "boolean"
    #: named values without order; later rows may have unseen ones
    CATEGORY = "category"
    #: named values in a declared order; later rows may have unseen ones
    ORDINAL = "ordinal"
    #: a day, 0001-01-01 to 9999-12-31
    DATE = "date"
    #: microseconds, all in UTC or all without a zone
    TIMESTAMP = "timestamp"

    __hash__ = str.__hash__  # kinds are looked up often, and the hash of an enumeration is slow


#: The kinds that are cut at thresholds.
ORDERED = frozenset({Kind.NUMBER, Kind.INTEGER, Kind.DATE, Kind.TIMESTAMP})
#: The kinds of which later rows may have unseen values.
OPEN = frozenset({Kind.CATEGORY, Kind.ORDINAL})
#: The kinds of a tree's target.
_TARGETS = OPEN | {Kind.NUMBER, Kind.INTEGER}
_ONE_FEATURE = or_none("a Feature")

#: The codes of missing values and of unseen values, which are not categories of the feature.
MISSING, UNSEEN = -1, -2

_EPOCH = datetime(1970, 1, 1)
#: Ordinals of dates count days from the year 1; subtract this to count from 1970.
FIRST_DAY = _EPOCH.toordinal()


@frozen
class Scalar:
    """A type of single values: its Python type, how it is converted, and how it maps onto a line."""

    type: type
    convert: Any
    lowest: Any = None
    highest: Any = None


_moment, _moment_utc = (partial(conversion.to_timestamp, zoned=zoned) for zoned in (False, True))
#: How single values behave, by the name that a Feature carries. Order: the sorting of mixed types in messages.
SCALARS = {
    "number": Scalar(float, conversion.to_number, float("-inf"), float("inf")),
    "integer": Scalar(int, conversion.to_integer, -(2**63), 2**63 - 1),
    "boolean": Scalar(bool, conversion.to_boolean),
    "text": Scalar(str, conversion.to_text),
    "date": Scalar(date, conversion.to_date, date.min, date.max),
    "timestamp": Scalar(datetime, _moment, datetime.min, datetime.max),
    "timestamp_utc": Scalar(datetime, _moment_utc, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)),
}

_SCALARS_OF_KIND = {
    Kind.NUMBER: ("number",),
    Kind.INTEGER: ("integer",),
    Kind.BOOLEAN: ("boolean",),
    Kind.CATEGORY: tuple(SCALARS),
    Kind.ORDINAL: tuple(SCALARS),
    Kind.DATE: ("date",),
    Kind.TIMESTAMP: ("timestamp", "timestamp_utc"),
}


def kind_of_scalar(scalar: str) -> Kind:
    """Return the default kind of a column of such values."""
    return {"text": Kind.CATEGORY, "timestamp_utc": Kind.TIMESTAMP}.get(scalar) or Kind(scalar)


def _scalar_by_default(feature: "Feature") -> str:
    return "text" if feature.kind in OPEN else _SCALARS_OF_KIND[feature.kind][0]


def _as_kind(kind: Any) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise OptionError("kind", kind, f"one of {', '.join(Kind)}") from None


@short_repr
@frozen
class Feature:
    """A column: its name, its kind and, where it has them, its categories.

    Categories are sorted (text by code point, integers by value); those of an ordinal have their declared order.

    Args:
        name: the name of the column.
        kind: a `Kind` or its name: number, integer, boolean, category, ordinal, date or timestamp.
        categories: the categories of a category or ordinal; an ordinal's in its order. Empty for other kinds.
        scalar: the type of the values, or of the categories: number, integer, boolean, text, date or timestamp. By
            default that of the kind, or of the categories.
        form: the format in which the source writes the values; it takes no part in equality.
        reading: which cells the user chose to read as missing, and whether text is trimmed; no part of equality either.

    Raises:
        InvalidTreeError: the categories do not fit the kind, or one stands twice.

    >>> size = Feature("size", Kind.ORDINAL, ("S", "M", "L"))
    >>> size.position("M"), size.position("XL")
    (1, None)
    """

    name: str
    kind: Kind = field(converter=_as_kind)
    categories: tuple[Any, ...] = field(default=(), converter=as_tuple)
    #: key of SCALARS: the type of the column's values, or of its categories
    scalar: str = field()

    #: the format of the values in their source (see `value_format`)
    form: str = field(default="", eq=False)
    #: how cells are read, as far as the user chose it
    reading: CellReading = field(default=AS_USUAL, eq=False, repr=False)

    @scalar.default
    def _(self) -> str:
        return _scalar_by_default(self)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidTreeError(f"a column is named {self.name!r}, which is not text", "name it by text")
        if self.scalar not in _SCALARS_OF_KIND[self.kind]:
            remedy = f"expected one of {listed(sorted(_SCALARS_OF_KIND[self.kind]))}"
            raise InvalidTreeError(f"column {self.name!r} of kind {self.kind} holds {self.scalar!r}", remedy)
        if not isinstance(self.form, str) or not is_form(self.scalar, self.form):
            problem = f"column {self.name!r} of {self.scalar} values has the form {self.form!r}"
            raise InvalidTreeError(problem, "leave the form out")
        if self.kind is Kind.BOOLEAN:
            object.__setattr__(self, "categories", (False, True))
        if self.kind in ORDERED and self.categories:
            remedy = "leave them out, or give the kind category or ordinal"
            raise InvalidTreeError(f"column {self.name!r} of kind {self.kind} has categories", remedy)
        self._check_categories()

    def _check_categories(self) -> None:
        kinds = {type(value) for value in self.categories}
        if kinds - {SCALARS[self.scalar].type} or any(value != value for value in self.categories):
            problem = f"a category of column {self.name!r} is not of type {self.scalar!r}"
            raise InvalidTreeError(problem, "give categories of that type, or another `scalar`")
        if len(self.positions) != len(self.categories):
            raise InvalidTreeError(f"column {self.name!r} has a category twice", "give each category once")
        if self.kind is Kind.CATEGORY and list(self.categories) != sorted(self.categories):
            raise InvalidTreeError(f"the categories of column {self.name!r} are not sorted", "sort them")

    @cached_property
    def positions(self) -> dict[Any, int]:
        """The position of each category."""
        return dict(zip(self.categories, range(len(self.categories)), strict=True))

    @property
    def is_ordered(self) -> bool:
        """Whether the column is cut at thresholds."""
        return self.kind in ORDERED

    @property
    def is_open(self) -> bool:
        """Whether the column may have values that are not categories."""
        return self.kind in OPEN

    @property
    def lowest(self) -> Any:
        """The least value of an ordered column's domain."""
        return SCALARS[self.scalar].lowest

    @property
    def highest(self) -> Any:
        """The greatest value of an ordered column's domain."""
        return SCALARS[self.scalar].highest

    def position(self, value: Any) -> int | None:
        """Return the position of a converted value among the categories; None for any other."""
        return self.positions.get(value)

    def convert(self, value: Any) -> Any:
        """Return a value converted to the type of the column, None when missing.

        Raises:
            CellError: the value is of the wrong kind.
        """
        try:
            converted = SCALARS[self.scalar].convert(value, self.name)
        except TypeError as error:
            raise CellError(str(error)) from None
        return None if converted is None or converted != converted else converted


def ordinate(value: Any) -> Any:
    """Return an ordered value as a number: dates in days, timestamps in microseconds.

    >>> ordinate(date(1970, 1, 2)), ordinate(datetime(1970, 1, 1, 0, 0, 1)), ordinate(2.5)
    (719164, 1000000, 2.5)
    """
    if isinstance(value, datetime):
        return (value.replace(tzinfo=None) - _EPOCH) // timedelta(microseconds=1)
    return value.toordinal() if isinstance(value, date) else value


def at_ordinate(scalar: str, number: Any) -> Any:
    """Return the ordered value at `number`: the inverse of `ordinate`."""
    if scalar == "date":
        return date.fromordinal(int(number))
    if scalar in ("timestamp", "timestamp_utc"):
        moment = _EPOCH + timedelta(microseconds=int(number))
        return moment.replace(tzinfo=UTC) if scalar == "timestamp_utc" else moment
    return float(number) if scalar == "number" else int(number)


@short_repr
@frozen
class Schema:
    """The features of a table or tree, in order, and the target of a tree.

    The target of a classification is a category or ordinal feature whose categories are the classes; that of a
    regression is a number or an integer.

    Args:
        features: the features, in the order of the columns.
        target: the target of a tree; None for a table.
        counted: what the training figures of a model count: "rows", the default, or the "weight" of rows.

    Raises:
        OptionError: a feature or the target is no Feature, or `counted` has another value.
        InvalidTreeError: two columns have one name, or the target is of a kind that cannot be predicted.
    """

    features: tuple[Feature, ...] = field(converter=as_tuple)
    target: Feature | None = None
    #: what the training figures of a model count; it takes no part in equality
    counted: Literal["rows", "weight"] = field(default="rows", eq=False, repr=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.counted not in ("rows", "weight"):
            raise OptionError("counted", self.counted, "rows or weight")
        if not all(isinstance(feature, Feature) for feature in self.features):
            raise OptionError("features", self.features, "Feature objects")
        require_type("target", self.target, Feature | None, _ONE_FEATURE)
        names = [feature.name for feature in self.features] + ([self.target.name] if self.target else [])
        twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
        if twice:
            raise InvalidTreeError(
                f"column {twice[0]!r} stands twice in the schema", "give each column a name of its own"
            )
        if self.target is not None and self.target.kind not in _TARGETS:
            remedy = f"expected one of {listed(sorted(map(str, _TARGETS)))}"
            raise InvalidTreeError(f"target {self.target.name!r} is of kind {self.target.kind}", remedy)

    @property
    def is_regression(self) -> bool:
        """Whether the target is predicted as a number."""
        return self.target is not None and self.target.kind not in OPEN

    @property
    def predicted(self) -> str:
        """The scalar of the predictions, a key of SCALARS: means are numbers, even of an integer target."""
        return "number" if self.target is None or self.is_regression else self.target.scalar

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes of a classification, sorted; empty for a regression."""
        return self.target.categories if self.target else ()

    @cached_property
    def indices(self) -> dict[str, int]:
        """The position of each feature, by its name."""
        return {feature.name: index for index, feature in enumerate(self.features)}

    def index(self, name: str) -> int:
        """Return the position of a feature.

        Raises:
            UnknownNameError: there is no such feature; the error names the closest one.
        """
        try:
            return self.indices[name]
        except (KeyError, TypeError):
            raise UnknownNameError("column", name, self.indices) from None

    def feature(self, name: str) -> Feature:
        """Return the feature of that name.

        Raises:
            UnknownNameError: there is no such feature.
        """
        return self.features[self.index(name)]


def is_threshold(value: Any, feature: Feature) -> bool:
    """Return whether a value can cut a feature: of its type and zone, within its domain."""
    fits = feature.is_ordered and type(value) is SCALARS[feature.scalar].type
    if fits and isinstance(value, datetime):
        fits = value.tzinfo is feature.lowest.tzinfo
    return fits and feature.lowest <= value <= feature.highest

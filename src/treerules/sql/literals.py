"""Literals of SQL as values: numbers in all their digits, text, truth values, dates, moments, NULL."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from math import inf
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import parse_date, parse_number, parse_timestamp
from treerules.sql.dialect import Dialect


@frozen
class Value:
    """A literal: number (a Decimal, or an infinite float), text, boolean, date, timestamp, timestamp_utc, null; as SQL.

    `is_double` tells a number that the engine takes as a double.
    """

    kind: str
    value: Any
    sql: str = field(default="NULL", eq=False)
    is_double: bool = field(default=False, eq=False)


NULL = Value("null", None)

_MOST_DIGITS = 400
_PLAIN_DAY = re.compile("[0-9]{8}")
_PLAIN_TEXT = re.compile("[A-Za-z0-9 _.:-]*")


def node_text(node: Any, dialect: Dialect) -> str:
    """Return a node of sqlglot's as SQL of the dialect, plain ones at once."""
    kind, name = type(node).__name__, node.name
    if kind == "Literal" and not node.args.get("is_string"):
        return str(name)
    if kind == "Literal" and _PLAIN_TEXT.fullmatch(name):
        return f"'{name}'"
    from sqlglot import ErrorLevel

    return str(node.sql(dialect=dialect.reading.grammar, comments=False, unsupported_level=ErrorLevel.IGNORE))


def node_value(node: Any, dialect: Dialect) -> Value | None:
    """Return the value of a node of sqlglot's that is a literal; None of any other."""
    maker = _MAKERS.get(type(node).__name__)
    return None if maker is None else maker(node, dialect)


def _literal(node: Any, dialect: Dialect) -> Value | None:
    text, sql = str(node.this), node_text(node, dialect)
    return _text(text, sql, dialect) if node.args.get("is_string") else number_value(text, sql, dialect)


def _string(node: Any, dialect: Dialect) -> Value | None:
    return _text(str(node.this), node_text(node, dialect), dialect)


def _text(text: str, sql: str, dialect: Dialect) -> Value:
    return NULL if not text and dialect.empty_text_is_null else Value("text", text, sql)


def number_value(text: str, sql: str, dialect: Dialect, *, as_double: bool = False) -> Value | None:
    """Return the number that digits spell; None where the dialect cannot hold it."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    if not found.is_finite():
        return None
    if abs(found.adjusted()) > _MOST_DIGITS or abs(float(found)) == inf:
        if found and found.adjusted() < 0:
            return Value("number", Decimal(0), sql, True)
        if not dialect.reading.reads_overflow and found:
            return None
        if found:
            return Value("number", inf if found > 0 else -inf, sql, True)
    is_double = as_double or "e" in text.lower()
    return Value("number", Decimal(float(found)) if as_double else found + 0, sql, is_double)


def _boolean(node: Any, dialect: Dialect) -> Value | None:
    return Value("boolean", bool(node.this), node_text(node, dialect))


def _null(node: Any, dialect: Dialect) -> Value | None:
    return NULL


def _negative(node: Any, dialect: Dialect) -> Value | None:
    sign = -1
    inner = node.this
    while type(inner).__name__ in ("Neg", "Paren"):
        sign = -sign if type(inner).__name__ == "Neg" else sign
        inner = inner.this
    found = node_value(inner, dialect)
    if found is None or found.kind not in ("number", "null"):
        return None
    if found == NULL:
        return NULL
    value = found.value.copy_negate() if isinstance(found.value, Decimal) and sign < 0 else found.value * sign
    return Value("number", value + 0, node_text(node, dialect), found.is_double)


def _infinity(node: Any, dialect: Dialect) -> Value | None:
    """Return infinity where a name, or a function without arguments, is that."""
    if type(node).__name__ == "Column":
        name = "" if node.table or node.this.args.get("quoted") else node.name
    else:
        name = "" if node.expressions else str(node.this)
    if name.lower() in dialect.infinities and name:
        return Value("number", inf, node_text(node, dialect), True)
    return _arrow(node, dialect) if type(node).__name__ == "Anonymous" else None


def _arrow(node: Any, dialect: Dialect) -> Value | None:
    """Return the moment of DataFusion's arrow_cast."""
    if str(node.this).lower() != "arrow_cast" or len(node.expressions) != 2:
        return None
    text, kind = (str(item.this) for item in node.expressions)
    return _moment(text, node_text(node, dialect)) if kind.startswith("Timestamp(Microsecond") else None


_FORMATS = {
    "": "date", "%Y-%m-%d": "date", "%Y-%m-%d %H:%M:%S": "timestamp", "%Y-%m-%d %H:%M:%S.%f": "timestamp",
}  # fmt: skip


def _formatted_time(node: Any, dialect: Dialect) -> Value | None:
    """Return the value of TO_DATE('2024-03-21', 'YYYY-MM-DD') and its like, which Oracle's literals are to sqlglot."""
    format = node.args.get("format")
    kind = _FORMATS.get("" if format is None else str(format.this))
    if type(node.this).__name__ != "Literal" or not node.this.args.get("is_string") or kind is None:
        return None
    text = str(node.this.this)
    if kind == "date":
        day = iso_day(text)
        return None if day is None else Value("date", day, f"DATE '{text}'")
    return _moment(text, f"TIMESTAMP '{text}'")


# ---- casts of literals


def _cast(node: Any, dialect: Dialect) -> Value | None:
    inner = node.this
    while type(inner).__name__ == "Paren":
        inner = inner.this
    found, sql = node_value(inner, dialect), node_text(node, dialect)
    if found is None or node.args.get("format"):
        return None
    if found == NULL:
        return NULL
    kind = node.to.this.name if hasattr(node.to.this, "name") else ""
    cast = _CASTS.get(kind)
    is_cut = bool(node.to.expressions) and cast is not _to_moment  # a length or a scale may cut the value off
    if cast is None or is_cut:
        return None
    return _zoned(cast(found, sql, dialect), node, dialect) if cast is _to_moment else cast(found, sql, dialect)


def _zoned(found: Value | None, node: Any, dialect: Dialect) -> Value | None:
    """Return a moment in the zone that its type gives it; None where that type drops the zone of its text."""
    kind = node.to.this.name
    if found is None:
        return None
    if found.kind == "timestamp_utc":
        keeps = kind in ("TIMESTAMPTZ", "TIMESTAMPLTZ") or (kind == "TIMESTAMP" and dialect.heeds_zones)
        return found if keeps else None
    zones = [part.this.name for part in node.to.expressions if part.this.args.get("is_string")]
    is_utc = zones == ["UTC"] or (kind == "TIMESTAMPTZ" and dialect.taken_as_utc == "timestamp")
    if zones and not is_utc:
        return None
    return Value("timestamp_utc", found.value.replace(tzinfo=UTC), found.sql) if is_utc else found


def _to_double(found: Value, sql: str, dialect: Dialect) -> Value | None:
    if found.kind == "text":
        spelled = parse_number(found.value)
        if spelled is None:
            return None
        if abs(spelled) == inf:
            is_word = found.value.strip(" +-").lower().startswith("inf")
            holds = dialect.nan != "none" or not dialect.name
            return Value("number", spelled, sql, True) if is_word and holds else None
        return number_value(found.value.strip(), sql, dialect, as_double=True)
    if found.kind != "number":
        return None
    if isinstance(found.value, float):
        return Value("number", found.value, sql, True)
    return Value("number", Decimal(float(found.value)), sql, True)


def _to_integer(found: Value, sql: str, dialect: Dialect) -> Value | None:
    if found.kind == "text":
        text = found.value.strip()
        is_plain = text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()
        return number_value(text, sql, dialect) if is_plain else None
    is_whole = found.kind == "number" and isinstance(found.value, Decimal) and found.value == int(found.value)
    return Value("number", found.value, sql) if is_whole and abs(found.value) < 2**31 else None


def _to_boolean(found: Value, sql: str, dialect: Dialect) -> Value | None:
    if found.kind == "number" and found.value in (0, 1):
        return Value("boolean", bool(found.value), sql)
    text = str(found.value).lower()
    if found.kind == "boolean" or (found.kind == "text" and text in ("true", "false")):
        return Value("boolean", text == "true", sql)
    return None


def _to_text(found: Value, sql: str, dialect: Dialect) -> Value | None:
    return Value("text", found.value, sql) if found.kind == "text" else None


def _to_day(found: Value, sql: str, dialect: Dialect) -> Value | None:
    day = _day(found.value, dialect) if found.kind == "text" else None
    day = found.value if found.kind == "date" else day
    return None if day is None else Value("date", day, sql)


def _to_moment(found: Value, sql: str, dialect: Dialect) -> Value | None:
    if found.kind == "date":
        return Value("timestamp", datetime.combine(found.value, datetime.min.time()), sql)
    return _moment(found.value, sql, dialect) if found.kind == "text" else None


def _moment(text: str, sql: str, dialect: Dialect | None = None) -> Value | None:
    found = moment_of(text, dialect)
    if found is None:
        return None
    return Value("timestamp" if found.tzinfo is None else "timestamp_utc", found, sql)


def iso_day(text: str) -> Any:
    """Return the date that text spells in the one way that all engines read: 2024-03-21."""
    return parse_date(text) if "-" in text else None


def plain_day(text: str) -> Any:
    """Return the date that text spells as 20240321, which not all engines read."""
    return parse_date(f"{text[:4]}-{text[4:6]}-{text[6:]}") if _PLAIN_DAY.fullmatch(text) else None


def _day(text: str, dialect: Dialect | None) -> Any:
    day = iso_day(text)
    return plain_day(text) if day is None and dialect is not None and dialect.reading.plain_days else day


def moment_of(text: str, dialect: Dialect | None = None) -> Any:
    """Return the moment that text spells, with its zone where it has one; a day alone is its midnight.

    With a dialect, what that alone reads is read too.
    """
    day = _day(text, dialect)
    if day is not None:
        return datetime.combine(day, datetime.min.time())
    text = text[:-6].rstrip() + text[-6:]  # a blank before the zone
    found = parse_timestamp(text, False)
    return parse_timestamp(text, True) if found is None else found


_CASTS: dict[str, Callable[[Value, str, Dialect], Value | None]] = {
    **dict.fromkeys(("DOUBLE",), _to_double),
    **dict.fromkeys(("INT", "BIGINT", "INT128", "SMALLINT", "TINYINT"), _to_integer),
    **dict.fromkeys(("BOOLEAN", "BIT"), _to_boolean),
    **dict.fromkeys(("VARCHAR", "NVARCHAR", "TEXT"), _to_text),
    **dict.fromkeys(("DATE", "DATE32"), _to_day),
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPNTZ", "TIMESTAMPLTZ", "DATETIME", "DATETIME2", "DATETIME64"), _to_moment
    ),
}

_MAKERS: dict[str, Callable[[Any, Dialect], Value | None]] = {
    "Literal": _literal,
    "National": _string,
    "RawString": _string,
    "Boolean": _boolean,
    "Null": _null,
    "Neg": _negative,
    "Column": _infinity,
    "Anonymous": _infinity,
    "Cast": _cast,
    "TryCast": _cast,
    "DateStrToDate": _formatted_time,
    "StrToDate": _formatted_time,
    "StrToTime": _formatted_time,
}

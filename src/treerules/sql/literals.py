"""Literals of SQL as values: exact numbers, texts, truth values, dates, timestamps, NULL."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from math import inf
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import parse_date, parse_number, parse_timestamp
from treerules.sql.dialect import Dialect
from treerules.sql.jinja import with_jinja


@frozen
class SqlLiteral:
    """A literal of SQL and its value.

    Attributes:
        kind: "number", "text", "boolean", "date", "timestamp", "timestamp_utc" or "null".
        value: The value in Python; a number is a Decimal, or an infinite float.
        sql: The literal as SQL.
        is_double: Whether the engine takes the number as a double.
    """

    kind: str
    value: Any
    sql: str = field(default="NULL", eq=False)
    is_double: bool = field(default=False, eq=False)


NULL = SqlLiteral("null", None)

_MOST_DIGITS = 400
_PLAIN_DAY = re.compile("[0-9]{8}")
_PLAIN_TEXT = re.compile("[A-Za-z0-9 _.:-]*")


def node_text(node: Any, dialect: Dialect) -> str:
    """Return a node of sqlglot as SQL of the dialect, without its generator where the node is a plain literal.

    The names that stand for Jinja are replaced by it.
    """
    kind, name = type(node).__name__, node.name
    if kind == "Literal" and not node.args.get("is_string"):
        return str(name)
    if kind == "Literal" and _PLAIN_TEXT.fullmatch(name):
        return f"'{name}'"
    from sqlglot import ErrorLevel

    sql = node.sql(dialect=dialect.reading.grammar, comments=False, unsupported_level=ErrorLevel.IGNORE)
    return with_jinja(str(sql))


def node_value(node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return the literal that a node of sqlglot is; None for any other node."""
    maker = _MAKERS.get(type(node).__name__)
    return None if maker is None else maker(node, dialect)


def _literal(node: Any, dialect: Dialect) -> SqlLiteral | None:
    text, sql = str(node.this), node_text(node, dialect)
    return _text(text, sql, dialect) if node.args.get("is_string") else number_value(text, sql, dialect)


def _string(node: Any, dialect: Dialect) -> SqlLiteral | None:
    return _text(str(node.this), node_text(node, dialect), dialect)


def _text(text: str, sql: str, dialect: Dialect) -> SqlLiteral:
    return NULL if not text and dialect.empty_text_is_null else SqlLiteral("text", text, sql)


def number_value(text: str, sql: str, dialect: Dialect, *, as_double: bool = False) -> SqlLiteral | None:
    """Return the literal of a number that digits spell; None where the dialect cannot hold it."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    if abs(number.adjusted()) > _MOST_DIGITS or abs(float(number)) == inf:
        if number and number.adjusted() < 0:
            return SqlLiteral("number", Decimal(0), sql, True)
        if not dialect.reading.reads_overflow and number:
            return None
        if number:
            return SqlLiteral("number", inf if number > 0 else -inf, sql, True)
    is_exact = dialect.reading.exact_numbers
    is_double = as_double or "e" in text.lower() or (is_exact and ("." in text or abs(number) >= 2**63))
    is_rounded = as_double or (is_exact and is_double)
    return SqlLiteral("number", Decimal(float(number)) if is_rounded else number or Decimal(0), sql, is_double)


def _boolean(node: Any, dialect: Dialect) -> SqlLiteral | None:
    return SqlLiteral("boolean", bool(node.this), node_text(node, dialect))


def _null(node: Any, dialect: Dialect) -> SqlLiteral | None:
    return NULL


def _negative(node: Any, dialect: Dialect) -> SqlLiteral | None:
    sign = -1
    inner = node.this
    while type(inner).__name__ in ("Neg", "Paren"):
        sign = -sign if type(inner).__name__ == "Neg" else sign
        inner = inner.this
    literal = node_value(inner, dialect)
    if literal is None or literal.kind not in ("number", "null"):
        return None
    if literal == NULL:
        return NULL
    value = literal.value.copy_negate() if isinstance(literal.value, Decimal) and sign < 0 else literal.value * sign
    return SqlLiteral("number", value or Decimal(0), node_text(node, dialect), literal.is_double)  # -0 is 0


def _product(node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return the number that two doubles give, one times the other, as small numbers are written for SQLite."""
    inner = node.this if type(node).__name__ == "Paren" else node
    if type(inner).__name__ != "Mul" or not dialect.reading.exact_numbers:
        return None
    factors = [node_value(part, dialect) for part in (inner.this, inner.expression)]
    values = [float(part.value) for part in factors if part is not None and part.kind == "number" and part.is_double]
    if len(values) != 2:
        return None
    return SqlLiteral("number", Decimal(values[0] * values[1]), node_text(node, dialect), True)


def _infinity(node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return infinity where a name or a function without arguments stands for it."""
    if type(node).__name__ == "Column":
        name = "" if node.table or node.this.args.get("quoted") else node.name
    else:
        name = "" if node.expressions else str(node.this)
    if name.lower() in dialect.infinities and name:
        return SqlLiteral("number", inf, node_text(node, dialect), True)
    return _arrow(node, dialect) if type(node).__name__ == "Anonymous" else None


def _arrow(node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return the timestamp of DataFusion's arrow_cast."""
    if str(node.this).lower() != "arrow_cast" or len(node.expressions) != 2:
        return None
    text, kind = (str(item.this) for item in node.expressions)
    return _moment(text, node_text(node, dialect)) if kind.startswith("Timestamp(Microsecond") else None


_FORMATS = {
    "": "date", "%Y-%m-%d": "date", "%Y-%m-%d %H:%M:%S": "timestamp", "%Y-%m-%d %H:%M:%S.%f": "timestamp",
}  # fmt: skip


def _formatted_time(node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return the value of TO_DATE('2024-03-21', 'YYYY-MM-DD') and the like, into which sqlglot turns literals."""
    format = node.args.get("format")
    kind = _FORMATS.get("" if format is None else str(format.this))
    if type(node.this).__name__ != "Literal" or not node.this.args.get("is_string") or kind is None:
        return None
    text = str(node.this.this)
    if kind == "date":
        day = parse_iso_day(text)
        return None if day is None else SqlLiteral("date", day, f"DATE '{text}'")
    return _moment(text, f"TIMESTAMP '{text}'")


# ---- casts of literals


def _cast(node: Any, dialect: Dialect) -> SqlLiteral | None:
    inner = node.this
    while type(inner).__name__ == "Paren":
        inner = inner.this
    literal, sql = node_value(inner, dialect), node_text(node, dialect)
    if literal is None or node.args.get("format"):
        return None
    if literal == NULL:
        return NULL
    kind = node.to.this.name if hasattr(node.to.this, "name") else ""
    casts = dialect.reading.casts
    cast = _CASTS.get(kind) if casts is None or kind in casts else None
    is_cut = bool(node.to.expressions) and cast is not _to_moment  # a length or a scale may truncate the value
    if cast is None or is_cut:
        return None
    return _zoned(cast(literal, sql, dialect), node, dialect) if cast is _to_moment else cast(literal, sql, dialect)


def _zoned(literal: SqlLiteral | None, node: Any, dialect: Dialect) -> SqlLiteral | None:
    """Return a timestamp in the zone of its type; None where that type drops the zone of its text."""
    kind = node.to.this.name
    if literal is None:
        return None
    if literal.kind == "timestamp_utc":
        keeps = kind in ("TIMESTAMPTZ", "TIMESTAMPLTZ") or (kind == "TIMESTAMP" and dialect.heeds_zones)
        return literal if keeps else None
    zones = [part.this.name for part in node.to.expressions if part.this.args.get("is_string")]
    is_utc = zones == ["UTC"] or (kind == "TIMESTAMPTZ" and dialect.taken_as_utc == "timestamp")
    if zones and not is_utc:
        return None
    return SqlLiteral("timestamp_utc", literal.value.replace(tzinfo=UTC), literal.sql) if is_utc else literal


def _to_double(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    if literal.kind == "text":
        number = parse_number(literal.value)
        if number is None:
            return None
        if abs(number) == inf:
            is_word = literal.value.strip(" +-").lower().startswith("inf")
            holds = dialect.nan != "none" or not dialect.name
            return SqlLiteral("number", number, sql, True) if is_word and holds else None
        return number_value(literal.value.strip(), sql, dialect, as_double=True)
    if literal.kind != "number":
        return None
    if isinstance(literal.value, float):
        return SqlLiteral("number", literal.value, sql, True)
    return SqlLiteral("number", Decimal(float(literal.value)), sql, True)


def _to_integer(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    if literal.kind == "text":
        text = literal.value.strip()
        is_plain = text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()
        return number_value(text, sql, dialect) if is_plain else None
    is_whole = literal.kind == "number" and isinstance(literal.value, Decimal) and literal.value == int(literal.value)
    return SqlLiteral("number", literal.value, sql) if is_whole and abs(literal.value) < 2**31 else None


def _to_boolean(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    if literal.kind == "number" and literal.value in (0, 1):
        return SqlLiteral("boolean", bool(literal.value), sql)
    text = str(literal.value).lower()
    if literal.kind == "boolean" or (literal.kind == "text" and text in ("true", "false")):
        return SqlLiteral("boolean", text == "true", sql)
    return None


def _to_text(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    return SqlLiteral("text", literal.value, sql) if literal.kind == "text" else None


def _to_day(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    day = _day(literal.value, dialect) if literal.kind == "text" else None
    day = literal.value if literal.kind == "date" else day
    return None if day is None else SqlLiteral("date", day, sql)


def _to_moment(literal: SqlLiteral, sql: str, dialect: Dialect) -> SqlLiteral | None:
    if literal.kind == "date":
        return SqlLiteral("timestamp", datetime.combine(literal.value, datetime.min.time()), sql)
    return _moment(literal.value, sql, dialect) if literal.kind == "text" else None


def _moment(text: str, sql: str, dialect: Dialect | None = None) -> SqlLiteral | None:
    moment = parse_moment(text, dialect)
    if moment is None:
        return None
    return SqlLiteral("timestamp" if moment.tzinfo is None else "timestamp_utc", moment, sql)


def parse_iso_day(text: str) -> Any:
    """Return the date of a text such as 2024-03-21, which all engines read; None for any other text."""
    return parse_date(text) if "-" in text else None


def parse_plain_day(text: str) -> Any:
    """Return the date of a text such as 20240321, which some engines read; None for any other text."""
    return parse_date(f"{text[:4]}-{text[4:6]}-{text[6:]}") if _PLAIN_DAY.fullmatch(text) else None


def _day(text: str, dialect: Dialect | None) -> Any:
    day = parse_iso_day(text)
    return parse_plain_day(text) if day is None and dialect is not None and dialect.reading.plain_days else day


def parse_moment(text: str, dialect: Dialect | None = None) -> Any:
    """Return the timestamp of a text, with its zone where it has one; a date alone is its midnight.

    With a dialect, texts that only this dialect reads are read too. None for any other text.
    """
    day = _day(text, dialect)
    if day is not None:
        return datetime.combine(day, datetime.min.time())
    text = text[:-6].rstrip() + text[-6:]  # a blank before the zone
    moment = parse_timestamp(text, False)
    return parse_timestamp(text, True) if moment is None else moment


_CASTS: dict[str, Callable[[SqlLiteral, str, Dialect], SqlLiteral | None]] = {
    **dict.fromkeys(("DOUBLE",), _to_double),
    **dict.fromkeys(("INT", "BIGINT", "INT128", "SMALLINT", "TINYINT"), _to_integer),
    **dict.fromkeys(("BOOLEAN", "BIT"), _to_boolean),
    **dict.fromkeys(("VARCHAR", "NVARCHAR", "TEXT"), _to_text),
    **dict.fromkeys(("DATE", "DATE32"), _to_day),
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPNTZ", "TIMESTAMPLTZ", "DATETIME", "DATETIME2", "DATETIME64"), _to_moment
    ),
}

_MAKERS: dict[str, Callable[[Any, Dialect], SqlLiteral | None]] = {
    "Literal": _literal,
    "National": _string,
    "RawString": _string,
    "Boolean": _boolean,
    "Null": _null,
    "Neg": _negative,
    "Mul": _product,
    "Paren": _product,
    "Column": _infinity,
    "Anonymous": _infinity,
    "Cast": _cast,
    "TryCast": _cast,
    "DateStrToDate": _formatted_time,
    "StrToDate": _formatted_time,
    "StrToTime": _formatted_time,
}

"""Types of CSV cells: SQL that recognises and converts them.

A column is of the first that all its known cells fit (`column_types`):

    boolean      only true and false, in one case style (true, True or TRUE)
    integer      0, -7, +12 within 64 bits; 007 is text, -07 is not; blanks around are nothing
    number       decimal or scientific, inf; 1_000 is text; blanks around are nothing
    date         2024-03-21 or 2024/3/21
    timestamp    2024-03-21 20:21:09.5, T between; all with a zone (Z, +08:00) or all without: then a date is midnight
    category     anything else: text

A declared category or ordinal keeps the spelling of its cells: they are integers or booleans only where these are
spelled in one way, else text, so that 1.10 and 1.1 stay two categories.
"""

from attrs import evolve, frozen

from treerules.readers.csv.form_sql import in_form_sql, plain_cell_sql


@frozen
class CellType:
    """How cells of one scalar type are recognised and converted in SQL; {c} is the cell."""

    scalar: str
    #: SQL that is true of the cells that are of this type
    is_inferred: str
    #: the same where the type was declared: 007 is an integer then
    is_declared: str
    #: SQL that converts a cell, NULL where it cannot
    converted: str
    #: SQL for the shape of a cell, from which the column's form is inferred
    shape: str | None = None
    #: SQL of a faster test than `is_inferred`: true of every converted cell that fails it, and of few others
    suspicion: str | None = None
    #: whether a known cell that cannot be converted becomes NaN, so that no separate check is needed
    has_nan: bool = False
    #: the form of the cells, where it is not inferred from `shape`
    form: str = ""
    #: a remark on what was recognised
    note: str = ""
    #: a remark on cells that could not be read, for which the column is text
    doubt: str = ""
    #: whether all rows must be looked at to decide, and only the first ones were
    is_open: bool = False

    def fits(self, cell: str, *, is_declared: bool = False) -> str:
        """Return SQL that is true of the cells of this type, false of all others that are known."""
        rule = self.is_declared if is_declared else self.is_inferred
        return f"({rule.format(c=cell)}) AND ({self.converted.format(c=cell)}) IS NOT NULL"

    def of_form(self, form: str, note: str = "") -> "CellType":
        """Return the reading of cells that are written in a form which says how they are read."""
        plain = plain_cell_sql(form)

        def of_plain(sql: str) -> str:
            escaped = sql.format(c="\0").replace("{", "{{").replace("}", "}}")
            return escaped.replace("\0", f"({plain})")

        return evolve(
            self,
            is_inferred=f"{in_form_sql(form)} AND {of_plain(self.is_inferred)}",
            is_declared=of_plain(self.is_declared),
            converted=of_plain(self.converted),
            shape=None,
            suspicion=None,
            form=form,
            note=note,
        )


def _matches(pattern: str) -> str:
    return f"regexp_full_match({{c}}, '{pattern}')"


def _within(converted: str, least: int, most: int) -> str:
    return f"CASE WHEN {converted} BETWEEN {least} AND {most} THEN {converted} END"


_ISO_DAY = "[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}"
_TIME = r"[ T]([01][0-9]|2[0-3]):[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,6}})?)?"
_DAYS = _matches("[0-9]{{4}}(-[0-9]{{2}}-[0-9]{{2}}|/[0-9]{{1,2}}/[0-9]{{1,2}})")
_SEPARATOR = "CASE WHEN length({c}) > 10 THEN trim(substr({c}, 11, 1)) END"
_MOMENT = _matches(f"{_ISO_DAY}({_TIME})?")
_ZONED = _matches(_ISO_DAY + _TIME + "(Z|[+-](0[0-9]|1[0-5])(:[0-5][0-9])?)")
#: The years 1 to 9999 in microseconds
_MOMENTS = (-62135596800000000, 253402300799999999)


def _microseconds(sql_type: str) -> str:
    return _within(f"epoch_us(TRY_CAST({{c}} AS {sql_type}))", *_MOMENTS)


_TRUTHS = "lower({c}) IN ('true', 'false')"
_BOOLEAN = "CASE WHEN lower({c}) = 'true' THEN 1 WHEN lower({c}) = 'false' THEN 0 END"
_BLANK = r"[ \t\n\v\f\r]*"
_INTEGER = _matches(_BLANK + "(0|[1-9][0-9]*|[+-][0-9]+)" + _BLANK)


def _number(digits: str) -> str:
    return _matches(f"{_BLANK}({digits}([eE][+-]?[0-9]+)?|[+-]?[iI]nf(inity)?){_BLANK}")


TEXT = CellType("text", "TRUE", "TRUE", "{c}")
CELL_TYPES = (
    CellType("boolean", "{c} IN ('true', 'false')", _TRUTHS, _BOOLEAN, "{c}"),
    CellType("boolean", "{c} IN ('True', 'False')", _TRUTHS, _BOOLEAN, "{c}"),
    CellType("boolean", "{c} IN ('TRUE', 'FALSE')", _TRUTHS, _BOOLEAN, "{c}"),
    CellType(
        "integer",
        _INTEGER,
        _INTEGER,
        "TRY_CAST({c} AS BIGINT)",
        suspicion="CAST(TRY_CAST({c} AS BIGINT) AS VARCHAR) IS DISTINCT FROM {c}",
    ),
    CellType(
        "number",
        _number("((0|[1-9][0-9]*|[+-][0-9]+)(\\.[0-9]*)?|[+-]?\\.[0-9]+)"),
        _number("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)"),
        "TRY_CAST({c} AS DOUBLE)",
        suspicion="{c} >= '00' AND {c} < '0:'",  # : comes after 9
        has_nan=True,
    ),
    CellType(
        "date",
        _DAYS,
        _DAYS,
        _within("TRY_CAST(replace({c}, '/', '-') AS DATE) - DATE '0001-01-01' + 1", 1, 3652059),
        "regexp_replace({c}, '[0-9]', '0', 'g')",
    ),
    CellType("timestamp", _MOMENT, _MOMENT, _microseconds("TIMESTAMP"), _SEPARATOR),
    CellType(
        "timestamp_utc",
        _ZONED,
        _ZONED,
        _microseconds("TIMESTAMPTZ"),
        "substr({c}, 11, 1) || regexp_extract({c}, '(Z|[+-][0-9:]+)$')",
    ),
    TEXT,
)
#: Truth values in any style.
ANY_BOOLEAN = evolve(CELL_TYPES[0], is_inferred=_TRUTHS)
#: A declared integer may be spelled 007 or 7.0.
DECLARED_INTEGER = CellType(
    "integer",
    _INTEGER,
    _matches(_BLANK + r"[+-]?[0-9]+(\.0*)?" + _BLANK),
    r"TRY_CAST(regexp_replace({c}, '\.0*\s*$', '') AS BIGINT)",
)
MOMENTS = ("date", "timestamp", "timestamp_utc")
#: The types of a declared category besides text: values with only one spelling.
_PLAIN_INTEGER = _matches("0|-?[1-9][0-9]*")
SPELLED_ONE_WAY = (
    *(evolve(reading, is_declared=reading.is_inferred) for reading in CELL_TYPES[:3]),
    CellType("integer", _PLAIN_INTEGER, _PLAIN_INTEGER, "TRY_CAST({c} AS BIGINT)"),
    TEXT,
)


def type_of_scalar(scalar: str) -> CellType:
    """Return the type of cells that are declared to be of a scalar."""
    return next(reading for reading in (DECLARED_INTEGER, *CELL_TYPES) if reading.scalar == scalar)

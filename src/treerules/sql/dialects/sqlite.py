"""SQLite."""

from decimal import Decimal
from fractions import Fraction
from math import nextafter

from treerules.sql.dialect import Dialect
from treerules.sql.language import Language, iso_text
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading
from treerules.sql.reserved_words import SQLITE_WORDS


def _number(value: float) -> str:
    """Return a finite double as a literal that SQLite reads back exactly; one with a point or an exponent is a double.

    SQLite before 3.43 reads digits to 64 bits, which it rounds to a double: digits almost in the middle between two
    doubles may give the wrong one. Those are written with 18 digits, which lie nearer to the double.

    Below 1e-285 it divides twice, and rounds twice; a product with a power of two is exact.

    >>> _number(0.1), _number(0.03104837736591755), _number(1.2345678901234567e-300)
    ('0.1', '0.0310483773659175517', '(1.9838741108599356e-240 * 6.223015277861142e-61)')
    """
    text = repr(value)
    if 0 < abs(value) < 1e-285 and len(text) > 7:
        return f"({_number(value * 2.0**200)} * {2.0**-200!r})"
    if len(text) <= 15:  # few digits are read right
        return text
    gap, spacing = abs(Fraction(text) - Fraction(value)), abs(value - nextafter(value, 0.0))
    return text if gap < Fraction(spacing) * Fraction(127, 256) else format(Decimal(value), ".18g")


def _rounded() -> str:
    """Return the pattern that rounds a double to float32, a type that SQLite does not have.

    2^29 + 1 times the number, less that, leaves its 24 leading bits (Veltkamp's splitting: Dekker, A floating-point
    technique for extending the available precision, Numerische Mathematik 18, 1971, p. 224). Below the least normal
    float32 the sum with 1.5 * 2^-97 leaves multiples of 2^-149. The inner query computes the number once.
    """
    normal, shift, most = map(_number, (2.0**-126, 1.5 * 2.0**-97, 2.0**128 - 2.0**103))
    scaled = f"treerules_x * {2.0**29 + 1}"
    return (
        f"(SELECT CASE WHEN ABS(treerules_x) < {normal} THEN treerules_x + {shift} - {shift} "
        f"WHEN ABS(treerules_x) >= {most} THEN treerules_x * 9e999 "
        f"ELSE {scaled} - ({scaled} - treerules_x) END FROM (SELECT {{}} AS treerules_x))"
    )


SQLITE = Dialect(
    Language(
        name="sqlite",
        trim="TRIM({}, ' ' || CHAR(9))",
        below="{} < {}",
        at_least="{} >= {}",
        about="SQLite (run in the tests)",
        stage_words="AS MATERIALIZED",
        single=_rounded(),
        single_sums_a_stage=1,  # nested queries overflow the parser's stack
        quotes=("`", "`"),  # in double quotes a name that is no column would be a string; in backticks it is an error
        folding="ascii",
        empty_names=True,
        number=_number,
        date=lambda day: f"'{day.isoformat()}'",  # there are no dates: ISO text sorts as they do
        timestamp=lambda moment: f"'{iso_text(moment)}'",
        true="1",  # TRUE is a column of that name, if there is one
        false="0",
        always="1",
        never="0",
        infinity="{}9e999",  # CAST('Infinity' AS REAL) would be 0; NaN is stored as NULL
        # integers are compared exactly with doubles, also those beyond 2^53 in a column of numbers
        large_number="CAST({} AS DOUBLE)",
        # columns hold values of any type: numbers are below texts, and texts below blobs
        of_other_type={
            **dict.fromkeys(("number", "integer", "boolean"), "{} >= ''"),
            **dict.fromkeys(("date", "timestamp", "timestamp_utc"), "{} < ''"),
        },
        refusal="JSON_EXTRACT('{}', 'a value of another type')",  # an error that holds the text
        text_column="{} COLLATE BINARY",  # a column may be declared with NOCASE or RTRIM
        deepest_case=16,  # the parser's stack overflows at 18
        types={
            "number": "REAL",
            "integer": "INTEGER",
            "boolean": "BOOLEAN",
            "text": "TEXT",
            "date": "TEXT",
            "timestamp": "TEXT",
            "timestamp_utc": "TEXT",
        },
        dbt_adapter="sqlite",
    ),
    Reading(
        grammar="sqlite",
        padded_texts=False,
        lexical=LexicalRules(name_quotes='"[`', prefixes="nx", comments_pass_returns=True, nested_comments=False),
        numeric_truth=True,
        true_is_one=True,
        reads_overflow=True,
        moments_are_text=True,
        exact_numbers=True,
        hexadecimal_digits=16,
        # CAST('2020-01-02' AS DATE) is 2020; TEXT is left out since sqlglot gives that name to STRING too, a number
        casts=("DOUBLE", "INT", "BIGINT", "SMALLINT", "TINYINT", "VARCHAR", "NVARCHAR"),
    ),
    drivers=("sqlite3",),
    aliases=("sqlite3",),
    reserved=SQLITE_WORDS,
)

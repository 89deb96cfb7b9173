"""Oracle Database, after its documentation."""

import re
from decimal import Decimal

from treerules._internal.sql_quotes import quote_doubling
from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import cast
from treerules.sql.language import Language, iso_text
from treerules.sql.lexer import LexicalRules
from treerules.sql.reading import Reading


def _oracle_text(text: str) -> str:
    """Return text in quotes; a line that is empty, "/" or "." would end the statement in SQL*Plus, so it is divided."""
    parts = re.split(r"(?<=\n)(?=[ \t]*(?:[\r\n/.]|\Z))", text)
    return " || ".join(map(quote_doubling, parts))


def _binary_double(value: float) -> str:
    """Return a double that reads back exactly: a bare literal is a decimal NUMBER.

    It has no decimal point, which the settings of a session may spell otherwise. (2.5d would be shorter, but not all
    that reads SQL knows it.)
    """
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    return cast("BINARY_DOUBLE", f"{'-' if sign else ''}{''.join(map(str, digits))}e{exponent}")


ORACLE = Dialect(
    Language(
        name="oracle",
        trim="LTRIM(RTRIM({}, ' ' || CHR(9)), ' ' || CHR(9))",
        below="{} < {}",
        at_least="{} >= {}",
        about="Oracle Database",
        longest_name=128,
        name_unit="bytes",
        no_names_with='"\0',  # not even doubled
        folding="none",
        text=_oracle_text,
        cautions=(("&", "SQL*Plus: SET DEFINE OFF before this, or it asks for the words behind an ampersand"),),
        number=_binary_double,
        timestamp=lambda moment: (
            f"TIMESTAMP '{iso_text(moment.replace(tzinfo=None))}{' +00:00' if moment.tzinfo else ''}'"
        ),
        true="1",  # BOOLEAN came with 23ai; before, 1 and 0 stand for it
        false="0",
        always="1 = 1",
        never="1 = 0",
        infinity="{}BINARY_DOUBLE_INFINITY",
        is_number="{} <= BINARY_DOUBLE_INFINITY",  # NaN is above infinity
        empty_text_is_missing=True,
        longest_text=4000,
        # a CHAR's = pads with blanks, and so does that of two literals; a VARCHAR2 column's does not
        types={
            "number": "BINARY_DOUBLE",
            "integer": "NUMBER(19)",
            "boolean": "NUMBER(1)",
            "text": "VARCHAR2(4000)",
            "date": "DATE",
            "timestamp": "TIMESTAMP(6)",
            "timestamp_utc": "TIMESTAMP(6) WITH TIME ZONE",
        },
        most_rows=1,  # before 23ai, VALUES takes one
        replacing={"view": "CREATE OR REPLACE VIEW"},
        dbt_adapter="oracle",
    ),
    Reading(
        grammar="oracle",
        like_folds="none",
        exact_sums=True,
        calendar=("Extract",),
        lexical=LexicalRules(q_texts=True, prefixes="nu", nested_comments=False, name_characters="@#"),
        unquoted="upper",
        nan_is_highest=True,
        other_infinities=("binary_float_infinity",),
        numeric_truth=True,
        heeds_zones=True,
        finer_moments=True,
    ),
    aliases=("plsql", "pl/sql"),
)

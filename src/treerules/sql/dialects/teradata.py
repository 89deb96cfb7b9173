"""Teradata Vantage, after its documentation (SQL Data Types and Literals, B035-1143)."""

from treerules.sql.dialect import Dialect
from treerules.sql.dialects._common import cast
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, exponential
from treerules.sql.reading import Reading

TERADATA = Dialect(
    Language(
        name="teradata",
        about="Teradata, in sessions of ANSI mode",  # in those of Teradata mode = takes A for a
        longest_name=128,
        # a bare literal has at most 15 digits; the readers take DOUBLE PRECISION, its other name, for a FLOAT
        number=lambda value: cast("DOUBLE PRECISION", exponential(value)),
        true="1",  # there is no BOOLEAN; a BYTEINT stands for it
        false="0",
        always="1 = 1",
        never="1 = 0",
        # a FLOAT is never infinite or NaN, so there is neither `infinity` nor `is_number`
        longest_text=31000,  # characters, of which none has less than a byte
        longest_statement=2**20,
        types={
            **ANSI.spelling.types,
            "boolean": "BYTEINT",
            "text": "VARCHAR(4000) CHARACTER SET UNICODE",  # the default set may be LATIN
        },
        most_rows=1,  # VALUES takes one
        dbt_adapter="teradata",
    ),
    Reading(grammar="teradata", numeric_truth=True),
    drivers=("teradatasql",),
)

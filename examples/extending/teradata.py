"""A dialect of your own: Teradata Vantage, after its documentation (SQL Data Types and Literals, B035-1143).

The folder `teradata` holds a template: CREATE TABLE AS takes a query in parentheses. Tested by the laws of dialects,
not on an engine.

    python examples/extending/teradata.py
"""

from pathlib import Path

from treerules import cart, learn, read, to_sql
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import DIALECTS
from treerules.sql.dialects._common import cast
from treerules.sql.dialects.ansi import ANSI
from treerules.sql.language import Language, exponent_number
from treerules.sql.reading import Reading

TERADATA = Dialect(
    Language(
        name="teradata",
        about="Teradata, in sessions of ANSI mode",  # in those of Teradata mode = also matches A for a
        below="{} < {}",
        at_least="{} >= {}",
        longest_name=128,
        # a bare literal has at most 15 digits; the readers take DOUBLE PRECISION, its other name, for a FLOAT
        number=lambda value: cast("DOUBLE PRECISION", exponent_number(value)),
        true="1",  # there is no BOOLEAN; a BYTEINT stands for it
        false="0",
        always="1 = 1",
        never="1 = 0",
        # a FLOAT is never infinite or NaN, so there is neither `infinity` nor `is_number`
        longest_text=31000,  # characters, each of at least one byte
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

if __name__ == "__main__":
    DIALECTS[TERADATA.name] = TERADATA
    tree = learn(read("examples/weather.csv"), target="play", recipe=cart(max_depth=2))
    templates = Path(__file__).parent / "teradata"
    print(to_sql(tree, dialect="teradata", kind="table", table="weather", name="predictions", templates=templates))

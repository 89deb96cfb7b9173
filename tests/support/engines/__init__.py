"""SQL engines, run for real: each loads typed columns through its driver and answers queries of them.

A new engine is a module with an `ask` and one more row of ENGINES. Nothing heavy is imported before it is asked.
"""

import math
import os
import shutil
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest

from engines import clickhouse, datafusion_, duckdb_, mariadb, postgres, spark, sqlite
from engines.storing import Answers, Stored
from treerules import Schema

__all__ = ("ENGINES", "Engine", "Stored", "opened", "parameters")


def _everything(cell: Any) -> bool:
    return True


class Engine(NamedTuple):
    """An SQL engine. `ask(columns, queries)` makes the table `table` of the columns and returns each query's rows."""

    dialect: str
    ask: Callable[..., Answers]
    #: modules and programs it needs, and the environment variable that says where its server is
    modules: tuple[str, ...] = ()
    program: str | None = None
    server: str | None = None
    #: whether a cell can be stored and read, and what cannot be
    holds: Callable[[Any], bool] = _everything
    cannot: str = ""
    #: what queries call the table of columns
    table: str = "t"
    #: whether TRUE and FALSE come back as such, not as 1 and 0
    booleans: bool = True

    #: whether each query takes seconds, so that it is asked few, over more rows
    slow: bool = False

    def lacks(self) -> str | None:
        """Return why it cannot run here; None when it can."""
        for module in self.modules:
            if find_spec(module) is None:
                return f"{self.dialect}: the module {module} is not installed (the extra [engines])"
        if self.program and not shutil.which(self.program):
            return f"{self.dialect}: there is no {self.program} here"
        if self.server and not os.environ.get(self.server):
            return f"{self.dialect}: no server ({self.server} is not set)"
        return None

    def predictions(self, schema: Schema, rows: list[tuple[Any, ...]]) -> list[Any]:
        """Return the first cell of each row, a truth value where the classes are such."""
        booleans = bool(schema.classes) and isinstance(schema.classes[0], bool) and not self.booleans
        return [bool(row[0]) if booleans else row[0] for row in rows]


def _finite(cell: Any) -> bool:
    return not isinstance(cell, float) or math.isfinite(cell)


def _divided(cell: Any) -> bool:
    """Whether a decimal is the double nearest to it when its digits are made a double and divided by 10**19."""
    return not isinstance(cell, Decimal) or float(int(Fraction(cell) * 10**19)) / 1e19 == float(cell)


_ROUGH = "decimals of more than 15 digits that it turns into a neighbour of the nearest double"

ENGINES = {
    engine.dialect: engine
    for engine in (
        Engine("duckdb", duckdb_.ask, ("duckdb", "pyarrow")),
        Engine("sqlite", sqlite.ask, booleans=False),
        Engine("postgres", postgres.ask, ("psycopg",), server="TREERULES_POSTGRES", table="pg_temp.t"),
        Engine(
            "mariadb",
            mariadb.ask,
            ("pymysql",),
            server="TREERULES_MARIADB",
            holds=_finite,
            cannot="NaN and the infinities",
            booleans=False,
        ),
        Engine("spark", spark.ask, ("pyspark", "pyarrow"), program="java", slow=True),
        Engine("clickhouse", clickhouse.ask, ("chdb", "pyarrow"), holds=_divided, cannot=_ROUGH),
        Engine("datafusion", datafusion_.ask, ("datafusion", "pyarrow"), holds=_divided, cannot=_ROUGH),
    )
}


#: What every machine has on which the tests run.
IN_PROCESS = ("duckdb", "sqlite")


def parameters(dialects: Iterable[str]) -> list[Any]:
    """Return engines for pytest.mark.parametrize: those beside SQLite and DuckDB are marked `engine`."""
    return [name if name in IN_PROCESS else pytest.param(name, marks=pytest.mark.engine) for name in dialects]


def opened(dialect: str) -> Engine:
    """Return an engine; the test is skipped where it is lacking, and fails where TREERULES_ENGINES says "required"."""
    engine = ENGINES[dialect]
    reason = engine.lacks()
    if reason and os.environ.get("TREERULES_ENGINES") == "required":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    return engine

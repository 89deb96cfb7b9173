"""Spark in the process, one session, loaded from Parquet; ANSI mode is Spark 4's own."""

import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engines.storing import Answers, Stored, arrow, by_key

_OPTIONS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.ansi.enabled": "true",
    # other programs write days before 1582 in today's calendar
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
}


@cache
def session() -> Any:
    """Return the session."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a new pandas, which nothing here uses
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[1]")
        for option, value in _OPTIONS.items():
            builder = builder.config(option, value)
        found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def ask(columns: list[Stored], queries: list[str], settings: Sequence[str] = ()) -> Answers:
    """Return the rows of each query of the columns, in their order, asked after the settings are made."""
    import pyarrow.parquet as pq

    with TemporaryDirectory() as folder:
        file = Path(folder) / "t.parquet"
        pq.write_table(arrow(columns), file)
        session().read.parquet(file.as_uri()).createOrReplaceTempView("t")
        for setting in settings:
            session().sql(setting)
        found = [by_key([tuple(row) for row in session().sql(query).collect()]) for query in queries]
        if settings:
            _set_back()
        return found


def _set_back() -> None:
    session().sql("RESET")
    for option, value in _OPTIONS.items():
        if option.startswith("spark.sql."):
            session().conf.set(option, value)

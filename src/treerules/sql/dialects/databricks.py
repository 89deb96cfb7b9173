"""Databricks SQL: Spark, with a bound on names."""

from attrs import evolve

from treerules.sql.dialect import Dialect
from treerules.sql.dialects.spark import SPARK

DATABRICKS = Dialect(
    evolve(
        SPARK.spelling,
        name="databricks",
        about="Databricks SQL",
        longest_name=255,
        replacing={"view": "CREATE OR REPLACE VIEW", "table": "CREATE OR REPLACE TABLE"},
        dbt_adapter="databricks",
    ),
    evolve(SPARK.reading, grammar="databricks"),
    drivers=("databricks",),
)

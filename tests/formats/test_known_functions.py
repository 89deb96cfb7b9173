"""Functions that are known to give equal values for equal arguments."""

import pytest

from duckdb_session import session
from treerules import review
from treerules.formats import rules_from_sql
from treerules.formats.sql.volatile_functions import KNOWN_FUNCTIONS


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("tsql", "DATALENGTH(a)"), ("tsql", "ISJSON(a)"), ("mysql", "FIND_IN_SET(a, b)"), ("mysql", "INET_ATON(a)"),
        ("postgres", "ST_IsValid(a)"), ("postgres", "isempty(a)"), ("oracle", "LNNVL(a = b)"), ("spark", "pmod(a, b)"),
        ("redshift", "is_valid_json(a)"), ("sqlite", "datetime(a)"), ("duckdb", "signbit(a)"),
        ("trino", "url_extract_host(a)"), ("clickhouse", "toUInt8(a)"), ("clickhouse", "multiIf(a > 1, b, c)"),
        ("snowflake", "as_integer(a)"), ("bigquery", "IEEE_DIVIDE(a, b)"),
    ],
)  # fmt: skip
def test_equal_calls_of_a_function_of_a_dialect_are_equal(dialect: str, call: str) -> None:
    """A WHEN that repeats the condition of an earlier one never decides where its functions are deterministic."""
    (part,) = rules_from_sql(f"SELECT CASE WHEN {call} = 1 THEN 2 WHEN {call} = 1 THEN 3 ELSE 4 END", dialect=dialect)
    assert [part.name(found.number) for found in review(part).subsumed()] == ["WHEN 2"]


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("tsql", "dbo.fn_rate(a)"), ("mysql", "UUID_SHORT()"), ("postgres", "nextval('s')"), ("postgres", "f(a)"),
        ("clickhouse", "rand64()"), ("clickhouse", "generateUUIDv4()"), ("spark", "monotonically_increasing_id()"),
        ("sqlite", "randomblob(1)"), ("duckdb", "gen_random_uuid()"), ("oracle", "DBMS_RANDOM.VALUE()"),
    ],
)  # fmt: skip
def test_a_function_that_is_volatile_or_unknown_equals_nothing(dialect: str, call: str) -> None:
    """A call of a volatile function, or of one of a user, may give another value when it is called again."""
    (part,) = rules_from_sql(f"SELECT CASE WHEN {call} = 1 THEN 2 WHEN {call} = 1 THEN 3 ELSE 4 END", dialect=dialect)
    assert not review(part).subsumed()


def test_no_known_function_is_volatile_in_duckdb() -> None:
    """DuckDB calls none of the known functions volatile."""
    query = "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE stability = 'VOLATILE'"
    with session() as connection:
        volatile = {name for (name,) in connection.execute(query).fetchall()}
    assert "random" in volatile
    assert not volatile & KNOWN_FUNCTIONS

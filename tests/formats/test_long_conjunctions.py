"""AND of thousands of conditions on one column."""

from time import process_time

import pytest

from treerules.formats import rules_from_sql


def _seconds(n: int) -> float:
    conditions = " AND ".join(f"x <> {number}" for number in range(n))
    start = process_time()
    (parsed,) = rules_from_sql(f"CASE WHEN {conditions} THEN 1 ELSE 0 END")
    assert len([name for name in parsed.names.values() if name == "WHEN 1"]) == n + 1
    return process_time() - start


@pytest.mark.large
def test_time_grows_as_the_conditions_do() -> None:
    """Four times as many take far less than the sixteen times that pairs of intervals would."""
    _seconds(100)  # loads what is loaded late
    few = min(_seconds(500) for _ in range(3))
    assert _seconds(2000) < 9 * few

"""Test your own rules: hypothesis strategies, and assertions that show a row.

    strategies      schemas, tables, trees, rule_sets, rows          need hypothesis, the extra [testing]
    assertions      assert_exclusive, assert_complete, assert_equivalent
    all at once     check_rules; parametrize_rules for pytest

Hypothesis is loaded with the first strategy that is asked for, pytest by `parametrize_rules`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treerules.testing.assertions import RulesError, assert_complete, assert_exclusive
from treerules.testing.checks import check_rules, parametrize_rules
from treerules.testing.equivalence import AnswersDifferError, assert_equivalent
from treerules.testing.sql_connection import Sql

if TYPE_CHECKING:
    from treerules.testing.row_strategies import rows
    from treerules.testing.rule_strategies import rule_sets
    from treerules.testing.strategies import schemas, tables, trees

__all__ = (
    "AnswersDifferError",
    "RulesError",
    "Sql",
    "assert_complete",
    "assert_equivalent",
    "assert_exclusive",
    "check_rules",
    "parametrize_rules",
    "rows",
    "rule_sets",
    "schemas",
    "tables",
    "trees",
)

_STRATEGIES = {
    "rows": "row_strategies",
    "rule_sets": "rule_strategies",
    "schemas": "strategies",
    "tables": "strategies",
    "trees": "strategies",
}


def __getattr__(name: str) -> Any:
    if name not in _STRATEGIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_STRATEGIES[name]}")  # late: strategies load hypothesis, the extra [testing]
    return getattr(module, name)

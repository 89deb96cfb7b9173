"""Tests of rules: hypothesis strategies, and assertions that show a row.

    strategies      schemas, tables, trees, rule_sets, rows          with hypothesis, the extra [testing]
    assertions      assert_exclusive, assert_complete, assert_equivalent
    all checks      check_rules; parametrize_rules for pytest

Each name is loaded when it is first used: strategies load hypothesis, `parametrize_rules` loads pytest.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.rules.boundary_rows import boundary_rows as boundary_rows
    from treerules.testing.assertions import RulesError as RulesError, assert_complete as assert_complete
    from treerules.testing.assertions import assert_exclusive as assert_exclusive
    from treerules.testing.checks import check_rules as check_rules, parametrize_rules as parametrize_rules
    from treerules.testing.equivalence import assert_equivalent as assert_equivalent
    from treerules.testing.row_strategies import rows as rows
    from treerules.testing.rule_strategies import rule_sets as rule_sets
    from treerules.testing.strategies import schemas as schemas, tables as tables, trees as trees
    from treerules.verification.connections import Sql as Sql
    from treerules.verification.equivalence import DifferentAnswersError as DifferentAnswersError
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "rules.boundary_rows": "boundary_rows",
    "testing.assertions": "RulesError assert_complete assert_exclusive",
    "testing.checks": "check_rules parametrize_rules",
    "testing.equivalence": "assert_equivalent",
    "testing.row_strategies": "rows",
    "testing.rule_strategies": "rule_sets",
    "testing.strategies": "schemas tables trees",
    "verification.connections": "Sql",
    "verification.equivalence": "DifferentAnswersError",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)

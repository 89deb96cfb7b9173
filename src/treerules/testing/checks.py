"""All checks of rules in one call, as scikit-learn's `check_estimator`, or as one test of pytest for each check."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import partial
from itertools import count
from typing import Any

from toolz import valmap

from treerules.data.domain import Domain
from treerules.data.table import Table
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.errors import MissingExtraError, OptionError, UnsupportedError, counted
from treerules.proof.check import check
from treerules.proof.to_tree import tree_from_rules
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.rule_set import RuleSet
from treerules.rules.sources import domain_for
from treerules.testing.assertions import (
    RulesError,
    assert_complete,
    assert_exclusive,
    numbered_rule_texts,
    require_rule_set,
)
from treerules.testing.equivalence import assert_equivalent
from treerules.trees.tree import Tree
from treerules.verification.compared_rows import rows_within
from treerules.verification.connections import Sql

#: A check takes rules and the domain, and raises if the rules fail it.
Check = Callable[[RuleSet, Domain | None], None]


def _exclusive(rules: RuleSet, domain: Domain | None) -> None:
    assert_exclusive(rules, domain=domain)


def _complete(rules: RuleSet, domain: Domain | None) -> None:
    assert_complete(rules, domain=domain)


def _reachable(rules: RuleSet, domain: Domain | None) -> None:
    unreachable = check(rules, domain=domain).unreachable
    if unreachable:
        problem = f"no row of the domain fires {counted(len(unreachable), 'rule')}"
        raise RulesError(problem, "remove them, or widen their conditions", numbered_rule_texts(rules, unreachable))


def _boundary_rows(rules: RuleSet, domain: Domain | None) -> None:
    """Check that exactly one rule fires for each boundary row of the domain, independently of the proof."""
    rows = boundary_rows(rules)
    for row in rows_within(rows, rules.schema, domain) if domain else rows:
        firing = rules.firing(row)
        if len(firing) != 1:
            numbers = tuple(rule.number for rule in firing)
            problem = f"{counted(len(firing), 'rule')} fire for a boundary row"
            raise RulesError(problem, "correct the rules", numbered_rule_texts(rules, numbers), row)


def _emitted(rules: RuleSet, domain: Domain | None) -> Tree | RuleSet:
    """Return the source for emitting: rules that are complete only over the domain are converted to a tree."""
    return rules if not domain or check(rules, limit=1) else tree_from_rules(rules, domain=domain)


def _python(rules: RuleSet, domain: Domain | None) -> None:
    assert_equivalent(rules, to_python(_emitted(rules, domain), layout="flat"), domain=domain)


def _sql(rules: RuleSet, domain: Domain | None) -> None:
    text = to_sql(_emitted(rules, domain), dialect="sqlite", layout="flat")
    with closing(sqlite3.connect(":memory:")) as connection:
        assert_equivalent(rules, Sql(text, connection, "sqlite"), domain=domain)


#: The checks by name, in their order.
CHECKS: dict[str, Check] = {
    "exclusive": _exclusive,
    "complete": _complete,
    "reachable": _reachable,
    "boundary_rows": _boundary_rows,
    "python": _python,
    "sql": _sql,
}


def check_rules(rules: Tree | RuleSet, domain: Domain | None = None) -> None:
    """Raise unless rules pass every check, in this order.

    1. exclusive, complete: exactly one rule fires for every row of the domain, which is proved.
    2. reachable: each rule fires for some row, which is proved.
    3. boundary_rows: exactly one rule fires for each boundary row, moved into the domain.
    4. python, sql: the emitted Python, and the emitted SQL on SQLite, answer boundary rows as the rules do. Rules that
       the language cannot hold pass.

    Args:
        rules: A rule set, or a tree, whose rules are compiled.
        domain: The values that each feature has, a `ColumnDomain` by name; by default what the rules declare, or all
            values of its kind.

    Raises:
        RulesError, DifferentAnswersError: a check failed; an AssertionError with a row.
        OptionError: an argument is of a wrong type, or the domain does not fit the rules.

    Examples:
        >>> from treerules import Table, compile_rules, learn
        >>> check_rules(compile_rules(learn(Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")))
    """
    rule_set = require_rule_set(rules)
    for run in CHECKS.values():
        try:
            run(rule_set, domain_for(rule_set, domain))
        except UnsupportedError:  # the language of to_python or to_sql cannot express the rules
            continue


def parametrize_rules(
    rules: Mapping[str, Tree | RuleSet] | Iterable[Tree | RuleSet], *, domain: Domain | None = None
) -> Any:
    """Return a decorator of pytest that makes a test of (rules, check) one test for each rule set and each check.

    For example::

        @parametrize_rules({"loan": rules})
        def test_rules(rules, check):
            check(rules)

    Args:
        rules: Rule sets or trees, by names that the ids of the tests show; by default the names of the targets and
            numbers.
        domain: The values that each feature has, a `ColumnDomain` by name; by default what the rules declare, or all
            values of its kind.

    Returns:
        A mark of pytest, to be used as a decorator.

    Raises:
        MissingExtraError: pytest is not installed.
        OptionError: an argument is of a wrong type.
    """
    try:
        import pytest
    except ImportError as error:
        raise MissingExtraError("pytest", "dev") from error
    if isinstance(rules, (str, Tree, RuleSet, Table)) or not isinstance(rules, Iterable):
        raise OptionError("rules", rules, "a mapping from names to trees or rule sets, or a sequence of them")
    sources = rules if isinstance(rules, Mapping) else dict(map(_named, count(1), rules))
    rule_sets = valmap(require_rule_set, sources)
    return pytest.mark.parametrize(
        ("rules", "check"),
        [
            pytest.param(rule_set, partial(_run, check=check, domain=domain), id=f"{name}-{check}")
            for name, rule_set in rule_sets.items()
            for check in CHECKS
        ],
    )


def _named(number: int, rules: Tree | RuleSet) -> tuple[str, Tree | RuleSet]:
    target = require_rule_set(rules).schema.target
    return f"{target.name if target else 'rules'}{number}", rules


def _run(rules: RuleSet, *, check: str, domain: Domain | None) -> None:
    try:
        CHECKS[check](rules, domain_for(rules, domain))
    except UnsupportedError as error:
        import pytest

        pytest.skip(str(error))

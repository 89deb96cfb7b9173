"""All checks on rules at once, as scikit-learn's check_estimator does, and one test a check for pytest."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from functools import partial
from typing import Any

from treerules.data.domain import Domain
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.errors import MissingExtraError, UnsupportedError, counted
from treerules.proof.check import check
from treerules.proof.to_tree import tree_from_rules
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.rule_set import RuleSet
from treerules.testing.assertions import RulesError, assert_complete, assert_exclusive, require_rule_set, rule_texts
from treerules.testing.equivalence import assert_equivalent
from treerules.trees.tree import Tree
from treerules.verification.compared_rows import rows_within
from treerules.verification.connections import Sql

#: A check takes rules and the domain, and raises where they fail.
Check = Callable[[RuleSet, Domain | None], None]


def _exclusive(rules: RuleSet, domain: Domain | None) -> None:
    assert_exclusive(rules, domain=domain)


def _complete(rules: RuleSet, domain: Domain | None) -> None:
    assert_complete(rules, domain=domain)


def _reachable(rules: RuleSet, domain: Domain | None) -> None:
    dead = check(rules, domain=domain).unreachable
    if dead:
        problem = f"no row of the domain fires {counted(len(dead), 'rule')}"
        raise RulesError(problem, "drop them, or widen what they ask", rule_texts(rules, dead))


def _witnessed(rules: RuleSet, domain: Domain | None) -> None:
    """Put boundary rows to the rules, moved into the domain: beside the proof, which is the checker's own."""
    rows = boundary_rows(rules)
    for row in rows_within(rows, rules.schema, domain) if domain else rows:
        fired = rules.firing(row)
        if len(fired) != 1:
            numbers = tuple(rule.number for rule in fired)
            problem = f"{counted(len(fired), 'rule')} fire for a boundary row"
            raise RulesError(problem, "mend the rules", rule_texts(rules, numbers), row)


def _emitted(rules: RuleSet, domain: Domain | None) -> Tree | RuleSet:
    """Return what code is emitted of: rules that are complete over a domain alone become a tree, which always is."""
    return rules if not domain or check(rules, limit=1) else tree_from_rules(rules, domain=domain)


def _python(rules: RuleSet, domain: Domain | None) -> None:
    assert_equivalent(rules, to_python(_emitted(rules, domain), layout="flat"), domain=domain)


def _sql(rules: RuleSet, domain: Domain | None) -> None:
    text = to_sql(_emitted(rules, domain), dialect="sqlite", layout="flat")
    with closing(sqlite3.connect(":memory:")) as connection:
        assert_equivalent(rules, Sql(text, connection, "sqlite"), domain=domain)


#: What is checked, by name, in this order.
CHECKS: dict[str, Check] = {
    "exclusive": _exclusive,
    "complete": _complete,
    "reachable": _reachable,
    "boundary_rows": _witnessed,
    "python": _python,
    "sql": _sql,
}


def check_rules(rules: Tree | RuleSet, domain: Domain | None = None) -> None:
    """Raise unless rules pass every check; the first that fails is told.

    They are exclusive and complete over the domain, and each fires for some row, which the checker proves; one fires
    for each boundary row, moved into the domain; the Python and the SQL emitted of them answer there as they do (where
    these can hold them).

    >>> from treerules import Table, compile_rules, learn
    >>> check_rules(compile_rules(learn(Table.from_columns({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")))

    Raises:
        RulesError, DifferentAnswersError: a check failed; AssertionErrors that show a row.
        OptionError: these are no rules of a set, or the domain does not fit.
    """
    found = require_rule_set(rules)
    for run in CHECKS.values():
        try:
            run(found, domain)
        except UnsupportedError:  # which to_python and to_sql raise of what their language cannot hold
            continue


def parametrize_rules(
    rules: Mapping[str, Tree | RuleSet] | Iterable[Tree | RuleSet], *, domain: Domain | None = None
) -> Any:
    """Return pytest's decorator for a test of (rules, check): one test for each of the rules and each check.

        @parametrize_rules({"loan": rules})
        def test_rules(rules, check):
            check(rules)

    A mapping gives the names in the tests' ids; without, they are the targets' names, numbered.

    Raises:
        MissingExtraError: pytest is not installed.
        OptionError: some are no rules of a set.
    """
    try:
        import pytest
    except ImportError as error:
        raise MissingExtraError("pytest", "dev") from error
    named = rules if isinstance(rules, Mapping) else dict(_named(rules))
    found = {name: require_rule_set(one) for name, one in named.items()}
    return pytest.mark.parametrize(
        ("rules", "check"),
        [
            pytest.param(one, partial(_run, check=name, domain=domain), id=f"{called}-{name}")
            for called, one in found.items()
            for name in CHECKS
        ],
    )


def _named(rules: Iterable[Tree | RuleSet]) -> Iterable[tuple[str, Tree | RuleSet]]:
    for number, one in enumerate(rules, 1):
        target = require_rule_set(one).schema.target
        yield f"{target.name if target else 'rules'}{number}", one


def _run(rules: RuleSet, *, check: str, domain: Domain | None) -> None:
    try:
        CHECKS[check](rules, domain)
    except UnsupportedError as error:
        import pytest

        pytest.skip(str(error))

"""Every function that takes rules takes the content of a file of rules, if all of it was parsed."""

from collections.abc import Callable
from typing import Any

import pytest

from treerules import (
    check,
    diff,
    explain,
    render,
    review,
    to_dbt,
    to_dmn,
    to_javascript,
    to_python,
    to_sql,
    tree_from_rules,
    verify,
)
from treerules.data.domain import ColumnDomain
from treerules.emit import rules_table_sql
from treerules.errors import DataError, NotAPartitionError, OptionError
from treerules.formats import decision_table_text, rules_from_sql, rules_from_text, rules_to_text
from treerules.rules.parsed import ParsedRules

PARSED = rules_from_text("IF x < 3 THEN a\nIF x >= 3 OR x IS missing THEN b")
ORDERED = rules_from_text("ordered\nIF x < 3 THEN a\nOTHERWISE b")
#: complete on the domain that the file declares alone
ON_A_DOMAIN = ParsedRules(
    rules_from_text("IF x < 3 THEN a\nIF x >= 3 THEN b").rules, {"x": ColumnDomain(0.0, 9.0, missing=False)}
)
PARTLY_PARSED = rules_from_sql("CASE WHEN x < 'm' THEN 'c' WHEN x < 3 THEN 'a' ELSE 'b' END")[0]
WITH_AN_EXPRESSION = rules_from_sql("CASE WHEN f(x) = 1 THEN 'c' WHEN x < 3 THEN 'a' ELSE 'b' END")[0]

FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    *(check, tree_from_rules, to_dmn, rules_to_text),
    *(decision_table_text, to_python, to_javascript, to_dbt, render, lambda rules: diff(rules, rules)),
    lambda rules: explain(rules, {"x": 1.0}),
    lambda rules: to_sql(rules, dialect="duckdb"),
    lambda rules: rules_table_sql(rules, dialect="duckdb", table="t", keys=["id"]),
    lambda rules: verify(rules, to_python(rules)),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_of_rules_take_parsed_rules(function: Callable[[Any], Any]) -> None:
    """The result is that of the rules alone; a part that was not parsed, or that is not understood, is an error."""
    assert str(function(PARSED)) == str(function(PARSED.rules))
    assert PARTLY_PARSED.unparsed
    assert WITH_AN_EXPRESSION.opaque and not WITH_AN_EXPRESSION.unparsed
    for incomplete in (PARTLY_PARSED, WITH_AN_EXPRESSION):
        with pytest.raises((DataError, OptionError)):
            function(incomplete)


def test_code_is_complete_outside_the_declared_domain_too() -> None:
    """Code answers any row, so that rules with gaps outside the domain of their file are refused."""
    assert review(ON_A_DOMAIN) and to_dmn(ON_A_DOMAIN)
    for emitter in (to_python, to_javascript, to_dbt):
        with pytest.raises(NotAPartitionError):
            emitter(ON_A_DOMAIN)


def test_rules_in_order_are_refused_with_the_remedy() -> None:
    """A rule list is emitted as the exclusive rules that answer alike."""
    with pytest.raises(OptionError, match=r"to_exclusive\(rules\)\.rules"):
        to_python(ORDERED)


def test_parsed_rules_are_verified_on_both_sides() -> None:
    """Two files are compared by a proof, on the domain that the first declares."""
    assert verify(PARSED, PARSED).is_proved
    assert verify(ON_A_DOMAIN, PARSED).is_proved
    assert not verify(PARSED, rules_from_text("IF x < 4 THEN a\nIF x >= 4 OR x IS missing THEN b"))

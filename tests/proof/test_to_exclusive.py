"""A rule list made exclusive says what the list says, row by row."""

import pytest

from brute_force import TARGET, a_rule, a_world
from treerules import Condition, Feature, Interval, Schema, check
from treerules.errors import DataError
from treerules.proof.to_exclusive import to_exclusive
from treerules.rules.rule_set import RuleList

NUMBERS = Schema([Feature("n", "integer"), Feature("m", "integer")], TARGET)


def between(number: int, low: int, high: int, value: str = "A") -> object:
    """Return a rule over a square of two integers."""
    return a_rule(number, [(name, Condition(Interval(low, high))) for name in "nm"], value)


def test_each_row_gets_what_the_list_gives_it() -> None:
    """No row fires two rules; the one that it fires comes from the rule that decides in the list."""
    n_cut = 0
    for seed in range(2000, 2160):
        world = a_world(seed)
        rules = RuleList(world.schema, world.rules)
        found = to_exclusive(rules, domain=world.domain)
        for row in world.rows:
            decides = rules.firing(row)[:1]
            fires = found.rules.firing(row)
            assert [found.sources[rule.number] for rule in fires] == [rule.number for rule in decides]
            assert [rule.prediction for rule in fires] == [rule.prediction for rule in decides]
        assert check(found.rules, domain=world.domain).exclusive
        assert (found.n_before, found.n_after) == (len(rules), len(found.rules)) == (len(rules), len(found.sources))
        n_cut += found.n_after > len(set(found.sources.values()))
    assert n_cut > 3


def test_what_no_rule_meets_stays_as_it_is() -> None:
    """A rule keeps its conditions and figures; the numbers count from 1."""
    apart = RuleList(NUMBERS, [between(7, 0, 3), between(5, 10, 12)])
    found = apart.to_exclusive()
    assert [rule.conditions for rule in found.rules.rules] == [rule.conditions for rule in apart.rules]
    assert found.sources == {1: 7, 2: 5}


def test_the_pieces_of_a_rule_are_as_few_as_merging_makes_them() -> None:
    """A square less one inside it falls into four, less its lower half into one."""
    inner, outer = between(1, 3, 6), between(2, 0, 9, "B")
    assert to_exclusive(RuleList(NUMBERS, [inner, outer])).n_after == 5
    halves = [a_rule(at, [("n", Condition(Interval(None, 4)))]) for at in (3, 4)]
    assert to_exclusive(RuleList(NUMBERS, [*halves, outer])).sources == {1: 3, 2: 2}


def test_past_the_budget_it_says_what_to_do() -> None:
    """Nothing is returned that is not exact."""
    with pytest.raises(DataError, match="greater budget"):
        to_exclusive(RuleList(NUMBERS, [between(1, 3, 6), between(2, 0, 9)]), budget=1)

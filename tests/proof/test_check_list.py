"""Rule lists against brute force: what never decides, what leans on the order, what is left."""

from collections import Counter
from random import Random

import pytest

from brute_force import TARGET, World, a_rule, a_world, is_possible, lies_in
from treerules import Condition, Feature, Interval, Kind, Rule, RuleFigures, Schema
from treerules.errors import OptionError
from treerules.proof.check_list import ListVerdict, check_list
from treerules.rules.rule_set import RuleList
from treerules.trees import MeanPrediction

WORLDS = [a_world(seed) for seed in range(1000, 1160)]
NUMBER = Schema([Feature("n", "integer")], TARGET)


def checked(world: World, **options: int) -> tuple[RuleList, ListVerdict]:
    """Return the rules of a world as a list, and its verdict."""
    rules = RuleList(world.schema, world.rules)
    return rules, check_list(rules, domain=world.domain, **{"limit": 1000, **options})


def fired(world: World, rules: RuleList) -> list[list[int]]:
    """Return the numbers of the rules that hold for each row, the one that decides first."""
    return [[rule.number for rule in rules.firing(row)] for row in world.rows]


def test_a_spent_budget_tells_less_and_nothing_wrong() -> None:
    """Of what is told, the first rule decides for the witness; that pairs are left out is said."""
    random = Random(3)
    features = [Feature(f"n{place}", Kind.INTEGER) for place in range(4)]
    rules = []
    for number in range(1, 60):
        asked = random.sample(features, 2)
        ends = [sorted(random.sample(range(12), 2)) for _ in asked]
        conditions = [(f.name, Condition(Interval(low, high))) for f, (low, high) in zip(asked, ends, strict=True)]
        rules.append(Rule(number, conditions, MeanPrediction(float(number % 3)), RuleFigures(0, 0.0)))
    listed = RuleList(Schema(features, Feature("y", Kind.NUMBER)), rules)
    found = {budget: check_list(listed, limit=5_000, budget=budget) for budget in (0, 50, 500, 300_000)}
    for budget, verdict in found.items():
        for overlap in verdict.overlaps:
            fired = [rule.number for rule in listed.firing(overlap.row)]
            assert fired[0] == overlap.first and overlap.second in fired, budget
    pairs = {budget: {(o.first, o.second) for o in verdict.overlaps} for budget, verdict in found.items()}
    assert pairs[0] < pairs[300_000] and pairs[50] <= pairs[500] <= pairs[300_000]
    assert ["overlaps" in found[budget].cut_off for budget in (0, 300_000)] == [True, False]


def test_rules_that_never_decide_are_those_of_brute_force() -> None:
    """A rule decides for some row or is named, with earlier rules that take its rows: none where it has none."""
    met = Counter[str]()
    for world in WORLDS:
        rules, verdict = checked(world)
        found = fired(world, rules)
        takes = {rule.number: {at for at, held in enumerate(found) if rule.number in held} for rule in world.rules}
        first = {held[0] for held in found if held}
        order = [rule.number for rule in world.rules]
        assert [never.number for never in verdict.subsumed] == [number for number in order if number not in first]
        for never in verdict.subsumed:
            assert all(order.index(other) < order.index(never.number) for other in never.by)
            assert takes[never.number] <= set().union(*(takes[other] for other in never.by))
            met[("no row", "by one", "by several")[min(2, len(never.by))]] += 1
        assert verdict.undecided == ()
    assert len(met) == 3


def test_what_is_left_is_what_brute_force_finds() -> None:
    """A list is complete when each row meets some rule; its gaps hold each of the others once."""
    met = Counter[bool]()
    for world in WORLDS:
        rules, verdict = checked(world)
        found = fired(world, rules)
        met[all(found)] += 1
        assert verdict.complete is all(found)
        assert [sum(lies_in(world.schema, gap.region, row) for gap in verdict.gaps) for row in world.rows] == [
            int(not held) for held in found
        ]
        assert bool(verdict) is (all(found) and not verdict.subsumed)
    assert min(met.values()) > 10


def test_pairs_that_lean_on_the_order_are_those_of_brute_force() -> None:
    """The first decides for a row that the second, of another prediction, would decide for if it stood before."""
    n_found = 0
    for world in WORLDS:
        rules, verdict = checked(world)
        value = {rule.number: rule.value for rule in world.rules}
        order = {rule.number: place for place, rule in enumerate(world.rules)}
        pairs = {(h[0], later) for h in fired(world, rules) for later in h[1:] if value[later] != value[h[0]]}
        wanted = sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]]))
        assert [(overlap.first, overlap.second) for overlap in verdict.overlaps] == wanted
        for overlap in verdict.overlaps:
            held = [rule.number for rule in rules.firing(overlap.row)]
            assert held[0] == overlap.first and overlap.second in held
            assert is_possible(world, overlap.row) and lies_in(world.schema, overlap.region, overlap.row)
        n_found += len(wanted)
    assert n_found > 50


def below(number: int, bound: int, value: str = "A") -> Rule:
    """Return a rule that takes integers up to a bound."""
    return a_rule(number, [("n", Condition(Interval(None, bound)))], value)


def test_an_otherwise_makes_a_list_complete() -> None:
    """The rule without conditions takes all that is left; before the others it takes all from them."""
    rest = a_rule(9, [], "B")
    assert check_list(RuleList(NUMBER, [below(1, 3), rest])) == check_list(RuleList(NUMBER, [below(1, 3), rest]))
    last = check_list(RuleList(NUMBER, [below(1, 3), rest]))
    assert last and [(overlap.first, overlap.second) for overlap in last.overlaps] == [(1, 9)]
    first = check_list(RuleList(NUMBER, [rest, below(1, 3)]))
    assert first.complete and not first
    assert [(never.number, never.by) for never in first.subsumed] == [(1, (9,))]


def test_no_rules_say_nothing() -> None:
    """An empty list leaves everything open."""
    verdict = check_list(RuleList(NUMBER, []))
    assert verdict.complete is False and [gap.region for gap in verdict.gaps] == [()]


def test_past_the_budget_a_rule_is_undecided() -> None:
    """Where more than a few rules meet nothing is guessed at: neither whether one decides, but the first, nor gaps."""
    nested = [below(number, 30 - number) for number in range(1, 13)]
    rules = RuleList(NUMBER, [*nested, a_rule(13, [("n", Condition(Interval(20, None), missing=True))])])
    assert [never.number for never in check_list(rules).subsumed] == list(range(2, 13))
    verdict = check_list(rules, budget=0)
    assert verdict.complete is None and set(verdict.undecided) == set(range(2, 14)) and not verdict
    assert "gaps" in verdict.cut_off


def test_a_limit_cuts_off_pairs_and_gaps_alone() -> None:
    """Rules that never decide are all named."""
    rules = RuleList(NUMBER, [a_rule(0, [], "B"), *(below(number, number) for number in range(1, 30))])
    verdict = check_list(rules, limit=2)
    assert (len(verdict.subsumed), len(verdict.overlaps), verdict.cut_off) == (29, 2, ("overlaps",))
    with pytest.raises(OptionError):
        check_list(rules, limit=0)

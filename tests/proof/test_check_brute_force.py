"""The whole verdict against brute force over every cell of small domains, declared ones too."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve

from brute_force import TARGET, World, a_rule, a_world, is_possible, lies_in, values, wider
from treerules import Condition, Feature, Interval, Members, RuleSet, Schema, Verdict, check
from treerules.data.domain import ColumnDomain
from treerules.errors import OptionError, UnknownNameError

WORLDS = [a_world(seed) for seed in range(160)]


def checked(world: World, limit: int = 1000) -> tuple[RuleSet, Verdict]:
    """Return the rules of a world as a set, and its verdict."""
    rules = RuleSet(world.schema, world.rules)
    return rules, check(rules, domain=world.domain, limit=limit)


def fired(world: World, rules: Any) -> list[list[int]]:
    """Return the numbers of the rules that fire for each row."""
    return [[rule.number for rule in rules.firing(row)] for row in world.rows]


def taken(world: World, found: list[list[int]]) -> dict[int, set[int]]:
    """Return the places of the rows that each rule fires for."""
    return {rule.number: {at for at, numbers in enumerate(found) if rule.number in numbers} for rule in world.rules}


def rows_in(world: World, region: Any) -> set[int]:
    """Return the places of the rows in a region."""
    return {at for at, row in enumerate(world.rows) if lies_in(world.schema, region, row)}


def test_both_answers_are_those_of_brute_force() -> None:
    """Exclusive and complete over a declared domain; all four outcomes are met, and each kind of column."""
    met, kinds = Counter[tuple[bool, bool | None]](), set()
    for world in WORLDS:
        rules, verdict = checked(world)
        found = fired(world, rules)
        assert verdict.exclusive is all(len(numbers) < 2 for numbers in found)
        assert verdict.complete is all(found)
        met[verdict.exclusive, verdict.complete] += 1
        kinds |= {feature.kind for feature in world.schema.features}
    assert len(met) == 4 and min(met.values()) > 3
    assert len(kinds) == 6


def test_each_overlap_is_all_that_two_rules_share() -> None:
    """Every pair of rules that share a row comes once, by number, with the whole box and a row of the domain in it."""
    for world in WORLDS:
        rules, verdict = checked(world)
        found = fired(world, rules)
        pairs = {(a, b) for numbers in found for a in numbers for b in numbers if a < b}
        assert [(overlap.first, overlap.second) for overlap in verdict.overlaps] == sorted(pairs)
        takes = taken(world, found)
        for overlap in verdict.overlaps:
            assert rows_in(world, overlap.region) == takes[overlap.first] & takes[overlap.second]
            assert lies_in(world.schema, overlap.region, overlap.row) and is_possible(world, overlap.row)


def test_gaps_hold_each_row_that_no_rule_takes_once() -> None:
    """They do not overlap, leave nothing out, and their witnesses lie in the domain."""
    for world in WORLDS:
        rules, verdict = checked(world)
        regions = [rows_in(world, gap.region) for gap in verdict.gaps]
        assert [sum(at in region for region in regions) for at in range(len(world.rows))] == [
            int(not numbers) for numbers in fired(world, rules)
        ]
        for gap in verdict.gaps:
            assert lies_in(world.schema, gap.region, gap.row) and is_possible(world, gap.row)
            assert rules.firing(gap.row) == ()


def test_a_gap_is_as_large_as_it_can_be() -> None:
    """One value more in any column takes a row that some rule fires for, or that an earlier gap holds."""
    for world in WORLDS:
        rules, verdict = checked(world)
        busy = {at for at, numbers in enumerate(fired(world, rules)) if numbers}
        for gap in verdict.gaps:
            inside = rows_in(world, gap.region)
            for column in world.schema.features:
                assert all(gained & busy for gained in wider(world, inside, column))
            busy |= inside


def test_the_rules_that_would_close_the_gaps_close_them() -> None:
    """Added to the set they make it complete and add no overlap; they are numbered on, and predict as a rule does."""
    n_closed = 0
    for world in WORLDS:
        rules, verdict = checked(world)
        if not world.rules:
            assert all(gap.rule is None for gap in verdict.gaps)
            continue
        closing = [gap.rule for gap in verdict.gaps if gap.rule is not None]
        first = max(rule.number for rule in world.rules) + 1
        assert [rule.number for rule in closing] == list(range(first, first + len(verdict.gaps)))
        assert {rule.value for rule in closing} <= {rule.value for rule in world.rules}
        again = check(evolve(rules, rules=[*world.rules, *closing]), domain=world.domain, limit=1000)
        assert again.complete and again.overlaps == verdict.overlaps
        n_closed += len(closing)
    assert n_closed > 100


def test_the_rule_beside_a_gap_that_touches_most_is_asked() -> None:
    """Of 3 < n <= 4, the integers below touch it in every o, those above only in S: the gap predicts what is below."""
    schema = Schema([Feature("n", "integer"), Feature("o", "ordinal", ["S", "L"])], TARGET)
    low = a_rule(1, [("n", Condition(Interval(None, 3), missing=True))], "B")
    high = a_rule(2, [("n", Condition(Interval(4, None))), ("o", Condition(Members(["S"])))], "A")
    rest = a_rule(3, [("n", Condition(Interval(4, None))), ("o", Condition(Members(["L"]), True, True))], "A")
    (gap,) = check(RuleSet(schema, [high, rest, low])).gaps
    assert gap.row["n"] == 4 and gap.rule is not None
    assert (gap.rule.number, gap.rule.value, gap.rule.conditions) == (4, "B", (("n", Condition(Interval(3, 4))),))


def test_unreachable_and_subsumed_rules_are_those_of_brute_force() -> None:
    """A rule that no row fires is unreachable; one whose rows others take is subsumed, and those others cover it."""
    met = Counter[str]()
    for world in WORLDS:
        rules, verdict = checked(world)
        takes = taken(world, fired(world, rules))
        assert list(verdict.unreachable) == sorted(number for number, rows in takes.items() if not rows)
        covered = {number: set().union(*(takes[other] for other in takes if other != number)) for number in takes}
        wanted = sorted(number for number, rows in takes.items() if rows and rows <= covered[number])
        assert [found.number for found in verdict.subsumed] == wanted
        for found in verdict.subsumed:
            assert found.number not in found.by
            assert takes[found.number] <= set().union(*(takes[number] for number in found.by))
            met["by one" if len(found.by) == 1 else "by several"] += 1
        met["unreachable"] += len(verdict.unreachable)
    assert min(met.values()) > 5 and len(met) == 3


def is_one(world: World, one: list[list[Any]], other: list[list[Any]]) -> bool:
    """Whether two rules, as the values that each takes of each column, differ in one, and are one condition there."""
    for feature, a, b in zip(world.schema.features, one, other, strict=True):
        known = [value for value in values(feature, world.domain) if value is not None]
        if feature.is_ordered and a != b and n_runs(known, a + b) > max(1, n_runs(known, a), n_runs(known, b)):
            return False
    return sum(a != b for a, b in zip(one, other, strict=True)) <= 1


def n_runs(known: list[Any], held: list[Any]) -> int:
    """Return how many runs of neighbouring values some values are."""
    is_held = [False, *(value in held for value in known)]
    return sum(now and not before for before, now in pairwise(is_held))


def parts_of(world: World, asked: dict[str, Condition]) -> list[list[Any]]:
    """Return the values that conditions take of each column."""
    return [
        [value for value in values(f, world.domain) if f.name not in asked or asked[f.name].holds(f, value)]
        for f in world.schema.features
    ]


def test_redundant_pairs_are_those_of_brute_force() -> None:
    """Two rules of one prediction that differ in at most one column, where their values together are no more runs."""
    n_found = 0
    for world in WORLDS:
        rules, verdict = checked(world)
        takes = taken(world, fired(world, rules))
        parts = {rule.number: parts_of(world, dict(rule.conditions)) for rule in world.rules}
        predicted = {rule.number: rule.value for rule in world.rules}
        live = sorted(number for number, rows in takes.items() if rows)
        wanted = [
            (a, b) for a in live for b in live
            if a < b and predicted[a] == predicted[b] and is_one(world, parts[a], parts[b])
        ]  # fmt: skip
        assert [(pair.first, pair.second) for pair in verdict.redundant] == wanted
        for pair in verdict.redundant:
            assert rows_in(world, pair.region) == takes[pair.first] | takes[pair.second]
        n_found += len(wanted)
    assert n_found > 50


def test_a_limit_cuts_the_lists_off_and_says_so() -> None:
    """At most so many of each, the first of all, and `cut_off` names the lists that have more."""
    n_cut = Counter[str]()
    for world in WORLDS:
        whole, short = checked(world)[1], checked(world, limit=1)[1]
        assert (whole.exclusive, whole.complete, whole.cut_off) == (short.exclusive, short.complete, ())
        for name in ("overlaps", "gaps", "subsumed", "unreachable", "redundant"):
            every, some = getattr(whole, name), getattr(short, name)
            assert len(some) == min(1, len(every))
            assert (name in short.cut_off) >= (len(every) > 1)
            n_cut[name] += name in short.cut_off
        assert short.overlaps == whole.overlaps[:1] and short.gaps == whole.gaps[:1]
    assert len(n_cut) == 5


def test_options_that_mean_nothing_are_refused() -> None:
    """A limit of none, a budget below zero, a domain of other columns or of bounds of another kind."""
    rules = RuleSet(Schema([Feature("n", "integer")], TARGET), [])
    for options in ({"limit": 0}, {"budget": -1}, {"limit": True}, {"domain": {"n": ColumnDomain(0.5)}}):
        with pytest.raises(OptionError):
            check(rules, **options)
    with pytest.raises(UnknownNameError):
        check(rules, domain={"m": ColumnDomain()})
    for domain in (3, "x", [], {"n": 3}):
        with pytest.raises(OptionError, match="ColumnDomain"):
            check(rules, domain=domain)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-1, 0, 1, 3, None, "x"])
def test_missing_and_unseen_come_or_do_not(value: Any) -> None:
    """What is declared of them is True or False, and nothing that is taken for one."""
    for name in ("missing", "unseen"):
        with pytest.raises(OptionError, match=rf"{name}=.*\): expected True or False"):
            ColumnDomain(**{name: value})

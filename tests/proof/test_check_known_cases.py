"""Cases that other checkers of decision tables are tested with (Drools: gaps, adjacency, null), and z3's answers."""

from datetime import date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from attrs import evolve

from brute_force import TARGET, a_rule
from strategies_random import a_schema, a_tree
from treerules import Condition, Feature, Interval, Members, Rule, RuleSet, Schema, check, compile_rules
from treerules.data.domain import ColumnDomain, next_value

Pairs = list[tuple[str, Condition]]


def rule_set(features: list[Feature], *asked: Pairs) -> RuleSet:
    """Return rules numbered from 1, one for each conjunction."""
    return RuleSet(Schema(features, TARGET), [a_rule(number, pairs) for number, pairs in enumerate(asked, start=1)])


def test_two_columns_of_points_leave_all_that_lies_between() -> None:
    """Nine points with a step between them: the gaps hold the other forty of 7 x 7 integers, each once."""
    features = [Feature("a", "integer"), Feature("b", "integer")]
    points = [
        [(name, Condition(Interval(at - 1, at))) for name, at in (("a", a), ("b", b))]
        for a in (2, 4, 6)
        for b in (2, 4, 6)
    ]
    domain = {name: ColumnDomain(1, 7, missing=False) for name in "ab"}
    rules = rule_set(features, *points)
    verdict = check(rules, domain=domain, limit=100)
    cells = {(a, b) for a in range(1, 8) for b in range(1, 8)}
    held = [
        {(a, b) for a, b in cells if all(c.holds(rules.schema.feature(n), {"a": a, "b": b}[n]) for n, c in gap.region)}
        for gap in verdict.gaps
    ]
    assert sum(map(len, held)) == len(set().union(*held)) == 49 - 9
    assert verdict.exclusive and verdict.cut_off == ()


@pytest.mark.parametrize("kind", ["number", "integer", "date", "timestamp"])
def test_missing_alone_is_a_gap(kind: str) -> None:
    """All known values are taken; what is left is missing, unless it is declared that none ever is."""
    known = Condition(Interval())
    rules = rule_set([Feature("v", kind)], [("v", known)])
    (gap,) = check(rules).gaps
    assert gap.row == {"v": None} and gap.region == (("v", Condition(None, missing=True)),)
    assert check(rules, domain={"v": ColumnDomain(missing=False)})


def test_a_boolean_is_false_true_or_missing() -> None:
    """Both values and missing make it complete; there is no fourth."""
    feature = Feature("b", "boolean")
    both = [[("b", Condition(Members([value])))] for value in (False, True)]
    (gap,) = check(rule_set([feature], *both)).gaps
    assert gap.row == {"b": None}
    assert check(rule_set([feature], *both, [("b", Condition(None, missing=True))]))


@pytest.mark.parametrize(
    ("kind", "last", "first"),
    [
        ("integer", 3, 4),
        ("date", date(2024, 2, 28), date(2024, 2, 29)),
        ("date", date(2023, 12, 31), date(2024, 1, 1)),
        ("timestamp", datetime(2024, 1, 1), datetime(2024, 1, 1) + timedelta(microseconds=1)),
        ("number", 1.0, 1.0000000000000002),
        ("number", -5e-324, 0.0),
    ],
)
def test_nothing_lies_between_neighbours(kind: str, last: Any, first: Any) -> None:
    """`<= last` and `>= first` leave no gap where no value lies between, and `< first` overlaps `>= first` nowhere."""
    feature = Feature("v", kind)
    below = next_value(feature, first, up=False)
    assert below == last
    low = [("v", Condition(Interval(None, last), missing=True))]
    assert check(rule_set([feature], low, [("v", Condition(Interval(below, None)))]))
    beyond = next_value(feature, first)
    (gap,) = check(rule_set([feature], low, [("v", Condition(Interval(first, None)))])).gaps
    assert gap.row == {"v": first}
    (overlap,) = check(
        rule_set([feature], low, [("v", Condition(Interval(next_value(feature, last, up=False), None)))])
    ).overlaps
    assert overlap.row == {"v": last} and beyond > first


def test_the_ends_of_the_line_are_values() -> None:
    """`> -inf` leaves -inf, `<= greatest` leaves inf; -0.0 is 0.0."""
    feature = Feature("x", "number")
    (gap,) = check(rule_set([feature], [("x", Condition(Interval(float("-inf"), None), missing=True))])).gaps
    assert gap.row == {"x": float("-inf")}
    (gap,) = check(rule_set([feature], [("x", Condition(Interval(None, 1.7976931348623157e308), missing=True))])).gaps
    assert gap.row == {"x": float("inf")}
    zero = [[("x", Condition(Interval(None, -0.0), missing=True))], [("x", Condition(Interval(0.0, None)))]]
    assert check(rule_set([feature], *zero))


def test_a_declared_list_of_categories_is_closed() -> None:
    """Every named category is taken: open, another may come; declared closed, the set is complete."""
    feature = Feature("c", "category", ["p", "q"])
    rules = rule_set([feature], [("c", Condition(Members(["p", "q"]), missing=True))])
    assert check(rules).complete is False
    assert check(rules, domain={"c": ColumnDomain(unseen=False)})


def test_a_rule_outside_the_domain_is_unreachable() -> None:
    """It overlaps nothing, and what is left without it is no gap; a bound beyond the domain is none."""
    feature = Feature("age", "integer")
    old = [("age", Condition(Interval(150, None)))]
    rest = [("age", Condition(Interval(-5, 130)))]
    verdict = check(rule_set([feature], old, rest), domain={"age": ColumnDomain(0, 120, missing=False)})
    assert verdict and verdict.unreachable == (1,)


def test_a_column_that_can_take_nothing_leaves_no_rows() -> None:
    """A category without values, none unseen and none missing: no row, so no gap and no overlap."""
    features = [Feature("c", "category", []), Feature("n", "integer")]
    verdict = check(rule_set(features, [], []), domain={"c": ColumnDomain(missing=False, unseen=False)})
    assert verdict and verdict.unreachable == (1, 2)


def test_rules_without_conditions_take_everything() -> None:
    """One is complete alone; two overlap everywhere, each subsumed by the other, and could be one."""
    one = rule_set([Feature("n", "integer")], [])
    assert check(one)
    verdict = check(rule_set([Feature("n", "integer")], [], []))
    assert [(overlap.first, overlap.second, overlap.region) for overlap in verdict.overlaps] == [(1, 2, ())]
    assert [(found.number, found.by) for found in verdict.subsumed] == [(1, (2,)), (2, (1,))]
    assert [(pair.first, pair.second, pair.region) for pair in verdict.redundant] == [(1, 2, ())]


def test_thousands_of_equal_rules_end_at_the_budget() -> None:
    """Millions of pairs are not listed one by one: they are cut off, and both answers are still given."""
    same = [("n", Condition(Interval(None, 3), missing=True))]
    verdict = check(rule_set([Feature("n", "integer")], *([same] * 3000)), limit=3, budget=20_000)
    assert (verdict.exclusive, verdict.complete, len(verdict.overlaps)) == (False, False, 3)
    assert {"overlaps", "subsumed", "redundant"} <= set(verdict.cut_off)


# ---- z3


def cut_in(rules: list[Rule], name: str) -> dict[Any, int]:
    """Return the rank of each bound of a column."""
    intervals = [part for rule in rules for n, held in rule.conditions if n == name for part in held.intervals]
    bounds = {bound for part in intervals for bound in (part.above, part.upto) if bound is not None}
    return {bound: rank for rank, bound in enumerate(sorted(bounds), start=1)}


def in_z3(z3: Any, rules: RuleSet) -> tuple[list[Any], Any]:
    """Return each rule as a formula over ranks, and what holds of every row."""
    whole, columns = [], {}
    for feature in rules.schema.features:
        rank, missing = z3.Int(feature.name), z3.Bool(f"missing {feature.name}")
        ranks = cut_in(list(rules.rules), feature.name)
        closed = bool(ranks) and max(ranks) == feature.highest
        most = len(ranks) + (not closed) if feature.is_ordered else len(feature.categories) + feature.is_open
        whole.append(z3.And(rank >= 1, rank <= most) if most else z3.And(missing, rank == 1))
        columns[feature.name] = feature, rank, missing, ranks

    def formula(name: str, condition: Condition) -> Any:
        feature, rank, missing, ranks = columns[name]
        values, known = condition.values, z3.BoolVal(False)
        for interval in condition.intervals:
            low = rank > ranks[interval.above] if interval.above is not None else True
            known = z3.Or(known, z3.And(low, rank <= ranks[interval.upto] if interval.upto is not None else True))
        if isinstance(values, Members):
            known = z3.Or([rank == feature.positions[value] + 1 for value in values.of(feature.categories)])
        if condition.unseen:
            known = z3.Or(known, rank == len(feature.categories) + 1)
        return z3.If(missing, condition.missing, known)

    return [z3.And([formula(*pair) for pair in rule.conditions]) for rule in rules.rules], z3.And(whole)


def can_be(z3: Any, *formulas: Any) -> bool:
    """Whether some row meets formulas."""
    solver = z3.Solver()
    solver.add(*formulas)
    found = solver.check()
    assert found != z3.unknown
    return bool(found == z3.sat)


@pytest.mark.peer
@pytest.mark.parametrize("seed", range(8))
def test_z3_gives_the_same_answers(seed: int) -> None:
    """Up to a hundred rules of drawn trees over all kinds of columns, whole, one dropped, one twice, one cut short."""
    z3 = pytest.importorskip("z3")
    random = Random(seed)
    tree = a_tree(random, a_schema(random, random.randint(2, 5)), 10 * (seed + 1))
    rules = compile_rules(tree)
    rules = RuleSet(rules.schema, [rule for rule in rules.rules if rule.conditions][:100])
    place = random.randrange(len(rules))
    less = evolve(rules, rules=[*rules.rules[:place], *rules.rules[place + 1 :]])
    more = evolve(
        rules,
        rules=[*rules.rules, evolve(rules.rules[place], number=10**6, conditions=rules.rules[place].conditions[:-1])],
    )
    for some in (rules, less, more):
        formulas, whole = in_z3(z3, some)
        verdict = check(some)
        assert verdict.complete is not can_be(z3, whole, z3.Not(z3.Or(formulas)))
        assert verdict.exclusive is not can_be(z3, whole, z3.PbGe([(formula, 1) for formula in formulas], 2))

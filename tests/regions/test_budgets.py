"""Budgets count steps, the same on every machine: every part of a search counts its work, and ends when it is spent."""

from contextlib import suppress
from random import Random

import numpy as np
import pytest

from treerules import (
    ColumnDomain,
    Condition,
    Feature,
    Interval,
    Rule,
    RuleFigures,
    RuleList,
    RuleSet,
    Schema,
    check,
    check_list,
    diff,
    render,
    review,
    to_exclusive,
)
from treerules.errors import DataError
from treerules.proof.check_list import LIST_BUDGET
from treerules.proof.diff import BUDGET
from treerules.proof.to_exclusive import EXCLUSIVE_BUDGET
from treerules.regions import merge, subtract
from treerules.regions.subtract import Budget
from treerules.rules.rule import Members
from treerules.trees import MeanPrediction


def boxes(n: int, n_columns: int) -> RuleList:
    """Return a list of random boxes, most of which overlap."""
    random, rules = Random(0), []
    for number in range(1, n + 1):
        ends = [sorted((random.random(), random.random())) for _ in range(n_columns)]
        conditions = [(f"x{at}", Condition(Interval(*pair))) for at, pair in enumerate(ends)]
        rules.append(Rule(number, conditions, MeanPrediction(float(number % 5)), RuleFigures(0, 0.0)))
    return RuleList(Schema([Feature(f"x{at}", "number") for at in range(n_columns)], Feature("y", "number")), rules)


def clauses(n: int, n_columns: int) -> RuleList:
    """Return a list of random clauses of three booleans each, a hard formula."""
    random, rules = Random(0), []
    for number in range(1, n + 1):
        chosen = sorted(random.sample(range(n_columns), 3))
        conditions = [(f"b{at}", Condition(Members((random.random() < 0.5,)))) for at in chosen]
        rules.append(Rule(number, conditions, MeanPrediction(float(number % 3)), RuleFigures(0, 0.0)))
    return RuleList(Schema([Feature(f"b{at}", "boolean") for at in range(n_columns)], Feature("y", "number")), rules)


def known(n_columns: int) -> dict[str, ColumnDomain]:
    """Return the domain of booleans that are never missing."""
    return {f"b{at}": ColumnDomain(missing=False) for at in range(n_columns)}


def n_order_dependent(rules: RuleList) -> int:
    """Return the number of pairs of boxes that share rows and predict different values; most have rows of their own."""
    ends = [[(condition.values.above, condition.values.upto) for _, condition in rule.conditions] for rule in rules]  # type: ignore[union-attr]
    above, upto = np.array(ends).transpose(2, 0, 1)
    n_pairs = 0
    for at, rule in enumerate(rules.rules):
        shares = (np.maximum(above[at], above[at + 1 :]) < np.minimum(upto[at], upto[at + 1 :])).all(axis=1)
        n_pairs += sum(rules.rules[at + 1 + other].value != rule.value for other in np.flatnonzero(shares).tolist())
    return n_pairs


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count the sides of constraints that are looked at, and the boxes that are compared for merging."""
    work = {"sides": 0, "boxes": 0}
    restricted, joined = subtract._restricted, merge._joined

    def restrict(axes, box, constraints):  # type: ignore[no-untyped-def]
        constraints = list(constraints)
        work["sides"] += sum(len(sides) for sides, _ in constraints)
        return restricted(axes, box, constraints)

    def join(axis, index, group):  # type: ignore[no-untyped-def]
        work["boxes"] += len(group)
        return joined(axis, index, group)

    monkeypatch.setattr(subtract, "_restricted", restrict)
    monkeypatch.setattr(merge, "_joined", join)
    return work


def test_a_step_is_a_bounded_amount_of_work(counted: dict[str, int]) -> None:
    """No search looks at more sides or boxes than its steps allow, whatever the rules: the constants are the weights.

    What is outside of the steps is one look at each pair of rules.
    """
    for rules, budget in ((boxes(120, 6), 3_000), (clauses(100, 30), 3_000)):
        for ask in (check_list, to_exclusive, lambda given, budget: diff(given, given, budget=budget)):
            counted.update(sides=0, boxes=0)
            with suppress(DataError):
                ask(rules, budget=budget)
            pairs = len(rules) ** 2 * len(rules.schema.features)
            assert counted["sides"] <= 2 * (pairs + 64 * budget), ask
            assert counted["boxes"] <= 2 * (len(rules) ** 2 + 8 * budget), ask


def test_merging_counts_in_the_budget() -> None:
    """The boxes that subtraction leaves are compared axis by axis, which can cost more than the subtraction."""
    from treerules.regions.merge import merge_boxes
    from treerules.regions.space import space_of
    from treerules.regions.subtract import BudgetExceeded

    space = space_of(boxes(100, 4), None)
    parts = [space.box(at) for at in range(100)]
    left = Budget(1_000)
    merge_boxes(space, parts, budget=left)
    assert 1_000 - left.steps_left >= 4 * 100 // 4
    with pytest.raises(BudgetExceeded):
        merge_boxes(space, parts, budget=Budget(10))


def test_a_spent_budget_says_what_is_undecided_and_how_to_ask_for_more() -> None:
    """The verdict, the comparison and the error name the option."""
    rules = clauses(120, 30)
    verdict = check_list(rules, budget=30)
    assert verdict.undecided
    assert "--budget" in render(diff(rules, rules, budget=30)).partition("rules:")[0]
    with pytest.raises(DataError, match=r"give a greater budget= \(--budget\)"):
        to_exclusive(rules, budget=30)
    gaps = RuleList(rules.schema, rules.rules[:60])
    found = render(review(gaps, budget=0))
    assert "budget" in found or check_list(gaps, budget=0).complete is not None


def test_a_value_that_no_rule_takes_is_a_gap_where_the_subtraction_does_not_end() -> None:
    """No box takes a missing value, so a row with one fires none: that is told although the budget is small."""
    rules = boxes(200, 10)
    assert not rules.firing({f"x{at}": None if at == 7 else 0.5 for at in range(10)})
    for verdict in (check_list(rules, budget=3_000), check(RuleSet(rules.schema, rules.rules), budget=1_000)):
        assert verdict.complete is False and verdict.gaps and "gaps" in verdict.by_budget
        assert not any(rules.firing(gap.row) for gap in verdict.gaps)


def test_a_smaller_budget_leaves_open_and_never_contradicts() -> None:
    """Whether some rule fires for every row is answered as with the default budget, or not at all."""
    answers = set()
    for rules in (clauses(20, 6), clauses(90, 6)):
        whole = check_list(rules, domain=known(6)).complete
        answers |= {whole}
        found = {check_list(rules, domain=known(6), budget=budget).complete for budget in (0, 30, 100, 300, 1_000)}
        assert None in found and found <= {None, whole}
    assert answers == {True, False}


def test_the_limit_is_not_named_where_the_budget_was_the_cause() -> None:
    """A text names the option that shows more: --budget where the steps ended, --limit where the findings are many."""
    rules = clauses(20, 12)
    verdict = check_list(rules, domain=known(12), limit=500, budget=9)
    assert (verdict.complete, verdict.by_budget, verdict.cut_off) == (None, ("overlaps", "gaps"), ("overlaps", "gaps"))
    of_set = check(RuleSet(rules.schema, rules.rules), domain=known(12), limit=500, budget=9)
    assert (of_set.complete, of_set.by_budget, of_set.cut_off) == (None, *[("overlaps", "gaps", "subsumed")] * 2)
    for found in (verdict, of_set):
        assert "--budget" in render(found) and "--limit" not in render(found)
    few = check_list(clauses(20, 6), limit=1)
    assert (few.complete, few.by_budget, few.cut_off) == (False, (), ("overlaps", "gaps"))
    assert "--limit" in render(few) and "--budget" not in render(few)


@pytest.mark.large
@pytest.mark.parametrize(("n", "n_columns"), [(5_000, 8), (1_000, 30)])
def test_thousands_of_random_boxes_end_at_the_default_budget(n: int, n_columns: int) -> None:
    """Gaps and overlaps are found; rules for which the budget does not suffice are named, not guessed."""
    rules = boxes(n, n_columns)
    verdict = check_list(rules)
    assert verdict.complete is False and len(verdict.gaps) == 10
    assert len(verdict.overlaps) == min(10, n_order_dependent(rules))
    assert LIST_BUDGET == EXCLUSIVE_BUDGET == BUDGET


@pytest.mark.large
def test_a_hard_formula_ends_at_the_default_budget() -> None:
    """240 clauses of 40 booleans cannot be made exclusive; compared with themselves they are undecided, not equal."""
    rules = clauses(240, 40)
    with pytest.raises(DataError, match="too many boxes for a budget"):
        to_exclusive(rules)
    found = diff(rules, RuleList(rules.schema, rules.rules[::-1]))
    assert (found.equal, found.undecided) == (None, ("old", "new"))

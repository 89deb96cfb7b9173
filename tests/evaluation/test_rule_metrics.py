"""Figures of rules on a table, against a row-by-row count with `firing`, and against what learning knew."""

import json
import math
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import a_schema, a_table, a_tree, some_rows
from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Rule,
    RuleFigures,
    RuleSet,
    Schema,
    Table,
    cart,
    compile_rules,
    learn,
    render,
)
from treerules.data.column import of_values
from treerules.errors import ColumnError, DataError, OptionError
from treerules.evaluation.rule_metrics import RuleSetMetrics, rule_metrics
from treerules.rules.rule_set import RuleList
from treerules.trees import ClassPrediction, MeanPrediction

AGE, JOB = Feature("age", Kind.INTEGER), Feature("job", Kind.CATEGORY, ("a", "b"))
CLASSES = Feature("y", Kind.CATEGORY, ("no", "yes"))


def rule(number: int, value: Any, **conditions: Condition) -> Rule:
    """Return a rule that predicts a class, or a mean."""
    found: Any = (
        MeanPrediction(value)
        if isinstance(value, float)
        else ClassPrediction(value, [float(value == c) for c in ("no", "yes")])
    )
    return Rule(number, list(conditions.items()), found, RuleFigures(0, 0.0))


def upto(bound: int) -> Condition:
    """Return the condition that a value is at most this."""
    return Condition(Interval(None, bound))


def above(bound: int) -> Condition:
    """Return the condition that a value is above this."""
    return Condition(Interval(bound, None))


def fired_by_row(rules: RuleSet | RuleList, table: Table) -> list[list[Rule]]:
    """Return the rules that count for each row, by `firing`."""
    fired = [list(rules.firing(row)) for row in table.rows()]
    return [found[:1] for found in fired] if isinstance(rules, RuleList) else fired


def assert_counted(
    scores: RuleSetMetrics, rules: RuleSet | RuleList, table: Table, weights: list[float] | None = None
) -> None:
    """The scores are those of a loop over the rows."""
    fired = fired_by_row(rules, table)
    weights = weights or [1] * table.n_rows
    total = sum(weights)
    for one, found in zip(rules.rules, scores.by_rule, strict=True):
        at = [row for row, several in enumerate(fired) if one in several]
        n = sum(weights[row] for row in at)
        assert math.isclose(found.figures.n, n) and math.isclose(found.figures.coverage, n / total)
        if "y" not in table.schema.indices or not n:
            assert (found.figures.support, found.figures.confidence, found.figures.lift) == (None, None, None)
            continue
        truth = [table.row(row)["y"] for row in range(table.n_rows)]
        if isinstance(one.prediction, MeanPrediction):
            mean = sum(weights[row] * truth[row] for row in at) / n
            spread, error = (
                math.hypot(*[math.sqrt(weights[row] / n) * (truth[row] - centre) for row in at])
                for centre in (mean, one.value)
            )
            assert np.allclose((found.mean, found.sd, found.rmse), (mean, spread, error))
            continue
        hits = sum(weights[row] for row in at if truth[row] == one.value)
        prior = sum(weights[row] for row in range(table.n_rows) if truth[row] == one.value) / total
        assert math.isclose(found.figures.support or 0, hits / total)
        assert math.isclose(found.figures.confidence or 0, hits / n)
        assert found.figures.lift is None if not prior else math.isclose(found.figures.lift or 0, hits / n / prior)
    assert scores.n_uncovered == sum(not several for several in fired)
    assert list(scores.uncovered) == [row for row, several in enumerate(fired) if not several][:10]
    differing = [row for row, several in enumerate(fired) if len({each.value for each in several}) > 1]
    assert (scores.n_conflicting, list(scores.conflicting)) == (len(differing), differing[:10])
    by_pair: dict[tuple[int, int], list[int]] = {}
    for row, several in enumerate(fired):
        for i, one in enumerate(several):
            for other in several[i + 1 :]:
                by_pair.setdefault((one.number, other.number), []).append(row)
    claimed = {(each.first, each.second): (each.n, list(each.rows)) for each in scores.conflicts + scores.overlaps}
    assert claimed == {pair: (len(rows), rows[:10]) for pair, rows in by_pair.items()}
    values = {each.number: each.value for each in rules.rules}
    assert all(values[each.first] != values[each.second] for each in scores.conflicts)


@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_figures_are_those_of_a_loop_over_rows(seed: int, is_list: bool, weighted: bool) -> None:
    """Rules of two trees together overlap and leave gaps; every kind of column, missing and unseen values."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 4))
    tree, other = a_tree(random, schema, 6), a_tree(random, schema, 4)
    both = [*compile_rules(tree).rules, *compile_rules(other).rules]
    chosen = random.sample(both, random.randint(1, len(both)))
    made = [evolve(one, number=number) for number, one in enumerate(chosen, 1)]
    rules = (RuleList if is_list else RuleSet)(schema, made)
    rows = some_rows(random, tree, 12) + some_rows(random, other, 12)
    known = [[v if f.is_ordered or v in f.categories else None for v in (row[f.name] for row in rows)]
             for f in schema.features]  # fmt: skip
    columns = [of_values(f, cells) for f, cells in zip(schema.features, known, strict=True)]
    goal = schema.target
    assert goal is not None
    truth = [random.choice(goal.categories or (0.0, 1.5, -2.0)) for _ in rows]
    table = Table([*columns, *([of_values(goal, truth)] if random.random() < 0.8 else [])])
    weights = [float(random.randint(1, 5)) for _ in rows] if weighted else None
    assert_counted(rule_metrics(rules, table, weight=weights), rules, table, weights)


@given(st.integers(0, 2**32), st.booleans())
def test_a_learned_tree_scores_as_it_was_learned(seed: int, regression: bool) -> None:
    """On the training table the figures are those that `compile_rules` has from learning; every row is covered."""
    random = Random(seed)
    table = a_table(random, regression=regression)
    tree = learn(table, target="y", recipe=cart(missing="branch"))
    rules = compile_rules(tree)
    scores = rule_metrics(tree, table)
    assert scores.n_uncovered == scores.n_conflicting == 0 and not scores.overlaps
    for one, found in zip(rules.rules, scores.by_rule, strict=True):
        for figure in ("n", "coverage", "support", "confidence", "lift"):
            wanted, ours = getattr(one.figures, figure), getattr(found.figures, figure)
            assert wanted == ours or math.isclose(wanted, ours)
        if isinstance(one.prediction, MeanPrediction) and found.figures.n:
            assert math.isclose(found.mean or 0, one.prediction.value, abs_tol=1e-9)
            assert math.isclose(found.sd or 0, one.prediction.sd, abs_tol=1e-6)


def test_many_rules_and_rows_are_divided_and_counted_alike() -> None:
    """Where pairs are too many to compare each with each, the counts are those of the tree's own routing."""
    random = np.random.default_rng(1)
    n = 20_000
    cells = {f"x{i}": np.where(random.random(n) < 0.1, np.nan, random.normal(size=n)) for i in range(4)}
    table = Table.from_columns(
        {**cells, "c": random.choice([*"pqrst"], size=n).tolist(), "y": random.integers(0, 3, size=n)},
        types={"y": "category"},
    )
    tree = learn(table, target="y", recipe=cart(max_leaves=400))
    plain = RuleSet(tree.schema, compile_rules(tree).rules)
    twice = RuleSet(tree.schema, [*plain.rules, *(evolve(one, number=one.number + 1000) for one in plain.rules)])
    scores = rule_metrics(twice, table)
    for one, found in zip([*plain.rules, *plain.rules], scores.by_rule, strict=True):
        assert found.figures == one.figures
    assert sum(each.n for each in scores.overlaps) == n and not scores.conflicts


def test_in_a_list_the_first_rule_counts() -> None:
    """Both rules hold for a young row; as a set they are in conflict, as a list the first one has it."""
    rules = [rule(1, "no", age=upto(30)), rule(2, "yes", age=upto(50))]
    table = Table.from_columns({"age": [20, 40, 60, None], "y": ["no", "yes", "no", "yes"]})
    as_set, as_list = (rule_metrics(kind(Schema([AGE], CLASSES), rules), table) for kind in (RuleSet, RuleList))
    assert [each.figures.n for each in as_set.by_rule] == [1, 2]
    assert [each.figures.n for each in as_list.by_rule] == [1, 1]
    assert (as_set.n_conflicting, as_list.n_conflicting) == (1, 0)
    assert as_set.uncovered == as_list.uncovered == (2, 3)
    assert isinstance(as_list.rules, RuleList) and as_list.rules.rules[1].figures == as_list.by_rule[1].figures


def test_an_unknown_label_is_no_hit_and_an_unseen_category_fires_what_takes_unseen() -> None:
    """Labels and categories that the rules do not know are counted for what they are."""
    takes = Condition(Members(("a",)), unseen=True)
    rules = RuleSet(Schema([JOB], CLASSES), [rule(1, "yes", job=takes)])
    table = Table.from_columns({"job": ["a", "zzz", "b", None], "y": ["yes", "perhaps", "yes", "no"]})
    (found,) = rule_metrics(rules, table).by_rule
    assert found.figures == RuleFigures(2, 0.5, 0.25, 0.5, 1.0)


def test_without_target_there_are_n_and_coverage_alone() -> None:
    """A table that lacks the target can be counted, not judged."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=above(30))])
    scores = rule_metrics(rules, Table.from_columns({"age": [31, 30]}))
    assert not scores.has_target and scores.by_rule[0].figures == RuleFigures(1, 0.5)


def test_what_cannot_be_scored_is_refused() -> None:
    """Each refusal says what is wrong."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "yes", age=above(30))])
    table = Table.from_columns({"age": [1, 2], "y": ["yes", None]})
    with pytest.raises(DataError, match="1 row without a value of the target 'y'"):
        rule_metrics(rules, table)
    assert rule_metrics(rules, table, drop_missing_target=True).n == 1
    with pytest.raises(ColumnError, match="did you mean 'Age'"):
        rule_metrics(rules, Table.from_columns({"Age": [1]}))
    with pytest.raises(OptionError, match="a Table"):
        rule_metrics(rules, [1])
    with pytest.raises(OptionError, match="a RuleSet"):
        rule_metrics("rules", table)  # type: ignore[arg-type]
    with pytest.raises(ColumnError, match="sums to 0"):
        rule_metrics(rules, Table.from_columns({"age": [1, 2]}), weight=[0, 0])
    with pytest.raises(DataError, match="no rows"):
        rule_metrics(rules, Table.from_rows([], types=None))
    for wrong in (3, None, []):
        with pytest.raises(OptionError, match="a result that can be rendered"):
            render(wrong)


def test_the_texts_say_the_same_figures() -> None:
    """JSON and CSV are exact, text and Markdown name conflicts and uncovered rows, in both languages, by the names."""
    rules = RuleSet(Schema([AGE], CLASSES), [rule(1, "no", age=upto(30)), rule(2, "yes", age=upto(50))])
    table = Table.from_columns({"age": [20, 40, 60, 7], "y": ["no", "yes", "no", "yes"]})
    scores = rule_metrics(rules, table)
    told = json.loads(render(scores, format="json"))
    for one, found in zip(told["rules"], scores.by_rule, strict=True):
        for figure in ("n", "coverage", "support", "confidence", "lift"):
            assert one[figure] == getattr(found.figures, figure)
    assert told["conflicts"] == [{"first": 1, "second": 2, "n": 2, "rows": [0, 3]}]
    assert told["uncovered"] == {"n": 1, "rows": [2]}
    (header, first, _) = render(scores, format="csv").splitlines()
    assert float(first.split(",")[header.split(",").index("lift")]) == scores.by_rule[0].figures.lift
    text = render(evolve(scores, names={1: "WHEN 1"}))
    assert "WHEN 1 and rule 2 predict different values for 2 rows (from 0): 0, 3" in text
    assert "no rule fires for 1 row (from 0): 2" in text
    assert "置信度" in render(scores, lang="zh") and "没有规则成立" in render(scores, lang="zh", format="md")
    with pytest.raises(OptionError):
        render(scores, format="xml")

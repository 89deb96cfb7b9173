"""Speed of comparing two sets of rules, and the differences that it finds and random rows do not.

The peer compares each old rule with each new one in plain Python, condition by condition, and stops at the first that
shares nothing: what one would write without this library. It only counts the pairs of rules that disagree, without
merged regions, witness rows, gaps, or a proof that neither side contradicts itself. A ratio is its CPU time over that
of `diff`: larger is better. z3 is asked, where it is installed, whether the two differ on some row.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from random import Random
from time import process_time
from typing import Any

import numpy as np
from attrs import evolve
from measuring import cpu, judged

from treerules import Rule, RuleSet, Table, Tree, cart, compile_rules, learn
from treerules.data.domain import next_value
from treerules.data.interval import Interval
from treerules.evaluation.rule_metrics import rule_metrics
from treerules.proof.diff import diff
from treerules.rules.rule import Condition
from treerules.trees import ClassPrediction

#: The most CPU seconds for comparing two sets of 1,000 rules over 20 features.
GOAL = 5.0
#: The number of random rows among which a difference is searched.
DRAWN = 100_000
#: The most seconds for z3.
PATIENCE = 20


def table(n: int, seed: int, n_features: int = 20) -> Table:
    """Return rows of numbers with holes, whose class depends on some columns and much chance."""
    random = np.random.default_rng(seed)
    cells = random.normal(size=(n_features, n))
    score = cells[0] + cells[1] * cells[2] + random.normal(size=n)
    cells[random.random(cells.shape) < 0.05] = np.nan
    columns = {f"x{place}": column for place, column in enumerate(cells)}
    return Table.from_columns({**columns, "y": np.digitize(score, (-1, 1))}, types={"y": "category"})


def learned_tree(n: int, leaves: int, seed: int) -> Tree:
    return learn(table(n, seed), target="y", recipe=cart(max_leaves=leaves))


def with_edits(rules: RuleSet, n: int, seed: int) -> RuleSet:
    """Return the rules with other answers in some of them."""
    random, edited = Random(seed), list(rules.rules)
    for position in random.sample(range(len(edited)), n):
        edited[position] = with_other_answer(edited[position], rules.schema.classes)
    return evolve(rules, rules=edited)


def with_other_answer(rule: Rule, classes: tuple[Any, ...]) -> Rule:
    other = next(value for value in classes if value != rule.value)
    return evolve(rule, prediction=ClassPrediction(other, [float(value == other) for value in classes]))


def with_one_step(rules: RuleSet, seed: int) -> RuleSet:
    """Return the rules with one upper bound moved to the next lower float64: a gap of one value."""
    bounded = [(place, at) for place, rule in enumerate(rules.rules) for at, (_, c) in enumerate(rule.conditions)
               if isinstance(c.values, Interval) and c.values.upto is not None]  # fmt: skip
    place, at = Random(seed).choice(bounded)
    rule = rules.rules[place]
    name, condition = rule.conditions[at]
    values: Any = condition.values
    moved = Interval(values.above, next_value(rules.schema.feature(name), values.upto, up=False))
    conditions = [*rule.conditions[:at], (name, evolve(condition, values=moved)), *rule.conditions[at + 1 :]]
    return evolve(rules, rules=[*rules.rules[:place], evolve(rule, conditions=conditions), *rules.rules[place + 1 :]])


# ---- the peers


def pairs_that_disagree(old: RuleSet, new: RuleSet) -> int:
    """Return how many pairs of an old and a new rule share rows and predict different values."""
    asked = [dict(rule.conditions) for rule in new.rules]
    return sum(
        all(shares(condition, others[name]) for name, condition in one.conditions if name in others)
        for one in old.rules
        for rule, others in zip(new.rules, asked, strict=True)
        if one.value != rule.value
    )


def shares(one: Condition, other: Condition) -> bool:
    if one.missing and other.missing:
        return True
    a, b = one.values, other.values
    if not isinstance(a, Interval) or not isinstance(b, Interval):
        return False
    lows = [bound for bound in (a.above, b.above) if bound is not None]
    highs = [bound for bound in (a.upto, b.upto) if bound is not None]
    return not lows or not highs or max(lows) < min(highs)


def answer_of_z3(old: RuleSet, new: RuleSet) -> str:
    """Return what z3 says, and after how many seconds, to the question whether the two ever differ; over the reals."""
    try:
        import z3
    except ImportError:
        return "z3 is not installed"
    names = [feature.name for feature in old.schema.features]
    known, holes = {name: z3.Real(name) for name in names}, {name: z3.Bool(f"{name} missing") for name in names}

    def said(name: str, condition: Condition) -> Any:
        values, within = condition.values, z3.BoolVal(False)
        if isinstance(values, Interval):
            bounds = [] if values.above is None else [known[name] > z3.Q(*values.above.as_integer_ratio())]
            bounds += [] if values.upto is None else [known[name] <= z3.Q(*values.upto.as_integer_ratio())]
            within = z3.And(z3.Not(holes[name]), *bounds)
        return z3.Or(within, holes[name]) if condition.missing else within

    def answer(rules: RuleSet) -> Any:
        found = z3.IntVal(-1)
        for rule in rules.rules:
            holds = z3.And([said(name, condition) for name, condition in rule.conditions])
            found = z3.If(holds, z3.IntVal(rules.schema.classes.index(rule.value)), found)
        return found

    solver = z3.Solver()
    solver.set("timeout", PATIENCE * 1000)
    start = process_time()
    solver.add(answer(old) != answer(new))
    said_at_last = {"sat": "different", "unsat": "equal"}.get(str(solver.check()), "unknown")
    return f"{said_at_last} after {process_time() - start:.1f} s"


# ---- the table


_LAYOUT = "{:<34} {:>6} {:>6} {:>9} {:>9} {:>20} {:>9} {:>8}"
HEADER = _LAYOUT.format("rules", "old", "new", "pairs", "regions", "seconds  goal", "peer's", "ratio")


def compared(name: str, old: RuleSet, new: RuleSet, rows: Table | None, *, goal: float | None = None) -> str:
    """Return the line of two rule sets; without their trees nothing of them is known beforehand."""
    old, new = RuleSet(old.schema, old.rules), RuleSet(new.schema, new.rules)
    found = diff(old, new, table=rows)
    seconds = cpu(partial(diff, old, new, table=rows))
    pairs = pairs_that_disagree(old, new)
    theirs = cpu(partial(pairs_that_disagree, old, new))
    figures = judged(seconds, goal, at_most=True), f"{theirs:.2f}", f"{theirs / seconds:.2f}"
    return _LAYOUT.format(name, len(old), len(new), pairs, found.n_disagreements, *figures)


def report(quick: bool) -> Iterator[str]:
    """Yield the lines."""
    n, leaves = (5_000, 200) if quick else (50_000, 1_000)
    tree, other = learned_tree(n, leaves, 1), learned_tree(n, leaves, 2)
    rules, others = compile_rules(tree), compile_rules(other)
    goal = None if quick else GOAL
    yield "peer: each old rule with each new one, in plain Python; it only counts the pairs that disagree"
    yield HEADER
    yield compared("the same", rules, rules, None, goal=goal)
    yield compared("10 answers edited", rules, with_edits(rules, 10, 1), None, goal=goal)
    yield compared("10 rules left out", rules, evolve(rules, rules=rules.rules[10:]), None, goal=goal)
    yield compared("learned from other rows", rules, others, None, goal=goal)
    yield compared(f"the same, {n} rows counted", rules, others, table(n, 3), goal=goal)
    yield ""
    yield f"one bound moved by one float64, {leaves} rules: rows of {DRAWN} that no rule fires for, and what diff finds"
    for seed in range(3):
        moved = with_one_step(rules, seed)
        n_uncovered = rule_metrics(moved, table(DRAWN, 10 + seed)).n_uncovered
        yield f"rows {n_uncovered}, regions {diff(tree, moved).n_disagreements}"
    yield ""
    turned = evolve(rules, rules=rules.rules[::-1])
    for name, new in (("the same, turned round", turned), ("one answer edited", with_edits(turned, 1, 1))):
        seconds = cpu(partial(diff, RuleSet(rules.schema, rules.rules), new))
        yield f"{len(rules)} rules, {name}: diff {seconds:.2f} s; z3 {answer_of_z3(rules, new)}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Comparing two sets of rules, in CPU time.")
    parser.add_argument("--quick", action="store_true", help="fewer rules: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

"""Speed of checking rule sets: those of trees, edited copies of them, and in comparison with z3.

    python benchmarks/check.py [sizes] [edited] [z3] [--quick]

Trees learned from generated data, and from adult where TREERULES_DATA names its folder, as rule sets without
their tree. CPU seconds of the whole verdict: both answers, witnesses, subsumed and mergeable rules. z3
(`pip install z3-solver`) is asked the two questions as formulas: over the ranks of the bounds, which is our work, and
over reals; building the formulas counts. Both sides must answer alike, or the row says UNEQUAL.
"""

import argparse
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen
from cases import adult, adult_paths, continuous, covertype_like, with_holes
from measuring import Case, cpu, judged, race, warm

from treerules import Condition, Interval, Recipe, Rule, RuleSet, Verdict, cart, check, compile_rules, learn

try:
    import z3
except ImportError:
    z3 = None

#: The most seconds for an answer of z3.
PATIENCE = 20


@frozen(eq=False)
class Size:
    """A data set, and how many rules are wanted of it; the seconds that a check may take."""

    name: str
    case: Callable[[], Case]
    n_rules: int | None
    goal: float | None


def sizes_of(quick: bool) -> list[Size]:
    """Return the trees that are checked."""
    if quick:
        return [Size("continuous", partial(continuous, 7_000, 10), 1_000, None)]
    found = [
        Size("continuous", partial(continuous, 80_000, 10), 10_000, 1.0),
        Size("20% missing", lambda: with_holes(continuous(80_000, 10)), 10_000, 1.0),
        Size("covertype-like", partial(covertype_like, 400_000), 10_000, 3.0),
        Size("continuous", partial(continuous, 800_000, 10), 100_000, 10.0),
    ]
    return [*found, *([Size("adult", adult, None, None)] if adult_paths() else [])]


def rules_of(case: Case, n_rules: int | None) -> RuleSet:
    """Return the rules of a tree of at most `n_rules` leaves, without the tree."""
    recipe: Recipe = cart(max_leaves=n_rules) if case.name != "adult" else case.recipe()
    rules = compile_rules(learn(case.table, target="y", recipe=recipe))
    return RuleSet(rules.schema, rules.rules)


def dropped(rules: RuleSet) -> RuleSet:
    """Return the rules without one in their middle."""
    place = len(rules) // 2
    return evolve(rules, rules=[*rules.rules[:place], *rules.rules[place + 1 :]])


def doubled(rules: RuleSet) -> RuleSet:
    """Return the rules with one of them twice."""
    return evolve(rules, rules=[*rules.rules, evolve(rules.rules[len(rules) // 2], number=10**9)])


def widened(rules: RuleSet, share: float) -> RuleSet:
    """Return the rules with a share of them widened: each upper bound by a hundredth of a standard deviation."""
    chosen = np.random.default_rng(5).random(len(rules)) < share
    pairs = zip(rules.rules, chosen.tolist(), strict=True)
    return evolve(rules, rules=[_wider(rule) if wide else rule for rule, wide in pairs])


def _wider(rule: Rule) -> Rule:
    def wider(condition: Condition) -> Condition:
        values = condition.values
        if not isinstance(values, Interval) or values.upto is None:
            return condition
        return evolve(condition, values=Interval(values.above, values.upto + 0.01))

    return evolve(rule, conditions=[(name, wider(condition)) for name, condition in rule.conditions])


def answers(verdict: Verdict) -> str:
    """Return both answers of a verdict in words."""
    words = {True: "yes", False: "no", None: "undecided"}
    return f"{words[verdict.exclusive]}/{words[verdict.complete]}"


def timed(rules: RuleSet) -> tuple[float, str]:
    """Return the least CPU seconds of three checks, and the answers."""
    return min(cpu(partial(check, rules)) for _ in range(3)), answers(check(rules))


def sizes_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each tree, whole, with a rule dropped and with one doubled."""
    yield f"{'rules of':<16} {'rules':>7} {'cols':>4} {'edit':<8} {'answers':<14}  seconds  at most"
    for size in sizes_of(quick):
        rules = rules_of(size.case(), size.n_rules)
        for edit, edited in (("none", rules), ("dropped", dropped(rules)), ("doubled", doubled(rules))):
            seconds, both_answers = timed(edited)
            start = f"{size.name:<16} {len(edited):>7} {len(rules.schema.features):>4} {edit:<8} {both_answers:<14}"
            yield f"{start} {judged(seconds, size.goal, at_most=True)}"


def edited_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each share of widened rules."""
    rules = rules_of(continuous(7_000 if quick else 80_000, 10), 1_000 if quick else 10_000)
    yield f"{'widened':>8} {'rules':>7} {'answers':<14}  seconds  at most"
    for share in (0.001, 0.01, 0.1):
        edited = widened(rules, share)
        verdict = check(edited)
        seconds = cpu(partial(check, edited))
        yield f"{share:>8.1%} {len(rules):>7} {answers(verdict):<14} {judged(seconds, 15, at_most=True)}"


# ---- z3


def formulas(rules: RuleSet, *, ranks: bool) -> list[Any]:
    """Return each rule as a formula, over the ranks of the bounds or over reals."""
    columns = {}
    for feature in rules.schema.features:
        intervals = [c.values for rule in rules.rules for n, c in rule.conditions if n == feature.name and c.values]
        bounds = sorted({bound for v in intervals for bound in (v.above, v.upto) if bound is not None})
        places = {
            bound: place if ranks else z3.RealVal(str(Fraction(bound))) for place, bound in enumerate(bounds, start=1)
        }
        variable = z3.Int if ranks else z3.Real
        columns[feature.name] = variable(feature.name), z3.Bool(f"missing {feature.name}"), places

    def formula(name: str, condition: Condition) -> Any:
        value, missing, places = columns[name]
        values, known = condition.values, []
        if values is None:
            return missing if condition.missing else z3.BoolVal(False)
        if values.above is not None:
            known.append(value > places[values.above])
        if values.upto is not None:
            known.append(value <= places[values.upto])
        return z3.If(missing, condition.missing, z3.And(known))

    return [z3.And([formula(*pair) for pair in rule.conditions]) for rule in rules.rules]


def answer(*formulas: Any) -> str:
    """Return whether no row meets some formulas."""
    solver = z3.Solver()
    solver.set("timeout", 1000 * PATIENCE)
    solver.add(*formulas)
    return {"unsat": "yes", "sat": "no"}.get(str(solver.check()), "undecided")


def their_answers(rules: RuleSet, *, ranks: bool) -> str:
    """Return both answers of z3."""
    fires = formulas(rules, ranks=ranks)
    return f"{answer(z3.PbGe([(one, 1) for one in fires], 2))}/{answer(z3.Not(z3.Or(fires)))}"


def z3_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each size, edit and encoding."""
    if z3 is None:
        yield "left out: z3 is not installed (pip install z3-solver)"
        return
    case = continuous(20_000, 10)
    layout = "{:>6} {:<8} {:<6} {:<14} {:<14} {:>8} {:>8} {}"
    yield layout.format("rules", "edit", "over", "answers", "z3 says", "seconds", "z3", "   ratio  goal")
    for n_rules in (30, 100) if quick else (30, 100, 300, 1_000):
        rules = rules_of(case, n_rules)
        rounds = 2 if quick else 5 if n_rules < 300 else 1
        for edit, edited in (("none", rules), ("dropped", dropped(rules)), ("doubled", doubled(rules))):
            for ranks in (True, False) if n_rules < 300 else (True,):
                yield z3_line(edit, edited, ranks=ranks, rounds=rounds)


def z3_line(edit: str, rules: RuleSet, *, ranks: bool, rounds: int) -> str:
    """Return the line of one size, edit and encoding. Where z3 gives up, the ratio is what it took until then."""
    answers_of_z3: list[str] = []

    def theirs(_: int) -> None:
        answers_of_z3.append(their_answers(rules, ranks=ranks))

    times, ours = race(partial(check, rules), theirs, rounds), answers(check(rules))
    pairs = zip(ours.split("/"), answers_of_z3[-1].split("/"), strict=True)
    is_fair = len(set(answers_of_z3)) == 1 and all(theirs in (our, "undecided") for our, theirs in pairs)
    start = f"{len(rules):>6} {edit:<8} {'ranks' if ranks else 'reals':<6} {ours:<14} {answers_of_z3[-1]:<14}"
    return f"{start} {times.ours:8.4f} {times.theirs:8.3f} {judged(times.ratio if is_fair else None, 50)}"


PARTS = {"sizes": sizes_lines, "edited": edited_lines, "z3": z3_lines}


def main() -> None:
    parser = argparse.ArgumentParser(description="How long a check takes, beside z3.")
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all when none is named")
    parser.add_argument("--quick", action="store_true", help="small trees")
    options = parser.parse_args()
    warm()
    for name in options.parts or PARTS:
        for text in PARTS[name](options.quick):
            print(text, flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()

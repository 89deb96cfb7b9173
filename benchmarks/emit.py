"""How fast treerules emits and runs a tree, compared with m2cgen.

A ratio is m2cgen's CPU time on a scikit-learn tree over ours on our tree of the same data: larger is better. Their
tree is, of five seeds', the one nearest to ours in leaves; where leaves or training impurity still differ by more than
1% the row prints UNEQUAL in place of its ratios.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import m2cgen
import numpy as np
from attrs import frozen
from cases import bundled, case_of, continuous
from measuring import SEEDS, Case, Depth, Work, cpu, impurity, judged, our_fit, our_work, ratio, their_fit

from treerules import Tree, to_python
from treerules.trees import tree_from_json, tree_to_json

#: Rows that an emitted module answers in one round.
ROWS = 1_000
#: Of trees with more leaves the flat layout is shown too. Its answers take long: few rows.
MANY = 5_000
FEW_ROWS = 100
#: A model of 100,000 leaves is to be saved and loaded in so many seconds of CPU time.
JSON_SECONDS = 2.0
FAILURES = (RecursionError, SyntaxError, MemoryError)  # IndentationError is a SyntaxError


@frozen(eq=False)
class Pair:
    """Two trees of one data set, ours and scikit-learn's, and how much work each is."""

    case: Case
    tree: Tree
    model: Any
    works: tuple[Work, Work]

    @property
    def is_equal(self) -> bool:
        """Whether the two are equal work to emit."""
        ours, theirs = self.works
        return ours.equals(theirs)


def pair_of(case: Case, depth: Depth) -> Pair:
    """Return our tree and the scikit-learn tree nearest to it in leaves."""
    tree = our_fit(case, depth)
    models = [their_fit(case, depth, seed) for seed in SEEDS]
    model = min(models, key=lambda model: abs(int(model.get_n_leaves()) - tree.n_leaves))
    theirs = Work(int(model.get_n_leaves()), impurity(case.target, model.apply(case.features)))
    return Pair(case, tree, model, (our_work(case, tree), theirs))


def chain(n: int) -> Case:
    """Return two classes that alternate along one column: each split of the tree takes one row off."""
    return case_of("chain", np.arange(n, dtype=np.float64)[:, None], np.arange(n) % 2)


def pairs(quick: bool) -> Iterator[Pair]:
    """Yield the trees to emit, small to large, then deep."""
    yield pair_of(bundled("breast_cancer"), 5)
    yield pair_of(bundled("digits"), None)
    yield pair_of(continuous(10_000 if quick else 50_000, 10), 10)
    if not quick:
        yield pair_of(continuous(50_000, 10), 15)
        yield pair_of(continuous(130_000, 10), 18)
    yield pair_of(chain(200), None)
    yield pair_of(chain(1_500), None)


# ---- emitting and loading


def our_text(tree: Tree, layout: Any) -> str:
    """Return our module, from the tree on."""
    return to_python(tree, layout=layout)


def their_text(model: Any) -> str | None:
    """Return m2cgen's module, None where it fails."""
    try:
        return m2cgen.export_to_python(model)
    except FAILURES:
        return None


def load_function(text: str | None, function: str) -> Callable[[Any], Any] | None:
    """Return a function of a module's text, None where the text does not load."""
    namespace: dict[str, Any] = {"__name__": "emitted"}
    try:
        exec(compile(text or "", "<emitted>", "exec"), namespace)
    except FAILURES:
        return None
    return namespace.get(function)


def layouts(tree: Tree) -> tuple[Any, ...]:
    """Return the layouts to compare: guarded alone where auto means just that."""
    same = our_text(tree, "auto") == our_text(tree, "guarded")
    if same and tree.n_leaves > MANY:
        return "flat", "guarded"
    return ("guarded",) if same else ("auto", "guarded")


# ---- comparing


def quotient(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int) -> str:
    """Return how many times as much CPU time theirs takes."""
    return f"{ratio(ours, lambda _: theirs(), rounds):.2f}"


def answering(function: Callable[[Any], Any], rows: list[Any]) -> Callable[[], None]:
    """Return the call that asks a function for every row."""

    def call() -> None:
        for row in rows:
            function(row)

    return call


def latency(pair: Pair, ours: Callable[[Any], Any] | None, theirs: Callable[[Any], Any] | None, rounds: int) -> str:
    """Return the ratio of the two predictions of a row; their rows are lists and ours are mappings."""
    if ours is None or theirs is None:
        return "-"
    lists = pair.case.features[: ROWS if pair.tree.n_leaves <= MANY else FEW_ROWS].tolist()
    names = [feature.name for feature in pair.tree.schema.features]
    used = [int(name.removeprefix("x")) for name in names]
    mappings = [dict(zip(names, (row[index] for index in used), strict=True)) for row in lists]
    return quotient(answering(ours, mappings), answering(theirs, lists), rounds)


def comparison_line(pair: Pair, layout: str, rounds: int) -> str:
    """Return the line of one tree in one layout."""
    ours, theirs = our_text(pair.tree, layout), their_text(pair.model)
    predict, score = load_function(ours, "predict"), load_function(theirs, "score")
    emitting, answers = "-" if theirs is None else "UNEQUAL", "UNEQUAL"
    if pair.is_equal:
        answers = latency(pair, predict, score, rounds)
        if theirs is not None:
            emit = partial(our_text, pair.tree, layout)
            emitting = quotient(emit, partial(their_text, pair.model), rounds)
    sizes = ["-" if text is None else f"{len(text.encode()) / 1000:.1f}" for text in (ours, theirs)]
    verdicts = [
        "does not emit" if text is None else "yes" if function else "does not load"
        for text, function in ((ours, predict), (theirs, score))
    ]
    leaves = [work.leaves for work in pair.works]
    return _LAYOUT.format(pair.case.name, pair.tree.depth, layout, *leaves, emitting, *sizes, *verdicts, answers)


def import_cpu(module: str) -> float:
    """Return the CPU seconds of an import in a fresh process."""
    code = f"from time import process_time as now; start = now(); import {module}; print(now() - start)"
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def import_ratio(rounds: int) -> float:
    """Return CPU time of `import numpy` over that of `import treerules`, the first round left out."""
    return median([import_cpu("numpy") / import_cpu("treerules") for _ in range(rounds + 1)][1:])


def json_lines(quick: bool, rounds: int) -> Iterator[str]:
    """Yield the CPU time of saving and loading a model of some 100,000 leaves (10,000 if quick)."""
    rng = np.random.default_rng(7)
    n = 34_500 if quick else 345_000
    tree = our_fit(case_of("noise", rng.normal(size=(n, 4)), rng.integers(0, 2, size=n)), None)
    text = tree_to_json(tree)
    times = [(cpu(partial(tree_to_json, tree)), cpu(partial(tree_from_json, text))) for _ in range(rounds)]
    saving, loading = (median(column) for column in zip(*times, strict=True))
    goal = None if quick else JSON_SECONDS
    verdict = judged(saving + loading, goal, at_most=True).strip()
    yield f"JSON of {tree.n_leaves} leaves, {len(text) / 1e6:.1f} MB, CPU seconds to save and load:"
    yield f"{saving:.2f} + {loading:.2f} = {verdict}"


# ---- printing

_LAYOUT = "{:<14} {:>5} {:<8} {:>10} {:>11} {:>8} {:>6} {:>7} {:>10} {:>13} {:>8}"
HEADER = _LAYOUT.format(
    "data",
    "depth",
    "layout",
    "our leaves",
    "peer leaves",
    "emit",
    "our kB",
    "peer kB",
    "our loads",
    "peer loads",
    "predict",
)


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the table."""
    rounds = 3 if quick else 5
    yield "peer: m2cgen; emit and predict are ratios"
    yield HEADER
    for pair in pairs(quick):
        yield from (comparison_line(pair, layout, rounds) for layout in layouts(pair.tree))
    yield ""
    yield from json_lines(quick, rounds)
    yield ""
    yield f"import, peer numpy: {import_ratio(5 * rounds):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Emitting Python compared with m2cgen, as ratios of CPU time.")
    parser.add_argument("--quick", action="store_true", help="smaller trees and fewer rounds: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

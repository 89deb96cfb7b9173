"""From a CSV file to an emitted Python module: treerules beside pandas, scikit-learn and m2cgen, in CPU time.

Reading, learning, compiling the rules and printing the module, against `read_csv`, `DecisionTreeClassifier` and
`export_to_python`; a million rows of 20 numbers and two classes, depth 12. Larger ratios are better.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import m2cgen
import numpy as np
import pandas
from attrs import frozen
from cases import continuous
from measuring import Work, cpu, impurity, judged, warm
from sklearn.tree import DecisionTreeClassifier

from treerules import apply, cart, compile_rules, learn, to_python
from treerules.readers import read_csv

DEPTH = 12


@frozen(eq=False)
class Run:
    """The CPU seconds of each step, what the tree amounts to, and the bytes of the module."""

    steps: dict[str, float]
    work: Work
    size: int


def timed(steps: dict[str, Callable[[Any], Any]], value: Any) -> tuple[dict[str, float], list[Any]]:
    """Return the CPU seconds of calls, each given what the one before returns, and what they return."""
    seconds, values = {}, [value]
    for name, step in steps.items():
        seconds[name] = cpu(partial(appended, values, step))
    return seconds, values[1:]


def appended(values: list[Any], step: Callable[[Any], Any]) -> None:
    """Put after the last value what a step makes of it."""
    values.append(step(values[-1]))


def our_run(path: Path, threads: int = 1) -> Run:
    """Return what our line takes."""
    steps: dict[str, Callable[[Any], Any]] = {
        "read": read_csv,
        "learn": lambda table: learn(table, target="y", recipe=cart(max_depth=DEPTH), threads=threads),
        "compile": compile_rules,
        "emit": to_python,
    }
    seconds, (table, tree, _, text) = timed(steps, path)
    return Run(seconds, Work(tree.n_leaves, impurity(table.column("y").data, apply(tree, table))), len(text))


def their_run(path: Path, seed: int) -> Run:
    """Return what theirs takes."""
    steps: dict[str, Callable[[Any], Any]] = {
        "read": pandas.read_csv,
        "learn": lambda frame: DecisionTreeClassifier(max_depth=DEPTH, random_state=seed).fit(*split(frame)),
        "emit": m2cgen.export_to_python,
    }
    seconds, (frame, model, text) = timed(steps, path)
    features, target = split(frame)
    return Run(seconds, Work(int(model.get_n_leaves()), impurity(target.to_numpy(), model.apply(features))), len(text))


def typical(works: list[Work]) -> Work:
    """Return the medians of what trees amount to."""
    return Work(median(work.leaves for work in works), median(work.impurity for work in works))


def split(frame: Any) -> tuple[Any, Any]:
    """Return the features and the target of a frame."""
    return frame.drop(columns="y"), frame["y"]


def write(path: Path, n: int) -> None:
    """Write the table; numbers have six decimals."""
    case = continuous(n, 20)
    names = ",".join([*(f"x{place}" for place in range(20)), "y"])
    rows = np.column_stack([case.features, case.target])
    np.savetxt(path, rows, fmt=["%.6f"] * 20 + ["%d"], delimiter=",", header=names, comments="")


def report(quick: bool) -> Iterator[str]:
    """Yield the lines: each step, then the whole."""
    n, rounds = (20_000, 2) if quick else (1_000_000, 3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        write(path, n)
        warm()
        our_run(path)  # kernels are compiled
        pairs = [(our_run(path), their_run(path, seed)) for seed in range(rounds)]
        size = path.stat().st_size / 1e6
    works = [typical([run.work for run in side]) for side in zip(*pairs, strict=True)]
    yield f"{n} rows x 20, {size:.0f} MB, depth {DEPTH}; leaves {works[0].leaves:g} and {works[1].leaves:g}"
    yield f"{'step':<8} {'seconds':>8} {'peer':>8}    ratio  goal"
    for name in pairs[0][0].steps:
        ours, theirs = (median(run.steps.get(name, 0.0) for run in side) for side in zip(*pairs, strict=True))
        ratio = f"{theirs / ours:8.2f}" if name != "compile" else f"{'':8}"
        yield f"{name:<8} {ours:8.3f} {theirs:8.3f} {ratio}"
    totals = [(sum(ours.steps.values()), sum(theirs.steps.values())) for ours, theirs in pairs]
    ours, theirs = (median(side) for side in zip(*totals, strict=True))
    whole = median(b / a for a, b in totals) if works[0].equals(works[1]) else None
    yield f"{'whole':<8} {ours:8.3f} {theirs:8.3f} {judged(whole, 4)}"
    yield f"module: {pairs[0][0].size / 1e6:.2f} MB and {pairs[0][1].size / 1e6:.2f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description="From a CSV file to an emitted module, as ratios of CPU time.")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer rounds")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

"""CPU time of learning, compared with scikit-learn.

A ratio is the CPU time of `DecisionTree*.fit` divided by that of `treerules.learn`, one thread each: larger is
better. Both start from columns in memory, so both sort the columns and build their nodes within the measured time.
Where the numbers of leaves or the training impurities differ by more than 1%, the work was not equal, and the row
prints UNEQUAL instead of a ratio.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from cases import adult, adult_like, adult_paths, bundled, continuous, covertype_like, heavy_tails, tiny
from measuring import (
    SEEDS,
    Case,
    Depth,
    Race,
    Work,
    judged,
    our_fit,
    our_work,
    race,
    their_fit,
    their_work,
    warm,
)


def cases(quick: bool) -> Iterator[Case]:
    """Yield the cases, one at a time to limit memory."""
    divisor = 100 if quick else 1
    yield continuous(1_000_000 // divisor, 20, goals=(10, 12, 12))
    yield continuous(200_000 // divisor, 20, is_regression=True, goals=(8, 10, 9))
    yield heavy_tails(300_000 // divisor, 20, goals=(13, 13, 10))
    yield covertype_like(581_012 // divisor, goals=(5, 8, 12))
    n = 5_000 if quick else 48_842
    yield adult_like(n, goals=(8, 6, 5))
    yield adult_like(n, as_categories=True)
    if adult_paths():
        yield adult(n, goals=(8, 8, 8))
    yield bundled("iris", 2)
    yield bundled("breast_cancer", 2)
    yield from map(bundled, ("wine", "diabetes"))
    yield tiny()


def cases_without_kernels(quick: bool) -> Iterator[Case]:
    """Yield the cases of the numpy growers; goals are 1 for numbers and 0.5 for mixed columns."""
    n = 1_000 if quick else 50_000
    yield continuous(n, 20, goals=(1, 1, 1))
    yield continuous(n, 20, is_regression=True, goals=(1, 1, 1))
    yield covertype_like(n, goals=(0.5, 0.5, 0.5))
    yield adult_like(n, goals=(0.5, 0.5, 0.5))
    if adult_paths():
        yield adult(n, goals=(0.5, 0.5, 0.5))
    yield bundled("iris")
    yield bundled("breast_cancer")


def compare_case(case: Case, depth: Depth, goal: float | None, rounds: int, compiled: bool | None) -> str:
    """Return the line of one case at one depth."""
    peer_models: dict[int, Any] = {}

    def fit_peer(seed: int) -> None:
        peer_models[seed] = their_fit(case, depth, seed)

    fit = partial(our_fit, case, depth, compiled=compiled)
    times = race(fit, fit_peer, rounds)
    for seed in set(SEEDS) - set(peer_models):
        fit_peer(seed)
    our_result, peer_result = our_work(case, fit()), their_work(case, [peer_models[seed] for seed in SEEDS])
    return line(case, depth, (our_result, peer_result), times, goal)


_LAYOUT = "{:<18} {:>7} {:>4} {:>5} {:>8} {:>8} {:>7} {:>7} {:>9} {:>9} {}"
HEADER = _LAYOUT.format(
    *("data", "rows", "cols", "depth", "leaves", "peer's", "impur.", "peer's", "seconds", "peer's"),
    "   ratio  goal",
)


def line(case: Case, depth: Depth, works: tuple[Work, Work], times: Race, goal: float | None) -> str:
    """Return one aligned line."""
    equal = works[0].equals(works[1]) or not case.same
    return _LAYOUT.format(
        case.name,
        case.table.n_rows,
        len(case.table.columns) - 1,
        depth or "-",
        *(f"{work.leaves:g}" if work.leaves < 1e5 else f"{work.leaves:.0f}" for work in works),
        *(f"{work.impurity:.4f}" for work in works),
        *(f"{seconds:.3g}" for seconds in (times.ours, times.theirs)),
        judged(times.ratio if equal else None, goal),
    )


COLD = """
import sys
from time import process_time as now
sys.path.insert(0, {folder!r})
from cases import continuous
from measuring import our_fit
case = continuous({rows}, 20)
start = now(); our_fit(case, 12, compiled=True); print(now() - start)
"""


def cold_lines(quick: bool) -> Iterator[str]:
    """Yield the CPU seconds of a first call in a process: with nothing compiled, and with kernels cached by an
    earlier one.
    """
    rows = 5_000 if quick else 50_000
    code = COLD.format(folder=str(Path(__file__).parent), rows=rows)
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        for name in ("nothing compiled yet", "kernels kept from before"):
            process = subprocess.run(
                [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
            )
            yield f"{f'{rows} x 20, first call, {name}':<60} {float(process.stdout):8.2f}     -"
    judgement = judged(command_cpu(), 0.6, at_most=True)
    yield f"{'treerules learn of 15 rows, whole process, nothing compiled':<60} {judgement}"


def command_cpu() -> float:
    """Return the CPU seconds of the command line on a file of 15 rows, with an empty numba cache."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        rows = [f"{number},{number % 4},{'no' if number % 3 else 'yes'}" for number in range(15)]
        path.write_text("\n".join(["a,b,y", *rows]) + "\n", encoding="utf-8")
        before = os.times()
        command = [sys.executable, "-m", "treerules", "learn", str(path), "--target", "y", "-o", f"{folder}/tree.json"]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the tables; the goals hold for the full sizes."""
    warm()
    rounds = 2 if quick else len(SEEDS)
    yield "peer: scikit-learn, one thread (impurity as a share of the root's; depth - is unlimited)"
    yield HEADER
    for case in cases(quick):
        for depth, goal in zip(case.depths, case.goals, strict=False):
            yield compare_case(case, depth, goal, rounds, None)
    yield "\nthe same without numba's kernels"
    yield HEADER
    for case in cases_without_kernels(quick):
        for depth, goal in zip(case.depths, case.goals, strict=False):
            yield compare_case(case, depth, goal, rounds, False)
    yield f"\n{'the first call, CPU seconds':<60}           goal, at most"
    yield from cold_lines(quick)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learning beside scikit-learn, as ratios of CPU time.")
    parser.add_argument("--quick", action="store_true", help="smaller data and fewer rounds")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

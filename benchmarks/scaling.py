"""Time and memory of learning by the number of rows, columns and threads, and with missing values.

    python benchmarks/scaling.py [memory] [rows] [columns] [missing] [threads] [--quick]

Rows and columns are CPU seconds of `learn`. Threads are wall time, which is meaningful only where two cores are free;
so the free cores are measured, too. Memory is the peak of a process that does nothing else, compared with scikit-learn.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from math import log2
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from cases import continuous, with_holes
from measuring import Case, Depth, cpu, is_equal, judged, our_fit, our_work, race, warm


def best(call: Callable[[], Any], rounds: int) -> float:
    """Return the least CPU seconds of some calls, after one warm-up call."""
    call()
    return min(cpu(call) for _ in range(rounds))


def rows_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each number of rows, and the exponent p of the best fit of rows^p log(rows)."""
    sizes = (1_000, 3_000, 10_000) if quick else (10_000, 30_000, 100_000, 300_000, 1_000_000, 4_000_000)
    layout = "{:>9} {:>6} {:>9} {:>26}"
    yield layout.format("rows", "depth", "seconds", "ns a cell, over log2(rows)")
    units_of_depth: dict[Depth, list[float]] = {12: [], None: []}
    for n in sizes:
        case = continuous(n, 20)
        for depth, units in units_of_depth.items():
            seconds = best(partial(our_fit, case, depth), 3 if n < 1_000_000 else 1)
            units.append(1e9 * seconds / (20 * n * log2(n)))
            yield layout.format(n, depth or "-", f"{seconds:.3g}", f"{units[-1]:.3f}")
    for depth, units in units_of_depth.items():
        slope = np.polyfit(np.log(sizes), np.log(units), 1)[0]
        yield f"depth {depth or '-'}: seconds grow as rows^{1 + slope:.2f} log(rows); n log n is 1"


def columns_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each number of columns, and the exponent of the best fit."""
    n, widths = (3_000, (5, 10, 20)) if quick else (100_000, (5, 10, 20, 40, 80))
    layout = "{:>9} {:>6} {:>9} {:>12}"
    yield layout.format("columns", "depth", "seconds", "ns a cell")
    units = []
    for width in widths:
        seconds = best(partial(our_fit, continuous(n, width), 12), 3)
        units.append(1e9 * seconds / (n * width))
        yield layout.format(width, 12, f"{seconds:.3g}", f"{units[-1]:.1f}")
    slope = np.polyfit(np.log(widths), np.log(units), 1)[0]
    yield f"{n} rows: seconds grow as columns^{1 + slope:.2f}; linear is 1"


def again(case: Case, depth: Depth, _: int) -> None:
    """Learn; the number of the round is ignored."""
    our_fit(case, depth)


def missing_lines(quick: bool) -> Iterator[str]:
    """Yield the ratio of the times with a fifth of the cells missing and with none.

    The two trees see different cells, so only their numbers of leaves can be compared. A tree with more leaves had
    more work, so its ratio stands; one with fewer leaves is UNEQUAL.
    """
    complete = continuous(5_000 if quick else 200_000, 20)
    with_missing = with_holes(complete)
    layout = "{:>9} {:>6} {:>8} {:>9} {:>9} {:>9} {}"
    yield layout.format("rows", "depth", "leaves", "without", "seconds", "without", "   times   at most")
    for depth in (5, 6, 12):
        leaves = [our_work(case, our_fit(case, depth)).leaves for case in (with_missing, complete)]
        times = race(partial(our_fit, complete, depth), partial(again, with_missing, depth), 3 if quick else 5)
        is_fair = leaves[0] >= leaves[1] or is_equal(*leaves)
        seconds = (f"{times.theirs:.3g}", f"{times.ours:.3g}")
        judgement = judged(times.ratio if is_fair else None, 1.6, at_most=True)
        yield layout.format(complete.table.n_rows, depth, *leaves, *seconds, judgement)


# ---- threads

SPIN = "from time import perf_counter as w, process_time as c; s = w()\nwhile w() - s < 1.0: pass\nprint(c())"


def free_cores() -> float:
    """Return the CPU time per second that two busy processes get together: 2 where two cores are free."""
    processes = [subprocess.Popen([sys.executable, "-c", SPIN], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    return sum(float(process.communicate()[0]) for process in processes)


def wall(call: Callable[[], Any]) -> float:
    """Return the wall time of a call in seconds."""
    start = perf_counter()
    call()
    return perf_counter() - start


def threads_lines(quick: bool) -> Iterator[str]:
    """Yield the speed-up by two threads in wall time, and the cores that were free during the measurement."""
    case = continuous(20_000 if quick else 1_000_000, 20)
    layout = "{:>9} {:>6} {:>9} {:>12} {:>11} {}"
    yield layout.format("rows", "depth", "1 thread", "2 threads", "free cores", "   ratio  goal")
    for depth in (12, None):
        our_fit(case, depth, threads=2)
        pairs, cores = [], []
        for _ in range(3):
            cores.append(free_cores())
            pairs.append([wall(partial(our_fit, case, depth, threads=threads)) for threads in (1, 2)])
        ratio = median(single / double for single, double in pairs)
        seconds = [f"{median(side):.3g}" for side in zip(*pairs, strict=True)]
        yield layout.format(case.table.n_rows, depth or "-", *seconds, f"{median(cores):.2f}", judged(ratio, 1.6))


# ---- memory

WRITE = """
import sys
sys.path.insert(0, {benchmarks!r})
import numpy as np
from cases import continuous
case = continuous({rows}, 20)
np.save({folder!r} + "/columns.npy", np.asfortranarray(case.features))
np.save({folder!r} + "/rows.npy", case.features)
np.save({folder!r} + "/target.npy", case.target)
"""
MEASURE = """
import resource
import numpy as np
target = np.load({folder!r} + "/target.npy")
if {side!r} == "ours":
    from treerules import Table, cart, learn
    features = np.load({folder!r} + "/columns.npy")
    features.flags.writeable = target.flags.writeable = False
    table = Table.from_columns({{**{{f"x{{i}}": column for i, column in enumerate(features.T)}}, "y": target}})
    leaves = learn(table, target="y", recipe=cart(max_depth={depth}), threads={threads}).n_leaves
elif {side!r} == "theirs":
    from sklearn.tree import DecisionTreeClassifier
    features = np.load({folder!r} + "/rows.npy")
    leaves = DecisionTreeClassifier(max_depth={depth}, random_state=0).fit(features, target).get_n_leaves()
else:
    features, leaves = np.load({folder!r} + "/rows.npy"), 0
try:  # on Linux ru_maxrss is never less than that of the process that started this one; its own peak is here
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(leaves, peak / 1024)
"""


def run(code: str) -> str:
    """Return what a separate Python process prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def memory_lines(quick: bool) -> Iterator[str]:
    """Yield the peak memory, in MB, of processes that hold the same data and learn."""
    rows = 50_000 if quick else 1_000_000
    layout = "{:>9} {:>6} {:>7} {:>8} {:>8} {:>9} {:>9} {:>9} {}"
    yield layout.format(
        "rows", "depth", "threads", "leaves", "peer's", "data, MB", "peak, MB", "peer's", "   ratio   at most"
    )
    with tempfile.TemporaryDirectory() as folder:
        run(WRITE.format(benchmarks=str(Path(__file__).parent), rows=rows, folder=folder))
        for depth in (12, None):
            choices = {"folder": folder, "depth": depth}
            sides = (("theirs", 1), ("data", 1), ("ours", 1), ("ours", 2))
            results = [run(MEASURE.format(side=side, threads=threads, **choices)).split() for side, threads in sides]
            (theirs, their_peak), (_, data), *ours = [(int(leaves), float(peak)) for leaves, peak in results]
            for threads, (leaves, peak) in enumerate(ours, 1):
                ratio = peak / their_peak if is_equal(leaves, theirs) else None
                mb = (f"{peak_mb:.0f}" for peak_mb in (data, peak, their_peak))
                yield layout.format(rows, depth or "-", threads, leaves, theirs, *mb, judged(ratio, 2.5, at_most=True))


# ---- printing

PARTS: dict[str, tuple[str, Callable[[bool], Iterator[str]]]] = {
    "memory": ("peak memory, compared with scikit-learn", memory_lines),
    "rows": ("rows: 20 columns of numbers, two classes, one thread", rows_lines),
    "columns": ("columns: numbers, two classes, one thread", columns_lines),
    "missing": ("a fifth of the cells missing, compared with none", missing_lines),
    "threads": ("two threads compared with one, wall time in seconds, 20 columns", threads_lines),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of learning by the size of the problem.")
    parser.add_argument("names", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}: all, if none is named")
    parser.add_argument("--quick", action="store_true", help="smaller data")
    choices = parser.parse_args()
    warm()
    for name in (name for name in PARTS if name in (choices.names or PARTS)):
        title, lines = PARTS[name]
        print(title)
        for text in lines(choices.quick):
            print(text, flush=True)
        print()


if __name__ == "__main__":
    main()

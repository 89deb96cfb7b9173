"""How fast is learning, beside rpart and Weka's J48?

    python benchmarks/peers.py [rpart] [j48] [--quick]

A ratio is the peer's CPU time over that of `treerules.learn`, the two in turns: larger is better. rpart's time is that
of the call alone, as R's `proc.time()` tells; J48's is the user time of its process, and beside it what is left when
that of Weka's ZeroR, which only starts and reads the file, is taken away.
"""

import argparse
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import which
from statistics import median
from typing import Any

import numpy as np
from attrs import frozen
from cases import continuous
from measuring import Race, Work, cpu, impurity, judged, our_fit, our_work, race_of, warm

from treerules import Recipe, Table, Tree, c45, id3, learn
from treerules.trees import Leaf, leaves

WEKA = Path("/usr/share/java/weka.jar")
#: J48 without pruning, a leaf for a single row.
UNPRUNED = ("-U", "-M", "1")
#: Weka prints nothing, and does not judge what it learned.
SILENT = ("-v", "-o")
#: What Weka's lines of figures begin with.
COUNTS = ("Incorrectly Classified", "Total Number of")

# ---- rpart

#: rpart without what we do not do: no surrogates, no competitors, no cross-validation.
RPART = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
n <- as.integer(args[2]); width <- as.integer(args[3])
data <- as.data.frame(matrix(readBin(args[1], "double", n * (width + 1), size = 8), nrow = n))
target <- names(data)[width + 1]
if (args[5] == "class") data[[target]] <- factor(data[[target]])
invisible(gc())
before <- proc.time()
fit <- rpart(as.formula(paste(target, "~ .")), data, method = args[5],
  parms = if (args[5] == "class") list(split = "gini"),
  control = rpart.control(minsplit = 2, minbucket = 1, cp = -1, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0,
                          xval = 0, maxdepth = as.integer(args[4])))
used <- proc.time() - before
writeBin(as.integer(fit$where), args[6], size = 4)
cat(used[["user.self"]] + used[["sys.self"]])
"""


@frozen
class Written:
    """A table on disk for R, column by column, the target last, and where R says which row went to which leaf."""

    data: Path
    leaf: Path


def rpart_fit(written: Written, case: Any, depth: int) -> float:
    """Return the CPU seconds of one call of rpart."""
    n, width = case.features.shape
    method = "anova" if case.target.dtype.kind == "f" else "class"
    command = ["Rscript", "--vanilla", "-e", RPART, str(written.data), n, width, depth, method, str(written.leaf)]
    return float(subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout)


def rpart_lines(quick: bool, rounds: int) -> Iterator[str]:
    """Yield the lines beside rpart; 30 is the greatest depth that it knows."""
    n = 5_000 if quick else 50_000
    with tempfile.TemporaryDirectory() as folder:
        written = Written(Path(folder, "data"), Path(folder, "leaf"))
        for case in (continuous(n, 20), continuous(n, 20, is_regression=True)):
            np.vstack([case.features.T, case.target]).astype(np.float64).tofile(written.data)
            for depth in (6, 12, 30):
                fit = partial(our_fit, case, depth)
                ours = our_work(case, fit())
                times = race_of([(cpu(fit), rpart_fit(written, case, depth)) for _ in range(rounds)])
                leaf = np.fromfile(written.leaf, dtype=np.int32)
                theirs = Work(len(np.unique(leaf)), impurity(case.target, leaf))
                yield line((f"{case.name} {n} x 20", depth), (ours, theirs), times, 4)


# ---- J48


@frozen(eq=False)
class Nominal:
    """Columns of categories and a target, as a Table and as Weka's file."""

    table: Table
    path: Path


def nominal(n: int, folder: Path) -> Nominal:
    """Return ten columns of 2 to 12 categories, two classes, and write them for Weka."""
    rng = np.random.default_rng(7)
    counts = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12)
    codes = np.array([rng.integers(0, count, n) for count in counts])
    effects = [rng.normal(size=count) for count in counts]
    score = sum(effect[code] for effect, code in zip(effects, codes, strict=True)) + effects[9][codes[9]] * codes[0]
    target = score + rng.normal(size=n) > 0
    columns = {f"x{place}": [f"v{code:02}" for code in column] for place, column in enumerate(codes)}
    columns["y"] = ["yes" if label else "no" for label in target]
    domains = [f"@attribute {name} {{{','.join(sorted(set(column)))}}}" for name, column in columns.items()]
    path = folder / "rows.arff"
    rows = (",".join(row) for row in zip(*columns.values(), strict=True))
    path.write_text("\n".join(["@relation rows", *domains, "@data", *rows]) + "\n", encoding="ascii")
    return Nominal(Table.from_columns(columns), path)


def weka(learner: str, path: Path, *choices: str) -> tuple[float, str]:
    """Return the user seconds of one run of Weka, and what it printed."""
    command = ["java", "-Xmx4g", "-cp", str(WEKA), f"weka.classifiers.{learner}", "-t", str(path), "-no-cv", *choices]
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    if "xception" in done.stderr:  # Weka ends well even so
        raise RuntimeError(done.stderr)
    return getrusage(RUSAGE_CHILDREN).ru_utime - before, done.stdout


def j48_work(path: Path) -> Work:
    """Return the leaves of J48's tree that rows reach, and the share of rows that they get wrong."""
    _, text = weka("trees.J48", path, *UNPRUNED)
    found = re.findall(r": \S+ \(([\d.]+)(?:/([\d.]+))?\)$", text, re.MULTILINE)
    reached = [(float(n), float(wrong or 0)) for n, wrong in found if float(n) > 0]
    return Work(len(reached), sum(wrong for _, wrong in reached) / sum(n for n, _ in reached))


def id3_work(path: Path) -> Work:
    """Return the same of Weka's Id3, whose empty leaves say null."""
    _, text = weka("trees.Id3", path)
    wrong, total = (re.search(rf"^{name} Instances\s+(\d+)", text, re.MULTILINE) for name in COUNTS)
    assert wrong is not None and total is not None
    return Work(len(re.findall(r": (?!null)\S+$", text, re.MULTILINE)), int(wrong[1]) / int(total[1]))


def our_j48_work(tree: Tree) -> Work:
    """Return the same of our tree."""
    reached: list[Leaf] = [leaf for leaf in leaves(tree.root) if leaf.n > 0]
    right = sum(max(leaf.counts) for leaf in reached)
    total = sum(leaf.n for leaf in reached)
    return Work(len(reached), 1 - right / total)


def multiway(table: Table, recipe: Recipe) -> Tree:
    """Return the tree of a recipe."""
    return learn(table, target="y", recipe=recipe)


def j48_lines(quick: bool, rounds: int) -> Iterator[str]:
    """Yield the lines beside J48: with Quinlan's rules, with plain gain ratio, and ID3.

    The work of ID3 is held equal to that of Weka's Id3, since J48 has no information gain; the time is J48's.
    """
    n = 5_000 if quick else 100_000
    with tempfile.TemporaryDirectory() as folder:
        data = nominal(n, Path(folder))
        start = median(weka("rules.ZeroR", data.path, *SILENT)[0] for _ in range(rounds))
        works = {"trees.J48": j48_work(data.path), "trees.Id3": id3_work(data.path)}
        for name, recipe, learner in (
            ("c45 as J48", c45(quinlan=True, unpruned=True, min_samples_leaf=1), "trees.J48"),
            ("c45", c45(average_gain=True), "trees.J48"),
            ("id3", id3(), "trees.Id3"),
        ):
            fit: Callable[[], Tree] = partial(multiway, data.table, recipe)
            ours = our_j48_work(fit())
            pairs = [(cpu(fit), weka("trees.J48", data.path, *UNPRUNED, *SILENT)[0]) for _ in range(rounds)]
            yield line((f"{name} {n} x 10", "-"), (ours, works[learner]), race_of(pairs), 20)
            alone = race_of([(mine, max(theirs - start, 0.0)) for mine, theirs in pairs])
            yield f"{'':>6}without the {start:.2f} s that Weka's ZeroR takes {alone.ratio:.2f}"
        yield f"Weka's Id3 takes {weka('trees.Id3', data.path, *SILENT)[0]:.2f} s"


# ---- printing

_LAYOUT = "{:<26} {:>5} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {}"
HEADER = _LAYOUT.format(
    *("learner and rows", "depth", "leaves", "peer's", "impurity", "peer's", "seconds", "peer's", "   ratio  goal")
)


def line(names: tuple[str, int | str], works: tuple[Work, Work], times: Race, goal: float) -> str:
    """Return one aligned line."""
    return _LAYOUT.format(
        *names,
        *(f"{work.leaves:.0f}" for work in works),
        *(f"{work.impurity:.4f}" for work in works),
        *(f"{seconds:.3g}" for seconds in (times.ours, times.theirs)),
        judged(times.ratio if works[0].equals(works[1]) else None, goal),
    )


def report(names: list[str], quick: bool) -> Iterator[str]:
    """Yield the lines of the peers that are installed."""
    warm()
    rounds = 1 if quick else 5
    if "rpart" in names and which("Rscript"):
        yield "peer: rpart, one thread"
        yield HEADER
        yield from rpart_lines(quick, rounds)
    elif "rpart" in names:
        yield "no rpart here (apt-get install r-cran-rpart)"
    if "j48" in names and which("java") and WEKA.is_file():
        yield "\npeer: Weka's J48, unpruned, user time of its process; leaves that rows reach; impurity is error"
        yield HEADER
        yield from j48_lines(quick, rounds)
    elif "j48" in names:
        yield "no Weka here (apt-get install weka default-jre-headless)"


def main() -> None:
    parser = argparse.ArgumentParser(description="Learning beside rpart and J48, as ratios of CPU time.")
    parser.add_argument("names", nargs="*", metavar="PEER", help="rpart, j48: both, if none is named")
    parser.add_argument("--quick", action="store_true", help="smaller data and one round")
    choices = parser.parse_args()
    for text in report(choices.names or ["rpart", "j48"], choices.quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

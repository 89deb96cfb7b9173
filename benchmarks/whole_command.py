"""Whole commands: `treerules build` with its defaults beside R's `rpart()`, whose 10-fold cross-validation is built in.

CPU seconds, user and system, of a process from its start to its end: starting, reading a CSV file, learning, and for
ours checking the rules and writing model, module and SQL. With [fast] twice: its kernels kept from an earlier run, and
none kept; and without it. Smaller is better.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import which

import numpy as np
from attrs import frozen
from measuring import judged

FAST = "import sys; from treerules.cli import main; sys.exit(main())"
PLAIN = f"import sys; sys.modules['numba'] = None; {FAST}"
RPART = """
suppressMessages(library(rpart)); set.seed(0); arguments <- commandArgs(TRUE)
rows <- read.csv(arguments[1], stringsAsFactors = TRUE, na.strings = c("", "NA", "?"), strip.white = TRUE)
rows$y <- factor(rows$y)
cat(sum(rpart(y ~ ., rows)$frame$var == "<leaf>"))
"""
#: Modules of kernels are compiled by this table of two classes, which every way to search has a column for.
WARM = """
import numpy as np
from treerules import Table, learn
rng = np.random.default_rng(0)
columns = {"x": rng.normal(size=500), "n": rng.integers(0, 30, 500), "c": rng.choice(list("abcdef"), 500)}
learn(Table.from_columns({**columns, "y": rng.choice(["no", "yes"], 500)}), target="y", compiled=True)
"""


@frozen
class Work:
    """A CSV file whose target is `y`, and the most CPU seconds wanted: kernels kept, none kept, and without [fast]."""

    name: str
    path: Path
    goals: tuple[float | None, float | None, float | None]


def seconds(command: list[str], environment: Mapping[str, str] | None = None) -> float:
    """Return the CPU seconds of a command, which must succeed."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})})
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def written(path: Path, names: list[str], rows: list[list[str]]) -> Path:
    """Return a CSV file of these cells."""
    path.write_text("\n".join(",".join(cells) for cells in [names, *rows]) + "\n", encoding="utf-8")
    return path


def generated(path: Path, n_rows: int, n_columns: int) -> Path:
    """Return a file of numbers and two classes, which the first two columns tell apart but for a tenth of the rows."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_rows, n_columns)).round(3)
    is_yes = ((values[:, 0] > 0) & (values[:, 1] < 0.5)) ^ (rng.random(n_rows) < 0.1)
    rows = [
        [*map(str, line), label] for line, label in zip(values.tolist(), np.where(is_yes, "yes", "no"), strict=True)
    ]
    return written(path, [*(f"x{index}" for index in range(n_columns)), "y"], rows)


def works(folder: Path, *, quick: bool) -> list[Work]:
    """Return the files to build."""
    found = []
    data = os.environ.get("TREERULES_DATA")
    if data:
        lines = (Path(data) / "adult_train.csv").read_text(encoding="utf-8").splitlines()
        rows = [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]
        names = [*(f"x{index}" for index in range(14)), "y"]
        found.append(Work("adult, 32,561 x 14", written(folder / "adult.csv", names, rows), (3, 15, 15)))
    n_rows, n_columns = (3_000, 500) if quick else (1_000_000, 5_000)
    found.append(Work(f"300 x {n_columns:,}", generated(folder / "wide.csv", 300, n_columns), (10, 10, 10)))
    long = generated(folder / "long.csv", n_rows, 9)
    return [*found, Work(f"{n_rows:,} x 10", long, (60, None, None))]


def ours(work: Work, folder: Path) -> tuple[float, float, float]:
    """Return the CPU seconds of our command with kernels that are kept, with none kept, and without [fast]."""
    command = ["build", str(work.path), "--target", "y", "--output", str(folder / "out")]
    kept, empty = str(folder / "kept"), tempfile.mkdtemp(dir=folder)
    fast, plain = ([sys.executable, "-c", code, *command] for code in (FAST, PLAIN))
    return (
        seconds(fast, {"NUMBA_CACHE_DIR": kept}),
        seconds(fast, {"NUMBA_CACHE_DIR": empty}),
        seconds(plain),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small files")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds([sys.executable, "-c", WARM], {"NUMBA_CACHE_DIR": str(folder / "kept")})
        print(f"{'':24} {'kept':>14} {'none kept':>14} {'no [fast]':>14} {'rpart':>8}")
        for work in works(folder, quick=quick):
            figures = [judged(s, goal, at_most=True) for s, goal in zip(ours(work, folder), work.goals, strict=True)]
            theirs = f"{seconds(['Rscript', '-e', RPART, str(work.path)]):8.2f}" if which("Rscript") else "     none"
            print(f"{work.name:24} {'  '.join(figures)} {theirs}", flush=True)


if __name__ == "__main__":
    main()

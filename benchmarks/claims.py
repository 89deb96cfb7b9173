"""Do the claims of README, comparison and benchmark pages hold here and today?

    python benchmarks/claims.py [behaviour] [figures] [--quick]

Prints a line for each claim: where it stands, what it says, what was measured, and whether it holds. **behaviour** asks
the libraries themselves; **figures** runs the command of each row of the summary in docs/en/benchmarks.md. A figure
holds where at least `SHARE` of it is measured, as machines differ. A peer that is not installed is "not measured".
TREERULES_M2CGEN=.../bin/python names another environment that has m2cgen.
"""

import argparse
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from itertools import chain
from pathlib import Path
from shutil import which

import numpy as np
from all import THREADS, installed
from attrs import frozen

from treerules import Table, cart, learn

HERE = Path(__file__).parent
SUMMARY = HERE.parent / "docs" / "en" / "benchmarks.md"
#: A ratio holds where this share of it is reached.
SHARE = 0.75
DRAWS = 20

#: What was measured, and whether the claim holds; None says that it was not measured.
Measured = tuple[str, bool | None]


# ---- behaviour


@frozen
class Claim:
    """A claim of a page, and the function that measures it."""

    page: str
    text: str
    measure: Callable[[], Measured]


@cache
def breast_cancer() -> tuple[np.ndarray, np.ndarray]:
    """Return cells and classes of the breast cancer data."""
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


def our_trees_of_row_orders() -> Measured:
    """Learn the same rows in `DRAWS` orders."""
    cells, classes = breast_cancer()
    trees = set()
    for seed in range(DRAWS):
        order = np.random.default_rng(seed).permutation(len(cells))
        columns = {f"x{i}": column for i, column in enumerate(cells[order].T)}
        table = Table.from_columns({**columns, "y": classes[order]})
        trees.add(learn(table, target="y", recipe=cart()).root)
    return f"{len(trees)} tree of {DRAWS} row orders", len(trees) == 1


def their_trees(orders: bool) -> int:
    """Return how many trees scikit-learn grows from `DRAWS` orders of the rows, or else seeds."""
    from sklearn.tree import DecisionTreeClassifier, export_text

    cells, classes = breast_cancer()
    trees = set()
    for draw in range(DRAWS):
        order = np.random.default_rng(draw).permutation(len(cells)) if orders else slice(None)
        model = DecisionTreeClassifier(random_state=0 if orders else draw).fit(cells[order], classes[order])
        trees.add(export_text(model, decimals=17))
    return len(trees)


def scikit_learn_seeds() -> Measured:
    """Fit with other seeds."""
    trees = their_trees(orders=False)
    return f"{trees} trees of {DRAWS} seeds", trees > 1


def scikit_learn_row_orders() -> Measured:
    """Fit one seed on other orders of the rows."""
    trees = their_trees(orders=True)
    return f"{trees} tree of {DRAWS} row orders, one seed", trees == 1


RPART = """
library(rpart); set.seed(1)
tree <- function(m) paste(capture.output(print(m$frame[, c("var", "n", "yval")], digits = 15),
                                         print(m$splits[, "index"], digits = 17)), collapse = "\\n")
trees <- function(f, d, method) length(unique(sapply(1:20, function(i)
    tree(rpart(f, d[sample(nrow(d)), ], method = method, control = rpart.control(cp = 0, minsplit = 2, xval = 0))))))
cat(trees(mpg ~ ., mtcars, "anova"), trees(Species ~ ., iris, "class"))
"""


def rpart_row_orders() -> Measured:
    """Grow a regression (mtcars) and a classification (iris) in R on 20 orders of the rows."""
    if which("Rscript") is None:
        return "R is not installed", None
    done = subprocess.run(["Rscript", "--vanilla", "-e", RPART], capture_output=True, text=True, check=False)
    if done.returncode:
        return "rpart is not installed", None
    regressions, classifications = map(int, done.stdout.split())
    text = f"{regressions} regressions and {classifications} classification of 20 row orders"
    return text, regressions > 1 and classifications == 1


M2CGEN = """
import sys
import numpy as np, m2cgen
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier
cells, classes = load_breast_cancer(return_X_y=True)
def differences(model, rows):
    space = {}
    exec(m2cgen.export_to_python(model), space)
    return int(sum(np.argmax(space["score"](list(r))) != p for r, p in zip(rows, model.predict(rows))))
if sys.argv[1] == "thresholds":
    model = DecisionTreeClassifier(random_state=0).fit(cells, classes)
    random = np.random.default_rng(0)
    for step in (False, True):
        rows = cells[random.integers(len(cells), size=2000)].copy()
        nodes = random.choice(np.flatnonzero(model.tree_.children_left >= 0), 2000)
        cuts = model.tree_.threshold[nodes]
        rows[np.arange(2000), model.tree_.feature[nodes]] = np.nextafter(cuts, np.inf) if step else cuts
        print(differences(model, rows))
else:
    cells[np.random.default_rng(0).random(cells.shape) < 0.2] = np.nan
    for depth in (5, None):
        model = DecisionTreeClassifier(random_state=0, max_depth=depth).fit(cells, classes)
        try:
            print(differences(model, cells))
        except NameError:
            print("NameError")
"""


def m2cgen_answers(question: str) -> list[str]:
    """Return the words that the script of m2cgen prints; none where m2cgen is not installed."""
    python = os.environ.get("TREERULES_M2CGEN", sys.executable)
    done = subprocess.run([python, "-c", M2CGEN, question], capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def m2cgen_thresholds() -> Measured:
    """Ask m2cgen's code rows at thresholds, and one double above."""
    answers = m2cgen_answers("thresholds")
    if not answers:
        return "m2cgen is not installed", None
    return f"{answers[0]} and {answers[1]} of 2,000 rows wrong", max(map(int, answers)) > 0


def m2cgen_missing() -> Measured:
    """Ask m2cgen's code of trees that were fitted with a fifth of the cells missing."""
    answers = m2cgen_answers("missing")
    if not answers:
        return "m2cgen is not installed", None
    text = f"depth 5: {answers[0]} of 569 rows wrong; whole tree: {answers[1]}"
    return text, answers[0] != "0" and answers[1] == "NameError"


def nested_case() -> Measured:
    """Load a CASE that is nested 25 deep, as of a tree of that depth, in SQLite."""
    query = "SELECT " + "CASE WHEN x > 1 THEN 1 ELSE " * 25 + "0" + " END" * 25 + " FROM (SELECT 0 AS x)"
    try:
        sqlite3.connect(":memory:").execute(query)
    except sqlite3.OperationalError as error:
        return f"SQLite {sqlite3.sqlite_version}: {error}", True
    newer = sqlite3.sqlite_version_info > (3, 41)
    return f"SQLite {sqlite3.sqlite_version} loads it", None if newer else False


BEHAVIOUR = (
    Claim("README", "treerules: the same tree for any order of rows", our_trees_of_row_orders),
    Claim("README", "scikit-learn: another tree for another seed", scikit_learn_seeds),
    Claim("comparison", "scikit-learn: the same tree for any order of rows, with one seed", scikit_learn_row_orders),
    Claim("README", "rpart: the order of rows changes regressions, not classifications", rpart_row_orders),
    Claim("comparison", "m2cgen: wrong answers at thresholds", m2cgen_thresholds),
    Claim("comparison", "m2cgen: wrong answers, or no code, with missing values", m2cgen_missing),
    Claim("comparison", "a CASE nested 25 deep does not load in SQLite 3.40", nested_case),
)


# ---- figures


@frozen
class Figure:
    """A row of the summary: its first cell, the file and arguments that measure it, and the line that it prints.

    The last number of the pattern's match is the ratio.
    """

    row: str
    command: tuple[str, ...]
    pattern: str


RATIO = r"([\d.]+)"
FIGURES = (
    Figure(
        "learning, 1,000,000 rows, 20 columns of numbers, depth 12",
        ("learn",),
        rf"continuous +1000000 +20 +12 .* {RATIO} +\d+ \w+$",
    ),
    Figure("learning adult, 45,222 rows, whole tree", ("learn",), rf"adult +45222 +14 +- .* {RATIO} +\d+ \w+$"),
    Figure("learning iris, 150 rows, whole tree", ("learn",), rf"iris +150 +4 +- .* {RATIO} +\d+ \w+$"),
    Figure("learning without numba, adult, whole tree", ("learn",), rf"adult +45222 +14 +- .* {RATIO} +0.5 \w+$"),
    Figure(
        "learning without numba, 54 columns of integers, whole tree",
        ("learn",),
        rf"covertype-like +50000 +54 +- .* {RATIO} +0.5 \w+$",
    ),
    Figure(
        "learning, 50,000 rows, 20 columns, depth 12",
        ("peers", "rpart"),
        rf"continuous 50000 x 20 +12 .* {RATIO} +\d+ \w+$",
    ),
    Figure("cross-validated pruning of adult", ("selection",), rf"rpart, xval=10 .* {RATIO} +\d+ \w+$"),
    Figure("from a CSV file of 192 MB to a Python module", ("line",), rf"whole .* {RATIO} +\d+ \w+$"),
    Figure("reading that file", ("line",), rf"read .* {RATIO}$"),
    Figure(
        "predicting 1,000,000 rows, 1,277 leaves",
        ("predict",),
        rf"continuous +1000000 +20 +12\d\d +12\d\d +\S+ +\S+ +{RATIO}",
    ),
    Figure(
        "predicting one row with a full Python module, 703 leaves",
        ("python_module",),
        rf"continuous +10 +703 +703 +\S+ +\S+ \w+ +{RATIO}",
    ),
    Figure(
        "predicting one row with a plain Python module, 703 leaves",
        ("emit",),
        rf"continuous +10 +guarded +703 +703 .* {RATIO}$",
    ),
    Figure("SQL of 1,000 leaves on DuckDB, guarded layout", ("sql",), rf"duckdb +1000 guarded +\S+ +{RATIO}"),
    Figure("SQL of 10,000 leaves on DuckDB, lookup layout", ("sql",), rf"duckdb +10000 lookup +\S+ +{RATIO}"),
    Figure(
        "optimal tree of depth 3, 1,599 wines, 11 columns, 6 classes",
        ("optimal", "speed"),
        rf"wine quality red, ConTree \| 1599 x 11, 6 \| 3 .* {RATIO} \|$",
    ),
    Figure(
        "optimal tree of depth 3, 1,599 wines, 110 columns of two values",
        ("optimal", "speed"),
        rf"wine quality red, STreeD \| 1599 x 110, 6 \| 3 .* {RATIO} \|$",
    ),
    Figure("proof for 1,000 rules", ("check", "z3"), rf"1000 none +ranks .* {RATIO} +\d+ \w+$"),
)


def figures_of_summary() -> dict[str, float]:
    """Return the last cell of each row of the summary by its first cell."""
    text = SUMMARY.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| [^|]+ \| ([\d.]+) \|$", text, re.MULTILINE)
    return {row: float(figure) for row, figure in rows}


@cache
def printed(command: tuple[str, ...], quick: bool) -> str:
    """Return what a benchmark prints, with one thread for every library."""
    threads = dict.fromkeys(THREADS, "1")
    arguments = [sys.executable, str(HERE / f"{command[0]}.py"), *command[1:], *(["--quick"] if quick else [])]
    done = subprocess.run(arguments, env={**os.environ, **threads}, capture_output=True, text=True, check=False)
    return done.stdout


def measured(figure: Figure, claimed: float, quick: bool) -> Measured:
    """Run the command of a figure and compare; with `quick` nothing is decided, as other data are measured."""
    found = re.search(figure.pattern, printed(figure.command, quick), re.MULTILINE)
    if found is None:
        return "its line is not printed: a peer or its data are not here", None
    ratio = float(found[1])
    return f"{ratio:g}", None if quick else ratio >= SHARE * claimed


# ---- the report


def behaviour_lines() -> Iterator[str]:
    """Yield a line for each claim about behaviour."""
    for claim in BEHAVIOUR:
        yield line(claim.page, claim.text, *claim.measure())


def figure_lines(quick: bool) -> Iterator[str]:
    """Yield a line for each row of the summary."""
    claimed = figures_of_summary()
    for figure in FIGURES:
        text, holds = measured(figure, claimed[figure.row], quick)
        yield line("benchmarks", f"{figure.row}: {claimed[figure.row]:g}", text, holds)


def line(page: str, claim: str, text: str, holds: bool | None) -> str:
    """Return one line; claims that were not measured say so."""
    verdict = {True: "holds", False: "DOES NOT HOLD", None: "not measured"}[holds]
    return f"{page:<11} {claim:<82} {text:<62} {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what README, comparison and benchmark pages claim.")
    parser.add_argument("parts", nargs="*", choices=("behaviour", "figures", []), help="which claims; without it all")
    parser.add_argument("--quick", action="store_true", help="run the benchmarks on small data, which decides nothing")
    options = parser.parse_args()
    parts = options.parts or ["behaviour", "figures"]
    libraries = ", ".join(map(installed, ("treerules", "numba", "scikit-learn", "m2cgen", "z3-solver")))
    print(f"{date.today()}, {libraries}, SQLite {sqlite3.sqlite_version}")
    failed = 0
    lines = {"behaviour": behaviour_lines(), "figures": figure_lines(options.quick)}
    for text in chain.from_iterable(lines[part] for part in parts):
        failed += text.endswith("DOES NOT HOLD")
        print(text, flush=True)
    sys.exit(f"{failed} claims do not hold" if failed else 0)


if __name__ == "__main__":
    main()

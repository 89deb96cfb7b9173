"""How fast is cost-complexity pruning with 10-fold cross-validation, on adult?

A ratio is the peer's CPU time over that of `cross_validate`: larger is better. rpart cross-validates while it learns
(`xval`), on the same folds, and its call alone is measured. scikit-learn finds the path of alphas, tries 30 of them by
`GridSearchCV`, and fits the best; of those 30 five are run, spread evenly, and the time of the search is taken six
times, since the trees are all grown whole before they are pruned.
"""

import argparse
import csv
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

import numpy as np
from cases import adult, adult_columns, adult_paths
from measuring import Case, Race, cpu, is_equal, judged, race_of, warm
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from treerules import CrossValidation, cart, cross_validate

#: How many alphas scikit-learn is to try, and how many of them are run.
ALPHAS, RUN = 30, 5
#: The greatest depth that rpart knows.
DEPTH = 30

RPART = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
data <- read.csv(args[1], stringsAsFactors = TRUE)
folds <- data$fold; data$fold <- NULL
before <- proc.time()
fit <- rpart(y ~ ., data, method = "class", parms = list(split = "gini"),
  control = rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0,
                          xval = folds, maxdepth = as.integer(args[2])))
used <- proc.time() - before
table <- fit$cptable
cat(used[["user.self"]] + used[["sys.self"]], max(table[, "nsplit"]) + 1, min(table[, "xerror"]), nrow(table))
"""


def our_table(case: Case, folds: Any, complexity: Any = "breiman") -> CrossValidation:
    """Return our cp table."""
    return cross_validate(case.table, target="y", recipe=case.recipe(), folds=folds, complexity=complexity)


# ---- rpart


def write(path: Path, n: int | None, folds: Any) -> None:
    """Write adult for R, with the number of each row's fold."""
    columns = adult_columns(n)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{place}" for place in range(len(columns) - 1)), "y", "fold"])
        writer.writerows(zip(*columns, folds + 1, strict=True))


def rpart_run(path: Path) -> list[float]:
    """Return what one call of rpart took and found: CPU seconds, leaves, the least xerror, rows of the cp table."""
    command = ["Rscript", "--vanilla", "-e", RPART, str(path), str(DEPTH)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def rpart_lines(n: int | None, rounds: int) -> Iterator[str]:
    """Yield the line beside rpart: both divide categories in the best two subsets."""
    case = adult(n, recipe=partial(cart, categories="subset", max_depth=DEPTH))
    folds = np.random.default_rng(7).permutation(case.table.n_rows) % 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "adult.csv")
        write(path, n, folds)
        ours = our_table(case, folds, "rpart")
        found = [(cpu(partial(our_table, case, folds, "rpart")), rpart_run(path)) for _ in range(rounds)]
    times = race_of([(seconds, theirs[0]) for seconds, theirs in found])
    _, *theirs = found[0][1]
    yield line("rpart, xval=10", case, figures(ours), (theirs[0], theirs[1], int(theirs[2])), times, 1)


def figures(found: CrossValidation) -> tuple[float, float, int]:
    """Return the leaves of the largest tree, the least cross-validated error, and the rows of a cp table."""
    return found.rows[-1].n_splits + 1, found.row("min").xerror, len(found.rows)


# ---- scikit-learn


def their_search(case: Case, seed: int) -> tuple[float, float, float]:
    """Return the CPU seconds of a search over 30 alphas, the leaves of the whole tree, and the least error found."""
    tree = DecisionTreeClassifier(random_state=seed)
    path: list[Any] = []
    seconds = cpu(lambda: path.append(tree.cost_complexity_pruning_path(case.features, case.target)))
    alphas = path[0].ccp_alphas
    alphas = alphas[np.linspace(0, len(alphas) - 2, ALPHAS).astype(int)][:: ALPHAS // RUN]
    search = GridSearchCV(tree, {"ccp_alpha": alphas}, cv=10, refit=False)
    seconds += cpu(lambda: search.fit(case.features, case.target)) * ALPHAS / len(alphas)
    best = DecisionTreeClassifier(random_state=seed, ccp_alpha=search.best_params_["ccp_alpha"])
    seconds += cpu(lambda: best.fit(case.features, case.target))
    whole = tree.fit(case.features, case.target).get_n_leaves()
    error = (1 - search.best_score_) / (1 - np.unique(case.target, return_counts=True)[1].max() / len(case.target))
    return seconds, whole, error


def their_lines(n: int | None, rounds: int) -> Iterator[str]:
    """Yield the line beside scikit-learn: one against the rest beside one-hot columns, folds of each side's own.

    The whole trees are the same; ours are pruned at every alpha, theirs at five, so the errors may differ.
    """
    case = adult(n)
    ours = our_table(case, 10)
    found = [(cpu(partial(our_table, case, 10)), their_search(case, seed)) for seed in range(rounds)]
    times = race_of([(seconds, theirs[0]) for seconds, theirs in found])
    leaves, error = (median(theirs[place] for _, theirs in found) for place in (1, 2))
    mine = (ours.tree.n_leaves, *figures(ours)[1:])
    yield line("scikit-learn, 30 alphas", case, mine, (leaves, error, ALPHAS), times, 20)


# ---- printing

_LAYOUT = "{:<24} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6} {:>8} {:>8} {}"
HEADER = _LAYOUT.format(
    *("peer", "rows", "leaves", "peer's", "xerror", "peer's", "alphas", "peer's", "seconds", "peer's", "   ratio  goal")
)


def line(
    name: str,
    case: Case,
    ours: tuple[float, float, int],
    theirs: tuple[float, float, int],
    times: Race,
    goal: float,
) -> str:
    """Return one aligned line of two (leaves, xerror, alphas): equal work is that the whole trees are of one size."""
    leaves, errors, alphas = zip(ours, theirs, strict=True)
    return _LAYOUT.format(
        name,
        case.table.n_rows,
        *(f"{each:.0f}" for each in leaves),
        *(f"{each:.4f}" for each in errors),
        *alphas,
        *(f"{each:.3g}" for each in (times.ours, times.theirs)),
        judged(times.ratio if is_equal(*leaves) else None, goal),
    )


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the peers that are installed."""
    if not adult_paths():
        yield "no adult here: TREERULES_DATA names the folder of adult_train.csv and adult_test.csv"
        return
    warm()
    n, rounds = (2_000, 1) if quick else (None, 3)
    yield HEADER
    if which("Rscript"):
        yield from rpart_lines(n, rounds)
    else:
        yield "no rpart here (apt-get install r-cran-rpart)"
    yield from their_lines(n, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Cross-validated pruning beside rpart and scikit-learn.")
    parser.add_argument("--quick", action="store_true", help="smaller data and one round")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

"""How good is the model that `learn` gives by default, beside rpart, J48 and scikit-learn?

    python benchmarks/defaults.py [TABLE ...] [--quick | --rows N] [--without PROGRAM ...]

Every program learns with its defaults from the same rows, and is judged on the same rows that it has not seen: five
folds of each table. The error is the share of wrong classes, or 1 - R² for numbers; leaves are the geometric mean over
the folds. The means are geometric, over tables, of what a program has over what rpart has: **smaller is better**.

A table counts as worse where the error exceeds rpart's by more than one standard error of rpart's: binomial for
classes, of the mean over the folds for numbers. One table in six would, if both were equally good and independent.

- rpart: R's `rpart()` as it comes (cp 0.01, at least 20 rows to split).
- 1-SE: `rpart(cp = 0)`, pruned to the smallest tree within one standard error of the least cross-validated error.
- J48: Weka's C4.5 as it comes; classes only.
- ccp: scikit-learn's tree with the `ccp_alpha` of least 10-fold error among 30 of its path; a column of 0 and 1 for
  each category of columns with at most 30, codes for the others.
- ours: `learn(table, target=...)`.

Categories that are new in a fold are missing values for rpart, which stops at them otherwise.
"""

import argparse
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import pandas as pd
from attrs import frozen
from default_tables import Rows, r_tables, rows_of_data, rows_of_sklearn
from peers import WEKA
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treerules import Table, learn, predict

N_FOLDS = 5
#: A peer that has not finished the folds of a table after so many seconds is left out there.
PATIENCE = 300
#: Columns of more categories are codes for scikit-learn.
MOST_COLUMNS = 30


@frozen
class Result:
    """Of one program and table: the loss of all folds as a share of the greatest possible, and the leaves."""

    error: float
    leaves: float
    #: The standard error of the error.
    deviation: float
    #: The leaves of the fold that has most.
    most_leaves: float


#: For each fold: the summed loss of its rows, and the number of leaves.
Folds = list[tuple[float, float]]


def folds_of(rows: Rows) -> Any:
    """Return the fold of each row; the shares of classes are alike in all folds."""
    rng = np.random.default_rng(7)
    order = np.lexsort([rng.random(len(rows.frame)), rows.target if rows.is_class else np.zeros(len(rows.frame))])
    folds = np.empty(len(order), dtype=np.int64)
    folds[order] = np.arange(len(order)) % N_FOLDS
    return folds


def loss(rows: Rows, held_out: Any, predictions: Any) -> float:
    """Return the number of wrong classes among held-out rows, or their summed squared errors."""
    target = rows.target[held_out]
    if rows.is_class:
        return float(np.sum(np.asarray(predictions, dtype=object) != target))
    return float(np.square(np.asarray(predictions, dtype=np.float64) - target).sum())


def result_of(rows: Rows, folds: Any, found: Folds) -> Result:
    """Return the error over all folds, and the geometric mean of the leaves."""
    losses, leaves = np.array(found, dtype=np.float64).T
    total = float(len(folds))
    if not rows.is_class:
        parts = (rows.target[folds == fold] for fold in range(N_FOLDS))
        total = sum(float(np.square(part - part.mean()).sum()) for part in parts)
    error = float(losses.sum()) / total
    of_folds = losses.std(ddof=1) * N_FOLDS**0.5 / total
    deviation = (error * (1 - error) / total) ** 0.5 if rows.is_class else float(of_folds)
    return Result(error, float(np.exp(np.log(leaves).mean())), deviation, float(leaves.max()))


# ---- ours and scikit-learn


def ours(rows: Rows, folds: Any, folder: Path) -> Folds:
    """Return what `learn` finds by default."""
    found = []
    for fold in range(N_FOLDS):
        table = Table.from_frame(rows.frame[folds != fold])
        task = "classification" if rows.is_class else "regression"
        tree = learn(table, target=rows.target_name, task=task)
        new = Table.from_frame(rows.frame[folds == fold].drop(columns=rows.target_name))
        found.append((loss(rows, folds == fold, predict(tree, new)), float(tree.n_leaves)))
    return found


def matrix_of(rows: Rows) -> Any:
    """Return the columns as numbers, as scikit-learn needs them."""
    frame = rows.frame.drop(columns=rows.target_name)
    text = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    many = [name for name in text if frame[name].nunique() > MOST_COLUMNS]
    for name in many:
        frame[name] = pd.factorize(frame[name], sort=True)[0]
    few = [name for name in text if name not in many]
    return pd.get_dummies(frame, columns=few, dtype=float).to_numpy(dtype=np.float64)


def scikit_learn(rows: Rows, folds: Any, folder: Path) -> Folds:
    """Return what scikit-learn finds with a `ccp_alpha` chosen by cross-validation."""
    matrix, found = matrix_of(rows), []
    tree = (DecisionTreeClassifier if rows.is_class else DecisionTreeRegressor)(random_state=0)
    scoring = "accuracy" if rows.is_class else "neg_mean_squared_error"
    for fold in range(N_FOLDS):
        training, held_out = folds != fold, folds == fold
        alphas = tree.cost_complexity_pruning_path(matrix[training], rows.target[training]).ccp_alphas.clip(0)
        grid = {"ccp_alpha": np.unique(np.quantile(alphas, np.linspace(0, 1, 30)))}
        best = GridSearchCV(tree, grid, cv=10, scoring=scoring).fit(matrix[training], rows.target[training])
        found.append((loss(rows, held_out, best.predict(matrix[held_out])), float(best.best_estimator_.get_n_leaves())))
    return found


# ---- rpart

RPART = """
suppressMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
rows <- read.csv(args[1], stringsAsFactors = TRUE, na.strings = "", check.names = TRUE)
folds <- scan(args[2], quiet = TRUE)
target <- names(rows)[ncol(rows)]
is_class <- args[3] == "class"
if (is_class) rows[[target]] <- factor(rows[[target]])
for (fold in 0:max(folds)) {
  training <- rows[folds != fold, ]; held_out <- rows[folds == fold, ]; truth <- held_out[[target]]
  for (name in names(training)) if (is.factor(training[[name]])) {
    training[[name]] <- factor(training[[name]])
    held_out[[name]] <- factor(as.character(held_out[[name]]), levels = levels(training[[name]]))
  }
  told <- function(fit) {
    wrong <- if (is_class) sum(as.character(predict(fit, held_out, type = "class")) != as.character(truth))
             else sum((predict(fit, held_out) - truth)^2)
    cat(wrong, sum(fit$frame$var == "<leaf>"), "")
  }
  set.seed(fold)
  formula <- as.formula(paste(target, "~ ."))
  if (args[4] == "default") fit <- rpart(formula, training) else {
    fit <- rpart(formula, training, cp = 0)
    cps <- fit$cptable
    if (nrow(cps) > 1) {
      least <- which.min(cps[, "xerror"])
      at <- which(cps[, "xerror"] <= cps[least, "xerror"] + cps[least, "xstd"])[1]
      fit <- prune(fit, cp = cps[at, "CP"] * (1 + 1e-9))
    }
  }
  told(fit)
}
"""


def rpart(choice: str, rows: Rows, folds: Any, folder: Path) -> Folds:
    """Return what rpart finds: choice is "default" or "1-SE"."""
    path = folder / "rows.csv"
    frame = rows.frame.drop(columns=rows.target_name)
    frame = frame.set_axis([f"x{place}" for place in range(frame.shape[1])], axis=1).assign(y=rows.target)
    frame.to_csv(path, index=False)
    np.savetxt(folder / "folds", folds, fmt="%d")
    kind = "class" if rows.is_class else "number"
    command = ["Rscript", "--vanilla", "-e", RPART, path, folder / "folds", kind, choice]
    text = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
    values = [float(value) for value in text.split()]
    return list(zip(values[::2], values[1::2], strict=True))


# ---- J48


def quoted(value: Any) -> str:
    """Return a cell of Weka's file."""
    if pd.isna(value):
        return "?"
    return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'" if isinstance(value, str) else repr(value)


def write_arff(rows: Rows, chosen: Any, path: Path) -> None:
    """Write some rows as Weka's file; the categories are those of all rows."""
    lines = ["@relation rows"]
    for place, name in enumerate(rows.frame):
        column = rows.frame[name]
        is_number = pd.api.types.is_numeric_dtype(column)
        values = "numeric" if is_number else f"{{{','.join(map(quoted, sorted(column.dropna().unique())))}}}"
        lines.append(f"@attribute x{place} {values}")
    cells = rows.frame[chosen].itertuples(index=False)
    path.write_text("\n".join([*lines, "@data", *(",".join(map(quoted, row)) for row in cells)]) + "\n")


def j48(rows: Rows, folds: Any, folder: Path) -> Folds:
    """Return what Weka's J48 finds by default."""
    found = []
    for fold in range(N_FOLDS):
        training, held_out = folder / "training.arff", folder / "held_out.arff"
        write_arff(rows, folds != fold, training)
        write_arff(rows, folds == fold, held_out)
        command = ["java", "-Xmx2g", "-cp", WEKA, "weka.classifiers.trees.J48", "-t", training, "-T", held_out]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=PATIENCE)
        leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", done.stdout)
        wrong = re.findall(r"Incorrectly Classified Instances\s+(\d+)", done.stdout)
        if leaves is None or not wrong:
            raise RuntimeError(done.stderr)
        found.append((float(wrong[-1]), float(leaves[1])))
    return found


# ---- all of them

Program = Callable[[Rows, Any, Path], Folds]


def programs() -> dict[str, Program]:
    """Return the programs that are installed, rpart first."""
    found: dict[str, Program] = {}
    if which("Rscript"):
        found |= {"rpart": partial(rpart, "default"), "1-SE": partial(rpart, "1-SE")}
    if which("java") and WEKA.is_file():
        found["J48"] = j48
    return {**found, "ccp": scikit_learn, "ours": ours}


def results_of(rows: Rows, those: Mapping[str, Program]) -> dict[str, Result]:
    """Return the result of each program that can learn a table, and does so in time."""
    folds, results = folds_of(rows), {}
    for name, program in those.items():
        if name == "J48" and not rows.is_class:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                results[name] = result_of(rows, folds, program(rows, folds, Path(folder)))
            except subprocess.TimeoutExpired:
                continue
    return results


def line(rows: Rows, names: list[str], results: Mapping[str, Result]) -> str:
    """Return one aligned line."""
    cells = [results.get(name) for name in names]
    texts = [f"{cell.error:8.4f} {cell.leaves:6.1f}" if cell else f"{'-':>8} {'-':>6}" for cell in cells]
    task = "classes" if rows.is_class else "number"
    return f"{rows.name:<22} {len(rows.frame):>6} {rows.frame.shape[1] - 1:>4} {task:<8}" + " ".join(texts)


def means(all_results: list[tuple[Rows, dict[str, Result]]], names: list[str]) -> Iterator[str]:
    """Yield for each program the geometric means of its error and leaves over rpart's, on the tables both learned."""
    for task, of_task in (("all", (True, False)), ("classes", (True,)), ("numbers", (False,))):
        chosen = [(rows, found) for rows, found in all_results if rows.is_class in of_task and "rpart" in found]
        for name in names:
            pairs = [(found[name], found["rpart"], 0.5 / len(rows.frame)) for rows, found in chosen if name in found]
            if pairs and name != "rpart":
                error = np.exp(np.mean([np.log((a.error + least) / (b.error + least)) for a, b, least in pairs]))
                leaves = np.exp(np.mean([np.log(a.leaves / b.leaves) for a, b, _ in pairs]))
                worse = sum(a.error > b.error + b.deviation for a, b, _ in pairs)
                shares = f"error {error:.3f}, leaves {leaves:.2f} of rpart's"
                most = max(a.most_leaves for a, _, _ in pairs)
                counts = f"worse on {worse} of {len(pairs)} tables; at most {most:.0f} leaves"
                yield f"{task:<8} {name:<5} {shares}, {counts}"


def report(wanted: list[str], most: int, without: list[str]) -> Iterator[str]:
    """Yield the table of at most so many rows a data set, then the means."""
    those = {name: program for name, program in programs().items() if name not in without}
    names = list(those)
    if not which("Rscript"):
        yield "no rpart here (apt-get install r-cran-rpart): no means"
    if not which("java") or not WEKA.is_file():
        yield "no Weka here (apt-get install weka default-jre-headless)"
    yield f"{'table':<22} {'rows':>6} {'cols':>4} {'target':<8}" + " ".join(
        f"{name:>8} {'leaves':>6}" for name in names
    )
    all_results = []
    for rows in [*rows_of_sklearn(), *rows_of_data(most), *r_tables(most)]:
        if not wanted or rows.name in wanted:
            all_results.append((rows, results_of(rows, those)))
            yield line(rows, names, all_results[-1][1])
    yield from means(all_results, names)


def main() -> None:
    parser = argparse.ArgumentParser(description="The error and the leaves of default models, beside those of peers.")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="names of tables: all, if none is named")
    parser.add_argument("--quick", action="store_true", help="at most 1,000 rows of each table")
    parser.add_argument("--rows", type=int, default=8_000, metavar="N", help="at most N rows of each table")
    parser.add_argument("--without", nargs="+", default=[], metavar="PROGRAM", help="leave out: 1-SE, J48, ccp, ours")
    choices = parser.parse_args()
    for text in report(choices.tables, 1_000 if choices.quick else choices.rows, choices.without):
        print(text, flush=True)


if __name__ == "__main__":
    main()

"""An oracle that runs: R's rpart, from apt. Tests that need it are skipped without, and say so.

What R reads has names and categories by number (x1, 1), so that nothing needs quoting; its answers are put back into
the table's own.
"""

import json
import subprocess
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import nan
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import frozen

from treerules import Feature, Kind, Table
from treerules.data.column import Column


def _rscript() -> str | None:
    found = which("Rscript")
    loads = found and subprocess.run([found, "--vanilla", "-e", "library(rpart); library(MASS)"], capture_output=True)
    return found if loads and loads.returncode == 0 else None


RSCRIPT = _rscript()

needs_rpart = pytest.mark.skipif(RSCRIPT is None, reason="no rpart (apt-get install r-cran-rpart r-cran-mass)")


#: R without packages writes no JSON, so this does. 17 digits tell every double from its neighbours.
_JSON = r"""
number <- function(v) ifelse(is.na(v), "null", sprintf("%.17g", as.numeric(v)))
text <- function(v) ifelse(is.na(v), "null", paste0('"', gsub('(["\\\\])', '\\\\\\1', as.character(v)), '"'))
listed <- function(v) paste0("[", paste(v, collapse = ","), "]")
object <- function(...) {
  parts <- list(...)
  paste0("{", paste0('"', names(parts), '":', unlist(parts), collapse = ","), "}")
}
matrix_of <- function(m) if (is.null(m)) "[]" else listed(apply(unname(m), 1, function(row) listed(number(row))))
"""

_DATASET = r"""
suppressMessages({library(rpart); library(MASS)})
found <- as.data.frame(get(NAME))
if (length(COLUMNS)) found <- found[, COLUMNS]
if (NA_OMIT) found <- na.omit(found)
column <- function(name) {
  v <- found[[name]]
  kind <- if (is.ordered(v)) "ordinal" else if (is.factor(v)) "category" else if (is.integer(v)) "integer" else "number"
  cells <- if (is.factor(v)) text(v) else number(v)
  object(name = text(name), kind = text(kind), levels = listed(text(levels(v))), cells = listed(cells))
}
writeLines(listed(sapply(names(found), column)), OUT)
"""

_RPART = r"""
library(rpart)
weights <- cells[, ncol(cells) - 1]
fit <- rpart(y ~ ., data, weights = weights, method = METHOD, parms = PARMS, cost = COST, na.action = na.pass,
  control = rpart.control(minsplit = MINSPLIT, minbucket = MINBUCKET, cp = CP, maxdepth = MAXDEPTH, xval = FOLDS,
                          maxcompete = 0, maxsurrogate = 0, usesurrogate = 0))
frame <- fit$frame
answer <- if (METHOD == "class") predict(fit, type = "vector") else predict(fit)
writeLines(object(
  cp = matrix_of(fit$cptable), number = listed(number(row.names(frame))), var = listed(text(frame$var)),
  n = listed(number(frame$n)), weight = listed(number(frame$wt)), deviance = listed(number(frame$dev)),
  value = listed(number(frame$yval)), figures = matrix_of(frame$yval2), splits = matrix_of(fit$splits),
  sides = matrix_of(fit$csplit), leaf = listed(number(row.names(frame)[fit$where])),
  answer = listed(number(unname(answer)))), OUT)
"""

_RPART_HELD_OUT = r"""
library(rpart)
if (METHOD == "class") data$y <- factor(data$y)
folds <- cells[, ncol(cells)]
answer <- numeric(nrow(data))
leaves <- c()
for (fold in sort(unique(folds))) {
  fit <- rpart(y ~ ., data[folds != fold, ], method = METHOD, control = rpart.control(xval = 0))
  held_out <- data[folds == fold, ]
  answer[folds == fold] <- if (METHOD == "class") predict(fit, held_out, type = "vector") else predict(fit, held_out)
  leaves <- c(leaves, sum(fit$frame$var == "<leaf>"))
}
writeLines(object(answer = listed(number(answer)), leaves = listed(number(leaves))), OUT)
"""


def _run_r(program: str, cells: Sequence[Sequence[float]] = (), **names: str) -> Any:
    """Return what a program in R writes to OUT. `names` are set to pieces of R before it; `cells` are the columns of a
    matrix there, handed over in binary, since R reads decimal fractions to within an ulp only."""
    with TemporaryDirectory() as folder:
        script, out, data = (Path(folder) / name for name in ("ask.R", "answer.json", "cells"))
        data.write_bytes(b"".join(array("d", column).tobytes() for column in cells))
        read = f"cells <- matrix(readBin({json.dumps(str(data))}, 'double', 1e8), ncol = {max(1, len(cells))})"
        known = [f"{name} <- {value}" for name, value in {**names, "OUT": json.dumps(str(out))}.items()]
        script.write_text("\n".join([_JSON, read, *known, program]), "utf-8")
        done = subprocess.run([str(RSCRIPT), "--vanilla", str(script)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(out.read_text("utf-8"))


def _vector(values: Iterable[float]) -> str:
    """Return a few numbers as a vector in R; hexadecimal, for the same reason."""
    return f"c({', '.join(float(value).hex() for value in values)})"


def r_dataset(
    name: str, columns: Sequence[str] = (), *, na_omit: bool = False, types: Mapping[str, str] | None = None
) -> Table:
    """Return a data set of rpart, MASS or R, all of its columns or some; `na_omit` drops rows with a missing value.

    Factors are categories, ordered ones ordinals with all their levels; `types` declares other kinds.
    """
    return _dataset(name, tuple(columns), na_omit, tuple((types or {}).items()))


@cache
def _dataset(name: str, columns: tuple[str, ...], na_omit: bool, types: tuple[tuple[str, str], ...]) -> Table:
    chosen = f"c({','.join(map(json.dumps, columns))})"
    found = _run_r(_DATASET, NAME=json.dumps(name), COLUMNS=chosen, NA_OMIT=str(na_omit).upper())
    levels = {column["name"]: ":" + "<".join(column["levels"]) for column in found if column["kind"] == "ordinal"}
    kinds = {column["name"]: column["kind"] + levels.get(column["name"], "") for column in found}
    return Table.from_columns({column["name"]: column["cells"] for column in found}, types={**kinds, **dict(types)})


@frozen
class CpRow:
    """A row of rpart's cp table; the last two only with folds."""

    cp: float
    n_splits: int
    relative_error: float
    xerror: float | None = None
    xstd: float | None = None


@frozen
class RpartNode:
    """A node of rpart's: `number` is 1 at the root, and those of its children are 2n and 2n + 1.

    A split has a `feature`, and either a `threshold`, where lower rows go to the child `low`, or the categories that go
    to 2n (`left`) and to 2n + 1 (`right`); in neither are those, unless ordered, that did not reach the node.
    """

    number: int
    n: int
    weight: float
    deviance: float
    value: Any
    counts: tuple[float, ...]
    feature: str | None = None
    improvement: float | None = None
    threshold: float | None = None
    low: int | None = None
    left: frozenset[Any] = frozenset()
    right: frozenset[Any] = frozenset()


@frozen
class Rpart:
    """What rpart makes of a table: the cp table, the nodes in preorder, each row's leaf and prediction."""

    rows: tuple[CpRow, ...]
    nodes: tuple[RpartNode, ...]
    leaf_of: tuple[int, ...]
    predictions: tuple[Any, ...]


def rpart(
    table: Table,
    target: str,
    *,
    method: str = "class",
    folds: Sequence[int] | None = None,
    split: str = "gini",
    priors: Mapping[Any, float] | None = None,
    costs: Mapping[tuple[Any, Any], float] | None = None,
    feature_cost: Mapping[str, float] | None = None,
    weights: Sequence[float] | None = None,
    minsplit: int = 20,
    minbucket: int = 7,
    cp: float = 0.01,
    maxdepth: int = 30,
) -> Rpart:
    """Return rpart's tree of all other columns, without surrogates; its cp table is cross-validated by `folds`, the
    number of each row's fold from 1. `costs` are {(true class, predicted class): cost}, 1 where not named. A cp of -1
    keeps every split."""
    features = [column.feature for column in table.columns if column.feature.name != target]
    goal = table.column(target).feature
    found = _run_r(
        _RPART,
        [*map(_numbers, table.columns), weights or [1.0] * table.n_rows, folds or [0.0] * table.n_rows],
        data=_frame_of(table, target),
        METHOD=json.dumps(method),
        PARMS=_parms(goal.categories, split, priors, costs) if method == "class" else "list()",
        COST=_vector((feature_cost or {}).get(feature.name, 1.0) for feature in features),
        MINSPLIT=str(minsplit),
        MINBUCKET=str(minbucket),
        CP=float(cp).hex(),
        MAXDEPTH=str(maxdepth),
        FOLDS="0" if folds is None else "cells[, ncol(cells)]",
    )
    classes = goal.categories if method == "class" else ()
    return Rpart(
        tuple(CpRow(row[0], int(row[1]), *row[2:]) for row in found["cp"]),
        tuple(_nodes(found, features, classes)),
        tuple(int(number) for number in found["leaf"]),
        tuple(_value(classes, number) for number in found["answer"]),
    )


def rpart_held_out(table: Table, target: str, folds: Sequence[int], *, is_class: bool) -> tuple[list[Any], list[int]]:
    """Return the prediction of each row by rpart's default tree of the rows of the other folds, and the leaves of each
    tree. Unlike `rpart`, this has rpart's surrogates."""
    found = _run_r(
        _RPART_HELD_OUT,
        [*map(_numbers, table.columns), [float(fold) for fold in folds]],
        data=_frame_of(table, target),
        METHOD='"class"' if is_class else '"anova"',
    )
    goal = table.column(target)
    values = goal.feature.categories
    if is_class and not values:  # numbers: R makes their classes
        values = tuple(sorted(set(goal.data.tolist())))
    return [_value(values if is_class else (), number) for number in found["answer"]], list(map(int, found["leaves"]))


def _numbers(column: Column) -> list[float]:
    """Return a column's cells as R numbers them: positions of categories from 1, NaN where missing."""
    shift = 0.0 if column.feature.is_ordered else 1.0
    cells = zip(column.data.tolist(), column.missing.tolist(), strict=True)
    return [nan if missing else cell + shift for cell, missing in cells]


def _frame_of(table: Table, target: str) -> str:
    """Return what makes the data frame in R of the first columns of `cells`."""
    number, parts = 0, []
    for place, column in enumerate(table.columns, 1):
        feature, made = column.feature, f"cells[, {place}]"
        number += feature.name != target
        if not feature.is_ordered:
            ordered = str(feature.kind is Kind.ORDINAL).upper()
            made = f"factor({made}, levels = 1:{len(feature.categories)}, ordered = {ordered})"
        parts.append(f"{'y' if feature.name == target else f'x{number}'} = {made}")
    return f"data.frame({', '.join(parts)})"


def _parms(classes: Sequence[Any], split: str, priors: Any, costs: Any) -> str:
    loss = [(costs or {}).get((true, made), float(true != made)) for true in classes for made in classes]
    parts = [f"split = {json.dumps(split)}", f"loss = matrix({_vector(loss)}, {len(classes)}, byrow = TRUE)"]
    if priors:
        parts.append(f"prior = {_vector([priors[name] / sum(priors.values()) for name in classes])}")
    return f"list({', '.join(parts)})"


def _value(classes: Sequence[Any], number: float) -> Any:
    return classes[int(number) - 1] if classes else number


def _nodes(found: Any, features: Sequence[Feature], classes: Sequence[Any]) -> Iterator[RpartNode]:
    splits = iter(found["splits"])
    for place, name in enumerate(found["var"]):
        number = int(found["number"][place])
        figures = found["figures"][place][1 : 1 + len(classes)] if classes else [found["weight"][place]]
        feature = None if name == "<leaf>" else features[int(name[1:]) - 1]
        asked = {} if feature is None else _split(next(splits), feature, number, found["sides"])
        value = _value(classes, found["value"][place])
        weight, deviance = found["weight"][place], found["deviance"][place]
        yield RpartNode(number, int(found["n"][place]), weight, deviance, value, tuple(figures), **asked)


def _split(row: Sequence[float], feature: Feature, number: int, sides: Any) -> dict[str, Any]:
    """Return what a row of rpart's `splits` (count, ncat, improve, index) says of a node."""
    _, kinds, improvement, index = row[:4]
    asked = {"feature": feature.name, "improvement": improvement}
    if feature.is_ordered:  # rpart's ncat is -1 where lower values go left, 1 where they go right
        return {**asked, "threshold": index, "low": 2 * number + (kinds > 0)}
    goes = dict(zip(feature.categories, sides[int(index) - 1], strict=False))  # 1 left, 3 right, 2 did not get here
    left, right = (frozenset(name for name, side in goes.items() if side == wanted) for wanted in (1, 3))
    return {**asked, "left": left, "right": right}

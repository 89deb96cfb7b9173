"""Are optimal trees found sooner than by ConTree and STreeD, and do they err less than greedy ones?

    python benchmarks/optimal.py [speed | errors] [--quick]

**speed**: a ratio is the CPU time of the peer divided by that of the search of treerules, one thread each, preparation
counted, in turns; larger is better. Both prove the tree optimal, with equal errors, or the row prints UNEQUAL. A peer
that has not finished after `PATIENCE` seconds is a lower bound of the ratio, `>`.

**errors**: five folds of each table. `optimal` is `learn(table, target=..., recipe=optimal())`, `auto` the default, and
`CART` is best-first growth to as many leaves as the optimal tree has. Errors are shares of wrong classes; smaller is
better. Tables that TREERULES_DATA names are samples of at most 2,000 rows.
"""

import argparse
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from default_tables import Rows, rows_of_data, rows_of_sklearn
from defaults import N_FOLDS, folds_of, loss, matrix_of
from pycontree import ConTree
from pystreed import STreeDClassifier

from treerules import Recipe, Table, auto, cart, learn, optimal, predict
from treerules.growing.optimal.search import Search
from treerules.growing.optimal.search_rows import classification_task

PATIENCE, ROUNDS, MOST_ROWS = 60, 3, 2_000
#: The quantiles at which columns are cut for STreeD, which takes columns of two values.
QUANTILES = np.linspace(0, 1, 12)[1:-1]


# ---- speed


def classes_of(rows: Rows) -> tuple[Any, Any]:
    """Return the columns as a matrix without missing values, and the classes as numbers."""
    matrix = matrix_of(rows)
    return np.where(np.isnan(matrix), -1.0, matrix), np.unique(rows.target.astype(str), return_inverse=True)[1]


def bits_of(matrix: Any) -> Any:
    """Return columns of 0 and 1: whether a number is at most a quantile of its column."""
    lines = [matrix <= line for line in np.unique(np.quantile(matrix, QUANTILES, axis=0, method="nearest"), axis=0)]
    bits = np.unique(np.concatenate(lines, axis=1), axis=1)
    return np.ascontiguousarray(bits[:, bits.any(axis=0) & ~bits.all(axis=0)].astype(np.int64))


def our_errors(matrix: Any, classes: Any, depth: int) -> int:
    """Return the errors of the optimal tree, from the matrix on."""
    ranks = np.array([np.unique(column, return_inverse=True)[1] for column in matrix.T], dtype=np.int32)
    costs = (1 - np.eye(classes.max() + 1, dtype=np.int64))[classes]
    task = classification_task(ranks, costs, None, penalty=0, least_weight=0.0, unit=1.0)
    return Search(task, compiled=True).run(depth).cost + task.base


def peer_errors(peer: Callable[..., Any], matrix: Any, classes: Any, depth: int) -> int:
    """Return the errors of a peer's tree."""
    model = peer(max_depth=depth, time_limit=PATIENCE)
    model.fit(matrix, classes)
    return int((model.predict(matrix) != classes).sum())


def speed_line(name: str, peer: Callable[..., Any], matrix: Any, classes: Any, depth: int) -> str:
    """Return the line of one table and depth."""
    our_errors(matrix, classes, 2)  # kernels are loaded
    pairs = []
    while len(pairs) < ROUNDS and (not pairs or pairs[0][1] < PATIENCE / 4):
        start = process_time()
        ours = our_errors(matrix, classes, depth)
        middle = process_time()
        theirs = peer_errors(peer, matrix, classes, depth)
        pairs.append((middle - start, process_time() - middle))
    seconds, peer_seconds = (median(side) for side in zip(*pairs, strict=True))
    is_late = peer_seconds >= PATIENCE * 0.98
    ratio = median(b / a for a, b in pairs)
    verdict = f"{'>' if is_late else ''}{ratio:.1f}" if ours == theirs or is_late else "UNEQUAL"
    size = f"{matrix.shape[0]} x {matrix.shape[1]}, {classes.max() + 1}"
    return f"| {name} | {size} | {depth} | {ours} | {seconds:.3f} | {peer_seconds:.3f} | {verdict} |"


def speed(quick: bool) -> Iterator[str]:
    """Yield the lines of ConTree, then those of STreeD."""
    tables = [rows for rows in (*rows_of_sklearn(), *rows_of_data(5_000)) if rows.is_class]
    tables = tables[:2] if quick else [rows for rows in tables if rows.name != "digits"]
    yield "| table | rows x columns, classes | depth | errors | seconds | peer | ratio |\n|---|---|---|---|---|---|---|"
    for rows in tables:
        matrix, classes = classes_of(rows)
        if matrix.shape[1] <= 60:
            for depth in (2, 3):
                yield speed_line(f"{rows.name}, ConTree", ConTree, matrix, classes, depth)
    for rows in tables:
        matrix, classes = classes_of(rows)
        bits = bits_of(matrix)
        if bits.shape[1] <= 150:
            for depth in (3,) if quick else (3, 4):
                yield speed_line(f"{rows.name}, STreeD", STreeDClassifier, bits, classes, depth)


# ---- errors


def held_out(rows: Rows, folds: Any, recipe_of: Callable[[int], Recipe]) -> tuple[float, list[int], float]:
    """Return the error over all folds, the leaves of each, and the CPU seconds of learning."""
    wrong, leaves, seconds = 0.0, [], 0.0
    for fold in range(N_FOLDS):
        table = Table.from_frame(rows.frame[folds != fold])
        start = process_time()
        tree = learn(table, target=rows.target_name, task="classification", recipe=recipe_of(fold))
        seconds += process_time() - start
        new = Table.from_frame(rows.frame[folds == fold].drop(columns=rows.target_name))
        wrong += loss(rows, folds == fold, predict(tree, new))
        leaves.append(tree.n_leaves)
    return wrong / len(folds), leaves, seconds / N_FOLDS


def errors(quick: bool) -> Iterator[str]:
    """Yield a line for each table: the errors, leaves and seconds of each recipe."""
    tables = [rows for rows in (*rows_of_sklearn(), *rows_of_data(MOST_ROWS)) if rows.is_class]
    yield "| table | optimal | auto | auto, 8 rules | CART, same leaves | leaves | seconds |"
    yield "|---|---|---|---|---|---|---|"
    for rows in tables[:2] if quick else tables:
        folds = folds_of(rows)
        best, sizes, seconds = held_out(rows, folds, lambda fold: optimal(time_limit=60))
        usual, usual_sizes, usual_seconds = held_out(rows, folds, lambda fold: auto())
        small, small_sizes, _ = held_out(rows, folds, lambda fold: auto(max_rules=8))
        greedy, _, _ = held_out(rows, folds, lambda fold, sizes=sizes: cart(max_leaves=sizes[fold]))
        figures = " | ".join(f"{100 * value:.1f}" for value in (best, usual, small, greedy))
        mean = " / ".join(f"{np.mean(leaves):.1f}" for leaves in (sizes, usual_sizes, small_sizes))
        yield f"| {rows.name} | {figures} | {mean} | {seconds:.2f} / {usual_seconds:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=["speed", "errors"])
    parser.add_argument("--quick", action="store_true", help="two tables")
    arguments = parser.parse_args()
    for name, part in (("speed", speed), ("errors", errors)):
        if arguments.part in (None, name):
            for line in part(arguments.quick):
                print(line, flush=True)


if __name__ == "__main__":
    main()

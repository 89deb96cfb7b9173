"""How fast are emitted Python modules: a row at a time, at import, and vectorized?

nested   `predict` beside a function of nested ifs that a person might write: the same mapping, the same conversions,
         the same way of missing values. The figure is our CPU time over its, so smaller is better.
m2cgen   m2cgen's function, fed from the same mappings through the same conversions, its largest score taken as the
         class; its CPU time over ours. Import is ours over m2cgen's, in fresh processes, from source and from .pyc.
sklearn  `predict` of the vectorized module over scikit-learn's, a million rows of 20 numbers.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from cases import bundled, continuous
from emit import Pair, pair_of, their_text
from measuring import is_equal, judged, our_fit, race, their_fit

from treerules import Tree, predict, to_python
from treerules.emit.python.value_loading import load_of
from treerules.trees import Leaf, Split
from treerules.trees.walkers import fold

NESTED, PEER, IMPORT, ARRAYS = 1.1, 1.4, 2.0, 2.0
#: Rows that are answered in one round.
ROWS = 1_000
#: From so many leaves on an import has a goal: that of fewer is mostly the import of the standard library.
MANY = 5_000


def pairs(quick: bool) -> Iterator[Pair]:
    """Yield trees of 18 to 13,000 leaves."""
    yield pair_of(bundled("breast_cancer"), 5)
    yield pair_of(bundled("digits"), None)
    yield pair_of(continuous(10_000 if quick else 50_000, 10), 10)
    if not quick:
        yield pair_of(continuous(50_000, 10), 15)
        yield pair_of(continuous(130_000, 10), 18)


# ---- a row at a time


def loading(tree: Tree, indices: Any) -> list[str]:
    """Return the lines that get each column and convert it, as the emitted module does."""
    lines = ["    get = row.get"]
    for index in indices:
        load = load_of(index, tree.schema.features[index])
        lines += [f"    {load.variable} = get({load.key})", f"    if {load.strange}:"]
        lines += [f"        {load.variable} = {load.converted}"]
    return lines


def nested_text(tree: Tree) -> str:
    """Return the function that a person might write: an if for each split, its children inside."""

    def leaf(node: Leaf) -> list[str]:
        return [f"return {node.prediction.value!r}"]

    def split(node: Split, below: tuple[list[str], ...]) -> list[str]:
        asked.add(node.test.feature)
        low, high = ([f" {line}" for line in lines] for lines in below)
        sign, first, second = ("<=", low, high) if node.missing == 1 else (">", high, low)
        return [f"if f{node.test.feature} {sign} {node.test.threshold!r}:", *first, "else:", *second]

    asked: set[int] = set()
    body = fold(tree.root, leaf, split)
    return "\n".join(["def nested(row):", *loading(tree, sorted(asked)), *(f"    {line}" for line in body)])


def fed_text(tree: Tree) -> str:
    """Return the function that feeds m2cgen's `rule_metrics` from a mapping."""
    features = tree.schema.features
    cells = ["0.0"] * (1 + max(int(feature.name.removeprefix("x")) for feature in features))
    for index, feature in enumerate(features):
        cells[int(feature.name.removeprefix("x"))] = f"f{index}"
    lines = ["def fed(row):", *loading(tree, range(len(features)))]
    lines += [f"    found = score([{', '.join(cells)}])", "    return CLASSES[found.index(max(found))]"]
    return "\n".join(lines)


def answering(function: Callable[[Any], Any], rows: list[Any]) -> Callable[[], None]:
    """Return the call that asks a function for every row."""

    def call() -> None:
        for row in rows:
            function(row)

    return call


def by_row(pair: Pair, rounds: int) -> tuple[float, float]:
    """Return our time over that of nested ifs, and m2cgen's over ours."""
    names: dict[str, Any] = {"__name__": "emitted"}
    for text in (
        to_python(pair.tree, style="full"),
        nested_text(pair.tree),
        their_text(pair.model) or "",
        fed_text(pair.tree),
    ):
        exec(compile(text, "emitted", "exec"), names)
    features = [feature.name for feature in pair.tree.schema.features]
    lists = pair.case.features[:ROWS].tolist()
    rows = [{name: row[int(name.removeprefix("x"))] for name in features} for row in lists]
    wanted = [predict(pair.tree, row) for row in rows]
    assert [names["predict"](row) for row in rows] == wanted == [names["nested"](row) for row in rows]
    ours = answering(names["predict"], rows)
    by_hand = race(ours, lambda _: answering(names["nested"], rows)(), rounds).ratio
    return 1 / by_hand, race(ours, lambda _: answering(names["fed"], rows)(), rounds).ratio


# ---- import


def import_cpu(folder: Path, name: str, *options: str) -> float:
    """Return the CPU seconds of an import in a fresh process."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); from time import process_time as now; "
    code += f"start = now(); import {name}; print(now() - start)"
    done = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def imports(pair: Pair, rounds: int) -> tuple[float, float]:
    """Return our time over m2cgen's, from source and from .pyc."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ours.py").write_text(to_python(pair.tree, style="full"), encoding="utf-8")
        (folder / "theirs.py").write_text(their_text(pair.model) or "", encoding="utf-8")
        fresh = [import_cpu(folder, "ours", "-B") / import_cpu(folder, "theirs", "-B") for _ in range(rounds)]
        known = [import_cpu(folder, "ours") / import_cpu(folder, "theirs") for _ in range(rounds + 1)][1:]
    return median(fresh), median(known)


# ---- vectorized


def vectorized(n: int, depth: int, rounds: int) -> str:
    """Return the line of a tree of some depth, learned from a fifth of the rows that it predicts."""
    case, more = continuous(n // 5, 20), continuous(n, 20)
    tree, model = our_fit(case, depth), their_fit(case, depth, 0)
    leaves = tree.n_leaves, int(model.get_n_leaves())
    names: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(to_python(tree, vectorized=True), "emitted", "exec"), names)
    columns = {f"x{place}": more.features[:, place].copy() for place in range(20)}
    assert (names["predict"](columns) == predict(tree, more.table)).all()
    ours, theirs = partial(names["predict"], columns), partial(model.predict, more.features)
    figure = 1 / race(ours, lambda _: theirs(), rounds).ratio if is_equal(*leaves) else None
    return _ARRAYS.format(n, depth, *leaves, judged(figure, ARRAYS, at_most=True))


# ---- printing

_ROW = "{:<14} {:>5} {:>7} {:>7} {:<22} {:<22} {:<22} {:>8}"
_ARRAYS = "{:>9} {:>5} {:>7} {:>7} {:<22}"


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the tables."""
    rounds = 3 if quick else 7
    yield _ROW.format("data", "depth", "ours", "peer", "nested goal", "m2cgen goal", "import goal", ".pyc")
    for pair in pairs(quick):
        nested, fed = by_row(pair, rounds)
        fresh, known = imports(pair, rounds)
        leaves = [work.leaves for work in pair.works]
        yield _ROW.format(
            pair.case.name,
            pair.tree.depth,
            *leaves,
            judged(nested, NESTED, at_most=True),
            judged(fed if pair.is_equal else None, PEER),
            judged(fresh if pair.is_equal else None, IMPORT if pair.tree.n_leaves >= MANY else None, at_most=True),
            f"{known:.2f}",
        )
    yield ""
    yield _ARRAYS.format("rows", "depth", "ours", "peer", "sklearn goal")
    for depth in (3, 6, 10, 15):
        yield vectorized(100_000 if quick else 1_000_000, depth, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Emitted Python modules beside nested ifs, m2cgen and scikit-learn.")
    parser.add_argument("--quick", action="store_true", help="smaller trees and fewer rounds: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

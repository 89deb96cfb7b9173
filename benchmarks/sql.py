"""How fast is emitted SQL, beside plain nested CASE, SKompiler, orbital and scikit-learn's own predict?

All score the same tree, scikit-learn's, on the same rows, whose values are float32 so that all compare alike. A query's
time is that of planning and running it once, its answers summed. Those that differ from scikit-learn's predict are
counted. Figures are medians of CPU seconds over rounds in which all take turns, one thread each.
"""

import argparse
import os
import pickle
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median
from threading import Timer
from typing import Any

import duckdb
import numpy as np
from attrs import frozen
from cases import signal
from measuring import ENOUGH, cpu, judged
from sklearn.tree import DecisionTreeClassifier

from treerules import Feature, Kind, Schema, Tree, to_sql
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, unfold

WIDTH = 20
LEAVES = (10, 100, 1_000, 10_000)
#: A query that takes longer is given up, and a peer that needs longer to make one; seconds.
PATIENCE = 60
#: One that takes longer is run but once; seconds.
SLOW = 10
#: Flat queries of more rules are for people: they take minutes.
MOST_FLAT = 100
PEERS = ("skompiler", "orbital")
#: The column in which a peer answers.
ANSWERS = {"skompiler": "y", "orbital": '"output_label"'}


def features_of(n: int, seed: int) -> Any:
    """Return normal columns, doubles that are float32."""
    return np.random.default_rng(seed).normal(size=(n, WIDTH)).astype(np.float32).astype(np.float64)


def model_of(leaves: int) -> Any:
    """Return scikit-learn's tree of so many leaves."""
    features = features_of(max(20_000, 15 * leaves), 7)
    target = signal(features, np.random.default_rng(8)) > 0
    return DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(features, target.astype(np.int64))


def tree_from_rules(model: Any) -> Tree:
    """Return scikit-learn's tree as ours."""
    held = model.tree_

    def step(node: int) -> Any:
        left, right = int(held.children_left[node]), int(held.children_right[node])
        if left < 0:
            shares = held.value[node, 0]
            counts = np.round(shares * held.n_node_samples[node]).tolist()
            return Leaf(ClassPrediction(int(np.argmax(shares)), shares.tolist()), counts)
        test = ThresholdTest(int(held.feature[node]), float(held.threshold[node]))
        missing = int(held.n_node_samples[right] > held.n_node_samples[left])
        return lambda children: Split(test, children, missing), (left, right)

    columns = [Feature(f"x{place}", Kind.NUMBER) for place in range(WIDTH)]
    return Tree(Schema(columns, Feature("y", Kind.CATEGORY, (0, 1), "integer")), unfold(0, step))


# ---- the queries


def nested(model: Any) -> str:
    """Return the plain nested CASE that a hand would write, without a word about missing values."""
    held, text = model.tree_, list[str]()
    waiting: list[Any] = [0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            text.append(node)
        elif held.children_left[node] < 0:
            text.append(str(int(np.argmax(held.value[node, 0]))))
        else:
            threshold = repr(float(held.threshold[node]))
            literal = threshold if "e" in threshold else threshold + "e0"
            text.append(f"CASE WHEN x{held.feature[node]} <= {literal} THEN ")
            waiting += [" END", int(held.children_right[node]), " ELSE ", int(held.children_left[node])]
    return f"SELECT {''.join(text)} AS prediction FROM data"


def theirs(peer: str, dialect: str, model: Any) -> tuple[str | None, str]:
    """Return a peer's query, or why there is none."""
    python = os.environ.get("TREERULES_SQL_PEERS", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.pickle")
        path.write_bytes(pickle.dumps(model))
        command = [python, str(Path(__file__).with_name("sql_peers.py")), peer, dialect, str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return None, f"makes no query in {PATIENCE} s"
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ["failed"])[-1][:60]
    return f"SELECT {ANSWERS[peer]} AS prediction FROM ({done.stdout.strip()}) AS scored", ""


def queries(dialect: str, model: Any, peers: Sequence[str]) -> Iterator[tuple[str, str | None, str]]:
    """Yield each form's name, its query, and why there is none."""
    tree = tree_from_rules(model)
    yield "nested", nested(model), ""
    for layout in ("flat", "guarded", *(["lookup"] if dialect == "duckdb" else []), "auto"):
        if layout == "flat" and tree.n_leaves > MOST_FLAT:
            yield layout, None, "is for people"
            continue
        layouts: Any = layout
        yield layout, to_sql(tree, dialect=dialect, layout=layouts, kind="select", table="data"), ""
    for peer in peers:
        yield peer, *theirs(peer, dialect, model)


# ---- the engines


@frozen(eq=False)
class Engine:
    """An engine that holds the rows in a table `data`."""

    name: str
    rows: Any
    #: runs a query and gives its first column
    column: Callable[[str], Any]
    #: runs a query for its time alone
    run: Callable[[str], Any]
    interrupt: Callable[[], None]


def duckdb_of(rows: Any) -> Engine:
    """Return DuckDB with the rows, on one thread."""
    connection = duckdb.connect(config={"threads": 1})
    connection.register("given", {f"x{place}": np.ascontiguousarray(column) for place, column in enumerate(rows.T)})
    connection.execute("CREATE TABLE data AS SELECT * FROM given")

    def column(sql: str) -> Any:
        return connection.execute(sql).fetchnumpy()["prediction"]

    return Engine("duckdb", rows, column, lambda sql: connection.execute(sql).fetchall(), connection.interrupt)


def sqlite_of(rows: Any) -> Engine:
    """Return SQLite with the rows, in memory."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    names = [f"x{place}" for place in range(rows.shape[1])]
    connection.execute(f"CREATE TABLE data ({', '.join(f'{name} REAL' for name in names)})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", rows.tolist())

    def column(sql: str) -> Any:
        return np.array([row[0] for row in connection.execute(sql)])

    return Engine("sqlite", rows, column, lambda sql: connection.execute(sql).fetchall(), connection.interrupt)


def impatiently(engine: Engine, call: Callable[[], Any]) -> Any:
    """Return what a call gives, or the first line of the error that it ends in; a long one is interrupted."""
    timer = Timer(PATIENCE, engine.interrupt)
    timer.start()
    try:
        return call()
    except (duckdb.Error, sqlite3.Error) as error:
        return str(error).splitlines()[0][:60]
    finally:
        timer.cancel()


# ---- comparing


def compared(engine: Engine, model: Any, rounds: int, peers: Sequence[str]) -> Iterator[str]:
    """Yield a line for each form of a tree."""
    wanted = model.predict(engine.rows)
    leaves = int(model.get_n_leaves())
    said: dict[str, str] = {}
    calls: dict[str, Callable[[], Any]] = {"predict": partial(model.predict, engine.rows)}
    for name, sql, reason in queries(engine.name, model, peers):
        if sql is None:
            said[name] = reason
            continue
        found = impatiently(engine, partial(engine.column, sql))
        if isinstance(found, str):
            said[name] = found
            continue
        said[name] = f"{int(np.sum(found != wanted))} differ"
        calls[name] = partial(engine.run, f"SELECT sum(prediction) FROM ({sql}) AS answered")
    times = {name: [cpu(call)] for name, call in calls.items()}
    repeats = {name: ceil(ENOUGH / max(first, 1e-6)) for name, (first,) in times.items()}
    for _ in range(rounds - 1):
        for name, call in calls.items():
            if times[name][0] < SLOW:
                times[name].append(cpu(call, repeats[name]))
    for name in ("predict", *said):
        yield line(engine.name, leaves, name, times, said.get(name, ""))


_LINE = "{:<7} {:>6} {:<10} {:>9} {:>8} {:<14} {:>8} {:<13} {}"
HEADER = _LINE.format("engine", "leaves", "form", "seconds", "nested", "goal", "predict", "goal", "answers")


def line(engine: str, leaves: int, name: str, times: dict[str, list[float]], said: str) -> str:
    """Return a form's line: its time, and how many times as long nested CASE and predict take."""
    if name not in times:
        return _LINE.format(engine, leaves, name, "-", "-", "", "-", "", said)
    ratios = []
    for other, goal in (("nested", nested_goal(engine, leaves, name)), ("predict", predict_goal(engine, leaves, name))):
        if other in times and other != name:
            ratio = median(b / a for a, b in zip(times[name], times[other], strict=False))
            figure, _, verdict = judged(ratio, goal).strip().partition(" ")
            ratios += [figure, verdict.strip()]
        else:
            ratios += ["-", ("loads: met" if goal and other not in times else "")]
    return _LINE.format(engine, leaves, name, f"{median(times[name]):.3f}", *ratios, said)


def nested_goal(engine: str, leaves: int, name: str) -> float | None:
    """Return how many times as fast as nested CASE a form is to be."""
    if name == "lookup" and leaves >= LEAVES[-1]:
        return 3
    return 0.8 if name == "guarded" and leaves >= LEAVES[1] else None


def predict_goal(engine: str, leaves: int, name: str) -> float | None:
    """Return how many times as fast as scikit-learn's predict a form is to be."""
    return 1 if name == "auto" and engine == "duckdb" and leaves <= LEAVES[1] else None


def report(quick: bool) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"nested and predict: their CPU time over the form's; {'10,000' if quick else '1,000,000 and 100,000'} rows"
    yield HEADER
    sizes = (10_000, 10_000) if quick else (1_000_000, 100_000)
    engines = [make(features_of(n, 9)) for make, n in zip((duckdb_of, sqlite_of), sizes, strict=True)]
    for leaves in LEAVES[: 3 if quick else None]:
        model = model_of(leaves)
        for engine in engines:
            peers = PEERS if leaves < LEAVES[2] or not quick else ()  # orbital takes long
            yield from compared(engine, model, 3 if quick else 5, peers)


def main() -> None:
    parser = argparse.ArgumentParser(description="Emitted SQL beside nested CASE, peers and predict, CPU time.")
    parser.add_argument("--quick", action="store_true", help="fewer rows, smaller trees, fewer rounds: under a minute")
    for text in report(parser.parse_args().quick):
        print(text, flush=True)


if __name__ == "__main__":
    main()

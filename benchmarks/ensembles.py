"""How fast are imported forests and boosted models, and how fast and exact is what is emitted of them?

predict    `predict_margin` on a Table of 1M rows x 10, 100 trees of depth 6, beside the library's own predict with one
           thread: CPU time of ours over the library's, with numba and without, so smaller is better. The least of some
           rounds that take turns. Margins are compared: 0 rows may differ.
python     a row at a time, 100 trees of depth 3: CPU time of m2cgen's function over ours, the length of the modules,
           and how many of 2,000 rows at thresholds each answers otherwise than the library.
sql        DuckDB scores 200,000 rows by 20 trees of depth 6: CPU time of orbital's query over ours, and rows that are
           answered otherwise. orbital needs an environment of its own: TREERULES_SQL_PEERS=.../bin/python.
boosted    DuckDB scores 200,000 rows by 100 trees of depth 6 of XGBoost, LightGBM and CatBoost: CPU time of our query
           over nested CASEs alone (CatBoost's trees are lists), and over loading the rows and the library's predict.
"""

import argparse
import os
import pickle
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import duckdb
import m2cgen
import numpy as np
from measuring import cpu, judged, race
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from threadpoolctl import threadpool_limits

from treerules import Ensemble, Table, to_python, to_sql
from treerules.emit.sql import oblivious_case
from treerules.importers import import_model
from treerules.trees import predict_margin

WIDTH = 10
NAMES = [f"x{place}" for place in range(WIDTH)]
#: The ratios wanted of prediction with numba, ours over the library's: at most these. That of CatBoost is stated only.
GOALS = {
    "XGBoost": 1.3,
    "XGBoost, DMatrix": 1.3,
    "LightGBM": 1.0,
    "CatBoost": None,
    "HistGradientBoosting": 1.0,
    "RandomForest": 1.0,
    "GradientBoosting": 1.0,
}


def data_of(n: int, seed: int) -> tuple[Any, Any]:
    """Return normal columns and a target with an interaction, a bend and noise."""
    generator = np.random.default_rng(seed)
    features = generator.normal(size=(n, WIDTH))
    bend = np.sin(3 * features[:, 2]) + np.abs(features[:, 3])
    return features, features[:, 0] * features[:, 1] + bend + 0.3 * generator.normal(size=n)


def models(n_trees: int, depth: int) -> dict[str, Any]:
    """Return fitted regressions by name."""
    features, target = data_of(20_000, 0)
    histogram = HistGradientBoostingRegressor(
        max_iter=n_trees, max_depth=depth, max_leaf_nodes=2**depth, early_stopping=False
    )
    kinds = {
        "HistGradientBoosting": histogram,
        "RandomForest": RandomForestRegressor(n_trees, max_depth=depth, random_state=0),
        "GradientBoosting": GradientBoostingRegressor(n_estimators=n_trees, max_depth=depth, random_state=0),
    }
    return {name: model.fit(features, target) for name, model in kinds.items()}


def boosted(n_trees: int, depth: int) -> dict[str, tuple[Any, Callable[[Any], Any]]]:
    """Return fitted regressions of libraries of their own, each with its prediction of margins by one thread."""
    features, target = data_of(20_000, 0)
    found: dict[str, tuple[Any, Callable[[Any], Any]]] = {}
    with suppress(ImportError):
        import xgboost

        options = {"max_depth": depth, "nthread": 1}
        model = xgboost.train(options, xgboost.DMatrix(features, target), n_trees)
        found["XGBoost"] = model, lambda rows: model.inplace_predict(rows, predict_type="margin")
        found["XGBoost, DMatrix"] = model, lambda rows: model.predict(xgboost.DMatrix(rows), output_margin=True)
    with suppress(ImportError):
        import lightgbm

        options = {"max_depth": depth, "num_leaves": 2**depth, "num_threads": 1, "verbose": -1}
        trees = lightgbm.train(options, lightgbm.Dataset(features, target), n_trees)
        found["LightGBM"] = trees, partial(trees.predict, raw_score=True, num_threads=1)
    with suppress(ImportError):
        import catboost

        symmetric = catboost.CatBoostRegressor(
            iterations=n_trees, depth=depth, verbose=0, thread_count=1, allow_writing_files=False
        ).fit(features, target)
        found["CatBoost"] = symmetric, partial(symmetric.predict, prediction_type="RawFormulaVal", thread_count=1)
    return found


# ---- prediction


def print_predictions(n_rows: int, n_trees: int, rounds: int) -> None:
    """Print the ratios of all libraries."""
    layout = "{:<22} {:>6} {:>9} {:>8} {:>9} {:<22} {:<16}"
    print(layout.format("predict", "trees", "rows", "differ", "s theirs", "compiled goal", "numpy"))
    features, _ = data_of(n_rows, 1)
    peers = {**boosted(n_trees, 6), **{name: (model, model.predict) for name, model in models(n_trees, 6).items()}}
    for name, goal in GOALS.items():
        if name not in peers:
            print(layout.format(name, "-", "-", "-", "-", "not installed", ""))
            continue
        model, predict_all = peers[name]
        ensemble = import_model(model)
        table = Table.from_columns({f.name: features[:, at] for at, f in enumerate(ensemble.schema.features)})
        ours = [partial(predict_margin, ensemble, table, compiled=is_compiled) for is_compiled in (True, False)]
        with threadpool_limits(1):
            differ = int(sum((call() != predict_all(features)).sum() for call in ours))
            taken = [[cpu(call) for call in (partial(predict_all, features), *ours)] for _ in range(rounds)]
        theirs, compiled, plain = map(min, zip(*taken, strict=True))
        ratios = judged(compiled / theirs, goal, at_most=True), judged(plain / theirs, None)
        print(layout.format(name, n_trees, n_rows, differ, f"{theirs:.2f}", *ratios), flush=True)


# ---- rows at thresholds


def rows_at_thresholds(model: Any, ensemble: Ensemble, n: int) -> Any:
    """Return rows whose cells lie at thresholds of the model, one double and one float32 beside."""
    generator = np.random.default_rng(2)
    columns = []
    for place in range(WIDTH):
        cuts = [cut for tree in trees_of(model) for cut in tree.threshold[tree.feature == place]]
        singles = np.array(cuts or [0.0], dtype=np.float32)
        near = [singles, np.nextafter(singles, np.float32(np.inf)), np.nextafter(singles, np.float32(-np.inf))]
        cells = np.concatenate([np.array(cuts or [0.0]), *(some.astype(np.float64) for some in near)])
        cells = np.concatenate([cells, np.nextafter(cells, np.inf), np.nextafter(cells, -np.inf)])
        columns.append(generator.permutation(np.resize(cells, max(n, len(cells))))[:n])
    return np.column_stack(columns)


def trees_of(model: Any) -> list[Any]:
    return [member.tree_ for member in np.ravel(model.estimators_)]


# ---- Python, a row at a time


def print_python(rounds: int) -> None:
    layout = "{:<22} {:>8} {:<16} {:>9} {:>9} {:>8} {:>8}"
    print(layout.format("python, a row", "us ours", "m2cgen / ours", "kB ours", "m2cgen", "differ", "m2cgen"))
    for name in ("RandomForest", "GradientBoosting"):
        model = models(100, 3)[name]
        ensemble = import_model(model)
        ours, theirs = to_python(ensemble), peer_module(model)
        own, peer = _module(ours), None if theirs is None else _module(theirs)
        features = rows_at_thresholds(model, ensemble, 2_000)
        lists = features.tolist()
        rows = [dict(zip(NAMES, row, strict=True)) for row in lists]
        answer = partial(_each, own.predict, rows)
        expected = model.predict(features).tolist()
        differ = _count_of_differing(own.predict, rows, expected)
        others, shown = "-", "no module"
        if peer is not None:
            others = _count_of_differing(peer.score, lists, expected)
            theirs_of = partial(_each, lambda row, peer=peer: peer.score([row[name] for name in NAMES]), rows)
            shown = judged(race(answer, lambda _, theirs_of=theirs_of: theirs_of(), rounds).ratio, None)
        microseconds = round(cpu(answer) / len(rows) * 1e6)
        print(layout.format(name, microseconds, shown, _size(ours), _size(theirs), differ, others))


def peer_module(model: Any) -> str | None:
    """Return m2cgen's module, or None where it makes none."""
    try:
        return str(m2cgen.export_to_python(model))
    except NotImplementedError:
        return None


def _each(function: Any, rows: Any) -> list[Any]:
    return [function(row) for row in rows]


def _count_of_differing(function: Any, rows: Any, expected: list[Any]) -> int:
    return sum(got != answer for got, answer in zip(_each(function, rows), expected, strict=True))


def _size(text: str | None) -> str:
    """Return the length of a text in kB."""
    return "-" if text is None else str(round(len(text.encode()) / 1000, 1))


def _module(text: str) -> SimpleNamespace:
    names: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(text, "emitted.py", "exec"), names)
    return SimpleNamespace(**names)


# ---- SQL


def print_sql(n_rows: int, rounds: int) -> None:
    layout = "{:<22} {:>9} {:>9} {:<16} {:>9} {:>9} {:>8} {:>8}"
    print(layout.format("sql, DuckDB", "rows", "s ours", "orbital / ours", "kB ours", "orbital", "differ", "orbital"))
    features, target = data_of(20_000, 0)
    fits = {name: model for name, model in models(20, 6).items() if name != "HistGradientBoosting"}
    fits["RandomForest, classes"] = RandomForestClassifier(20, max_depth=6, random_state=0).fit(features, target > 0.5)
    for name, model in fits.items():
        ensemble = import_model(model)
        cells = rows_at_thresholds(model, ensemble, n_rows)
        connection = duckdb.connect()
        connection.execute("SET threads = 1")
        connection.register("frame", {name: cells[:, place] for place, name in enumerate(NAMES)})
        connection.execute("CREATE TABLE data AS SELECT * FROM frame")
        ours, theirs = to_sql(ensemble, dialect="duckdb", kind="select"), peer_query(model)
        expected = model.predict(cells)
        figures = [_run(connection, ours), None if theirs is None else _run(connection, theirs)]
        differ = [None if got is None else int((np.asarray(got) != expected).sum()) for got in figures]
        seconds = cpu(partial(_run, connection, ours))
        ratio = (
            None
            if theirs is None
            else race(partial(_run, connection, ours), lambda _, q=theirs, c=connection: _run(c, q), rounds).ratio
        )
        sizes = (_size(text) for text in (ours, theirs))
        shown = "no query" if ratio is None else judged(ratio, None)
        print(layout.format(name, n_rows, round(seconds, 2), shown, *sizes, *("-" if n is None else n for n in differ)))


def print_boosted_sql(n_rows: int, n_trees: int, rounds: int) -> None:
    layout = "{:<22} {:>9} {:>9} {:>9} {:<20} {:>16} {:>8}"
    print(layout.format("boosted, DuckDB", "rows", "s ours", "kB ours", "ours / nested", "ours / library", "differ"))
    cells, _ = data_of(n_rows, 3)
    connection = duckdb.connect()
    connection.execute("SET threads = 1; SET enable_progress_bar = false")
    connection.register("frame", {name: cells[:, place] for place, name in enumerate(NAMES)})
    connection.execute("CREATE TABLE data AS SELECT * FROM frame")
    for name, (model, predict_all) in boosted(n_trees, 6).items():
        if name == "XGBoost, DMatrix":
            continue
        ensemble = import_model(model, features=NAMES)
        ours = _margin_query(ensemble)
        with patch.object(oblivious_case, "oblivious_levels", lambda _: None):
            nested = _margin_query(ensemble)

        def by_library(predict_all: Callable[[Any], Any] = predict_all) -> Any:
            rows = connection.execute("SELECT * FROM data").fetchnumpy()
            return predict_all(np.column_stack([rows[column] for column in NAMES]))

        differ = int((np.asarray(_run(connection, ours)) != predict_all(cells)).sum())
        calls = [partial(_run, connection, ours), partial(_run, connection, nested), by_library]
        with threadpool_limits(1):
            own, of_nested, of_library = map(
                min, zip(*[[cpu(call) for call in calls] for _ in range(rounds)], strict=True)
            )
        goal = 0.6 if nested != ours else None
        shown = judged(own / of_nested, goal, at_most=True) if goal else "the same"
        print(
            layout.format(name, n_rows, f"{own:.2f}", _size(ours), shown, f"{own / of_library:.1f}", differ), flush=True
        )


def _margin_query(ensemble: Ensemble) -> str:
    query = to_sql(ensemble, dialect="duckdb", kind="select", margin=True)
    return f"SELECT margin FROM ({query})"


def _run(connection: Any, query: str) -> Any:
    return connection.execute(query).fetchnumpy().popitem()[1]


def peer_query(model: Any) -> str | None:
    """Return orbital's query, or None where it makes none."""
    python = os.environ.get("TREERULES_SQL_PEERS")
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.pickle")
        path.write_bytes(pickle.dumps(model))
        command = [python, str(Path(__file__).with_name("sql_peers.py")), "orbital", "duckdb", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        return None
    column = "output_label" if hasattr(model, "classes_") else "variable"
    return f'SELECT "{column}" AS prediction FROM ({done.stdout.strip()}) AS scored'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rounds = 1 if quick else 5
    print_predictions(100_000 if quick else 1_000_000, 20 if quick else 100, rounds)
    print()
    print_python(rounds)
    print()
    print_sql(20_000 if quick else 200_000, rounds)
    print()
    print_boosted_sql(20_000 if quick else 200_000, 20 if quick else 100, rounds)


if __name__ == "__main__":
    main()

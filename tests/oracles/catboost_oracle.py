"""Models of CatBoost and their own answers: a script that runs where CatBoost is installed, and treerules need not be.

python catboost_oracle.py fit FOLDER      fits each case, and writes NAME.json, NAME.cbm and cases.json
python catboost_oracle.py answer FOLDER   reads FOLDER/rows.npz, and writes FOLDER/answers.npz

The answers are those of NAME.cbm, which holds the model as it was fitted: CatBoost rounds what it reads from JSON.
Rows are doubles, a column of categories as the positions of the categories of the case; beyond them it is unseen.
"""

import json
import sys
import warnings
from pathlib import Path

import catboost as cb
import numpy as np
import pandas as pd

N = 400
_RANDOM = np.random.default_rng(7)
X = np.round(_RANDOM.normal(size=(N, 4)), 3)
HOLES = np.where(_RANDOM.random(X.shape) < 0.1, np.nan, X)
SCORE = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * _RANDOM.normal(size=N)
TWO, THREE = (SCORE > 0).astype(int), np.digitize(SCORE, [-0.7, 0.7])
COUNT = _RANDOM.poisson(np.exp(np.clip(SCORE, -2, 2)))
FRAME = pd.DataFrame(
    {
        "age": X[:, 0],
        "城市": np.array(["上海", "b", "北京", "d"])[_RANDOM.integers(0, 4, N)],
        "code": [f"k{code}" for code in _RANDOM.integers(0, 30, N)],
        "size": X[:, 2],
    }
)
BY_CITY = (SCORE + (FRAME["城市"] == "上海") + 2 * FRAME["code"].isin(["k1", "k2", "k7"]) > 0.5).astype(int)
_QUICK = {"iterations": 6, "depth": 3, "random_seed": 0, "thread_count": 1, "verbose": 0, "allow_writing_files": False}
_CATEGORIES = ["城市", "code"]
_ONE_COLUMN = {"simple_ctr": ["Borders"], "max_ctr_complexity": 1}


def _cases():
    """Yield name, loss, rows, target, and what else a case needs."""
    yield from (
        ("logloss", "Logloss", X, TWO, {}),
        ("logloss, text", "Logloss", X, np.array(["no", "yes"])[TWO], {}),
        ("missing is least", "Logloss", HOLES, TWO, {"nan_mode": "Min"}),
        ("missing is greatest", "RMSE", HOLES, SCORE, {"nan_mode": "Max"}),
        ("three classes", "MultiClass", X, np.array(["a", "b", "c"])[THREE], {}),
        ("one against the others", "MultiClassOneVsAll", X, THREE, {}),
        ("rmse", "RMSE", X, SCORE + 5, {}),
        ("mae", "MAE", X, SCORE, {}),
        ("quantile", "Quantile:alpha=0.8", X, SCORE, {}),
        ("huber", "Huber:delta=1", X, SCORE, {}),
        ("poisson", "Poisson", X, COUNT, {}),
        ("tweedie", "Tweedie:variance_power=1.5", X, COUNT + 0.5, {}),
        ("depthwise", "Logloss", X, TWO, {"grow_policy": "Depthwise"}),
        ("lossguide", "RMSE", HOLES, SCORE, {"grow_policy": "Lossguide", "max_leaves": 9}),
        ("lossguide, three classes", "MultiClass", X, THREE, {"grow_policy": "Lossguide", "max_leaves": 9}),
        ("one-hot", "Logloss", FRAME, BY_CITY, {"one_hot_max_size": 64}),
        ("one-hot, depthwise", "Logloss", FRAME, BY_CITY, {"one_hot_max_size": 64, "grow_policy": "Depthwise"}),
        ("statistics", "Logloss", FRAME, BY_CITY, {"one_hot_max_size": 2, **_ONE_COLUMN}),
        ("statistics and one-hot", "Logloss", FRAME, BY_CITY, {"one_hot_max_size": 5, **_ONE_COLUMN, "iterations": 12}),
        ("scaled", "RMSE", X, SCORE, {"scale": (0.3, 1.7)}),
        ("bare", "RMSE", X, np.full(N, 2.5), {"bootstrap_type": "No"}),
    )


def fit(folder):
    """Fit each case and write its model."""
    told = {}
    for name, loss, rows, target, case in _cases():
        own = {key: value for key, value in case.items() if key != "scale"}
        is_frame = isinstance(rows, pd.DataFrame)
        pool = cb.Pool(rows, target, cat_features=_CATEGORIES if is_frame else None)
        is_regression = loss.split(":")[0] not in ("Logloss", "MultiClass", "MultiClassOneVsAll")
        kind = cb.CatBoostRegressor if is_regression else cb.CatBoostClassifier
        model = kind(**{**_QUICK, "loss_function": loss, **own}, allow_const_label=True).fit(pool)
        if "scale" in case:
            model.set_scale_and_bias(*case["scale"])
        model.save_model(str(folder / f"{name}.json"), format="json", pool=pool)
        model.save_model(str(folder / f"{name}.cbm"))
        told[name] = {"file": f"{name}.json", "objective": loss.split(":")[0]}
        if is_frame:
            known = {column: sorted(set(rows[column])) for column in _CATEGORIES}
            told[name].update(columns=list(rows.columns), known=known)
    (folder / "cases.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def answer(folder):
    """Write the margins, the means or probabilities and the labels of the rows of each case."""
    told = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    found = {}
    with np.load(folder / "rows.npz") as all_rows:
        for name in all_rows.files:
            answers = _answers(folder / f"{name}.cbm", told[name], all_rows[name])
            found.update({f"{name}/{what}": value for what, value in answers.items()})
    np.savez_compressed(folder / "answers.npz", **found)


def _answers(path, case, rows):
    model = cb.CatBoost().load_model(str(path))
    if "known" in case:
        columns = dict(zip(case["columns"], rows.T, strict=True))
        for name, categories in case["known"].items():
            columns[name] = [categories[int(code)] if code < len(categories) else "unseen" for code in columns[name]]
        rows = cb.Pool(pd.DataFrame(columns), cat_features=list(case["known"]))
    quiet = {"thread_count": 1}
    margins = model.predict(rows, prediction_type="RawFormulaVal", **quiet)
    if case["objective"] in ("Poisson", "Tweedie"):
        return {"margins": margins, "answers": model.predict(rows, prediction_type="Exponent", **quiet)}
    if case["objective"] not in ("Logloss", "MultiClass", "MultiClassOneVsAll"):
        return {"margins": margins, "answers": margins}
    answers = model.predict(rows, prediction_type="Probability", **quiet)
    labels = model.predict(rows, prediction_type="Class", **quiet).ravel()
    classes = list(map(str, np.asarray(cb.CatBoostClassifier().load_model(str(path)).classes_).tolist()))
    places = np.array([classes.index(str(label)) for label in labels])
    if case["objective"] == "Logloss":
        return {"margins": margins, "answers": answers[:, 1], "labels": places}
    return {"margins": margins, "answers": answers, "labels": places}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    {"fit": fit, "answer": answer}[sys.argv[1]](Path(sys.argv[2]))

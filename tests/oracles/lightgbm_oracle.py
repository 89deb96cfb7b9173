"""Models of LightGBM and their own answers: a script that runs where LightGBM is installed, and treerules need not be.

python lightgbm_oracle.py fit FOLDER      fits each case, and writes NAME.txt and cases.json
python lightgbm_oracle.py answer FOLDER   reads FOLDER/rows.npz, and writes FOLDER/answers.npz

Rows are doubles, a column of categories as the positions of the categories of the case.
"""

import json
import sys
import warnings
from pathlib import Path

import lightgbm as lgb
import numpy as np
import pandas as pd

N = 400
_RANDOM = np.random.default_rng(7)
X = np.round(_RANDOM.normal(size=(N, 4)), 2)
X[_RANDOM.random(X.shape) < 0.15] = 0.0
HOLES = np.where(_RANDOM.random(X.shape) < 0.1, np.nan, X)
SCORE = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * _RANDOM.normal(size=N)
TWO, THREE = (SCORE > 0).astype(int), np.digitize(SCORE, [-0.7, 0.7])
COUNT = _RANDOM.poisson(np.exp(np.clip(SCORE, -2, 2)))
SHARE = 1 / (1 + np.exp(-SCORE))
CODES = np.column_stack([X[:, 0], _RANDOM.integers(0, 40, N).astype(float), X[:, 2]])
CODES[::17, 1] = np.nan
BY_CODE = SCORE + np.nan_to_num(CODES[:, 1]) % 3
FRAME = pd.DataFrame(
    {
        "age": X[:, 0],
        "城市": pd.Categorical(np.array(["上海", "b", "北京", "d"])[_RANDOM.integers(0, 4, N)]),
        "size of it": X[:, 2],
        "unused": pd.Categorical(["k"] * N),
    }
)
FRAME.loc[::9, "城市"] = None
BY_CITY = SCORE + (FRAME["城市"] == "上海") - (FRAME["城市"] == "d")
_QUICK = {
    "num_leaves": 7,
    "min_data_in_leaf": 5,
    "seed": 0,
    "num_threads": 1,
    "verbose": -1,
    "deterministic": True,
    "min_data_per_group": 1,
    "cat_smooth": 1,
}
_FOREST = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}


def _cases():
    """Yield name, objective, rows, target, and what else a case needs."""
    yield from (
        ("binary", "binary", X, TWO, {"labels": ["no", "yes"]}),
        ("binary, missing", "binary", HOLES, TWO, {"labels": ["no", "yes"]}),
        ("binary, slope", "binary", X, TWO, {"sigmoid": 0.1234567, "labels": [0, 1]}),
        ("zero is missing", "regression", X, SCORE, {"zero_as_missing": True}),
        ("zero is missing, too", "regression", HOLES, SCORE, {"zero_as_missing": True}),
        ("nothing is missing", "regression", HOLES, SCORE, {"use_missing": False}),
        ("three classes", "multiclass", X, THREE, {"num_class": 3, "labels": ["a", "b", "c"]}),
        ("one against the others", "multiclassova", X, THREE, {"num_class": 3, "labels": ["c", "b", "a"]}),
        ("l1", "regression_l1", X, SCORE, {}),
        ("huber", "huber", X, SCORE, {}),
        ("fair", "fair", X, SCORE, {}),
        ("quantile", "quantile", X, SCORE, {"alpha": 0.8}),
        ("mape", "mape", X, np.abs(SCORE) + 1, {}),
        ("square roots", "regression", X, SCORE, {"reg_sqrt": True}),
        ("poisson", "poisson", X, COUNT, {}),
        ("gamma", "gamma", X, COUNT + 0.5, {}),
        ("tweedie", "tweedie", X, COUNT, {}),
        ("cross entropy", "cross_entropy", X, SHARE, {}),
        ("cross entropy, weights", "cross_entropy_lambda", X, SHARE, {}),
        ("lambdarank", "lambdarank", X, TWO, {}),
        ("dart", "binary", X, TWO, {"boosting": "dart", "drop_rate": 0.5, "labels": ["no", "yes"]}),
        ("goss", "regression", X, SCORE, {"boosting": "goss"}),
        ("forest", "regression", X, SCORE, _FOREST),
        ("forest, binary", "binary", X, TWO, {**_FOREST, "labels": [False, True]}),
        ("forest, three classes", "multiclass", X, THREE, {**_FOREST, "num_class": 3, "labels": [1, 2, 3]}),
        ("codes", "regression", CODES, BY_CODE, {"columns": [1]}),
        ("codes, missing zero", "regression", CODES, BY_CODE, {"columns": [1], "zero_as_missing": True}),
        ("frame", "regression", FRAME, BY_CITY, {}),
        ("bare", "regression", X, np.full(N, 2.5), {}),
    )


def _booster(objective, rows, target, case):
    own = {key: value for key, value in case.items() if key not in ("labels", "columns")}
    group = [N // 8] * 8 if objective == "lambdarank" else None
    columns = case.get("columns", "auto")
    data = lgb.Dataset(rows, label=target, group=group, categorical_feature=columns, params={"verbose": -1})
    return lgb.train({**_QUICK, "objective": objective, **own}, data, 6)


def fit(folder):
    """Fit each case and write its model."""
    told = {}
    for name, objective, rows, target, case in _cases():
        file = f"{name}.txt"
        _booster(objective, rows, target, case).save_model(folder / file)
        told[name] = {"file": file, "objective": objective, "is_forest": case.get("boosting") == "rf"}
        if "labels" in case:
            told[name]["labels"] = case["labels"]
        if "columns" in case:
            told[name]["categories"] = "codes"
        if isinstance(rows, pd.DataFrame):
            told[name]["columns"] = list(rows.columns)
            told[name]["known"] = {"城市": list(FRAME["城市"].cat.categories), "unused": ["k"]}
    (folder / "cases.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def answer(folder):
    """Write the margins, the means or probabilities and the labels of the rows of each case."""
    told = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    found = {}
    with np.load(folder / "rows.npz") as all_rows:
        for name in all_rows.files:
            answers = _answers(folder, told[name], all_rows[name])
            found.update({f"{name}/{what}": value for what, value in answers.items()})
    np.savez_compressed(folder / "answers.npz", **found)


def _answers(folder, case, rows):
    booster = lgb.Booster(model_file=str(folder / case["file"]))
    if "known" in case:
        columns = dict(zip(case["columns"], rows.T, strict=True))
        for name, categories in case["known"].items():
            codes = np.where(np.isnan(columns[name]), -1, columns[name]).astype(int)
            columns[name] = pd.Categorical.from_codes(codes, categories=categories)
        rows = pd.DataFrame(columns)
    quiet = {"num_threads": 1}
    margins, answers = booster.predict(rows, raw_score=True, **quiet), booster.predict(rows, **quiet)
    if case["is_forest"]:  # raw scores of a forest are the sums that are not divided
        margins = margins / (booster.num_trees() // (1 if margins.ndim == 1 else margins.shape[1]))
    found = {"margins": margins, "answers": answers}
    if case["objective"] == "binary":  # as LGBMClassifier says
        return {**found, "labels": np.column_stack([1.0 - answers, answers]).argmax(axis=1)}
    return {**found, "labels": answers.argmax(axis=1)} if answers.ndim > 1 else found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
    {"fit": fit, "answer": answer}[sys.argv[1]](Path(sys.argv[2]))

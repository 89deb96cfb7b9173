"""Models of XGBoost and their own answers: a script that runs where XGBoost is installed, and treerules need not be.

python xgboost_oracle.py fit FOLDER               fits each case, and writes NAME.json or NAME.ubj and cases.json
python xgboost_oracle.py answer FOLDER            reads FOLDER/rows.npz, and writes FOLDER/answers.npz

Rows are doubles, a column of categories as the positions of the categories of the case.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import xgboost as xgb

N = 400
_RANDOM = np.random.default_rng(7)
X = np.round(_RANDOM.normal(size=(N, 4)), 3)
X[_RANDOM.random(X.shape) < 0.1] = np.nan
_FILLED = np.nan_to_num(X)
SCORE = _FILLED[:, 0] + _FILLED[:, 1] * _FILLED[:, 2] + 0.3 * _RANDOM.normal(size=N)
TWO, THREE = (SCORE > 0).astype(int), np.digitize(SCORE, [-0.7, 0.7])
COUNT = _RANDOM.poisson(np.exp(np.clip(SCORE, -2, 2)))
CODES = np.column_stack([X[:, 0], _RANDOM.integers(0, 40, N).astype(float), X[:, 2]])
CODES[::17, 1] = np.nan
BY_CODE = SCORE + CODES[:, 1] % 3 - (CODES[:, 1] == 31)
BY_CODE = np.nan_to_num(BY_CODE)
FRAME = pd.DataFrame(
    {
        "age": X[:, 0],
        "城市": pd.Categorical(np.array(["上海", "b", "北京", "d"])[_RANDOM.integers(0, 4, N)]),
        "size of it": X[:, 2],
    }
)
FRAME.loc[::9, "城市"] = None
BY_CITY = SCORE + (FRAME["城市"] == "上海") - (FRAME["城市"] == "d")
_QUICK = {"max_depth": 3, "eta": 0.3, "seed": 0, "nthread": 1}


def _filled(number):
    return np.where(np.isnan(X), number, X)


def _cases():
    """Yield name, objective, rows, target, and what else a case needs."""
    yield from (
        ("logistic", "binary:logistic", X, TWO, {"labels": ["no", "yes"]}),
        ("logistic raw", "binary:logitraw", X, TWO, {"labels": [0, 1]}),
        ("hinge", "binary:hinge", X, TWO, {"labels": [False, True]}),
        ("logistic regression", "reg:logistic", X, TWO, {}),
        ("softmax", "multi:softmax", X, THREE, {"num_class": 3, "labels": ["a", "b", "c"]}),
        ("softprob", "multi:softprob", X, THREE, {"num_class": 3, "labels": ["c", "b", "a"]}),
        ("squared error", "reg:squarederror", X, SCORE, {}),
        ("absolute error", "reg:absoluteerror", X, SCORE, {}),
        ("huber error", "reg:pseudohubererror", X, SCORE, {}),
        ("squared log error", "reg:squaredlogerror", X, np.abs(SCORE), {}),
        ("poisson", "count:poisson", X, COUNT, {}),
        ("poisson, base", "count:poisson", X, COUNT, {"base_score": 2.3}),
        ("gamma", "reg:gamma", X, COUNT + 0.5, {}),
        ("tweedie", "reg:tweedie", X, COUNT + 0.5, {}),
        ("pairwise", "rank:pairwise", X, TWO, {}),
        ("ndcg", "rank:ndcg", X, TWO, {}),
        ("dart", "binary:logistic", X, TWO, {"booster": "dart", "rate_drop": 0.4, "n": 10, "labels": ["no", "yes"]}),
        (
            "dart, three classes",
            "multi:softprob",
            X,
            THREE,
            {"booster": "dart", "rate_drop": 0.4, "num_class": 3, "labels": ["a", "b", "c"]},
        ),
        ("parallel trees", "binary:logistic", X, TWO, {"num_parallel_tree": 3, "subsample": 0.6, "labels": [0, 1]}),
        ("base", "binary:logistic", X, TWO, {"base_score": 0.1, "labels": [0, 1]}),
        ("codes", "reg:squarederror", CODES, BY_CODE, {"types": ["q", "c", "q"], "max_cat_to_onehot": 1}),
        ("codes, one by one", "reg:squarederror", CODES, BY_CODE, {"types": ["q", "c", "q"], "max_cat_to_onehot": 99}),
        ("missing number", "reg:squarederror", _filled(-999.0), SCORE, {"missing": -999.0}),
        ("missing fraction", "reg:squarederror", _filled(0.1), SCORE, {"missing": 0.1}),
        ("bare", "reg:squarederror", X, np.full(N, 2.5), {}),
        ("frame", "reg:squarederror", FRAME, BY_CITY, {"max_cat_to_onehot": 1}),
        ("frame, one by one", "reg:squarederror", FRAME, BY_CITY, {}),
    )


def _matrix(rows, case, **more):
    if isinstance(rows, pd.DataFrame):
        return xgb.DMatrix(rows, enable_categorical=True, nthread=1, **more)
    types = case.get("types")
    options = {"feature_types": types, "enable_categorical": True} if types else {}
    return xgb.DMatrix(rows, missing=case.get("missing", np.nan), nthread=1, **options, **more)


def _booster(objective, rows, target, case):
    matrix = _matrix(rows, case, label=target)
    if objective.startswith("rank"):
        matrix.set_group([N // 8] * 8)
    own = {key: value for key, value in case.items() if key not in ("labels", "types", "missing", "n")}
    return xgb.train({**_QUICK, "objective": objective, **own}, matrix, case.get("n", 6))


def fit(folder):
    """Fit each case and write its model."""
    told = {}
    for number, (name, objective, rows, target, case) in enumerate(_cases()):
        file = f"{name}.{'ubj' if number % 3 == 2 else 'json'}"
        _booster(objective, rows, target, case).save_model(folder / file)
        told[name] = {"file": file, "objective": objective, **{k: case[k] for k in ("labels", "missing") if k in case}}
        if "types" in case:
            told[name]["categories"] = "codes"
        if isinstance(rows, pd.DataFrame):
            told[name]["categories"] = {"城市": list(FRAME["城市"].cat.categories)}
    for name, early in (("wrapper", False), ("wrapper, stopped early", True)):
        stop = {"early_stopping_rounds": 2} if early else {}
        model = xgb.XGBClassifier(n_estimators=8, max_depth=3, n_jobs=1, random_state=0, **stop)
        model.fit(X[:200], TWO[:200], eval_set=[(X[200:], TWO[200:])], verbose=False)
        model.save_model(folder / f"{name}.json")
        told[name] = {"file": f"{name}.json", "objective": "binary:logistic", "labels": [0, 1], "wrapper": True}
    (folder / "cases.json").write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def answer(folder):
    """Write the margins, the means or probabilities and the labels of the rows of each case."""
    told = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    found = {}
    with np.load(folder / "rows.npz") as all_rows:
        for name in all_rows.files:
            case, rows = told[name], all_rows[name]
            found.update({f"{name}/{what}": value for what, value in _answers(folder, case, rows).items()})
    np.savez_compressed(folder / "answers.npz", **found)


def _answers(folder, case, rows):
    if case.get("wrapper"):
        model = xgb.XGBClassifier()
        model.load_model(folder / case["file"])
        margins = model.predict(rows, output_margin=True)
        return {"margins": margins, "answers": model.predict_proba(rows)[:, 1], "labels": model.predict(rows)}
    booster = xgb.Booster(model_file=str(folder / case["file"]))
    booster.set_param({"nthread": 1})
    is_coded = case.get("categories") == "codes"
    if isinstance(case.get("categories"), dict):
        codes = np.where(np.isnan(rows[:, 1]), -1, rows[:, 1]).astype(int)
        cities = pd.Categorical.from_codes(codes, categories=case["categories"]["城市"])
        rows = pd.DataFrame({"age": rows[:, 0], "城市": cities, "size of it": rows[:, 2]})
    matrix = _matrix(rows, {**case, "types": booster.feature_types if is_coded else None})
    margins, answers = booster.predict(matrix, output_margin=True), booster.predict(matrix)
    if case["objective"] in ("binary:logitraw", "binary:hinge", "binary:logistic"):  # as XGBClassifier says
        return {"margins": margins, "answers": answers, "labels": (answers > 0.5).astype(int)}
    if case["objective"].startswith("multi"):
        labels = answers if answers.ndim == 1 else answers.argmax(axis=1)
        return {"margins": margins, "answers": answers, "labels": labels}
    return {"margins": margins, "answers": answers}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "fit":
        Path(sys.argv[2]).mkdir(parents=True, exist_ok=True)
        fit(Path(sys.argv[2]))
    else:
        answer(Path(sys.argv[2]))

"""Models of XGBoost as ensembles: files (JSON, UBJSON), and live Boosters, XGBClassifier, XGBRegressor, XGBRanker.

XGBoost rounds each cell to float32 and sends it to the first child if it is below the threshold; a missing cell goes
where the node says. A category goes to the second child if it is among those of the node, and any other, also a code
that is none, to the first. Leaves are added in float32, one after the other, beginning with the base.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf, isfinite, isnan, nextafter
from typing import Any, Literal

import numpy as np
from attrs import evolve, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.interval import Intervals, complement_of, intersection_of, union_of, valid_interval
from treerules.errors import DataError, ModelFileError, counted
from treerules.importers.boosted_ensemble import boosted_ensemble
from treerules.importers.boosted_inputs import boosted_inputs
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import ColumnTest, Inputs, MemberTest, NodeTest, interval_test
from treerules.importers.library_trees import Figures, LibraryTree, check_nodes, whole_numbers
from treerules.importers.model_documents import ModelDocument, document_errors, parsed
from treerules.importers.named_values import label_feature, n_iterations, number_feature
from treerules.importers.single_logarithm import single_logarithm
from treerules.importers.xgboost_document import XGBoostModel, XGBoostTree, xgboost_model
from treerules.trees.ensemble import Ensemble, LabelBy
from treerules.trees.node_parts import MeanPrediction

#: The ImportOptions that models of XGBoost take besides the names.
XGBOOST_OPTIONS = ("labels", "missing", "categories", "iterations")
_OF_DART = (
    "margins are those of Booster.predict(DMatrix); before XGBoost 3.3 the predict of XGBClassifier, XGBRegressor and "
    "inplace_predict adds the leaves of DART otherwise, so that last bits may differ"
)
#: The least float32 margin whose probability, as XGBoost computes it in float32, is above 0.5.
_LOGISTIC_CUT = float.fromhex("0x1.800002p-24")
#: The least double that float32 rounds to infinity, and the least number with all its digits in float32.
_FIRST_BEYOND, _LEAST_NORMAL = 3.4028235677973366e38, float(np.finfo(np.float32).tiny)
#: The least float32 numbers above 0, and above 0.5.
_ABOVE_0, _ABOVE_HALF = (float(np.nextafter(np.float32(number), np.float32(1))) for number in (0.0, 0.5))


@short_repr
@frozen
class XGBoostObjective:
    """What the margins of an objective mean.

    Args:
        link: the name of the link function.
        n_margins: whether there is a margin for each class, or one.
        space: what base_score is: a margin, a probability, or a mean above 0.
        cut: the least margin of the second of two classes; None where there are not two.
        label_by: what the label of several classes has the greatest of; XGBClassifier compares probabilities.
    """

    link: str
    n_margins: Literal["one", "classes"] = "one"
    space: Literal["margin", "probability", "mean"] = "margin"
    cut: float | None = None
    label_by: LabelBy = "margins"


_IDENTITY, _EXP = XGBoostObjective("identity"), XGBoostObjective("exp", space="mean")
#: The objectives by name; the label of binary:logitraw is that of XGBClassifier, which compares the margin with 0.5.
XGBOOST_OBJECTIVES: Mapping[str, XGBoostObjective] = {
    "binary:logistic": XGBoostObjective("sigmoid", space="probability", cut=_LOGISTIC_CUT),
    "binary:logitraw": XGBoostObjective("sigmoid", cut=_ABOVE_HALF),
    "binary:hinge": XGBoostObjective("step", cut=_ABOVE_0),
    "multi:softmax": XGBoostObjective("softmax", "classes"),
    "multi:softprob": XGBoostObjective("softmax", "classes", label_by="probabilities"),
    "reg:logistic": XGBoostObjective("expit", space="probability"),
    "reg:squarederror": _IDENTITY,
    "reg:linear": _IDENTITY,
    "reg:absoluteerror": _IDENTITY,
    "reg:quantileerror": _IDENTITY,
    "reg:pseudohubererror": _IDENTITY,
    "reg:squaredlogerror": _IDENTITY,
    "rank:pairwise": _IDENTITY,
    "rank:ndcg": _IDENTITY,
    "rank:map": _IDENTITY,
    "count:poisson": _EXP,
    "reg:gamma": _EXP,
    "reg:tweedie": _EXP,
}


def is_of_xgboost(model: Any) -> bool:
    """Return whether a model is a document of XGBoost, or an object of its classes or derived from one."""
    if isinstance(model, ModelDocument):
        return model.has("learner", "version")
    return any((base.__module__ or "").split(".")[0] == "xgboost" for base in type(model).__mro__)


def read_xgboost(fitted: Any, options: ImportOptions, steps: Sequence[Any] = ()) -> Ensemble:
    """Return the ensemble of a document, or of a live model that may stand behind steps of scikit-learn.

    Raises:
        ModelFileError: the document is damaged, or of a kind of model that is not read.
        OptionError: an option does not fit the model, or is needed and not given.
        DataError: the live model is not fitted.
    """
    document, labels, options = _document_of(fitted, options)
    if options.missing is not None and isnan(options.missing):  # which is missing anyway
        options = evolve(options, missing=None)
    with document_errors(document.name):
        model = xgboost_model(document.content)
        return _ensemble(model, labels, options, steps)


def _document_of(fitted: Any, options: ImportOptions) -> tuple[ModelDocument, Sequence[Any] | None, ImportOptions]:
    """Return the document of a model, and what a live model says besides: its labels, missing value and iterations."""
    if isinstance(fitted, ModelDocument):
        return fitted, None, options
    name = f"the {type(fitted).__name__}"
    if not hasattr(fitted, "get_booster"):
        return ModelDocument(name, parsed(bytes(fitted.save_raw("json")))), None, options
    if not fitted.__sklearn_is_fitted__():
        raise DataError(f"the {type(fitted).__name__} is not fitted", "call its fit() first")
    if callable(fitted.objective):
        problem = f"{name}: its objective is a function of your own, so that it is not known what its margins mean"
        raise ModelFileError(problem, "give get_booster(), which is read with the link function that its file names")
    if options.missing is None and fitted.missing is not None:
        options = evolve(options, missing=float(fitted.missing))
    booster = fitted.get_booster()
    if options.iterations is None and booster.attr("best_iteration") is not None:
        options = evolve(options, iterations=int(booster.attr("best_iteration")) + 1)
    labels = getattr(fitted, "classes_", None)
    return ModelDocument(name, parsed(bytes(booster.save_raw("json")))), labels, options


def _ensemble(
    model: XGBoostModel, labels: Sequence[Any] | None, options: ImportOptions, steps: Sequence[Any]
) -> Ensemble:
    objective = XGBOOST_OBJECTIVES.get(model.objective)
    if objective is None:
        problem = f"its objective is {model.objective!r}"
        raise ModelFileError(problem, f"the objectives that are read are {', '.join(XGBOOST_OBJECTIVES)}")
    n_margins = model.n_classes if objective.n_margins == "classes" else 1
    if objective.n_margins == "one" and objective.cut is None:
        target = number_feature(options)
    else:
        target = label_feature(options, labels, max(n_margins, 2))
    inputs = _inputs(model, options, steps)
    n_used, n_all = _iterations(model, options), len(model.n_trees) - 1
    members = model.trees[: model.n_trees[n_used]]
    if not members or any(not 0 <= member.output < n_margins for member in members):
        raise ModelFileError(f"a tree is added to none of its {n_margins} margins")
    notes = [f"imported from a model of XGBoost ({model.objective}); weight is the sum of hessians"]
    if not all(_is_known(member.hessian).all() for member in members):
        notes.append("some sums of hessians are no numbers from 0: the weight of these leaves is 0")
    if n_used < n_all:
        notes.append(f"{n_used} of {n_all} iterations predict")
    if model.is_ambiguous:
        notes.append(_OF_DART)
    return boosted_ensemble(
        target,
        inputs,
        [_library_tree(member, number, inputs, options.missing) for number, member in enumerate(members, 1)],
        _base(model.base_score, objective, n_margins),
        [member.output for member in members],
        link=objective.link,
        cut=objective.cut,
        sum_type="float32",
        counted="weight",
        label_by=objective.label_by,
        notes=notes,
    )


def _inputs(model: XGBoostModel, options: ImportOptions, steps: Sequence[Any]) -> Inputs:
    """Return the columns before a model, which takes the zeros that a sparse table does not store for missing values.

    Behind steps it is not known whether the caller has the codes of a column of categories that they only pass.
    """
    names = model.names or [f"f{column}" for column in range(model.n_features)]
    codes, known = model.highest_codes, model.categories
    return boosted_inputs(steps, names, codes, known, options, unstored="missing", of_frame=codes)


def _iterations(model: XGBoostModel, options: ImportOptions) -> int:
    """Return how many iterations predict: as many as asked for, else those that the interface for scikit-learn uses."""
    n = len(model.n_trees) - 1
    if options.iterations is None and model.is_of_wrapper and model.best_iteration is not None:
        return min(model.best_iteration + 1, n)
    return n_iterations(options, n)


#: base_score as a margin, by what it is.
_BASES: Mapping[str, Callable[[Any], float]] = {
    "margin": float,
    "probability": lambda score: (
        -single_logarithm(float(np.float32(1) / np.clip(score, np.float32(1e-6), np.float32(1 - 1e-6)) - np.float32(1)))
    ),
    "mean": lambda score: single_logarithm(float(score)),
}


def _base(base_score: Sequence[float], objective: XGBoostObjective, n_margins: int) -> list[float]:
    """Return the number that each margin begins with: float32, as XGBoost computes it."""
    is_fit = all(isfinite(score) for score in base_score)
    if objective.space == "probability":
        is_fit = all(0 <= score <= 1 for score in base_score)
    if objective.space == "mean":
        is_fit = all(_LEAST_NORMAL <= score < inf for score in base_score)
    if len(base_score) not in (1, n_margins) or not is_fit:
        problem = f"its base_score is {list(base_score)!r:.80}, which does not fit its {counted(n_margins, 'margin')}"
        raise ModelFileError(problem)
    scores = list(base_score) * (n_margins // len(base_score))
    return [float(np.float32(_BASES[objective.space](np.float32(score)))) for score in scores]


# ---- trees


def _library_tree(tree: XGBoostTree, number: int, inputs: Inputs, missing: float | None) -> LibraryTree:
    check_nodes(tree.left, tree.right, f"tree {number}")
    thresholds = _below(tree.number)
    tests: dict[int, ColumnTest] = {}
    for node in np.flatnonzero(tree.left >= 0).tolist():
        column, side = int(tree.feature[node]), 0 if tree.goes_left[node] else 1
        if node not in tree.codes:
            tests[node] = _number_test(column, float(thresholds[node]), side, missing)
        elif column in inputs.codes:
            tests[node] = _category_test(column, tree.codes[node], side, len(inputs.codes[column]), missing)
        else:
            tests[node] = interval_test(column, _with_missing(_outside(tree.codes[node]), side, missing), side)
    weights = whole_numbers(np.where(_is_known(tree.hessian), tree.hessian, 0.0).astype(np.float64)[:, np.newaxis])
    figures: list[Figures | None] = [
        (MeanPrediction(value), tuple(weight)) if child < 0 else None
        for value, weight, child in zip(tree.number.tolist(), weights, tree.left.tolist(), strict=True)
    ]
    return LibraryTree(tree.left.tolist(), tree.right.tolist(), tests, figures)


def _is_known(hessian: Any) -> Any:
    """Return whether sums of hessians are finite numbers from 0."""
    return np.isfinite(hessian) & (hessian >= 0)


def _below(numbers: Any) -> Any:
    """Return for each float32 the greatest double whose float32 is below it."""
    return exact_thresholds(np.nextafter(np.asarray(numbers, dtype=np.float32), np.float32(-inf)))


def _number_test(column: int, threshold: float, side: int, missing: float | None) -> ColumnTest:
    if missing is None:
        return NodeTest(column, threshold, side)
    return interval_test(column, _with_missing((valid_interval(None, threshold),), side, missing), side)


def _with_missing(intervals: Intervals, side: int, missing: float | None) -> Intervals:
    """Return the doubles of the first child, where those that round to `missing` go to the side of missing values."""
    if missing is None:
        return intervals
    hole = _rounding_to(missing)
    return union_of([*intervals, *hole]) if side == 0 else intersection_of(intervals, complement_of(hole))


def _rounding_to(number: float) -> Intervals:
    """Return the doubles that are a number once they are rounded to float32."""
    with np.errstate(over="ignore"):
        single = np.float32(number)
    if np.isinf(single):  # what is beyond the greatest float32
        beyond = (valid_interval(nextafter(_FIRST_BEYOND, 0.0), None),)
        return beyond if single > 0 else (valid_interval(None, -_FIRST_BEYOND),)
    above, upto = _below([single, np.nextafter(single, np.float32(inf))]).tolist()
    return (valid_interval(above, upto),)


def _category_test(column: int, codes: frozenset[int], side: int, n_codes: int, missing: float | None) -> ColumnTest:
    hole = set() if missing is None else {code for code in range(n_codes) if code == missing}
    known = {code for code in codes if 0 <= code < n_codes}
    second = known - hole if side == 0 else known | hole
    return MemberTest(column, frozenset(), frozenset(map(float, second)), side, 0)


def _outside(codes: frozenset[int]) -> Intervals:
    """Return the doubles that, as float32 without their fraction, are none of some codes, or that are below 0."""
    members = sorted(code for code in codes if code >= 0)
    ends = zip(_below(members).tolist(), _below([code + 1 for code in members]).tolist(), strict=True)
    return complement_of(union_of(valid_interval(above, upto) for above, upto in ends))

"""Models of LightGBM as ensembles: files of text, and live Boosters, LGBMClassifier, LGBMRegressor, LGBMRanker.

LightGBM compares doubles. Before the trees a number of at most 1.0000000180025095e-35 is 0, but for those of a sparse
table by rows (csr): they are compared as they are. What a missing value is,
each node says: NaN is 0 ("None"), 0 and NaN are missing ("Zero"), or NaN is ("NaN"); missing values go to the default
child. Of categories the integer part of a number is the code; those of the node go to the first child, all others,
negative ones and NaN to the second. Leaves are added as doubles, in the order of the trees.
"""

from collections.abc import Mapping, Sequence
from math import exp, inf, nextafter
from typing import Any

import numpy as np

from treerules.data.interval import Intervals, complement_of, intersection_of, union_of, valid_interval
from treerules.errors import DataError, ModelFileError, OptionError, counted, listed
from treerules.importers.boosted_ensemble import MarginUse, boosted_ensemble
from treerules.importers.boosted_inputs import boosted_inputs, categories_behind_steps
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import ColumnTest, Inputs, MemberTest, NodeTest, interval_test
from treerules.importers.library_trees import Figures, LibraryTree, check_nodes
from treerules.importers.lightgbm_document import LightGBMModel, LightGBMTree, is_lightgbm, lightgbm_model
from treerules.importers.model_documents import ModelDocument, document_errors
from treerules.importers.named_values import label_feature, n_iterations, number_feature
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import MeanPrediction

#: The ImportOptions that models of LightGBM take besides the names.
LIGHTGBM_OPTIONS = ("labels", "categories", "iterations")
#: The greatest number that is 0: the float32 next to 1e-35.
_ZERO = 1.0000000180025095e-35
_ZEROS: Intervals = (valid_interval(nextafter(-_ZERO, -inf), _ZERO),)
#: The kinds of missing values, by two bits of a decision.
_NAN_IS_ZERO, _ZERO_IS_MISSING = 0, 1


_IDENTITY, _EXP = MarginUse("identity"), MarginUse("exp")
#: The objectives by name.
LIGHTGBM_OBJECTIVES: Mapping[str, MarginUse] = {
    "binary": MarginUse("sigmoid", "cut"),
    "multiclass": MarginUse("softmax", "classes"),
    "multiclassova": MarginUse("sigmoids", "classes"),
    "cross_entropy": MarginUse("expit"),
    "cross_entropy_lambda": MarginUse("softplus"),
    "poisson": _EXP,
    "gamma": _EXP,
    "tweedie": _EXP,
    **dict.fromkeys(
        ("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg"),
        _IDENTITY,
    ),
}


def is_of_lightgbm(model: Any) -> bool:
    """Return whether a model is a document of LightGBM, or an object of its classes or derived from one."""
    if isinstance(model, ModelDocument):
        return isinstance(model.content, str) and is_lightgbm(model.content)
    return any((base.__module__ or "").split(".")[0] == "lightgbm" for base in type(model).__mro__)


def read_lightgbm(fitted: Any, options: ImportOptions, steps: Sequence[Any] = ()) -> Ensemble:
    """Return the ensemble of a document, or of a live model that may stand behind steps of scikit-learn.

    Raises:
        ModelFileError: the document is damaged, or of a kind of model that is not read.
        OptionError: an option does not fit the model, or is needed and not given.
        DataError: the live model is not fitted.
    """
    document, labels = _document_of(fitted, options)
    with document_errors(document.name):
        return _ensemble(lightgbm_model(document.content), labels, options, steps)


def _document_of(fitted: Any, options: ImportOptions) -> tuple[ModelDocument, Sequence[Any] | None]:
    """Return the document of a model, up to its best iteration or whole, and the labels that a live classifier has."""
    if isinstance(fitted, ModelDocument):
        return fitted, None
    name, booster = f"the {type(fitted).__name__}", fitted
    if hasattr(fitted, "fit"):
        if not getattr(fitted, "fitted_", False):
            raise DataError(f"the {type(fitted).__name__} is not fitted", "call its fit() first")
        booster = fitted.booster_
    n_iterations = None if options.iterations is None else -1
    return ModelDocument(name, booster.model_to_string(num_iteration=n_iterations)), getattr(fitted, "classes_", None)


def _ensemble(
    model: LightGBMModel, labels: Sequence[Any] | None, options: ImportOptions, steps: Sequence[Any] = ()
) -> Ensemble:
    name, *words = model.objective or ("custom",)
    objective = LIGHTGBM_OBJECTIVES.get(name)
    if name == "custom":
        problem = "its objective is custom, a function that it does not hold, so that it is not known what margins mean"
        raise ModelFileError(problem, "to read them as numbers, write the line objective=regression into its header")
    if objective is None:
        remedy = f"the objectives that are read are {', '.join(LIGHTGBM_OBJECTIVES)}"
        raise ModelFileError(f"its objective is {name!r}", remedy)
    if "sqrt" in words:
        objective = MarginUse("square")
    if model.n_outputs != (model.n_classes if objective.use == "classes" else 1):
        raise ModelFileError(f"it has {model.n_outputs} trees of an iteration, which do not fit its objective {name!r}")
    if objective.use == "mean":
        target = number_feature(options)
    else:
        target = label_feature(options, labels, max(model.n_outputs, 2))
    slope = next((float(word.partition(":")[2]) for word in words if word.startswith("sigmoid:")), 1.0)
    slope = slope if objective.link in ("sigmoid", "sigmoids") else 1.0
    if steps and model.frame_lists:
        raise categories_behind_steps([model.names[column] for column in model.highest_codes])
    if not model.is_certain and options.categories is None:
        raise _uncertain_categories(model)
    inputs = boosted_inputs(steps, model.names, model.highest_codes, model.categories, options)
    keeps_tiny = inputs.table_format == "csr"
    n_all = len(model.trees) // model.n_outputs
    n = n_iterations(options, n_all)
    members = model.trees[: n * model.n_outputs]
    notes = [f"imported from a model of LightGBM ({' '.join(model.objective)})"]
    return boosted_ensemble(
        target,
        inputs,
        [_library_tree(member, number, inputs, keeps_tiny) for number, member in enumerate(members)],
        [0.0] * model.n_outputs,
        [number % model.n_outputs for number in range(len(members))],
        link=objective.link,
        slope=slope,
        cut=_cut(slope) if objective.use == "cut" else None,
        average=model.averages,
        label_by="probabilities" if objective.use == "classes" else "margins",  # as LGBMClassifier
        notes=notes if n == n_all else [*notes, f"{n} of {n_all} iterations predict"],
    )


def _uncertain_categories(model: LightGBMModel) -> OptionError:
    """Return the error for a file that lists categories, where several choices of columns fit them."""
    own = [model.names[column] for column in model.highest_codes]
    lists = listed([list(values) for values in model.frame_lists])
    return OptionError(
        "categories",
        None,
        f"the categories of {listed(own)} in the order of their codes, or 'codes' where your columns hold codes: the "
        f"model lists the categories of {counted(len(model.frame_lists), 'column')} of a data frame, {lists}, and does "
        "not say of which; columns of ordered categories may be among them, which it reads as codes unless they were "
        "declared",
    )


def _cut(slope: float) -> float:
    """Return the least margin at which the probability of the second class is above that of the first.

    LGBMClassifier compares them as doubles, so the least margins above 0 belong to the first class.
    """

    def is_second(bits: int) -> bool:
        second = 1.0 / (1.0 + exp(-slope * float(np.int64(bits).view(np.float64))))
        return second > 1.0 - second

    low, high = 0, int(np.float64(1.0).view(np.int64))  # doubles above 0 have the order of their bits
    while not is_second(high):
        high += 1 << 52
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_second(middle) else (middle, high)
    return float(np.int64(high).view(np.float64))


# ---- trees


def _library_tree(tree: LightGBMTree, number: int, inputs: Inputs, keeps_tiny: bool) -> LibraryTree:
    n = len(tree.left)
    leaf = np.full(len(tree.values), -1)
    left, right = np.concatenate([tree.left, leaf]), np.concatenate([tree.right, leaf])
    check_nodes(left, right, f"tree {number}")
    tests = {split: _test(tree, split, inputs, keeps_tiny) for split in range(n)}
    figures: list[Figures | None] = [None] * n
    figures += [(MeanPrediction(value), (count,)) for value, count in zip(tree.values, tree.counts, strict=True)]
    return LibraryTree(left.tolist(), right.tolist(), tests, figures)


def _test(tree: LightGBMTree, split: int, inputs: Inputs, keeps_tiny: bool) -> ColumnTest:
    """Return the test of a split; `keeps_tiny` says whether numbers next to 0 are compared as they are."""
    column, decision = int(tree.feature[split]), int(tree.decision[split])
    if split in tree.codes:
        codes = tree.codes[split]
        if column not in inputs.codes:
            return interval_test(column, _of_codes(codes), 1)
        n_codes = len(inputs.codes[column])
        first = frozenset(float(code) for code in codes if code < n_codes)
        return MemberTest(column, first, frozenset(), 1, 1)
    threshold, kind, default = float(tree.threshold[split]), decision >> 2, 0 if decision & 2 else 1
    zero = default if kind == _ZERO_IS_MISSING else int(not threshold >= 0)
    missing = zero if kind == _NAN_IS_ZERO else default
    if keeps_tiny and kind != _ZERO_IS_MISSING:
        return NodeTest(column, threshold, missing)
    return interval_test(column, _up_to(threshold, zero), missing)


def _up_to(threshold: float, zero: int) -> Intervals:
    """Return the doubles up to a threshold, where the numbers that are 0 go to the child `zero`."""
    below: Intervals = (valid_interval(None, None if threshold == inf else threshold),)
    if threshold == -inf:
        below = ()
    return union_of([*below, *_ZEROS]) if zero == 0 else intersection_of(below, complement_of(_ZEROS))


def _of_codes(codes: frozenset[int]) -> Intervals:
    """Return the doubles whose integer part is one of some codes: of 0 also those above -1."""
    below = (nextafter(float(code), -inf) for code in sorted(codes))
    return union_of(
        valid_interval(-1.0 if start < 0 else start, nextafter(float(code + 1), -inf))
        for start, code in zip(below, sorted(codes), strict=True)
    )

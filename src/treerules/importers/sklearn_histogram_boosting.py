"""Fitted HistGradientBoosting* of scikit-learn as ensembles.

Cells are compared as doubles, without rounding. Categories pass an encoder of the model's own (see `model_steps`),
which moves their columns before all others. A code that a split knows goes to one of its children; any other, of an
unseen category or one that only the rows for early stopping had, goes where missing values go.
"""

from math import nextafter
from typing import Any

import numpy as np

from treerules.importers.inputs import ColumnTest, Inputs, MemberTest, NodeTest
from treerules.importers.library_trees import Figures, LibraryTree
from treerules.importers.sklearn_margins import sklearn_ensemble
from treerules.importers.sklearn_models import require_fitted, unsupported_model
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import MeanPrediction

#: The class that this module reads; HistGradientBoosting* are derived from it.
HISTOGRAM_BOOSTED = ("BaseHistGradientBoosting",)
#: The fields of a node that scikit-learn 1.6 to 1.9 have; a field that is not known may change what a node means.
_FIELDS = {
    *("value", "count", "feature_idx", "num_threshold", "missing_go_to_left", "left", "right", "gain", "depth"),
    *("is_leaf", "bin_threshold", "is_categorical", "bitset_idx"),
}
_PARTS = {"nodes", "binned_left_cat_bitsets", "raw_left_cat_bitsets"}
#: The number of codes of categories: a bit each in eight words of 32 bits.
_N_CODES = 256


def model_steps(model: Any) -> list[Any]:
    """Return the steps inside a fitted model: the encoder of its categories, if it has any."""
    preprocessor = getattr(model, "_preprocessor", None)
    return [] if preprocessor is None else [preprocessor]


def read_histogram_boosted(model: Any, target: str, inputs: Inputs) -> Ensemble:
    """Return the ensemble of a fitted HistGradientBoosting*, given the columns before it.

    Raises:
        OptionError: its loss or its nodes are not known.
        DataError: it is not fitted.
    """
    stages = require_fitted(model, "_predictors")
    if len(getattr(model, "classes_", "ab")) < 2:
        raise unsupported_model(model, "this one was fitted on one class: its answer is always that class")
    base = np.asarray(model._baseline_prediction, dtype=np.float64).ravel().tolist()
    codes, bitset_rows = model._bin_mapper.make_known_categories_bitsets() if model_steps(model) else (None, None)
    trees = [_library_tree(model, member, codes, bitset_rows) for stage in stages for member in stage]
    return sklearn_ensemble(model, target, inputs, base, trees, cut=nextafter(0.0, 1.0))  # the second where raw > 0


def _library_tree(model: Any, member: Any, codes: Any, bitset_rows: Any) -> LibraryTree:
    """Return the nodes of a tree; `codes` are the known categories of columns as bits, in the rows `bitset_rows`."""
    nodes = member.nodes
    if unknown := sorted((set(nodes.dtype.names) - _FIELDS) | (vars(member).keys() - _PARTS)):
        raise unsupported_model(model, f"the nodes of this one have fields that are not known: {unknown}")
    cells = {name: nodes[name].tolist() for name in nodes.dtype.names}
    tests: dict[int, ColumnTest] = {}
    for number in np.flatnonzero(nodes["is_leaf"] == 0).tolist():
        column, missing = cells["feature_idx"][number], 0 if cells["missing_go_to_left"][number] else 1
        if cells["is_categorical"][number]:
            first = _codes_of(member.raw_left_cat_bitsets[cells["bitset_idx"][number]])
            tests[number] = MemberTest(column, first, _codes_of(codes[bitset_rows[column]]) - first, missing, missing)
        else:
            tests[number] = NodeTest(column, cells["num_threshold"][number], missing)
    figures: list[Figures | None] = [
        (MeanPrediction(value), (count,)) if is_leaf else None
        for value, count, is_leaf in zip(cells["value"], cells["count"], cells["is_leaf"], strict=True)
    ]
    left = [-1 if is_leaf else child for child, is_leaf in zip(cells["left"], cells["is_leaf"], strict=True)]
    return LibraryTree(left, cells["right"], tests, figures)


def _codes_of(words: Any) -> frozenset[float]:
    """Return the codes whose bits are set, of eight words of 32 bits."""
    return frozenset(float(code) for code in range(_N_CODES) if int(words[code // 32]) >> (code % 32) & 1)

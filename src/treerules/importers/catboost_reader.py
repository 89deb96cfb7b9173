"""Models of CatBoost as ensembles: files (JSON), and live CatBoost, CatBoostClassifier and CatBoostRegressor.

CatBoost rounds each cell and each border to float32 and sends what is above the border to the second child. Leaves are
added as doubles, in the order of the trees; then the sum is multiplied by the scale, and the bias is added. A tree of
several classes becomes one tree for each class.
"""

from collections.abc import Mapping, Sequence
from math import inf, log, nextafter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treerules.errors import DataError, ModelFileError
from treerules.importers.boosted_ensemble import MarginUse, boosted_ensemble
from treerules.importers.boosted_inputs import boosted_inputs, categories_behind_steps
from treerules.importers.catboost_columns import BorderSplit, Split
from treerules.importers.catboost_document import CatBoostModel, CatBoostTree, catboost_model
from treerules.importers.float32_thresholds import exact_thresholds
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import ColumnTest, Inputs, MemberTest, NodeTest
from treerules.importers.library_trees import LibraryTree, check_nodes, whole_numbers
from treerules.importers.model_documents import ModelDocument, document_errors, read_document
from treerules.importers.named_values import label_feature, n_iterations, number_feature
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import MeanPrediction

#: The greatest double that float32 does not round to infinity.
_LAST_FINITE = nextafter(3.4028235677973366e38, 0.0)
#: The ImportOptions that models of CatBoost take besides the names.
CATBOOST_OPTIONS = ("labels", "iterations")


_IDENTITY, _EXP = MarginUse("identity"), MarginUse("exp")
#: The loss functions by name.
CATBOOST_LOSSES: Mapping[str, MarginUse] = {
    "Logloss": MarginUse("sigmoid", "cut"),
    "CrossEntropy": MarginUse("sigmoid", "cut"),
    "MultiClass": MarginUse("softmax", "classes"),
    "MultiClassOneVsAll": MarginUse("sigmoids", "classes"),
    "Poisson": _EXP,
    "Tweedie": _EXP,
    **dict.fromkeys(
        (
            *("RMSE", "MAE", "Quantile", "MAPE", "Huber", "Expectile", "Lq", "LogLinQuantile"),
            *("PairLogit", "PairLogitPairwise", "YetiRank", "YetiRankPairwise", "QueryRMSE", "QuerySoftMax"),
        ),
        _IDENTITY,
    ),
}


def is_of_catboost(model: Any) -> bool:
    """Return whether a model is a document of CatBoost, or an object of its classes or derived from one."""
    if isinstance(model, ModelDocument):
        return model.has("features_info", "model_info", "scale_and_bias")
    return any((base.__module__ or "").split(".")[0] == "catboost" for base in type(model).__mro__)


def read_catboost(fitted: Any, options: ImportOptions, steps: Sequence[Any] = ()) -> Ensemble:
    """Return the ensemble of a document, or of a live model that may stand behind steps of scikit-learn.

    Raises:
        ModelFileError: the document is damaged, or of a kind of model that is not read.
        OptionError: an option does not fit the model, or is needed and not given.
        DataError: the live model is not fitted.
    """
    document = fitted if isinstance(fitted, ModelDocument) else _document_of(fitted)
    if steps and (encoded := fitted.get_cat_feature_indices()):
        raise categories_behind_steps([fitted.feature_names_[column] for column in encoded])
    with document_errors(document.name):
        return _ensemble(catboost_model(document.content), options, steps)


def _document_of(fitted: Any) -> ModelDocument:
    """Return the document of a live model, which writes files alone."""
    name = f"the {type(fitted).__name__}"
    if not fitted.is_fitted():
        raise DataError(f"the {type(fitted).__name__} is not fitted", "call its fit() first")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            fitted.save_model(str(path), format="json")
        except Exception as error:  # CatBoostError: it has features that CatBoost writes to its own format alone
            problem = f"{name}: CatBoost writes no JSON of it ({str(error).rpartition(': ')[2]})"
            raise ModelFileError(problem, "fit without such features") from error
        return ModelDocument(name, read_document(path).content)


def _ensemble(model: CatBoostModel, options: ImportOptions, steps: Sequence[Any]) -> Ensemble:
    loss = CATBOOST_LOSSES.get(model.loss)
    if loss is None:
        remedy = f"the loss functions that are read are {', '.join(CATBOOST_LOSSES)}"
        raise ModelFileError(f"its loss function is {model.loss!r}", remedy)
    n = len(model.bias)
    if (n > 1) != (loss.use == "classes"):
        raise ModelFileError(f"its leaves have {n} values, which do not fit the loss function {model.loss}")
    known = model.classes or None
    target = number_feature(options) if loss.use == "mean" else label_feature(options, known, max(n, 2))
    inputs = boosted_inputs(steps, model.names, dict.fromkeys(model.categories, -1), model.categories, options)
    n_all, n_used = len(model.trees), n_iterations(options, len(model.trees))
    members = model.trees[:n_used]
    notes = [
        f"imported from a model of CatBoost ({model.loss}); weight is that of the rows, 1 each where none was given"
    ]
    return boosted_ensemble(
        target,
        inputs,
        [_library_tree(member, number, at, inputs) for number, member in enumerate(members) for at in range(n)],
        model.bias,
        list(range(n)) * len(members),
        link=loss.link,
        cut=_cut(model.threshold) if loss.use == "cut" else None,
        order="base last",
        counted="weight",
        scale=model.scale,
        notes=notes if n_used == n_all else [*notes, f"{n_used} of {n_all} iterations predict"],
    )


def _cut(threshold: float) -> float:
    """Return the least margin of the second class, given the probability that it must pass; margins are compared."""
    return nextafter(-log(1 / threshold - 1), inf)


def _up_to(borders: Any) -> Any:
    """Return for each border the greatest double that is not above it; infinite numbers are above every border."""
    return np.minimum(exact_thresholds(borders), _LAST_FINITE)


def _library_tree(tree: CatBoostTree, number: int, margin: int, inputs: Inputs) -> LibraryTree:
    check_nodes(tree.left, tree.right, f"tree {number}")
    borders = sorted({split.border for split in tree.splits.values() if isinstance(split, BorderSplit)})
    thresholds = dict(zip(borders, _up_to(np.array(borders)).tolist(), strict=True))
    made = {id(split): _test(split, thresholds, inputs) for split in {id(s): s for s in tree.splits.values()}.values()}
    tests = {node: made[id(split)] for node, split in tree.splits.items()}  # nodes of a level share one
    weights = {node: weight for node, (_, weight) in tree.leaves.items()}
    counts = dict(zip(weights, whole_numbers(np.array(list(weights.values()))[:, np.newaxis]), strict=True))
    figures = [
        (MeanPrediction(tree.leaves[node][0][margin]), tuple(counts[node])) if node in tree.leaves else None
        for node in range(len(tree.left))
    ]
    return LibraryTree(tree.left.tolist(), tree.right.tolist(), tests, figures)


def _test(split: Split, thresholds: Mapping[float, float], inputs: Inputs) -> ColumnTest:
    if isinstance(split, BorderSplit):
        return NodeTest(split.column, thresholds[split.border], split.missing)
    is_second = [category in split.categories for category in inputs.codes[split.column]]
    unseen = 1 if split.unseen else 0
    own = frozenset(
        float(code) for code, side in enumerate(is_second) if side != split.unseen
    )  # the others are as unseen
    return MemberTest(split.column, *((own, frozenset()) if split.unseen else (frozenset(), own)), unseen, unseen)

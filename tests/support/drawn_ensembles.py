"""Drawn ensembles: any features and tests, every way to add and to decide."""

from typing import Any

import numpy as np
from attrs import evolve
from hypothesis import strategies as st

from treerules import Ensemble, Feature, Kind, Schema, Tree
from treerules.testing import schemas, trees
from treerules.trees import Leaf, MeanPrediction, Node, Split, fold

#: Numbers of bases and leaves: their sums are rounded, so that the order of additions matters.
NUMBERS = (0.0, 0.1, -0.25, 0.7, 1.0, -3.0, 1e-3, 0.30000000000000004)
#: Link functions by what the margins decide.
_LINKS = {
    "mean": ["identity", "exp", "expit", "square", "softplus"],
    "cut": ["sigmoid", "step"],
    "classes": ["softmax", "sigmoids"],
    "vectors": ["identity", "softmax", "sigmoids"],
}


@st.composite
def ensembles(draw: st.DrawFn, *, target: Feature | None = None, features: Any = None) -> Ensemble:
    """Draw an ensemble; `target` is the feature that it predicts, `features` a strategy for schemas."""
    schema = draw(schemas() if features is None else features).features
    target = target or draw(st.sampled_from(_targets()))
    schema = Schema([feature for feature in schema if feature.name not in (target.name, "margin")], target)
    use = draw(st.sampled_from(["mean"] if schema.is_regression else ["classes", "vectors"]))
    use = "cut" if use == "classes" and len(schema.classes) == 2 and draw(st.booleans()) else use
    n_margins = 1 if use in ("mean", "cut") else len(schema.classes)
    sum_type = draw(st.sampled_from(["float64", "float32"]))
    of_tree = schema if use == "vectors" else Schema(schema.features, Feature("margin", Kind.NUMBER))
    members = draw(st.lists(trees(of_tree, max_splits=4), min_size=1, max_size=5))
    numbers = st.sampled_from(NUMBERS)
    return Ensemble(
        schema,
        [Tree(tree.schema, _with_numbers(tree, draw, numbers, sum_type)) for tree in members],
        [_as(sum_type, draw(numbers)) for _ in range(n_margins)],
        [] if use == "vectors" else [draw(st.integers(0, n_margins - 1)) for _ in members],
        order=draw(st.sampled_from(["base first", "base last"])),
        sum_type=sum_type,
        scale=draw(st.sampled_from([1.0, _as(sum_type, 0.1)])),
        average=draw(st.booleans()),
        link=(link := draw(st.sampled_from(_LINKS[use]))),
        label_by=draw(st.sampled_from(["margins", "probabilities"])) if use in ("classes", "vectors") else "margins",
        slope=draw(st.sampled_from([1.0, 2.0])) if link in ("sigmoid", "sigmoids") else 1.0,
        cut=draw(st.sampled_from([0.0, float(np.finfo(sum_type).smallest_subnormal), _as(sum_type, 0.1)]))
        if use == "cut"
        else None,
    )


def _targets() -> list[Feature]:
    return [
        Feature("y", Kind.NUMBER),
        Feature("y", Kind.CATEGORY, ("no", "yes")),
        Feature("目标", Kind.CATEGORY, ("a", "it's", "中")),
        Feature("y", Kind.CATEGORY, (1, 2), "integer"),
    ]


def _as(sum_type: str, number: float) -> float:
    return float(np.dtype(sum_type).type(number))


def _with_numbers(tree: Tree, draw: Any, numbers: Any, sum_type: str) -> Node:
    """Return the root of a tree whose leaves hold drawn numbers of the type of the sum."""

    def leaf(node: Leaf) -> Node:
        prediction: Any = node.prediction
        if isinstance(prediction, MeanPrediction):
            return evolve(node, prediction=MeanPrediction(_as(sum_type, draw(numbers))))
        shares = [_as(sum_type, share) for share in prediction.probabilities]
        return evolve(node, prediction=evolve(prediction, probabilities=shares))

    def split(node: Split, children: Any) -> Node:
        return Split(node.test, children, node.missing, node.unseen)

    root: Node = fold(tree, leaf, split)
    return root

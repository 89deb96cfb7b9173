"""Ensembles of trees that add to margins, from the trees of a library."""

from collections.abc import Sequence
from typing import Any, Literal

from attrs import evolve, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Kind, Schema
from treerules.importers.inputs import Inputs
from treerules.importers.library_trees import LibraryTree, roots_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree


@short_repr
@frozen
class MarginUse:
    """What the margins of a loss function are for.

    Args:
        link: the name of the link function.
        use: what is predicted: a mean, one of two classes by a margin, or one of several with a margin each.
    """

    link: str
    use: Literal["mean", "cut", "classes"] = "mean"


def boosted_ensemble(
    target: Feature,
    inputs: Inputs,
    trees: Sequence[LibraryTree],
    base: Sequence[float],
    outputs: Sequence[int],
    *,
    link: str,
    counted: Literal["rows", "weight"] = "rows",
    **how: Any,
) -> Ensemble:
    """Return the ensemble of a boosted model.

    Args:
        target: the feature that it predicts.
        inputs: the columns before the model.
        trees: the trees, in the order in which they are added.
        base: the number that each margin begins with.
        outputs: the margin that each tree is added to.
        link: the name of the link function.
        counted: what the figures of leaves count.
        how: further arguments of `Ensemble`.

    Returns:
        An Ensemble whose trees predict the margin, or that of a class.
    """
    schema = Schema(inputs.features, target, counted=counted)
    features = _margin_features(schema, len(base), link)
    own = [evolve(schema, target=feature) for feature in features]
    members = [Tree(own[output], root) for output, root in zip(outputs, roots_of(trees, inputs), strict=True)]
    return Ensemble(schema, members, base, outputs, link=link, **how)


def _margin_features(schema: Schema, n_margins: int, link: str) -> list[Feature]:
    """Return the features that trees predict: the target itself, or a margin of it, or a margin for each class."""
    assert schema.target is not None
    if link == "identity":
        return [schema.target]
    names = [f"{schema.target.name}_margin"] if n_margins == 1 else []
    names = names or [f"{schema.target.name}_margin_{label}" for label in schema.classes]
    return [Feature(_free_name(name, schema), Kind.NUMBER) for name in names]


def _free_name(name: str, schema: Schema) -> str:
    """Return a name that no feature has."""
    while name in schema.indices:
        name += "_"
    return name

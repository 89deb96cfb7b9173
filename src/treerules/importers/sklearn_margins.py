"""What readers of boosted models of scikit-learn share: link functions, what trees predict, and the ensemble."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from treerules._internal.articles import with_article
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Kind
from treerules.importers.boosted_ensemble import boosted_ensemble
from treerules.importers.inputs import Inputs
from treerules.importers.library_trees import LibraryTree
from treerules.importers.sklearn_models import is_of_sklearn, unsupported_model
from treerules.importers.sklearn_trees import class_feature
from treerules.trees.ensemble import Ensemble


@short_repr
@frozen
class MarginLink:
    """A link function of an ensemble, and the factor of its margin."""

    name: str
    slope: float = 1.0


#: The link functions by the class that scikit-learn has for them.
_LINKS: Mapping[str, MarginLink] = {
    "IdentityLink": MarginLink("identity"),
    "LogLink": MarginLink("exp"),
    "LogitLink": MarginLink("sigmoid"),
    "HalfLogitLink": MarginLink("sigmoid", 2.0),
    "MultinomialLogit": MarginLink("softmax"),
}


def sklearn_ensemble(
    model: Any, target: str, inputs: Inputs, base: Sequence[float], trees: Sequence[LibraryTree], *, cut: float
) -> Ensemble:
    """Return the ensemble of a fitted boosted model.

    Args:
        model: the model, with its loss in `_loss`.
        target: the name of the target.
        inputs: the columns before the model.
        base: the number that each margin begins with.
        trees: the trees of each stage, one for each margin.
        cut: the least margin of the second of two classes.

    Raises:
        OptionError: its loss is not known.
    """
    link = _margin_link(model)
    return boosted_ensemble(
        _target(model, target),
        inputs,
        trees,
        base,
        [position % len(base) for position in range(len(trees))],
        link=link.name,
        slope=link.slope,
        cut=cut if link.name == "sigmoid" else None,
        notes=[f"imported from {with_article(type(model).__name__)} of scikit-learn"],
    )


def _margin_link(model: Any) -> MarginLink:
    """Return the link function of a fitted model.

    Raises:
        OptionError: its loss is somebody's own, or has a link that is not known.
    """
    loss = model._loss
    name = type(getattr(loss, "link", None)).__name__
    if not is_of_sklearn(loss) or name not in _LINKS:
        raise unsupported_model(
            model, f"the loss of this one is {with_article(type(loss).__name__)}, whose link is not known"
        )
    return _LINKS[name]


def _target(model: Any, target: str) -> Feature:
    """Return the feature of what a model predicts: its classes, or a number."""
    return class_feature(model, target) if is_of_sklearn(model, "ClassifierMixin") else Feature(target, Kind.NUMBER)

"""The link function of boosted models of scikit-learn, and the features that their trees predict."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Kind, Schema
from treerules.importers.sklearn_models import is_of_sklearn, unsupported_model
from treerules.importers.sklearn_trees import class_feature


@short_repr
@frozen
class MarginLink:
    """A link function of an ensemble, and the factor of its margin."""

    name: str
    slope: float = 1.0

    @property
    def is_cut(self) -> bool:
        """Whether one margin decides between two classes."""
        return self.name == "sigmoid"


#: The link functions by the class that scikit-learn has for them.
_LINKS: Mapping[str, MarginLink] = {
    "IdentityLink": MarginLink("identity"),
    "LogLink": MarginLink("exp"),
    "LogitLink": MarginLink("sigmoid"),
    "HalfLogitLink": MarginLink("sigmoid", 2.0),
    "MultinomialLogit": MarginLink("softmax"),
}


def margin_link(model: Any) -> MarginLink:
    """Return the link function of a fitted model.

    Raises:
        OptionError: its loss is somebody's own, or has a link that is not known.
    """
    loss = model._loss
    name = type(getattr(loss, "link", None)).__name__
    if not is_of_sklearn(loss) or name not in _LINKS:
        raise unsupported_model(model, f"the loss of this one is a {type(loss).__name__}, whose link is not known")
    return _LINKS[name]


def target_of_margins(model: Any, target: str) -> Feature:
    """Return the feature of what a model predicts: its classes, or a number."""
    return class_feature(model, target) if is_of_sklearn(model, "ClassifierMixin") else Feature(target, Kind.NUMBER)


def margin_features(schema: Schema, n_margins: int, link: MarginLink) -> list[Feature]:
    """Return the features that trees predict: the target itself, or a margin of it, or a margin for each class."""
    assert schema.target is not None
    if link.name == "identity":
        return [schema.target]
    names = [f"{schema.target.name}_margin"] if n_margins == 1 else []
    names = names or [f"{schema.target.name}_margin_{label}" for label in schema.classes]
    return [Feature(_free_name(name, schema), Kind.NUMBER) for name in names]


def _free_name(name: str, schema: Schema) -> str:
    """Return a name that no feature has."""
    while name in schema.indices:
        name += "_"
    return name

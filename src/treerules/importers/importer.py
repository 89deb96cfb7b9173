"""The record of an importer: which models it reads, and how."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.trees.ensemble import TreeModel


@short_repr
@frozen
class Importer:
    """A reader of the models of one library.

    Args:
        name: the name of the library.
        recognises: a function of an object: whether it is a model of the library, fitted or not.
        read: a function of a fitted model, the name of the target, the names of the features, or None for those of the
            model, and the type of columns of numbers; it returns a Tree or an Ensemble.
    """

    name: str
    recognises: Callable[[Any], bool]
    read: Callable[[Any, str, Sequence[str] | None, Any], TreeModel]

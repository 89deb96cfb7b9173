"""The record of an importer: which models it reads, and how; and what a caller may say about a model."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.trees.ensemble import TreeModel

#: The type of the caller's columns of numbers: steps before a model may round columns of float32 to float32.
Dtype = Literal["float64", "float32"]


@short_repr
@frozen
class ImportOptions:
    """What a caller says about a model, and what the model itself need not hold.

    Args:
        target: the name of what the model predicts.
        features: the names of the features, in the order of the model's columns; None takes those of the model.
        dtype: the type of columns of numbers.
        labels: the classes in the order of the model's; None where the model names them, or predicts numbers.
        missing: a number that stands for a missing value besides NaN; None where there is none, or the model says it.
        categories: for columns that the model knows by codes, the category of each code, from 0; "codes" where the
            columns of the caller hold the codes.
        iterations: how many iterations of a boosted model predict; None takes as many as the library.
    """

    target: str = "target"
    features: Sequence[str] | None = None
    dtype: Dtype = "float64"
    labels: Iterable[Any] | None = None
    missing: float | None = None
    categories: Mapping[str, Sequence[Any]] | Literal["codes"] | None = None
    iterations: int | None = None


@short_repr
@frozen
class Importer:
    """A reader of the models of one library.

    Args:
        name: the name of the library.
        recognises: a function of an object, or of a ModelDocument: whether it is a model of the library, fitted or not.
        read: a function of such a model, of the ImportOptions, and of the fitted steps of scikit-learn before the
            model, none by default; it returns a Tree or an Ensemble.
        options: the names of the ImportOptions that it takes besides `target` and `features`.
        package: the Python package of the library; "" for none.
        tested: the first and the last version that were tested, as (major, minor); None where it is not known.
    """

    name: str
    recognises: Callable[[Any], bool]
    read: Callable[..., TreeModel]
    options: tuple[str, ...] = ()
    package: str = ""
    tested: tuple[tuple[int, int], tuple[int, int]] | None = None

    def version_notes(self, model: Any) -> tuple[str, ...]:
        """Return a note on the version of the library that made a model, if it is known and was not tested."""
        content = getattr(model, "content", None)
        if content is None:  # a live model
            version = str(getattr(sys.modules.get(self.package), "__version__", ""))
        else:
            parts = content.get("version") if isinstance(content, dict) else None
            version = ".".join(map(str, parts)) if isinstance(parts, list) else ""
        numbers = re.match(r"(\d+)\.(\d+)", version)
        if self.tested is None or numbers is None:
            return ()
        first, last = self.tested
        if first <= (int(numbers[1]), int(numbers[2])) <= last:
            return ()
        tested = f"{'.'.join(map(str, first))} to {'.'.join(map(str, last))}"
        return (f"{self.name} {version} was not tested; versions {tested} were",)

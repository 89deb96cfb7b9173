"""The objects inside a document of a model, with errors that say what is missing or of a wrong type."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError, shortened


@short_repr
@frozen(eq=False)
class ModelPart:
    """An object of a document.

    Args:
        name: what it is, in words.
        entries: its entries.

    Examples:
        >>> learner = ModelPart("its learner", {"objective": None, "num_class": "3"})
        >>> learner.whole("num_class")
        3
        >>> learner["gradient_booster"]
        Traceback (most recent call last):
        ...
        treerules.errors.ModelFileError: not a usable model file: its learner has no gradient_booster; ...
        >>> learner.part("objective")
        Traceback (most recent call last):
        ...
        treerules.errors.ModelFileError: ...: objective of its learner is None, and an object is needed; ...
    """

    name: str
    entries: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def __getitem__(self, key: str) -> Any:
        if key not in self.entries:
            raise ModelFileError(f"{self.name} has no {key}")
        return self.entries[key]

    def require_known(self, known: Iterable[str]) -> None:
        """Raise ModelFileError for an entry that is not known: it may change what the model answers."""
        if unknown := sorted(self.entries.keys() - set(known)):
            problem = f"{self.name} has {shortened(unknown[0])}, which is not known and may change answers"
            raise ModelFileError(problem, "save it from a version of the library that treerules knows")

    def get(self, key: str, default: Any = None) -> Any:
        """Return an entry, or the default where there is none."""
        return self.entries.get(key, default)

    def part(self, key: str) -> "ModelPart":
        """Return an entry that is an object."""
        return part_of(self[key], f"{key} of {self.name}", f"its {key}")

    def listed(self, key: str, default: list[Any] | None = None) -> list[Any]:
        """Return an entry that is a list; the default, where one is given, if it is None or there is none."""
        value = self[key] if default is None else self.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, list):
            raise needed(value, f"{key} of {self.name}", "a list")
        return value

    def parts(self, key: str, name: str, default: list[Any] | None = None) -> Iterator["ModelPart"]:
        """Yield the objects of an entry that is a list of them; `name` is what one of them is, in words."""
        for number, value in enumerate(self.listed(key, default), 1):
            yield part_of(value, f"{name} {number}")

    def whole(self, key: str, default: int | None = None) -> int:
        """Return an entry that is a whole number or the text of one; the default, where one is given, for none."""
        return whole_number(self[key] if default is None else self.get(key, default), f"{key} of {self.name}")


def part_of(value: Any, place: str, name: str | None = None) -> ModelPart:
    """Return an object of a document; `place` is where it stands and `name` what it is, in words.

    Raises:
        ModelFileError: it is no object.
    """
    if not isinstance(value, Mapping):
        raise needed(value, place, "an object")
    return ModelPart(name or place, value)


def whole_number(value: Any, place: str) -> int:
    """Return a whole number, or that of a text.

    Raises:
        ModelFileError: it is none.
    """
    try:
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return int(value)
    except ValueError:
        pass
    raise needed(value, place, "a whole number")


def number_of(value: Any, place: str) -> float:
    """Return a number, or that of a text, as a float.

    Raises:
        ModelFileError: it is none.
    """
    try:
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return float(value)
    except ValueError:
        pass
    raise needed(value, place, "a number")


def needed(value: Any, place: str, wanted: str) -> ModelFileError:
    """Return the error for a value of a wrong type."""
    return ModelFileError(f"{place} is {shortened(value)}, and {wanted} is needed")

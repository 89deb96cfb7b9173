"""A `repr` of bounded length for values that may hold thousands of parts."""

from typing import Any, TypeVar

from treerules.errors import LONGEST_REPR, cut_text

Type = TypeVar("Type", bound=type)


def short_repr(cls: Type) -> Type:
    """Put the `repr` of a class on one line, cut in the middle where it is longer than LONGEST_REPR; a decorator."""
    full_repr: Any = cls.__repr__

    def __repr__(self: Any) -> str:  # noqa: N807
        lines = full_repr(self).split("\n")  # those of numpy have several
        return cut_text(" ".join(line.strip() for line in lines), LONGEST_REPR)

    cls.__repr__ = __repr__  # type: ignore[assignment]
    return cls

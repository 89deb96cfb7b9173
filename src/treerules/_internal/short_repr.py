"""A `repr` of bounded length for values that may hold thousands of parts."""

from typing import Any, TypeVar

Type = TypeVar("Type", bound=type)
#: The greatest number of characters of a `repr`.
LONGEST = 200


def short_repr(cls: Type) -> Type:
    """Cut the `repr` of a class in the middle where it is longer than LONGEST characters; a class decorator."""
    full_repr: Any = cls.__repr__

    def __repr__(self: Any) -> str:  # noqa: N807
        text: str = full_repr(self)
        if len(text) <= LONGEST:
            return text
        start = (LONGEST - 3) // 2
        return f"{text[:start]}...{text[start + 3 - LONGEST :]}"

    cls.__repr__ = __repr__  # type: ignore[assignment]
    return cls

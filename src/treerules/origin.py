"""Where a tree came from: what its data were, and what was done to it since. Takes no part in equality."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

if TYPE_CHECKING:
    from treerules.columns import Column


#: What an option may be that a model file can hold.
_PLAIN = (str, int, float, type(None))


def _is_plain(value: Any) -> bool:
    return isinstance(value, _PLAIN) or (isinstance(value, (list, tuple)) and all(type(each) is int for each in value))


def _as_steps(steps: Iterable[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (method, None if options is None else tuple((name, _frozen(value)) for name, value in options))
        for method, options in steps
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@frozen
class Origin:
    """What a tree was learned from."""

    #: the hash of the features, the target and the weights, row by row
    data: str
    n_rows: int
    #: the column of case weights; None where all weigh the same, "" where they were no column
    weight: str | None = None
    #: the hash of the table that splits were judged by; None without one
    validation: str | None = None
    #: how it was pruned, in order: (method, its options as pairs, or None where a table was needed)
    pruned: tuple[tuple[str, Any], ...] = field(default=(), converter=_as_steps)

    def after(self, method: str, options: Mapping[str, Any]) -> "Origin":
        """Return the origin of the tree that a pruning method makes."""
        plain = all(_is_plain(value) for value in options.values())
        step = method, tuple(sorted(options.items())) if plain else None
        return evolve(self, pruned=(*self.pruned, step))


def hash_of(columns: "Iterable[Column]", *more: Any) -> str:
    """Return a hash (SHA-256) of columns and arrays, row by row in their order; names and kinds count too."""
    import numpy as np

    found = sha256()
    for column in columns:
        feature = column.feature
        found.update(repr((feature.name, str(feature.kind), feature.categories)).encode("utf-8", "surrogatepass"))
        found.update(np.ascontiguousarray(np.where(column.missing, 0, column.data)).data)
        found.update(np.packbits(column.missing).data)
    for array in more:
        found.update(b"none" if array is None else np.ascontiguousarray(array).data)
    return found.hexdigest()

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

    #: the hash of the rows: features, target and weights
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
    """Return a hash of the rows of columns and arrays, whatever their order; names, kinds and categories count too.

    Each row is mixed to 64 bits (splitmix64); SHA-256 is taken of the sorted rows.
    """
    import numpy as np

    found, rows = sha256(), np.zeros(1, dtype=np.uint64)
    for column in columns:
        feature = column.feature
        found.update(repr((feature.name, str(feature.kind), feature.categories)).encode("utf-8", "surrogatepass"))
        rows = _mixed(_mixed(rows, np.where(column.missing, 0, column.data)), column.missing)
    for array in more:
        found.update(b"-" if array is None else b"+")
        rows = rows if array is None else _mixed(rows, array)
    found.update(np.sort(rows).data)
    return found.hexdigest()


def _mixed(rows: Any, values: Any) -> Any:
    """Return the 64 bits of each row with those of a further cell."""
    import numpy as np

    kind = np.float64 if values.dtype.kind == "f" else np.int64
    bits = rows ^ values.astype(kind).view(np.uint64)
    for shift, factor in ((30, 0x9E3779B97F4A7C15), (27, 0xBF58476D1CE4E5B9), (31, 0x94D049BB133111EB)):
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor) + np.uint64(1)
    return bits ^ (bits >> np.uint64(32))

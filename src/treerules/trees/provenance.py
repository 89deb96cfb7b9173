"""The origin of a tree: the data that it was learned from, and how it was pruned. It is ignored by equality."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.column import Column
from treerules.data.row_hash import cells_of, sum_of_row_hashes
from treerules.trees.training_values import TrainingValues

#: The types of options that a model file can hold.
_PLAIN = (str, int, float, type(None))


def _is_plain(value: Any) -> bool:
    return isinstance(value, _PLAIN) or (isinstance(value, (list, tuple)) and all(type(item) is int for item in value))


def _as_steps(steps: Iterable[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (method, None if options is None else tuple((name, _as_immutable(value)) for name, value in options))
        for method, options in steps
    )


def _as_immutable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@short_repr
@frozen
class Origin:
    """The data that a tree was learned from, and the steps of its pruning."""

    #: the hash of the rows: features, target and weights
    data: str
    n_rows: int
    #: the column of sample weights; None without weights, "" where they were an array
    weight: str | None = None
    #: the hash of the validation table; None without one
    validation: str | None = None
    #: the columns of the groups and of the times by which rows were dealt to folds; None where there were none
    groups: str | None = None
    time: str | None = None
    #: the power of two to whose multiples the target was rounded; None: it was not
    target_step: float | None = None
    #: the pruning steps in order: (method, its options as pairs, or None where it used a table)
    pruned: tuple[tuple[str, Any], ...] = field(default=(), converter=_as_steps)
    #: the columns that had missing or unseen values, or just 0 and 1; None where that is unknown, as in old files
    values: TrainingValues | None = None

    def after(self, method: str, options: Mapping[str, Any]) -> "Origin":
        """Return this origin with one more pruning step."""
        plain = all(_is_plain(value) for value in options.values())
        step = method, tuple(sorted(options.items())) if plain else None
        return evolve(self, pruned=(*self.pruned, step))


def hash_of(columns: Iterable[Column], *more: Any) -> str:
    """Return a hash of columns (with names, kinds and categories) and arrays, independent of the order of rows.

    SHA-256 of the features and of a sum over the rows, modulo 2**64. Each cell is mixed to 64 bits, by a factor of its
    column, and so is the sum of a row's cells. The mixing is invertible, so a change of one cell always changes the
    hash (a missing cell is hashed as a very rare integer). Any other change goes unnoticed with a probability of about
    2**-64, unless it was constructed to collide.
    """
    columns = tuple(columns)
    features = [(c.feature.name, str(c.feature.kind), c.feature.categories) for c in columns]
    cells = cells_of(columns)
    cells += [(array, None) for array in more if array is not None]
    n_rows = len(cells[0][0])
    facts = features, [array is not None for array in more], n_rows, sum_of_row_hashes(cells)
    return sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()

"""Which special values the training rows had in each column. Printed rules leave out what the training rows lacked."""

from collections.abc import Iterable

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.column import Column
from treerules.data.schema import OPEN, UNSEEN, Kind


@short_repr
@frozen
class TrainingValues:
    """The columns that had missing values, unseen values, or only 0 and 1 in the rows that a tree was learned from.

    Args:
        missing: the names of the columns that had missing values.
        unseen: the names of the columns that had categories which count as unseen, such as joined rare ones.
        zero_one: the names of the number and integer columns whose values were just 0 and 1.
    """

    missing: tuple[str, ...] = field(default=(), converter=as_tuple)
    unseen: tuple[str, ...] = field(default=(), converter=as_tuple)
    zero_one: tuple[str, ...] = field(default=(), converter=as_tuple)


def training_values_of(columns: Iterable[Column], joined: Iterable[str] = ()) -> TrainingValues:
    """Return the special values of the columns of the training rows.

    `joined` are the names of the columns of which categories that occur in the rows were treated as unseen.
    """
    columns, joined = tuple(columns), frozenset(joined)
    return TrainingValues(
        missing=[column.feature.name for column in columns if column.missing.any()],
        unseen=[column.feature.name for column in columns if column.feature.name in joined or _has_unseen(column)],
        zero_one=[column.feature.name for column in columns if _is_zero_one(column)],
    )


def _has_unseen(column: Column) -> bool:
    return column.feature.kind in OPEN and bool((column.data == UNSEEN).any())


def _is_zero_one(column: Column) -> bool:
    if column.feature.kind not in (Kind.NUMBER, Kind.INTEGER):
        return False
    known = column.data[~column.missing]
    return bool(((known == 0) | (known == 1)).all() and (known == 0).any() and (known == 1).any())

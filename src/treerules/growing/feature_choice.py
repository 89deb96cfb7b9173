"""The choice of features among the columns of a table: those that the caller names, or all that can be useful."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_names
from treerules._internal.field_converters import as_tuple
from treerules.data.column import Column, check_fetched, take_rows_of_columns
from treerules.data.schema import Kind
from treerules.data.table import Table
from treerules.errors import OptionError

#: Whether a column is useless is tested on this many rows before it is tested on all.
_FIRST_ROWS = 1000


@frozen
class FeatureChoice:
    """The columns that a caller names: features, columns to leave out, and columns with another role."""

    #: the names of the features; None is every useful column
    features: tuple[str, ...] | None
    #: the names of columns that are not features
    drop: tuple[str, ...] = field(converter=as_tuple)
    #: (argument, name of a column) of case weights, fold labels, groups and times
    roles: tuple[tuple[str, str], ...] = field(converter=as_tuple)

    @property
    def names_by_argument(self) -> dict[str, str | list[str]]:
        """The arguments that name columns, each with the name or names that it holds."""
        return {"features": list(self.features or ()), "drop": list(self.drop), **dict(self.roles)}

    def check_roles(self, target: str, named: Mapping[str, Any]) -> None:
        """Raise OptionError where one column has two roles, such as target and feature.

        `named` holds the arguments that name columns, each with the name or names that it holds.
        """
        for argument, names in named.items():
            if target in ((names,) if isinstance(names, str) else names):
                raise OptionError(argument, names, f"other columns than the target {target!r}")
        for argument, name in self.roles:
            if name in (self.features or ()):
                wanted = f"other columns than {name!r}, which {argument} names"
                raise OptionError("features", list(self.features or ()), wanted)


def feature_choice(features: Any, drop: Any, **roles: Any) -> FeatureChoice:
    """Return the choice described by the arguments of a public function; `roles` are other columns by their arguments.

    Raises:
        OptionError: `features` or `drop` is not a collection of names, or both are given.
    """
    dropped = require_names("drop", drop)
    named_features = None if features is None else require_names("features", features)
    if named_features is not None and not named_features:
        raise OptionError("features", features, "at least one name of a column, or None: all that are useful")
    if named_features is not None and dropped:
        raise OptionError("drop", drop, "features= or drop=, one of them")
    return FeatureChoice(named_features, dropped, [pair for pair in roles.items() if isinstance(pair[1], str)])


def no_choice_beside_tree(features: Any, drop: Any, task: Any) -> None:
    """Raise OptionError where features or a task are given together with a tree, which has its own."""
    for argument, value, is_given in (
        ("features", features, features is not None),
        ("drop", drop, drop != ()),
        ("task", task, task is not None),
    ):
        if is_given:
            raise OptionError(argument, value, "it beside a target; a tree has its own features and task")


def feature_columns(table: Table, rows: Any, choice: FeatureChoice, target: str) -> tuple[list[Column], list[str]]:
    """Return the columns of the features, in the order of the table, and notes on the columns left out.

    `rows` are the numbers of the rows in use; None is all.
    """
    others = {target, *choice.drop, *(name for _, name in choice.roles)}
    if choice.features is not None:
        others = {column.feature.name for column in table.columns} - set(choice.features)
    columns = take_rows_of_columns([column for column in table.columns if column.feature.name not in others], rows)
    is_automatic = choice.features is None
    chosen_columns, notes = _without_useless(columns, table.declared) if is_automatic else (list(columns), [])
    for column in chosen_columns:
        check_fetched(column)
    return chosen_columns, notes


def _without_useless(columns: Iterable[Column], declared: Collection[str]) -> tuple[list[Column], list[str]]:
    """Return the columns without useless ones, and notes; declared columns and the last one are always kept."""
    useful, notes = list(columns), []
    for column in tuple(useful):
        name = column.feature.name
        reason = None if name in declared else _uselessness(column)
        if reason and len(useful) > 1:
            useful.remove(column)
            notes.append(f"left out {name!r}: {reason}; to use it, name it in features=, --features")
    return useful, notes


def _uselessness(column: Column) -> str | None:
    """Return why a column is useless as a feature; None where it is not."""
    if not column.fetched:
        return "text, different in every row"
    data, n = column.data, len(column.data)
    if column.n_missing:
        return "the same in every row" if column.n_missing == n else None
    is_short = n <= _FIRST_ROWS
    if data[0] == data[-1] and (is_short or (data[:_FIRST_ROWS] == data[0]).all()) and (data == data[0]).all():
        return "the same in every row"
    kind, scalar = column.feature.kind, column.feature.scalar
    if kind is Kind.CATEGORY and scalar == "text":
        is_id = len(column.feature.categories) >= n and len(np.unique(data)) == n
        return "text, different in every row" if is_id else None
    if kind is Kind.INTEGER:
        has_equal_neighbours = not is_short and bool((data[1:_FIRST_ROWS] == data[: _FIRST_ROWS - 1]).any())
        consecutive = (
            not has_equal_neighbours and int(data.max()) - int(data.min()) == n - 1 and len(np.unique(data)) == n
        )
        return "consecutive integers, a row number" if consecutive else None
    return None

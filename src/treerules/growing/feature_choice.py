"""The choice of features among the columns of a table: those that the caller names, or all that can be useful."""

import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.arguments import require_names, require_whole_number
from treerules._internal.field_converters import as_tuple
from treerules._internal.notes import Argument, Note, one_of, or_none
from treerules.data.column import Column, check_fetched, take_rows_of_columns
from treerules.data.schema import Kind
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.growing.unusable_columns import FEWEST_ROWS, unusable_reason


@frozen
class FeatureChoice:
    """The columns that a caller names: features, columns to leave out, and columns with another role."""

    #: the names of the features; None is every useful column
    features: tuple[str, ...] | None
    #: the names of columns that are not features
    drop: tuple[str, ...] = field(converter=as_tuple)
    #: (argument, name of a column) of case weights, fold labels, groups and times
    roles: tuple[tuple[str, str], ...] = field(converter=as_tuple)
    #: the names of columns that are never left out
    keep: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: a category column of more categories is left out; None is no bound
    max_categories: int | None = None

    @property
    def names_by_argument(self) -> dict[str, str | list[str]]:
        """The arguments that name columns, each with the name or names that it holds."""
        return {
            "features": list(self.features or ()),
            "drop": list(self.drop),
            "keep": list(self.keep),
            **dict(self.roles),
        }

    def check_roles(self, target: str, named: Mapping[str, Any]) -> None:
        """Raise OptionError where one column has two roles, such as target and feature.

        `named` holds the arguments that name columns, each with the name or names that it holds.
        """
        for argument, names in named.items():
            if target in ((names,) if isinstance(names, str) else names):
                raise OptionError(argument, names, f"other columns than the target {target!r}")
        for argument, name in self.roles:
            for option, names in (("features", self.features or ()), ("keep", self.keep)):
                if name in names:
                    raise OptionError(option, list(names), _others(name, argument))
        for name in self.keep:
            if name in self.drop:
                raise OptionError("keep", list(self.keep), _others(name, "drop"))


def _others(name: str, argument: str) -> Note:
    return Note(
        "other_columns", "other columns than {place!r}, which {argument} names", name, argument=Argument(argument)
    )


def feature_choice(
    features: Any, drop: Any, *, keep: Any = (), max_categories: Any = None, **roles: Any
) -> FeatureChoice:
    """Return the choice described by the arguments of a public function; `roles` are other columns by their arguments.

    Raises:
        OptionError: `features`, `drop` or `keep` is not a collection of names, `features` is given with one of them, or
            `max_categories` is not a whole number.
    """
    dropped, kept = require_names("drop", drop), require_names("keep", keep)
    named_features = None if features is None else require_names("features", features)
    if named_features is not None and not named_features:
        raise OptionError("features", features, or_none("at least one name of a column", "all that are useful"))
    if named_features is not None and dropped:
        raise OptionError("drop", drop, one_of("features", "drop"))
    if named_features is not None and kept:
        raise OptionError("keep", keep, one_of("features", "keep"))
    if max_categories is not None:
        require_whole_number("max_categories", max_categories, 1)
    if named_features is not None and max_categories is not None:
        raise OptionError("max_categories", max_categories, one_of("features", "max_categories"))
    named_roles = [(argument, name) for argument, name in roles.items() if isinstance(name, str)]
    return FeatureChoice(named_features, dropped, named_roles, kept, max_categories)


def no_choice_beside_tree(features: Any, drop: Any, task: Any, keep: Any = (), max_categories: Any = None) -> None:
    """Raise OptionError where features or a task are given together with a tree, which has its own."""
    for argument, value, is_given in (
        ("features", features, features is not None),
        ("drop", drop, drop != ()),
        ("task", task, task is not None),
        ("keep", keep, keep != ()),
        ("max_categories", max_categories, max_categories is not None),
    ):
        if is_given:
            raise OptionError(argument, value, "it beside a target; a tree has its own features and task")


def feature_columns(table: Table, rows: Any, choice: FeatureChoice, target: str) -> tuple[list[Column], list[Note]]:
    """Return the columns of the features, in the order of the table, and notes on the columns left out.

    `rows` are the numbers of the rows in use; None is all.
    """
    others = {target, *choice.drop, *(name for _, name in choice.roles)}
    if choice.features is not None:
        others = {column.feature.name for column in table.columns} - set(choice.features)
    columns = take_rows_of_columns([column for column in table.columns if column.feature.name not in others], rows)
    is_automatic = choice.features is None
    chosen_columns, notes = _usable(columns, table.declared, choice) if is_automatic else (list(columns), [])
    for column in chosen_columns:
        check_fetched(column)
    return chosen_columns, notes


def _usable(
    columns: Iterable[Column], declared: Collection[str], choice: FeatureChoice
) -> tuple[list[Column], list[Note]]:
    """Return the columns without unusable ones, and notes.

    Columns of declared kind are left out for too many categories alone, columns to keep and the last one never.
    """
    usable, notes = list(columns), []
    copies = copies_of(usable)
    for column in tuple(usable):
        name = column.feature.name
        if name in choice.keep or len(usable) == 1:
            continue
        reason = _too_many_categories(column, choice.max_categories)
        if reason is None and name not in declared:
            reason = unusable_reason(column)
            if reason is None and name in copies:
                reason = Note("copy", "a copy of {original!r}", original=copies[name])
        if reason:
            usable.remove(column)
            remedy = "to use it: keep=[{place!r}], --keep {typed}"
            notes.append(
                Note("left_out", "left out {place!r}: {reason}", name, remedy, reason=reason, typed=as_typed(name))
            )
    return usable, notes


def copies_of(columns: Iterable[Column]) -> dict[str, str]:
    """Return the names of columns that equal an earlier one cell by cell, each with the name of the first such one."""
    first: dict[Any, str] = {}
    copies = {}
    for column in columns:
        if not column.fetched or len(column.data) < FEWEST_ROWS:
            continue
        name, feature = column.feature.name, column.feature
        cells = hash(column.data.tobytes()), hash(column.missing.tobytes()) if column.n_missing else 0
        original = first.setdefault((feature.kind, feature.categories, *cells), name)
        if original != name:
            copies[name] = original
    return copies


def _too_many_categories(column: Column, max_categories: int | None) -> Note | None:
    """Return why a category column is left out by a bound on the number of its categories; None where it is not."""
    if max_categories is None or column.feature.kind is not Kind.CATEGORY:
        return None
    n = len(np.unique(column.data[~column.missing]))
    text = "{n} categories, more than max_categories={most}"
    return Note("many_categories", text, n=n, most=max_categories) if n > max_categories else None


def as_typed(name: str) -> str:
    """Return the name of a column as it is typed on the command line, in an option that takes several names.

    >>> print(as_typed("age"), as_typed("a b"))
    age 'a b'
    """
    # a name with a comma or a quotation mark stands in quotation marks of its own
    quoted = name
    if not name or name != name.strip() or any(character in name for character in ',"\n'):
        quoted = '"' + name.replace('"', '""') + '"'
    return shlex.quote(quoted)

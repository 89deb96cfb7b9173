"""The columns by which rows are dealt to folds: groups, or times."""

from attrs import frozen

from treerules._internal.arguments import require_type
from treerules._internal.notes import one_of, or_none
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.growing.problem import Problem
from treerules.learning.folds import Folds, folds_in_time, folds_of_groups, labels_of
from treerules.recipes.recipe import Recipe


@frozen
class FoldColumns:
    """The columns by which rows are dealt to folds when the size of a tree is chosen; None: by chance."""

    groups: str | None = None
    time: str | None = None

    def check(self, recipe: Recipe) -> None:
        """Raise OptionError where a column is not a name, both are given, or the recipe chooses no size."""
        wanted = "a recipe that chooses the size of a tree by cross-validation, such as auto(), the default"
        given = {name: value for name, value in (("groups", self.groups), ("time", self.time)) if value is not None}
        for name, value in given.items():
            require_type(name, value, str, or_none("the name of a column"))
            if recipe.size_choice is None:
                raise OptionError(name, value, wanted)
        if len(given) > 1:
            raise OptionError("time", self.time, one_of("groups", "time"))

    def folds(self, table: Table, problem: Problem, recipe: Recipe) -> Folds | None:
        """Return the folds that a column gives the rows of a problem; None without a column.

        Raises:
            ColumnError: some rows have no value in the column.
            DataError: all rows have the same.
        """
        return None if recipe.size_choice is None else self.dealt(table, problem, recipe.size_choice.folds)

    def dealt(self, table: Table, problem: Problem, n_folds: int) -> Folds | None:
        """Return so many folds, as `folds` does."""
        if self == FoldColumns():
            return None
        if self.groups is not None:
            return folds_of_groups(problem, labels_of(table, problem, "groups", self.groups), n_folds)
        return folds_in_time(problem, labels_of(table, problem, "time", self.time), n_folds)

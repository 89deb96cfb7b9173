"""What the classifier and the regressor share: the options of a recipe, fitting, and the results of treerules."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from attrs import evolve

from treerules._internal.notes import or_none, with_arguments
from treerules.criteria import GINI, Criterion
from treerules.data.column import take_rows_of_columns
from treerules.data.table import Table
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.errors import OptionError
from treerules.evaluation.importances import importances
from treerules.growing.problem import problem_of
from treerules.learning.fold_columns import FoldColumns
from treerules.learning.grow_and_prune import fit as learned
from treerules.proof.check import Verdict, check
from treerules.recipes.auto import auto
from treerules.recipes.recipe import Recipe
from treerules.report.render_result import render
from treerules.rules.compile import compile_rules
from treerules.rules.rule_set import RuleSet
from treerules.sklearn.inputs import (
    feature_names,
    fresh_name,
    new_table,
    training_table,
    validated_weights,
)
from treerules.sklearn.scikit_learn import BaseEstimator, check_consistent_length, check_is_fitted, column_or_1d
from treerules.trees.predict import apply

#: The parameters of `auto` that are mappings: scikit-learn wants no mutable default, so None is the empty one.
_MAPPINGS = ("class_weight", "priors", "costs", "monotone", "feature_cost")


class FrameEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes missing values and categories."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class TreeRulesEstimator(FrameEstimator):
    """What the classifier and the regressor share: the options of a recipe, fitting and the rules.

    The parameters are those of `treerules.auto`, and `recipe`.
    """

    _task: Any

    def __init__(
        self,
        *,
        recipe: Recipe | None = None,
        max_rules: int | None = None,
        folds: int = 10,
        reduction_per_rule: float | None = None,
        criterion: str | Criterion = GINI.name,
        categories: str = "subset",
        thresholds: str = "short",
        base: str = "2",
        missing: str = "learned",
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        min_impurity: float = 0.0,
        class_weight: Any = None,
        priors: Mapping[Any, float] | None = None,
        costs: Any = None,
        monotone: Mapping[str, int] | None = None,
        feature_cost: Mapping[str, float] | None = None,
        prefer: Sequence[str] = (),
    ) -> None:
        self.recipe = recipe
        self.max_rules = max_rules
        self.folds = folds
        self.reduction_per_rule = reduction_per_rule
        self.criterion = criterion
        self.categories = categories
        self.thresholds = thresholds
        self.base = base
        self.missing = missing
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.min_impurity = min_impurity
        self.class_weight = class_weight
        self.priors = priors
        self.costs = costs
        self.monotone = monotone
        self.feature_cost = feature_cost
        self.prefer = prefer

    def _recipe(self) -> Recipe:
        """Return the recipe of the parameters.

        Raises:
            OptionError: a parameter has a value that the recipe does not take, or stands beside `recipe`.
        """
        options = self.get_params(deep=False)
        recipe = options.pop("recipe")
        if recipe is None:
            empty: dict[str, Any] = {name: {} for name in _MAPPINGS if options[name] is None}
            return auto(**{**options, **empty})
        if not isinstance(recipe, Recipe):
            raise OptionError("recipe", recipe, or_none("a Recipe"))
        defaults = type(self)().get_params(deep=False)
        class_weight = {} if recipe.class_weight else options.pop("class_weight") or {}
        given = next((name for name, value in options.items() if value != defaults[name]), None)
        if given is not None:
            raise OptionError(
                given,
                options[given],
                with_arguments("no value of its own beside {recipe}, which has its own options", "recipe"),
            )
        return evolve(recipe, class_weight=class_weight) if class_weight else recipe

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:  # noqa: N803
        """Learn from rows and their targets.

        Args:
            X: the rows: a 2-D array of numbers, or of objects with numbers and text, or a data frame with text,
                categories, dates and missing values.
            y: the classes, or the values of a regression, shape (rows,).
            sample_weight: the weights, shape (rows,). `min_samples_leaf` and `min_samples_split` count rows, whatever
                they weigh, as in scikit-learn; a row of weight 0 is ignored. The `leaf_penalty` of `optimal`, if it is
                a number, is measured in weight.
            groups: labels, shape (rows,): rows of a group lie in one fold when the size of the tree is chosen.

        Returns:
            The estimator itself.

        Raises:
            ValueError: X or y is not valid.
            ColumnError: a weight is negative or infinite, or a row has no group.
            OptionError: a parameter has a value that the recipe does not take.
        """
        table, values = training_table(self, X, y)
        weights = validated_weights(sample_weight, table.n_rows)
        names = [column.feature.name for column in table.columns]
        target = fresh_name(str(getattr(y, "name", None) or "target"), names)
        extra = {target: self._targets(values)}
        group_name = None if groups is None else fresh_name("groups", [*names, target])
        if group_name is not None:
            check_consistent_length(values, groups)
            extra[group_name] = column_or_1d(groups).tolist()
        columns = [*table.columns, *Table.from_columns(extra).columns]
        used = None if weights is None else np.flatnonzero(weights)
        weights = None if weights is None else weights[used]
        table, recipe = Table(take_rows_of_columns(columns, used)), self._recipe()
        fold_columns = FoldColumns(group_name)
        fold_columns.check(recipe)
        problem = problem_of(
            table,
            target=target,
            recipe=recipe,
            task=self._task,
            keep=() if hasattr(self, "feature_names_in_") else names,
            weight=weights,
            groups=group_name,
            counts_rows=True,
        )
        self.tree_ = learned(problem, recipe, weight=weights, table=table, fold_columns=fold_columns)
        return self

    def _targets(self, values: Any) -> list[Any]:
        """Return the values of the target, and set what `fit` sets for the task."""
        raise NotImplementedError

    def _rule_numbers(self, X: Any) -> Any:  # noqa: N803
        check_is_fitted(self)
        return apply(self.tree_, new_table(self, X))

    def apply(self, X: Any) -> Any:  # noqa: N803
        """Return the number of the rule that fires for each row, from 1, shape (rows,).

        Args:
            X: the rows: a 2-D array of numbers, or a data frame.
        """
        return self._rule_numbers(X)

    @property
    def rules_(self) -> RuleSet:
        """The rules of the tree."""
        check_is_fitted(self)
        return compile_rules(self.tree_)

    @property
    def feature_importances_(self) -> Any:
        """The importance of each feature, shape (features,); 0 for columns that were left out."""
        check_is_fitted(self)
        by_name = {each.feature: each.value for each in importances(self.tree_).features}
        values = np.array([by_name.get(name, 0.0) for name in feature_names(self)])
        return values / values.sum() if values.sum() > 0 else values

    def check(self) -> Verdict:
        """Return the proof that for each row exactly one rule fires."""
        return check(self.rules_)

    def to_sql(self, **options: Any) -> str:
        """Return the tree as an SQL expression; the options are those of `treerules.to_sql`, such as dialect=."""
        check_is_fitted(self)
        return to_sql(self.tree_, **options)

    def to_python(self, **options: Any) -> str:
        """Return the tree as a Python module; the options are those of `treerules.to_python`."""
        check_is_fitted(self)
        return to_python(self.tree_, **options)

    def _repr_html_inner(self) -> str:
        return self._html_with_rules(str(super()._repr_html_inner()))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] = self._html_with_rules(bundle["text/html"])
        return bundle

    def _html_with_rules(self, html: str) -> str:
        """Return the page of scikit-learn, with the rules below it where the estimator is fitted."""
        return html + render(self.rules_, format="html") if hasattr(self, "tree_") else html

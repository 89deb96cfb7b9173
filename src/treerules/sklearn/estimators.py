"""A classifier and a regressor with the interface of scikit-learn, which learn by a recipe of treerules."""

from typing import Any

import numpy as np

from treerules.sklearn.base import TreeRulesEstimator
from treerules.sklearn.scikit_learn import ClassifierMixin, RegressorMixin, check_classification_targets
from treerules.trees.walkers import leaves


class TreeRulesClassifier(ClassifierMixin, TreeRulesEstimator):  # type: ignore[misc]
    """A tree of classes that scikit-learn's tools can use: pipelines, searches, cross-validation.

    Args:
        recipe: a Recipe, such as `treerules.c45()`, instead of the other parameters, but for `class_weight`; None uses
            them.
        options: the other parameters are those of `treerules.auto`; None is an empty mapping.

    Attributes:
        tree_: the Tree.
        rules_: its RuleSet.
        classes_: the classes, sorted, shape (classes,).
        feature_importances_: shape (features,), of sum 1.
        n_features_in_: the number of columns of X.
        feature_names_in_: their names, where X was a data frame.
    """

    _task = "classification"

    def _targets(self, values: Any) -> list[Any]:
        check_classification_targets(values)
        self.classes_ = np.unique(values)
        return list(values.tolist())

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Return the predicted class of each row, shape (rows,).

        Args:
            X: the rows, of the columns that were fitted.
        """
        numbers = self._rule_numbers(X)
        positions = self._positions()
        labels = [positions[leaf.prediction.value] for leaf in leaves(self.tree_)]
        return self.classes_[np.array(labels)[numbers - 1]]

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """Return the probability of each class for each row, shape (rows, classes).

        Args:
            X: the rows, of the columns that were fitted.
        """
        numbers = self._rule_numbers(X)
        shares = np.zeros((self.tree_.n_leaves, len(self.classes_)))
        positions = self._positions()
        known = [positions[label] for label in self.tree_.schema.classes]
        shares[:, known] = [leaf.prediction.probabilities for leaf in leaves(self.tree_)]  # type: ignore[union-attr]
        return shares[numbers - 1]

    def _positions(self) -> dict[Any, int]:
        """Return the position of each class in `classes_`; rows of weight 0 may have classes that the tree lacks."""
        return {label: position for position, label in enumerate(self.classes_.tolist())}


class TreeRulesRegressor(RegressorMixin, TreeRulesEstimator):  # type: ignore[misc]
    """A tree of means that scikit-learn's tools can use: pipelines, searches, cross-validation.

    Args:
        recipe: a Recipe, such as `treerules.cart()`, instead of the other parameters; None uses them.
        options: the other parameters are those of `treerules.auto`; None is an empty mapping.

    Attributes:
        tree_: the Tree.
        rules_: its RuleSet.
        feature_importances_: shape (features,), of sum 1.
        n_features_in_: the number of columns of X.
        feature_names_in_: their names, where X was a data frame.
    """

    _task = "regression"

    def _targets(self, values: Any) -> list[Any]:
        return list(np.asarray(values, dtype=np.float64).tolist())

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Return the predicted mean of each row, shape (rows,).

        Args:
            X: the rows, of the columns that were fitted.
        """
        numbers = self._rule_numbers(X)
        return np.array([leaf.prediction.value for leaf in leaves(self.tree_)])[numbers - 1]

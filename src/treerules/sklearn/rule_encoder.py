"""A transformer of rows to the rules that fire for them."""

from typing import Any

import numpy as np

from treerules._internal.notes import or_none
from treerules.errors import OptionError
from treerules.sklearn.base import FrameEstimator, TreeRulesEstimator
from treerules.sklearn.estimators import TreeRulesClassifier
from treerules.sklearn.scikit_learn import TransformerMixin, check_is_fitted, clone


class RuleEncoder(TransformerMixin, FrameEstimator):  # type: ignore[misc]
    """Rows as rules: the number of the rule that fires, or a column of 0 and 1 for each rule.

    Args:
        estimator: a TreeRulesClassifier or TreeRulesRegressor, which is cloned and fitted; None is
            `TreeRulesClassifier()`.
        encode: "onehot", a column for each rule, or "ordinal", one column with the number of the rule, from 1.

    Attributes:
        estimator_: the fitted estimator.
        n_features_in_: the number of columns of X.
    """

    def __init__(self, estimator: Any = None, *, encode: str = "onehot") -> None:
        self.estimator = estimator
        self.encode = encode

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> "RuleEncoder":  # noqa: N803
        """Learn the rules.

        Args:
            X: the rows: a 2-D array of numbers, or a data frame.
            y: the target, shape (rows,).
            fit_params: further arguments of the estimator's `fit`, such as sample_weight.

        Returns:
            The transformer itself.

        Raises:
            OptionError: `encode` is neither "onehot" nor "ordinal", or `estimator` has no rules.
            ValueError: X or y is not valid.
        """
        if self.encode not in ("onehot", "ordinal"):
            raise OptionError("encode", self.encode, '"onehot" or "ordinal"')
        if not isinstance(self.estimator, TreeRulesEstimator | None):
            raise OptionError("estimator", self.estimator, or_none("a TreeRulesClassifier, a TreeRulesRegressor"))
        estimator = TreeRulesClassifier() if self.estimator is None else clone(self.estimator)
        self.estimator_ = estimator.fit(X, y, **fit_params)
        self.n_features_in_ = self.estimator_.n_features_in_
        if hasattr(self.estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.estimator_.feature_names_in_
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Return float64 of shape (rows, rules), or int64 of shape (rows, 1) where `encode` is "ordinal".

        Args:
            X: the rows, of the columns that were fitted.
        """
        check_is_fitted(self)
        numbers = self.estimator_.apply(X)
        if self.encode == "ordinal":
            return numbers.reshape(-1, 1)
        return (numbers[:, np.newaxis] == np.arange(1, self.estimator_.tree_.n_leaves + 1)).astype(np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns that `transform` gives: rule_1, rule_2 and so on, or rule.

        Args:
            input_features: not used; scikit-learn passes it.
        """
        check_is_fitted(self)
        n = self.estimator_.tree_.n_leaves
        names = ["rule"] if self.encode == "ordinal" else [f"rule_{number}" for number in range(1, n + 1)]
        return np.array(names, dtype=object)

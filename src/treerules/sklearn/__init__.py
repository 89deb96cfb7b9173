"""Estimators for users of scikit-learn (the extra [sklearn]).

    estimators      TreeRulesClassifier, TreeRulesRegressor
    a transformer   RuleEncoder: each row as the rule that fires

They take arrays, and data frames with text, categories, dates and missing values as they are. After `fit`, `tree_` is
the Tree and `rules_` its RuleSet, so all of treerules works on them.

>>> from treerules import cart
>>> from treerules.sklearn import TreeRulesClassifier
>>> model = TreeRulesClassifier(recipe=cart()).fit([[20], [30], [40], [50]], ["no", "no", "yes", "yes"])
>>> model.predict([[33], [44]]).tolist()
['no', 'yes']
>>> bool(model.check())
True

Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.sklearn.estimators import TreeRulesClassifier as TreeRulesClassifier
    from treerules.sklearn.estimators import TreeRulesRegressor as TreeRulesRegressor
    from treerules.sklearn.rule_encoder import RuleEncoder as RuleEncoder
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "sklearn.estimators": "TreeRulesClassifier TreeRulesRegressor",
    "sklearn.rule_encoder": "RuleEncoder",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)

"""Models of other libraries as trees and ensembles of treerules, with the same answer for every row.

    any model          import_model(fitted): the importer that recognises it, a row of IMPORTERS
    scikit-learn       from_sklearn(fitted): DecisionTree*, ExtraTree*, RandomForest*, ExtraTrees*, GradientBoosting*,
                       HistGradientBoosting*, searches with one of them as best estimator, and pipelines of imputers,
                       encoders, scalers and one of them
    XGBoost            files of save_model (JSON, UBJSON), Booster, XGBClassifier, XGBRegressor, XGBRanker
    LightGBM           files of save_model (text), Booster, LGBMClassifier, LGBMRegressor, LGBMRanker
    CatBoost           files of save_model (JSON), CatBoost, CatBoostClassifier, CatBoostRegressor

The models of the last three may also be the last step of such a pipeline.

An imported Tree is like one that `treerules.learn` made: `compile_rules`, `check`, `diff`, `explain`, `to_sql`,
`to_python`, `verify`, `render` and `save` take it. Forests and boosted models become an Ensemble of such trees.

>>> from sklearn.tree import DecisionTreeClassifier
>>> from treerules import check, render
>>> fitted = DecisionTreeClassifier(max_depth=1).fit([[20], [30], [40], [50]], ["no", "no", "yes", "yes"])
>>> tree = import_model(fitted, target="buys", features=["age"])
>>> tree
<Tree 'buys' leaves=2 depth=1>
>>> bool(check(tree))
True

Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.importers.importer import Importer as Importer
    from treerules.importers.table import IMPORTERS as IMPORTERS, from_sklearn as from_sklearn
    from treerules.importers.table import import_model as import_model
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "importers.importer": "Importer",
    "importers.table": "IMPORTERS from_sklearn import_model",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)

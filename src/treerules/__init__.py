"""Learn a decision tree from a table, compile it into if-then rules, prove them, and ship them as Python or SQL.

    read        read, Table                                      files and frames to a Table
    learn       learn, auto, cart, c45, id3, optimal, prune      a Table to a Tree
    predict     predict, predict_proba, apply, evaluate          a Tree and rows to answers and metrics
    rules       compile_rules, read_rules                        a Tree, or a file of rules, to a RuleSet
    prove       check, diff, explain, tree_from_rules            verdicts, each "no" with a row that shows it
    ship        to_sql, to_python, to_javascript, to_dbt         code without dependencies
    verify      verify                                           the emitted code beside the model
    show        render                                           any result as text, Markdown, CSV, JSON or HTML
    keep        save, load                                       a Tree to a file and back

`help(treerules.learn)` describes a function: its arguments, its result, its errors, an example.

>>> from treerules import check, compile_rules, learn, read, to_sql
>>> rules = compile_rules(learn(read("examples/weather.csv"), target="play"))
>>> bool(check(rules))
True
>>> sql = to_sql(rules, dialect="duckdb")

More names stand in the public packages, each name in one of them:

    treerules.trees      nodes, split tests and predictions of trees, the functions that walk trees, JSON
    treerules.formats    rule text, decision tables, DMN and CASE of SQL: parsers and writers
    treerules.readers    read_csv, read_parquet, read_query and others for one kind of source
    treerules.importers  import_model: fitted models of scikit-learn as trees and ensembles
    treerules.sklearn    estimators for pipelines and searches of scikit-learn
    treerules.criteria   CRITERIA: the scores of splits
    treerules.emit       code in languages of your own, rules as SQL tables, what templates may use
    treerules.report     the formats of each result, for reports of your own
    treerules.testing    hypothesis strategies, assertions about rules
    treerules.errors     TreeRulesError and its subclasses
    treerules.curried    the functions, curried as in toolz

Each name is loaded when it is first used (PEP 562), so that `import treerules` costs next to nothing.
"""

import sys
from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package
from treerules._internal.version import __version__ as __version__

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.data.domain import ColumnDomain as ColumnDomain
    from treerules.data.interval import Interval as Interval
    from treerules.data.schema import Feature as Feature, Kind as Kind, Schema as Schema
    from treerules.data.table import Table as Table
    from treerules.data.value_set import ValueSet as ValueSet
    from treerules.emit.dbt import to_dbt as to_dbt
    from treerules.emit.javascript import to_javascript as to_javascript
    from treerules.emit.python.module import to_python as to_python
    from treerules.emit.sql.case import to_sql as to_sql
    from treerules.errors import TreeRulesError as TreeRulesError
    from treerules.evaluation.evaluation import Evaluation as Evaluation, evaluate as evaluate
    from treerules.evaluation.feature_gains import feature_gains as feature_gains
    from treerules.evaluation.gain_records import FeatureGains as FeatureGains
    from treerules.evaluation.importances import (
        Importances as Importances,
        importances as importances,
        permutation_importances as permutation_importances,
    )
    from treerules.evaluation.rule_metrics import RuleSetMetrics as RuleSetMetrics, rule_metrics as rule_metrics
    from treerules.formats.dmn.dmn_writer import to_dmn as to_dmn
    from treerules.formats.rule_files import read_rules as read_rules
    from treerules.learning.cross_validation import CrossValidation as CrossValidation, cross_validate as cross_validate
    from treerules.learning.holdout import holdout as holdout
    from treerules.learning.learn import learn as learn
    from treerules.learning.recipe_comparison import (
        RecipeComparison as RecipeComparison,
        compare_recipes as compare_recipes,
    )
    from treerules.learning.relearn import relearn as relearn
    from treerules.proof.check import Verdict as Verdict, check as check
    from treerules.proof.check_list import ListVerdict as ListVerdict, check_list as check_list
    from treerules.proof.diff import Diff as Diff, diff as diff
    from treerules.proof.ensemble_explanation import EnsembleExplanation as EnsembleExplanation
    from treerules.proof.explain import Explanation as Explanation, explain as explain
    from treerules.proof.review import Review as Review, review as review
    from treerules.proof.to_exclusive import to_exclusive as to_exclusive
    from treerules.proof.to_tree import tree_from_rules as tree_from_rules
    from treerules.pruning.cost_complexity import (
        CostComplexityPath as CostComplexityPath,
        cost_complexity_path as cost_complexity_path,
    )
    from treerules.pruning.penalised import penalised_loss as penalised_loss
    from treerules.pruning.pruners import prune as prune
    from treerules.readers.files import read as read
    from treerules.recipes.algorithms import c45 as c45, cart as cart, id3 as id3
    from treerules.recipes.auto import auto as auto
    from treerules.recipes.optimal import optimal as optimal
    from treerules.recipes.recipe import Recipe as Recipe
    from treerules.recipes.recipe_files import load_recipe as load_recipe
    from treerules.report.render_result import render as render
    from treerules.rules.compile import compile_rules as compile_rules
    from treerules.rules.rule import (
        Condition as Condition,
        RuleFigures as RuleFigures,
        Members as Members,
        Rule as Rule,
    )
    from treerules.rules.rule_set import ExclusiveRules as ExclusiveRules, RuleList as RuleList, RuleSet as RuleSet
    from treerules.trees.ensemble import Ensemble as Ensemble
    from treerules.trees.error_estimate import ErrorEstimate as ErrorEstimate
    from treerules.trees.model_files import load as load, save as save
    from treerules.trees.predict import predict as predict, predict_proba as predict_proba, apply as apply
    from treerules.trees.prediction_table import Predictions as Predictions, predict_table as predict_table
    from treerules.trees.tree import Tree as Tree
    from treerules.verification.equivalence import Equivalence as Equivalence
    from treerules.verification.verify import verify as verify
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "data.domain": "ColumnDomain",
    "data.interval": "Interval",
    "data.schema": "Feature Kind Schema",
    "data.table": "Table",
    "data.value_set": "ValueSet",
    "emit.dbt": "to_dbt",
    "emit.javascript": "to_javascript",
    "emit.python.module": "to_python",
    "emit.sql.case": "to_sql",
    "errors": "TreeRulesError",
    "evaluation.evaluation": "Evaluation evaluate",
    "evaluation.feature_gains": "feature_gains",
    "evaluation.gain_records": "FeatureGains",
    "evaluation.importances": "Importances importances permutation_importances",
    "evaluation.rule_metrics": "RuleSetMetrics rule_metrics",
    "formats.dmn.dmn_writer": "to_dmn",
    "formats.rule_files": "read_rules",
    "learning.cross_validation": "CrossValidation cross_validate",
    "learning.holdout": "holdout",
    "learning.learn": "learn",
    "learning.recipe_comparison": "RecipeComparison compare_recipes",
    "learning.relearn": "relearn",
    "proof.check": "Verdict check",
    "proof.check_list": "ListVerdict check_list",
    "proof.diff": "Diff diff",
    "proof.ensemble_explanation": "EnsembleExplanation",
    "proof.explain": "Explanation explain",
    "proof.review": "Review review",
    "proof.to_exclusive": "to_exclusive",
    "proof.to_tree": "tree_from_rules",
    "pruning.cost_complexity": "CostComplexityPath cost_complexity_path",
    "pruning.penalised": "penalised_loss",
    "pruning.pruners": "prune",
    "readers.files": "read",
    "recipes.algorithms": "c45 cart id3",
    "recipes.auto": "auto",
    "recipes.optimal": "optimal",
    "recipes.recipe": "Recipe",
    "recipes.recipe_files": "load_recipe",
    "report.render_result": "render",
    "rules.compile": "compile_rules",
    "rules.rule": "Condition Members Rule RuleFigures",
    "rules.rule_set": "ExclusiveRules RuleList RuleSet",
    "trees.ensemble": "Ensemble",
    "trees.error_estimate": "ErrorEstimate",
    "trees.model_files": "load save",
    "trees.predict": "apply predict predict_proba",
    "trees.prediction_table": "Predictions predict_table",
    "trees.tree": "Tree",
    "verification.equivalence": "Equivalence",
    "verification.verify": "verify",
}
#: Public modules: after `import treerules`, `treerules.errors` is there without an import of its own.
_MODULES = (
    "criteria",
    "curried",
    "emit",
    "errors",
    "formats",
    "importers",
    "readers",
    "report",
    "sklearn",
    "testing",
    "trees",
)


def _register() -> None:
    """Register our types with hypothesis where that is loaded, so that `from_type(Tree)` draws trees."""
    if "hypothesis" in sys.modules:
        from treerules.testing.registration import register  # late: only for who tests with hypothesis

        register()


_names, __getattr__, __dir__ = lazy_package(
    __name__, _NAMES, modules=_MODULES, unlocked=["curried"], after_loading=_register
)

__all__ = tuple(sorted(["__version__", *_names]))

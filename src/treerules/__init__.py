"""Learn a decision tree, compile it into rules proved exclusive and complete, ship them as plain Python or SQL."""

from treerules._internal.version import __version__
from treerules.data.domain import ColumnDomain
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.emit.custom import to_code
from treerules.emit.dbt import to_dbt
from treerules.emit.javascript import to_javascript
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.emit.sql.rules_table import rules_table_sql, rules_table_statements
from treerules.errors import TreeRulesError
from treerules.evaluation.evaluation import Evaluation, evaluate
from treerules.evaluation.feature_gains import FeatureGain, Gains, gains
from treerules.evaluation.importances import Importances, importances, permutation_importances
from treerules.evaluation.rule_metrics import Scores, score
from treerules.formats.dmn.dmn_reader import rules_from_dmn
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.rule_files import read_rules
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.rules_text.text_writer import written_text
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.sql.rewrite_case import exclusive_case
from treerules.formats.tables.table_reader import rules_from_csv, rules_from_markdown
from treerules.formats.tables.table_writer import decision_table_text
from treerules.learning.cross_validation import CpRow, CrossValidation, cross_validate
from treerules.learning.learn import learn
from treerules.learning.recipe_comparison import Grid, GridRow, grid
from treerules.learning.relearn import relearn
from treerules.proof.check import Gap, Mergeable, Overlap, Shadowed, Verdict, check
from treerules.proof.check_list import ListVerdict, check_list
from treerules.proof.diff import Diff, Disagreement, diff
from treerules.proof.explain import Explanation, explain
from treerules.proof.review import Review, review
from treerules.proof.to_exclusive import made_exclusive
from treerules.proof.to_tree import tree_of
from treerules.pruning.cost_complexity import CostComplexityPath, cost_complexity_path
from treerules.pruning.penalised import penalised_loss
from treerules.pruning.pruners import prune
from treerules.readers.csv.reader import read_csv
from treerules.readers.duckdb import read_parquet, read_query
from treerules.readers.files import read_file
from treerules.readers.rows import read_connection, read_jsonl, read_sqlite
from treerules.recipes.algorithms import c45, cart, id3
from treerules.recipes.recipe import Recipe
from treerules.recipes.recipe_files import load_recipe
from treerules.report.cross_validation_report import cross_validation_text, grid_text
from treerules.report.diff_report import diff_text
from treerules.report.evaluation_report import evaluation_text, importances_text
from treerules.report.explanation_report import explanation_text
from treerules.report.feature_gains_report import gains_text
from treerules.report.rule_metrics_report import scores_text
from treerules.report.rule_text import rules_text
from treerules.report.tree_drawing import tree_text
from treerules.report.verdict_report import reviews_text, verdict_text
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import Unread, Written
from treerules.rules.rule import Condition, Figures, Interval, Members, Rule
from treerules.rules.rule_set import Exclusive, RuleList, RuleSet
from treerules.rules.wording import rule_text
from treerules.sql.language import Language
from treerules.testing.registration import register as _register
from treerules.trees.json_codec import load_tree, save_tree, tree_from_json, tree_to_json
from treerules.trees.node_parts import Groups, Label, Mean, Threshold
from treerules.trees.nodes import fold
from treerules.trees.predict import leaf_of, predict, predict_proba, rule_numbers
from treerules.trees.prediction_table import Predictions, predictions_of, predictions_text, write_parquet
from treerules.trees.tree import Leaf, Node, Split, Tree, descend, leaves, paths, preorder, unfold
from treerules.verification.answers import Raised
from treerules.verification.code_equivalence import (
    Difference,
    DifferentAnswersError,
    Equivalence,
    assert_equivalent,
    verify,
)

__all__ = (
    "ColumnDomain",
    "Condition",
    "CostComplexityPath",
    "CpRow",
    "CrossValidation",
    "Diff",
    "Difference",
    "DifferentAnswersError",
    "Disagreement",
    "Equivalence",
    "Evaluation",
    "Exclusive",
    "Explanation",
    "Feature",
    "FeatureGain",
    "Figures",
    "Gains",
    "Gap",
    "Grid",
    "GridRow",
    "Groups",
    "Importances",
    "Interval",
    "Kind",
    "Label",
    "Language",
    "Leaf",
    "ListVerdict",
    "Mean",
    "Members",
    "Mergeable",
    "Node",
    "Overlap",
    "Predictions",
    "Raised",
    "Recipe",
    "Review",
    "Rule",
    "RuleList",
    "RuleSet",
    "Schema",
    "Scores",
    "Shadowed",
    "Split",
    "Table",
    "Threshold",
    "Tree",
    "TreeRulesError",
    "Unread",
    "Verdict",
    "Written",
    "__version__",
    "assert_equivalent",
    "boundary_rows",
    "c45",
    "cart",
    "check",
    "check_list",
    "compile_rules",
    "cost_complexity_path",
    "cross_validate",
    "cross_validation_text",
    "decision_table_text",
    "descend",
    "diff",
    "diff_text",
    "evaluate",
    "evaluation_text",
    "exclusive_case",
    "explain",
    "explanation_text",
    "fold",
    "gains",
    "gains_text",
    "grid",
    "grid_text",
    "id3",
    "importances",
    "importances_text",
    "leaf_of",
    "learn",
    "leaves",
    "load_recipe",
    "load_tree",
    "made_exclusive",
    "paths",
    "penalised_loss",
    "permutation_importances",
    "predict",
    "predict_proba",
    "predictions_of",
    "predictions_text",
    "preorder",
    "prune",
    "read_connection",
    "read_csv",
    "read_file",
    "read_jsonl",
    "read_parquet",
    "read_query",
    "read_rules",
    "read_sqlite",
    "relearn",
    "review",
    "reviews_text",
    "rule_numbers",
    "rule_text",
    "rules_from_csv",
    "rules_from_dmn",
    "rules_from_markdown",
    "rules_from_sql",
    "rules_from_text",
    "rules_table_sql",
    "rules_table_statements",
    "rules_text",
    "save_tree",
    "score",
    "scores_text",
    "to_code",
    "to_dbt",
    "to_dmn",
    "to_javascript",
    "to_python",
    "to_sql",
    "tree_from_json",
    "tree_of",
    "tree_text",
    "tree_to_json",
    "unfold",
    "verdict_text",
    "verify",
    "write_parquet",
    "written_text",
)

_register()  # our types with hypothesis, where that is loaded already

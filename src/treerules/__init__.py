"""Learn a decision tree, compile it into rules proved exclusive and complete, ship them as plain Python or SQL."""

from treerules._hypothesis_entry import register as _register
from treerules._version import __version__
from treerules.boundaries import boundary_rows
from treerules.check import Gap, Mergeable, Overlap, Shadowed, Verdict, check
from treerules.codec import load_tree, save_tree, tree_from_json, tree_to_json
from treerules.compiling import compile_rules
from treerules.diff import Diff, Disagreement, diff
from treerules.domains import ColumnDomain
from treerules.emit.choices import cross_validation_text, grid_text
from treerules.emit.code import to_code
from treerules.emit.dbt import to_dbt
from treerules.emit.decision_tables import decision_table_text
from treerules.emit.differences import diff_text
from treerules.emit.dmn import to_dmn
from treerules.emit.drawing import tree_text
from treerules.emit.exclusive_case import exclusive_case
from treerules.emit.explanations import explanation_text
from treerules.emit.gains import gains_text
from treerules.emit.javascript import to_javascript
from treerules.emit.languages import Language
from treerules.emit.python import to_python
from treerules.emit.reports import evaluation_text, importances_text
from treerules.emit.rules_table import rules_table_sql, rules_table_statements
from treerules.emit.scores import scores_text
from treerules.emit.sql import to_sql
from treerules.emit.text import rules_text
from treerules.emit.verdicts import reviews_text, verdict_text
from treerules.emit.wording import rule_text
from treerules.emit.written import written_text
from treerules.errors import TreeRulesError
from treerules.exclusive import Exclusive, made_exclusive
from treerules.explain import Explanation, explain
from treerules.gains import FeatureGain, Gains, gains
from treerules.importances import Importances, importances, permutation_importances
from treerules.learn import Recipe, c45, cart, id3, learn, relearn
from treerules.lists import ListVerdict, check_list
from treerules.metrics import Evaluation, evaluate
from treerules.parse import Unread, Written
from treerules.parse.dmn import rules_from_dmn
from treerules.parse.files import read_rules
from treerules.parse.sql import rules_from_sql
from treerules.parse.tables import rules_from_csv, rules_from_markdown
from treerules.parse.text import rules_from_text
from treerules.parts import Groups, Label, Mean, Threshold
from treerules.predict import leaf_of, predict, predict_proba, rule_numbers
from treerules.predictions import Predictions, predictions_of, predictions_text, write_parquet
from treerules.prune import CostComplexityPath, cost_complexity_path, penalised_loss, prune
from treerules.read import read_connection, read_csv, read_file, read_jsonl, read_parquet, read_query, read_sqlite
from treerules.recipes import load_recipe
from treerules.reviewing import Review, review
from treerules.rules import Condition, Figures, Interval, Members, Rule, RuleList, RuleSet
from treerules.schema import Feature, Kind, Schema
from treerules.score import Scores, score
from treerules.selection import CpRow, CrossValidation, Grid, GridRow, cross_validate, grid
from treerules.splitting import tree_of
from treerules.table import Table
from treerules.tree import Leaf, Node, Split, Tree, descend, fold, leaves, paths, preorder, unfold
from treerules.verify import Difference, DifferentAnswersError, Equivalence, Raised, assert_equivalent, verify

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

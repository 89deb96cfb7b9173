"""The table `REPORTS`: what each type of result can be shown as. A new result is one more row."""

from collections.abc import Mapping
from types import MappingProxyType

from treerules.report.certificate_report import CERTIFICATE
from treerules.report.cost_complexity_report import COST_COMPLEXITY_PATH
from treerules.report.cross_validation_report import CROSS_VALIDATION
from treerules.report.diff_report import DIFF
from treerules.report.ensemble_explanation_report import ENSEMBLE_EXPLANATION
from treerules.report.ensemble_report import ENSEMBLE
from treerules.report.equivalence_report import EQUIVALENCE
from treerules.report.error_estimate_report import ERROR_ESTIMATE
from treerules.report.evaluation_report import EVALUATION
from treerules.report.explanation_report import EXPLANATION
from treerules.report.feature_gains_report import FEATURE_GAINS
from treerules.report.file_diffs_report import FILE_DIFFS
from treerules.report.importances_report import IMPORTANCES
from treerules.report.predictions_report import PREDICTIONS
from treerules.report.recipe_comparison_report import RECIPE_COMPARISON
from treerules.report.report import Report
from treerules.report.rule_metrics_report import RULE_SET_METRICS
from treerules.report.rules_report import RULE_LIST, RULE_SET
from treerules.report.sampled_diff_report import SAMPLED_DIFF
from treerules.report.table_report import TABLE
from treerules.report.tree_report import TREE
from treerules.report.verdict_report import LIST_VERDICT, REVIEW, REVIEWS, VERDICT

_ROWS = (
    TREE,
    ENSEMBLE,
    RULE_SET,
    RULE_LIST,
    PREDICTIONS,
    EVALUATION,
    FEATURE_GAINS,
    IMPORTANCES,
    RULE_SET_METRICS,
    CROSS_VALIDATION,
    RECIPE_COMPARISON,
    COST_COMPLEXITY_PATH,
    CERTIFICATE,
    ERROR_ESTIMATE,
    VERDICT,
    LIST_VERDICT,
    REVIEW,
    REVIEWS,
    DIFF,
    SAMPLED_DIFF,
    FILE_DIFFS,
    EXPLANATION,
    ENSEMBLE_EXPLANATION,
    EQUIVALENCE,
    TABLE,
)
#: The reports by the type of result.
REPORTS: Mapping[type, Report] = MappingProxyType({report.result: report for report in _ROWS})

"""`treerules score`: the metrics of rules on a table."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import RULES_PATH
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.rule_file_options import CASE, read_part, rule_file_options
from treerules.cli.table_options import (
    DROP_MISSING_TARGET,
    WEIGHT,
    read_table,
    table_options,
    whole_schema,
)
from treerules.evaluation.rule_metrics import rule_metrics
from treerules.report.rule_metrics_report import RULE_SET_METRICS


@click.command("score")
@click.argument("rules_file", type=RULES_PATH, metavar="RULES")
@table_options
@rule_file_options
@CASE
@WEIGHT
@DROP_MISSING_TARGET
@format_option(RULE_SET_METRICS)
@LANG
def score_command(
    rules_file: Path,
    file: Path | None,
    case: int | None,
    weight: str | None,
    drop_missing_target: bool,
    format_: str | None,
    lang: str,
    **options: Any,
) -> None:
    """Print the metrics of RULES on the rows of FILE.

    RULES is any file that `check` reads. Prints n, coverage, support, confidence and lift of each rule, the rules that
    fire for the same rows, and the rows for which none fires. Without the target in FILE there are n and coverage
    alone.
    """
    parsed = read_part(rules_file, options, case)
    extra_columns = [] if weight is None else [weight]
    table = read_table(file, options, schema=whole_schema(parsed.rules.schema), extra_columns=extra_columns)
    metrics = rule_metrics(parsed, table, weight=weight, drop_missing_target=drop_missing_target)
    print_notes(metrics.notes)
    print_report(RULE_SET_METRICS, metrics, format_=format_, lang=lang)

"""`treerules diff`: where two sets of rules answer differently."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH, RULES_PATH
from treerules.cli.output import LANG, format_option, print_report
from treerules.cli.rule_file_options import CASE, rule_file_options
from treerules.cli.rule_file_pairs import read_pair
from treerules.cli.table_options import csv_options, read_file
from treerules.proof.align_schemas import merge_schemas
from treerules.proof.diff import BUDGET, diff
from treerules.report.diff_report import DIFF


@click.command("diff")
@click.argument("old", type=RULES_PATH, metavar="OLD")
@click.argument("new", type=RULES_PATH, metavar="NEW")
@rule_file_options
@CASE
@click.option("--data", type=PATH, metavar="FILE", help="Count the rows of this file for which the answers differ.")
@click.option(
    "--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Show at most N regions."
)
@click.option(
    "--budget",
    type=click.IntRange(0),
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="Spend at most N steps to make rules that overlap comparable.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the answers differ.")
@format_option(DIFF)
@LANG
@csv_options
def diff_command(
    old: Path,
    new: Path,
    case: int | None,
    data: Path | None,
    limit: int,
    budget: int,
    exit_code: bool,
    format_: str | None,
    lang: str,
    **options: Any,
) -> int:
    """Show where OLD and NEW answer differently, exactly.

    Both are files that `check` reads: models, rules as text, decision tables, DMN, SQL. Prints each region in which
    the answers differ, with a row of it and the rules of both sides, and the rules that are unchanged, moved, added
    and removed. If both are equal on the whole domain, that is a proof. If one is a model and --schema is not given,
    the columns of the other have the kinds of the model.
    """
    old_rules, new_rules = read_pair(old, new, options, case)
    schema = merge_schemas(old_rules.rules.schema, new_rules.rules.schema)
    table = None if data is None else read_file(data, options, schema=schema)
    difference = diff(old_rules, new_rules, table=table, limit=limit, budget=budget)
    print_report(DIFF, difference, format_=format_, lang=lang)
    return 1 if exit_code and not difference.equal else 0

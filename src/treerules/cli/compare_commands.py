"""The commands that look at rules and rows, or at two sets of rules: `diff`, `explain`, `score`."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import judging_table
from treerules.cli.output import LANG, format_option, note, put_report
from treerules.cli.progress import progress
from treerules.cli.rule_file_options import CASE, one_part, rules_reading
from treerules.cli.table_options import PATH, csv_options, reading, reading_csv, table_of
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.data.value_format import spelled
from treerules.errors import DataError, counted, did_you_mean
from treerules.evaluation.rule_metrics import rule_metrics
from treerules.formats.pasted_rows import row_from_text, unknown_column_text
from treerules.proof.align_schemas import merge_schemas
from treerules.proof.diff import diff
from treerules.proof.explain import BUDGET, explain
from treerules.readers.files import read
from treerules.report.diff_report import DIFF
from treerules.report.explanation_report import EXPLANATION
from treerules.report.rule_metrics_report import RULE_SET_METRICS


@click.command("diff")
@click.argument("old", type=PATH, metavar="OLD")
@click.argument("new", type=PATH, metavar="NEW")
@rules_reading
@CASE
@click.option("--data", type=PATH, metavar="FILE", help="Count on its rows how often the answers differ.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="So many regions.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the answers differ.")
@format_option(DIFF)
@LANG
@reading_csv
def diff_command(
    old: Path,
    new: Path,
    case: int | None,
    data: Path | None,
    limit: int,
    exit_code: bool,
    format_: str | None,
    lang: str,
    **options: Any,
) -> int:
    """Say where OLD and NEW answer differently, exactly.

    Both are files that `check` reads: models, rules as text, decision tables, DMN, SQL. Prints each region in which
    the answers differ with a row that shows it and the rules of both sides; which rules are unchanged, moved, added
    and removed; or that both are equal on the whole domain, which is a proof.
    """
    before, after = (one_part(file, options, case) for file in (old, new))
    table = judging_table(data, options, schema=merge_schemas(before.rules.schema, after.rules.schema))
    found = diff(before, after, table=table, limit=limit)
    put_report(DIFF, found, format_=format_, lang=lang)
    return 1 if exit_code and not found.equal else 0


@click.command("explain")
@click.argument("file", type=PATH, metavar="M")
@rules_reading
@CASE
@click.option("--row", metavar="JSON", help="""The row: '{"age": 31}'; or the Python dict that check prints.""")
@click.option("--data", type=PATH, metavar="F", help="The file that has the row.")
@click.option("--id", "key", metavar="K", help="Which row of --data: its number from 0, or its --id-column.")
@click.option("--id-column", metavar="COL", help="The column of --data that --id is looked for in.")
@click.option("--budget", type=click.IntRange(1), metavar="N", help="So many regions are looked at for the change.")
@format_option(EXPLANATION)
@LANG
@reading_csv
def explain_command(
    file: Path,
    case: int | None,
    row: str | None,
    data: Path | None,
    key: str | None,
    id_column: str | None,
    budget: int | None,
    format_: str | None,
    lang: str,
    **options: Any,
) -> None:
    """Say which rule of M fires for a row, why, and what would change the answer.

    M is a model, or any file of rules that `check` reads. The change is the nearest one: as few columns as possible,
    and of these the least. A column that the row does not have is missing.
    """
    written = one_part(file, options, case)
    if (row is None) is (data is None) or (data is None) is not (key is None):
        raise click.UsageError("Give --row, or --data with --id.", click.get_current_context())
    if row is not None:
        asked, strange = row_from_text(row, written.rules.schema)
        note(unknown_column_text(name, written.rules.schema) for name in strange)
    else:
        asked = _row_of(written.rules.schema, data or Path(), key or "", id_column, options)
    found = explain(written, asked, budget=BUDGET if budget is None else budget)
    put_report(EXPLANATION, found, format_=format_, lang=lang)


def _row_of(schema: Schema, data: Path, key: str, id_column: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a file that is meant.

    Raises:
        DataError: there is none, or there are several.
    """
    keep = [] if id_column is None else [id_column]
    with progress(f"reading {data.name}") as tell:
        table = read(data, schema=schema, extra_columns=keep, progress=tell, **csv_options(options))
    place = _place_of(table, key, id_column, data)
    return {name: value for name, value in table.row(place).items() if name in schema.indices}


def _place_of(table: Table, key: str, id_column: str | None, data: Path) -> int:
    if id_column is None:
        if not key.isdecimal() or int(key) >= table.n_rows:
            remedy = f"give a number from 0 to {table.n_rows - 1}, or name the column with --id-column"
            raise DataError(f"{data} has no row {key!r}", remedy)
        return int(key)
    column = table.column(id_column)
    values = [column.value(place) for place in range(table.n_rows)]
    texts = ["" if value is None else spelled(value, column.feature.form) for value in values]
    places = [place for place, text in enumerate(texts) if text == key]
    if len(places) != 1:
        found = f"{counted(len(places), 'row')} of {data}" if places else f"no row of {data}"
        hint = "" if places else did_you_mean(key, dict.fromkeys(texts))
        raise DataError(f"{found} with {id_column} {key!r}", f"{hint}give a value that one row has")
    return places[0]


@click.command("score")
@click.argument("rules_file", type=PATH, metavar="RULES")
@reading
@rules_reading
@CASE
@click.option("--weight", metavar="COL", help="A column of FILE: how much each row counts.")
@click.option("--drop-missing-target", is_flag=True, help="Leave rows without a target out.")
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
    """Say how RULES fare on the rows of FILE, whoever made them.

    RULES is any file that `check` reads. Prints n, coverage, support, confidence and lift of each rule, the rules that
    claim the same rows, and the rows that none claims. Without the target in FILE there are n and coverage alone.
    """
    written = one_part(rules_file, options, case)
    goal = written.rules.schema.target
    schema = Schema([*written.rules.schema.features, *([goal] if goal else [])])
    table = table_of(file, options, schema=schema, keep=[] if weight is None else [weight])
    found = rule_metrics(written, table, weight=weight, drop_missing_target=drop_missing_target)
    note(found.notes)
    put_report(RULE_SET_METRICS, found, format_=format_, lang=lang)

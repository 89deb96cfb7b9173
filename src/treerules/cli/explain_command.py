"""`treerules explain`: the rule that fires for a row and the nearest change, or what each tree of an ensemble adds."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from treerules.cli.input_paths import PATH, RULES_PATH
from treerules.cli.model_options import TREE_NUMBER
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.phrasing_options import phrasing_options
from treerules.cli.rule_file_options import (
    CASE,
    chosen_part,
    declared_schema,
    ensemble_of,
    opened_rules,
    parts_of,
    rule_file_options,
)
from treerules.cli.table_options import csv_options, read_file
from treerules.cli.top_option import TOP_OPTION
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.data.value_format import value_text
from treerules.errors import DataError, OptionError, counted, did_you_mean
from treerules.formats.pasted_rows import row_from_text, unknown_column_text
from treerules.proof.explain import BUDGET, explain
from treerules.report.ensemble_explanation_report import ENSEMBLE_EXPLANATION, unfolded_parts
from treerules.report.explanation_report import EXPLANATION
from treerules.rules.parsed import ParsedRules
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree


@click.command("explain")
@click.argument("file", type=RULES_PATH, metavar="RULES")
@rule_file_options
@CASE
@TREE_NUMBER
@click.option(
    "--row", metavar="JSON", help="""Explain this row: '{"age": 31}', or the Python dict that check prints."""
)
@click.option("--data", type=PATH, metavar="FILE", help="Read the row from this file.")
@click.option(
    "--id", "key", metavar="K", help="Explain the row of --data of this number from 0, or of this value in --id-column."
)
@click.option("--id-column", metavar="COL", help="Search the value of --id in this column of --data.")
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Search at most N regions for the change.  [default: 20000]"
)
@click.option(
    "--label",
    metavar="CLASS",
    help="Explain the margin of this class, of an ensemble with one for each class.  [default: the predicted class]",
)
@TOP_OPTION
@phrasing_options
@format_option(EXPLANATION)
@LANG
@csv_options
def explain_command(
    file: Path,
    case: int | None,
    row: str | None,
    data: Path | None,
    key: str | None,
    id_column: str | None,
    format_: str | None,
    lang: str,
    exact: bool,
    full: bool,
    digits: int | None,
    **options: Any,
) -> None:
    """Explain the answer for one row.

    RULES is a model, or any file of rules that `check` reads. Prints the rule that fires, each of its conditions with
    the value of the row, and the nearest change that gives another answer: as few columns as possible, and among those
    the smallest differences. A column that the row does not have is missing.

    Of an ensemble the rule that each tree fires is printed, and what it adds to the margin, the largest first; --tree
    explains one tree.
    """
    source = _source(file, case, options)
    schema = source.schema if isinstance(source, Ensemble) else source.rules.schema
    if (row is None) is (data is None) or (data is None) is not (key is None):
        raise click.UsageError("Missing option '--row', or '--data' with '--id'.", click.get_current_context())
    if row is not None:
        values, unknown = row_from_text(row, schema)
        print_notes(unknown_column_text(name, schema) for name in unknown)
    else:
        tree = None if isinstance(source, Ensemble) else getattr(source.rules, "tree", None)
        values = _row_of_file(schema, tree, data or Path(), key or "", id_column, options)
    choices: dict[str, Any] = {"format_": format_, "lang": lang, "exact": exact, "full": full, "digits": digits}
    if isinstance(source, Ensemble):
        explanation = explain(source, values, label=options["label"])
        parts = partial(unfolded_parts, explanation, lang, exact=exact, full=full, digits=digits, top=options["top"])
        print_report(ENSEMBLE_EXPLANATION, explanation, top=options["top"], parts=parts, **choices)
    else:
        budget = BUDGET if options["budget"] is None else options["budget"]
        print_report(EXPLANATION, explain(source, values, budget=budget), **choices)


#: The options that are for rules, and for ensembles.
_OF_RULES = {"case": "--case", "dialect": "--dialect", "schema_file": "--schema", "budget": "--budget"}
_OF_ENSEMBLES = {"label": "--label", "top": "--top"}


def _source(file: Path, case: int | None, options: dict[str, Any]) -> ParsedRules | Ensemble:
    """Return the ensemble of a file, or its rules; with --tree those of one tree.

    Raises:
        OptionError: An option is for rules and the file is an ensemble, or the other way round.
    """
    opened, form = opened_rules(file, options)
    ensemble = ensemble_of(opened, form)
    given = {"case": case, **options}
    if ensemble is not None:
        wanted = f"none: it is for rules, and {opened.name} is an ensemble; give --tree with the number of a tree"
        _require_none(_OF_RULES, given, wanted)
        return ensemble
    is_tree = "one tree" if form == "model" else "a file of rules"
    _require_none(_OF_ENSEMBLES, given, f"none: it is for the trees of an ensemble, and this is {is_tree}")
    return chosen_part(parts_of(opened, form, declared_schema(options)), file, case)


def _require_none(flags: dict[str, str], given: dict[str, Any], wanted: str) -> None:
    for name, flag in flags.items():
        if given[name] is not None:
            raise OptionError(flag, given[name], wanted)


def _row_of_file(
    schema: Schema, tree: Tree | None, data: Path, key: str, id_column: str | None, options: dict[str, Any]
) -> dict[str, Any]:
    """Return one row of a file.

    Raises:
        DataError: No row has the key, or several rows do.
        OptionError: The file was read by other choices than the tree holds.
    """
    extra_columns = [] if id_column is None else [id_column]
    table = read_file(data, options, schema=schema, model=tree, extra_columns=extra_columns)
    row = table.row(_row_number(table, key, id_column, data))
    return {name: value for name, value in row.items() if name in schema.indices}


def _row_number(table: Table, key: str, id_column: str | None, data: Path) -> int:
    """Return the position of the row with a key."""
    if id_column is None:
        if not key.isdecimal() or int(key) >= table.n_rows:
            remedy = f"give a number from 0 to {table.n_rows - 1}, or name the column with --id-column"
            raise DataError(f"{data} has no row {key!r}", remedy)
        return int(key)
    column = table.column(id_column)
    values = [column.value(row) for row in range(table.n_rows)]
    texts = ["" if value is None else value_text(value, column.feature.form) for value in values]
    rows = [row for row, text in enumerate(texts) if text == key]
    if len(rows) != 1:
        which = f"{counted(len(rows), 'row')} of {data}" if rows else f"no row of {data}"
        hint = "" if rows else did_you_mean(key, dict.fromkeys(texts))
        raise DataError(f"{which} with {id_column} {key!r}", f"{hint}give a value that one row has")
    return rows[0]

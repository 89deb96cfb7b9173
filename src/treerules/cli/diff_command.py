"""`treerules diff`: where two sets of rules answer differently."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from treerules.cli.file_kinds import notes_on_data
from treerules.cli.git_revisions import changed_files
from treerules.cli.input_paths import PATH, RULES_PATH
from treerules.cli.model_pairs import Models, diff_of_models, models_of, models_since
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.rule_file_options import CASE, rule_file_options
from treerules.cli.rule_file_pairs import OpenedRules, opened_pair, read_pairs, read_versions
from treerules.cli.table_options import csv_options, read_file
from treerules.errors import OptionError, TreeRulesError
from treerules.proof.align_schemas import merge_schemas
from treerules.proof.diff import BUDGET, Diff, diff
from treerules.proof.diff_parts import FileDiffs, PartDiff, diff_parts
from treerules.report.diff_report import DIFF
from treerules.report.file_diffs_report import FILE_DIFFS
from treerules.report.sampled_diff_report import SAMPLED_DIFF
from treerules.rules.parsed import ParsedRules


@click.command("diff")
@click.argument("files", type=RULES_PATH, nargs=-1, required=True, metavar="OLD NEW")
@rule_file_options
@CASE
@click.option(
    "--base", metavar="REV", help="Compare each file, and each SQL file of a folder, with this revision of git."
)
@click.option("--data", type=PATH, metavar="FILE", help="Count the rows of this file for which the answers differ.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Show at most N regions, of ensembles N rows.",
)
@click.option(
    "--rows",
    type=click.IntRange(1),
    metavar="N",
    help="Compare ensembles on at most N rows that are made from both.  [default: 10000]",
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
    files: Sequence[Path],
    case: int | None,
    base: str | None,
    data: Path | None,
    limit: int,
    rows: int | None,
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

    An ensemble is compared with another one, or with a tree, on rows, which is no proof: rows that are made from both
    (--rows) and those of --data. Prints how many answers differ, by how much, under which conditions, and such rows.

    Of SQL with several CASEs, those of one output column are compared. With --base, name the files or folders of which
    the versions here are compared with those of a revision: treerules diff --base main models/; a file that cannot be
    read is named after the others, and makes the exit code 3.
    """
    steps: dict[str, Any] = {"limit": limit, "budget": budget}
    if base is not None and (case is not None or data is not None):
        raise click.UsageError("--base takes neither --case nor --data.", click.get_current_context())
    if base is None and len(files) != 2:
        raise click.UsageError("Give two files, OLD and NEW, or --base REV and files.", click.get_current_context())
    opened = opened_pair(files[0], files[1], options) if base is None else None
    if case is None and (models := _models(base, files, opened, options)) is not None:
        sampled = diff_of_models(models, data, options, limit=limit, rows=rows)
        print_report(SAMPLED_DIFF, sampled, format_=format_, lang=lang)
        return 1 if exit_code and sampled.equal is False else 0
    if rows is not None:
        raise OptionError("--rows", rows, "no number: rules are compared exactly, and ensembles alone on rows")
    if opened is None:
        diffs = FileDiffs([*_since(str(base), files, options, steps)])
        print_report(FILE_DIFFS, diffs, format_=format_, lang=lang)
        return 3 if diffs.has_unread else 1 if exit_code and not diffs.equal else 0
    old, new = read_pairs(opened, options, case)
    print_notes(notes_on_data(zip(files, (old, new), strict=True)))
    is_one = len(old) == len(new) == 1
    if is_one and (data is not None or not (old[0].prediction_problem or new[0].prediction_problem)):
        difference = _difference(old[0], new[0], data, options, steps)
        print_report(DIFF, difference, format_=format_, lang=lang)
        return 1 if exit_code and not difference.equal else 0
    if data is not None:
        raise OptionError("--data", str(data), "one CASE to count rows for; choose it with --case")
    diffs = FileDiffs([(str(files[1]), diff_parts(old, new, **steps))])
    print_report(FILE_DIFFS, diffs, format_=format_, lang=lang)
    return 1 if exit_code and not diffs.equal else 0


def _models(
    base: str | None, files: Sequence[Path], opened: tuple[OpenedRules, OpenedRules] | None, options: Mapping[str, Any]
) -> Models | None:
    """Return the two models to compare on rows; None where no ensemble, or more than one file, is compared."""
    if opened is not None:
        return models_of(opened)
    return models_since(str(base), files[0], options) if len(files) == 1 else None


def _difference(
    old: ParsedRules, new: ParsedRules, data: Path | None, options: Mapping[str, Any], steps: Mapping[str, Any]
) -> Diff:
    """Return the differences of two parts, with the counts of the rows of a file."""
    schema = merge_schemas(old.rules.schema, new.rules.schema)
    model = next(filter(None, (getattr(part.rules, "tree", None) for part in (old, new))), None)
    table = None if data is None else read_file(data, dict(options), schema=schema, model=model)
    return diff(old, new, table=table, **steps)


def _since(
    base: str, paths: Sequence[Path], options: Mapping[str, Any], steps: Mapping[str, Any]
) -> Iterator[tuple[str, Sequence[PartDiff]]]:
    """Yield the name of each file, and what became of its parts since a revision.

    Raises:
        OptionError: There is no such revision.
        FileError: A file is in no repository, or exists neither here nor there.
    """
    for path in paths:
        for file in changed_files(base, path, ".sql") if path.is_dir() else [path]:
            try:
                if len(paths) > 1 and not path.is_dir() and models_since(base, file, options) is not None:
                    raise OptionError("--base", base, f"one file where that is an ensemble, as {file} is")
                old, new = read_versions(file, base, options)
            except TreeRulesError as error:
                if not path.is_dir():
                    raise
                yield str(file), (PartDiff("", problem=str(error)),)
            else:
                yield str(file), diff_parts(old, new, **steps)

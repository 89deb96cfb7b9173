"""`treerules check`: the proof that rules are exclusive and complete, and the findings in SQL."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve
from click.core import ParameterSource

from treerules._internal.atomic_files import read_bytes
from treerules.cli.file_kinds import notes_on_data
from treerules.cli.fix_files import fix_files
from treerules.cli.independent_rules import independent_file, independent_text
from treerules.cli.input_paths import RULES_PATH
from treerules.cli.lint_options import LintSettings, lint_options, lint_settings
from treerules.cli.lint_run import lint_files
from treerules.cli.model_options import TREE_NUMBER
from treerules.cli.output import LANG, format_option, print_notes, print_text, report_text
from treerules.cli.rule_file_options import declared_schema, opened_rules, read_parts, rule_file_options
from treerules.cli.since_revision import changed_paths, new_cases
from treerules.cli.sql_files import CheckedPath, checked_paths
from treerules.cli.stderr import write_stderr
from treerules.data.domain import Domain
from treerules.errors import FileError, OptionError, ParseError
from treerules.lint.baseline import baseline_of, baseline_text, without_known
from treerules.lint.lint_file import LintOptions, file_with_problem, lint_sql
from treerules.lint.lint_report import LINTED
from treerules.lint.linted import Linted, LintedFile
from treerules.proof.review import review
from treerules.report.file_rules_report import FILE_RULES, FileRules
from treerules.report.render_report import render_report
from treerules.report.reviews import Reviews
from treerules.report.verdict_report import REVIEWS
from treerules.trees.model_files import MOST_BYTES

LIMIT = click.option(
    "--limit",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Show at most N findings of each kind.",
)


@click.command("check")
@click.argument("files", type=RULES_PATH, nargs=-1, required=True, metavar="FILE...")
@rule_file_options
@TREE_NUMBER
@LIMIT
@click.option(
    "--budget",
    type=click.IntRange(0),
    metavar="N",
    help="Spend at most N steps on the question what overlapping rules leave.  [default: some ten seconds]",
)
@lint_options
@format_option(LINTED, default="text")
@click.option(
    "--fix",
    is_flag=True,
    help="Remove WHENs that never decide from files of SQL, where nothing else can change, make the last WHEN of a "
    "CASE that is proved complete its ELSE, and show these edits.",
)
@click.option("--independent", is_flag=True, help="Print equivalent rules that do not depend on their order.")
@click.option("--whole-domain", is_flag=True, help="Ignore declared domains: prove for all values of each column.")
@click.option("--show", is_flag=True, help="Print the rules as they are read, and check nothing.")
@LANG
def check_command(files: Sequence[Path], **options: Any) -> int:
    """Prove the rules of each FILE exclusive and complete.

    FILE is a model, rules as text (.rules), a decision table (.csv, .md), DMN (.dmn) or SQL (.sql), of which each CASE
    is checked; - is stdin. A folder stands for the .sql files in it and below it, hidden folders left out. For rules
    in order, of which the first that fires decides (SQL, `ordered` text, FIRST in DMN), the check shows whether each
    rule can decide and whether some rule fires for every row, where the order matters, and which rows reach ELSE.

    The verdict comes first, then each finding: its region, a row that shows it, and the rule that would close a gap.

    Findings in SQL have codes, which `treerules help` lists: errors TR0, warnings TR1, notes TR2 and TR3. A line of a
    WHEN or of a CASE that ends in -- treerules: ignore[TR001] ignores the code there. The table
    [tool.treerules.check] of pyproject.toml holds defaults of --select, --ignore, --exclude, --strict and --dialect.
    Write a baseline once, and later checks with --baseline report new findings alone, also where lines moved.

    \b
    Exit code for SQL: 0 without errors. 1: an error, or a warning with
    --strict. 3: a file cannot be read; all others are checked all the same.
    A WHEN that is not read is a note.
    Exit code for other formats: 0: yes. 1: no, in any file: two rules fire
    for a row, or none does, or the budget was too small to decide; a rule in
    order can never decide; a part of the file cannot be read. 2 and above: it
    could not be run.
    """
    context = click.get_current_context()
    printing = [name for name in ("fix", "independent", "show") if options[name]]
    if len(printing) > 1:
        raise click.UsageError(f"--{printing[0]} and --{printing[1]} exclude each other.", context)
    if printing and context.get_parameter_source("format_") is not ParameterSource.DEFAULT:
        raise click.UsageError(f"--{printing[0]} takes no --format.", context)
    is_sql = options["form"] in (None, "sql")
    settings = lint_settings(options, Path.cwd()) if is_sql else None
    paths = checked_paths(files, options["form"], settings.exclude if settings else ())
    _require_no_tree_of_sql(paths, options["tree_number"])
    if options["base"] is not None:
        paths = changed_paths(files, paths, options["base"])
    if options["show"]:
        return _show([path.path for path in paths], {**options, "dialect": settings.dialect if settings else None})
    if options["fix"]:
        fix_files(paths, settings, options)
    is_linted = options["format_"] not in REVIEWS.formats or any(
        options[name] is not None for name in ("base", "write_baseline")
    )
    if settings is not None and (is_linted or any(path.is_sql for path in paths)):
        return _check_with_sql(paths, settings, {**options, "dialect": settings.dialect})
    return _check_others([path.path for path in paths], options)


def _require_no_tree_of_sql(paths: Sequence[CheckedPath], number: int | None) -> None:
    """Raise OptionError for --tree with a file of SQL."""
    sql = next((path for path in paths if path.is_sql), None)
    if number is not None and sql is not None:
        raise OptionError("--tree", number, f"no number: {_shown(sql.path) or 'stdin'} is SQL, not an ensemble")


def _check_others(files: Sequence[Path], options: dict[str, Any]) -> int:
    """Print the verdicts on files none of which is SQL."""
    parsed = [(file, read_parts(file, options, takes_data=True)) for file in files]
    choices = {name: options[name] for name in ("limit", "budget")} | _domain_of_proof(options)
    reviews = Reviews([(_shown(file), [review(part, **choices) for part in parts]) for file, parts in parsed])
    if options["independent"]:
        texts = [independent_text(file, part, options) for file, parts in parsed for part in parts]
        print_notes(render_report(REVIEWS, reviews, format="text", lang=options["lang"]).splitlines())
        print_text("\n".join(texts))
    else:
        print_text(report_text(REVIEWS, reviews, format_=options["format_"], lang=options["lang"]))
    if not reviews:
        print_notes(notes_on_data(parsed))
    return 0 if reviews else 1


def _domain_of_proof(options: Mapping[str, Any]) -> dict[str, Domain]:
    """Return the argument `domain` of a review: none for the declared domain."""
    return {"domain": {}} if options["whole_domain"] else {}


def _show(files: Sequence[Path], options: dict[str, Any]) -> int:
    """Print the rules of files as they are read."""
    rules = FileRules([(_shown(file), read_parts(file, options, takes_data=True)) for file in files])
    print_text(render_report(FILE_RULES, rules, format="text", lang=options["lang"]))
    return 0


def _shown(file: Path) -> str:
    return "" if str(file) == "-" else str(file)


def _check_with_sql(paths: Sequence[CheckedPath], settings: LintSettings, options: dict[str, Any]) -> int:
    """Print the findings in SQL, and the verdicts on files of other formats beside it."""
    texts = [independent_file(path.path, options) for path in paths] if options["independent"] else []
    known = options["baseline"]
    baseline = None if known is None else baseline_of(read_bytes(known, MOST_BYTES), str(known))
    linted_files = _linted(paths, settings, options)
    if options["base"] is not None:
        linted_files = [new_cases(file, options["base"], settings.dialect) for file in linted_files]
    linted = Linted(linted_files, settings.strict)
    for file in linted.unreadable:
        write_stderr(f"treerules: {file.problem}\n")
    if options["write_baseline"] is not None:
        print_text(baseline_text(linted), options["write_baseline"])
        return 3 if linted.unreadable else 0
    if baseline is not None:
        linted = without_known(linted, baseline)
    is_text = options["format_"] in ("text", "md")
    if linted.files and all(file.problem for file in linted.files) and is_text:
        return linted.exit_code
    text = report_text(LINTED, linted, format_=options["format_"], lang=options["lang"])
    if options["independent"]:
        print_notes(text.splitlines())
        print_text("\n".join(texts))
    else:
        print_text(text)
    return linted.exit_code


def _linted(paths: Sequence[CheckedPath], settings: LintSettings, options: dict[str, Any]) -> list[LintedFile]:
    """Return what was found in each file, in their order."""
    declared = declared_schema(options)
    lint = LintOptions(
        dialect=settings.dialect,
        schema=declared.schema if declared else None,
        domain=declared.domain if declared else None,
        limit=options["limit"],
        budget=options["budget"],
        lang="en" if options["format_"] in ("json", "sarif") else options["lang"],
        codes=settings.codes,
        has_records=options["format_"] == "json",
    )
    found = iter(lint_files([path.path for path in paths if path.is_sql_file], lint))
    return [next(found) if path.is_sql_file else _linted_alone(path, lint, options) for path in paths]


def _linted_alone(path: CheckedPath, lint: LintOptions, options: dict[str, Any]) -> LintedFile:
    """Return what was found in stdin, in a folder without SQL, or in a file of another format."""
    name = _shown(path.path)
    try:
        if path.is_empty_folder:
            raise FileError(name, "has no file that ends in .sql and is not excluded", "name another folder")
        if path.is_sql:
            content, _ = opened_rules(path.path, {**options, "form": "sql"})
            return evolve(lint_sql(content.content, "stdin", lint), name=name)
        parts = read_parts(path.path, options, takes_data=True)
    except (FileError, ParseError) as error:
        return file_with_problem(name, error)
    choices: dict[str, Any] = {"limit": lint.limit, "budget": lint.budget, **_domain_of_proof(options)}
    return LintedFile(name, reviews=[review(part, **choices) for part in parts])

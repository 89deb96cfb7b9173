"""`treerules prune`: a smaller model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from toolz import keyfilter

from treerules.cli.command_group import add_options
from treerules.cli.model_options import MODEL, load_tree
from treerules.cli.output import LANG, OUT, format_option, print_notes, print_report, print_text
from treerules.cli.progress import progress
from treerules.cli.pruner_options import (
    COLUMNS,
    TABLES,
    check_passed_options,
    implied_pruner,
    names_without_columns,
    passed_options,
    pruner_options,
)
from treerules.cli.stderr import write_stderr
from treerules.cli.table_options import read_file, require_columns_of_model, whole_schema
from treerules.cli.top_option import TOP_OPTION
from treerules.data.table import Table
from treerules.errors import counted
from treerules.learning.cross_validation import COMPLEXITIES, CrossValidation, cross_validate
from treerules.pruning.cost_complexity import COST_COMPLEXITY
from treerules.pruning.pruners import DEFAULT_PRUNER, PRUNERS, prune
from treerules.report.cross_validation_report import CROSS_VALIDATION
from treerules.report.render_report import render_report
from treerules.trees.json_codec import tree_to_json
from treerules.trees.tree import Tree

_CROSS_VALIDATION = (
    click.option("--cv", metavar="K", help="Cross-validate in K folds, or in the folds of a column."),
    click.option(
        "--rule",
        type=click.Choice(["min", "1se"]),
        default="1se",
        show_default=True,
        help="Choose the tree of --cv of least error, or the smallest one within one standard error.",
    ),
    click.option(
        "--cp",
        type=float,
        default=0.0,
        metavar="X",
        help="Remove splits of a lower cp than X before --cv.  [default: 0]",
    ),
    click.option(
        "--complexity",
        type=click.Choice(COMPLEXITIES),
        default="breiman",
        show_default=True,
        help="Compare the subtrees of Breiman's weakest links, or those of rpart, with --cv.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        metavar="N",
        help="Deal the random folds of --cv by this seed.",
    ),
    click.option(
        "--processes", type=click.IntRange(1), default=1, metavar="N", help="Learn N folds of --cv in parallel."
    ),
    click.option(
        "--table",
        "only_table",
        is_flag=True,
        help="Print the table of --cv instead of the tree, which is then written with -o alone.",
    ),
)


def _cross_validation_options(command: Any) -> Any:
    return add_options(command, _CROSS_VALIDATION)


@click.command("prune")
@MODEL
@pruner_options
@_cross_validation_options
@TOP_OPTION
@format_option(CROSS_VALIDATION)
@LANG
@OUT
def prune_command(
    model_file: Path,
    method: str | None,
    cv: str | None,
    top: int | None,
    format_: str | None,
    lang: str,
    output: Path | None,
    only_table: bool,
    **options: Any,
) -> None:
    """Prune MODEL and print the smaller model (JSON).

    With --cv the alpha of cost complexity is chosen by cross-validation on the training rows. The cp table has a row
    for each subtree on the path, and marks the subtree of least error (min) and the smallest one within one standard
    error of it (1se). The table is printed on stdout with -o or --table, else on stderr.
    """
    tree = load_tree(model_file, has_option=False)
    passed = passed_options(options)
    if cv is None:
        if only_table:
            raise click.UsageError("--table needs --cv.", click.get_current_context())
        print_text(tree_to_json(_pruned_tree(tree, method, passed, options)), output)
        return
    if names_without_columns(passed) != {"table"} or method not in (None, COST_COMPLEXITY.name):
        raise click.UsageError("--cv needs --data, and chooses the alpha itself.", click.get_current_context())
    validation = _cross_validate(tree, _read(tree, passed["table"], options, cv), cv, options)
    if output is None and not only_table:
        write_stderr(render_report(CROSS_VALIDATION, validation, format=format_ or "text", lang=lang, top=top))
    else:
        print_report(CROSS_VALIDATION, validation, format_=format_, lang=lang, top=top)
    chosen = validation.chosen(options["rule"])
    print_notes([f"{options['rule']} chooses {counted(chosen.n_leaves, 'leaf').replace('leafs', 'leaves')}"])
    if output is not None or not only_table:
        print_text(tree_to_json(chosen), output)


def _pruned_tree(tree: Tree, method: str | None, passed: Mapping[str, Any], options: Mapping[str, Any]) -> Tree:
    """Return the tree pruned by a method, which an option may imply."""
    implied = implied_pruner(passed, method)
    if implied is not None:
        own = keyfilter(implied.option_names.__contains__, passed)
        return prune(tree, implied.name, **_with_tables(tree, own, options))
    pruner = PRUNERS[method or DEFAULT_PRUNER]
    check_passed_options(passed, pruner)
    pruned = prune(tree, pruner.name, **_with_tables(tree, passed, options))
    print_notes([*pruned.notes[len(tree.notes) :], f"{tree.n_leaves} leaves before, {pruned.n_leaves} now"])
    return pruned


def _with_tables(tree: Tree, passed: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a pruning method with tables instead of their files."""
    tables = {option.name for option in TABLES}
    return {name: _read(tree, value, options) if name in tables else value for name, value in passed.items()}


def _read(tree: Tree, file: Path, options: Mapping[str, Any], *others: str) -> Table:
    """Return a file with the features, the target and the weights of a tree, and other columns unless numbers."""
    origin = [] if tree.origin is None else [tree.origin.weight, tree.origin.groups, tree.origin.time]
    weights = [*origin, *(options[option.name] for option in COLUMNS)]
    extra_columns = [*filter(None, weights), *(name for name in others if not name.isdigit())]
    table = read_file(file, options, schema=whole_schema(tree.schema), model=tree, extra_columns=extra_columns)
    require_columns_of_model(tree.schema, table)
    return table


def _cross_validate(tree: Tree, table: Table, cv: str, options: Mapping[str, Any]) -> CrossValidation:
    with progress("cross-validating") as report_progress:
        return cross_validate(
            table,
            tree=tree,
            folds=int(cv) if cv.isdigit() else cv,
            cp=options["cp"],
            complexity=options["complexity"],
            seed=options["seed"],
            weight=options["weight"],
            processes=options["processes"],
            progress=report_progress,
        )

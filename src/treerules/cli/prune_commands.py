"""The commands that make another tree of a model: pruned, or learned again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from toolz import keyfilter

from treerules.cli.options import MODEL, judging_table, model
from treerules.cli.output import LANG, OUT, format_option, note, put, put_report
from treerules.cli.progress import progress
from treerules.cli.pruner_options import (
    COLUMNS,
    TABLES,
    given_apart_from_columns,
    given_options,
    implied_pruner,
    pruning,
)
from treerules.cli.stderr import say
from treerules.cli.table_options import PATH, reading, table_of
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.errors import counted
from treerules.learning.cross_validation import COMPLEXITIES, CrossValidation, cross_validate
from treerules.learning.relearn import relearn
from treerules.pruning.cost_complexity import COST_COMPLEXITY
from treerules.pruning.pruners import DEFAULT_PRUNER, prune
from treerules.report.cross_validation_report import CROSS_VALIDATION
from treerules.report.render_report import render_report
from treerules.trees.json_codec import tree_to_json
from treerules.trees.tree import Tree


@click.command("prune")
@MODEL
@pruning
@click.option("--cv", metavar="K", help="Cross-validate in K folds, or in those of a column.")
@click.option("--rule", type=click.Choice(["min", "1se"]), default="1se", show_default=True, help="--cv: which tree.")
@click.option("--cp", type=float, default=0.0, metavar="X", help="--cv: cut off from the beginning what is cheaper.")
@click.option(
    "--complexity", type=click.Choice(COMPLEXITIES), default="breiman", help="--cv: the weakest link, or rpart's."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="--cv: of the folds.")
@click.option("--processes", type=click.IntRange(1), default=1, metavar="N", help="--cv: learn N folds side by side.")
@click.option("--table", "only_table", is_flag=True, help="--cv: print the table; a tree is only written with -o.")
@format_option(CROSS_VALIDATION)
@LANG
@OUT
def prune_command(
    model_file: Path,
    method: str | None,
    cv: str | None,
    format_: str | None,
    lang: str,
    output: Path | None,
    only_table: bool,
    **options: Any,
) -> None:
    """Prune MODEL and print the smaller model (JSON).

    With --cv the alpha of cost complexity is chosen by cross-validation on the training rows: the cp table has a row
    for each subtree on the path, and marks those of least error (min) and of the smallest tree within one standard
    error of it (1se). It is printed on stdout with -o or --table, else on stderr.
    """
    tree = model(model_file)
    given = given_options(options)
    if cv is None:
        if only_table:
            raise click.UsageError("--table needs --cv.", click.get_current_context())
        put(tree_to_json(_pruned(tree, method, given, options)), output)
        return
    if given_apart_from_columns(given) != {"table"} or method not in (None, COST_COMPLEXITY.name):
        raise click.UsageError("--cv needs --data, and chooses the alpha itself.", click.get_current_context())
    found = _cross_validated(tree, _table(tree, given["table"], options, cv), cv, options)
    if output is None and not only_table:
        say(render_report(CROSS_VALIDATION, found, format=format_ or "text", lang=lang))
    else:
        put_report(CROSS_VALIDATION, found, format_=format_, lang=lang)
    best = found.chosen(options["rule"])
    note([f"{options['rule']} chooses {counted(best.n_leaves, 'leaf').replace('leafs', 'leaves')}"])
    if output is not None or not only_table:
        put(tree_to_json(best), output)


def _pruned(tree: Tree, method: str | None, given: Mapping[str, Any], options: Mapping[str, Any]) -> Tree:
    implied = implied_pruner(given, method)
    if implied is not None:
        own = keyfilter(implied.option_names.__contains__, given)
        return prune(tree, implied.name, **_read(tree, own, options))
    pruned = prune(tree, method or DEFAULT_PRUNER, **_read(tree, given, options))
    note([*pruned.notes[len(tree.notes) :], f"{tree.n_leaves} leaves before, {pruned.n_leaves} now"])
    return pruned


def _read(tree: Tree, given: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a pruning method with the tables in place of their files."""
    tables = {option.name for option in TABLES}
    return {name: _table(tree, value, options) if name in tables else value for name, value in given.items()}


def _table(tree: Tree, file: Path, options: Mapping[str, Any], *beside: str) -> Table:
    """Return a file as the tree's features and target, its weights and other columns beside them."""
    goal, origin = tree.schema.target, tree.origin
    columns = [origin.weight if origin else None, *(options[option.name] for option in COLUMNS)]
    schema = Schema([*tree.schema.features, *([goal] if goal else [])])
    kept = [*filter(None, columns), *(name for name in beside if not name.isdigit())]
    found = judging_table(file, options, schema=schema, keep=kept)
    assert found is not None
    return found


def _cross_validated(tree: Tree, table: Table, cv: str, options: Mapping[str, Any]) -> CrossValidation:
    with progress("cross-validating") as tell:
        return cross_validate(
            table,
            tree=tree,
            folds=int(cv) if cv.isdigit() else cv,
            cp=options["cp"],
            complexity=options["complexity"],
            seed=options["seed"],
            weight=options["weight"],
            processes=options["processes"],
            progress=tell,
        )


@click.command("relearn")
@MODEL
@reading
@click.option("--validation", type=PATH, metavar="F", help="The rows that splits were judged by.")
@click.option("--anew", is_flag=True, help="Learn by the same recipe from other data.")
@OUT
def relearn_command(
    model_file: Path, file: Path | None, validation: Path | None, anew: bool, output: Path | None, **options: Any
) -> None:
    """Learn MODEL again from FILE, by its own recipe, and print the model (JSON).

    The same rows make the same model, byte for byte; for other rows it says that the data differ (exit code 3).
    """
    tree = model(model_file)
    goal, origin = tree.schema.target, tree.origin
    weight = [origin.weight] if origin is not None and origin.weight else []
    schema = Schema([*tree.schema.features, *([goal] if goal else [])])
    table = table_of(file, options, schema=schema, keep=weight)
    judges = judging_table(validation, options, schema=schema, keep=weight)
    with progress("learning") as tell:
        found = relearn(tree, table, validation=judges, anew=anew, progress=tell)
    put(tree_to_json(found), output)

"""The commands that make another tree of a model: pruned, or learned again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from treerules.cli.options import MODEL, judging_table, model
from treerules.cli.output import FORMAT, LANG, OUT, note, put, put_tables
from treerules.cli.progress import progress
from treerules.cli.stderr import say
from treerules.cli.table_options import PATH, reading, reading_csv, table_of
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.errors import counted
from treerules.learning.cross_validation import COMPLEXITIES, CrossValidation, cross_validate
from treerules.learning.relearn import relearn
from treerules.pruning.common import RISKS
from treerules.pruning.error_bounds import LIMITS
from treerules.pruning.pruners import METHODS, prune
from treerules.report.cross_validation_report import cp_summary, cp_table, cross_validation_text
from treerules.trees.json_codec import tree_to_json
from treerules.trees.tree import Tree

#: The options that are a method's own.
_OF_METHOD = ("alpha", "risk", "base", "confidence", "limit", "m")


@click.command("prune")
@MODEL
@click.option("--method", type=click.Choice(list(METHODS)), help="How.  [default: cost_complexity]")
@click.option("--alpha", type=float, metavar="X", help="penalised, cost_complexity: the price of a leaf.")
@click.option("--risk", type=click.Choice(RISKS), help="cost_complexity: what is summed over the leaves.")
@click.option("--base", type=click.Choice(["2", "e"]), help="penalised: the base of logarithms.")
@click.option("--confidence", type=float, metavar="X", help="pessimistic: otherwise 0.25.")
@click.option("--limit", type=click.Choice(list(LIMITS)), help="pessimistic: the upper limit of errors.")
@click.option("--m", type=float, metavar="X", help="minimum_error: how much the prior weighs, in rows.")
@click.option("--snip", multiple=True, type=int, metavar="NODE", help="Cut off here (number in preorder, from 0).")
@click.option("--data", type=PATH, metavar="F", help="--cv, pessimistic: the training rows; reduced_error: others.")
@reading_csv
@click.option("--weight", metavar="COL", help="--data: a column of case weights.  [default: the model's]")
@click.option("--cv", metavar="K", help="Cross-validate in K folds, or in those of a column.")
@click.option("--rule", type=click.Choice(["min", "1se"]), default="1se", show_default=True, help="--cv: which tree.")
@click.option("--cp", type=float, default=0.0, metavar="X", help="--cv: cut off from the beginning what is cheaper.")
@click.option(
    "--complexity", type=click.Choice(COMPLEXITIES), default="breiman", help="--cv: the weakest link, or rpart's."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="--cv: of the folds.")
@click.option("--processes", type=click.IntRange(1), default=1, metavar="N", help="--cv: learn N folds side by side.")
@click.option("--table", "only_table", is_flag=True, help="--cv: print the table; a tree is only written with -o.")
@FORMAT
@LANG
@OUT
def prune_command(
    model_file: Path,
    method: str | None,
    snip: tuple[int, ...],
    data: Path | None,
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
    chosen = {name: options[name] for name in _OF_METHOD if options[name] is not None}
    if cv is None:
        if only_table:
            raise click.UsageError("--table needs --cv.", click.get_current_context())
        put(tree_to_json(_pruned(tree, method, snip, data, options, chosen)), output)
        return
    if data is None or snip or chosen or method not in (None, "cost_complexity"):
        raise click.UsageError("--cv needs --data, and chooses the alpha itself.", click.get_current_context())
    found = _cross_validated(tree, _table(tree, data, options, cv), cv, options)
    if output is None and not only_table:
        say(cross_validation_text(found, format=format_ or "text", lang=lang))
    else:
        put_tables(
            lambda: cross_validation_text(found, format=format_ or "text", lang=lang),
            lambda: [cp_table(found, lang)],
            cp_summary(found, lang),
            format_=format_,
        )
    best = found.chosen(options["rule"])
    note([f"{options['rule']} chooses {counted(best.n_leaves, 'leaf').replace('leafs', 'leaves')}"])
    if output is not None or not only_table:
        put(tree_to_json(best), output)


def _pruned(
    tree: Tree,
    method: str | None,
    snip: tuple[int, ...],
    data: Path | None,
    given: Mapping[str, Any],
    chosen: dict[str, Any],
) -> Tree:
    if snip:
        if method not in (None, "snip") or data or chosen:
            raise click.UsageError("--snip goes with no other way of pruning.", click.get_current_context())
        return prune(tree, "snip", node=snip)
    options: dict[str, Any] = dict(chosen)
    if data is not None:
        options["table"] = _table(tree, data, given)
    if given["weight"] is not None:
        options["weight"] = given["weight"]
    found = prune(tree, method or "cost_complexity", **options)
    note([*found.notes[len(tree.notes) :], f"{tree.n_leaves} leaves before, {found.n_leaves} now"])
    return found


def _table(tree: Tree, file: Path, options: Mapping[str, Any], *beside: str) -> Table:
    """Return a file as the tree's features and target, its weights and other columns beside them."""
    goal, origin = tree.schema.target, tree.origin
    weight = [name for name in (origin.weight if origin else None, options["weight"]) if name]
    schema = Schema([*tree.schema.features, *([goal] if goal else [])])
    kept = [*weight, *(name for name in beside if not name.isdigit())]
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

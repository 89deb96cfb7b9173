"""The options of commands that learn from a table, and the tree that they describe."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from treerules.cli.column_names import names_callback
from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.progress import progress
from treerules.cli.recipe_options import chosen_recipe, recipe_options
from treerules.cli.table_options import read_file, read_table, table_options
from treerules.data.schema import Kind
from treerules.errors import OptionError
from treerules.learning.learn import learn
from treerules.trees.tree import Tree

_DATA = (
    click.option("--target", metavar="COL", help="The column to predict."),
    click.option(
        "--features",
        multiple=True,
        metavar="A,B",
        callback=names_callback,
        help="The columns to learn from, all of which are used.  [default: all but the target and the weight; columns "
        "that cannot help are left out with a note]",
    ),
    click.option(
        "--drop", multiple=True, metavar="A,B", callback=names_callback, help="Columns that are not features."
    ),
    click.option(
        "--keep", multiple=True, metavar="A,B", callback=names_callback, help="Columns that are never left out."
    ),
    click.option(
        "--max-categories",
        type=click.IntRange(1),
        metavar="N",
        help="Leave out category columns of more than N categories.  [default: no bound]",
    ),
    click.option("--weight", metavar="COL", help="A column with the weight of each row; it is not a feature."),
    click.option(
        "--types",
        multiple=True,
        metavar="COL=KIND",
        help="The kind of a column: age=category, size=ordinal:S<M<L, day=date:%d/%m/%Y, price=number:1.234,5.  "
        "[default: detected from the values]",
    ),
    click.option(
        "--task",
        type=click.Choice(["classification", "regression"]),
        help="What is predicted: a class or a number.  [default: detected from the target]",
    ),
    click.option("--drop-missing-target", is_flag=True, help="Ignore rows without a value of the target."),
)
_GROWING = (
    click.option(
        "--validation", type=PATH, metavar="FILE", help="Make only splits that also reduce the error on these rows."
    ),
    click.option("--threads", type=click.IntRange(1), metavar="N", help="For large tables; needs numba.  [default: 1]"),
)


def data_options(command: Command) -> Command:
    """Add FILE, the options of reading it, and those of the target, the features and the recipe."""
    command = recipe_options(command)
    return table_options(add_options(command, _DATA))


def learning_options(command: Command) -> Command:
    """Add the options of `data_options` and those of growing a tree."""
    return data_options(add_options(command, _GROWING))


def learn_tree(file: Path | None, **options: Any) -> Tree:
    """Return the tree that the options of learning describe."""
    recipe, target, weight = chosen_recipe(options), options["target"], options["weight"]
    if target is None:
        raise click.UsageError("Missing option '--target'.", click.get_current_context())
    types = kinds_of(options["types"])
    unread = columns_to_drop(file, options)
    table = read_table(file, options, types=types, extra_columns=named_columns(options), drop=unread)
    validation = None
    if options["validation"] is not None:
        validation = read_file(options["validation"], options, types=types)
    with progress("learning") as report_progress:
        return learn(
            table,
            target=target,
            recipe=recipe,
            task=options["task"],
            features=options["features"],
            drop=[name for name in options["drop"] or () if name not in unread],
            keep=options["keep"] or (),
            max_categories=options["max_categories"],
            drop_missing_target=options["drop_missing_target"],
            weight=weight,
            validation=validation,
            threads=options["threads"],
            progress=report_progress,
        )


def columns_to_drop(file: Path | None, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of a file that are not read, since --drop names them and no other option does."""
    if file is None or options["features"]:
        return ()
    return tuple(name for name in dict.fromkeys(options["drop"] or ()) if name not in named_columns(options))


def named_columns(options: dict[str, Any]) -> list[str]:
    """Return the columns that options name, which are always read."""
    return [
        *(options["features"] or ()),
        *(options["keep"] or ()),
        *filter(None, (options["target"], options["weight"])),
    ]


def kinds_of(declared: Sequence[str]) -> dict[str, str]:
    """Return the kinds that --types declares, by column.

    Raises:
        OptionError: An option is not written as COL=KIND.
    """
    kinds = "|".join(f"{kind}:.*" if kind is Kind.ORDINAL else kind for kind in Kind)
    with_form = "(?:number|integer|date|timestamp):.*"
    types = {}
    for text in declared:
        parts = re.fullmatch(rf"(.*?)=({kinds}|{with_form})", text, re.DOTALL)
        if not parts:
            raise OptionError("--types", text, f"COL=KIND, where KIND is one of {', '.join(Kind)} (ordinal:S<M<L)")
        types[parts[1]] = parts[2]
    return types

"""Options that several commands share, and what they make: a table, a recipe, a tree."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import read_bytes
from treerules.cli.progress import progress
from treerules.cli.recipe_options import choosing, chosen_recipe
from treerules.cli.table_options import PATH, Command, csv_options, reading, table_of
from treerules.data.schema import Kind, Schema
from treerules.data.table import Table, Types
from treerules.errors import FileError, ModelFileError, OptionError
from treerules.learning.learn import learn
from treerules.readers.files import read
from treerules.trees.json_codec import load
from treerules.trees.tree import Tree

MODEL = click.argument("model_file", type=PATH, metavar="MODEL")
TEMPLATES = click.option(
    "--template",
    "--templates",
    "templates",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of your own templates, searched before ours.",
)
RENAME = click.option(
    "--rename", type=PATH, metavar="FILE", help="JSON: from columns of the model to their names in the database."
)

_LEARNING = (
    click.option("--target", metavar="COL", help="The column to be predicted."),
    click.option("--task", type=click.Choice(["classification", "regression"]), help="Otherwise told by the target."),
    click.option(
        "--types", multiple=True, metavar="COL=KIND", help="Declare a kind: age=category, size=ordinal:S<M<L."
    ),
    click.option(
        "--keep", multiple=True, metavar="COL", help="Learn from these columns alone, and leave none of them out."
    ),
    click.option("--drop", multiple=True, metavar="COL", help="Leave a column out."),
    click.option("--drop-missing-target", is_flag=True, help="Leave rows without a target out."),
)
_JUDGING = (
    click.option("--weight", metavar="COL", help="A column of case weights; it is no feature then."),
    click.option(
        "--validation", type=PATH, metavar="FILE", help="Make only splits that are better on these other rows."
    ),
    click.option("--threads", type=click.IntRange(1), metavar="N", help="For large tables, with numba.  [default: 1]"),
)


def posing(command: Command) -> Command:
    """Give a command FILE, the options of reading, and those that say what is learned from it and how."""
    command = choosing(command)
    for option in reversed(_LEARNING):
        command = option(command)
    return reading(command)


def learning(command: Command) -> Command:
    """Give a command FILE and the options of reading and of learning."""
    for option in reversed(_JUDGING):
        command = option(command)
    return posing(command)


def learned(file: Path | None, **options: Any) -> Tree:
    """Return the tree that the options of learning ask for."""
    recipe, target = chosen_recipe(options), options["target"]
    if target is None:
        raise click.UsageError("Missing option '--target'.", click.get_current_context())
    weight, types = options["weight"], types_of(options["types"])
    kept = [*options["keep"], target, *([weight] if weight else [])]
    table = table_of(file, options, types=types, keep=kept)
    validation = judging_table(options["validation"], options, types=types)
    with progress("learning") as tell:
        return learn(
            table,
            target=target,
            recipe=recipe,
            task=options["task"],
            features=options["keep"] or None,
            drop=options["drop"],
            drop_missing_target=options["drop_missing_target"],
            weight=weight,
            validation=validation,
            threads=options["threads"],
            progress=tell,
        )


def judging_table(
    file: Path | None,
    options: Mapping[str, Any],
    *,
    types: Types | None = None,
    schema: Schema | None = None,
    keep: Collection[str] = (),
) -> Table | None:
    """Return a second table, read as the options of reading CSV files say; None without a file."""
    if file is None:
        return None
    with progress(f"reading {file.name}") as tell:
        return read(file, types=types, schema=schema, extra_columns=keep, progress=tell, **csv_options(options))


def types_of(declared: Sequence[str]) -> dict[str, str]:
    """Return the kinds that --types declares, by column."""
    kinds = "|".join(kind for kind in Kind if kind is not Kind.ORDINAL)
    types = {}
    for text in declared:
        found = re.fullmatch(rf"(.*)=({kinds}|ordinal:.*)", text, re.DOTALL)
        if not found:
            raise OptionError("--types", text, f"COL=KIND, where KIND is one of {', '.join(Kind)} (ordinal:S<M<L)")
        types[found[1]] = found[2]
    return types


def model(path: Path) -> Tree:
    """Return the tree of a model file.

    Raises:
        ModelFileError: it cannot be read, or holds none.
    """
    try:
        return load(path)
    except FileError as error:
        raise ModelFileError(f"{error.path}: {error.problem}") from error


_NAMES = 'write it as {"column of the model": "column in the database"}'


def names_of(path: Path | None) -> dict[str, str] | None:
    """Return the names that a file of --rename holds.

    Raises:
        FileError: it cannot be read, or is no JSON.
    """
    if path is None:
        return None
    try:
        names = json.loads(read_bytes(path, 2**24))
    except (ValueError, RecursionError) as error:
        raise FileError(str(path), f"is no JSON: {error}", _NAMES) from error
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise FileError(str(path), "is no object of names", _NAMES)
    return names

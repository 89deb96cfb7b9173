"""The argument MODEL, and the options of commands that print it as code."""

import json
from pathlib import Path
from typing import get_args

import click
from attrs import evolve

from treerules._internal.atomic_files import read_bytes
from treerules.cli.file_kinds import refuse_table
from treerules.cli.input_paths import PATH
from treerules.data.domain import Outside
from treerules.errors import FileError, ModelFileError, OptionError
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.model_files import MOST_BYTES, load
from treerules.trees.tree import Tree

MODEL = click.argument("model_file", type=PATH, metavar="MODEL")
TEMPLATES = click.option(
    "--template",
    "--templates",
    "templates",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Search this folder for templates before those of treerules.",
)
RENAME = click.option(
    "--rename",
    type=PATH,
    metavar="FILE",
    help='Read the names of columns in the database from JSON: {"column of the model": "column in the database"}.',
)
OUTSIDE = click.option(
    "--outside",
    type=click.Choice(get_args(Outside)),
    default="answer",
    show_default=True,
    help="Choose what rows outside the domain that MODEL declares get: its answer, or NULL in SQL, an error elsewhere.",
)


def _refuse_option(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        wanted = "no such option here: `predict` and `emit sql`, `python` and `javascript` can refuse rows"
        raise OptionError("--outside", value, wanted)


#: The option --outside of commands whose code cannot refuse rows.
NO_OUTSIDE = click.option(
    "--outside",
    hidden=True,
    expose_value=False,
    callback=_refuse_option,
    help="Say which commands can refuse rows outside the domain that MODEL declares.",
)

#: The endings of the formats of rules, other than models.
RULE_ENDINGS = (".rules", ".txt", ".csv", ".md", ".markdown", ".dmn", ".xml", ".sql")


#: The option of commands that take one tree.
TREE_NUMBER = click.option(
    "--tree", "tree_number", type=click.IntRange(1), metavar="N", help="Take tree N of MODEL, an ensemble."
)


def load_tree(path: Path, number: int | None = None, *, has_option: bool = True) -> Tree:
    """Return the tree of a model file, or the tree of that number of an ensemble.

    `has_option` says whether the command has the option --tree.

    Raises:
        OptionError: The file is an ensemble and no number is given, or it has no such tree.
        FileError, ModelFileError: As `load_model`.
    """
    model = load_model(path, number)
    if isinstance(model, Ensemble):
        remedy = f"give --tree with a number from 1 to {len(model.trees)}"
        if not has_option:
            remedy = "this command takes one tree: save(load(path).trees[0], ...) in Python writes the first"
        raise OptionError("MODEL", str(path), f"a tree; it is an ensemble of {len(model.trees)} trees: {remedy}")
    return model


def load_model(path: Path, number: int | None = None) -> TreeModel:
    """Return the tree, or the ensemble, of a model file; with a number that tree of an ensemble.

    Raises:
        OptionError: There is no tree of that number.
        FileError: The file cannot be read.
        ModelFileError: The file does not hold a model; for a file of rules the message says how to make one of it.
    """
    model = _loaded(path)
    return model if number is None else tree_of_model(model, number)


def tree_of_model(model: TreeModel, number: int) -> Tree:
    """Return the tree of that number of an ensemble.

    Raises:
        OptionError: There is no tree of that number.
    """
    trees = model.trees if isinstance(model, Ensemble) else ()
    if number > len(trees):
        is_tree = "no number: MODEL is one tree, not an ensemble"
        raise OptionError("--tree", number, f"a number from 1 to {len(trees)}" if trees else is_tree)
    return trees[number - 1]


def _loaded(path: Path) -> TreeModel:
    try:
        model: TreeModel = load(path)
        return model
    except ModelFileError as error:
        content = read_bytes(path, MOST_BYTES)
        if not content.strip():
            raise FileError(str(path), "is empty", "give a model") from error
        refuse_table(path, content, "a model")
        if path.suffix.lower() not in RULE_ENDINGS:
            raise
        remedy = f"make a model of its rules: `treerules compile {path} -o {path.stem}.tree.json`"
        raise evolve(error, remedy=remedy) from error


_RENAME_FORMAT = 'write it as {"column of the model": "column in the database"}'


def read_rename(path: Path | None) -> dict[str, str] | None:
    """Return the names in a file of --rename; None without a file.

    Raises:
        FileError: The file cannot be read, or does not hold a JSON object of names.
    """
    if path is None:
        return None
    try:
        names = json.loads(read_bytes(path, 2**24))
    except (ValueError, RecursionError) as error:
        raise FileError(str(path), f"is not JSON: {error}", _RENAME_FORMAT) from error
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise FileError(str(path), "is not an object of names", _RENAME_FORMAT)
    return names

"""The argument MODEL, and the options of commands that print it as code."""

import json
from pathlib import Path

import click
from attrs import evolve

from treerules._internal.atomic_files import read_bytes
from treerules.cli.input_paths import PATH
from treerules.errors import FileError, ModelFileError
from treerules.trees.model_files import load
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


#: The endings of the formats of rules, other than models.
RULE_ENDINGS = (".rules", ".txt", ".csv", ".md", ".markdown", ".dmn", ".xml", ".sql")


def load_model(path: Path) -> Tree:
    """Return the tree of a model file.

    Raises:
        FileError: The file cannot be read.
        ModelFileError: The file does not hold a model; for a file of rules the message says how to make one of it.
    """
    try:
        model: Tree = load(path)
        return model
    except ModelFileError as error:
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

"""Options that several commands share, and what they make: a table, a recipe, a tree."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from treerules.cli.progress import progress
from treerules.cli.reading import PATH, Command, reading, table_of
from treerules.codec import load_tree
from treerules.errors import FileError, ModelFileError, OptionError
from treerules.learn import Recipe, c45, cart, id3, learn
from treerules.schema import Kind
from treerules.tree import Tree

MODEL = click.argument("model_file", type=PATH, metavar="MODEL")

ALGORITHMS: dict[str, Callable[..., Recipe]] = {"cart": cart, "c45": c45, "id3": id3}

_LEARNING = (
    click.option("--target", metavar="COL", help="The column to be predicted."),
    click.option("--algorithm", type=click.Choice(list(ALGORITHMS)), default="cart", show_default=True),
    click.option("--task", type=click.Choice(["classification", "regression"]), help="Otherwise told by the target."),
    click.option(
        "--types", multiple=True, metavar="COL=KIND", help="Declare a kind: age=category, size=ordinal:S<M<L."
    ),
    click.option("--keep", multiple=True, metavar="COL", help="Keep a column that would be left out."),
    click.option("--drop", multiple=True, metavar="COL", help="Leave a column out."),
    click.option("--drop-missing-target", is_flag=True, help="Leave rows without a target out."),
    click.option("--max-depth", type=int, metavar="N", help="The greatest depth of a leaf."),
    click.option("--max-leaves", type=int, metavar="N", help="The greatest number of leaves; best splits first."),
    click.option("--min-split", "min_samples_split", type=int, metavar="N", help="Fewer rows make a leaf."),
    click.option("--min-leaf", "min_samples_leaf", type=int, metavar="N", help="Rows in a child, at least."),
    click.option("--min-gain", type=float, metavar="X", help="A split's score, at least (the books' epsilon)."),
    click.option("--min-impurity", type=float, metavar="X", help="Purer nodes are leaves."),
    click.option("--criterion", type=click.Choice(["gini", "entropy"]), help="cart: what splits are scored by."),
    click.option("--categories", type=click.Choice(["subset", "one_against_rest"]), help="cart: how they are divided."),
    click.option("--average-gain", is_flag=True, default=None, help="c45: only features of average gain compete."),
    click.option("--base", type=click.Choice(["2", "e"]), help="The base of logarithms."),
)
_OF_RECIPE = (
    "max_depth",
    "max_leaves",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "min_impurity",
    "criterion",
    "categories",
    "average_gain",
    "base",
)


def learning(command: Command) -> Command:
    """Give a command FILE and the options of reading and of learning."""
    for option in reversed(_LEARNING):
        command = option(command)
    return reading(command)


def learned(file: Path | None, **options: Any) -> Tree:
    """Return the tree that the options of learning ask for."""
    recipe, target = recipe_of(options), options["target"]
    if target is None:
        raise click.UsageError("Missing option '--target'.", click.get_current_context())
    table = table_of(file, options, types=types_of(options["types"]), keep=[*options["keep"], target])
    with progress("learning") as tell:
        return learn(
            table,
            target=target,
            recipe=recipe,
            task=options["task"],
            keep=options["keep"],
            drop=options["drop"],
            drop_missing_target=options["drop_missing_target"],
            progress=tell,
        )


def recipe_of(options: Mapping[str, Any]) -> Recipe:
    """Return the recipe that the options of learning ask for."""
    return _recipe(options["algorithm"], {name: options[name] for name in _OF_RECIPE if options[name] is not None})


def _recipe(algorithm: str, choices: dict[str, Any]) -> Recipe:
    takes = inspect.signature(ALGORITHMS[algorithm]).parameters
    strange = next((name for name in choices if name not in takes), None)
    if strange is not None:
        option = "--" + strange.replace("_", "-")
        raise OptionError(option, choices[strange], f"it to an algorithm that has it; {algorithm} does not")
    return ALGORITHMS[algorithm](**choices)


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
        return load_tree(path)
    except FileError as error:
        raise ModelFileError(f"{error.path}: {error.problem}") from error

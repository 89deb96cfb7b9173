"""Recipes in TOML files.

    algorithm = "cart"
    max_depth = 5
    class_weight = {good = 1, bad = 5}
    costs = [{true = "bad", predicted = "good", cost = 5}]
    monotone = {income = 1}

The keys are the arguments of `auto`, `cart`, `c45`, `id3` or `optimal`.
"""

import inspect
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treerules._internal.arguments import require_path
from treerules._internal.atomic_files import read_bytes
from treerules._internal.notes import Names, Note
from treerules.errors import OptionError, UnknownNameError
from treerules.recipes.algorithms import c45, cart, id3
from treerules.recipes.auto import auto
from treerules.recipes.optimal import optimal
from treerules.recipes.recipe import Recipe

#: The algorithms by name.
ALGORITHMS: dict[str, Callable[..., Recipe]] = {"auto": auto, "cart": cart, "c45": c45, "id3": id3, "optimal": optimal}
#: Larger files are refused without reading them.
_MOST_BYTES = 1 << 20


def load_recipe(path: str | Path) -> Recipe:
    """Return the recipe in a TOML file.

    The keys are the arguments of `auto`, `cart`, `c45`, `id3` or `optimal`, and `algorithm`, the name of one of the
    five; by default "cart".

    Args:
        path: the path of the file.

    Returns:
        A Recipe.

    Raises:
        FileError: the file cannot be read.
        OptionError: the file is not TOML, the algorithm has no such argument, or an argument has an invalid value.
        UnknownNameError: there is no algorithm of that name.
    """
    require_path(path)
    return recipe_of(arguments_in_file(path))


def arguments_in_file(path: str | Path) -> dict[str, Any]:
    """Return the arguments in a TOML file, including the name of the algorithm.

    Raises:
        FileError, OptionError: as `load_recipe` does.
    """
    try:
        return tomllib.loads(read_bytes(path, _MOST_BYTES).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError("recipe", str(path), f"a TOML file ({error})") from error


def recipe_of(arguments: Mapping[str, Any]) -> Recipe:
    """Return the recipe of an algorithm, by default CART, with the given arguments.

    The name of the algorithm is the argument `algorithm`.

    Raises:
        OptionError: the algorithm has no such argument, or its value is invalid.
        UnknownNameError: there is no such algorithm.
    """
    values = dict(arguments)
    algorithm = values.pop("algorithm", "cart")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise UnknownNameError("algorithm", str(algorithm), ALGORITHMS)
    parameters = inspect.signature(ALGORITHMS[algorithm]).parameters
    unknown = next((name for name in values if name not in parameters), None)
    if unknown is not None:
        text = "an argument of {place}, which are {names}"
        raise OptionError(unknown, values[unknown], Note("argument_of", text, algorithm, names=Names(parameters)))
    if "costs" in values:
        values["costs"] = _costs(values["costs"])
    return ALGORITHMS[algorithm](**values)


def _costs(rows: Any) -> Any:
    """Return a cost matrix written as tables with the keys true, predicted and cost."""
    if isinstance(rows, Mapping):
        return rows
    keys = {"true", "predicted", "cost"}
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) and set(row) == keys for row in rows):
        raise OptionError("costs", rows, 'tables such as {true = "bad", predicted = "good", cost = 5}')
    return [(row["true"], row["predicted"], row["cost"]) for row in rows]

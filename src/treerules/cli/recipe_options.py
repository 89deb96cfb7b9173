"""Options that make a recipe: an algorithm, its choices, or a TOML file of them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.table_options import PATH, Command
from treerules.criteria import CRITERIA
from treerules.errors import OptionError
from treerules.recipes.recipe import CATEGORIES, MISSING, Recipe
from treerules.recipes.recipe_files import ALGORITHMS, choices_of, recipe_of


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise OptionError(option, text, "a number after the =") from error


def _pair(option: str, text: str) -> tuple[str, float]:
    name, found, value = text.rpartition("=")
    if not found:
        raise OptionError(option, text, "a name, = and a number")
    return name, _number(option, value)


def _pairs(context: Any, option: Any, texts: Sequence[str]) -> dict[str, float] | None:
    """Return NAME=X options as a mapping; None where there are none."""
    return dict(_pair(option.opts[0], text) for text in texts) if texts else None


def _class_weight(context: Any, option: Any, texts: Sequence[str]) -> Any:
    if list(texts) == ["balanced"]:
        return "balanced"
    return _pairs(context, option, texts)


def _signs(context: Any, option: Any, texts: Sequence[str]) -> dict[str, float] | None:
    found = _pairs(context, option, [text + "1" if text.endswith(("=+", "=-")) else text for text in texts])
    return None if found is None else {name: int(sign) if sign in (1, -1) else sign for name, sign in found.items()}


def _costs(context: Any, option: Any, texts: Sequence[str]) -> dict[tuple[str, str], float] | None:
    found = {}
    for text in texts:
        names, cost = _pair(option.opts[0], text)
        true, comma, predicted = names.partition(",")
        if not comma or "," in predicted:
            raise OptionError(option.opts[0], text, "TRUE,PREDICTED=COST (classes with commas: in a --recipe file)")
        found[true, predicted] = cost
    return found or None


def _names(context: Any, option: Any, names: Sequence[str]) -> Sequence[str] | None:
    return names or None


def _option(name: str, choice: str | None = None, **options: Any) -> Callable[[Any], Any]:
    return click.option(name, *([choice] if choice else []), **options)


_OPTIONS = (
    _option("--algorithm", type=click.Choice(list(ALGORITHMS)), default="cart", show_default=True),
    _option("--recipe", "recipe_file", type=PATH, metavar="F.TOML", help="A file of choices; options here outdo it."),
    _option("--criterion", type=click.Choice(list(CRITERIA)), help="cart: what splits are scored by."),
    _option("--categories", type=click.Choice(CATEGORIES), help="cart: subset or one_against_rest; c45: any."),
    _option("--missing-values", type=click.Choice(MISSING), help="Where rows with missing values go."),
    _option("--quinlan", is_flag=True, default=None, help="c45: as published, pruned."),
    _option("--confidence", type=float, metavar="X", help="c45: prune pessimistically.  [quinlan: 0.25]"),
    _option("--unpruned", is_flag=True, default=None, help="c45 --quinlan: do not prune."),
    _option("--average-gain", is_flag=True, default=None, help="c45: only features of average gain compete."),
    _option("--base", type=click.Choice(["2", "e"]), help="The base of logarithms."),
    _option("--max-depth", type=int, metavar="N", help="The greatest depth of a leaf."),
    _option("--max-leaves", type=int, metavar="N", help="The greatest number of leaves; best splits first."),
    _option("--min-split", "min_samples_split", type=float, metavar="N", help="Less case weight makes a leaf."),
    _option("--min-leaf", "min_samples_leaf", type=float, metavar="N", help="Case weight in a child, at least."),
    _option("--min-gain", type=float, metavar="X", help="A split's score, at least (the books' epsilon)."),
    _option("--min-impurity", type=float, metavar="X", help="Purer nodes are leaves."),
    _option(
        "--class-weight", multiple=True, callback=_class_weight, metavar="CLASS=X", help="Or balanced: case weight x X."
    ),
    _option("--prior", "priors", multiple=True, callback=_pairs, metavar="CLASS=P", help="Shares outside the table."),
    _option("--cost", "costs", multiple=True, callback=_costs, metavar="TRUE,PRED=X", help="Of an error; else 1."),
    _option("--monotone", multiple=True, callback=_signs, metavar="COL=+1", help="Rising (-1: falling) predictions."),
    _option("--feature-cost", multiple=True, callback=_pairs, metavar="COL=X", help="Divides the feature's scores."),
    _option("--prefer", multiple=True, callback=_names, metavar="COL", help="A feature that wins ties."),
)
#: What those options are called, apart from the file.
_CHOICES = (
    "criterion",
    "categories",
    "missing",
    "quinlan",
    "confidence",
    "unpruned",
    "average_gain",
    "base",
    "max_depth",
    "max_leaves",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "min_impurity",
    "class_weight",
    "priors",
    "costs",
    "monotone",
    "feature_cost",
    "prefer",
)


def choosing(command: Command) -> Command:
    """Give a command the options that make a recipe."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen_recipe(options: Mapping[str, Any]) -> Recipe:
    """Return the recipe that the options ask for, over those of a TOML file.

    Raises:
        OptionError: the algorithm does not have a choice, or it means nothing.
    """
    file: Path | None = options["recipe_file"]
    choices = {} if file is None else choices_of(file)
    source = click.get_current_context().get_parameter_source("algorithm")
    if source is not ParameterSource.DEFAULT or "algorithm" not in choices:
        choices["algorithm"] = options["algorithm"]
    given = {**options, "missing": options["missing_values"]}  # --missing is what is missing in a CSV file
    choices.update({name: given[name] for name in _CHOICES if given[name] is not None})
    return recipe_of(choices)

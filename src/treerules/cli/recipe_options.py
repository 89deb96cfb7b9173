"""The options that describe a recipe: an algorithm, its arguments, or a TOML file of both."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve
from click.core import ParameterSource

from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.criteria import CRITERIA
from treerules.errors import OptionError
from treerules.recipes.recipe import CATEGORIES, MISSING, THRESHOLDS, Recipe
from treerules.recipes.recipe_files import ALGORITHMS, arguments_in_file, recipe_of

#: The value of --time-limit none, since None stands for an option that is not given.
NO_LIMIT = object()


def _number(option: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise OptionError(option, text, "a number after the =") from error


def _name_and_number(option: str, text: str) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    if not equals:
        raise OptionError(option, text, "a name, = and a number")
    return name, _number(option, value)


# ---- callbacks: click calls these with (context, option, texts)


def _numbers_by_name(context: Any, option: Any, texts: Sequence[str]) -> dict[str, float] | None:
    """Return options of the form NAME=X as a mapping; None if there are none."""
    return dict(_name_and_number(option.opts[0], text) for text in texts) if texts else None


def _class_weight(context: Any, option: Any, texts: Sequence[str]) -> Any:
    return "balanced" if list(texts) == ["balanced"] else _numbers_by_name(context, option, texts)


def _signs(context: Any, option: Any, texts: Sequence[str]) -> dict[str, float] | None:
    """Return options of the form COL=+1, COL=-1, COL=+ or COL=- as a mapping; None if there are none.

    Other numbers are left for `recipe_of` to refuse.
    """
    completed = [text + "1" if text.endswith(("=+", "=-")) else text for text in texts]
    signs = _numbers_by_name(context, option, completed)
    return signs and {name: int(sign) if sign in (1, -1) else sign for name, sign in signs.items()}


def _costs(context: Any, option: Any, texts: Sequence[str]) -> dict[tuple[str, str], float] | None:
    """Return options of the form TRUE,PREDICTED=COST as a mapping from (TRUE, PREDICTED) to COST; None if there are
    none.
    """
    costs = {}
    for text in texts:
        classes, cost = _name_and_number(option.opts[0], text)
        true, comma, predicted = classes.partition(",")
        if not comma or "," in predicted:
            raise OptionError(option.opts[0], text, "TRUE,PREDICTED=COST (classes with commas: in a --recipe file)")
        costs[true, predicted] = cost
    return costs or None


def _penalty(context: Any, option: Any, text: str | None) -> float | str | None:
    return text if text is None or text == "cv" else _number_of(option, text, "a number, or cv")


def _seconds(context: Any, option: Any, text: str | None) -> Any:
    """Return a number of seconds; `NO_LIMIT` where the text is none."""
    return None if text is None else NO_LIMIT if text == "none" else _number_of(option, text, "a number, or none")


def _number_of(option: Any, text: str, accepted: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise OptionError(option.opts[0], text, accepted) from error
    return int(number) if number.is_integer() else number


def _none_if_empty(context: Any, option: Any, texts: Sequence[str]) -> Sequence[str] | None:
    return texts or None


# ---- the options


def _algorithm(default: str) -> Any:
    return click.option(
        "--algorithm",
        type=click.Choice(list(ALGORITHMS)),
        default=default,
        show_default=True,
        help="Learn the tree by this algorithm; auto is cart, where cross-validation chooses the size; optimal "
        "searches the tree of least cost.",
    )


_OPTIONS = (
    click.option(
        "--recipe",
        "recipe_file",
        type=PATH,
        metavar="F.TOML",
        help="Read the algorithm and its choices from a TOML file; options given here replace them.",
    ),
    click.option("--criterion", type=click.Choice(list(CRITERIA)), help="Score splits by this criterion (cart only)."),
    click.option(
        "--categories",
        type=click.Choice(CATEGORIES),
        help="Divide categories in this way; cart has subset and one_against_rest.",
    ),
    click.option(
        "--thresholds",
        type=click.Choice(THRESHOLDS[:-1]),
        help="Cut numbers between two neighbouring values at their midpoint, at the number of fewest "
        "digits, or at a value of the table.  [default: midpoint; auto: short; --quinlan: data]",
    ),
    click.option("--missing-values", type=click.Choice(MISSING), help="Send missing values to this child."),
    click.option(
        "--quinlan", is_flag=True, default=None, help="Grow and prune as Quinlan's C4.5 release 8 does (c45 only)."
    ),
    click.option(
        "--confidence",
        type=float,
        metavar="X",
        help="Prune pessimistically at this confidence, at most 0.5 (c45 only).  [with --quinlan: 0.25]",
    ),
    click.option(
        "--unpruned",
        is_flag=True,
        default=None,
        help="Keep the whole tree as it grew, without pruning and without cross-validation (auto, c45 --quinlan).",
    ),
    click.option(
        "--average-gain",
        is_flag=True,
        default=None,
        help="Choose among the features of at least average gain (c45 only).",
    ),
    click.option(
        "--max-rules",
        type=int,
        metavar="N",
        help="Choose among trees of at most N rules (auto, optimal).  [default: 32]",
    ),
    click.option("--folds", type=int, metavar="N", help="Cross-validate in N folds (auto, optimal).  [default: 10]"),
    click.option(
        "--reduction-per-rule",
        type=float,
        metavar="X",
        help="Ask of each further rule that it takes this share of the remaining error away (auto, optimal).  "
        "[default: 0.008; 0.016 from 5,000 "
        "rows on]",
    ),
    click.option(
        "--leaf-penalty",
        callback=_penalty,
        metavar="X",
        help="Set the price of a leaf, in errors or their weight, or let cross-validation choose it with cv (optimal "
        "only).  [default: cv]",
    ),
    click.option(
        "--time-limit",
        callback=_seconds,
        metavar="S",
        help="Return the best tree so far after S seconds; none is no limit (optimal only).  [default: 60]",
    ),
    click.option(
        "--gap",
        type=float,
        metavar="X",
        help="Return a tree that costs at most this share more than any tree could (optimal only).  [default: 0]",
    ),
    click.option("--base", type=click.Choice(["2", "e"]), help="Take logarithms of entropies to this base."),
    click.option("--max-depth", type=int, metavar="N", help="Grow no leaf deeper than N splits."),
    click.option("--max-leaves", type=int, metavar="N", help="Grow at most N leaves, the best splits first."),
    click.option(
        "--min-split",
        "min_samples_split",
        type=float,
        metavar="N",
        help="Split no node of fewer rows than N.",
    ),
    click.option(
        "--min-leaf",
        "min_samples_leaf",
        type=float,
        metavar="N",
        help="Make no child of fewer rows than N.",
    ),
    click.option(
        "--min-gain", type=float, metavar="X", help="Make no split of a lower score than X (epsilon in textbooks)."
    ),
    click.option("--min-impurity", type=float, metavar="X", help="Split no node of a lower impurity than X."),
    click.option(
        "--class-weight",
        multiple=True,
        callback=_class_weight,
        metavar="CLASS=X",
        help="Multiply the weight of the rows of a class by X, or give all classes the same weight with balanced.",
    ),
    click.option(
        "--prior",
        "priors",
        multiple=True,
        callback=_numbers_by_name,
        metavar="CLASS=P",
        help="Set the share that a class has outside the table; it needs one option for each class.",
    ),
    click.option(
        "--cost",
        "costs",
        multiple=True,
        callback=_costs,
        metavar="TRUE,PRED=X",
        help="Set the cost of predicting PRED where TRUE is right.  [default: 1]",
    ),
    click.option(
        "--monotone",
        multiple=True,
        callback=_signs,
        metavar="COL=+1",
        help="Let predictions never fall (+1) or never rise (-1) with a feature.",
    ),
    click.option(
        "--feature-cost",
        multiple=True,
        callback=_numbers_by_name,
        metavar="COL=X",
        help="Divide the scores of a feature by X.",
    ),
    click.option(
        "--prefer",
        multiple=True,
        callback=_none_if_empty,
        metavar="COL",
        help="Prefer this feature where splits are equally good.",
    ),
)
#: The arguments of the algorithms that are options here; --missing-values is `missing`.
_ARGUMENTS = (
    "criterion",
    "categories",
    "thresholds",
    "missing",
    "quinlan",
    "confidence",
    "unpruned",
    "average_gain",
    "max_rules",
    "folds",
    "reduction_per_rule",
    "leaf_penalty",
    "time_limit",
    "gap",
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


def recipe_options(command: Command, algorithm: str) -> Command:
    """Add the options that describe a recipe, by default of an algorithm."""
    return add_options(command, (_algorithm(algorithm), *_OPTIONS))


def chosen_recipe(options: Mapping[str, Any]) -> Recipe:
    """Return the recipe that the options describe; they replace the arguments in a TOML file.

    Raises:
        OptionError: the file is not TOML, the algorithm has no such argument, or an argument has an invalid value.
        FileError, UnknownNameError: as `load_recipe` does.
    """
    file: Path | None = options["recipe_file"]
    from_file = {} if file is None else arguments_in_file(file)
    values = {**options, "missing": options["missing_values"]}  # --missing belongs to CSV files
    from_options = {name: values[name] for name in _ARGUMENTS if values[name] is not None}
    if from_options.get("time_limit") is NO_LIMIT:
        from_options["time_limit"] = None
    source = click.get_current_context().get_parameter_source("algorithm")
    # the default of --algorithm does not replace the algorithm of the file
    if source is not ParameterSource.DEFAULT or file is None:
        from_options["algorithm"] = options["algorithm"]
    if from_options.get("algorithm") == "auto" and from_options.pop("unpruned", None):
        from_options["algorithm"] = "cart"
    try:
        return recipe_of({**from_file, **from_options})
    except OptionError as error:
        if error.option not in from_file or error.option in from_options:
            raise
        # the value came from the file: name the file
        raise evolve(error, option=f"{error.option} in {file}") from error

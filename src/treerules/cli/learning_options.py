"""The options of commands that learn from a table, and the tree that they describe."""

import re
from collections.abc import Callable, Collection, Sequence
from math import ldexp
from pathlib import Path
from time import process_time
from typing import Any

import click
import numpy as np
from attrs import evolve, frozen

from treerules._internal.jit import is_installed
from treerules.cli.column_names import names_callback
from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.output import print_notes
from treerules.cli.progress import progress
from treerules.cli.recipe_options import chosen_recipe, recipe_options
from treerules.cli.table_options import read_file, read_table, table_options, whole_schema
from treerules.data.schema import Kind
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.evaluation.evaluation import Evaluation, evaluate
from treerules.learning.holdout import holdout
from treerules.learning.learn import learn
from treerules.recipes.recipe import Recipe
from treerules.rendering.headings import heading
from treerules.report.error_estimate_report import (
    balanced_line,
    estimate_lines,
    is_imbalanced,
    test_line,
    training_lines,
)
from treerules.report.findings import same_answer_lines
from treerules.trees.error_estimate import ErrorEstimate
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: The share of the time of learning that compiled kernels save on large tables (`benchmarks/README.md`), and the least
#: number of seconds for which that is told.
_SAVED_BY_KERNELS, _MANY_SECONDS = 0.75, 10.0
#: The most rows of which a weighted tree is learned in passing where numba is not installed.
_MANY_ROWS = 50_000
_NOT_BALANCED = (
    "a tree of balanced classes was not tried: without the extra [fast] (numba) it takes long for so many rows; "
    "--class-weight balanced learns it"
)
#: How a power of two is written.
_POWER = re.compile(r"2\*\*(-?[0-9]{1,4})")


def _step(context: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
    """Return the number that an option gives, as a decimal or as a power of two."""
    if text is None:
        return None
    power = _POWER.fullmatch(text)
    try:
        step = ldexp(1.0, int(power[1])) if power else float(text)
    except (ValueError, OverflowError):
        step = 0.0
    if step == 0:  # no number, or one that doubles do not hold
        raise OptionError("target_step", text, "a power of two, such as 2**-20")
    return step


_DATA = (
    click.option(
        "--features",
        multiple=True,
        metavar="A,B",
        callback=names_callback,
        help="Learn from these columns, and use all of them.  [default: all but the target and the weight; columns "
        "that cannot help are left out with a note]",
    ),
    click.option(
        "--drop", multiple=True, metavar="A,B", callback=names_callback, help="Leave these columns out of the features."
    ),
    click.option(
        "--keep",
        multiple=True,
        metavar="A,B",
        callback=names_callback,
        help="Never leave these columns out of the features.",
    ),
    click.option(
        "--max-categories",
        type=click.IntRange(1),
        metavar="N",
        help="Leave out category columns of more than N categories.  [default: no bound]",
    ),
    click.option("--weight", metavar="COL", help="Weigh each row by this column, which is then not a feature."),
    click.option(
        "--types",
        multiple=True,
        metavar="COL=KIND",
        help="Declare the kind of a column: age=category, size=ordinal:S<M<L, day=date:%d/%m/%Y, "
        "price=number:1.234,5.  [default: detected from the values]",
    ),
    click.option(
        "--task",
        type=click.Choice(["classification", "regression"]),
        help="Predict a class or a number.  [default: detected from the target]",
    ),
    click.option("--drop-missing-target", is_flag=True, help="Ignore rows without a value of the target."),
)
_GROWING = (
    click.option(
        "--groups",
        metavar="COL",
        help="Keep rows with one value of COL, such as those of a patient, in one fold (auto only).",
    ),
    click.option(
        "--time",
        metavar="COL",
        help="Test trees that are learned from earlier rows on later ones, by this column (auto only).",
    ),
    click.option("--test", type=PATH, metavar="FILE", help="Measure the error on the rows of FILE too."),
    click.option(
        "--holdout",
        type=float,
        metavar="SHARE",
        help="Hold out a share of the rows, such as 0.3, learn from the others, and measure the error on those held "
        "out: random rows, the last ones with --time, whole groups with --groups.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        metavar="N",
        help="Draw the rows of --holdout by this seed.",
    ),
    click.option(
        "--target-step",
        metavar="STEP",
        callback=_step,
        help="Round a target that is a number to multiples of this power of two, such as 2**-20, so that all figures "
        "are exact.  [default: no rounding]",
    ),
    click.option(
        "--validation", type=PATH, metavar="FILE", help="Make only splits that also reduce the error on these rows."
    ),
    click.option(
        "--threads",
        type=click.IntRange(1),
        metavar="N",
        help="Grow large trees on N threads, which needs numba.  [default: 1]",
    ),
)


def data_options(algorithm: str, *, is_target_required: bool) -> Callable[[Command], Command]:
    """Add FILE, the options of reading it, and those of the target, the features and the recipe.

    `algorithm` is the default of --algorithm.
    """
    target = click.option(
        "--target", metavar="COL", required=is_target_required, help="Predict the values of this column."
    )
    return lambda command: table_options(add_options(recipe_options(command, algorithm), (target, *_DATA)))


def learning_options(command: Command) -> Command:
    """Add the options of `data_options` and those of growing a tree."""
    return data_options("auto", is_target_required=True)(add_options(command, _GROWING))


@frozen
class LearnedTree:
    """A tree, and its evaluations on other rows: pairs of what the rows are called and the evaluation."""

    tree: Tree
    #: the rows that it was learned from
    table: Table
    evaluations: tuple[tuple[str, Evaluation], ...]
    #: the estimated error of the tree that balanced class weights would give; None where classes are not rare
    balanced: ErrorEstimate | None

    @property
    def notes(self) -> list[str]:
        """The notes of the tree but those that stand last: `table.doubts`."""
        return [note for note in self.tree.notes if note not in self.table.doubts]

    def lines(self, lang: str = "en") -> list[str]:
        """Return the lines that say how well the tree predicts."""
        estimate = self.tree.estimate
        lines = training_lines(self.tree, lang) if estimate is None else estimate_lines(estimate, lang)
        target = self.tree.schema.target
        if target is not None and not self.tree.schema.is_regression:
            answers = [leaf.prediction.value for leaf in leaves(self.tree.root)]
            lines = [*same_answer_lines(answers, target.form, lang), *lines]
        if self.balanced is not None:
            lines.append(balanced_line(self.balanced, lang))
        return [*lines, *(test_line(name, evaluation, lang) for name, evaluation in self.evaluations)]


def learn_tree(file: Path | None, lang: str = "en", **options: Any) -> LearnedTree:
    """Return the tree that the options of learning describe, evaluated on the rows that they name or hold out."""
    recipe, types = chosen_recipe(options), kinds_of(options["types"])
    unread = columns_to_drop(file, options)
    table = read_table(file, options, types=types, extra_columns=named_columns(options), drop=unread)
    table, held_out = _divided(table, options, recipe)
    arguments = _arguments_of_learn(options, types)
    arguments |= _columns_of_rows(options, recipe, unread)
    start = process_time()
    has_bounds = recipe.optimal_search is not None and recipe.size_choice is None
    with progress("learning", has_bounds=has_bounds) as report_progress:
        tree = learn(table, recipe=recipe, progress=report_progress, **arguments)
    print_notes(_hint_of_kernels(process_time() - start))
    balanced = _balanced_estimate(tree, table, recipe, arguments)
    tests = [] if held_out is None else [(heading("rows held out", lang), held_out)]
    if options["test"] is not None:
        tests.append((options["test"].name, _test_table(tree, options)))
    return LearnedTree(tree, table, tuple((name, _evaluation(tree, rows, options)) for name, rows in tests), balanced)


def _balanced_estimate(tree: Tree, table: Table, recipe: Recipe, arguments: dict[str, Any]) -> ErrorEstimate | None:
    """Return the estimated error of the tree with balanced classes, where one class has most rows; None elsewhere.

    Without numba it would take long for many rows, so it is left out with a note.
    """
    if tree.estimate is None or not is_imbalanced(tree.estimate) or recipe.class_weight or recipe.priors:
        return None
    if table.n_rows > _MANY_ROWS and not is_installed():
        print_notes([_NOT_BALANCED])
        return None
    with progress("learning with balanced classes") as report_progress:
        weighted = evolve(recipe, class_weight="balanced")
        return learn(table, recipe=weighted, progress=report_progress, **arguments).estimate


def _arguments_of_learn(options: dict[str, Any], types: dict[str, str]) -> dict[str, Any]:
    """Return the arguments of `learn` that options give as they are, and the table of --validation."""
    names = ("target", "task", "features", "max_categories", "drop_missing_target", "weight", "threads", "target_step")
    path = options["validation"]
    validation = None if path is None else read_file(path, options, types=types)
    return {**{name: options[name] for name in names}, "keep": options["keep"] or (), "validation": validation}


def _hint_of_kernels(seconds: float) -> list[str]:
    """Return a note where numba would have saved more than ten of so many seconds of learning."""
    saved = seconds * _SAVED_BY_KERNELS
    if saved <= _MANY_SECONDS or is_installed():
        return []
    return [f"learning took {seconds:.0f} s; the extra [fast] (numba) would save most of them"]


def _divided(table: Table, options: dict[str, Any], recipe: Recipe) -> tuple[Table, Table | None]:
    """Return the rows to learn from, and those that --holdout holds out.

    Raises:
        DataError: Cross-validation needs two groups, or two times, and one is left.
    """
    if options["holdout"] is None:
        return table, None
    columns = {"groups": options["groups"], "time": options["time"]}
    try:
        rows, rest = holdout(table, target=options["target"], share=options["holdout"], seed=options["seed"], **columns)
    except OptionError as error:
        raise evolve(error, option="--holdout") if error.option == "share" else error from error
    for what, name in columns.items():
        if name is not None and recipe.size_choice is not None and len(np.unique(rows.column(name).data)) < 2:
            n = len(np.unique(table.column(name).data))
            problem = f"--holdout leaves 1 of {n} {what.rstrip('s')}s of {name!r}, and cross-validation needs two"
            raise DataError(problem, "hold out a smaller share, or learn without it, as by --algorithm cart")
    return rows, rest


def _columns_of_rows(options: dict[str, Any], recipe: Recipe, unread: Collection[str]) -> dict[str, Any]:
    """Return the arguments of `learn` that name columns which are no features, without those that were not read."""
    columns = {name: options[name] for name in ("groups", "time") if options[name] is not None}
    drop = [name for name in options["drop"] or () if name not in unread]
    if recipe.size_choice is None and options["holdout"] is not None:  # they served to hold rows out
        return {"drop": [*drop, *columns.values()]}
    return {"drop": drop, **columns}


def _test_table(tree: Tree, options: dict[str, Any]) -> Table:
    extra = [options["weight"]] if options["weight"] is not None else []
    return read_file(options["test"], options, schema=whole_schema(tree.schema), extra_columns=extra)


def _evaluation(tree: Tree, rows: Table, options: dict[str, Any]) -> Evaluation:
    return evaluate(tree, rows, weight=options["weight"], drop_missing_target=options["drop_missing_target"])


def columns_to_drop(file: Path | None, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of a file that are not read, since --drop names them and no other option does."""
    if file is None or options["features"]:
        return ()
    return tuple(name for name in dict.fromkeys(options["drop"] or ()) if name not in named_columns(options))


def named_columns(options: dict[str, Any]) -> list[str]:
    """Return the columns that options name, which are always read."""
    columns = (options.get(name) for name in ("target", "weight", "groups", "time"))
    return [*(options["features"] or ()), *(options["keep"] or ()), *filter(None, columns)]


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

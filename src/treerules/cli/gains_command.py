"""`treerules gains`: the information of each feature about the target."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.input_paths import PATH
from treerules.cli.learning_options import data_options, kinds_of, named_columns
from treerules.cli.model_options import TEMPLATES, load_tree
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import LANG, format_option, print_notes, print_report
from treerules.cli.recipe_options import chosen_recipe
from treerules.cli.table_options import READING_NAMES, read_for_model, read_table
from treerules.cli.top_option import TOP_OPTION
from treerules.errors import OptionError
from treerules.evaluation.feature_gains import feature_gains
from treerules.evaluation.gain_records import FeatureGains
from treerules.report.feature_gains_report import FEATURE_GAINS


@click.command("gains")
@data_options("cart", is_target_required=False)
@click.option("--model", "model_file", type=PATH, metavar="M", help="Take the target and the tree from this model.")
@click.option(
    "--node",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="Take the rows of this node of --model, numbered in preorder from 0.",
)
@click.option(
    "--digits",
    type=click.IntRange(0, 17),
    default=3,
    show_default=True,
    metavar="N",
    help="Print N digits after the decimal point.",
)
@TOP_OPTION
@format_option(FEATURE_GAINS)
@LANG
@TEMPLATES
def gains_command(
    file: Path | None,
    model_file: Path | None,
    node: int,
    digits: int,
    top: int | None,
    format_: str | None,
    lang: str,
    templates: Path | None,
    **options: Any,
) -> None:
    """Print the gain of each feature.

    The gain says how much a feature tells about the target. Prints the table of textbooks: H(D), and for each
    feature H(D|A), information gain, H_A(D), gain ratio, and Gini at its best value or cut; then the class counts
    of each value. The greatest gain comes first, and the feature that the algorithm chooses is marked. With --model,
    for the rows of FILE that reach a node of that tree.
    """
    gains = _gains(file, model_file, node, options)
    print_notes(first_of_each_kind(gains.notes, lang))
    print_report(FEATURE_GAINS, gains, format_=format_, lang=lang, templates=templates, digits=digits, top=top)


def _gains(file: Path | None, model_file: Path | None, node: int, options: dict[str, Any]) -> FeatureGains:
    """Return the gains for a target, or at a node of a model."""
    target = options["target"]
    if model_file is None and node:
        raise OptionError("--node", node, "it together with --model")
    if (target is None) is (model_file is None):
        raise OptionError("--target", target, "a target column, or a model with --model, but not both")
    if model_file is not None:
        _refuse_learning_options()
        tree = load_tree(model_file, has_option=False)
        return feature_gains(read_for_model(tree, file, options), tree=tree, node=node)
    if options["algorithm"] == "cart" and options["categories"] is None:
        options = {**options, "categories": "one_against_rest"}  # as in the examples of textbooks
    table = read_table(file, options, types=kinds_of(options["types"]), extra_columns=named_columns(options))
    return feature_gains(
        table,
        target=target,
        recipe=chosen_recipe(options),
        task=options["task"],
        features=options["features"],
        drop=options["drop"] or (),
        weight=options["weight"],
        drop_missing_target=options["drop_missing_target"],
    )


def _refuse_learning_options() -> None:
    """Refuse the options of learning together with --model, which implies them."""
    context = click.get_current_context()
    allowed = {"model_file", "node", "digits", "top", "format_", "lang", "templates", "file", *READING_NAMES}
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_given and parameter.name not in allowed:
            raise click.UsageError(f"{parameter.opts[0]} cannot be combined with --model.", context)

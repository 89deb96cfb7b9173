"""The commands that show: what features tell, what a tree is, what this machine has."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.doctor import DOCTOR, installation
from treerules.cli.options import MODEL, TEMPLATES, model, posing, types_of
from treerules.cli.output import LANG, OUT, format_option, note, put, put_report
from treerules.cli.recipe_options import chosen_recipe
from treerules.cli.table_options import OPTIONS, table_of
from treerules.data.schema import Schema
from treerules.errors import OptionError
from treerules.evaluation.feature_gains import feature_gains
from treerules.evaluation.gain_records import FeatureGains
from treerules.report.feature_gains_report import FEATURE_GAINS
from treerules.report.render_report import render_report
from treerules.report.tree_report import TREE

#: Mermaid refuses to draw more unless its option maxEdges allows it.
_MERMAID_EDGES = 500


@click.command("gains")
@posing
@click.option("--model", "model_file", type=click.Path(path_type=Path), metavar="M", help="Instead of --target.")
@click.option("--node", type=int, default=0, show_default=True, metavar="N", help="--model: the node, in preorder.")
@click.option(
    "--digits", type=click.IntRange(0, 17), default=3, show_default=True, metavar="N", help="After the point."
)
@format_option(FEATURE_GAINS)
@LANG
@TEMPLATES
def gains_command(
    file: Path | None,
    model_file: Path | None,
    node: int,
    digits: int,
    format_: str | None,
    lang: str,
    templates: Path | None,
    **options: Any,
) -> None:
    """Print what each feature tells about the target.

    The table that the books print: H(D), and for each feature H(D|A), information gain, H_A(D), gain ratio, and Gini
    at its best value or cut; then the class counts of each value. The feature that the algorithm chooses is marked.
    With --model, for the rows of FILE that reach a node of that tree.
    """
    found = _gains(file, model_file, node, options)
    note(found.notes)
    put_report(FEATURE_GAINS, found, format_=format_, lang=lang, templates=templates, digits=digits)


def _gains(file: Path | None, model_file: Path | None, node: int, options: dict[str, Any]) -> FeatureGains:
    target = options["target"]
    if model_file is None and node:
        raise OptionError("--node", node, "it beside --model")
    if (target is None) is (model_file is None):
        raise OptionError("--target", target, "a target column, or a model with --model, one of them")
    if model_file is not None:
        _refuse_learning()
        tree = model(model_file)
        goal = tree.schema.target
        schema = Schema([*tree.schema.features, *([goal] if goal else [])])
        return feature_gains(table_of(file, options, schema=schema), tree=tree, node=node)
    if options["algorithm"] == "cart" and options["categories"] is None:
        options = {**options, "categories": "one_against_rest"}  # as the book's examples
    table = table_of(file, options, types=types_of(options["types"]), keep=[*options["keep"], target])
    return feature_gains(
        table,
        target=target,
        recipe=chosen_recipe(options),
        task=options["task"],
        features=options["keep"] or None,
        drop=options["drop"],
        drop_missing_target=options["drop_missing_target"],
    )


def _refuse_learning() -> None:
    """Refuse the options of learning beside a model, which says all that they could."""
    context = click.get_current_context()
    taken = {"model_file", "node", "digits", "format_", "lang", "templates", "file", *OPTIONS}
    for parameter in context.command.params:
        is_given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if is_given and parameter.name not in taken:
            raise click.UsageError(f"{parameter.opts[0]} means nothing beside --model.", context)


@click.command("show")
@MODEL
@click.option("--depth", type=int, metavar="N", help="Down to this depth; what lies below is counted.")
@format_option(TREE, default="text")
@LANG
@TEMPLATES
@OUT
def show_command(
    model_file: Path, depth: int | None, format_: str, lang: str, templates: Path | None, output: Path | None
) -> None:
    """Draw MODEL: as text, Mermaid or DOT."""
    tree = model(model_file)
    if format_ == "mermaid" and 2 * tree.n_leaves > _MERMAID_EDGES and depth is None:
        note([f"Mermaid draws at most {_MERMAID_EDGES} edges by default: raise its maxEdges, or give --depth"])
    put(render_report(TREE, tree, format=format_, lang=lang, templates=templates, depth=depth), output)


@click.command("doctor")
@format_option(DOCTOR)
@LANG
def doctor_command(format_: str | None, lang: str) -> None:
    """Say what is installed: versions, extras, encodings, engines."""
    put_report(DOCTOR, installation(), format_=format_, lang=lang)

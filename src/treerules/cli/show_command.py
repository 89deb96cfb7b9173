"""`treerules show`: a drawing of a model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from treerules.cli.model_options import MODEL, TEMPLATES, TREE_NUMBER, load_model
from treerules.cli.output import LANG, OUT, format_option, print_notes, print_text, report_text
from treerules.cli.phrasing_options import phrasing_options
from treerules.cli.top_option import TOP_OPTION
from treerules.errors import OptionError
from treerules.formats.pasted_rows import row_from_text, unknown_column_text
from treerules.report.ensemble_report import ENSEMBLE
from treerules.report.reading_lines import reading_lines
from treerules.report.tree_report import TREE
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree

#: Mermaid refuses to draw more edges unless its option maxEdges allows it.
_MERMAID_EDGES = 500


@click.command("show")
@MODEL
@TREE_NUMBER
@click.option("--depth", type=int, metavar="N", help="Draw nodes down to this depth, and count those below.")
@click.option("--row", metavar="JSON", help="Show the path of this row in an SVG: '{\"age\": 31}'.")
@click.option("--regions", nargs=2, metavar="X Y", help="Draw the regions of these two features as an SVG.")
@TOP_OPTION
@phrasing_options
@format_option(TREE, default="text")
@LANG
@TEMPLATES
@OUT
def show_command(
    model_file: Path,
    tree_number: int | None,
    depth: int | None,
    row: str | None,
    regions: tuple[str, str] | None,
    top: int | None,
    format_: str,
    lang: str,
    templates: Path | None,
    output: Path | None,
    **phrasing: Any,
) -> None:
    """Draw MODEL as text, SVG, HTML, Mermaid or DOT (Graphviz).

    An SVG of more than 100 leaves is folded at a depth where it can be read; --depth says another one.

    Of an ensemble the sum and its trees are listed; --tree draws one of them.
    """
    model = load_model(model_file, tree_number)
    options = {"depth": depth, "row": row, "regions": regions, **phrasing}
    if isinstance(model, Ensemble):
        _require_ensemble_options(model_file, format_, options)
        text = report_text(ENSEMBLE, model, format_=format_, lang=lang, templates=templates, top=top)
    else:
        if top is not None:
            raise OptionError("--top", top, "none: it is for the list of the trees of an ensemble; give --depth")
        if format_ == "mermaid" and 2 * model.n_leaves > _MERMAID_EDGES and depth is None:
            limit = f"Mermaid draws at most {_MERMAID_EDGES} edges by default"
            print_notes([f"{limit}: raise its maxEdges, or give --depth"])
        if format_ != "svg" and (row, regions) != (None, None):
            name, value = ("--regions", " ".join(regions)) if regions else ("--row", row)
            raise OptionError(name, value, "none: it is for --format svg")
        options["row"] = _row(row, model)
        text = report_text(TREE, model, format_=format_, lang=lang, templates=templates, **options)
    lines = reading_lines(model.schema, lang) if format_ == "text" else []
    print_text("\n".join([text.rstrip("\n"), "", *lines, ""]) if lines else text, output)


def _row(text: str | None, tree: Tree) -> Mapping[str, Any] | None:
    """Return the row that --row gives.

    Raises:
        OptionError: The text is not a row.
    """
    if text is None:
        return None
    values, unknown = row_from_text(text, tree.schema)
    print_notes(unknown_column_text(name, tree.schema) for name in unknown)
    return values


def _require_ensemble_options(model_file: Path, format_: str, options: Mapping[str, Any]) -> None:
    """Raise OptionError for a format or an option that draws one tree."""
    given = [name for name, value in options.items() if value not in (None, False)]
    if format_ not in ENSEMBLE.formats or given:
        option = f"--format {format_}" if format_ not in ENSEMBLE.formats else f"--{given[0]}"
        wanted = f"a tree with {option}; of this ensemble give --tree with a number"
        raise OptionError("MODEL", str(model_file), wanted)

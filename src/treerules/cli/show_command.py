"""`treerules show`: a drawing of a model."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.model_options import MODEL, TEMPLATES, load_model
from treerules.cli.output import LANG, OUT, format_option, print_notes, print_text
from treerules.cli.phrasing_options import phrasing_options
from treerules.report.render_report import render_report
from treerules.report.tree_report import TREE

#: Mermaid refuses to draw more edges unless its option maxEdges allows it.
_MERMAID_EDGES = 500


@click.command("show")
@MODEL
@click.option("--depth", type=int, metavar="N", help="Draw nodes down to this depth, and count those below.")
@phrasing_options
@format_option(TREE, default="text")
@LANG
@TEMPLATES
@OUT
def show_command(
    model_file: Path,
    depth: int | None,
    format_: str,
    lang: str,
    templates: Path | None,
    output: Path | None,
    **phrasing: Any,
) -> None:
    """Draw MODEL as text, Mermaid, DOT (Graphviz) or HTML."""
    tree = load_model(model_file)
    if format_ == "mermaid" and 2 * tree.n_leaves > _MERMAID_EDGES and depth is None:
        print_notes([f"Mermaid draws at most {_MERMAID_EDGES} edges by default: raise its maxEdges, or give --depth"])
    text = render_report(TREE, tree, format=format_, lang=lang, templates=templates, depth=depth, **phrasing)
    print_text(text, output)

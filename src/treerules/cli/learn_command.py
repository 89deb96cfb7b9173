"""`treerules learn`: a tree from a table."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.learning_options import learn_tree, learning_options
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import LANG, OUT, print_notes, print_text
from treerules.rendering.headings import heading
from treerules.trees.json_codec import tree_to_json


@click.command("learn")
@learning_options
@LANG
@OUT
def learn_command(file: Path | None, output: Path | None, lang: str, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    learned = learn_tree(file, lang, **options)
    tree = learned.tree
    size = "learned 1 leaf, depth {depth}" if tree.n_leaves == 1 else "learned {leaves} leaves, depth {depth}"
    learned_size = heading(size, lang, leaves=tree.n_leaves, depth=tree.depth)
    print_notes([*first_of_each_kind(tree.notes), learned_size, *learned.lines(lang)])
    print_text(tree_to_json(tree), output)

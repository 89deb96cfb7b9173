"""`treerules learn`: a tree from a table."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.learning_options import learn_tree, learning_options
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import OUT, print_notes, print_text
from treerules.trees.json_codec import tree_to_json


@click.command("learn")
@learning_options
@OUT
def learn_command(file: Path | None, output: Path | None, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    learned = learn_tree(file, **options)
    tree = learned.tree
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    print_notes([*first_of_each_kind(tree.notes), f"learned {leaves}, depth {tree.depth}", *learned.lines()])
    print_text(tree_to_json(tree), output)

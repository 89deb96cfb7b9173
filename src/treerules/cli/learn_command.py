"""The command that learns a tree."""

from pathlib import Path
from typing import Any

import click

from treerules.cli.options import learned, learning
from treerules.cli.output import OUT, note, put
from treerules.trees.json_codec import tree_to_json


@click.command("learn")
@learning
@OUT
def learn_command(file: Path | None, output: Path | None, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    tree = learned(file, **options)
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    note([*tree.notes, f"learned {leaves}, depth {tree.depth}"])
    put(tree_to_json(tree), output)

"""`treerules learn`: a tree from a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from treerules.cli.learning_options import learn_tree, learning_options
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import LANG, OUT, OutputPath, print_notes, print_text
from treerules.cli.progress import progress
from treerules.cli.recipe_options import chosen_recipe
from treerules.errors import OptionError
from treerules.proof.certificate_files import certificate_to_json
from treerules.proof.optimality_proof import prove_optimal
from treerules.rendering.headings import heading
from treerules.trees.json_codec import tree_to_json


@click.command("learn")
@learning_options
@click.option(
    "--certificate",
    type=OutputPath(is_stdout=False),
    metavar="FILE",
    help="Write the proof of the lower bound to FILE, for treerules certify (optimal only).",
)
@LANG
@OUT
def learn_command(file: Path | None, output: Path | None, lang: str, certificate: Path | None, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    if certificate is not None:
        _check_certificate(certificate, output, options)
    learned = learn_tree(file, lang, **options)
    tree = learned.tree
    size = "learned 1 leaf, depth {depth}" if tree.n_leaves == 1 else "learned {leaves} leaves, depth {depth}"
    learned_size = heading(size, lang, leaves=tree.n_leaves, depth=tree.depth)
    print_notes([*first_of_each_kind(learned.notes, lang), learned_size, *learned.lines(lang)])
    print_notes(first_of_each_kind(learned.table.doubts, lang))
    proof = None
    if certificate is not None:
        with progress("proving", has_bounds=True) as report_progress:
            proof = prove_optimal(tree, learned.table, progress=report_progress)
    print_text(tree_to_json(tree), output)
    if proof is not None and certificate is not None:
        print_text(certificate_to_json(proof), certificate)


def _check_certificate(certificate: Path, output: Path | None, options: Mapping[str, Any]) -> None:
    """Raise OptionError where the certificate would replace the model, or the tree has none."""
    if chosen_recipe(options).optimal_search is None:
        raise OptionError("--certificate", str(certificate), "--algorithm optimal: other trees have no certificate")
    if output is not None and certificate.resolve() == output.resolve():
        raise OptionError("--certificate", str(certificate), "another file than that of -o, which is the model's")

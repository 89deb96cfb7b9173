"""`treerules import`: a model file of another library as a model of treerules."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules._internal.atomic_files import read_bytes
from treerules.cli.column_names import names_callback
from treerules.cli.input_paths import PATH
from treerules.cli.output import OUT, print_text
from treerules.errors import OptionError
from treerules.importers import import_model
from treerules.trees.ensemble import Ensemble
from treerules.trees.json_codec import tree_to_json
from treerules.trees.json_ensemble import ensemble_to_json

#: A file of categories is small.
_MOST_BYTES = 1 << 26


@click.command("import")
@click.argument("model_file", type=PATH, metavar="FILE")
@click.option("--target", default="target", show_default=True, help="Name what the model predicts.")
@click.option("--features", multiple=True, metavar="A,B", callback=names_callback, help="Name the model's columns.")
@click.option(
    "--labels",
    multiple=True,
    metavar="A,B",
    callback=names_callback,
    help="Name the classes, in the order of the model's. Labels that all are whole numbers are integers.",
)
@click.option(
    "--missing", type=float, metavar="NUMBER", help="Take this number for a missing value, as the fit of XGBoost did."
)
@click.option(
    "--categories",
    metavar="FILE|codes",
    help='Name the categories in the order of their codes, by a JSON file such as {"city": ["a", "b"]}; or "codes" '
    "where the columns hold the codes.",
)
@click.option(
    "--iterations", type=int, metavar="N", help="Predict by the first N iterations.  [default: the library's]"
)
@OUT
def import_command(model_file: Path, output: Path | None, **options: Any) -> None:
    """Import a model FILE of another library and print it (JSON).

    FILE is of XGBoost (JSON, UBJSON), LightGBM (text) or CatBoost (JSON), as its save_model writes it. Margins and
    labels are those of the library, to the last bit. All commands that take an ensemble take the model, such as show,
    emit, verify and predict; `treerules rules --tree 1` prints the rules of its first tree.
    """
    options["features"] = options["features"] and list(options["features"])
    options["labels"] = options["labels"] and _as_typed(options["labels"])
    options["categories"] = _categories(options["categories"])
    try:
        model = import_model(model_file, **options)
    except OptionError as error:
        if error.option != "fitted":
            raise
        raise evolve(error, option="FILE") from error
    print_text(ensemble_to_json(model) if isinstance(model, Ensemble) else tree_to_json(model), output)


def _as_typed(labels: Sequence[str]) -> list[Any]:
    """Return labels as integers if all of them are whole numbers, else as text."""
    read: Callable[[str], Any] = int if all(label.removeprefix("-").isdecimal() for label in labels) else str
    return [read(label) for label in labels]


def _categories(text: str | None) -> Any:
    """Return the categories of a JSON file, or "codes".

    Raises:
        FileError: the file cannot be read.
        OptionError: it is no object of lists.
    """
    if text is None or text == "codes":
        return text
    try:
        found = json.loads(read_bytes(Path(text), _MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise OptionError("--categories", text, f"a JSON file; this one is none ({error})") from error
    if not isinstance(found, dict) or not all(isinstance(values, list) for values in found.values()):
        raise OptionError("--categories", text, 'a JSON file of lists, such as {"city": ["a", "b"]}')
    return found

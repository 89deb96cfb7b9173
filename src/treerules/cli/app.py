"""The commands. Each is a line through the library: read, do, print."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import click

from treerules._version import __version__
from treerules.check import check
from treerules.cli.options import PATH, learned, learning, model
from treerules.cli.output import note, put, put_rules, verdict_text
from treerules.codec import tree_to_json
from treerules.compiling import compile_rules
from treerules.emit.languages import DIALECTS
from treerules.emit.layout import LAYOUTS
from treerules.emit.python import to_python
from treerules.emit.sql import KINDS, to_sql
from treerules.emit.text import FORMATS
from treerules.errors import OptionError
from treerules.files import write_texts
from treerules.predict import predict
from treerules.read import read_csv
from treerules.rules import FIGURES, RuleSet

_OUT = click.option("-o", "--output", type=PATH, metavar="FILE", help="Write there instead of to stdout.")
_LAYOUT = click.option("--layout", type=click.Choice(LAYOUTS), default="auto", show_default=True)
_TEMPLATES = click.option("--templates", type=PATH, metavar="DIR", help="A folder of your own templates.")
_MODEL = click.argument("model_file", type=PATH, metavar="MODEL")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="treerules")
def app() -> None:
    """Learn a decision tree, compile it into rules proved exclusive and complete, ship them as Python or SQL."""


@app.command()
@learning
@click.option("-o", "--output", type=PATH, required=True, metavar="DIR", help="The folder that the files go to.")
@click.option("--dialect", type=click.Choice(list(DIALECTS)), default="duckdb", show_default=True)
@_LAYOUT
@_TEMPLATES
def build(file: Path, output: Path, dialect: str, layout: Any, templates: Path | None, **options: Any) -> int:
    """Do it all: print rules and verdict, write the code.

    Learns from FILE (CSV), prints the rules with their figures and the verdict of the check, and writes the model, the
    Python module and the SQL to a folder. Exit code 1 if the check says no.
    """
    tree = learned(file, **options)
    rules = compile_rules(tree)
    verdict = check(rules)
    name = file.stem or "rules"
    module = re.sub(r"\W|^(?=\d)", "_", name)  # can be imported
    texts = {
        output / f"{name}.tree.json": tree_to_json(tree),
        output / f"{module}.py": to_python(rules, layout=layout, templates=templates),
        output / f"{name}.sql": to_sql(rules, dialect=dialect, layout=layout, templates=templates),
    }
    write_texts(texts)
    note([*tree.notes, *(f"wrote {path}" for path in texts)])
    put_rules(rules)
    put("\n" + verdict_text(verdict, len(rules)))
    return 0 if verdict else 1


@app.command("learn")
@learning
@_OUT
def learn_command(file: Path, output: Path | None, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    tree = learned(file, **options)
    note([*tree.notes, f"learned {tree.n_leaves} leaves, depth {tree.depth}"])
    put(tree_to_json(tree), output)


@app.command("rules")
@_MODEL
@click.option("--sort", type=click.Choice(FIGURES), help="Largest first.")
@click.option("--where", multiple=True, metavar="FIGURE>=X", help="Only such rules; also <=.")
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), help="Otherwise a table, or text when piped.")
@_TEMPLATES
def rules_command(
    model_file: Path, sort: str | None, where: tuple[str, ...], format_: str | None, templates: Path | None
) -> None:
    """Print the rules of MODEL with their figures."""
    rules = compile_rules(model(model_file))
    for condition in where:
        rules = _where(rules, condition)
    put_rules(rules if sort is None else rules.sorted_by(sort), format_, templates)


def _where(rules: RuleSet, condition: str) -> RuleSet:
    for sign, bound in ((">=", "least"), ("<=", "most")):
        figure, found, text = condition.partition(sign)
        try:
            if found:
                return rules.where(figure.strip(), **{bound: float(text)})
        except ValueError as error:
            raise OptionError("--where", condition, "a figure, >= or <=, and a number") from error
    raise OptionError("--where", condition, "a figure, >= or <=, and a number, such as confidence>=0.9")


@app.command("check")
@_MODEL
def check_command(model_file: Path) -> int:
    """Prove the rules of MODEL exclusive and complete.

    A no comes with a row that fires two rules, or none, and with exit code 1.
    """
    rules = compile_rules(model(model_file))
    verdict = check(rules)
    put(verdict_text(verdict, len(rules)))
    return 0 if verdict else 1


@app.group()
def emit() -> None:
    """Print a model as code."""


@emit.command("python")
@_MODEL
@_LAYOUT
@_TEMPLATES
@_OUT
def emit_python(model_file: Path, layout: Any, templates: Path | None, output: Path | None) -> None:
    """Print MODEL as a Python module that needs only the standard library."""
    put(to_python(model(model_file), layout=layout, templates=templates), output)


@emit.command("sql")
@_MODEL
@click.option("--dialect", type=click.Choice(list(DIALECTS)), required=True)
@_LAYOUT
@click.option("--kind", type=click.Choice(KINDS), default="expression", show_default=True)
@click.option("--table", metavar="T", help="select: the table, as in main.people.  [default: data]")
@click.option("--keys", default="", metavar="A,B", help="select: columns to print beside the prediction.")
@_TEMPLATES
@_OUT
def emit_sql(
    model_file: Path,
    dialect: str,
    layout: Any,
    kind: Any,
    table: str | None,
    keys: str,
    templates: Path | None,
    output: Path | None,
) -> None:
    """Print MODEL as an SQL expression or query."""
    columns = [key for key in keys.split(",") if key]
    tree = model(model_file)
    put(to_sql(tree, dialect=dialect, layout=layout, kind=kind, table=table, keys=columns, templates=templates), output)


@app.command("predict")
@_MODEL
@click.argument("file", type=PATH)
@_OUT
def predict_command(model_file: Path, file: Path, output: Path | None) -> None:
    """Predict each row of FILE by MODEL.

    Prints CSV with one column, prediction.
    """
    tree = model(model_file)
    found = predict(tree, read_csv(file, schema=tree.schema))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["prediction"])
    writer.writerows([value] for value in found.tolist())
    put(text.getvalue(), output)

"""The commands that print a model as SQL, as dbt files and as a table of rules."""

from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import write_texts
from treerules.cli.emit_options import put_code
from treerules.cli.options import MODEL, RENAME, TEMPLATES, model, names_of
from treerules.cli.output import OUT, note, put
from treerules.data.schema import SCALARS
from treerules.emit.dbt import to_dbt
from treerules.emit.sql.case import KINDS, SQL_LAYOUTS, to_sql
from treerules.emit.sql.rules_table import rules_table_sql
from treerules.errors import OptionError
from treerules.sql.dialects import DIALECTS
from treerules.trees.tree import Tree

_LAYOUT = click.option("--layout", type=click.Choice(SQL_LAYOUTS), default="auto", show_default=True)
_DIALECT = click.option("--dialect", type=click.Choice(list(DIALECTS)), required=True)
_TABLE = click.option("--table", metavar="T", help="The table to predict, as in main.people.  [default: data]")
_EXTRAS = (
    click.option("--proba", is_flag=True, help="Also the probability of each class, p_CLASS."),
    click.option("--rule", is_flag=True, help="Also the number of the rule that fires."),
    click.option("--reason", is_flag=True, help="Also the text of that rule."),
    click.option("--comments", is_flag=True, help="Number, n and confidence of each rule in a comment."),
    click.option("--otherwise", metavar="LABEL", help="What the flat layout says if no rule fires.  [default: NULL]"),
)


def _extras(command: Any) -> Any:
    for option in reversed(_EXTRAS):
        command = option(command)
    return command


def _listed(names: str) -> tuple[str, ...]:
    return tuple(name for name in names.split(",") if name)


@click.command("sql")
@MODEL
@_DIALECT
@_LAYOUT
@click.option("--kind", type=click.Choice(KINDS), default="expression", show_default=True)
@_TABLE
@click.option("--keys", default="", metavar="A,B", help="Columns to give beside the prediction.")
@click.option("--name", metavar="N", help="Of the view, table or function that is created.")
@_extras
@RENAME
@TEMPLATES
@OUT
def emit_sql(
    model_file: Path, keys: str, rename: Path | None, templates: Path | None, output: Path | None, **options: Any
) -> None:
    """Print MODEL as an SQL expression, a query, or a statement that creates a view, a table or a function."""
    tree = model(model_file)
    otherwise = _marker(tree, options.pop("otherwise"))
    text = to_sql(
        tree, keys=_listed(keys), rename=names_of(rename), templates=templates, otherwise=otherwise, **options
    )
    put_code(text, options["layout"], output)


def _marker(tree: Tree, text: str | None) -> Any:
    """Return what --otherwise says as a value of the type of the predictions.

    Raises:
        OptionError: it is none.
    """
    scalar = tree.schema.predicted
    if text is None or scalar == "text":
        return text
    try:
        if scalar == "boolean":
            return {"true": True, "false": False}[text.lower()]
        value = {"number": float, "integer": int}.get(scalar, str)(text)
        return SCALARS[scalar].convert(value, "--otherwise")
    except (KeyError, ValueError, TypeError) as error:
        raise OptionError("--otherwise", text, f"a value of the type of the predictions, {scalar}") from error


@click.command("rules")
@MODEL
@_DIALECT
@_TABLE
@click.option("--keys", required=True, metavar="A,B", help="Columns that tell rows apart.")
@click.option("--name", default="rules", show_default=True, metavar="N", help="Of the table of rules.")
@RENAME
@TEMPLATES
@OUT
def emit_rules(
    model_file: Path,
    dialect: str,
    table: str | None,
    keys: str,
    name: str,
    rename: Path | None,
    templates: Path | None,
    output: Path | None,
) -> None:
    """Print MODEL as SQL that stores its rules as a table, a row a condition, and the query that applies them."""
    where = "data" if table is None else table
    choices: dict[str, Any] = {"table": where, "keys": _listed(keys), "name": name}
    put(
        rules_table_sql(model(model_file), dialect=dialect, rename=names_of(rename), templates=templates, **choices),
        output,
    )


@click.command("dbt")
@MODEL
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The folder of your project."
)
@click.option("--name", default="treerules_predict", show_default=True, metavar="N", help="Of the macro.")
@click.option("--model", "called", default="predictions", show_default=True, metavar="N", help="That gets tests.")
@click.option("--table", metavar="T", help="Also write that model: a query of this one (ref).")
@click.option("--dialects", default="", metavar="A,B", help="Variants to write.  [default: all]")
@_LAYOUT
@RENAME
@TEMPLATES
def emit_dbt(
    model_file: Path,
    output: Path,
    called: str,
    dialects: str,
    rename: Path | None,
    templates: Path | None,
    **options: Any,
) -> None:
    """Write MODEL as dbt files: a macro with a variant a warehouse, and a schema.yml with tests of its predictions."""
    texts = to_dbt(
        model(model_file),
        model=called,
        dialects=_listed(dialects) or None,
        rename=names_of(rename),
        templates=templates,
        **options,
    )
    write_texts({output / path: text for path, text in texts.items()})
    note(f"wrote {output / path}" for path in texts)

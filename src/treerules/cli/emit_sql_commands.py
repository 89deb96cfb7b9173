"""`treerules emit sql`, `dbt` and `rules`: a model as SQL, as dbt files, as a table of rules."""

from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import write_texts
from treerules.cli.column_names import names_callback
from treerules.cli.command_group import add_options
from treerules.cli.emit_options import print_code
from treerules.cli.model_options import MODEL, RENAME, TEMPLATES, load_model, read_rename
from treerules.cli.output import OUT, print_notes, print_text
from treerules.data.schema import SCALARS
from treerules.emit.dbt import to_dbt
from treerules.emit.sql.case import KINDS, SQL_LAYOUTS, to_sql
from treerules.emit.sql.rules_table import rules_table_sql
from treerules.errors import OptionError
from treerules.sql.dialects import DIALECTS
from treerules.trees.tree import Tree

_LAYOUT = click.option(
    "--layout", type=click.Choice(SQL_LAYOUTS), default="auto", show_default=True, help="The form of the SQL."
)
_DIALECT = click.option("--dialect", type=click.Choice(list(DIALECTS)), required=True, help="The dialect of SQL.")
_TABLE = click.option("--table", metavar="T", help="The table to predict, such as main.people.  [default: data]")
_EXTRAS = (
    click.option("--proba", is_flag=True, help="Also return the probability of each class, p_CLASS."),
    click.option("--rule", is_flag=True, help="Also return the number of the rule that fires."),
    click.option("--reason", is_flag=True, help="Also return the text of that rule."),
    click.option("--comments", is_flag=True, help="Write the number, n and confidence of each rule in a comment."),
    click.option(
        "--otherwise", metavar="LABEL", help="The answer of the flat layout if no rule fires.  [default: NULL]"
    ),
)


def _extras(command: Any) -> Any:
    return add_options(command, _EXTRAS)


@click.command("sql")
@MODEL
@_DIALECT
@_LAYOUT
@click.option(
    "--kind", type=click.Choice(KINDS), default="expression", show_default=True, help="The kind of statement."
)
@_TABLE
@click.option("--keys", metavar="A,B", callback=names_callback, help="Columns to return with the prediction.")
@click.option("--name", metavar="N", help="The name of the view, table or function.")
@_extras
@RENAME
@TEMPLATES
@OUT
def emit_sql(
    model_file: Path,
    keys: tuple[str, ...] | None,
    rename: Path | None,
    templates: Path | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Print MODEL as an SQL expression, a query, or a statement that creates a view, a table or a function."""
    tree = load_model(model_file)
    otherwise = _otherwise_value(tree, options.pop("otherwise"))
    text = to_sql(
        tree, keys=keys or (), rename=read_rename(rename), templates=templates, otherwise=otherwise, **options
    )
    print_code(text, options["layout"], output)


def _otherwise_value(tree: Tree, text: str | None) -> Any:
    """Return the value of --otherwise in the type of the predictions.

    Raises:
        OptionError: The text is not such a value.
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
@click.option("--keys", required=True, metavar="A,B", callback=names_callback, help="Columns that identify a row.")
@click.option("--name", default="rules", show_default=True, metavar="N", help="The name of the table of rules.")
@RENAME
@TEMPLATES
@OUT
def emit_rules(
    model_file: Path,
    dialect: str,
    table: str | None,
    keys: tuple[str, ...],
    name: str,
    rename: Path | None,
    templates: Path | None,
    output: Path | None,
) -> None:
    """Print MODEL as SQL that stores its rules as a table, one row per condition, and the query that applies them."""
    where = "data" if table is None else table
    choices: dict[str, Any] = {"table": where, "keys": keys, "name": name}
    print_text(
        rules_table_sql(
            load_model(model_file), dialect=dialect, rename=read_rename(rename), templates=templates, **choices
        ),
        output,
    )


@click.command("dbt")
@MODEL
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder of the dbt project.",
)
@click.option("--name", default="treerules_predict", show_default=True, metavar="N", help="The name of the macro.")
@click.option(
    "--model",
    "dbt_model",
    default="predictions",
    show_default=True,
    metavar="N",
    help="The name of the dbt model that gets tests.",
)
@click.option("--table", metavar="T", help="Also write that dbt model, as a query of this one (ref).")
@click.option("--dialects", metavar="A,B", callback=names_callback, help="The variants to write.  [default: all]")
@_LAYOUT
@RENAME
@TEMPLATES
def emit_dbt(
    model_file: Path,
    output: Path,
    dbt_model: str,
    dialects: tuple[str, ...] | None,
    rename: Path | None,
    templates: Path | None,
    **options: Any,
) -> None:
    """Write MODEL as dbt files: a macro with a variant for each warehouse, and a schema.yml with tests."""
    texts = to_dbt(
        load_model(model_file),
        model=dbt_model,
        dialects=dialects,
        rename=read_rename(rename),
        templates=templates,
        **options,
    )
    write_texts({output / path: text for path, text in texts.items()})
    print_notes(f"wrote {output / path}" for path in texts)

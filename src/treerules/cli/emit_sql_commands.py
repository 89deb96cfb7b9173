"""`treerules emit sql`, `dbt` and `rules`: a model as SQL, as dbt files, as a table of rules."""

from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import write_texts
from treerules.cli.column_names import names_callback
from treerules.cli.command_group import add_options
from treerules.cli.dialect_option import DialectName
from treerules.cli.emit_options import ACCUMULATE_BY, print_code
from treerules.cli.model_options import (
    MODEL,
    NO_OUTSIDE,
    OUTSIDE,
    RENAME,
    TEMPLATES,
    TREE_NUMBER,
    load_model,
    load_tree,
    read_rename,
)
from treerules.cli.output import OUT, print_notes, print_text
from treerules.data.schema import SCALARS
from treerules.emit.dbt import to_dbt
from treerules.emit.sql.case import KINDS, SQL_LAYOUTS, to_sql
from treerules.emit.sql.rules_table import rules_table_sql
from treerules.emit.sql.statement_spelling import IDENTIFIERS
from treerules.errors import OptionError
from treerules.trees.ensemble import TreeModel

_LAYOUT = click.option(
    "--layout", type=click.Choice(SQL_LAYOUTS), default="auto", show_default=True, help="Write the SQL in this form."
)
_DIALECT = click.option("--dialect", type=DialectName(), required=True, help="Write SQL of this dialect.")
_TABLE = click.option(
    "--table", metavar="T", help="Predict the rows of this table, such as main.people.  [default: data]"
)
_REPLACE = click.option(
    "--replace",
    is_flag=True,
    help="Write CREATE OR REPLACE, or a DROP before CREATE, so that what has the name is replaced.",
)
_SPELLING = (
    click.option(
        "--identifiers",
        type=click.Choice(IDENTIFIERS),
        default="quoted",
        show_default=True,
        help="Write names in quotes, without them where that means the same, or first in upper or lower case.",
    ),
    click.option("--no-nan", is_flag=True, help="Leave out the tests for NaN, as no column of numbers holds it."),
    click.option("--nan", metavar="A,B", callback=names_callback, help="Test only these columns of numbers for NaN."),
)
_EXTRAS = (
    click.option("--proba", is_flag=True, help="Return the probability of each class too, as p_CLASS."),
    click.option("--margin", is_flag=True, help="Return the margin of an ensemble too, or that of each class."),
    click.option("--rule", is_flag=True, help="Return the number of the rule that fires too."),
    click.option("--reason", is_flag=True, help="Return the text of that rule too."),
    click.option("--comments", is_flag=True, help="Write the number, n and confidence of each rule in a comment."),
    click.option(
        "--otherwise",
        metavar="LABEL",
        help="Return this value from the flat layout where no rule fires.  [default: NULL]",
    ),
)


def _extras(command: Any) -> Any:
    return add_options(command, _EXTRAS)


def _spelling(command: Any) -> Any:
    return add_options(command, _SPELLING)


def _spelling_arguments(identifiers: str, no_nan: bool, nan: tuple[str, ...] | None) -> dict[str, Any]:
    """Return the options of spelling as arguments of the emitters.

    Raises:
        OptionError: Both --no-nan and --nan are given.
    """
    if no_nan and nan is not None:
        raise OptionError("--nan", ",".join(nan), "either --no-nan or --nan")
    return {"identifiers": identifiers, "nan": not no_nan if nan is None else nan}


@click.command("sql")
@MODEL
@TREE_NUMBER
@_DIALECT
@_LAYOUT
@click.option(
    "--kind", type=click.Choice(KINDS), default="expression", show_default=True, help="Write this kind of statement."
)
@_TABLE
@click.option("--keys", metavar="A,B", callback=names_callback, help="Return these columns with the prediction.")
@click.option("--name", metavar="N", help="Name the view, table or function so.")
@_REPLACE
@_extras
@ACCUMULATE_BY
@OUTSIDE
@_spelling
@RENAME
@TEMPLATES
@OUT
def emit_sql(
    model_file: Path,
    tree_number: int | None,
    keys: tuple[str, ...] | None,
    identifiers: str,
    no_nan: bool,
    nan: tuple[str, ...] | None,
    rename: Path | None,
    templates: Path | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Print MODEL as an SQL expression, a query or a view.

    It may also be a statement that creates a table, a macro or a function.
    """
    model = load_model(model_file, tree_number)
    otherwise = _otherwise_value(model, options.pop("otherwise"))
    choices = {**options, **_spelling_arguments(identifiers, no_nan, nan)}
    text = to_sql(
        model, keys=keys or (), rename=read_rename(rename), templates=templates, otherwise=otherwise, **choices
    )
    print_code(text, options["layout"], output)


def _otherwise_value(model: TreeModel, text: str | None) -> Any:
    """Return the value of --otherwise in the type of the predictions.

    Raises:
        OptionError: The text is not such a value.
    """
    scalar = model.schema.predicted
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
@TREE_NUMBER
@NO_OUTSIDE
@_DIALECT
@_TABLE
@click.option("--keys", required=True, metavar="A,B", callback=names_callback, help="Identify a row by these columns.")
@click.option("--name", default="rules", show_default=True, metavar="N", help="Name the table of rules so.")
@_REPLACE
@_spelling
@RENAME
@TEMPLATES
@OUT
def emit_rules(
    model_file: Path,
    tree_number: int | None,
    dialect: str,
    table: str | None,
    keys: tuple[str, ...],
    name: str,
    replace: bool,
    identifiers: str,
    no_nan: bool,
    nan: tuple[str, ...] | None,
    rename: Path | None,
    templates: Path | None,
    output: Path | None,
) -> None:
    """Print MODEL as SQL that stores its rules as a table.

    The table has one row for each condition; the query that applies the rules follows.
    """
    where = "data" if table is None else table
    choices: dict[str, Any] = {"table": where, "keys": keys, "name": name, "replace": replace}
    choices |= _spelling_arguments(identifiers, no_nan, nan)
    print_text(
        rules_table_sql(
            load_tree(model_file, tree_number),
            dialect=dialect,
            rename=read_rename(rename),
            templates=templates,
            **choices,
        ),
        output,
    )


@click.command("dbt")
@MODEL
@TREE_NUMBER
@NO_OUTSIDE
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Write the files to the folder of this dbt project.",
)
@click.option("--name", default="treerules_predict", show_default=True, metavar="N", help="Name the macro of dbt so.")
@click.option(
    "--model",
    "dbt_model",
    default="predictions",
    show_default=True,
    metavar="N",
    help="Write tests for the dbt model of this name.",
)
@click.option("--table", metavar="T", help="Write that dbt model too, as a query of the model T.")
@click.option(
    "--dialects", metavar="A,B", callback=names_callback, help="Write the variants of these dialects.  [default: all]"
)
@_LAYOUT
@_spelling
@RENAME
@TEMPLATES
def emit_dbt(
    model_file: Path,
    tree_number: int | None,
    output: Path,
    dbt_model: str,
    dialects: tuple[str, ...] | None,
    identifiers: str,
    no_nan: bool,
    nan: tuple[str, ...] | None,
    rename: Path | None,
    templates: Path | None,
    **options: Any,
) -> None:
    """Write MODEL as files of dbt: a macro and tests.

    The macro has a variant for each warehouse; the tests stand in schema.yml.
    """
    texts = to_dbt(
        load_tree(model_file, tree_number),
        model=dbt_model,
        dialects=dialects,
        rename=read_rename(rename),
        templates=templates,
        **_spelling_arguments(identifiers, no_nan, nan),
        **options,
    )
    write_texts({output / path: text for path, text in texts.items()})
    print_notes(f"wrote {output / path}" for path in texts)

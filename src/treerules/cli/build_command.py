"""`treerules build`: learn, check, and write the model and its code."""

import re
from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import write_texts
from treerules.cli.dialect_option import DialectName
from treerules.cli.emit_options import LAYOUT
from treerules.cli.input_paths import is_standard_input
from treerules.cli.learning_options import learn_tree, learning_options
from treerules.cli.model_options import TEMPLATES
from treerules.cli.note_limits import first_of_each_kind
from treerules.cli.output import LANG, print_notes, print_text
from treerules.cli.phrasing_options import phrasing_options
from treerules.cli.rules_command import print_rules
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.proof.check import check
from treerules.report.page.report_page import report_page
from treerules.report.render_report import render_report
from treerules.report.verdict_report import VERDICT
from treerules.rules.compile import compile_rules
from treerules.trees.json_codec import tree_to_json


@click.command("build")
@learning_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Write the files to this folder.",
)
@click.option(
    "--dialect",
    type=DialectName(),
    default="duckdb",
    show_default=True,
    help="Write the SQL in this dialect.",
)
@LAYOUT
@TEMPLATES
@phrasing_options
@LANG
def build_command(
    file: Path | None,
    output: Path,
    dialect: str,
    layout: Any,
    templates: Path | None,
    lang: str,
    exact: bool,
    full: bool,
    digits: int | None,
    **options: Any,
) -> int:
    """Learn a tree from FILE, check it, and write its code.

    FILE is CSV, Parquet, JSON lines or SQLite. Prints the rules with their figures, how well they predict new rows,
    and the verdict of the check, and writes the model, the Python module, the SQL and a page about the model to a
    folder. Exit code 1 if the rules are not exclusive and complete.
    """
    learned = learn_tree(file, lang, **options)
    tree = learned.tree
    rules = compile_rules(tree)
    verdict = check(rules)
    name = name_of_files(file)
    module = re.sub(r"\W|^(?=\d)", "_", name)  # can be imported
    texts = {
        output / f"{name}.tree.json": tree_to_json(tree),
        output / f"{module}.py": to_python(rules, layout=layout, templates=templates),
        output / f"{name}.sql": to_sql(rules, dialect=dialect, layout=layout, templates=templates),
        output / f"{name}.html": report_page(tree, lang=lang, templates=templates),
    }
    write_texts(texts)
    print_notes([*first_of_each_kind(learned.notes, lang), *(f"wrote {path}" for path in texts)])
    print_rules(rules, None, lang, None, exact=exact, full=full, digits=digits)
    if lines := learned.lines(lang):
        print_text("\n" + "".join(f"{line}\n" for line in lines))
    print_text("\n" + render_report(VERDICT, verdict, format="text", lang=lang))
    print_notes(first_of_each_kind(learned.table.doubts, lang))
    return 0 if verdict else 1


def name_of_files(file: Path | None) -> str:
    """Return the name of the files that are written for a table."""
    if file is not None and is_standard_input(file):
        return "table"
    return (Path(file.name.removesuffix(".gz")).stem if file else "") or "rules"

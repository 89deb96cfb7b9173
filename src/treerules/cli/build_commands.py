"""The commands that learn and judge. Each is a line through the library: read, do, print."""

import re
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from treerules._internal.atomic_files import write_texts
from treerules.cli.emit_commands import LAYOUT
from treerules.cli.options import MODEL, TEMPLATES, learned, learning, model
from treerules.cli.output import FORMAT, LANG, OUT, note, put, put_tables
from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.errors import OptionError
from treerules.proof.check import check
from treerules.rendering.text_tables import TextTable
from treerules.report.rule_text import rules_table, rules_text
from treerules.report.verdict_report import verdict_text
from treerules.rules.compile import compile_rules
from treerules.rules.rule import FIGURES
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS
from treerules.trees.json_codec import tree_to_json


@click.command("build")
@learning
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where the files go."
)
@click.option("--dialect", type=click.Choice(list(DIALECTS)), default="duckdb", show_default=True)
@LAYOUT
@TEMPLATES
@LANG
def build_command(
    file: Path | None, output: Path, dialect: str, layout: Any, templates: Path | None, lang: str, **options: Any
) -> int:
    """Do it all: print rules and verdict, write the code.

    Learns from FILE (CSV, Parquet, JSON lines, SQLite), prints the rules with their figures and the verdict of the
    check, and writes the model, the Python module and the SQL to a folder. Exit code 1 if the check says no.
    """
    tree = learned(file, **options)
    rules = compile_rules(tree)
    verdict = check(rules)
    name = (Path(file.name.removesuffix(".gz")).stem if file else "") or "rules"
    module = re.sub(r"\W|^(?=\d)", "_", name)  # can be imported
    texts = {
        output / f"{name}.tree.json": tree_to_json(tree),
        output / f"{module}.py": to_python(rules, layout=layout, templates=templates),
        output / f"{name}.sql": to_sql(rules, dialect=dialect, layout=layout, templates=templates),
    }
    write_texts(texts)
    note([*tree.notes, *(f"wrote {path}" for path in texts)])
    _put_rules(rules, None, lang, None)
    put("\n" + verdict_text(verdict, rules, lang=lang))
    return 0 if verdict else 1


@click.command("learn")
@learning
@OUT
def learn_command(file: Path | None, output: Path | None, **options: Any) -> None:
    """Learn a tree from FILE and print the model (JSON)."""
    tree = learned(file, **options)
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    note([*tree.notes, f"learned {leaves}, depth {tree.depth}"])
    put(tree_to_json(tree), output)


@click.command("rules")
@MODEL
@click.option("--sort", type=click.Choice(FIGURES), help="Largest first.")
@click.option("--where", multiple=True, metavar="FIGURE>=X", help="Only such rules; also <=.")
@FORMAT
@LANG
@TEMPLATES
def rules_command(
    model_file: Path, sort: str | None, where: tuple[str, ...], format_: str | None, lang: str, templates: Path | None
) -> None:
    """Print the rules of MODEL with their figures."""
    rules = compile_rules(model(model_file))
    for condition in where:
        rules = _where(rules, condition)
    _put_rules(rules if sort is None else rules.sorted_by(sort), format_, lang, templates)


def _put_rules(rules: RuleSet, format_: str | None, lang: str, templates: Path | None) -> None:
    put_tables(
        lambda: rules_text(rules, format=format_ or "text", lang=lang, templates=templates),
        lambda: [_for_terminal(rules_table(rules, lang), has_support=not rules.schema.is_regression)],
        format_="text" if templates else format_,
    )


def _for_terminal(table: TextTable, *, has_support: bool) -> TextTable:
    """Return the table of rules without support, which confidence and coverage tell, a condition a line."""
    kept = [place for place in range(len(table.headings)) if not (has_support and place == 5)]
    short = {"confidence": "conf.", "coverage": "cov."}
    return evolve(
        table,
        headings=[short.get(table.headings[place], table.headings[place]) for place in kept],
        rows=[
            [row[place].replace(" AND ", "\nAND ") if place == 1 else row[place] for place in kept]
            for row in table.rows
        ],
        right=[table.right[place] for place in kept],
    )


def _where(rules: RuleSet, condition: str) -> RuleSet:
    for sign, bound in ((">=", "least"), ("<=", "most")):
        figure, found, text = condition.partition(sign)
        try:
            if found:
                return rules.where(figure.strip(), **{bound: float(text)})
        except ValueError as error:
            raise OptionError("--where", condition, "a figure, >= or <=, and a number") from error
    raise OptionError("--where", condition, "a figure, >= or <=, and a number, such as confidence>=0.9")

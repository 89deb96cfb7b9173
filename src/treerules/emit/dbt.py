r"""Rules as dbt files: a macro with a variant for each warehouse, a model that calls it, tests of its predictions.

dbt renders its files with jinja, so the user's text is written as string expressions without braces: `{{ "\x7b\x7b"
}}7*7{{ "\x7d\x7d" }}` prints `{{7*7}}`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.emit.accumulation import with_remark
from treerules.emit.assuming import assuming_remark
from treerules.emit.checked_rules import check_source
from treerules.emit.dbt_variants import ADAPTERS, MacroChoices, Variant, macro_variants
from treerules.emit.header import Opening, opening_of
from treerules.emit.jinja_strings import jinja_expression, jinja_string, yaml_string
from treerules.emit.layout import Layout, choose_layout, require_layout
from treerules.emit.reading_remarks import reading_remark
from treerules.emit.sql.identifiers import Rename, check_rename
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.emit.sql.statement_spelling import Identifiers
from treerules.errors import OptionError, UnsupportedError
from treerules.rendering.templates import render_template
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS, dialect_to_emit
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
#: A label that SQL, YAML and jinja all print unchanged.
_PLAIN = re.compile(r"\w+(?: \w+)*")


@short_repr
@frozen
class Accepted:
    """The classes as dbt's test accepted_values takes them: finished YAML, and whether dbt puts them in quotes."""

    values: tuple[str, ...]
    quote: bool


@short_repr
@frozen
class DbtContext:
    """The values passed to the templates of dbt, by field name. Public API."""

    #: the first line of each file, without the mark of a comment
    opening: Opening
    #: the names of the macro and of the model
    macro: str
    model: str
    #: the name of the relation that the model reads, as a jinja string; None without a model
    table: str | None
    variants: tuple[Variant, ...]
    #: None for a regression
    accepted: Accepted | None


def to_dbt(
    source: Tree | RuleSet | ParsedRules,
    *,
    name: str = "treerules_predict",
    model: str = "predictions",
    table: str | None = None,
    dialects: Sequence[str] | None = None,
    layout: Layout = "auto",
    identifiers: Identifiers = "quoted",
    nan: bool | Sequence[str] = True,
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> Mapping[str, str]:
    """Return files of a dbt project: a macro that predicts, and the tests of the model that calls it.

    `macros/NAME.sql` holds the macro NAME(relation_alias=none). It has one variant for each warehouse, between which
    `adapter.dispatch` chooses; "ansi" is the variant of all other warehouses. In a query the macro is one expression:
    `select id, {{ treerules_predict("a") }} as prediction from {{ ref("applicants") }} a`.
    `models/MODEL/schema.yml` tests the column `prediction` of the model: it is never null and, for a classification,
    always one of the classes. The files are for dbt 1.10.5 and newer.

    Args:
        source: a Tree, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns, also those
            outside the domain that a file declares. Rules that were written or edited are checked first.
        name: the name of the macro, "treerules_predict" by default: ASCII letters, digits and underscores.
        model: the name of the model whose column `prediction` is tested, "predictions" by default.
        table: the name of a model, seed or snapshot. If it is given, the files include the model itself: all columns of
            `table`, and the prediction. None, the default, leaves the model to you.
        dialects: the names of the dialects that get a variant. None, the default, is every dialect with a dbt adapter;
            one that cannot hold the rules gets a variant that stops dbt with the reason.
        layout: the layout of the CASE, as in `to_sql`: "auto" (the default), "flat" or "guarded" (for trees only).
        identifiers: how columns are written, as in `to_sql`: "quoted" (the default), "bare", "upper" or "lower".
        nan: whether columns of numbers may hold NaN, as in `to_sql`: True (the default), False or their names.
        rename: names in the warehouse by names of features.
        templates: a folder whose templates replace those of treerules, such as dbt/macro.sql.j2.

    Returns:
        The texts of the files, by their paths within the dbt project.

    Raises:
        UnknownNameError: there is no such dialect, layout or form of identifiers, or no such column.
        UnsupportedError: one of the given `dialects` cannot hold a name, category or label, or has no dbt adapter.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        OptionError: `source` is not a tree or rule set, dbt does not accept a name, no dialect is given, or "guarded"
            was chosen for an edited rule set.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.

    Examples:
        >>> from treerules import Table, learn
        >>> from treerules import to_dbt
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y")
        >>> sorted(to_dbt(tree, table="applicants"))
        ['macros/treerules_predict.sql', 'models/predictions/predictions.sql', 'models/predictions/schema.yml']
    """
    for option, value in (("name", name), ("model", model)):
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise OptionError(option, value, "ASCII letters, digits and underscores")
    if table is not None and (not isinstance(table, str) or not table.strip()):
        raise OptionError("table", table, "the name of a model, seed or snapshot")
    chosen = _choose_dialects(dialects)
    require_layout(layout)
    if isinstance(source, Ensemble):
        wanted = "a Tree, a RuleSet or ParsedRules: a macro is one expression, and an Ensemble is added by a query"
        raise OptionError("source", source, f"{wanted}, which to_sql(kind='view') and `treerules emit sql` write")
    checked = check_source(source)
    rename = check_rename(rename, checked.schema, ["prediction"])
    usual_layout = choose_layout(checked, layout)
    variants = macro_variants(
        checked, chosen, MacroChoices(layout, rename, identifiers, nan), is_strict=dialects is not None
    )
    predicting = [dialect for dialect, variant in zip(chosen, variants, strict=True) if variant.holds]
    context = DbtContext(
        opening=opening_of(checked.rules, "dbt", layout=usual_layout),
        macro=name,
        model=model,
        table=None if table is None else jinja_string(table),
        variants=tuple(variants),
        accepted=_accepted(checked.schema, predicting),
    )
    paths = {f"macros/{name}.sql": "dbt/macro.sql.j2", f"models/{model}/schema.yml": "dbt/schema.yml.j2"}
    if table is not None:
        paths[f"models/{model}/{model}.sql"] = "dbt/model.sql.j2"
    texts = {path: render_template(template, templates, context) for path, template in paths.items()}
    for remark in filter(None, (reading_remark(features_of_rules(checked.rules)), assuming_remark(checked))):
        texts = {
            path: with_remark(text, "#", remark) if path.endswith(".yml") else with_remark(text, "{#", f"{remark} #}}")
            for path, text in texts.items()
        }
    return texts


def _choose_dialects(dialects: Any) -> list[str]:
    """Return the argument `dialects`; for None all dialects that have a dbt adapter."""
    if dialects is None:
        return [dialect for dialect in ADAPTERS if dialect in DIALECTS]
    if isinstance(dialects, str) or not isinstance(dialects, Sequence) or not dialects:
        raise OptionError("dialects", dialects, 'a sequence of dialects, such as ["duckdb", "snowflake"]')
    names = [dialect_to_emit(dialect).name for dialect in dialects]
    for name in names:
        if name not in ADAPTERS:
            raise UnsupportedError(name, "dbt has no adapter for it", f"choose among {', '.join(ADAPTERS)}")
    return list(dict.fromkeys(names))


def _accepted(schema: Schema, dialects: Sequence[str]) -> Accepted | None:
    """Return the classes for dbt's test: as words if every dialect prints them so, otherwise as literals of SQL."""
    if schema.is_regression or not dialects:
        return None
    literals = [{ADAPTERS[d]: DIALECTS[d].spelling.literal(label) for d in dialects} for label in schema.classes]
    if all(_is_plain(label, texts) for label, texts in zip(schema.classes, literals, strict=True)):
        return Accepted(tuple([yaml_string(label) for label in schema.classes]), True)
    return Accepted(tuple([_target_literal(texts) for texts in literals]), False)


def _is_plain(label: Any, texts: Mapping[str, str]) -> bool:
    """Return whether SQL, YAML and jinja all print a label unchanged; `texts` are its literals by adapter."""
    if not isinstance(label, str) or not _PLAIN.fullmatch(label):
        return False
    return label.isascii() or set(texts.values()) == {f"'{label}'"}


def _target_literal(texts: Mapping[str, str]) -> str:
    """Return a literal as YAML; if the warehouses' literals differ, jinja chooses one. `texts` are by adapter."""
    usual = texts.get("default", next(iter(texts.values())))
    differing = {adapter: text for adapter, text in texts.items() if text != usual}
    if not differing:
        return yaml_string(jinja_expression(usual))
    entries = ", ".join(f'"{adapter}": {jinja_string(text)}' for adapter, text in differing.items())
    return yaml_string("{{ {" + entries + "}.get(target.type, " + jinja_string(usual) + ") }}")

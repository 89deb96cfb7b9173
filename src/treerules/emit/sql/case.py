"""Rules as SQL: a CASE expression, or a statement around one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from treerules._internal.arguments import require_flags, require_names
from treerules._internal.articles import with_article
from treerules.data.domain import Outside, require_outside
from treerules.data.schema import Schema
from treerules.emit.accumulation import Accumulate, accumulation_of, require_accumulate, with_remark
from treerules.emit.assuming import assuming_remark, refusing
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.layout import LAYOUTS, require_ensemble_layout, require_layout
from treerules.emit.reading_remarks import reading_remark
from treerules.emit.sql.ensemble_statement import ensemble_statement
from treerules.emit.sql.identifiers import Rename, check_rename, dotted_name
from treerules.emit.sql.result_columns import Extra, output_names
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.emit.sql.statement import PredictionStatement, statement_text
from treerules.emit.sql.statement_kinds import SQL_KINDS, SqlKind
from treerules.emit.sql.statement_spelling import Identifiers, with_identifiers, with_nan
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language
from treerules.trees.ensemble import Ensemble
from treerules.trees.margins import margin_names
from treerules.trees.tested_columns import tested_features
from treerules.trees.tree import Tree

Kinds = Literal["expression", "select", "view", "table", "macro", "function"]
SqlLayout = Literal["auto", "flat", "guarded", "lookup"]
KINDS = tuple(SQL_KINDS)
SQL_LAYOUTS = (*LAYOUTS, "lookup")


def to_sql(
    source: Tree | RuleSet | ParsedRules | Ensemble,
    *,
    dialect: str,
    layout: SqlLayout = "auto",
    kind: Kinds = "expression",
    table: str | Sequence[str] | None = None,
    keys: Sequence[str] = (),
    name: str | Sequence[str] | None = None,
    replace: bool = False,
    identifiers: Identifiers = "quoted",
    nan: bool | Sequence[str] = True,
    proba: bool = False,
    margin: bool = False,
    rule: bool = False,
    reason: bool = False,
    comments: bool = False,
    otherwise: Any = None,
    rename: Rename | None = None,
    templates: str | Path | None = None,
    accumulate: Accumulate = "library",
    outside: Outside = "answer",
) -> str:
    """Return SQL that predicts: a CASE expression, a query, or a statement that creates a view, table or function.

    Args:
        source: a Tree, an Ensemble, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns,
            also those outside the domain that a file declares. Rules that were written or edited are checked first.
            Of an Ensemble each tree is a nested CASE; they are added in stages of 50, in the order and type of the
            ensemble. Its layout is "guarded"; expressions, macros and functions add at most 200 trees to one margin.
        dialect: the name of the SQL dialect: "ansi" (standard SQL), "duckdb", "sqlite",
            "postgres", "mariadb", "mysql", "spark", "databricks", "clickhouse", "datafusion", "bigquery", "snowflake",
            "redshift", "trino", "tsql" or "oracle"; in any case, or an alias such as postgresql, pg, mssql.
        layout: the layout of the CASE. "flat" has one WHEN for each rule; "guarded" nests CASEs, at most log2(leaves)
            deep, and needs a tree; "lookup" walks the tree as arrays, in a query of DuckDB or an
            expression of Postgres. "auto", the default, is flat up to 64 rules that name few categories, and lookup for
            large trees where there is that layout.
        kind: the kind of SQL. "expression", the default, is a CASE for a query of your own; "select" is a query of
            `table`; "view" and "table" are CREATE VIEW and CREATE TABLE AS of that query; "macro" (DuckDB) and
            "function" (Postgres) create a function of the columns.
        table: the table that a query reads, "data" by default. Text is split at its dots, as in "main.applicants"; give
            a sequence of names if a name contains a dot.
        keys: the columns of the table that a query returns before the prediction, such as ["id"]; none by default.
        name: the name of the view, table or function, written like `table`; by default "predictions", and "predict" for
            a function.
        replace: whether a view, table, macro or function of that name is replaced: by CREATE OR REPLACE, or by a DROP
            IF EXISTS before, where the dialect has none. False by default, so that what is there is not lost unasked:
            the engine then refuses the statement.
        identifiers: how all names are written. "quoted", the default, is in quotes; "bare" is without them where that
            means the same name: of plain letters, digits and underscores, no word that the dialect reserves, and in the
            case to which it folds names (upper in Snowflake and Oracle, lower in Postgres, any where it ignores case).
            "upper" and "lower" change the case of every name first, and then write it as "bare" does.
        nan: whether columns of numbers may hold NaN, which is missing: True, the default, for all, False for none, or
            the names of those that may. Tests of the others are shorter. A NaN that is there all the same is
            answered wrongly, or with NULL, by the engine's own order of it. Integers, dates and text hold none.
        proba: whether a query also returns the probability of each class, as columns p_CLASS.
        margin: whether a query of an Ensemble also returns the margin, as the column "margin", or as margin_CLASS for
            each class.
        rule: whether a query also returns the number of the rule that fires, as the column "rule".
        reason: whether a query also returns the text of that rule, as the column "reason".
        comments: whether a comment with the rule's number, n and confidence stands above each rule.
        otherwise: the prediction of a row that fires no rule, in the flat layout only. Such rows do not exist, since
            rules are complete; by default there is no ELSE.
        rename: names in the database by names of the model: of features, and of result columns (unless a feature has
            that name).
        templates: a folder whose templates replace those of treerules, such as sql/select.sql.j2. They receive the
            fields of `treerules.emit.SqlContext`.
        accumulate: how the trees of an Ensemble are added. "library", the default, adds in the order and the type of
            the model: margins are those of the model to the bit. "exact" adds in doubles that are proved not to round,
            and "double" in doubles that may. These differ from a model that adds in float32; a comment says by how
            much at most.
        outside: what a row outside the declared domain of a model gets: "answer", the default, is the model's answer,
            and "refuse" is NULL, by one WHEN in front. The second line says so.

    Returns:
        The SQL text. Its first line is a comment with the version, the layout and hashes of schema and model. It does
        not end in a semicolon and does not depend on the time.

    Raises:
        UnknownNameError: there is no such dialect, layout, kind or form of identifiers, or no such column to rename or
            that may hold NaN.
        OptionError: `source` is no tree, ensemble or rule set, arguments contradict each other, such as keys= and an
            expression, two names become one in the case that is asked for, or sums in doubles are not exact or have
            no bound, as accumulate= asks for.
        UnsupportedError: the dialect has no such kind or layout, cannot hold a name, category or label, or takes two
            names for one.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.

    Examples:
        >>> from treerules import cart, learn, Table, to_sql
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> print(to_sql(tree, dialect="postgres").partition("\\n")[2])
        CASE
          WHEN ("x" <= 1 OR "x" IS NULL) THEN 'a'
          WHEN "x" > 1 THEN 'b'
        END
        <BLANKLINE>
    """
    language = with_identifiers(dialect_to_emit(dialect), identifiers)
    require_layout(layout, SQL_LAYOUTS)
    require_accumulate(accumulate, is_ensemble=isinstance(source, Ensemble))
    sql_kind = _require_kind(language, kind)
    require_flags(replace=replace, proba=proba, margin=margin, rule=rule, reason=reason, comments=comments)
    columns: tuple[tuple[Extra, bool], ...] = (("proba", proba), ("rule", rule), ("reason", reason))
    extras = tuple([extra for extra, is_wanted in columns if is_wanted])
    key_names = require_names("keys", keys)
    reads = [*extras, *["margin"] * margin, *["keys"] * bool(key_names), *["table"] * (table is not None)]
    _check_kind(sql_kind, reads, creates=name is not None or replace)
    model = _model_of(source, outside)
    schema = model.schema
    if proba and schema.is_regression:
        raise OptionError("proba", proba, "a model of classes; this one predicts numbers")
    renames = check_rename(rename, schema, _result_names(source, schema, extras, margin))
    statement = PredictionStatement(
        language=with_nan(language, schema, nan, renames),
        kind=sql_kind,
        table=dotted_name(language, "table", "data" if table is None else table),
        created=dotted_name(language, "name", sql_kind.called if name is None else name),
        keys=key_names,
        extras=extras,
        comments=comments,
        replace=replace,
        otherwise=otherwise,
        rename=renames,
        templates=templates,
    )
    if isinstance(model, Ensemble):
        _check_of_ensemble(layout, rule=rule, reason=reason, comments=comments, otherwise=otherwise)
        text = ensemble_statement(statement, accumulation_of(model, accumulate), margin=margin)
        return with_remark(text, "--", reading_remark(tested_features(model)))
    if margin:
        raise OptionError("margin", margin, "False: only the trees of an Ensemble are added")
    text = with_remark(statement_text(statement, model, layout), "--", reading_remark(features_of_rules(model.rules)))
    return with_remark(text, "--", assuming_remark(model, refusal="the answer is NULL"))


def _model_of(source: Any, outside: Outside) -> CheckedRules | Ensemble:
    """Return an ensemble, or rules, checked; `outside` is what rows outside their domain get."""
    if isinstance(source, Ensemble):
        require_outside(outside, {})
        return source
    return refusing(check_source(source), outside)


def _result_names(source: Any, schema: Schema, extras: tuple[Extra, ...], margin: bool) -> list[str]:
    """Return the names of the columns of a result besides the keys."""
    names = output_names(schema, extras)
    return [*names, *margin_names(source)] if margin and isinstance(source, Ensemble) else names


def _check_of_ensemble(layout: str, **rule_arguments: Any) -> None:
    """Raise OptionError for arguments that mean one rule, of which an ensemble has none."""
    require_ensemble_layout(layout)
    for name, value in rule_arguments.items():
        if value not in (False, None):
            raise OptionError(name, value, "a tree or rules: of an Ensemble a rule of each tree fires")


def _require_kind(language: Language, kind: Any) -> SqlKind:
    """Return the record of a kind of SQL.

    Raises:
        UnknownNameError: there is no such kind.
        UnsupportedError: the dialect does not have it.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownNameError("kind of SQL", kind, KINDS)
    record = SQL_KINDS[kind]
    if record.dialects and language.name not in record.dialects:
        own = ", ".join(
            other.name for other in SQL_KINDS.values() if language.name in (other.dialects or [language.name])
        )
        raise UnsupportedError(language.name, f"it has no {kind}; {record.dialects[0]} has", f"its kinds are {own}")
    return record


def _check_kind(kind: SqlKind, reads: Sequence[str], *, creates: bool) -> None:
    """Raise OptionError for arguments of a query or a creation if the kind of SQL is neither."""
    if reads and not kind.reads:
        wanted = f"'select', 'view' or 'table', whose query has {reads[0]}"
        raise OptionError("kind", kind.name, f"{wanted}: {with_article(kind.name)} is one value, the prediction")
    if creates and not kind.creates:
        raise OptionError(
            "kind", kind.name, "a kind that creates something, such as 'view', since a name or replace is given"
        )

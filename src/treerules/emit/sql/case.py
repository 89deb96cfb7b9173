"""Rules as SQL: a CASE expression, or a statement around one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from treerules._internal.arguments import require_flags, require_names
from treerules.emit.checked_rules import check_source
from treerules.emit.layout import LAYOUTS, require_layout
from treerules.emit.sql.identifiers import Rename, dotted_name
from treerules.emit.sql.result_columns import Extra
from treerules.emit.sql.statement import PredictionStatement, statement_text
from treerules.emit.sql.statement_kinds import SQL_KINDS, SqlKind
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language
from treerules.trees.tree import Tree

Kinds = Literal["expression", "select", "view", "table", "macro", "function"]
SqlLayout = Literal["auto", "flat", "guarded", "lookup"]
KINDS = tuple(SQL_KINDS)
SQL_LAYOUTS = (*LAYOUTS, "lookup")


def to_sql(
    source: Tree | RuleSet | ParsedRules,
    *,
    dialect: str,
    layout: SqlLayout = "auto",
    kind: Kinds = "expression",
    table: str | Sequence[str] | None = None,
    keys: Sequence[str] = (),
    name: str | Sequence[str] | None = None,
    proba: bool = False,
    rule: bool = False,
    reason: bool = False,
    comments: bool = False,
    otherwise: Any = None,
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> str:
    """Return SQL that predicts: a CASE expression, a query, or a statement that creates a view, table or function.

    Args:
        source: a Tree, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns, also those
            outside the domain that a file declares. Rules that were written or edited are checked first.
        dialect: the name of the SQL dialect: "ansi" (standard SQL), "duckdb", "sqlite",
            "postgres", "mariadb", "mysql", "spark", "databricks", "clickhouse", "datafusion", "bigquery", "snowflake",
            "redshift", "trino", "tsql" or "oracle".
        layout: the layout of the CASE. "flat" has one WHEN for each rule; "guarded" nests CASEs, at most log2(leaves)
            deep, and needs a tree; "lookup" walks the tree as arrays, in queries of DuckDB only. "auto", the default,
            is flat up to 64 rules, and lookup for large trees where there is that layout.
        kind: the kind of SQL. "expression", the default, is a CASE for a query of your own; "select" is a query of
            `table`; "view" and "table" are CREATE VIEW and CREATE TABLE AS of that query; "macro" (DuckDB) and
            "function" (Postgres) create a function of the columns.
        table: the table that a query reads, "data" by default. Text is split at its dots, as in "main.applicants"; give
            a sequence of names if a name contains a dot.
        keys: the columns of the table that a query returns before the prediction, such as ["id"]; none by default.
        name: the name of the view, table or function, written like `table`; by default "predictions", and "predict" for
            a function.
        proba: whether a query also returns the probability of each class, as columns p_CLASS.
        rule: whether a query also returns the number of the rule that fires, as the column "rule".
        reason: whether a query also returns the text of that rule, as the column "reason".
        comments: whether each line of a rule ends in a comment with the rule's number, n and confidence.
        otherwise: the prediction of a row that fires no rule, in the flat layout only. Such rows do not exist, since
            rules are complete; by default there is no ELSE.
        rename: names in the database by names of the model: of features, and of result columns (unless a feature has
            that name).
        templates: a folder whose templates replace those of treerules, such as sql/select.sql.j2. They receive the
            fields of `treerules.emit.SqlContext`.

    Returns:
        The SQL text. Its first line is a comment with the version, the layout and hashes of schema and model. It does
        not end in a semicolon and does not depend on the time.

    Raises:
        UnknownNameError: there is no such dialect, layout or kind, or no such column to rename.
        OptionError: `source` is not a tree or rule set, or arguments contradict each other, such as keys= and an
            expression.
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
    language = dialect_to_emit(dialect).spelling
    require_layout(layout, SQL_LAYOUTS)
    sql_kind = _require_kind(language, kind)
    require_flags(proba=proba, rule=rule, reason=reason, comments=comments)
    columns: tuple[tuple[Extra, bool], ...] = (("proba", proba), ("rule", rule), ("reason", reason))
    extras = tuple([extra for extra, is_wanted in columns if is_wanted])
    key_names = require_names("keys", keys)
    _check_kind(sql_kind, reads=table is not None or bool(extras or key_names), creates=name is not None)
    statement = PredictionStatement(
        language=language,
        kind=sql_kind,
        table=dotted_name(language, "table", "data" if table is None else table),
        created=dotted_name(language, "name", sql_kind.called if name is None else name),
        keys=key_names,
        extras=extras,
        comments=comments,
        otherwise=otherwise,
        rename=rename,
        templates=templates,
    )
    return statement_text(statement, check_source(source), layout)


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


def _check_kind(kind: SqlKind, *, reads: bool, creates: bool) -> None:
    """Raise OptionError for arguments of a query or a creation if the kind of SQL is neither."""
    if reads and not kind.reads:
        wanted = "'select', 'view' or 'table', since a table, keys or more columns than the prediction are given"
        raise OptionError("kind", kind.name, wanted)
    if creates and not kind.creates:
        raise OptionError("kind", kind.name, "a kind that creates something, such as 'view', since a name is given")

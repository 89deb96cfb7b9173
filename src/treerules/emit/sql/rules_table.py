"""Rules as database tables for auditors: one row for each condition, and the query that applies them by a join.

The query has the predictions of the tree, but is slow: each row of the data is joined with each condition. Use `to_sql`
if speed matters.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from treerules._internal.arguments import require_flags, require_names
from treerules.data.cell_reading import AS_USUAL
from treerules.data.schema import Feature, Schema
from treerules.emit.accumulation import with_remark
from treerules.emit.assuming import assuming_remark
from treerules.emit.checked_rules import check_source
from treerules.emit.header import opening_of
from treerules.emit.predicates import column_terms
from treerules.emit.reading_remarks import reading_remark
from treerules.emit.sql.identifiers import Rename, check_names, check_rename, dotted_name, output_name
from treerules.emit.sql.rules_table_context import AskedColumn, RulesQuery, StoredTable
from treerules.emit.sql.rules_table_rows import features_of_rules, member_fields, member_rows, rule_fields, rule_rows
from treerules.emit.sql.statement_spelling import Identifiers, with_identifiers, with_nan
from treerules.errors import OptionError
from treerules.rendering.templates import render_template
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import dialect_to_emit
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: An INSERT has at most this number of characters, unless one row has more.
MOST_TEXT = 60_000


def rules_table_sql(
    source: Tree | RuleSet | ParsedRules,
    *,
    dialect: str,
    keys: Sequence[str],
    table: str | Sequence[str] = "data",
    name: str | Sequence[str] = "rules",
    replace: bool = False,
    identifiers: Identifiers = "quoted",
    nan: bool | Sequence[str] = True,
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> str:
    """Return SQL that stores rules as tables and, as its last statement, the query that applies them.

    The table `name` has one row for each condition of each rule, with these columns:

    - rule, position: the number of the rule, and the position of the condition in it, from 1. A rule without conditions
      has one row with position 0 and no feature.
    - n_conditions: the number of conditions of the rule; a row must meet all of them.
    - feature, feature_number, kind: the name of the feature, its position in the schema from 0, its kind.
    - condition: the condition as text for people, at most 1,000 characters; the query does not read it.
    - operator: "within" for (above, upto], where NULL means unbounded; "in" for one of the members; "not in" for any
      value, known to the model or not, but the members; "nothing" for no value at all.
    - above_TYPE, upto_TYPE: the bounds, by the type of the feature: number, integer, date, timestamp, timestamp_utc.
    - takes_missing, takes_unseen: 1 or 0, whether missing values, and values that are not categories of the model, meet
      the condition.
    - prediction: the class or mean that the rule predicts.
    - n, coverage, support, confidence, lift: the training figures of the rule.

    The table `name`_members has one row for each category of a condition: rule, position, value_TYPE. The query returns
    the keys, `rule` and `prediction`: each row of `table` meets all conditions of exactly one rule.

    Args:
        source: a Tree, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns, also those
            outside the domain that a file declares. Rules that were written or edited are checked first.
        dialect: the name of the SQL dialect, as in `to_sql`, such as "postgres".
        keys: the columns of `table` that identify its rows, such as ["id"]; they are part of the result.
        table: the table that the query reads. Text is split at its dots, as in "main.applicants"; give a sequence of
            names if a name contains a dot.
        name: the table of the rules, which is created; written like `table`.
        replace: whether tables of these names are dropped before; False by default.
        identifiers: how names are written, as in `to_sql`: "quoted" (the default), "bare", "upper" or "lower".
        nan: whether columns of numbers may hold NaN, as in `to_sql`: True (the default), False or their names.
        rename: names in the database by names of the model: of features, and of the result's columns "rule" and
            "prediction" (unless a feature has that name).
        templates: a folder whose templates replace those of treerules, such as rules/query.sql.j2.

    Returns:
        The statements, each ended by a semicolon and a line break.

    Raises:
        UnknownNameError: there is no such dialect, or no such column to rename.
        OptionError: `source` is not a tree or rule set, no key is given, or a table has no name.
        UnsupportedError: the dialect cannot hold a name, category, label or threshold, or takes two names for one.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> from treerules.emit import rules_table_sql
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> print(rules_table_sql(tree, dialect="duckdb", keys=["id"]).splitlines()[1])
        CREATE TABLE "rules" (
    """
    statements = rules_table_statements(
        source,
        dialect=dialect,
        keys=keys,
        table=table,
        name=name,
        replace=replace,
        identifiers=identifiers,
        nan=nan,
        rename=rename,
        templates=templates,
    )
    return "".join([statement + ";\n" for statement in statements])


def rules_table_statements(
    source: Tree | RuleSet | ParsedRules,
    *,
    dialect: str,
    keys: Sequence[str],
    table: str | Sequence[str] = "data",
    name: str | Sequence[str] = "rules",
    replace: bool = False,
    identifiers: Identifiers = "quoted",
    nan: bool | Sequence[str] = True,
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> tuple[str, ...]:
    """Return the statements of `rules_table_sql` one by one, for engines that run one statement at a time.

    Args:
        source: a Tree, or rules that are exclusive and complete, a RuleSet or ParsedRules.
        dialect: the name of the SQL dialect.
        keys: the columns of `table` that tell its rows apart.
        table: the table that the query reads, "data" by default.
        name: the table of the rules, "rules" by default.
        replace: whether tables of these names are dropped before.
        identifiers: how names are written, as in `to_sql`.
        nan: whether columns of numbers may hold NaN, as in `to_sql`.
        rename: names in the database by names of the model.
        templates: a folder whose templates replace those of treerules.

    Returns:
        The statements without semicolons: those that drop, create and fill the tables, and last the query.

    Raises:
        UnknownNameError, OptionError, UnsupportedError, NotAPartitionError, FileError, TemplateFailedError: as
            `rules_table_sql` says.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> from treerules.emit import rules_table_statements
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> statements = rules_table_statements(tree, dialect="duckdb", keys=["id"])
        >>> [statement.splitlines()[-1][:6] for statement in statements]
        [')', '(2, 1,', 'HAVING']
    """
    language = with_identifiers(dialect_to_emit(dialect), identifiers)
    require_flags(replace=replace)
    key_names = require_names("keys", keys)
    if not key_names:
        raise OptionError("keys", keys, 'the columns that tell rows apart, such as ["id"]')
    source_table = dotted_name(language, "table", table)
    tables = _table_names(language, name)
    checked = check_source(source)
    rules = checked.rules
    renames = check_rename(rename, rules.schema, _OUTPUTS)
    language = with_nan(language, rules.schema, nan, renames)
    used = [feature.name for feature in features_of_rules(rules)]
    outputs = [output_name(rules.schema, output, renames) for output in _OUTPUTS]
    check_names(language, rules.schema, renames, keys=key_names, used=used, outputs=outputs)
    stored = [render_template(template, templates, part) for template, part in _stored_tables(language, rules, tables)]
    for remark in (reading_remark(features_of_rules(rules)), assuming_remark(checked)):
        stored[0] = with_remark(stored[0], "--", remark)
    query = render_template(
        "rules/query.sql.j2", templates, _query(language, rules, key_names, source_table, tables, renames)
    )
    drops = [f"DROP TABLE IF EXISTS {stored_table}" for stored_table in tables] if replace else []
    opening, _, first = stored[0].partition("\n")
    head = [f"{opening}\n{drops[0]}", *drops[1:], first] if drops else [stored[0]]
    return tuple([statement.rstrip("\n") for statement in [*head, *stored[1:], query]])


def _table_names(language: Language, name: str | Sequence[str]) -> tuple[str, str]:
    """Return the quoted names of the table of the rules and of that of their members."""
    rules = dotted_name(language, "name", name)
    parts = name.split(".") if isinstance(name, str) else list(name)
    return rules, dotted_name(language, "name", [*parts[:-1], f"{parts[-1]}_members"])


def _stored_tables(language: Language, rules: RuleSet, names: tuple[str, str]) -> Iterator[tuple[str, StoredTable]]:
    """Yield the statements that store the rules, as template and context: both CREATE TABLE, then all INSERT."""
    features, (into_rules, into_members) = features_of_rules(rules), names
    tables = [(into_rules, list(rule_fields(rules.schema, features)), rule_rows(language, rules))]
    if any(not feature.is_ordered for feature in features):
        tables.append((into_members, list(member_fields(features)), member_rows(language, rules)))
    ending, opening = language.table_ending, opening_of(rules, language.name, layout="table")
    types = {**language.types, "text": language.text_in_rows or language.types["text"]}
    columns = {
        into: tuple((language.identifier(field), types[kind]) for field, kind in fields) for into, fields, _ in tables
    }
    for into, _, _ in tables:
        yield "rules/create.sql.j2", StoredTable(opening if into == into_rules else None, into, columns[into], ending)
    for into, fields, rows in tables:
        literals = (f"({', '.join([_literal(language, row.get(field)) for field, _ in fields])})" for row in rows)
        for chunk in _chunks(language, literals):
            yield "rules/insert.sql.j2", StoredTable(None, into, columns[into], ending, tuple(chunk))


def _query(
    language: Language, rules: RuleSet, keys: Sequence[str], table: str, names: tuple[str, str], rename: Rename
) -> RulesQuery:
    """Return the values for the template of the query; `names` are the quoted tables of rules and members."""
    features = features_of_rules(rules)
    return RulesQuery(
        rules=names[0],
        members=names[1],
        has_members=any(not feature.is_ordered for feature in features),
        table=table,
        keys=tuple(language.identifier(key) for key in keys),
        asked=tuple(_column_tests(language, rules.schema, feature, rename) for feature in features),
        names={name: language.identifier(name) for name in _QUERIED_NAMES},
        refusal=language.refusal,
        rule=language.identifier(output_name(rules.schema, "rule", rename)),
        prediction=language.identifier(output_name(rules.schema, "prediction", rename)),
    )


#: The columns of the result besides the keys.
_OUTPUTS = ("rule", "prediction")
#: The columns of the rules and members that the query names.
_QUERIED_NAMES = (
    *("rule", "position", "n_conditions", "feature_number", "operator", "takes_missing", "takes_unseen"),
    "prediction",
)


def _column_tests(language: Language, schema: Schema, feature: Feature, rename: Rename) -> AskedColumn:
    """Return the tests of a column. Engines order NaN differently, so tests ask only `<=` of it."""
    index = schema.index(feature.name)
    column = language.identifier(rename.get(feature.name, feature.name))
    cell = column_terms(language, feature, f"d.f{index}")
    other = language.of_other_type.get(feature.scalar, "").format(f"d.f{index}")
    if feature.is_ordered:
        above, upto = (f"c.{language.identifier(f'{side}_{feature.scalar}')}" for side in ("above", "upto"))
        is_below, is_within = (language.at_most.format(cell.text, bound) for bound in (above, upto))
        return AskedColumn(
            index, column, True, cell.missing, is_below, is_within, language.missing.format(upto), "", other
        )
    value = f"m.{language.identifier(f'value_{feature.scalar}')}"
    member = column_terms(language, evolve(feature, reading=AS_USUAL), value)
    is_member = language.equal.format(cell.text, member.text)
    return AskedColumn(index, column, False, cell.missing, is_member=is_member, is_of_other_type=other)


def _literal(language: Language, value: Any) -> str:
    return "NULL" if value is None else language.literal(value)


def _chunks(language: Language, rows: Iterator[str]) -> Iterator[list[str]]:
    """Yield the rows of one INSERT after another: as many as the dialect and `MOST_TEXT` allow."""
    chunk, size = list[str](), 0
    for row in rows:
        if chunk and (len(chunk) == language.most_rows or size + len(row) > MOST_TEXT):
            yield chunk
            chunk, size = [], 0
        chunk.append(row)
        size += len(row)
    if chunk:
        yield chunk

"""Rules as a table for auditors: one row a condition, and the query that applies them by a join.

The query gives the answers of the tree, slowly: each row of the data meets each condition. Where speed matters, use
`to_sql`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from attrs import frozen

from treerules.data.schema import Feature, Schema
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import rules_of
from treerules.emit.predicates import column_of
from treerules.emit.sql.identifiers import Rename, check_names, check_rename, dotted, output_name
from treerules.emit.sql.rules_table_rows import features_asked, member_fields, member_rows, rule_fields, rule_rows
from treerules.errors import OptionError
from treerules.rendering.templates import rendered
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS, emitted_dialect
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: A statement inserts no more characters unless one row has.
MOST_TEXT = 60_000


@frozen
class AskedColumn:
    """A column that some rule asks: its place in the schema, and questions about `d.f{index}`, its cell.

    Each text is finished SQL about the rules `c` and their members `m`.
    """

    index: int
    #: the quoted column of the data
    column: str
    is_ordered: bool
    #: whether the cell is missing
    missing: str
    #: of an ordered column: whether the cell is outside or inside a bound of the rule, and whether there is none
    is_below: str = ""
    is_within: str = ""
    is_unbounded: str = ""
    #: of categories: whether the cell is the member
    is_member: str = ""


@frozen
class StoredTable:
    """What the templates that create and fill a table are given, each field by its name. It is public API."""

    #: the first line, without the mark of a comment; None but for the first statement
    opening: Opening | None
    #: the quoted table
    into: str
    #: its quoted columns with their types
    fields: tuple[tuple[str, str], ...]
    #: what stands behind the columns where a table is created
    ending: str
    #: rows of literals, of an INSERT
    rows: tuple[str, ...] = ()


@frozen
class RulesQuery:
    """What the template of the query is given, each field by its name. It is public API."""

    #: the quoted tables of rules and of their members, and whether any rule has members
    rules: str
    members: str
    has_members: bool
    #: the quoted table that is read, and its keys
    table: str
    keys: tuple[str, ...]
    asked: tuple[AskedColumn, ...]
    #: how the language quotes the columns of ours that are named so
    names: Mapping[str, str]
    #: the quoted columns of the result besides the keys
    rule: str
    prediction: str


class RulesTableChoices(TypedDict, total=False):
    """The choices of `rules_table_sql` besides the dialect and the keys."""

    table: str | Sequence[str]
    name: str | Sequence[str]
    rename: Rename | None
    templates: str | Path | None


@overload
def rules_table_sql(
    source: Tree | RuleSet, *, dialect: str, keys: Sequence[str], **choices: Unpack[RulesTableChoices]
) -> str: ...


@overload
def rules_table_sql(
    *, dialect: str, keys: Sequence[str], **choices: Unpack[RulesTableChoices]
) -> Callable[[Tree | RuleSet], str]: ...


def rules_table_sql(
    source: Tree | RuleSet | None = None,
    *,
    dialect: str,
    keys: Sequence[str],
    table: str | Sequence[str] = "data",
    name: str | Sequence[str] = "rules",
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> Any:
    """Return SQL that stores rules as a table and, as its last statement, the query that applies them.

    The table `name` has one row for each condition of each rule, with the columns

    rule, position      the rule's number, and the condition's place in the rule from 1. A rule that asks nothing has
                        one row of position 0 without a feature
    n_conditions        how many conditions the rule has: all must hold
    feature, feature_number, kind   the column that is asked: its name, its place in the schema from 0, its kind
    condition           the condition in words, at most 1,000 characters; the query does not read it
    operator            "within": in (above, upto], NULL is no bound. "in": one of the members. "not in": any value,
                        seen before or not, that is none of the members. "nothing": no value at all
    above_TYPE, upto_TYPE   the bounds, by the type of the column: number, integer, date, timestamp ...
    takes_missing, takes_unseen     1 or 0: whether missing values, and values never seen before, meet the condition
    prediction          what the rule predicts
    n, coverage, support, confidence, lift      how it fared on the training rows

    The table `name`_members has one row for each member: rule, position, value_TYPE. The query returns `keys`, rule
    and prediction: each row of `table` meets all conditions of exactly one rule. `rename` maps columns of the model to
    their names in `table`, and rule and prediction (unless a column of the model has that name) to theirs in the
    result. Without a source, returns the function that waits for one.

    Raises:
        UnknownNameError: there is no such dialect, or column to rename.
        UnsupportedError: the dialect cannot hold a name, category, label or threshold, or takes two names for one.
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: no key is given.
    """
    _check_choices(dialect, keys, table, name)
    choices: RulesTableChoices = {"table": table, "name": name, "rename": rename, "templates": templates}

    def text(source: Tree | RuleSet) -> str:
        parts = rules_table_statements(source, dialect=dialect, keys=keys, **choices)
        return "".join([part + ";\n" for part in parts])

    return text if source is None else text(source)


def _check_choices(dialect: str, keys: Sequence[str], table: str | Sequence[str], name: str | Sequence[str]) -> None:
    language = emitted_dialect(dialect).spelling
    if isinstance(keys, str) or not keys:
        raise OptionError("keys", keys, 'a sequence of names that tell rows apart, such as ["id"]')
    dotted(language, "table", table)
    _tables(language, name)


def rules_table_statements(
    source: Tree | RuleSet,
    *,
    dialect: str,
    keys: Sequence[str],
    table: str | Sequence[str] = "data",
    name: str | Sequence[str] = "rules",
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> tuple[str, ...]:
    """Return the statements of `rules_table_sql` one by one, for engines that take one at a time; the last is the
    query.

    Raises:
        UnknownNameError, UnsupportedError, NotAPartitionError, OptionError: as `rules_table_sql` says.
    """
    _check_choices(dialect, keys, table, name)
    rules, language = rules_of(source), DIALECTS[dialect].spelling
    renamed = check_rename(rename, rules.schema, _OUTPUTS)
    asked = [feature.name for feature in features_asked(rules)]
    results = [output_name(rules.schema, name, renamed) for name in _OUTPUTS]
    check_names(language, rules.schema, renamed, keys=keys, asked=asked, outputs=results)
    parts = [rendered(name, templates, stored) for name, stored in _stored(language, rules, name)]
    query = _query(language, rules, keys, table, name, renamed)
    return tuple(part.rstrip("\n") for part in [*parts, rendered("rules/query.sql.j2", templates, query)])


def _tables(language: Language, name: str | Sequence[str]) -> tuple[str, str]:
    """Return the quoted tables of the rules and of their members."""
    parts = name.split(".") if isinstance(name, str) else list(name)
    rules = dotted(language, "name", parts)
    return rules, dotted(language, "name", [*parts[:-1], f"{parts[-1]}_members"])


def _stored(language: Language, rules: RuleSet, name: str | Sequence[str]) -> Iterator[tuple[str, StoredTable]]:
    """Yield the statements that store, as templates and what they are given: both tables, then their rows."""
    features, (into, into_members) = features_asked(rules), _tables(language, name)
    tables = [(into, list(rule_fields(rules.schema, features)), rule_rows(language, rules))]
    if any(not feature.is_ordered for feature in features):
        tables.append((into_members, list(member_fields(features)), member_rows(language, rules)))
    ending, opening = language.table_ending, opening_of(rules, language.name, layout="table")
    types = {**language.types, "text": language.text_in_rows or language.types["text"]}
    typed = [tuple((language.identifier(field), types[kind]) for field, kind in t[1]) for t in tables]
    for (table, _, _), fields in zip(tables, typed, strict=True):
        yield "rules/create.sql.j2", StoredTable(opening if table == into else None, table, fields, ending)
    for (table, names, rows), fields in zip(tables, typed, strict=True):
        spelled = (f"({', '.join([_literal(language, row.get(name)) for name, _ in names])})" for row in rows)
        for chunk in _chunks(language, spelled):
            yield "rules/insert.sql.j2", StoredTable(None, table, fields, ending, tuple(chunk))


def _query(
    language: Language,
    rules: RuleSet,
    keys: Sequence[str],
    table: str | Sequence[str],
    name: str | Sequence[str],
    rename: Rename,
) -> RulesQuery:
    features, (stored, members) = features_asked(rules), _tables(language, name)
    return RulesQuery(
        rules=stored,
        members=members,
        has_members=any(not feature.is_ordered for feature in features),
        table=dotted(language, "table", table),
        keys=tuple(language.identifier(key) for key in keys),
        asked=tuple(_asked(language, rules.schema, feature, rename) for feature in features),
        names={word: language.identifier(word) for word in _WORDS},
        rule=language.identifier(output_name(rules.schema, "rule", rename)),
        prediction=language.identifier(output_name(rules.schema, "prediction", rename)),
    )


#: The columns of the result besides the keys.
_OUTPUTS = ("rule", "prediction")
#: The columns of ours that the query names.
_WORDS = (
    *("rule", "position", "n_conditions", "feature_number", "operator", "takes_missing", "takes_unseen"),
    "prediction",
)


def _asked(language: Language, schema: Schema, feature: Feature, rename: Rename) -> AskedColumn:
    """Return the questions about a column. Engines order NaN differently, so only `<=` is asked of it."""
    index = schema.index(feature.name)
    column = language.identifier(rename.get(feature.name, feature.name))
    cell = column_of(language, feature, f"d.f{index}")
    if feature.is_ordered:
        above, upto = (f"c.{language.identifier(f'{side}_{feature.scalar}')}" for side in ("above", "upto"))
        below, within = (language.at_most.format(cell.text, bound) for bound in (above, upto))
        return AskedColumn(index, column, True, cell.missing, below, within, language.missing.format(upto))
    member = column_of(language, feature, f"m.{language.identifier(f'value_{feature.scalar}')}")
    is_member = language.equal.format(cell.text, member.text)
    return AskedColumn(index, column, False, cell.missing, is_member=is_member)


def _literal(language: Language, value: Any) -> str:
    return "NULL" if value is None else language.literal(value)


def _chunks(language: Language, rows: Iterator[str]) -> Iterator[list[str]]:
    chunk, size = list[str](), 0
    for row in rows:
        if chunk and (len(chunk) == language.most_rows or size + len(row) > MOST_TEXT):
            yield chunk
            chunk, size = [], 0
        chunk.append(row)
        size += len(row)
    if chunk:
        yield chunk

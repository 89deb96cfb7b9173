"""Rules as SQL: a CASE expression, or a statement around one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

from attrs import evolve, frozen

from treerules._internal.paused_gc import paused_gc
from treerules.data.schema import SCALARS, Schema
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import LAYOUTS, Line, lines_of, picked, rules_of
from treerules.emit.predicates import reference
from treerules.emit.sql.identifiers import Rename, check_names, check_rename, dotted, output_name, renamed
from treerules.emit.sql.lookup import Lookup, is_worth_lookup, lookup_of
from treerules.emit.sql.result_columns import Extra, Output, output_names, outputs_of
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.emit.template_records import printed_lines
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.rendering.templates import rendered
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import emitted_dialect
from treerules.sql.language import Language
from treerules.trees.tree import Tree

Kinds = Literal["expression", "select", "view", "table", "macro", "function"]
SqlLayout = Literal["auto", "flat", "guarded", "lookup"]
KINDS = tuple(SQL_KINDS)
SQL_LAYOUTS = (*LAYOUTS, "lookup")
#: Postgres takes functions of no more.
MOST_ARGUMENTS = 100


class SqlChoices(TypedDict, total=False):
    """The choices of `to_sql`, which tells what they mean."""

    layout: SqlLayout
    kind: Kinds
    table: str | Sequence[str] | None
    keys: Sequence[str]
    name: str | Sequence[str] | None
    proba: bool
    rule: bool
    reason: bool
    comments: bool
    otherwise: Any
    rename: Rename | None
    templates: str | Path | None


@frozen
class SqlContext:
    """What the templates of SQL are given, each field by its name. It is public API."""

    #: the first line of the file, without the mark of a comment
    opening: Opening
    #: flat, guarded or lookup
    layout: str
    #: the quoted table that is read, and what is created
    table: str
    created: str
    #: the quoted columns that pass through
    keys: tuple[str, ...]
    #: what stands in the result besides: the prediction first
    outputs: tuple[Output, ...]
    #: what the query ends in, if anything
    ending: str
    #: the columns that are asked: quoted, and their SQL types
    columns: tuple[str, ...]
    types: tuple[str, ...]
    #: the SQL type of the prediction
    returns: str
    #: the arrays of the lookup layout; None in the others
    lookup: Lookup | None = None


@frozen
class _Request:
    """What is asked for, checked."""

    language: Language
    layout: str
    kind: str
    table: str | Sequence[str] | None
    keys: tuple[str, ...]
    name: str | Sequence[str] | None
    extras: tuple[Extra, ...]
    comments: bool
    otherwise: Any
    rename: Any
    templates: str | Path | None


@overload
def to_sql(source: Tree | RuleSet, *, dialect: str, **choices: Unpack[SqlChoices]) -> str: ...


@overload
def to_sql(*, dialect: str, **choices: Unpack[SqlChoices]) -> Callable[[Tree | RuleSet], str]: ...


def to_sql(
    source: Tree | RuleSet | None = None,
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
) -> Any:
    """Return SQL that predicts: a CASE expression, or (kind="select") a query of `table`, "data" by default, with the
    `keys` beside it; as a statement, CREATE VIEW ("view") or CREATE TABLE AS ("table") of such a query, `name`d
    "predictions" by default; or a function of the columns, DuckDB's "macro" or Postgres's "function", "predict" by
    default.

    A query may give more: `proba`bilities, a column p_CLASS each, the number of the `rule`, and its text as `reason`.
    `comments` puts number, n and confidence behind each rule, and `otherwise` is what the flat layout says of a row
    that fires none (there is no such row; by default NULL). The layout "lookup" is DuckDB's alone.
    `rename` maps columns of the model, and of the result (unless a column of the model has that name), to their names
    in the database. A table's name is split at
    its dots, as in "main.applicants"; give a sequence of names where a dot belongs to one. Without a source, returns
    the function that waits for one.

    Raises:
        UnknownNameError: there is no such dialect, layout, kind, or column to rename.
        UnsupportedError: the dialect cannot hold a name, category, label or layout, or takes two names for one.
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: choices do not go together.
    """
    language = emitted_dialect(dialect).spelling
    if isinstance(keys, str):
        raise OptionError("keys", keys, 'a sequence of names, such as ["id"]')
    extras = tuple(extra for extra, asked in (("proba", proba), ("rule", rule), ("reason", reason)) if asked)
    choices = (layout, kind, table, keys, name, extras, comments, otherwise, rename, templates)
    request = _Request(language, *choices)  # type: ignore[arg-type]
    _check_choices(request)
    if source is None:
        return lambda source: _statement(request, source)
    return _statement(request, source)


def _check_choices(request: _Request) -> None:
    kind, language = request.kind, request.language
    if request.layout not in SQL_LAYOUTS:
        raise UnknownNameError("layout", request.layout, SQL_LAYOUTS)
    if kind not in SQL_KINDS:
        raise UnknownNameError("kind of SQL", kind, KINDS)
    known = SQL_KINDS[kind]
    if known.dialects and language.name not in known.dialects:
        has = ", ".join(kind.name for kind in SQL_KINDS.values() if language.name in (kind.dialects or [language.name]))
        raise UnsupportedError(language.name, f"it has no {kind}; {known.dialects[0]} has", f"its kinds are {has}")
    if not known.reads and (request.table is not None or request.keys or request.extras):
        raise OptionError("kind", kind, "select, view or table, since a table, keys or more columns are named")
    if not known.creates and request.name is not None:
        raise OptionError("kind", kind, "a kind that creates something, such as view, since a name is given")


@paused_gc()
def _statement(request: _Request, source: Tree | RuleSet) -> str:
    rules, language = rules_of(source), request.language
    layout, lines = _laid_out(request, rules)
    text = _printed(request, rules, layout, lines)
    most = language.longest_statement
    if request.layout == "auto" and layout == "flat" and most is not None and len(text.encode()) > most:
        guarded = evolve(request, layout="guarded")
        if rules.tree is not None and _nests(language, shorter := lines_of(rules, "guarded")):
            layout, text = "guarded", _printed(guarded, rules, "guarded", shorter)
    return _of_fitting_size(language, layout, text)


def _printed(request: _Request, rules: RuleSet, layout: str, lines: list[Line]) -> str:
    names = [f"sql/{request.language.name}/{request.kind}.sql.j2", f"sql/{request.kind}.sql.j2"]
    return rendered(names, request.templates, _context(request, rules, layout, lines))


def _laid_out(request: _Request, rules: RuleSet) -> tuple[str, list[Line]]:
    """Return the layout that is meant, and its lines. `auto` is flat where CASE cannot be nested so deep."""
    if _is_lookup(request, rules):
        return "lookup", lines_of(rules, "guarded")  # these hold the columns that are asked, and the values
    layout = picked(rules, request.layout)  # type: ignore[arg-type]
    lines = lines_of(rules, layout)
    if _nests(request.language, lines):
        return layout, lines
    if request.layout == "auto":
        return "flat", lines_of(rules, "flat")
    problem = f"the {layout} layout nests CASE {_depth(lines)} deep, and it takes {request.language.deepest_case}"
    raise UnsupportedError(request.language.name, problem, "use the flat layout")


def _depth(lines: list[Line]) -> int:
    return 1 + max((line.depth for line in lines if line.step == "open"), default=0)


def _nests(language: Language, lines: list[Line]) -> bool:
    """Whether the dialect nests CASE as deep as the lines do."""
    return language.deepest_case is None or _depth(lines) <= language.deepest_case


def _is_lookup(request: _Request, rules: RuleSet) -> bool:
    """Return whether the lookup layout is meant: a query, since it is no expression."""
    is_query = SQL_KINDS[request.kind].reads
    if request.layout == "lookup" and not is_query:
        raise OptionError("kind", request.kind, "select, view or table: the lookup layout is a query, no expression")
    if request.layout == "lookup" and request.comments:
        raise OptionError("comments", True, "another layout: lookup has no line a rule")
    is_worth = is_query and not request.comments and is_worth_lookup(request.language, rules.tree)
    return request.layout == "lookup" or (request.layout == "auto" and is_worth)


def _of_fitting_size(language: Language, layout: str, text: str) -> str:
    most, size = language.longest_statement, len(text.encode())
    if most is None or size <= most:
        return text
    if language.size_setting is None:
        way_out = "use the guarded layout, or prune the tree" if layout == "flat" else "prune the tree, or divide it"
        raise UnsupportedError(language.name, f"the statement has {size} bytes, and it takes {most}", way_out)
    first, rest = text.split("\n", 1)
    return f"{first}\n-- {size} bytes: set {language.size_setting} above its default of {most}\n{rest}"


def _context(request: _Request, rules: RuleSet, layout: str, lines: list[Line]) -> SqlContext:
    language, schema = request.language, rules.schema
    asked = list(dict.fromkeys(name for line in lines for name, _ in line.conditions))
    names = output_names(schema, request.extras)
    rename = check_rename(request.rename, schema, names)
    results = [output_name(schema, name, rename) for name in names]
    check_names(language, schema, rename, keys=request.keys, asked=asked, outputs=results)
    printed = printed_lines(language, rules, lines, rename=rename)
    columns = [renamed(schema.feature(name), rename) for name in asked]
    if len(columns) > MOST_ARGUMENTS and request.kind == "function":
        problem = f"a function of {len(columns)} columns, and it takes {MOST_ARGUMENTS}"
        raise UnsupportedError(language.name, problem, "use the expression or the view")
    is_named_twice = {column.name for column in columns} & {*results}
    context = SqlContext(
        opening=opening_of(rules, language.name, layout=layout),
        layout=layout,
        table=dotted(language, "table", "data" if request.table is None else request.table),
        created=dotted(language, "name", SQL_KINDS[request.kind].called if request.name is None else request.name),
        keys=tuple(language.identifier(key) for key in request.keys),
        outputs=outputs_of(
            language,
            rules,
            printed,
            request.extras,
            rename,
            otherwise=_otherwise(request, schema, layout),
            comments=request.comments,
        ),
        ending=language.ending_for_names if is_named_twice else "",
        columns=tuple(reference(language, feature, 0) for feature in columns),
        types=tuple(language.types[feature.scalar] for feature in columns),
        returns=language.types[schema.predicted],
    )
    if layout != "lookup":
        return context
    found = lookup_of(language, rules, table=context.table, keys=context.keys, outputs=context.outputs, rename=rename)
    return evolve(context, lookup=found)


def _otherwise(request: _Request, schema: Schema, layout: str) -> str | None:
    value = request.otherwise
    if value is None:
        return None
    if layout != "flat":
        raise OptionError("otherwise", value, f"layout='flat': in the {layout} layout each row has an answer")
    wanted = SCALARS[schema.predicted].type
    if type(value) is not wanted:
        raise OptionError("otherwise", value, f"a value of the type of the predictions, {wanted.__name__}")
    return request.language.literal(value)

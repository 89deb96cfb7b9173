"""The text of a statement: its layout, the values for its template, and a check of its length."""

from functools import partial
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.schema import SCALARS, Schema
from treerules.emit.assuming import refusal_lines
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import CodeLine, choose_layout, lines_of
from treerules.emit.predicates import column_reference
from treerules.emit.sql.identifiers import Rename, check_names, check_rename, output_name, renamed_feature
from treerules.emit.sql.lookup import Lookup, is_worth_lookup, lookup_of, require_lookup_tree
from treerules.emit.sql.lookup_expression import lookup_lines
from treerules.emit.sql.result_columns import Extra, Output, output_names, outputs_of
from treerules.emit.sql.stages import Stage
from treerules.emit.sql.statement_kinds import SQL_KINDS, SqlKind
from treerules.emit.sql.statement_words import body_quote, create_words, drop_statement, with_advice
from treerules.emit.sql.type_guard import type_guard
from treerules.emit.template_records import printed_lines, with_refusal
from treerules.errors import OptionError, UnsupportedError
from treerules.rendering.templates import render_template
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language

#: The greatest number of arguments of a function in Postgres.
MOST_ARGUMENTS = 100
#: A function of more rules is a block of statements, prepared once for a session. One of fewer rules is an expression,
#: which the planner puts into the query, and which `check` reads.
MOST_INLINED = 250
_BLOCK = "sql/plpgsql.sql.j2"


@short_repr
@frozen
class SqlContext:
    """The values passed to the templates of SQL, by field name. Public API."""

    #: the first line of the file, without the mark of a comment
    opening: Opening
    #: flat, guarded or lookup
    layout: str
    #: the quoted table that is read, and the quoted name of what is created
    table: str
    created: str
    #: how the statement begins that creates it, and the statement before it that drops what has its name; may be empty
    create: str
    drop: str
    #: the quoted columns copied from the table
    keys: tuple[str, ...]
    #: the other columns of the result, the prediction first
    outputs: tuple[Output, ...]
    #: the text at the end of the query; may be empty
    ending: str
    #: the columns with conditions: quoted names, and SQL types
    columns: tuple[str, ...]
    types: tuple[str, ...]
    #: the SQL type of the prediction
    returns: str
    #: the arrays of DuckDB's lookup layout; None in other layouts and dialects
    lookup: Lookup | None = None
    #: what stands before and behind the body of a function, and nowhere in the outputs
    body_quote: str = ""
    #: of an ensemble the queries before the last, which add some trees each, and the words that begin each of them
    stages: tuple[Stage, ...] = ()
    stage_words: str = "AS"


@frozen
class PredictionStatement:
    """A statement that predicts by the rules of a model: its kind, its names and its columns, as in `to_sql`."""

    language: Language
    kind: SqlKind = field(default=SQL_KINDS["expression"])
    #: the quoted table that is read, and the quoted name of what is created
    table: str = ""
    created: str = ""
    #: the columns copied from the table
    keys: tuple[str, ...] = ()
    #: which of proba, rule and reason to add to the prediction
    extras: tuple[Extra, ...] = ()
    comments: bool = False
    #: whether what has the name of what is created is replaced
    replace: bool = False
    otherwise: Any = None
    rename: Rename | None = None
    #: the folder of the user's templates
    templates: str | Path | None = None


@paused_gc()
def statement_text(statement: PredictionStatement, checked: CheckedRules, layout: str) -> str:
    """Return a statement that predicts by rules.

    Args:
        statement: the statement.
        checked: the rules.
        layout: "flat", "guarded", "lookup" or "auto". The last is lookup for a query of a large tree, if the dialect
            has it; else flat up to `MOST_FLAT` rules, or without a tree, and guarded above. It changes to flat where
            CASE cannot nest so deep, and from flat to guarded where the text is too long.

    Raises:
        OptionError: the layout or the value of `otherwise` does not suit the rules; the lookup layout is requested for
            an expression, macro or function, or with comments; a key is given twice; `rename` is not a mapping from
            text to text, or gives two features one name.
        UnknownNameError: a key of `rename` is neither a feature nor a result column.
        UnsupportedError: the dialect cannot hold a name, category, label or layout, or takes two names for one; the
            statement is too long for the engine; a function has more than `MOST_ARGUMENTS` columns.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.
    """
    chosen, lines = _choose_sql_layout(statement, checked, layout)
    text = _printed_statement(statement, checked, chosen, lines)
    is_auto_flat = layout == "auto" and chosen == "flat" and checked.tree is not None
    if is_auto_flat and _is_too_long(statement.language, text):
        nested = lines_of(checked, "guarded")
        if can_nest(statement.language, nested):
            chosen, text = "guarded", _printed_statement(statement, checked, "guarded", nested)
    is_large = len(checked.rules) > statement.language.most_branches
    is_run_badly = is_large and chosen != "lookup" and not _is_block(statement, checked, chosen)
    text = with_advice(statement.language, text, is_run_badly=is_run_badly)
    return text_within_limit(statement.language, chosen, text)


def _is_too_long(language: Language, text: str) -> bool:
    return language.longest_statement is not None and len(text.encode()) > language.longest_statement


def _choose_sql_layout(
    statement: PredictionStatement, checked: CheckedRules, layout: str
) -> tuple[str, list[CodeLine]]:
    """Return the layout to use and its lines. "auto" is flat if CASE cannot be nested deep enough.

    Raises:
        OptionError: the layout does not suit the kind of SQL, the comments or the rules.
        UnsupportedError: the dialect cannot nest CASE as deep as the requested layout does.
    """
    if _takes_lookup(statement, checked, layout):
        # lookup prints no lines; they only supply the features used and the predictions
        return "lookup", lines_of(checked, "guarded")
    chosen = choose_layout(checked, layout)
    lines = lines_of(checked, chosen)
    if can_nest(statement.language, lines):
        return chosen, lines
    if layout == "auto":
        return "flat", lines_of(checked, "flat")
    problem = f"the {chosen} layout nests CASE {nesting(lines)} deep; the limit is {statement.language.deepest_case}"
    raise UnsupportedError(statement.language.name, problem, "use the flat layout")


def _is_block(statement: PredictionStatement, checked: CheckedRules, layout: str) -> bool:
    """Return whether a function is a block of statements, which is prepared once, and not an expression."""
    names = {statement.rename.get(name, name) if statement.rename else name for name in checked.schema.indices}
    is_large = layout == "guarded" and len(checked.rules) > MOST_INLINED
    return statement.kind.name == "function" and is_large and "found" not in names  # FOUND is a variable of every block


def _takes_lookup(statement: PredictionStatement, checked: CheckedRules, layout: str) -> bool:
    """Return whether the lookup layout is used.

    Raises:
        OptionError: it is a query and requested for an expression, macro or function; or together with comments.
    """
    is_expression = statement.language.lookup == "expression"
    is_query = statement.kind.reads or (is_expression and not statement.kind.creates)
    if layout == "lookup" and not (is_query or is_expression):
        wanted = "'select', 'view' or 'table': the lookup layout is a query and no expression"
        raise OptionError("kind", statement.kind.name, wanted)
    if layout == "lookup" and statement.comments:
        raise OptionError("comments", True, "no comments with the lookup layout, which has no line for each rule")
    if layout == "lookup" and checked.refuses:
        raise OptionError("outside", "refuse", "'answer' with the lookup layout, which has no WHEN in front")
    has_lines = statement.comments or checked.refuses
    is_worth = is_query and not has_lines and is_worth_lookup(statement.language, checked.tree)
    return layout == "lookup" or (layout == "auto" and is_worth)


def nesting(lines: list[CodeLine]) -> int:
    """Return the nesting depth of CASE in the lines."""
    return 1 + max((line.depth for line in lines if line.step == "open"), default=0)


def can_nest(language: Language, lines: list[CodeLine], *, around: int = 0) -> bool:
    """Return whether the dialect nests CASE as deep as the lines do, and `around` levels more."""
    return language.deepest_case is None or nesting(lines) + around <= language.deepest_case


def text_within_limit(language: Language, layout: str, text: str) -> str:
    """Return the text if the engine accepts it by default.

    If a setting of the engine raises its limit, the text has a second line that names the setting.

    Raises:
        UnsupportedError: the text is too long and no setting raises the limit.
    """
    if not _is_too_long(language, text):
        return text
    longest, size = language.longest_statement, len(text.encode())
    if language.size_setting is None:
        remedy = "use the guarded layout, or prune the tree" if layout == "flat" else "prune the tree, or divide it"
        raise UnsupportedError(language.name, f"the statement has {size} bytes; the limit is {longest}", remedy, size)
    first, rest = text.split("\n", 1)
    return f"{first}\n-- {size} bytes: set {language.size_setting} above its default of {longest}\n{rest}"


def _printed_statement(
    statement: PredictionStatement, checked: CheckedRules, layout: str, lines: list[CodeLine]
) -> str:
    dialect, kind = statement.language.name, statement.kind.name
    context = _sql_context(statement, checked, layout, lines)
    names = [f"sql/{dialect}/{kind}.sql.j2", f"sql/{kind}.sql.j2"]
    return render_template(_BLOCK if _is_block(statement, checked, layout) else names, statement.templates, context)


def _sql_context(
    statement: PredictionStatement, checked: CheckedRules, layout: str, lines: list[CodeLine]
) -> SqlContext:
    """Return the values for the template, after a check of all names.

    Raises:
        OptionError, UnknownNameError, UnsupportedError: as `statement_text` does.
    """
    language, schema = statement.language, checked.schema
    outside = refusal_lines(checked)
    used = list(dict.fromkeys(name for line in [*lines, *outside] for name, _ in line.conditions))
    default_names = output_names(schema, statement.extras)
    rename = check_rename(statement.rename, schema, default_names)
    result_names = [output_name(schema, name, rename) for name in default_names]
    check_names(language, schema, rename, keys=statement.keys, used=used, outputs=result_names)
    printed = printed_lines(language, checked, lines, rename=rename)
    printed = with_refusal(language, schema, outside, printed, rename) if outside else printed
    columns = [renamed_feature(schema.feature(name), rename) for name in used]
    if len(columns) > MOST_ARGUMENTS and statement.kind.name == "function":
        problem = f"a function of {len(columns)} columns; the limit is {MOST_ARGUMENTS}"
        raise UnsupportedError(language.name, problem, "use the expression or the view")
    lookup = None
    if layout == "lookup" and language.lookup == "expression":
        lookup = partial(lookup_lines, language, require_lookup_tree(language, checked), rename=rename)
    has_shared_name = any(column.name in result_names for column in columns)
    context = SqlContext(
        opening=opening_of(checked.rules, language.name, layout=layout),
        layout=layout,
        table=statement.table,
        created=statement.created,
        create=create_words(statement.language, statement.kind, replace=statement.replace),
        drop=drop_statement(statement.language, statement.kind, statement.created, replace=statement.replace),
        keys=tuple(language.identifier(key) for key in statement.keys),
        outputs=outputs_of(
            language,
            checked,
            printed,
            statement.extras,
            rename,
            otherwise=_otherwise_literal(statement, schema, layout),
            comments=statement.comments,
            lexical=DIALECTS[language.name].reading.lexical if language.name in DIALECTS else None,
            lookup=lookup,
            guard=type_guard(language, schema, used, rename),
        ),
        ending=language.ending_for_names if has_shared_name else "",
        # the position is not used: SQL refers to columns by name
        columns=tuple(column_reference(language, feature, 0) for feature in columns),
        types=tuple(language.types[feature.scalar] for feature in columns),
        returns=language.types[schema.predicted],
    )
    if layout == "lookup" and lookup is None:
        return evolve(context, lookup=_lookup(statement, checked, context, rename))
    return evolve(context, body_quote=body_quote(context.outputs)) if statement.kind.creates else context


def _lookup(statement: PredictionStatement, checked: CheckedRules, context: SqlContext, rename: Rename) -> Lookup:
    """Return the arrays of the lookup layout, for the query of a context."""
    return lookup_of(
        statement.language,
        checked,
        table=context.table,
        keys=context.keys,
        outputs=context.outputs,
        rename=rename,
    )


def _otherwise_literal(statement: PredictionStatement, schema: Schema, layout: str) -> str | None:
    """Return the argument `otherwise` of `to_sql` as a literal, None for NULL.

    Raises:
        OptionError: the layout is not flat, or the value is not exactly of the type of the predictions (0.0, not 0).
        UnsupportedError: the dialect cannot hold the value.
    """
    value = statement.otherwise
    if value is None:
        return None
    if layout != "flat":
        raise OptionError("otherwise", value, f"the flat layout: in the {layout} layout each row has a prediction")
    wanted = SCALARS[schema.predicted].type
    if type(value) is not wanted:
        raise OptionError("otherwise", value, f"a value of the type of the predictions, {wanted.__name__}")
    return statement.language.literal(value)

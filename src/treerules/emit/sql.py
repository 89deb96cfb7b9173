"""Rules as SQL: a CASE expression, or a SELECT around one."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, overload

from attrs import frozen

from treerules.emit.languages import DIALECTS, Language
from treerules.emit.layout import Layout, Line, laid_out, predictions_of
from treerules.emit.opening import opening_of
from treerules.emit.templates import rendered
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.nodes import garbage_uncollected
from treerules.rules import Condition, Interval, RuleSet, distinct, listed
from treerules.schema import Feature, Schema
from treerules.tree import Tree

Kinds = Literal["expression", "select", "view", "table"]
KINDS = ("expression", "select", "view", "table")


@overload
def to_sql(
    source: Tree | RuleSet,
    *,
    dialect: str,
    layout: Layout = ...,
    kind: Kinds = ...,
    table: str | Sequence[str] | None = ...,
    keys: Sequence[str] = ...,
    name: str | Sequence[str] | None = ...,
    templates: str | Path | None = ...,
) -> str: ...


@overload
def to_sql(
    *,
    dialect: str,
    layout: Layout = ...,
    kind: Kinds = ...,
    table: str | Sequence[str] | None = ...,
    keys: Sequence[str] = ...,
    name: str | Sequence[str] | None = ...,
    templates: str | Path | None = ...,
) -> Callable[[Tree | RuleSet], str]: ...


def to_sql(
    source: Tree | RuleSet | None = None,
    *,
    dialect: str,
    layout: Layout = "auto",
    kind: Kinds = "expression",
    table: str | Sequence[str] | None = None,
    keys: Sequence[str] = (),
    name: str | Sequence[str] | None = None,
    templates: str | Path | None = None,
) -> Any:
    """Return SQL that predicts: a CASE expression, or (kind="select") a query of `table`, "data" by
    default, with the `keys` beside it; as a statement, CREATE VIEW (kind="view") or CREATE TABLE AS (kind="table") of
    such a query, `name`d "predictions" by default.

    A table's name is split at its dots, as in "main.applicants"; give a sequence of names where a dot belongs to one.
    Without a source, returns the function that waits for one.

    Raises:
        UnknownNameError: there is no such dialect, layout or kind.
        UnsupportedError: the dialect cannot hold a name, category or label, or takes two names for one.
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: the guarded layout is asked of an edited rule set.
    """
    if source is None:
        choices: dict[str, Any] = {"dialect": dialect, "layout": layout, "kind": kind, "table": table, "keys": keys}
        return lambda source: to_sql(source, name=name, templates=templates, **choices)
    if dialect not in DIALECTS:
        raise UnknownNameError("dialect", dialect, tuple(DIALECTS))
    _check_kind(kind, table, keys, name)
    return _statement(DIALECTS[dialect], *laid_out(source, layout), kind, table, keys, name, templates)


@garbage_uncollected()
def _statement(
    language: Language,
    rules: RuleSet,
    lines: list[Line],
    kind: str,
    table: str | Sequence[str] | None,
    keys: Sequence[str],
    name: str | Sequence[str] | None,
    templates: str | Path | None,
) -> str:
    _check_names(language, rules.schema, lines, keys)
    values = {number: language.literal(p.value) for number, p in predictions_of(rules).items()}
    return rendered(
        f"sql/{kind}.sql.j2",
        templates,
        opening=opening_of(rules, language.name),
        lines=_printed(language, rules.schema, lines, values),
        table=_dotted(language, "table", "data" if table is None else table),
        created=_dotted(language, "name", "predictions" if name is None else name),
        keys=[language.identifier(key) for key in keys],
        prediction=language.identifier("prediction"),
    )


def _check_kind(kind: str, table: object, keys: object, name: object) -> None:
    if kind not in KINDS:
        raise UnknownNameError("kind of SQL", kind, KINDS)
    if kind == "expression" and (table is not None or keys):
        raise OptionError("kind", kind, "select, view or table, since a table or keys are named")
    if kind in ("expression", "select") and name is not None:
        raise OptionError("kind", kind, "view or table, since a name is given")
    if isinstance(keys, str):
        raise OptionError("keys", keys, 'a sequence of names, such as ["id"]')


def _check_keys(language: Language, keys: Sequence[str]) -> None:
    folded = [_folded(key) if language.folds_case else key for key in keys]
    twice = next((key for place, key in enumerate(keys) if folded[place] in folded[:place]), None)
    if twice is not None:
        raise OptionError("keys", twice, "each column once")
    if "prediction" in folded:
        raise UnsupportedError(language.name, "a key is named like the result, 'prediction'", "rename the key")


def _dotted(language: Language, option: str, name: str | Sequence[str]) -> str:
    """Return the quoted name of a table, whose parts are joined by dots."""
    parts = name.split(".") if isinstance(name, str) else list(name)
    if not parts or not all(parts):
        raise OptionError(option, name, "the name of a table")
    return ".".join(language.identifier(part) for part in parts)


def _check_names(language: Language, schema: Schema, lines: Sequence[Line], keys: Sequence[str]) -> None:
    """Refuse names that the dialect takes for the same column; where it folds case, that of A to Z."""
    used = {name for line in lines for name, _ in line.conditions}
    names: dict[str, str] = {}
    for name in dict.fromkeys([*(feature.name for feature in schema.features), *keys]):
        other = names.setdefault(_folded(name) if language.folds_case else name, name)
        if other != name and (other in used or name in used):
            raise UnsupportedError(language.name, f"it takes {other!r} and {name!r} for one column", "rename one")
    _check_keys(language, keys)


def _folded(name: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in name)


class _Printed(NamedTuple):
    """A line as the templates print it."""

    depth: int
    step: str
    test: str
    value: str | None


def _printed(language: Language, schema: Schema, lines: Sequence[Line], values: Mapping[int, str]) -> list[_Printed]:
    asked = distinct(pair for line in lines for pair in line.conditions)
    columns: dict[str, _Column] = {}
    tests: dict[int, str] = {}
    for key, (name, condition) in asked.items():
        feature = schema.feature(name)
        if name not in columns:
            columns[name] = _column(language, feature)
        tests[key] = _test(language, feature, columns[name], condition)
    return [
        _Printed(
            line.depth,
            line.step,
            " AND ".join([tests[id(pair)] for pair in line.conditions]) or language.true,
            None if line.number is None else values[line.number],
        )
        for line in lines
    ]


@frozen
class _Column:
    """A column as predicates name it: quoted, what holds of its known values, and what of missing ones."""

    text: str
    known: str
    missing: str
    #: what holds of numbers alone where the column may hold NaN, which counts as missing
    is_number: str | None


def _column(language: Language, feature: Feature) -> _Column:
    text = language.identifier(feature.name)
    if language.is_number is None or feature.scalar != "number":
        return _Column(text, f"{text} IS NOT NULL", f"{text} IS NULL", None)
    is_number = language.is_number.format(text)
    return _Column(text, is_number, f"{text} IS NULL OR NOT ({is_number})", is_number)


def _test(language: Language, feature: Feature, column: _Column, condition: Condition) -> str:
    """Return a predicate that is true exactly of the rows that meet the condition; elsewhere false or unknown."""
    if feature.is_ordered:
        return _line_test(language, column, condition)
    return _set_test(language, feature, column, condition)


def _line_test(language: Language, column: _Column, condition: Condition) -> str:
    """Return a comparison. Engines order NaN differently, so only `<=` is asked of it."""
    if condition.values is None:
        return f"({column.missing})" if condition.missing else language.false
    interval = cast(Interval, condition.values)
    above, upto = (None if b is None else language.literal(b) for b in (interval.above, interval.upto))
    if above is None and upto is None:
        return language.true if condition.missing else column.known
    if upto is None:
        if condition.missing:
            return f"(NOT ({column.text} <= {above}) OR {column.text} IS NULL)"
        return f"{column.text} > {above}" + (f" AND {column.is_number}" if column.is_number else "")
    inside = f"{column.text} <= {upto}"
    inside = inside if above is None else f"{column.text} > {above} AND {inside}"
    return f"({inside} OR {column.missing})" if condition.missing else inside


def _set_test(language: Language, feature: Feature, column: _Column, condition: Condition) -> str:
    """Return a membership: `IN` takes those categories alone, `NOT IN` unseen ones too."""
    named, left = listed(feature, condition)
    if not named and left:
        return language.true if condition.missing else column.known
    if not named:
        return f"({column.missing})" if condition.missing else language.false
    among = _among(language, column.text, named, *(("<>", "NOT IN") if left else ("=", "IN")))
    if not left:
        return f"({among} OR {column.missing})" if condition.missing else among
    if condition.missing:  # NaN is among none
        return f"({among} OR {column.text} IS NULL)"
    return among + (f" AND {column.is_number}" if column.is_number else "")


def _among(language: Language, column: str, categories: Sequence[Any], one: str, many: str) -> str:
    if len(categories) == 1:
        return f"{column} {one} {language.literal(categories[0])}"
    return f"{column} {many} ({', '.join(language.literal(category) for category in categories)})"

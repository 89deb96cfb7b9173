r"""Rules as dbt files: a macro with one variant a warehouse, a model that calls it, and the tests of its predictions.

dbt renders what it reads with jinja, so text of the user's is handed over as string expressions without any brace:
`{{ "\x7b\x7b" }}7*7{{ "\x7d\x7d" }}` prints `{{7*7}}`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack, overload

from attrs import frozen

from treerules._internal.unicode import is_shown
from treerules.data.schema import Schema
from treerules.emit.hashed_text import schema_text
from treerules.emit.header import Opening, opening_in, opening_of
from treerules.emit.layout import picked, rules_of
from treerules.emit.sql.case import SqlLayout, to_sql
from treerules.emit.sql.identifiers import Rename
from treerules.errors import OptionError, UnsupportedError
from treerules.rendering.templates import rendered
from treerules.rules.rule_set import RuleSet
from treerules.sql.dialects import DIALECTS, emitted_dialect
from treerules.trees.tree import Tree

#: dbt's names of the dialects' adapters. What no other variant is for is `default`.
ADAPTERS = {name: adapter for name, record in DIALECTS.items() if (adapter := record.spelling.dbt_adapter) is not None}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
#: A label that SQL, YAML and jinja all print as it is.
_PLAIN = re.compile(r"\w+(?: \w+)*")


class MacroText(NamedTuple):
    """The finished text of a macro, and what stands in it before each column, where an alias may go."""

    sql: str
    dot: str


@frozen
class Variant:
    """What one adapter's macro says: finished text, or the adapter whose text is the same, or why there is none."""

    adapter: str
    text: MacroText | None = None
    same_as: str | None = None
    #: a string of jinja
    refusal: str | None = None
    #: of the text; the opening has that which most variants have
    layout: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the macro predicts."""
        return self.refusal is None


@frozen
class Accepted:
    """The classes as dbt's test accepted_values takes them: finished YAML, and whether dbt puts them in quotes."""

    values: tuple[str, ...]
    quote: bool


@frozen
class DbtContext:
    """What the templates of dbt are given, each field by its name. It is public API."""

    #: the first line of each file, without the mark of a comment
    opening: Opening
    #: the names of the macro and of the model
    macro: str
    model: str
    #: what the model reads, as a string of jinja
    table: str | None
    variants: tuple[Variant, ...]
    #: None where there are no classes
    accepted: Accepted | None


class DbtChoices(TypedDict, total=False):
    """The choices of `to_dbt`, which tells what they mean."""

    name: str
    model: str
    table: str | None
    dialects: Sequence[str] | None
    layout: SqlLayout
    rename: Rename | None
    templates: str | Path | None


@frozen
class _Request:
    """What is asked for, checked."""

    name: str
    model: str
    table: str | None
    dialects: tuple[str, ...]
    #: whether a dialect that cannot hold the rules is an error
    is_strict: bool
    layout: SqlLayout
    rename: Rename | None
    templates: str | Path | None


@overload
def to_dbt(source: Tree | RuleSet, **choices: Unpack[DbtChoices]) -> Mapping[str, str]: ...


@overload
def to_dbt(**choices: Unpack[DbtChoices]) -> Callable[[Tree | RuleSet], Mapping[str, str]]: ...


def to_dbt(
    source: Tree | RuleSet | None = None,
    *,
    name: str = "treerules_predict",
    model: str = "predictions",
    table: str | None = None,
    dialects: Sequence[str] | None = None,
    layout: SqlLayout = "auto",
    rename: Rename | None = None,
    templates: str | Path | None = None,
) -> Any:
    """Return files of a dbt project by their paths within it: a macro and the tests of the model that calls it.

    `macros/{name}.sql` has the macro `name(relation_alias=none)`, one variant a dialect, between which
    `adapter.dispatch` chooses; "ansi" is the variant of every other warehouse. In a query it is one expression:
    `select id, {{ treerules_predict("a") }} as prediction from {{ ref("applicants") }} a`.
    `models/{model}/schema.yml` tests that model's column `prediction`: never null and, of a classification, always
    one of the classes. With `table`, the name of a model, seed or snapshot, the model itself is there too: all
    columns of the table and the prediction. The files are for dbt 1.10.5 and newer.

    `rename` maps columns of the model to their names in the warehouse. Without `dialects` every dialect that dbt has
    an adapter for gets a variant; one that cannot hold the rules gets one that stops dbt and says why.
    Without a source, returns the function that waits for one.

    Raises:
        UnknownNameError: there is no such dialect, layout, or column to rename.
        UnsupportedError: one of the `dialects` cannot hold a name, category or label, or dbt has no adapter for it.
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: a macro or model has a name that dbt does not take, no dialect is given, or the guarded layout is
            asked of an edited rule set.
    """
    for option, value in (("name", name), ("model", model)):
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise OptionError(option, value, "letters of A to Z, digits and underscores")
    if table is not None and not table.strip():
        raise OptionError("table", table, "the name of a model, seed or snapshot")
    chosen = tuple(_chosen(dialects))
    to_sql(dialect=chosen[0], layout=layout)  # refuses layouts that there are not
    request = _Request(name, model, table, chosen, dialects is not None, layout, rename, templates)
    return partial(_files, request) if source is None else _files(request, source)


def _files(request: _Request, source: Tree | RuleSet) -> Mapping[str, str]:
    rules, name, model = rules_of(source), request.name, request.model
    usual = picked(rules, request.layout)  # type: ignore[arg-type]
    variants = _variants(request, rules)
    holding = [dialect for dialect, found in zip(request.dialects, variants, strict=True) if found.holds]
    context = DbtContext(
        opening=opening_of(rules, "dbt", layout=usual),
        macro=name,
        model=model,
        table=None if request.table is None else jinja_string(request.table),
        variants=tuple(variants),
        accepted=_accepted(rules.schema, holding),
    )
    paths = {f"macros/{name}.sql": "dbt/macro.sql.j2", f"models/{model}/schema.yml": "dbt/schema.yml.j2"}
    if request.table is not None:
        paths[f"models/{model}/{model}.sql"] = "dbt/model.sql.j2"
    return {path: rendered(template, request.templates, context) for path, template in paths.items()}


def jinja_string(text: str) -> str:
    r"""Return text as a string of a jinja expression, in one line and without what opens or closes anything there.

    >>> jinja_string("it's {% 中 %}\n") == r'''"it's \x7b\x25 中 \x25\x7d\x0a"'''
    True
    """
    return '"' + "".join([c if is_shown(c) and c not in _ACTIVE else _escaped(c) for c in text]) + '"'


_ACTIVE = frozenset('"\\{}%#')


def _escaped(character: str) -> str:
    """Return an escape that Python, jinja and YAML read alike."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def yaml_string(text: str) -> str:
    r"""Return text as YAML's double quoted scalar, which nothing reads as a date, a number or a truth value.

    >>> yaml_string('a: "b"\n') == r'''"a: \"b\"\x0a"'''
    True
    """
    escapes = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join([escapes.get(c) or (c if is_shown(c) else _escaped(c)) for c in text]) + '"'


def _chosen(dialects: Sequence[str] | None) -> list[str]:
    if dialects is None:
        return [dialect for dialect in ADAPTERS if dialect in DIALECTS]
    if isinstance(dialects, str) or not dialects:
        raise OptionError("dialects", dialects, 'a sequence of dialects, such as ["duckdb", "snowflake"]')
    for dialect in dialects:
        emitted_dialect(dialect)  # an unknown one is refused
        if dialect not in ADAPTERS:
            raise UnsupportedError(dialect, "dbt has no adapter for it", f"choose among {', '.join(ADAPTERS)}")
    return list(dict.fromkeys(dialects))


def _variants(request: _Request, rules: RuleSet) -> list[Variant]:
    """Return a variant a dialect; those of the same text refer to the first of them."""
    found, first = list[Variant](), dict[MacroText, str]()
    for dialect in request.dialects:
        adapter = ADAPTERS[dialect]
        try:
            text, used = _macro_text(rules, dialect, request.layout, request.rename)
        except UnsupportedError as error:
            if request.is_strict:
                raise
            found.append(Variant(adapter, refusal=jinja_string(str(error))))
            continue
        same = first.setdefault(text, adapter)
        found.append(Variant(adapter, text, layout=used) if same == adapter else Variant(adapter, same_as=same))
    return found


def _macro_text(rules: RuleSet, dialect: str, layout: SqlLayout, rename: Rename | None) -> tuple[MacroText, str]:
    """Return the CASE of a dialect as the text of a jinja macro, and its layout."""
    language, features = DIALECTS[dialect].spelling, rules.schema.features
    # refuses what the dialect cannot hold, by its own name
    known = to_sql(rules, dialect=dialect, layout=layout, rename=rename)
    opening, mark = opening_in(known), _mark(rules.schema)
    used: Any = layout if opening is None else opening.layout
    places = {feature.name: f"{mark}{place}" for place, feature in enumerate(features)}
    sql = to_sql(rules, dialect=dialect, layout=used, rename=places).rstrip("\n")
    while sql.startswith("-- "):  # lines of ours
        sql = sql.split("\n", 1)[1]
    columns = [language.identifier((rename or {}).get(feature.name, feature.name)) for feature in features]
    dot = next(mark for mark in chain(["@"], (f"@{n}" for n in count(1))) if mark not in known)
    column = re.escape(language.identifier(mark + "0")).replace("0", r"(\d+)")
    return MacroText(_shown(re.sub(column, lambda found: dot + columns[int(found[1])], sql)), dot), used


def _mark(schema: Schema) -> str:
    """Return what the columns are named with before their places while the macro is made: no other text holds it."""
    mark = "treerules_column_"
    while mark in schema_text(schema):
        mark += "_"
    return mark


def _shown(text: str) -> str:
    """Return text as it may stand in a template: braces and what is not printable only in string expressions."""
    return re.sub(r"[{}]+|[^\n -~]+", _shown_run, text)


def _shown_run(found: re.Match[str]) -> str:
    """Return a run of braces, or of characters beyond plain ASCII, whose printable ones stay as they are."""
    runs = ((is_plain, "".join(cs)) for is_plain, cs in groupby(found[0], lambda c: is_shown(c) and c not in "{}"))
    return "".join([run if is_plain else _said(run) for is_plain, run in runs])


def _said(text: str) -> str:
    return "{{ " + jinja_string(text) + " }}"


def _accepted(schema: Schema, dialects: Sequence[str]) -> Accepted | None:
    """Return the classes for dbt's test: as words where every dialect prints them so, else as literals of SQL."""
    if schema.is_regression or not dialects:
        return None
    spelled = [{ADAPTERS[d]: DIALECTS[d].spelling.literal(label) for d in dialects} for label in schema.classes]
    if all(_is_plain(label, texts) for label, texts in zip(schema.classes, spelled, strict=True)):
        return Accepted(tuple([yaml_string(label) for label in schema.classes]), True)
    return Accepted(tuple([_literal_of_target(texts) for texts in spelled]), False)


def _is_plain(label: Any, texts: Mapping[str, str]) -> bool:
    if not isinstance(label, str) or not _PLAIN.fullmatch(label):
        return False
    return label.isascii() or set(texts.values()) == {f"'{label}'"}


def _literal_of_target(texts: Mapping[str, str]) -> str:
    """Return YAML of a literal, chosen by the warehouse where they differ."""
    usual = texts.get("default", next(iter(texts.values())))
    others = {adapter: text for adapter, text in texts.items() if text != usual}
    if not others:
        return yaml_string(_said(usual))
    listed = ", ".join(f'"{adapter}": {jinja_string(text)}' for adapter, text in others.items())
    return yaml_string("{{ {" + listed + "}.get(target.type, " + jinja_string(usual) + ") }}")

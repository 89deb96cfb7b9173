"""The variants of a dbt macro: the CASE of each dialect, with a mark before each column for an alias."""

import re
from collections.abc import Sequence
from itertools import chain, count
from typing import NamedTuple

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.hashed_text import hashed_schema_text
from treerules.emit.header import opening_in
from treerules.emit.jinja_strings import jinja_string, jinja_text
from treerules.emit.sql.identifiers import Rename
from treerules.emit.sql.statement import PredictionStatement, statement_text
from treerules.emit.sql.statement_spelling import Identifiers, with_identifiers, with_nan
from treerules.errors import UnsupportedError
from treerules.sql.dialects import DIALECTS

#: dbt's adapters by the names of dialects. The adapter `default` is used for all adapters without a variant.
ADAPTERS = {name: adapter for name, record in DIALECTS.items() if (adapter := record.spelling.dbt_adapter) is not None}


class MacroText(NamedTuple):
    """The finished text of a macro, and the mark before each column, which the macro replaces by an alias."""

    sql: str
    dot: str


@short_repr
@frozen
class Variant:
    """The macro of one adapter: finished text, the adapter whose text is the same, or the reason for having none."""

    adapter: str
    text: MacroText | None = None
    same_as: str | None = None
    #: the reason, as a string of jinja
    refusal: str | None = None
    #: the layout of the text; the header names the one that most variants have
    layout: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the adapter has a macro."""
        return self.refusal is None


@frozen
class MacroChoices:
    """How the CASE of a macro is written: the arguments of `to_dbt` of these names."""

    layout: str
    rename: Rename
    identifiers: Identifiers
    nan: bool | Sequence[str]


def macro_variants(
    checked: CheckedRules, dialects: Sequence[str], choices: MacroChoices, *, is_strict: bool
) -> list[Variant]:
    """Return the variant of each dialect; one with the text of an earlier variant refers to that.

    Raises:
        UnsupportedError: a dialect cannot hold the rules, and `is_strict`.
    """
    variants, first_adapters = list[Variant](), dict[MacroText, str]()
    for dialect in dialects:
        adapter = ADAPTERS[dialect]
        try:
            text, text_layout = _macro_text(checked, dialect, choices)
        except UnsupportedError as error:
            if is_strict:
                raise
            variants.append(Variant(adapter, refusal=jinja_string(str(error))))
            continue
        first = first_adapters.setdefault(text, adapter)
        is_first = first == adapter
        variants.append(Variant(adapter, text, layout=text_layout) if is_first else Variant(adapter, same_as=first))
    return variants


def _macro_text(checked: CheckedRules, dialect: str, choices: MacroChoices) -> tuple[MacroText, str]:
    """Return the CASE of a dialect as the text of a jinja macro, and its layout.

    It is emitted twice: with the names of the columns, for errors and the layout, and with unique names, which are then
    replaced by a mark and the column.
    """
    schema, rename = checked.schema, choices.rename
    plain = with_identifiers(DIALECTS[dialect], choices.identifiers)
    language = with_nan(plain, schema, choices.nan, rename)
    named_text = statement_text(PredictionStatement(language, rename=rename), checked, choices.layout)
    opening, mark = opening_in(named_text), _unused_name(schema)
    text_layout = choices.layout if opening is None else opening.layout
    marks = {feature.name: f"{mark}{index}" for index, feature in enumerate(schema.features)}
    marked = PredictionStatement(with_nan(plain, schema, choices.nan, marks), rename=marks)
    sql = statement_text(marked, checked, text_layout).rstrip("\n")
    while sql.startswith("-- "):  # the opening, and a comment on the length
        sql = sql.split("\n", 1)[1]
    columns = [language.identifier(rename.get(feature.name, feature.name)) for feature in schema.features]
    dot = next(mark for mark in chain(["@"], (f"@{n}" for n in count(1))) if mark not in named_text)
    marked_column = re.escape(language.identifier(mark + "0")).replace("0", r"(\d+)")
    dotted_sql = re.sub(marked_column, lambda match: dot + columns[int(match[1])], sql)
    return MacroText(jinja_text(dotted_sql), dot), text_layout


def _unused_name(schema: Schema) -> str:
    """Return a name that is not part of any name or category of a schema, as a placeholder for columns."""
    name = "tr_"  # short, since lines are broken by its length
    while name in hashed_schema_text(schema):
        name += "_"
    return name

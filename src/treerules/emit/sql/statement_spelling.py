"""How one statement is spelled: its dialect, the case and quotes of its names, and the columns that may hold NaN."""

from collections.abc import Sequence
from typing import Any, Literal

from attrs import evolve

from treerules._internal.arguments import require_names
from treerules.data.schema import Schema
from treerules.emit.sql.identifiers import Rename
from treerules.errors import UnknownNameError
from treerules.sql.dialect import Dialect
from treerules.sql.language import Language

Identifiers = Literal["quoted", "bare", "upper", "lower"]
IDENTIFIERS = ("quoted", "bare", "upper", "lower")

#: The plain names that mean the same with and without quotes, by how a dialect folds the latter (`Dialect.folding`).
_BARE_NAMES = {
    "any": "[A-Za-z][A-Za-z0-9_]*",
    "none": "[A-Za-z][A-Za-z0-9_]*",
    "lower": "[a-z][a-z0-9_]*",
    "upper": "[A-Z][A-Z0-9_]*",
}


def with_identifiers(dialect: Dialect, identifiers: Any) -> Language:
    """Return the spelling of a dialect with names as the option `identifiers` says.

    >>> from treerules.sql.dialects import DIALECTS
    >>> postgres = with_identifiers(DIALECTS["postgres"], "bare")
    >>> [postgres.identifier(name) for name in ("age", "Age", "end", "a b")]
    ['age', '"Age"', '"end"', '"a b"']

    Raises:
        UnknownNameError: there is no such option.
    """
    if not isinstance(identifiers, str) or identifiers not in IDENTIFIERS:
        raise UnknownNameError("form of identifiers", identifiers, IDENTIFIERS)
    if identifiers == "quoted":
        return dialect.spelling
    letters: Any = "" if identifiers == "bare" else identifiers
    bare = _BARE_NAMES[dialect.folding]
    return evolve(dialect.spelling, letters=letters, bare_names=bare, reserved=dialect.reserved)


def with_nan(language: Language, schema: Schema, nan: Any, rename: Rename) -> Language:
    """Return a spelling in which only some columns of numbers may hold NaN, by the option `nan`.

    Args:
        language: the spelling.
        schema: the features of the model.
        nan: True for all columns, False for none, or the names of those that may, as in the model.
        rename: the names of features in the database.

    Raises:
        OptionError: `nan` is neither a truth value nor a sequence of names.
        UnknownNameError: the model has no feature of a name.
    """
    if nan is True:
        return language
    names: Sequence[str] = () if nan is False else require_names("nan", nan)
    known = tuple(feature.name for feature in schema.features)
    for name in names:
        if name not in known:
            raise UnknownNameError("column", name, known)
    return evolve(language, nan_columns=frozenset(rename.get(name, name) for name in names))

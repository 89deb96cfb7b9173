"""Names in a database: what columns are called there, and which of them an engine would take for one."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve

from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.sql.language import Language

#: Names of ours by names of the database.
Rename = Mapping[str, str]
NO_RENAME: Rename = MappingProxyType({})


def check_rename(rename: Any, schema: Schema, outputs: Iterable[str]) -> Rename:
    """Return a mapping of names after a look at it: its keys are columns of the model or of the result.

    Raises:
        OptionError: it is no mapping from text to text.
        UnknownNameError: a key is the name of nothing.
    """
    rename = {} if rename is None else rename
    if not isinstance(rename, Mapping) or not all(isinstance(name, str) for pair in rename.items() for name in pair):
        raise OptionError("rename", rename, "a mapping from names of the model to names in the database")
    known = [*(feature.name for feature in schema.features), *outputs]
    for name in rename:
        if name not in known:
            raise UnknownNameError("column to rename", name, tuple(known))
    return rename


def output_name(schema: Schema, name: str, rename: Rename) -> str:
    """Return what a column of the result is called: a key of `rename` that is a column of the model renames that."""
    return name if name in schema.indices else rename.get(name, name)


def renamed(feature: Feature, rename: Rename) -> Feature:
    """Return a feature under its name in the database."""
    name = rename.get(feature.name, feature.name)
    return feature if name == feature.name else evolve(feature, name=name)


def folded(language: Language, name: str) -> str:
    """Return what a name is to a language that ignores case, composed (NFC): equal ones are confusing, if not one."""
    name = unicodedata.normalize("NFC", name)
    if language.folding == "ascii":
        return "".join(c.lower() if c.isascii() else c for c in name)
    return unicodedata.normalize("NFC", name.casefold()) if language.folding == "unicode" else name


def check_columns(language: Language, names: Sequence[str], used: Iterable[str]) -> None:
    """Refuse columns of a table that the language takes for one, where one of the two is used.

    Raises:
        UnsupportedError: two names are one to the language.
    """
    wanted, first = set(used), dict[str, str]()
    for name in dict.fromkeys(names):
        other = first.setdefault(folded(language, name), name)
        if other != name and (other in wanted or name in wanted):
            problem = f"it takes {other!r} and {name!r} for one column"
            raise UnsupportedError(language.name, problem, "rename one (rename=, --rename)")


def check_outputs(language: Language, keys: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuse keys that stand twice, and results that are named like another or like a key.

    Raises:
        OptionError: a key stands twice.
        UnsupportedError: a result has the name of another column.
    """
    seen: dict[str, str] = {}
    for key in keys:
        if seen.setdefault(folded(language, key), key) != key or list(keys).count(key) > 1:
            raise OptionError("keys", key, "each column once")
    for name in outputs:
        if folded(language, name) in seen:
            problem = (
                f"two columns of the result are named {name!r} (it takes {seen[folded(language, name)]!r} for that)"
            )
            raise UnsupportedError(language.name, problem, "rename the result (--rename) or leave the key out")
        seen[folded(language, name)] = name


def dotted(language: Language, option: str, name: str | Sequence[str]) -> str:
    """Return the quoted name of a table, whose parts are joined by dots.

    Raises:
        OptionError: a part is empty.
    """
    parts = name.split(".") if isinstance(name, str) else list(name)
    if not parts or not all(parts):
        raise OptionError(option, name, "the name of a table")
    return ".".join(language.identifier(part) for part in parts)


def check_names(
    language: Language,
    schema: Schema,
    rename: Rename,
    *,
    keys: Sequence[str],
    asked: Iterable[str],
    outputs: Iterable[str],
) -> None:
    """Refuse names that the language takes for one, in the table that is read and in the result.

    `asked` are the columns of the model that are used, `outputs` the names of the result's columns besides the keys.

    Raises:
        OptionError: a key stands twice, or two columns are renamed to one.
        UnsupportedError: two names are one to the language.
    """
    columns = {feature.name: rename.get(feature.name, feature.name) for feature in schema.features}
    twice = [name for name, n in Counter(columns.values()).items() if n > 1]
    if twice:
        raise OptionError("rename", dict(rename), f"each column a name of its own, not {twice[0]!r} to two")
    check_columns(language, [*columns.values(), *keys], [columns[name] for name in asked])
    check_outputs(language, keys, list(outputs))

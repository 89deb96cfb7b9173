"""Names in a database: those of features, result columns and tables, and names that an engine cannot distinguish."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve

from treerules.data.schema import Feature, Schema
from treerules.errors import OptionError, UnknownNameError, UnsupportedError
from treerules.sql.language import Language

#: Names in the database, by the names of features and of result columns.
Rename = Mapping[str, str]
NO_RENAME: Rename = MappingProxyType({})


def check_rename(rename: Any, schema: Schema, outputs: Iterable[str]) -> Rename:
    """Return the argument `rename`, {} for None, if its keys are names of features or of result columns.

    Raises:
        OptionError: it is not a mapping from text to text.
        UnknownNameError: a key is neither a feature nor a result column.
    """
    rename = {} if rename is None else rename
    if not isinstance(rename, Mapping) or not all(isinstance(name, str) for pair in rename.items() for name in pair):
        raise OptionError("rename", rename, "a mapping from names of the model to names in the database")
    known_names = [*(feature.name for feature in schema.features), *outputs]
    for name in rename:
        if name not in known_names:
            raise UnknownNameError("column to rename", name, tuple(known_names))
    return rename


def output_name(schema: Schema, name: str, rename: Rename) -> str:
    """Return the name of a result column. A key of `rename` that is also a feature renames the feature alone."""
    return name if name in schema.indices else rename.get(name, name)


def renamed_feature(feature: Feature, rename: Rename) -> Feature:
    """Return a feature under its name in the database."""
    name = rename.get(feature.name, feature.name)
    return feature if name == feature.name else evolve(feature, name=name)


def fold_identifier(language: Language, name: str) -> str:
    """Return a name as the engine compares it: composed (NFC), and in lower case if the engine ignores case."""
    name = unicodedata.normalize("NFC", name)
    if language.folding == "ascii":
        return "".join(c.lower() if c.isascii() else c for c in name)
    return unicodedata.normalize("NFC", name.casefold()) if language.folding == "unicode" else name


def check_columns(language: Language, names: Sequence[str], used: Iterable[str]) -> None:
    """Raise for two columns of a table whose names the engine cannot distinguish, if one of them is `used`.

    Raises:
        UnsupportedError: the table has two such columns.
    """
    used_names, first_by_folded = set(used), dict[str, str]()
    for name in dict.fromkeys(names):
        other = first_by_folded.setdefault(fold_identifier(language, name), name)
        if other != name and (other in used_names or name in used_names):
            problem = f"it treats {other!r} and {name!r} as one column"
            raise UnsupportedError(language.name, problem, "rename one (rename=, --rename)")


def check_outputs(language: Language, keys: Sequence[str], outputs: Sequence[str]) -> None:
    """Raise for a duplicate key, and for a result column with the name of another column of the result.

    Raises:
        OptionError: a key is given twice.
        UnsupportedError: a result column has the name of another one, or of a key.
    """
    names: dict[str, str] = {}
    for key in keys:
        if names.setdefault(fold_identifier(language, key), key) != key or list(keys).count(key) > 1:
            raise OptionError("keys", key, "each column once")
    for name in outputs:
        folded_name = fold_identifier(language, name)
        if folded_name in names:
            problem = (
                f"two columns of the result are named {name!r} (it treats {names[folded_name]!r} as the same name)"
            )
            raise UnsupportedError(language.name, problem, "rename the result (--rename) or leave the key out")
        names[folded_name] = name


def dotted_name(language: Language, option: str, name: str | Sequence[str]) -> str:
    """Return the quoted name of a table: the parts of `name`, joined by dots. `option` is the argument, for errors.

    Raises:
        OptionError: a part is empty, or `name` is neither text nor a sequence of texts.
    """
    is_sequence = isinstance(name, Sequence) and all(isinstance(part, str) for part in name)
    parts = name.split(".") if isinstance(name, str) else list(name) if is_sequence else []
    if not parts or not all(parts):
        raise OptionError(option, name, "the name of a table")
    return ".".join(language.identifier(part) for part in parts)


def check_names(
    language: Language,
    schema: Schema,
    rename: Rename,
    *,
    keys: Sequence[str],
    used: Iterable[str],
    outputs: Iterable[str],
) -> None:
    """Raise for names that the engine cannot distinguish, in the table that is read and in the result.

    Args:
        language: the dialect.
        schema: the features of the model.
        rename: the names of features in the database.
        keys: the columns that pass through to the result.
        used: the names of the features with conditions.
        outputs: the names of the other columns of the result.

    Raises:
        OptionError: a key is given twice, two features are renamed to one name, or names differ in case alone and
            the option `identifiers` changes it.
        UnsupportedError: the engine treats two names as equal.
    """
    columns = {feature.name: rename.get(feature.name, feature.name) for feature in schema.features}
    repeated = [name for name, n in Counter(columns.values()).items() if n > 1]
    if repeated:
        raise OptionError("rename", dict(rename), f"each column a name of its own, not {repeated[0]!r} to two")
    names, outputs = [*columns.values(), *keys], list(outputs)
    check_letters(language, names)
    check_letters(language, [*keys, *outputs])
    check_columns(language, names, [columns[name] for name in used])
    check_outputs(language, keys, outputs)


def check_letters(language: Language, names: Iterable[str]) -> None:
    """Raise for two names that become one in upper or lower case.

    Raises:
        OptionError: there are two such names.
    """
    first_by_name = dict[str, str]()
    for name in names if language.letters else ():
        other = first_by_name.setdefault(language.lettered(name), name)
        if other != name:
            wanted = f"quoted or bare, or rename: {other!r} and {name!r} become one name, {language.lettered(name)!r}"
            raise OptionError("identifiers", language.letters, wanted)

"""The target and the columns of a model, as the model and its caller name them: classes, names, categories."""

from collections.abc import Mapping, Sequence
from typing import Any

from treerules._internal.conversion import unwrap_scalar
from treerules.data.schema import Feature, Kind
from treerules.errors import OptionError, UnknownNameError, listed
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import OwnInputs

_SCALARS: Mapping[type, str] = {str: "text", int: "integer", float: "number", bool: "boolean"}


def label_feature(options: ImportOptions, known: Sequence[Any] | None, n: int) -> Feature:
    """Return the feature of the classes, in the order of the model's.

    Args:
        options: with the name of the target, and the labels that the caller gives.
        known: the labels that the model has; None where it has none.
        n: the number of classes.

    Raises:
        OptionError: there are no labels, or they do not fit the model.
    """
    labels = known if options.labels is None else options.labels
    wanted = f"{n} different classes of one type, in the order of the model's"
    if labels is None:
        raise OptionError("labels", None, f"{wanted}, as ['no', 'yes']: the model does not name them")
    values = list(map(unwrap_scalar, labels))
    if len(values) != n or not _are_categories(values):
        own = "" if options.labels is not None else f": those of the model are {listed(values)}"
        raise OptionError("labels", None if own else values, f"{wanted}{own}")
    kind = Kind.CATEGORY if values == sorted(values) else Kind.ORDINAL
    return Feature(options.target, kind, values, _SCALARS[type(values[0])])


def _are_categories(values: Sequence[Any]) -> bool:
    """Return whether values are different ones of one type that categories have; NaN is none."""
    kinds = {type(value) for value in values}
    is_known = len(kinds) <= 1 and kinds <= set(_SCALARS)
    return is_known and len(set(values)) == len(values) and all(value == value for value in values)


def number_feature(options: ImportOptions) -> Feature:
    """Return the feature of a target of numbers.

    Raises:
        OptionError: the caller gives labels.
    """
    if options.labels is not None:
        raise OptionError("labels", list(options.labels), "it left out, since the model predicts numbers")
    return Feature(options.target, Kind.NUMBER)


def names_of_features(options: ImportOptions, names: Sequence[str]) -> list[str]:
    """Return the names of the columns of a model: those that the caller gives, else the model's.

    Raises:
        OptionError: the names do not fit, or one is that of the target.
    """
    given = names if options.features is None else options.features
    if options.features is None and len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        wanted = f"{len(names)} different names, since two of the model's are the same, {twice!r}"
        raise OptionError("features", None, wanted)
    if len(given) != len(names) or len(set(given)) != len(given):
        raise OptionError("features", list(given), f"{len(names)} different names, as many as the model has features")
    if options.target in given:
        raise OptionError("target", options.target, "a name that no feature has")
    return list(given)


def n_iterations(options: ImportOptions, n_all: int) -> int:
    """Return how many iterations predict: as many as asked for, else all.

    Raises:
        OptionError: there are not as many.
    """
    n = n_all if options.iterations is None else options.iterations
    if not 0 < n <= n_all:
        raise OptionError("iterations", options.iterations, f"a number of iterations from 1 to {n_all}")
    return n


def own_inputs(
    names: Sequence[str],
    highest_codes: Mapping[int, int],
    known: Mapping[int, Sequence[Any]],
    options: ImportOptions,
) -> OwnInputs:
    """Return the columns of a model that it reads as they are.

    Args:
        names: the names of the columns.
        highest_codes: the positions of the columns that the model knows as codes of categories, with the greatest code
            that it names; -1 for none.
        known: the category of each code, for the columns of which the model knows it.
        options: with the categories that the caller gives.

    Raises:
        OptionError: the categories of a column are not known, or stand twice, or are of mixed types.
        UnknownNameError: the caller gives the categories of a column that there is not.
    """
    if options.categories == "codes":
        return OwnInputs([Feature(name, Kind.NUMBER) for name in names])
    given, encoded = options.categories or {}, sorted(highest_codes)
    own = [names[column] for column in encoded]
    if unknown := [name for name in given if name not in own]:
        raise UnknownNameError("column of categories", unknown[0], own)
    categories = {**known, **{column: given[names[column]] for column in encoded if names[column] in given}}
    if lacking := [names[column] for column in encoded if column not in categories]:
        wanted = f"the categories of {listed(lacking)} in the order of their codes, as {{{lacking[0]!r}: ['a', 'b']}}"
        raise OptionError("categories", options.categories, f"{wanted}, or 'codes' where the columns hold the codes")
    codes = {column: _plain(names[column], categories[column]) for column in encoded}
    for column in encoded:
        if len(codes[column]) <= highest_codes[column]:
            wanted = (
                f"{highest_codes[column] + 1} or more categories of {names[column]!r}, as many as the model has codes"
            )
            raise OptionError("categories", {names[column]: codes[column]}, wanted)
    features = [_category_feature(name, codes.get(column)) for column, name in enumerate(names)]
    return OwnInputs(features, codes)


def _plain(name: str, categories: Sequence[Any]) -> list[Any]:
    values = list(map(unwrap_scalar, categories))
    if not _are_categories(values):
        raise OptionError("categories", {name: values}, "different categories of one type for each column")
    return values


def _category_feature(name: str, values: list[Any] | None) -> Feature:
    if values is None:
        return Feature(name, Kind.NUMBER)
    scalar = _SCALARS[type(values[0])] if values else "text"
    if scalar == "boolean":
        return Feature(name, Kind.BOOLEAN)
    return Feature(name, Kind.CATEGORY, sorted(values), scalar)

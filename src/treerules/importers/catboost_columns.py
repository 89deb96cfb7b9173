"""The columns of a model of CatBoost, and the splits of its trees as tests of them.

A split sends a row to the second child where it holds: a number above a border, a category that is one value, a
statistic of a category above a border. Splits have numbers: those of borders, then of categories, then of statistics.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.catboost_statistics import Statistic, key_of, statistic_of, without_categories
from treerules.importers.model_parts import ModelPart, number_of

#: The greatest number of values of all statistics, one for each of their categories: of some 100 bytes.
MOST_VALUES = 1 << 23
#: The child of NaN, by what a column says of it: AsIs compares it, and AsFalse and AsTrue say whether the split holds.
_MISSING = {"AsIs": 0, "AsFalse": 0, "AsTrue": 1}
_HASH_BITS = 0xFFFFFFFF
#: The entries of a split and of a column that are known.
_SPLIT = {
    *("split_type", "split_index", "border", "float_feature_index", "cat_feature_index", "value"),
    "ctr_target_border_idx",
}
_COLUMN = {
    *("borders", "feature_id", "feature_name", "feature_index", "flat_feature_index", "has_nans", "values"),
    "nan_value_treatment",
}


@short_repr
@frozen
class BorderSplit:
    """Whether a number is above a border, compared in float32.

    Args:
        column: the position of the column.
        border: the border.
        missing: the child of NaN: 0 or 1.
    """

    column: int
    border: float
    missing: int


@short_repr
@frozen
class CategorySplit:
    """Whether a category is one of some.

    Args:
        column: the position of the column.
        known: the categories that the split knows.
        categories: those of them that go to the second child.
        unseen: whether any other category goes there.
    """

    column: int
    known: frozenset[str]
    categories: frozenset[str]
    unseen: bool


Split = BorderSplit | CategorySplit


@short_repr
@frozen(eq=False)
class CatBoostColumns:
    """The columns of a model.

    Args:
        names: the names of all columns.
        numbers: the position and the child of NaN of each column of numbers, by its number among those.
        encoded: the position of each column of categories, by its number among those.
        texts: the categories by their hashes.
        statistics: the statistic and the border of each split by one, in their order.
        first_statistic: the number of the first of these splits.
    """

    names: tuple[str, ...]
    numbers: Mapping[int, tuple[int, int]]
    encoded: Mapping[int, int]
    texts: Mapping[int, tuple[str, ...]]
    statistics: tuple[tuple[Statistic | ModelFileError, float], ...]
    first_statistic: int
    #: the splits by statistics that were made: nodes of many trees share them
    _made: dict[int, CategorySplit] = field(factory=dict, init=False, repr=False)

    def split(self, record: ModelPart) -> Split:
        """Return a split of a tree.

        Raises:
            ModelFileError: it is of a kind that is not read, or its categories are not known.
        """
        record.require_known(_SPLIT)
        kind = record["split_type"]
        if kind == "FloatFeature":
            column, missing = _numbered(self.numbers, record, "float_feature_index")
            return BorderSplit(column, _finite(record["border"]), missing)
        if kind == "OneHotFeature":
            column = _numbered(self.encoded, record, "cat_feature_index")
            texts = self.texts.get(record.whole("value") & _HASH_BITS)
            if texts is None:
                raise without_categories(self.names[column])
            return CategorySplit(column, frozenset(texts), frozenset(texts), unseen=False)
        if kind == "OnlineCtr":
            return self._above_border(record.whole("split_index") - self.first_statistic)
        raise ModelFileError(f"a split is a {kind!r}, which is not read", "fit without such columns")

    def _above_border(self, position: int) -> CategorySplit:
        if not 0 <= position < len(self.statistics):
            raise ModelFileError("a split names a statistic that there is not")
        statistic, border = self.statistics[position]
        if isinstance(statistic, ModelFileError):  # of a statistic that is not read; others of the file may not be used
            raise statistic
        if position not in self._made:
            above = frozenset(text for text, value in statistic.values.items() if value > border)
            known, unseen = frozenset(statistic.values), bool(statistic.unseen > border)
            self._made[position] = CategorySplit(statistic.column, known, above, unseen)
        return self._made[position]


def catboost_columns(features: ModelPart, counts: ModelPart) -> CatBoostColumns:
    """Return the columns of a model, given `features_info` and `ctr_data`.

    Raises:
        ModelFileError: they are not numbered from 0, or take NaN in a way that is not known.
    """
    numbers = list(features.parts("float_features", "column of numbers", []))
    encoded = list(features.parts("categorical_features", "column of categories", []))
    for column in (*numbers, *encoded):
        column.require_known(_COLUMN)
    names = {column.whole("flat_feature_index"): _name(column) for column in (*numbers, *encoded)}
    if sorted(names) != list(range(len(names))):
        raise ModelFileError("its columns are not numbered from 0")
    if unknown := {str(column["nan_value_treatment"]) for column in numbers} - _MISSING.keys():
        raise ModelFileError(f"a column takes NaN as {unknown.pop()!r}, which is not known")
    positions = {column.whole("feature_index"): column.whole("flat_feature_index") for column in encoded}
    texts = _texts(features.parts("cat_features_hash", "hash", []))
    in_order = tuple(names[column] for column in range(len(names)))
    statistics = _statistics(features.parts("ctrs", "statistic", []), counts, positions, in_order, texts)
    n_borders = sum(len(column.listed("borders")) for column in numbers)
    return CatBoostColumns(
        in_order,
        {
            column.whole("feature_index"): (
                column.whole("flat_feature_index"),
                _MISSING[column["nan_value_treatment"]],
            )
            for column in numbers
        },
        positions,
        texts,
        statistics,
        n_borders + sum(len(column.listed("values", [])) for column in encoded),
    )


def _texts(entries: Iterable[ModelPart]) -> dict[int, tuple[str, ...]]:
    """Return the categories by their hashes, which are seldom those of two."""
    found: dict[int, list[str]] = {}
    for entry in entries:
        found.setdefault(entry.whole("hash") & _HASH_BITS, []).append(str(entry["value"]))
    return {hashed: tuple(texts) for hashed, texts in found.items()}


def _statistics(
    records: Iterable[ModelPart],
    counts: ModelPart,
    positions: Mapping[int, int],
    names: Sequence[str],
    texts: Mapping[int, tuple[str, ...]],
) -> tuple[tuple[Statistic | ModelFileError, float], ...]:
    """Return the statistic and the border of each split by one."""
    keys = {key_of(hashed): own for hashed, own in texts.items()}
    found: list[tuple[Statistic | ModelFileError, float]] = []
    n_values = 0
    for record in records:
        statistic = _statistic_or_error(record, counts, positions, names, keys)
        n_values += len(statistic.values) if isinstance(statistic, Statistic) else 0
        if n_values > MOST_VALUES:
            raise ModelFileError(f"its statistics have more than {MOST_VALUES} values", "fit with fewer categories")
        found += [(statistic, _finite(border)) for border in record.listed("borders")]
    return tuple(found)


def _numbered(columns: Mapping[int, Any], record: ModelPart, key: str) -> Any:
    """Return the column that an entry of a record names by its number."""
    number = record.whole(key)
    if number not in columns:
        raise ModelFileError(f"a split names the {key} {number}, and there is none")
    return columns[number]


def _statistic_or_error(*arguments: Any) -> Statistic | ModelFileError:
    try:
        return statistic_of(*arguments)
    except ModelFileError as error:
        return error


def _name(column: ModelPart) -> str:
    return str(column.get("feature_id") or column.get("feature_name") or column["flat_feature_index"])


def _finite(border: Any) -> float:
    """Return a border as the float32 that it is."""
    with np.errstate(over="ignore"):
        single = np.float32(number_of(border, "a border"))
    if not np.isfinite(single):
        raise ModelFileError("a border is not finite")
    return float(single)

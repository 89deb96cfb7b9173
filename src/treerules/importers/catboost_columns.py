"""The columns of a model of CatBoost, and the splits of its trees as tests of them.

A split sends a row to the second child where it holds: a number above a border, a category that is one value, a
statistic of a category above a border. Splits have numbers: those of borders, then of categories, then of statistics.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.catboost_statistics import Statistic, statistic_of, without_categories

#: The child of NaN, by what a column says of it: AsIs compares it, and AsFalse and AsTrue say whether the split holds.
_MISSING = {"AsIs": 0, "AsFalse": 0, "AsTrue": 1}
_HASH_BITS = 0xFFFFFFFF


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

    def split(self, record: Mapping[str, Any]) -> Split:
        """Return a split of a tree.

        Raises:
            ModelFileError: it is of a kind that is not read, or its categories are not known.
        """
        kind = record["split_type"]
        if kind == "FloatFeature":
            column, missing = self.numbers[record["float_feature_index"]]
            return BorderSplit(column, _finite(record["border"]), missing)
        if kind == "OneHotFeature":
            column = self.encoded[record["cat_feature_index"]]
            texts = self.texts.get(int(record["value"]) & _HASH_BITS)
            if texts is None:
                raise without_categories(self.names[column])
            return CategorySplit(column, frozenset(texts), frozenset(texts), unseen=False)
        if kind == "OnlineCtr":
            return self._above_border(int(record["split_index"]) - self.first_statistic)
        raise ModelFileError(f"a split is a {kind!r}, which is not read", "fit without such columns")

    def _above_border(self, position: int) -> CategorySplit:
        if not 0 <= position < len(self.statistics):
            raise ModelFileError("a split names a statistic that there is not")
        statistic, border = self.statistics[position]
        if isinstance(statistic, ModelFileError):  # of a statistic that is not read; others of the file may not be used
            raise statistic
        above = frozenset(text for text, value in statistic.values.items() if value > border)
        return CategorySplit(
            statistic.column, frozenset(statistic.values), above, unseen=bool(statistic.unseen > border)
        )


def catboost_columns(features: Mapping[str, Any], counts: Mapping[str, Any]) -> CatBoostColumns:
    """Return the columns of a model, given `features_info` and `ctr_data`.

    Raises:
        ModelFileError: they are not numbered from 0, or take NaN in a way that is not known.
    """
    numbers, encoded = features.get("float_features") or [], features.get("categorical_features") or []
    names = {int(column["flat_feature_index"]): _name(column) for column in (*numbers, *encoded)}
    if sorted(names) != list(range(len(names))):
        raise ModelFileError("its columns are not numbered from 0")
    if unknown := {column["nan_value_treatment"] for column in numbers} - _MISSING.keys():
        raise ModelFileError(f"a column takes NaN as {unknown.pop()!r}, which is not known")
    positions = {column["feature_index"]: int(column["flat_feature_index"]) for column in encoded}
    texts: dict[int, tuple[str, ...]] = {}
    for entry in features.get("cat_features_hash") or []:
        hashed = int(entry["hash"]) & _HASH_BITS
        texts[hashed] = (*texts.get(hashed, ()), str(entry["value"]))
    in_order = tuple(names[column] for column in range(len(names)))
    statistics: list[tuple[Statistic | ModelFileError, float]] = []
    for record in features.get("ctrs") or []:
        statistic = _statistic_or_error(record, counts, positions, in_order, texts)
        statistics += [(statistic, _finite(border)) for border in record["borders"]]
    n_borders = sum(len(column["borders"]) for column in numbers)
    return CatBoostColumns(
        in_order,
        {
            column["feature_index"]: (int(column["flat_feature_index"]), _MISSING[column["nan_value_treatment"]])
            for column in numbers
        },
        positions,
        texts,
        tuple(statistics),
        n_borders + sum(len(column.get("values") or ()) for column in encoded),
    )


def _statistic_or_error(*arguments: Any) -> Statistic | ModelFileError:
    try:
        return statistic_of(*arguments)
    except ModelFileError as error:
        return error


def _name(column: Mapping[str, Any]) -> str:
    return str(column.get("feature_id") or column.get("feature_name") or column["flat_feature_index"])


def _finite(border: Any) -> float:
    """Return a border as the float32 that it is."""
    single = np.float32(border)
    if not np.isfinite(single):
        raise ModelFileError("a border is not finite")
    return float(single)

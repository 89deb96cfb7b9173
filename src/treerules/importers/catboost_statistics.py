"""Statistics of categories (CTRs) of CatBoost: a number for each category of a column, from counts of the target.

    value = ((n of the second class + prior) / (n of both + denominator) + shift) * scale      in float32

A category that was not in the training data has no counts, so its value is that of 0 and 0.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError, listed

#: The factor of the hash of a category in the keys of counts, and what keeps 64 bits.
_FACTOR, _MASK = 0x4906BA494954CB65, (1 << 64) - 1
_REMEDY = (
    "fit with one_hot_max_size above the number of categories, or with simple_ctr=['Borders'] and max_ctr_complexity=1"
)


@short_repr
@frozen(eq=False)
class Statistic:
    """The statistic `Borders` of one column.

    Args:
        column: the position of the column.
        values: the value of each category that the model knows, float32.
        unseen: the value of any other.
    """

    column: int
    values: Mapping[str, Any]
    unseen: Any


def statistic_of(
    record: Mapping[str, Any],
    counts: Mapping[str, Any],
    columns: Mapping[int, int],
    names: Sequence[str],
    texts: Mapping[int, Sequence[str]],
) -> Statistic:
    """Return a statistic.

    Args:
        record: what `features_info` says of it.
        counts: `ctr_data`.
        columns: the position of each column of categories, by its number among those.
        names: the names of all columns.
        texts: the categories by their hashes.

    Raises:
        ModelFileError: it is of several columns, or of another kind, or counts more than two classes; or the file does
            not hold its categories.
    """
    parts = [part["cat_feature_index"] for part in record["elements"] if "cat_feature_index" in part]
    own = [names[columns[part]] for part in parts]
    if len(own) != 1 or len(record["elements"]) != 1 or record["ctr_type"] != "Borders":
        problem = f"it has the statistic {record['ctr_type']} of {listed(own)}"
        raise ModelFileError(f"{problem}, and Borders of one column are read", _REMEDY)
    data = counts[record["identifier"]]
    if data["hash_stride"] != 3 or record["target_border_idx"] != 0:
        raise ModelFileError(f"the statistic of {own[0]!r} counts more than two classes", _REMEDY)
    cells = data["hash_map"]
    pairs = {int(key): pair for key, *pair in zip(cells[::3], cells[1::3], cells[2::3], strict=True)}
    known = {key: found for hashed, found in texts.items() if (key := _key(hashed)) in pairs}
    if pairs.keys() - known.keys() - {_MASK}:  # a key of ones is that of an empty place
        raise without_categories(own[0])
    values = {text: _value(record, *pairs[key]) for key, found in known.items() for text in found}
    return Statistic(columns[parts[0]], values, _value(record, 0, 0))


def without_categories(name: str) -> ModelFileError:
    """Return the error for a column whose categories the file does not hold."""
    remedy = "save it as JSON with pool=, the data that it was fitted on"
    return ModelFileError(f"it does not hold the categories of {name!r}", remedy)


def _key(hashed: int) -> int:
    """Return the key of counts of a category, given its hash, 32 bits that are read with a sign."""
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return _FACTOR * (_FACTOR * signed & _MASK) & _MASK


def _value(record: Mapping[str, Any], first: float, second: float) -> Any:
    """Return the value of a category, given the counts of both classes."""
    names = ("prior_numerator", "prior_denomerator", "shift", "scale")
    prior, denominator, shift, scale = (np.float32(record[name]) for name in names)
    if not denominator > 0 or not first >= 0 or not second >= 0:
        raise ModelFileError("a statistic has counts below 0, or is divided by 0")
    value = ((np.float32(second) + prior) / (np.float32(first) + np.float32(second) + denominator) + shift) * scale
    if not np.isfinite(value):
        raise ModelFileError("a statistic is not finite")
    return value

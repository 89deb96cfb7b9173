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
from treerules.importers.model_parts import ModelPart, number_of, whole_number

#: The factor of the hash of a category in the keys of counts, and what keeps 64 bits.
_FACTOR, _MASK = 0x4906BA494954CB65, (1 << 64) - 1
#: The entries of a statistic that are known.
_STATISTIC = (
    *("borders", "ctr_type", "elements", "identifier", "prior_denomerator", "prior_numerator", "scale", "shift"),
    "target_border_idx",
)
_REMEDY = "fit with one_hot_max_size above the number of categories"
_REMEDY_OF_TWO = f"{_REMEDY}, or two classes with simple_ctr=['Borders'] and max_ctr_complexity=1"


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
    record: ModelPart,
    counts: ModelPart,
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
        texts: the categories by the keys of their counts.

    Raises:
        ModelFileError: it is of several columns, or of another kind, or counts more than two classes; or the file does
            not hold its categories.
    """
    record.require_known(_STATISTIC)
    elements = list(record.parts("elements", f"element of {record.name}"))
    parts = [part.whole("cat_feature_index") for part in elements if "cat_feature_index" in part]
    if unknown := [part for part in parts if part not in columns]:
        raise ModelFileError(f"{record.name} names the cat_feature_index {unknown[0]}, and there is none")
    own = [names[columns[part]] for part in parts]
    if len(own) != 1 or len(elements) != 1 or record["ctr_type"] != "Borders":
        problem = f"it has the statistic {record['ctr_type']} of {listed(own)}"
        raise ModelFileError(f"{problem}, and Borders of one column are read", _REMEDY_OF_TWO)
    data = counts.part(str(record["identifier"]))
    if data["hash_stride"] != 3 or record["target_border_idx"] != 0:
        raise ModelFileError(f"the statistic of {own[0]!r} counts more than two classes", _REMEDY)
    cells = data.listed("hash_map")
    if len(cells) % 3:
        raise ModelFileError(f"the counts of {own[0]!r} are cut off")
    pairs = {
        whole_number(key, "a key of counts"): [number_of(count, "a count") for count in pair]
        for key, *pair in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    }
    known = {key: texts[key] for key in pairs if key in texts}
    if pairs.keys() - known.keys() - {_MASK}:  # a key of ones is that of an empty place
        raise without_categories(own[0])
    *numbers, unseen = _values(record, [*(pairs[key] for key in known), (0, 0)])
    values = {text: number for number, found in zip(numbers, known.values(), strict=True) for text in found}
    return Statistic(columns[parts[0]], values, unseen)


def without_categories(name: str) -> ModelFileError:
    """Return the error for a column whose categories the file does not hold."""
    remedy = "save it as JSON with pool=, the data that it was fitted on"
    return ModelFileError(f"it does not hold the categories of {name!r}", remedy)


def key_of(hashed: int) -> int:
    """Return the key of counts of a category, given its hash, 32 bits that are read with a sign."""
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return _FACTOR * (_FACTOR * signed & _MASK) & _MASK


def _values(record: ModelPart, pairs: Sequence[Sequence[float]]) -> Any:
    """Return the values of categories, given the counts of both classes of each: an array of float32."""
    names = ("prior_numerator", "prior_denomerator", "shift", "scale")
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        prior, denominator, shift, scale = (np.float32(number_of(record[name], name)) for name in names)
        first, second = np.array(pairs, dtype=np.float32).T
        values = ((second + prior) / (first + second + denominator) + shift) * scale
    if not denominator > 0 or not (first >= 0).all() or not (second >= 0).all():
        raise ModelFileError("a statistic has counts below 0, or is divided by 0")
    if not np.isfinite(values).all():
        raise ModelFileError("a statistic is not finite")
    return values

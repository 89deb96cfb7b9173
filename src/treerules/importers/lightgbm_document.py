"""The content of a model of LightGBM (the text of `save_model`, versions 3 and 4 of the format), checked and as arrays.

tree                          a header of lines NAME=VALUE
Tree=0 ... Tree=1 ...         per tree: children (below 0 a leaf), features, thresholds, sets of categories as bits
parameters: [NAME: VALUE]     what it was trained with: the columns of categories
pandas_categorical: JSON      the categories of those columns, in the order of the data frame
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError
from treerules.importers.model_parts import ModelPart, whole_number

#: The versions of the format that are known.
_VERSIONS = ("v3", "v4")
#: The entries of its header and of its trees that are known.
_HEADER = {
    *("tree", "version", "num_class", "num_tree_per_iteration", "label_index", "max_feature_idx", "objective"),
    *("average_output", "feature_names", "monotone_constraints", "feature_infos", "tree_sizes"),
}
_TREE = {
    *("num_leaves", "num_cat", "split_feature", "split_gain", "threshold", "decision_type", "left_child"),
    *("right_child", "leaf_value", "leaf_weight", "leaf_count", "internal_value", "internal_weight", "internal_count"),
    *("cat_boundaries", "cat_threshold", "is_linear", "shrinkage"),
}


@short_repr
@frozen(eq=False)
class LightGBMTree:
    """The nodes of a tree, splits first, the root first; leaves follow, in their order.

    Args:
        left: the first child of each split.
        right: the second child.
        feature: the position of the feature of each split.
        threshold: the threshold of each split, float64.
        decision: the bits of each split: 1 categories, 2 missing to the left, 4 and 8 the kind of missing values.
        codes: for splits of categories, the codes that go to the first child.
        values: what each leaf adds.
        counts: the number of rows of each leaf.
    """

    left: Any
    right: Any
    feature: Any
    threshold: Any
    decision: Any
    codes: Mapping[int, frozenset[int]]
    values: tuple[float, ...]
    counts: tuple[int, ...]


@short_repr
@frozen(eq=False)
class LightGBMModel:
    """A model of LightGBM.

    Args:
        objective: the words of the objective; "custom" where the file has none, since it is a function.
        n_classes: the number of classes.
        n_outputs: the number of trees of an iteration, one for each margin.
        names: the names of the features.
        averages: whether the sum is divided by the number of iterations: a random forest.
        highest_codes: the columns of categories, with the greatest code that a split of theirs names; -1 for none.
        categories: for those of data frames, the category of each code.
        frame_lists: the categories of each column of a data frame that had any, in the order of the frame.
        is_certain: whether only one choice of columns fits these lists.
        trees: the trees, in the order in which they are added.
    """

    objective: tuple[str, ...]
    n_classes: int
    n_outputs: int
    names: tuple[str, ...]
    averages: bool
    highest_codes: Mapping[int, int]
    categories: Mapping[int, tuple[Any, ...]]
    frame_lists: tuple[tuple[Any, ...], ...]
    is_certain: bool
    trees: tuple[LightGBMTree, ...]


def is_lightgbm(text: str) -> bool:
    """Return whether a text begins as a model of LightGBM."""
    return re.match(r"tree\r?\n", text) is not None


def lightgbm_model(text: str) -> LightGBMModel:
    """Return the model in the text of a file.

    Raises:
        ModelFileError: it is damaged, or of a version or a kind of trees that is not read.
    """
    head, *blocks = re.split(r"^Tree=", text.replace("\r\n", "\n"), flags=re.MULTILINE)
    header = ModelPart("its header", _entries(head))
    if header.get("version") not in _VERSIONS:
        raise ModelFileError(f"it is of version {header.get('version')!r} of LightGBM, and v3 and v4 are read")
    header.require_known(_HEADER)
    if not blocks or "end of trees" not in blocks[-1]:
        raise ModelFileError("it has no trees, or ends before their end")
    last, _, rest = blocks[-1].partition("end of trees")
    n_features = header.whole("max_feature_idx") + 1
    names = header["feature_names"].split(" ")
    if len(names) != n_features:
        raise ModelFileError(f"it has {n_features} features, and the names of {len(names)}")
    trees = tuple(_tree(block, number, n_features) for number, block in enumerate([*blocks[:-1], last]))
    n_outputs = header.whole("num_tree_per_iteration")
    if n_outputs < 1 or len(trees) % n_outputs:
        raise ModelFileError(f"it has {len(trees)} trees, which do not fit {n_outputs} trees of an iteration")
    highest = dict[int, int]()
    for tree in trees:
        for split, codes in tree.codes.items():
            column = int(tree.feature[split])
            highest[column] = max(highest.get(column, -1), *codes, -1)
    encoded = _encoded(rest, n_features, highest)
    lists = _frame_lists(rest)
    assigned = _columns_of_lists(lists, header.get("feature_infos", "").split(" "), encoded, n_features)
    certain = dict(zip(assigned or (), lists, strict=False))
    return LightGBMModel(
        tuple(header.get("objective", "custom").split()),
        header.whole("num_class"),
        n_outputs,
        tuple(names),
        "average_output" in header,
        encoded,
        {column: values for column, values in certain.items() if column in encoded},
        lists,
        assigned is not None,
        trees,
    )


def _entries(text: str) -> dict[str, str]:
    """Return the lines NAME=VALUE; a line without a value has an empty one."""
    pairs = (line.partition("=") for line in text.split("\n") if line)
    return {name: value for name, _, value in pairs}


def _encoded(rest: str, n_features: int, highest: Mapping[int, int]) -> dict[int, int]:
    """Return the columns that were declared as categories, with their greatest codes in splits."""
    line = re.search(r"^\[categorical_feature: ([\d,]*)\]$", rest, re.MULTILINE)
    declared = sorted({int(part) for part in line[1].split(",") if part}) if line else []
    encoded = {**dict.fromkeys(declared, -1), **highest}
    if any(not 0 <= column < n_features for column in encoded):
        raise ModelFileError("it has a column of categories that is none of its features")
    return encoded


def _frame_lists(rest: str) -> tuple[tuple[Any, ...], ...]:
    """Return the categories of each column of a data frame that had any, declared or not, in the order of the frame."""
    line = re.search(r"^pandas_categorical:(.*)$", rest, re.MULTILINE)
    try:
        return tuple(map(tuple, json.loads(line[1]) or ())) if line else ()
    except json.JSONDecodeError as error:
        raise ModelFileError(f"its pandas_categorical is no JSON ({error})") from error


def _columns_of_lists(
    lists: Sequence[Sequence[Any]], infos: Sequence[str], encoded: Mapping[int, int], n_features: int
) -> list[int] | None:
    """Return the column of each list of categories; None where several choices of columns fit, or none does.

    The file does not say it. Columns of ordered categories have a list and are numbers unless they were declared, and
    declared columns may hold codes and have no list. The order of lists is that of their columns, and a list needs a
    category for each code of its column. So the choice is unique if the first columns that fit are also the last ones.
    """
    values = list(map(_codes_seen, infos)) if len(infos) == n_features else [()] * n_features

    def fits(categories: Sequence[Any], column: int) -> bool:
        codes = [*values[column], max(encoded.get(column, -1), 0)]
        return all(0 <= code < len(categories) and code == int(code) for code in codes)

    first = _first_fit(list(lists), range(n_features), fits)
    last = _first_fit(list(reversed(lists)), range(n_features - 1, -1, -1), fits)
    return first if first is not None and last is not None and first == last[::-1] else None


def _first_fit(
    lists: Sequence[Sequence[Any]], columns: Iterable[int], fits: Callable[[Sequence[Any], int], bool]
) -> list[int] | None:
    """Return for each list the first column that fits behind the one of the list before; None where there is none."""
    found: list[int] = []
    for column in columns:
        if len(found) < len(lists) and fits(lists[len(found)], column):
            found.append(column)
    return found if len(found) == len(lists) else None


def _codes_seen(info: str) -> tuple[float, ...]:
    """Return values of a column in training: the least and the greatest number of `[a:b]`, or the codes of `-1:2:0`."""
    if info in ("none", ""):
        return ()
    try:
        return tuple(float(part) for part in info.strip("[]").split(":") if part != "-1" or info[0] == "[")
    except ValueError as error:
        raise ModelFileError(f"its feature_infos hold {info!r:.60}, which is not known") from error


def _tree(block: str, number: int, n_features: int) -> LightGBMTree:
    cells = ModelPart(f"tree {number}", _entries(block.partition("\n")[2]))
    n_leaves = cells.whole("num_leaves")
    if cells.whole("is_linear", 0):
        raise ModelFileError(f"tree {number} has linear models in its leaves", "fit with linear_tree=False")
    cells.require_known(_TREE)
    values = _floats(cells["leaf_value"], n_leaves, f"leaf_value of tree {number}")
    if n_leaves == 1:
        nothing = np.zeros(0, dtype=np.int64)
        return LightGBMTree(nothing, nothing, nothing, np.zeros(0), nothing, {}, tuple(values.tolist()), (0,))
    n = n_leaves - 1
    left, right, feature, decision = (
        _integers(cells[name], n, f"{name} of tree {number}")
        for name in ("left_child", "right_child", "split_feature", "decision_type")
    )
    threshold = _floats(cells["threshold"], n, f"threshold of tree {number}", is_finite=False)
    if (feature < 0).any() or (feature >= n_features).any():
        raise ModelFileError(f"a node of tree {number} tests a feature that there is not")
    if (decision < 0).any() or (decision > 15).any() or (decision >> 2 == 3).any():
        raise ModelFileError(f"a node of tree {number} decides in a way that is not known")
    counts = tuple(_integers(cells["leaf_count"], n_leaves, f"leaf_count of tree {number}").tolist())
    left, right = (np.where(child < 0, n - 1 - child, child) for child in (left, right))
    codes = _codes(cells, np.flatnonzero(decision & 1).tolist(), threshold, number)
    return LightGBMTree(left, right, feature, threshold, decision, codes, tuple(values.tolist()), counts)


def _codes(cells: ModelPart, splits: Sequence[int], threshold: Any, number: int) -> dict[int, frozenset[int]]:
    """Return the codes of each split of categories, given the position of its set as its threshold."""
    if not splits:
        return {}
    n_sets = cells.whole("num_cat")
    ends = _integers(cells["cat_boundaries"], n_sets + 1, f"cat_boundaries of tree {number}").tolist()
    words = _integers(cells["cat_threshold"], ends[-1], f"cat_threshold of tree {number}").tolist()
    is_shared = len({threshold[split] for split in splits}) < len(splits)
    if ends[0] != 0 or any(end < start for start, end in pairwise(ends)) or is_shared:
        raise ModelFileError(f"the sets of categories of tree {number} do not fit")
    found = {}
    for split in splits:
        place = int(threshold[split])
        if not 0 <= place < n_sets or place != threshold[split]:
            raise ModelFileError(f"a node of tree {number} has no categories")
        bits = words[ends[place] : ends[place + 1]]
        found[split] = frozenset(32 * at + bit for at, word in enumerate(bits) for bit in range(32) if word >> bit & 1)
    return found


def _integers(text: str, n: int, name: str) -> Any:
    values = [whole_number(part, f"a value of {name}") for part in text.split()]
    if len(values) != n:
        raise ModelFileError(f"{name} has {len(values)} values, and {n} are needed")
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError as error:
        raise ModelFileError(f"{name} has a value beyond 64 bits") from error


def _floats(text: str, n: int, name: str, *, is_finite: bool = True) -> Any:
    try:
        values = np.array([float(part) for part in text.split()], dtype=np.float64)
    except ValueError as error:
        raise ModelFileError(f"{name} has a value that is no number") from error
    if len(values) != n:
        raise ModelFileError(f"{name} has {len(values)} values, and {n} are needed")
    if not (np.isfinite(values) if is_finite else ~np.isnan(values)).all():
        raise ModelFileError(f"{name} has a value that is not finite")
    return values

"""The splits of one node by a categorical feature: a child per category, two subsets, or groups merged greedily."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attrs import evolve

from treerules.criteria.scores import x_log_x
from treerules.growing.encoding import Block
from treerules.growing.principal_axis import (
    MOST_AXES,
    rotate_to_diagonal,
    write_coordinates,
    write_deviations,
    write_products,
)
from treerules.growing.problem_checks import MOST_EXHAUSTIVE
from treerules.growing.reference.node_data import (
    Candidate,
    CandidateBatch,
    Group,
    NodeData,
    missing_test_candidate,
    missing_test_gains,
)
from treerules.growing.reference.statistics import NodeStatistics
from treerules.recipes.recipe import Recipe


def categorical_batches(
    node: NodeData, recipe: Recipe, block: Block, by_code: NodeStatistics, missing: NodeStatistics, is_selected: Any
) -> Iterator[CandidateBatch]:
    """Yield the splits of the selected lines of a block that are not found by cutting an order.

    `by_code` and `missing` are from `block_statistics`; `is_selected` has shape (features,).
    """
    for line in is_selected.nonzero()[0].tolist():
        feature, n_codes = int(block.features[line]), int(block.n_codes[line])
        by_category = by_code[line, :n_codes]
        missing_or_none = missing[line] if missing.n[line, 0] > 0 else None
        present = by_category.n.nonzero()[0]
        if len(present) > 1:
            has_all_categories = recipe.quinlan and recipe.categories == "multiway"
            categories = np.arange(n_codes) if has_all_categories else present
            groups = by_category if has_all_categories else by_category[present]
            make_batch = {"multiway": _multiway_batch, "grouped": _grouped_batch}.get(recipe.categories, _binary_batch)
            yield make_batch(node, recipe, feature, categories, groups, missing_or_none)
        if missing_or_none is not None and len(present) and recipe.missing in ("learned", "branch"):
            total = by_category.total
            known, unknown = total.as_numbers, missing_or_none.as_numbers
            candidate = missing_test_candidate(feature, False, tuple(present.tolist()), known, unknown)
            yield _batch_of_one(missing_test_gains(node, recipe, total, missing_or_none), candidate)


def _batch_of_one(gain: Any, candidate: Candidate) -> CandidateBatch:
    """Return a batch of a single candidate; `gain` has shape (1,)."""
    return CandidateBatch(gain, np.array([candidate.feature]), lambda _: candidate)


def _missing_group(missing: NodeStatistics | None, groups: NodeStatistics) -> Group:
    """Return the statistics of the missing values as one group."""
    return (0, (0,) * len(groups.sums)) if missing is None else missing.as_numbers


def _multiway_batch(
    node: NodeData,
    recipe: Recipe,
    feature: int,
    categories: Any,
    groups: NodeStatistics,
    missing: NodeStatistics | None,
) -> CandidateBatch:
    """Return the split with one child per category; no candidate unless two children are large enough."""
    takes_missing = _takes_missing(recipe, groups, missing)
    if not takes_missing.any():
        return CandidateBatch(np.empty(0), np.empty(0, dtype=np.int64), _no_candidate)
    gain = node.scorer.multiway_gain(groups, missing, recipe.missing, takes_missing)
    sums = zip(*(values.tolist() for values in groups.sums), strict=True)
    children = tuple(zip(groups.n.tolist(), sums, strict=True))
    sides = tuple((position,) for position in categories.tolist())
    counts = _row_counts(groups.rows, missing)
    missing_group = _missing_group(missing, groups)
    return _batch_of_one(gain, Candidate(feature, False, sides, children, missing_group, row_counts=counts))


def _row_counts(rows: Any, missing: NodeStatistics | None) -> tuple[float, ...]:
    """Return the `row_counts` of a candidate whose children have so many rows; () for None, where rows are weight."""
    if rows is None:
        return ()
    return (*rows.tolist(), 0.0 if missing is None else missing.rows.item())


def _takes_missing(recipe: Recipe, groups: NodeStatistics, missing: NodeStatistics | None) -> Any:
    """Return, for each child, whether two children are large enough if the missing values go there; shape (groups,).

    Where it is not learned to which child they go, the known values alone decide.
    """
    is_large = groups.size >= recipe.least
    n_large = np.count_nonzero(is_large)
    if missing is None or recipe.missing != "learned":
        return np.full(len(is_large), n_large >= 2)
    return n_large - is_large + (groups.size + missing.size >= recipe.least) >= 2


def _no_candidate(index: int) -> Candidate:
    """Raise IndexError: the batch has no candidates."""
    raise IndexError(index)


def _binary_batch(
    node: NodeData,
    recipe: Recipe,
    feature: int,
    categories: Any,
    groups: NodeStatistics,
    missing: NodeStatistics | None,
) -> CandidateBatch:
    """Return the splits into two subsets; the subset that holds the first category is the first child."""
    left, subset_at = _binary_splits(node, groups)
    gains = node.scorer.binary_gains(left, groups.total, missing, recipe.missing, recipe.least)
    allowed = (gains > -np.inf).nonzero()[0]

    def candidate(index: int) -> Candidate:
        in_first = subset_at(int(allowed[index]))
        in_first = in_first if in_first[0] else ~in_first
        sides = tuple(categories[in_first].tolist()), tuple(categories[~in_first].tolist())
        one, other = groups[in_first].total, groups[~in_first].total
        counts = _row_counts(None if groups.rows is None else np.append(one.rows, other.rows), missing)
        children, missing_group = (one.as_numbers, other.as_numbers), _missing_group(missing, groups)
        return Candidate(feature, False, sides, children, missing_group, row_counts=counts)

    return CandidateBatch(gains[allowed], np.full(len(allowed), feature), candidate)


#: The statistics of one side of every split, and a function from a split's index to a mask of that side's categories.
BinarySplits = tuple[NodeStatistics, Callable[[int], Any]]


def _binary_splits(node: NodeData, groups: NodeStatistics) -> BinarySplits:
    """Return all splits into two subsets; of many categories, those in the order of their first principal component."""
    if len(groups.n) <= MOST_EXHAUSTIVE:
        return _splits_of_all_subsets(groups)
    return _splits_in_order(groups, _first_component(node, groups))


def _weighted_sums(node: NodeData, groups: NodeStatistics) -> Any:
    """Return the class weights of each category times the class factors, shape (classes, categories)."""
    factors = np.ones(len(groups.sums)) if node.scorer.factors is None else np.array(node.scorer.factors)
    return np.stack(groups.sums) * factors[:, None]


def _first_component(node: NodeData, groups: NodeStatistics) -> Any:
    """Return the coordinate of each category's class shares on their first principal component, shape (categories,)."""
    weighted = np.ascontiguousarray(_weighted_sums(node, groups).T)
    n_categories, n_classes = weighted.shape
    m = min(n_categories, n_classes)
    sizes, deviations = np.zeros(n_categories), np.zeros_like(weighted)
    write_deviations(weighted, sizes, deviations, n_categories, n_classes)
    if m > MOST_AXES:
        return _first_component_of_many(sizes, deviations)
    matrix, vectors, axis, coordinates = np.zeros((m, m)), np.zeros((m, m)), np.zeros(n_classes), np.zeros(n_categories)
    write_products(sizes, deviations, matrix, n_categories, n_classes)
    rotate_to_diagonal(matrix, vectors, m)
    write_coordinates(sizes, deviations, matrix, vectors, axis, coordinates, n_categories, n_classes)
    return coordinates


def _first_component_of_many(sizes: Any, deviations: Any) -> Any:
    """Return the coordinates where classes and categories are many: the axis is found by LAPACK."""
    centred = deviations.T
    if len(centred) <= len(sizes):
        _, vectors = np.linalg.eigh((centred * sizes) @ centred.T)
        axis = vectors[:, -1]
    else:  # with more classes than categories, the axis is found from the products of the categories
        scaled = centred * np.sqrt(sizes)
        _, vectors = np.linalg.eigh(scaled.T @ scaled)
        axis = scaled @ vectors[:, -1]
        axis /= max(float(np.linalg.norm(axis)), _EQUAL)
    return np.round(axis @ centred, 12)


def _splits_in_order(groups: NodeStatistics, means: Any) -> BinarySplits:
    """Return the cuts of the categories in the order of `means`, between unequal ones."""
    order = np.argsort(means, kind="stable")
    cut_positions = (means[order][1:] != means[order][:-1]).nonzero()[0]
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = groups.map(lambda values: np.cumsum(values[order])[cut_positions])
    return first, lambda index: rank <= cut_positions[index]


def _splits_of_all_subsets(groups: NodeStatistics) -> BinarySplits:
    """Return the splits by every non-empty subset of the categories but the last: 2**(n - 1) - 1 splits."""
    n = len(groups.n)
    is_in_subset = ((np.arange(1, 1 << (n - 1))[:, None] >> np.arange(n)) & 1).astype(bool)

    def sums(values: Any) -> Any:  # not a matrix product, whose order of addition depends on the processor
        return np.where(is_in_subset, values, 0).sum(axis=1)

    return groups.map(sums), lambda index: is_in_subset[index]


def _grouped_batch(
    node: NodeData,
    recipe: Recipe,
    feature: int,
    categories: Any,
    groups: NodeStatistics,
    missing: NodeStatistics | None,
) -> CandidateBatch:
    """Return the split found by merging two groups at a time while the gain ratio rises (Quinlan 1993, chapter 7).

    Merging stops at two groups. Of equally good mergers the first pair wins.
    """
    total, score_term = groups.total, node.scorer.score_term
    members, node_term = [[pair] for pair in categories.tolist()], score_term(total)[0]
    has_missing_child = missing is not None and recipe.missing not in ("larger", "error")
    n_missing = missing.n[0] if missing is not None and has_missing_child else 0.0
    n = total.n[0] + n_missing

    def ratios(terms: Any, size_terms: Any) -> Any:
        """Return gain ratios times a constant, from the sums of score terms and of x log2 x of sizes."""
        width = x_log_x(n) - size_terms - x_log_x(n_missing)
        return (terms - node_term) / np.where(width > _LEAST_WIDTH * n, width, np.inf)

    terms, size_terms = score_term(groups), x_log_x(groups.n)
    best = float(ratios(terms.sum(), size_terms.sum()))
    term_changes, size_changes = _merge_changes(node, groups)  # the changes made by merging two groups
    is_pair = np.triu(np.ones(term_changes.shape, dtype=bool), k=1)  # the pairs of groups that are still there
    for _ in range(len(members) - 2):
        terms, size_terms = score_term(groups), x_log_x(groups.n)
        merged_ratios = np.where(is_pair, ratios(terms.sum() + term_changes, size_terms.sum() + size_changes), -np.inf)
        pair = int(np.argmax(merged_ratios >= merged_ratios.max() - _EQUAL * abs(merged_ratios.max())))
        a, b = divmod(pair, len(categories))
        if _takes_missing(recipe, groups, missing).any() and merged_ratios[a, b] <= best + _EQUAL * abs(best):
            break
        best = float(merged_ratios[a, b])
        groups = _merge_two(groups, a, b)
        members[a], members[b] = sorted(members[a] + members[b]), []
        for changes, new in zip((term_changes, size_changes), _merge_changes(node, groups, a), strict=True):
            changes[a, a + 1 :], changes[:a, a] = new[a + 1 :], new[:a]
        is_pair[b], is_pair[:, b] = False, False
    order = sorted((pair for pair, member in enumerate(members) if member), key=members.__getitem__)
    groups = groups[np.array(order)]
    return _batch_of_groups(node, recipe, feature, [members[pair] for pair in order], groups, missing)


#: Gain ratios tie within this share of them; a split information is 0 within this share of the rows.
_EQUAL, _LEAST_WIDTH = 1e-12, 1e-12


def _merge_changes(node: NodeData, groups: NodeStatistics, one: int | None = None) -> tuple[Any, Any]:
    """Return the change that merging two groups makes to the sum of score terms, and to that of x log2 x of sizes.

    Shape (groups, groups); with `one`, the changes of merging that group with each, shape (groups,).
    """
    terms, size_terms = node.scorer.score_term(groups), x_log_x(groups.n)
    first = groups[:, None] if one is None else groups[one : one + 1]
    merged = first + groups[None] if one is None else first + groups
    term_changes = node.scorer.score_term(merged) - terms - (terms[:, None] if one is None else terms[one])
    size_changes = x_log_x(merged.n) - size_terms - (size_terms[:, None] if one is None else size_terms[one])
    return term_changes, size_changes


def _merge_two(groups: NodeStatistics, a: int, b: int) -> NodeStatistics:
    """Return the groups with group b added to group a; group b becomes empty."""

    def join(values: Any) -> Any:
        values = values.copy()
        values[a] += values[b]
        values[b] = 0.0
        return values

    return groups.map(join)


def _batch_of_groups(
    node: NodeData,
    recipe: Recipe,
    feature: int,
    members: list[list[int]],
    groups: NodeStatistics,
    missing: NodeStatistics | None,
) -> CandidateBatch:
    """Return the split with one child per group of categories."""
    batch = _multiway_batch(node, recipe, feature, np.arange(len(members)), groups, missing)
    if not len(batch.gains):
        return batch
    sides = tuple(tuple(group) for group in members)
    return _batch_of_one(batch.gains, evolve(batch.candidate_at(0), sides=sides))

"""The certificate of a tree: its search is run again, and the cuts that it evaluates are kept."""

from typing import Any

from attrs import evolve

from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError
from treerules.growing.optimal.optimal_growth import SearchedProblem
from treerules.growing.optimal.search_result import Mark, Proof
from treerules.growing.problem import Problem
from treerules.growing.problem_from_tree import problem_from_tree
from treerules.growing.task import Progress
from treerules.proof.certificate import BoundProof, Certificate, ProofColumn, ProvedCut
from treerules.proof.certificate_rows import certified_rows
from treerules.trees.ensemble import require_tree
from treerules.trees.provenance import hash_of
from treerules.trees.tree import Tree


def prove_optimal(tree: Tree, table: TableLike, *, weight: Any = None, progress: Progress | None = None) -> Certificate:
    """Return a certificate of what is known about the cost of a tree that `optimal()` learned.

    The search is run once more, within the time limit of the recipe, and keeps the cuts that it evaluates. If it ends
    early, the certificate proves the lower bound that it reached.

    Args:
        tree: a Tree of classes, learned by `optimal()` and not changed since.
        table: the table that it was learned from.
        weight: an array of sample weights, where the tree was learned with one; a column is found by its name.
        progress: a function that is called with (lower bound, cost of the best tree), or None.

    Returns:
        A Certificate, which `certify` checks.

    Raises:
        DataError: the tree has no bounds, is a regression, or was learned from other rows.
        UnknownNameError: the table lacks a column.

    Examples:
        >>> from treerules import Table, learn, optimal
        >>> from treerules.proof import certify
        >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]})
        >>> tree = learn(table, target="y", recipe=optimal(max_depth=2, leaf_penalty=0))
        >>> certify(prove_optimal(tree, table), table, tree=tree).is_optimal
        True
    """
    require_tree("tree", tree)
    table = table_of(table)
    if tree.bounds is None or tree.recipe.optimal_search is None or tree.origin is None:
        raise DataError("the tree was not learned by optimal(), or was changed since", "learn it by optimal()")
    if tree.schema.is_regression:
        raise DataError("squared errors are rounded sums, which no certificate proves", "certify a classification")
    weights = tree.origin.weight if weight is None and tree.origin.weight else weight
    search = evolve(tree.recipe.optimal_search, leaf_penalty=tree.bounds.leaf_penalty)
    recipe = evolve(tree.recipe, optimal_search=search, size_choice=None)
    problem = problem_from_tree(evolve(tree, recipe=recipe), table, weights)
    if hash_of(problem.columns, problem.target, problem.weights) != tree.origin.data:
        raise DataError("the rows are not those that the tree was learned from", "give the same rows")
    return _certificate(tree, problem, table, weights, recipe, progress)


def _certificate(
    tree: Tree, problem: Problem, table: Any, weights: Any, recipe: Any, progress: Progress | None
) -> Certificate:
    assert tree.origin is not None
    searched = SearchedProblem(problem, recipe)
    task = searched.task(searched.penalty_in_units(recipe.optimal_search.leaf_penalty))
    limit = recipe.optimal_search.time_limit
    found = searched.search(
        task,
        seconds=float("inf") if limit is None else limit,
        gap=recipe.optimal_search.gap,
        progress=progress,
        keeps_marks=True,
    )
    scale = searched.costs.scale
    price = task.penalty / scale  # a price beyond all costs was lowered
    if round(recipe.optimal_search.leaf_penalty * scale) != task.penalty:
        recipe = evolve(recipe, optimal_search=evolve(recipe.optimal_search, leaf_penalty=price))
    rows = certified_rows(table, tree.schema, recipe, weights, scale)
    features = [feature.name for feature in tree.schema.features]
    columns = [
        ProofColumn(
            features[column.feature],
            None if column.category is None else tree.schema.features[column.feature].categories[column.category],
            column.missing,
        )
        for column in searched.columns
    ]
    return Certificate(
        tree.schema,
        recipe,
        tree.origin.weight,
        len(rows.costs),
        rows.hashes,
        scale,
        task.penalty,
        found.cost,
        max(found.lower - rows.rounding, 0),
        columns,
        None if found.proof is None else _bound_proof(found.proof),
    )


def _bound_proof(proof: Proof) -> BoundProof:
    shallow = None if proof.proof_of_shallow is None else _bound_proof(proof.proof_of_shallow)
    return BoundProof(proof.shallow, [_proved_cut(mark) for mark in proof.marks], shallow)


def _proved_cut(mark: Mark) -> ProvedCut:
    proofs = (mark.proof_below, mark.proof_above, mark.proof_own_below, mark.proof_own_above)
    below, above, own_below, own_above = (None if proof is None else _bound_proof(proof) for proof in proofs)
    bounds = mark.cost_below, mark.cost_above
    return ProvedCut(mark.column, mark.cut, *bounds, below, above, mark.own_below, mark.own_above, own_below, own_above)

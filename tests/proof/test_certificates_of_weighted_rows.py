"""Certificates of whole-number weights: leaves of copies of rows in `learn`, leaves of rows in the estimators."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from brute_force_trees import least_cost
from treerules import Table, Tree, learn, optimal
from treerules.proof import Certificate, certify, prove_optimal
from treerules.proof.certificate_files import certificate_from_json, certificate_to_json
from treerules.sklearn import TreeRulesClassifier
from treerules.trees.json_codec import tree_from_json, tree_to_json


def drawn(seed: int) -> tuple[Table, Any, Any]:
    """Return a small table with whole-number weights, and a recipe with a least number of rows above 1."""
    draw = random.Random(seed)
    n = draw.randint(5, 8)
    columns: dict[str, Any] = {
        name: [float(draw.randint(0, most)) for _ in range(n)] for name, most in (("x0", 3), ("x1", 2))
    }
    table = Table.from_columns({**columns, "target": [draw.choice("ppq") for _ in range(n - 2)] + ["p", "q"]})
    weights = np.array([2.0, *(draw.choice([1.0, 2.0, 3.0, 5.0]) for _ in range(n - 1))])
    options: Any = {"leaf_penalty": draw.choice([0, 1]), "time_limit": None}
    return table, weights, optimal(max_depth=2, min_samples_leaf=draw.choice([2, 3]), **options)


def true_least(table: Table, recipe: Any, weights: Any, sizes: Sequence[float]) -> float:
    """Return the least cost of all trees, whose leaves have the least sum of sizes."""
    labels = [table.column("target").value(row) for row in range(table.n_rows)]

    def leaf_cost(rows: Sequence[int]) -> float:
        return min(sum(weights[row] for row in rows if labels[row] != name) for name in "pq")

    penalty = recipe.optimal_search.leaf_penalty
    return least_cost(table, recipe, penalty=penalty, weights=sizes, leaf_cost=leaf_cost)


def learned(table: Table, recipe: Any, weights: Any, counted: str) -> Tree:
    """Return a tree whose leaves are of rows, by the estimator, or of copies of rows, by `learn`."""
    if counted == "rows":
        return learn(table, target="target", recipe=recipe, features=["x0", "x1"], weight=weights)
    rows = np.column_stack([table.column(name).data for name in ("x0", "x1")])
    labels = [table.column("target").value(row) for row in range(table.n_rows)]
    tree: Tree = TreeRulesClassifier(recipe=recipe).fit(rows, labels, sample_weight=weights).tree_
    return tree


@pytest.mark.parametrize("counted", ["rows", "weight"])
def test_a_certificate_counts_the_rows_of_leaves_as_its_tree_does(counted: str) -> None:
    """It claims the least cost of such trees, and a file keeps what is counted; so does a file of the tree."""
    for seed in range(40):
        table, weights, recipe = drawn(seed)
        tree = tree_from_json(tree_to_json(learned(table, recipe, weights, counted)))
        assert tree.schema.counted == counted
        certificate = certificate_from_json(certificate_to_json(prove_optimal(tree, table, weight=weights)))
        check = certify(certificate, table, tree=tree, weight=weights)
        assert check.is_optimal, (seed, check.problem)
        sizes = {"rows": weights, "weight": np.ones(len(weights))}
        assert certificate.lower / certificate.scale == true_least(table, recipe, weights, sizes[counted])
        assert_no_false_claim_of_another_count(certificate, table, weights, sizes)


def assert_no_false_claim_of_another_count(certificate: Certificate, table: Table, weights: Any, sizes: Any) -> None:
    """Fail where a certificate whose schema is edited to count otherwise is accepted, and says more than is true."""
    other: Any = "weight" if certificate.schema.counted == "rows" else "rows"
    forged = evolve(certificate, schema=evolve(certificate.schema, counted=other))
    if certify(forged, table, weight=weights).is_valid:
        assert forged.lower / forged.scale <= true_least(table, forged.recipe, weights, sizes[other])

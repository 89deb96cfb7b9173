"""An adversary edits every field of a certificate, one after the other: what is still accepted is true.

The least cost of the edited recipe is that of all trees, as exact fractions, over rows or over copies of rows.
"""

import copy
import json
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from brute_force_trees import least_cost
from forged_certificates import WEIGHTS, drawn_table, fraction, tree_cost, with_its_claim
from selection import few
from treerules import Table, learn, optimal
from treerules.errors import TreeRulesError
from treerules.proof import certify, prove_optimal
from treerules.proof.certificate import Certificate
from treerules.proof.certificate_files import certificate_from_json, certificate_to_json

TEXTS = ("", "a", "c", "y", "p", "q", "x", "with", "without", "alone", "first", "number", "category", "gini", "weight")


def places_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values of a JSON value that hold no others."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in items for place in places_of(item, (*path, key))] or [path]


def other_value(value: Any, draw: random.Random) -> Any:
    """Return another value of a field, mostly of its type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        near = [0, 1, 2, 3, value * 2, value + 1, max(value - 1, 0), value * 0.6, value * 1.0000001, 1e-12, 1e12, None]
        other = draw.choice(near)
        return int(other) if isinstance(value, int) and isinstance(other, float) and draw.random() < 0.8 else other
    if isinstance(value, str):
        return draw.choice([*TEXTS, f"{value}0", value[::-1], None])
    return draw.choice([0, 1, 2.0, "a", None] if value is None else [None, [["p", 0.1]], [["p", "q", 0.1]]])


def true_least(table: Table, certificate: Certificate, weights: Sequence[float]) -> Fraction:
    """Return the least cost of all trees of an edited recipe."""
    recipe, classes = certificate.recipe, certificate.schema.classes
    factors = {label: Fraction(1) for label in classes} | {k: fraction(w) for k, w in dict(recipe.class_weight).items()}
    costs = {(one, other): Fraction(one != other) for one in classes for other in classes}
    costs |= {(one, other): fraction(cost) for one, other, cost in recipe.costs}
    labels = [table.column("y").value(row) for row in range(table.n_rows)]
    exact = [fraction(weight) * factors[label] for weight, label in zip(weights, labels, strict=True)]

    def leaf_cost(rows: Sequence[int]) -> Any:
        return min(sum((exact[row] * costs[labels[row], name] for row in rows), Fraction(0)) for name in classes)

    is_copied = certificate.schema.counted == "rows" and all(weight == int(weight) for weight in weights)
    sizes = weights if is_copied else [1.0] * len(weights)
    penalty: Any = fraction(recipe.optimal_search.leaf_penalty)
    least: Any = least_cost(table, recipe, penalty=penalty, weights=sizes, leaf_cost=leaf_cost)
    return least


def edited(content: dict[str, Any], place: tuple[Any, ...], draw: random.Random) -> Certificate:
    """Return a certificate with another value at a place of its file, and the sentence of its figures."""
    content = copy.deepcopy(content)
    part = content
    for key in place[:-1]:
        part = part[key]
    is_counted = place[-1] == "counted"
    part[place[-1]] = draw.choice(["rows", "weight"]) if is_counted else other_value(part[place[-1]], draw)
    return certificate_from_json(with_its_claim(content))


def assert_no_false_claim(seed: int) -> None:
    """Fail where a certificate is accepted that claims more than is true, whichever of its fields was edited."""
    draw = random.Random(seed)
    table = drawn_table(draw, draw.randint(4, 6))
    whole, any_of = [1.0, 1.0, 2.0, 3.0, 7.0, 1e3, 1e9], WEIGHTS[draw.choice([0, 5]) :]
    weights = [draw.choice(whole if seed % 5 < 2 else any_of) for _ in range(table.n_rows)]
    options: dict[str, Any] = {"min_samples_leaf": draw.choice([1e-12, 1, 2, 3]), "time_limit": None}
    recipe = optimal(max_depth=draw.choice([1, 2, 3]), leaf_penalty=draw.choice([0, 0, 1, 0.1]), **options)
    tree = learn(table, target="y", recipe=recipe, features=["a", "c"], weight=weights)
    content = json.loads(certificate_to_json(prove_optimal(tree, table, weight=weights)))
    for place in [("schema", "counted"), *places_of(content)]:
        if place == ("claim",):
            continue
        try:
            certificate = edited(content, place, draw)
            check = certify(certificate, table, tree=tree, weight=weights)
        except TreeRulesError:
            continue
        if not check.is_valid or certificate.recipe.class_weight == "balanced" or certificate.recipe.priors:
            continue
        least = true_least(table, certificate, weights)
        claimed = Fraction(certificate.lower) / fraction(certificate.scale)
        assert claimed <= least * (1 + Fraction(1, 10**15)), (seed, place)
        if check.is_optimal and not (certificate.recipe.class_weight or certificate.recipe.costs):
            slack = min(map(fraction, weights)) if check.rounding else Fraction(0)
            excess = tree_cost(tree, table, certificate, list(weights)) - least
            assert excess <= 0 or excess < slack, (seed, place)


@pytest.mark.parametrize("seed", few(range(5), 2))
def test_no_false_claim_whichever_field_is_edited(seed: int) -> None:
    """Hashes, schema, recipe, scale, price, cost, bound, columns and proof, at weights from 1e-12 to 1e12."""
    assert_no_false_claim(seed)


@pytest.mark.large
@pytest.mark.parametrize("start", range(5, 2000, 95))
def test_no_false_claim_of_two_thousand_certificates_whichever_field_is_edited(start: int) -> None:
    """The same, of many."""
    for seed in range(start, start + 95):
        assert_no_false_claim(seed)

"""An adversary edits certificates: whatever is still accepted is true, as exact fractions of all trees show."""

import json
import random
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve

from brute_force_trees import least_cost
from forged_certificates import WEIGHTS, drawn_table, fraction, tree_cost, with_its_claim
from treerules import Table, learn, optimal
from treerules.errors import TreeRulesError
from treerules.proof import certify, prove_optimal
from treerules.proof.certificate import Certificate
from treerules.proof.certificate_files import certificate_from_json, certificate_to_json, claim_text


def least(table: Table, certificate: Certificate, weights: list[float]) -> Fraction:
    """Return the least cost of all trees that a certificate is about, as a fraction."""
    exact = [fraction(weight) for weight in weights]
    labels = [table.column("y").value(row) for row in range(table.n_rows)]

    def leaf_cost(rows: Any) -> Any:
        return min(sum((exact[row] for row in rows if labels[row] != name), Fraction(0)) for name in "pq")

    penalty: Any = fraction(certificate.recipe.optimal_search.leaf_penalty)
    found: Any = least_cost(table, certificate.recipe, penalty=penalty, weights=weights, leaf_cost=leaf_cost)
    return found


def numbers_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all numbers of a JSON value."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [place for key, item in items for place in numbers_of(item, (*path, key))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def edited(certificate: Certificate, draw: random.Random) -> Certificate | None:
    """Return a certificate with one to three edits of its file, among them the claim; None where it is refused."""
    content = json.loads(certificate_to_json(certificate))
    fields = [place for place in numbers_of(content) if place[0] in {"scale", "leaf_price", "cost", "lower", "proof"}]
    for _ in range(draw.choice([1, 2, 2, 3])):
        *path, key = draw.choice([*fields, ("scale",), ("lower",), ("price",)])
        if key == "price":
            content["recipe"]["optimal_search"]["leaf_penalty"] = draw.choice([0, 0.1, 1, 1 / 3, 1e-12, 1e12])
            continue
        part = content
        for step in path:
            part = part[step]
        value = part[key]
        factor = draw.choice([0, 0.5, 0.6, 2, 10, 1 / 3, 1e-6, 1e6, 1.0000001, 0.9999999999999999])
        changed = value * factor if key == "scale" or draw.random() < 0.3 else value + draw.choice([-1, 1, 2, 1 << 61])
        part[key] = changed if key == "scale" else max(int(changed), 0)
    scale = content["scale"]
    if draw.random() < 0.6:  # the price and the claim, as a careful adversary writes them
        content["leaf_price"] = round(content["recipe"]["optimal_search"]["leaf_penalty"] * scale)
    content["cost"] = max(content["cost"], content["lower"])
    try:
        return certificate_from_json(with_its_claim(content))
    except TreeRulesError:
        return None


def no_false_claim(seed: int) -> bool:
    """Whether an edited certificate was read and refused; fails where what is accepted is not so."""
    draw = random.Random(seed)
    table = drawn_table(draw, draw.randint(4, 7))
    weights = [draw.choice(WEIGHTS[draw.choice([0, 5]) :]) for _ in range(table.n_rows)]
    options: dict[str, Any] = {"min_samples_leaf": 1e-12, "time_limit": None}
    recipe = optimal(max_depth=draw.choice([1, 2, 3]), leaf_penalty=draw.choice([0, 0, 1, 0.1]), **options)
    tree = learn(table, target="y", recipe=recipe, features=["a", "c"], weight=weights)
    honest = prove_optimal(tree, table, weight=weights)
    assert certify(honest, table, tree=tree, weight=weights).problem is None
    forged = edited(honest, draw)
    for certificate in [honest] if forged is None else [honest, forged]:
        try:
            check = certify(certificate, table, tree=tree, weight=weights)
        except TreeRulesError:
            return True
        true_least = least(table, certificate, weights)
        if check.is_valid:
            claimed = Fraction(certificate.lower) / fraction(certificate.scale)
            assert claimed <= true_least * (1 + Fraction(1, 10**15)), (seed, claim_text(certificate))
        if check.is_optimal:
            cost = tree_cost(tree, table, certificate, weights)
            one_error = min(map(fraction, weights))
            slack = one_error if check.rounding else Fraction(0)
            assert cost <= true_least or cost - true_least < slack, (seed, claim_text(certificate))
    return False


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_no_false_claim_of_an_edited_certificate(start: int) -> None:
    """Scale, price, cost, bound and every number of the proof, at weights from 1e-12 to 1e12."""
    for seed in range(start, start + 10):
        no_false_claim(seed)


@pytest.mark.large
@pytest.mark.parametrize("start", range(60, 2000, 97))
def test_no_false_claim_of_two_thousand_edited_certificates(start: int) -> None:
    """The same, of many."""
    for seed in range(start, start + 97):
        no_false_claim(seed)


@pytest.mark.large
def test_no_false_claim_of_a_certificate_of_500_000_rows() -> None:
    """One row of weight 1e9 beside 499,999 of weight 1, of which 100,000 are wrong in any tree of depth 1."""
    n = 499_999
    columns = {"x": [0] + [1 + row % 2 for row in range(n)], "y": ["p"] + ["q" if row % 5 else "p" for row in range(n)]}
    table, weights = Table.from_columns(columns), [1e9] + [1.0] * n
    tree = learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0, time_limit=None), weight=weights)
    honest = prove_optimal(tree, table, weight=weights)
    assert certify(honest, table, tree=tree, weight=weights).is_optimal
    errors = sum(label == "p" for label in columns["y"][1:])
    assert Fraction(honest.lower) / fraction(honest.scale) == errors
    draw = random.Random(1)
    for scale in (0.6, 0.75, 0.99, 1.5, 1e-3, 1 / 3, 1.0000001, 2.5, 1e6):
        for _ in range(3):
            lower = round(errors * scale * draw.choice([1, 1.2, 1.6, 1 / scale])) + draw.choice([0, 1, 100])
            forged = evolve(honest, scale=scale, lower=lower, cost=lower, penalty=0)
            check = certify(forged, table, tree=tree, weight=weights)
            assert not check.is_valid or Fraction(lower) / fraction(scale) <= errors
            assert not check.is_optimal or Fraction(lower) / fraction(scale) == errors

"""Tables and certificates for adversaries who edit certificates; costs are exact fractions."""

import json
import random
from fractions import Fraction
from typing import Any

from treerules import Table, predict
from treerules.errors import TreeRulesError
from treerules.proof.certificate import Certificate
from treerules.proof.certificate_files import certificate_from_json
from treerules.trees.walkers import leaves

WEIGHTS = [1e-12, 3e-12, 1e-3, 0.1, 0.3, 1.0, 1.0, 2.0, 7.0, 1e3, 1e9, 1e12]


def drawn_table(draw: random.Random, n: int) -> Table:
    """Return a table of a number and a category, some of them missing."""
    columns = {
        "a": [draw.choice([None, 0, 1, 2, 3]) for _ in range(n)],
        "c": [draw.choice([None, "x", "y", "z"]) for _ in range(n)],
        "y": [draw.choice("ppq") for _ in range(n - 2)] + ["p", "q"],
    }
    return Table.from_columns(columns, types={"a": "number", "c": "category"})


def fraction(value: float) -> Fraction:
    """Return the decimal that a person reads."""
    return Fraction(repr(float(value)))


def with_its_claim(content: dict[str, Any]) -> str:
    """Return the text of a certificate whose sentence is that of its figures."""
    text = json.dumps(content)
    try:
        certificate_from_json(text)
    except TreeRulesError as error:
        start = "its claim is not what its figures say: "
        if start in str(error):
            content["claim"] = str(error).split(start)[1].split("\n")[0]
    return json.dumps(content)


def tree_cost(tree: Any, table: Table, certificate: Certificate, weights: list[float]) -> Fraction:
    """Return the cost of a tree, as a fraction."""
    predicted = predict(tree, table)
    labels = [table.column("y").value(row) for row in range(table.n_rows)]
    errors = sum(
        (fraction(w) for w, answer, label in zip(weights, predicted, labels, strict=True) if answer != label),
        Fraction(0),
    )
    return errors + fraction(certificate.recipe.optimal_search.leaf_penalty) * sum(1 for _ in leaves(tree))

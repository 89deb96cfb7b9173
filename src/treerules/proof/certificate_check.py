"""The check of a certificate: from the raw table, in code of its own, without numba."""

from math import isfinite
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules._internal.arguments import require_type
from treerules._internal.notebook import Shown
from treerules.data.schema import Kind, Schema
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.proof.bounded_rows import BoundedRows, joined
from treerules.proof.certificate import Certificate
from treerules.proof.certificate_rows import CertifiedRows, certified_rows
from treerules.proof.cost_bound import find_cheaper
from treerules.rendering.headings import translated_text
from treerules.trees.cost_bounds import cost_text
from treerules.trees.ensemble import require_tree
from treerules.trees.predict import predict
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: Sums of costs below this are exact.
_MOST_COST = 1 << 53


@frozen(repr=False)
class CertificateCheck(Shown):
    """What a check of a certificate found."""

    certificate: Certificate
    #: why the claim is not proved; None where it is
    problem: str | None
    #: the cost of the tree that was evaluated, times the scale of the certificate; None without a tree
    tree_cost: int | None = None
    #: the greatest difference that rounding of costs makes to the cost of a tree; the claim allows for it
    rounding: float = 0.0
    #: the least cost of one error; None where it was not computed
    least_error: float | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the claim is proved."""
        return self.problem is None

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that the tree that was evaluated is optimal.

        Where costs are rounded: that no tree costs less by more than four times the rounding, which is less than one
        error.
        """
        if not self.is_valid or self.tree_cost is None:
            return False
        slack = _slack(self.certificate, self.rounding)
        is_less_than_an_error = not slack or (self.least_error or 0.0) > 4 * self.rounding
        return is_less_than_an_error and self.tree_cost <= self.certificate.lower + slack

    def __repr__(self) -> str:
        verdict = "valid" if self.is_valid else "not valid"
        return f"<CertificateCheck {verdict} lower={_text(self.certificate.lower, self.certificate)}>"


def certify(
    certificate: Certificate, table: TableLike, *, tree: Tree | None = None, weight: Any = None
) -> CertificateCheck:
    """Check a certificate: that no tree of its depth costs less on the rows of a table than it claims.

    Everything is rebuilt from the table: the rows and their hashes, the columns of all splits, the costs. Then every
    cut of every column must be excluded by the proof, whose bounds are computed afresh. Nothing of the search is used,
    and numba is not needed. A tree, if there is one, is evaluated on the rows.

    Args:
        certificate: a Certificate, from `prove_optimal` or `load_certificate`.
        table: the table that the certificate is about: a Table, a data frame, a list of dicts or a dict of columns. The
            order of the rows does not matter.
        tree: the tree that is said to be optimal, or None.
        weight: an array of sample weights, shape (rows,), where the certificate was made with one; a column of weights
            is found by its name.

    Returns:
        A CertificateCheck. Its `problem` says why a claim is not proved.

    Raises:
        OptionError: an argument has a wrong type.
        UnknownNameError: the table lacks a column.
        ColumnError: a column of the table has another kind.
        DataError: the table has no row with a target.
    """
    require_type("certificate", certificate, Certificate, "a Certificate, from prove_optimal or load_certificate")
    if tree is not None:
        require_tree("tree", tree)
    table = table_of(table)
    weights = certificate.weight if weight is None and certificate.weight else weight
    rows = certified_rows(table, certificate.schema, certificate.recipe, weights, certificate.scale)
    problem = _difference(certificate, rows) or _impossible(certificate, rows)
    tree_cost = None
    if problem is None and tree is not None:
        tree_cost = _cost_of(tree, certificate, rows)
        if _splits(tree.schema) != _splits(certificate.schema):
            problem = translated_text("the tree has other columns than the certificate")
        elif abs(tree_cost - certificate.cost) > 3 * rows.rounding:
            problem = translated_text(
                "the tree costs {cost}, not {claimed}",
                cost=_text(tree_cost, certificate),
                claimed=_text(certificate.cost, certificate),
            )
    if problem is None:
        problem = _unproved(certificate, rows)
    scale = certificate.scale
    return CertificateCheck(certificate, problem, tree_cost, rows.rounding / scale, rows.least_error / scale)


def _slack(certificate: Certificate, rounding: float) -> int:
    """Return by how many units the rounded cost of an optimal tree may exceed the bound: 0 where costs are exact."""
    return round(3 * rounding * certificate.scale)


def _splits(schema: Schema) -> Any:
    """Return what of a schema decides which splits a tree may have."""
    orders = {f.name: f.categories if f.kind is Kind.ORDINAL else () for f in schema.features}
    return orders, {f.name for f in schema.features if f.is_ordered}


def _text(cost: int, certificate: Certificate) -> str:
    return cost_text(cost / certificate.scale)


def _difference(certificate: Certificate, rows: CertifiedRows) -> str | None:
    """Return in what the rows differ from those of the certificate."""
    if len(rows.costs) != certificate.n_rows:
        return translated_text(
            "the certificate is about {n} rows; the table has {actual}", n=certificate.n_rows, actual=len(rows.costs)
        )
    expected, actual = certificate.hashes, rows.hashes
    if expected == actual:
        return None
    names = dict(actual.features)
    changed = [name for name, text in expected.features if names.get(name) != text]
    if changed:
        return translated_text("the values of the column {name} are not those of the certificate", name=changed[0])
    if expected.target != actual.target:
        return translated_text("the values of the target are not those of the certificate")
    if expected.weights != actual.weights:
        return translated_text("the weights are not those of the certificate")
    return translated_text("the columns hold the values of the certificate, but in other rows")


def _impossible(certificate: Certificate, rows: CertifiedRows) -> str | None:
    """Return which figure of the certificate cannot be."""
    scale, penalty = certificate.scale, certificate.recipe.optimal_search
    if penalty is None or penalty.leaf_penalty is None or certificate.recipe.max_depth is None:
        return translated_text("the recipe has no leaf penalty or no greatest depth")
    price = penalty.leaf_penalty * scale
    if not isfinite(price) or certificate.penalty != round(price):
        return translated_text(
            "the price of a leaf is {penalty}, which is not {units} / {scale}",
            penalty=f"{penalty.leaf_penalty:.9g}",
            units=certificate.penalty,
            scale=f"{scale:.9g}",
        )
    if not 0 <= certificate.lower <= certificate.cost or rows.costs.min() < 0:
        return translated_text("costs are below 0, or the bound is above the cost of the tree")
    n_leaves = 2 ** min(certificate.max_depth, 60)
    total = float(rows.costs.max(axis=1).sum())
    if total + n_leaves * certificate.penalty >= _MOST_COST:
        return translated_text("sums of costs are not exact at this scale")
    if rows.is_needless:
        return translated_text("at this scale costs are rounded by too much")
    return None


def _unproved(certificate: Certificate, rows: CertifiedRows) -> str | None:
    """Return why the bound is not proved; None where it is."""
    recipe = certificate.recipe
    least = recipe.least if recipe.least > rows.row_sizes.min() else 0.0
    can_split = float(rows.row_sizes.sum()) >= 2 * least
    least, depth = (least, certificate.max_depth) if can_split else (0.0, 0)
    whole, base = joined(BoundedRows(rows.columns, rows.ranks, rows.costs, rows.row_sizes, certificate.penalty, least))
    numbers = {column: number for number, column in enumerate(whole.columns)}
    unknown = [column for column in certificate.columns if column not in numbers]
    if unknown:
        return translated_text("the table has no such column of splits: {name}", name=unknown[0].feature)
    proof = None if certificate.proof is None else _renumbered(certificate, certificate.proof, numbers)
    bound = certificate.lower + rows.rounding if certificate.lower else 0
    return find_cheaper(whole, depth, bound - base, proof)


def _renumbered(certificate: Certificate, proof: Any, numbers: dict[Any, int]) -> Any:
    """Return a proof whose cuts have the positions of their columns among those of the checker."""
    if proof is None:
        return None
    cuts = [
        evolve(
            cut,
            column=numbers[certificate.columns[cut.column]],
            **{
                name: _renumbered(certificate, getattr(cut, name), numbers)
                for name in ("proof_below", "proof_above", "proof_own_below", "proof_own_above")
            },
        )
        for cut in proof.cuts
    ]
    shallow = _renumbered(certificate, proof.proof_of_shallow, numbers)
    return evolve(proof, cuts=cuts, proof_of_shallow=shallow)


def _cost_of(tree: Tree, certificate: Certificate, rows: CertifiedRows) -> int:
    """Return the cost of a tree on the rows; that of a tree which is too deep is impossible."""
    table = Table(rows.features)
    labels = {label: position for position, label in enumerate(certificate.schema.classes)}
    predicted = np.array([labels.get(label, -1) for label in predict(tree, table)])
    if (predicted < 0).any() or tree.depth > certificate.max_depth:
        return _MOST_COST
    errors = int(rows.costs[np.arange(len(predicted)), predicted].sum())
    return errors + certificate.penalty * sum(1 for _ in leaves(tree))

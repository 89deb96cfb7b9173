"""A certificate: what proves, to a checker that trusts nothing, that no tree of some rows costs less than a bound.

    claim    no tree of depth <= D, over the splits below, costs less than `lower` on the rows of these hashes
    proof    marks: cuts of columns, with lower bounds of the costs of trees of depth D - 1 below and above them

A tree splits at some cut. Its cost is at least that of the best trees of depth D - 1 on both sides. Costs fall where
rows are left out, by at most the greatest cost of each. So marks bound the cuts beside them, and a proof is complete
if the bounds of every cut of every column add up to the claim. Bounds of depth 1 and 2 are computed afresh by the
checker; those of greater depth have proofs of their own. A mark that is left out can only make the check fail.

The module holds the values; `certify` checks them, in code of its own.
"""

from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.recipes.recipe import Recipe

#: What a column of the search does with missing values: there are none; they are below or above all others; they are
#: with or without the category; they are alone against all others.
MISSING_PLACES = ("", "first", "last", "with", "without", "alone")


@frozen
class ProofColumn:
    """A column in which cuts are compared: a feature in its order, or one of its categories against the rest."""

    feature: str
    #: the category; None where values are in their order
    category: Any = None
    #: one of MISSING_PLACES
    missing: str = ""


@frozen
class ProvedCut:
    """A cut of a column: lower bounds of the costs of the trees below and above it, of one level less.

    Where leaves have a least weight, `cost_below` and `cost_above` hold for trees of lighter leaves too, and the `own`
    bounds for those of this cut alone; otherwise these are 0.
    """

    #: the position of the column among those of the certificate
    column: int
    #: the rank, among the values of the column in the table, of the least value above the cut
    cut: int
    cost_below: int
    cost_above: int
    proof_below: "BoundProof | None" = None
    proof_above: "BoundProof | None" = None
    own_below: int = 0
    own_above: int = 0
    proof_own_below: "BoundProof | None" = None
    proof_own_above: "BoundProof | None" = None


@frozen
class BoundProof:
    """The cuts that prove a lower bound of the costs of trees of depth 3 or more."""

    #: a lower bound for all rows of trees of one level less, and its proof
    shallow: int
    cuts: tuple[ProvedCut, ...] = field(converter=as_tuple)
    proof_of_shallow: "BoundProof | None" = None


@frozen
class RowHashes:
    """Hashes of the rows that a claim is about."""

    #: of all rows together: features, target and weights
    rows: str
    target: str
    #: None where no row has a weight
    weights: str | None
    #: of each feature, by name
    features: tuple[tuple[str, str], ...] = field(converter=as_tuple)


@short_repr
@frozen
class Certificate:
    """A claim about all trees of some rows, and its proof.

    Costs are whole numbers: those of the rows times `scale`, rounded. `lower` holds for the costs that are not rounded.
    """

    #: the features and the target of the table
    schema: Schema
    #: its class weights, priors and costs, greatest depth and least weight of a leaf; its leaf penalty is a number
    recipe: Recipe
    #: the column of sample weights; None without weights, "" where they were an array
    weight: str | None
    n_rows: int
    hashes: RowHashes
    scale: float
    #: the price of a leaf, the cost of the tree that was found, and the bound that no tree falls below, times the scale
    penalty: int
    cost: int
    lower: int
    columns: tuple[ProofColumn, ...] = field(converter=as_tuple)
    #: None where the checker needs none: depth 2 or less
    proof: BoundProof | None

    @property
    def max_depth(self) -> int:
        """The greatest depth of the trees that the claim is about."""
        return self.recipe.max_depth or 0

    @property
    def is_optimal(self) -> bool:
        """Whether the claim is that the tree is optimal, without any rounding of costs."""
        return self.lower == self.cost

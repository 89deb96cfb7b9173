"""What a search finds and proves: the splits of a tree, bounds, and the evaluated cuts that prove them."""

from attrs import frozen


@frozen
class Branching:
    """A split of a tree that was found, by the column and the rank above the cut, and what is below and above it.

    None stands for the best tree of depth 1, or a leaf.
    """

    column: int
    cut: int
    low: "Branching | None" = None
    high: "Branching | None" = None

    @property
    def n_leaves(self) -> int:
        """The number of leaves, where None is a leaf."""
        return sum(1 if side is None else side.n_leaves for side in (self.low, self.high))


@frozen
class Mark:
    """An evaluated cut: lower bounds of the costs below and above, and how they were found where that takes marks.

    Where leaves have a least weight, the first two bounds hold for trees of lighter leaves too, whose costs fall where
    rows are left out. The last two hold for this cut alone.
    """

    column: int
    cut: int
    cost_below: int
    cost_above: int
    proof_below: "Proof | None" = None
    proof_above: "Proof | None" = None
    own_below: int = 0
    own_above: int = 0
    proof_own_below: "Proof | None" = None
    proof_own_above: "Proof | None" = None


@frozen
class Proof:
    """The evaluated cuts that prove a bound: no tree of some rows, of at most some depth, costs less."""

    bound: int
    #: the bound of trees of one level less for the same rows, and its proof
    shallow: int
    marks: tuple[Mark, ...]
    proof_of_shallow: "Proof | None" = None


@frozen
class SearchResult:
    """The best tree that was found, and what is proved about all trees."""

    #: the cost of the tree; the cost to improve on where none was found that costs less
    cost: int
    #: no tree costs less than this
    lower: int
    #: None: a tree of depth 1, or none
    branching: Branching | None = None
    #: only where marks are kept
    proof: Proof | None = None

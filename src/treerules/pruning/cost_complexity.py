"""Cost-complexity pruning by weakest links (Breiman et al. 1984, chapter 3; Li Hang, algorithm 5.7).

    R(t)        risk of node t as a leaf          R(T_t)   summed risk of the leaves below t
    g(t)        (R(t) - R(T_t)) / (|T_t| - 1): the alpha at which R(t) + alpha = R(T_t) + alpha |T_t|

The book collapses the split of least g, computes every g again, and repeats. When a split is collapsed, its g is the
alpha at which the line R(t) + alpha meets the least R(T) + alpha |T| over its subtrees. This depends only on the alphas
of the splits below, so one pass from the leaves up finds all alphas.
"""

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import frexp, fsum, ldexp, sqrt

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.criteria import SQUARED_ERROR
from treerules.pruning.common import ALPHA, RISKS, TOLERANCE, Risk, check_amount, collapse_nodes, risk_of, with_root
from treerules.pruning.pruner import OneOf, Option, Pruner
from treerules.trees.ensemble import require_tree
from treerules.trees.nodes import Node
from treerules.trees.tree import Tree
from treerules.trees.tree_arrays import ChildNumbers, leaves_and_children

#: A collapse below a node: (-alpha, increase of the risk, decrease of the number of leaves); a heap yields the greatest
#: alpha first.
Link = tuple[float, float, int]
#: The collapses below a leaf: none.
_NONE: list[Link] = []


@short_repr
@frozen
class Step:
    """One subtree of a path: the least alpha for which it is optimal, its number of leaves |T| and its risk R(T)."""

    alpha: float
    n_leaves: int
    risk: float


@frozen(repr=False)
class CostComplexityPath(Shown):
    """The subtrees that minimise R(T) + alpha |T|, from alpha 0 up: nested, their alphas strictly increasing.

    The subtree of a step is the smallest minimiser for alphas from its own up to that of the next step. The first step
    has alpha 0: the smallest subtree with the risk of the whole tree. The last is the root alone.
    """

    tree: Tree
    #: the name of the risk
    risk: str
    steps: tuple[Step, ...] = field(converter=as_tuple)
    #: for each node, by number, the alpha from which on it is not a split
    _alphas: tuple[float, ...] = field(converter=as_tuple, eq=False, repr=False)

    def __repr__(self) -> str:
        return f"<CostComplexityPath steps={len(self.steps)} risk={self.risk!r}>"

    @property
    def alphas(self) -> tuple[float, ...]:
        """The alphas of the steps."""
        return tuple(step.alpha for step in self.steps)

    def subtree(self, alpha: float) -> Tree:
        """Return the smallest subtree that minimises R(T) + alpha |T|.

        Raises:
            OptionError: `alpha` is not a number of at least 0.
        """
        check_amount("alpha", alpha)
        return with_root(self.tree, collapse_nodes(self.tree.root, _nodes_collapsed_at(self._alphas, alpha)))

    def subtrees(self) -> Iterator[Tree]:
        """Yield the subtree of each step."""
        return (self.subtree(step.alpha) for step in self.steps)


def cost_complexity(tree: Tree, *, alpha: float, risk: str | None = None) -> Tree:
    """Return the smallest subtree that minimises R(T) + alpha |T|: the step of `cost_complexity_path` for this alpha.

    R(T) is summed over the training rows: risk="misclassification" (the default: the weight of the rows with another
    label than their leaf's, or their summed costs), "gini" or "entropy" (rows times impurity, in bits), and
    "squared_error" for a regression. alpha is in the same unit, per leaf. scikit-learn divides both by the number of
    rows: ccp_alpha = alpha / n, with Gini; rpart by the root's risk: cp = alpha / R(root), with misclassification.

    Raises:
        OptionError: `alpha` is not a number of at least 0; the risk does not fit the tree's task.
        UnknownNameError: there is no such risk.
        DataError: a split has no leaf to replace it.
    """
    check_amount("alpha", alpha)
    alphas = collapse_alphas(tree.root, risk_of(tree, risk))
    return with_root(tree, collapse_nodes(tree.root, _nodes_collapsed_at(alphas, alpha)))


def cost_complexity_path(tree: Tree, *, risk: str | None = None) -> CostComplexityPath:
    """Return the path of subtrees that cost-complexity pruning takes (Breiman 1984, section 3.3).

    Args:
        tree: a Tree whose splits have `as_leaf`, the leaf to replace them, such as one returned by `learn`.
        risk: the risk to sum over the leaves: "misclassification", "gini" or "entropy" for a classification,
            "squared_error" for a regression; None is misclassification or squared_error.

    Returns:
        A CostComplexityPath: `steps` from alpha 0 up, the last of which is the root alone, and `subtree(alpha)`.

    Raises:
        OptionError, UnknownNameError: an argument has an invalid value, or the risk does not fit the task.
        DataError: a split has no leaf to replace it; squared errors leave the range of floats.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> path = cost_complexity_path(learn(table, target="y", recipe=cart()))
        >>> [(step.alpha, step.n_leaves, step.risk) for step in path.steps]
        [(0.0, 4, 0.0), (0.5, 2, 1.0), (2.0, 1, 3.0)]
    """
    require_tree("tree", tree)
    risks, below = risks_of(tree.root, risk_of(tree, risk))
    alphas = weakest_links(risks, below)
    steps = steps_of(risks, below, alphas)
    name = risk or (SQUARED_ERROR.name if tree.schema.is_regression else "misclassification")
    return CostComplexityPath(tree, name, steps, alphas)


def collapse_alphas(root: Node, leaf_risk: Risk) -> list[float]:
    """Return, for every node in preorder, the alpha from which it, or a node above it, is a leaf.

    Raises:
        DataError: a split has no leaf to replace it.
    """
    return weakest_links(*risks_of(root, leaf_risk))


def risks_of(root: Node, leaf_risk: Risk) -> tuple[list[float], ChildNumbers]:
    """Return, for every node in preorder, its risk as a leaf and the numbers of its children.

    Raises:
        DataError: a split has no leaf to replace it.
    """
    leaves, children = leaves_and_children(root)
    return list(map(leaf_risk, leaves)), children


def weakest_links(risks: Sequence[float], below: ChildNumbers) -> list[float]:
    """Return, for every node in preorder, the alpha from which it, or a node above it, is a leaf.

    A node is still a split while alpha is below its value. Leaves have 0.0; splits a finite number of at least 0 that
    is at most that of their parent. Costs O(n log^2 n) for n nodes, whatever the depth.

    A split has alpha 0 if its risk as a leaf exceeds the risk below by at most 1e-12 of itself. Alphas that differ by
    at most 1e-12 of their size are set to the least of them, so unequal alphas differ by more than rounding.
    """
    n = len(risks)
    links: list[list[Link]] = [_NONE] * n
    alphas, slacks = [0.0] * n, [0.0] * n
    for at in range(n - 1, -1, -1):
        children = below[at]
        if children:
            heap = _merge_heaps([links[child] for child in children])
            risk = risks[at]
            least = TOLERANCE * risk
            gain, fewer = risk - sum([risks[child] for child in children]), len(children) - 1
            if heap:
                gain, fewer = _collapse_turn(heap, gain, fewer, least)
            slacks[at] = least / fewer
            if gain > least:
                alphas[at] = gain / fewer
                link = -alphas[at], gain, fewer
                if heap:
                    heappush(heap, link)
                else:
                    heap = [link]
            links[at] = heap
    equalise_close_alphas(alphas, slacks)
    lower_to_parent(alphas, below)
    return alphas


def lower_to_parent(alphas: list[float], below: ChildNumbers) -> None:
    """Limit the alpha of each node to that of its parent, in place."""
    for at, children in enumerate(below):
        most = alphas[at]
        for child in children:
            if alphas[child] > most:
                alphas[child] = most


def _collapse_turn(links: list[Link], gain: float, fewer: int, least: float) -> tuple[float, int]:
    """Return R(t) - R(T_t) and |T_t| - 1 when a split collapses, and remove the later collapses from `links`.

    At first all splits below count as collapsed. While this split collapses before the last of them, that collapse is
    undone, since it never happens.
    """
    while links and (gain <= least or gain < -links[0][0] * fewer):
        _, risk, more = heappop(links)
        gain, fewer = gain + risk, fewer + more
    return gain, fewer


def _merge_heaps(heaps: Sequence[list[Link]]) -> list[Link]:
    """Return one heap of all links; the largest heap is reused."""
    largest = max(heaps, key=len)
    for heap in heaps:
        if heap is not largest:
            for link in heap:
                heappush(largest, link)
    return largest


def equalise_close_alphas(alphas: list[float], slacks: Sequence[float]) -> None:
    """Set alphas that differ only by rounding to the least of them, in place."""
    step = 0.0
    for at in sorted(range(len(alphas)), key=alphas.__getitem__):
        alpha = alphas[at]
        if alpha - slacks[at] > step:
            step = alpha
        alphas[at] = step


def greatest_alpha_reached(alpha: float) -> float:
    """Return the greatest alpha that rounding cannot distinguish from a given one."""
    return alpha + TOLERANCE * alpha


def _nodes_collapsed_at(alphas: Sequence[float], alpha: float) -> set[int]:
    """Return the numbers of the nodes that are not splits at alpha."""
    return {at for at, node_alpha in enumerate(alphas) if node_alpha <= greatest_alpha_reached(alpha)}


def steps_of(risks: Sequence[float], below: ChildNumbers, alphas: Sequence[float]) -> list[Step]:
    """Return a step for each alpha. A node is a leaf of the subtrees from its own alpha up to that of its parent."""
    ordered = sorted({0.0, *alphas})
    step_of_alpha = {alpha: step for step, alpha in enumerate(ordered)}
    leaves = [0] * (len(ordered) + 1)
    changes: list[list[float]] = [[] for _ in leaves]
    spans = [(0, step_of_alpha[alphas[0]], len(ordered))]
    spans += [
        (child, step_of_alpha[alphas[child]], step_of_alpha[alphas[at]])
        for at, nodes in enumerate(below)
        for child in nodes
    ]
    for at, start, end in spans:
        if start < end:
            for step, sign in ((start, 1), (end, -1)):
                leaves[step] += sign
                changes[step].append(sign * risks[at])
    steps = [Step(0.0, leaves[0], fsum(changes[0]))]
    for alpha, more, changed in zip(ordered[1:], leaves[1:], changes[1:], strict=False):
        steps.append(Step(alpha, steps[-1].n_leaves + more, fsum([steps[-1].risk, *changed])))
    return steps


def alphas_between(alphas: Sequence[float]) -> list[float]:
    """Return alphas at which to evaluate the subtrees of a path, given by their own alphas, the root's first.

    Each is the geometric mean of the subtree's alpha and that of the one before (Breiman 1984, section 3.4.2); the
    root's is above its own.
    """
    return [10 * alphas[0], *(_geometric_mean(above, alpha) for above, alpha in pairwise(alphas))]


def _geometric_mean(a: float, b: float) -> float:
    """Return sqrt(a b), correctly rounded even if a b overflows or underflows."""
    power = (frexp(a)[1] + frexp(b)[1]) // 2
    return ldexp(sqrt(ldexp(a, -power) * ldexp(b, -power)), power)


COST_COMPLEXITY = Pruner(
    "cost_complexity",
    options=(
        ALPHA,
        Option(name="risk", values=OneOf(RISKS), help="sum this risk over the leaves", flag="--risk"),
    ),
    prune=cost_complexity,
)

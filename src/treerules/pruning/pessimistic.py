"""Pessimistic pruning by upper confidence limits of the training errors (Quinlan 1993, chapter 4)."""

from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.pruning.common import WEIGHT
from treerules.pruning.error_bounds import LIMITS
from treerules.pruning.leaf_errors import check_pessimistic, prune_without_rows, rows_per_weight_of
from treerules.pruning.pruner import NumberRange, OneOf, Option, Pruner, TableRows
from treerules.pruning.subtree_raising import raise_subtrees
from treerules.trees.tree import Tree


def pessimistic(
    tree: Tree,
    *,
    confidence: float = 0.25,
    limit: str = "quinlan",
    table: Table | None = None,
    weight: str | None = None,
) -> Tree:
    """Return the tree pruned as by C4.5: by upper limits of the training errors.

    From the leaves up, a split becomes a leaf if the estimated errors of the leaf are at most 0.1 more than those of
    the branches.

    The estimate of a leaf is its training errors (the weight of the rows with another label; costs are ignored) plus
    `extra_errors` at `confidence` (a smaller one prunes more), by the upper limit "quinlan" (C4.5 release 8), "j48" or
    "binomial" (exact). With the training `table` (and `weight`, the name of its column of case weights) a split can
    also be replaced by its largest branch (subtree raising), whose figures are recomputed from the rows.

    Raises:
        OptionError: the tree is a regression; the confidence is not above 0 and at most 0.5; a weight without table.
        UnknownNameError: there is no such limit.
        DataError: a split has no leaf to replace it.
    """
    check_pessimistic(tree, confidence, limit)
    if table is not None:
        return raise_subtrees(tree, table, confidence=confidence, limit=limit, weight=weight)
    if weight is not None:
        raise OptionError("weight", weight, "it together with the table that holds this column")
    return prune_without_rows(tree, confidence, limit, rows_per_weight_of(tree))


PESSIMISTIC = Pruner(
    "pessimistic",
    options=(
        Option(
            name="confidence",
            values=NumberRange(0.0, 0.5, exclusive=True),
            help="estimate errors at this confidence",
            default="0.25",
            flag="--confidence",
        ),
        Option(name="limit", values=OneOf(LIMITS), help="use this upper limit of errors", flag="--limit"),
        Option(
            name="table", values=TableRows(training=True), help="read the training rows from this file", flag="--data"
        ),
        WEIGHT,
    ),
    prune=pessimistic,
)

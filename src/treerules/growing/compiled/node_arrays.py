"""The tree as arrays, while it grows."""

from typing import Any, NamedTuple


class Nodes(NamedTuple):
    """The tree as arrays by node number, as in `ArrayTree`; of codes, `low` and `high` are codes."""

    kind: Any
    feature: Any
    low: Any
    high: Any
    missing_child: Any
    largest_child: Any
    first_child: Any
    n_children: Any
    #: the code that leads to a node of a multiway split
    category: Any
    #: where the sides of a split by subsets begin in the pool
    sides_start: Any
    #: where the rows of a node begin and end
    start: Any
    stop: Any
    #: the least and the greatest prediction allowed; one line where no feature is monotone
    bounds: Any
    #: class weights; of a regression weight, mean and standard deviation, the last two written when the tree is done
    statistics: Any

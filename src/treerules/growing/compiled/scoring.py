"""The parameters by which a tree is scored and stopped."""

from typing import Any, NamedTuple

#: Positions in `Scoring.scale`: what is subtracted from the targets of the node, the factor of the differences, and the
#: least and the greatest prediction allowed, in these terms.
CENTRE, FACTOR, LEAST, GREATEST = range(4)


class Scoring(NamedTuple):
    """The scoring parameters of a tree."""

    criterion: int
    #: the factor of each class; of a regression a single 1
    factors: Any
    #: the number of statistics of a group, and of those that add up to its weight
    n_sums: int
    n_weights: int
    #: the least size of a child
    least: float
    #: whether any value is missing
    has_missing: bool
    #: whether missing values go to the child where they help more
    is_learned: bool
    #: whether features compete by gain ratio
    has_divisor: bool
    #: the weight of each row, in the order of the problem; one entry where `has_weights` is false
    weights: Any
    has_weights: bool
    #: whether least numbers of rows count rows
    counts_rows: bool
    #: whether each row counts 1 in a list: neither weights nor factors, and not C4.5 as published
    is_plain: bool
    #: c log2 c for every number of rows c, where entropies of plain counts are searched; otherwise one entry
    terms: Any
    has_terms: bool
    #: whether sums are rounded: weights are fractions, or the target has no unit
    is_rounded: bool
    #: the target of each row of a regression
    values: Any
    #: the greatest weight of a row, times its factor
    most_added: float
    #: of the current node: CENTRE, FACTOR, ...
    scale: Any
    #: the divisor of the scores of each feature, whether one is not 1, and the least of them and 1
    costs: Any
    has_costs: bool
    least_cost: float
    #: the directions of monotone features, and whether there are any; the factors of the two classes in predictions
    directions: Any
    has_directions: bool
    label_factors: Any
    #: whether the tree is that of C4.5 as published, and the values of its lists by row, shape (lists, rows)
    is_published: bool
    cut_values: Any


class Stopping(NamedTuple):
    """The stopping rules; bounds are in bits for entropy."""

    max_depth: int
    min_samples_split: float
    min_gain: float
    min_impurity: float
    #: gain ratio: whether only features of at least average gain compete, which count in it, and which are cut
    has_average: bool
    is_averaged: Any
    is_cut: Any
    #: whether scores of nodes whose weights are all whole are compared exactly, though others are not
    has_exact_nodes: bool
    #: whether scores are compared exactly: whole counts and Gini, or a target with a unit
    is_exact: bool
    #: the unit of the target, 1 where it has none
    unit: float

"""Split criteria: the table `CRITERIA` of records, whose fields are pure functions of class counts."""

from treerules.criteria.criterion import Criterion, Impurity, Task, UnknownCriterion, word_of
from treerules.criteria.scores import (
    LOGARITHMS,
    Base,
    Counts,
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    gini_of_split,
    information_gain,
    split_information,
    squared_error,
)
from treerules.criteria.table import CRITERIA, ENTROPY, ENTROPY_KERNEL, GINI, GINI_KERNEL, SQUARED_ERROR, kernel_of

__all__ = (
    "CRITERIA",
    "ENTROPY",
    "ENTROPY_KERNEL",
    "GINI",
    "GINI_KERNEL",
    "LOGARITHMS",
    "SQUARED_ERROR",
    "Base",
    "Counts",
    "Criterion",
    "Impurity",
    "Task",
    "UnknownCriterion",
    "conditional_entropy",
    "entropy",
    "gain_ratio",
    "gini",
    "gini_of_split",
    "information_gain",
    "kernel_of",
    "split_information",
    "squared_error",
    "word_of",
)

"""Split criteria: the table `CRITERIA` of records, whose fields are pure functions of class counts."""

from treerules.criteria.criterion import Criterion, Impurity, Task
from treerules.criteria.scores import (
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
from treerules.criteria.table import CRITERIA, ENTROPY, GINI, SQUARED_ERROR

__all__ = (
    "CRITERIA",
    "ENTROPY",
    "GINI",
    "SQUARED_ERROR",
    "Base",
    "Counts",
    "Criterion",
    "Impurity",
    "Task",
    "conditional_entropy",
    "entropy",
    "gain_ratio",
    "gini",
    "gini_of_split",
    "information_gain",
    "split_information",
    "squared_error",
)

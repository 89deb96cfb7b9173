"""How mixed a node is, and how much a split helps: pure functions of counts.

`counts` are class counts of one node, `groups` the class counts of its children, in any order. Weighted counts are
fine. All functions return a float that does not depend on the order of counts or groups; an empty node has impurity 0.
"""

from collections.abc import Callable, Sequence
from math import frexp, fsum, inf, ldexp, log, log2
from typing import Literal

from treerules.errors import UnknownNameError

Counts = Sequence[float]
Base = Literal["2", "e"]
LOGARITHMS: dict[str, Callable[[float], float]] = {"2": log2, "e": log}


def entropy(counts: Counts, base: Base = "2") -> float:
    """Return the Shannon entropy, in bits unless base="e" (Quinlan 1986, p. 89; Li Hang, formula 5.7).

    >>> round(entropy((9, 5)), 2), round(entropy((9, 6)), 3)
    (0.94, 0.971)

    0 <= entropy <= log(number of classes).
    """
    if base not in LOGARITHMS:
        raise UnknownNameError("base of logarithms", base, LOGARITHMS)
    total = fsum(counts)
    shares = [count / total for count in counts if count > 0]
    return max(0.0, -fsum(share * LOGARITHMS[base](share) for share in shares))


def conditional_entropy(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H(D|A), the entropy of the children weighted by their size (Li Hang, formula 5.8).

    >>> round(conditional_entropy([(4, 1), (3, 2), (2, 3)]), 3)  # 年龄 of table 5.1
    0.888
    """
    total = sum(sum(group) for group in groups)
    return fsum(sum(group) / total * entropy(group, base) for group in groups if sum(group) > 0)


def information_gain(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H(D) - H(D|A) (Quinlan 1986, p. 90; Li Hang, algorithm 5.1).

    >>> round(information_gain([(6, 3), (0, 6)]), 3)  # 有自己的房子
    0.42
    """
    return entropy(_total(groups), base) - conditional_entropy(groups, base)


def split_information(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H_A(D), the entropy of the children's sizes (Quinlan 1993, p. 23; Li Hang, formula 5.10).

    >>> round(split_information([(2, 3), (4, 0), (3, 2)]), 3)  # outlook
    1.577
    """
    return entropy([sum(group) for group in groups], base)


def gain_ratio(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return the information gain divided by the split information, 0 where that is 0 (Quinlan 1993, p. 23).

    >>> round(gain_ratio([(2, 3), (4, 0), (3, 2)]), 3)
    0.156
    """
    divisor = split_information(groups, base)
    return information_gain(groups, base) / divisor if divisor > 0 else 0.0


def gini(counts: Counts) -> float:
    """Return the Gini impurity, 1 minus the sum of squared shares (Breiman 1984, p. 38; Li Hang, formula 5.24).

    >>> round(gini((9, 5)), 3)
    0.459
    """
    total = sum(counts)
    return (total * total - sum(count * count for count in counts)) / (total * total) if total > 0 else 0.0


def gini_of_split(groups: Sequence[Counts]) -> float:
    """Return Gini(D, A), the children's Gini weighted by their size (Li Hang, formula 5.25).

    >>> round(gini_of_split([(6, 3), (0, 6)]), 2)  # 有自己的房子 = 是
    0.27
    """
    total = sum(sum(group) for group in groups)
    return fsum(sum(group) / total * gini(group) for group in groups if sum(group) > 0)


def squared_error(values: Sequence[float]) -> float:
    """Return the sum of squared distances from the mean (Li Hang, formula 5.21).

    >>> round(squared_error([4.5, 4.75, 4.91, 5.34, 5.8]) + squared_error([7.05, 7.9, 8.23, 8.7, 9.0]), 2)
    3.36
    """
    if not values:
        return 0.0
    exponent = frexp(max(map(abs, values)))[1]  # so that neither sums nor squares leave the range
    scaled = [ldexp(value, -exponent) for value in values]
    mean = fsum(scaled) / len(scaled)
    try:
        return ldexp(fsum((value - mean) * (value - mean) for value in scaled), 2 * exponent)
    except OverflowError:
        return inf


def _total(groups: Sequence[Counts]) -> list[float]:
    return [sum(column) for column in zip(*groups, strict=True)]

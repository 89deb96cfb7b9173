"""Impurities of nodes and scores of splits: pure functions of counts.

`counts` are class counts of one node, `groups` the class counts of its children, in any order. Weighted counts are
fine. All functions return a float that does not depend on the order of counts or groups; an empty node has impurity 0.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import frexp, fsum, inf, ldexp, log, log2, prod
from typing import Any, Literal

import numpy as np

from treerules.criteria.count_checks import require_counts, require_groups, require_numbers
from treerules.errors import OptionError, UnknownNameError

#: The weighted count of each class at a node, in the order of the classes.
Counts = Sequence[float]
#: The base of logarithms: entropy in bits, or in nats.
Base = Literal["2", "e"]
LOGARITHMS: dict[str, Callable[[float], float]] = {"2": log2, "e": log}


def entropy(counts: Counts, base: Base = "2") -> float:
    """Return the Shannon entropy, in bits unless base="e" (Quinlan 1986, p. 89; Li Hang, formula 5.7).

    Args:
        counts: the number of rows, or their weight, of each class at a node; not negative.
        base: the base of the logarithms, "2" (the default: bits) or "e".

    Returns:
        A number from 0 to the logarithm of the number of classes; 0 of an empty node.

    Raises:
        OptionError: the counts are not non-negative, finite numbers.
        UnknownNameError: there is no such base.

    Examples:
        >>> round(entropy((9, 5)), 2), round(entropy((9, 6)), 3)
        (0.94, 0.971)
    """
    if not isinstance(base, str) or base not in LOGARITHMS:
        raise UnknownNameError("base of logarithms", base, LOGARITHMS)
    require_counts("counts", counts)
    total = fsum(counts)
    shares = [count / total for count in counts if count > 0]
    return max(0.0, -fsum(share * LOGARITHMS[base](share) for share in shares))


def conditional_entropy(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H(D|A), the entropy of the children weighted by their size (Li Hang, formula 5.8).

    Args:
        groups: the counts of each child, one for each class in the same order; not negative.
        base: the base of the logarithms, "2" (the default: bits) or "e".

    Returns:
        A number from 0 to the entropy of the whole node.

    Raises:
        OptionError: the groups are not collections of equally many non-negative, finite numbers.
        UnknownNameError: there is no such base.

    Examples:
        >>> round(conditional_entropy([(4, 1), (3, 2), (2, 3)]), 3)  # 年龄 of table 5.1
        0.888
    """
    require_groups(groups)
    total = sum(sum(group) for group in groups)
    return fsum(sum(group) / total * entropy(group, base) for group in groups if sum(group) > 0)


def information_gain(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H(D) - H(D|A) (Quinlan 1986, p. 90; Li Hang, algorithm 5.1).

    Args:
        groups: the counts of each child, one for each class in the same order; not negative.
        base: the base of the logarithms, "2" (the default: bits) or "e".

    Returns:
        A number from 0 to the entropy of the whole node, but for rounding.

    Raises:
        OptionError: the groups are not collections of equally many non-negative, finite numbers.
        UnknownNameError: there is no such base.

    Examples:
        >>> round(information_gain([(6, 3), (0, 6)]), 3)  # 有自己的房子
        0.42
    """
    require_groups(groups)
    return entropy(_total(groups), base) - conditional_entropy(groups, base)


def split_information(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return H_A(D), the entropy of the children's sizes (Quinlan 1993, p. 23; Li Hang, formula 5.10).

    Args:
        groups: the counts of each child, one for each class in the same order; not negative.
        base: the base of the logarithms, "2" (the default: bits) or "e".

    Returns:
        A number from 0 to the logarithm of the number of groups.

    Raises:
        OptionError: the groups are not collections of equally many non-negative, finite numbers.
        UnknownNameError: there is no such base.

    Examples:
        >>> round(split_information([(2, 3), (4, 0), (3, 2)]), 3)  # outlook
        1.577
    """
    require_groups(groups)
    return entropy([sum(group) for group in groups], base)


def gain_ratio(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return the information gain divided by the split information, 0 where that is 0 (Quinlan 1993, p. 23).

    Args:
        groups: the counts of each child, one for each class in the same order; not negative.
        base: the base of the logarithms, "2" (the default: bits) or "e".

    Returns:
        The ratio; 0 where the split information is 0.

    Raises:
        OptionError: the groups are not collections of equally many non-negative, finite numbers.
        UnknownNameError: there is no such base.

    Examples:
        >>> round(gain_ratio([(2, 3), (4, 0), (3, 2)]), 3)
        0.156
    """
    divisor = split_information(groups, base)
    return information_gain(groups, base) / divisor if divisor > 0 else 0.0


def gini(counts: Counts) -> float:
    """Return the Gini impurity, 1 minus the sum of squared shares (Breiman 1984, p. 38; Li Hang, formula 5.24).

    Args:
        counts: the number of rows, or their weight, of each class at a node; not negative.

    Returns:
        A number from 0 up to, but not including, 1; 0 of an empty node.

    Raises:
        OptionError: the counts are not non-negative, finite numbers.

    Examples:
        >>> round(gini((9, 5)), 3)
        0.459
    """
    require_counts("counts", counts)
    total = sum(counts)
    if not total > 0:
        return 0.0
    square = total * total
    if 1e-200 < square < 1e300:
        return (square - sum(count * count for count in counts)) / square
    return 1.0 - fsum((count / total) ** 2 for count in counts)  # the squares leave the range of floats


def gini_of_split(groups: Sequence[Counts]) -> float:
    """Return Gini(D, A), the children's Gini weighted by their size (Li Hang, formula 5.25).

    Args:
        groups: the counts of each child, one for each class in the same order; not negative.

    Returns:
        A number from 0 up to, but not including, 1.

    Raises:
        OptionError: the groups are not collections of equally many non-negative, finite numbers.

    Examples:
        >>> round(gini_of_split([(6, 3), (0, 6)]), 2)  # 有自己的房子 = 是
        0.27
    """
    require_groups(groups)
    total = sum(sum(group) for group in groups)
    return fsum(sum(group) / total * gini(group) for group in groups if sum(group) > 0)


def gini_gain(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return the decrease of Gini (Breiman 1984, p. 32); there are no logarithms, so `base` has no effect.

    >>> round(gini_gain([(6, 3), (0, 6)]), 3)
    0.213
    """
    return known_gini_gain(groups, 1.0, 1.0, base)


def exact_gini_gain(groups: Sequence[Sequence[int]], n: int) -> Fraction:
    """Return the decrease of Gini times the groups' share of n rows, of counts that are integers.

    >>> exact_gini_gain([(6, 3), (0, 6)], 15)
    Fraction(16, 75)
    """
    sizes = [sum(group) for group in groups]
    totals = [sum(column) for column in zip(*groups, strict=True)]
    n_known = sum(sizes)
    common = prod(sizes) * n_known
    sum_of_parts = sum(_squares(group) * (common // size) for group, size in zip(groups, sizes, strict=True))
    return Fraction(sum_of_parts - _squares(totals) * (common // n_known), common * n)


def variance(deviation: Counts, base: Base = "2") -> float:
    """Return the variance of a node of a regression, given its standard deviation as a sequence of one."""
    (sd,) = deviation
    return sd**2


def variance_decrease(groups: Sequence[Counts], base: Base = "2") -> float:
    """Return the decrease of variance (Breiman 1984, section 8.4); a group is its weight and its sum of targets.

    >>> variance_decrease([(2, 2.0), (2, 6.0)])
    1.0
    """
    return known_variance_decrease(groups, 1.0, sum(size for size, _ in groups), base)


def squared_error(values: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Return the (weighted) sum of squared distances from the mean (Li Hang, formula 5.21).

    Args:
        values: the targets of a node's rows, finite numbers.
        weights: the weight of each value, not negative; None (the default) is 1 each.

    Returns:
        The sum, in the square of the unit of the values; 0 without values, inf where it overflows.

    Raises:
        OptionError: a value or weight is not such a number, or there are not as many weights as values.

    Examples:
        >>> round(squared_error([4.5, 4.75, 4.91, 5.34, 5.8]) + squared_error([7.05, 7.9, 8.23, 8.7, 9.0]), 2)
        3.36
    """
    require_numbers("values", values)
    if weights is not None:
        require_counts("weights", weights)
        if len(weights) != len(values):
            raise OptionError("weights", weights, f"one weight for each of the {len(values)} values")
    if len(values) == 0:
        return 0.0
    exponent = frexp(max(map(abs, values)))[1]  # so that neither sums nor squares overflow
    scaled = [ldexp(value, -exponent) for value in values]
    try:
        if weights is None:
            mean = fsum(scaled) / len(scaled)
            return ldexp(fsum((value - mean) * (value - mean) for value in scaled), 2 * exponent)
        pairs = list(zip(scaled, weights, strict=True))
        mean = fsum(value * weight for value, weight in pairs) / fsum(weights)
        return ldexp(fsum((value - mean) * (value - mean) * weight for value, weight in pairs), 2 * exponent)
    except OverflowError:
        return inf


def _total(groups: Sequence[Counts]) -> list[float]:
    return [sum(column) for column in zip(*groups, strict=True)]


def _squares(counts: Iterable[Any]) -> Any:
    return sum(count * count for count in counts)


# ---- scores times known / n, the share of the rows whose value is known; the order of operations fixes the rounding


def known_information_gain(groups: Sequence[Counts], known: float, n: float, base: Base) -> float:
    """Return the information gain times known / n."""
    return known / n * information_gain(groups, base)


def known_gini_gain(groups: Sequence[Counts], known: float, n: float, base: Base) -> float:
    """Return the decrease of Gini times known / n."""
    totals = _total(groups)
    gain = sum(_squares(group) / sum(group) for group in groups) - _squares(totals) / sum(totals)
    return float(known / n * gain / sum(totals))


def known_variance_decrease(groups: Sequence[Counts], known: float, n: float, base: Base) -> float:
    """Return the decrease of variance times known / n; a group is its weight and its sum of targets."""
    total, size_of_all = sum(s for _, s in groups), sum(size for size, _ in groups)
    return (sum(s * s / size for size, s in groups if size) - total * total / size_of_all) / n


def exact_variance_decrease(groups: Sequence[Sequence[int]], n: int) -> Fraction:
    """Return the decrease of variance times known / n; a group is its weight and its sum of targets, both whole.

    >>> exact_variance_decrease([(2, 2), (2, 6)], 4)
    Fraction(1, 1)
    """
    total, size_of_all = sum(s for _, s in groups), sum(size for size, _ in groups)
    return (sum(Fraction(s * s, size) for size, s in groups) - Fraction(total * total, size_of_all)) / n


# ---- purities: vectorised over many groups, n times the part of the node's impurity that a group removes


def squares_purity(sums: Sequence[Any], n: Any) -> Any:
    """Return the sum of squares over n; 0 of an empty group."""
    return reduce(np.add, [np.square(counts) for counts in sums]) / np.where(n > 0, n, np.inf)


def entropy_purity(sums: Sequence[Any], n: Any) -> Any:
    """Return the sum of c log2 c over the classes less n log2 n; 0 of an empty group."""
    return reduce(np.add, [x_log_x(counts) for counts in sums]) - x_log_x(n)


def x_log_x(x: Any) -> Any:
    """Return x log2 x, 0 where x is 0."""
    return x * np.log2(np.where(x > 0, x, 1.0))

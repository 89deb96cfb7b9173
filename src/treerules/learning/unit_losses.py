"""Losses of units of rows by several subtrees, and the rules that choose a subtree by them.

Each rule chooses on several samples at once. A sample says how many copies of each unit it holds, `copies`, shape
(samples, units); the table itself is the sample that holds each once.
"""

from typing import Any

import numpy as np
from attrs import frozen


@frozen(eq=False)
class UnitLosses:
    """The losses of units of rows by each subtree of a path, the root alone first."""

    #: the weight of each unit, shape (units,)
    weights: Any
    #: the weighted sum of the losses of its rows, shape (subtrees, units)
    sums: Any

    @property
    def means(self) -> Any:
        """The mean loss of each subtree."""
        return self.sums.sum(axis=1) / self.weights.sum()

    @property
    def standard_errors(self) -> Any:
        """The standard error of the mean loss of each subtree, where units are independent."""
        deviations = self.sums - self.means[:, None] * self.weights
        return np.sqrt(np.square(deviations).sum(axis=1)) / self.weights.sum()

    def first(self, n: int) -> "UnitLosses":
        """Return the losses of the first subtrees."""
        return UnitLosses(self.weights, self.sums[:n])


def sums_in_samples(copies: Any, values: Any) -> Any:
    """Return `copies @ values`, with the same bits on every machine.

    A matrix product adds in an order that depends on the processor, and sums of floats depend on the order. So each
    value is split into two integers times powers of two, whose sums are exact in any order.

    Args:
        copies: the copies of each unit in each sample, integers, shape (samples, units).
        values: finite values of each unit, shape (units,) or (units, columns).
    """
    n_bits = 52 - int(copies.sum(axis=1).max(initial=0.0)).bit_length()  # sums of as many integers are exact
    high_bits = n_bits - int(np.frexp(np.abs(values).max(initial=0.0))[1])
    high = np.rint(np.ldexp(values, high_bits))
    low_bits = high_bits + n_bits
    low = np.rint(np.ldexp(values - np.ldexp(high, -high_bits), low_bits))
    return np.ldexp(copies @ high, -high_bits) + np.ldexp(copies @ low, -low_bits)


def least_with_price(
    losses: UnitLosses, n_rules: Any, price: float, copies: Any, *, added: float = 0.0, root_errors: float = 0.0
) -> Any:
    """Return, for each sample, the subtree of least log(loss) + price x rules.

    Args:
        losses: the losses of units by each subtree.
        n_rules: the number of rules of each subtree, shape (subtrees,).
        price: the share of the loss that a further rule takes away.
        copies: the copies of each unit in each sample.
        added: a number that is added to each sum of losses, so that no error at all is not infinitely better than one.
        root_errors: the root alone is kept unless the subtree's mean loss is less by as many standard errors of the
            difference.
    """
    sums = sums_in_samples(copies, losses.sums.T)
    with np.errstate(divide="ignore"):  # log(0) is the least of all
        chosen = (np.log(sums + added) + price * n_rules).argmin(axis=1)
    return _root_unless_better(losses, chosen, copies, root_errors)


def smallest_near_least(losses: UnitLosses, copies: Any) -> Any:
    """Return, for each sample, the first subtree whose mean loss is within a standard error of the least.

    The standard error is that of the difference of the two. The root alone is kept unless it is worse than the chosen
    subtree by more than that.
    """
    means = sums_in_samples(copies, losses.sums.T) / sums_in_samples(copies, losses.weights)[:, None]
    least = means.argmin(axis=1)
    chosen = least.copy()
    for best in np.unique(least):
        of_best = np.flatnonzero(least == best)
        differences = means[of_best] - means[of_best, best][:, None]
        errors = np.stack(
            [
                _standard_errors(line - losses.sums[best], losses.weights, difference, copies[of_best])
                for line, difference in zip(losses.sums, differences.T, strict=True)
            ],
            axis=1,
        )
        chosen[of_best] = (differences <= errors).argmax(axis=1)
    return _root_unless_better(losses, chosen, copies, 1.0)


def _root_unless_better(losses: UnitLosses, chosen: Any, copies: Any, n_errors: float) -> Any:
    """Return the chosen subtrees, or the root where the gain is at most some standard errors of the difference.

    Two trees that err in the same rows differ more certainly than two that err in different ones.
    """
    result = chosen.copy()
    for subtree in np.unique(chosen[chosen > 0]):
        of_subtree = np.flatnonzero(chosen == subtree)
        sums = losses.sums[0] - losses.sums[subtree]
        samples = copies[of_subtree]
        gains = sums_in_samples(samples, sums) / sums_in_samples(samples, losses.weights)
        errors = _standard_errors(sums, losses.weights, gains, samples)
        result[of_subtree[gains <= n_errors * errors]] = 0
    return result


def _standard_errors(sums: Any, weights: Any, means: Any, copies: Any) -> Any:
    """Return, for each sample, the standard error of a mean of units, given the sums of the units and the mean."""
    squares = sums_in_samples(copies, np.square(sums)) - 2 * means * sums_in_samples(copies, sums * weights)
    squares += np.square(means) * sums_in_samples(copies, np.square(weights))
    return np.sqrt(np.maximum(squares, 0.0)) / sums_in_samples(copies, weights)

"""Link functions: what an ensemble makes of its margins. The table `LINKS`.

A new link is one more row, and its spelling in each language of code that `emit` writes.

identity    the margin itself: a mean; or one margin for each class, which is its probability
exp         exp(margin): the mean of a regression with a logarithmic link, as of Poisson and gamma
sigmoid     1 / (1 + exp(-slope * margin)): the probability of the second of two classes
softmax     exp(margin) of each class, divided by their sum
"""

from collections.abc import Callable, Mapping
from math import exp
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.libm import of_each
from treerules._internal.short_repr import short_repr

#: The greatest number whose exp is a double.
MOST_EXP = 709.782712893384


@short_repr
@frozen
class Link:
    """A link function.

    Args:
        name: its name.
        uses: what it is for: "mean" (a regression), "cut" (two classes by one margin), "classes" (one margin for each
            class).
        answers: a function of margins, float64, shape (rows, outputs), and the slope; it returns means, shape
            (rows, 1), or the probability of each class, shape (rows, classes).
    """

    name: str
    uses: tuple[str, ...] = field(converter=as_tuple)
    answers: Callable[[Any, float], Any]


def _identity(margins: Any, slope: float) -> Any:
    return margins


def _exp(margins: Any, slope: float) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(margins)


def _sigmoid(margins: Any, slope: float) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        second = 1.0 / (1.0 + _exp_of_libm(-(slope * margins[:, 0])))
    return np.column_stack([1.0 - second, second])


def _exp_of_libm(numbers: Any) -> Any:
    """Return the powers of e that the C library computes, as the sigmoid of scikit-learn does.

    numpy's may differ in the last bit; scikit-learn uses that for its other link functions.
    """
    powers = np.exp(numbers)
    known = np.flatnonzero(np.isfinite(powers) & np.isfinite(numbers))
    powers[known] = of_each(exp, numbers[known])
    return powers


def _softmax(margins: Any, slope: float) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        powers = np.exp(margins - margins.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


_ROWS = (
    Link("identity", ("mean", "classes"), _identity),
    Link("exp", ("mean",), _exp),
    Link("sigmoid", ("cut",), _sigmoid),
    Link("softmax", ("classes",), _softmax),
)
#: The link functions by name.
LINKS: Mapping[str, Link] = MappingProxyType({link.name: link for link in _ROWS})

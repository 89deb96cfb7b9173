"""Link functions: what an ensemble makes of its margins. The table `LINKS`.

A new link is one more row, and its spelling in each language of code that `emit` writes.

identity    the margin itself: a mean; or one margin for each class, which is its probability
exp         exp(margin): the mean of a regression with a logarithmic link, as of Poisson and gamma
expit       1 / (1 + exp(-margin)): the mean of a regression between 0 and 1
sigmoid     1 / (1 + exp(-slope * margin)): the probability of the second of two classes
square      sign(margin) * margin ** 2: the mean of a regression that was fitted on square roots
softplus    log(1 + exp(margin)): the mean of a cross-entropy with weights
step        1 where the margin is above 0, else 0: the probability of the second of two classes, as of the hinge loss
softmax     exp(margin) of each class, divided by their sum
sigmoids    1 / (1 + exp(-slope * margin)) of each class: one class against the others, so that their sum may not be 1

Margins of float32 have answers of float32, each step rounded as XGBoost rounds it: 1 + exp(-margin) of a margin below
-88.7 as of that one, and the powers of a softmax are added as doubles. Those of square, softplus and sigmoids are
doubles.
"""

from collections.abc import Callable, Mapping
from math import exp, log1p
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.libm import of_each
from treerules._internal.short_repr import short_repr

#: The greatest number whose exp is a double.
MOST_EXP = 709.782712893384
#: The greatest power of e in the sigmoid of float32; the greatest and the least float32 whose exp is one above 0.
MOST_SINGLE_POWER = float(np.float32(88.7))
MOST_SINGLE_EXP, LEAST_SINGLE_EXP = 88.72283172607422, -103.97207641601562


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
    return _exp_of_libm(margins)


def _expit(margins: Any, slope: float) -> Any:
    powers = -(slope * margins)
    if margins.dtype == np.float32:
        powers = np.minimum(powers, np.float32(MOST_SINGLE_POWER))
    with np.errstate(over="ignore", under="ignore"):
        return 1.0 / (1.0 + _exp_of_libm(powers))


def _sigmoid(margins: Any, slope: float) -> Any:
    second = _expit(margins[:, 0], slope)
    return np.column_stack([1.0 - second, second])


def _square(margins: Any, slope: float) -> Any:
    doubles = margins.astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        return np.abs(doubles) * doubles


def _softplus(margins: Any, slope: float) -> Any:
    return of_each(log1p, _exp_of_libm(margins.astype(np.float64)))


def _sigmoids(margins: Any, slope: float) -> Any:
    return _expit(margins.astype(np.float64), slope)


def _step(margins: Any, slope: float) -> Any:
    second = (margins[:, 0] > 0).astype(margins.dtype)
    return np.column_stack([1.0 - second, second])


def _exp_of_libm(numbers: Any) -> Any:
    """Return the powers of e that the C library computes, as XGBoost, LightGBM and CatBoost do, in the type of numbers.

    numpy's, which scikit-learn uses for some link functions, may differ in the last bit, and between processors.
    """
    doubles = numbers.astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        powers = np.exp(doubles)
        known = np.isfinite(powers) & np.isfinite(doubles)
        powers[known] = of_each(exp, doubles[known])
        return powers.astype(numbers.dtype)


def _softmax(margins: Any, slope: float) -> Any:
    with np.errstate(over="ignore", under="ignore"):
        powers = _exp(margins - margins.max(axis=1, keepdims=True), slope)
    return powers / powers.sum(axis=1, keepdims=True, dtype=np.float64).astype(margins.dtype)


_ROWS = (
    Link("identity", ("mean", "classes"), _identity),
    Link("exp", ("mean",), _exp),
    Link("expit", ("mean",), _expit),
    Link("square", ("mean",), _square),
    Link("softplus", ("mean",), _softplus),
    Link("sigmoid", ("cut",), _sigmoid),
    Link("step", ("cut",), _step),
    Link("softmax", ("classes",), _softmax),
    Link("sigmoids", ("classes",), _sigmoids),
)
#: The link functions that have a slope.
WITH_SLOPE = ("sigmoid", "sigmoids")
#: The link functions by name.
LINKS: Mapping[str, Link] = MappingProxyType({link.name: link for link in _ROWS})

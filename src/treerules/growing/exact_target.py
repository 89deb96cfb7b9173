"""The target of a regression, and the weights of its rows, as whole multiples of a unit.

Sums of whole numbers are exact, so figures made from them do not depend on the order of rows, on an engine or on the
way in which a table is divided.
"""

from fractions import Fraction
from functools import cached_property
from math import frexp
from typing import Any

import numpy as np
from attrs import frozen

from treerules._internal.notes import Note, or_none
from treerules.data.schema import Feature
from treerules.errors import OptionError

#: Decimals of at most this many places have a unit.
_MOST_PLACES = 6
#: Multiples of a decimal unit are at most this: with greater ones every double would be a decimal.
_MOST_MULTIPLE = 2.0**53
#: Multiples of a step are below this.
_MOST_STEPS = 2.0**62
#: The mantissa of a power of two, as `frexp` returns it; the steps whose squares, times exact sums, are doubles.
_HALF, _LEAST_STEP, _GREATEST_STEP = 0.5, 2.0**-400, 2.0**400
#: About this many values are tried before all are.
_SAMPLE = 64


@frozen(eq=False, slots=False)
class ExactTarget:
    """The target and the weights of the rows of a problem as whole numbers."""

    #: the target of each row as a multiple of `unit`, int64, shape (rows,)
    multiples: Any
    unit: Fraction
    #: the weight of each row as a multiple of `weight_unit`, int64, shape (rows,); None where all weights are 1
    weights: Any
    weight_unit: Fraction

    @cached_property
    def spread(self) -> int:
        """The difference between the greatest and the least multiple."""
        return int(self.multiples.max()) - int(self.multiples.min())

    @property
    def spread_fits(self) -> bool:
        """Whether differences of multiples are int64 numbers."""
        return self.spread < 1 << 63


def exact_target(multiples: Any, unit: Fraction, weights: Any) -> ExactTarget | None:
    """Return a target in whole multiples of a unit with its weights; None where the weights have no unit."""
    if weights is None:
        return ExactTarget(multiples, unit, None, Fraction(1))
    found = decimal_multiples(weights)
    if found is None or float(weights.sum()) / float(found[1]) > _MOST_MULTIPLE:
        return None
    return ExactTarget(multiples, unit, *found)


def multiples_of(values: Any, unit: Fraction) -> tuple[Any, Fraction]:
    """Return a target as whole multiples of a unit, int64, and that unit; (None, unit) where it has no unit.

    Args:
        values: the target, shape (rows,): int64 multiples of `unit`, or float64, whose unit is found.
        unit: what integers are multiples of.
    """
    if values.dtype.kind == "i":
        return values, unit
    return decimal_multiples(values) or (None, unit)


def rounded_target(values: Any, target: Feature, step: Any) -> tuple[Any, Fraction, list[Note]]:
    """Return the values of a target, rounded to multiples of a step where one is given, their unit, and remarks.

    Raises:
        OptionError: The target is classes, or the step is not a power of two that the target fits.
    """
    if step is None:
        return values, Fraction(1), []
    if target.categories:
        raise OptionError("target_step", step, "no step: the target is classes")
    if not isinstance(step, int | float | np.number) or isinstance(step, bool) or not _is_power(step):
        raise OptionError("target_step", step, or_none("a power of two from 2**-400 to 2**400, such as 2**-20"))
    if values.dtype.kind == "i" and step <= 1:  # whole numbers are multiples of such a step
        return values, Fraction(1), [_note_of_step(target, 0, len(values), float(step))]
    has_integers = values.dtype.kind == "i" and step < _MOST_STEPS
    multiples = _rounded_quotients(values, int(step)) if has_integers else np.rint(values / float(step))
    if float(np.abs(multiples).max()) >= _MOST_STEPS:
        raise OptionError("target_step", step, "a larger step: multiples of it need more than 62 bits")
    multiples = multiples.astype(np.int64)
    rounded = multiples * int(step) if has_integers else multiples * float(step)
    n = int(np.count_nonzero(rounded != values))
    return multiples, Fraction(float(step)), [_note_of_step(target, n, len(values), float(step))]


def _is_power(step: Any) -> bool:
    """Return whether a number is a power of two whose square is a double, whatever target is measured in it."""
    return bool(_LEAST_STEP <= step <= _GREATEST_STEP and frexp(step)[0] == _HALF)


def _rounded_quotients(integers: Any, step: int) -> Any:
    """Return integers divided by a positive one, rounded half to even, without doubles."""
    quotients, rests = np.divmod(integers, step)
    return quotients + ((2 * rests > step) | ((2 * rests == step) & (quotients % 2 == 1)))


def _note_of_step(target: Feature, n: int, n_rows: int, step: float) -> Note:
    text = "target {place!r}: {n} of {n_rows} values are rounded to multiples of {step}"
    return Note("target_step", text, target.name, n=n, n_rows=n_rows, step=f"2**{frexp(step)[1] - 1}")


def decimal_multiples(values: Any) -> tuple[Any, Fraction] | None:
    """Return finite numbers as whole multiples of 10**-d, with the least d up to 6, and that unit; None: there is none.

    There is none for decimals whose multiples exceed 2**53 either: doubles next to each other are that far apart there.

    A number y is the decimal T / 10**d if that quotient of doubles is y, and T is at most 2**53.

    Args:
        values: the numbers, float64, shape (rows,).

    Returns:
        The multiples as int64, shape (rows,), and the unit.
    """
    greatest = float(np.abs(values).max(initial=0.0))
    sample = values[:: max(1, len(values) // _SAMPLE)]
    for places in range(_MOST_PLACES + 1):
        scale = 10.0**places
        if greatest * scale > _MOST_MULTIPLE:
            return None
        if not bool((np.rint(sample * scale) / scale == sample).all()):
            continue
        multiples = np.rint(values * scale)
        if bool((multiples / scale == values).all()):
            return multiples.astype(np.int64), Fraction(1, 10**places)
    return None

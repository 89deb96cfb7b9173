"""How emitted code adds the trees of an ensemble: as its library does, or in doubles with a bound of the difference.

library    in the order and the type of the model: margins are those of the model, to the bit
exact      in doubles, where no sum of leaves needs more digits than a double has: proved, so any order gives the same
double     in doubles, in the order of the model

The last two differ from a model that adds in float32, and the code says by how much at most. Labels of rows whose
margin, or the lead of whose class, is that small may be others. Link functions are then computed in doubles too.
"""

from collections.abc import Iterator
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from typing import Any, Literal

from attrs import evolve, frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.headings import heading
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.walkers import leaves

Accumulate = Literal["library", "exact", "double"]
ACCUMULATE = ("library", "exact", "double")
#: The number of binary digits of a double: integers of at most 2 to this power are added without rounding.
_DIGITS = 53
#: The greatest relative error of one rounded operation, by the type of its result.
_ROUNDING = {"float32": Fraction(1, 2**24), "float64": Fraction(1, 2**53)}
#: The greatest error of a product or a quotient whose result is below the normal numbers of its type; of float32 the
#: larger. Sums have none there.
_TINY = Fraction(1, 2**150)
#: From here on a number is rounded to the infinity of float32.
_FIRST_INFINITE = Fraction(2**128 - 2**103)


@short_repr
@frozen
class Accumulation:
    """How the trees of an ensemble are added in code.

    Args:
        model: the ensemble.
        ensemble: the ensemble as the code adds it.
        remark: a comment on its sums; "" where they are those of the model.
    """

    model: Ensemble
    ensemble: Ensemble
    remark: str = ""


def require_accumulate(accumulate: Any, *, is_ensemble: bool) -> None:
    """Raise unless there is such a way to add, and it is the default where there are no trees to add."""
    if not isinstance(accumulate, str) or accumulate not in ACCUMULATE:
        raise UnknownNameError("way to accumulate", accumulate, ACCUMULATE)
    if accumulate != "library" and not is_ensemble:
        raise OptionError("accumulate", accumulate, "'library': only the trees of an Ensemble are added")


def accumulation_of(ensemble: Ensemble, accumulate: Accumulate, lang: str = "en") -> Accumulation:
    """Return how the trees of an ensemble are added in code; `lang` is the language of the remark.

    Raises:
        OptionError: "exact" is asked for, and some sum of leaves may need more digits than a double has; or there is no
            bound of the difference.
    """
    if accumulate == "library":
        return Accumulation(ensemble, ensemble)
    digits = max(_digits_needed(ensemble, margin) for margin in range(len(ensemble.base)))
    is_exact = digits <= _DIGITS
    if accumulate == "exact" and not is_exact:
        needed = f"sums of these leaves need up to {digits} binary digits; a double has {_DIGITS}"
        raise OptionError("accumulate", accumulate, f"'double' or 'library': {needed}")
    sums = heading(_EXACT if is_exact else _ROUNDED, lang)
    if ensemble.sum_type == "float64":
        return Accumulation(ensemble, ensemble, sums if accumulate == "exact" else "")
    bound = _rounded_up(difference_bound(ensemble, is_exact=is_exact))
    return Accumulation(ensemble, evolve(ensemble, sum_type="float64"), heading(_BOUND, lang, sums=sums, bound=bound))


_EXACT, _ROUNDED = "sums of trees are exact in float64, in any order", "trees are added in float64"
_BOUND = "{sums}; margins of the model, added in float32, differ by at most {bound}"


def difference_bound(ensemble: Ensemble, *, is_exact: bool) -> Fraction:
    """Return a bound of the difference between margins of a float32 ensemble and those added in doubles.

    Each rounded operation changes its result by at most the relative error of its type, a product or a quotient below
    the normal numbers by at most 2^-150; errors add up. The result is at most the sum of the greatest leaves.

    Args:
        ensemble: an ensemble that adds in float32.
        is_exact: whether sums of leaves are exact in doubles.

    Raises:
        OptionError: a sum may be infinite in float32, so that there is no bound.
    """
    bounds = []
    for margin in range(len(ensemble.base)):
        single = _error(ensemble, margin, _ROUNDING["float32"], _ROUNDING["float32"])
        double = _error(ensemble, margin, Fraction(0) if is_exact else _ROUNDING["float64"], _ROUNDING["float64"])
        bounds.append(single + double)
    return max(bounds)


def _error(ensemble: Ensemble, margin: int, sum_rounding: Fraction, step_rounding: Fraction) -> Fraction:
    """Return a bound of the error of a margin, given the relative errors of a sum of leaves and of a step behind it."""
    most, error = abs(Fraction(ensemble.start[margin])), Fraction(0)
    for numbers in _leaf_numbers(ensemble, margin):
        most += max(map(abs, numbers))
        error += sum_rounding * (most + error)
        _require_finite(most + error)
    for operator, operands in ensemble.steps:
        operand = abs(Fraction(operands[margin]))
        if operator == "+":
            most += operand
        else:
            factor = operand if operator == "*" else 1 / operand
            most, error = most * factor, error * factor + _TINY
        error += step_rounding * (most + error)
        _require_finite(most + error)
    return error


def _require_finite(most: Fraction) -> None:
    if most >= _FIRST_INFINITE:
        problem = "'library': sums of this ensemble may be infinite in float32, and would be finite in doubles"
        raise OptionError("accumulate", "double", problem)


def _digits_needed(ensemble: Ensemble, margin: int) -> int:
    """Return the binary digits that a sum of leaves may need: in units of which all of them are whole multiples."""
    base = Fraction(ensemble.start[margin])
    most, denominator = abs(base), base.denominator
    for numbers in _leaf_numbers(ensemble, margin):
        most += max(map(abs, numbers))
        denominator = max(denominator, *(number.denominator for number in numbers))
    return int(most * denominator).bit_length()


def _leaf_numbers(ensemble: Ensemble, margin: int) -> Iterator[list[Fraction]]:
    """Yield for each tree that is added to a margin what its leaves add to it."""
    at = margin if ensemble.adds_vectors else 0
    for tree, output in zip(ensemble.trees, ensemble.outputs or [margin] * len(ensemble.trees), strict=True):
        if output == margin:
            yield [Fraction(leaf_vector(leaf.prediction)[at]) for leaf in leaves(tree.root)]


def _rounded_up(bound: Fraction) -> str:
    """Return a bound with two digits, not below it."""
    context = Context(prec=2, rounding=ROUND_UP)
    return f"{context.divide(Decimal(bound.numerator), Decimal(bound.denominator)):.1e}"


def with_remark(text: str, mark: str, remark: str) -> str:
    """Return code with a remark as a comment behind its first line; unchanged without one."""
    if not remark:
        return text
    first, line_end, rest = text.partition("\n")
    return f"{first}\n{mark} {remark}{line_end}{rest}"

"""Checks of the arguments of scores: counts, groups of counts, and targets."""

from collections.abc import Iterable, Sequence
from math import fsum, isfinite
from typing import Any

from treerules.errors import OptionError


def require_numbers(argument: str, numbers: Sequence[float]) -> None:
    """Raise OptionError unless an argument is a sequence of finite numbers."""
    try:
        are_finite = len(numbers) == 0 or isfinite(fsum(numbers))
    except TypeError:
        are_finite = False
    except OverflowError:  # finite numbers whose sum is not
        are_finite = True
    if not are_finite:
        raise OptionError(argument, numbers, "a sequence of finite numbers")


def require_counts(argument: str, counts: Sequence[float]) -> None:
    """Raise OptionError unless an argument is a sequence of finite numbers of which none is negative."""
    require_numbers(argument, counts)
    if min(counts, default=0) < 0:
        raise OptionError(argument, counts, "numbers that are not negative")


def require_groups(groups: Any) -> None:
    """Raise OptionError unless groups are counts of equally many classes."""
    if isinstance(groups, str) or not isinstance(groups, Iterable):
        raise OptionError("groups", groups, "the counts of each group, such as [(4, 1), (3, 2)]")
    for group in groups:
        require_counts("groups", group)
    if len({len(group) for group in groups}) > 1:
        raise OptionError("groups", groups, "groups with as many counts each as there are classes")

"""The first values of an iterable."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Value = TypeVar("Value")


def first_values(values: Iterable[Value], n: int) -> Iterator[Value]:
    """Yield at most `n` values, however large `n` is: `islice` itself refuses numbers above `sys.maxsize`."""
    return islice(values, min(n, sys.maxsize))

"""Parameters of which some run by default, and all of them where `large` tests are selected."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], n: int) -> list[Any]:
    """Return values as parameters, tuples as several: n, spread evenly, run by default; others are marked `large`."""
    listed = [value if isinstance(value, tuple) else (value,) for value in values]
    chosen = {index * len(listed) // n for index in range(n)}
    return [
        pytest.param(*value, marks=() if index in chosen else pytest.mark.large) for index, value in enumerate(listed)
    ]

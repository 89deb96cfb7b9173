"""Positions in an order of which every beginning is evenly spread."""

import math
from collections.abc import Iterator
from itertools import count


def spread(total: int) -> Iterator[int]:
    """Yield the positions 0 to total - 1, each once, so that the first ones are evenly spread.

    >>> list(spread(8))
    [0, 5, 2, 7, 4, 1, 6, 3]
    """
    golden = (math.sqrt(5) - 1) / 2
    step = next((step for step in count(int(total * golden) + 1) if math.gcd(step, total) == 1), 1)
    return (turn * step % total for turn in range(total))

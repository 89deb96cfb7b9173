"""Functions of the C library on arrays: those of numpy depend on the processor in their last bit."""

from collections.abc import Callable
from typing import Any

import numpy as np


def of_each(function: Callable[[float], float], values: Any) -> Any:
    """Return a function of `math` of each value of an array of floats."""
    return np.fromiter(map(function, values.ravel().tolist()), np.float64, values.size).reshape(values.shape)

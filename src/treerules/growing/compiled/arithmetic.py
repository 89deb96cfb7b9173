"""Arithmetic of kernels: copies, logarithms, and products of 128 bits."""

from math import log2
from typing import Any

import numpy as np

from treerules._internal.jit import inner_kernel


@inner_kernel
def copy_into(source: Any, target: Any) -> None:
    """Copy an array over another of the same length."""
    for index in range(len(source)):
        target[index] = source[index]


@inner_kernel
def x_log2_x(x: float) -> float:
    """Return x log2 x; 0 where x is 0."""
    return x * log2(x) if x > 0 else 0.0


@inner_kernel
def product_128(a: int, b: int) -> Any:
    """Return the high and the low 64 bits of the product of two non-negative integers."""
    a0, a1 = np.uint64(a) & np.uint64(0xFFFFFFFF), np.uint64(a) >> np.uint64(32)
    b0, b1 = np.uint64(b) & np.uint64(0xFFFFFFFF), np.uint64(b) >> np.uint64(32)
    low, low_high, high_low, high = a0 * b0, a0 * b1, a1 * b0, a1 * b1
    middle = (low >> np.uint64(32)) + (low_high & np.uint64(0xFFFFFFFF)) + (high_low & np.uint64(0xFFFFFFFF))
    high += (low_high >> np.uint64(32)) + (high_low >> np.uint64(32)) + (middle >> np.uint64(32))
    return high, (low & np.uint64(0xFFFFFFFF)) | (middle << np.uint64(32))

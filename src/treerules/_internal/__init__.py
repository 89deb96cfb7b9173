"""Conversions, the numba decorator, atomic files and Unicode: what every stage may use. It knows no tree."""

"""Utilities of all stages: conversions, the numba decorator, atomic files, Unicode. They do not depend on trees."""

"""Hypothesis profiles: quick (the default), dev, ci and deep; HYPOTHESIS_PROFILE names one."""

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=3, derandomize=True, **_COMMON)
settings.register_profile("dev", max_examples=25, **_COMMON)
settings.register_profile("ci", max_examples=25, derandomize=True, **_COMMON)
settings.register_profile("deep", max_examples=2000, **_COMMON)
settings.load_profile(PROFILE)


def examples(n: int) -> int:
    """Return how many examples a law gets that needs n of them: as few as any other in the profile quick."""
    return min(n, settings().max_examples) if PROFILE == "quick" else n

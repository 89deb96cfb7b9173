"""Hypothesis profiles: dev, ci (where CI is set), quick, deep. Choose one with HYPOTHESIS_PROFILE."""

import os

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=25, **_COMMON)
settings.register_profile("ci", max_examples=25, derandomize=True, **_COMMON)
settings.register_profile("quick", max_examples=10, derandomize=True, **_COMMON)
settings.register_profile("deep", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many rows each engine answered, and how many it could not hold (see test_engines)."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "engine" and report.when == "call":
                terminalreporter.write_line(f"engine: {value}")

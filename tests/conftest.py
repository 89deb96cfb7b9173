"""What every test runs under: the profile of hypothesis, the number of processes, and no compiled kernels by default.

The profiles are in `profiles`.
"""

import gc
import os
import sys
from collections.abc import Callable, Generator
from importlib.util import find_spec
from pathlib import Path

import pytest

import profiles  # noqa: F401  (loads a profile)
from golden import compared
from paths import GOLDEN
from treerules._internal import jit

#: Workers share the cores, so libraries that are compared with start no threads of their own.
os.environ.setdefault("OMP_NUM_THREADS", "1")
#: Scripts, which tests run in processes of their own; they hold no tests.
collect_ignore = ["behaviour", "oracles"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --approve."""
    parser.addoption("--approve", action="store_true", help="rewrite golden files that differ, and show what changed")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return what compares a text with a golden file, or with --approve rewrites the file."""

    def compare(name: str, text: str) -> None:
        if difference := compared(GOLDEN / name, text, approve=request.config.getoption("--approve")):
            request.node.user_properties.append(("approved", difference))

    return compare


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Use one process for files that are named on the command line, and one for each core for folders."""
    return 0 if all(Path(argument.partition("::")[0]).is_file() for argument in config.args) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the garbage collector, which would walk all tests again and again, now and in every test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """Let the garbage collector see the tests again, so that nothing is left when the process ends."""
    gc.unfreeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Forbid numba where no selected test is marked `compiled`, so that an unmarked test cannot compile a kernel."""
    if find_spec("numba") and not any(item.get_closest_marker("compiled") for item in session.items):
        sys.modules["numba"] = None  # type: ignore[assignment]
        jit.is_installed.cache_clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the golden files that were rewritten, how many rows each engine answered, and errors beside a peer's."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name in ("approved", "engine", "error"):
                terminalreporter.write_line(f"{name}: {value}")

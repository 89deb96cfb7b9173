"""Use and compilation of numba kernels; the only module that imports numba.

numba is the extra [fast]. Loading it and the compiled kernels costs about half a second of CPU time, compiling them
half a minute once on a machine (they are kept beside their source, or in numba's cache folder). So they are used where
they are already loaded in this process, or where the work is worth it.
"""

import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

#: Where the sources of kernels are, below the package. Each place has files (see `kernel_sources`).
_SOURCES = (
    *("_internal/jit.py", "data/fingerprint_kernel.py", "trees/routing_kernel.py", "growing/compiled/*.py"),
    # constants of these are compiled into kernels
    *(
        "criteria/table.py",
        "growing/array_tree.py",
        "growing/encoding.py",
        "growing/problem.py",
        "growing/reference/scoring.py",
    ),
)
#: The modules of kernels, as `is_used` and `load` take them.
GROWTH = "treerules.growing.compiled.driver"
PARALLEL_GROWTH = "treerules.growing.compiled.parallel"
MULTIWAY_GROWTH = "treerules.growing.compiled.multiway_driver"
PRESORT = "treerules.growing.compiled.presort"
SUBSET = "treerules.growing.compiled.subset"
ROUTES = "treerules.trees.routing_kernel"
FINGERPRINT = "treerules.data.fingerprint_kernel"
#: The least number of cells (rows times columns) for which the kernels are loaded.
ENOUGH = 1_000_000


def is_used(module: str, cells: int, wanted: bool | None = None) -> bool:
    """Return whether a module of kernels is used for a number of cells; `wanted` is the user's choice, or None."""
    if wanted is not None:
        return wanted and is_installed()
    return module in sys.modules or (cells >= ENOUGH and is_installed())


def load_kernels(module: str) -> Any:
    """Return a module of kernels, one of the constants above."""
    return import_module(module)  # late: kernels load numba, and are loaded where the work is worth it


@cache
def is_installed() -> bool:
    """Return whether numba can be imported, which is tried once: it may be there and not fit the numpy beside it."""
    try:
        import_module("numba")
    except Exception:  # an ImportError, or whatever a library of another version makes of it
        return False
    return True


def kernel(function: Callable[..., Any]) -> Any:
    """Return a function compiled by numba at its first call, without the lock of the interpreter.

    It is always called with arguments of the same types and layouts, so it is compiled once: once on a machine, or
    in each process where there is no folder to keep it in. It makes no arrays: so it need not count who holds which,
    which would cost more than the work in a small node.
    """
    return _compile(function, _nrt=False)


def allocating_kernel(function: Callable[..., Any]) -> Any:
    """Return a kernel that may allocate arrays."""
    return _compile(function)


def _compile(function: Callable[..., Any], **choices: Any) -> Any:
    from numba import njit

    dispatcher = njit(nogil=True, error_model="numpy", **choices)(function)
    try:
        dispatcher.enable_caching()
        # numba looks at a function's own file alone, but kernels call those of other files
        dispatcher._cache._cache_file._version += _version()
    except RuntimeError:  # no folder can be written to
        pass
    except AttributeError:  # another numba, which keeps them in another way
        return njit(nogil=True, error_model="numpy", **choices)(function)
    return dispatcher


@cache
def _version() -> str:
    """Return a hash of the kernels' sources, which invalidates compiled kernels of other versions."""
    digest = sha256()
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel_sources() -> list[Path]:
    """Return the files of kernels, of what kernels are made of, and of how they are made.

    Raises:
        FileNotFoundError: a place of `_SOURCES` has no file, so a changed kernel might not be compiled anew.
    """
    package = Path(str(files("treerules")))
    paths_by_pattern = {pattern: sorted(package.glob(pattern)) for pattern in _SOURCES}
    for pattern, paths in paths_by_pattern.items():
        if not paths:
            raise FileNotFoundError(f"no file {pattern} in {package}: the kernels' sources are not where _SOURCES says")
    return [path for paths in paths_by_pattern.values() for path in paths]

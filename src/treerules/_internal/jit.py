"""Use and compilation of numba kernels; the only module that imports numba.

numba is the extra [fast]. Loading it and the compiled kernels costs about a second of CPU time, compiling them up to
two minutes once on a machine (they are kept beside their source, or in numba's cache folder). So they are used where
they are already loaded in this process, or where they save more time than that costs.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha1, sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import frozen

#: Where the sources of kernels are, below the package. Each place has files (see `kernel_sources`).
_SOURCES = (
    *(
        "_internal/jit.py",
        "data/*_kernel.py",
        "_internal/lanes.py",
        "trees/*_kernel.py",
        "growing/compiled/*.py",
    ),
    *("growing/optimal/*_kernel.py",),
    # constants of these are compiled into kernels
    *(
        "criteria/table.py",
        "growing/array_tree.py",
        "growing/encoding.py",
        "growing/exact_figures.py",
        "growing/principal_axis.py",
        "growing/problem_checks.py",
        "growing/reference/scoring.py",
        "trees/cell_codes.py",
    ),
)
#: The modules of kernels, as `is_used` and `load` take them.
GROWTH = "treerules.growing.compiled.driver"
PARALLEL_GROWTH = "treerules.growing.compiled.parallel"
COLUMNS = "treerules.growing.compiled.columns"
COLUMNS_OF_ROWS = "treerules.growing.compiled.columns_of_rows"
ROUTES = "treerules.trees.routing_kernel"
ENSEMBLES = "treerules.trees.ensemble_kernel"
FINGERPRINT = "treerules.data.fingerprint_kernel"
SORTING = "treerules.data.sort_kernel"
OPTIMAL = "treerules.growing.optimal.search_kernel"
#: The CPU seconds that loading numba and compiled kernels takes.
LOADING = 0.8


@frozen
class MainKernel:
    """The kernel of a module that is compiled last: where it is kept, so are those that it calls."""

    #: its file below the package, its name, and the CPU seconds that compiling it and those that it calls takes
    source: str
    name: str
    compiling: float


#: The kernels that find optimal trees of depth 2, of classes and of means.
OPTIMAL_CLASSES = MainKernel("growing/optimal/depth_two_kernel.py", "best_of_classes", 7.0)
OPTIMAL_MEANS = MainKernel("growing/optimal/depth_two_kernel.py", "best_of_means", 4.0)
#: The kernels that grow trees, and that route rows of trees and of ensembles.
_MAIN_KERNELS = {
    GROWTH: MainKernel("growing/compiled/node_loop.py", "grow_nodes", 85.0),
    ROUTES: MainKernel("trees/routing_kernel.py", "route_block_compiled", 2.0),
    ENSEMBLES: MainKernel("trees/ensemble_kernel.py", "add_block_compiled", 3.5),
}


def is_used(module: str, saved: float, wanted: bool | None = None, kernel: MainKernel | None = None) -> bool:
    """Return whether a module of kernels is used.

    Args:
        module: The module.
        saved: The CPU seconds that its kernels save in the work ahead, once they are loaded.
        wanted: The user's choice, or None: they are used where loading or compiling them costs less than they save.
        kernel: The main kernel of the work; None is that of the module.
    """
    if wanted is not None:
        return wanted and is_installed()
    kernel = kernel or _MAIN_KERNELS[module]
    if module in sys.modules:
        return _is_ready(kernel) or saved >= kernel.compiling
    return saved >= LOADING and (saved >= LOADING + kernel.compiling or is_kept(kernel)) and is_installed()


def _is_ready(kernel: MainKernel) -> bool:
    """Return whether a kernel of a loaded module has been called in this process, or is kept on the machine."""
    if kernel.name not in _READY:
        module = sys.modules.get("treerules." + kernel.source.removesuffix(".py").replace("/", "."))
        if bool(getattr(getattr(module, kernel.name, None), "signatures", ())) or is_kept(kernel):
            _READY.add(kernel.name)
    return kernel.name in _READY


#: The kernels that were found to be ready: numba takes long to say so.
_READY: set[str] = set()


def is_kept(kernel: MainKernel) -> bool:
    """Return whether a kernel was compiled before, by the numba that is installed, and is kept on this machine.

    numba keeps an index file for each kernel, which begins with its version and that of the sources (`_compile`). Its
    folder is found by numba's own rules, without loading numba.
    """
    try:
        expected = (version("numba") + _version()).encode()
    except (PackageNotFoundError, OSError):
        return False
    source = Path(str(files("treerules"))) / kernel.source
    pattern = f"{source.stem}.{kernel.name}-*.py{sys.version_info[0]}{sys.version_info[1]}{sys.abiflags}.nbi"
    for folder in _cache_folders(source):
        with suppress(OSError):
            if any(expected in path.read_bytes()[:500] for path in folder.glob(pattern)):
                return True
    return False


def _cache_folders(source: Path) -> list[Path]:
    """Return the folders in which numba keeps the kernels of a file: NUMBA_CACHE_DIR, else beside it or the user's."""
    folder = source.resolve().parent
    own = f"{folder.name}_{sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
    if os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(os.environ["NUMBA_CACHE_DIR"]) / own]
    local = os.environ.get("LOCALAPPDATA")
    of_user = {"win32": Path(local) / "numba" / "Cache" if local else None, "darwin": "~/Library/Caches/numba"}
    users = of_user.get(sys.platform) or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "numba"
    return [folder / "__pycache__", Path(users).expanduser() / own]


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


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Return a kernel that only kernels call: what Python would need to call it is not compiled."""
    return _compile(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Return a kernel that is compiled as a part of its only caller.

    Passing it many arrays would take long, and the compiler would look at it twice.
    """
    return _compile(function, _nrt=False, inline="always")


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

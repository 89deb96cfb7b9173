"""Packages whose public names are loaded when they are first used (PEP 562)."""

from collections.abc import Callable, Mapping
from importlib import import_module
from threading import RLock
from typing import Any

#: One thread at a time loads names: of two that import a package and a module of it, each may get a half of the other.
LOCK = RLock()


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package, which loads a name from its module.

    Args:
        package: The name of the package.
        modules: The full name of the module of each public name.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with LOCK:
            module = import_module(modules[name])  # late: public packages load a name when it is first used
        return getattr(module, name)

    return load

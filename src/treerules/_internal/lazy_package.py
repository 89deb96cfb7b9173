"""Packages whose public names are loaded when they are first used (PEP 562)."""

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from threading import RLock
from typing import Any

#: One thread at a time loads names. Two that import a package and its module could each get a partly loaded one.
_LOCK = RLock()


def lazy_package(
    package: str,
    names: Mapping[str, str],
    *,
    modules: Collection[str] = (),
    unlocked: Collection[str] = (),
    after_loading: Callable[[], None] = lambda: None,
) -> tuple[tuple[str, ...], Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__all__`, `__getattr__` and `__dir__` of a package that loads a name when it is first used.

    Args:
        package: The name of the package.
        names: The public names, with blanks between them, by the module that defines them, below treerules.
        modules: The public modules of the package, which are loaded by their names too.
        unlocked: Those modules that load public names themselves when they are imported. They are imported without the
            lock: a thread that held it would wait for the import by another thread, which waits for the lock.
        after_loading: A function that is called after a name was loaded.
    """
    module_of = {name: f"treerules.{module}" for module, public in names.items() for name in public.split()}

    def __getattr__(name: str) -> Any:  # noqa: N807
        if name in unlocked:
            return import_module(f"{package}.{name}")  # late: loaded when it is first used
        if name not in module_of and name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with _LOCK:
            module = import_module(module_of.get(name, f"{package}.{name}"))  # late: loaded when it is first used
            value = getattr(module, name) if name in module_of else module
            setattr(sys.modules[package], name, value)
        after_loading()
        return value

    def __dir__() -> list[str]:  # noqa: N807
        return sorted({*vars(sys.modules[package]), *module_of, *modules, *unlocked})

    return tuple(sorted(module_of)), __getattr__, __dir__

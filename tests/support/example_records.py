"""The records of examples/extending; as a plugin of pytest it adds them to their tables, whose laws then run over them.

PYTHONPATH=tests/support pytest -p example_records -n 0 tests/criteria -k hellinger
"""

import importlib.util
import sys
from types import ModuleType

from paths import ROOT
from treerules.criteria import CRITERIA
from treerules.pruning.pruners import PRUNERS
from treerules.sql.dialects import DIALECTS

FOLDER = ROOT / "examples" / "extending"


def example_module(name: str) -> ModuleType:
    """Return the module of a file in examples/extending."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # for pickle
    spec.loader.exec_module(module)
    return module


def pytest_configure() -> None:
    """Add the records before tests are collected."""
    for table, name in ((CRITERIA, "hellinger"), (PRUNERS, "critical_value"), (DIALECTS, "teradata")):
        table[name] = getattr(example_module(name), name.upper())

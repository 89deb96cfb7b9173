"""Every benchmark, one after the other, in a process of its own: `python benchmarks/all.py [--quick]`."""

import argparse
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine, python_implementation, python_version
from time import perf_counter

#: One thread for every library, except where threads are what is measured.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
#: The files, those whose time matters most first.
FILES = (
    "learn",
    "peers",
    "selection",
    "defaults",
    "estimates",
    "options",
    "scaling",
    "line",
    "whole_command",
    "predict",
    "ensembles",
    "emit",
    "python_module",
    "sql",
    "check",
    "read",
    "diff",
    "page",
    "optimal",
)
LIBRARIES = (
    *("treerules", "numba", "numpy", "scikit-learn", "m2cgen", "pandas", "duckdb", "z3-solver"),
    *("pycontree", "pystreed"),
)


def installed(name: str) -> str:
    """Return a library and its version."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def processor() -> str:
    """Return what the machine calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), machine())


def main() -> None:
    parser = argparse.ArgumentParser(description="Run every benchmark.")
    parser.add_argument(
        "--quick", action="store_true", help="small data: about two minutes in all; goals are for the full sizes"
    )
    quick = ["--quick"] if parser.parse_args().quick else []
    print(f"{processor()}, {os.cpu_count()} cores; {python_implementation()} {python_version()}; ", end="")
    print(", ".join(map(installed, LIBRARIES)))
    environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
    failed = []
    for name in FILES:
        path = Path(__file__).with_name(f"{name}.py")
        if not path.is_file():
            continue
        print(f"\n== {name}.py", flush=True)
        start = perf_counter()
        done = subprocess.run([sys.executable, str(path), *quick], env=environment, check=False)
        failed += [name] if done.returncode else []
        print(f"({perf_counter() - start:.0f} s)", flush=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()

"""Names of modules, functions, files and tests that stand in strings and settings: each must name something.

A moved file does not break them where they stand: numba would run kernels of an older source, a check would look at
nothing, a suite would run fewer tests.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import treerules
import treerules.testing
from paths import ROOT
from sources import files_with, syntax_tree
from treerules._internal import jit
from treerules.cli.app import COMMANDS
from treerules.testing import registration

SOURCE = Path(treerules.__file__).parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
of_checkout = pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="settings name files of a checkout")


# ---- compiled kernels


def trees() -> Iterator[tuple[Path, ast.Module]]:
    """Yield each file of the package, parsed."""
    for path in SOURCE.rglob("*.py"):
        yield path, syntax_tree(path)


def is_decorated(tree: ast.Module) -> bool:
    """Whether a file names what makes a function a kernel."""
    makers = {jit.kernel.__name__, jit.allocating_kernel.__name__}
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    return bool(makers & found & imported)


def test_every_kernel_is_among_the_sources() -> None:
    """A kernel that is changed is compiled anew: its file is one of those that are hashed."""
    found = {path.resolve() for path in files_with(SOURCE, "kernel") if is_decorated(syntax_tree(path))}
    assert len(found) > 10
    sources = {path.resolve() for path in jit.kernel_sources()}
    assert found <= sources
    assert Path(jit.__file__).resolve() in sources


@pytest.mark.compiled
def test_constants_that_kernels_are_compiled_with_are_in_the_hash() -> None:
    """A module of kernels imports constants, which numba freezes, from hashed files alone."""
    sources = {path.resolve() for path in jit.kernel_sources()}
    for path in sources:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("treerules."):
                for name in (alias.name for alias in node.names if alias.name.isupper()):
                    value = getattr(import_module(str(node.module)), name)
                    if isinstance(value, (int, float)):
                        own = Path(str(find_spec(str(node.module)).origin)).resolve()  # type: ignore[union-attr]
                        homes = {home.resolve() for home, tree in trees() if name in assigned_names(tree)}
                        near = {own} & homes or {home for home in homes if home.parent == own.parent}
                        assert near and near <= sources, (path.name, name)


def assigned_names(tree: ast.Module) -> set[str]:
    """Return the names that a module assigns at its top."""
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("place", jit._SOURCES)
def test_a_place_without_kernels_is_an_error(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the sources have moved, nothing is compiled, since old code might be run."""
    moved = "elsewhere/" + place
    monkeypatch.setattr(jit, "_SOURCES", [moved if each == place else each for each in jit._SOURCES])
    with pytest.raises(FileNotFoundError, match=re.escape(moved)):
        jit.kernel_sources()


def test_modules_of_kernels_are_those_that_are_loaded() -> None:
    """What `is_used` and `load_kernels` are given are constants of `jit`, each naming a module of kernels."""
    asked: dict[str, set[str]] = {jit.is_used.__name__: set(), jit.load_kernels.__name__: set()}
    for path in files_with(SOURCE, "|".join(asked)):
        tree = syntax_tree(path)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func).rpartition(".")[2]
            if name in asked and call.args and ast.unparse(call.func) in (name, f"jit.{name}"):
                asked[name].add(ast.unparse(call.args[0]))
    constants = {name for name, value in vars(jit).items() if name.isupper() and str(value).startswith("treerules.")}
    assert asked["load_kernels"] == constants and asked["is_used"] == {
        "GROWTH",
        "OPTIMAL",
        "ROUTES",
        "ENSEMBLES",
    }
    assert len({getattr(jit, constant) for constant in constants}) == len(constants)
    sources = {path.resolve() for path in jit.kernel_sources()}
    for constant in constants:
        spec = find_spec(getattr(jit, constant))
        assert spec is not None and Path(str(spec.origin)).resolve() in sources, constant


# ---- strategies


def test_types_and_strategies_are_public() -> None:
    """What is registered with hypothesis are types and strategies of the public interface."""
    for name, (module, strategy) in registration._STRATEGIES.items():
        assert name in treerules.__all__ and isinstance(getattr(treerules, name), type)
        assert name in treerules._NAMES[module.removeprefix("treerules.")].split()
        assert strategy in treerules.testing.__all__


@pytest.mark.parametrize("name", treerules.testing.__all__)
def test_strategies_are_where_they_are_looked_for(name: str) -> None:
    """The module that is named for a strategy holds it."""
    assert name in treerules.testing.__all__ and callable(getattr(treerules.testing, name))


# ---- settings


def entry_points() -> list[str]:
    """Return what installers make commands and plugins of."""
    project = SETTINGS["project"]
    groups = [project["scripts"], *project["entry-points"].values()]
    return [entry for group in groups for entry in group.values()]


@pytest.mark.parametrize("entry", entry_points())
def test_entry_points_are_functions(entry: str) -> None:
    """A command or plugin is a function of a module of ours."""
    module, function = entry.split(":")
    assert callable(getattr(import_module(module), function))


def paths_in_settings() -> list[str]:
    """Return the files and folders that pyproject.toml names."""
    tool = SETTINGS["tool"]
    build = tool["hatch"]["build"]["targets"]
    pytest_options = tool["pytest"]["ini_options"]
    return [
        *(tool["hatch"]["version"]["path"], *build["wheel"]["packages"], *build["wheel"]["force-include"]),
        *(*build["sdist"]["include"], *pytest_options["testpaths"], *pytest_options["pythonpath"]),
        *(*tool["mypy"]["files"], *tool["ruff"]["src"], *tool["ruff"]["lint"]["per-file-ignores"]),
        *(SETTINGS["project"]["readme"], *SETTINGS["project"]["license-files"]),
    ]


@of_checkout
@pytest.mark.parametrize("path", paths_in_settings())
def test_paths_in_settings_are_there(path: str) -> None:
    """Each fits a file; a pattern of exceptions for Python fits a Python file."""
    assert any(found.suffix == ".py" or "*" not in path for found in ROOT.glob(path))


@of_checkout
def test_the_version_is_read_from_its_file() -> None:
    """The file that the build reads holds the version of the package."""
    text = (ROOT / SETTINGS["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    assert f'"{treerules.__version__}"' in text


def modules_in_settings() -> list[str]:
    """Return the modules of ours that have rules of their own for types."""
    overrides: list[dict[str, Any]] = SETTINGS["tool"]["mypy"]["overrides"]
    named = [override["module"] for override in overrides]
    names = [name for each in named for name in ([each] if isinstance(each, str) else each)]
    return [name for name in names if name.startswith("treerules")]


@pytest.mark.parametrize("pattern", modules_in_settings())
def test_modules_in_settings_are_there(pattern: str) -> None:
    """A name fits a module, a name with `.*` a package with modules."""
    package = pattern.removesuffix(".*")
    found = find_spec(package)
    assert found is not None
    if pattern != package:
        assert any(path.stem != "__init__" for path in Path(str(found.origin)).parent.glob("*.py"))


@of_checkout
@pytest.mark.parametrize("name", SETTINGS["tool"]["ruff"]["lint"]["isort"]["known-first-party"])
def test_modules_that_are_sorted_as_ours_are_ours(name: str) -> None:
    """Each is a module or a package beside our own code."""
    folders = [ROOT / folder for folder in SETTINGS["tool"]["ruff"]["src"]]
    assert any((folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file() for folder in folders)


def test_extras_that_are_named_exist() -> None:
    """The hook of pre-commit and the extras themselves name extras of this package."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    extras = SETTINGS["project"]["optional-dependencies"]
    hook = re.findall(r'"\.\[([\w,]+)\]"', text)
    inner = re.findall(r"'treerules\[([\w,]+)\]'", repr(extras))
    assert len(hook) == 2 and len(inner) > 1, "a hook for rules and one for SQL"
    assert {name for names in [*hook, *inner] for name in names.split(",")} <= set(extras)


def test_the_hook_of_pre_commit_is_a_command() -> None:
    """Its entry is a script of this package and a command of it."""
    found = re.search(r"^  entry: (\S+) (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"), re.M)
    assert found is not None
    assert found[1] in SETTINGS["project"]["scripts"] and found[2] in COMMANDS


# ---- what .ci/run selects


def test_the_run_selects_every_test() -> None:
    """What is not run by default is run under one Python by its marker; each selection names markers that there are."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    options = SETTINGS["tool"]["pytest"]["ini_options"]
    markers = [line.partition(":")[0] for line in options["markers"]]
    default = options["addopts"][options["addopts"].index("-m") + 1]
    assert default == f"not ({' or '.join(markers)})"
    assert f'by_default="{default}"' in text
    (rest,) = re.findall(r'^TREERULES_ENGINES=required suite 3.11 .* "(.*)"$', text, re.MULTILINE)
    assert rest == " or ".join(markers)


def test_the_run_names_files_that_are_there() -> None:
    """Its paths in the checkout, such as that of the pinned dependencies, lead to files."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    paths = re.findall(r"(?<![\w./$])(?:tests|\.ci|docs)/[\w./]+", text)
    assert paths and all((ROOT / path).exists() for path in paths)

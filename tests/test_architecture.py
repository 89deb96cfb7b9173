"""The architecture: a folder is a stage of the pipeline; imports point to earlier folders (docs/architecture.md)."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import EnumMeta
from functools import cache
from graphlib import TopologicalSorter
from inspect import Parameter, signature
from operator import attrgetter
from pathlib import Path

import pytest
from attrs import frozen

import treerules
from paths import EXAMPLES, TABLES, TESTS
from sources import syntax_nodes, syntax_tree
from treerules.emit.sql.case import KINDS
from treerules.rendering.templates import template_folder
from treerules.sql.dialects import DIALECTS
from whole_tables import CARRIED, TARGETS

SOURCE = Path(treerules.__file__).parent

#: The folders and modules below treerules, in the order of imports: each imports from itself and from those before it.
FOLDERS = (
    *("errors", "_internal", "rendering", "data", "readers", "criteria", "recipes", "trees", "growing", "pruning"),
    *(
        "learning",
        "importers",
        "rules",
        "regions",
        "proof",
        "evaluation",
        "sql",
        "emit",
        "formats",
        "verification",
        "report",
    ),
    *("lint", "testing", "sklearn", "cli", "__main__", "__init__", "curried"),
)
#: At most so many imports of our own may stand elsewhere than at the top of a module, each with its reason.
MOST_LATE = 12
HEAVY = ("numpy", "attrs", "lark", "jinja2", "duckdb", "narwhals", "click", "rich", "numba", "hypothesis", "toolz")


def named(path: Path) -> str:
    """Return the name of a module below treerules; that of the package is __init__."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "__init__"


#: The public names of treerules, each with its module below treerules.
MODULE_OF = {name: module for module, names in treerules._NAMES.items() for name in names.split()}
MODULES = {named(path): path for path in sorted(SOURCE.rglob("*.py"))}


@frozen
class Import:
    """An import of a module of ours: from where, of what, in which line, and whether it stands in a function."""

    source: str
    target: str
    line: int
    is_inner: bool
    #: what follows `# late:` in its lines; None where they have no such comment
    reason: str | None


def called_name(function: ast.expr) -> str:
    """Return the last name of what is called: import_module of importlib.import_module."""
    return getattr(function, "attr", getattr(function, "id", ""))


def targets(node: ast.AST, source: str = "") -> Iterator[str]:
    """Yield the modules of ours that a statement or a call imports, below treerules; "?" where that is computed."""
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        package = f"treerules.{source}".split(".")[: -node.level] if node.level else []
        names = [".".join([*package, *([node.module] if node.module else []), alias.name]) for alias in node.names]
    elif isinstance(node, ast.Call) and called_name(node.func) in ("import_module", "__import__"):
        constants = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        names = [str(value) for value in constants] or ["treerules.?"]
    for name in names:
        package_name, _, below = name.partition(".")
        if package_name == "treerules":
            while below not in ("", "?") and below not in MODULES:
                below = below.rpartition(".")[0]
            yield below or "__init__"


_STATEMENTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def walked(node: ast.AST, *, has_calls: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """Yield what stands below a node, and whether it stands in a function; without calls statements alone."""
    above = [(node, False)]
    while above:
        parent, is_inner = above.pop()
        for child in ast.iter_child_nodes(parent):
            if has_calls or isinstance(child, _STATEMENTS):
                inside = is_inner or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
                yield child, inside
                above.append((child, inside))


@cache
def own_imports() -> list[Import]:
    """Return every import of a module of ours, whatever its spelling, below TYPE_CHECKING and in functions too."""
    found = []
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        has_calls = "import_module" in text or "__import__" in text  # imports are statements elsewhere
        for node, is_inner in walked(syntax_tree(path), has_calls=has_calls):
            for target in targets(node, name):
                said = " ".join(lines[node.lineno - 1 : node.end_lineno])  # type: ignore[attr-defined]
                reason = re.search(r"# late: (.+)", said)
                found.append(Import(name, target, node.lineno, is_inner, reason and reason[1]))  # type: ignore[attr-defined]
    return found


def test_imports_point_to_earlier_folders() -> None:
    """A module imports from its own folder and from those before it in the list, which names every folder."""
    rank = {name: place for place, name in enumerate(FOLDERS)}
    folder = {name: name.partition(".")[0] for name in MODULES}
    assert set(folder.values()) == set(FOLDERS)
    wrong = [
        f"{each.source}:{each.line} imports {each.target}"
        for each in own_imports()
        if each.reason is None and rank[folder[each.source]] < rank[folder.get(each.target, "__init__")]
    ]
    assert not wrong


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Over all modules, imports below TYPE_CHECKING and in functions counted, late ones alone left out."""
    graph: dict[str, set[str]] = {name: set() for name in MODULES}
    for each in own_imports():
        if each.reason is None and each.target in graph and each.source != each.target:
            graph[each.source].add(each.target)
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules


def test_own_imports_stand_at_the_top() -> None:
    """But for at most a dozen, whose lines say why in a comment `# late: WHY`; one that is computed is late too."""
    inner = [f"{each.source}:{each.line}" for each in own_imports() if each.is_inner and each.reason is None]
    assert not inner
    late = {(each.source, each.line): each.reason or "" for each in own_imports() if each.reason is not None}
    assert 0 < len(late) <= MOST_LATE
    assert all(len(reason.split()) >= 3 for reason in late.values())


@pytest.mark.parametrize(
    "text",
    [
        "import treerules.proof.check",
        "import treerules.proof.check as proven",
        "from treerules.proof import check",
        "from treerules.proof.check import check",
        "from ..proof import check",
        "from ..proof.check import check",
        "import_module('treerules.proof.check')",
        "importlib.import_module('treerules.proof.check')",
        "__import__('treerules.proof.check')",
    ],
)
def test_imports_are_seen_however_they_are_spelled(text: str) -> None:
    """In a function below TYPE_CHECKING too, and relative ones, which the linter forbids besides."""
    nodes = [node for node, _ in walked(ast.parse(f"def f():\n    if TYPE_CHECKING:\n        {text}"))]
    assert {target for node in nodes for target in targets(node, "data.schema")} == {"proof.check"}
    computed = ast.parse("import_module(f'treerules.{name}')")
    assert {target for node, _ in walked(computed) for target in targets(node)} == {"?"}


def test_the_root_has_few_entries() -> None:
    """At most 30 files and folders stand below treerules."""
    assert len([path for path in SOURCE.iterdir() if path.name not in ("__pycache__", "templates")]) <= 30


def test_only_readers_and_the_command_line_read_files_of_data() -> None:
    """Nothing else computes on a file: it is handed a Table."""
    connection = "readers.duckdb_connection"  # what opens DuckDB, to write Parquet and to verify SQL too
    users = {each.source for each in own_imports() if each.target.startswith("readers.") and each.target != connection}
    assert {name for name in users if not name.startswith(("readers", "cli"))} <= {"__init__"}


def test_only_the_command_line_prints() -> None:
    """No print and no stdout elsewhere, but in examples of docstrings."""
    for name, path in MODULES.items():
        if not name.startswith("cli") and name != "__main__":
            lines = path.read_text(encoding="utf-8").splitlines()
            text = "\n".join(line for line in lines if not line.lstrip().startswith((">>> ", "... ")))
            assert "print(" not in text.replace("footprint(", "") and "sys.stdout" not in text, name


def test_only_the_walkers_walk_trees_and_nobody_raises_the_recursion_limit() -> None:
    """Elsewhere no function that reaches for children calls itself, and no list of children is put on a stack."""
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        assert "setrecursionlimit" not in text, name
        for node in syntax_nodes(path):
            if isinstance(node, ast.FunctionDef) and name not in ("trees.walkers", "trees.nodes"):
                statements = node.body[1:] if ast.get_docstring(node) else node.body
                body = "\n".join(map(ast.unparse, statements))
                if ".children" in body:
                    assert f"{node.name}(" not in body, f"{name}.{node.name} walks children by calling itself"
                    assert "extend(" not in body and "while stack" not in body, f"{name}.{node.name} walks by a stack"


def test_code_names_no_data_set() -> None:
    """Nothing is decided by the name of a table that tests or examples learn from; docstrings may show one."""
    paths = [*EXAMPLES.glob("*.csv"), *TABLES.glob("*.arff"), *map(Path, TARGETS)]
    names = {name for path in paths for name in (path.stem, re.split(r"[-_.]", path.stem)[0])}
    found = re.compile(rf"\b({'|'.join(sorted(names | set(CARRIED) - {'digits'}))})\b", re.IGNORECASE)
    assert found.search("if path.stem == 'Iris':")

    def is_named(path: Path) -> bool:
        return bool(found.search(path.read_text("utf-8")) and found.search(code_of(path)))

    assert {name: found.findall(code_of(path)) for name, path in MODULES.items() if is_named(path)} == {}


def code_of(path: Path) -> str:
    """Return a module without its comments and docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if hasattr(node, "body") and isinstance(node.body, list):
            texts = (at for at in node.body if isinstance(at, ast.Expr) and isinstance(at.value, ast.Constant))
            node.body = [at for at in node.body if at not in set(texts)] or [ast.Pass()]
    return ast.unparse(tree)


def test_files_and_functions_stay_small() -> None:
    """A file of much over 300 lines has two subjects; so has a function whose code does not fit a screen."""
    for name, path in MODULES.items():
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 320, name
        for node in syntax_nodes(path):
            if isinstance(node, ast.FunctionDef):
                last = node.end_lineno or 0
                text = node.body[0] if ast.get_docstring(node) else None
                n_text = 0 if text is None else (text.end_lineno or 0) - text.lineno
                assert last - node.lineno - n_text < 60, f"{name}.{node.name}"


def in_a_fresh_process(code: str) -> str:
    """Return what a program prints that finds treerules where this process does."""
    start = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r})\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.process
def test_importing_loads_next_to_nothing() -> None:
    """In a fresh process `import treerules` loads the standard library alone."""
    assert in_a_fresh_process(f"import treerules; print([name for name in {HEAVY!r} if name in sys.modules])") == "[]"


@pytest.mark.process
def test_help_loads_no_command() -> None:
    """`treerules --help` lists the commands without loading what they need."""
    code = (
        "from treerules.cli import main\nimport contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()) as said:\n    main(['--help'])\n"
        "assert 'importances' in said.getvalue()\n"
        "print([name for name in ('numpy', 'jinja2', 'duckdb', 'numba') if name in sys.modules])"
    )
    assert in_a_fresh_process(code) == "[]"


@pytest.mark.process
def test_public_names_are_what_they_are_whatever_was_imported_before() -> None:
    """After every module was imported, in this order or the other, each public name is still its own object."""
    names = [name for name in MODULES if name not in ("__main__", "__init__")]
    for order in (names, names[::-1]):
        code = (
            "import importlib, treerules\n"
            f"for name in {order!r}:\n    importlib.import_module('treerules.' + name)\n"
            f"print([name for name, module in {MODULE_OF!r}.items() if getattr(treerules, name)"
            " is not getattr(sys.modules['treerules.' + module], name)])"
        )
        assert in_a_fresh_process(code) == "[]"


@pytest.mark.process
def test_threads_may_load_names_at_once() -> None:
    """Sixteen threads that ask for all names, those of public packages too, each in an order of its own, get them."""
    packages = [name for name in treerules._MODULES if hasattr(getattr(treerules, name), "__all__")]
    names = [*treerules.__all__, *(f"{each}.{name}" for each in packages for name in getattr(treerules, each).__all__)]
    code = (
        "import operator, random, threading, treerules\n"
        f"names, failed = {names!r}, []\n"
        "def ask(seed):\n"
        "    for name in random.Random(seed).sample(names, len(names)):\n"
        "        try:\n            operator.attrgetter(name)(treerules)\n"
        "        except Exception as error:\n            failed.append((name, repr(error)))\n"
        "threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(16)]\n"
        "[each.start() for each in threads]; [each.join() for each in threads]\n"
        "print(failed)"
    )
    assert in_a_fresh_process(code) == "[]"


@pytest.mark.process
def test_threads_may_import_the_curried_functions_in_two_ways() -> None:
    """One by the name, one as a module: neither waits for the other for ever."""
    code = (
        "import importlib, os, threading, treerules\n"
        "barrier = threading.Barrier(2)\n"
        "def by_name():\n    barrier.wait()\n    treerules.curried\n"
        "def as_module():\n    barrier.wait()\n    importlib.import_module('treerules.curried')\n"
        "threads = [threading.Thread(target=each, daemon=True) for each in (by_name, as_module)]\n"
        "[each.start() for each in threads]; [each.join(60) for each in threads]\n"
        "print([each.is_alive() for each in threads], flush=True)\n"
        "os._exit(0)"
    )
    assert in_a_fresh_process(code) == "[False, False]"


@pytest.mark.process
def test_public_modules_are_attributes_of_the_package() -> None:
    """After `import treerules` an error can be caught by `treerules.errors.OptionError`, say."""
    code = "import treerules; print([getattr(treerules, name).__name__ for name in treerules._MODULES])"
    assert in_a_fresh_process(code) == repr([f"treerules.{name}" for name in treerules._MODULES])


def test_editors_see_the_names_that_are_loaded() -> None:
    """What stands below TYPE_CHECKING in the package is the table of its names, and `__dir__` lists them."""
    tree = ast.parse(MODULES["__init__"].read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    seen = {
        alias.name: str(node.module).removeprefix("treerules.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert seen == MODULE_OF
    assert set(treerules.__all__) <= set(dir(treerules))
    with pytest.raises(AttributeError, match="has no attribute 'lern'"):
        treerules.lern  # noqa: B018


def shown_parameters(name: str, *, left_out: set[str]) -> str:
    """Return the parameters of a public name with their defaults, without annotations; "" of what is not called."""
    thing = attrgetter(name)(treerules)
    if isinstance(thing, EnumMeta):
        return ""  # calling an enum is Python's own, and changes with it
    try:
        parameters = signature(thing).parameters.values()
    except (TypeError, ValueError):
        return ""
    bare = [each.replace(annotation=Parameter.empty) for each in parameters if each.name not in left_out]
    text = str(signature(thing).replace(parameters=bare, return_annotation=Parameter.empty))
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def new_options(name: str, published: str) -> set[str]:
    """Return the parameters of a public name that were not published with it, and that have defaults."""
    thing = attrgetter(name)(treerules)
    try:
        parameters = signature(thing).parameters.values()
    except (TypeError, ValueError):
        return set()
    known = set(re.findall(r"\w+", published))
    return {each.name for each in parameters if each.default is not Parameter.empty and each.name not in known}


def test_public_names_and_their_parameters_are_those_that_were_published() -> None:
    """Each name of November 2026 is there, with its parameters, their order and defaults; new ones are optional."""
    recorded = (TESTS / "public_names.txt").read_text(encoding="utf-8").splitlines()
    published = dict(line.partition(" ")[::2] for line in recorded)
    for name, parameters in published.items():
        package, _, bare = f"treerules.{name}".rpartition(".")
        assert bare in sys.modules[package].__all__, name
        assert shown_parameters(name, left_out=new_options(name, parameters)) == parameters, name


def test_templates_are_found() -> None:
    """Every template that the source or another template names is there (`.ci/run` runs this from the wheel too)."""
    wanted = {f"sql/{kind}.sql.j2" for kind in KINDS}
    folder = template_folder()
    wanted |= {f"sql/{name}/{kind}.sql.j2" for kind in KINDS for name in DIALECTS if (folder / "sql" / name).is_dir()}
    wanted -= {name for name in wanted if name.count("/") > 1 and not (folder / name).is_file()}
    for path in [*MODULES.values(), *template_folder().rglob("*.j2")]:
        wanted |= set(re.findall(r'"([a-z]+/[a-z]+\.[a-z]+\.j2)"', path.read_text(encoding="utf-8")))
    assert wanted == {path.relative_to(template_folder()).as_posix() for path in template_folder().rglob("*.j2")}


def test_everything_public_is_documented() -> None:
    """Each name in __all__ says what it is."""
    for name in treerules.__all__:
        if name != "__version__":
            assert getattr(treerules, name).__doc__, name


def test_every_test_states_a_fact() -> None:
    """Each test has a docstring."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"


#: The fields of notes and errors that hold sentences, and the methods that would look for something in them.
SENTENCES = {"sentence", "problem", "remedy", "wanted", "fact", "note", "remark"}
LOOKING = {
    *("partition", "rpartition", "split", "startswith", "endswith", "removeprefix", "removesuffix", "replace", "find"),
    *("match", "search", "fullmatch", "sub", "findall", "finditer"),
}
#: The functions whose third argument says what is accepted.
REFUSING = {"OptionError", "require", "require_type"}


def is_sentence(node: ast.AST) -> bool:
    """Return whether an expression is a field of an error or of a note that holds a sentence, or a note."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr in SENTENCES if isinstance(node, ast.Attribute) else getattr(node, "id", "") == "note"


def test_no_code_looks_for_words_in_our_own_sentences() -> None:
    """What code asks of a note or an error it asks of its code, parts and fields: names of columns can be any words."""
    wrong = []
    for name, path in MODULES.items():
        for node in syntax_nodes(path):
            looked_at: list[ast.expr] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKING:
                looked_at = [node.func.value, *node.args]
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
                looked_at = node.comparators
            wrong += [f"{name}:{at.lineno}" for at in looked_at if is_sentence(at)]
    assert wrong == []


def test_arguments_and_none_are_parts_of_what_an_error_wants() -> None:
    """The command line has options and no None: it finds both as parts of a `Note`, never in a text."""
    spelled = re.compile(r", or None$|, or None: |(?<![\w'\"(.])[a-z_]+=(?:True)?(?: |,|$)")
    wrong = []
    for name, path in MODULES.items():
        for node in syntax_nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSING:
                texts = [at for argument in node.args[2:] for at in ast.walk(argument) if isinstance(at, ast.Constant)]
                wrong += [f"{name}:{at.lineno}" for at in texts if spelled.search(str(at.value))]
    assert wrong == []

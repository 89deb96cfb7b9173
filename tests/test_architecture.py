"""The walls of the house: who may import whom, what `import treerules` loads, where templates are found."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treerules
from paths import TESTS
from treerules.emit.sql.case import KINDS
from treerules.rendering.templates import shipped
from treerules.sql.dialects import DIALECTS

SOURCE = Path(treerules.__file__).parent

#: Each layer may import itself and those before it. `convert` and `_attrs` are below all.
LAYERS = (
    ("_attrs", "_hypothesis_entry", "_version"),
    ("convert", "errors", "forms"),
    ("compiled",),
    ("mixing",),
    ("engine",),
    ("schema", "criteria"),
    ("parts",),
    ("domains",),
    ("samples",),
    ("columns",),
    ("declaring",),
    ("frames",),
    ("origin", "nodes"),
    ("table", "tree", "files", "weights"),
    ("read.sniffing", "read.readings"),
    ("read.cleaning", "read.cells"),
    ("read.delimited", "read.typed", "read.records"),
    ("read.files",),
    ("routes",),
    ("routing",),
    ("read", "predict"),
    ("learn.recipe",),
    ("learn.algorithms", "learn.recipe_record", "weighing"),
    ("learn.problem",),
    ("learn.encoded", "learn.validation"),
    ("learn.moments", "learn.candidate"),
    ("learn.cuts", "learn.leaves"),
    ("learn.divisions",),
    ("learn.offers", "learn.splits", "learn.dividing"),
    ("learn.choosing",),
    ("learn.known",),
    ("learn.flat", "learn.flat_multiway"),
    ("learn.kernels.champion", "learn.kernels.counting", "learn.kernels.multiway", "learn.kernels.sums"),
    ("learn.kernels.squares",),
    ("learn.kernels.classes",),
    ("learn.kernels.parting", "learn.kernels.tables", "learn.kernels.means"),
    ("learn.kernels.searching", "learn.kernels.coding"),
    ("learn.kernels.listing", "learn.kernels.mean_tables", "learn.kernels.growing"),
    ("learn.kernels.growing_means", "learn.kernels.sharing", "learn.kernels.folds"),
    ("learn.kernels.rooms",),
    ("learn.kernels.growth", "learn.kernels.multiway_growth", "learn.kernels"),
    ("learn.kernels.together",),
    ("learn.kernels.teams",),
    ("learn.levels_rows", "learn.levels_figures"),
    ("learn.levels_entropy",),
    ("learn.levels_gains",),
    ("learn.levels_choice",),
    ("learn.levels",),
    ("learn.grow",),
    ("learn.whole",),
    ("learn.relearning",),
    ("learn",),
    ("scores",),
    ("metrics",),
    ("importances",),
    ("prune.figures", "prune.limits"),
    (
        "prune.collapse",
        "prune.cost_complexity",
        "prune.merge_equal_leaves",
        "prune.minimum_error",
        "prune.penalised",
        "prune.pessimistic",
        "prune.reduced_error",
        "prune.snip",
    ),
    ("prune.raising", "prune.rpart", "prune"),
    ("prune.again",),
    ("selection.folds", "selection.listings", "selection.sums", "selection.tapes"),
    ("selection.outline",),
    ("selection.held_out",),
    ("selection.cross", "selection.grid"),
    ("selection",),
    ("recipes",),
    ("editable",),
    ("rules",),
    ("asked", "parse.written", "conditions", "parse.cell_tokens", "parse.given"),
    ("editing",),
    ("parse.cells", "parse.grids"),
    ("parse.elements", "parse.cell_meaning"),
    ("parse.dmn_types",),
    ("parse.rulings",),
    ("parse.tables", "parse.dmn"),
    ("compiling",),
    ("sources",),
    ("probes",),
    ("boundaries",),
    ("axes_ordered",),
    ("axes_categories",),
    ("axes",),
    ("spaces",),
    ("boxes", "cells", "closing", "merging"),
    ("gaps", "shadows"),
    ("regions",),
    ("check", "cutting"),
    ("exclusive", "orders", "regrown"),
    ("lists", "splitting"),
    ("parse",),
    ("parse.sql_dialects", "parse.sql_sets"),
    ("parse.sql_cases", "parse.sql_values"),
    ("parse.sql_scope",),
    ("parse.sql_terms", "parse.sql_outcomes"),
    ("parse.sql_cells", "parse.sql_reader"),
    ("parse.sql_branches", "parse.sql_columns", "parse.sql_logic", "parse.sql_writing"),
    ("parse.sql_notes",),
    ("parse.sql",),
    ("gains",),
    ("nearby",),
    ("grids",),
    ("meeting",),
    ("score",),
    ("explain",),
    ("edit_script", "unifying", "diff_sides"),
    ("diff_regions",),
    ("diff",),
    ("figures",),
    ("emit.characters", "emit.python_runtime"),
    ("emit.templates", "emit.languages", "emit.kinds", "emit.wording", "emit.headings", "emit.pages"),
    ("parse.tokens",),
    ("parse.syntax", "parse.literals"),
    ("parse.columns",),
    ("parse.meaning",),
    ("parse.text", "emit.written"),
    ("emit.engines",),
    ("emit.warehouses",),
    ("emit.dialects", "emit.names", "emit.questions"),
    ("emit.formats", "emit.hashed_text"),
    ("emit.tables", "emit.layout", "emit.rules_rows", "emit.cell_texts", "emit"),
    ("emit.decision_tables", "emit.folding", "emit.rows"),
    ("emit.opening", "emit.printed"),
    ("emit.dmn",),
    ("emit.code", "emit.outputs", "emit.cuts"),
    ("emit.javascript", "emit.lookup"),
    ("emit.python_literals", "emit.python_wording"),
    ("emit.python_code", "emit.python_context", "emit.python_schema"),
    ("emit.python_loading", "emit.python_checks"),
    ("emit.python_vectorized",),
    ("emit.text", "emit.python", "emit.sql", "emit.drawing", "emit.gains"),
    ("emit.dbt", "emit.rules_table", "emit.exclusive_case"),
    ("emit.scores", "emit.explanations", "emit.differences"),
    ("emit.dbt", "emit.rules_table"),
    ("emit.reports", "emit.choices", "emit.listing"),
    ("codec_values",),
    ("emit.html", "codec", "predictions"),
    ("reviewing", "parse.declared", "parse.rows"),
    ("parse.files", "emit.findings"),
    ("emit.sarif",),
    ("emit.verdicts",),
    ("verify.wire", "verify.answers", "verify.witnesses", "verify.statements"),
    ("verify.modules", "verify.databases"),
    ("verify.queries",),
    ("verify.equivalence", "verify"),
    ("testing.corners", "testing._hypothesis"),
    ("testing.building", "testing.points"),
    ("testing.edits", "testing.strategies"),
    ("testing.rowing", "testing.rule_strategies"),
    ("testing.assertions", "testing.sql"),
    ("testing.sides",),
    ("testing.equivalence",),
    ("testing.checks",),
    ("testing",),
    ("cli.say", "cli.progress"),
    ("cli.output", "cli.reading", "cli.doctor"),
    ("cli.recipes",),
    ("cli.options",),
    ("cli.emitting_sql", "cli.rules_files"),
    ("cli.emitting_rules",),
    ("cli.emitting", "cli.predicting"),
    ("cli.looking", "cli.judging", "cli.pruning", "cli.verifying", "cli.checking", "cli.comparing"),
    ("cli.app",),
    ("contexts",),
    ("",),
    ("cli", "__main__"),
)
#: Loaded where it is used, by a function: these edges may point down the list.
DEFERRED = {
    ("table", "declaring"),
    ("table", "columns"),
    ("table", "frames"),
    ("learn", "learn.problem"),
    ("learn", "learn.whole"),
    ("learn.relearning", "learn.whole"),
    ("learn.relearning", "prune.again"),
    ("learn.whole", "prune.raising"),
    ("learn.dividing", "learn.choosing"),
    ("nodes", "tree"),
    ("origin", "columns"),
    ("prune.pessimistic", "prune.raising"),
    ("weighing", "learn.recipe"),
    ("check", "closing"),
    ("check", "merging"),
    ("check", "shadows"),
    ("check", "regions"),
    ("check", "spaces"),
    ("gains", "figures"),
    ("tree", "emit.html"),
    ("rules", "emit.html"),
    ("rules", "exclusive"),
    ("editable", "rules"),
    ("editable", "editing"),
    ("editing", "parse.text"),
    ("gains", "emit.html"),
    ("cli", "cli.app"),
    ("_hypothesis_entry", "testing"),
}
HEAVY = ("numpy", "lark", "jinja2", "duckdb", "narwhals", "click", "rich", "numba", "hypothesis")


def imports(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, by their names below treerules."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "treerules":
            below = node.module.partition(".")[2]
            for alias in node.names:
                inner = f"{below}.{alias.name}".strip(".")
                found.add(inner if (SOURCE / (inner.replace(".", "/") + ".py")).exists() else below)
    return found


def modules() -> dict[str, Path]:
    """Return every module below treerules by its name; "" is the package."""
    names = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        names[".".join(part for part in parts if part != "__init__")] = path
    return names


def test_imports_point_one_way() -> None:
    """Every module stands in one layer and imports from its own or an earlier one."""
    level = {name: place for place, layer in enumerate(LAYERS) for name in layer}
    assert set(level) == set(modules())
    wrong = [
        (name, other)
        for name, path in modules().items()
        for other in imports(path)
        if level[other] > level[name] and (name, other) not in DEFERRED
    ]
    assert not wrong


def test_only_the_command_line_and_the_package_read_files_of_data() -> None:
    """`read` stands beside `table`: nothing computes on a file."""
    users = {name for name, path in modules().items() if any(found.startswith("read") for found in imports(path))}
    assert users <= {"", *(name for name in modules() if name.startswith(("cli", "read")))}


def test_only_the_command_line_prints() -> None:
    """No print and no stdout elsewhere."""
    for name, path in modules().items():
        if not name.startswith("cli") and name != "__main__":
            text = path.read_text(encoding="utf-8")
            assert "print(" not in text.replace("footprint(", "") and "sys.stdout" not in text, name


def test_only_tree_walks_trees_and_nobody_raises_the_recursion_limit() -> None:
    """Elsewhere no function that reaches for children calls itself, and no list of children is put on a stack."""
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        assert "setrecursionlimit" not in text, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and name not in ("tree", "nodes"):
                body = ast.unparse(node)
                if ".children" in body:
                    assert f"{node.name}(" not in body.partition("\n")[2], f"{name}.{node.name}"
                    assert "extend(" not in body and "while stack" not in body, f"{name}.{node.name}"


def test_files_and_functions_stay_small() -> None:
    """A file of much over 300 lines is two rooms; so is a function that does not fit a screen."""
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 320, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{name}.{node.name}"


@pytest.mark.process
def test_importing_loads_nothing_heavy() -> None:
    """In a fresh process `import treerules` loads attrs and the standard library."""
    code = f"import treerules, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    source = str(SOURCE.parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r}); {code}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_templates_are_found() -> None:
    """Every template that the source or another template names is there (`.ci/run` runs this from the wheel too)."""
    named = {f"sql/{kind}.sql.j2" for kind in KINDS}
    folder = shipped()
    named |= {f"sql/{name}/{kind}.sql.j2" for kind in KINDS for name in DIALECTS if (folder / "sql" / name).is_dir()}
    named -= {name for name in named if name.count("/") > 1 and not (folder / name).is_file()}
    for path in [*modules().values(), *shipped().rglob("*.j2")]:
        named |= set(re.findall(r'"([a-z]+/[a-z]+\.[a-z]+\.j2)"', path.read_text(encoding="utf-8")))
    assert named == {path.relative_to(shipped()).as_posix() for path in shipped().rglob("*.j2")}


def test_everything_public_is_there_and_documented() -> None:
    """Each name in __all__ exists and says what it is."""
    for name in treerules.__all__:
        assert getattr(treerules, name) is not None
        if name != "__version__":
            assert getattr(treerules, name).__doc__, name


def test_every_test_states_a_fact() -> None:
    """Each test has a docstring."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"

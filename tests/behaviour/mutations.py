"""Does the recording notice? Small mutations of the source, drawn by seed, each tried in a copy of the checkout.

python tests/behaviour/mutations.py --seed 1 --number 20
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

#: Sections that take little time, and those that see much of the source, come first.
ORDER = (
    "errors", "values", "reports", "pruning", "predictions", "relearning", "commands", "parsing", "defaults",
    "verdicts", "editing",
    "spelling", "emitting", "testing", "verify", "reading", "selection", "learning", "compiled",
)  # fmt: skip
ROOT = Path(__file__).parent.parent.parent
_COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_REVERSED: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult}


class Mutation(NamedTuple):
    """One change of one line."""

    path: Path
    line: int
    what: str
    text: str


def mutated(node: ast.AST) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what can be changed in a node, in words, with what changes it in place."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        other = _COMPARED[type(node.ops[0])]
        yield f"{type(node.ops[0]).__name__} to {other.__name__}", lambda: node.ops.__setitem__(0, other())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _REVERSED:
        other = _REVERSED[type(node.op)]
        yield f"{type(node.op).__name__} to {other.__name__}", lambda: setattr(node, "op", other())
    elif isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} to {other.__name__}", lambda: setattr(node, "op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not left out", lambda: setattr(node, "op", ast.UAdd())  # bool(+x) is bool(x)
    elif isinstance(node, ast.IfExp):
        yield "branches exchanged", lambda: _exchange(node)
    elif isinstance(node, ast.Constant):
        yield from _constant(node)


def _exchange(node: ast.IfExp) -> None:
    node.body, node.orelse = node.orelse, node.body


def _constant(node: ast.Constant) -> Iterator[tuple[str, Callable[[], Any]]]:
    value = node.value
    if isinstance(value, bool):
        yield f"{value} to {not value}", lambda: setattr(node, "value", not value)
    elif isinstance(value, (int, float)):
        yield f"{value} to {value + 1}", lambda: setattr(node, "value", value + 1)
    elif isinstance(value, str) and value:
        yield f"{value!r:.40} and an x", lambda: setattr(node, "value", value + "x")


def places(tree: ast.Module) -> list[tuple[ast.AST, str, Callable[[], Any]]]:
    """Return all that can be changed in a module: no docstrings, annotations, imports or __all__."""
    left = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left.add(id(node.value))
        for name in ("annotation", "returns"):
            for part in ast.walk(getattr(node, name, None) or ast.Pass()):
                left.add(id(part))
        is_type = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        is_all = isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("__all__", "__version__")
        if is_type or is_all or _is_overload(node):
            left |= {id(part) for part in ast.walk(node)}
    found = [(node, *each) for node in ast.walk(tree) if id(node) not in left for each in mutated(node)]
    return [each for each in found if hasattr(each[0], "lineno")]


def _is_overload(node: ast.AST) -> bool:
    marks = getattr(node, "decorator_list", [])
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in marks)


def drawn(seed: int, number: int) -> Iterator[Mutation]:
    """Yield so many mutations, each drawn evenly of all that can be changed anywhere in the source."""
    files = sorted((ROOT / "src").rglob("*.py"))
    sizes = [len(places(ast.parse(path.read_text(encoding="utf-8")))) for path in files]
    random = Random(seed)
    for _ in range(number):
        place = random.randrange(sum(sizes))
        for path, size in zip(files, sizes, strict=True):
            if place < size:
                tree = ast.parse(path.read_text(encoding="utf-8"))
                node, what, change = places(tree)[place]
                change()
                text = ast.unparse(ast.fix_missing_locations(tree))
                yield Mutation(path.relative_to(ROOT), getattr(node, "lineno", 0), what, text)
                break
            place -= size


def noticed(copy: Path, mutation: Mutation) -> str | None:
    """Return the first line that a mutation changes; None where none does."""
    path = copy / mutation.path
    before = path.read_text(encoding="utf-8")
    path.write_text(mutation.text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
    try:
        sections = [word for section in ORDER for word in ("--only", section)]
        command = [sys.executable, str(copy / "tests/behaviour/record.py"), "--first", *sections]
        done = subprocess.run(command, capture_output=True, env=environment, check=False, encoding="utf-8", cwd=copy)
    finally:
        path.write_text(before, encoding="utf-8")
    if done.returncode == 0:
        return None
    said = done.stdout.strip().splitlines() or done.stderr.strip().splitlines()
    return said[-1][:160] if said else f"exit code {done.returncode}"


def main() -> int:
    """Try the mutations and say how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0, help="so many of them, which were tried before")
    parser.add_argument("--list", action="store_true", help="say which they are, and try none")
    asked, n = parser.parse_args(), 0
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".mypy_cache", ".ruff_cache"))
        for number, mutation in enumerate(drawn(asked.seed, asked.number), 1):
            shown = f"{number}: {mutation.path.as_posix()}:{mutation.line}: {mutation.what}"
            if asked.list or number <= asked.skip:
                print(shown)
                continue
            found = noticed(copy, mutation)
            n += found is not None
            print(f"{shown}: {found or 'NOT NOTICED'}", flush=True)
    print(f"{n} of {asked.number - asked.skip} mutations changed a line")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The source files of the package as syntax trees, each parsed once in a process."""

import ast
import re
from functools import cache
from pathlib import Path


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file, which callers must not change."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def syntax_nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of the syntax tree of a file, as `ast.walk` gives them."""
    return tuple(ast.walk(syntax_tree(path)))


def files_with(folder: Path, pattern: str) -> list[Path]:
    """Return the Python files below a folder whose text has a match of a regular expression: few are worth parsing."""
    return [path for path in sorted(folder.rglob("*.py")) if re.search(pattern, path.read_text(encoding="utf-8"))]

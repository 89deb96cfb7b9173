"""The code of a model as a page shows it: the text of `to_sql` and of `to_python`."""

from collections.abc import Iterator
from functools import partial

from treerules.emit.python.module import to_python
from treerules.emit.sql.case import to_sql
from treerules.errors import TreeRulesError
from treerules.rendering.headings import heading
from treerules.trees.tree import Tree

#: The page of a larger model has no code, which would be longer than all else.
MOST_RULES = 200


def code_texts(tree: Tree, lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield a name for the script, a name for people and the code, for SQL and for Python.

    What cannot be written, such as a name that SQL cannot hold, is left out.
    """
    if tree.n_leaves > MOST_RULES:
        return
    in_python = partial(to_python, lang="zh" if lang == "zh" else "en")
    emitters = (("sql", "SQL (DuckDB)", partial(to_sql, dialect="duckdb")), ("python", "Python", in_python))
    for name, text, emit in emitters:
        try:
            code = emit(tree)
        except TreeRulesError:
            continue
        yield name, heading(text, lang), code

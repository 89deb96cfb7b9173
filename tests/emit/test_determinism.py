"""The same tree gives the same bytes in every language, dialect, kind and layout, whatever PYTHONHASHSEED is."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from hashlib import sha256
from random import Random

from strategies_random import a_schema, a_tree
from golden_tree import golden_tree
from treerules import to_dbt, to_javascript, to_python, to_sql
from treerules.testing import boundary_rows
from treerules.emit import rules_table_sql
from treerules.sql.dialects import DIALECTS
from treerules.emit.sql.statement_kinds import SQL_KINDS

random = Random(5)
schema = a_schema(random, 3)
while schema.is_regression or "" in schema.classes:  # to Oracle an empty label is none
    schema = a_schema(random, 3)
drawn = a_tree(random, schema, 30)
for tree in (golden_tree(), drawn):
    names = {feature.name: f"column {place}" for place, feature in enumerate(tree.schema.features)}
    texts = [repr(boundary_rows(tree)), *to_dbt(tree).values(), to_python(tree, vectorized=True)]
    for layout in ("flat", "guarded"):
        texts += [to_python(tree, layout=layout, lang="zh"), to_javascript(tree, layout=layout)]
        for dialect in DIALECTS:
            for kind in SQL_KINDS.values():
                if not kind.dialects or dialect in kind.dialects:
                    texts.append(to_sql(tree, dialect=dialect, kind=kind.name, layout=layout, rename=names))
    texts.append(to_sql(tree, dialect="duckdb", kind="select", layout="lookup", proba=True, reason=True))
    texts.append(rules_table_sql(tree, dialect="duckdb", keys=["id"]))
    print(sha256("\\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest())
"""


@pytest.mark.process
def test_the_same_tree_gives_the_same_bytes() -> None:
    """Nothing that is printed depends on the order of a set."""
    outputs = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr.decode()
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 2

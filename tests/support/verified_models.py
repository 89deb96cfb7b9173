"""A model with a column of each usual kind, and where the files that are verified against it run."""

import datetime
import shutil
from pathlib import Path

import pytest

from run_emitted import POSTGRES
from treerules import Feature, Kind, Schema, Tree
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split, ThresholdTest

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node on the PATH")
needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="no Postgres server (TREERULES_POSTGRES is not set)")
DAY = datetime.date(2024, 2, 29)


def a_model() -> Tree:
    """Return a tree that asks for a number, an integer, a category, a flag and a day, and predicts text."""
    features = [
        Feature("x", Kind.NUMBER),
        Feature("n", Kind.INTEGER),
        Feature("it's", Kind.CATEGORY, ["a", "b", "it's"]),
        Feature("flag", Kind.BOOLEAN),
        Feature("day", Kind.DATE),
    ]
    no, yes = (
        Leaf(ClassPrediction(label, shares), [1, 1]) for label, shares in (("no", [0.5, 0.5]), ("yes", [0.5, 0.5]))
    )
    day = Split(ThresholdTest(4, DAY), [yes, no], missing=1)
    flag = Split(CategoryTest(3, [[0], [1]]), [day, yes], missing=1)
    among = Split(CategoryTest(2, [[0, 2], [1]]), [no, flag], missing=1, unseen=0)
    whole = Split(ThresholdTest(1, 2**53), [among, no], missing=0)
    return Tree(
        Schema(features, Feature("y", Kind.CATEGORY, ["no", "yes"])), Split(ThresholdTest(0, 0.3), [whole, yes])
    )


def postgres_url() -> str:
    """Return the test server as a URL."""
    from psycopg.conninfo import conninfo_to_dict

    found = conninfo_to_dict(POSTGRES or "")
    user = found.get("user", "") + (f":{found['password']}" if "password" in found else "")
    return f"postgresql://{user}@{found.get('host', 'localhost')}:{found.get('port', 5432)}/{found.get('dbname', '')}"


def database(dialect: str) -> str | None:
    """Return where a dialect is run; None is a database of its own."""
    return postgres_url() if dialect == "postgres" else None


def written(path: Path, text: str) -> Path:
    """Return a file after writing it."""
    path.write_text(text, encoding="utf-8")
    return path

"""Running what is emitted: verify and its errors, assertions that show a row."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
from behaviour.calls import (
    Sql,
    Table,
    assert_answers_equal,
    assert_equivalent,
    compile_rules,
    outcome,
    rules_table_sql,
    to_python,
    to_sql,
    told,
    verify,
)
from behaviour.predicting import table_of
from behaviour.reading import without_engine, working_in
from behaviour.stored import models, rows_of
from behaviour.verdicts import changed

#: SQL statements and what is done with them.
STATEMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("expression flat", {"layout": "flat"}),
    ("expression guarded", {"layout": "guarded"}),
    ("select", {"kind": "select", "keys": ["id"], "rule": True}),
    ("select proba", {"kind": "select", "proba": True, "reason": True}),
    ("view", {"kind": "view", "name": "v", "keys": ["id"]}),
    ("table", {"kind": "table", "name": "t2", "table": "people"}),
    ("macro", {"kind": "macro", "name": "m"}),
    ("function", {"kind": "function", "name": "f"}),
    ("lookup", {"kind": "select", "layout": "lookup"}),
    ("renamed", {"kind": "select", "keys": ["id"], "rename": {"x": "other"}}),
)
NAMES = ("kinds", "kinds_number", "kinds_boolean", "kinds_date", "learned_cart", "leaf", "bushy", "drawn01", "drawn04")


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what running emitted code says."""
    with working_in({}):
        for name in NAMES:
            yield from _model(name, models()[name])
        yield from _modules()
        yield from _wrong()
    yield from _answers()


def _model(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    data = table_of(tree, rows_of(name)[:10])
    smaller = changed(tree)
    for dialect in ("duckdb", "sqlite"):
        for called, given in STATEMENTS:
            try:
                Path("emitted.sql").write_text(to_sql(tree, dialect=dialect, **given), encoding="utf-8")
            except Exception:  # recorded where it is emitted
                continue
            rename = given.get("rename")
            right = outcome(lambda r=rename: verify(tree, "emitted.sql", data=data, rename=r, most=30))
            wrong = outcome(lambda r=rename: assert_equivalent(smaller, "emitted.sql", rename=r, most=30))
            yield f"{name} | {dialect} {called}", without_engine(right) + "\n" + without_engine(wrong)
        text = outcome(lambda d=dialect: rules_table_sql(tree, dialect=d, keys=["id"]))
        Path("rules.sql").write_text(text, encoding="utf-8")
        yield f"{name} | {dialect} rules table", without_engine(outcome(lambda: verify(tree, "rules.sql", most=20)))
    if name in ("kinds", "leaf", "drawn04"):
        Path("emitted.py").write_text(to_python(tree, layout="guarded"), encoding="utf-8")
        yield f"{name} | python", outcome(lambda: verify(tree, "emitted.py", data=rows_of(name)[:5], most=40))
        yield f"{name} | python of another", outcome(lambda: verify(smaller, "emitted.py", most=40))


def _modules() -> Iterator[tuple[str, str]]:
    """Yield what is said of Python modules that are wrong in their ways."""
    tree = models()["learned_cart"]
    texts = {
        "raises": "def predict(row):\n    raise KeyError(1)\n",
        "syntax": "def predict(row:\n",
        "no predict": "x = 1\n",
        "odd answers": "def predict(row):\n    return [1]\n",
        "none": "def predict(row):\n    return None\n",
        "exits": "import sys\nsys.exit(3)\n",
        "prints": "print('hello')\ndef predict(row):\n    print(row)\n    return 1.0\n",
        "number": "def predict(row):\n    return float('nan')\n",
    }
    for name, text in texts.items():
        Path("module.py").write_text(text, encoding="utf-8")
        yield f"module {name}", outcome(lambda: verify(tree, "module.py", most=10)).replace(str(Path.cwd()), "FOLDER")


def _wrong() -> Iterator[tuple[str, str]]:
    tree = models()["learned_cart"]
    texts = {
        "nothing": "",
        "comment": "-- nothing",
        "two": "SELECT 1; SELECT 2",
        "delete": "DELETE FROM t",
        "nonsense": "CASE WHEN",
        "other": "SELECT 1 AS prediction FROM t",
        "columns": "SELECT x FROM t",
        "no column": "CASE WHEN zz > 1 THEN 'a' END",
        "joined": "SELECT 1 AS prediction FROM a, b",
        "constant": "'小'",
        "fewer": "SELECT '小' AS prediction FROM data WHERE x > 1",
        "unclosed": "SELECT 'a",
        "types": "CASE WHEN x > 1 THEN 3 ELSE 4 END",
    }
    for name, text in texts.items():
        Path("wrong.sql").write_text(text, encoding="utf-8")
        for dialect in ("duckdb", "sqlite", None):
            found = outcome(lambda d=dialect: verify(tree, "wrong.sql", dialect=d, most=20))
            yield f"sql {name} {dialect}", without_engine(found)
    for choice, given in (
        ("no file", {"against": "none.sql"}),
        ("suffix", {"against": "a.txt"}),
        ("dialect", {"against": "wrong.sql", "dialect": "oracle"}),
        ("unknown", {"against": "wrong.sql", "dialect": "cobol"}),
        ("database", {"against": "wrong.sql", "database": "duckdb:none.db"}),
        ("url", {"against": "wrong.sql", "database": "mysql://u:secret@h/d"}),
        ("both", {"against": "wrong.sql", "dialect": "sqlite", "database": "duckdb:"}),
        ("postgres", {"against": "wrong.sql", "dialect": "postgres"}),
        ("for python", {"against": "module.py", "dialect": "duckdb"}),
        ("no python", {"against": "gone.py"}),
        ("data", {"against": "wrong.sql", "dialect": "duckdb", "data": Table.from_columns({"a": [1]})}),
        ("rows", {"against": "wrong.sql", "dialect": "duckdb", "rows": [{"x": "a"}]}),
    ):
        yield f"verify {choice}", without_engine(outcome(lambda given=given: verify(tree, **given)))


def _answers() -> Iterator[tuple[str, str]]:
    """Yield assertions that two things answer alike."""
    for name in ("kinds", "learned_cart", "learned_regression", "leaf", "bushy", "drawn03"):
        tree = models()[name]
        rules = compile_rules(tree)
        smaller = changed(tree)
        pairs: dict[str, Any] = {
            "rules": rules,
            "smaller": smaller,
            "python": to_python(tree),
            "function": lambda row: "否",
            "nothing": 3,
            "fewer": type(rules)(rules.schema, rules.rules[1:]),
            "smaller python": to_python(smaller),
        }
        for called, other in pairs.items():
            text = outcome(lambda tree=tree, other=other: told(assert_answers_equal(tree, other, most=50)))
            yield f"{name} answers as {called}", text
            rows = rows_of(name)[:6]
            given = outcome(
                lambda tree=tree, other=other, rows=rows: told(assert_answers_equal(other, tree, rows=rows))
            )
            yield f"{name} answers as {called} for rows", given
        for dialect, connect in (("sqlite", sqlite3.connect), ("duckdb", duckdb.connect)):
            with closing(connect(":memory:")) as connection:
                for one in (tree, smaller):
                    for kind in ("expression", "select"):
                        keys = ["id"] if kind == "select" else []
                        text = outcome(
                            lambda one=one, k=kind, keys=keys, d=dialect: to_sql(one, dialect=d, kind=k, keys=keys)
                        )
                        found = outcome(
                            lambda tree=tree, text=text, c=connection: told(
                                assert_answers_equal(tree, Sql(text, c), most=40)
                            )
                        )
                        yield (
                            f"{name} answers as {dialect} {kind} {'itself' if one is tree else 'smaller'}",
                            without_engine(found),
                        )
                odd = outcome(lambda tree=tree, c=connection: told(assert_answers_equal(tree, Sql("nonsense", c))))
                yield f"{name} answers as {dialect} nonsense", without_engine(odd)

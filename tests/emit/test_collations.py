"""Texts are compared code point by code point, whatever collation or type a column of texts was declared with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest

from engines import mariadb, opened, postgres, spark
from treerules import Ensemble, Table, Tree, cart, check_list, diff, id3, learn, predict, to_sql
from treerules.emit import rules_table_statements
from treerules.formats import rules_from_sql

#: Texts that some collation takes for one another; each is a category, or unseen.
TEXTS = ["a", "A", "á", "b", "B", "c", "é", "e", None, "C", "z"]
MANY = [f"town {number}" for number in range(120)]


def _tree(others: Sequence[str] = (), *, recipe: Any = None) -> Tree:
    known = ["a", "b", "c", "e", *others]
    labels = [str(number % 3) for number, _ in enumerate(known)]
    return learn(Table.from_columns({"k": known * 9, "y": labels * 9}), target="y", recipe=recipe or id3())


def _ensemble() -> Ensemble:
    known = ["a", "b", "c", "e"]
    targets = ([1.0, 2.0, 4.0, 8.0], [0.5, 0.25, 0.5, 0.125])
    trees = [learn(Table.from_columns({"k": known * 9, "y": ys * 9}), target="y", recipe=cart()) for ys in targets]
    return Ensemble(trees[0].schema, trees, [0.5])


def _enum(keyword: str, texts: Sequence[Any] = (*TEXTS, *MANY)) -> str:
    return f"{keyword}({', '.join(repr(text) for text in texts if text is not None)})"


#: Of each engine the types that a column of texts may have, with the collations that take other texts for equal.
TYPES = {
    "duckdb": ["VARCHAR", "VARCHAR COLLATE NOCASE", "VARCHAR COLLATE NOCASE.NOACCENT", _enum("ENUM")],
    "postgres": ["TEXT", "TEXT COLLATE treerules_loose", "VARCHAR(20) COLLATE treerules_loose", "citext", "towns"],
    "mariadb": ["VARCHAR(20) COLLATE utf8mb4_general_ci", "VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci",
                "TEXT COLLATE utf8mb4_bin", _enum("ENUM", ["a", "b", "c", "e"])],
    "spark": ["STRING", "STRING COLLATE UTF8_LCASE", "STRING COLLATE UNICODE_CI_AI", "VARCHAR(20)"],
}  # fmt: skip
CASES = [
    pytest.param(dialect, kind, marks=[] if dialect == "duckdb" else pytest.mark.engine)
    for dialect, kinds in TYPES.items()
    for kind in kinds
]


class _Data:
    """The table `data` of an engine: `id`, and the texts in a column of some type."""

    def __init__(self, run: Any, texts: Sequence[str | None]) -> None:
        self.run, self.texts = run, texts

    def answers(self, query: str) -> list[Any]:
        return [row[1] for row in sorted(self.run(query))]


@contextmanager
def _stored(dialect: str, kind: str) -> Iterator[_Data]:
    """Store the texts that a type holds: an ENUM of MariaDB cannot tell 'a' from 'A'."""
    opened(dialect)
    texts = ["a", "b", None, "c", "e"] if dialect == "mariadb" and kind.startswith("ENUM") else [*TEXTS, *MANY]
    values = ", ".join(f"({number}, {'NULL' if t is None else repr(t)})" for number, t in enumerate(texts))
    if dialect == "spark":
        session = spark.session()
        session.sql(
            f"CREATE OR REPLACE TEMP VIEW data AS SELECT id, CAST(k AS {kind}) AS k FROM VALUES {values} v(id, k)"
        )
        yield _Data(lambda sql: [tuple(row) for row in session.sql(sql).collect()], texts)
        return
    connection = {"duckdb": duckdb.connect, "postgres": postgres.connection, "mariadb": mariadb.connection}[dialect]()
    cursor = connection.cursor()

    def run(sql: str) -> list[tuple[Any, ...]]:
        done = cursor.execute(sql.encode() if dialect == "postgres" else sql)
        return list(cursor.fetchall()) if dialect == "duckdb" or cursor.description else [done]

    if dialect == "postgres":
        run("BEGIN")
        run("CREATE EXTENSION IF NOT EXISTS citext")
        run("CREATE COLLATION treerules_loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
        run(f"CREATE TYPE towns AS {_enum('ENUM ')}")
    try:
        run(f"CREATE TEMPORARY TABLE data (id INTEGER, k {kind})")
        run(f"INSERT INTO data VALUES {values}")
        yield _Data(run, texts)
    finally:
        run("ROLLBACK" if dialect == "postgres" else "DROP TABLE data")


@pytest.mark.parametrize(("dialect", "kind"), CASES)
def test_texts_are_compared_code_point_by_code_point(dialect: str, kind: str) -> None:
    """Trees of few and many categories in each layout, sums of trees, and the tables of rules."""
    few, many, ensemble = _tree(), _tree(MANY), _ensemble()
    layouts = ["flat", "guarded", *(["lookup"] if dialect in ("duckdb", "postgres") else [])]
    with _stored(dialect, kind) as data:
        for model, used in ((few, layouts), (many, layouts), (ensemble, ["auto"])):
            right = [predict(model, {"k": text}) for text in data.texts]
            for layout in used:
                sql = to_sql(model, dialect=dialect, kind="select", keys=["id"], layout=layout)  # type: ignore[call-overload]
                assert data.answers(sql) == right, (layout, sql)


@pytest.mark.parametrize(("dialect", "kind"), [case for case in CASES if "spark" not in case.values])
def test_tables_of_rules_compare_texts_likewise(dialect: str, kind: str) -> None:
    """Their query joins the members of conditions with the column."""
    tree = _tree()
    statements = [
        text.replace("CREATE TABLE", "CREATE TEMPORARY TABLE").replace(
            "CREATE OR REPLACE TABLE", "CREATE TEMPORARY TABLE"
        )
        for text in rules_table_statements(tree, dialect=dialect, keys=["id"])
    ]
    with _stored(dialect, kind) as data:
        *stored, query = statements
        for statement in stored:
            data.run(statement)
        try:
            assert [row[2] for row in sorted(data.run(query))] == [predict(tree, {"k": text}) for text in data.texts]
        finally:
            if dialect == "mariadb":
                data.run("DROP TABLE rules, rules_members")


@pytest.mark.parametrize(("dialect", "exactly"), [
    ("spark", "CAST(k AS STRING)"),
    ("duckdb", 'k::TEXT COLLATE "C"'),
    ("postgres", 'k::TEXT COLLATE "C"'),
    ("sqlite", "k COLLATE BINARY"),
    ("mysql", "k COLLATE utf8mb4_bin"),
])  # fmt: skip
def test_two_ways_of_comparing_a_column_are_not_taken_for_one(dialect: str, exactly: str) -> None:
    """'A' in a column that ignores case, or 1 in one of numbers, meets neither `k <> '01'` nor the second WHEN."""
    for first, is_read in (("k <> '01'", False), (f"{exactly} <> '01'", True)):
        case = f"CASE WHEN {first} THEN 1 WHEN {exactly} = '01' THEN 2 WHEN k IS NULL THEN 3 END"
        (parsed,) = rules_from_sql(case, dialect=dialect)
        assert bool(parsed.unparsed) is not is_read
        assert not is_read or check_list(parsed).complete


@pytest.mark.parametrize("dialect", TYPES)
def test_such_a_comparison_reads_back(dialect: str) -> None:
    """The column of the text that is compared is the model's."""
    tree = _tree()
    (parsed,) = rules_from_sql(to_sql(tree, dialect=dialect, layout="flat"), dialect=dialect, schema=tree.schema)
    assert diff(tree, parsed).equal

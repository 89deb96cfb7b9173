"""SQL on a table of the user's: answers are compared where the table stands, and columns of another type are told."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from strategies_random import a_schema, a_tree, some_rows
from treerules import Ensemble, Feature, Kind, Schema, Table, Tree, cart, learn, save, to_sql, verify
from treerules.cli import main
from treerules.errors import CellError, ColumnError, FileError, OptionError, TreeRulesError, UnknownNameError
from treerules.sql.dialects import DIALECTS as DIALECTS_OF_SQL
from treerules.trees import CategoryTest, ClassPrediction, Leaf, Split
from verified_models import a_model, needs_postgres, postgres_url, written

TYPES = {
    "sqlite": {"x": "REAL", "n": "INTEGER", "it's": "TEXT COLLATE NOCASE", "flag": "BOOLEAN", "day": "DATE"},
    "duckdb": {"x": "FLOAT", "n": "BIGINT", "it's": "VARCHAR COLLATE NOCASE", "flag": "BOOLEAN", "day": "DATE"},
    "postgres": {"x": "NUMERIC", "n": "INT", "it's": "TEXT COLLATE treerules_ci", "flag": "BOOLEAN", "day": "DATE"},
}
DIALECTS = ["duckdb", "sqlite", pytest.param("postgres", marks=[pytest.mark.engine, needs_postgres])]


def _rows() -> list[list[Any]]:
    random = Random(0)
    cells = [
        (None, -1.0, 0.25, 0.3125, 0.5, 7.0),
        (None, -3, 2, 2**31 - 1),
        (None, "a", "A", "b", "B", "it's", "other"),
        (None, False, True),
        (None, date(1999, 12, 31), date(2024, 2, 29), date(2024, 3, 1)),
    ]
    return [[random.choice(values) for values in cells] for _ in range(300)]


@contextmanager
def _stored(
    dialect: str, folder: Path, types: dict[str, str], rows: list[list[Any]], filling: str = "SELECT 1"
) -> Iterator[str]:
    """Yield the URL of a database that has the rows in its table `people`, and those of a statement."""
    quote = DIALECTS_OF_SQL[dialect].spelling.identifier
    fields = ", ".join(f"{quote(name)} {kind}" for name, kind in types.items())
    mark = "%s" if dialect == "postgres" else "?"
    create, insert = f"CREATE TABLE people ({fields})", f"INSERT INTO people VALUES ({', '.join([mark] * len(types))})"
    if dialect == "postgres":
        import psycopg

        with psycopg.connect(postgres_url(), autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS people")
            loose = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
            cursor.execute(f"CREATE COLLATION IF NOT EXISTS treerules_ci {loose}".encode())
            cursor.execute(create.encode())
            cursor.executemany(insert.encode(), rows)
            cursor.execute("SET TIME ZONE 'UTC'")
            cursor.execute(filling.encode())
            yield postgres_url()
            cursor.execute("DROP TABLE people; DROP COLLATION treerules_ci")
        return
    path = folder / f"people.{dialect}"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path) if dialect == "sqlite" else duckdb.connect(str(path))) as opened:
        opened.execute(create)
        if dialect == "duckdb":
            opened.execute("SET TimeZone = 'UTC'")
        opened.execute(filling)
        stored = [[str(cell) if isinstance(cell, date) else cell for cell in row] for row in rows]
        if rows:
            opened.executemany(insert, stored if dialect == "sqlite" else rows)
        if dialect == "sqlite":
            opened.commit()
    before = path.read_bytes()
    yield f"{dialect}:{path}"
    assert path.read_bytes() == before, "nothing is written"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_emitted_sql_answers_as_the_model_where_the_table_stands(dialect: str, tmp_path: Path) -> None:
    """Every kind of statement in each layout, with keys and without, on rows of texts that differ in case alone."""
    tree, rows = a_model(), _rows()
    choices: list[dict[str, Any]] = [
        {"kind": "expression"},
        {"kind": "select", "table": "elsewhere"},
        {"kind": "select", "table": "elsewhere", "keys": ["id", "x"], "layout": "guarded"},
        {"kind": "view", "name": "v"},
        {"kind": "table", "name": "t", "layout": "flat"},
        *([{"kind": "select", "layout": "lookup"}, {"kind": "macro"}] if dialect == "duckdb" else []),
        *([{"kind": "expression", "layout": "lookup"}, {"kind": "function"}] if dialect == "postgres" else []),
    ]
    with _stored(dialect, tmp_path, TYPES[dialect], rows) as url:
        for choice in choices:
            path = written(tmp_path / "rules.sql", to_sql(tree, dialect=dialect, **choice))
            found = verify(tree, path, database=url, table="people")
            assert found and found.n_rows == len(rows) and not found.notes, (choice, str(found))
            assert "people" in found.engine
        schema = "public" if dialect == "postgres" else "main"
        assert verify(tree, path, database=url, table=f"{schema}.people", most=7).n_rows == 7


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(6))
def test_drawn_models_are_read_from_columns_of_the_types_that_the_sql_needs(
    dialect: str, seed: int, tmp_path: Path
) -> None:
    """Numbers, days, moments with a zone and without, texts: no cell is read as another value, and nothing is noted."""
    random, spelling = Random(seed), DIALECTS_OF_SQL[dialect].spelling
    tree = a_tree(random, a_schema(random, 5), 15)
    features, rows = tree.schema.features, some_rows(random, tree, 60)
    types = {f.name: spelling.types[f.scalar] for f in features}
    try:
        path = written(tmp_path / "rules.sql", to_sql(tree, dialect=dialect))
        [spelling.identifier(name) for name in types]
        cells = [", ".join(spelling.typed_literal(row.get(f.name), f.scalar) for f in features) for row in rows]
    except TreeRulesError:  # a name or a text that the dialect cannot hold
        return
    with _stored(
        dialect, tmp_path, types, [], f"INSERT INTO people VALUES {', '.join(f'({row})' for row in cells)}"
    ) as url:
        found = verify(tree, path, database=url, table="people")
    assert found and found.n_rows == len(rows) and not found.notes, str(found)


def _capitals() -> Tree:
    """Return a tree that answers 'one' for a, and 'other' for all other texts."""
    ends = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in ("one", "other")]
    schema = Schema([Feature("k", Kind.CATEGORY, ["a", "b"])], Feature("y", Kind.CATEGORY, ["one", "other"]))
    return Tree(schema, Split(CategoryTest(0, [[0], [1]]), ends, missing=1, unseen=1))


@pytest.mark.parametrize(("dialect", "kind"), [
    ("sqlite", "TEXT COLLATE NOCASE"),
    ("duckdb", "VARCHAR COLLATE NOCASE"),
    pytest.param("postgres", "TEXT COLLATE treerules_ci", marks=[pytest.mark.engine, needs_postgres]),
])  # fmt: skip
def test_a_collation_that_ignores_case_is_noted_and_found(dialect: str, kind: str, tmp_path: Path) -> None:
    """Of SQL that compares by the collation of the column; rows in columns of our own do not show it."""
    tree = _capitals()
    path = written(tmp_path / "rules.sql", "CASE WHEN k = 'a' THEN 'one' ELSE 'other' END")
    with _stored(dialect, tmp_path, {"k": kind}, [["a"], ["A"], ["b"], [None]]) as url:
        assert dialect == "postgres" or verify(tree, path, dialect=dialect)
        found = verify(tree, path, dialect=dialect, database=url, table="people")
        assert not found and found.difference and found.difference.row == {"k": "A"}
        (note,) = found.notes
        assert note.endswith("takes 'A' for 'a'; the SQL needs a binary collation") and '"k"' in note.replace("`", '"')
        assert str(found).startswith(f"note: {note}\n") and "people" in found.difference.paste
        if dialect == "sqlite":
            with closing(sqlite3.connect(tmp_path / "people.sqlite")) as connection:
                assert ("one",) in {row[-1:] for row in connection.execute(found.difference.paste)}


@pytest.mark.parametrize(("dialect", "types", "wanted"), [
    ("sqlite", {"x": "TEXT", "k": "INTEGER"}, ["x` of the table has the type TEXT; the SQL needs REAL",
                                               "k` of the table has the type INTEGER; the SQL needs TEXT"]),
    ("sqlite", {"x": "", "k": "CHAR(9)"}, ["has the type ''; the SQL needs REAL"]),
    ("duckdb", {"x": "DECIMAL(9, 2)", "k": "ENUM('a', 'b')"}, []),
    ("duckdb", {"x": "TIMESTAMP", "k": "INTERVAL"}, ["the type TIMESTAMP; the SQL needs DOUBLE", "the type INTERVAL"]),
    pytest.param("postgres", {"x": "real", "k": "char(9)"}, ["the type real; the SQL needs DOUBLE PRECISION"],
                 marks=[pytest.mark.engine, needs_postgres]),
])  # fmt: skip
def test_columns_of_another_type_are_noted(
    dialect: str, types: dict[str, str], wanted: list[str], tmp_path: Path
) -> None:
    """By the types that the table declares, also where no row shows it: its only row is missing."""
    table = Table.from_columns(
        {"x": [1.0, 2.0, 3.0, 4.0] * 9, "k": ["a", "b", "a", "b"] * 9, "y": ["p", "q", "r", "q"] * 9}
    )
    tree = learn(table, target="y", recipe=cart())
    path = written(tmp_path / "rules.sql", to_sql(tree, dialect=dialect))
    with _stored(dialect, tmp_path, types, [[None, None]]) as url:
        try:
            notes = verify(tree, path, database=url, table="people").notes
        except FileError as error:  # DuckDB refuses to compare an interval with a text
            notes = tuple(error.remedy.split("; column"))
    assert len(notes) == len(wanted) and all(part in note for part, note in zip(wanted, notes, strict=True)), notes


def test_texts_in_a_column_of_numbers_end_with_an_error_that_names_the_type(tmp_path: Path) -> None:
    """As `.import --csv` makes them; the rows that verify makes do not show it."""
    tree = learn(Table.from_columns({"x": [1.0, 2.0], "y": ["p", "q"]}), target="y", recipe=cart())
    path = written(tmp_path / "rules.sql", "CASE WHEN x <= 1.5 THEN 'p' ELSE 'q' END")
    assert verify(tree, path, dialect="sqlite", rows=[{"x": 1.0}, {"x": 9.0}])
    for kind, text in (("TEXT", "10"), ("REAL", "")):
        with (
            _stored("sqlite", tmp_path, {"x": kind}, [[text]]) as url,
            pytest.raises(CellError, match="takes a number" + (".*the type TEXT; the SQL needs REAL" if text else "")),
        ):
            verify(tree, path, dialect="sqlite", database=url, table="people")


def test_an_ensemble_is_compared_on_a_table(tmp_path: Path) -> None:
    """Its columns are those that some tree tests."""
    columns = {"x": [1.0, 2.0, 3.0, 4.0] * 9, "unused": [0.0] * 36}
    trees = [
        learn(Table.from_columns({**columns, "y": ys * 9}), target="y", recipe=cart()) for ys in ([1.0, 2.0, 2.0, 4.0],)
    ]
    ensemble = Ensemble(trees[0].schema, trees, [0.5])
    path = written(tmp_path / "rules.sql", to_sql(ensemble, dialect="sqlite", kind="select"))
    with _stored("sqlite", tmp_path, {"x": "REAL"}, [[1.5], [3.25], [None]]) as url:
        assert verify(ensemble, path, database=url, table="people").n_rows == 3


def test_what_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables, columns, rows; a table without a database or beside other rows."""
    tree = _capitals()
    path = written(tmp_path / "rules.sql", to_sql(tree, dialect="sqlite"))
    with _stored("sqlite", tmp_path, {"other": "TEXT", "id": "INTEGER"}, [["a", 1]]) as url:
        with pytest.raises(UnknownNameError, match=r"no table named 'persons'.*'people'"):
            verify(tree, path, database=url, table="persons")
        with pytest.raises(ColumnError, match=r"lacks column 'k'.*'other', 'id'"):
            verify(tree, path, database=url, table="people")
        with pytest.raises(OptionError, match="rows of another source"):
            verify(tree, path, database=url, table="people", data=[{"k": "a"}])
        save(tree, tmp_path / "m.tree.json")
        arguments = ["verify", str(tmp_path / "m.tree.json"), "--against", str(path), "--table", "people"]
        assert main([*arguments, "--database", url]) == 3
        assert main(arguments) == 2 and "--database is not given" in capsys.readouterr().err
    with _stored("sqlite", tmp_path, {"k": "TEXT"}, []) as url, pytest.raises(OptionError, match="a table with rows"):
        verify(tree, path, database=url, table="people")
    with pytest.raises(OptionError, match=r"for a file named \.sql alone"):
        verify(tree, written(tmp_path / "rules.py", "def predict(row): return 'one'"), table="people")

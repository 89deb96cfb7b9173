"""The table of dialects: a dialect is one file with one record, and what it can do stands there and nowhere else."""

import ast
import importlib
import re
from collections import Counter
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any

import pytest
import sqlglot

import treerules
from paths import GOLDEN
from sources import files_with, syntax_nodes
from treerules.data.schema import SCALARS
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.errors import UnknownNameError
from treerules.rendering.templates import template_folder
from treerules.sql.dialect import UNNAMED, Dialect
from treerules.sql.dialects import DIALECTS, dialect_to_emit, dialect_to_read
from treerules.sql.literals import node_value

SOURCE = Path(treerules.__file__).parent
FOLDER = SOURCE / "sql" / "dialects"
#: Where a dialect's name may stand as a constant outside of the folder, and why.
NAMED_ELSEWHERE = {
    "verification/connections.py": ({"duckdb", "sqlite", "postgres"}, "the engines that `verify` opens itself"),
    "verification/user_table.py": ({"duckdb", "sqlite", "postgres"}, "the catalogues of the engines that it opens"),
    "verification/sql_runner.py": ({"duckdb"}, "the Python package whose errors are explained"),
    "testing/checks.py": ({"sqlite"}, "the engine of the standard library, on which emitted SQL is run"),
    "formats/rule_files.py": ({"duckdb"}, "the dialect of SQL that rules are written in where none is named"),
    "readers/duckdb_connection.py": ({"duckdb"}, "the Python package that reads files"),
    "cli/command_line.py": ({"duckdb"}, "the Python package of the extra `cli`"),
    "cli/doctor.py": ({"duckdb", "sqlite", "postgres"}, "packages and engines of this machine"),
    "cli/build_command.py": ({"duckdb"}, "the default of --dialect"),
    "report/page/codes.py": ({"duckdb"}, "the dialect of the SQL in a page, as of build"),
    "cli/independent_rules.py": ({"ansi"}, "the dialect of --independent where none is named: the standard"),
}


def files() -> list[str]:
    """Return the names of the files of dialects, without their ending."""
    return sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


# ---- one file, one record, one row, one golden file


def test_each_file_is_one_record_and_each_record_one_row() -> None:
    """A file has the name of its dialect, and its record that name in capitals; DIALECTS holds all of them."""
    assert files() == sorted(DIALECTS)
    for name, record in DIALECTS.items():
        module = importlib.import_module(f"treerules.sql.dialects.{name}")
        assert getattr(module, name.upper()) is record
        assert record.name == name
        tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
        constants = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
        assert [target.id for target in constants if isinstance(target, ast.Name)] == [name.upper()]


def test_each_record_has_a_golden_file_and_a_folder_of_templates_is_a_dialects() -> None:
    """What a dialect prints was read and approved; no file is left of a dialect that is gone."""
    golden = GOLDEN / "sql"
    assert sorted(path.stem for path in golden.iterdir()) == sorted(DIALECTS)
    assert {path.name for path in (template_folder() / "sql").iterdir() if path.is_dir()} <= {*DIALECTS}


def test_the_standard_stands_first_then_the_dialects_that_are_run() -> None:
    """The order of `treerules emit --list` and of errors, whatever the order of the rows."""
    names = list(DIALECTS)
    run = [name for name, record in DIALECTS.items() if record.is_run]
    assert names == ["ansi", *run, *(name for name in names if name not in run and name != "ansi")]


def test_an_unknown_dialect_is_an_error_with_the_names_that_there_are() -> None:
    """Whether SQL is emitted or read; SQL without a dialect is read, but not emitted."""
    for look_up in (dialect_to_emit, dialect_to_read):
        with pytest.raises(UnknownNameError, match=r"no dialect named 'duck'; did you mean 'duckdb'") as caught:
            look_up("duck")
        assert sorted(caught.value.known) == sorted(DIALECTS)
    assert dialect_to_read(None) is dialect_to_read("") is UNNAMED
    with pytest.raises(UnknownNameError):
        dialect_to_emit("")


# ---- what a record says


@pytest.mark.parametrize("name", DIALECTS)
def test_a_record_is_whole(name: str) -> None:
    """It has a type for each scalar, a grammar that sqlglot has, and kinds that are emitted."""
    record = DIALECTS[name]
    assert set(SCALARS) == set(record.spelling.types)
    assert set(record.cast_types) <= set(SCALARS)
    assert record.reading.grammar in {*sqlglot.Dialects}
    assert set(record.kinds) <= set(SQL_KINDS)


@pytest.mark.parametrize("name", DIALECTS)
def test_spelling_and_reading_do_not_contradict_each_other(name: str) -> None:
    """NaN has a place only where it is held; unquoted names fold alone only where quoted ones keep their case."""
    record = DIALECTS[name]
    assert record.spelling.is_number is not None or not record.reading.nan_is_highest
    assert record.reading.unquoted is None or record.spelling.folding == "none" or name == "ansi"
    assert not record.reading.other_infinities or record.spelling.infinity is not None
    assert record.taken_as_utc != "any" or record.spelling.types["timestamp_utc"] == record.spelling.types["timestamp"]


@pytest.mark.parametrize("name", DIALECTS)
def test_the_infinity_and_the_moments_that_a_dialect_spells_are_read(name: str) -> None:
    """What `Language` spells is what the readers take it for."""
    record = DIALECTS[name]
    if record.spelling.infinity is not None:
        assert read(record, record.spelling.literal(inf)) == inf
        assert read(record, record.spelling.literal(-inf)) == -inf
    moment = datetime(2024, 3, 21, 20, 21, 9, 1)
    assert read(record, record.spelling.literal(moment)) in (moment, moment.isoformat(" "))
    zoned = read(record, record.spelling.literal(moment.replace(tzinfo=UTC)))
    assert zoned in (moment.replace(tzinfo=UTC), moment.replace(tzinfo=UTC).isoformat(" ")) or (
        record.taken_as_utc == "any" and zoned == moment
    )


def read(record: Dialect, sql: str) -> Any:
    """Return the value that a record's readers take a literal for."""
    found = node_value(sqlglot.parse_one(sql, read=record.reading.grammar), record)
    assert found is not None, sql
    return found.value


def test_a_package_speaks_one_dialect() -> None:
    """No two records claim the connections of one package."""
    counts = Counter(driver for record in DIALECTS.values() for driver in record.drivers)
    assert set(counts.values()) == {1}


# ---- nowhere else


def constants(path: Path) -> set[str]:
    """Return the texts that stand in a module as constants."""
    return {node.value for node in syntax_nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_dialect_is_named_elsewhere() -> None:
    """What a dialect can do is data in its record, never a comparison with its name; each exception has its reason."""
    found = {
        path.relative_to(SOURCE).as_posix(): names
        for path in files_with(SOURCE, "|".join(f"[\"']{name}[\"']" for name in DIALECTS))
        if path.parent != FOLDER and (names := constants(path) & set(DIALECTS))
    }
    assert found == {name: names for name, (names, reason) in NAMED_ELSEWHERE.items() if len(reason) > 15}


def test_no_template_asks_for_a_dialect() -> None:
    """A template in the folder of a dialect is for that one; no other compares its name."""
    quoted = re.compile(r"""["']({})["']""".format("|".join(DIALECTS)))
    for path in template_folder().rglob("*.j2"):
        assert not quoted.search(path.read_text(encoding="utf-8")), path

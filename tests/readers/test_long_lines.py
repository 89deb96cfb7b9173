"""Text that does not fit into memory: a bound that can be raised, and an error that names the file."""

import gzip
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import load, read, read_rules
from treerules._internal.memory_errors import within_memory
from treerules.cli import main
from treerules.errors import DataError, FileError, OptionError, TreeRulesError
from treerules.readers import read_csv, read_jsonl
from treerules.readers.json_entries import array_entries

#: Files of one huge piece of text, by name: what stands before it, and behind it.
HUGE = {
    "row.csv.gz": (b"a,b\n1,", b"\n"),
    "quoted.csv.gz": (b'a,b\n1,"\n', b'"\n'),
    "line.jsonl.gz": (b'{"a": 1, "b": "', b'"}\n'),
    "entry.json.gz": (b'[{"a": 1}, {"a": 1, "b": "', b'"}]\n'),
    "frame.json.gz": (b'{"a": {"0": "', b'"}}\n'),
    "laid_out.json.gz": (b'{"a":\n {"0": "', b'"}\n}\n'),
}


def packed(path: Path, before: bytes, behind: bytes, n_millions: float) -> Path:
    """Write an archive of one long piece of text."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(before)
        for _ in range(int(n_millions * 100)):
            file.write(b"x" * 10_000)
        file.write(behind)
    return path


@pytest.mark.parametrize("cell", ["x" * 3_000, "x\n" * 1_500])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_a_row_that_is_too_long_is_named(cell: str, encoding: str, tmp_path: Path) -> None:
    """A long cell, and one over many lines, as behind a quote that is not closed."""
    path = tmp_path / "long.csv"
    path.write_text(f'a,b\n1,"y"\n2,"{cell}"\n3,z\n', encoding=encoding)
    with pytest.raises(FileError, match="the row that begins in line 3 has more than 2000 characters"):
        read_csv(path, max_characters=2_000)
    assert read_csv(path, max_characters=4_000).n_rows == read_csv(path).n_rows == 3


@given(n_characters=st.integers(1, 80), n_lines=st.integers(1, 3))
def test_the_bound_is_that_of_characters(n_characters: int, n_lines: int, tmp_path_factory: Any) -> None:
    """A file is read if and only if no line has more characters than the bound, the end of the line included."""
    line = '{"a": "' + "é" * n_characters + '"}\n'
    path = tmp_path_factory.mktemp("bound") / "lines.jsonl"
    path.write_text(line * n_lines, encoding="utf-8")
    assert read_jsonl(path, max_characters=len(line)).n_rows == n_lines
    with pytest.raises(FileError, match="line 1 has more than"):
        read_jsonl(path, max_characters=len(line) - 1)


@pytest.mark.parametrize("name", HUGE)
def test_every_piece_has_the_bound(name: str, tmp_path: Path) -> None:
    """A row, a line, an entry of an array, and a JSON object over one line or many; the error says how to raise it."""
    path = packed(tmp_path / name, *HUGE[name], n_millions=0.05)
    with pytest.raises(FileError, match=r"more than 20000 characters.*max_characters=40000, --max-characters 40000"):
        read(path, max_characters=20_000)
    assert read(path, max_characters=60_000).n_rows in (1, 2)


def test_an_array_is_read_by_entries(tmp_path: Path) -> None:
    """The bound is that of an entry, so that a long array of short entries is read."""
    path = tmp_path / "array.json"
    path.write_text("[" + ", ".join(f'{{"a": {number}}}' for number in range(9_000)) + "]", encoding="utf-8")
    assert read(path, max_characters=12).n_rows == 9_000


@given(
    entries=st.lists(
        st.sampled_from([{}, {"a": None}, {"é": -1.5e300}, {'"': "\\\n]}"}, {"a": 1, "b": [2, {}]}, "日", 7, [], True]),
        max_size=4,
    ),
    indent=st.none() | st.integers(0, 3),
    is_ascii=st.booleans(),
)
def test_entries_of_an_array_are_those_of_json(entries: list[Any], indent: int | None, is_ascii: bool) -> None:
    """Entries that are read one at a time are those that Python's json reads at once, wherever pieces are cut."""
    import json

    text = json.dumps(entries, indent=indent, ensure_ascii=is_ascii)
    found = list(array_entries(Path("x"), StringIO(text), 10_000, n_at_once=1))
    assert repr(found) == repr(json.loads(text))


DAMAGED = ("[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1] 2", '["a', "[tru", "[1]]", "[01]", "[{]")


@pytest.mark.parametrize("text", DAMAGED)
@pytest.mark.parametrize("n_at_once", [1, 100])
def test_a_damaged_array_is_an_error(text: str, n_at_once: int) -> None:
    """Text that Python's json refuses is refused, wherever it is cut."""
    with pytest.raises(FileError, match="is not JSON"):
        list(array_entries(Path("x"), StringIO(text), 10_000, n_at_once=n_at_once))


def test_the_bound_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bound is a positive whole number, and belongs to formats of text; the command line names its option."""
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,x\n2,y\n", encoding="utf-8")
    for wrong in (0, -1, True, 1.5, "9"):
        with pytest.raises(OptionError, match="a whole number from 1"):
            read(path, max_characters=wrong)  # type: ignore[arg-type]
    database = tmp_path / "rows.db"
    database.write_bytes(b"SQLite format 3\0")
    with pytest.raises(OptionError, match="does not apply to SQLite"):
        read(database, max_characters=9)
    assert main(["learn", str(path), "--target", "b", "--max-characters", "0", "-o", str(tmp_path / "o.json")]) == 2
    assert "--max-characters" in capsys.readouterr().err
    assert main(["learn", str(path), "--target", "b", "--max-characters", "3", "-o", str(tmp_path / "o.json")]) == 3
    assert "--max-characters 6" in capsys.readouterr().err


def test_rules_that_are_packed_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of rules and models are not unpacked, so that none of them is larger than it seems."""
    path = tmp_path / "loan.rules.gz"
    path.write_bytes(gzip.compress(b"IF age < 30 THEN no\nIF age >= 30 THEN yes\n"))
    for given_format in (None, "rules", "csv", "dmn"):
        with pytest.raises(TreeRulesError, match=r"loan\.rules\.gz: is packed with gzip.*unpack it first"):
            read_rules(path, format=given_format)
    assert main(["check", str(path), "--as", "rules"]) == 3
    assert "unpack it first" in capsys.readouterr().err
    model = tmp_path / "m.tree.json"
    model.write_bytes(gzip.compress(b"{}"))
    with pytest.raises(FileError, match="is packed with gzip"):
        load(model)
    with zipfile.ZipFile(tmp_path / "r.rules", "w") as archive:
        archive.writestr("loan.rules", "IF age < 30 THEN no")
    with pytest.raises(FileError, match="is a zip archive"):
        read_rules(tmp_path / "r.rules")


def test_a_header_that_is_too_long_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where short rows follow; an error that lists the columns shows the start and the end of a long name."""
    path = tmp_path / "head.csv"
    path.write_text("x," + "z" * 5_000 + ",y\n1,a,p\n2,b,q\n")
    with pytest.raises(FileError, match="the header has more than 1000 characters"):
        read_csv(path, max_characters=1_000)
    assert main(["learn", str(path), "--target", "w", "-o", str(tmp_path / "o.json")]) == 2
    assert len(capsys.readouterr().err) < 1_000


def test_a_bound_may_be_any_number(tmp_path: Path) -> None:
    """Also one that no file can reach."""
    (tmp_path / "a.jsonl").write_text('{"x": 1, "y": "a"}\n')
    (tmp_path / "a.csv").write_text("x,y\n1,a\n")
    for name in ("a.jsonl", "a.csv"):
        assert read(tmp_path / name, max_characters=10**20).n_rows == 1


#: Runs the command line in little memory: so many megabytes more than the process has after its imports. The limit is
#: one of data, not of addresses: for each of its threads DuckDB reserves addresses that it does not fill, and where
#: there are none it ends the process as it starts.
LITTLE_MEMORY = """
import resource, sys
import duckdb, numpy, treerules.cli.learn_command, treerules.cli.check_command, treerules.readers.files
from treerules.cli import main
(size,) = [int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmData")]
most = size * 1024 + int(sys.argv[1]) * 1_000_000
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
raise SystemExit(main(sys.argv[2:]))
"""


def ran_in_little_memory(n_megabytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process that can have so many megabytes more than it starts with."""
    command = [sys.executable, "-c", LITTLE_MEMORY, str(n_megabytes), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize(("name", "n_megabytes"), [("row.csv.gz", 600), ("entry.json.gz", 100), ("frame.json.gz", 100)])
def test_a_small_archive_of_one_long_piece_is_named(name: str, n_megabytes: int, tmp_path: Path) -> None:
    """An archive of less than a megabyte whose piece is within the bound, and needs more memory than there is."""
    path = packed(tmp_path / name, *HUGE[name], n_millions=99)
    assert path.stat().st_size < 1_000_000
    done = ran_in_little_memory(n_megabytes, "learn", str(path), "--target", "b", "-o", str(tmp_path / "model.json"))
    assert (done.returncode, f"{path}: needs more memory than there is; " in done.stderr) == (3, True), done.stderr
    assert not (tmp_path / "model.json").exists()


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize(
    ("name", "start", "line", "n_megabytes"),
    [("rows.csv.gz", b"a,b\n", b"1.5,2\n", 400), ("array.json.gz", b"[{}", b',{"a": "' + b"x" * 1_000 + b'"}', 100)],
)
def test_an_archive_of_many_rows_is_named(
    name: str, start: bytes, line: bytes, n_megabytes: int, tmp_path: Path
) -> None:
    """Short rows whose cells need more memory than there is."""
    path = tmp_path / name
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines([start, *[line * 1_000] * (150_000_000 // len(line) // 1_000)])
    done = ran_in_little_memory(n_megabytes, "learn", str(path), "--target", "b", "-o", str(tmp_path / "model.json"))
    assert (done.returncode, f"{path}: needs more memory than there is; " in done.stderr) == (3, True), done.stderr


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize("name", ["long.rules", "long.dmn"])
def test_rules_that_do_not_fit_are_named(name: str, tmp_path: Path) -> None:
    """So are rules that need more memory than there is."""
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(b"IF a < 30 THEN ")
        file.truncate(200_000_000)
    done = ran_in_little_memory(150, "check", str(path))
    assert (done.returncode, f"{path}: needs more memory than there is; " in done.stderr) == (3, True), done.stderr


def test_an_error_of_duckdb_for_memory_is_one_of_the_source() -> None:
    """DuckDB's error for exhausted memory, and Python's, name the file, or say what else was read."""
    import duckdb

    problem = "needs more memory than there is; read less$"
    with (
        pytest.raises(FileError, match=f"rows: {problem}"),
        within_memory(Path("rows"), "read less"),
        duckdb.connect(config={"memory_limit": "1MB", "max_temp_directory_size": "0KB"}) as connection,
    ):
        connection.execute("CREATE TABLE cells AS SELECT * FROM range(9000000)")
    with pytest.raises(DataError, match=f"the query {problem}"), within_memory("the query", "read less"):
        raise MemoryError
    with pytest.raises(KeyError), within_memory("the query", "read less"):
        raise KeyError

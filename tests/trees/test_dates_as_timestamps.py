"""A date in a column of timestamps is its midnight: in files, rows and tables, and in all emitted code."""

import csv
import io
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing, redirect_stdout
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from command_line import printed
from run_emitted import module
from selection import few
from treerules import Feature, Kind, Schema, Table, Tree, predict, read, save, to_python, to_sql
from treerules.emit.javascript import to_javascript
from treerules.emit.layout import STYLES
from treerules.errors import ColumnError, TreeRulesError
from treerules.readers import read_csv, read_jsonl
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

CELLS = (
    *("0001-01-01", "2024-02-29", "2024-02-29 23:59:59.999999", "2024-03-01", "2024-03-01 00:00:00.000001"),
    *("2024-03-01T12:00", "2024-03-02", "9999-12-31"),
)
CUTS = (
    *(datetime(2024, 3, 1), datetime(2024, 2, 29, 23, 59, 59, 999999), datetime(2024, 3, 1, 0, 0, 0, 1)),
    *(datetime(2024, 3, 1, 12), datetime(1, 1, 1), datetime(9999, 12, 30, 23, 59, 59)),
)
DAYS = tuple(cell for cell in CELLS if len(cell) == 10)


def a_tree(cut: datetime) -> Tree:
    """Return a tree of one cut of column t; missing values are a side of their own."""
    feature = Feature("t", Kind.TIMESTAMP, scalar="timestamp" if cut.tzinfo is None else "timestamp_utc")
    labels = ("early", "late", "never")
    ends = [Leaf(ClassPrediction(label, [float(label == other) for other in labels]), [1, 1, 1]) for label in labels]
    return Tree(Schema([feature], Feature("y", Kind.CATEGORY, labels)), Split(ThresholdTest(0, cut), ends, missing=2))


def answers(cells: tuple[str, ...], cut: datetime) -> list[str]:
    """Return the side of each cell, which Python's `fromisoformat` reads."""
    return ["early" if datetime.fromisoformat(cell) <= cut else "late" for cell in cells]


def labels_of(tree: Tree, table: Table | Mapping[str, Any]) -> list[str]:
    """Return the labels that a tree predicts."""
    return [str(label) for label in predict(tree, table)]


@pytest.mark.parametrize("cut", few(CUTS, 2), ids=str)
def test_a_date_is_its_midnight_wherever_rows_come_from(cut: datetime, tmp_path: Path) -> None:
    """Text and dates of rows, cells of CSV and JSON, columns of dates in frames and Parquet files."""
    tree, wanted = a_tree(cut), answers(CELLS, cut)
    assert [str(predict(tree, {"t": cell})) for cell in CELLS] == wanted
    assert [str(predict(tree, {"t": date.fromisoformat(day)})) for day in DAYS] == answers(DAYS, cut)
    for cells in (CELLS, DAYS):
        path = tmp_path / "rows.csv"
        path.write_text("\n".join(["t,x", *(f"{cell},1" for cell in cells)]), encoding="utf-8")
        assert labels_of(tree, read_csv(path, schema=Schema(tree.schema.features))) == answers(cells, cut)
        lines = tmp_path / "rows.jsonl"
        lines.write_text("\n".join(json.dumps({"t": cell}) for cell in cells), encoding="utf-8")
        assert labels_of(tree, read_jsonl(lines, schema=Schema(tree.schema.features))) == answers(cells, cut)
    frame = pl.DataFrame({"t": [date.fromisoformat(day) for day in DAYS]})
    frame.write_parquet(tmp_path / "rows.parquet")
    for table in (Table.from_frame(frame), read(tmp_path / "rows.parquet", schema=Schema(tree.schema.features))):
        assert labels_of(tree, table) == answers(DAYS, cut)


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_a_date_is_its_midnight_in_emitted_python(cut: datetime, tmp_path: Path) -> None:
    """Rows of both styles, files that their scripts read, and arrays of vectorised modules."""
    tree, wanted = a_tree(cut), answers(CELLS, cut)
    for style in STYLES:
        emitted = module(to_python(tree, style=style))
        assert [emitted.predict({"t": cell}) for cell in CELLS] == wanted, style
        assert [emitted.predict({"t": date.fromisoformat(day)}) for day in DAYS] == answers(DAYS, cut), style
    lines, rows = io.StringIO("t\n" + "\n".join(CELLS) + "\n", newline=""), list[Any]()
    module(to_python(tree, style="full")).score(lines, rows.append, only=True)
    assert [row[0] for row in rows[1:]] == wanted
    vectorised = module(to_python(tree, vectorized=True))
    days = [date.fromisoformat(day) for day in DAYS]
    assert vectorised.predict({"t": list(CELLS)}).tolist() == wanted
    for column in (days, np.array(DAYS, dtype="M8[D]"), pl.Series(days)):
        assert vectorised.predict({"t": column}).tolist() == answers(DAYS, cut)


def test_a_plain_script_reads_dates_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of a plain module, run as a script."""
    path = tmp_path / "rows.csv"
    path.write_text("t\n" + "\n".join(CELLS) + "\n", encoding="utf-8")
    text = to_python(a_tree(CUTS[0]), style="plain")
    monkeypatch.setattr(sys, "argv", ["rules.py", str(path)])
    monkeypatch.setattr(sys, "tracebacklimit", 1000, raising=False)  # the script sets it
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # it would end this process where a pipe is closed
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(text, "emitted.py", "exec"), {"__name__": "__main__"})
    assert out.getvalue().split() == answers(CELLS, CUTS[0])


@pytest.mark.engine
@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize("style", STYLES)
def test_a_date_is_its_midnight_in_emitted_javascript(style: Any, tmp_path: Path) -> None:
    """Text of dates, of every cut at once."""
    lines = []
    for number, cut in enumerate(CUTS):
        (tmp_path / f"rules{number}.mjs").write_text(to_javascript(a_tree(cut), style=style), encoding="utf-8")
        cells = f"{json.dumps(CELLS)}.map((t) => m{number}.predict({{ t }}))"
        lines += [f'import * as m{number} from "./rules{number}.mjs";', f"console.log(JSON.stringify({cells}));"]
    (tmp_path / "script.mjs").write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(["node", "script.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [answers(CELLS, cut) for cut in CUTS]


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_a_date_is_its_midnight_in_sqlite(cut: datetime) -> None:
    """SQLite compares the text of dates with the text of timestamps, and finds the same side."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE rows (n INTEGER, t TEXT)")
        cells = [cell.replace("T", " ") for cell in CELLS]
        connection.executemany("INSERT INTO rows VALUES (?, ?)", enumerate(cells))
        case = to_sql(a_tree(cut), dialect="sqlite")
        found = connection.execute(f"SELECT {case} FROM rows ORDER BY n").fetchall()
    assert [label for (label,) in found] == answers(CELLS, cut)


def test_a_column_of_both_is_one_of_timestamps(tmp_path: Path) -> None:
    """Dates among timestamps are midnights wherever kinds are inferred; dates alone are dates, unless declared."""
    path, lines = tmp_path / "rows.csv", tmp_path / "rows.jsonl"
    for cells in (CELLS, (*DAYS * 8, "2024-03-01T12:00")):
        path.write_text("\n".join(["t,x", *(f"{cell},1" for cell in cells)]), encoding="utf-8")
        lines.write_text("\n".join(json.dumps({"t": cell}) for cell in cells), encoding="utf-8")
        for table in (read(path), read(lines)):
            assert table.schema.feature("t").scalar == "timestamp"
            assert [table.row(n)["t"] for n in range(len(cells))] == [datetime.fromisoformat(cell) for cell in cells]
    path.write_text("\n".join(["t,x", *(f"{day},1" for day in DAYS)]), encoding="utf-8")
    assert read(path).schema.feature("t").kind is Kind.DATE
    declared = read(path, types={"t": "timestamp"})
    assert [declared.row(n)["t"] for n in range(len(DAYS))] == [datetime.fromisoformat(day) for day in DAYS]
    path.write_text("t,x\n2024-03-01,1\n2024-03-01T12:00Z,1\n", encoding="utf-8")
    assert read(path).schema.feature("t").scalar == "text"


@pytest.mark.parametrize("cell", ["2024-03-01", "2024-02-30", "2024-3-1", "2024-03-01 "])
def test_what_is_no_midnight_is_refused(cell: str, tmp_path: Path) -> None:
    """A date has no time zone, so that a column in UTC refuses it everywhere; so is text that is no ISO date."""
    tree = a_tree(CUTS[0].replace(tzinfo=UTC) if cell == "2024-03-01" else CUTS[0])
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["t"], [cell]])
    with pytest.raises(ColumnError, match="cells cannot be read as timestamps"):
        read_csv(path, schema=Schema(tree.schema.features))
    for style in STYLES:
        with pytest.raises(TypeError, match="column 't' takes a timestamp"):
            module(to_python(tree, style=style)).predict({"t": cell})
    with pytest.raises(TypeError, match="column 't' takes a timestamp"):
        module(to_python(tree, vectorized=True)).predict({"t": [cell]})
    with pytest.raises(TreeRulesError, match="column 't' takes a timestamp"):
        predict(tree, {"t": cell})


def test_a_table_of_dates_has_no_zone() -> None:
    """Dates of a frame are no timestamps in UTC."""
    table = Table.from_frame(pl.DataFrame({"t": [date(2024, 3, 1)]}))
    with pytest.raises(ColumnError, match="holds date values, not timestamp"):
        predict(a_tree(CUTS[0].replace(tzinfo=UTC)), table)


def test_the_command_line_predicts_a_file_of_dates(tmp_path: Path) -> None:
    """A model of timestamps, and a file whose timestamps are at midnight and written as dates."""
    save(a_tree(CUTS[0]), tmp_path / "model.json")
    path = tmp_path / "rows.csv"
    path.write_text("t,x\n" + "\n".join(f"{day},1" for day in DAYS), encoding="utf-8")
    out = printed("predict", str(tmp_path / "model.json"), str(path))
    assert out.split()[1:] == answers(DAYS, CUTS[0])
    assert labels_of(a_tree(CUTS[0]), read(path)) == answers(DAYS, CUTS[0])

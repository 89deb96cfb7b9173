"""Choices of reading belong to the model: the same raw cells have the same prediction wherever the model goes."""

import csv
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pytest

import command_line
from run_emitted import module
from selection import few
from treerules import (
    Ensemble,
    Feature,
    Recipe,
    Schema,
    Table,
    Tree,
    auto,
    c45,
    cart,
    check,
    compile_rules,
    diff,
    evaluate,
    learn,
    load,
    permutation_importances,
    predict,
    prune,
    read,
    save,
    to_dbt,
    to_javascript,
    to_python,
    to_sql,
    verify,
)
from treerules.data.cell_reading import CellReading
from treerules.emit import rules_table_sql, rules_table_statements
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError, UnknownNameError, UnsupportedError
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.readers import read_connection, read_csv, read_jsonl, read_parquet, read_query
from treerules.sql.dialects import DIALECTS
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest

#: A public report (optbinning issues 115 and 259): -999 is a code for missing, -99 is a number.
CODES = "months,bad\n-999,yes\n-999,yes\n-99,no\n-99,no\n3,yes\n5,yes\n30,no\n44,no\n"
BAD = [line.split(",")[1] for line in CODES.split()[1:]]
MONTHS = [float(line.split(",")[0]) for line in CODES.split()[1:]]


def written(folder: Path, text: str, name: str = "codes.csv") -> Path:
    """Return a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def learned(folder: Path, **choices: Any) -> Tree:
    """Return the tree of the codes, read by these choices."""
    return learn(read(written(folder, CODES), **choices), target="bad", recipe=cart())


def run(*arguments: object) -> str:
    """Return what a command prints; it must succeed."""
    done = command_line.run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def answers_of_sqlite(query: str, columns: Mapping[str, tuple[str, Sequence[Any]]]) -> list[Any]:
    """Return the first column of a query of a table `data` of these columns: types and values, by name."""
    return answers_of(sqlite3.connect(":memory:"), query, columns)


def answers_of_duckdb(query: str, columns: Mapping[str, tuple[str, Sequence[Any]]]) -> list[Any]:
    """Return the same of DuckDB."""
    return answers_of(duckdb.connect(), query, columns)


def answers_of(database: Any, query: str, columns: Mapping[str, tuple[str, Sequence[Any]]]) -> list[Any]:
    """Return the same of an empty database, which is closed."""
    with closing(database) as connection:
        declared = ", ".join(f'"{name}" {kind}' for name, (kind, _) in columns.items())
        connection.execute(f"CREATE TABLE data ({declared})")
        rows = list(zip(*(values for _, values in columns.values()), strict=True))
        connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(columns))})", rows)
        return [row[0] for row in connection.execute(query).fetchall()]


# ---- a code of missing values


def test_words_of_the_command_line_are_kept_by_every_command(tmp_path: Path) -> None:
    """All eight rows are right where the model is learned, asked, measured, pruned and learned anew."""
    path, model = written(tmp_path, CODES), tmp_path / "m.tree.json"
    options = ("--target", "bad", "--algorithm", "cart", "-o", model)
    assert "error on the training rows: 0;" in run("learn", path, "--missing=-999", *options)
    assert command_line.run("predict", model, path).stdout.split()[1:] == BAD
    assert "accuracy                  1" in run("evaluate", model, path)
    assert '"yes",[0.0,1.0]],[0,4]' in run("relearn", model, path)
    assert "-999" in run("show", model)
    for kind in ("text", "table", "dmn"):
        assert "how the model reads cells (column 'months': missing: '-999')" in run("emit", kind, model)
    run("emit", "sql", model, "--dialect", "duckdb", "-o", tmp_path / "m.sql")
    assert "no difference" in run("verify", model, "--against", tmp_path / "m.sql", "--data", path)


@pytest.mark.parametrize("missing", few([["-999"], {"months": ["-999"]}, {None: ["-999"]}, ["-999.0"], ["-9.99e2"]], 2))
def test_a_word_that_spells_a_number_is_compared_as_that_number(tmp_path: Path, missing: Any) -> None:
    """In files, frames, rows, Parquet, queries and SQL: -999 is missing, -99 is not."""
    tree = learned(tmp_path, missing=missing)
    assert [bool(cell) for cell in read(tmp_path / "codes.csv", missing=missing).column("months").missing] == [
        month == -999 for month in MONTHS
    ]
    assert predict(tree, read(tmp_path / "codes.csv", schema=tree.schema)).tolist() == BAD
    assert predict(tree, pandas.DataFrame({"months": MONTHS})).tolist() == BAD
    assert predict(tree, polars.DataFrame({"months": list(map(int, MONTHS))})).to_list() == BAD
    assert [predict(tree, {"months": month}) for month in MONTHS] == BAD
    polars.DataFrame({"months": MONTHS}).write_parquet(tmp_path / "codes.parquet")
    assert predict(tree, read_parquet(tmp_path / "codes.parquet", schema=tree.schema)).tolist() == BAD
    query = f"SELECT months FROM '{tmp_path / 'codes.parquet'}'"
    assert predict(tree, read_query(query, schema=tree.schema)).tolist() == BAD
    lines = "\n".join(json.dumps({"months": month}) for month in MONTHS)
    assert predict(tree, read_jsonl(written(tmp_path, lines, "codes.jsonl"), schema=tree.schema)).tolist() == BAD
    for layout in ("flat", "guarded"):
        sql = to_sql(tree, dialect="sqlite", kind="select", layout=layout)
        assert answers_of_sqlite(sql, {"months": ("REAL", MONTHS)}) == BAD
        assert answers_of_sqlite(sql, {"months": ("INTEGER", list(map(int, MONTHS)))}) == BAD
    for layout in ("flat", "guarded", "lookup"):
        sql = to_sql(tree, dialect="duckdb", kind="select", layout=layout)
        assert answers_of_duckdb(sql, {"months": ("BIGINT", list(map(int, MONTHS)))}) == BAD
        assert answers_of_duckdb(sql, {"months": ("DOUBLE", MONTHS)}) == BAD


@pytest.mark.parametrize("kind", ["integer", "number"])
@pytest.mark.parametrize(
    "word", few(["999999999999999999", "9007199254740993", "9223372036854775807", "-9223372036854775808"], 2)
)
def test_a_word_beyond_the_integers_of_floats_is_compared_as_the_columns_values(
    tmp_path: Path, word: str, kind: str
) -> None:
    """Integers are compared exactly, numbers as floats: in files, frames, rows, modules and SQL."""
    as_kind = {"integer": int, "number": float}[kind]
    cells = [as_kind(word), as_kind(word), as_kind(5), as_kind(6)]
    path = written(tmp_path, "x,y\n" + "".join(f"{cell!r},{y}\n" for cell, y in zip(cells, "qqpp", strict=True)))
    tree = learn(read(path, missing=[word], types={"x": kind}), target="y", recipe=cart(missing="branch"))
    near = int(word) + (1 if word.startswith("-") else -1)
    values, want = [*cells, *([near] if kind == "integer" else [])], [*"qqpp", *("p" if kind == "integer" else "")]
    assert predict(tree, read(path, schema=tree.schema)).tolist() == want[:4]
    assert predict(tree, polars.DataFrame({"x": values})).to_list() == want
    assert [predict(tree, {"x": value}) for value in values] == want
    for style in ("plain", "full", "lookup"):
        assert [module(to_python(tree, style=style)).predict({"x": value}) for value in values] == want
    query, sql_type = to_sql(tree, dialect="duckdb", kind="select"), "BIGINT" if kind == "integer" else "DOUBLE"
    assert answers_of_duckdb(query, {"x": (sql_type, values)}) == want


def test_a_word_with_decimals_is_found_in_float32(tmp_path: Path) -> None:
    """A float32 holds the number next to -99.9: missing in frames, rows, modules of arrays and SQL, as in the file."""
    path = written(tmp_path, "x,y\n-99.9,q\n-99.9,q\n2.5,p\n1.5,p\n")
    tree = learn(read(path, missing=["-99.9"]), target="y", recipe=cart(missing="branch"))
    values, want = [-99.9, 2.5, -99.8], ["q", "p", "p"]
    for kind in ("float32", "float64"):
        array = numpy.array(values, dtype=kind)
        assert predict(tree, pandas.DataFrame({"x": array})).tolist() == want
        assert predict(tree, polars.DataFrame({"x": array})).to_list() == want
        assert [predict(tree, {"x": value}) for value in array] == want
        assert [module(to_python(tree)).predict({"x": value}) for value in array] == want
        assert module(to_python(tree, vectorized=True)).predict({"x": array}).tolist() == want
    query = to_sql(tree, dialect="duckdb", kind="select")
    for kind in ("REAL", "DOUBLE"):
        assert answers_of_duckdb(query, {"x": (kind, values)}) == want


def test_words_travel_with_a_typed_source(tmp_path: Path) -> None:
    """A model that is learned from a query with words for missing values knows them in a file of text."""
    written(tmp_path, CODES)
    polars.DataFrame({"months": MONTHS, "bad": BAD}).write_parquet(tmp_path / "codes.parquet")
    tree = learn(read(tmp_path / "codes.parquet", missing=["-999"]), target="bad", recipe=cart())
    assert predict(tree, read(tmp_path / "codes.csv", schema=tree.schema)).tolist() == BAD
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE codes (months, bad)")
    mixed = [None if month == 3 else "-" if month == -999 else month for month in MONTHS]
    connection.executemany("INSERT INTO codes VALUES (?, ?)", list(zip(mixed, BAD, strict=True)))
    with closing(connection):
        table = read_connection(connection, "SELECT * FROM codes", missing=["-"])
    assert table.column("months").missing.tolist() == [month in (-999, 3) for month in MONTHS]


@pytest.mark.parametrize("missing", [["-999", "-"], {"months": ["-999.0"], "town": ["-"]}])
def test_frames_columns_and_rows_take_words(tmp_path: Path, missing: Any) -> None:
    """The tables of pandas, polars, columns, arrays and rows are that of the file, and so are their models."""
    towns = [" a", "b", "-", "b", "a ", "a", None, "b"]
    text = "".join(f"{month},{town or ''},{bad}\n" for month, town, bad in zip(MONTHS, towns, BAD, strict=True))
    wanted = read(written(tmp_path, f"months,town,bad\n{text}"), missing=missing, trim=True, types={"months": "number"})
    columns = {"months": MONTHS, "town": towns, "bad": BAD}
    mixed = {**columns, "months": ["-" if month == -999 else month for month in MONTHS]}
    arrays = {name: numpy.array(values, dtype=None if name == "months" else object) for name, values in columns.items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    choices = {"missing": missing, "trim": True}
    tables = [
        *(Table.from_frame(library.DataFrame(columns), **choices) for library in (pandas, polars)),
        *(Table.from_columns(values, **choices) for values in (columns, arrays)),
        Table.from_rows(rows, **choices),
    ]
    tables += [Table.from_columns(mixed, **choices)] if isinstance(missing, list) else []
    for table in tables:
        assert [*table.rows()] == [*wanted.rows()]
        assert [column.feature.reading for column in table.columns] == [c.feature.reading for c in wanted.columns]
        tree = learn(table, target="bad", recipe=cart())
        assert [predict(tree, {"months": month, "town": "-"}) for month in (-999, None)] == ["yes"] * 2
        assert predict(tree, read(tmp_path / "codes.csv", schema=tree.schema)).tolist() == BAD
    with pytest.raises(UnknownNameError):
        Table.from_frame(pandas.DataFrame(columns), missing={"mouths": ["-"]})
    for wrong in ("-", [1], {"months": "-"}, 5):
        with pytest.raises(OptionError, match="missing"):
            Table.from_columns(columns, missing=wrong)


def test_words_for_all_columns_replace_the_usual_ones_and_those_of_one_column_do_not(tmp_path: Path) -> None:
    """With --missing=-999 the text NA is a category, for the model too; with months=-999 it is missing."""
    path = written(tmp_path, "m,c,y\n-999,NA,a\n1,x,b\n2,NA,a\n3,x,b\n")
    for missing, is_missing in ((["-999"], False), ({"m": ["-999"]}, True), (None, True)):
        table = read(path, missing=missing)
        tree = learn(table, target="y", recipe=cart())
        again = read(path, schema=tree.schema)
        for found in (table, again):
            assert found.column("c").missing.tolist() == [is_missing, False, is_missing, False]
    assert Table.from_columns({"c": ["NA"]}).column("c").missing.tolist() == [False]


# ---- what the model and a call say


def test_a_call_that_says_otherwise_names_both(tmp_path: Path) -> None:
    """Other words, and words of one column, are an error; the same words are none."""
    tree = learned(tmp_path, missing=["-999"])
    path = tmp_path / "codes.csv"
    for same in (["-999"], {"months": ["-999"]}):
        assert predict(tree, read(path, schema=tree.schema, missing=same)).tolist() == BAD
    for other in (["-99"], {"months": ["-99"]}, ["-999", "-99"], []):
        with pytest.raises(OptionError, match=r"-999, as the model reads column 'months'"):
            read(path, schema=tree.schema, missing=other)
    with pytest.raises(OptionError, match=r"trim=True\): expected a model that was learned with it"):
        read(path, schema=tree.schema, trim=True)
    with pytest.raises(UnknownNameError):
        read(path, missing={"mouths": ["-999"]})


def test_a_model_that_was_learned_without_choices_takes_none_of_a_call(tmp_path: Path) -> None:
    """An error names both, in Python and in each command that reads rows for a model."""
    tree, model = learned(tmp_path), tmp_path / "m.tree.json"
    save(tree, model)
    path = tmp_path / "codes.csv"
    without = "this one reads column 'months' without it"
    for choice, said in (({"missing": ["-999"]}, "expected no words, as the model reads"), ({"trim": True}, without)):
        for table in (read(path, schema=tree.schema, extra_columns=["bad"], **choice), read(path, **choice)):
            for asked in (predict, evaluate, lambda tree, table: diff(tree, tree, table=table)):
                with pytest.raises(OptionError, match=said):
                    asked(tree, table)
    commands = [("predict", model, path), ("evaluate", model, path), ("explain", model, "--data", path, "--id", 1)]
    commands += [("diff", model, model, "--data", path), ("importances", model, path, "--permutation")]
    commands += [("verify", model, "--against", model, "--data", path)]
    for command in commands:
        done = command_line.run(*command, "--missing=-999")
        assert done.returncode == 2, command
        error = "treerules: --missing is '-999'; expected no words, as the model reads column 'months'"
        assert [line for line in done.stderr.splitlines() if "months" in line] == [error]
    for option, said in (("--trim", "--trim"), ("--unreadable=missing", "--unreadable is 'missing'")):
        done = command_line.run("predict", model, path, option)
        assert f"{said}{':' if said == option else ';'} expected a model that was learned with it" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_table_that_was_read_by_other_words_is_not_predicted(tmp_path: Path) -> None:
    """The words of the table and those of the model are named; frames and rows without words are read by the model."""
    tree = learned(tmp_path, missing=["-999"])
    for other in (["-99"], {"months": ["-99"]}):
        with pytest.raises(OptionError, match=r"-99'.*expected -999, as the model reads column 'months'"):
            predict(tree, read(tmp_path / "codes.csv", missing=other))
    assert predict(tree, read(tmp_path / "codes.csv", missing={"months": ["-999"]})).tolist() == BAD


def test_rules_take_the_words_of_a_call_and_say_so(tmp_path: Path) -> None:
    """A file of rules, or an imported model, cannot hold any: the words count in the rows of the call alone."""
    schema = learned(tmp_path).schema
    table = read(tmp_path / "codes.csv", schema=schema, missing=["-999"])
    assert table.column("months").missing.sum() == 2
    assert any("count in these rows alone" in note for note in table.notes)
    rules = compile_rules(learned(tmp_path))
    written(tmp_path, rules_to_text(rules), "m.rules")
    assert "count in these rows alone" in run("score", tmp_path / "m.rules", tmp_path / "codes.csv", "--missing=-999")


def test_a_model_file_keeps_the_choices_and_one_without_them_is_as_before(tmp_path: Path) -> None:
    """The file of a model without choices has no part for them."""
    tree = learned(tmp_path, missing={"months": ["-999", "-"]}, trim=True)
    save(tree, tmp_path / "m.tree.json")
    readings = [feature.reading for feature in load(tmp_path / "m.tree.json").schema.features]
    assert readings == [CellReading(["-999", "-"], trim=True)]
    save(learned(tmp_path), tmp_path / "n.tree.json")
    assert "reading" not in json.loads((tmp_path / "n.tree.json").read_text())["schema"]["features"][0]


def test_another_unit_is_another_value(tmp_path: Path) -> None:
    """Pounds are no kilograms: an error."""
    tree = learn(read(written(tmp_path, "x,y\n10 kg,a\n20 kg,b\n")), target="y", recipe=cart())
    with pytest.raises(TreeRulesError, match="kg"):
        read(written(tmp_path, "x,y\n10 lb,a\n20 lb,b\n"), schema=tree.schema)


def test_models_that_read_a_column_otherwise_are_not_compared(tmp_path: Path) -> None:
    """Equal trees over values may differ on raw cells: the error names both readings."""
    with pytest.raises(TreeRulesError, match=r"missing: '-999'.*cells as usual"):
        diff(learned(tmp_path, missing={"months": ["-999"]}), learned(tmp_path))
    save(learned(tmp_path, missing={"months": ["-999"]}), tmp_path / "m.tree.json")
    save(learned(tmp_path), tmp_path / "n.tree.json")
    done = command_line.run("diff", tmp_path / "m.tree.json", tmp_path / "n.tree.json")
    assert (done.returncode, "column 'months' is read in two ways" in done.stderr) == (3, True)


#: Rules over raw cells, as a person writes them: -999 stands for missing, so they answer as the model does.
RAW_RULES = """column months: integer
1: IF months = -999 THEN bad = yes
2: IF months <= -48 and months != -999 THEN bad = no
3: IF (-48 < months <= 17 or missing) THEN bad = yes
4: IF months > 17 THEN bad = no
"""


def test_a_difference_at_a_word_is_one_of_values_that_are_read(tmp_path: Path) -> None:
    """`diff` compares values after reading and says so; `verify` compares raw rows."""
    tree, model = learned(tmp_path, missing=["-999"]), tmp_path / "m.tree.json"
    save(tree, model)
    written(tmp_path, RAW_RULES, "raw.rules")
    for pair in ((model, tmp_path / "raw.rules"), (tmp_path / "raw.rules", model)):
        done = command_line.run("diff", *pair)
        assert "different in 1 region" in done.stdout and "{'months': -999}" in done.stdout
        assert "compared as they are after reading: rules do not hold how the model reads 'months'" in done.stdout
    assert "no difference" in run("verify", model, "--against", tmp_path / "raw.rules")
    written(tmp_path, command_line.run("rules", model).stdout, "m.rules")
    done = command_line.run("verify", model, "--against", tmp_path / "m.rules")
    assert (done.returncode, "-999" in done.stdout) == (1, True)
    assert "note: rules do not hold how the model reads 'months'" in done.stdout
    assert "equal on the whole domain" in run("diff", model, tmp_path / "m.rules")


def test_a_model_that_reads_rows_as_rules_do_is_proved_equal(tmp_path: Path) -> None:
    """Cells that cannot be read are a matter of files: of rows, equality is proved."""
    path, model = written(tmp_path, CODES + "x,no\n"), tmp_path / "m.tree.json"
    save(learn(read(path, unreadable="missing"), target="bad", recipe=cart()), model)
    written(tmp_path, command_line.run("rules", model).stdout, "m.rules")
    assert "proved for every row" in run("verify", model, "--against", tmp_path / "m.rules")


def test_models_that_differ_at_a_word_and_elsewhere_are_told_apart() -> None:
    """No row has the word as a value, so a difference there alone is none of rows."""
    schema = Schema([Feature("x", "integer", reading=CellReading(["-999"]))], Feature("y", "number"))
    leaves = [Leaf(MeanPrediction(value), (1,)) for value in (1.0, 2.0, 3.0)]

    def tree(first: int, second: int) -> Tree:
        above = Split(ThresholdTest(0, second), leaves[1:], missing=1)
        return Tree(schema, Split(ThresholdTest(0, first), [leaves[0], above], missing=1))

    assert verify(tree(-999, 5), tree(-1000, 5))
    assert not verify(tree(-999, 5), tree(-1000, 6))


def test_a_gap_at_a_word_is_one_of_values_that_are_read(tmp_path: Path) -> None:
    """The witness of an edited rule set is a value, which is not read again."""
    rules = compile_rules(learned(tmp_path, missing=["-999"])).replace(
        1, "IF months <= -48 and months != -999 THEN bad = no"
    )
    assert [gap.row for gap in check(rules).gaps] == [{"months": -999}]


def test_rules_say_that_they_do_not_hold_choices(tmp_path: Path) -> None:
    """`rules` prints the note of `emit text`, for what it prints reads back as rules."""
    save(learned(tmp_path, missing=["-999"]), tmp_path / "m.tree.json")
    done = command_line.run("rules", tmp_path / "m.tree.json")
    assert "rules do not hold how the model reads cells (column 'months': missing: '-999')" in done.stderr


def test_a_word_in_the_target_is_a_missing_label(tmp_path: Path) -> None:
    """Frames and rows are refused as a file with that cell is, and as None is."""
    tree = learned(tmp_path, missing=["-999"])
    frame = pandas.DataFrame({"months": [3, 30, -99, 44], "bad": ["yes", "no", "-999", "no"]})
    asked = [
        lambda: evaluate(tree, frame),
        lambda: evaluate(tree, [{"months": 3, "bad": "no"}, *frame.to_dict("records")]),
    ]
    asked += [lambda: permutation_importances(tree, frame), lambda: prune(tree, "reduced_error", table=frame)]
    for call in asked:
        with pytest.raises(DataError, match="1 row without a value of the target 'bad'"):
            call()
    assert evaluate(tree, frame, drop_missing_target=True).n == 3


def test_an_error_advises_no_option_that_a_model_refuses(tmp_path: Path) -> None:
    """Cells that do not fit a model can be made missing only by a model that was learned so."""
    tree, model = learned(tmp_path, missing=["-999"]), tmp_path / "m.tree.json"
    save(tree, model)
    done = command_line.run("predict", model, written(tmp_path, "months\n3\nNA\n", "new.csv"))
    advice = "correct these cells; a model that is learned with unreadable=, --unreadable months=missing reads them as"
    assert "'NA' in line 3" in done.stderr and advice in done.stderr
    rows = "".join(f"{n},2024-01-{n:02},{'pq'[n > 9]}\n" for n in range(1, 19))
    table = read(written(tmp_path, f"num,day,y\n{rows}x,2024-01-19,q\n"), unreadable={"num": "missing"})
    schema, path = learn(table, target="y", recipe=cart()).schema, written(tmp_path, "num,day\nx,2024-01-19\n1,bad\n")
    with pytest.raises(ColumnError, match=r"'day' does not fit its type: 1 of 2.*a model that is learned with"):
        read(path, schema=schema)
    assert [*read(path, schema=schema, unreadable="missing").rows()][1] == {"num": 1, "day": None}


def test_text_of_a_frame_is_no_number_and_the_error_says_how_to_convert_it(tmp_path: Path) -> None:
    """Cells of files of text are read; a frame holds values."""
    rows = "".join(f"{n},{'pq'[n > 9]}\n" for n in range(1, 19))
    tree = learn(read(written(tmp_path, f"x,y\n{rows}?!,q\n"), unreadable="missing"), target="y", recipe=cart())
    frame = pandas.DataFrame({"x": ["2", "12", "?!"]})
    with pytest.raises(ColumnError, match=r"holds category values, not integer.*pandas\.to_numeric\(column, errors="):
        predict(tree, frame)
    frame["x"] = pandas.to_numeric(frame["x"], errors="coerce")
    assert predict(tree, frame).tolist() == predict(tree, [{"x": 2}, {"x": 12}, {"x": None}]).tolist()


def test_the_options_of_learning_are_those_of_predicting(tmp_path: Path) -> None:
    """--unreadable missing, of all columns, is no choice of a category, of which every cell can be read."""
    rows = "".join(f"{n},{'ab'[n % 2]},{'pq'[n > 9]}\n" for n in range(1, 19))
    path, model = written(tmp_path, f"n,c,y\n{rows}x,-,q\n"), tmp_path / "m.tree.json"
    choices = ("--unreadable", "missing", "--missing", "-")
    run("learn", path, "--target", "y", *choices, "--algorithm", "cart", "-o", model)
    assert run("predict", model, path, *choices).split() == run("predict", model, path).split()


# ---- text


def test_trimmed_text(tmp_path: Path) -> None:
    """Blanks and tabs at both ends are removed, in files, frames and rows, and in SQL; others stay."""
    cells = ["red", " red", "red\t ", "blue", "  ", "a b", "\u00a0red"]
    rows = "".join(f'"{cell}",{at}\n' for at, cell in enumerate(cells))
    table = read(written(tmp_path, f"c,y\n{rows}"), trim=True)
    want = ["red", "red", "red", "blue", None, "a b", "\u00a0red"]
    assert [row["c"] for row in table.rows()] == want
    tree = learn(table, target="y", task="regression", recipe=cart())
    found = predict(tree, table).tolist()
    assert predict(tree, pandas.DataFrame({"c": cells})).tolist() == found
    assert [predict(tree, {"c": cell}) for cell in cells] == found
    for answers_of, dialect, kind in ((answers_of_sqlite, "sqlite", "TEXT"), (answers_of_duckdb, "duckdb", "VARCHAR")):
        sql = to_sql(tree, dialect=dialect, kind="select")
        assert "TRIM(" in sql
        assert answers_of(sql, {"c": (kind, cells)}) == found


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "ansi"])
def test_every_dialect_spells_words_and_trimmed_text(tmp_path: Path, dialect: str) -> None:
    """The standard's SQL has no function that removes two characters at both ends: it is refused."""
    table = read(written(tmp_path, "c,y\n red,1\nblue,2\n-,3\n"), trim=True, missing=["-"])
    tree = learn(table, target="y", task="regression", recipe=cart())
    sql = to_sql(tree, dialect=dialect)
    assert "NULLIF(" in sql and ("TRIM(" in sql or "REGEXP_REPLACE(" in sql)
    with pytest.raises(UnsupportedError, match="no pattern to remove blanks"):
        to_sql(tree, dialect="ansi")


@pytest.mark.parametrize(("dialect", "connect"), [("sqlite", sqlite3.connect), ("duckdb", duckdb.connect)])
def test_the_join_with_a_table_of_rules_reads_as_the_model_does(tmp_path: Path, dialect: str, connect: Any) -> None:
    """Words for missing values and trimmed text: the last statement gives the answers of the model."""
    cells = [" red", "red", "blue\t", "-", " - ", "blue", "", None]
    rows = "".join(f'"{cell or ""}",{number // 2}\n' for number, cell in enumerate(cells))
    table = read(written(tmp_path, f"c,y\n{rows}"), trim=True, missing=["-"])
    tree = learn(table, target="y", task="regression", recipe=cart())
    *stored, query = rules_table_statements(tree, dialect=dialect, keys=["id"])
    assert "-- column 'c': missing: '-'; blanks and tabs" in stored[0]
    connection = connect(":memory:")
    connection.execute("CREATE TABLE data (id INTEGER, c VARCHAR)")
    connection.executemany("INSERT INTO data VALUES (?, ?)", list(enumerate(cells)))
    with closing(connection):
        for statement in stored:
            connection.execute(statement)
        answers = [row[-1] for row in sorted(connection.execute(query).fetchall())]
    assert answers == predict(tree, [{"c": cell} for cell in cells]).tolist()


def test_dbt_and_tables_of_rules_say_how_the_model_reads_cells(tmp_path: Path) -> None:
    """Every file that states conditions has the line; a form of numbers, too, which no SQL parses."""
    text = "x;y\n1,5;a\n1,75;a\n3,25;b\n4,5;b\n-9;b\n"
    tree = learn(read(written(tmp_path, text), missing=["-9"]), target="y", recipe=cart())
    line = "column 'x': missing: '-9'. expects values, and parses no text: 'x' of number values, '1234,5' in the file"
    assert rules_table_sql(tree, dialect="duckdb", keys=["id"]).splitlines()[1] == f"-- {line}"
    files = to_dbt(tree, table="t")
    assert len(files) == 3
    for path, content in files.items():
        assert content.splitlines()[1] == (f"# {line}" if path.endswith(".yml") else f"{{# {line} #}}")


@pytest.mark.parametrize("recipe", few([cart(missing="branch"), c45(), auto()], 1), ids=str)
def test_levels_that_cannot_be_read_are_missing_for_the_model_too(tmp_path: Path, recipe: Recipe) -> None:
    """The one row of XL is y = q, as a missing size: in files, frames, rows, modules and SQL."""
    sizes = ["S", "M", "L"] * 20 + ["XL"] * 20
    want = ["p"] * 60 + ["q"] * 20
    text = "".join(f"{size},{y}\n" for size, y in zip(sizes, want, strict=True))
    path = written(tmp_path, f"size,y\n{text}")
    table = read(path, types={"size": "ordinal:S<M<L"}, unreadable="missing")
    tree = learn(table, target="y", recipe=recipe)
    assert [feature.reading for feature in tree.schema.features] == [CellReading(unreadable=True)]
    assert predict(tree, read(path, schema=tree.schema)).tolist() == predict(tree, table).tolist()
    want = predict(tree, table).tolist()
    assert predict(tree, pandas.DataFrame({"size": sizes})).tolist() == want
    assert [predict(tree, {"size": size}) for size in sizes] == want
    for style in ("plain", "full", "lookup"):
        text = to_python(tree, style=style)
        assert [module(text).predict({"size": size}) for size in sizes] == want
        done = subprocess.run([sys.executable, written(tmp_path, text, "m.py"), path], capture_output=True, check=True)
        assert [line.split(",")[-2 if style == "full" else 0] for line in done.stdout.decode().split()][-80:] == want
    assert answers_of_sqlite(to_sql(tree, dialect="sqlite", kind="select"), {"size": ("TEXT", sizes)}) == want


@pytest.mark.parametrize(
    "form", few(["number", "integer", "boolean", "date", "timestamp", "date:%d/%m/%Y", "9007199254740993"], 3)
)
def test_a_plain_module_makes_cells_missing_that_cannot_be_read(tmp_path: Path, form: str) -> None:
    """Whatever the kind of the column, and its form: as the model does."""
    spelled = {
        "number": lambda n: f"{n}.5",
        "boolean": lambda n: "true" if n < 9 else "false",
        "date": lambda n: f"2024-01-{n:02}",
        "timestamp": lambda n: f"2024-01-{n:02}T07:30:00",
        "date:%d/%m/%Y": lambda n: f"{n:02}/01/2024",
        "9007199254740993": lambda n: str(9007199254740990 + n),
    }.get(form, str)
    kind = "integer" if form.isdigit() else form
    lines = [f"{spelled(n)},{'pq'[n > 8]}" for n in range(1, 18)] + ["oops,r"] * 5 + ["2024-13-45,r", "1.2.3,r"]
    path = written(tmp_path, "\n".join(["x,y", *lines, ""]))
    table = read(path, types={"x": kind}, unreadable={"x": "missing"})
    tree = learn(table, target="y", recipe=cart(missing="branch"))
    want = predict(tree, table).tolist()
    assert want[-7:] == ["r"] * 7
    for style in ("plain", "full", "lookup"):
        script = written(tmp_path, to_python(tree, style=style), "m.py")
        done = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert [line.split(",")[-2 if style == "full" else 0] for line in done.stdout.split()][-len(want) :] == want


# ---- the law


def meaning(cell: str, words: Sequence[str], *, trim: bool, is_number: bool) -> Any:
    """Return what a raw cell means: the value, or None."""
    text = cell.strip(" \t") if trim else cell
    if text == "" or text in words:
        return None
    if not is_number:
        return text
    return None if float(text) in [float(word) for word in words if word not in ("-", "x")] else float(text)


def answered_by_modules(tree: Tree, path: Path, rows: list[Any], found: list[Any], folder: Path) -> None:
    """Check that emitted modules of Python and JavaScript answer the raw rows, and the file, as the model does."""
    for style in ("plain", "full", "lookup"):
        text = to_python(tree, style=style)
        assert [module(text).predict(row) for row in rows] == found
        script = written(folder, text, "m.py")
        done = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=False)
        if style != "full" and done.returncode:  # a plain module refuses blanks that the model does not remove
            assert "is not plain" in done.stderr and not tree.schema.feature("c").reading.trim
            continue
        assert done.returncode == 0, done.stderr
        lines = list(csv.reader(done.stdout.splitlines()))
        said = [line[-2] for line in lines[1:]] if style == "full" else [line[0] for line in lines]
        assert list(map(float, said)) == found
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    assert module(to_python(tree, vectorized=True)).predict(columns).tolist() == found
    if NODE is not None:
        imports = [f"import * as {style} from './{style}.mjs';" for style in ("plain", "full", "lookup")]
        for style in ("plain", "full", "lookup"):
            written(folder, to_javascript(tree, style=style), f"{style}.mjs")
        asked = f"const rows = {json.dumps(rows)};"
        said = "console.log(JSON.stringify([plain, full, lookup].map((m) => rows.map((row) => m.predict(row)))));"
        written(folder, "\n".join([*imports, asked, said]), "said.mjs")
        done = subprocess.run([NODE, "said.mjs"], cwd=folder, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [found] * 3


NODE = shutil.which("node")
NUMBERS = ("-999", "-999.0", "-99", "1", "2.5", "7", "40", "")
TEXTS = ("red", " red", "blue", "blue\t", "-", "x", "-999", "  ", "")


def drawn(random: Random) -> tuple[list[str], list[str], dict[str | None, list[str]], bool]:
    """Return cells of numbers and of texts, words for missing values by column, and whether text is trimmed."""
    n = random.randint(12, 40)
    words = {name: random.sample(("-999", "-99", "-999.0"), random.randint(0, 2)) for name in ("n", None)}
    words["c"] = random.sample(("-", "x", "red"), random.randint(0, 2))
    words[None] += random.sample(("-",), random.randint(0, 1))
    return random.choices(NUMBERS, k=n), random.choices(TEXTS, k=n), words, random.random() < 0.5


@pytest.mark.parametrize("seed", few(range(12), 3))
def test_files_frames_rows_and_engines_agree_on_raw_cells(tmp_path: Path, seed: int) -> None:
    """Whatever the words and the blanks, each raw row has one prediction."""
    random = Random(seed)
    numbers, texts, words, trim = drawn(random)
    of_column = {name: [*words[None], *words[name]] for name in ("n", "c")}
    rows = [f'{n},"{c}",{random.randint(0, 3)}' for n, c in zip(numbers, texts, strict=True)]
    path = written(tmp_path, "\n".join(["n,c,y", *rows, ""]))
    table = read(path, missing=words, trim=trim)
    want = [
        (
            meaning(n, of_column["n"], trim=trim, is_number=True),
            meaning(c, of_column["c"], trim=trim, is_number=False),
        )
        for n, c in zip(numbers, texts, strict=True)
    ]
    assert [(row["n"], row["c"]) for row in table.rows()] == want
    tree = learn(table, target="y", task="regression", recipe=cart())
    found = predict(tree, table).tolist()
    assert predict(tree, read_csv(path, schema=tree.schema)).tolist() == found
    raw = {"n": [float(n) if n else None for n in numbers], "c": [c or None for c in texts]}
    assert predict(tree, pandas.DataFrame(raw)).tolist() == found
    mean = evaluate(tree, read(path, schema=Table(table.columns).schema)).rmse
    assert mean == pytest.approx(evaluate(tree, table).rmse)
    given = [dict(zip(raw, row, strict=True)) for row in zip(*raw.values(), strict=True)]
    assert [predict(tree, row) for row in given] == found
    answered_by_modules(tree, path, given, found, tmp_path)
    columns = {"n": ("DOUBLE", raw["n"]), "c": ("VARCHAR", raw["c"])}
    for layout in ("flat", "guarded"):
        assert answers_of_sqlite(to_sql(tree, dialect="sqlite", kind="select", layout=layout), columns) == found
    for layout in ("flat", "guarded", "lookup"):
        assert answers_of_duckdb(to_sql(tree, dialect="duckdb", kind="select", layout=layout), columns) == found


def test_an_ensemble_reads_its_columns_as_its_trees_do(tmp_path: Path) -> None:
    """Words for missing values count in the modules and the SQL of an ensemble, and in its file."""
    tree = learned(tmp_path, missing=["-999"])
    numbers = Schema(tree.schema.features, Feature("score", "number"))
    halves = [Leaf(MeanPrediction(value), (1,)) for value in (1.0, 2.0)]
    trees = [Tree(numbers, Split(ThresholdTest(0, cut), halves, missing=1)) for cut in (-500, 10)]
    ensemble = Ensemble(numbers, trees, base=(0.0,))
    want = [4.0 if month in (-999, 30, 44) else 3.0 for month in MONTHS]
    rows = [{"months": month} for month in MONTHS]
    assert predict(ensemble, rows).tolist() == [predict(ensemble, row) for row in rows] == want
    save(ensemble, tmp_path / "e.ensemble.json")
    assert predict(load(tmp_path / "e.ensemble.json"), rows).tolist() == want
    for options in ({"style": "plain"}, {"style": "lookup"}):
        assert [module(to_python(ensemble, **options)).predict(row) for row in rows] == want
    assert module(to_python(ensemble, vectorized=True)).predict({"months": MONTHS}).tolist() == want
    sql = to_sql(ensemble, dialect="duckdb", kind="select")
    assert answers_of_duckdb(sql, {"months": ("DOUBLE", MONTHS)}) == want


@pytest.mark.parametrize("choices", [{"style": "full"}, {"vectorized": True}])
def test_a_self_test_takes_words_for_missing_values(choices: dict[str, Any]) -> None:
    """The row of the word -1 fires the rule of missing values, in the module and in its test."""
    values = [-1, 0, 1, 2, 3, 4] * 5
    table = Table.from_columns(
        {"i": values, "y": ["p" if v in (-1, 2, 3) else "q" for v in values]}, missing={"i": ["-1"]}
    )
    assert module(to_python(learn(table, target="y", recipe=cart()), **choices)).selftest() == 0

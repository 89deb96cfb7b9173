"""Notes are records: nothing that code asks of a sentence is looked for in its text."""

import copy
import pickle
import random
from html import unescape
from pathlib import Path

import pytest

from command_line import run
from treerules import Table, learn
from treerules._internal.notes import Argument, Note, one_of, or_none
from treerules.errors import FileError
from treerules.formats.schema_json import read_declared_schema
from treerules.lint.lint_file import LintOptions, lint_sql
from treerules.recipes.recipe import Recipe
from treerules.report import report_page

NOTE = Note("left_out", "left out {place!r}: {reason}", "k; 9", "use {place}", reason=Note("copy", "of {n}", n="}{"))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda note: pickle.loads(pickle.dumps(note))])
def test_a_note_is_its_text_and_keeps_its_parts_in_copies(again: object) -> None:
    """A part may hold what a template does, a semicolon or braces; a copy has the parts too."""
    note = again(NOTE)  # type: ignore[operator]
    assert note == str(note) == "left out 'k; 9': of }{; use k; 9"
    assert (note.fact, note.kind, note.place) == ("left out 'k; 9': of }{", ("left_out", "copy"), "k; 9")
    assert note.parts["reason"].parts == {"n": "}{"}


def test_notes_of_one_kind_are_counted_whatever_their_columns_are_called(tmp_path: Path) -> None:
    """Names with an apostrophe, a semicolon and quotes: ten notes of thirty are printed, then the number of others."""
    deal = random.Random(1)
    names = [f"it's {chr(97 + n % 26) * (1 + n // 26)}; \"x" for n in range(30)]
    head = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    rows = [f"{n % 7},{deal.choice('ab')}" + ",1" * 30 for n in range(40)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([f"x,y,{head}", *rows]) + "\n")
    lines = run("learn", path, "--target", "y", "--algorithm", "cart").stderr.splitlines()
    assert sum(line.startswith("left out") for line in lines) == 10
    assert len([line for line in lines if line.startswith("… 20 more like: left out ")]) == 1


def test_a_note_on_how_sql_was_read_is_reported_whatever_the_column_is_called() -> None:
    """A column may be called like a part of another note: TR304 says that only integers are named, all the same."""
    for name in (
        "a",
        "a stands for the texts that begin with b",
        "a which is not a literal: the rules predict its text",
    ):
        linted = lint_sql(f"""CASE WHEN "{name}" > 1 THEN 'p' ELSE 'q' END""".encode(), "a.sql", LintOptions())
        assert "TR304" in {found.code for found in linted.findings}, name


@pytest.mark.parametrize("name", ["a drop= b", "x, or None of them", "an argument of cart, which are x"])
def test_a_name_in_an_error_is_said_as_it_is(name: str, tmp_path: Path) -> None:
    """The command line says its options for the arguments of Python functions, and leaves names of columns alone."""
    path = tmp_path / "a.csv"
    path.write_text(f'"{name}",x,y\n1,2,a\n2,1,b\n')
    error = run("learn", path, "--target", "y", "--keep", f'"{name}"', "--drop", f'"{name}"').stderr
    assert f"expected other columns than {name!r}, which --drop names" in error


def test_what_is_accepted_names_arguments_as_parts() -> None:
    """A sentence on two arguments, or on None, has them as parts."""
    assert one_of("groups", "time").parts == {"groups": Argument("groups"), "time": Argument("time")}
    assert all(isinstance(part, Argument) for part in one_of("groups", "time").parts.values())
    assert or_none("a number", "no limit").parts["wanted"] == "a number" and or_none("a number") == "a number, or None"


def test_notes_of_learning_have_codes() -> None:
    """Each note of a table and of a tree of it is a record."""
    table = Table.from_columns({"k": [1] * 30, "x": list(range(1, 31)), "y": ["a", "b"] * 15})
    notes = learn(table, target="y").notes
    assert notes and all(isinstance(note, Note) and note.code for note in notes)


def test_a_declaration_with_an_error_names_its_column_whole(tmp_path: Path) -> None:
    """The problem and the remedy are fields of the error below, however the column is called."""
    path = tmp_path / "schema.json"
    path.write_text('{"columns": {"a; b": {"kind": "integer", "lowest": 5, "highest": 1}}}')
    with pytest.raises(FileError) as caught:
        read_declared_schema(path)
    assert "'a; b'" in caught.value.problem and "expected" in caught.value.remedy


def test_a_page_says_the_recipe_whatever_its_name_is() -> None:
    """The name of a recipe may hold a comma and a quote; the options that are not the defaults stand behind it."""
    recipe = Recipe("it's mine, too", "gini", "subset", max_depth=2)
    tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": list("aabb")}), target="y", recipe=recipe)
    assert "it's mine, too: criterion='gini', categories='subset', max_depth=2" in unescape(report_page(tree))

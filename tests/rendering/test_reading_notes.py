"""Every note on how a table was read has its Chinese, with all its parts."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import command_line
from paths import ROOT
from treerules import Table, cart, learn, read
from treerules._internal.notes import Note
from treerules.data.cell_reading import CellReading, reading_text
from treerules.readers import read_csv
from treerules.rendering.headings import in_language

#: Files whose notes have all codes; a file is read with these options.
FILES = {
    "made missing": ("x,y\n" + "1,2\n" * 60 + "-,2\nu,2\nv,2\nw,2\n", {"unreadable": "missing"}),
    "unreadable": ("x,y\n" + "1,2\n" * 60 + "-,2\n", {}),
    "dates": ("x,y\n" + "2024-01-05,2\n" * 60 + "-,2\n", {"types": {"x": "date"}, "unreadable": {"x": "missing"}}),
    "formed": ("x,y\n" + '"$1,660.16",2\n' * 60 + "-,2\n", {"unreadable": "missing"}),
    "total": ("x,y\n" + "a,1\nb,2\n" * 30 + "total,180\n", {}),
    "case": ("x\n" + "".join(f"{letter}\n{letter.upper()}\n" for letter in "abcdefghij") * 2, {}),
    "money": ('x\n"$1,660.16"\n', {}),
    "integers": ('x\n"1,234,567"\n', {}),
    "days": ("x\n1/13/2019\n", {}),
    "months": ("x\n2024年1月\n", {}),
    "mixed dates": ("x\n2024年1月\n2024年1月5日\n", {}),
    "moments": ("x\n13/1/2019 10:00\n", {}),
    "doubtful": ('x\n"1,660"\n"2,750"\n', {}),
    "doubtful dates": ("x\n1/2/2019\n", {}),
    "telephones": ("x\n555 123\n555 124\n", {}),
    "two units": ("x\n$5\n7 kg\n", {}),
    "two units and text": ("x\nnone so\n" + "".join(f"${n}\n{n} kg\n" for n in range(10, 60)), {}),
    "mixed": ("x\n" + "".join(f'"{n},5"\n' for n in range(30)) + "none so\n", {}),
    "forms": ('x\n"1,5"\n2.500.000\n', {}),
    "other case": ("X,y\n1,2\n", {}),
    "other form": ("x;y\n1,5;2\n2,25;2\n", {}),
    "point": ("x;y\n1.500;2\n2.500;2\n", {}),
    "choices": ("x,y\n1,2\n", {"missing": ["-"]}),
}
#: Words that are no English sentence: values, names, options and formats of the files above.
_NAMES = "read_query|category|number|date|integer|missing|true|false|trim|unreadable"
_KEPT = re.compile(rf"'[^']*'|\"[^\"]*\"|[a-z]+=|--[a-z]+|\b(?:{_NAMES})\b|%\w|inf")


def notes_of(folder: Path) -> Iterator[Note]:
    """Yield the notes on all files, read alone and for a model of numbers."""
    schema = learn(Table.from_columns({"x": [1.5, 2.5, 3.5, 4.5], "y": [1, 1, 2, 2]}), target="y", recipe=cart()).schema
    for name, (text, options) in FILES.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        is_of_model = name in ("other case", "other form", "point", "choices")
        table = read_csv(path, **options, **({"schema": schema} if is_of_model else {}))
        yield from (note for note in [*table.notes, *table.doubts] if isinstance(note, Note))


def test_each_note_on_reading_has_its_chinese(tmp_path: Path) -> None:
    """All codes of the sources occur, and no English word is left in the Chinese of any."""
    sources = [file for folder in ("data", "readers") for file in (ROOT / "src" / "treerules" / folder).rglob("*.py")]
    codes = {code for file in sources for code in re.findall(r"\bNote\(\s*f?\"([a-z_{}]+)\"", file.read_text())}
    notes = [*notes_of(tmp_path)]
    found = {note.code for note in notes}
    patterns = {code: re.sub(r"\{\w+\}", r"\\w+", code) for code in codes}
    assert [code for code, pattern in patterns.items() if not any(re.fullmatch(pattern, c) for c in found)] == []
    for note in notes:
        chinese = in_language(note, "zh")
        assert re.findall("[a-zA-Z]{3,}", _KEPT.sub("", chinese)) == [], chinese


def test_choices_of_reading_are_joined_as_chinese_texts_are() -> None:
    """The separators are those of the other Chinese texts."""
    reading = CellReading(["-", "x"], usual=False, trim=True)
    assert reading_text(reading, lang="zh") == "缺失值:'-','x';NA,NaN,null,? 是普通取值;去掉文本两端的空格和制表符"


@pytest.mark.parametrize("command", ["learn", "gains"])
def test_commands_print_them_in_chinese(command: str, tmp_path: Path) -> None:
    """--lang zh; without it they are English."""
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "$1,a\n$2,b\n" * 10)
    for options, said in ((["--lang", "zh"], "读作整数 1"), ([], "as the integer 1")):
        done = command_line.run(command, path, "--target", "y", *options)
        assert said in done.stderr.replace("'$2' 读作整数 2", "读作整数 1").replace("integer 2", "integer 1")
    assert read(path).notes

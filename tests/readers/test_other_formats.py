"""Files that hold no table that can be read say what they are, and what to do."""

import bz2
import io
import lzma
import zipfile
from pathlib import Path

import pytest

from treerules import read
from treerules.errors import FileError
from treerules.readers import read_csv


def zipped(*names: str) -> bytes:
    """Return a zip archive of empty files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return buffer.getvalue()


FILES = [
    ("a.xlsx", zipped("[Content_Types].xml", "xl/workbook.xml"), "is an Excel workbook", "pandas.read_excel"),
    ("a.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504), "is a document of Microsoft Office", "save it as CSV"),
    ("a.ods", zipped("mimetype", "META-INF/manifest.xml"), "is an OpenDocument file", "save it as CSV"),
    ("a.zip", zipped("a.csv"), "is a zip archive", "unpack it"),
    ("a.csv.xz", lzma.compress(b"a,b\n1,2\n"), "is packed with xz", "unpack it"),
    ("a.csv.bz2", bz2.compress(b"a,b\n1,2\n"), "is packed with bzip2", "unpack it"),
    ("a.csv.zst", bytes.fromhex("28b52ffd2008410000"), "is packed with zstd", "unpack it"),
    ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a PNG image", "give the table"),
    ("a.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0", "is a JPEG image", "give the table"),
    ("a.gif", b"GIF89a\1\0\1\0", "is a GIF image", "give the table"),
    ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF document", "give the table"),
    ("a.json", zipped("a.json"), "is a zip archive", "unpack it"),
]


@pytest.mark.parametrize(("name", "content", "what", "remedy"), FILES, ids=[row[0] for row in FILES])
@pytest.mark.parametrize("options", [{}, {"encoding": "cp1252"}])
def test_a_file_of_another_format_says_what_it_is(
    tmp_path: Path, name: str, content: bytes, what: str, remedy: str, options: dict[str, str]
) -> None:
    """The error names the format and what to do, also where an encoding is given."""
    (tmp_path / name).write_bytes(content)
    for reader in (read,) if name.endswith(".json") else (read, read_csv):
        with pytest.raises(FileError, match=what) as caught:
            reader(tmp_path / name, **options)  # type: ignore[arg-type]
        assert remedy in str(caught.value)


@pytest.mark.parametrize("compression", [None, "lz4"])
def test_an_arrow_file_says_what_it_is(tmp_path: Path, compression: str | None) -> None:
    """A Feather file as pyarrow writes it is named, with the way out."""
    arrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    feather.write_feather(arrow.table({"a": [1, 2]}), tmp_path / "a.feather", compression=compression or "uncompressed")
    with pytest.raises(FileError, match=r"is an Arrow file.*Table.from_frame"):
        read(tmp_path / "a.feather")


def test_text_that_begins_alike_is_read(tmp_path: Path) -> None:
    """Text of the letters of a signature is a table."""
    (tmp_path / "a.csv").write_text("PK,BZh9,y\n1,2,a\n3,4,b\n")
    assert read(tmp_path / "a.csv").n_rows == 2

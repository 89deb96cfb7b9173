"""Files of formats that are not read here, recognised by their first bytes: what they are, and what to do."""

import re
import zipfile
from pathlib import Path

from treerules.errors import FileError

_UNPACK = "unpack it first; only tables that are packed with gzip are read as they are"
_SPREADSHEET = "save it as CSV, or read it by pandas.read_excel and Table.from_frame"
_ARROW = "write it as Parquet or CSV, or read it by pandas, polars or pyarrow and Table.from_frame"
_IMAGE = "give the table as CSV, Parquet, JSON lines or a database"
_FRAME = "write it as Parquet or CSV, or read it by its own library and Table.from_frame"
#: First bytes, what the file is, what to do.
_SIGNATURES = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of Microsoft Office, such as an Excel workbook", _SPREADSHEET),
    (b"ARROW1\0\0", "an Arrow file (Feather)", _ARROW),
    (b"FEA1", "a Feather file", _ARROW),
    (b"\xff\xff\xff\xff", "an Arrow stream", _ARROW),
    (b"\xfd7zXZ\0", "packed with xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", _IMAGE),
    (b"\xff\xd8\xff", "a JPEG image", _IMAGE),
    (b"GIF87a", "a GIF image", _IMAGE),
    (b"GIF89a", "a GIF image", _IMAGE),
    (b"%PDF-", "a PDF document", _IMAGE),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _FRAME),
    (b"\x93NUMPY", "an array of numpy", _FRAME),
    (b"Obj\x01", "an Avro file", _FRAME),
)
#: The start of a file of treerules.
_OWN_FORMAT = re.compile(rb'\s*\{\s*"format":\s*"treerules\.(\w+)').match
#: Names in a zip archive, what it is, what to do.
_ZIPPED = (
    ("xl/workbook.xml", "an Excel workbook (xlsx)", _SPREADSHEET),
    ("xl/workbook.bin", "an Excel workbook (xlsb)", _SPREADSHEET),
    ("word/document.xml", "a Word document", _IMAGE),
    ("META-INF/manifest.xml", "an OpenDocument file", _SPREADSHEET),
)


def refuse_other_formats(path: Path, start: bytes) -> None:
    """Raise FileError for a file whose first bytes are those of a format that is not read here.

    Raises:
        FileError: it is a workbook, an archive, an image, or of another known format.
    """
    found = next(((what, remedy) for mark, what, remedy in _SIGNATURES if start.startswith(mark)), None)
    if start.startswith(b"BZh") and start[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        found = ("packed with bzip2", _UNPACK)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        found = _zip_contents(path)
    if found is not None:
        raise FileError(str(path), f"is {found[0]}", found[1])


def refuse_models_and_rules(path: Path, start: bytes) -> None:
    """Raise FileError for a file of treerules or of another library where a table is asked for.

    Raises:
        FileError: it is a model, a certificate, rules, or code.
    """
    own = _OWN_FORMAT(start)
    if own is not None:
        is_certificate = own[1].startswith(b"certificate")
        what = "certificate" if is_certificate else "model" if own[1] in (b"tree", b"ensemble") else "result"
        command = "certify" if is_certificate else "show"
        remedy = "give the table" if what == "result" else f"did you mean `treerules {command} {path}`?"
        raise FileError(str(path), f"is a {what}, not a table", remedy)
    if start.startswith((b"tree\nversion=", b'{"learner":', b"CBM1")):
        remedy = f"did you mean `treerules import {path}`?"
        raise FileError(str(path), "is a model of another library, not a table", remedy)
    if path.suffix.lower() in (".rules", ".dmn", ".sql"):
        raise FileError(str(path), "is a file of rules, not a table", f"did you mean `treerules check {path}`?")


#: How text files begin that are no CSV, what the file is, and what to do.
_TEXTS = (
    (
        re.compile(rb"(\s|%[^\n]*\n)*@relation\b", re.IGNORECASE),
        "an ARFF file of Weka",
        "save it as CSV in Weka, or take the lines below @data, with --columns (columns=) for the names of @attribute",
    ),
    (
        re.compile(rb"\s*<(\?xml|!doctype|html|table)\b", re.IGNORECASE),
        "an XML or HTML document",
        "save the table that it holds as CSV",
    ),
)
_C45_NAMES = "names the columns of a C4.5 data file"


def refuse_other_texts(path: Path, start: bytes) -> None:
    """Raise FileError for a text that is no CSV: ARFF, XML, HTML, or the .names file of C4.5.

    Raises:
        FileError: it is one of these.
    """
    for begins, what, remedy in _TEXTS:
        if begins.match(start.removeprefix(b"\xef\xbb\xbf")):
            raise FileError(str(path), f"is {what}", remedy)
    if path.suffix == ".names" and re.search(rb"^[^:\n]+:\s*(continuous|[^,\n]+,)", start, re.MULTILINE):
        raise FileError(str(path), _C45_NAMES, "read the .data file, with these names: columns=, --columns A,B")


def refuse_packed(path: Path, content: bytes) -> None:
    """Raise FileError for a file of rules or a model that is packed, or that is of another known format.

    Such files are small, so they are not unpacked.

    Raises:
        FileError: it is an archive, packed with gzip, or what `refuse_other_formats` refuses.
    """
    if content.startswith(b"\x1f\x8b"):
        raise FileError(str(path), "is packed with gzip", _UNPACK)
    refuse_other_formats(path, content)


def _zip_contents(path: Path) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        names = set()
    return next(((what, remedy) for name, what, remedy in _ZIPPED if name in names), ("a zip archive", _UNPACK))

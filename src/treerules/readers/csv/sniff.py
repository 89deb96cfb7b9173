"""Detection of the format of a CSV file from its start: encoding, delimiter, quote, blanks, header."""

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from attrs import evolve, field, frozen

from treerules._internal.atomic_files import unreadable_file
from treerules._internal.field_converters import as_tuple
from treerules._internal.file_signatures import refuse_other_formats, refuse_other_texts
from treerules.data.column_names import names_as_asked, other_case_notes, stripped_names, stripping_notes
from treerules.errors import FileError, OptionError, TreeRulesError
from treerules.readers.csv.divided_lines import DELIMITERS, detect_delimiter, parsed_rows, unlimited_cells
from treerules.readers.csv.header import Header, column_names, header_of
from treerules.readers.csv.title_lines import check_skipped, n_title_lines, title_hint, without_titles

#: The number of bytes from which the format is detected.
_START = 1 << 17
#: Lines that the start should hold, and the number of bytes that are read for them at most.
_FIRST_LINES, _LONGEST_START = 5, 1 << 24
#: Encodings by byte order mark; longer marks first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: The encoding that is tried first if there is no mark.
USUAL_ENCODING = "utf-8"


@frozen
class CsvFormat:
    """The format of a CSV file."""

    encoding: str
    delimiter: str
    quote: str
    #: whether blanks after delimiters are skipped
    skips_blanks: bool
    names: tuple[str, ...] = field(converter=as_tuple)
    has_header: bool
    #: whether DuckDB can read the file without a clean copy
    is_plain: bool
    #: whether the first line is Excel's declaration of the delimiter (sep=;)
    has_preface: bool = False
    notes: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the number of lines above the header that are skipped
    skip: int = 0
    #: what to do where the first lines look like titles; "" where they do not
    title_hint: str = ""

    @property
    def reader_options(self) -> dict[str, Any]:
        """The arguments of Python's csv.reader."""
        return {
            "delimiter": self.delimiter,
            "quotechar": self.quote,
            "skipinitialspace": self.skips_blanks,
            "strict": True,
        }


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Yield the bytes of a file, unpacked where it is a gzip file (by its content, not its name).

    Raises:
        FileError: the file cannot be read, or is a damaged gzip file.
    """
    try:
        with path.open("rb") as file:
            if file.read(2) != b"\x1f\x8b":
                file.seek(0)
                yield file
                return
            file.seek(0)
            with gzip.open(file) as unpacked:
                yield unpacked  # type: ignore[misc]
    except TreeRulesError:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(str(path), f"is a damaged gzip file ({error})", "make or fetch it again") from error
    except OSError as error:
        raise unreadable_file(path, error) from error


def is_gzip(path: Path) -> bool:
    """Return whether a file is packed with gzip."""
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def detect_format(
    path: Path,
    *,
    columns: Sequence[str] | None = None,
    header: bool | None = None,
    asked: Collection[str] = (),
    missing: Collection[str] = (),
    encoding: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    skip: int | None = None,
) -> CsvFormat:
    """Detect the format of a CSV file; arguments other than None are used instead of detection.

    `asked` are names of columns that the caller wants: a first line that holds one is the header. `missing` are the
    words that are read as missing. `skip` lines stand above the header.

    Raises:
        FileError: the file cannot be read, is empty, or is in none of the encodings.
        OptionError: an argument has an invalid value.
    """
    _check_options(columns, encoding, delimiter, quote)
    start, is_whole = _start_of(path)
    refuse_other_formats(path, start)
    refuse_other_texts(path, start)
    encoding, text = _decode_start(path, start, encoding, is_whole)
    text = text.removesuffix("\r")
    all_lines = list(io.StringIO(text, newline=""))
    lines = [line for line in without_titles(path, all_lines, skip or 0) if line.strip("\r\n")]
    if not lines:
        raise FileError(str(path), "holds only blank lines" if text else "is empty", "give it a header line and rows")
    lines = lines if is_whole or len(lines) == 1 else lines[:-1]
    preface = re.fullmatch(r'"?sep=(.)"?[\r\n]*', lines[0]) if len(lines) > 1 else None
    if preface is not None:
        lines, delimiter = lines[1:], delimiter or preface[1]
    quote = quote or _detect_quote(lines)
    titles = title_hint(0 if skip or preface else n_title_lines(all_lines, quote, delimiter))
    delimiter = delimiter or detect_delimiter(lines, quote, len(columns) if columns else None)
    check_skipped(path, all_lines, skip or 0, delimiter, quote)
    rows = parsed_rows(lines, delimiter, quote) or [[""]]
    first = Header(header is not False) if columns or header is not None else header_of(rows, asked, missing)
    has_header = first.is_header and not columns
    blanks = _has_blanks_after_delimiters(lines, delimiter, quote, has_header)
    is_plain = (
        encoding in ("utf-8", "utf-8-sig")
        and not blanks
        and preface is None
        and not skip
        and len(rows[0]) > 1
        and not text.startswith(("\r", "\n"))
        and text.count("\r") in (0, text.count("\r\n"))
        and ("\r" not in text or text.count("\r\n") == text.count("\n"))
    )
    written = _header_names(path, lines, delimiter, quote, blanks, titles) if has_header else ()
    names = columns or names_as_asked(stripped_names(written), asked) or column_names(len(rows[0]))
    csv_format = CsvFormat(
        *(encoding, delimiter, quote, blanks, names, has_header, is_plain, preface is not None), (), skip or 0, titles
    )
    name_notes = [*stripping_notes(written, stripped_names(written)), *other_case_notes(names, asked)]
    notes = [*_format_notes(path, csv_format), *filter(None, [first.note, titles]), *name_notes]
    return evolve(csv_format, notes=notes)


def _start_of(path: Path) -> tuple[bytes, bool]:
    """Return the start of a file, with at least its first lines unless they are huge, and whether that is all."""
    with open_bytes(path) as file:
        start = file.read(_START)
        while len(start) < _LONGEST_START and len(start) % _START == 0 and start.count(b"\n") < _FIRST_LINES:
            more = file.read(_START)
            start += more
            if len(more) < _START:
                return start, True
    return start, len(start) < _START


def _check_options(
    columns: Sequence[str] | None, encoding: str | None, delimiter: str | None, quote: str | None
) -> None:
    is_named = columns is None or (len(columns) > 0 and all(isinstance(name, str) for name in columns))
    if isinstance(columns, str) or not is_named:
        raise OptionError("columns", columns, 'a sequence of names, such as ["age", "income"]')
    duplicate = next((name for position, name in enumerate(columns or ()) if name in (columns or ())[:position]), None)
    if duplicate is not None:
        raise OptionError("columns", duplicate, "each name once")
    for option, value in (("delimiter", delimiter), ("quote", quote)):
        if value is not None and (len(value) != 1 or not value.isascii() or value in "\r\n"):
            raise OptionError(option, value, "one ASCII character")
    if delimiter is not None and delimiter == quote:
        raise OptionError("quote", quote, "another character than the delimiter")
    if encoding is not None and not _is_text_encoding(encoding):
        raise OptionError("encoding", encoding, "an encoding of text that Python knows, such as gb18030 or cp1252")


def _is_text_encoding(name: str) -> bool:
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except (LookupError, TypeError, ValueError):
        return False


def _decode_start(path: Path, start: bytes, encoding: str | None, is_whole: bool) -> tuple[str, str]:
    encoding_of_mark = next((name for mark, name in _MARKS if start.startswith(mark)), None)
    known = encoding or encoding_of_mark
    candidates = [known] if known else [USUAL_ENCODING, *other_encodings([start])]
    if encoding and codecs.lookup(encoding).name == "utf-8":
        candidates = ["utf-8-sig"]
    for name in candidates:
        try:
            return name, codecs.getincrementaldecoder(name)("strict").decode(start, final=is_whole)
        except UnicodeError:
            continue
    raise decoding_error(path, encoding)


def other_encodings(chunks: Iterable[bytes]) -> tuple[str, ...]:
    """Return the encodings that text can have that is not UTF-8, the likelier one first.

    In Chinese text bytes beyond ASCII stand in pairs; in Western European text most stand alone, as in Müller.
    """
    runs = [run for chunk in chunks for run in re.findall(rb"[\x80-\xff]+", chunk)]
    n_alone = sum(len(run) == 1 for run in runs)
    return ("cp1252", "gb18030") if 2 * n_alone > len(runs) else ("gb18030",)


def decoding_note(path: Path, encoding: str) -> str:
    """Return the note that a file was decoded by an encoding that was not asked for."""
    return f"decoded {path.name} as {encoding}; if it is in another encoding: --encoding"


def decoding_error(path: Path, encoding: str | None) -> FileError:
    """Return the error for a file that is in none of the encodings tried."""
    problem = f"not {encoding}" if encoding else "neither UTF-8 nor GB18030"
    return FileError(str(path), f"is {problem}", "name its encoding: encoding='cp1252', --encoding cp1252")


def _detect_quote(lines: Sequence[str]) -> str:
    """Return the quote: ' where some cells begin with it, all of those end with it, and none begin with "."""
    text = "".join(lines)
    edge = "[" + re.escape("".join(DELIMITERS)) + r"\r\n]"
    n_opened = len(re.findall(rf"(?:^|{edge}) *'", text))
    n_quoted = len(re.findall(rf"(?:^|(?<={edge})) *'(?:[^']|'')*'(?=$|{edge})", text))
    doubled = re.search(rf'(?:^|{edge}) *"', text)
    return "'" if n_opened and n_opened == n_quoted and not doubled else '"'


def _has_blanks_after_delimiters(lines: Sequence[str], delimiter: str, quote: str, has_header: bool) -> bool:
    """Return whether a blank follows every delimiter outside quotes, in the rows below the header."""
    quoted, after = re.escape(quote), re.escape(delimiter)
    text = re.sub(f"{quoted}(?:[^{quoted}]|{quoted}{quoted})*{quoted}", "", "".join(lines))
    below = list(io.StringIO(text, newline=""))
    body = "".join(below[1:] if has_header and len(below) > 1 else below)
    return delimiter in body and re.search(f"{after}(?! )", body) is None


def _header_names(
    path: Path, lines: Sequence[str], delimiter: str, quote: str, skips_blanks: bool, titles: str
) -> list[str]:
    """Return the names of the header line as they are written."""
    skipped = _first_row(path, lines, delimiter, quote, True)
    kept = skipped if skips_blanks else _first_row(path, lines, delimiter, quote, False)
    names = kept if len(kept) == len(skipped) and not any(quote in name for name in kept) else skipped
    duplicate = next((name for position, name in enumerate(names) if name in names[:position]), None)
    if duplicate is not None:
        where_none = "where there is none: header=False, --no-header, or columns=[...], --columns"
        remedy = titles or f"rename one in the header line; {where_none}"
        raise FileError(str(path), f"has two columns named {duplicate!r}", remedy)
    return names


def _first_row(path: Path, lines: Sequence[str], delimiter: str, quote: str, skips_blanks: bool) -> list[str]:
    options: dict[str, Any] = {"delimiter": delimiter, "quotechar": quote, "skipinitialspace": skips_blanks}
    try:
        with unlimited_cells():
            return next(csv.reader(lines, **options, strict=skips_blanks))
    except csv.Error as error:
        raise FileError(str(path), f"has a header that is not CSV ({error})", "correct the first line") from error


def _format_notes(path: Path, csv_format: CsvFormat) -> list[str]:
    notes = []
    if csv_format.encoding not in ("utf-8", "utf-8-sig"):
        notes.append(decoding_note(path, csv_format.encoding))
    if csv_format.delimiter != ",":
        notes.append(f"cells are separated by {csv_format.delimiter!r}")
    if csv_format.quote != '"':
        notes.append(f"cells are quoted with {csv_format.quote!r}")
    if csv_format.skips_blanks:
        notes.append("left out the blanks after the delimiters")
    return notes

"""What this machine has: versions, extras, encodings, engines."""

import json
import locale
import platform
import shutil
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version

from treerules._internal.version import __version__
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, table_text
from treerules.sql.dialects import DIALECTS

#: Optional packages: what they are for, and the extra that brings them, if one does.
_PACKAGES = (
    ("attrs", "always needed", None),
    ("jinja2", "always needed", None),
    ("narwhals", "always needed", None),
    ("numpy", "always needed", None),
    ("toolz", "always needed", None),
    ("click", "the command line", "cli"),
    ("rich", "the command line", "cli"),
    ("duckdb", "reading files and queries; an SQL engine", "cli"),
    ("hypothesis", "random trees and laws", "testing"),
    ("pandas", "data frames", None),
    ("polars", "data frames", None),
    ("pyarrow", "data frames", None),
    ("psycopg", "treerules verify on Postgres", "engines"),
)


def doctor_table(lang: str) -> TextTable:
    """Return what is found, a row each."""
    rows = [(what, heading(found, lang), remark) for what, found, remark in _findings()]
    return TextTable([heading("what", lang), heading("found", lang), heading("remark", lang)], rows)


def doctor_text(format: str, lang: str) -> str:
    """Return what is found as text, Markdown, CSV or JSON.

    The JSON is {"format": "treerules.doctor", "version": 1, "findings": [{"what", "found", "remark"}]}.
    """
    if format != "json":
        return table_text(doctor_table(lang), format)
    findings = [dict(zip(("what", "found", "remark"), row, strict=True)) for row in _findings()]
    content = {"format": "treerules.doctor", "version": 1, "findings": findings}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _findings() -> list[tuple[str, str, str]]:
    return [
        ("treerules", __version__, f"{len(DIALECTS)} SQL dialects: treerules emit --list"),
        ("Python", platform.python_version(), platform.platform()),
        *(_package(*package) for package in _PACKAGES),
        ("sqlite", sqlite3.sqlite_version, "reading files; an SQL engine"),
        ("postgres", shutil.which("psql") or "not installed", "psql; the emitted SQL needs no more than a server"),
        ("node", shutil.which("node") or "not installed", "treerules verify runs emitted JavaScript by it"),
        ("stdout", _encoding(sys.stdout), "what is printed is UTF-8 when it is piped"),
        ("file names", sys.getfilesystemencoding(), f"locale {locale.getpreferredencoding(False)}"),
    ]


def _encoding(stream: object) -> str:
    return str(getattr(stream, "encoding", None) or "closed")


def _package(name: str, use: str, extra: str | None) -> tuple[str, str, str]:
    try:
        return name, version(name), use
    except PackageNotFoundError:
        wanted = f"treerules[{extra}]" if extra else name
        return name, "not installed", f"{use}: pip install '{wanted}'"

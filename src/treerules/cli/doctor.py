"""Report of the installation: versions, extras, encodings, engines.

JSON: {"format": "treerules.doctor", "version": 1, "findings": [{"what", "found", "remark"}]}.
"""

import locale
import platform
import shutil
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuples
from treerules._internal.version import __version__
from treerules.rendering.headings import heading, in_language, translated_text
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, tables_report
from treerules.sql.dialects import DIALECTS

#: Optional packages: their purpose, and the extra that installs them, if any.
_PACKAGES = (
    ("attrs", "always needed", None),
    ("jinja2", "always needed", None),
    ("narwhals", "always needed", None),
    ("numpy", "always needed", None),
    ("toolz", "always needed", None),
    ("click", "the command line", "cli"),
    ("rich", "the command line", "cli"),
    ("duckdb", "reading files and queries; an SQL engine", "cli"),
    ("numba", "compiled growers: large tables several times faster", "fast"),
    ("sqlglot", "reading SQL that people wrote", "sql"),
    ("hypothesis", "random trees and laws", "testing"),
    ("scikit-learn", "estimators for pipelines and searches", "sklearn"),
    ("pandas", "data frames", None),
    ("polars", "data frames", None),
    ("pyarrow", "data frames", None),
    ("psycopg", "treerules verify on Postgres", None),
)


_COLUMNS = ("what", "found", "remark")


@frozen
class Installation:
    """The installation: rows of a component, its version or path, and a remark."""

    findings: tuple[tuple[str, str, str], ...] = field(converter=as_tuples)


def installation() -> Installation:
    """Return the versions, extras, encodings and engines on this machine."""
    return Installation(_findings())


def _table(installed: Installation, lang: str) -> TextTable:
    rows = [tuple(in_language(text, lang) for text in finding) for finding in installed.findings]
    return TextTable([heading(name, lang) for name in _COLUMNS], rows)


def _parts(installed: Installation, lang: str) -> list[Part]:
    return [_table(installed, lang)]


def _record(installed: Installation, lang: str) -> dict[str, Any]:
    findings = [dict(zip(_COLUMNS, row, strict=True)) for row in installed.findings]
    return {"format": "treerules.doctor", "version": 1, "findings": findings}


DOCTOR = tables_report(Installation, parts=_parts, table=_table, record=_record)


def _findings() -> list[tuple[str, str, str]]:
    return [
        ("treerules", __version__, translated_text("SQL dialects: {n} (treerules emit --list)", n=len(DIALECTS))),
        ("Python", platform.python_version(), platform.platform()),
        *(_package(*package) for package in _PACKAGES),
        ("sqlite", sqlite3.sqlite_version, translated_text("reading files; an SQL engine")),
        ("postgres", _program("psql"), translated_text("psql; the emitted SQL needs no more than a server")),
        ("node", _program("node"), translated_text("treerules verify runs emitted JavaScript by it")),
        ("stdout", _encoding(sys.stdout), translated_text("what is printed is UTF-8 when it is piped")),
        (
            translated_text("file names"),
            sys.getfilesystemencoding(),
            translated_text("locale: {encoding}", encoding=locale.getpreferredencoding(False)),
        ),
    ]


def _program(name: str) -> str:
    """Return the path of a program, or that it is not installed."""
    return shutil.which(name) or translated_text("not installed")


def _encoding(stream: object) -> str:
    return getattr(stream, "encoding", None) or translated_text("closed")


def _package(name: str, use: str, extra: str | None) -> tuple[str, str, str]:
    try:
        return name, version(name), translated_text(use)
    except PackageNotFoundError:
        requirement = f"treerules[{extra}]" if extra else name
        remark = translated_text("{use}: pip install '{package}'", use=translated_text(use), package=requirement)
        return name, translated_text("not installed"), remark

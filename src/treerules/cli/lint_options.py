"""The options of checking SQL, and their defaults in `[tool.treerules.check]` of pyproject.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

from treerules._internal.atomic_files import read_bytes
from treerules._internal.field_converters import as_tuple
from treerules.cli.command_group import Command, add_options
from treerules.cli.input_paths import PATH
from treerules.cli.output import OutputPath
from treerules.errors import FileError, OptionError
from treerules.lint.codes import CODES, codes_starting
from treerules.sql.dialects import DIALECTS, dialect_named

#: The greatest size of a pyproject.toml.
_MOST_BYTES = 10_000_000
_TABLE = "tool.treerules.check"
_OPTIONS = (
    click.option("--strict", is_flag=True, default=None, help="Count warnings on SQL as errors."),
    click.option(
        "--select",
        multiple=True,
        metavar="CODES",
        help="Print findings on SQL of these codes alone, such as TR001,TR1; `treerules help` lists them.",
    ),
    click.option("--ignore", multiple=True, metavar="CODES", help="Leave out findings on SQL of these codes."),
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        help="Leave out files and folders of this name or path, such as target or 'old_*.sql', below a folder.",
    ),
    click.option(
        "--base", metavar="REV", help="Print findings on SQL in files and CASEs alone that this revision of git lacks."
    ),
    click.option(
        "--baseline", type=PATH, metavar="FILE", help="Leave out the findings on SQL that stand in this file."
    ),
    click.option(
        "--write-baseline",
        type=OutputPath(is_stdout=False),
        metavar="FILE",
        help="Write all findings on SQL to this file, for --baseline, and print none.",
    ),
)


def lint_options(command: Command) -> Command:
    """Add the options of checking SQL."""
    return add_options(command, _OPTIONS)


@frozen
class LintSettings:
    """What the options and pyproject.toml say together: an option that is given replaces that of the file."""

    codes: frozenset[str]
    strict: bool
    dialect: str | None
    exclude: tuple[str, ...] = field(converter=as_tuple)


def lint_settings(options: Mapping[str, Any], folder: Path) -> LintSettings:
    """Return the settings of a check that runs in a folder.

    Raises:
        OptionError: a code does not exist, or pyproject.toml has an unknown key or a value of another type.
        FileError: pyproject.toml cannot be read.
    """
    file, defaults = project_settings(folder)
    selected, ignored = (_codes(name, options, file, defaults) for name in ("select", "ignore"))
    return LintSettings(
        (frozenset(CODES) if selected is None else selected) - (ignored or frozenset()),
        bool(defaults.get("strict", False) if options["strict"] is None else options["strict"]),
        options["dialect"] or defaults.get("dialect"),
        options["exclude"] or defaults.get("exclude", ()),
    )


def _codes(name: str, options: Mapping[str, Any], file: Path, defaults: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the codes of an option, else of pyproject.toml; None where neither names any."""
    if options[name]:
        return codes_starting(_split(options[name]), f"--{name}")
    return codes_starting(_split(defaults[name]), f"{file}: {_TABLE}.{name}") if name in defaults else None


def _split(texts: Sequence[str]) -> list[str]:
    """Return the parts between commas."""
    return [part.strip() for text in texts for part in text.split(",")]


def project_settings(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return the nearest pyproject.toml that has a table for checks, upwards from a folder, and the table.

    Raises:
        OptionError: the table has an unknown key or a value of another type.
        FileError: the file cannot be read.
    """
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        if file.is_file():
            table = _table_of(file)
            if table is not None:
                return file, {key: _accepted(file, key, value) for key, value in table.items()}
    return folder / "pyproject.toml", {}


def _table_of(file: Path) -> dict[str, Any] | None:
    """Return the table of a pyproject.toml; None where it has none."""
    content = read_bytes(file, _MOST_BYTES)
    if b"treerules" not in content:
        return None
    try:
        found: Any = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileError(str(file), f"is not TOML: {error}", "correct it") from error
    for key in _TABLE.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    if found is not None and not isinstance(found, dict):
        raise OptionError(f"{file}: {_TABLE}", found, "a table")
    return found


def _accepted(file: Path, key: str, value: Any) -> Any:
    """Return the value of a key of the table.

    Raises:
        OptionError: there is no such key, or the value is of another type.
    """
    option = f"{file}: {_TABLE}.{key}"
    if key == "strict":
        if isinstance(value, bool):
            return value
        raise OptionError(option, value, "true or false")
    if key == "dialect":
        known = dialect_named(value) if isinstance(value, str) else None
        if known is None:
            raise OptionError(option, value, f"a dialect: {', '.join(DIALECTS)}")
        return known
    if key not in ("select", "ignore", "exclude"):
        raise OptionError(option, value, "one of the keys select, ignore, exclude, strict and dialect")
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise OptionError(option, value, "a list of texts")
    return texts

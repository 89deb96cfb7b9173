"""Files of rules, whatever form they are written in: models, text, decision tables, DMN, SQL."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from treerules._internal.atomic_files import read_bytes
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.errors import FileError, ModelFileError, OptionError, UnknownNameError
from treerules.formats.arguments import require_declared
from treerules.formats.dmn.dmn_reader import rules_from_dmn
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.tables.table_reader import rules_from_csv, rules_from_markdown
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.trees.json_codec import FORMAT, MOST_BYTES, tree_from_json

#: The form of a file by its ending.
ENDINGS = {
    ".json": "model",
    ".rules": "rules",
    ".txt": "rules",
    ".csv": "csv",
    ".md": "md",
    ".markdown": "md",
    ".dmn": "dmn",
    ".xml": "dmn",
    ".sql": "sql",
}
FORMS = tuple(dict.fromkeys(ENDINGS.values()))


def read_rules(
    path: str | Path,
    *,
    form: str | None = None,
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
) -> tuple[ParsedRules, ...]:
    """Return the rules of a file, a value for each part that stands for itself: a table of DMN, a CASE of SQL.

    `form` is model, rules (text), csv, md, dmn or sql; without one the file's ending tells: .tree.json, .rules or .txt,
    .csv, .md, .dmn or .xml, .sql. `dialect` is that of SQL, by sqlglot's name. `schema` and `domain` say what is known
    of columns beforehand, and may name only some of them.

    Raises:
        FileError: the file cannot be read, or nothing tells its form.
        ParseError: it says something that cannot be read; the error names the line and the column.
        ModelFileError: it is a damaged model file.
        UnknownNameError: there is no such form.
        OptionError: something given is of another type.
        MissingExtraError: what reads its form is not installed.
    """
    if not isinstance(path, (str, PathLike)):
        raise OptionError("path", path, "the path of a file, a str or a Path")
    require_declared(schema, domain)
    content = read_bytes(path, MOST_BYTES)
    found = form or form_of(path, content)
    return rules_from(content, found, file=str(path), dialect=dialect, schema=schema, domain=domain)


def form_of(path: str | Path, content: bytes) -> str:
    """Return the form of a file: its ending tells, or that it begins like a model.

    Raises:
        FileError: nothing tells.
    """
    ending = Path(path).suffix.lower()
    if ending in ENDINGS:
        return ENDINGS[ending]
    if f'"{FORMAT}"'.encode() in content[:200]:
        return "model"
    said = f"ends in {ending}" if ending else "has no ending"
    raise FileError(str(path), f"{said}, which tells no form of rules", f"say which it is: {', '.join(FORMS)}")


def rules_from(
    content: bytes,
    form: str,
    *,
    file: str = "",
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
) -> tuple[ParsedRules, ...]:
    """Return the rules of a file's content; see `read_rules`. `file` is what errors call it."""
    if form not in FORMS:
        raise UnknownNameError("form of rules", form, FORMS)
    if form == "model":
        return (_model(content, file, schema, domain),)
    given: dict[str, Any] = {"schema": schema, "domain": domain, "file": file}
    if form == "dmn":
        return rules_from_dmn(content, **given)  # its declaration says how it is encoded
    text = _text(content, file)
    if form == "sql":
        return rules_from_sql(text, dialect=dialect, **given)
    return (_reader(form)(text, **given),)


def _reader(form: str) -> Callable[..., ParsedRules]:
    if form == "rules":
        return rules_from_text

    return rules_from_csv if form == "csv" else rules_from_markdown


def _text(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(file or "rules", f"is not UTF-8 in line {line}", "save it in UTF-8") from error


def _model(content: bytes, file: str, schema: Schema | None, domain: Domain | None) -> ParsedRules:
    """Return the rules of a model, of whose columns a schema may say nothing else than it does."""
    try:
        tree = tree_from_json(content)
    except ModelFileError as error:
        raise ModelFileError(f"{file}: {error.problem}" if file else error.problem) from error
    for feature in schema.features if schema else ():
        if feature.name in tree.schema.indices and tree.schema.feature(feature.name).kind is not feature.kind:
            kind = tree.schema.feature(feature.name).kind
            problem = f"is a model in which column {feature.name!r} is of kind {kind}, not {feature.kind}"
            raise FileError(file or "model", problem, "declare what the model says")
    require_domain(tree.schema, domain)
    return ParsedRules(compile_rules(tree), domain or {})

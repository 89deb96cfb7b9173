"""Files of rules in any format: the table `RULE_FORMATS`, and `read_rules`.

    rules    rule text (.rules, .txt)                 csv, md    decision tables (.csv, .md, .markdown)
    model    a saved tree (.tree.json)                dmn        decision tables of DMN (.dmn, .xml)
    sql      CASE expressions (.sql)

A row of the table says how the files of a format are recognised, read and written. Law for all rows: rules that are
written and read again are equal.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_path
from treerules._internal.atomic_files import read_bytes
from treerules._internal.field_converters import as_tuple
from treerules._internal.file_signatures import refuse_packed
from treerules._internal.memory_errors import within_memory
from treerules._internal.notes import or_none
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.emit.sql.case import to_sql
from treerules.errors import FileError, ModelFileError, OptionError, UnknownNameError
from treerules.formats.arguments import require_declared
from treerules.formats.dmn.dmn_reader import rules_from_dmn
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.tables.table_reader import rules_from_csv, rules_from_markdown
from treerules.formats.tables.table_writer import decision_table_text
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.trees.ensemble import Ensemble
from treerules.trees.json_codec import FORMAT, tree_to_json
from treerules.trees.model_files import MOST_BYTES, model_from_json
from treerules.trees.tree import Tree

#: The dialect in which SQL is written, and read where no other one is named.
_DIALECT = "duckdb"


@frozen
class RuleFile:
    """The content of a file of rules, and the arguments of `read_rules` by which it is read."""

    content: bytes
    #: the name of the file for messages; "" names none
    name: str = ""
    dialect: str | None = None
    schema: Schema | None = None
    domain: Domain | None = None
    #: the format that was named; None where it was recognised
    format: str | None = None

    @property
    def text(self) -> str:
        """The content as text.

        Raises:
            FileError: it is not UTF-8.
        """
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            raise FileError(self.name or "rules", f"is not UTF-8 in line {line}", "save it in UTF-8") from error

    @property
    def reader_arguments(self) -> dict[str, Any]:
        """The keyword arguments that the readers of all formats of rules take."""
        return {"schema": self.schema, "domain": self.domain, "file": self.name}


@frozen(eq=False)
class RuleFormat:
    """A format of rules: how its files are recognised, read and written."""

    #: as `read_rules(format=...)` and `--as` take it
    name: str
    #: the endings of its files, in lower case with the dot
    endings: tuple[str, ...] = field(converter=as_tuple)
    #: returns the rules of a file: one value, or one for each CASE of SQL and each table of DMN
    read: Callable[[RuleFile], tuple[ParsedRules, ...]]
    #: returns the text of a file that holds the rules of a tree
    write: Callable[[Tree], str]
    #: bytes by which a file of unknown ending is recognised, if its first 200 hold them; None where there are none
    mark: bytes | None = None


def _read_model(file: RuleFile) -> tuple[ParsedRules, ...]:
    """Return the rules of a model file: of an ensemble those of each tree.

    Raises:
        ModelFileError: the file is damaged, or no model file.
        FileError: `file.schema` declares a column of the model with another kind.
    """
    try:
        model = model_from_json(file.content)
    except ModelFileError as error:
        raise ModelFileError(f"{file.name}: {error.problem}" if file.name else error.problem) from error
    for feature in file.schema.features if file.schema else ():
        if feature.name in model.schema.indices and model.schema.feature(feature.name).kind is not feature.kind:
            kind = model.schema.feature(feature.name).kind
            problem = f"is a model in which column {feature.name!r} is of kind {kind}, not {feature.kind}"
            raise FileError(file.name or "model", problem, "declare the kind of the model")
    require_domain(model.schema, file.domain)
    if isinstance(model, Ensemble):
        numbered = enumerate(model.trees, 1)
        return tuple([ParsedRules(_compiled(tree, file), title=f"tree {n}") for n, tree in numbered])
    return (ParsedRules(_compiled(model, file)),)


def _compiled(tree: Tree, file: RuleFile) -> RuleSet:
    """Return the rules of a tree, over the domain of the file's declarations or its own."""
    return compile_rules(evolve(tree, domain=file.domain) if file.domain else tree)


def _read_text(file: RuleFile) -> tuple[ParsedRules, ...]:
    return (rules_from_text(file.text, **file.reader_arguments),)


def _read_csv(file: RuleFile) -> tuple[ParsedRules, ...]:
    return (rules_from_csv(file.text, **file.reader_arguments),)


def _read_markdown(file: RuleFile) -> tuple[ParsedRules, ...]:
    return (rules_from_markdown(file.text, **file.reader_arguments),)


def _write_markdown(tree: Tree) -> str:
    return decision_table_text(tree, format="md")


def _read_dmn(file: RuleFile) -> tuple[ParsedRules, ...]:
    return rules_from_dmn(file.content, **file.reader_arguments)  # bytes: the XML names its encoding


def _read_sql(file: RuleFile) -> tuple[ParsedRules, ...]:
    return rules_from_sql(file.text, dialect=file.dialect, **file.reader_arguments)


def _write_sql(tree: Tree) -> str:
    return to_sql(tree, dialect=_DIALECT, layout="flat")


_ROWS = (
    RuleFormat("model", (".json",), _read_model, tree_to_json, f'"{FORMAT}"'.encode()),
    RuleFormat("rules", (".rules", ".txt"), _read_text, rules_to_text),
    RuleFormat("csv", (".csv",), _read_csv, decision_table_text),
    RuleFormat("md", (".md", ".markdown"), _read_markdown, _write_markdown),
    RuleFormat("dmn", (".dmn", ".xml"), _read_dmn, to_dmn),
    RuleFormat("sql", (".sql",), _read_sql, _write_sql),
)
#: The formats of rules, by their names.
RULE_FORMATS: Mapping[str, RuleFormat] = MappingProxyType({row.name: row for row in _ROWS})


def read_rules(
    path: str | Path,
    *,
    format: str | None = None,
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
) -> tuple[ParsedRules, ...]:
    """Read the rules of a file in any format.

    Args:
        path: The path of the file, a str or a Path. Files are UTF-8; DMN may declare another encoding.
        format: The format, a key of `RULE_FORMATS`: model, rules (rule text), csv, md, dmn or sql. By default the
            ending of the file decides: .json, .rules or .txt, .csv, .md or .markdown, .dmn or .xml, .sql.
        dialect: The dialect of SQL, by sqlglot's name; other formats do not use it.
        schema: The features and the target of the rules, as far as they are known beforehand; columns of the file that
            it lacks are taken from the file alone.
        domain: The values that columns can take, by column name; it takes precedence over what the file declares.

    Returns:
        One value for each decision table of a DMN file, each CASE of SQL and each tree of an ensemble; for other
        formats a tuple of one value.

    Raises:
        FileError: the file cannot be read, or its format is not recognised.
        ParseError: the text does not follow the format; with line, column and a caret.
        ModelFileError: the file is a damaged model file.
        UnknownNameError: there is no such format, or the domain names no column of the rules.
        OptionError: an argument is of the wrong type.
        MissingExtraError: a package that the format needs is not installed (sqlglot for SQL).

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "loan.rules"
        ...     _ = path.write_text("IF age < 30 THEN no  IF age >= 30 THEN yes")
        ...     (parsed,) = read_rules(path)
        >>> parsed.rules
        <RuleSet 'decision' rules=2>
    """
    require_path(path)
    for argument, value in (("format", format), ("dialect", dialect)):
        if not isinstance(value, str | None):
            raise OptionError(argument, value, or_none("a name, such as sql or duckdb"))
    require_declared(schema, domain)
    content = read_bytes(path, MOST_BYTES)
    return parse_rules(
        RuleFile(content, str(path), dialect, schema, domain), format or recognised_format(path, content)
    )


def recognised_format(path: str | Path, content: bytes) -> str:
    """Return the name of a file's format, recognised by the ending of its path, else by its first bytes.

    Raises:
        FileError: neither the ending nor the bytes are those of a format, or the file is packed.
    """
    refuse_packed(Path(path), content)
    ending = Path(path).suffix.lower()
    by_ending = (row.name for row in _ROWS if ending in row.endings)
    by_mark = (row.name for row in _ROWS if row.mark is not None and row.mark in content[:200])
    name = next(by_ending, None) or next(by_mark, None)
    if name is None:
        problem = f"ends in {ending}" if ending else "has no ending"
        remedy = f"say which it is: {', '.join(RULE_FORMATS)}"
        raise FileError(str(path), f"{problem}, which is that of no format of rules", remedy)
    return name


def parse_rules(file: RuleFile, format: str) -> tuple[ParsedRules, ...]:
    """Return the rules of a file that is read already, in the format of that name; see `read_rules`.

    Raises:
        UnknownNameError: there is no such format.
        FileError: the file is packed, or memory does not suffice.
    """
    if format not in RULE_FORMATS:
        raise UnknownNameError("format of rules", format, tuple(RULE_FORMATS))
    refuse_packed(Path(file.name or "rules"), file.content)
    with within_memory(Path(file.name or "rules"), "divide the rules into several files"):
        return RULE_FORMATS[format].read(file)

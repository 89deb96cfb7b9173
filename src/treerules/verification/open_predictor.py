"""Opening whatever answers rows as a predictor: a model, code in Python, a file, SQL."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from attrs import field, frozen

from treerules.data.schema import Schema
from treerules.errors import FileError, OptionError
from treerules.formats.rule_files import RULE_FORMATS, read_rules
from treerules.proof.align_schemas import without_readings
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import all_rules_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree
from treerules.verification.connections import Sql
from treerules.verification.predictors import Model, Predictor, model_predictor, python_predictor
from treerules.verification.process_runner import javascript_runner, python_runner
from treerules.verification.sql_predictors import sql_file_predictor, sql_predictor

#: A tree, rules, a module with predict(row), its path or text, SQL, or a function of a row.
Answering = Model | ModuleType | Path | str | Sql | Callable[[dict[str, Any]], Any]

_RUNNERS = {".py": python_runner, ".js": javascript_runner, ".mjs": javascript_runner}
#: The endings of files that are read as rules; SQL is run.
_RULE_ENDINGS = tuple(e for row in RULE_FORMATS.values() for e in row.endings if row.name != "sql")


@frozen
class RunOptions:
    """How code is run."""

    #: for files of SQL
    database: str | None = None
    dialect: str | None = None
    rename: Mapping[str, str] | None = None
    #: seconds that a batch of rows may take
    time_limit: float = 60.0
    #: whether a rule set without a tree must be a partition
    is_partition: bool = field(default=False, kw_only=True)
    #: the table of the database on whose rows a file of SQL is compared, and how many of them at most
    table: str | None = field(default=None, kw_only=True)
    most: int | None = field(default=None, kw_only=True)

    def check(self, sources: Iterable[Answering]) -> None:
        """Raise where an option is invalid, or only files of SQL have it and there is no such file.

        Raises:
            OptionError: there is such an option.
        """
        for option, text in (("database", self.database), ("dialect", self.dialect), ("table", self.table)):
            if text is not None and not isinstance(text, str):
                raise OptionError(option, text, "a text")
        if self.rename is not None and not isinstance(self.rename, Mapping):
            raise OptionError("rename", self.rename, "a mapping from names of the model to names in the database")
        if not isinstance(self.time_limit, (int, float)) or not self.time_limit > 0:
            raise OptionError("time_limit", self.time_limit, "a number of seconds above 0")
        if not any(_is_path(source) and Path(source).suffix.lower() == ".sql" for source in sources):
            of_sql = {name: getattr(self, name) for name in ("database", "dialect", "rename", "table")}
            for option, value in of_sql.items():
                if value is not None:
                    raise OptionError(option, value, "no value: it is for a file named .sql alone")


def _is_path(source: Any) -> TypeGuard[str | Path]:
    return isinstance(source, Path) or (isinstance(source, str) and "\n" not in source)


def _is_name_of_no_file(source: str | Path) -> bool:
    """Return whether a source is meant as a path, and there is no such file; text with blanks may be code."""
    is_meant_as_path = isinstance(source, Path) or not any(char.isspace() for char in source)
    return is_meant_as_path and not Path(source).exists()


def require_predictor(argument: str, source: Any) -> None:
    """Raise where an argument is no predictor.

    Raises:
        OptionError: it is none.
        FileError: it is the path of a file that does not exist.
    """
    is_code = isinstance(source, (ModuleType, Path, str, Sql)) or callable(source)
    if not isinstance(source, (Tree, RuleSet, RuleList, Ensemble)) and not is_code:
        wanted = "a tree, an ensemble, rules, a module, its path or text, Sql(...), or a function of a row"
        raise OptionError(argument, source, wanted)
    if _is_path(source) and Path(source).suffix.lower() not in (".sql", *_RUNNERS, *_RULE_ENDINGS):
        wanted = f"a file named .py, .js, .mjs or .sql, or of rules: {', '.join(_RULE_ENDINGS)}"
        if _is_name_of_no_file(source):
            raise FileError(str(source), "No such file or directory", f"give {wanted}")
        is_path = isinstance(source, Path)
        raise OptionError(argument, str(source), wanted if is_path else f"{wanted}, or the text of a Python module")


def rules_in_file(source: Answering, schema: Schema | None) -> Answering:
    """Return the rules of a file of rules, read in the features and the target of `schema`; any other source as it is.

    Raises:
        FileError, ParseError, ModelFileError: the file cannot be read.
        DataError: a part of it was not read.
        OptionError: it holds several tables of rules.
    """
    if not _is_path(source) or Path(source).suffix.lower() not in _RULE_ENDINGS:
        return source
    tables = read_rules(source, schema=None if schema is None else without_readings(schema))
    if len(tables) != 1:
        wanted = f"a file of one table of rules, or load() of an ensemble; this one has {len(tables)}"
        raise OptionError("against", str(source), wanted)
    return all_rules_of(tables[0], "against")


def is_python(source: Answering) -> bool:
    """Whether a source is code that runs in this process: a module, its text, or a function."""
    return not isinstance(source, (Tree, RuleSet, RuleList, Ensemble, Sql)) and not _is_path(source)


def open_predictor(
    argument: str, source: Answering, schema: Schema | None, options: RunOptions
) -> AbstractContextManager[Predictor]:
    """Return the predictor that an argument is, opened.

    Raises:
        OptionError: it is no predictor.
        FileError: the file cannot be run.
    """
    if isinstance(source, (Tree, RuleSet, RuleList, Ensemble)):
        return nullcontext(model_predictor(argument, source, is_partition=options.is_partition))
    if isinstance(source, Sql):
        return nullcontext(sql_predictor(source, _required(schema)))
    if _is_path(source):
        return _file_predictor(Path(source), schema, options)
    return nullcontext(python_predictor(argument, source))


def _required(schema: Schema | None) -> Schema:
    if schema is None:
        raise OptionError("schema", None, "a tree or rules on one side, or the schema of the rows")
    return schema


def _file_predictor(path: Path, schema: Schema | None, options: RunOptions) -> AbstractContextManager[Predictor]:
    """Return what runs a file, by the end of its name."""
    suffix = path.suffix.lower()
    if suffix == ".sql":
        return sql_file_predictor(
            path,
            _required(schema),
            dialect=options.dialect,
            database=options.database,
            rename=options.rename,
            time_limit=options.time_limit,
            table=options.table,
            most=options.most,
        )
    return _RUNNERS[suffix](path, time_limit=options.time_limit)

"""Opening whatever answers rows as a predictor: a model, code in Python, a file, SQL."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from attrs import field, frozen

from treerules.data.schema import Schema
from treerules.errors import OptionError
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.tree import Tree
from treerules.verification.connections import Sql
from treerules.verification.predictors import Model, Predictor, model_predictor, python_predictor
from treerules.verification.process_runner import javascript_runner, python_runner
from treerules.verification.sql_runner import sql_file_predictor, sql_predictor

#: A tree, rules, a module with predict(row), its path or text, SQL, or a function of a row.
Answering = Model | ModuleType | Path | str | Sql | Callable[[dict[str, Any]], Any]

_RUNNERS = {".py": python_runner, ".js": javascript_runner, ".mjs": javascript_runner}


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

    def check(self, sources: Iterable[Answering]) -> None:
        """Raise where an option is given that only files of SQL have, and there is no such file.

        Raises:
            OptionError: there is such an option.
        """
        if not any(_is_path(source) and Path(source).suffix.lower() == ".sql" for source in sources):
            for option, value in (("database", self.database), ("dialect", self.dialect), ("rename", self.rename)):
                if value is not None:
                    raise OptionError(option, value, "it for a file named .sql alone")


def _is_path(source: Any) -> TypeGuard[str | Path]:
    return isinstance(source, Path) or (isinstance(source, str) and "\n" not in source)


def is_python(source: Answering) -> bool:
    """Whether a source is code that is asked in this process: a module, its text, or a function."""
    return not isinstance(source, (Tree, RuleSet, RuleList, Sql)) and not _is_path(source)


def open_predictor(
    argument: str, source: Answering, schema: Schema | None, options: RunOptions
) -> AbstractContextManager[Predictor]:
    """Return the predictor that an argument is, opened.

    Raises:
        OptionError: it is no predictor.
        FileError: the file cannot be run.
    """
    if isinstance(source, (Tree, RuleSet, RuleList)):
        return nullcontext(model_predictor(argument, source, is_partition=options.is_partition))
    if isinstance(source, Sql):
        return nullcontext(sql_predictor(source, _required(schema)))
    if _is_path(source):
        return _file_predictor(argument, Path(source), schema, options)
    return nullcontext(python_predictor(argument, source))


def _required(schema: Schema | None) -> Schema:
    if schema is None:
        raise OptionError("schema", None, "a tree or rules on one side, or the schema of the rows")
    return schema


def _file_predictor(
    argument: str, path: Path, schema: Schema | None, options: RunOptions
) -> AbstractContextManager[Predictor]:
    """Return what runs a file, by the end of its name.

    Raises:
        OptionError: it is no file of a known kind, or a choice is for other files.
    """
    suffix = path.suffix.lower()
    if suffix == ".sql":
        return sql_file_predictor(
            path,
            _required(schema),
            dialect=options.dialect,
            database=options.database,
            rename=options.rename,
            time_limit=options.time_limit,
        )
    if suffix not in _RUNNERS:
        wanted = "a file named .py, .js, .mjs or .sql, or the text of a Python module"
        raise OptionError(argument, str(path), wanted)
    return _RUNNERS[suffix](path, time_limit=options.time_limit)

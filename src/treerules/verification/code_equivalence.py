"""Does emitted code answer as its model does? It is run on rows where answers may change, and on rows of data.

model ── boundary_rows ──▶ rows ──▶ the file, run by Python, node or a database ──▶ answers
                              └───▶ the model ──────────────────────────────────▶ answers, the same?
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import frozen

from treerules.data.column import of_values
from treerules.data.schema import Feature, Schema
from treerules.data.table import Table
from treerules.errors import NotAPartitionError, OptionError, TreeRulesError, counted
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.compile import compile_rules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet
from treerules.trees.predict import find_leaf, predict
from treerules.trees.tree import Split, Tree
from treerules.verification.answers import RaisedError, as_answer, is_same
from treerules.verification.minimise import javascript_call, python_call, smallest
from treerules.verification.process_runner import Runner, javascript_runner, python_runner
from treerules.verification.sql_runner import SqlRunner, one_by_one, sql_runner

Row = dict[str, Any]

#: Rows are run so many at a time.
_AT_ONCE = 100_000
#: So many rows are predicted by columns.
_MANY = 100
#: A longer query is not printed: its row is.
_LONGEST = 5_000


@frozen
class Difference:
    """A row that code answers otherwise than its model, as small as was cheap."""

    row: Row
    #: what the model answers, and by which rule
    expected: Any
    rule: int | None
    #: what the code answers; `RaisedError` where it gives no answer
    answer: Any
    #: the row as a call or a query that can be pasted
    paste: str

    def __str__(self) -> str:
        said = str(self.answer) if isinstance(self.answer, RaisedError) else f"answers {self.answer!r}"
        rule = "" if self.rule is None else f" (rule {self.rule})"
        return f"the code {said}, the model answers {self.expected!r}{rule}, for this row:\n{self.paste}"


@frozen
class Equivalence:
    """What `verify` found: true where no row made a difference."""

    #: rows that were compared, those of the data among them
    n_rows: int
    n_data: int
    #: what ran the code, with its version
    engine: str
    difference: Difference | None = None
    #: rows that were not compared, since they have text that SQL cannot hold
    n_left_out: int = 0

    def __bool__(self) -> bool:
        return self.difference is None

    def __str__(self) -> str:
        data = f", {self.n_data} of them from the data" if self.n_data else ""
        found, left = f"compared {counted(self.n_rows, 'row')} on {self.engine}{data}", ""
        if self.n_left_out:
            were = "was" if self.n_left_out == 1 else "were"
            left = f"; {counted(self.n_left_out, 'row')} with text that SQL cannot hold {were} left out"
        return f"{found}: no difference{left}" if self else f"{found}{left}: {self.difference}"


@frozen
class DifferentAnswersError(TreeRulesError, AssertionError):
    """Emitted code does not answer as its model does."""

    path: str
    found: Equivalence

    def __str__(self) -> str:
        return f"{self.path}: {self.found}\nemit it again from the model, and leave it as it is"


def verify(
    source: Tree | RuleSet,
    against: str | Path,
    *,
    database: str | None = None,
    dialect: str | None = None,
    rename: Mapping[str, str] | None = None,
    data: Table | Iterable[Mapping[str, Any]] | None = None,
    rows: Iterable[Mapping[str, Any]] | None = None,
    most: int = 1000,
    time_limit: float = 60.0,
) -> Equivalence:
    """Run emitted code and compare its answers with the model's, to the first difference.

    `against` is a Python module with predict(row) (.py), an ES module that exports it (.js, .mjs), or an SQL expression
    or statement (.sql). SQL runs in an empty database of its `dialect`, by default the one that its first line names;
    or in `database`: "duckdb:PATH", "sqlite:PATH" or "postgresql://...", where only temporary tables are made. `rename`
    is what the SQL was emitted with: names in the database by names of the model, or of the result where the model has
    none of that name. Rows are `most` boundary rows (or `rows`), then those of `data`; for SQL, rows whose text has a
    NUL or a lone surrogate are left out, since databases cannot hold it, and counted. A module may take `time_limit`
    seconds for a batch, and so may each SQL statement. The code is run: give it no file that you would not run.

    Raises:
        FileError: the file cannot be read or run, or does not come to an end.
        OptionError: it is no code of a known kind, or there is no such database.
        UnknownNameError: there is no such dialect.
        UnsupportedError: the database cannot hold the name of a column.
        MissingExtraError: the database's package is not installed.
        CellError, ColumnError: the data does not fit the model.
    """
    path, model = Path(against), _Model.of(source)
    probes = boundary_rows(model.source, most) if rows is None else [model.converted(row) for row in rows]
    cells = [] if data is None else model.rows_of(data)
    with runner_of(path, source.schema, database, dialect, rename, time_limit) as runner:
        n_rows = len(probes) + len(cells)
        if isinstance(runner, SqlRunner):
            probes, cells = list(filter(runner.holds, probes)), list(filter(runner.holds, cells))
        found = [*probes, *cells]
        batches = (found[start : start + _AT_ONCE] for start in range(0, len(found), _AT_ONCE))
        differences = filter(None, (_difference(model, runner, batch) for batch in batches))
        n_left_out = n_rows - len(found)
        return Equivalence(len(found), len(cells), runner.engine, next(differences, None), n_left_out)


def assert_equivalent(source: Tree | RuleSet, against: str | Path, **choices: Any) -> None:
    """Raise unless emitted code answers as its model does: `verify`, for tests. It takes what `verify` takes.

    Raises:
        DifferentAnswersError: it does not; an AssertionError that shows a row.
        TreeRulesError: as `verify` does.
    """
    found = verify(source, against, **choices)
    if not found:
        raise DifferentAnswersError(str(against), found)


@frozen
class _Model:
    """What the code is compared with: a tree, or rules that were edited and have none."""

    source: Tree | RuleSet
    target: Feature

    @classmethod
    def of(cls, source: Tree | RuleSet) -> "_Model":
        tree = source if isinstance(source, Tree) else source.tree
        if source.schema.target is None:
            raise OptionError("source", source, "a model with a target")
        return cls(source if tree is None else tree, source.schema.target)

    @cached_property
    def rules(self) -> RuleSet:
        """The rules of the model."""
        return compile_rules(self.source) if isinstance(self.source, Tree) else self.source

    def answer(self, row: Mapping[str, Any]) -> Any:
        """Return what the model answers."""
        if isinstance(self.source, Tree):
            return find_leaf(self.source, row).prediction.value
        return self.rule(row).value

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return what the model answers for each row."""
        tree = self.source
        if len(rows) < _MANY or not isinstance(tree, Tree) or not isinstance(tree.root, Split):
            return list(map(self.answer, rows))
        columns = [of_values(f, [f.converted(row.get(f.name)) for row in rows]) for f in tree.schema.features]
        answers: list[Any] = predict(tree, Table(columns)).tolist()
        return answers

    def rule(self, row: Mapping[str, Any]) -> Rule:
        """Return the rule that fires."""
        fired = self.rules.firing(row)
        if len(fired) != 1:
            raise NotAPartitionError(f"{counted(len(fired), 'rule')} fire where one should", row)
        return fired[0]

    def converted(self, row: Mapping[str, Any]) -> Row:
        """Return the columns of a row that the model knows, as it holds them."""
        features = [feature for feature in self.source.schema.features if feature.name in row]
        return {feature.name: feature.converted(row[feature.name]) for feature in features}

    def rows_of(self, data: Table | Iterable[Mapping[str, Any]]) -> list[Row]:
        """Return the rows of data; a table must have what the model asks for."""
        if not isinstance(data, Table):
            return list(map(self.converted, data))
        if isinstance(self.source, Tree):
            predict(self.source, data)  # which says what is wrong with the table
        return list(map(self.converted, data.rows()))


def runner_of(
    path: Path,
    schema: Schema,
    database: str | None,
    dialect: str | None,
    rename: Mapping[str, str] | None,
    time_limit: float,
) -> AbstractContextManager[Runner]:
    """Return what runs a file, by the end of its name.

    Raises:
        OptionError: it is no file of a known kind, or a choice is for other files.
    """
    suffix = path.suffix.lower()
    if suffix == ".sql":
        return sql_runner(path, schema, dialect=dialect, database=database, rename=rename, time_limit=time_limit)
    for option, value in (("database", database), ("dialect", dialect), ("rename", rename)):
        if value is not None:
            raise OptionError(option, value, "it for a file named .sql alone")
    runners = {".py": python_runner, ".js": javascript_runner, ".mjs": javascript_runner}
    if suffix not in runners:
        raise OptionError("against", str(path), "a file named .py, .js, .mjs or .sql")
    return runners[suffix](path, time_limit=time_limit)


def _difference(model: _Model, runner: Runner, rows: Sequence[Row]) -> Difference | None:
    """Return the first difference among rows, its row made small; None where there is none."""
    check = _Check(model, runner)
    place = next(check.differing(rows), None)
    if place is not None and isinstance(runner, SqlRunner) and not any(check.shows([rows[place]])):
        check = _Check(model, one_by_one(runner))  # the query gives its rows in another order
        place = next(check.differing(rows), None)
    if place is None:
        return None
    row = rows[place]
    raises = isinstance(check.answers([row])[0], RaisedError)

    def shows(some: Sequence[Mapping[str, Any]]) -> list[bool]:
        # code that fails without a key has found another difference
        return [
            not is_same(expected, answer) and isinstance(answer, RaisedError) is raises
            for expected, answer in check.pairs(some)
        ]

    if shows([row])[0]:
        asked = [name for name, _ in model.rule(row).conditions]
        row = smallest(row, asked, shows)
    expected, answer = check.pairs([row])[0]
    return Difference(row, expected, model.rule(row).number, answer, _paste(runner, row))


@frozen
class _Check:
    """A model beside what runs the code."""

    model: _Model
    runner: Runner

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Return what the code answers."""
        target, loose = self.model.target, self.runner.loose
        return [as_answer(target, answer, loose=loose) for answer in self.runner.answers(rows)]

    def pairs(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
        """Return what the model and the code answer."""
        return list(zip(self.model.answers(rows), self.answers(rows), strict=True))

    def shows(self, rows: Sequence[Mapping[str, Any]]) -> list[bool]:
        """Return which rows show a difference."""
        return [not is_same(expected, answer) for expected, answer in self.pairs(rows)]

    def differing(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[int]:
        """Yield the places of the rows that show a difference."""
        return (place for place, differs in enumerate(self.shows(rows)) if differs)


def _paste(runner: Runner, row: Row) -> str:
    if isinstance(runner, SqlRunner):
        query = runner.query(row)
        return query if len(query) <= _LONGEST else runner.literal(row)
    return javascript_call(row) if runner.loose else python_call(row)

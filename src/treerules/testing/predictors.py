"""What answers rows: a tree, rules, a Python module, a file of code, SQL on a connection, or any function."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import field, frozen

from treerules.data.schema import Schema
from treerules.errors import OptionError
from treerules.rules.compile import compile_rules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.testing.assertions import numbered_text
from treerules.testing.sql_connection import Sql, holds, runner_on
from treerules.trees.predict import find_leaf
from treerules.trees.tree import Tree
from treerules.verification.answers import RaisedError, as_answer
from treerules.verification.code_equivalence import runner_of
from treerules.verification.protocol import told
from treerules.verification.sql_runner import SqlRunner

Row = Mapping[str, Any]
Model = Tree | RuleSet | RuleList
#: A tree, rules, a module with predict(row), its path or text, SQL, or a function of a row.
Answering = Model | ModuleType | Path | str | Sql | Callable[[dict[str, Any]], Any]

#: Files of code.
_SUFFIXES = (".py", ".js", ".mjs", ".sql")


def _everything(row: Row) -> bool:
    return True


def _nothing(row: Row) -> str:
    return ""


@frozen(eq=False)
class Side:
    """What answers rows, and what it is called."""

    name: str
    answers: Callable[[Sequence[Row]], list[Any]]
    #: whether its language lacks some types of ours (see `as_answer`)
    loose: bool = False
    #: whether it can be asked for a row at all
    holds: Callable[[Row], bool] = field(default=_everything, kw_only=True)
    #: why it answers a row so
    reason: Callable[[Row], str] = field(default=_nothing, kw_only=True)

    def spoken(self, schema: Schema | None, rows: Sequence[Row]) -> list[Any]:
        """Return the answers as the target's values are spelled in Python."""
        answers = self.answers(rows)
        if schema is None or schema.target is None:
            return answers
        return [as_answer(schema.target, answer, loose=self.loose) for answer in answers]


@contextmanager
def side_of(source: Answering, schema: Schema | None, time_limit: float) -> Iterator[Side]:
    """Give what answers rows of a schema.

    Raises:
        OptionError: it is nothing that answers rows.
        FileError: the file cannot be run.
    """
    if isinstance(source, (Tree, RuleSet, RuleList)):
        yield _model_side(source)
    elif isinstance(source, Sql):
        yield _sql_side(source, _required(schema))
    elif isinstance(source, Path) or (isinstance(source, str) and source.endswith(_SUFFIXES) and "\n" not in source):
        with runner_of(Path(source), _required(schema), None, None, None, time_limit) as runner:
            able = runner.holds if isinstance(runner, SqlRunner) else _everything
            yield Side(f"{source} on {runner.engine}", runner.answers, runner.loose, holds=able)
    else:
        yield _python_side(source)


def _required(schema: Schema | None) -> Schema:
    if schema is None:
        raise OptionError("schema", None, "a tree or rules on one side, or the schema of the rows")
    return schema


def _sql_side(source: Sql, schema: Schema) -> Side:
    runner = runner_on(source, schema)

    def able(row: Row) -> bool:
        return holds(runner, row)

    return Side(f"the SQL on {source.engine}", runner.answers, True, holds=able)


def _python_side(source: Any) -> Side:
    """Return a module's function, that of a module's text, or any function."""
    if isinstance(source, str):
        module = ModuleType("emitted")
        exec(_code(source), module.__dict__)
        return _python_side(module)
    if isinstance(source, ModuleType):
        if not callable(getattr(source, "predict", None)):
            raise OptionError("module", source.__name__, "a module with predict(row)")
        return Side(f"the module {source.__name__}", _asking(source.predict))
    if not callable(source):
        raise OptionError(
            "a side", source, "a tree, rules, a module, its path or text, Sql(...), or a function of a row"
        )
    return Side(getattr(source, "__name__", type(source).__name__), _asking(source))


def _code(text: str) -> Any:
    try:
        ast.parse(text)
    except SyntaxError:
        wanted = "the text of a Python module, as emitted; SQL goes with its connection: Sql(text, connection)"
        raise OptionError("a side", text[:80], wanted) from None
    return compile(text, "emitted.py", "exec")


def _asking(predict: Callable[[dict[str, Any]], Any]) -> Callable[[Sequence[Row]], list[Any]]:
    def answer(row: Row) -> Any:
        try:
            return _plain(predict(dict(row)))
        except Exception as error:
            return RaisedError(f"raised {told(error)}")

    return lambda rows: [answer(row) for row in rows]


def _plain(value: Any) -> Any:
    return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value


# ---- trees and rules


def _model_side(source: Model) -> Side:
    tree = source if isinstance(source, Tree) else getattr(source, "tree", None)
    rules = compile_rules(source) if isinstance(source, Tree) else source
    if source.schema.target is None:
        raise OptionError("a side", source, "rules whose schema has a target")

    def answer(row: Row) -> Any:
        return _said(rules, rules.firing(row)) if tree is None else find_leaf(tree, row).prediction.value

    def reason(row: Row) -> str:
        fired = rules.firing(row)
        return "; ".join(numbered_text(rules, rule) for rule in fired[:2]) or "no rule fires"

    kind = {Tree: "the tree", RuleSet: "the rule set", RuleList: "the rule list"}[type(source)]
    return Side(kind, lambda rows: list(map(answer, rows)), reason=reason)


def _said(rules: RuleSet | RuleList, fired: Sequence[Rule]) -> Any:
    """Return what rules say that fire together: the first decides a list; None where none fires, as SQL has NULL."""
    if not fired:
        return None
    other = next((rule for rule in fired if rule.value != fired[0].value), None)
    if isinstance(rules, RuleSet) and other is not None:
        return RaisedError(f"contradicts itself: rules {fired[0].number} and {other.number} fire")
    return fired[0].value

"""Predictors: whatever answers rows, behind one record. Models and Python functions stand here, the others beside it.

Tree, RuleSet, RuleList, Ensemble  runs in this process
module, its text, a function       runs in this process
a file of Python or JavaScript     in a process of its own          process_runner.py
a file of SQL, or `Sql`            on a database                    sql_runner.py
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from attrs import frozen

from treerules.data.cell_reading import AS_USUAL
from treerules.data.column import of_values
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import CellError, NotAPartitionError, OptionError, counted
from treerules.rendering.headings import LANGS, TranslatedText, heading, translated_text
from treerules.rules.compile import compile_rules
from treerules.rules.phrasing import phrasing_for
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.wording import rule_texts
from treerules.trees.ensemble import Ensemble
from treerules.trees.leaf_of_row import find_leaf
from treerules.trees.nodes import Split
from treerules.trees.predict import predict
from treerules.trees.tree import Tree
from treerules.verification.answers import RaisedError, as_answer
from treerules.verification.minimise import python_call
from treerules.verification.protocol import column_answers, error_line, takes_columns

Row = Mapping[str, Any]
Rows = Sequence[Row]
Model = Tree | RuleSet | RuleList | Ensemble
#: The units in the last place by which means may differ that are the exp of a margin.
_EXP_ULPS = 4

#: From this number of rows on a tree predicts them by columns.
_MANY_ROWS = 100


def _every_row(row: Row) -> bool:
    return True


@frozen(eq=False)
class Predictor:
    """Something that answers rows."""

    #: how messages call it
    name: str
    #: returns an answer for each row, or `RaisedError`
    answers: Callable[[Rows], list[Any]]
    #: what runs it, with its version; "" where it runs in this process
    engine: str = ""
    #: whether its language lacks some types of ours (see `as_answer`)
    loose: bool = False
    #: whether answers surely come in the order of the rows
    keeps_order: bool = True
    #: whether it can predict rows at all
    accepts: Callable[[Row], bool] = _every_row
    #: a row as a call or a query to paste
    call: Callable[[Row], str] = python_call
    #: the rules of a model that fire for a row; None where it has no rules
    fired: Callable[[Row], Sequence[Rule]] | None = None
    #: the schema of a model
    schema: Schema | None = None
    #: the units in the last place by which a number may differ from that of another predictor
    ulps: int = 0
    #: the rows of the table on which it is compared, and what is to be said of its columns; None for rows of others
    rows: Sequence[dict[str, Any]] | None = None
    notes: tuple[str, ...] = ()

    def python_answers(self, schema: Schema | None, rows: Rows) -> list[Any]:
        """Return the answers as values of the schema's target in Python."""
        answers = self.answers(rows)
        if schema is None or schema.target is None:
            return answers
        return [as_answer(schema.predicted, answer, loose=self.loose) for answer in answers]

    def reason(self, row: Row) -> str:
        """Return the rules that fire for a row, in words; "" where it has no rules."""
        if self.fired is None or self.schema is None:
            return ""
        rules, schema = self.fired(row)[:2], self.schema
        if not rules:
            return translated_text("no rule fires")
        return TranslatedText({lang: "; ".join(_rule_in_words(schema, rule, lang) for rule in rules) for lang in LANGS})


def _rule_in_words(schema: Schema, rule: Rule, lang: str) -> str:
    text = rule_texts(schema, [rule], phrasing=phrasing_for(None, lang, exact=True))[0]
    return f"{heading('rule {number}', lang, number=rule.number)}: {text}"


# ---- trees and rules


def model_predictor(argument: str, model: Model, *, is_partition: bool) -> Predictor:
    """Return the predictor of a tree or rules.

    A rule set in which several rules fire for a row and disagree has no answer (`RaisedError`); where no rule fires the
    answer is None, as SQL has NULL. With `is_partition` both are errors.

    Raises:
        OptionError: the model's schema has no target.
    """
    if model.schema.target is None:
        raise OptionError(argument, model, "a model whose schema has a target")
    if isinstance(model, Ensemble):
        return _ensemble_predictor(model)
    tree = model if isinstance(model, Tree) else getattr(model, "tree", None)
    rules = compile_rules(model) if isinstance(model, Tree) else model
    kind = {Tree: "the tree", RuleSet: "the rule set", RuleList: "the rule list"}[type(model)]

    def answer(row: Row) -> Any:
        return find_leaf(tree, row).prediction.value if tree is not None else _value(rules, row, is_partition)

    def answers(rows: Rows) -> list[Any]:
        if len(rows) < _MANY_ROWS or tree is None or not isinstance(tree.root, Split):
            return list(map(answer, rows))
        try:
            table = _table_of(tree.schema, rows)
        except CellError:  # such as a decimal in a column of integers, which a row may hold
            return list(map(answer, rows))
        values: list[Any] = predict(tree, table).tolist()
        return values

    return Predictor(kind, answers, fired=rules.firing, schema=model.schema)


def _ensemble_predictor(ensemble: Ensemble) -> Predictor:
    """Return the predictor of an ensemble. The exp of a margin has other last bits on some platforms and engines."""

    def answers(rows: Rows) -> list[Any]:
        try:
            table = _table_of(ensemble.schema, rows)
        except CellError:  # such as a decimal in a column of integers, which a row may hold
            return [predict(ensemble, row) for row in rows]
        values: list[Any] = predict(ensemble, table).tolist()
        return values

    ulps = _EXP_ULPS if ensemble.link == "exp" else 0
    return Predictor("the ensemble", answers, schema=ensemble.schema, ulps=ulps)


def _table_of(schema: Schema, rows: Rows) -> Table:
    """Return rows as a table of the features of a schema.

    Raises:
        CellError: a value is not of its feature's kind.
    """
    columns = [of_values(feature, _cells(feature, rows)) for feature in schema.features]
    return Table(columns or [of_values(Feature("none", Kind.NUMBER), [None for _ in rows])])


def _cells(feature: Feature, rows: Rows) -> list[Any]:
    values = [feature.convert(row.get(feature.name)) for row in rows]
    if feature.reading == AS_USUAL:
        return values
    return [feature.reading.cell(value, feature.scalar, feature.form) for value in values]


def _value(rules: RuleSet | RuleList, row: Row, is_partition: bool) -> Any:
    """Return what the rules that fire for a row predict; the first decides a list."""
    fired = rules.firing(row)
    if is_partition and len(fired) != 1:
        raise NotAPartitionError(f"{counted(len(fired), 'rule')} fire where one should", row)
    if not fired:
        return None
    other = next((rule for rule in fired if rule.value != fired[0].value), None)
    if isinstance(rules, RuleSet) and other is not None:
        return RaisedError(f"contradicts itself: rules {fired[0].number} and {other.number} fire")
    return fired[0].value


# ---- Python in this process


def python_predictor(argument: str, source: Any) -> Predictor:
    """Return the predictor of a module with predict(row), of the text of one, or of a function of a row.

    Raises:
        OptionError: it is none of these.
    """
    if isinstance(source, str):
        module = ModuleType("emitted")
        exec(_compiled(argument, source), module.__dict__)
        source = module
    if isinstance(source, ModuleType):
        if not callable(getattr(source, "predict", None)):
            raise OptionError(argument, source.__name__, "a module with predict(row)")
        answers = _column_answers_of(source) if takes_columns(source) else _answers_of(source.predict)
        return Predictor(f"the module {source.__name__}", answers)
    if not callable(source):
        wanted = "a tree, rules, a module, its path or text, Sql(...), or a function of a row"
        raise OptionError(argument, source, wanted)
    return Predictor(getattr(source, "__name__", type(source).__name__), _answers_of(source))


def _compiled(argument: str, text: str) -> Any:
    try:
        ast.parse(text)
    except SyntaxError:
        sql = "SQL goes by the path of a file named .sql, or as treerules.testing.Sql(text, connection)"
        wanted = f"the text of a Python module, as emitted; {sql}"
        raise OptionError(argument, text[:80], wanted) from None
    return compile(text, "emitted.py", "exec")


def _raised(error: BaseException) -> RaisedError:
    return RaisedError(f"raised {error_line(error)}")


def _column_answers_of(module: ModuleType) -> Callable[[Rows], list[Any]]:
    """Return what answers rows by a vectorised module."""
    return lambda rows: column_answers(module, rows, _same_value, _raised) if rows else []


def _same_value(value: Any) -> Any:
    return value


def _answers_of(predict: Callable[[dict[str, Any]], Any]) -> Callable[[Rows], list[Any]]:
    def answer(row: Row) -> Any:
        try:
            value = predict(dict(row))
        except Exception as error:
            return _raised(error)
        return value.item() if type(value).__module__ == "numpy" and hasattr(value, "item") else value

    return lambda rows: list(map(answer, rows))

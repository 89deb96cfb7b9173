"""Comparison of two predictors on the same rows: the first row with different predictions, minimised."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from treerules.data.schema import Schema
from treerules.rules.rule import Rule
from treerules.verification.answers import RaisedError, is_alike
from treerules.verification.equivalence import Difference, Equivalence
from treerules.verification.minimise import minimise_row
from treerules.verification.predictors import Predictor, Row, Rows

#: The number of rows that are predicted at once.
_ROWS_PER_BATCH = 100_000


@frozen
class PredictorPair:
    """Two predictors, compared row by row."""

    first: Predictor
    second: Predictor
    #: the schema of the rows: answers are compared as values of its target; None compares them as they are
    schema: Schema | None
    #: whether a row is minimised before it is shown
    shrinks: bool

    def equivalence(self, rows: Sequence[dict[str, Any]], data: Sequence[dict[str, Any]]) -> Equivalence:
        """Return the result of comparing `rows`, then the rows of `data`, up to the first difference.

        Rows that one of the predictors cannot hold are left out, and counted.
        """
        accepted_rows = [row for row in rows if self._accepts(row)]
        accepted_data = [row for row in data if self._accepts(row)]
        compared = [*accepted_rows, *accepted_data]
        starts = range(0, len(compared), _ROWS_PER_BATCH)
        differences = (self.difference(compared[start : start + _ROWS_PER_BATCH]) for start in starts)
        difference = next(filter(None, differences), None)
        engine = self.second.engine or self.first.engine
        n_left_out = len(rows) + len(data) - len(compared)
        return Equivalence(len(compared), len(accepted_data), engine, difference, n_left_out)

    def _accepts(self, row: Row) -> bool:
        return self.first.accepts(row) and self.second.accepts(row)

    def difference(self, rows: Sequence[dict[str, Any]]) -> Difference | None:
        """Return the first difference among rows, with its row minimised; None where there is none."""
        row = next((row for row, differs in zip(rows, self._differ(rows), strict=True) if differs), None)
        if row is None:
            return None
        if not self._keeps_order and not self._differ([row])[0]:
            # the answers came in another order than the rows, so compare each row by itself
            return self._one_by_one().difference(rows)
        return self._difference_at(self._minimal_row(row) if self.shrinks else row)

    @property
    def _keeps_order(self) -> bool:
        return self.first.keeps_order and self.second.keeps_order

    def _one_by_one(self) -> "PredictorPair":
        """Return the same two predictors, made to predict each row in a call of its own."""
        return evolve(self, first=one_by_one(self.first), second=one_by_one(self.second))

    def _answers(self, rows: Rows) -> list[tuple[Any, Any]]:
        """Return, for each row, the answers of the first and of the second predictor."""
        first, second = (predictor.python_answers(self.schema, rows) for predictor in (self.first, self.second))
        return list(zip(first, second, strict=True))

    def _differ(self, rows: Rows) -> list[bool]:
        """Return, for each row, whether its two answers differ."""
        return [not is_alike(*answers, self._ulps) for answers in self._answers(rows)] if rows else []

    @property
    def _ulps(self) -> int:
        """The units in the last place by which numbers may differ."""
        return max(self.first.ulps, self.second.ulps)

    def _minimal_row(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without the values that its difference does not need.

        A smaller row has the same difference only where the same predictors raise: code that raises because it misses
        a key fails for another reason.
        """
        raising = _raising(self._answers([row])[0])

        def have_same_difference(rows: Rows) -> list[bool]:
            return [
                not is_alike(*answers, self._ulps) and _raising(answers) == raising for answers in self._answers(rows)
            ]

        if not have_same_difference([row])[0]:  # the code answers the same row differently each time
            return row
        rule = self._first_rule(row)
        names_to_keep = list(row) if rule is None else [name for name, _ in rule.conditions]
        return minimise_row(row, names_to_keep, have_same_difference)

    def _first_rule(self, row: Row) -> Rule | None:
        """Return the first rule of the model that fires for a row; None if none does, or no predictor has rules."""
        fired_rules = self.first.fired or self.second.fired
        return None if fired_rules is None else next(iter(fired_rules(row)), None)

    def _difference_at(self, row: dict[str, Any]) -> Difference:
        """Return the difference of a row, with the rule by which the model answers and a call of the code."""
        expected, answer = self._answers([row])[0]
        rule = self._first_rule(row)
        code = self.first if self.second.fired is not None else self.second  # a model has rules, code has none
        return Difference(
            row,
            expected,
            None if rule is None else rule.number,
            answer,
            code.call(row),
            (self.first.name, self.second.name),
            (self.first.reason(row), self.second.reason(row)),
        )


def _raising(answers: tuple[Any, Any]) -> list[bool]:
    """Return, for each of the two predictors, whether it raises instead of answering."""
    return [isinstance(answer, RaisedError) for answer in answers]


def one_by_one(predictor: Predictor) -> Predictor:
    """Return a predictor that predicts each row in a call of its own, so that answers come in the order of the rows."""

    def answers(rows: Rows) -> list[Any]:
        return [predictor.answers([row])[0] for row in rows]

    return evolve(predictor, answers=answers, keeps_order=True)

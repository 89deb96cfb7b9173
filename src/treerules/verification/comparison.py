"""Comparison of two predictors on the same rows: the first row with different predictions, minimised."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from treerules.data.schema import Schema
from treerules.verification.answers import RaisedError, is_alike
from treerules.verification.equivalence import Difference, Equivalence
from treerules.verification.minimise import minimise_row
from treerules.verification.predictors import Predictor, Row, Rows

#: The number of rows that are predicted at once.
_MOST_AT_ONCE = 100_000


@frozen
class PredictorPair:
    """Two predictors, compared row by row."""

    first: Predictor
    second: Predictor
    #: that of the rows, whose target's type the answers have
    schema: Schema | None
    #: whether a row is minimised before it is shown
    shrinks: bool

    def equivalence(self, rows: Sequence[dict[str, Any]], data: Sequence[dict[str, Any]]) -> Equivalence:
        """Compare rows, then those of the data, to the first difference."""
        accepted, accepted_data = ([row for row in some if self._accepts(row)] for some in (rows, data))
        compared = [*accepted, *accepted_data]
        starts = range(0, len(compared), _MOST_AT_ONCE)
        differences = (self.difference(compared[start : start + _MOST_AT_ONCE]) for start in starts)
        difference = next(filter(None, differences), None)
        engine = self.second.engine or self.first.engine
        n_left_out = len(rows) + len(data) - len(compared)
        return Equivalence(len(compared), len(accepted_data), engine, difference, n_left_out)

    def _accepts(self, row: Row) -> bool:
        return self.first.accepts(row) and self.second.accepts(row)

    def difference(self, rows: Sequence[dict[str, Any]]) -> Difference | None:
        """Return the first difference among rows, with its row minimised; None where there is none."""
        position = self._first_difference(rows)
        if position is None:
            return None
        if not (self._keeps_order or self._differ([rows[position]])[0]):
            return self._one_by_one().difference(rows)
        return self._shown(self._smallest(rows[position]) if self.shrinks else rows[position])

    @property
    def _keeps_order(self) -> bool:
        return self.first.keeps_order and self.second.keeps_order

    def _one_by_one(self) -> "PredictorPair":
        """Return the comparison that predicts each row alone: a query may give its rows in another order."""
        return evolve(self, first=one_by_one(self.first), second=one_by_one(self.second))

    def _pairs(self, rows: Rows) -> list[tuple[Any, Any]]:
        """Return what the two answer."""
        first, second = (predictor.python_answers(self.schema, rows) for predictor in (self.first, self.second))
        return list(zip(first, second, strict=True))

    def _differ(self, rows: Rows) -> list[bool]:
        """Return which rows are answered differently."""
        return [not is_alike(expected, answer) for expected, answer in self._pairs(rows)] if rows else []

    def _first_difference(self, rows: Rows) -> int | None:
        return next((position for position, differs in enumerate(self._differ(rows)) if differs), None)

    def _smallest(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the row without the values that the difference does not need."""
        raises = _raises(self._pairs([row])[0])

        def differ(rows: Rows) -> list[bool]:
            # code that fails without a key has another difference
            return [not is_alike(*pair) and _raises(pair) == raises for pair in self._pairs(rows)]

        if not differ([row])[0]:  # code that does not answer a row the same each time
            return row
        rule = next(iter(self._fired(row)), None)
        names = list(row) if rule is None else [name for name, _ in rule.conditions]
        return minimise_row(row, names, differ)

    def _fired(self, row: Row) -> Sequence[Any]:
        """Return the rules of a model that fire for a row."""
        fired = self.first.fired or self.second.fired
        return () if fired is None else fired(row)

    def _shown(self, row: dict[str, Any]) -> Difference:
        expected, answer = self._pairs([row])[0]
        rule = next(iter(self._fired(row)), None)
        code = self.first if self.second.fired is not None else self.second
        return Difference(
            row,
            expected,
            None if rule is None else rule.number,
            answer,
            code.call(row),
            (self.first.name, self.second.name),
            (self.first.reason(row), self.second.reason(row)),
        )


def _raises(answers: tuple[Any, Any]) -> list[bool]:
    return [isinstance(answer, RaisedError) for answer in answers]


def one_by_one(predictor: Predictor) -> Predictor:
    """Return a predictor that predicts each row alone."""

    def answers(rows: Rows) -> list[Any]:
        return [predictor.answers([row])[0] for row in rows]

    return evolve(predictor, answers=answers, keeps_order=True)

"""SQL's three truth values as boxes of rows: where a condition is true, false, or neither.

    TRUE(a AND b)      = TRUE(a) and TRUE(b)         NOT TRUE(a AND b)  = NOT TRUE(a) or NOT TRUE(b)
    FALSE(a AND b)     = FALSE(a) or FALSE(b)        TRUE(NOT a)        = FALSE(a)
    TRUE(a IS FALSE)   = FALSE(a)                    FALSE(a IS FALSE)  = NOT FALSE(a)

So every question is put to single columns, where "not true" is one set of values: no complement of boxes is needed.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import frozen

from treerules.formats.sql.predicate_terms import Constant, Every, Is, Negated, NotReadError, Question, Term
from treerules.formats.sql.value_sets import Box, Cells, merged, met

#: What of a condition is asked for.
Wanted = Literal["true", "false", "not true", "not false"]

#: More conjunctions than these are made of no condition.
MOST_BOXES = 1_000

#: The column of a question, where it is true and where it is false.
Meaning = Callable[[Question], tuple[str, Cells, Cells]]

_NEGATED: dict[Wanted, Wanted] = {
    "true": "false", "false": "true", "not true": "not false", "not false": "not true",
}  # fmt: skip
#: What is wanted of a, where a IS TRUE, IS FALSE shall be so; "not true" is then the same as "false".
_IS: dict[bool, dict[Wanted, Wanted]] = {
    True: {"true": "true", "false": "not true", "not true": "not true", "not false": "true"},
    False: {"true": "false", "false": "not false", "not true": "not false", "not false": "false"},
}
_EVERYTHING: Box = {}


@frozen
class Logic:
    """Turns conditions into boxes, given what single questions mean."""

    meaning: Meaning
    most: int = MOST_BOXES

    def boxes(self, term: Term, wanted: Wanted = "true") -> list[Box]:
        """Return boxes that together are the rows where a condition is as wanted.

        Raises:
            NotReadError: they would be too many, or a question means nothing.
        """
        if isinstance(term, Question):
            return self._asked(term, wanted)
        if isinstance(term, Constant):
            holds = {"true": term.truth is True, "false": term.truth is False}
            holds |= {"not true": term.truth is not True, "not false": term.truth is not False}
            return [_EVERYTHING] if holds[wanted] else []
        if isinstance(term, Negated):
            return self.boxes(term.part, _NEGATED[wanted])
        if isinstance(term, Is):
            return self._is(term, wanted)
        found = [self.boxes(part, wanted) for part in term.parts]
        is_and = isinstance(term, Every) is (wanted in ("true", "not false"))
        return self.every(found) if is_and else self._some(found)

    def _is(self, term: Is, wanted: Wanted) -> list[Box]:
        if term.truth is not None:
            return self.boxes(term.part, _IS[term.truth][wanted])
        if wanted in ("true", "not false"):
            return self.every([self.boxes(term.part, "not true"), self.boxes(term.part, "not false")])
        return self._some([self.boxes(term.part, "true"), self.boxes(term.part, "false")])

    def _asked(self, question: Question, wanted: Wanted) -> list[Box]:
        name, true, false = self.meaning(question)
        cells = {"true": true, "false": false}.get(wanted) or (true if wanted == "not true" else false).flipped()
        return [] if cells.is_none else [_EVERYTHING if cells.is_all else {name: cells}]

    def _some(self, parts: Sequence[list[Box]]) -> list[Box]:
        return self._few(merged([box for boxes in parts for box in boxes]))

    def every(self, parts: Sequence[list[Box]]) -> list[Box]:
        """Return what all parts take; those of one box first, so that little is multiplied."""
        found: list[Box] = [_EVERYTHING]
        for boxes in sorted(parts, key=len):
            if len(found) * len(boxes) > 100 * self.most:
                raise self._too_many()
            both = [met(one, other) for one in found for other in boxes]
            found = [box for box in both if box is not None]
            found = self._few(merged(found)) if len(boxes) > 1 else found
        return found

    def _few(self, boxes: list[Box]) -> list[Box]:
        if len(boxes) > self.most:
            raise self._too_many()
        return boxes

    def _too_many(self) -> NotReadError:
        return NotReadError(f"its ORs make more than {self.most} conjunctions")

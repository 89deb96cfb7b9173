"""SQL's three truth values as conjunctions: the rows for which a condition is true, false, or neither.

    TRUE(a AND b)      = TRUE(a) and TRUE(b)         NOT TRUE(a AND b)  = NOT TRUE(a) or NOT TRUE(b)
    FALSE(a AND b)     = FALSE(a) or FALSE(b)        TRUE(NOT a)        = FALSE(a)
    TRUE(a IS FALSE)   = FALSE(a)                    FALSE(a IS FALSE)  = NOT FALSE(a)

So only single columns are complemented, where "not true" is the complement of a set of values; no conjunction is.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import frozen

from treerules.data.value_set import ValueSet
from treerules.formats.sql.conjunctions import Conjunction, intersect, intersect_all, merge_conjunctions
from treerules.formats.sql.predicate_terms import (
    And,
    ColumnQuestion,
    Constant,
    Not,
    NotReadError,
    PrefixQuestion,
    Term,
    TruthTest,
)

#: A truth value of a condition; the rows that have it are computed.
Wanted = Literal["true", "false", "not true", "not false"]

#: A condition that needs more conjunctions is not read.
MOST_CONJUNCTIONS = 1_000

#: Returns the column of a question, the values for which it is true, and those for which it is false.
Meaning = Callable[[ColumnQuestion], tuple[str, ValueSet, ValueSet]]

_NEGATED: dict[Wanted, Wanted] = {
    "true": "false", "false": "true", "not true": "not false", "not false": "not true",
}  # fmt: skip
#: The truth value of `a` for which `a IS TRUE` and `a IS FALSE` are true. These are never unknown, so "not true" is
#: "false".
_IS: dict[bool, dict[Wanted, Wanted]] = {
    True: {"true": "true", "false": "not true", "not true": "not true", "not false": "true"},
    False: {"true": "false", "false": "not false", "not true": "not false", "not false": "false"},
}
_EVERY_ROW: Conjunction = {}


@frozen
class Logic:
    """The reading of conditions as disjunctions of conjunctions.

    Args:
        meaning: returns the values of a column for which a comparison is true, and those for which it is false.
        most: the greatest number of conjunctions of a condition.
    """

    meaning: Meaning
    most: int = MOST_CONJUNCTIONS

    def conjunctions(self, term: Term, wanted: Wanted = "true") -> list[Conjunction]:
        """Return the conjunctions whose union is the rows for which a condition has the wanted truth value.

        Raises:
            NotReadError: there would be too many conjunctions, or a comparison does not fit its column.
        """
        if isinstance(term, PrefixQuestion):
            return self.conjunctions(term.instead, wanted)
        if isinstance(term, ColumnQuestion):
            return self._of_question(term, wanted)
        if isinstance(term, Constant):
            holds = {"true": term.truth is True, "false": term.truth is False}
            holds |= {"not true": term.truth is not True, "not false": term.truth is not False}
            return [_EVERY_ROW] if holds[wanted] else []
        if isinstance(term, Not):
            return self.conjunctions(term.part, _NEGATED[wanted])
        if isinstance(term, TruthTest):
            return self._of_is(term, wanted)
        parts = [self.conjunctions(part, wanted) for part in term.parts]
        is_and = isinstance(term, And) is (wanted in ("true", "not false"))
        return self.intersection(parts) if is_and else self._union(parts)

    def _of_is(self, term: TruthTest, wanted: Wanted) -> list[Conjunction]:
        if term.truth is not None:
            return self.conjunctions(term.part, _IS[term.truth][wanted])
        if wanted in ("true", "not false"):
            return self.intersection(
                [self.conjunctions(term.part, "not true"), self.conjunctions(term.part, "not false")]
            )
        return self._union([self.conjunctions(term.part, "true"), self.conjunctions(term.part, "false")])

    def _of_question(self, question: ColumnQuestion, wanted: Wanted) -> list[Conjunction]:
        name, true, false = self.meaning(question)
        values = {"true": true, "false": false}.get(wanted) or ~(true if wanted == "not true" else false)
        return [] if values.is_empty else [_EVERY_ROW if values.is_everything else {name: values}]

    def _union(self, parts: Sequence[list[Conjunction]]) -> list[Conjunction]:
        return self._few(merge_conjunctions([conjunction for part in parts for conjunction in part]))

    def intersection(self, parts: Sequence[list[Conjunction]]) -> list[Conjunction]:
        """Return the conjunctions of the intersection of all parts.

        Parts of few conjunctions come first, so that the products stay small.
        """
        product = intersect_all([part[0] for part in parts if len(part) == 1])
        for part in sorted((part for part in parts if len(part) != 1), key=len):
            if len(product) * len(part) > 100 * self.most:
                raise self._too_many()
            pairs = [intersect(one, other) for one in product for other in part]
            product = [conjunction for conjunction in pairs if conjunction is not None]
            product = self._few(merge_conjunctions(product)) if len(part) > 1 else product
        return product

    def _few(self, conjunctions: list[Conjunction]) -> list[Conjunction]:
        if len(conjunctions) > self.most:
            raise self._too_many()
        return conjunctions

    def _too_many(self) -> NotReadError:
        return NotReadError(f"its ORs make more than {self.most} conjunctions")

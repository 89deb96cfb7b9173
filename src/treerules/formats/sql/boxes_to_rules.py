"""Boxes of sets as the conditions of rules: a set of several spans makes several rules."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.formats.sql.value_sets import Box, Cells, Line
from treerules.rules.rule import Condition, Members

#: A condition of more rules is not read.
MOST_RULES = 25_000


def conditions_of(boxes: Sequence[Box], schema: Schema) -> Iterator[tuple[tuple[str, Condition], ...]]:
    """Yield the conditions of each rule that boxes are, columns in the order of the schema."""
    for box in boxes:
        columns = sorted(box, key=schema.index)
        choices = [_conditions(schema.feature(name), box[name]) for name in columns]
        for chosen in product(*choices):
            yield tuple(zip(columns, chosen, strict=True))


def require_few(boxes: Sequence[Box]) -> None:
    """Raise where boxes would be too many rules.

    Raises:
        NotReadError: they are more than MOST_RULES.
    """
    n = sum(prod(len(c.known.spans()) or 1 for c in box.values() if isinstance(c.known, Line)) for box in boxes)
    if n > MOST_RULES:
        raise NotReadError(f"it is {n} rules of one interval a column, and {MOST_RULES} are taken")


def never_met(schema: Schema) -> tuple[tuple[str, Condition], ...] | None:
    """Return conditions that no row meets; None where there is no column to ask."""
    return ((schema.features[0].name, Condition(None)),) if schema.features else None


def _conditions(feature: Feature, cells: Cells) -> list[Condition]:
    """Return the conditions whose union a set is; the first takes the missing values."""
    known = cells.known
    if isinstance(known, Line):
        # above the greatest number there is only NaN, which the rules do not know
        spans = [Interval(*span) for span in known.spans() if span[0] is None or span[0] != feature.highest]
        if not spans:
            return [Condition(None, cells.missing)] if cells.missing else []
        return [Condition(span, cells.missing and place == 0) for place, span in enumerate(spans)]
    if known.others:
        taken = [value for value in feature.categories if value not in known.named]
    else:
        taken = sorted(known.named, key=feature.positions.__getitem__)
    unseen = known.others and feature.is_open
    if not taken and not unseen:
        return [Condition(None, cells.missing)] if cells.missing else []
    return [Condition(Members(taken), cells.missing, unseen)]

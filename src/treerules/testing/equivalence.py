"""Do two things answer alike? Trees and rules are proved to; others are asked for rows where answers may change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from attrs import frozen

from treerules.data.domain import ColumnDomain, Domain, domain_of, require_domain, unseen_value
from treerules.data.schema import Feature, Schema
from treerules.data.table import Table
from treerules.errors import NotAPartitionError, OptionError, TreeRulesError
from treerules.proof.diff import diff
from treerules.rules.boundary_rows import boundary_rows
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.testing.predictors import Answering, Model, Side, side_of
from treerules.trees.tree import Tree
from treerules.verification.answers import RaisedError, is_same
from treerules.verification.minimise import python_row, smallest

Row = dict[str, Any]


@frozen
class AnswersDifferError(TreeRulesError, AssertionError):
    """Two things that were to answer alike do not, shown by a row."""

    row: Row
    first: Any
    second: Any
    #: who answers
    names: tuple[str, str]
    #: why, as far as it is known
    reasons: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        answers = zip(self.names, (self.first, self.second), self.reasons, strict=True)
        lines = [f"    {name} {_told(answer)}{f' ({why})' if why else ''}" for name, answer, why in answers]
        return "\n".join(["they answer differently", f"    row = {python_row(self.row)}", *lines])


def _told(answer: Any) -> str:
    return str(answer) if isinstance(answer, RaisedError) else f"answers {answer!r}"


def assert_equivalent(
    a: Answering,
    b: Answering,
    *,
    rows: Table | Iterable[Mapping[str, Any]] | None = None,
    domain: Domain | None = None,
    schema: Schema | None = None,
    most: int = 1000,
    time_limit: float = 60.0,
) -> None:
    """Raise unless two things answer every row alike: the same value of the same type.

    Each is a tree, a rule set or a rule list; a Python module with predict(row), imported, as a path or as the text
    that `to_python` gives; a path of JavaScript or SQL, run as `treerules.verify` does; `Sql(text, connection)`; or any
    function of a row. A rule set whose rules contradict each other for a row has no answer for it; where no rule fires
    the answer is None, as SQL has NULL.

    Trees and rules over the same columns are compared as a whole, over the `domain`: that they are equal is proved.
    Everything else is asked for `rows`, by default `most` boundary rows of each model, with values moved into the
    domain. Without a model on either side give `rows`, and for a file or SQL their `schema`. Rows that a database
    cannot hold are left out.

    >>> from treerules import Table, learn, to_python
    >>> tree = learn(Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}), target="y")
    >>> assert_equivalent(tree, to_python(tree))
    >>> assert_equivalent(tree, lambda row: "a")
    Traceback (most recent call last):
    treerules.testing.equivalence.AnswersDifferError: they answer differently
        row = {'x': 3}
        the tree answers 'b' (rule 2: IF x > 2 THEN y = b)
        <lambda> answers 'a'

    Raises:
        AnswersDifferError: some row is answered differently; an AssertionError that shows it.
        OptionError: a side is nothing that answers rows, or there are no rows to ask for.
        FileError, DataError: a file or a database refuses.
    """
    models = [source for source in (a, b) if isinstance(source, (Tree, RuleSet, RuleList))]
    known = schema if schema is not None or not models else models[0].schema
    if known is not None:
        require_domain(known, domain)
    asked = list(_rows_asked(models, rows, known, domain, most))
    with ExitStack() as stack:
        sides = [stack.enter_context(side_of(source, known, time_limit)) for source in (a, b)]
        held = [row for row in asked if all(side.holds(row) for side in sides)]
        row = _differing(sides, known, held, is_small=rows is not None or bool(domain))
        if row is not None:
            first, second = _answers(sides, known, [row])[0]
            names, reasons = [side.name for side in sides], [side.reason(row) for side in sides]
            raise AnswersDifferError(row, first, second, (names[0], names[1]), (reasons[0], reasons[1]))


def _rows_asked(
    models: Sequence[Model],
    rows: Table | Iterable[Mapping[str, Any]] | None,
    schema: Schema | None,
    domain: Domain | None,
    most: int,
) -> Iterator[Row]:
    """Yield the rows to ask for: those given; else witnesses of a proof, and boundary rows."""
    if rows is not None:
        yield from map(dict, rows.rows() if isinstance(rows, Table) else rows)
        return
    if not models or schema is None:
        raise OptionError("rows", None, "rows to ask for, or a tree or rules on one side, whose boundaries are asked")
    if len(models) == 2:
        is_proved, witness = compared(models[0], models[1], domain)
        yield from () if witness is None else (witness,)
        if is_proved:
            return
    for model in models:
        yield from rows_within(boundary_rows(model, most), schema, domain)


def rows_within(rows: Iterable[Mapping[str, Any]], schema: Schema, domain: Domain | None) -> Iterator[Row]:
    """Yield rows with each value moved into the domain; none where some column can hold nothing.

    They have each key, since a function may look up what it needs.
    """
    limits = {feature.name: domain_of(feature, domain) for feature in schema.features}
    if all(f.is_ordered or f.categories or limits[f.name].missing or limits[f.name].unseen for f in schema.features):
        for row in rows:
            yield {f.name: _within(f, row.get(f.name), limits[f.name]) for f in schema.features}


def _within(feature: Feature, value: Any, declared: ColumnDomain) -> Any:
    """Return a value, or the one nearest to it in the domain."""
    held = feature.converted(value)
    if held is None and declared.missing:
        return value
    if feature.is_ordered:
        return declared.lowest if held is None else min(max(held, declared.lowest), declared.highest)
    is_known = held is not None and feature.position(held) is not None
    if is_known or (held is not None and declared.unseen):
        return held
    return feature.categories[0] if feature.categories else unseen_value(feature) if declared.unseen else None


def compared(a: Model, b: Model, domain: Domain | None) -> tuple[bool, Row | None]:
    """Return whether it is proved that two models are equal or that they are not, and then a row that shows it."""
    try:
        found = diff(a, b, domain=domain, limit=1)
    except NotAPartitionError:  # rules contradict each other somewhere, which rows may show
        return False, None
    return found.equal is not None, found.disagreements[0].row if found.disagreements else None


def _differing(sides: Sequence[Side], schema: Schema | None, rows: Sequence[Row], *, is_small: bool) -> Row | None:
    """Return the first row that is answered differently; unless it is small already, as small as is cheap."""
    place = next((place for place, shows in enumerate(_shows(sides, schema, rows)) if shows), None)
    if place is None or is_small or not _shows(sides, schema, [rows[place]])[0]:
        return None if place is None else rows[place]
    raised = [isinstance(answer, RaisedError) for answer in _answers(sides, schema, [rows[place]])[0]]

    def shows(some: Sequence[Mapping[str, Any]]) -> list[bool]:
        # code that fails without a key has found another difference
        return [
            not _alike(*pair) and [isinstance(answer, RaisedError) for answer in pair] == raised
            for pair in _answers(sides, schema, some)
        ]

    return smallest(rows[place], list(rows[place]), shows)


def _answers(sides: Sequence[Side], schema: Schema | None, rows: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    first, second = (side.spoken(schema, rows) for side in sides)
    return list(zip(first, second, strict=True))


def _shows(sides: Sequence[Side], schema: Schema | None, rows: Sequence[Mapping[str, Any]]) -> list[bool]:
    return [not _alike(*pair) for pair in _answers(sides, schema, rows)] if rows else []


def _alike(first: Any, second: Any) -> bool:
    """Whether two answers are one; NaN is, and so are two that raise, whatever they say."""
    both_raise = isinstance(first, RaisedError) and isinstance(second, RaisedError)
    return both_raise or is_same(first, second) or (first != first and second != second)

"""Differences between two files of several parts, such as the CASE expressions of SQL.

The parts that are compared are those of one name: for a CASE that of its output column. Among parts of one name those
that are written alike are a pair, then the others in their order.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from attrs import evolve, field, frozen
from toolz import groupby, unique

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.errors import TreeRulesError
from treerules.proof.diff import BUDGET, Diff, Disagreement, diff
from treerules.proof.prefix_categories import with_prefixes_of_both
from treerules.rules.parsed import ParsedRules

#: What became of a part: `SAME` is written alike, `EQUAL` is written otherwise and proved equal. `POSSIBLE` is
#: different where expressions that were taken as columns have certain values, which they may never have together.
SAME, EQUAL, DIFFERENT, POSSIBLE, UNDECIDED, ADDED, REMOVED, NOT_COMPARED = (
    "same", "equal", "different", "possibly different", "undecided", "added", "removed", "not compared",
)  # fmt: skip


@short_repr
@frozen
class PartDiff:
    """What became of one part of a file.

    Attributes:
        name: the name of the part: of a CASE that of its output column.
        old: the old part; None if it was added.
        new: the new part; None if it was removed.
        diff: the differences; None if the parts are written alike, or were not compared.
        problem: why the parts were not compared, or the file was not read; "" if they were.
    """

    name: str
    old: ParsedRules | None = None
    new: ParsedRules | None = None
    diff: Diff | None = None
    problem: str = ""

    @property
    def change(self) -> str:
        """What became of the part: one of the constants of this module."""
        if self.problem:
            return NOT_COMPARED
        if self.old is None or self.new is None:
            return ADDED if self.old is None else REMOVED
        if self.diff is None:
            return SAME
        if self.diff.equal is False:
            return DIFFERENT if any(map(self.is_certain, self.diff.disagreements)) else POSSIBLE
        return EQUAL if self.diff.equal else UNDECIDED

    def is_certain(self, region: Disagreement) -> bool:
        """Return whether a region of differences has rows: it needs no expression that was taken as a column."""
        return all(part is None or part.is_certain(region.region) for part in (self.old, self.new))

    @property
    def line(self) -> int | None:
        """The line where the part begins, in the new file, else in the old one; None where it has none."""
        part = self.old if self.new is None else self.new
        lines = [] if part is None else [*part.lines.values(), *(unparsed.line for unparsed in part.unparsed)]
        return min(lines, default=None)


@frozen(repr=False)
class FileDiffs(Shown):
    """The differences of files of several parts.

    Attributes:
        files: for each file its name, "" where it has none, and what became of each of its parts.
    """

    files: tuple[tuple[str, tuple[PartDiff, ...]], ...] = field(converter=as_tuple)

    def __repr__(self) -> str:
        return f"<FileDiffs files={len(self.files)} parts={len(self.parts)} equal={self.equal}>"

    @property
    def parts(self) -> tuple[PartDiff, ...]:
        """The parts of all files."""
        return tuple(part for _, parts in self.files for part in parts)

    @property
    def has_unread(self) -> bool:
        """Whether a whole file was not read."""
        return any(part.problem and part.old is None and part.new is None for part in self.parts)

    @property
    def equal(self) -> bool | None:
        """Whether no part differs, was added or removed; None if that is open of some and none differs."""
        changes = {part.change for part in self.parts}
        if changes & {DIFFERENT, ADDED, REMOVED}:
            return False
        return None if changes & {POSSIBLE, UNDECIDED, NOT_COMPARED} else True


def diff_parts(
    old: Sequence[ParsedRules],
    new: Sequence[ParsedRules],
    *,
    compare: Callable[..., Diff] = diff,
    limit: int | None = None,
    budget: int = BUDGET,
) -> tuple[PartDiff, ...]:
    """Return what became of each part of a file: of the new file in its order, then of those that were removed.

    A part that was not read whole is compared with none, unless both are written alike.

    Args:
        old: the parts of the old file, as `read_rules` returns them.
        new: the parts of the new one.
        compare: what compares two parts, as `diff` does.
        limit: the greatest number of regions of each part; None is all.
        budget: the greatest number of steps for each part.

    Examples:
        >>> from treerules.formats import rules_from_sql
        >>> old = rules_from_sql("SELECT CASE WHEN a > 5 THEN 1 ELSE 0 END AS flag")
        >>> new = rules_from_sql("SELECT CASE WHEN a <= 5 THEN 0 ELSE 1 END AS flag, CASE b WHEN 1 THEN 2 END AS c")
        >>> [(part.name, part.change) for part in diff_parts(old, new)]
        [('flag', 'different'), ('c', 'added')]
        >>> [region.row for region in diff_parts(old, new)[0].diff.disagreements]
        [{'a': None}]
    """

    def compared(name: str, one: ParsedRules | None, other: ParsedRules | None) -> PartDiff:
        if one is None or other is None or _written(one) == _written(other):
            return PartDiff(name, one, other)
        problem = _expressions_problem(one, other)
        other = other if problem else _named_as(one, other)
        if problem:
            return PartDiff(name, one, other, problem=problem)
        try:
            alike = with_prefixes_of_both(one, other)
            plain = [evolve(part, opaque=(), sql=None) for part in alike]  # equal expressions are one column
            return PartDiff(name, one, other, compare(*plain, limit=limit, budget=budget))
        except TreeRulesError as error:
            return PartDiff(name, one, other, problem=str(error))

    order = {id(part): position for position, part in enumerate(new)}
    pairs = sorted(_pairs(old, new), key=lambda pair: len(new) if pair[2] is None else order[id(pair[2])])
    return tuple(compared(*pair) for pair in pairs)


def _pairs(
    old: Sequence[ParsedRules], new: Sequence[ParsedRules]
) -> Iterator[tuple[str, ParsedRules | None, ParsedRules | None]]:
    """Yield the name and the two parts of each pair; None stands for the part that a file does not have."""
    before, after = groupby(_name, old), groupby(_name, new)
    for name in unique([*before, *after]):
        lonely: list[ParsedRules] = []
        others = [(_written(part), part) for part in after.get(name, ())]
        for part in before.get(name, ()):
            written = _written(part)
            position = next((at for at, (other, _) in enumerate(others) if other == written), None)
            if position is None:
                lonely.append(part)
            else:
                yield name, part, others.pop(position)[1]
        for one, other in zip_longest(lonely, [part for _, part in others]):
            yield name, one, other


def _expressions_problem(one: ParsedRules, other: ParsedRules) -> str:
    """Return why the expressions of two parts cannot be compared; "" if those of one name are equal in each row."""
    old, new = ({} if part.sql is None else part.sql.expressions for part in (one, other))
    volatile = next((name for name, identity in [*old.items(), *new.items()] if not identity), None)
    if volatile is not None:
        return f"{volatile} may have another value each time"
    odd = next((name for name in old if name in new and old[name] != new[name]), None)
    return "" if odd is None else f"{odd} may have another value in each of the two"


def _named_as(one: ParsedRules, other: ParsedRules) -> ParsedRules:
    """Return the other part with expressions named as equal ones of the first: `b > a` there may be `a < b` here."""
    old, new = ({} if part.sql is None else part.sql.expressions for part in (one, other))
    known = {identity: name for name, identity in old.items()}
    taken = {*other.rules.schema.indices, *one.rules.schema.indices} - {*old}
    names = {name: known[identity] for name, identity in new.items() if name not in old and identity in known}
    names = {name: named for name, named in names.items() if named not in new and named not in taken}
    if other.sql is None or not names:
        return other
    schema = other.rules.schema
    features = [evolve(feature, name=names.get(feature.name, feature.name)) for feature in schema.features]
    rules = [
        evolve(rule, conditions=[(names.get(name, name), condition) for name, condition in rule.conditions])
        for rule in other.rules.rules
    ]
    return evolve(
        other,
        rules=type(other.rules)(evolve(schema, features=features), rules),
        domain={names.get(name, name): declared for name, declared in other.domain.items()},
        opaque=[names.get(name, name) for name in other.opaque],
        sql=evolve(other.sql, expressions={names.get(name, name): identity for name, identity in new.items()}),
    )


def _name(part: ParsedRules) -> str:
    target = part.rules.schema.target
    return "" if target is None else target.name


def _written(part: ParsedRules) -> object:
    """Return all that a part says: of a CASE its tokens, else its rules and the texts that were not read."""
    if part.sql is not None and part.sql.tokens:
        return part.sql.tokens
    return part.rules, part.domain, [unparsed.text for unparsed in part.unparsed]

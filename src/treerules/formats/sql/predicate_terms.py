"""What a condition of SQL says: questions about single columns under AND, OR, NOT and IS."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.errors import TreeRulesError
from treerules.sql.literals import Value


@frozen
class NotReadError(TreeRulesError):
    """A part of a condition means nothing to a rule. It never leaves the reader: it becomes an `UnparsedPart`."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@frozen
class ColumnName:
    """A column as a condition names it: the table before the dot, or "", and the name, both folded; and as written."""

    table: str
    name: str
    shown: str = field(eq=False)
    sql: str = field(eq=False)


@frozen
class Constant:
    """TRUE, FALSE or unknown (None)."""

    truth: bool | None


@frozen
class Every:
    """AND."""

    parts: tuple["Term", ...] = field(converter=as_tuple)


@frozen
class Some:
    """OR."""

    parts: tuple["Term", ...] = field(converter=as_tuple)


@frozen
class Negated:
    """NOT."""

    part: "Term"


@frozen
class Is:
    """IS TRUE, IS FALSE or IS UNKNOWN (None): true or false, never unknown."""

    part: "Term"
    truth: bool | None


@frozen
class ColumnQuestion:
    """What is asked of one column. `relation`: one of < <= > >=, in, same (in, but NULL is a value), null, alone."""

    column: ColumnName
    relation: str
    values: tuple[Value, ...] = field(default=(), converter=as_tuple)
    #: whether the column is compared as a double
    as_double: bool = False
    #: whether text is compared code point by code point, whatever the dialect's default is
    exactly: bool = False


Term = Constant | Every | Some | Negated | Is | ColumnQuestion

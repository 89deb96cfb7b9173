"""Terms of a condition in SQL: comparisons of single columns, connected by AND, OR, NOT and IS."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Feature
from treerules.errors import TreeRulesError
from treerules.sql.literals import SqlLiteral


@frozen
class NotReadError(TreeRulesError):
    """A part of a condition that rules cannot express. The reader converts it to an `UnparsedPart`."""

    problem: str

    def __str__(self) -> str:
        return self.problem


@frozen
class ColumnName:
    """The name of a column in a condition: table (or "") and name, both in the dialect's case, and as written.

    An expression that is not understood is a column too, whose name is the identity of the expression.
    """

    table: str
    name: str
    shown: str = field(eq=False)
    sql: str = field(eq=False)
    #: whether it stands for an expression
    is_opaque: bool = False
    #: "number" or "text" where the expression is certainly one, "spelled" where texts may be one value; else ""
    type: str = field(default="", eq=False)
    #: whether the expression is equal to nothing, not even to itself
    is_volatile: bool = field(default=False, eq=False)


@frozen
class Constant:
    """TRUE, FALSE or unknown (None)."""

    truth: bool | None


@frozen
class And:
    """A conjunction of terms."""

    parts: tuple["Term", ...] = field(converter=as_tuple)


@frozen
class Or:
    """A disjunction of terms."""

    parts: tuple["Term", ...] = field(converter=as_tuple)


@frozen
class Not:
    """The negation of a term."""

    part: "Term"


@frozen
class TruthTest:
    """A test by IS TRUE, IS FALSE or IS UNKNOWN (None); it is true or false, never unknown."""

    part: "Term"
    truth: bool | None


@frozen
class ColumnQuestion:
    """A comparison of one column with literals."""

    column: ColumnName
    #: one of < <= > >=, in, same (as in, but NULL is a value), null (IS NULL), alone (the column is the condition)
    relation: str
    #: the literals
    values: tuple[SqlLiteral, ...] = field(default=(), converter=as_tuple)
    #: whether the column is converted to a double before it is compared
    as_double: bool = False
    #: whether text is compared code point by code point even if that is not the dialect's default
    exactly: bool = False
    #: the declared column that it must be, where the question is understood by its kind
    declared: Feature | None = None


@frozen
class PrefixQuestion:
    """Whether the text of a column begins with a prefix, of which `text_prefixes` makes a question on values."""

    column: ColumnName
    prefix: str
    #: the same condition as a column that stands for it, where the prefixes of the column cannot be understood
    instead: "Term"


Term = Constant | And | Or | Not | TruthTest | ColumnQuestion | PrefixQuestion

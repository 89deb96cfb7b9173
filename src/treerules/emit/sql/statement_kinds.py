"""What can be made of rules in SQL, as rows: what each kind is, and which dialects have it."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.sql.dialects import DIALECTS


@frozen
class SqlKind:
    """A kind of SQL text."""

    name: str
    #: one line for people
    about: str
    #: whether it reads a table, whether it creates something, and whether probabilities and the like may stand beside
    reads: bool = False
    creates: bool = False
    #: what it creates is called, unless it is named
    called: str = "predictions"
    #: the dialects that have it; all when empty
    dialects: tuple[str, ...] = field(default=(), converter=as_tuple)


def _having(kind: str) -> list[str]:
    return [name for name, dialect in DIALECTS.items() if kind in dialect.kinds]


SQL_KINDS = {
    kind.name: kind
    for kind in (
        SqlKind("expression", "a CASE expression for a query of your own"),
        SqlKind(
            "select", "a query of a table: keys, prediction and, asked for, probabilities, rule, reason", reads=True
        ),
        SqlKind("view", "CREATE VIEW of that query", reads=True, creates=True),
        SqlKind("table", "CREATE TABLE AS that query", reads=True, creates=True),
        SqlKind(
            "macro",
            "CREATE MACRO, a function of the columns",
            creates=True,
            called="predict",
            dialects=_having("macro"),
        ),
        SqlKind(
            "function", "CREATE FUNCTION of the columns", creates=True, called="predict", dialects=_having("function")
        ),
    )
}

"""The kinds of SQL text for rules, as records with the dialects that support them."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.sql.dialects import DIALECTS


@frozen
class SqlKind:
    """A kind of SQL text."""

    name: str
    #: one line of help
    about: str
    #: whether it is a query of a table, which may return more columns than the prediction
    reads: bool = False
    #: whether it creates a view, a table or a function
    creates: bool = False
    #: the default name of the created object
    called: str = "predictions"
    #: the dialects that have it; empty for all
    dialects: tuple[str, ...] = field(default=(), converter=as_tuple)


def _dialects_with(kind: str) -> list[str]:
    return [name for name, dialect in DIALECTS.items() if kind in dialect.kinds]


#: The kinds, by name.
SQL_KINDS = {
    kind.name: kind
    for kind in (
        SqlKind("expression", "a CASE expression for a query of your own"),
        SqlKind(
            "select",
            "a query of a table: keys, prediction and, if requested, probabilities, rule and reason",
            reads=True,
        ),
        SqlKind("view", "CREATE VIEW of that query", reads=True, creates=True),
        SqlKind("table", "CREATE TABLE AS that query", reads=True, creates=True),
        SqlKind(
            "macro",
            "CREATE MACRO, a function of the columns",
            creates=True,
            called="predict",
            dialects=_dialects_with("macro"),
        ),
        SqlKind(
            "function",
            "CREATE FUNCTION, a function of the columns",
            creates=True,
            called="predict",
            dialects=_dialects_with("function"),
        ),
    )
}

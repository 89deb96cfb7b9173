"""The values passed to the templates of the rules table."""

from collections.abc import Mapping

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.emit.header import Opening


@short_repr
@frozen
class AskedColumn:
    """A column of the data with a condition in some rule: its position in the schema, and tests of its cell.

    Each test is finished SQL. It names the cell `d.f{index}`, the row of the condition `c` and that of a member `m`.
    """

    index: int
    #: the quoted column of the data
    column: str
    is_ordered: bool
    #: true if the cell is missing
    missing: str
    #: of an ordered feature: true if the cell is at or below the lower bound, at most the upper one, if that is NULL
    is_below: str = ""
    is_within: str = ""
    is_unbounded: str = ""
    #: of a category: true if the cell is the member
    is_member: str = ""
    #: true if the cell is a value of another type than the feature's; "" where the engine has types
    is_of_other_type: str = ""


@short_repr
@frozen
class StoredTable:
    """The values passed to `rules/create.sql.j2` and `rules/insert.sql.j2`, by field name. Public API."""

    #: the first line, without the mark of a comment; None for all statements but the first
    opening: Opening | None
    #: the quoted table
    into: str
    #: its quoted columns, each with its type
    fields: tuple[tuple[str, str], ...]
    #: text behind the columns of a CREATE TABLE
    ending: str
    #: the rows of an INSERT: literals in parentheses
    rows: tuple[str, ...] = ()


@short_repr
@frozen
class RulesQuery:
    """The values passed to `rules/query.sql.j2`, by field name. Public API."""

    #: the quoted tables of the rules and of their members, and whether any rule has members
    rules: str
    members: str
    has_members: bool
    #: the quoted table that is read, and its keys
    table: str
    keys: tuple[str, ...]
    asked: tuple[AskedColumn, ...]
    #: the quoted columns of the rules and members, by their names
    names: Mapping[str, str]
    #: the expression that ends the statement with an error, for a cell of another type
    refusal: str
    #: the quoted columns of the result besides the keys
    rule: str
    prediction: str

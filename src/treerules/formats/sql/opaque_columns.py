"""Expressions that are not understood, as columns: `lower(x) = 'a'` asks for a value of the column "lower(x)"."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from attrs import field, frozen

from treerules.formats.sql.expression_identity import identity_of, pair_identity, shown_sql
from treerules.formats.sql.predicate_terms import ColumnName, ColumnQuestion, Not, NotReadError, Term, TruthTest
from treerules.formats.sql.syntax_nodes import is_cast, without_parentheses
from treerules.sql.dialect import Dialect
from treerules.sql.literals import node_text

#: sqlglot's classes of what is not one value.
_NO_VALUES = frozenset({"Alias", "Aliases", "Star", "Select", "Union", "Except", "Intersect", "Command"})
_NUMBERS = """
Abs Ascii Avg BitLength ByteLength Ceil Count CountIf DateDiff Day DayOfMonth DayOfWeek DayOfWeekIso DayOfYear DenseRank
Div Exp Extract Floor Hour IntDiv Length Levenshtein Ln Log Minute Mod Month Mul Neg Pow Quarter Rank RegexpCount
RegexpInstr Round RowNumber Second Sign Sqrt StrPosition Sub Sum TimestampDiff Week WeekOfYear Year
"""
_TEXTS = """
Chr Concat ConcatWs Hex Initcap JSONExtractScalar Left Lower MD5 Overlay RegexpExtract RegexpReplace Repeat Replace
Reverse Right SplitPart Stuff Substring SubstringIndex TimeToStr ToChar Translate Trim Upper
"""
_NUMERIC_TYPES = """
TINYINT SMALLINT MEDIUMINT INT BIGINT INT128 UINT UBIGINT USMALLINT UTINYINT FLOAT DOUBLE DECIMAL
"""
#: sqlglot's classes of expressions, and of the types of casts, that are certainly numbers or texts, or NULL.
_TYPES = {
    **dict.fromkeys(f"{_NUMBERS} {_NUMERIC_TYPES}".split(), "number"),
    **dict.fromkeys(f"{_TEXTS} VARCHAR NVARCHAR TEXT".split(), "text"),
}
#: The types of casts whose texts have several spellings of a value: '1 day' is '24 hours'.
_SPELLED_TYPES = frozenset({"INTERVAL", "JSON", "JSONB", "INET", "IPADDRESS", "XML", "MAP", "STRUCT", "ARRAY"})
_SIGNS = {"in": "=", "same": "IS NOT DISTINCT FROM", "is": "IS"}


@frozen
class OpaqueColumns:
    """The columns that stand for expressions of one dialect; what may differ each time is another column each time."""

    dialect: Dialect
    _columns: dict[str, ColumnName] = field(factory=dict, eq=False, repr=False)
    _numbers: Iterator[int] = field(factory=lambda: count(1), eq=False, repr=False)

    def column(self, node: Any) -> ColumnName:
        """Return the column of an expression.

        Raises:
            NotReadError: it is not one value.
        """
        node = without_parentheses(node)
        self._require_value(node)
        if type(node).__name__ == "Tuple":  # (a, b) IS NOT NULL is not the negation of (a, b) IS NULL
            raise NotReadError(f"{node_text(node, self.dialect)} is more than one value")
        identity = identity_of(node, self.dialect)
        return self._named(identity, lambda: shown_sql(node, self.dialect), _type_of(node))

    def condition(self, node: Any) -> Term:
        """Return the condition that an expression is, which is true, false or unknown."""
        return ColumnQuestion(self.column(node), "alone")

    def comparison(self, left: Any, relation: str, right: Any) -> Term:
        """Return the comparison of two expressions, of which none is a literal."""
        if relation == "<>":
            return Not(self.comparison(left, "in", right))
        left, right = without_parentheses(left), without_parentheses(right)
        question = self._pair(left, relation, right, pair_identity(left, relation, right, self.dialect))
        return TruthTest(question, True) if relation == "same" else question

    def quantified(self, left: Any, relation: str, right: Any) -> Term:
        """Return a comparison with ANY or ALL: `x <> ALL (...)` is not `NOT x = ALL (...)`, nor are the sides alike."""
        sides = identity_of(left, self.dialect), identity_of(right, self.dialect)
        return self._pair(left, relation, right, None if None in sides else f"({sides[0]} {relation} {sides[1]})")

    def _pair(self, left: Any, relation: str, right: Any, identity: str | None) -> ColumnQuestion:
        self._require_value(left)
        self._require_value(right)
        sign = _SIGNS.get(relation, relation)

        def shown() -> str:
            return f"{shown_sql(left, self.dialect)} {sign} {shown_sql(right, self.dialect)}"

        return ColumnQuestion(self._named(identity, shown, ""), "alone")

    def _named(self, identity: str | None, shown: Callable[[], str], type: str) -> ColumnName:
        """Return the column of an identity; its text is made once."""
        name = f"\0{next(self._numbers)}" if identity is None else f"\0{identity}"
        if name not in self._columns:
            sql = shown()
            self._columns[name] = ColumnName("", name, sql, sql, True, type, identity is None)
        return self._columns[name]

    def _require_value(self, node: Any) -> None:
        is_row = type(node).__name__ == "Column" and type(node.this).__name__ == "Star"
        if is_row or type(node).__name__ in _NO_VALUES:
            raise NotReadError(f"{node_text(node, self.dialect)} is not one value")


def _type_of(node: Any) -> str:
    name = type(node).__name__
    is_of_type = is_cast(node)
    type_name = getattr(node.to.this, "name", "") if is_of_type else name
    return "spelled" if is_of_type and type_name in _SPELLED_TYPES else _TYPES.get(type_name, "")

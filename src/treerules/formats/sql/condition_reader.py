"""The terms of a condition from the syntax tree of sqlglot.

A node of an unknown type, or with unknown arguments, is an error that shows its text.
"""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from treerules.formats.sql.predicate_terms import (
    And,
    ColumnName,
    ColumnQuestion,
    Constant,
    Not,
    NotReadError,
    Or,
    Term,
    TruthTest,
)
from treerules.sql.dialect import Dialect
from treerules.sql.jinja import has_stand_in
from treerules.sql.literals import NULL, SqlLiteral, node_text, node_value

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "in": "in", "<>": "<>", "same": "same"}
_RELATIONS = {
    "EQ": "in", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=",
    "NullSafeEQ": "same", "NullSafeNEQ": "differs",
}  # fmt: skip


@frozen
class ConditionReader:
    """The translation of sqlglot's nodes of one dialect into terms."""

    dialect: Dialect

    def term(self, node: Any) -> Term:
        """Return the term of a condition.

        Raises:
            NotReadError: no rule can hold the condition.
        """
        name = type(node).__name__
        if name in ("And", "Or"):
            parts = [self.term(part) for part in _operands_of(node)]
            return And(parts) if name == "And" else Or(parts)
        if name in _RELATIONS:
            _require_only(node, "this", "expression")
            return self._comparison(node.this, _RELATIONS[name], node.expression, node)
        return _TERMS.get(name, _refuse)(self, node)

    def equality(self, operand: Any, value: Any) -> Term:
        """Return the condition of `CASE operand WHEN value`."""
        if self.dialect.reading.own_nulls and self.value(value) == NULL:
            raise NotReadError(f"WHEN NULL, which {self.dialect.name} takes in its own way")
        return self._comparison(operand, "in", value, None)

    # ---- operands

    def column(self, node: Any) -> ColumnName | None:
        """Return the name of a column; None if the node is not a column."""
        node = _without_parentheses(node)
        if type(node).__name__ != "Column" or type(node.this).__name__ != "Identifier" or node.args.get("join_mark"):
            return None
        if any(has_stand_in(part.name) for part in node.parts):
            return None
        parts = [self._folded(part) for part in node.parts]
        if not node.table and parts[0] in self.dialect.infinities:
            return None
        return ColumnName(".".join(parts[:-1]), parts[-1], str(node.this.this), self.sql(node))

    def _folded(self, identifier: Any) -> str:
        return self.dialect.folded(str(identifier.this), bool(identifier.args.get("quoted")))

    def value(self, node: Any) -> SqlLiteral | None:
        """Return the value of a literal; None if the node is not a literal."""
        return node_value(_without_parentheses(node), self.dialect)

    def sql(self, node: Any) -> str:
        """Return the SQL of a node."""
        return node_text(node, self.dialect)

    def _operand(self, node: Any) -> tuple[ColumnName, bool, bool, str] | None:
        """Return the column of an operand, whether it is compared as a double and exactly, and its text's suffix."""
        node, exactly, suffix = _without_parentheses(node), False, ""
        if type(node).__name__ == "Collate" and "bin" in self.sql(node.expression).lower():
            node, exactly = _without_parentheses(node.this), True
            if type(node).__name__ == "Add" and type(node.expression).__name__ == "National":
                node, suffix = _without_parentheses(node.this), str(node.expression.this)
        as_double = self._is_double(node)
        if as_double or (exactly and type(node).__name__ == "Cast" and node.to.this.name == "CHARACTER_SET"):
            node = node.expressions[0] if type(node).__name__ == "Anonymous" else node.this
        column = self.column(node)
        return None if column is None else (column, as_double, exactly, suffix)

    def _is_double(self, node: Any) -> bool:
        if type(node).__name__ == "Anonymous":
            return str(node.this).lower() == "tofloat64" and len(node.expressions) == 1
        is_cast = type(node).__name__ in ("Cast", "TryCast") and not node.args.get("format")
        return is_cast and node.to.this.name == "DOUBLE"

    # ---- questions

    def _comparison(self, left: Any, relation: str, right: Any, node: Any) -> Term:
        if relation == "differs":
            return Not(self._comparison(left, "same", right, node))
        first, second = self.value(left), self.value(right)
        if first is not None and second is not None:
            return _literal_comparison(first, relation, second, self, node)
        if first is not None:
            left, right, second, relation = right, left, first, _FLIPPED[relation]
        if second is None:
            raise NotReadError(self._problem(left, right, node))
        return self._column_question(left, relation, [second])

    def _problem(self, left: Any, right: Any, node: Any) -> str:
        """Return why two operands are not a column and a literal."""
        if self.column(left) and self.column(right):
            return f"{self.sql(left)} and {self.sql(right)}, two columns, are compared"
        side = right if self.column(left) else left
        return f"{self.sql(side)} is neither a column nor a literal"

    def _column_question(self, node: Any, relation: str, values: list[SqlLiteral]) -> Term:
        """Return the comparison of a column, or of a condition that is compared with TRUE or FALSE."""
        if relation == "<>":
            return Not(self._column_question(node, "in", values))
        side = self._operand(node)
        if side is None:
            truth = values[0].value if len(values) == 1 and values[0].kind == "boolean" else None
            if type(node).__name__ != "Paren" or truth is None or relation not in ("in", "same"):
                raise NotReadError(f"{self.sql(node)} is not a column")
            part = self.term(node.this)
            if relation == "same":
                return TruthTest(part, truth)
            return part if truth else Not(part)
        column, as_double, exactly, suffix = side
        if relation != "same" and NULL in values:
            values = [value for value in values if value != NULL]
            if not values:
                return Constant(None)
            question = ColumnQuestion(column, relation, _without_suffix(values, suffix), as_double, exactly)
            return Or([question, Constant(None)])
        return ColumnQuestion(column, relation, _without_suffix(values, suffix), as_double, exactly)

    def in_list(self, node: Any) -> Term:
        """Return the term of IN."""
        _require_only(node, "this", "expressions")
        values = [self.value(item) for item in node.expressions]
        for item, value in zip(node.expressions, values, strict=True):
            if value is None:
                raise NotReadError(f"{self.sql(item)}, in the list of IN, is not a literal")
        if not values:
            return Constant(False)
        if NULL in values and self.dialect.reading.own_nulls:
            raise NotReadError(f"{self.sql(node)} names NULL, which {self.dialect.name} takes in its own way")
        if self.value(node.this) is not None:
            return Or([self._comparison(node.this, "in", item, node) for item in node.expressions])
        return self._column_question(node.this, "in", [value for value in values if value is not None])

    def between(self, node: Any) -> Term:
        """Return the term of BETWEEN."""
        _require_only(node, "this", "low", "high")
        low = self._comparison(node.this, ">=", node.args["low"], node)
        return And([low, self._comparison(node.this, "<=", node.args["high"], node)])

    def is_test(self, node: Any) -> Term:
        """Return the term of IS NULL, IS TRUE, IS FALSE or IS UNKNOWN."""
        _require_only(node, "this", "expression", "negate")
        value = self.value(node.expression)
        if value is None or value.kind not in ("null", "boolean"):
            raise NotReadError(f"{self.sql(node)} asks for more than NULL, TRUE or FALSE")
        term = self._is_test_of(node.this, value)
        return Not(term) if node.args.get("negate") else term

    def _is_test_of(self, node: Any, value: SqlLiteral) -> Term:
        literal = self.value(node)
        if literal is not None:
            if value != NULL and literal.kind not in ("null", "boolean"):
                raise NotReadError(f"{self.sql(node)} is not a truth value")
            return Constant(literal == NULL if value == NULL else literal.value is value.value)
        side = self._operand(node)
        if side is not None and value == NULL:
            return ColumnQuestion(side[0], "null")
        part = ColumnQuestion(side[0], "alone") if side is not None else self._parenthesised(node)
        return TruthTest(part, value.value)

    def _parenthesised(self, node: Any) -> Term:
        if type(node).__name__ != "Paren":
            raise NotReadError(f"{self.sql(node)} is not a column")
        return self.term(node.this)

    def truth_value(self, node: Any) -> Term:
        """Return the term of a column or a literal used as a condition."""
        value = self.value(node)
        if value is not None and self.dialect.reading.numeric_truth and value.kind == "number":
            return Constant(value.value != 0)
        if value is not None and value.kind in ("boolean", "null"):
            return Constant(value.value)
        column = self.column(node)
        if value is not None or column is None:
            raise NotReadError(f"{self.sql(node)} is not a truth value")
        return ColumnQuestion(column, "alone")


def _negation(reader: ConditionReader, node: Any) -> Term:
    _require_only(node, "this")
    return Not(reader.term(node.this))


def _group(reader: ConditionReader, node: Any) -> Term:
    _require_only(node, "this")
    return reader.term(node.this)


def _refuse(reader: ConditionReader, node: Any) -> Term:
    raise NotReadError(f"{reader.sql(node)} is not a comparison of a column with literals")


_TERMS: dict[str, Callable[[ConditionReader, Any], Term]] = {
    "Not": _negation,
    "Paren": _group,
    "In": ConditionReader.in_list,
    "Between": ConditionReader.between,
    "Is": ConditionReader.is_test,
    "Column": ConditionReader.truth_value,
    "Literal": ConditionReader.truth_value,
    "Boolean": ConditionReader.truth_value,
    "Null": ConditionReader.truth_value,
    "Cast": ConditionReader.truth_value,
}


def _operands_of(node: Any) -> list[Any]:
    """Return the operands of `a AND b AND c`, which sqlglot nests to the left."""
    kind, parts = type(node), list[Any]()
    while type(node) is kind:
        _require_only(node, "this", "expression")
        parts.append(node.expression)
        node = node.this
    parts.append(node)
    return parts[::-1]


def _without_parentheses(node: Any) -> Any:
    while type(node).__name__ == "Paren":
        node = node.this
    return node


def _require_only(node: Any, *accepted: str) -> None:
    """Raise NotReadError for a node with arguments that are not accepted."""
    unknown = [name for name, argument in node.args.items() if name not in accepted and argument]
    if unknown:
        raise NotReadError(f"{node.sql(comments=False)} has {' and '.join(unknown)}")


def _without_suffix(values: list[SqlLiteral], suffix: str) -> list[SqlLiteral]:
    """Return texts without the suffix that is added to a column's text; each must end in it."""
    if not suffix:
        return values
    if not all(value.kind == "text" and value.value.endswith(suffix) for value in values):
        raise NotReadError(f"text to which {suffix!r} is put is compared with text that does not end in it")
    return [SqlLiteral("text", value.value.removesuffix(suffix), value.sql) for value in values]


def _literal_comparison(
    first: SqlLiteral, relation: str, second: SqlLiteral, reader: ConditionReader, node: Any
) -> Term:
    """Return the truth value of a comparison of two literals."""
    if relation == "same" and NULL in (first, second):
        return Constant(first == second)
    if NULL in (first, second):
        return Constant(None)
    text = f"{first.sql} is compared with {second.sql}"
    is_plain = first == second or (relation in ("in", "<>", "same") and not reader.dialect.loose_text)
    if first.kind != second.kind or (first.kind == "text" and not is_plain):
        raise NotReadError(f"{text}, which engines do in their own ways")
    left, right = first.value, second.value
    decided = {"in": left == right, "same": left == right, "<>": left != right}
    if relation in decided:
        return Constant(decided[relation])
    return Constant({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[relation])

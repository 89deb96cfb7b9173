"""The terms of a condition from the syntax tree of sqlglot.

An expression that is not understood is a column of its own, named by its text; see `opaque_columns`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, evolve, field, frozen

from treerules.data.schema import Feature, Kind
from treerules.formats.sql.column_literals import without_suffix
from treerules.formats.sql.defaults import Default, default_of
from treerules.formats.sql.literal_comparison import literal_comparison
from treerules.formats.sql.opaque_columns import OpaqueColumns
from treerules.formats.sql.operator_binding import CONDITIONS, require_bound
from treerules.formats.sql.predicate_terms import (
    And,
    ColumnName,
    ColumnQuestion,
    Constant,
    Not,
    NotReadError,
    Or,
    PrefixQuestion,
    Term,
    TruthTest,
)
from treerules.formats.sql.step_functions import step_function_of
from treerules.formats.sql.syntax_nodes import (
    QUANTIFIERS,
    has_more,
    is_cast,
    is_text_cast,
    name_parts,
    operands_of,
    without_collation,
    without_not,
    without_parentheses,
)
from treerules.formats.sql.text_prefixes import prefix_of
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
    #: the columns whose kinds are declared, by their names without case
    declared: Mapping[str, Feature] = field(factory=dict)
    opaque: OpaqueColumns = field(default=Factory(lambda self: OpaqueColumns(self.dialect), takes_self=True))

    def term(self, node: Any) -> Term:
        """Return the term of a condition.

        Raises:
            NotReadError: no rule can hold the condition.
        """
        name = type(node).__name__
        if name in ("And", "Or"):
            parts = [self.term(part) for part in operands_of(node)]
            return And(parts) if name == "And" else Or(parts)
        if name == "Xor":
            raise NotReadError(f"{self.sql(node)} has XOR, which engines bind in their own ways")
        if name in _ARGUMENTS and has_more(node, _ARGUMENTS[name]):
            return self.opaque.condition(node)
        if name in _RELATIONS:
            return self._comparison(node.this, _RELATIONS[name], node.expression, node)
        return _TERMS.get(name, ConditionReader.truth_value)(self, node)

    def equality(self, operand: Any, value: Any) -> Term:
        """Return the condition of `CASE operand WHEN value`."""
        if self.dialect.reading.own_nulls and self.value(value) == NULL:
            raise NotReadError(f"WHEN NULL, which {self.dialect.name} takes in its own way")
        return self._comparison(operand, "in", value, None)

    # ---- operands

    def column(self, node: Any) -> ColumnName | None:
        """Return the name of a column; None if the node is not a column."""
        node = without_parentheses(node)
        written = name_parts(node)
        if not written or any(has_stand_in(part.name) for part in written):
            return None
        *tables, name = (self._folded(part) for part in written)
        if tables and name.lower() == "nextval":  # a sequence gives another value each time
            return None
        if not tables and name in self.dialect.infinities:
            return None
        return ColumnName(".".join(tables), name, str(written[-1].this), self.sql(node))

    def _folded(self, identifier: Any) -> str:
        return self.dialect.folded(str(identifier.this), bool(identifier.args.get("quoted")))

    def value(self, node: Any) -> SqlLiteral | None:
        """Return the value of a literal; None if the node is not a literal."""
        return node_value(without_parentheses(node), self.dialect)

    def sql(self, node: Any) -> str:
        """Return the SQL of a node."""
        return node_text(node, self.dialect)

    def _operand(self, node: Any) -> tuple[ColumnQuestion, str]:
        """Return the question whether an operand is NULL, of which others are made, and the suffix of its text."""
        whole, needed = without_parentheses(node), None
        node, exactly, suffix = without_collation(whole)
        exactly = exactly or (is_text_cast(node) and self.dialect.casts_texts)
        as_double = self._is_double(node)
        if as_double or (exactly and is_text_cast(node) and self._number(node.this) is None):
            needed = self._number(node.this) if type(node).__name__ == "TryCast" else None
            node = node.expressions[0] if type(node).__name__ == "Anonymous" else node.this
        column = self.column(node)
        if column is None:
            return ColumnQuestion(self.opaque.column(whole), "null"), ""
        return ColumnQuestion(column, "null", (), as_double, exactly, needed), suffix

    def _is_double(self, node: Any) -> bool:
        """Return whether a node converts a column to a double; a text that is no number becomes NULL by TRY_CAST."""
        if type(node).__name__ == "Anonymous":
            return str(node.this).lower() == "tofloat64" and len(node.expressions) == 1
        is_of_double = is_cast(node) and node.to.this.name == "DOUBLE"
        return is_of_double and (type(node).__name__ == "Cast" or self._number(node.this) is not None)

    def _number(self, node: Any) -> Feature | None:
        """Return the declared column of numbers that has the name of a column."""
        column = self.column(node)
        feature = None if column is None else self.declared.get(column.shown.casefold())
        return feature if feature is not None and feature.kind in (Kind.NUMBER, Kind.INTEGER) else None

    def like(self, node: Any) -> Term:
        """Return the term of LIKE, or of STARTS_WITH: a question on a prefix, or a condition that is not understood."""
        if (positive := without_not(node)) is not None:
            return Not(self.like(positive))
        condition = self.opaque.condition(node)
        name = type(node).__name__
        is_call = name == "StartsWith" and "end" in node.meta and self.dialect.reading.like_folds == "none"
        is_plain = (name == "Like" or is_call) and not has_more(node, ("this", "expression"))
        pattern = self.value(node.expression) if is_plain else None
        if name == "Like" and pattern is not None and pattern.value == "%":
            return Or([Not(self.is_null(node.this)), Constant(None)])
        prefix = prefix_of(pattern, self.dialect, is_whole=is_call)
        column = self.column(node.this) or (self.opaque.column(node.this) if prefix else None)
        is_text = column is not None and (not column.is_opaque or column.type == "text")
        return PrefixQuestion(column, prefix, condition) if column and prefix and is_text else condition

    # ---- questions

    def _comparison(self, left: Any, relation: str, right: Any, node: Any) -> Term:
        if relation == "differs":
            return Not(self._comparison(left, "same", right, node))
        require_bound(self.dialect, left, right)
        if type(left).__name__ in QUANTIFIERS or type(right).__name__ in QUANTIFIERS:
            return self.opaque.quantified(left, relation, right)
        first, second = self.value(left), self.value(right)
        if first is not None and second is not None:
            return literal_comparison(first, relation, second, self.dialect)
        if first is not None:
            if node is not None and type(right).__name__ == "Paren":  # the grammar sets some around IS by itself
                require_bound(self.dialect, right.this)
            left, right, second, relation = right, left, first, _FLIPPED[relation]
        if second is None:
            return self.opaque.comparison(left, relation, right)
        return self._column_question(left, relation, [second])

    def _column_question(self, node: Any, relation: str, values: list[SqlLiteral]) -> Term:
        """Return the comparison of a column, or of a condition that is compared with TRUE or FALSE."""
        if relation == "<>":
            return Not(self._column_question(node, "in", values))
        truth = values[0].value if len(values) == 1 and values[0].kind == "boolean" else None
        if truth is not None and relation in ("in", "same") and _is_condition(node):
            part = self.term(node)
            if relation == "same":
                return TruthTest(part, truth)
            return part if truth else Not(part)
        if (understood := self._function(node, relation, values)) is not None:
            return understood
        asked, suffix = self._operand(node)
        if relation == "same" or NULL not in values:
            return evolve(asked, relation=relation, values=without_suffix(values, suffix))
        values = [value for value in values if value != NULL]
        question = evolve(asked, relation=relation, values=without_suffix(values, suffix))
        return Or([question, Constant(None)]) if values else Constant(None)

    def _default(self, node: Any) -> Default | None:
        default = default_of(without_parentheses(node), self.dialect)
        return None if default is None or self.column(default.column) is None else default

    def _with_default(self, default: Default, relation: str, values: list[SqlLiteral]) -> Term:
        """Return the comparison of a column, or of a literal where the column is NULL."""
        absent = [literal_comparison(default.literal, relation, value, self.dialect) for value in values]
        term = _either(self, default, self._column_question(default.column, relation, values), Or(absent))
        return TruthTest(term, True) if relation == "same" else term

    def _function(self, node: Any, relation: str, values: list[SqlLiteral]) -> Term | None:
        """Return the comparison of COALESCE, or of a function that never falls; None of another expression."""
        default = self._default(node)
        if default is not None and default.agrees_with(values) and not (relation == "same" and NULL in values):
            try:
                return self._with_default(default, relation, values)
            except NotReadError:  # engines compare the literals in their own ways
                pass
        step = step_function_of(node, self.declared, self.dialect)
        column = None if step is None else self.column(step.column)
        return None if step is None or column is None else step.question(column, relation, values)

    def in_list(self, node: Any) -> Term:
        """Return the term of IN; with others than literals it is not taken apart, as engines find one type for all."""
        require_bound(self.dialect, node.this)
        values = [value for item in node.expressions if (value := self.value(item)) is not None]
        if not node.expressions:
            return Constant(False)
        if NULL in values and self.dialect.reading.own_nulls:
            raise NotReadError(f"{self.sql(node)} names NULL, which {self.dialect.name} takes in its own way")
        if len(values) < len(node.expressions):
            return self.opaque.condition(node)
        if self.value(node.this) is not None:
            return Or([self._comparison(node.this, "in", item, node) for item in node.expressions])
        return self._column_question(node.this, "in", values)

    def between(self, node: Any) -> Term:
        """Return the term of BETWEEN. An operand that may give another value each time is two columns."""
        low, high = node.args["low"], node.args["high"]
        require_bound(self.dialect, node.this, low, high)
        if self.value(node.this) is None and None in (self.value(low), self.value(high)):
            return self.opaque.condition(node)
        return And([self._comparison(node.this, ">=", low, node), self._comparison(node.this, "<=", high, node)])

    def is_test(self, node: Any) -> Term:
        """Return the term of IS NULL, IS TRUE, IS FALSE or IS UNKNOWN, or of another test by IS."""
        require_bound(self.dialect, node.this, node.expression)
        value = self.value(node.expression)
        if value is None or value.kind not in ("null", "boolean"):
            term = self.opaque.comparison(node.this, "is", node.expression)
        else:
            term = self._is_test_of(node.this, value)
        return Not(term) if node.args.get("negate") else term

    def _is_test_of(self, node: Any, value: SqlLiteral) -> Term:
        literal = self.value(node)
        if literal is not None:
            if value != NULL and literal.kind not in ("null", "boolean"):
                raise NotReadError(f"{self.sql(node)} is not a truth value")
            return Constant(literal == NULL if value == NULL else literal.value is value.value)
        if _is_condition(node):
            return TruthTest(self.term(node), value.value)
        default = self._default(node)
        if default is not None and value == NULL:
            return Constant(False)
        if default is not None and default.literal.kind == "boolean":
            return TruthTest(self.truth_value(node), value.value)
        if value == NULL:
            return self.is_null(node)
        return TruthTest(evolve(self._operand(node)[0], relation="alone"), value.value)

    def is_null(self, node: Any) -> Term:
        """Return the term of IS NULL of an operand."""
        step = step_function_of(node, self.declared, self.dialect)
        question = self._operand(node if step is None else step.column)[0]
        return question if step is None else evolve(question, declared=step.feature)

    def truth_value(self, node: Any) -> Term:
        """Return the term of a column, a literal or an expression used as a condition."""
        value = self.value(node)
        if value is not None and self.dialect.reading.numeric_truth and value.kind == "number":
            return Constant(value.value != 0)
        if value is not None and value.kind in ("boolean", "null"):
            return Constant(value.value)
        if value is not None:
            raise NotReadError(f"{self.sql(node)} is not a truth value")
        default = self._default(node)
        if default is not None and default.literal.kind == "boolean":
            return _either(self, default, self.term(default.column), Constant(default.literal.value))
        column = self.column(node)
        return self.opaque.condition(node) if column is None else ColumnQuestion(column, "alone")


def _either(reader: ConditionReader, default: Default, present: Term, absent: Term) -> Term:
    """Return the condition that holds as one term where a column has a value, and as another where it is NULL."""
    is_null = reader.is_null(default.column)
    return Or([And([Not(is_null), present]), And([is_null, absent])])


def _negation(reader: ConditionReader, node: Any) -> Term:
    is_relation = type(node.this).__name__ in _RELATIONS
    if not is_relation and type(node.this.args.get("expression")).__name__ in QUANTIFIERS:  # `x !~ ANY (...)` too
        raise NotReadError(f"{reader.sql(node)} is a negation of one comparison, or of all")
    return Not(reader.term(node.this))


#: The arguments of a node with which it is understood.
_ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_RELATIONS, ("this", "expression")),
    **dict.fromkeys(("Not", "Paren"), ("this",)),
    "In": ("this", "expressions"),
    "Between": ("this", "low", "high"),
    "Is": ("this", "expression", "negate"),
}
_TERMS: dict[str, Callable[[ConditionReader, Any], Term]] = {
    "Not": _negation,
    "Paren": lambda reader, node: reader.term(node.this),
    "In": ConditionReader.in_list,
    "Between": ConditionReader.between,
    "Is": ConditionReader.is_test,
    **dict.fromkeys(("Like", "ILike", "Escape", "StartsWith"), ConditionReader.like),
}


def _is_condition(node: Any) -> bool:
    """Return whether an expression is a condition whose parts are read."""
    return type(without_parentheses(node)).__name__ in CONDITIONS

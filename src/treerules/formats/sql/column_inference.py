"""The columns of a CASE, declared or inferred from their literals, and the values for which a question is true."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import reduce
from itertools import count
from math import inf
from operator import or_
from typing import Any

from attrs import field, frozen

from treerules.data.schema import Feature, Kind, Schema
from treerules.data.value_set import ValueSet
from treerules.errors import ParseError, did_you_mean, listed
from treerules.formats.sql.column_literals import comparable_value, least_double
from treerules.formats.sql.column_usage import ORDER, Usage, inferred_feature, questions_in
from treerules.formats.sql.from_scope import Scope
from treerules.formats.sql.loose_texts import doubtful_texts
from treerules.formats.sql.opaque_kinds import doubtful_numbers, opaque_feature
from treerules.formats.sql.predicate_terms import (
    ColumnName,
    ColumnQuestion,
    NotReadError,
    Term,
)
from treerules.formats.sql.text_moments import where_text
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral, parse_moment, parse_plain_day

#: A WHEN with more expressions than these of a CASE is not read: proofs over more columns take too long.
MOST_EXPRESSIONS = 150


@frozen
class CaseColumns:
    """The columns of a CASE: the name of each in the schema, and the features."""

    dialect: Dialect
    names: Mapping[tuple[str, str], str]
    usages: Mapping[str, Usage]
    features: Mapping[str, Feature]
    declared: tuple[str, ...] = ()
    #: groups of columns of one name that are treated as different columns, though they may be one
    split: tuple[tuple[str, ...], ...] = ()
    #: why the comparisons with a column that stands for an expression cannot be read, by its name
    unfit: Mapping[str, str] = field(factory=dict)

    @property
    def opaque(self) -> tuple[str, ...]:
        """The columns that stand for expressions."""
        return tuple(self.expressions)

    @property
    def expressions(self) -> dict[str, str]:
        """The identity of the expression of each column that stands for one; "" if it is equal to nothing."""
        columns = {name: usage.column for name, usage in self.usages.items() if usage.column.is_opaque}
        return {name: "" if column.is_volatile else column.name for name, column in columns.items()}

    def literals(self, name: str) -> Iterable[tuple[SqlLiteral, Any]]:
        """Yield the literals that a column is compared with and that are values of it, each with its value."""
        feature = self.features[name]
        for value in self.usages[name].values:
            try:
                converted_value = comparable_value(feature, value, self.dialect, False)
            except NotReadError:
                continue
            if isinstance(converted_value, Decimal):
                converted_value = (
                    int(converted_value) if converted_value == converted_value.to_integral_value() else None
                )
            if isinstance(converted_value, datetime) and feature.scalar == "date":
                converted_value = converted_value.date() if converted_value.time() == datetime.min.time() else None
            is_rounded = isinstance(converted_value, float) and self.dialect.reading.exact_numbers
            if converted_value is not None and not (is_rounded and converted_value != value.value):
                yield value, converted_value

    def name(self, column: ColumnName) -> str:
        """Return the name of a column in the schema."""
        return self.names[column.table, column.name]

    def meaning(self, question: ColumnQuestion) -> tuple[str, ValueSet, ValueSet]:
        """Return the column of a question, the values for which it is true, and the values for which it is false.

        Raises:
            NotReadError: the question does not fit the kind of the column.
        """
        if (question.column.table, question.column.name) not in self.names:
            raise NotReadError(f"{question.column.sql} is one of more than {MOST_EXPRESSIONS} expressions")
        name = self.name(question.column)
        if question.declared is not None and (name not in self.declared or self.features[name] != question.declared):
            raise NotReadError(f"{question.column.sql} has the name of a declared column, but is another one")
        if name in self.unfit and question.relation != "null":
            raise NotReadError(f"{question.column.sql} {self.unfit[name]}")
        true, false = self._truth_sets(question, self.features[name])
        return name, true, false

    def _truth_sets(self, question: ColumnQuestion, feature: Feature) -> tuple[ValueSet, ValueSet]:
        missing = ValueSet(feature, missing=True)
        if question.relation == "null":
            return missing, ~missing
        if question.relation == "alone":
            if self.dialect.reading.numeric_truth and feature.kind in (Kind.NUMBER, Kind.INTEGER):
                zero = ValueSet.of_values(feature, [0])
                return ~zero - missing, zero
            if feature.kind is not Kind.BOOLEAN:
                raise NotReadError(f"{question.column.sql}, of kind {feature.kind}, stands alone as a condition")
            return ValueSet.of_values(feature, [True]), ValueSet.of_values(feature, [False])
        if question.relation in ORDER:
            true = self._compared_by_order(question, feature)
        else:
            literals = [value for value in question.values if value != NULL]
            true = self._equal_to(question, feature, literals)
        if question.relation == "same":  # NULL is a value here, and no comparison is unknown
            true = true | missing if NULL in question.values else true
            return true, ~true
        return true, ~true - missing

    def _equal_to(self, question: ColumnQuestion, feature: Feature, literals: Sequence[SqlLiteral]) -> ValueSet:
        if self._are_texts(question, feature, literals):
            equal = [where_text(feature, "=", literal.value) for literal in literals]
            return reduce(or_, equal, ValueSet(feature))
        is_number = feature.kind in (Kind.NUMBER, Kind.INTEGER)
        if is_number and question.relation == "same" and any(literal.kind == "boolean" for literal in literals):
            raise NotReadError(f"the number {question.column.sql} is compared with a truth value, NULLs included")
        values = [self._converted(question, feature, literal) for literal in literals]
        if feature.scalar == "number" and self.dialect.reading.exact_numbers:
            values = [value for value, literal in zip(values, literals, strict=True) if value == literal.value]
        return ValueSet.of_values(feature, values)

    def _compared_by_order(self, question: ColumnQuestion, feature: Feature) -> ValueSet:
        literal = question.values[0]
        if self._are_texts(question, feature, [literal]):
            return where_text(feature, question.relation, literal.value)
        if feature.is_ordered:
            value = self._converted(question, feature, literal)
            is_exact = feature.kind is Kind.NUMBER and self.dialect.reading.exact_numbers
            if is_exact and value != literal.value:  # no double is the number: the next one above it bounds the same
                sign = "<" if question.relation in ("<", "<=") else ">="
                return ValueSet.from_comparison(feature, sign, least_double(literal.value))
            return ValueSet.from_comparison(feature, question.relation, value)
        if feature.scalar == "number" and (question.relation, literal.value) in (("<=", inf), (">=", -inf)):
            return ~ValueSet(feature, missing=True)  # every number
        problem = f"{question.column.sql}, of kind {feature.kind}, is compared by order"
        if feature.name not in self.declared and literal.kind == "text":
            if self.dialect.reading.plain_days and parse_plain_day(literal.value) is not None:
                problem += f"; declare it date if {literal.sql} is a day"
            if self.dialect.reading.moments_are_text and parse_moment(literal.value) is not None:
                problem += f"; {self.dialect.name} compares text, in which days and timestamps mix: declare the kind"
        raise NotReadError(problem)

    def _are_texts(self, question: ColumnQuestion, feature: Feature, literals: Sequence[SqlLiteral]) -> bool:
        """Return whether dates or timestamps are compared as texts.

        Raises:
            NotReadError: a literal is no text.
        """
        is_moment = feature.kind in (Kind.DATE, Kind.TIMESTAMP)
        if not (is_moment and self.dialect.reading.moments_are_text):
            return False
        for literal in literals:
            if literal.kind != "text":
                raise NotReadError(f"{question.column.sql}, of kind {feature.kind}, is compared with {literal.sql}")
        return True

    def _converted(self, question: ColumnQuestion, feature: Feature, value: SqlLiteral) -> Any:
        """Return the value of a literal that a column is compared with."""
        feature_value = comparable_value(feature, value, self.dialect, question.as_double)
        if feature_value is None:
            raise NotReadError(f"{question.column.sql}, of kind {feature.kind}, is compared with {value.sql}")
        return feature_value


# ---- the columns


def infer_columns(
    terms: Iterable[Term],
    dialect: Dialect,
    schema: Schema | None,
    scope: Callable[[], Scope],
    together: Iterable[Term] = (),
) -> CaseColumns:
    """Return the columns that conditions are on, in their order, with declared kinds, else with inferred ones.

    Columns of one name are different columns if their table names differ, or if only one has a table name: it may be a
    structure, or another table. They are one column if `scope` has one table for the statement. `together`: the
    terms of nested CASEs with those around them.
    """
    terms = tuple(terms)
    all_questions = [question for term in terms for question in questions_in(term)]
    plain_questions = [question for question in all_questions if not question.column.is_opaque]
    tables: dict[str, dict[str, None]] = {}
    for question in plain_questions:
        tables.setdefault(question.column.name, {})[question.column.table] = None
    around = (
        scope() if any("" in tables_named and len(tables_named) > 1 for tables_named in tables.values()) else Scope()
    )
    declared = {feature.name: feature for feature in schema.features} if schema else {}
    folded = {name.casefold(): name for name in declared}
    names: dict[tuple[str, str], str] = {}
    usages: dict[str, Usage] = {}
    name_of_key: dict[tuple[str, str], str] = {}
    for question in plain_questions:
        column = question.column
        tables_named = {"" if around.is_plain(table, column.name) else table: None for table in tables[column.name]}
        is_shared = len(tables_named) > 1
        key = (column.table if is_shared and column.table in tables_named else "", column.name)
        if key not in name_of_key:
            taken_names = (
                usages
                if "" not in tables_named or not key[0]
                else {*usages, *declared} - {f"{column.table}.{column.shown}"}
            )
            name_of_key[key] = _called(column, bool(key[0]), declared, folded, taken_names)
            usages[name_of_key[key]] = Usage(column)
        names[column.table, column.name] = name_of_key[key]
        usages[name_of_key[key]].take(question)
    several = _split(names, tables)
    for question in filter(lambda question: question.column.is_opaque, all_questions):
        _take_opaque(question, names, usages, declared)
    features, unfit = _features(usages, declared, dialect)
    doubtful = doubtful_numbers(usages, dialect) | doubtful_texts(usages, names, features, [*terms, *together], dialect)
    unfit |= {name: problem for name, problem in doubtful.items() if name not in declared}
    return CaseColumns(dialect, names, usages, features, tuple(declared), several, unfit)


def _split(names: Mapping[tuple[str, str], str], tables: Mapping[str, Container[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of columns of one name, of which one is without a table."""
    split: dict[str, dict[str, None]] = {}
    for (_, folded_name), name in names.items():
        if "" in tables[folded_name]:
            split.setdefault(folded_name, {})[name] = None
    return tuple(tuple(names) for names in split.values() if len(names) > 1)


def _take_opaque(
    question: ColumnQuestion, names: dict[tuple[str, str], str], usages: dict[str, Usage], taken: Container[str]
) -> None:
    """Add a question on an expression; two expressions of one text, such as random(), have two names."""
    column = question.column
    key = column.table, column.name
    if key not in names and sum(usage.column.is_opaque for usage in usages.values()) >= MOST_EXPRESSIONS:
        return
    if key not in names:
        candidates = (f"{column.shown} ({n})" if n > 1 else column.shown for n in count(1))
        names[key] = next(name for name in candidates if name not in taken and name not in usages)
        usages[names[key]] = Usage(column)
    usages[names[key]].take(question)


def _features(
    usages: Mapping[str, Usage], declared: Mapping[str, Feature], dialect: Dialect
) -> tuple[dict[str, Feature], dict[str, str]]:
    """Return the columns, and why those that stand for expressions cannot be read, if they cannot."""
    features: dict[str, Feature] = {}
    unfit: dict[str, str] = {}
    for name, usage in usages.items():
        if usage.column.is_opaque:
            features[name], problem = opaque_feature(name, usage, dialect)
            unfit |= {name: problem} if problem else {}
        else:
            features[name] = declared.get(name) or inferred_feature(name, usage, dialect)
    return features, unfit


def _called(
    column: ColumnName,
    is_shared: bool,
    declared: Mapping[str, Feature],
    folded: Mapping[str, str],
    taken: Container[str],
) -> str:
    shown = f"{column.table}.{column.shown}" if is_shared and column.table else column.shown
    for name in (shown, column.name, folded.get(column.shown.casefold(), "")):
        if name in declared and name not in taken:
            return name
    return next(name for name in (shown, column.name, column.sql, shown + "_") if name not in taken)


def require_known(columns: CaseColumns, term: Term, schema: Schema | None) -> None:
    """Raise unless all categories in a condition are declared.

    Raises:
        ParseError: a category is not declared; the reader adds the position.
    """
    declared = {feature.name for feature in schema.features} if schema else set()
    for question in questions_in(term):
        if question.column.is_opaque:
            continue
        feature = columns.features[columns.name(question.column)]
        if feature.name not in declared or not feature.is_open or question.relation not in ("in", "same"):
            continue
        for value in question.values:
            category = None if value == NULL else comparable_value(feature, value, columns.dialect, False)
            if category is not None and feature.position(category) is None:
                hint = did_you_mean(category, [str(category) for category in feature.categories])
                raise ParseError(
                    f"{category!r} is not a declared category of column {feature.name!r}",
                    f"{hint}declared: {listed(feature.categories)}",
                )


def require_spelled(columns: CaseColumns, term: Term, hints: Mapping[str, str]) -> None:
    """Raise if the name of a column is similar to a declared one; `hints` are the similar names by name.

    Raises:
        ParseError: the name is similar; the reader adds the position.
    """
    for question in questions_in(term) if hints else ():
        if question.column.is_opaque:
            continue
        name = columns.name(question.column)
        if name in hints:
            problem = f"no column named {name!r} is declared"
            raise ParseError(problem, f"{hints[name]}if it is another one, declare it too")

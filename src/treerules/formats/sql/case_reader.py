"""CASE expressions of SQL as rule lists, in which the first WHEN that is true decides.

    CASE WHEN a > 5 OR b = 'x' THEN 'high' ELSE 'low' END         WHEN 1: a > 5          -> high
                                                                  WHEN 1: b in {x}       -> high
                                                                  ELSE:                  -> low

A WHEN fires where its condition is true; where the condition is unknown, because of NULL, neither it nor its NOT fires.
An expression that is not understood is a column of its own, `opaque`; what is proved holds whatever its values are.
Parts that cannot be parsed are listed in `unparsed` with their position, and their rules are omitted. A rule that is
reported as unreachable is so in any case, but a row of a gap or an overlap may belong to a WHEN that was not parsed.
A CASE whose words are in a wrong order, whose END is missing, or in which statements of Jinja stand, has no rules and
one unparsed part. An expression of Jinja, `{{ ... }}`, is a text that is not known.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen
from toolz import unique

from treerules.data.domain import Domain
from treerules.data.schema import Feature, Schema
from treerules.errors import ParseError, did_you_mean
from treerules.formats.arguments import require_readable
from treerules.formats.sql.branches import BranchEntry, entries_of, nested_terms, unparsed_part
from treerules.formats.sql.case_parts import Case, branch_places
from treerules.formats.sql.column_inference import CaseColumns, infer_columns, require_known, require_spelled
from treerules.formats.sql.condition_reader import ConditionReader
from treerules.formats.sql.conjunctions import Conjunction
from treerules.formats.sql.conjunctions_to_rules import antecedents_of, impossible_antecedent, require_few
from treerules.formats.sql.find_case import cases_of
from treerules.formats.sql.from_scope import scope_of
from treerules.formats.sql.notes import notes_of
from treerules.formats.sql.outcomes import Misfit, Target, infer_target
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.formats.sql.sql_text import SqlText, sql_text
from treerules.formats.sql.text_prefixes import understood_prefixes, without_prefixes
from treerules.formats.sql.truth import Logic
from treerules.formats.sql.unordered_nan import nan_uses
from treerules.rules.parsed import ParsedRules, SqlSource
from treerules.rules.prefixes import Prefixes
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import RuleList
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import dialect_to_read
from treerules.trees.node_parts import Prediction, certain_prediction

#: With more pairs of names misspelled ones are not searched for.
_MOST_HINTS = 100_000


def rules_from_sql(
    text: str,
    *,
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
    file: str = "",
) -> tuple[ParsedRules, ...]:
    """Return each CASE expression of a text as a rule list, in queries, views, inserts, macros, templates, or alone.

    A CASE that is an outcome of another CASE is read as part of the outer one. What cannot be read is named: a WHEN, or
    a whole CASE if its structure is wrong or if Jinja (`{% if %}`) decides it; the other CASEs are read.

    Args:
        text: Any SQL, one statement or several.
        dialect: The dialect, as in `to_sql`; by default one that reads the common SQL of most dialects.
        schema: The kinds and categories of columns, and the target. By default they are inferred from the literals that
            columns are compared with.
        domain: The values that columns have, a `ColumnDomain` by name; kept with the rules.
        file: The name of the text in errors.

    Returns:
        The rules of each CASE in the order of the text, with their lines and with the parts that could not be read. A
        CASE that could not be read has no rules and one unparsed part. Where a quote or comment is not closed, the
        CASEs of the lines before it are read, and the rest is one unparsed part.

    Raises:
        MissingExtraError: sqlglot is not installed.
        UnknownNameError: there is no such dialect.
        OptionError: an argument is of a wrong type.
        ParseError: a quote or comment is not closed and no CASE could be read before it; or the text names a category
            or class that is not declared, or misspells a declared column.

    Examples:
        >>> (parsed,) = rules_from_sql("SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS who FROM people")
        >>> [(parsed.name(rule.number), rule.value) for rule in parsed.rules.rules]
        [('WHEN 1', 'child'), ('ELSE', 'adult')]
        >>> parsed.rules.firing({"age": 17.9})[0].value
        'child'
    """
    require_readable(text, schema, domain, file)
    source = sql_text(text, dialect_to_read(dialect), file)
    cases = cases_of(source)
    declared = schema.features if schema else ()
    reader = ConditionReader(source.dialect, {feature.name.casefold(): feature for feature in declared})
    inner: set[int] = set()
    outer: list[tuple[Case, list[BranchEntry]]] = []
    for start, case in cases.items():
        if start not in inner:
            entries, parts = entries_of(source, reader, case, cases)
            inner |= parts
            outer.append((case, entries))
    is_one = len(outer) == 1
    return tuple(
        _CaseReading(source, case, entries, schema, domain or {}, "" if is_one else f"CASE {number}").parsed()
        for number, (case, entries) in enumerate(outer, 1)
    )


@frozen
class _CaseReading:
    """One CASE with its branches, and the declarations of the caller."""

    source: SqlText
    case: Case
    entries: Sequence[BranchEntry]
    schema: Schema | None
    domain: Domain
    title: str

    @property
    def dialect(self) -> Dialect:
        return self.source.dialect

    def parsed(self) -> ParsedRules:
        """Return the rules of the CASE."""
        prefixes = self._take_prefixes()
        terms = [entry.term for entry in self.entries if entry.term is not None]
        columns = infer_columns(
            terms, self.dialect, self.schema, lambda: scope_of(self.source, self.case), nested_terms(self.entries)
        )
        self._check_names(columns)
        branches = self._read(columns)
        alias = self.source.alias(self.case.stop)
        target = self._target(alias, columns)
        features = self._features(columns)
        schema = Schema(features, target.feature)
        rules, lines, names, outcomes = self._rules(branches, schema, target)
        title = f"{self.title} ({alias})" if self.title and alias else self.title
        unparsed_parts = [entry.unparsed for entry in self.entries if entry.unparsed is not None]
        if self.case.problem:
            unparsed_parts = [unparsed_part(self.source, self.case.part, self.case.problem)]
        literals = {name: {value: literal.sql for literal, value in columns.literals(name)} for name in columns.usages}
        of_columns = {
            name: prefixes[usage.column.name] for name, usage in columns.usages.items() if usage.column.name in prefixes
        }
        columns_sql = {name: usage.column.sql for name, usage in columns.usages.items()}
        return ParsedRules(
            RuleList(schema, rules),
            {name: declared for name, declared in self.domain.items() if name in schema.indices},
            lines,
            names,
            title,
            unparsed_parts,
            notes_of(
                self.dialect,
                columns,
                self.entries,
                of_columns,
                has_empty_text=self.source.has_empty_text(self.case.part),
            ),
            evolve(
                self._source(columns_sql, literals, outcomes),
                expressions=columns.expressions,
                prefixes=of_columns,
                nan_uses=nan_uses(self.entries, columns),
                binary=frozenset(name for name, usage in columns.usages.items() if usage.exactly),
            ),
            columns.opaque,
        )

    def _source(
        self, columns: Mapping[str, str], literals: Mapping[str, Mapping[Any, str]], outcomes: Mapping[int, str]
    ) -> SqlSource:
        """Return the spelling of the CASE, and what its own words say."""
        line, _ = self.source.line_and_column(self.case.start)
        tokens = " ".join(token.text for token in self.source.tokens[self.case.start : self.case.stop])
        if self.case.problem:  # statements of Jinja may stand between its tokens
            tokens = " ".join(self.source.source(self.case.part).split())
        chained = [entry for entry in self.entries if set(entry.name.split(".")[:-1]) <= {"ELSE"}]
        n_whens = sum(entry.condition is not None for entry in chained)
        falls = any(entry.falls for entry in self.entries)
        places = branch_places(self.source, self.case)
        return SqlSource(self.dialect.name, columns, literals, outcomes, line, tokens, n_whens, falls, places)

    def _take_prefixes(self) -> dict[str, Prefixes]:
        """Replace the prefixes of LIKE by values; return those of each column, by its name in the conditions."""
        declared = [feature.name for feature in self.schema.features] if self.schema else []
        prefixes = understood_prefixes([entry.term for entry in self.entries], self.dialect, declared)
        terms = without_prefixes([entry.term for entry in self.entries], prefixes)
        for entry, term in zip(self.entries, terms, strict=True):
            entry.term = term
        return prefixes

    def _check_names(self, columns: CaseColumns) -> None:
        """Raise if a category is not declared, or if a column name misspells that of a declared column.

        Raises:
            ParseError: the CASE has such a category or column.
        """
        undeclared = [
            name
            for name, usage in columns.usages.items()
            if self.schema is not None and name not in columns.declared and not usage.column.is_opaque
        ]
        lacking = self.source.lacking(columns.declared) if undeclared else []
        is_few = len(undeclared) * len(lacking) <= _MOST_HINTS  # all pairs of names are compared
        hints = {name: hint for name in undeclared if is_few and (hint := did_you_mean(name, lacking))}
        for entry in self.entries:
            if entry.term is not None:
                try:
                    require_known(columns, entry.term, self.schema)
                    require_spelled(columns, entry.term, hints)
                except ParseError as error:
                    raise self.source.wrong(error.problem, error.remedy, entry.token) from None

    def _read(self, columns: CaseColumns) -> list[tuple[BranchEntry, list[Conjunction]]]:
        """Return the conjunctions of each branch, ignoring the branches before it; unreadable branches are left out."""
        logic = Logic(columns.meaning)
        conjunctions: dict[int, list[Conjunction] | None] = {}
        branches = []
        for entry in self.entries:
            around = [{}] if entry.around is None else conjunctions[id(entry.around)]
            own: list[Conjunction] | None = None
            if around is not None and entry.term is not None:
                try:
                    own = logic.conjunctions(entry.term)
                    own = own if entry.around is None else logic.intersection([around, own])
                    require_few(own)
                except (NotReadError, RecursionError) as error:
                    own = None
                    problem = error.problem if isinstance(error, NotReadError) else "it is nested too deep"
                    entry.unparsed = (
                        None if entry.condition is None else unparsed_part(self.source, entry.condition, problem)
                    )
            conjunctions[id(entry)] = own
            if own is not None and entry.outcome is not None:
                branches.append((entry, own))
        return branches

    def _target(self, alias: str, columns: CaseColumns) -> Target:
        declared = self.schema.target if self.schema else None
        is_target = declared is not None and (not self.title or alias.casefold() == declared.name.casefold())
        name = alias or "outcome"
        declared = declared if is_target and declared and declared.name not in columns.features else None
        features = {feature.name for feature in self.schema.features} if self.schema else set()
        while name in features or name in columns.features:
            name += "_"
        outcomes = [entry.outcome for entry in self.entries if entry.outcome is not None]
        try:
            return infer_target(outcomes, name, declared, is_truth=self.dialect.reading.numeric_truth)
        except Misfit as misfit:
            entry = next(
                branch for branch in self.entries if branch.outcome is not None and branch.outcome.sql == misfit.sql
            )
            raise self.source.wrong(misfit.problem, misfit.remedy, entry.token) from None

    def _features(self, columns: CaseColumns) -> list[Feature]:
        """Return the columns of the conditions: first those that are declared, in their order, then the others."""
        declared = [feature.name for feature in self.schema.features] if self.schema else []
        return [columns.features[name] for name in unique([*declared, *columns.features]) if name in columns.features]

    def _rules(
        self, branches: Sequence[tuple[BranchEntry, list[Conjunction]]], schema: Schema, target: Target
    ) -> tuple[list[Rule], dict[int, int], dict[int, str], dict[int, str]]:
        """Return the rules, and by their numbers their lines, names and outcomes."""
        rules: list[Rule] = []
        predictions: dict[str, Prediction] = {}
        lines: dict[int, int] = {}
        names: dict[int, str] = {}
        outcomes: dict[int, str] = {}
        for entry, conjunctions in branches:
            sql = entry.outcome.sql if entry.outcome else "NULL"
            if sql not in predictions:
                predictions[sql] = certain_prediction(schema, target.classes[sql])
            antecedents = list(antecedents_of(conjunctions, schema))
            if not antecedents and (impossible := impossible_antecedent(schema)) is not None:
                antecedents = [impossible]  # a rule that never fires is reported as unreachable
            for conditions in antecedents:
                number = len(rules) + 1
                rules.append(Rule(number, conditions, predictions[sql], RuleFigures(0.0, 0.0)))
                line, _ = self.source.line_and_column(entry.token)
                lines[number], names[number], outcomes[number] = line, entry.name, sql
        return rules, lines, names, outcomes

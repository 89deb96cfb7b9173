"""SQL that already exists: every CASE of a text as a rule list, in which the first WHEN that is true decides.

    CASE WHEN a > 5 OR b = 'x' THEN 'high' ELSE 'low' END         WHEN 1: a > 5          -> high
                                                                  WHEN 1: b in {x}       -> high
                                                                  ELSE:                  -> low

A WHEN fires where its condition is true; where it is unknown, because of NULL, it does not, nor does NOT of it. What
cannot be read is named in `unread` with its place, and its rules are left out. So a rule that never decides does not,
for certain; but a row of a gap may be taken by a WHEN that was not read, and so may one of an overlap.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from treerules.data.domain import Domain
from treerules.data.schema import Feature, Schema
from treerules.errors import ParseError, did_you_mean
from treerules.formats.arguments import require_readable
from treerules.formats.sql.branches import BranchEntry, entries_of, unread
from treerules.formats.sql.column_inference import CaseColumns, infer_columns, require_known, require_spelled
from treerules.formats.sql.condition_reader import ConditionReader
from treerules.formats.sql.conjunctions import Conjunction
from treerules.formats.sql.conjunctions_to_rules import antecedents_of, impossible_antecedent, require_few
from treerules.formats.sql.find_case import Case, SqlText, cases_of, sql_text
from treerules.formats.sql.from_scope import scope_of
from treerules.formats.sql.notes import notes_of
from treerules.formats.sql.outcomes import Misfit, Target, infer_target
from treerules.formats.sql.predicate_terms import NotReadError
from treerules.formats.sql.truth import Logic
from treerules.rules.parsed import ParsedRules, SqlSource
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import RuleList
from treerules.sql.dialect import Dialect
from treerules.sql.dialects import dialect_to_read
from treerules.trees.node_parts import Prediction, certain

#: Of more pairs of names none is looked at for a slip.
_MOST_HINTS = 100_000


def rules_from_sql(
    text: str,
    *,
    dialect: str | None = None,
    schema: Schema | None = None,
    domain: Domain | None = None,
    file: str = "",
) -> tuple[ParsedRules, ...]:
    """Return each CASE of a text as rules, wherever it stands: in queries, views, inserts, macros, or alone.

    A CASE that is an outcome of another is part of that one. Columns are of the kinds that `schema` declares, else of
    those of the literals they meet. `domain` says which values come; `file` is what errors call the text.

    >>> (found,) = rules_from_sql("SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS who FROM people")
    >>> [(found.name(rule.number), rule.value) for rule in found.rules.rules]
    [('WHEN 1', 'child'), ('ELSE', 'adult')]
    >>> found.rules.firing({"age": 17.9})[0].value
    'child'

    Raises:
        MissingExtraError: sqlglot is not installed.
        UnknownNameError: there is no such dialect.
        OptionError: something given is of another type.
        ParseError: the text is no SQL, or names a category or class that is not declared, or a column
            almost as one that is declared and not there.
    """
    require_readable(text, schema, domain, file)
    source = sql_text(text, dialect_to_read(dialect), file)
    cases = cases_of(source)
    reader = ConditionReader(source.dialect)
    taken: set[int] = set()
    found: list[tuple[Case, list[BranchEntry]]] = []
    for start, case in cases.items():
        if start not in taken:
            entries, used = entries_of(source, reader, case, cases)
            taken |= used
            found.append((case, entries))
    is_one = len(found) == 1
    return tuple(
        _Reading(source, case, entries, schema, domain or {}, "" if is_one else f"CASE {number}").written()
        for number, (case, entries) in enumerate(found, 1)
    )


@frozen
class _Reading:
    """One CASE, and what is declared."""

    source: SqlText
    case: Case
    entries: Sequence[BranchEntry]
    schema: Schema | None
    domain: Domain
    title: str

    @property
    def dialect(self) -> Dialect:
        return self.source.dialect

    def written(self) -> ParsedRules:
        """Return the rules."""
        terms = [entry.term for entry in self.entries if entry.term is not None]
        columns = infer_columns(terms, self.dialect, self.schema, lambda: scope_of(self.source, self.case))
        self._check_names(columns)
        read = self._read(columns)
        alias = self.source.alias(self.case)
        target = self._target(alias, columns)
        features = self._features(columns)
        schema = Schema(features, target.feature)
        rules, lines, names, outcomes = self._rules(read, schema, target)
        title = f"{self.title} ({alias})" if self.title and alias else self.title
        unread_parts = [entry.unread for entry in self.entries if entry.unread is not None]
        literals = {name: {value: literal.sql for literal, value in columns.literals(name)} for name in columns.usages}
        spelled = {name: usage.column.sql for name, usage in columns.usages.items()}
        return ParsedRules(
            RuleList(schema, rules),
            {name: declared for name, declared in self.domain.items() if name in schema.indices},
            lines,
            names,
            title,
            unread_parts,
            notes_of(self.dialect, columns, self.entries, has_empty_text=self.source.has_empty_text(self.case)),
            SqlSource(self.dialect.name, spelled, literals, outcomes),
        )

    def _check_names(self, columns: CaseColumns) -> None:
        """Raise where a category is not declared, or a column is called almost like one that is, but is not there."""
        strange = [name for name in columns.features if self.schema is not None and name not in columns.declared]
        lacking = self.source.lacking(columns.declared) if strange else []
        is_few = len(strange) * len(lacking) <= _MOST_HINTS  # each name is compared with each
        hints = {name: hint for name in strange if is_few and (hint := did_you_mean(name, lacking))}
        for entry in self.entries:
            if entry.term is not None:
                try:
                    require_known(columns, entry.term, self.schema)
                    require_spelled(columns, entry.term, hints)
                except ParseError as error:
                    raise self.source.wrong(error.problem, error.remedy, entry.token) from None

    def _read(self, columns: CaseColumns) -> list[tuple[BranchEntry, list[Conjunction]]]:
        """Return what each branch takes by itself, if nothing came before; those that cannot be read are left out."""
        logic = Logic(columns.meaning)
        boxes: dict[int, list[Conjunction] | None] = {}
        read = []
        for entry in self.entries:
            around = [{}] if entry.around is None else boxes[id(entry.around)]
            found: list[Conjunction] | None = None
            if around is not None and entry.term is not None:
                try:
                    own = logic.conjunctions(entry.term)
                    found = own if entry.around is None else logic.intersection([around, own])
                    require_few(found)
                except (NotReadError, RecursionError) as error:
                    found = None
                    problem = error.problem if isinstance(error, NotReadError) else "it is nested too deep"
                    place = entry.condition
                    entry.unread = None if place is None else unread(self.source, place, problem)
            boxes[id(entry)] = found
            if found is not None and entry.outcome is not None:
                read.append((entry, found))
        return read

    def _target(self, alias: str, columns: CaseColumns) -> Target:
        declared = self.schema.target if self.schema else None
        is_meant = declared is not None and (not self.title or alias.casefold() == declared.name.casefold())
        name = alias or "outcome"
        declared = declared if is_meant and declared and declared.name not in columns.features else None
        named = {feature.name for feature in self.schema.features} if self.schema else set()
        while name in named or name in columns.features:
            name += "_"
        outcomes = [entry.outcome for entry in self.entries if entry.outcome is not None]
        try:
            return infer_target(outcomes, name, declared, is_truth=self.dialect.reading.numeric_truth)
        except Misfit as misfit:
            entry = next(e for e in self.entries if e.outcome is not None and e.outcome.sql == misfit.sql)
            raise self.source.wrong(misfit.problem, misfit.remedy, entry.token) from None

    def _features(self, columns: CaseColumns) -> list[Feature]:
        """Return the columns that are asked, those that are declared first, in their order."""
        declared = [feature.name for feature in self.schema.features] if self.schema else []
        order = dict.fromkeys([*declared, *columns.features])
        return [columns.features[name] for name in order if name in columns.features]

    def _rules(
        self, read: Sequence[tuple[BranchEntry, list[Conjunction]]], schema: Schema, target: Target
    ) -> tuple[list[Rule], dict[int, int], dict[int, str], dict[int, str]]:
        rules: list[Rule] = []
        predictions: dict[str, Prediction] = {}
        lines: dict[int, int] = {}
        names: dict[int, str] = {}
        outcomes: dict[int, str] = {}
        lines_at = _lines(self.source, [entry.token for entry, _ in read])
        for entry, boxes in read:
            sql = entry.outcome.sql if entry.outcome else "NULL"
            if sql not in predictions:
                predictions[sql] = certain(schema, target.classes[sql])
            found = list(antecedents_of(boxes, schema))
            if not found and (never := impossible_antecedent(schema)) is not None:
                found = [never]  # so that it is there to be found
            for conditions in found:
                number = len(rules) + 1
                rules.append(Rule(number, conditions, predictions[sql], RuleFigures(0.0, 0.0)))
                lines[number], names[number], outcomes[number] = lines_at[entry.token], entry.name, sql
        return rules, lines, names, outcomes


def _lines(source: SqlText, tokens: Sequence[int]) -> Mapping[int, int]:
    """Return the lines of tokens, counted in one walk."""
    found, line, at = {}, 1, 0
    for token in sorted(set(tokens)):
        start = source.tokens[token].start
        line, at = line + source.text.count("\n", at, start), start
        found[token] = line
    return found

"""Read rules as text, such as `IF 年龄 in {青年, 中年} THEN 批准`; see docs/en/reference/rule_text.md."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from toolz import concat, first, unique

from treerules._internal.paused_gc import paused_gc
from treerules.data.domain import ColumnDomain, Domain, require_domain
from treerules.data.schema import Feature, Schema
from treerules.data.value_set import ValueSet
from treerules.formats.arguments import require_readable
from treerules.formats.notation.lexer import RuleToken, token_repr
from treerules.formats.notation.literals import literal_category, literal_value, token_text
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.feature_columns import (
    DeclaredColumns,
    column_domain,
    declared_columns,
    inferred_target,
)
from treerules.formats.rules_text.grammar import ParsedText, WrittenRule, parse_text
from treerules.formats.rules_text.lines_below import Addition, additions, completed, conditions_of_lines
from treerules.formats.rules_text.semantics import condition_values, on_column, usages_of
from treerules.rules.conditions import to_condition
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import Prediction, certain_prediction

#: The default name of the target.
_TARGET = "decision"
_NO_FIGURES = RuleFigures(0, 0.0)
#: The greatest number of digits of a rule's number.
_MOST_DIGITS = 18


@paused_gc()
def rules_from_text(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Read rules as text; docs/en/reference/rule_text.md describes it, with its grammar.

    Args:
        text: The text, such as "IF age < 30 AND city in {A, B} THEN yes". The text that `render` gives for rules can be
            read too; figures after a rule are ignored.
        schema: The known features and target; it may hold only some columns. Other columns are declared in the text, or
            inferred from the literals of the rules.
        domain: The domains of columns, by their names; declarations in the text are added to it.
        file: The name of the file for error messages; "" names none.

    Returns:
        A rule set, or a rule list if the text declares `ordered`, with the declared domain and the line of each rule.
        Figures of the rules are 0, since a text has no rows.

    Raises:
        ParseError: the text does not follow the grammar, or contradicts itself or the schema; with line, column and a
            caret.
        UnknownNameError: the domain names a column that neither the text nor the schema has.
        OptionError: an argument is of the wrong type, or a bound of the domain does not fit its column.

    Examples:
        >>> parsed = rules_from_text("IF age < 30 OR missing THEN no  IF age >= 30 THEN yes")
        >>> [rule.value for rule in parsed.rules.firing({"age": 30})], parsed.rules.schema.target.name
        (['yes'], 'decision')
        >>> rules_from_text("IF age << 30 THEN no")
        Traceback (most recent call last):
        treerules.errors.ParseError: line 1, column 9: '<' stands here, where a name or value belongs; ...
            IF age << 30 THEN no
                    ^
    """
    require_readable(text, schema, domain, file)
    source = Document(text.removeprefix("\ufeff"), file)
    parsed = parse_text(source)
    declared = declared_columns(source, parsed.columns, schema.features if schema else ())
    target_name = _target_name(source, parsed, schema, declared)
    keys = [[written.key for written in rule.conditions] for rule in parsed.rules]
    columns, conditions, added = _conditions(source, parsed, keys, declared, target_name)
    target = _target(source, parsed, schema, target_name or _free_name(columns))
    whole_schema = Schema(columns.values(), target)
    require_domain(whole_schema, domain)
    numbers = _numbers(source, parsed.rules)
    predictions = _predictions(source, whole_schema, [rule.value for rule in parsed.rules])
    rules = [
        Rule(number, _one_each([conditions[key] for key in keys_of_rule], number, added), prediction, _NO_FIGURES)
        for number, keys_of_rule, prediction in zip(numbers, keys, predictions, strict=True)
    ]
    _require_otherwise_last(source, parsed)
    starts = [rule.start.start for rule in parsed.rules]
    return ParsedRules(
        RuleSet(whole_schema, rules) if parsed.ordered is None else RuleList(whole_schema, rules),
        _domain(source, parsed, columns, domain or {}),
        {number: source.line_and_column(start)[0] for number, start in zip(numbers, starts, strict=True)},
    )


#: A condition on one column: the pair that a rule holds, and the values for a rule with several conditions on it.
_Pair = tuple[str, Condition]
_Read = tuple[_Pair, ValueSet]


def _conditions(
    source: Document, parsed: ParsedText, keys: list[list[Any]], declared: DeclaredColumns, target: str | None
) -> tuple[dict[str, Feature], dict[Any, _Read], list[Addition]]:
    """Return the columns, the condition of each distinct written one, by its key, and what the lines below add."""
    written_conditions = (condition for rule in parsed.rules for condition in rule.conditions)
    distinct = unique(zip(concat(keys), written_conditions, strict=True), key=first)
    on_columns = {key: on_column(source, condition, declared) for key, condition in distinct}
    names = {token_text(source, condition.column) for condition in on_columns.values()}
    of_lines = conditions_of_lines(source, parsed.lines, declared, names)
    for condition in on_columns.values():
        if token_text(source, condition.column) == target:
            raise source.error(f"{target!r} is what the rules predict", "use other columns", condition.column.start)
    columns = declared.completed(usages_of(source, [*on_columns.values(), *concat(of_lines)], declared))
    read: dict[Any, _Read] = {}
    for key, condition in on_columns.items():
        name = token_text(source, condition.column)
        values = condition_values(source, condition, columns[name])
        read[key] = (name, to_condition(values)), values
    return columns, read, additions(source, parsed.lines, of_lines, columns)


def _one_each(conditions: Sequence[_Read], number: int, added: Sequence[Addition]) -> Sequence[_Pair]:
    """Return one condition for each column: the common values of all conditions on it. A single one is shared."""
    pairs: dict[str, _Pair] = {}
    values_by_name: dict[str, ValueSet] = {}
    for pair, values in conditions:
        name, whole = pair[0], completed(values, number, pair[0], added) if added else values
        if name in pairs:
            whole = values_by_name[name] & whole
        if name in pairs or whole is not values:
            pair = (name, to_condition(whole))
        pairs[name], values_by_name[name] = pair, whole
    return list(pairs.values())


def _target_name(source: Document, parsed: ParsedText, schema: Schema | None, declared: DeclaredColumns) -> str | None:
    """Return the name of the target; the schema, the declaration and the rules must agree on it."""
    if len(parsed.targets) > 1:
        raise source.error("there is a second target", "declare one target", parsed.targets[1].start.start)
    target = schema.target.name if schema is not None and schema.target is not None else None
    words = [declaration.name for declaration in parsed.targets]
    words += [rule.target for rule in parsed.rules if rule.target is not None]
    for word in unique(words, key=_raw_text):
        name = token_text(source, word)
        if target is not None and name != target:
            problem = f"{name!r} is predicted here, and {target!r} elsewhere"
            raise source.error(problem, "predict one target: THEN name = value", word.start)
        if declared.has(name):
            raise source.error(f"{name!r} is both a column and the target", "rename one of them", word.start)
        target = name
    return target


def _raw_text(token: RuleToken) -> str:
    return token.text


def _free_name(columns: Mapping[str, Feature]) -> str:
    """Return a name for the target that no column has: decision, decision2, decision3."""
    names = (f"{_TARGET}{'' if turn == 1 else turn}" for turn in count(1))
    return next(name for name in names if name not in columns)


def _target(source: Document, parsed: ParsedText, schema: Schema | None, name: str) -> Feature:
    kind = parsed.targets[0].kind if parsed.targets else None
    target = schema.target if schema is not None else None
    if target is not None and kind is None:
        return target
    words = list(unique((rule.value for rule in parsed.rules), key=_raw_text))
    declared = inferred_target(source, name, kind, words)
    if target is not None and declared != target and kind is not None and kind.categories is not None:
        problem = f"target {name!r} is declared differently in the schema"
        raise source.error(problem, "remove the declaration, or correct it", kind.kind.start)
    return target or declared


def _predictions(source: Document, schema: Schema, words: Iterable[RuleToken]) -> list[Prediction]:
    """Return the prediction of each rule; rules with the same value share it."""
    predictions: dict[str, Prediction] = {}
    for word in words:
        if word.text not in predictions:
            predictions[word.text] = _prediction(source, schema, word)
    return [predictions[word.text] for word in words]


def _prediction(source: Document, schema: Schema, word: RuleToken) -> Prediction:
    target = schema.target
    if target is None:
        raise AssertionError("rules that were read have a target")
    if not schema.is_regression:
        return certain_prediction(schema, literal_category(source, word, target, is_target=True))
    value = literal_value(source, word, "number", target.name)
    if abs(value) == float("inf"):
        raise source.error(f"{token_repr(word)} is predicted", "predict a finite number", word.start)
    return certain_prediction(schema, value)


def _numbers(source: Document, rules: Sequence[WrittenRule]) -> list[int]:
    """Return the number of each rule: its own, else one more than the number of the rule before."""
    starts, last = dict[int, int](), 0
    for rule in rules:
        start = rule.start.start
        digits = rule.number.text.rstrip(":： \t") if rule.number is not None else ""
        if len(digits) > _MOST_DIGITS:
            raise source.error("this rule's number is too long", "number rules from 1", start)
        last = int(digits) if digits else last + 1
        if last in starts:
            problem = f"rule {last} stands on line {source.line_and_column(starts[last])[0]} already"
            raise source.error(problem, "give it another number, or number no rule", start)
        starts[last] = start
    return list(starts)


def _require_otherwise_last(source: Document, parsed: ParsedText) -> None:
    for rule in parsed.rules:
        if rule.keyword.type == "OTHERWISE" and parsed.ordered is None:
            problem = "OTHERWISE depends on the rules before it, and rules of a set do not"
            remedy = "write `ordered` at the top: then the first match wins"
            raise source.error(problem, remedy, rule.keyword.start)
        if rule.keyword.type == "OTHERWISE" and rule is not parsed.rules[-1]:
            raise source.error("rules follow OTHERWISE, which takes all rows", "write it last", rule.keyword.start)


def _domain(
    source: Document, parsed: ParsedText, columns: Mapping[str, Feature], domain: Domain
) -> dict[str, ColumnDomain]:
    """Return the domains of columns from the argument and the text; columns without a limit are left out."""
    declared = dict(domain)
    for declaration in parsed.columns:
        name = token_text(source, declaration.name)
        limits = declared.get(name, ColumnDomain())
        declared[name] = column_domain(source, columns[name], declaration, limits)
    return {name: column for name, column in declared.items() if column != ColumnDomain()}

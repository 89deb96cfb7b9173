"""Rules as text, such as `IF 年龄 in {青年, 中年} AND income > 3000 THEN 批准`. docs/rules.md has the grammar."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treerules._internal.paused_gc import paused_gc
from treerules.data.domain import ColumnDomain, Domain, require_domain
from treerules.data.schema import Feature, Schema
from treerules.formats.arguments import require_readable
from treerules.formats.rules_text.feature_columns import Columns, column_domain, declared_columns, target_of
from treerules.formats.rules_text.grammar import Asked, Said, Text, parsed
from treerules.formats.rules_text.lexer import Source, Token, shown, text_of
from treerules.formats.rules_text.semantics import Question, condition_of, question_of, uses_of
from treerules.formats.rules_text.word_literals import category_of, value_of
from treerules.rules.conditions import both
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.node_parts import Prediction, certain

#: What the target is called where nobody names it.
_TARGET = "decision"
_UNKNOWN = RuleFigures(0, 0.0)


@paused_gc()
def rules_from_text(
    text: str, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> ParsedRules:
    """Return the rules that a text says; docs/rules.md has the grammar.

    `schema` and `domain` say what is known of columns beforehand: what they name is as they say, other columns are as
    the text declares them or as the rules show them. `file` is named in errors. What `rules_text` prints is read too;
    figures behind a rule are left aside.

    >>> written = rules_from_text("IF age < 30 OR missing THEN no  IF age >= 30 THEN yes")
    >>> [rule.value for rule in written.rules.firing({"age": 30})], written.rules.schema.target.name
    (['yes'], 'decision')
    >>> rules_from_text("IF age << 30 THEN no")
    Traceback (most recent call last):
    treerules.errors.ParseError: line 1, column 9: '<' stands here, where a name or value belongs; ...
        IF age << 30 THEN no
                ^

    Raises:
        ParseError: the text does not follow the grammar, or what it says cannot be; with line, column and a caret.
        UnknownNameError, OptionError: the domain does not fit the schema, or something given is of another type.
        MissingExtraError: lark is not installed.
    """
    require_readable(text, schema, domain, file)
    source = Source(text.removeprefix("\ufeff"), file)
    said = parsed(source)
    known = declared_columns(source, said.columns, schema.features if schema else (), domain or {})
    target_name = _target_name(source, said, schema, known)
    columns, conditions = _conditions(source, said, known, target_name)
    target = _target(source, said, schema, target_name or _free(columns))
    whole = Schema(columns.values(), target)
    require_domain(whole, domain)
    numbers = _numbers(source, said.rules)
    values = [rule.value for rule in said.rules]
    rules = [
        Rule(number, _merged(columns, [conditions[asked.key] for asked in rule.asked]), prediction, _UNKNOWN)
        for number, rule, prediction in zip(numbers, said.rules, _predictions(source, whole, values), strict=True)
    ]
    _check_otherwise(source, said)
    return ParsedRules(
        RuleSet(whole, rules) if said.ordered is None else RuleList(whole, rules),
        _domain(source, said, columns, domain or {}),
        {number: source.place(rule.place.start_pos)[0] for number, rule in zip(numbers, said.rules, strict=True)},
    )


def _conditions(
    source: Source, said: Text, known: Columns, target: str | None
) -> tuple[dict[str, Feature], dict[Any, tuple[str, Condition]]]:
    """Return the columns, and the condition of each distinct asking, with its column."""
    distinct: dict[Any, Asked] = {}
    for rule in said.rules:
        for asked in rule.asked:
            distinct.setdefault(asked.key, asked)
    questions: dict[Any, Question] = {key: question_of(source, asked, known) for key, asked in distinct.items()}
    named = {key: text_of(source, question.column) for key, question in questions.items()}
    for key, name in named.items():
        if name == target:
            place = questions[key].column.start_pos
            raise source.error(place, f"{name!r} is what the rules predict", "ask about other columns")
    columns = known.completed(uses_of(source, questions.values(), known))
    return columns, {
        key: (named[key], condition_of(source, question, columns[named[key]])) for key, question in questions.items()
    }


def _merged(
    columns: Mapping[str, Feature], conditions: Iterable[tuple[str, Condition]]
) -> Sequence[tuple[str, Condition]]:
    """Return one condition a column: what all conditions on it take. One that stands alone is shared."""
    found: dict[str, tuple[str, Condition]] = {}
    for pair in conditions:
        name, condition = pair
        if name in found:
            pair = (name, both(columns[name], found[name][1], condition))
        found[name] = pair
    return list(found.values())


def _target_name(source: Source, said: Text, schema: Schema | None, known: Columns) -> str | None:
    """Return what is predicted: as the schema, the declaration and the rules call it, which must agree."""
    if len(said.targets) > 1:
        raise source.error(said.targets[1].place.start_pos, "there is a second target", "declare one target")
    called = [schema.target.name] if schema is not None and schema.target is not None else []
    words = [declared.name for declared in said.targets]
    words += [rule.target for rule in said.rules if rule.target is not None]
    for word in _firsts(words):
        name = text_of(source, word)
        if called and name != called[0]:
            problem = f"{name!r} is predicted here, and {called[0]!r} elsewhere"
            raise source.error(word.start_pos, problem, "predict one target: THEN name = value")
        if known.knows(name):
            raise source.error(word.start_pos, f"{name!r} is both a column and the target", "call one otherwise")
        called = [name]
    return called[0] if called else None


def _firsts(words: Iterable[Token]) -> list[Token]:
    """Return each word where it stands first."""
    found: dict[str, Token] = {}
    for word in words:
        found.setdefault(str.__str__(word), word)
    return list(found.values())


def _free(columns: Mapping[str, Feature]) -> str:
    """Return a name for the target that no column has."""
    turn = 1
    while f"{_TARGET}{'' if turn == 1 else turn}" in columns:
        turn += 1
    return f"{_TARGET}{'' if turn == 1 else turn}"


def _target(source: Source, said: Text, schema: Schema | None, name: str) -> Feature:
    kind = said.targets[0].kind if said.targets else None
    words = _firsts(rule.value for rule in said.rules)
    known = schema.target if schema is not None else None
    found = known if known is not None and kind is None else target_of(source, name, kind, words)
    if known is not None and found != known and kind is not None and kind.categories is not None:
        problem = f"target {name!r} is declared otherwise than the schema has it"
        raise source.error(kind.kind.start_pos, problem, "take the declaration away, or mend it")
    return known or found


def _predictions(source: Source, schema: Schema, words: Iterable[Token]) -> list[Prediction]:
    """Return the prediction of each rule; rules that say the same share it."""
    found: dict[str, Prediction] = {}
    predictions = []
    for word in words:
        text = str.__str__(word)
        if text not in found:
            found[text] = _prediction(source, schema, word)
        predictions.append(found[text])
    return predictions


def _prediction(source: Source, schema: Schema, word: Token) -> Prediction:
    target = schema.target
    if target is None:
        raise AssertionError("rules that were read have a target")
    if not schema.is_regression:
        return certain(schema, category_of(source, word, target))
    value = value_of(source, word, "number", target.name)
    if abs(value) == float("inf"):
        raise source.error(word.start_pos, f"{shown(word)} is predicted", "predict a finite number")
    return certain(schema, value)


def _numbers(source: Source, rules: Sequence[Said]) -> list[int]:
    """Return the number of each rule: its own, else one more than the rule before."""
    found, met, last = list[int](), dict[int, int](), 0
    for rule in rules:
        digits = rule.number.rstrip(":： \t") if rule.number is not None else ""
        if len(digits) > 18:
            raise source.error(rule.place.start_pos, "this rule's number is too long", "number rules from 1")
        last = int(digits) if digits else last + 1
        if last in met:
            line = source.place(met[last])[0]
            problem = f"rule {last} stands on line {line} already"
            raise source.error(rule.place.start_pos, problem, "give it another number, or number no rule")
        met[last] = rule.place.start_pos
        found.append(last)
    return found


def _check_otherwise(source: Source, said: Text) -> None:
    for rule in said.rules:
        if rule.word.type == "OTHERWISE" and said.ordered is None:
            problem = "OTHERWISE leans on the rules before it, and rules of a set do not"
            raise source.error(rule.word.start_pos, problem, "write `ordered` at the top: then the first match wins")
        if rule.word.type == "OTHERWISE" and rule is not said.rules[-1]:
            raise source.error(rule.word.start_pos, "rules follow OTHERWISE, which takes all rows", "write it last")


def _domain(source: Source, said: Text, columns: Mapping[str, Feature], domain: Domain) -> dict[str, ColumnDomain]:
    """Return what is declared of columns, beforehand and in the text; what declares nothing is left out."""
    found = dict(domain)
    for declared in said.columns:
        name = text_of(source, declared.name)
        found[name] = column_domain(source, columns[name], declared, found.get(name, ColumnDomain()))
    return {name: column for name, column in found.items() if column != ColumnDomain()}

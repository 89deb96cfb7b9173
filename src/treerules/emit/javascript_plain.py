"""Rules as a plain JavaScript module: `if` statements under the columns' names, with the functions that they need."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.emit.assuming import refusal_lines, refused_columns
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.hashed_text import hash_of_rule_texts
from treerules.emit.header import Opening, opening_with
from treerules.emit.javascript_comments import JAVASCRIPT_COMMENTS
from treerules.emit.javascript_language import JAVASCRIPT, choice_lines, javascript_text
from treerules.emit.javascript_lookup import LOOKUP_NAMES, JavascriptLookup, javascript_lookup
from treerules.emit.javascript_statements import SCRIPT_INDENT, SCRIPT_WIDTH, ScriptCode, broken, script_code
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.lookup_nodes import lookup_nodes, require_tree
from treerules.emit.plain_parts import MOST_INLINE_RULES, class_counts, shares_of, wrapped
from treerules.emit.python.python_literals import code_width
from treerules.emit.spelled_rules import NO_RULE, spelled_rules
from treerules.emit.variable_names import variable_names
from treerules.rendering.templates import render_template
from treerules.rules.shared_conditions import ConstraintWriters, constraint_writers, constraints_of
from treerules.trees.node_parts import Prediction

#: A name of a column that is wider stands in a constant.
_WIDEST_NAME = 32
#: The words that no variable of a module may be named like.
# fmt: off
SCRIPT_KEYWORDS = frozenset((
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function",
    "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package",
    "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try",
    "typeof", "var", "void", "while", "with", "yield", "undefined", "NaN", "Infinity", "Error"
))
# fmt: on
#: The names that the code of `explain` uses.
_OURS = frozenset(["row", "rule", "value", "number", "integer", "day", "moment", "momentUtc"])
#: The names that no variable of a column has.
RESERVED = SCRIPT_KEYWORDS | _OURS
#: How values are loaded, by type; {} is the literal of the column's name.
COLUMN_LOADS = {
    "number": "number(row, {})",
    "integer": "integer(row, {})",
    "boolean": 'value(row, {}, "boolean")',
    "text": 'value(row, {}, "string")',
    "date": 'day(value(row, {0}, "string", "object"), {0}) ?? undefined',
    "timestamp": 'moment(value(row, {0}, "string"), {0}) ?? undefined',
    "timestamp_utc": 'momentUtc(value(row, {0}, "string", "object"), {0}) ?? undefined',
}


@short_repr
@frozen
class PlainJavascriptContext:
    """The values passed to `javascript/plain.js.j2`, by field name. Public API. All texts are finished code."""

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: statements that set CLASSES, ANSWERS and COUNTS or SHARES, or RULES, and the sets and names that the code uses
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: whether the model has classes, so that there is predictProba
    classes: bool
    #: whether the shares of the classes are counts of training rows
    has_counts: bool
    #: whether a table RULES holds predictions, shares and texts; otherwise texts stand beside the code
    has_table: bool
    #: statements that load the values of a row
    loads: tuple[str, ...] = field(converter=as_tuple)
    #: the types of those values: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalars: tuple[str, ...] = field(converter=as_tuple)
    #: the tests and answers: finished lines
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool
    #: of the style "lookup" the table of nodes
    lookup: JavascriptLookup | None = None
    #: whether the table RULES holds texts, which `explain` returns
    has_texts: bool = True
    #: the body of the function that refuses a row without some key; none where no column is needed
    strict: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the statement that sets DOMAIN, what is declared of columns, where rows outside are refused; else ""
    domain: str = ""


@paused_gc()
def plain_javascript(
    checked: CheckedRules,
    layout: Literal["flat", "guarded", "lookup"],
    templates: str | Path | None,
    lang: str,
    *,
    has_texts: bool = True,
) -> str:
    """Return the text of a plain module; of the layout "lookup" it walks a table of nodes.

    Without texts, which "lookup" alone may leave out, it has no function `explain`.

    Raises:
        OptionError: the layout is "lookup" and the rules have no tree.
    """
    return render_template("javascript/plain.js.j2", templates, _context(checked, layout, lang, has_texts))


def _context(
    checked: CheckedRules, layout: Literal["flat", "guarded", "lookup"], lang: str, has_texts: bool
) -> PlainJavascriptContext:
    schema, writers = checked.schema, constraint_writers(checked.schema)
    rules = spelled_rules(checked, writers, lang)
    fired = [rule.hashed for rule in rules if rule.hashed]
    has_table = len(fired) > MOST_INLINE_RULES or layout == "lookup"
    texts = {rule.number: rule.text for rule in rules}
    lookup = None
    if layout == "lookup":
        nodes = lookup_nodes(schema, [require_tree(checked)])
        reserved = [*LOOKUP_NAMES, *nodes.table_names]
        code, variables = _code(checked, [], writers, {}, nodes.features, reserved)
        lookup, code = javascript_lookup(nodes, variables), evolve(code, falls_through=False)
    else:
        code, variables = _code(checked, lines_of(checked, layout), writers, {} if has_table else texts)
    predictions = {rule.number: rule.prediction for rule in rules}
    counts = {} if schema.is_regression else class_counts(checked, predictions)
    names, name_statements = column_names(variables)
    docs = JAVASCRIPT_COMMENTS[lang]
    if has_table:
        title = docs["plain_rules" if has_texts else "plain_answers"]
        tables = _rule_table(checked, predictions, counts, texts if has_texts else {}, title)
    else:
        tables = _tables(checked, predictions, counts)
    sets = [broken(f"const G{at} = new Set([", literals, "]);") for at, literals in enumerate(code.sets, 1)]
    return PlainJavascriptContext(
        opening=opening_with(schema, len(fired), hash_of_rule_texts(schema, fired), "javascript", f"plain-{layout}"),
        docs={**docs, "plain": docs["plain"].format(n=len(fired))},
        constants=[*name_statements, *tables, *sets, *([] if lookup is None else lookup.constants)],
        classes=not schema.is_regression,
        has_counts=bool(counts),
        has_table=has_table,
        loads=load_statements(variables, names),
        scalars=sorted({feature.scalar for feature in variables}),
        lines=code.lines,
        falls_through=code.falls_through,
        lookup=lookup,
        has_texts=has_texts,
        strict=strict_lines(list(names.values())),
        domain=domain_statement(checked),
    )


def _code(
    checked: CheckedRules,
    lines: Sequence[CodeLine],
    writers: ConstraintWriters,
    texts: Mapping[int, str],
    others: Sequence[Feature] = (),
    reserved: Sequence[str] = (),
) -> tuple[ScriptCode, dict[Feature, str]]:
    """Return the code of `explain`, or of `rule` without texts, and the variable of each column that it tests.

    `others` are columns that have a variable, too, and `reserved` the names that no variable has.
    """
    schema, lines = checked.schema, [*refusal_lines(checked), *lines]
    constraints = constraints_of(schema, (line.conditions for line in lines), writers=writers)
    used = {constraint.feature.name for constraint in constraints.values()}
    features = dict.fromkeys([*others, *(feature for feature in schema.features if feature.name in used)])
    variables = _variables(list(features), [*reserved, *(["outside"] if checked.refuses else [])])
    by_name = {feature.name: variable for feature, variable in variables.items()}

    def answer(number: int, indent: str, test: str) -> list[str]:
        name = schema.features[-1 - number].name if number < 0 else ""
        return _refusal(name, by_name[name], indent, test) if number < 0 else _answer(texts, number, indent, test)

    return script_code(lines, constraints, by_name, answer), variables


def _refusal(name: str, variable: str, indent: str, test: str) -> list[str]:
    """Return the lines that throw the error for a value outside the declared domain; several where one is too wide."""
    line = f"{indent}{test}throw outside({javascript_text(name)}, {variable});"
    if code_width(line) <= SCRIPT_WIDTH:
        return [line]
    inner = indent + SCRIPT_INDENT
    return [f"{indent}{test}throw outside(", f"{inner}{javascript_text(name)},", f"{inner}{variable},", f"{indent});"]


def strict_lines(names: Sequence[str]) -> list[str]:
    """Return the lines that refuse a row without some key, given the expressions of the names that it must have."""
    lines = [
        "const keys = [...(row instanceof Map ? row.keys() : Object.keys(row))];",
        broken("const lacking = [", names, "].filter((name) => !keys.includes(name));"),
        "const [lacks, has] = [lacking, keys].map((found) => JSON.stringify(found));",
        "if (lacking.length) throw new TypeError(`the row lacks ${lacks}; it has ${has}`);",
    ]
    return "\n".join(lines).split("\n") if names else []


def domain_statement(checked: CheckedRules) -> str:
    """Return the statement that sets DOMAIN, what is declared of columns; "" where no row is refused."""
    words = refused_columns(checked)
    entries = [f"[{javascript_text(name)}, {javascript_text(text)}]" for name, text in words.items()]
    return broken("const DOMAIN = new Map([", entries, "]);") if entries else ""


def _variables(features: Sequence[Feature], reserved: Iterable[str] = ()) -> dict[Feature, str]:
    names = variable_names((feature.name for feature in features), {*RESERVED, *reserved})
    return {feature: names[feature.name] for feature in features}


def _answer(texts: Mapping[int, str], number: int, indent: str, test: str) -> list[str]:
    """Return the lines that return the number of a rule, and its text where `texts` has texts, behind a test."""
    if not texts:
        return [f"{indent}{test}return {number};"]
    text = texts.get(number, NO_RULE)
    line = f"{indent}{test}return [{number}, {javascript_text(text)}];"
    if code_width(line) <= SCRIPT_WIDTH:
        return [line]
    inner = indent + SCRIPT_INDENT
    parts = wrapped(text, javascript_text, SCRIPT_WIDTH - len(inner) - 4)
    first, *rest = [javascript_text(part) for part in parts] or ['""']
    joined = [f"{inner}{first}", *(f"{inner}{SCRIPT_INDENT}{part}" for part in rest)]
    sums = [*(f"{part} +" for part in joined[:-1]), f"{joined[-1]},"]
    return [f"{indent}{test}return [", f"{inner}{number},", *sums, f"{indent}];"]


def _tables(
    checked: CheckedRules, predictions: Mapping[int, Prediction], counts: Mapping[int, Sequence[float]]
) -> list[str]:
    """Return the statements that set CLASSES, ANSWERS and COUNTS or SHARES."""
    answers = {number: JAVASCRIPT.literal(found.value) for number, found in predictions.items()}
    if checked.schema.is_regression:
        return [_braced("const ANSWERS", answers)]
    shares = {number: _list(counts.get(number, shares_of(found))) for number, found in predictions.items()}
    return [
        _classes(checked),
        _braced("const ANSWERS", answers),
        _braced("const COUNTS" if counts else "const SHARES", shares),
    ]


def _rule_table(
    checked: CheckedRules,
    predictions: Mapping[int, Prediction],
    counts: Mapping[int, Sequence[float]],
    texts: Mapping[int, str],
    title: str,
) -> list[str]:
    """Return the statements that set CLASSES and RULES: prediction, counts or shares, and text of each rule."""
    shown = {number: f", {javascript_text(texts.get(number, NO_RULE))}" for number in predictions} if texts else {}
    rows = [
        f"{SCRIPT_INDENT}{number}: [{JAVASCRIPT.literal(found.value)}, {_list(counts.get(number, shares_of(found)))}"
        f"{shown.get(number, '')}],"
        for number, found in predictions.items()
    ]
    table = ["", f"/** {title} */", "const RULES = {", *rows, "};"]
    return table[1:] if checked.schema.is_regression else [_classes(checked), *table]


def _classes(checked: CheckedRules) -> str:
    return broken("export const CLASSES = [", map(JAVASCRIPT.literal, checked.schema.classes), "];")


def _list(numbers: Sequence[float]) -> str:
    return f"[{', '.join(map(JAVASCRIPT.literal, numbers))}]"


def _braced(name: str, entries: Mapping[int, str]) -> str:
    return broken(f"{name} = {{", (f"{key}: {entry}" for key, entry in entries.items()), "};")


def load_statements(variables: Mapping[Feature, str], names: Mapping[str, str]) -> list[str]:
    """Return the statements that load the values of a row, given the variables of columns and their names as code."""
    statements = []
    for feature, variable in variables.items():
        choices = choice_lines(feature, variable, "undefined")
        load = COLUMN_LOADS[feature.scalar].format(names[feature.name])
        statements += [f"{'let' if choices else 'const'} {variable} = {load};", *choices]
    return statements


def column_names(features: Iterable[Feature]) -> tuple[dict[str, str], list[str]]:
    """Return an expression of each column's name, and the statements that set wide names."""
    names: dict[str, str] = {}
    statements: list[str] = []
    for feature in features:
        names[feature.name] = javascript_text(feature.name)
        if code_width(names[feature.name]) > _WIDEST_NAME:
            statements.append(f"const COLUMN_{len(statements) + 1} = {names[feature.name]};")
            names[feature.name] = f"COLUMN_{len(statements)}"
    return names, statements

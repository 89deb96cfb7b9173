"""Rules as a plain Python module: `if` statements under the columns' names, and only the functions that they need."""

import keyword
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import field, frozen
from toolz import groupby, keyfilter, pluck

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Schema
from treerules.emit.assuming import refusal_lines, refused_columns
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.hashed_text import hash_of_rule_texts
from treerules.emit.header import Opening, opening_with
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.lookup_nodes import lookup_nodes, require_tree
from treerules.emit.plain_parts import MOST_INLINE_RULES, class_counts, shares_of, wrapped
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.lookup_code import BISECT, LOOKUP_NAMES, LookupParts, lookup_parts
from treerules.emit.python.plain_loading import (
    LoadedColumn,
    columns_statements,
    loaded_columns,
    loading_of,
    plain_sources,
)
from treerules.emit.python.plain_script import PlainScript, plain_script
from treerules.emit.python.plain_statements import PlainCode, plain_code
from treerules.emit.python.python_literals import INDENT, WIDTH, assignment, block_text, code_width, python_literal
from treerules.emit.python.schema_data import distinct_answers
from treerules.emit.python.value_loading import import_statements
from treerules.emit.spelled_rules import NO_RULE, SpelledRule, spelled_rules
from treerules.emit.variable_names import variable_names
from treerules.rendering.templates import render_template
from treerules.rules.shared_conditions import ConstraintWriters, by_identity, constraint_writers


@short_repr
@frozen
class PlainContext:
    """The values passed to `python/plain.py.j2`, by field name. Public API.

    All texts are finished code of Python 3.8, formatted as `ruff format` does.
    """

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: docstrings and comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: import statements, sorted
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: statements that set CLASSES, ANSWERS, SHARES, and the dates, sets and names that the code uses
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: whether the model has classes, so that there is predict_proba
    classes: bool
    #: whether there are COUNTS, of which the probabilities are the shares, or SHARES
    has_counts: bool
    #: the table of rules as the inside of a string; "" where the texts of the rules stand beside the code
    table: str
    #: statements that load the values of a row
    loads: tuple[str, ...] = field(converter=as_tuple)
    #: the tests: `if` and `return` statements, one line each
    lines: tuple[str, ...] = field(converter=as_tuple)
    #: whether the last line has a test, so an error must follow it
    falls_through: bool
    #: the source of the functions that load values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: what runs where the module is a script
    script: PlainScript
    #: of the style "lookup" the table of nodes
    lookup: LookupParts | None = None


@paused_gc()
def plain_module(
    checked: CheckedRules, layout: Literal["flat", "guarded", "lookup"], templates: str | Path | None, lang: str
) -> str:
    """Return the text of a plain module; of the layout "lookup" it walks a table of nodes.

    Raises:
        OptionError: the layout is "lookup" and the rules have no tree.
    """
    return render_template("python/plain.py.j2", templates, _context(checked, layout, lang))


def _context(checked: CheckedRules, layout: Literal["flat", "guarded", "lookup"], lang: str) -> PlainContext:
    schema, writers = checked.schema, constraint_writers(checked.schema)
    rules = spelled_rules(checked, writers, lang)
    fired = [rule.hashed for rule in rules if rule.hashed]
    is_inline = len(fired) <= MOST_INLINE_RULES and layout != "lookup"
    texts = {rule.number: rule.text for rule in rules} if is_inline else {}
    lookup = None
    if layout == "lookup":
        lookup, code, columns, name_statements = _lookup(checked, writers)
    else:
        lines = [*refusal_lines(checked), *lines_of(checked, layout)]
        code, columns, name_statements = _code(checked, lines, writers, texts)
    tables, refused = _tables(checked, rules, is_inline), refused_columns(checked)
    domain = [assignment("DOMAIN", refused)] if refused else []
    constants = [*name_statements, *columns_statements(columns), *domain, *tables, *code.constants]
    helpers = plain_sources({column.feature: column.loading for column in columns}, refuses=checked.refuses)
    imports = import_statements(helpers, None, names_in(constants))
    if lookup is not None and lookup.has_bounds:
        imports = sorted([*imports, BISECT], key=lambda line: (not line.startswith("import"), line))
    return PlainContext(
        opening=opening_with(schema, len(fired), hash_of_rule_texts(schema, fired), "python", f"plain-{layout}"),
        docs=_docs(lang, len(fired), is_regression=schema.is_regression),
        imports=imports,
        constants=[*special_numbers(imports, [*constants, *code.lines]), *constants],
        classes=not schema.is_regression,
        has_counts=any(statement.startswith("COUNTS = ") for statement in tables),
        table="" if is_inline else _table(schema, rules),
        loads=[line for column in columns for line in column.load_statements],
        lines=code.lines,
        falls_through=code.falls_through,
        helpers=helpers,
        script=plain_script(schema, columns),
        lookup=lookup,
    )


def _lookup(
    checked: CheckedRules, writers: ConstraintWriters
) -> tuple[LookupParts, PlainCode, list[LoadedColumn], list[str]]:
    """Return the table of nodes, the walk, the columns that they test, and the statements that set their wide names."""
    tree, outside = require_tree(checked), refusal_lines(checked)
    nodes = lookup_nodes(tree.schema, [tree])
    lines = [*lines_of(checked, "guarded"), *outside]
    of_feature = groupby(0, by_identity(pair for line in lines for pair in line.conditions).values())
    others = [feature for feature in tree.schema.features if feature.name in of_feature]
    loadings = {f: loading_of(f, pluck(1, of_feature[f.name])) for f in dict.fromkeys([*nodes.features, *others])}
    reserved = {*reserved_names(plain_sources(loadings, refuses=checked.refuses)), *LOOKUP_NAMES, *nodes.table_names}
    variables = variable_names((feature.name for feature in loadings), reserved)
    columns, statements = loaded_columns(loadings, variables)
    lookup = lookup_parts(nodes, columns[: len(nodes.features)])
    refusal = plain_code(outside, writers, variables, _answering(tree.schema, {})) if outside else None
    constants, tests = (refusal.constants, refusal.lines) if refusal else ((), ())
    code = PlainCode([*lookup.constants, *constants], [*tests, *_WALK], falls_through=False, tested=frozenset())
    return lookup, code, columns, statements


#: The walk of a row from node to node, which returns the number of the rule.
_WALK = (
    "    (node,) = ROOTS",
    "    while node >= 0:",
    "        code, bound, met, failed = NODES[node]",
    "        node = met if codes[code] <= bound else failed",
    "    return -node",
)


def _code(
    checked: CheckedRules, lines: Sequence[CodeLine], writers: ConstraintWriters, texts: Mapping[int, str]
) -> tuple[PlainCode, list[LoadedColumn], list[str]]:
    """Return the code of `explain`, the columns that it tests, and the statements that set their wide names."""
    schema = checked.schema
    of_feature = groupby(0, by_identity(pair for line in lines for pair in line.conditions).values())
    loadings = {f: loading_of(f, pluck(1, of_feature[f.name])) for f in schema.features if f.name in of_feature}
    reserved = reserved_names(plain_sources(loadings, refuses=checked.refuses))
    variables = variable_names((feature.name for feature in loadings), reserved)
    code = plain_code(lines, writers, variables, _answering(schema, texts))
    tested = keyfilter(lambda feature: feature.name in code.tested, loadings)
    return code, *loaded_columns(tested, variables)


def _docs(lang: str, n_rules: int, *, is_regression: bool) -> dict[str, str]:
    docs = docs_of(lang, is_regression=is_regression)
    predict = docs["plain mean" if is_regression else "plain class"]
    return {**docs, "plain": docs["plain"].format(n=n_rules), "predict": predict}


def reserved_names(helpers: Iterable[str]) -> set[str]:
    """Return the names that no variable of `explain` may have: those that its code or its parameters use."""
    defined = {name for text in helpers for name in re.findall(r"^def (\w+)", text)}
    return {
        *defined,
        *(*keyword.kwlist, "__debug__"),  # no name that can be assigned
        *("match", "case", "type"),  # words with a meaning in some places of the grammar
        "row",
        "rule",
        "ANSWERS",
        "CLASSES",
        "COLUMNS",
        "COUNTS",
        "SHARES",
        "TEXTS",
        "INF",
        "UTC",
        "AssertionError",
    }


def names_in(statements: Iterable[str]) -> set[str]:
    """Return the types of moments that constants name."""
    return {name for text in statements for name in re.findall(r"\b(?:date(?=\()|datetime(?=\()|UTC\b)", text)}


def special_numbers(imports: Iterable[str], code: Iterable[str]) -> list[str]:
    """Return the statements that set INF and UTC, where they are used."""
    has_infinity = any("INF" in text and re.search(r"\bINF\b", text) for text in code)
    has_zones = any("timezone" in line for line in imports)
    statements = ['NAN, INF = float("nan"), float("inf")'] if has_zones or has_infinity else []
    return [*statements, *(["UTC = timezone(timedelta(0))"] if has_zones else [])]


def _answering(schema: Schema, texts: Mapping[int, str]) -> Callable[[int, str], list[str]]:
    """Return the function that writes the answer of a rule, or the error of a number below 0."""

    def answer(number: int, indent: str) -> list[str]:
        return _refusal(schema.features[-1 - number], indent) if number < 0 else _answer(number, texts, indent)

    return answer


def _refusal(feature: Feature, indent: str) -> list[str]:
    """Return the lines that raise the error for a value outside the declared domain."""
    name, inner = python_literal(feature.name), indent + INDENT
    if code_width(line := f"{indent}raise outside(row, {name})") <= WIDTH:
        return [line]
    flat = f"{inner}row, {name}"
    arguments = [flat] if code_width(flat) <= WIDTH else [f"{inner}row,", f"{inner}{name},"]
    return [f"{indent}raise outside(", *arguments, f"{indent})"]


def _answer(number: int, texts: Mapping[int, str], indent: str) -> list[str]:
    """Return the lines that return the number of a rule, and its text where `texts` has texts."""
    if not texts:
        return [f"{indent}return {number}"]
    text = texts.get(number, NO_RULE)
    line = f"{indent}return {number}, {python_literal(text)}"
    if code_width(line) <= WIDTH:
        return [line]
    inner = indent + INDENT
    parts = [f"{inner}{python_literal(part)}" for part in wrapped(text, python_literal, WIDTH - len(inner) - len(","))]
    return [f"{indent}return (", f"{inner}{number},", *parts[:-1], f"{parts[-1]},", f"{indent})"]


def _tables(checked: CheckedRules, rules: Sequence[SpelledRule], is_inline: bool) -> list[str]:
    """Return the statements that set CLASSES, and ANSWERS and SHARES or the labels that the table of rules names."""
    schema = checked.schema
    statements = [] if schema.is_regression else [assignment("CLASSES", schema.classes)]
    if not is_inline:
        return [*statements, *([] if schema.is_regression else [_labels(schema, rules)])]
    predictions = {rule.number: rule.prediction for rule in rules}
    answers = assignment("ANSWERS", {number: found.value for number, found in predictions.items()})
    if schema.is_regression:
        return [answers]
    counts = class_counts(checked, predictions)
    shares = {number: shares_of(found) for number, found in predictions.items()}
    return [*statements, answers, assignment("COUNTS", counts) if counts else assignment("SHARES", shares)]


def _labels(schema: Schema, rules: Iterable[SpelledRule]) -> str:
    labels = tuple(distinct_answers(schema, (rule.prediction for rule in rules)))
    return "_LABELS = CLASSES" if labels == schema.classes else assignment("_LABELS", labels)


def _table(schema: Schema, rules: Sequence[SpelledRule]) -> str:
    """Return the table of rules: one a line, with number, position of its label or mean, shares and text."""
    if schema.is_regression:
        return block_text([f"{rule.number} {rule.value}  {rule.text}" for rule in rules])
    answers = distinct_answers(schema, (rule.prediction for rule in rules))
    positions = {(type(label), label): at for at, label in enumerate(answers)}
    cells = {
        key: f"{positions[type(found.value), found.value]} {','.join(map(repr, shares_of(found)))}"
        for key, found in by_identity(rule.prediction for rule in rules).items()
    }
    return block_text([f"{rule.number} {cells[id(rule.prediction)]} {rule.text}" for rule in rules])

"""Rules as a JavaScript module without dependencies, for browsers, Node.js and other loaders of ES modules."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from attrs import evolve, frozen

from treerules._internal.short_repr import short_repr
from treerules.data.domain import Outside, require_outside
from treerules.data.schema import Feature, Schema
from treerules.emit.accumulation import Accumulate, accumulation_of, require_accumulate, with_remark
from treerules.emit.assuming import assuming_remark, refusal_lines, refused_columns, refusing
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.custom import CodeContext, code_context
from treerules.emit.javascript_comments import JAVASCRIPT_COMMENTS
from treerules.emit.javascript_ensemble import javascript_ensemble
from treerules.emit.javascript_language import JAVASCRIPT, choice_lines
from treerules.emit.javascript_plain import domain_statement, plain_javascript
from treerules.emit.layout import (
    STYLES,
    Layout,
    Style,
    choose_layout,
    require_array_style,
    require_ensemble_layout,
    require_layout,
)
from treerules.emit.template_records import PrintedFeature, PrintedLine, printed_tests
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.headings import require_lang
from treerules.rendering.templates import render_template
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet, figure_names
from treerules.trees.ensemble import Ensemble
from treerules.trees.tree import Tree


@short_repr
@frozen
class JavascriptLoad:
    """The conversion of a cell of a row to the variable that the tests compare."""

    #: the variable of the tests
    variable: str
    #: the column's name as a literal
    name: str
    #: a test for values that must be converted; "" if all must
    strange: str
    #: the function that converts, and the value of a missing cell: NaN or null
    call: str
    hole: str
    #: statements that read words for missing values as such, and trim text
    choices: tuple[str, ...] = ()


@short_repr
@frozen
class JavascriptContext:
    """The values passed to `javascript/module.js.j2`, by field name. Public API."""

    #: the values that the template of any language is given; its lines hold the names of sets
    code: CodeContext
    #: the lines of the function that finds the rule of a row: finished statements
    lines: tuple[str, ...]
    #: the sets of categories that tests name S0, S1, ...: the literals of each, joined by commas
    sets: tuple[str, ...]
    #: comments by subject, in the language `lang`
    docs: dict[str, str]
    #: the features with conditions
    loads: tuple[JavascriptLoad, ...]
    #: the types of those features: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalars: tuple[str, ...]
    #: the names of the training figures of rules
    figures: tuple[str, ...]
    #: the type of the prediction, as JSDoc names it
    returns: str
    #: whether the last line has a test, so an error must follow it
    falls_through: bool
    #: the statement that sets DOMAIN, what is declared of columns, where rows outside are refused; else ""
    domain: str = ""


def to_javascript(
    source: Tree | RuleSet | ParsedRules | Ensemble,
    *,
    layout: Layout = "auto",
    lang: Literal["en", "zh"] = "en",
    templates: str | Path | None = None,
    style: Style = "plain",
    accumulate: Accumulate = "library",
    outside: Outside = "answer",
) -> str:
    """Return a JavaScript module (ES2020, for a file .mjs) that predicts and imports nothing.

    A plain module is short, for people to read: predict(row), explain(row) (the number and the text of the rule) and,
    for a classification, predictProba(row), which returns a Map, and CLASSES.

    A full module also exports rule(row), predictMany(rows), predictValues(value, ...), RULES, FEATURES, SCHEMA, TARGET
    and MODEL, the hash of the model.

    The module of an Ensemble is plain: predict and predictProba as above, and predictMargin, the sum of the leaves of
    its trees, or a Map of the margins of the classes.

    A row is a Map, or an object of which only own keys count. undefined, null, NaN and a key that is not there are
    missing values; other keys are ignored. predict(row, { strict: true }) makes a column that the rules test and that
    is no key a TypeError, in a full module also a key that is no column of the model. A value of the wrong type is a
    TypeError that names its column. Integers are numbers or BigInts. Dates are text (2024-03-21) or a Date of midnight
    UTC. Timestamps are text, with a zone if the column has one, and then may be a Date too. Classes that are dates or
    timestamps are text; integers beyond 2**53 are BigInts.

    Args:
        source: a Tree, an Ensemble, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns,
            also those outside the domain that a file declares. Rules that were written or edited are checked first.
        layout: "flat" is one `if` for each rule, "guarded" nested blocks whose depth grows with the logarithm of the
            leaves (for trees only), and "auto", the default, is guarded for a tree in a plain module, and flat up to
            64 rules in a full one.
        lang: the language of the comments, "en" by default or "zh".
        templates: a folder whose templates replace those of treerules, such as javascript/module.js.j2. They receive
            the fields of `treerules.emit.PlainJavascriptContext`, `JavascriptContext` or `JavascriptEnsembleContext`.
        style: "plain", the default, "full", or "lookup": a plain module that walks trees as tables of numbers. It is
            shorter for large models, and needs trees.
        accumulate: how the trees of an Ensemble are added, as in `to_sql`: "library", the default, "exact" or "double".
        outside: what a row outside the declared domain gets: "answer", the default, is the model's answer, "refuse" a
            RangeError that names the column and the value. The second line says so.

    Returns:
        The source of the module.

    Raises:
        OptionError: `source` is no tree, ensemble or rule set, "guarded" was chosen for an edited rule set, or "flat"
            or "full" for an ensemble, or "lookup" without trees; or sums in doubles are not exact or have no bound, as
            accumulate= asks for; or outside="refuse" where no domain is declared.
        UnknownNameError: there is no such layout, language or style.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.

    Examples:
        >>> from treerules import cart, learn, Table, to_javascript
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> to_javascript(tree, style="full").splitlines()[-4:-1]
        ['  if (!(f0 > 1)) return 1;', '  if (f0 > 1) return 2;', '  throw new Error("no rule fires");']
    """
    require_lang(lang)
    require_layout(layout)
    require_accumulate(accumulate, is_ensemble=isinstance(source, Ensemble))
    if not isinstance(style, str) or style not in STYLES:
        raise UnknownNameError("style", style, STYLES)
    if isinstance(source, Ensemble):
        require_outside(outside, {})
        require_ensemble_layout(layout)
        require_array_style(style, layout)
        if style == "full":
            raise OptionError("style", style, "'plain' or 'lookup' for an Ensemble")
        accumulation = accumulation_of(source, accumulate, lang)
        return with_remark(javascript_ensemble(accumulation, templates, lang, style), "//", accumulation.remark)
    require_array_style(style, layout)
    checked = refusing(check_source(source), outside)
    text = _text_of_rules(checked, layout, templates, lang, style)
    return with_remark(text, "//", assuming_remark(checked, lang))


def _text_of_rules(checked: CheckedRules, layout: Layout, templates: str | Path | None, lang: str, style: Style) -> str:
    """Return the text of the module of a rule set or of one tree."""
    if style == "lookup":
        return plain_javascript(checked, "lookup", templates, lang)
    if style == "plain":
        is_tree = layout == "auto" and checked.tree is not None
        return plain_javascript(checked, choose_layout(checked, "guarded" if is_tree else layout), templates, lang)
    context = javascript_context(checked, layout, lang)
    return render_template("javascript/module.js.j2", templates, context)


def javascript_context(checked: CheckedRules, layout: Layout = "auto", lang: str = "en") -> JavascriptContext:
    """Return the values passed to the template of a module."""
    code, refused = code_context(checked, JAVASCRIPT, layout), refused_columns(checked)
    outside = printed_tests(JAVASCRIPT, checked.schema, refusal_lines(checked))
    lines, sets = _named_sets([*outside, *code.lines])
    is_declared = [checked.schema.features[feature.index].name in refused for feature in code.features]
    features = [evolve(f, is_asked=f.is_asked or also) for f, also in zip(code.features, is_declared, strict=True)]
    loads = [feature for feature in features if feature.is_asked]
    tests = [line for line in code.lines if line.step in ("when", "else")]
    return JavascriptContext(
        code=evolve(code, lines=lines, features=tuple(features)),
        lines=tuple(_statements(lines)),
        sets=sets,
        docs=JAVASCRIPT_COMMENTS[lang],
        loads=tuple(_load(feature, checked.schema.features[feature.index]) for feature in loads),
        scalars=tuple(sorted({feature.scalar for feature in loads})),
        figures=figure_names(checked.schema),
        returns=_jsdoc_type(checked.schema),
        falls_through=tests[-1].test != JAVASCRIPT.always,
        domain=domain_statement(checked),
    )


def _named_sets(lines: Sequence[PrintedLine]) -> tuple[tuple[PrintedLine, ...], tuple[str, ...]]:
    """Return the lines with a name, S0, S1, ..., for each set of many categories, and the sets."""
    names: dict[str, str] = {}

    def name_sets(test: str) -> str:
        parts = test.split("\0")  # each second part is the inside of a set
        for index in range(1, len(parts), 2):
            parts[index] = names.setdefault(parts[index], f"S{len(names)}")
        return "".join(parts)

    new_lines = tuple([evolve(line, test=name_sets(line.test)) if "\0" in line.test else line for line in lines])
    return new_lines, tuple(names)


def _statements(lines: Sequence[PrintedLine]) -> Iterator[str]:
    """Yield the lines of a layout as statements, indented for the body of a function."""
    for line in lines:
        indent = "  " * (line.depth + 1)
        if line.step == "when":
            yield f"{indent}if ({line.test}) {'{' if line.number is None else _answer(line.number)}"
        elif line.step == "else":
            yield f"{indent}return {line.number};"
        elif line.step == "close" and line.depth:
            yield f"{'  ' * line.depth}}}"


def _answer(number: int) -> str:
    """Return the statement that answers with a rule; of a number below 0 that which throws the error of its column."""
    return f"return {number};" if number > 0 else f"throw outside(FEATURES[{-1 - number}], f{-1 - number});"


#: By type: a test for values that must be converted ("" for all), and the function that converts them.
_LOADS = {
    "number": ('typeof {} !== "number"', "number"),
    "integer": ("!Number.isSafeInteger({})", "integer"),
    "boolean": ('typeof {} !== "boolean"', "boolean"),
    "text": ('typeof {} !== "string"', "text"),
    "date": ("", "day"),
    "timestamp": ("", "moment"),
    "timestamp_utc": ("", "momentUtc"),
}


def _load(feature: PrintedFeature, known: Feature) -> JavascriptLoad:
    """Return how the module loads the cell of a feature."""
    strange, call = _LOADS[feature.scalar]
    if feature.scalar == "number" and not feature.is_ordered:
        strange = ""  # typeof NaN is "number", but here NaN must become null
    hole = "NaN" if feature.is_ordered else "null"
    choices = tuple(choice_lines(known, feature.column, hole))
    return JavascriptLoad(feature.column, feature.name, strange.format(feature.column), call, hole, choices)


def _jsdoc_type(schema: Schema) -> str:
    return {"number": "number", "integer": "number|bigint", "boolean": "boolean"}.get(schema.predicted, "string")

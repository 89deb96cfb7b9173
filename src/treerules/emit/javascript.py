"""Rules as a JavaScript module that needs nothing: for browsers, Node.js and whatever else loads ES modules."""

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, overload

from attrs import evolve, frozen

from treerules.data.schema import Schema
from treerules.emit.custom import CodeContext, code_context
from treerules.emit.layout import LAYOUTS, Layout, rules_of
from treerules.emit.template_records import PrintedFeature, PrintedLine
from treerules.errors import UnknownNameError
from treerules.rendering.headings import require_lang
from treerules.rendering.templates import rendered
from treerules.rules.rule_set import RuleSet, figures_of
from treerules.sql.language import Language
from treerules.trees.tree import Tree

#: All that is not plain ASCII or a letter of scripts in wide use: a fixed list, so that no version of Python differs.
#: `<` is one unless a comparison follows: a page that holds the module must not meet </script> or <!--.
_ESCAPED = re.compile(
    r"<(?![= ])|[^ -~\u00a1-\u00ac\u00ae-\u024f\u0391-\u03a9\u03b1-\u03c9\u0410-\u044f"
    r"\u3001-\u3011\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e]"
)
#: Beyond these, numbers do not hold every integer.
_SAFE = 2**53 - 1


def javascript_text(text: str) -> str:
    """Return a string literal that reads back exactly, whatever the encoding errors and pages around it.

    >>> javascript_text("是"), javascript_text("</script>"), javascript_text("\\u2028\\ud800")
    ('"是"', '"\\\\u003c/script>"', '"\\\\u2028\\\\ud800"')
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(lambda found: _escape(found[0]), escaped) + '"'


def _escape(character: str) -> str:
    return "\\u003c" if character == "<" else json.dumps(character)[1:-1].replace("\x7f", "\\u007f")


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _integer(value: int) -> str:
    return str(value) if abs(value) <= _SAFE else f"{value}n"


def _timestamp(moment: datetime) -> str:
    return f'"{moment.replace(tzinfo=None).isoformat(timespec="microseconds")}{"Z" if moment.tzinfo else ""}"'


#: Dates and timestamps are ISO text of one width, whose order is that of time; a missing one is NaN, and a comparison
#: of NaN with text is false too.
JAVASCRIPT = Language(
    name="javascript",
    column="f{index}",
    text=javascript_text,
    number=_number,
    integer=_integer,
    date=lambda day: f'"{day.isoformat()}"',
    timestamp=_timestamp,
    true="true",
    false="false",
    infinity="{}Infinity",
    holds_any_text=True,
    missing_is="nan",
    equal="{} === {}",
    differs="{} !== {}",
    among="\0{1}\0.has({0})",  # no literal holds a NUL: between two stands a list that gets a name
    not_among="!\0{1}\0.has({0})",
    fewest_among=9,
    missing="{} === null",
    known="{} !== null",
    both=" && ",
    either=" || ",
    no="!({})",
    always="true",
    never="false",
)


@frozen
class JavascriptLoad:
    """How a column's cell becomes the value that the questions see."""

    #: the variable of the questions
    variable: str
    #: the column's name as a literal
    name: str
    #: holds of what is to be converted; "" where that is everything
    strange: str
    #: the function that converts, and what a missing value becomes: NaN or null
    call: str
    hole: str


@frozen
class JavascriptContext:
    """What the template of a module is given, each field by its name. It is public API."""

    #: what a language of one's own is given too
    code: CodeContext
    #: the sets of categories that questions name S0, S1, ...: the literals of each, joined by commas
    sets: tuple[str, ...]
    #: comments by what they are about, in the language of people that was asked for
    docs: dict[str, str]
    #: the columns that some rule asks for
    loads: tuple[JavascriptLoad, ...]
    #: the types of those columns: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalars: tuple[str, ...]
    #: the names of the figures that rules have
    figures: tuple[str, ...]
    #: the type of what is predicted, as JSDoc names it
    returns: str
    #: whether a row may pass all questions, as far as the text shows
    falls_through: bool


@overload
def to_javascript(
    source: Tree | RuleSet,
    *,
    layout: Layout = ...,
    lang: Literal["en", "zh"] = ...,
    templates: str | Path | None = ...,
) -> str: ...


@overload
def to_javascript(
    *, layout: Layout = ..., lang: Literal["en", "zh"] = ..., templates: str | Path | None = ...
) -> Callable[[Tree | RuleSet], str]: ...


def to_javascript(
    source: Tree | RuleSet | None = None,
    *,
    layout: Layout = "auto",
    lang: Literal["en", "zh"] = "en",
    templates: str | Path | None = None,
) -> Any:
    """Return a JavaScript module (ES2020, for a file .mjs) that gives the model's answers and imports nothing.

    It has predict(row), rule(row), explain(row), predictMany(rows), predictValues(value, ...) and, for a
    classification, predictProba(row), a Map; RULES, FEATURES, CLASSES, SCHEMA, TARGET and MODEL, the model's hash.
    Rows are objects, of which only own keys count, or Maps: undefined, null, NaN and a missing key are missing values,
    extra keys are ignored, a value of the wrong kind is a TypeError that names its column.

    Integers are numbers or BigInts, dates are text (2024-03-21) or a Date of midnight UTC, timestamps are text, with a
    zone where the column has one, and then may be a Date too. Classes that are dates or timestamps are text, integers
    beyond 2**53 are BigInts.

    `lang` is the language of its comments. Without a source, returns the function that waits for one.

    Raises:
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: the guarded layout is asked of an edited rule set.
        UnknownNameError: there is no such layout or language.
    """
    require_lang(lang)
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    if source is None:
        return lambda source: to_javascript(source, layout=layout, lang=lang, templates=templates)
    return rendered("javascript/module.js.j2", templates, javascript_context(source, layout, lang))


def javascript_context(source: Tree | RuleSet, layout: Layout = "auto", lang: str = "en") -> JavascriptContext:
    """Return what the template of a module is given."""
    rules = rules_of(source)
    code = code_context(rules, JAVASCRIPT, layout)
    lines, sets = _with_sets(code.lines)
    asked = [feature for feature in code.features if feature.is_asked]
    questions = [line for line in code.lines if line.step in ("when", "else")]
    return JavascriptContext(
        code=evolve(code, lines=lines),
        sets=sets,
        docs=_DOCS[lang],
        loads=tuple(map(_load, asked)),
        scalars=tuple(sorted({feature.scalar for feature in asked})),
        figures=figures_of(rules.schema),
        returns=_returns(rules.schema),
        falls_through=questions[-1].test != JAVASCRIPT.always,
    )


def _with_sets(lines: Sequence[PrintedLine]) -> tuple[tuple[PrintedLine, ...], tuple[str, ...]]:
    """Return the lines with a name for each list of many categories, and the lists."""
    names: dict[str, str] = {}

    def named(test: str) -> str:
        parts = test.split("\0")
        for place in range(1, len(parts), 2):
            parts[place] = names.setdefault(parts[place], f"S{len(names)}")
        return "".join(parts)

    found = tuple(evolve(line, test=named(line.test)) if "\0" in line.test else line for line in lines)
    return found, tuple(names)


#: Which values are to be converted, and by which function.
_LOADS = {
    "number": ('typeof {} !== "number"', "number"),
    "integer": ("!Number.isSafeInteger({})", "integer"),
    "boolean": ('typeof {} !== "boolean"', "boolean"),
    "text": ('typeof {} !== "string"', "text"),
    "date": ("", "day"),
    "timestamp": ("", "moment"),
    "timestamp_utc": ("", "momentUtc"),
}


def _load(feature: PrintedFeature) -> JavascriptLoad:
    strange, call = _LOADS[feature.scalar]
    if feature.scalar == "number" and not feature.is_ordered:
        strange = ""  # NaN is a number, and missing
    hole = "NaN" if feature.is_ordered else "null"
    return JavascriptLoad(feature.column, feature.name, strange.format(feature.column), call, hole)


def _returns(schema: Schema) -> str:
    return {"number": "number", "integer": "number|bigint", "boolean": "boolean"}.get(schema.predicted, "string")


_DOCS = {
    "en": {
        "module": "A decision tree as if-then rules, exclusive and complete. The module needs nothing but itself.",
        "rows": "Rows are objects, of which own keys count alone, or Maps. Extra keys are ignored.",
        "missing": "undefined, null, NaN and a missing key are missing values.",
        "wrong": "A value of the wrong kind is a TypeError that names its column.",
        "integers": "Integers are numbers or BigInts, of 64 bits.",
        "dates": "Dates are text such as 2024-03-21, or a Date of midnight UTC.",
        "timestamps": "Timestamps are text such as 2024-03-21 20:21:09.000001, without a zone; a Date has one.",
        "zoned": "Timestamps are text such as 2024-03-21T20:21:09.000001+08:00, or a Date.",
        "features": "The names of the columns, in the order of predictValues.",
        "schema": "The columns: name, kind, type of values, categories.",
        "rules": "The rules: number, text, what is predicted, figures on the training rows.",
        "class": "the class that the rule of a row predicts",
        "mean": "the mean that the rule of a row predicts",
        "proba": "the share of each class where the rule of a row was learned",
        "rule": "the number of the rule that fires for a row",
        "explain": "the number and the text of the rule that fires for a row",
        "many": "a prediction for each row of an iterable",
        "positional": "the prediction for values in the order of FEATURES",
    },
    "zh": {
        "module": "一棵决策树,写成互斥且完备的 if-then 规则。本模块不依赖任何其他模块。",
        "rows": "行是对象(只看自有键)或 Map,多余的键被忽略。",
        "missing": "undefined、null、NaN 和不存在的键都是缺失值。",
        "wrong": "类型不符的值会抛出 TypeError,并指出所在的列。",
        "integers": "整数是 number 或 BigInt,64 位。",
        "dates": "日期是 2024-03-21 这样的文本,或 UTC 零点的 Date。",
        "timestamps": "时间戳是 2024-03-21 20:21:09.000001 这样不带时区的文本;Date 带时区,不可用。",
        "zoned": "时间戳是 2024-03-21T20:21:09.000001+08:00 这样的文本,或 Date。",
        "features": "各列的名称,按 predictValues 的顺序。",
        "schema": "各列:名称、种类、值的类型、类别。",
        "rules": "规则:编号、文本、预测值、训练样本上的指标。",
        "class": "该行所符合的规则预测的类",
        "mean": "该行所符合的规则预测的均值",
        "proba": "该行所符合的规则处各类的比例",
        "rule": "该行所符合的规则的编号",
        "explain": "该行所符合的规则的编号和文本",
        "many": "可迭代对象中每一行的预测",
        "positional": "按 FEATURES 顺序给出的值的预测",
    },
}

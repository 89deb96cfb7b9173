"""Rules as a Python module that needs nothing but the standard library."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, overload

from treerules._internal.paused_gc import paused_gc
from treerules.data.schema import Schema
from treerules.emit.header import opening_of
from treerules.emit.layout import LAYOUTS, Layout, Line, lines_of, picked, rules_of
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.module_context import PythonContext
from treerules.emit.python.python_literals import assigned, block_text, python_literal
from treerules.emit.python.schema_data import answers_of, answers_text, schema_text, tuple_of, value_type
from treerules.emit.python.selftest_rows import checks_of
from treerules.emit.python.statements import code_of
from treerules.emit.python.value_loading import helpers_of, imports_of, load_of, readers_of, spelled_of
from treerules.emit.python.vectorized import vectorized_module
from treerules.errors import UnknownNameError
from treerules.rendering.headings import require_lang
from treerules.rendering.templates import rendered
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import RuleSet, figures_of
from treerules.rules.shared_conditions import Asked, asked_of, distinct
from treerules.rules.wording import rule_texts
from treerules.trees.node_parts import ClassPrediction, Prediction
from treerules.trees.tree import Tree

__all__ = ("PythonContext", "python_literal", "to_python")

#: `auto` is flat up to so many rules; of more, one test after the other takes markedly longer than nested ones.
MOST_FLAT = 8

Lang = Literal["en", "zh"]


@overload
def to_python(
    source: Tree | RuleSet,
    *,
    layout: Layout = ...,
    templates: str | Path | None = ...,
    lang: Lang = ...,
    vectorized: bool = ...,
) -> str: ...


@overload
def to_python(
    *, layout: Layout = ..., templates: str | Path | None = ..., lang: Lang = ..., vectorized: bool = ...
) -> Callable[[Tree | RuleSet], str]: ...


def to_python(
    source: Tree | RuleSet | None = None,
    *,
    layout: Layout = "auto",
    templates: str | Path | None = None,
    lang: Lang = "en",
    vectorized: bool = False,
) -> Any:
    """Return a Python module that gives the model's answers, for Python 3.8 and newer.

    It has predict(row), rule(row), explain(row), predict_many(rows), predict_values(value, ...) and, for a
    classification, predict_proba(row); RULES, FEATURES, CLASSES, SCHEMA, TARGET and MODEL, the model's hash. Run as a
    script it scores a CSV file, or checks itself with --selftest. Rows are mappings: a missing key is a missing value,
    an extra one is ignored, a value of the wrong kind is a TypeError that names its column.

    `lang` is the language of its docstrings. With `vectorized` the module scores arrays by numpy instead, which is all
    that it needs: predict(columns), rule(columns), predict_proba(columns); it has no layout. Without a source, returns
    the function that waits for one.

    Raises:
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: the guarded layout, or a vectorized module, is asked of an edited rule set.
        UnknownNameError: there is no such layout or language.
    """
    require_lang(lang)
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    if source is None:
        return lambda source: to_python(source, layout=layout, templates=templates, lang=lang, vectorized=vectorized)
    if vectorized:
        return vectorized_module(source, layout, templates, lang)
    rules = rules_of(source)
    is_large = rules.tree is not None and rules.tree.n_leaves > MOST_FLAT
    # RULES is for people, so that the questions are for the machine
    return _module(rules, picked(rules, "guarded" if layout == "auto" and is_large else layout), templates, lang)


@paused_gc()
def _module(rules: RuleSet, layout: Literal["flat", "guarded"], templates: str | Path | None, lang: str) -> str:
    context = context_of(rules, lines_of(rules, layout), lang, layout=layout)
    return rendered("python/module.py.j2", templates, context)


def context_of(rules: RuleSet, lines: list[Line], lang: str = "en", *, layout: str = "flat") -> PythonContext:
    """Return what the template of a module is given for rules and their layout."""
    schema = rules.schema
    asked = asked_of(schema, (rule.conditions for rule in rules.rules))
    questions = asked_of(schema, (line.conditions for line in lines), asked)
    code = code_of(schema, lines, questions)
    indices = sorted({schema.index(found.feature.name) for found in questions.values()})
    features = [schema.features[index] for index in indices]
    loads = [load_of(index, feature) for index, feature in zip(indices, features, strict=True)]
    answers = answers_of(rules)
    figures = figures_of(schema)
    helpers = helpers_of(features)
    imports = imports_of(helpers, schema)
    has_classes = not schema.is_regression
    return PythonContext(
        opening=opening_of(rules, "python", asked, layout=layout),
        docs=docs_of(lang, is_regression=schema.is_regression),
        imports=imports,
        has_zones=any("timezone" in line for line in imports),
        public=_PUBLIC if has_classes else [name for name in _PUBLIC if name not in ("CLASSES", "predict_proba")],
        target=assigned("TARGET", schema.target.name if schema.target else None),
        classes=assigned("CLASSES", schema.classes, tuple_of(schema.classes)) if has_classes else "",
        features=schema_text(schema),
        answers=answers_text(schema, answers) if has_classes else "",
        value_type=value_type(schema, answers),
        constants=code.constants,
        asked=assigned("_ASKED", tuple(indices), "tuple[int, ...]"),
        highest=max(rule.number for rule in rules.rules),
        figures=figures,
        unsure=[name for name in figures if any(getattr(rule.figures, name) is None for rule in rules.rules)],
        table=_table(rules, answers, asked),
        shares=_shares(rules) if has_classes else "",
        loads=loads,
        variables=[f"f{index}" for index in range(len(schema.features))],
        helpers=helpers,
        has_holes=any("known(" in load.converted for load in loads),
        has_moments=any("MISSING" in load.converted for load in loads),
        lines=code.lines,
        falls_through=code.falls_through,
        checks=checks_of(rules, features),
        spelled=spelled_of(schema, indices, has_classes),
        readers=readers_of(features),
        said=_said(schema),
    )


_PUBLIC = (
    *("CLASSES", "FEATURES", "MODEL", "RULES", "SCHEMA", "TARGET"),
    *("explain", "predict", "predict_many", "predict_proba", "predict_values", "rule"),
)


def _said(schema: Schema) -> str:
    """Return the expression of a prediction's text."""
    if schema.is_regression or schema.target is None:
        return "repr(_VALUES[number])"
    return "_VALUES[number]" if schema.target.scalar == "text" else "_SAID[_VALUES[number]]"


def _table(rules: RuleSet, answers: list[Any], asked: Mapping[int, Asked]) -> str:
    """Return the lines of the table of rules, as the inside of a string."""
    schema = rules.schema
    figures = {key: _figures_text(schema, found) for key, found in distinct(r.figures for r in rules.rules).items()}
    values = _value_texts(rules.rules, answers)
    texts = rule_texts(schema, rules.rules, asked)
    return block_text(
        f"{rule.number} {values[id(rule.prediction.value)]} {figures[id(rule.figures)]} {text}"
        for rule, text in zip(rules.rules, texts, strict=True)
    )


def _value_texts(rules: Iterable[Rule], answers: list[Any]) -> dict[int, str]:
    """Return the text of each value, by its identity: a mean, or the place of a class."""
    values = distinct(rule.prediction.value for rule in rules)
    if not answers:
        return {key: repr(value) for key, value in values.items()}
    places = {(type(value), value): str(place) for place, value in enumerate(answers)}
    return {key: places[type(value), value] for key, value in values.items()}


def _figures_text(schema: Schema, figures: RuleFigures) -> str:
    found = [getattr(figures, name) for name in figures_of(schema)]
    return " ".join("-" if value is None else repr(value) for value in found)


def _shares(rules: RuleSet) -> str:
    predictions = {rule.number: rule.prediction for rule in rules.rules}
    said = {key: _share_text(found) for key, found in distinct(predictions.values()).items()}
    return "\n".join(f"{number}{said[id(found)]}" for number, found in predictions.items())


def _share_text(prediction: Prediction) -> str:
    return (
        "".join(f" {share!r}" for share in prediction.probabilities) if isinstance(prediction, ClassPrediction) else ""
    )

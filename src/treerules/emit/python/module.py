"""Rules as a Python module that needs only the standard library."""

from collections.abc import Mapping
from inspect import getsource
from pathlib import Path
from typing import Any, Literal

from treerules._internal.arguments import require_flags
from treerules._internal.notes import with_arguments
from treerules._internal.paused_gc import paused_gc
from treerules.data.column_names import is_numbered
from treerules.data.domain import Outside, require_outside
from treerules.data.schema import Schema
from treerules.data.value_format import is_read_by_form
from treerules.emit.accumulation import Accumulate, accumulation_of, require_accumulate, with_remark
from treerules.emit.assuming import assuming_remark, refusal_lines, refused_columns, refusing
from treerules.emit.checked_rules import CheckedRules, check_source, rules_and_tree
from treerules.emit.header import opening_of
from treerules.emit.layout import (
    STYLES,
    CodeLine,
    Layout,
    Style,
    choose_layout,
    lines_of,
    require_array_style,
    require_ensemble_layout,
    require_layout,
)
from treerules.emit.python import plain_helpers
from treerules.emit.python.cell_choices import cell_choices
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.ensemble_arrays import ensemble_arrays
from treerules.emit.python.ensemble_module import ensemble_module
from treerules.emit.python.module_context import PythonContext
from treerules.emit.python.plain_module import plain_module
from treerules.emit.python.python_literals import assignment, block_text, with_encoding
from treerules.emit.python.schema_data import (
    answers_statement,
    distinct_answers,
    schema_statement,
    tuple_annotation,
    value_annotation,
)
from treerules.emit.python.selftest_rows import selftest_lines
from treerules.emit.python.statements import code_of
from treerules.emit.python.value_loading import (
    csv_statements,
    helper_sources,
    import_statements,
    load_of,
    reader_entries,
)
from treerules.emit.python.vectorized import vectorized_module
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.headings import require_lang
from treerules.rendering.templates import render_template
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import RuleFigures
from treerules.rules.rule_set import RuleSet, figure_names
from treerules.rules.shared_conditions import Constraint, constraints_of
from treerules.rules.wording import rule_texts
from treerules.trees.ensemble import Ensemble
from treerules.trees.node_parts import ClassPrediction
from treerules.trees.tree import Tree

#: layout="auto" is flat up to this number of leaves; of more rules, one test after the other takes markedly longer than
#: nested tests. People read the table RULES instead.
MOST_FLAT_LEAVES = 8

Lang = Literal["en", "zh"]


def to_python(
    source: Tree | RuleSet | ParsedRules | Ensemble,
    *,
    layout: Layout = "auto",
    templates: str | Path | None = None,
    lang: Lang = "en",
    style: Style = "plain",
    vectorized: bool = False,
    accumulate: Accumulate = "library",
    outside: Outside = "answer",
) -> str:
    """Return a Python module that predicts, for Python 3.8 and newer. It imports only the standard library.

    A plain module is short, for people to read: predict(row), explain(row) (the number and the text of the rule) and,
    for a classification, predict_proba(row). Run as a script it prints the prediction for each row of a CSV file.

    A full module also has rule(row), predict_many(rows), predict_values(value, ...), RULES, FEATURES, CLASSES, SCHEMA,
    TARGET and MODEL, the hash of the model. It takes the scalars of numpy and pandas. Run as a script it predicts CSV
    files of many forms, or checks itself with --selftest.

    The module of an Ensemble is plain, or vectorized: predict and predict_proba as above, and predict_margin, the sum
    of the leaves of its trees, added in the order and the type of the ensemble. Each tree is a function.

    A row is a mapping from names of columns to values. An absent key, None and NaN are missing values; other keys are
    ignored. predict(row, strict=True) makes a column that the rules test and that is no key a TypeError, in a full or
    vectorized module also a key that is no column of the model. A value of the wrong type is a TypeError that names
    its column.

    Args:
        source: a Tree, an Ensemble, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns,
            also those outside the domain that a file declares. Rules that were written or edited are checked first.
        layout: "flat" is one `if` for each rule, "guarded" nested blocks whose depth grows with the logarithm of the
            leaves (for trees only), and "auto", the default, is flat up to 8 leaves.
        templates: a folder whose templates replace those of treerules, such as python/module.py.j2. They receive the
            fields of `treerules.emit.PlainContext`, `PythonContext`, `VectorizedContext`, `EnsembleContext` or
            `EnsembleArraysContext`.
        lang: the language of the docstrings, "en" by default or "zh".
        style: "plain", the default, "full", or "lookup": a plain module that walks trees as tables of numbers. It is
            shorter for large models, and needs trees.
        vectorized: whether the module predicts whole columns by numpy, the one package that it then imports:
            predict(columns), rule(columns) and predict_proba(columns) take a mapping from names to 1-D arrays of one
            length. It needs a tree, and layout="auto". False by default.
        accumulate: how the trees of an Ensemble are added, as in `to_sql`: "library", the default, "exact" or "double".
        outside: what a row outside the declared domain gets: "answer", the default, is the model's answer, "refuse" a
            ValueError that names the column and the value. The second line says so.

    Returns:
        The source of the module, formatted as `ruff format` does.

    Raises:
        OptionError: `source` is no tree, ensemble or rule set, or layout="guarded" or vectorized=True was chosen for an
            edited rule set, or another layout together with vectorized=True, or style="full" for an ensemble, or
            style="lookup" without trees; or sums in doubles are not exact or have no bound, as accumulate= asks for;
            or outside="refuse" where no domain is declared.
        UnknownNameError: there is no such layout or language.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.

    Examples:
        >>> from treerules import cart, learn, Table, to_python
        >>> tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> module = {}
        >>> exec(to_python(tree), module)
        >>> module["predict"]({"x": 7}), module["explain"]({"x": None})
        ('b', (1, 'IF x <= 1 THEN y = a'))
    """
    require_lang(lang)
    require_layout(layout)
    require_flags(vectorized=vectorized)
    require_accumulate(accumulate, is_ensemble=isinstance(source, Ensemble))
    if not isinstance(style, str) or style not in STYLES:
        raise UnknownNameError("style", style, STYLES)
    if isinstance(source, Ensemble):
        require_outside(outside, {})
        return with_encoding(_ensemble_text(source, layout, templates, lang, style, vectorized, accumulate))
    require_array_style(style, layout, vectorized=vectorized)
    if vectorized:
        checked = refusing(CheckedRules(*rules_and_tree(source)), outside)
        text = vectorized_module(checked, layout, templates, lang)
    else:
        checked = refusing(check_source(source), outside)
        text = _text_of_rules(checked, layout, templates, lang, style)
    return with_encoding(with_remark(text, "#", assuming_remark(checked, lang)))


def _ensemble_text(
    source: Ensemble,
    layout: Layout,
    templates: str | Path | None,
    lang: Lang,
    style: Style,
    vectorized: bool,
    accumulate: Accumulate,
) -> str:
    require_ensemble_layout(layout)
    require_array_style(style, layout, vectorized=vectorized)
    if style == "full":
        wanted = "'plain' or 'lookup' for an Ensemble, or {vectorized:True}"
        raise OptionError("style", style, with_arguments(wanted, "vectorized"))
    accumulation = accumulation_of(source, accumulate, lang)
    if vectorized:
        text = ensemble_arrays(accumulation, templates, lang)
    else:
        text = ensemble_module(accumulation, templates, lang, style)
    return with_remark(text, "#", accumulation.remark)


def _text_of_rules(checked: CheckedRules, layout: Layout, templates: str | Path | None, lang: str, style: Style) -> str:
    """Return the text of the module of a rule set or of one tree."""
    is_large = checked.tree is not None and checked.tree.n_leaves > MOST_FLAT_LEAVES
    if style == "lookup":
        return plain_module(checked, "lookup", templates, lang)
    if style == "plain":
        is_tree = layout == "auto" and checked.tree is not None
        return plain_module(checked, choose_layout(checked, "guarded" if is_tree else layout), templates, lang)
    chosen = choose_layout(checked, "guarded" if layout == "auto" and is_large else layout)
    return _module_text(checked, chosen, templates, lang)


@paused_gc()
def _module_text(
    checked: CheckedRules, layout: Literal["flat", "guarded"], templates: str | Path | None, lang: str
) -> str:
    lines = [*refusal_lines(checked), *lines_of(checked, layout)]
    context = module_context(checked, lines, lang, layout=layout)
    return render_template("python/module.py.j2", templates, context)


def module_context(
    checked: CheckedRules, lines: list[CodeLine], lang: str = "en", *, layout: str = "flat"
) -> PythonContext:
    """Return the values passed to the template of a module; `lines` are those of the layout."""
    schema, rules = checked.schema, checked.rules.rules
    rule_constraints = constraints_of(schema, (rule.conditions for rule in rules))
    line_constraints = constraints_of(schema, (line.conditions for line in lines), rule_constraints)
    code = code_of(schema, lines, line_constraints)
    indices = sorted({schema.index(constraint.feature.name) for constraint in line_constraints.values()})
    features = [schema.features[index] for index in indices]
    loads = [load_of(index, feature) for index, feature in zip(indices, features, strict=True)]
    answers = distinct_answers(checked.schema, (rule.prediction for rule in checked.rules))
    figures = figure_names(schema)
    refused, helpers = refused_columns(checked), helper_sources(features)
    imports = import_statements(helpers, schema)
    has_classes = not schema.is_regression
    return PythonContext(
        opening=opening_of(checked.rules, "python", rule_constraints, layout=layout),
        docs=docs_of(lang, is_regression=schema.is_regression),
        imports=imports,
        has_zones=any("timezone" in line for line in imports),
        public=_PUBLIC if has_classes else [name for name in _PUBLIC if name not in ("CLASSES", "predict_proba")],
        target=assignment("TARGET", schema.target.name if schema.target else None),
        classes=assignment("CLASSES", schema.classes, tuple_annotation(schema.classes)) if has_classes else "",
        features=schema_statement(schema),
        answers=answers_statement(schema, answers) if has_classes else "",
        value_type=value_annotation(schema, answers),
        constants=[*([assignment("DOMAIN", refused)] if refused else []), *code.constants],
        asked=assignment("_ASKED", tuple(indices), "tuple[int, ...]"),
        highest=max(rule.number for rule in rules),
        figures=figures,
        unsure=[name for name in figures if any(getattr(rule.figures, name) is None for rule in rules)],
        table=_rules_table(checked.rules, answers, rule_constraints),
        shares=_shares_table(checked.rules) if has_classes else "",
        loads=loads,
        variables=[f"f{index}" for index in range(len(schema.features))],
        helpers=[*helpers, *([getsource(plain_helpers.outside).rstrip()] if refused else [])],
        has_holes=any("known(" in load.converted for load in loads),
        has_moments=any("MISSING" in load.converted for load in loads),
        lines=code.lines,
        falls_through=code.falls_through,
        checks=selftest_lines(checked, features),
        spelled=csv_statements(schema, indices, has_classes),
        readers=reader_entries(features),
        choices=cell_choices(dict(zip(indices, features, strict=True))),
        has_forms=any(is_read_by_form(feature.scalar, feature.form) for feature in features),
        is_numbered=all(is_numbered(feature.name) for feature in features),
        said=_prediction_text(schema),
    )


_PUBLIC = (
    *("CLASSES", "FEATURES", "MODEL", "RULES", "SCHEMA", "TARGET"),
    *("explain", "predict", "predict_many", "predict_proba", "predict_values", "rule"),
)


def _prediction_text(schema: Schema) -> str:
    """Return the Python expression that formats a prediction."""
    if schema.is_regression or schema.target is None:
        return "repr(_VALUES[number])"
    return "_VALUES[number]" if schema.target.scalar == "text" else "_SAID[_VALUES[number]]"


def _rules_table(rules: RuleSet, answers: list[Any], constraints: Mapping[int, Constraint]) -> str:
    """Return the table of rules as the inside of a string: one rule a line, with number, value, figures and text.

    The value is a mean, or the position of a class in `answers`. `constraints` is `constraints_of` the rules.
    """
    names = figure_names(rules.schema)
    positions = {(type(value), value): str(position) for position, value in enumerate(answers)}
    return block_text(
        f"{rule.number} {positions[type(rule.value), rule.value] if answers else repr(rule.value)} "
        f"{_figures_text(names, rule.figures)} {text}"
        for rule, text in zip(rules.rules, rule_texts(rules.schema, rules.rules, constraints), strict=True)
    )


def _figures_text(names: tuple[str, ...], figures: RuleFigures) -> str:
    values = [getattr(figures, name) for name in names]
    return " ".join(["-" if value is None else repr(value) for value in values])


def _shares_table(rules: RuleSet) -> str:
    """Return the table of probabilities: one rule a line, with its number and the share of each class."""
    lines = []
    for rule in rules.rules:
        shares = rule.prediction.probabilities if isinstance(rule.prediction, ClassPrediction) else ()
        lines.append(" ".join([str(rule.number), *map(repr, shares)]))
    return "\n".join(lines)

"""An ensemble as a plain Python module: a function for each tree, and the sum of what they return."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen
from toolz import groupby, keyfilter, pluck

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.emit.accumulation import Accumulation
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.ensemble_header import ensemble_opening
from treerules.emit.header import Opening
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.lookup_code import BISECT, LOOKUP_NAMES, LookupParts, lookup_parts
from treerules.emit.python.plain_links import mean_lines, probability_lines
from treerules.emit.python.plain_loading import (
    LoadedColumn,
    Loading,
    columns_statements,
    loaded_columns,
    loading_of,
    plain_sources,
)
from treerules.emit.python.plain_module import names_in, reserved_names, special_numbers
from treerules.emit.python.plain_script import PlainScript, plain_script
from treerules.emit.python.plain_statements import new_constants, plain_code
from treerules.emit.python.python_literals import INDENT, WIDTH, assignment, code_width, python_literal
from treerules.emit.python.statements import Constants
from treerules.emit.python.value_loading import import_statements
from treerules.emit.variable_names import variable_names
from treerules.rendering.templates import render_template
from treerules.rules.shared_conditions import by_identity, constraint_writers
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.walkers import leaves

#: Names that the functions of a module use.
_OURS = (
    "BASE",
    "at",
    "c_float",
    "exp",
    "leaf",
    "log1p",
    "margin",
    "margins",
    "power",
    "powers",
    "second",
    "shares",
    "single",
    "top",
    "total",
)


@short_repr
@frozen
class EnsembleContext:
    """The values passed to `python/ensemble.py.j2`, by field name. Public API.

    All texts are finished code of Python 3.8, formatted as `ruff format` does.
    """

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: docstrings and comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: import statements, sorted
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: statements that set CLASSES, BASE (the first sums) and the dates, sets and names that the code uses
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: the body of `predict`, and that of `predict_proba`, which is empty for a regression
    predict: tuple[str, ...] = field(converter=as_tuple)
    predict_proba: tuple[str, ...] = field(converter=as_tuple)
    #: statements that load the values of a row
    loads: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets the margins before the first tree
    start: str
    #: what the loop over the trees assigns: the leaf, or the position of its margin and the leaf
    loop_target: str
    #: the calls of the trees, finished lines; none in the style "lookup"
    calls: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that adds a leaf
    add_statement: str
    #: the statements behind the loop; the last returns the margins
    end_statements: tuple[str, ...] = field(converter=as_tuple)
    #: the function of each tree, finished text; none in the style "lookup"
    trees: tuple[str, ...] = field(converter=as_tuple)
    #: the source of the functions that load values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: whether sums are rounded to float32
    is_single: bool
    #: what runs where the module is a script
    script: PlainScript
    #: whether leaves hold a number for each margin
    adds_vectors: bool = False
    #: of the style "lookup" the table of nodes, and the expression of the leaves that a row reaches
    lookup: LookupParts | None = None
    leaves: str = ""


@paused_gc()
def ensemble_module(accumulation: Accumulation, templates: str | Path | None, lang: str, style: str = "plain") -> str:
    """Return the text of the plain module of an ensemble, or of that of the style "lookup"."""
    return render_template("python/ensemble.py.j2", templates, _context(accumulation, lang, style))


def _context(accumulation: Accumulation, lang: str, style: str) -> EnsembleContext:
    ensemble, schema = accumulation.ensemble, accumulation.model.schema
    body = _lookup_body(ensemble) if style == "lookup" else _body(ensemble)
    classes = [] if schema.is_regression else [assignment("CLASSES", schema.classes)]
    base = [assignment("BASE", ensemble.base)] if ensemble.use == "classes" and any(ensemble.base) else []
    statements = [*body.name_statements, *columns_statements(body.columns), *classes, *base, *body.constants]
    helpers = plain_sources({column.feature: column.loading for column in body.columns})
    answer, proba = _answer_lines(ensemble), probability_lines(ensemble)
    is_single = ensemble.sum_type == "float32"
    imports = import_statements(helpers, None, names_in(statements))
    own = [BISECT] if body.lookup is not None and body.lookup.has_bounds else []
    own += ["from ctypes import c_float"] if is_single else []
    used = [name for name in ("exp", "log1p") if any(f"{name}(" in line for line in [*answer, *proba])]
    own += [f"from math import {', '.join(used)}"] if used else []
    return EnsembleContext(
        opening=ensemble_opening(accumulation.model, "python", f"{style}-ensemble"),
        docs=_docs(ensemble, lang),
        imports=sorted([*imports, *own], key=lambda line: (not line.startswith("import"), line)),
        constants=[*special_numbers(imports, [*statements, *body.functions, *answer]), *statements],
        predict=answer,
        predict_proba=proba,
        loads=[line for column in body.columns for line in column.load_statements],
        **_sum_statements(ensemble),
        calls=body.calls,
        trees=body.functions,
        helpers=helpers,
        is_single=is_single,
        script=plain_script(schema, body.columns, other_forms=""),
        adds_vectors=ensemble.adds_vectors,
        lookup=body.lookup,
        leaves="zip(OUTPUTS, leaves(codes))" if _has_positions(ensemble) else "leaves(codes)",
    )


@frozen
class _Body:
    """The trees of an ensemble as code: the columns that they test, and functions of trees, or a table of nodes."""

    columns: list[LoadedColumn]
    name_statements: list[str]
    constants: list[str]
    functions: list[str] = field(factory=list)
    calls: list[str] = field(factory=list)
    lookup: LookupParts | None = None


def _body(ensemble: Ensemble) -> _Body:
    """Return the trees as functions."""
    lines = [lines_of(CheckedRules(None, tree), "guarded") for tree in ensemble.trees]
    loadings, numbers = _loadings(ensemble, lines), range(1, len(lines) + 1)
    variables = _variables(loadings, [f"tree_{number}" for number in numbers])
    constants = new_constants([line for of_tree in lines for line in of_tree])
    functions, calls, tested = [], list[str](), set[str]()
    for number, of_tree in enumerate(lines, 1):
        function, names = _tree_function(ensemble, number, of_tree, variables, constants)
        arguments = [variables[name] for name in variables if name in names]
        tested |= names
        functions.append(function)
        calls += _call(ensemble, number, arguments)
    columns = loaded_columns(keyfilter(lambda f: f.name in tested, loadings), variables)
    return _Body(*columns, constants.statements, functions, calls)


def _lookup_body(ensemble: Ensemble) -> _Body:
    """Return the trees as a table of nodes."""
    nodes = lookup_nodes(ensemble.schema, ensemble.trees)
    lines = [lines_of(CheckedRules(None, tree), "guarded") for tree in ensemble.trees]
    loadings = _loadings(ensemble, lines)
    columns, name_statements = loaded_columns(loadings, _variables(loadings, [*LOOKUP_NAMES, *nodes.table_names]))
    vectors = [leaf_vector(leaf.prediction) for tree in ensemble.trees for leaf in leaves(tree)]
    lookup = lookup_parts(nodes, columns, vectors)
    outputs = [assignment("OUTPUTS", ensemble.outputs)] if _has_positions(ensemble) else []
    return _Body(columns, name_statements, [*lookup.constants, *outputs], lookup=lookup)


def _variables(loadings: Mapping[Feature, Loading], reserved: Iterable[str]) -> dict[str, str]:
    names = {*reserved_names(plain_sources(loadings)), *_OURS, *reserved}
    return variable_names((feature.name for feature in loadings), names)


def _docs(ensemble: Ensemble, lang: str) -> dict[str, str]:
    docs = docs_of(lang, is_regression=ensemble.schema.is_regression)
    predict = docs["plain mean" if ensemble.schema.is_regression else "plain class"]
    return {**docs, "ensemble": docs["ensemble"].format(n=len(ensemble.trees)), "predict": predict}


def _loadings(ensemble: Ensemble, lines: Sequence[Sequence[CodeLine]]) -> dict[Feature, Loading]:
    """Return how each column with conditions in some tree is loaded."""
    pairs = by_identity(pair for of_tree in lines for line in of_tree for pair in line.conditions)
    of_feature = groupby(0, pairs.values())
    features = [feature for feature in ensemble.schema.features if feature.name in of_feature]
    return {feature: loading_of(feature, pluck(1, of_feature[feature.name])) for feature in features}


def _tree_function(
    ensemble: Ensemble, number: int, lines: Sequence[CodeLine], variables: Mapping[str, str], constants: Constants
) -> tuple[str, frozenset[str]]:
    """Return the function of a tree, given its number from 1, and the names of the columns that it tests."""
    tree = ensemble.trees[number - 1]
    vectors = [leaf_vector(leaf.prediction) for leaf in leaves(tree)]

    def answer(rule: int, indent: str) -> list[str]:
        vector = vectors[rule - 1]
        return _returned(vector if ensemble.adds_vectors else vector[0], indent)

    code = plain_code(lines, constraint_writers(ensemble.schema), variables, answer, constants)
    parameters = [variables[name] for name in variables if name in code.tested]
    head = _broken(f"def tree_{number}(", parameters, "):", "")
    return "\n".join([*head, *code.lines]), code.tested


def _returned(value: object, indent: str) -> list[str]:
    text = f"{indent}return {python_literal(value) if isinstance(value, float) else _vector(value)}"
    if code_width(text) <= WIDTH or not isinstance(value, tuple):
        return [text]
    return [f"{indent}return (", *(f"{indent}{INDENT}{python_literal(part)}," for part in value), f"{indent})"]


def _vector(value: object) -> str:
    parts = [python_literal(part) for part in value] if isinstance(value, tuple) else []
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _broken(start: str, entries: Sequence[str], end: str, indent: str) -> list[str]:
    """Return a call on one line if it fits, else its arguments on a line of their own, else one argument a line."""
    flat = f"{indent}{start}{', '.join(entries)}{end}"
    if code_width(flat) <= WIDTH:
        return [flat]
    inner = f"{indent}{INDENT}{', '.join(entries)}"
    if code_width(inner) <= WIDTH:
        return [f"{indent}{start}", inner, f"{indent}{end}"]
    return [f"{indent}{start}", *(f"{indent}{INDENT}{entry}," for entry in entries), f"{indent}{end}"]


def _call(ensemble: Ensemble, number: int, arguments: Sequence[str]) -> list[str]:
    """Return the lines of an entry of the loop: the call of a tree, with the position of its margin if it has one."""
    indent, call = INDENT * 2, f"tree_{number}("
    if not _has_positions(ensemble):
        return _broken(call, arguments, "),", indent)
    position = ensemble.outputs[number - 1]
    flat = f"{indent}({position}, {call}{', '.join(arguments)})),"
    if code_width(flat) <= WIDTH:
        return [flat]
    inner = indent + INDENT
    return [f"{indent}(", f"{inner}{position},", *_broken(call, arguments, "),", inner), f"{indent}),"]


def _has_positions(ensemble: Ensemble) -> bool:
    return len(ensemble.base) > 1 and not ensemble.adds_vectors


def _sum_statements(ensemble: Ensemble) -> dict[str, Any]:
    """Return the statements of the sum by the names of their fields."""
    is_single = ensemble.sum_type == "float32"
    rounded = "single({})" if is_single else "{}"
    changed = "{0} = single({0} {1} {2})" if is_single else "{0} {1}= {2}"
    if ensemble.use != "classes":
        steps = [changed.format("margin", operator, python_literal(numbers[0])) for operator, numbers in ensemble.steps]
        return {
            "start": f"margin = {python_literal(ensemble.start[0])}",
            "loop_target": "leaf",
            "add_statement": changed.format("margin", "+", "leaf"),
            "end_statements": [*steps, "return margin"],
        }
    added = changed.format("margins[at]", "+", "leaf")
    if ensemble.adds_vectors:
        added = f"margins = [{rounded.format('margin + part')} for margin, part in zip(margins, leaf)]"
    return {
        "start": "margins = list(BASE)" if any(ensemble.start) else f"margins = [0.0] * {len(ensemble.base)}",
        "loop_target": "at, leaf" if _has_positions(ensemble) else "leaf",
        "add_statement": added,
        "end_statements": [
            *(_step_of_each(operator, numbers, rounded) for operator, numbers in ensemble.steps),
            "return dict(zip(CLASSES, margins))",
        ],
    }


def _step_of_each(operator: str, numbers: Sequence[float], rounded: str) -> str:
    """Return the statement of a step for a margin of each class; the numbers of an addition are BASE."""
    if operator == "+":
        return f"margins = [{rounded.format('margin + part')} for margin, part in zip(margins, BASE)]"
    return f"margins = [{rounded.format(f'margin {operator} {python_literal(numbers[0])}')} for margin in margins]"


def _answer_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict`."""
    if ensemble.use == "cut":
        cut = python_literal(ensemble.cut)
        return [f"return CLASSES[int(predict_margin(row) >= {cut})]"]
    if ensemble.use == "classes":
        if ensemble.label_by == "probabilities":
            return ["shares = predict_proba(row)", "return max(CLASSES, key=shares.get)"]
        return ["margins = predict_margin(row)", "return max(CLASSES, key=margins.get)"]
    return mean_lines(ensemble)

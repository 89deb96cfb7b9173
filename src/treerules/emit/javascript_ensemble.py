"""An ensemble as a plain JavaScript module: a function for each tree, and the sum of what they return."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature
from treerules.emit.accumulation import Accumulation
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.ensemble_header import ensemble_opening
from treerules.emit.header import Opening
from treerules.emit.javascript_comments import JAVASCRIPT_COMMENTS
from treerules.emit.javascript_language import JAVASCRIPT
from treerules.emit.javascript_lookup import LOOKUP_NAMES, JavascriptLookup, javascript_lookup
from treerules.emit.javascript_plain import RESERVED, column_names, load_statements, strict_lines
from treerules.emit.javascript_statements import SCRIPT_INDENT, Sets, broken, script_code
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.link_lines import link_lines
from treerules.emit.lookup_nodes import lookup_nodes
from treerules.emit.variable_names import variable_names
from treerules.rendering.templates import render_template
from treerules.rules.shared_conditions import constraints_of
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.links import MOST_SINGLE_POWER
from treerules.trees.walkers import leaves

#: Names that the functions of a module use.
_OURS = (
    "CLASSES",
    "Map",
    "at",
    "leaf",
    "leaves",
    "margin",
    "margins",
    "numbers",
    "power",
    "powers",
    "second",
    "sum",
    "top",
    "Math",
)


@short_repr
@frozen
class JavascriptEnsembleContext:
    """The values passed to `javascript/ensemble.js.j2`, by field name. Public API. All texts are finished code."""

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: statements that set CLASSES, and the sets and names that the code uses
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: whether the model has classes, so that there is predictProba
    classes: bool
    #: the bodies of `predict` and of `predictProba`
    predict: tuple[str, ...] = field(converter=as_tuple)
    predict_proba: tuple[str, ...] = field(converter=as_tuple)
    #: statements that load the values of a row
    loads: tuple[str, ...] = field(converter=as_tuple)
    #: the types of those values: number, integer, boolean, text, date, timestamp or timestamp_utc
    scalars: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets the margins before the first tree
    start: str
    #: the calls of the trees, finished lines; none in the style "lookup"
    calls: tuple[str, ...] = field(converter=as_tuple)
    #: the statements that add the leaves; the last returns the margins
    add_statements: tuple[str, ...] = field(converter=as_tuple)
    #: the function of each tree, finished text; none in the style "lookup"
    trees: tuple[str, ...] = field(converter=as_tuple)
    #: of the style "lookup" the table of nodes
    lookup: JavascriptLookup | None = None
    #: the body of the function that refuses a row without some key; none where no column is needed
    strict: tuple[str, ...] = field(default=(), converter=as_tuple)


@paused_gc()
def javascript_ensemble(
    accumulation: Accumulation, templates: str | Path | None, lang: str, style: str = "plain"
) -> str:
    """Return the text of the plain module of an ensemble, or of that of the style "lookup"."""
    return render_template("javascript/ensemble.js.j2", templates, _context(accumulation, lang, style))


def _context(accumulation: Accumulation, lang: str, style: str) -> JavascriptEnsembleContext:
    ensemble, schema = accumulation.ensemble, accumulation.model.schema
    lines = [lines_of(CheckedRules(None, tree), "guarded") for tree in ensemble.trees]
    nodes = lookup_nodes(schema, ensemble.trees) if style == "lookup" else None
    variables = _variables(ensemble, lines, [] if nodes is None else [*LOOKUP_NAMES, *nodes.table_names])
    names, name_statements = column_names(variables)
    sets: Sets = {}
    functions, calls, lookup = [], [], None
    if nodes is not None:
        lines = []
        variables = {feature: variables[feature] for feature in nodes.features}
        lookup = javascript_lookup(nodes, variables, _leaf_literals(ensemble))
    for number, of_tree in enumerate(lines, 1):
        tested = {name for line in of_tree for name, _ in line.conditions}
        parameters = ", ".join(variable for feature, variable in variables.items() if feature.name in tested)
        functions.append(_tree_function(ensemble, number, of_tree, parameters, variables, sets))
        calls.append(f"{SCRIPT_INDENT * 2}tree{number}({parameters}),")
    classes = (
        []
        if schema.is_regression
        else [broken("export const CLASSES = [", map(JAVASCRIPT.literal, schema.classes), "];")]
    )
    set_statements = [broken(f"const G{at} = new Set([", literals, "]);") for at, literals in enumerate(sets, 1)]
    docs = JAVASCRIPT_COMMENTS[lang]
    return JavascriptEnsembleContext(
        opening=ensemble_opening(accumulation.model, "javascript", f"{style}-ensemble"),
        docs={**docs, "ensemble": docs["ensemble"].format(n=len(ensemble.trees))},
        constants=[*name_statements, *classes, *set_statements, *([] if lookup is None else lookup.constants)],
        classes=not schema.is_regression,
        predict=_answer_lines(ensemble),
        predict_proba=_proba_lines(ensemble),
        loads=load_statements(variables, names),
        scalars=sorted({feature.scalar for feature in variables}),
        start=_start(ensemble),
        calls=calls,
        add_statements=_add_statements(ensemble),
        trees=functions,
        lookup=lookup,
        strict=strict_lines([names[feature.name] for feature in variables]),
    )


def _variables(ensemble: Ensemble, lines: Sequence[Sequence[CodeLine]], others: Iterable[str]) -> dict[Feature, str]:
    """Return the variable of each column with conditions in some tree; none is one of the other names."""
    used = {name for of_tree in lines for line in of_tree for name, _ in line.conditions}
    features = [feature for feature in ensemble.schema.features if feature.name in used]
    reserved = {*RESERVED, *_OURS, *others, *(f"tree{number}" for number in range(1, len(lines) + 1))}
    variables = variable_names((feature.name for feature in features), reserved)
    return {feature: variables[feature.name] for feature in features}


def _tree_function(
    ensemble: Ensemble,
    number: int,
    lines: Sequence[CodeLine],
    parameters: str,
    variables: Mapping[Feature, str],
    sets: Sets,
) -> str:
    """Return the function of a tree, given its number from 1. Long sets of categories are added to `sets`."""
    vectors = [leaf_vector(leaf.prediction) for leaf in leaves(ensemble.trees[number - 1])]

    def answer(rule: int, indent: str, test: str) -> list[str]:
        vector = vectors[rule - 1]
        value = _list(vector) if ensemble.adds_vectors else JAVASCRIPT.literal(vector[0])
        return [f"{indent}{test}return {value};"]

    constraints = constraints_of(ensemble.schema, (line.conditions for line in lines))
    by_name = {feature.name: variable for feature, variable in variables.items()}
    code = script_code(lines, constraints, by_name, answer, sets)
    return "\n".join([f"function tree{number}({parameters}) {{", *code.lines, "}"])


def _leaf_literals(ensemble: Ensemble) -> list[str]:
    """Return what each leaf of each tree adds as a literal."""
    vectors = [leaf_vector(leaf.prediction) for tree in ensemble.trees for leaf in leaves(tree)]
    return [_list(vector) if ensemble.adds_vectors else JAVASCRIPT.literal(vector[0]) for vector in vectors]


def _list(numbers: Sequence[float]) -> str:
    return f"[{', '.join(map(JAVASCRIPT.literal, numbers))}]"


def _start(ensemble: Ensemble) -> str:
    if ensemble.use == "classes":
        return f"let margins = {_list(ensemble.start)};"
    return f"let margin = {JAVASCRIPT.literal(ensemble.start[0])};"


def _add_statements(ensemble: Ensemble) -> list[str]:
    """Return the statements that add the leaves in their order, and what follows."""
    rounded = "Math.fround({})" if ensemble.sum_type == "float32" else "{}"
    if ensemble.use != "classes":
        added = [f"for (const leaf of leaves) margin = {rounded.format('margin + leaf')};"]
        steps = [f"margin {operator} {JAVASCRIPT.literal(numbers[0])}" for operator, numbers in ensemble.steps]
        return [*added, *(f"margin = {rounded.format(step)};" for step in steps), "return margin;"]
    if ensemble.adds_vectors:
        sums = rounded.format("margin + leaf[at]")
        added = [f"for (const leaf of leaves) margins = margins.map((margin, at) => {sums});"]
    else:
        outputs = f"[{', '.join(map(str, ensemble.outputs))}]"
        sums = rounded.format("margins[at] + leaves[tree]")
        added = [f"{outputs}.forEach((at, tree) => (margins[at] = {sums}));"]
    for operator, numbers in ensemble.steps:
        number = JAVASCRIPT.literal(numbers[0]) if len(set(numbers)) == 1 else f"{_list(numbers)}[at]"
        added.append(f"margins = margins.map((margin, at) => {rounded.format(f'margin {operator} {number}')});")
    return [*added, "return new Map(CLASSES.map((label, at) => [label, margins[at]]));"]


def _answer_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict`."""
    if ensemble.use == "cut":
        cut = JAVASCRIPT.literal(ensemble.cut)
        return [f"return CLASSES[predictMargin(row) >= {cut} ? 1 : 0];"]
    if ensemble.use == "classes":
        function = "predictMargin" if ensemble.label_by == "margins" else "predictProba"
        return [
            f"const numbers = [...{function}(row).values()];",
            "return CLASSES[numbers.indexOf(Math.max(...numbers))];",
        ]
    return link_lines(ensemble, MEANS, SINGLE_MEANS, JAVASCRIPT.literal)


def _proba_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predictProba`; none for a regression."""
    if ensemble.use == "mean":
        return []
    return link_lines(ensemble, PROBABILITIES, SINGLE_PROBABILITIES, JAVASCRIPT.literal)


#: The body of `predict` of a regression, by link function.
MEANS = {
    "identity": ("return predictMargin(row);",),
    "exp": ("return Math.exp(predictMargin(row));",),
    "expit": ("return 1 / (1 + Math.exp(-predictMargin(row)));",),
    "square": ("const margin = predictMargin(row);", "return Math.abs(margin) * margin;"),
    "softplus": ("return Math.log1p(Math.exp(predictMargin(row)));",),
}
#: The body of `predictProba`, by link function; `SLOPE * ` is replaced by the factor of the margin.
PROBABILITIES = {
    "identity": ("return predictMargin(row);",),
    "sigmoid": (
        "const second = 1 / (1 + Math.exp(-SLOPE * predictMargin(row)));",
        "return new Map(CLASSES.map((label, at) => [label, at ? second : 1 - second]));",
    ),
    "step": (
        "const second = predictMargin(row) > 0 ? 1 : 0;",
        "return new Map(CLASSES.map((label, at) => [label, at ? second : 1 - second]));",
    ),
    "softmax": (
        "const margins = [...predictMargin(row).values()];",
        "const top = Math.max(...margins);",
        "const powers = margins.map((margin) => Math.exp(margin - top));",
        "const sum = powers.reduce((total, power) => total + power);",
        "return new Map(CLASSES.map((label, at) => [label, powers[at] / sum]));",
    ),
    "sigmoids": (
        "const margins = [...predictMargin(row).values()];",
        "return new Map(CLASSES.map((label, at) => [label, 1 / (1 + Math.exp(-SLOPE * margins[at]))]));",
    ),
}
_SINGLE_EXPIT = (
    f"const power = Math.min(Math.fround(-SLOPE * predictMargin(row)), {MOST_SINGLE_POWER!r});",
    "const second = Math.fround(1 / Math.fround(1 + Math.fround(Math.exp(power))));",
)
#: The same of sums of float32, rounded to float32 step by step.
SINGLE_MEANS = {
    **MEANS,
    "exp": ("return Math.fround(Math.exp(predictMargin(row)));",),
    "expit": (*_SINGLE_EXPIT, "return second;"),
}
SINGLE_PROBABILITIES = {
    **PROBABILITIES,
    "sigmoid": (
        *_SINGLE_EXPIT,
        "return new Map(CLASSES.map((label, at) => [label, at ? second : Math.fround(1 - second)]));",
    ),
    "softmax": (
        "const margins = [...predictMargin(row).values()];",
        "const top = Math.max(...margins);",
        "const powers = margins.map((margin) => Math.fround(Math.exp(Math.fround(margin - top))));",
        "const sum = Math.fround(powers.reduce((total, power) => total + power));",
        "return new Map(CLASSES.map((label, at) => [label, Math.fround(powers[at] / sum)]));",
    ),
}

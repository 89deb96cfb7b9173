"""An ensemble as a Python module that predicts whole columns and needs only numpy."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.emit.accumulation import Accumulation
from treerules.emit.ensemble_header import ensemble_opening
from treerules.emit.header import Opening
from treerules.emit.link_lines import link_lines
from treerules.emit.python.cell_choices import array_choices
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.python_literals import assignment, python_literal
from treerules.emit.python.schema_data import schema_statement, tuple_annotation
from treerules.emit.python.value_loading import conversion_entries, helper_sources, import_statements, number_entries
from treerules.emit.python.vectorized import COLLECTIONS, DTYPES, split_lines
from treerules.rendering.templates import render_template
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.links import MOST_SINGLE_POWER
from treerules.trees.tested_columns import tested_features
from treerules.trees.tree import Tree, target_of
from treerules.trees.walkers import leaves

_PUBLIC = ("FEATURES", "MODEL", "SCHEMA", "TARGET", "predict", "predict_margin")


@short_repr
@frozen
class EnsembleArraysContext:
    """The values passed to `python/arrays.py.j2`, by field name. Public API.

    All texts are finished code, formatted as `ruff format` does.
    """

    #: the first line: as text, one line without any name or label of the user's
    opening: Opening
    #: docstrings and comments by subject, in the language `lang`
    docs: Mapping[str, str]
    #: import statements, sorted; without numpy
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: whether the name UTC is used
    has_zones: bool
    #: the names for __all__, sorted
    public: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets TARGET
    target: str
    #: the statement that sets CLASSES; "" for a regression
    classes: str
    #: the statement that sets SCHEMA
    features: str
    #: the statement that sets _ASKED: the positions of the features with conditions
    asked: str
    #: for each tree its root and its splits, as in `VectorizedContext`, one a line; an empty line between trees
    nodes: str
    #: whether some split has several intervals
    has_unions: bool
    #: for each tree its leaves, one a line: what each adds; an empty line between trees
    leaves: str
    #: the statement that sets _OUTPUTS: the margin that each tree is added to; "" where leaves hold a number for each
    outputs: str
    #: whether leaves hold a number for each margin
    adds_vectors: bool
    #: the number of margins, and what they begin with, as an expression
    n_margins: int
    first: str
    #: the type of the sums, float64 or float32
    sum_type: str
    #: the statements behind the loop over the trees; the last returns the margins
    end_statements: tuple[str, ...] = field(converter=as_tuple)
    #: the body of `predict`, and that of `predict_proba`, which is empty for a regression
    predict: tuple[str, ...] = field(converter=as_tuple)
    predict_proba: tuple[str, ...] = field(converter=as_tuple)
    #: the source of the functions that convert values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: `"type": function` for categories, and for ordered values
    converted: tuple[str, ...] = field(converter=as_tuple)
    placed: tuple[str, ...] = field(converter=as_tuple)
    #: statements that set _WORDS and _TRIMMED, where some values are not read as usual
    choices: tuple[str, ...] = field(converter=as_tuple)


@paused_gc()
def ensemble_arrays(accumulation: Accumulation, templates: str | Path | None, lang: str) -> str:
    """Return the text of the vectorized module of an ensemble."""
    return render_template("python/arrays.py.j2", templates, _context(accumulation, lang))


def _context(accumulation: Accumulation, lang: str) -> EnsembleArraysContext:
    ensemble = accumulation.ensemble
    schema, features = ensemble.schema, tested_features(ensemble)
    indices = [schema.indices[feature.name] for feature in features]
    helpers = helper_sources(features, cells=False)
    has_classes = not schema.is_regression
    imports = [line for line in import_statements(helpers, schema, ("Any",)) if "collections" not in line]
    imports.insert(sum(line.startswith("import ") for line in imports), COLLECTIONS)
    outputs = "" if ensemble.adds_vectors else assignment("_OUTPUTS", ensemble.outputs)
    nodes = "\n\n".join(map(_nodes_text, ensemble.trees))
    return EnsembleArraysContext(
        opening=ensemble_opening(accumulation.model, "python", "arrays"),
        docs=docs_of(lang, is_regression=schema.is_regression),
        imports=imports,
        has_zones=any("timezone" in line for line in imports),
        public=sorted([*_PUBLIC, *(["CLASSES", "predict_proba"] if has_classes else [])]),
        target=assignment("TARGET", target_of(ensemble).name),
        classes=assignment("CLASSES", schema.classes, tuple_annotation(schema.classes)) if has_classes else "",
        features=schema_statement(schema),
        asked=assignment("_ASKED", tuple(indices), "tuple[int, ...]"),
        nodes=nodes,
        has_unions=" at " in nodes,
        leaves="\n\n".join(map(_leaves_text, ensemble.trees)),
        outputs=outputs,
        adds_vectors=ensemble.adds_vectors,
        n_margins=len(ensemble.base),
        first=_numbers(ensemble.start),
        sum_type=ensemble.sum_type,
        end_statements=_end_statements(ensemble),
        predict=_answer_lines(ensemble),
        predict_proba=_proba_lines(ensemble),
        helpers=helpers,
        converted=conversion_entries(features),
        placed=number_entries(features),
        choices=array_choices(dict(zip(indices, features, strict=True))),
    )


def _nodes_text(tree: Tree) -> str:
    root, lines, _ = split_lines(tree)
    return "\n".join([str(root), *lines])


def _leaves_text(tree: Tree) -> str:
    return "\n".join([" ".join(map(repr, leaf_vector(leaf.prediction))) for leaf in leaves(tree.root)])


def _numbers(numbers: Sequence[float]) -> str:
    """Return a number for each margin as an expression: one number where they are the same."""
    texts = list(map(python_literal, numbers))
    return texts[0] if len(set(texts)) == 1 else f"[{', '.join(texts)}]"


def _end_statements(ensemble: Ensemble) -> list[str]:
    """Return the statements behind the loop over the trees."""
    steps = [
        f"margins {operator}= np.array({_numbers(numbers)}, dtype=margins.dtype)"
        for operator, numbers in ensemble.steps
    ]
    return [*steps, "return margins" if ensemble.use == "classes" else "return margins[:, 0]"]


def _answer_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict`."""
    if ensemble.use == "mean":
        return link_lines(ensemble, MEANS, SINGLE_MEANS, python_literal)
    kind = DTYPES.get(target_of(ensemble).scalar, "object")
    classes = [f"classes = np.empty(len(CLASSES), dtype={kind})", "classes[:] = CLASSES"]
    if ensemble.use == "cut":
        cut = f"predict_margin(columns) >= {python_literal(ensemble.cut)}"
        return [*classes, f"return classes[({cut}).astype(np.int64)]"]
    function = "predict_margin" if ensemble.label_by == "margins" else "predict_proba"
    return [*classes, f"return classes[{function}(columns).argmax(axis=1)]"]


def _proba_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict_proba`; none for a regression."""
    if ensemble.use == "mean":
        return []
    return link_lines(ensemble, PROBABILITIES, SINGLE_PROBABILITIES, python_literal)


_MARGINS = "predict_margin(columns).astype(np.float64)"
#: The body of `predict` of a regression, by link function.
MEANS = {
    "identity": (f"return {_MARGINS}",),
    "exp": ('with np.errstate(over="ignore"):', f"    return np.exp({_MARGINS})"),
    "expit": ('with np.errstate(over="ignore"):', f"    return 1.0 / (1.0 + np.exp(-{_MARGINS}))"),
    "square": (
        f"margins = {_MARGINS}",
        'with np.errstate(over="ignore"):',
        "    return np.abs(margins) * margins",
    ),
    "softplus": ('with np.errstate(over="ignore"):', f"    return np.log1p(np.exp({_MARGINS}))"),
}
#: The body of `predict_proba`, by link function; `SLOPE * ` is replaced by the factor of the margin.
PROBABILITIES = {
    "identity": (f"return {_MARGINS}",),
    "sigmoid": (
        'with np.errstate(over="ignore"):',
        f"    second = 1.0 / (1.0 + np.exp(-SLOPE * {_MARGINS}))",
        "return np.column_stack([1.0 - second, second])",
    ),
    "step": (
        "second = (predict_margin(columns) > 0).astype(np.float64)",
        "return np.column_stack([1.0 - second, second])",
    ),
    "softmax": (
        f"margins = {_MARGINS}",
        "powers = np.exp(margins - margins.max(axis=1, keepdims=True, initial=-INF))",
        "return powers / powers.sum(axis=1, keepdims=True)",
    ),
    "sigmoids": ('with np.errstate(over="ignore"):', f"    return 1.0 / (1.0 + np.exp(-SLOPE * {_MARGINS}))"),
}
_POWER = f"np.minimum(-SLOPE * predict_margin(columns), np.float32({MOST_SINGLE_POWER!r}))"
_SINGLE_EXPIT = (
    f"powers = {_POWER}.astype(np.float64)",
    "second = (1.0 / (1.0 + np.exp(powers).astype(np.float32))).astype(np.float64)",
)
#: The same of sums of float32, rounded to float32 step by step.
SINGLE_MEANS = {
    **MEANS,
    "exp": ('with np.errstate(over="ignore"):', f"    return np.exp({_MARGINS}).astype(np.float32).astype(np.float64)"),
    "expit": (*_SINGLE_EXPIT, "return second"),
}
SINGLE_PROBABILITIES = {
    **PROBABILITIES,
    "sigmoid": (*_SINGLE_EXPIT, "return np.column_stack([(1.0 - second).astype(np.float32), second])"),
    "softmax": (
        "margins = predict_margin(columns)",
        "powers = (margins - margins.max(axis=1, keepdims=True, initial=-INF)).astype(np.float64)",
        "powers = np.exp(powers).astype(np.float32)",
        "sums = powers.sum(axis=1, keepdims=True, dtype=np.float64).astype(np.float32)",
        "return (powers / sums).astype(np.float64)",
    ),
}

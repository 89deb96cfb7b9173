"""A tree as a Python module that predicts whole columns and needs only numpy."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.data.domain import domain_of
from treerules.data.schema import MISSING, UNSEEN
from treerules.emit.assuming import refused_columns
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.header import Opening, opening_of
from treerules.emit.numeric_cuts import threshold_number
from treerules.emit.python.cell_choices import array_choices
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.python_literals import assignment
from treerules.emit.python.schema_data import (
    answers_statement,
    distinct_answers,
    schema_statement,
    tuple_annotation,
)
from treerules.emit.python.selftest_rows import selftest_lines
from treerules.emit.python.value_loading import (
    conversion_entries,
    helper_sources,
    import_statements,
    number_entries,
)
from treerules.errors import OptionError
from treerules.rendering.templates import render_template
from treerules.rules.shared_conditions import constraints_of
from treerules.trees.node_parts import CategoryTest, ClassPrediction
from treerules.trees.nodes import Leaf, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves, with_child_numbers

_PUBLIC = ("CLASSES", "FEATURES", "MODEL", "SCHEMA", "TARGET", "predict", "predict_proba", "rule")


@short_repr
@frozen
class VectorizedContext:
    """The values passed to `python/vectorized.py.j2`, by field name. Public API.

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
    #: one line for each split. Of an ordered feature: its position, the threshold, the child of missing values, the two
    #: children. Of several intervals: its position, `at`, the child of missing values, that of the lowest values, the
    #: other, and the bounds between which these two take turns. Of categories: the position, `in`, the children of
    #: unseen and of missing values, that of each category. A child is the position of a line, or the negative number of
    #: a rule
    nodes: str
    #: whether some split has several intervals
    has_unions: bool
    #: the root, as a child
    root: int
    #: the statement that sets _ANSWERS, the values whose positions the leaves hold; "" for a regression
    answers: str
    #: one line for each leaf, in the order of the rules' numbers: position of its class and probabilities, or its mean
    leaves: str
    n_leaves: int
    #: the numpy type of the classes, as an expression; "" for a regression
    dtype: str
    #: the source of the functions that convert values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: `"type": function` for categories, and for ordered values
    converted: tuple[str, ...] = field(converter=as_tuple)
    placed: tuple[str, ...] = field(converter=as_tuple)
    #: statements that set _WORDS and _TRIMMED, where some values are not read as usual
    choices: tuple[str, ...] = field(converter=as_tuple)
    #: JSON lines: the names of columns, then a rule's number and a row that fires it
    checks: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets _DOMAIN, what is declared of columns, where rows outside are refused; else ""
    domain: str = ""


@paused_gc()
def vectorized_module(checked: CheckedRules, layout: str, templates: str | Path | None, lang: str) -> str:
    """Return the module of a tree, or of the tree that a rule set was compiled from.

    Raises:
        OptionError: the rules have no tree, or a layout is chosen.
    """
    if layout != "auto":
        raise OptionError("layout", layout, "'auto', since a vectorized module walks the tree as arrays")
    if checked.tree is None:
        wanted = "False, or emit tree_from_rules(rules): a rule set that was edited has no tree to walk"
        raise OptionError("vectorized", True, wanted)
    return render_template("python/vectorized.py.j2", templates, vectorized_context(checked, checked.tree, lang))


def vectorized_context(checked: CheckedRules, tree: Tree, lang: str = "en") -> VectorizedContext:
    """Return the values passed to the template of a vectorized module."""
    schema = tree.schema
    root, lines, tested = split_lines(tree)
    refused = refused_columns(checked)
    indices = sorted({*tested, *map(schema.index, refused)})
    features = [schema.features[index] for index in indices]
    helpers = helper_sources(features, cells=False)
    has_classes = not schema.is_regression
    imports = [line for line in import_statements(helpers, schema) if "collections" not in line]
    imports.insert(sum(line.startswith("import ") for line in imports), COLLECTIONS)
    answers = distinct_answers(checked.schema, (rule.prediction for rule in checked.rules))
    constraints = constraints_of(schema, (rule.conditions for rule in checked.rules.rules))
    return VectorizedContext(
        opening=opening_of(checked.rules, "python", constraints, layout="arrays"),
        docs=docs_of(lang, is_regression=schema.is_regression),
        imports=imports,
        has_zones=any("timezone" in line for line in imports),
        public=_PUBLIC if has_classes else [name for name in _PUBLIC if name not in ("CLASSES", "predict_proba")],
        target=assignment("TARGET", schema.target.name if schema.target else None),
        classes=assignment("CLASSES", schema.classes, tuple_annotation(schema.classes)) if has_classes else "",
        features=schema_statement(schema),
        asked=assignment("_ASKED", tuple(indices), "tuple[int, ...]"),
        nodes="\n".join(lines),
        has_unions=any(" at " in line for line in lines),
        root=root,
        answers=answers_statement(schema, answers) if has_classes else "",
        leaves="\n".join([_leaf_line(leaf, answers) for leaf in leaves(tree.root)]),
        n_leaves=tree.n_leaves,
        dtype=DTYPES.get(schema.target.scalar, "object") if schema.target and has_classes else "",
        helpers=helpers,
        converted=conversion_entries(features),
        placed=number_entries(features),
        choices=array_choices(dict(zip(indices, features, strict=True))),
        checks=selftest_lines(checked, features),
        domain=_domain_statement(checked, refused) if refused else "",
    )


def _domain_statement(checked: CheckedRules, refused: Mapping[str, str]) -> str:
    """Return the statement that sets _DOMAIN: by position the least and greatest cell, whether one may be missing."""
    entries: dict[int, tuple[Any, ...]] = {}
    for name, words in refused.items():
        feature, declared = checked.schema.feature(name), domain_of(checked.schema.feature(name), checked.domain)
        if feature.is_ordered:
            ends = [threshold_number(feature, bound) for bound in (declared.lowest, declared.highest)]
        else:
            ends = [UNSEEN if declared.unseen else MISSING, len(feature.categories)]
        entries[checked.schema.index(name)] = (*ends, declared.missing, words)
    return assignment("_DOMAIN", entries, "dict[int, tuple[Any, ...]]")


COLLECTIONS = "from collections.abc import Mapping, Sequence"
DTYPES = {"integer": "np.int64", "number": "np.float64", "boolean": "np.bool_"}


def split_lines(tree: Tree) -> tuple[int, list[str], list[int]]:
    """Return the code of the root, one line for each split, and the positions of the features that they test.

    The code of a split is the position of its line, that of a leaf the negative number of its rule.
    """
    nodes = with_child_numbers(tree.root)
    codes: list[int] = []
    n_splits = n_leaves = 0
    for node, _ in nodes:
        is_split = isinstance(node, Split)
        n_splits, n_leaves = n_splits + is_split, n_leaves + (not is_split)
        codes.append(n_splits - 1 if is_split else -n_leaves)
    splits = [(node, [codes[child] for child in children]) for node, children in nodes if isinstance(node, Split)]
    indices = sorted({node.test.feature for node, _ in splits})
    return codes[0], [_split_line(tree, node, children) for node, children in splits], indices


def _split_line(tree: Tree, node: Split, children: Sequence[int]) -> str:
    """Return the line of a split; `children` are the codes of its children."""
    test, missing = node.test, children[node.missing]
    if isinstance(test, CategoryTest):
        targets = {position: child for group, child in zip(test.groups, children, strict=False) for position in group}
        codes = [children[node.unseen or 0], missing, *(targets[position] for position in range(len(targets)))]
        return f"{test.feature} in {' '.join(map(str, codes))}"
    feature = tree.schema.features[test.feature]
    numbers = [repr(threshold_number(feature, threshold)) for threshold in test.thresholds]
    if len(numbers) == 1:
        return f"{test.feature} {numbers[0]} {missing} {children[test.lowest_child]} {children[1 - test.lowest_child]}"
    sides = f"{children[test.lowest_child]} {children[1 - test.lowest_child]}"
    return f"{test.feature} at {missing} {sides} {' '.join(numbers)}"


def _leaf_line(leaf: Leaf, answers: Sequence[object]) -> str:
    """Return the line of a leaf: its mean, or the position of its class in `answers` and the probabilities."""
    prediction = leaf.prediction
    if not isinstance(prediction, ClassPrediction):
        return repr(prediction.value)
    label = prediction.value
    index = next(index for index, value in enumerate(answers) if type(value) is type(label) and value == label)
    return " ".join([str(index), *map(repr, prediction.probabilities)])

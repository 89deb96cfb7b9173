"""A tree as a Python module that scores arrays and needs nothing but numpy."""

from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.paused_gc import paused_gc
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import LAYOUTS
from treerules.emit.numeric_cuts import place_of
from treerules.emit.python.docstrings import docs_of
from treerules.emit.python.python_literals import assigned
from treerules.emit.python.schema_data import answers_of, answers_text, schema_text, tuple_of
from treerules.emit.python.selftest_rows import checks_of
from treerules.emit.python.value_loading import helpers_of, imports_of, placing_of
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.templates import rendered
from treerules.rules.compile import compile_rules
from treerules.rules.rule_set import RuleSet
from treerules.rules.shared_conditions import asked_of
from treerules.trees.node_parts import CategoryTest, ClassPrediction
from treerules.trees.tree import Leaf, Split, Tree, leaves, numbered

_PUBLIC = ("CLASSES", "FEATURES", "MODEL", "SCHEMA", "TARGET", "predict", "predict_proba", "rule")


@frozen
class VectorizedContext:
    """What `python/vectorized.py.j2` is given. All texts are finished code, formatted as by `ruff format`."""

    #: for the first line: as text, one line without any text of the user's
    opening: Opening
    #: docstrings and comments by what they are about, in the language asked for
    docs: Mapping[str, str]
    #: import statements, sorted; that of numpy is not among them
    imports: tuple[str, ...] = field(converter=as_tuple)
    #: whether UTC is named
    has_zones: bool
    #: the names for __all__, sorted
    public: tuple[str, ...] = field(converter=as_tuple)
    #: the statement that sets TARGET
    target: str
    #: the statement that sets CLASSES; "" for a regression
    classes: str
    #: the statement that sets SCHEMA
    features: str
    #: the statement that sets _ASKED: the places of the columns that are asked for
    asked: str
    #: a split a line: the place of its column, the cut, the child of missing values, the two children; or the place,
    #: `in`, the children of unseen and of missing values, and that of each category. A child is the place of a line,
    #: or below 0 the number of a rule
    nodes: str
    #: the child that is the whole tree
    root: int
    #: the statement that sets _ANSWERS, to which the leaves count; "" for a regression
    answers: str
    #: a leaf a line, in the order of the rules' numbers: the place of its class and the share of each, or its mean
    leaves: str
    n_leaves: int
    #: the numpy type of the classes, as an expression; "" for a regression
    dtype: str
    #: the source of the functions that convert values
    helpers: tuple[str, ...] = field(converter=as_tuple)
    #: `"type": function` for the types of categories, and for those of what is cut
    converted: tuple[str, ...] = field(converter=as_tuple)
    placed: tuple[str, ...] = field(converter=as_tuple)
    #: JSON lines, the first with the names of columns, each other with a rule's number and a row that fires it
    checks: tuple[str, ...] = field(converter=as_tuple)


def vectorized_module(source: Tree | RuleSet, layout: str, templates: str | Path | None, lang: str) -> str:
    """Return the module of a tree, or of the tree that a rule set remembers.

    Raises:
        OptionError: there is none, or a layout is asked for.
    """
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    if layout != "auto":
        raise OptionError("layout", layout, "no layout with vectorized=True: the tree is walked as arrays")
    if not isinstance(source, (Tree, RuleSet)):
        raise OptionError("what is to be emitted", type(source).__name__, "a Tree or a RuleSet")
    rules = compile_rules(source) if isinstance(source, Tree) else source
    if rules.tree is None:
        raise OptionError(
            "vectorized", True, "a tree, such as tree_from_rules(rules): this rule set was edited, so it has none"
        )
    with paused_gc():
        return rendered("python/vectorized.py.j2", templates, vectorized_context_of(rules, rules.tree, lang))


def vectorized_context_of(rules: RuleSet, tree: Tree, lang: str = "en") -> VectorizedContext:
    """Return what the template of a vectorized module is given for a tree and its rules."""
    schema = tree.schema
    root, nodes, indices = _nodes(tree)
    features = [schema.features[index] for index in indices]
    helpers = helpers_of(features, cells=False)
    has_classes = not schema.is_regression
    imports = [line for line in imports_of(helpers, schema) if "collections" not in line]
    imports.insert(sum(line.startswith("import ") for line in imports), _COLLECTIONS)
    converted, placed = placing_of(features)
    answers = answers_of(rules)
    names = _PUBLIC if has_classes else [name for name in _PUBLIC if name not in ("CLASSES", "predict_proba")]
    return VectorizedContext(
        opening=opening_of(
            rules, "python", asked_of(schema, (rule.conditions for rule in rules.rules)), layout="arrays"
        ),
        docs=docs_of(lang, is_regression=schema.is_regression),
        imports=imports,
        has_zones=any("timezone" in line for line in imports),
        public=names,
        target=assigned("TARGET", schema.target.name if schema.target else None),
        classes=assigned("CLASSES", schema.classes, tuple_of(schema.classes)) if has_classes else "",
        features=schema_text(schema),
        asked=assigned("_ASKED", tuple(indices), "tuple[int, ...]"),
        nodes="\n".join(nodes),
        root=root,
        answers=answers_text(schema, answers) if has_classes else "",
        leaves="\n".join(_leaf(leaf, answers) for leaf in leaves(tree.root)),
        n_leaves=tree.n_leaves,
        dtype=_DTYPES.get(schema.target.scalar, "object") if schema.target and has_classes else "",
        helpers=helpers,
        converted=converted,
        placed=placed,
        checks=checks_of(rules, features),
    )


_COLLECTIONS = "from collections.abc import Mapping, Sequence"
_DTYPES = {"integer": "np.int64", "number": "np.float64", "boolean": "np.bool_"}


def _nodes(tree: Tree) -> tuple[int, list[str], list[int]]:
    """Return the code of the root, the lines of the splits, and the places of the features that they ask for."""
    found = numbered(tree.root)
    codes: list[int] = []
    n_splits = n_leaves = 0
    for node, _ in found:
        is_split = isinstance(node, Split)
        n_splits, n_leaves = n_splits + is_split, n_leaves + (not is_split)
        codes.append(n_splits - 1 if is_split else -n_leaves)
    splits = [(node, [codes[child] for child in below]) for node, below in found if isinstance(node, Split)]
    asked = sorted({node.test.feature for node, _ in splits})
    return codes[0], [_line(tree, node, children) for node, children in splits], asked


def _line(tree: Tree, node: Split, children: list[int]) -> str:
    test, missing = node.test, children[node.missing]
    if isinstance(test, CategoryTest):
        sides = {place: child for group, child in zip(test.groups, children, strict=False) for place in group}
        answers = [children[node.unseen or 0], missing, *(sides[place] for place in range(len(sides)))]
        return f"{test.feature} in {' '.join(map(str, answers))}"
    cut = place_of(tree.schema.features[test.feature], test.threshold)
    return f"{test.feature} {cut!r} {missing} {children[0]} {children[1]}"


def _leaf(leaf: Leaf, answers: list[object]) -> str:
    found = leaf.prediction
    if not isinstance(found, ClassPrediction):
        return repr(found.value)
    place = next(at for at, value in enumerate(answers) if type(value) is type(found.value) and value == found.value)
    return " ".join([str(place), *map(repr, found.probabilities)])

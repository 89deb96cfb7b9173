"""Strategies of hypothesis for schemas, tables and trees.

Each value is built of choices that hypothesis draws and shrinks; nothing is filtered.
"""

from collections.abc import Iterable, Sequence
from types import NoneType
from typing import Any

from attrs import evolve
from toolz import unique

from treerules._internal.notes import or_none
from treerules.data.column import of_values
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.testing.edge_cases import MEANS, NAMES
from treerules.testing.hypothesis_choices import HypothesisChoices
from treerules.testing.hypothesis_extra import st
from treerules.testing.tree_builder import (
    TARGETS,
    build_tree,
    draw_feature,
    draw_leaf,
    draw_routed_test,
    draw_target,
    require_target,
)
from treerules.testing.value_strategies import missing_values
from treerules.trees.node_parts import RoutedTest
from treerules.trees.tree import Tree

Schemas = Schema | st.SearchStrategy[Schema]

#: The targets that `draw_target` may draw for a task; None stands for both tasks.
_TARGETS_OF_TASK = {"classification": TARGETS[:-1], "regression": TARGETS[-1:], None: TARGETS}


@st.composite
def _unnamed_features(draw: st.DrawFn, names: Sequence[str], kinds: Sequence[Kind]) -> tuple[int, Feature]:
    """Draw a feature whose name is "", and the position in `names` from which `_schemas` finds its name."""
    choices = HypothesisChoices(draw)
    return choices.integer(0, len(names) - 1), draw_feature(choices, "", kinds)


@st.composite
def _schemas(
    draw: st.DrawFn, n_features: tuple[int, int], kinds: Sequence[Kind], targets: Sequence[str], names: Sequence[str]
) -> Schema:
    """Draw a schema whose number of features lies in the range `n_features`, both ends included."""
    target = draw_target(HypothesisChoices(draw), targets)
    least, most = n_features
    drawn_features = draw(st.lists(_unnamed_features(names, kinds), min_size=least, max_size=most))
    unused_names = list(names)
    features = [
        evolve(feature, name=unused_names.pop(position % len(unused_names))) for position, feature in drawn_features
    ]
    return Schema(features, target)


def schemas(
    *,
    min_features: int = 1,
    max_features: int = 5,
    kinds: Iterable[Kind | str] = tuple(Kind),
    task: str | None = None,
    names: Sequence[str] = NAMES,
) -> st.SearchStrategy[Schema]:
    """Return a strategy for schemas: features of any kind with hostile names, and a target named "y".

    Hypothesis shrinks a schema to a single number feature and a target of one class.

    Args:
        min_features: The least number of features, from 0.
        max_features: The largest number of features.
        kinds: The kinds that features may have, `Kind` or their names, such as ["number", "category"].
        task: "classification" for targets with one to four classes, "regression" for numbers; None for both.
        names: The names that features may have, each at most once; "y" is left to the target. By default names with
            quotes, blanks, Chinese characters, keywords.

    Returns:
        A strategy of hypothesis whose values are `Schema`.

    Raises:
        OptionError: an argument is of a wrong type, there is no such task or kind, or there are fewer names than
            features.

    Examples:
        >>> from hypothesis import find
        >>> schema = find(schemas(kinds=["date"], task="regression"), lambda schema: len(schema.features) == 2)
        >>> [feature.name for feature in schema.features]
        ['x', '年龄']
    """
    if not isinstance(task, (str, NoneType)) or task not in _TARGETS_OF_TASK:
        raise OptionError("task", task, "'classification', 'regression' or None")
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise OptionError("names", names, "a sequence of names")
    feature_names = [name for name in unique(names) if name != "y"]
    require_count("min_features", min_features)
    require_count("max_features", max_features)
    if not min_features <= max_features <= len(feature_names):
        wanted = f"numbers from 0 to {len(feature_names)}, the number of names other than y, the least one first"
        raise OptionError("min_features, max_features", (min_features, max_features), wanted)
    return _schemas((min_features, max_features), _kinds(kinds), _TARGETS_OF_TASK[task], feature_names)


def _kinds(kinds: Iterable[Kind | str]) -> tuple[Kind, ...]:
    """Return the argument `kinds` as a tuple of kinds.

    Raises:
        OptionError: the argument is no collection, is empty, or has an element that is no kind.
    """
    accepted = {kind.value for kind in Kind}
    is_collection = isinstance(kinds, Iterable) and not isinstance(kinds, (str, Table))
    elements = list(kinds) if is_collection else []
    if not elements or not all(isinstance(kind, str) and kind in accepted for kind in elements):
        raise OptionError("kinds", kinds, f"at least one of {', '.join(sorted(accepted))}, as a sequence")
    return tuple(map(Kind, elements))


def require_schemas(schema: Any) -> None:
    """Raise unless the argument `schema` is a schema, a strategy for schemas, or None.

    Raises:
        OptionError: the argument is none of these.
    """
    if schema is not None and not isinstance(schema, (Schema, st.SearchStrategy)):
        raise OptionError("schema", schema, or_none("a schema, a strategy for schemas"))


def require_count(argument: str, value: Any) -> None:
    """Raise unless an argument is an integer from 0.

    Raises:
        OptionError: it is not.
    """
    if type(value) is not int or value < 0:
        raise OptionError(argument, value, "an integer from 0")


def require_flag(argument: str, value: Any, *, or_none: bool = False) -> None:
    """Raise unless an argument is True or False, or None where that is allowed.

    Raises:
        OptionError: it is not.
    """
    if not (isinstance(value, bool) or (or_none and value is None)):
        raise OptionError(argument, value, "True, False or None" if or_none else "True or False")


def draw_schema(draw: st.DrawFn, schema: Schemas | None) -> Schema:
    """Return `schema` itself, or a schema drawn from it if it is a strategy, or from `schemas()` if it is None."""
    if schema is None:
        return draw(schemas())
    return schema if isinstance(schema, Schema) else draw(schema)


def tables(
    schema: Schemas | None = None,
    *,
    min_rows: int = 1,
    max_rows: int = 20,
    missing: bool = True,
) -> st.SearchStrategy[Table]:
    """Return a strategy for tables to learn from, with few values and many ties.

    Cells are known values of their features. A category feature without categories is missing in every row.

    Args:
        schema: The schema, or a strategy for schemas; by default `schemas()`. The target is the last column.
        min_rows: The least number of rows, from 0.
        max_rows: The largest number of rows.
        missing: Whether features may have missing values. The target has none.

    Returns:
        A strategy of hypothesis whose values are `Table`.

    Raises:
        OptionError: an argument is of a wrong type, or `min_rows` is above `max_rows`.

    Examples:
        >>> from hypothesis import find
        >>> from treerules import Feature
        >>> schema = Schema([Feature("x", "integer")], Feature("y", "category", ["no", "yes"]))
        >>> list(find(tables(schema, min_rows=2), lambda table: table.n_rows == 2).rows())
        [{'x': 0, 'y': 'no'}, {'x': 0, 'y': 'no'}]
    """
    require_schemas(schema)
    require_count("min_rows", min_rows)
    require_count("max_rows", max_rows)
    require_flag("missing", missing)
    if min_rows > max_rows:
        raise OptionError("min_rows, max_rows", (min_rows, max_rows), "a least number that is not above the largest")
    return _tables(schema, min_rows, max_rows, missing)


@st.composite
def _tables(draw: st.DrawFn, source: Schemas | None, min_rows: int, max_rows: int, missing: bool) -> Table:
    """Draw a table: a few values for each column, then each cell from the values of its column."""
    schema = draw_schema(draw, source)
    n_rows, choices = draw(st.integers(min_rows, max_rows)), HypothesisChoices(draw)
    columns = []
    for feature in (*schema.features, *([schema.target] if schema.target else [])):
        is_target = feature is schema.target
        pool = _known_values(choices, feature, is_target)
        if not pool or (missing and not is_target):
            pool += missing_values(feature)[:1]
        columns.append(of_values(feature, [choices.choice(pool) for _ in range(n_rows)]))
    return Table(columns, declared=frozenset(column.feature.name for column in columns))


def _known_values(choices: HypothesisChoices, feature: Feature, is_target: bool) -> list[Any]:
    """Return the values from which the cells of a column are drawn; few, so that rows have equal values."""
    if not feature.is_ordered:
        return list(feature.categories)
    if is_target and feature.scalar == "number":  # a target must be finite
        return list(MEANS)
    return [choices.cut(feature) for _ in range(choices.integer(1, 4))]


@st.composite
def _routed_tests(draw: st.DrawFn, schema: Schema) -> tuple[bool, RoutedTest]:
    """Draw whether the next node becomes a leaf before the test is used (one time in eight), and the test.

    One integer decides both. Hypothesis shrinks it to 0: no leaf, and a test of the last feature, which keeps its
    distance from the end of the schema when features before it are deleted.
    """
    n_features = len(schema.features)
    number = draw(st.integers(0, 8 * n_features - 1))
    index = n_features - 1 - number % n_features
    return number >= 7 * n_features, draw_routed_test(HypothesisChoices(draw), schema, index)


def trees(
    schema: Schemas | None = None,
    *,
    max_splits: int = 12,
    deep: bool | None = None,
) -> st.SearchStrategy[Tree]:
    """Return a strategy for trees that are built, not learned, with every kind of test.

    Some tests have a child that no value reaches, and missing and unseen values go to any child. Hypothesis shrinks a
    tree to a leaf, or to one split if a leaf does not do.

    Args:
        schema: The schema, or a strategy for schemas; by default `schemas()`. Its target is a number or has classes.
        max_splits: The largest number of splits, from 0.
        deep: True for trees in which each split is a child of the split before, False for bushy trees, None for both.

    Returns:
        A strategy of hypothesis whose values are `Tree`.

    Raises:
        OptionError: an argument is of a wrong type, or the schema has nothing to predict.

    Examples:
        >>> from hypothesis import find
        >>> find(trees(), lambda tree: tree.n_leaves > 1).root.test
        ThresholdTest(feature=0, threshold=0.0)
    """
    require_schemas(schema)
    require_count("max_splits", max_splits)
    require_flag("deep", deep, or_none=True)
    if isinstance(schema, Schema):
        require_target(schema)
    return _trees(schema, max_splits, deep)


@st.composite
def _trees(draw: st.DrawFn, source: Schemas | None, max_splits: int, deep: bool | None) -> Tree:
    """Draw a tree: a list of tests, which its nodes use in the order in which they grow, then its leaves."""
    schema = draw_schema(draw, source)
    require_target(schema)
    is_deep = draw(st.booleans()) if deep is None else deep
    most = max_splits if schema.features else 0
    # lists of hypothesis are short, so half of the lists have at least half of the tests
    any_number, many = (st.lists(_routed_tests(schema), min_size=least, max_size=most) for least in (0, most // 2))
    tests_left = draw(st.one_of(any_number, many))[::-1] if most else []  # the next test is the last of the list

    def next_test(depth: int) -> RoutedTest | None:
        """Return the test of the node that grows next, or None if it becomes a leaf."""
        if not tests_left:
            return None
        is_after_leaf, test = tests_left.pop()
        if is_after_leaf and depth > 0 and not is_deep:
            tests_left.append((False, test))
            return None
        return test

    choices = HypothesisChoices(draw)
    return build_tree(schema, next_test, lambda: draw_leaf(choices, schema), deep=is_deep)

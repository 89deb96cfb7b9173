"""Strategies for hypothesis: schemas, tables, trees, rule sets, and the rows that tell them apart.

Each is built of choices that hypothesis makes and shrinks; nothing is filtered.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen

from treerules.data.column import of_values
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.testing.edge_cases import MEANS, NAMES
from treerules.testing.hypothesis_extra import st
from treerules.testing.tree_builder import (
    TARGETS,
    RoutedTest,
    build_tree,
    draw_feature,
    draw_leaf,
    draw_routed_test,
    draw_target,
    require_target,
)
from treerules.testing.value_strategies import missing_values, ordered_values
from treerules.trees.tree import Tree

T = TypeVar("T")
Schemas = Schema | st.SearchStrategy[Schema]

#: The tasks that a schema's target may be of.
TASKS = {"classification": TARGETS[:3], "regression": TARGETS[3:], None: TARGETS}


@frozen
class HypothesisChoices:
    """The choices of `building`, made by hypothesis."""

    draw: st.DrawFn

    def choice(self, pool: Sequence[T]) -> T:
        """Return one of a pool."""
        return pool[self.integer(0, len(pool) - 1)]

    def sample(self, pool: Sequence[T], n: int) -> list[T]:
        """Return n of a pool, each at most once."""
        left = list(pool)
        return [left.pop(self.integer(0, len(left) - 1)) for _ in range(n)]

    def integer(self, lowest: int, highest: int) -> int:
        """Return an integer from one to the other, both included."""
        return self.draw(st.integers(lowest, highest)) if lowest < highest else lowest

    def digits(self, n: int, base: int) -> list[int]:
        """Return n integers below the base. They are one choice, so that there may be fewer without others to go."""
        rest, found = self.integer(0, base**n - 1), []
        for _ in range(n):
            rest, digit = divmod(rest, base)
            found.append(digit)
        return found

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return self.integer(0, 7) / 8

    def mostly(self, share: float) -> bool:
        """Return True so often; True is simpler."""
        return self.integer(0, 19) < 20 * share

    def rarely(self, share: float) -> bool:
        """Return True so often; False is simpler."""
        return self.integer(0, 19) >= 20 - 20 * share

    def side_of_missing(self, arity: int) -> int:
        """Return the child that missing values go to; one of their own comes after the others."""
        return self.integer(0, arity)

    def cut(self, feature: Feature) -> Any:
        """Return a value of an ordered feature; -0.0 is 0.0."""
        value = self.draw(ordered_values(feature))
        return value + 0.0 if isinstance(value, float) else value


@st.composite
def _features(draw: st.DrawFn, names: Sequence[str], kinds: Sequence[Kind]) -> tuple[int, Feature]:
    choices = HypothesisChoices(draw)
    return choices.integer(0, len(names) - 1), draw_feature(choices, "", kinds)


@st.composite
def _schemas(
    draw: st.DrawFn, n_features: tuple[int, int], kinds: Sequence[Kind], targets: Sequence[str], names: Sequence[str]
) -> Schema:
    target = draw_target(HypothesisChoices(draw), targets)
    drawn = draw(st.lists(_features(names, kinds), min_size=n_features[0], max_size=n_features[1]))
    left = list(names)  # of which each feature takes one, whatever the others took
    return Schema([evolve(feature, name=left.pop(place % len(left))) for place, feature in drawn], target)


def schemas(
    *,
    min_features: int = 1,
    max_features: int = 5,
    kinds: Iterable[Kind | str] = tuple(Kind),
    task: str | None = None,
    names: Sequence[str] = NAMES,
) -> st.SearchStrategy[Schema]:
    """Return a strategy for schemas: features of any of the `kinds`, with odd names, and a target named "y".

    `task` is "classification" or "regression", by default any. It shrinks to one number and one class.

    Raises:
        OptionError: there is no such task, no kinds, or there are fewer names than features.
    """
    if task not in TASKS:
        raise OptionError("task", task, "'classification', 'regression' or None")
    known, named = tuple(map(Kind, kinds)), [name for name in dict.fromkeys(names) if name != "y"]
    if not known:
        raise OptionError("kinds", kinds, "at least one kind")
    if not 0 <= min_features <= max_features <= len(named):
        wanted = f"numbers from 0 to {len(named)}, as there are names other than y"
        raise OptionError("min_features..max_features", (min_features, max_features), wanted)
    return _schemas((min_features, max_features), known, TASKS[task], named)


def require_schemas(schema: Any) -> None:
    """Raise OptionError unless things can be drawn over this: a schema, a strategy for schemas, or None for any."""
    if schema is not None and not isinstance(schema, (Schema, st.SearchStrategy)):
        raise OptionError("schema", schema, "a schema, a strategy for schemas, or None")


def require_count(name: str, value: Any) -> None:
    """Raise OptionError unless an option is a whole number from 0."""
    if type(value) is not int or value < 0:
        raise OptionError(name, value, "a whole number from 0")


def draw_schema(draw: st.DrawFn, schema: Schemas | None) -> Schema:
    """Return a schema: the given one, one of the given strategy, or any."""
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
    """Return a strategy for tables to learn from, the target last where the schema has one: few values, many ties.

    Cells are known values of their columns, or missing unless `missing` is False; those of the target are known. A
    schema's category that has no values is always missing.

    Raises:
        OptionError: it is no schema, or there cannot be so many rows.
    """
    require_schemas(schema)
    require_count("min_rows", min_rows)
    require_count("max_rows", max_rows)
    if min_rows > max_rows:
        raise OptionError("min_rows..max_rows", (min_rows, max_rows), "a least number that is not above the most")
    return _tables(schema, min_rows, max_rows, missing)


@st.composite
def _tables(draw: st.DrawFn, schema: Schemas | None, min_rows: int, max_rows: int, missing: bool) -> Table:
    """Draw a table."""
    known = draw_schema(draw, schema)
    n, choices = draw(st.integers(min_rows, max_rows)), HypothesisChoices(draw)
    columns = []
    for feature in (*known.features, *([known.target] if known.target else [])):
        is_target = feature is known.target
        pool = _pool(choices, feature, is_target)
        cells = [*pool, *(missing_values(feature)[:1] if not pool or (missing and not is_target) else [])]
        columns.append(of_values(feature, [choices.choice(cells) for _ in range(n)]))
    return Table(columns, declared=frozenset(column.feature.name for column in columns))


def _pool(choices: HypothesisChoices, feature: Feature, is_target: bool) -> list[Any]:
    """Return the few values that the cells of a column have."""
    if not feature.is_ordered:
        return list(feature.categories)
    if is_target and feature.scalar == "number":  # whose values must be finite
        return list(MEANS)
    return [choices.cut(feature) for _ in range(choices.integer(1, 4))]


@st.composite
def _routed_tests(draw: st.DrawFn, schema: Schema) -> tuple[bool, RoutedTest]:
    """Draw a question, and whether a leaf comes before it. The last feature is the simplest: others can go."""
    n = len(schema.features)
    place = draw(st.integers(0, 8 * n - 1))
    return place >= 7 * n, draw_routed_test(HypothesisChoices(draw), schema, n - 1 - place % n)


def trees(
    schema: Schemas | None = None,
    *,
    max_splits: int = 12,
    deep: bool | None = None,
) -> st.SearchStrategy[Tree]:
    """Return a strategy for trees of at most so many splits over a schema, which is drawn too where none is given.

    Every kind of test and every routing of missing and unseen values comes; a leaf need not be reachable. A `deep` tree
    grows along one path; by default some do. It shrinks to a leaf, then to one split.

    Raises:
        OptionError: it is no schema, the schema has nothing to predict, or there cannot be so many splits.
    """
    require_schemas(schema)
    require_count("max_splits", max_splits)
    if isinstance(schema, Schema):
        require_target(schema)
    return _trees(schema, max_splits, deep)


@st.composite
def _trees(draw: st.DrawFn, schema: Schemas | None, max_splits: int, deep: bool | None) -> Tree:
    """Draw a tree."""
    known = draw_schema(draw, schema)
    require_target(known)
    is_deep = draw(st.booleans()) if deep is None else deep
    most = max_splits if known.features else 0
    few, many = (st.lists(_routed_tests(known), min_size=least, max_size=most) for least in (0, most // 2))
    waiting = draw(st.one_of(few, many))[::-1] if most else []

    def question(depth: int) -> RoutedTest | None:
        if not waiting:
            return None
        is_late, asked = waiting.pop()
        if is_late and depth > 0 and not is_deep:
            waiting.append((False, asked))
            return None
        return asked

    choices = HypothesisChoices(draw)
    return build_tree(known, question, lambda: draw_leaf(choices, known), deep=is_deep)

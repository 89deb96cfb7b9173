"""Rare categories are joined before growth: a tree cannot memorise them, and they go where unseen values go.

problem ──preparation_of──▶ Preparation        decided by the training rows alone
   │                            │
   └─────────prepared───────────┤──▶ Problem ──grow──▶ Tree ──restored──▶ Tree of the original schema
                                │                                           joined and unseen categories together
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notes import Note
from treerules.data.column import Column
from treerules.data.schema import MISSING, UNSEEN, Feature, Kind, Schema
from treerules.growing.problem import Problem
from treerules.growing.rare_categories import joined_categories
from treerules.trees.node_parts import CategoryTest
from treerules.trees.nodes import Leaf, Node, Split
from treerules.trees.tree import Tree
from treerules.trees.walkers import fold


@frozen
class JoinedCategories:
    """The categories of one feature that are one category while a tree grows."""

    #: positions among the feature's categories, ascending; the first one stands for all of them
    positions: tuple[int, ...] = field(converter=as_tuple)
    #: how many of them occur in the training rows, and the reason in words
    n_present: int
    reason: Note = field(eq=False)


@frozen
class Preparation:
    """Which categories are joined: the schema of a problem, and the joined categories of some of its features."""

    schema: Schema
    #: for each feature its joined categories; None where none are joined
    joined: tuple[JoinedCategories | None, ...] = field(converter=as_tuple)

    @property
    def notes(self) -> tuple[Note, ...]:
        """A remark for each feature of which categories that occur in the training rows are joined."""
        text = "column {place!r}: {n} of {all} categories {reason}: they are treated as unseen values"
        return tuple(
            Note("joined", text, feature.name, n=joined.n_present, all=len(feature.categories), reason=joined.reason)
            for feature, joined in zip(self.schema.features, self.joined, strict=True)
            if joined is not None and joined.n_present
        )

    @property
    def joined_columns(self) -> tuple[str, ...]:
        """The names of the features of which categories that occur in the training rows are joined."""
        pairs = zip(self.schema.features, self.joined, strict=True)
        return tuple(feature.name for feature, joined in pairs if joined is not None and joined.n_present)


def preparation_of(problem: Problem) -> Preparation:
    """Return which categories are joined, decided by the rows of a problem alone.

    These are the rare ones (see `rare_categories`) and those that no row has. Only columns of the kind category have
    joined categories. The order of the rows is of no account, and a row of weight k counts as k rows.
    """
    return Preparation(problem.schema, [_joined(problem, column) for column in problem.columns])


def _joined(problem: Problem, column: Column) -> JoinedCategories | None:
    if column.feature.kind is not Kind.CATEGORY:
        return None
    is_joined, reason = joined_categories(problem, column)
    present = np.bincount(column.data[~column.missing], minlength=len(is_joined)) > 0
    positions = np.flatnonzero(is_joined | ~present)
    if len(positions) == 0:
        return None
    return JoinedCategories(positions.tolist(), int(np.count_nonzero(is_joined & present)), reason)


def prepared(problem: Problem, preparation: Preparation) -> Problem:
    """Return a problem of the same schema in which the joined categories are one category.

    The problem may hold other rows than those that the preparation was decided by, such as held-out rows.
    """
    columns = prepared_columns(problem.columns, preparation)
    schema = evolve(problem.schema, features=[column.feature for column in columns])
    return evolve(problem, schema=schema, columns=columns)


def prepared_columns(columns: Iterable[Column], preparation: Preparation) -> tuple[Column, ...]:
    """Return the columns of the features in which the joined categories are one category."""
    return tuple(map(_prepared_column, columns, preparation.joined))


def _prepared_column(column: Column, joined: JoinedCategories | None) -> Column:
    if joined is None:
        return column
    feature = column.feature
    positions, kept = _positions(feature, joined)
    names = [feature.categories[position] for position in kept.tolist()]
    known = np.where(column.data == UNSEEN, joined.positions[0], column.data)
    data = np.where(column.missing, MISSING, positions.take(known, mode="clip")).astype(np.int32)
    return evolve(column, feature=evolve(feature, categories=names), data=data)


def _positions(feature: Feature, joined: JoinedCategories) -> tuple[Any, Any]:
    """Return the position of each category after joining, and the categories that are left."""
    is_left = np.ones(len(feature.categories), dtype=bool)
    is_left[list(joined.positions[1:])] = False
    positions = np.cumsum(is_left) - 1
    positions[list(joined.positions)] = positions[joined.positions[0]]
    return positions, np.flatnonzero(is_left)


def restored(tree: Tree, preparation: Preparation) -> Tree:
    """Return the tree over the original schema that answers each row as the given tree answers the prepared row.

    The joined categories go to the child of the category that stood for them, and so do unseen values.
    """
    root = fold(tree, leaf=_same_leaf, split=_Restorer(preparation))
    return evolve(tree, schema=preparation.schema, root=root)


def unseen_as_missing(tree: Tree) -> Tree:
    """Return the tree that sends unseen levels of ordinals to where missing ones go, where these cannot be read."""
    features = tree.schema.features
    made_missing = {at for at, feature in enumerate(features) if feature.is_open and feature.reading.unreadable}

    def sent(split: Split, children: tuple[Node, ...]) -> Node:
        unseen = split.missing if split.test.feature in made_missing else split.unseen
        return evolve(split, children=children, unseen=unseen)

    return evolve(tree, root=fold(tree, leaf=_same_leaf, split=sent)) if made_missing else tree


def _same_leaf(leaf: Leaf) -> Node:
    return leaf


class _Restorer:
    """The function that restores a split; tests of many splits are equal, and each is restored once."""

    def __init__(self, preparation: Preparation) -> None:
        features = preparation.schema.features
        self._positions = [
            None if joined is None else _positions(feature, joined)[0].tolist()
            for feature, joined in zip(features, preparation.joined, strict=True)
        ]
        self._first = [None if joined is None else joined.positions[0] for joined in preparation.joined]
        self._tests: dict[CategoryTest, tuple[CategoryTest, int]] = {}

    def __call__(self, split: Split, children: tuple[Node, ...]) -> Node:
        if not isinstance(split.test, CategoryTest) or self._positions[split.test.feature] is None:
            return evolve(split, children=children)
        if split.test not in self._tests:
            self._tests[split.test] = self._restored(split.test)
        test, unseen = self._tests[split.test]
        return evolve(split, test=test, children=children, unseen=unseen)

    def _restored(self, test: CategoryTest) -> tuple[CategoryTest, int]:
        """Return the test over the original categories, and the child of the joined ones."""
        positions, first = self._positions[test.feature], self._first[test.feature]
        assert positions is not None and first is not None
        child_of = {position: child for child, group in enumerate(test.groups) for position in group}
        groups: list[list[int]] = [[] for _ in test.groups]
        for category, position in enumerate(positions):
            groups[child_of[position]].append(category)
        return CategoryTest(test.feature, groups), child_of[positions[first]]

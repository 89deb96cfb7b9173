"""Rare categories are one category while a tree grows; in the tree that comes out they go where unseen values go."""

from typing import Any

import numpy as np
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treerules import Kind, Schema, Table, c45, cart, id3, predict
from treerules.data.domain import unseen_value
from treerules.errors import TreeRulesError
from treerules.growing.column_preparation import JoinedCategories, Preparation, preparation_of, prepared, restored
from treerules.growing.growers import grow
from treerules.growing.problem import Problem, problem_of
from treerules.testing import rows, schemas, tables, trees
from treerules.trees import preorder

RECIPES = (
    cart(),
    cart(categories="one_against_rest", missing="larger"),
    cart(missing="branch"),
    c45(unpruned=True, missing="larger"),
    id3(missing="larger"),
)


@st.composite
def preparations(draw: st.DrawFn, schema: Schema) -> Preparation:
    """Draw the joined categories of each category feature: none, some or all of them."""
    joined: list[JoinedCategories | None] = []
    for feature in schema.features:
        positions = range(len(feature.categories)) if feature.kind is Kind.CATEGORY else ()
        chosen = sorted(draw(st.sets(st.sampled_from(positions)))) if positions else []
        joined.append(JoinedCategories(chosen, 1, "are drawn") if chosen else None)
    return Preparation(schema, joined)


def prepared_schema(preparation: Preparation) -> Schema:
    """Return the schema without the joined categories but the first."""
    features = [
        feature
        if joined is None
        else evolve(
            feature,
            categories=[
                category for place, category in enumerate(feature.categories) if place not in joined.positions[1:]
            ],
        )
        for feature, joined in zip(preparation.schema.features, preparation.joined, strict=True)
    ]
    return Schema(features, preparation.schema.target)


def prepared_row(preparation: Preparation, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which the first joined category stands for the others and for unseen values."""
    row = dict(row)
    for feature, joined in zip(preparation.schema.features, preparation.joined, strict=True):
        value = row.get(feature.name)
        if joined is None or value is None or value != value:
            continue
        position = feature.position(value)
        if position is None or position in joined.positions:
            row[feature.name] = feature.categories[joined.positions[0]]
    return row


@given(st.data())
def test_the_restored_tree_answers_a_row_as_the_tree_answers_the_prepared_row(data: st.DataObject) -> None:
    """For every tree over the prepared schema, missing and unseen values included; its figures stay."""
    schema = data.draw(schemas())
    preparation = data.draw(preparations(schema))
    tree = data.draw(trees(prepared_schema(preparation)))
    whole = restored(tree, preparation)
    assert whole.schema == schema
    assert [node.n for node in preorder(whole) if not hasattr(node, "test")] == [
        node.n for node in preorder(tree) if not hasattr(node, "test")
    ]
    for row in data.draw(st.lists(rows(whole), max_size=5)):
        assert predict(whole, row) == predict(tree, prepared_row(preparation, row))


@given(st.data())
def test_unseen_values_go_where_the_joined_categories_go(data: st.DataObject) -> None:
    """A row with an unseen value and the same row with any joined category have one prediction."""
    schema = data.draw(schemas())
    preparation = data.draw(preparations(schema))
    whole = restored(data.draw(trees(prepared_schema(preparation))), preparation)
    row = data.draw(rows(whole))
    for feature, joined in zip(schema.features, preparation.joined, strict=True):
        for position in () if joined is None else joined.positions:
            joined_row = {**row, feature.name: feature.categories[position]}
            assert predict(whole, joined_row) == predict(whole, {**row, feature.name: unseen_value(feature)})


@given(st.data())
def test_a_tree_without_joined_categories_is_unchanged(data: st.DataObject) -> None:
    """Without joined categories a tree is restored as it is."""
    tree = data.draw(trees())
    assert restored(tree, Preparation(tree.schema, [None] * len(tree.schema.features))) == tree


@given(st.data())
def test_a_tree_grown_on_prepared_rows_answers_the_rows_themselves(data: st.DataObject) -> None:
    """Grown by every way to divide categories: the restored tree routes the rows as the grown one the prepared rows."""
    table, recipe = data.draw(tables(schemas(min_features=1))), data.draw(st.sampled_from(RECIPES))
    try:
        problem = problem_of(table, target=table.columns[-1].feature.name, recipe=recipe)
        preparation = data.draw(preparations(problem.schema))
        small = prepared(problem, preparation)
        tree = grow(small, recipe)
    except TreeRulesError:  # a recipe that cannot use a column
        return
    whole = restored(tree, preparation)
    assert np.array_equal(predict(whole, Table(problem.columns)), predict(tree, Table(small.columns)))


def a_problem(names: list[str | None], target: list[Any], weights: Any = None) -> Problem:
    """Return a problem of one category column and a constant number."""
    table = Table.from_columns({"name": names, "y": target})
    return problem_of(table, target="y", recipe=cart(), features=["name"], weight=weights)


def test_a_preparation_is_decided_by_the_rows_given() -> None:
    """Categories that no row of a part has are joined in that part, and held-out rows of such categories follow."""
    problem = a_problem(["a", "b", "c"] * 20, [0, 1, 0] * 20)
    part = problem.part(np.flatnonzero(problem.columns[0].data < 2))
    assert preparation_of(problem).joined == (None,)
    (joined,) = preparation_of(part).joined
    assert joined is not None and joined.positions == (2,) and joined.n_present == 0
    assert preparation_of(part).notes == ()


def joined_names(problem: Problem) -> set[str]:
    """Return the names that are joined."""
    (joined,) = preparation_of(problem).joined
    return set() if joined is None else {problem.columns[0].feature.categories[place] for place in joined.positions}


def test_categories_of_few_rows_are_joined_and_the_note_counts_them() -> None:
    """Twelve categories that decide the target, of which two have fewer than ten rows."""
    names: list[str | None] = [f"c{n:02d}" for n in range(12) for _ in range(5 if n < 2 else 30)]
    problem = a_problem(names, [int(str(name)[1:]) % 2 for name in names])
    assert joined_names(problem) == {"c00", "c01"}
    (note,) = preparation_of(problem).notes
    assert note == "column 'name': 2 of 12 categories have fewer than 10 rows: they are treated as unseen values"


def test_categories_that_say_nothing_are_joined_however_many_rows_they_have() -> None:
    """A target drawn apart from 40 categories of 50 rows; classes and numbers. Ten categories are never joined."""
    rng = np.random.default_rng(3)
    for target in (rng.integers(0, 2, 2000).tolist(), rng.normal(size=2000).tolist()):
        assert len(joined_names(a_problem([f"c{n % 40}" for n in range(2000)], target))) == 40
        assert joined_names(a_problem([f"c{n % 10}" for n in range(2000)], target)) == set()


def test_categories_that_predict_the_target_are_kept() -> None:
    """A target that depends on 40 categories of 50 rows, with noise; classes and numbers."""
    rng = np.random.default_rng(4)
    effects = np.tile(rng.normal(size=40), 50)
    for target in ((effects + rng.normal(size=2000) > 0).tolist(), (effects + rng.normal(size=2000)).tolist()):
        assert joined_names(a_problem([f"c{n % 40}" for n in range(2000)], target)) == set()


@given(st.data())
def test_a_weight_of_two_counts_as_two_rows_and_the_order_as_nothing(data: st.DataObject) -> None:
    """What is joined is the same for weighted rows, for copies, and for the rows in another order."""
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    codes, weights = rng.integers(0, 20, 150), rng.integers(1, 3, 150)
    target = (codes + rng.integers(0, data.draw(st.integers(1, 40)), 150)) % 20 > 9
    names = [f"c{code:02d}" for code in codes]
    weighted = a_problem(names, target.tolist(), weights)
    copies = np.repeat(np.arange(150), weights)
    rng.shuffle(copies)
    assert joined_names(weighted) == joined_names(a_problem([names[row] for row in copies], target[copies].tolist()))

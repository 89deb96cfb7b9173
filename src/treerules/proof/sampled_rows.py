"""The rows on which two models are compared, and the columns of a table that the models test.

    boundary rows of old and new    half of the rows, at tests of all trees
    boundary rows of some trees     half of the rows, at tests of the trees that only one of the two has; columns that
                                    such a tree does not test have values of the first half, in turn

A tree that both have adds the same to both, so that a difference comes from the other trees, or from the base.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from attrs import evolve

from treerules._internal.spread import spread
from treerules.data.casting import align_column, as_category
from treerules.data.column import Column, of_values
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.proof.check import Row
from treerules.rules.boundary_rows import boundary_rows
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.tested_columns import feature_column, tested_features
from treerules.trees.tree import Tree


def trees_of(model: TreeModel) -> tuple[Tree, ...]:
    """Return the trees of a model: of a tree itself."""
    return model.trees if isinstance(model, Ensemble) else (model,)


def compared_features(old: TreeModel, new: TreeModel, schema: Schema) -> list[Feature]:
    """Return the features of the schema of both that one of the two models tests."""
    names = {feature.name for model in (old, new) for feature in tested_features(model)}
    return [feature for feature in schema.features if feature.name in names]


def sampled_rows(old: TreeModel, new: TreeModel, features: Sequence[Feature], most: int) -> list[Row]:
    """Return boundary rows of both models, at most `most`, none twice, with a value or None for each of the features.

    Where no tree is in one model alone, all of them are at tests of all trees. The same models give the same rows.
    """
    trees_of_one = [*_trees_of_one(old, new), *_trees_of_one(new, old)]
    n_common = -(-most // 2) if trees_of_one else most
    made = [boundary_rows(model, -(-n_common // 2)) for model in (old, new)]
    common = [*_filled(made[0], made[1]), *_filled(made[1], made[0])]
    rows = chain(common[:n_common], _rows_of_trees(trees_of_one, common, most - n_common))
    whole = {feature.name for model in (old, new) for feature in model.schema.features if feature.kind is Kind.INTEGER}
    numbers = [feature.name for feature in features if feature.kind is Kind.NUMBER and feature.name in whole]
    distinct = _distinct(rows, features)
    return list(islice((row for row in distinct if all(_is_int64(row[name]) for name in numbers)), most))


def _is_int64(value: float | None) -> bool:
    """Return whether a number lies in the range of the integers, which a model that knows integers asks for."""
    return value is None or -(2.0**63) <= value < 2.0**63


def _trees_of_one(model: TreeModel, other: TreeModel) -> list[Tree]:
    """Return the trees of a model that another does not have."""
    known = set(trees_of(other)) if isinstance(model, Ensemble) and isinstance(other, Ensemble) else set()
    return [tree for tree in trees_of(model) if tree not in known]


def _rows_of_trees(trees: Sequence[Tree], others: list[Row], most: int) -> Iterator[Row]:
    """Yield about `most` boundary rows of trees, as many of each; of evenly spread trees where there are more trees."""
    for place in islice(spread(len(trees)), most):
        yield from _filled(boundary_rows(trees[place], max(most // len(trees), 1)), others[place:] + others[:place])


def _filled(rows: Sequence[Row], others: Sequence[Row]) -> Iterator[Row]:
    """Yield rows, with values of other rows, in turn, where they have none."""
    for at, row in enumerate(rows):
        yield {**others[at % len(others)], **row}


def _distinct(rows: Iterable[Row], features: Sequence[Feature]) -> Iterator[Row]:
    """Yield rows as a model takes them: those that are equal in all features once."""
    seen = set()
    for row in rows:
        values = tuple(feature.convert(row.get(feature.name)) for feature in features)
        if values not in seen:
            seen.add(values)
            yield dict(zip([feature.name for feature in features], values, strict=True))


def table_of_rows(features: Sequence[Feature], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table, with every category that occurs."""
    columns = [_column(feature, [row[feature.name] for row in rows]) for feature in features]
    return Table(columns or [_empty_column(len(rows))])


def _empty_column(n_rows: int) -> Column:
    """Return the column of a table of models that test no column: it has the number of rows."""
    return of_values(Feature("none", Kind.NUMBER), [None] * n_rows)


def _column(feature: Feature, values: Sequence[Any]) -> Column:
    if feature.is_open:
        known = sorted({value for value in values if value is not None})
        feature = Feature(feature.name, Kind.CATEGORY, known, feature.scalar, feature.form, feature.reading)
    return of_values(feature, values)


def tested_columns_of(features: Sequence[Feature], table: Table) -> Table:
    """Return the columns of a table that models test, under the names of the features, as the table holds them.

    Raises:
        ColumnError: the table lacks a column, or has one of the wrong kind.
    """
    columns = []
    for feature in features:
        feature_column(feature, table)  # raises where the table does not fit
        column = table.column(feature.name)
        columns.append(Column(evolve(column.feature, name=feature.name), column.data, column.missing))
    return Table(columns or [_empty_column(table.n_rows)])


def learnable_column(feature: Feature, column: Column) -> Column:
    """Return a column in the kind of its feature; of categories those that the column has, unseen ones too."""
    return as_category(column) if feature.is_open else align_column(feature, column)

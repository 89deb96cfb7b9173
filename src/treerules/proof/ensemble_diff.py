"""Differences between two models of which one is an ensemble, on boundary rows of both and on rows of a table.

A sum of trees has no small set of regions with one answer each, so two of them are compared on rows. That is no proof,
unless both are equal as values.

    old, new ── boundary rows ──┐
    table ──────────────────────┴─▶ answers and margins of both ──▶ how many rows differ, by how much, which labels
                                                             └────▶ a small tree: under which conditions
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treerules._internal.arguments import require_type, require_whole_number
from treerules.data.schema import Feature, Kind, Schema
from treerules.data.table import Table
from treerules.data.table_data import TableLike, table_of
from treerules.errors import DataError
from treerules.proof.align_schemas import merge_schemas, require_same_readings
from treerules.proof.check import Row
from treerules.proof.differing_groups import differing_groups, mean_of
from treerules.proof.sampled_diff import ChangedLabel, ComparedRows, DifferingRow, Measure, RowKind, SampledDiff
from treerules.proof.sampled_rows import compared_features, sampled_rows, table_of_rows, tested_columns_of, trees_of
from treerules.trees.ensemble import SUM_FIELDS, Ensemble, TreeModel
from treerules.trees.margins import margins_of, predictions_of, probabilities_of
from treerules.trees.predict import predict, predict_proba
from treerules.trees.tree import target_of

#: Without a given number two models are compared on at most so many boundary rows.
MOST_ROWS = 10_000
_MODELS = "a Tree or an Ensemble; an Ensemble is compared with one of these (tree_from_rules makes a Tree of rules)"


def diff_ensembles(
    old: TreeModel, new: TreeModel, *, table: TableLike | None, limit: int | None, most: int | None
) -> SampledDiff:
    """Return the differences of two models on boundary rows of both, and on the rows of a table.

    Args:
        old: a tree or an ensemble.
        new: the model to compare it with; of the same target.
        table: a Table, a data frame, a list of dicts or a dict of columns to compare on too; or None.
        limit: the greatest number of witnesses; None is all.
        most: the greatest number of boundary rows; None is 10,000.

    Raises:
        ColumnError: a column is of different kinds in the two, or the table lacks a column or has one of another kind.
        DataError: one predicts classes and the other numbers.
        OptionError: `old` or `new` are no models, or `most` is not such a number.
    """
    for argument, model in (("old", old), ("new", new)):
        require_type(argument, model, TreeModel, _MODELS)
    require_whole_number("most", MOST_ROWS if most is None else most, 1)
    schema = _schema_of_both(old, new)
    features = compared_features(old, new, schema)
    data = None if table is None else tested_columns_of(features, table_of(table))
    summary: dict[str, Any] = {
        "schema": schema,
        "measure": _measure(old, new),
        "n_trees": (len(trees_of(old)), len(trees_of(new))),
        "n_equal_trees": _n_equal_trees(old, new),
        "settings": _settings(old, new),
    }
    if old == new:
        return SampledDiff(equal=True, **summary)
    rows = sampled_rows(old, new, features, MOST_ROWS if most is None else most)
    return _compare(old, new, features, rows, data, limit, summary)


def schema_of_rows(old: TreeModel, new: TreeModel) -> Schema:
    """Return the features that one of two models tests: the columns of rows on which both are compared.

    Raises:
        ColumnError, DataError: as `diff_ensembles`.
    """
    return Schema(compared_features(old, new, _schema_of_both(old, new)))


def _schema_of_both(old: TreeModel, new: TreeModel) -> Schema:
    """Return the columns, categories and classes of both; integers of one and numbers of the other are numbers."""
    require_same_readings(old.schema, new.schema)
    schema = merge_schemas(_as_numbers(old.schema, new.schema), _as_numbers(new.schema, old.schema), of="model")
    if schema.target is None:
        names = f"{target_of(old).name!r} and {target_of(new).name!r}"
        raise DataError(f"{names}: the target of one model is a feature of the other", "compare models of one target")
    return schema


def _as_numbers(schema: Schema, other: Schema) -> Schema:
    """Return a schema with numbers for its integers that are numbers in another one."""
    features = [
        Feature(feature.name, Kind.NUMBER)
        if feature.kind is Kind.INTEGER
        and feature.name in other.indices
        and other.feature(feature.name).kind is Kind.NUMBER
        else feature
        for feature in schema.features
    ]
    return evolve(schema, features=features)


# ---- the trees and the sums


def _outputs(model: TreeModel) -> Sequence[Any]:
    return (model.outputs if isinstance(model, Ensemble) else ()) or [None] * len(trees_of(model))


def _n_equal_trees(old: TreeModel, new: TreeModel) -> int:
    """Return how many of the first trees are equal, and added to the same margin."""
    if not (isinstance(old, Ensemble) and isinstance(new, Ensemble)):
        return 0
    pairs = [zip(model.trees, _outputs(model), strict=True) for model in (old, new)]
    equal = [one == other for one, other in zip(*pairs, strict=False)]
    return equal.index(False) if False in equal else len(equal)


def _settings(old: TreeModel, new: TreeModel) -> dict[str, tuple[Any, Any]]:
    """Return the fields of the sums of two ensembles that differ."""
    if not (isinstance(old, Ensemble) and isinstance(new, Ensemble)):
        return {}
    pairs = {name: (getattr(old, name), getattr(new, name)) for name in SUM_FIELDS if name != "outputs"}
    return {name: (one, other) for name, (one, other) in pairs.items() if one != other}


def _measure(old: TreeModel, new: TreeModel) -> Measure:
    """Return what the answers of two models are compared by: margins where both have margins of one meaning."""
    if old.schema.is_regression:
        return "answer"
    if not (isinstance(old, Ensemble) and isinstance(new, Ensemble)):
        return "probability"
    meanings = [(each.use, each.adds_vectors, each.link, each.slope, each.schema.classes) for each in (old, new)]
    return "margin" if meanings[0] == meanings[1] else "probability"


# ---- answers


@frozen(eq=False)
class _Answers:
    """The answers of a model for rows: numbers, or positions of classes; and the numbers that are compared."""

    values: Any
    #: shape (rows, outputs)
    measured: Any


def _answers(model: TreeModel, table: Table, schema: Schema, measure: Measure) -> _Answers:
    if schema.is_regression:
        means = predict(model, table)
        return _Answers(means, means[:, np.newaxis])
    positions = np.array([schema.classes.index(label) for label in model.schema.classes], dtype=np.int64)
    if isinstance(model, Ensemble):
        margins = margins_of(model, table)
        values = positions[predictions_of(model, margins)]
        if measure == "margin":
            return _Answers(values, margins.astype(np.float64))
        own = probabilities_of(model, margins)
    else:
        values = np.array(list(map(schema.classes.index, predict(model, table).tolist())), dtype=np.int64)
        own = predict_proba(model, table)
    probabilities = np.zeros((table.n_rows, len(schema.classes)))
    probabilities[:, positions] = own
    return _Answers(values, probabilities)


@frozen(eq=False)
class _Comparison:
    """Rows of one kind, and how two models answer them."""

    kind: RowKind
    table: Table
    old: _Answers
    new: _Answers
    #: whether the answers of each row differ, and the absolute difference
    differs: Any = field(init=False)
    differences: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "differs", ~_same(self.old.values, self.new.values))
        object.__setattr__(self, "differences", _differences(self.old.measured, self.new.measured))

    def figures(self) -> ComparedRows:
        """Return how many rows differ, and by how much."""
        n, n_differing = len(self.differs), int(np.count_nonzero(self.differs))
        if not n:
            return ComparedRows(0, 0)
        quantiles = np.quantile(self.differences, (0.5, 0.9, 0.99, 1.0), method="inverted_cdf").tolist()
        return ComparedRows(n, n_differing, mean_of(self.differences), *quantiles)


def _same(one: Any, other: Any) -> Any:
    return (one == other) | ((one != one) & (other != other))


def _differences(one: Any, other: Any) -> Any:
    """Return the greatest absolute difference of each row; infinite where one number is NaN and the other is not."""
    with np.errstate(over="ignore", invalid="ignore"):
        absolute = np.where(_same(one, other), 0.0, np.abs(other - one))
    return np.where(np.isnan(absolute), np.inf, absolute).max(axis=1)


# ---- the comparison


def _compare(
    old: TreeModel,
    new: TreeModel,
    features: Sequence[Feature],
    rows: Sequence[Row],
    data: Table | None,
    limit: int | None,
    summary: dict[str, Any],
) -> SampledDiff:
    schema, measure = summary["schema"], summary["measure"]

    def compared(kind: RowKind, table: Table) -> _Comparison:
        return _Comparison(kind, table, *(_answers(model, table, schema, measure) for model in (old, new)))

    boundary = compared("boundary", table_of_rows(features, rows))
    of_data = None if data is None else compared("data", data)
    described = of_data if of_data is not None and of_data.differs.any() else boundary
    changes = described.new.values - described.old.values if schema.is_regression else None
    rules, groups = differing_groups(features, described.table, described.differs, described.differences, changes)
    comparisons = [each for each in (of_data, boundary) if each is not None]
    return SampledDiff(
        equal=False if any(each.differs.any() for each in comparisons) else None,
        boundary=boundary.figures(),
        data=None if of_data is None else of_data.figures(),
        labels=[] if schema.is_regression else _changed_labels(described, schema),
        groups=groups,
        rules=rules,
        witnesses=_witnesses(comparisons, schema, limit),
        **summary,
    )


def _changed_labels(comparison: _Comparison, schema: Schema) -> list[ChangedLabel]:
    """Return which labels became which, the most frequent first, then in the order of the classes."""
    pairs = [values[comparison.differs].tolist() for values in (comparison.old.values, comparison.new.values)]
    counts = sorted(Counter(zip(*pairs, strict=True)).items(), key=lambda each: (-each[1], each[0]))
    return [ChangedLabel(schema.classes[one], schema.classes[other], n) for (one, other), n in counts]


def _witnesses(comparisons: Sequence[_Comparison], schema: Schema, limit: int | None) -> list[DifferingRow]:
    """Return the first rows whose answers differ, else whose measures do: by their kind, then the greatest first."""
    answers = [comparison.differs for comparison in comparisons]
    measures = [comparison.differences > 0 for comparison in comparisons]
    chosen = answers if any(differs.any() for differs in answers) else measures
    found: list[DifferingRow] = []
    for comparison, rows in zip(comparisons, chosen, strict=True):
        places = np.flatnonzero(rows)
        places = places[np.argsort(-comparison.differences[places], kind="stable")]
        n_left = None if limit is None else limit - len(found)
        found += [_witness(comparison, at, schema) for at in places[:n_left].tolist()]
    return found


def _witness(comparison: _Comparison, at: int, schema: Schema) -> DifferingRow:
    old, new = (values[at].item() for values in (comparison.old.values, comparison.new.values))
    if not schema.is_regression:
        old, new = schema.classes[old], schema.classes[new]
    row = {name: value for name, value in comparison.table.row(at).items() if name in schema.indices}
    number = at + 1 if comparison.kind == "data" else None
    return DifferingRow(comparison.kind, number, row, old, new, float(comparison.differences[at]))

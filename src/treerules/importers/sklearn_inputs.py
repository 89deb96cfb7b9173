"""The input columns of a fitted pipeline of scikit-learn, and the tests of its model as tests of them.

Each column of the model comes from one input column (see `sklearn_steps`). What the steps make of a value is found by
asking them: categories one by one (`sklearn_outputs`), bounds of numbers by bisection (`sklearn_limits`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import inf
from typing import Any

import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.interval import Interval, Intervals, complement_of, intersection_of, union_of, valid_interval
from treerules.data.schema import Feature, Kind
from treerules.errors import OptionError
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import ColumnTest, left_intervals, routed_categories, routed_numbers
from treerules.importers.named_values import names_of_features
from treerules.importers.sklearn_limits import Cut, number_limits
from treerules.importers.sklearn_models import require_fitted
from treerules.importers.sklearn_outputs import StepOutputs, Unstored
from treerules.importers.sklearn_steps import Source, sources_after
from treerules.trees.node_parts import RoutedTest

#: The cuts of ranks below and at the cells that a sparse table does not store.
_BELOW_UNSTORED, _UPTO_UNSTORED = -1.0, 0.0
Limits = Mapping[tuple[int, float, bool], float]


@short_repr
@frozen(eq=False)
class PipelineInputs:
    """The input columns of the steps before a model.

    Args:
        outputs: the steps, and what they make of values.
        sources: the source of each column of the model.
    """

    outputs: StepOutputs
    sources: tuple[Source, ...] = field(converter=as_tuple)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that a step or the model reads, in the order of the input columns."""
        return tuple(self.outputs.by_column.values())

    @property
    def codes(self) -> Mapping[int, Sequence[Any]]:
        """No column: one that the model reads as codes of categories holds the numbers that the steps make."""
        return {}

    @property
    def table_format(self) -> str:
        """The table that the steps make: "dense", or the format of a sparse one, "csr" or "csc"."""
        return self.outputs.table_format

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""
        distinct = list(dict.fromkeys(tests))
        is_number = [self._feature_of(test).is_ordered for test in distinct]
        numbers = [test for test, is_of_number in zip(distinct, is_number, strict=True) if is_of_number]
        others = [test for test, is_of_number in zip(distinct, is_number, strict=True) if not is_of_number]
        holes = self.outputs.alone(self.outputs.missing)
        found = {**self._routed_numbers(numbers, holes), **self._routed_categories(others, holes)}
        return [found[test] for test in tests]

    def _feature_of(self, test: ColumnTest) -> Feature:
        return self.outputs.by_column[self.sources[test.column].column]

    def _place(self, test: ColumnTest) -> int:
        """Return the position of the feature of a test."""
        return list(self.outputs.by_column).index(self.sources[test.column].column)

    def _missing_side(self, test: ColumnTest, holes: Mapping[int, Any]) -> int:
        hole = holes[self.sources[test.column].column]
        return test.side(None if hole is None else hole[test.column])

    # ---- numbers

    def _routed_numbers(
        self, tests: Sequence[ColumnTest], holes: Mapping[int, Any]
    ) -> dict[ColumnTest, RoutedTest | int]:
        columns = [source.column for source in self.sources]
        limits: Limits = number_limits(self._cuts(tests), self.outputs, columns)
        return {
            test: routed_numbers(
                self._place(test), self._feature_of(test), _left_numbers(test, limits), self._missing_side(test, holes)
            )
            for test in tests
        }

    def _cuts(self, tests: Sequence[ColumnTest]) -> Iterator[Cut]:
        """Yield what must be known of numbers: the bounds of tests, and where cells are not stored."""
        for test in tests:
            for interval in left_intervals(test):
                bounds = (interval.above, interval.upto)
                yield from (Cut(test.column, bound) for bound in bounds if bound is not None)
            if self.outputs.unstored == "missing":
                yield from (Cut(test.column, rank, is_of_ranks=True) for rank in (_BELOW_UNSTORED, _UPTO_UNSTORED))

    # ---- categories

    def _routed_categories(
        self, tests: Sequence[ColumnTest], holes: Mapping[int, Any]
    ) -> dict[ColumnTest, RoutedTest | int]:
        made, found = self._category_outputs(), dict[ColumnTest, RoutedTest | int]()
        for test in tests:
            known, unseen = made[self.sources[test.column].column]
            unseen_side = None
            if self._feature_of(test).is_open:
                unseen_side = test.side(None if unseen is None else unseen[test.column])
            sides = [test.side(value) for value in known[:, test.column].tolist()]
            found[test] = routed_categories(self._place(test), sides, self._missing_side(test, holes), unseen_side)
        return found

    def _category_outputs(self) -> dict[int, tuple[Any, Any]]:
        """Return for each column of categories what the model sees of each of them, and of an unseen value."""
        columns = {c: feature for c, feature in self.outputs.by_column.items() if not feature.is_ordered}
        unseen = self.outputs.alone({c: unseen_of(feature) for c, feature in columns.items() if feature.is_open})
        return {
            column: (
                self.outputs.cells({column: feature.categories}, len(feature.categories)).seen,
                unseen.get(column),
            )
            for column, feature in columns.items()
        }


def _left_numbers(test: ColumnTest, limits: Limits) -> Intervals:
    """Return the numbers of the input column that a test sends to the first child."""
    column = test.column
    intervals = union_of(
        found
        for interval in left_intervals(test)
        if (
            found := _between(
                -inf if interval.above is None else limits[column, interval.above, False],
                inf if interval.upto is None else limits[column, interval.upto, False],
            )
        )
    )
    if (column, _UPTO_UNSTORED, True) not in limits:
        return intervals
    hole = _between(limits[column, _BELOW_UNSTORED, True], limits[column, _UPTO_UNSTORED, True])
    if hole is None:
        return intervals
    return union_of([*intervals, hole]) if test.missing == 0 else intersection_of(intervals, complement_of((hole,)))


def _between(above: float, upto: float) -> Interval | None:
    """Return the numbers above one limit and up to another; None where there are none."""
    if not above < upto:
        return None
    return valid_interval(None if above == -inf else above, None if upto == inf else upto)


def pipeline_inputs(
    steps: Sequence[Any], n_columns: int, options: ImportOptions, unstored: Unstored = "zero"
) -> PipelineInputs:
    """Return the inputs of a model behind some steps.

    Args:
        steps: the fitted transformers.
        n_columns: the number of columns that the model reads.
        options: with the names of the input columns, and their type.
        unstored: what the model takes a cell for that a sparse table does not store.

    Raises:
        OptionError: a step cannot be followed, or a column goes to an encoder and to the model as a number; or the
            model reads another number of columns than the steps make.
        DataError: a step is not fitted.
    """
    fitted_names = getattr(steps[0], "feature_names_in_", None)
    names = names_of_features(options, names_in(steps[0]))
    sources = sources_after(steps, len(names))
    of_column = {c: [source for source in sources if source.column == c] for c in sorted({s.column for s in sources})}
    by_column = {column: _feature(names[column], found) for column, found in of_column.items()}
    missing = {c: None if any(s.missing is None for s in found) else float("nan") for c, found in of_column.items()}
    made = [source for source in sources if not source.is_dropped]
    if len(made) != n_columns:
        wanted = f"one whose steps make the {n_columns} columns that its model reads, and no {len(made)}"
        raise OptionError("fitted", "a pipeline", wanted)
    frame_names = None if fitted_names is None else tuple(fitted_names.tolist())
    outputs = StepOutputs(steps, names, frame_names, options.dtype, by_column, missing, len(made), unstored)
    return PipelineInputs(outputs, made)


def names_in(estimator: Any) -> list[str]:
    """Return the names of the columns that a fitted step or model takes: its own, else x0, x1 and so on.

    Raises:
        DataError: it is not fitted.
    """
    n = int(require_fitted(estimator, "n_features_in_"))
    return list(map(str, getattr(estimator, "feature_names_in_", [f"x{position}" for position in range(n)])))


def _feature(name: str, sources: Sequence[Source]) -> Feature:
    """Return the feature of an input column, given the sources of the columns that are made of it."""
    encoded = [source.categories for source in sources if source.categories is not None]
    replaced = [value for source in sources for value in source.replaced]
    if not encoded:
        if replaced:
            raise OptionError("fitted", f"a pipeline that imputes {replaced[0]!r} in {name!r}", _REPLACED_NUMBERS)
        return Feature(name, Kind.NUMBER)
    if any(source.categories is None and not source.is_indicator for source in sources):
        raise OptionError("fitted", f"a pipeline that reads {name!r} as categories and as a number", _ONE_WAY)
    values = list(dict.fromkeys(value for categories in [*encoded, replaced] for value in categories))
    kinds = {type(value) for value in values}
    if not kinds:  # the encoder met missing values alone
        return Feature(name, Kind.CATEGORY)
    if kinds == {bool}:
        return Feature(name, Kind.BOOLEAN)
    if kinds == {float} and all(value == np.floor(value) and abs(value) < 2**53 for value in values):
        values, kinds = [int(value) for value in values], {int}
    scalar = {str: "text", int: "integer", float: "number"}.get(kinds.pop()) if len(kinds) == 1 else None
    if scalar is None:
        raise OptionError("fitted", f"a pipeline with the categories {values!r} of {name!r}", _ONE_TYPE)
    return Feature(name, Kind.CATEGORY, sorted(values), scalar)


def unseen_of(feature: Feature) -> Any:
    """Return a value that is no category of a feature of text or numbers."""
    if feature.scalar != "text":
        known = set(feature.categories)
        return next(value for value in count() if value not in known)
    return max(map(str, feature.categories), key=len, default="") + "?"


_REPLACED_NUMBERS = "a pipeline that imputes NaN or None in numbers; replace the value in the table before, and fit so"
_ONE_WAY = "a pipeline that reads each column in one way; copy the column in the table, and encode the copy"
_ONE_TYPE = "a pipeline whose encoder knows text, whole numbers, numbers or truth values of a column"

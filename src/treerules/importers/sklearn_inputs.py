"""The input columns of a fitted pipeline of scikit-learn, and the tests of its model as tests of them.

Each column of the model comes from one input column (see `sklearn_steps`). What the steps make of a value is found by
asking them: categories one by one, thresholds of numbers by bisection over all doubles, since scalers keep the order.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, cast
from warnings import catch_warnings, simplefilter

import narwhals as nw
import numpy as np
from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Feature, Kind
from treerules.errors import MissingExtraError, OptionError
from treerules.importers.importer import Dtype
from treerules.importers.inputs import ColumnTest, NodeTest, routed_categories
from treerules.importers.sklearn_steps import Source, sources_after
from treerules.trees.node_parts import RoutedTest, ThresholdTest
from treerules.trees.routing import INT64_MAX, to_ordered_bits

_DOUBLE_MAX = float(np.finfo(np.float64).max)


@short_repr
@frozen(eq=False)
class PipelineInputs:
    """The input columns of the steps before a model.

    Args:
        steps: the fitted transformers.
        names: the names of the input columns.
        frame_names: the names of the columns of the data frame that the steps were fitted with and take; None where
            they were fitted with an array.
        sources: the source of each column of the model.
        dtype: the type of columns of numbers.
    """

    steps: tuple[Any, ...] = field(converter=as_tuple)
    names: tuple[str, ...] = field(converter=as_tuple)
    frame_names: tuple[str, ...] | None
    sources: tuple[Source, ...] = field(converter=as_tuple)
    dtype: Dtype
    #: the feature of each input column that a step or the model reads, by the position of the column
    by_column: Mapping[int, Feature]
    #: the missing value as the steps of those columns know it, None or NaN
    missing: Mapping[int, Any]

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features that a step or the model reads, in the order of the input columns."""
        return tuple(self.by_column.values())

    def routed(self, tests: Sequence[ColumnTest]) -> list[RoutedTest | int]:
        """Return each test as one of the features, or the child that every value of the column goes to."""
        positions = {column: position for position, column in enumerate(self.by_column)}
        distinct = list(dict.fromkeys(tests))
        categories = self._category_outputs()
        numbers = [test for test in distinct if self.sources[test.column].column not in categories]
        limits = self._number_limits([test for test in numbers if isinstance(test, NodeTest)])
        holes = self._outputs_alone(self.missing)
        found: dict[ColumnTest, RoutedTest | int] = {}
        for test in distinct:
            column = self.sources[test.column].column
            hole = holes[column]
            missing = test.side(None if hole is None else hole[test.column])
            if column in categories:
                known, unseen = categories[column]
                unseen_side = None
                if self.by_column[column].is_open:
                    unseen_side = test.side(None if unseen is None else unseen[test.column])
                sides = [test.side(value) for value in known[:, test.column].tolist()]
                found[test] = routed_categories(positions[column], sides, missing, unseen_side)
            elif isinstance(test, NodeTest):
                found[test] = _of_limits(positions[column], *limits[test], missing)
        return [found[test] for test in tests]

    # ---- what the steps make of values

    def outputs(self, values: Mapping[int, Sequence[Any]], n_rows: int) -> Any:
        """Return what the steps make of rows (float64, shape (rows, columns of the model)).

        Columns that are not in `values` hold the same ordinary value in each row.

        Raises:
            OptionError: the steps refuse a value.
        """
        if not n_rows:  # steps refuse a table without rows
            return np.empty((0, len(self.sources)))
        columns = [
            self._cells(position, values[position] if position in values else [self._ordinary(position)] * n_rows)
            for position in range(len(self.names))
        ]
        with np.errstate(all="ignore"), catch_warnings():
            simplefilter("ignore")  # encoders warn of unknown categories, which are asked about on purpose
            table: Any = _array(columns) if self.frame_names is None else self._frame(columns)
            try:
                for step in self.steps:
                    table = step.transform(table)
            except (ValueError, TypeError) as error:
                raise OptionError("fitted", "a pipeline", f"one whose {_TAKEN}; here they say: {error}") from error
        made = table.toarray() if hasattr(table, "toarray") else np.asarray(table)
        return cast(Any, made.astype(np.float64))

    def _cells(self, column: int, values: Sequence[Any]) -> Any:
        """Return values of a column as an array, as a data frame of the caller would hold them."""
        feature = self.by_column.get(column)
        if feature is not None and feature.scalar in ("text", "boolean"):
            is_whole = feature.scalar == "boolean" and {bool}.issuperset(map(type, values))
            return np.array(values, dtype=bool if is_whole else object)
        if {type(value) for value in values} <= {float}:
            with np.errstate(over="ignore"):
                return np.array(values, dtype=self.dtype)
        return np.array(values) if None not in values else np.array(values, dtype=object)

    def _frame(self, columns: Iterable[Any]) -> Any:
        assert self.frame_names is not None
        data = dict(zip(self.frame_names, columns, strict=True))
        try:
            return nw.from_dict(data, backend="pandas").to_native()
        except ImportError as error:
            raise MissingExtraError("pandas", "sklearn") from error

    def _ordinary(self, column: int) -> Any:
        feature = self.by_column.get(column)
        if feature is None or feature.is_ordered:
            return 0.0
        return feature.categories[0] if feature.categories else self.missing[column]

    def _outputs_alone(self, values: Mapping[int, Any]) -> dict[int, Any]:
        """Return what the steps make of a value of each column; None where they refuse it."""
        found = dict[int, Any]()
        for column, value in values.items():
            try:
                found[column] = self.outputs({column: [value]}, 1)[0]
            except OptionError:
                found[column] = None
        return found

    def _category_outputs(self) -> dict[int, tuple[Any, Any]]:
        """Return for each column of categories what the steps make of each of them, and of an unseen value."""
        columns = {column: feature for column, feature in self.by_column.items() if not feature.is_ordered}
        unseen = self._outputs_alone({c: unseen_of(feature) for c, feature in columns.items() if feature.is_open})
        return {
            column: (self.outputs({column: feature.categories}, len(feature.categories)), unseen.get(column))
            for column, feature in columns.items()
        }

    def _number_limits(self, tests: Sequence[NodeTest]) -> dict[NodeTest, tuple[float, bool]]:
        """Return for each test of a number the greatest double that goes left, and whether any does."""
        by_column: dict[int, list[NodeTest]] = {}
        for test in tests:
            by_column.setdefault(self.sources[test.column].column, []).append(test)
        return self._bisected(by_column) if by_column else {}

    def _greatest_taken(self, column: int) -> float:
        """Return the greatest number that the steps take in a column: they refuse what another step made infinite.

        Raises:
            OptionError: the steps refuse 0 too.
        """
        if self._takes(column, _DOUBLE_MAX):
            return _DOUBLE_MAX
        self.outputs({column: [0.0]}, 1)
        taken, refused = _ordered(np.array([0.0, _DOUBLE_MAX])).tolist()
        while refused - taken > 1:
            middle = (taken + refused) // 2
            is_taken = self._takes(column, float(_doubles(np.array([middle]))[0]))
            taken, refused = (middle, refused) if is_taken else (taken, middle)
        return float(_doubles(np.array([taken]))[0])

    def _takes(self, column: int, number: float) -> bool:
        return self._outputs_alone({column: number})[column] is not None and (
            self._outputs_alone({column: -number})[column] is not None
        )

    def _bisected(self, by_column: Mapping[int, list[NodeTest]]) -> dict[NodeTest, tuple[float, bool]]:
        n_rows = max(map(len, by_column.values()))
        limits = {column: self._greatest_taken(column) for column in by_column}
        low = {column: np.full(n_rows, -limit) for column, limit in limits.items()}
        high = {column: np.full(n_rows, limit) for column, limit in limits.items()}
        any_left, all_left = (self._passes(by_column, probes, n_rows) for probes in (low, high))
        low, high = ({column: _ordered(values) for column, values in ends.items()} for ends in (low, high))
        for _ in range(64):
            middle = {c: (low[c] & high[c]) + ((low[c] ^ high[c]) >> 1) for c in by_column}
            passes = self._passes(by_column, {c: _doubles(bits) for c, bits in middle.items()}, n_rows)
            low = {c: np.where(passes[c], middle[c], low[c]) for c in by_column}
            high = {c: np.where(passes[c], high[c], middle[c]) for c in by_column}
        return {
            test: (np.inf if all_left[column][row] else float(_doubles(low[column])[row]), bool(any_left[column][row]))
            for column, tests in by_column.items()
            for row, test in enumerate(tests)
        }

    def _passes(
        self, by_column: Mapping[int, list[NodeTest]], probes: Mapping[int, Any], n_rows: int
    ) -> dict[int, Any]:
        """Return whether each test sends its probe, the value of its row, to the first child."""
        made = self.outputs({column: values.tolist() for column, values in probes.items()}, n_rows)
        passes = {}
        for column, tests in by_column.items():
            rows = np.arange(len(tests))
            cells = made[rows, [test.column for test in tests]]
            passes[column] = np.zeros(n_rows, dtype=bool)
            passes[column][rows] = cells <= [test.threshold for test in tests]
        return passes


def pipeline_inputs(
    steps: Sequence[Any], names: Sequence[str], *, frame_names: tuple[str, ...] | None, dtype: Dtype
) -> PipelineInputs:
    """Return the inputs of a model behind some steps.

    Raises:
        OptionError: a step cannot be followed, or a column goes to an encoder and to the model as a number.
        DataError: a step is not fitted.
    """
    sources = sources_after(steps, len(names))
    of_column = {c: [source for source in sources if source.column == c] for c in sorted({s.column for s in sources})}
    by_column = {column: _feature(names[column], found) for column, found in of_column.items()}
    missing = {c: None if any(s.missing is None for s in found) else float("nan") for c, found in of_column.items()}
    made = [source for source in sources if not source.is_dropped]
    return PipelineInputs(steps, names, frame_names, made, dtype, by_column, missing)


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


def _of_limits(position: int, limit: float, any_left: bool, missing: int) -> RoutedTest | int:
    """Return the test of a number, or the child of all where there is one."""
    if not any_left and missing == 1:
        return 1
    if limit == np.inf and missing == 0:
        return 0
    return RoutedTest(ThresholdTest(position, limit if any_left else -np.inf), missing)


def _array(columns: Sequence[Any]) -> Any:
    if any(column.dtype == object for column in columns):
        return np.array([column.astype(object) for column in columns], dtype=object).T
    return np.array(columns).T


def _ordered(values: Any) -> Any:
    """Return doubles as integers of the same order."""
    bits = values.copy().view(np.int64)
    to_ordered_bits(bits, INT64_MAX)
    return bits


def _doubles(ordered: Any) -> Any:
    """Return the doubles of what `_ordered` made."""
    bits = ordered.copy()
    to_ordered_bits(bits, INT64_MAX)
    return bits.view(np.float64)


_TAKEN = "steps take numbers and the categories that they know"
_REPLACED_NUMBERS = "a pipeline that imputes NaN or None in numbers; replace the value in the table before, and fit so"
_ONE_WAY = "a pipeline that reads each column in one way; copy the column in the table, and encode the copy"
_ONE_TYPE = "a pipeline whose encoder knows text, whole numbers, numbers or truth values of a column"

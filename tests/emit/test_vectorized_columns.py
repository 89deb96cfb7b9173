"""Columns of data frames in vectorised modules: each is answered, or refused, as its cells are by the row module."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from run_emitted import module
from treerules import Feature, Kind, Schema, Tree, to_python
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

NAIVE = [datetime(2020, 1, 2, 3, 4, 5), None, datetime(2020, 1, 2, 2, 29, 59, 999999), datetime(2020, 1, 2, 2, 30)]
CUT = datetime(2020, 1, 2, 2, 30)
EAST = timezone(timedelta(hours=8))


def tree_of(feature: Feature, cut: Any) -> Tree:
    """Return a tree of one cut; missing values go with the greater ones."""
    low, high = (Leaf(ClassPrediction(v, [float(v == "p"), float(v == "q")]), [1, 1]) for v in "pq")
    schema = Schema([feature], Feature("y", Kind.CATEGORY, ["p", "q"]))
    return Tree(schema, Split(ThresholdTest(0, cut), [low, high], missing=1))


def zoned(zone: Any) -> list[Any]:
    """Return the same moments in a zone."""
    return [None if moment is None else moment.replace(tzinfo=UTC).astimezone(zone) for moment in NAIVE]


def of_polars(zone: str | None, unit: Any = "us") -> Any:
    """Return a column of polars, whose moments are stored in a unit."""
    moments = pl.Series(NAIVE, dtype=pl.Datetime(unit))
    return moments if zone is None else moments.dt.replace_time_zone("UTC").dt.convert_time_zone(zone)


def of_arrow(zone: str | None, chunks: int = 1) -> Any:
    """Return an array of Arrow, or one in chunks."""
    cells = NAIVE if zone is None else zoned(UTC)
    array = pa.array(cells, pa.timestamp("us", zone))
    return array if chunks == 1 else pa.chunked_array([array[:1], array[1:]])


def of_pandas(zone: str | None, dtype: Any = None) -> Any:
    """Return a column of pandas, of numpy's or of Arrow's type."""
    moments = pd.Series(pd.to_datetime(pd.Series(NAIVE)))
    moments = moments if zone is None else moments.dt.tz_localize("UTC").dt.tz_convert(zone)
    return moments if dtype is None else moments.astype(pd.ArrowDtype(pa.timestamp("us", zone)))


COLUMNS: dict[str, Callable[[str | None], Any]] = {
    "list": lambda zone: NAIVE if zone is None else zoned(EAST),
    "polars": of_polars,
    "polars ms": partial(of_polars, unit="ms"),
    "pyarrow": of_arrow,
    "pyarrow in chunks": partial(of_arrow, chunks=2),
    "pandas": of_pandas,
    "pandas of arrow": partial(of_pandas, dtype="arrow"),
}


def outcome(ask: Callable[[], Any]) -> Any:
    """Return what a call returns, or that it refuses its values."""
    try:
        return ask()
    except TypeError:
        return "refused"


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Shanghai"])
@pytest.mark.parametrize("is_utc", [False, True])
def test_zones_of_columns_mean_what_zones_of_cells_mean(name: str, zone: str | None, is_utc: bool) -> None:
    """A model of moments without zone refuses zoned columns, one in UTC those without; otherwise each cell's answer."""
    feature = Feature("t", Kind.TIMESTAMP, scalar="timestamp_utc" if is_utc else "timestamp")
    tree = tree_of(feature, CUT.replace(tzinfo=UTC) if is_utc else CUT)
    column = COLUMNS[name](zone)
    rows, arrays = module(to_python(tree, style="full")), module(to_python(tree, vectorized=True))
    cells = NAIVE if zone is None else zoned(EAST)
    wanted = outcome(lambda: [rows.predict({"t": cell}) for cell in cells])
    assert (wanted == "refused") is (is_utc is (zone is None))
    assert outcome(lambda: arrays.predict({"t": column}).tolist()) == wanted


@pytest.mark.parametrize("kind", ["number", "integer", "date", "timestamp"])
@pytest.mark.parametrize("cells", [
    np.array(["20000"], "M8[Y]"), np.array(["20000", "2020"], "M8[Y]"),
    np.array(["2020-01-02"], "M8[D]"), np.array([7, 8], "m8[Y]"),
    np.array(["2020-01-02T03:00"], "M8[ns]"), np.array([1.5, 2]), np.array([True, False]),
])  # fmt: skip
def test_cells_of_numpy_are_refused_as_rows_refuse_them(kind: str, cells: Any) -> None:
    """A year beyond those of datetime is no number, nor is a span of time: numpy's scalars say the same in rows."""
    feature = Feature("t", Kind(kind))
    tree = tree_of(feature, CUT.date() if kind == "date" else CUT if kind == "timestamp" else feature.convert(3))
    rows, arrays = module(to_python(tree, style="full")), module(to_python(tree, vectorized=True))
    wanted = outcome(lambda: [rows.predict({"t": cell}) for cell in cells])
    assert outcome(lambda: arrays.predict({"t": cells}).tolist()) == wanted

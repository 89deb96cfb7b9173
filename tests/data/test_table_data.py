"""What functions take as a table: one table for every form of the same data, and answers in the caller's kind."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import (
    Table,
    Tree,
    apply,
    cart,
    cross_validate,
    evaluate,
    feature_gains,
    holdout,
    learn,
    permutation_importances,
    predict,
    predict_proba,
    predict_table,
    prune,
    read,
    relearn,
    rule_metrics,
    verify,
)
from treerules.data.table_data import table_of
from treerules.errors import ColumnError, DataError, OptionError

COLUMNS: dict[str, list[Any]] = {
    "年龄": [20, 35, None, 50, 64, 31],
    "income": [1.5, 2.5, float("nan"), 4.0, 0.25, 3.0],
    "city": ["上海", "北京", None, "上海", "it's", ""],
    "member": [True, False, None, True, False, True],
    "since": [date(2020, 1, 2), None, date(2021, 3, 4), date(2019, 5, 6), date(2020, 1, 2), date(2022, 2, 2)],
    "seen": [datetime(2020, 1, 2, 3, 4, 5, 6), None, *[datetime(2021, 3, 4)] * 4],
    "y": ["a", "b", "a", "b", "b", "a"],
}
ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*COLUMNS.values(), strict=True)]
POLARS = pl.DataFrame(COLUMNS, strict=False)
FORMS: dict[str, Callable[[], Any]] = {
    "Table": lambda: Table.from_columns(COLUMNS),
    "dict of columns": lambda: COLUMNS,
    "list of dicts": lambda: ROWS,
    "polars": lambda: POLARS,
    "polars lazy": POLARS.lazy,
    "Arrow": POLARS.to_arrow,
    "pandas": lambda: pd.DataFrame(COLUMNS).astype({"年龄": "Int64"}),
    "pandas on Arrow": lambda: POLARS.to_pandas(use_pyarrow_extension_array=True),
    "pandas nullable": lambda: pd.DataFrame(COLUMNS).astype(
        {"年龄": "Int64", "income": "Float64", "city": "string", "member": "boolean"}
    ),
}
GROWN = learn(COLUMNS, target="y", recipe=cart())


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_data_is_the_same_table(form: str) -> None:
    """Kinds, categories, cells and missing cells."""
    assert table_of(FORMS[form]()) == Table.from_columns(COLUMNS)


@pytest.mark.parametrize("form", FORMS)
def test_every_function_takes_every_form(form: str) -> None:
    """Learning, judging and predicting give what they give for a Table."""
    data, table = FORMS[form](), Table.from_columns(COLUMNS)
    assert learn(data, target="y", recipe=cart()) == GROWN
    assert evaluate(GROWN, data) == evaluate(GROWN, table)
    assert feature_gains(data, target="y") == feature_gains(table, target="y")
    assert rule_metrics(GROWN, data) == rule_metrics(GROWN, table)
    assert relearn(GROWN, data) == GROWN
    assert permutation_importances(GROWN, data) == permutation_importances(GROWN, table)
    assert predict_table(GROWN, data, proba=True, keys=["city"]).columns == (
        predict_table(GROWN, table, proba=True, keys=["city"]).columns
    )
    assert np.asarray(predict(GROWN, data)).tolist() == predict(GROWN, table).tolist()
    assert np.array_equal(np.asarray(predict_proba(GROWN, data)), predict_proba(GROWN, table))
    assert cross_validate(data, target="y", folds=2).rows == cross_validate(table, target="y", folds=2).rows
    found = verify(GROWN, lambda row: predict(GROWN, row), data=data, most=3)
    assert found and found == verify(GROWN, lambda row: predict(GROWN, row), data=table, most=3)


def cells(dtype: str) -> st.SearchStrategy[Any]:
    """Cells of a type, missing ones among them."""
    strategies: dict[str, st.SearchStrategy[Any]] = {
        "integer": st.integers(-(2**63), 2**63 - 1),
        "number": st.floats(allow_nan=False),
        "text": st.sampled_from(["a", "b", "", " ", "NA", "中", "it's"]),
        "boolean": st.booleans(),
        "date": st.dates(date(1700, 1, 1), date(2200, 1, 1)),
        "timestamp": st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)),
        "zoned": st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)),
    }
    return strategies[dtype]


ARROW = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "text": pa.string(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "zoned": pa.timestamp("us", tz="UTC"),
}


@st.composite
def arrow_tables(draw: st.DrawFn) -> pa.Table:
    """Draw an Arrow table of all types, with missing cells; each column has at least one value."""
    n = draw(st.integers(1, 6))
    arrays = {}
    for dtype, arrow in ARROW.items():
        known = draw(st.lists(cells(dtype), min_size=n, max_size=n))
        holes = [False, *draw(st.lists(st.booleans(), min_size=n - 1, max_size=n - 1))]
        arrays[dtype] = pa.array([None if hole else cell for cell, hole in zip(known, holes, strict=True)], type=arrow)
    return pa.table(arrays)


@given(arrow_tables())
def test_frames_are_read_as_their_parquet_file_is(tmp_path_factory: pytest.TempPathFactory, arrow: pa.Table) -> None:
    """Of pandas (numpy, nullable and Arrow dtypes), polars and Arrow alike."""
    path: Path = tmp_path_factory.mktemp("frames") / "frame.parquet"
    frame = pl.from_arrow(arrow)
    assert isinstance(frame, pl.DataFrame)
    frame.write_parquet(path)
    from_file = read(path)
    assert table_of(arrow) == table_of(frame) == from_file
    assert table_of(arrow.to_pandas(types_mapper=pd.ArrowDtype)) == from_file
    nullable = {"integer": "Int64", "boolean": "boolean"}
    plain = arrow.to_pandas(integer_object_nulls=True).astype(nullable)
    assert table_of(plain) == from_file


def test_answers_have_the_library_and_the_index_of_the_frame() -> None:
    """A series of predictions and of rules, a frame of probabilities; polars and Arrow have no index."""
    index = pd.Index(list("uvwxyz"), name="key")
    frame = FORMS["pandas"]().set_index(index)
    answers, rules, shares = predict(GROWN, frame), apply(GROWN, frame), predict_proba(GROWN, frame)
    assert isinstance(answers, pd.Series) and isinstance(rules, pd.Series) and isinstance(shares, pd.DataFrame)
    assert all(answer.index.equals(index) for answer in (answers, rules, shares))
    assert (answers.name, rules.name, list(shares.columns)) == ("prediction", "rule", ["p_a", "p_b"])
    assert (answers == frame["y"]).all()
    assert isinstance(predict(GROWN, POLARS), pl.Series) and isinstance(predict_proba(GROWN, POLARS), pl.DataFrame)
    assert isinstance(predict(GROWN, POLARS.lazy()), pl.Series)
    assert isinstance(predict(GROWN, POLARS.to_arrow()), pa.ChunkedArray)
    assert isinstance(predict_proba(GROWN, POLARS.to_arrow()), pa.Table)
    assert isinstance(predict(GROWN, COLUMNS), np.ndarray) and isinstance(predict(GROWN, ROWS), np.ndarray)


def array_tree() -> tuple[Any, Tree]:
    """An array, and the tree that is learned from it."""
    array = np.array([[1.0, 5.0, 0.0], [2.0, 5.0, 0.0], [3.0, 6.0, 1.0], [4.0, 6.0, 1.0]])
    return array, learn(array, columns=["a", "b", "y"], target="y", task="classification", recipe=cart())


def test_an_array_needs_the_names_of_its_columns() -> None:
    """One for each column; what names its columns itself takes none."""
    array, tree = array_tree()
    assert predict(tree, array, columns=["a", "b", "c"]).tolist() == [0.0, 0.0, 1.0, 1.0]
    assert predict_proba(tree, array[:, :2], columns=["a", "b"]).shape == (4, 2)
    assert verify(tree, lambda row: predict(tree, row), rows=array, columns=["a", "b", "y"]).n_rows == 4
    with pytest.raises(OptionError, match=r"table=.*array of shape \(4, 3\).*columns="):
        predict(tree, array)
    for columns in (["a", "b"], ["a", "b", "b"], "abc", [1, 2, 3]):
        with pytest.raises(OptionError, match="columns="):
            predict(tree, array, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no 2-D array"):
        predict(tree, {"a": [1.0], "b": [2.0]}, columns=["a", "b"])


@pytest.mark.parametrize("data", ["rows.csv", b"", 3, None, {1, 2}, [1, 2], [[1, 2]], np.zeros(3), pl.Series([1])])
def test_what_is_no_table_is_refused(data: Any) -> None:
    """The error names the argument and all that is a table."""
    with pytest.raises(OptionError, match=r"table=.*a Table, a data frame, a list of dicts"):
        learn(data, target="y")


def test_a_row_is_no_table_of_one_row() -> None:
    """A mapping of values is a row; a mapping of sequences is columns."""
    assert predict(GROWN, ROWS[1]) == "b"
    assert predict(GROWN, {name: [value] for name, value in ROWS[1].items()}).tolist() == ["b"]
    with pytest.raises(OptionError, match="table="):
        evaluate(GROWN, ROWS[1])


def test_a_row_with_a_sequence_is_columns_and_must_be_whole() -> None:
    """A sequence is no value, so a mapping with one is no row; an array without dimensions is a value."""
    with pytest.raises(OptionError, match="the column 'city'"):
        predict(GROWN, {"年龄": [20, 35], "city": "上海", "income": [1.0, 2.0]})
    assert predict(GROWN, {**ROWS[1], "income": np.array(2.5)}) == "b"


def test_frames_are_divided_and_prune() -> None:
    """`holdout` of a frame gives frames of its library with its index; `prune` judges by rows of any form."""
    frame = FORMS["pandas"]().set_index(pd.Index(list("uvwxyz")))
    parts = holdout(frame, target="y")
    expected = holdout(Table.from_columns(COLUMNS), target="y")
    assert sorted([*parts[0].index, *parts[1].index]) == list("uvwxyz")
    assert [list(table_of(part).rows()) for part in parts] == [list(part.rows()) for part in expected]
    assert [part.shape for part in holdout(POLARS.lazy(), target="y")] == [part.shape for part in parts]
    table = Table.from_columns(COLUMNS)
    assert prune(GROWN, "reduced_error", table=frame) == prune(GROWN, "reduced_error", table=table)


def test_rows_to_verify_are_any_mappings() -> None:
    """A generator, the values of a dict, a list."""
    by_name = dict(enumerate(ROWS))
    for rows in (by_name.values(), iter(ROWS), ROWS):
        assert verify(GROWN, lambda row: predict(GROWN, row), rows=rows).n_rows == len(ROWS)
    with pytest.raises(OptionError, match="rows="):
        verify(GROWN, lambda row: predict(GROWN, row), rows="rows.csv")


def test_predictions_become_a_frame_of_a_library() -> None:
    """Keys keep their types and missing cells; integers beyond 2^53 are exact where others are missing."""
    data = {"id": [2**60 + 1, None, 3], "x": [1.0, 2.0, 4.0], "y": ["a", "a", "b"], "day": [date(2020, 1, 1)] * 3}
    predictions = predict_table(learn(data, target="y", recipe=cart()), data, rule=True, keys=["id", "day", "x"])
    polars = predictions.to_frame("polars")
    assert polars["id"].to_list() == [2**60 + 1, None, 3] and polars["day"].dtype == pl.Date
    assert predictions.to_frame("pyarrow").column("id").to_pylist() == [2**60 + 1, None, 3]
    pandas = predictions.to_frame()
    assert pandas["id"].dtype == "Int64" and pandas["id"].dropna().tolist() == [2**60 + 1, 3]
    assert pandas["prediction"].tolist() == polars["prediction"].to_list() == ["a", "a", "b"]
    like = predictions.to_frame(pd.DataFrame({"z": [1, 2, 3]}, index=[7, 8, 9]))
    assert like.index.tolist() == [7, 8, 9]
    for wrong in ("duckdb", 3, Table([]), pd.DataFrame({"z": [1]})):
        with pytest.raises(OptionError, match="like="):
            predictions.to_frame(wrong)


def test_frames_that_cannot_be_read_are_refused_by_name() -> None:
    """Names that are not text or stand twice, and types that are no kind."""
    with pytest.raises(DataError, match="cannot be read"):
        learn(pd.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"]), target="y")
    with pytest.raises(DataError, match="column named 0"):
        learn(pd.DataFrame([[1, "a"]]), target="y")
    with pytest.raises(ColumnError, match="'x'"):
        learn(pl.DataFrame({"x": [[1], [2]], "y": ["a", "b"]}), target="y")

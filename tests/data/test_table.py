"""Tables from rows and columns: kinds inferred, declared, refused with three example cells."""

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Kind, Table, cart, learn, predict
from treerules.data.casting import align_column
from treerules.data.schema import UNSEEN
from treerules.errors import (
    CellError,
    ColumnError,
    DataError,
    InvalidTreeError,
    OptionError,
    TreeRulesError,
    UnknownNameError,
)


class Colour(str, Enum):  # noqa: UP042 (its str() is not its value)
    """A kind of text whose str() says something else."""

    RED = "red"


@pytest.mark.parametrize(
    ("cells", "kind", "categories"),
    [
        ([1, None, 3], Kind.INTEGER, ()),
        ([1, 2.5, None], Kind.NUMBER, ()),
        ([Decimal("0.5"), 1], Kind.NUMBER, ()),
        ([2**63, 1], Kind.NUMBER, ()),
        ([True, None], Kind.BOOLEAN, (False, True)),
        (["b", "a", "", "NA", None], Kind.CATEGORY, ("", "NA", "a", "b")),
        ([date(2024, 3, 1), None], Kind.DATE, ()),
        ([datetime(2024, 3, 1), None], Kind.TIMESTAMP, ()),
        ([datetime(2024, 3, 1, tzinfo=UTC)], Kind.TIMESTAMP, ()),
        ([None, math.nan], Kind.CATEGORY, ()),
        (np.array([1.5, np.nan], dtype=np.float32), Kind.NUMBER, ()),
        (np.array([1, 2], dtype=np.uint8), Kind.INTEGER, ()),
        (np.array([2**64 - 1], dtype=np.uint64), Kind.NUMBER, ()),
        (np.array([True, False]), Kind.BOOLEAN, (False, True)),
        (np.array(["x", "y"]), Kind.CATEGORY, ("x", "y")),
        (np.array(["2024-03-01", "NaT"], dtype="datetime64[D]"), Kind.DATE, ()),
        (np.array(["2024-03-01T12"], dtype="datetime64[ns]"), Kind.TIMESTAMP, ()),
        (np.array([1, None], dtype=object), Kind.INTEGER, ()),
        (np.array(["2024-03-01T12"], dtype="datetime64[ps]"), Kind.TIMESTAMP, ()),
        ([Colour.RED, None], Kind.CATEGORY, ("red",)),
    ],
    ids=str,
)
def test_kinds_are_inferred_from_values(cells: Any, kind: Kind, categories: tuple[Any, ...]) -> None:
    """The type of the values decides; text is text, whatever it spells."""
    column = Table.from_columns({"x": cells}).columns[0]
    assert column.feature.kind is kind
    assert column.feature.categories == categories


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1, "a", 2.5], r"mixes integers and text and numbers \(for example 1, 'a', 2.5\)"),
        ([True, 1, 0], r"mixes booleans and integers \(for example True, 1, 0\)"),
        ([date(2024, 1, 1), datetime(2024, 1, 1)], "mixes dates and timestamps"),
        (
            [datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)],
            "mixes timestamps without zone and timestamps with a zone",
        ),
        ([[1], [2]], "holds values of type list"),
        ([1j], "holds values of type complex"),
        (np.array([5], dtype="timedelta64[ns]"), "holds values of type timedelta64"),
        (np.zeros((2, 2), dtype=object), "an array of 2 dimensions"),
        ([10**5000, 1], "a number that float64 can hold"),
        (np.zeros((2, 2)), "an array of 2 dimensions"),
    ],
)
def test_a_column_that_mixes_kinds_is_refused(cells: Any, message: str) -> None:
    """With the kinds, and three cells that show them."""
    with pytest.raises((ColumnError, CellError), match=message):
        Table.from_columns({"x": cells})


def test_rows_and_columns_make_equal_tables() -> None:
    """A missing key is a missing value; columns stand as they are first met."""
    rows = Table.from_rows([{"a": 1, "b": "x"}, {"b": "y"}, {"a": None, "c": True}])
    columns = Table.from_columns({"a": [1, None, None], "b": ["x", "y", None], "c": [None, None, True]})
    assert rows == columns
    assert list(rows.rows()) == [rows.row(index) for index in range(3)]
    assert rows.row(2) == {"a": None, "b": None, "c": True}
    assert rows != Table.from_columns({"a": [1, 2, None], "b": ["x", "y", None], "c": [None, None, True]})


_cells = st.one_of(
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)),
    st.lists(st.none() | st.floats(allow_nan=False)),
    st.lists(st.none() | st.text()),
    st.lists(st.none() | st.booleans()),
    st.lists(st.none() | st.dates()),
    st.lists(st.none() | st.datetimes()),
    st.lists(st.none() | st.datetimes(timezones=st.just(UTC))),
)


@given(_cells)
def test_cells_read_back_as_they_were(cells: list[Any]) -> None:
    """A table loses nothing, to the last bit of an int64, a float64 or a microsecond."""
    table = Table.from_columns({"x": cells})
    assert [table.row(index)["x"] for index in range(table.n_rows)] == cells


def test_a_masked_array_has_missing_cells() -> None:
    """What is masked is missing, not what lies under the mask."""
    table = Table.from_columns({"x": np.ma.masked_array([1, 5, 3], [False, True, False])})
    assert [row["x"] for row in table.rows()] == [1, None, 3]


def test_columns_are_frozen_and_read_only_arrays_are_accepted() -> None:
    """Nothing can be written into a table, and it writes into nothing of the caller's."""
    given_array = np.array([1.0, 2.0, -0.0])
    given_array.flags.writeable = False
    table = Table.from_columns({"x": given_array, "y": ["a", "b", "a"]})
    with pytest.raises(ValueError, match="read-only"):
        table.columns[0].data[0] = 5.0
    assert learn(table, target="y", recipe=cart()).n_leaves > 1
    mine = np.array([1.0, 2.0])
    Table.from_columns({"x": mine})
    mine[0] = 7.0


@pytest.mark.parametrize(
    ("cells", "declared", "kind", "categories"),
    [
        ([3, 1, None], "category", Kind.CATEGORY, (1, 3)),
        ([0.5, 0.25], "category", Kind.CATEGORY, (0.25, 0.5)),
        ([True, False], "category", Kind.CATEGORY, (False, True)),
        ([1, 2], "number", Kind.NUMBER, ()),
        ([1.0, None], "integer", Kind.INTEGER, ()),
        (["M", "S", None], "ordinal:S<M<L", Kind.ORDINAL, ("S", "M", "L")),
        ([2, 1], "ordinal:3<2<1", Kind.ORDINAL, (3, 2, 1)),
        ([date(2024, 1, 2)], "ordinal:2024-01-02<2023-01-01", Kind.ORDINAL, (date(2024, 1, 2), date(2023, 1, 1))),
        ([None, None], "date", Kind.DATE, ()),
    ],
)
def test_kinds_may_be_declared(cells: list[Any], declared: str, kind: Kind, categories: tuple[Any, ...]) -> None:
    """Categories keep their type: 0 is not "0"."""
    table = Table.from_columns({"x": cells}, types={"x": declared})
    assert (table.columns[0].feature.kind, table.columns[0].feature.categories) == (kind, categories)
    assert [row["x"] for row in table.rows()] == cells
    assert table.declared == {"x"}


@pytest.mark.parametrize(
    ("cells", "declared", "error", "message"),
    [
        (["a", "b"], "number", ColumnError, r"holds category values, not number \(for example 'a', 'b'\)"),
        ([1.5, 2.0], "integer", ColumnError, r"not 64-bit integers \(for example 1.5\)"),
        ([1e300], "integer", ColumnError, "not 64-bit integers"),
        (["S", "XL"], "ordinal:S<M", ColumnError, r"does not name each of its values once \(for example 'XL'\)"),
        (["S"], "ordinal:S<S", ColumnError, "does not name each of its values once"),
        ([1], "ordinal:1<x", ColumnError, "has the level 'x', which is not of type integer"),
        (["S"], "ordinal", OptionError, "ordinal:S<M<L"),
        (["S"], "categorie", OptionError, "one of number, integer"),
        (["S"], "category:a<b", OptionError, "one of number"),
    ],
)
def test_a_declaration_that_does_not_fit_is_refused(
    cells: list[Any], declared: str, error: type[Exception], message: str
) -> None:
    """With three cells that show it."""
    with pytest.raises(error, match=message):
        Table.from_columns({"x": cells}, types={"x": declared})


def test_malformed_tables_are_refused() -> None:
    """Lengths differ, names are no text or unknown."""
    with pytest.raises(DataError, match="different lengths"):
        Table.from_columns({"a": [1], "b": [1, 2]})
    with pytest.raises(InvalidTreeError, match="not text"):
        Table.from_rows([{5: 1}])  # type: ignore[dict-item]
    with pytest.raises(UnknownNameError, match="did you mean 'colour'"):
        Table.from_columns({"colour": ["a"]}, types={"color": "category"})
    with pytest.raises(UnknownNameError):
        Table.from_columns({"a": [1]}).column("b")


def test_another_table_is_seen_as_the_model_knows_it() -> None:
    """Columns in any order, other categories unseen, integers as numbers; what cannot be is refused."""
    table = Table.from_columns({"c": ["a", "b", "b"], "x": [1.5, 2.5, 3.5], "y": ["p", "q", "q"]})
    tree = learn(table, target="y", features=["c", "x"], recipe=cart())
    other = Table.from_columns({"extra": [1, 2], "x": [1, 9], "c": ["new", "b"]})
    assert predict(tree, other).tolist() == [predict(tree, row) for row in other.rows()]
    codes = align_column(tree.schema.features[0], other.column("c")).data.tolist()
    assert codes == [UNSEEN, 1]
    with pytest.raises(ColumnError, match="did you mean 'C'"):
        predict(tree, Table.from_columns({"C": ["a"], "x": [1.0]}))
    with pytest.raises(TreeRulesError):
        predict(tree, Table.from_columns({"c": [5], "x": [1.0]}))
    blank = Table.from_columns({"c": [None], "x": [None]})
    assert predict(tree, blank).tolist() == [predict(tree, {})]
    counted = learn(
        Table.from_columns({"n": [1, 1, 2], "y": ["p", "p", "q"]}, types={"n": "category"}), target="y", recipe=cart()
    )
    assert predict(counted, Table.from_columns({"n": [2.0, 1.0]})).tolist() == ["q", "p"]

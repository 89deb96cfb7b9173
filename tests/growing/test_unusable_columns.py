"""Which columns are left out: those that cannot say anything about other rows, and no useful one."""

import os
import shlex
import uuid
from datetime import date
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treerules import Table, compare_recipes, cross_validate, feature_gains, learn, read
from treerules.cli.column_names import split_names
from treerules.data.column import Column, column_of
from treerules.data.table import with_types
from treerules.errors import OptionError, UnknownNameError
from treerules.growing.feature_choice import as_typed
from treerules.growing.unusable_columns import UNUSABLE, ColumnShape, unusable_reason

N = 1000
RNG = np.random.default_rng(0)
FIRST = ["Ann", "Bob", "Cem", "Dora", "Eve", "Finn", "Gül", "Hugo", "Ida", "Jan", "Kim", "Lea", "Max", "Nina", "Otto"]
LAST = [
    f"{a}{b}" for a in ("Mc", "Van", "Ber", "Sil", "Kov", "Lind", "Hal") for b in ("ley", "ga", "va", "berg", "son")
]
WORDS = [
    "the",
    "parcel",
    "came",
    "too",
    "late",
    "and",
    "nobody",
    "answered",
    "my",
    "letter",
    "about",
    "it",
    "so",
    "I",
    "will",
    "never",
    "order",
    "here",
    "again",
]


def some(values: Any, n: int = N, **options: Any) -> Any:
    """Return drawn values."""
    return RNG.choice(values, n, **options).tolist()


def sentence(n_words: int = 12) -> str:
    """Return words in a drawn order."""
    return " ".join(some(WORDS, n_words))


CUSTOMERS = RNG.choice(np.arange(100_000, 999_999), 400, replace=False)
SHARES = 1 / np.arange(1, 301)
#: columns to be left out, by name
GENERATED_UNUSABLE: dict[str, Any] = {
    "constant": [7] * N,
    "all_missing": [None] * N,
    "n": list(range(1, N + 1)),
    "half": list(range(1, 2 * N, 2)),
    "sampled": RNG.choice(np.arange(20 * N), N, replace=False),
    "shuffled": RNG.permutation(N) + 70_000,
    "as_float": [float(n) for n in range(3, 3 * N, 3)][:N] + [1.0] * (N - len(range(3, 3 * N, 3))),
    "CustomerId": RNG.choice(CUSTOMERS, N),
    "客户编号": RNG.choice(CUSTOMERS, N),
    "OrderId": RNG.integers(10**9, 10**10, N),
    "Invoice No.": [f"INV-{n // 2:06d}" for n in range(N)],
    "account_number": RNG.integers(10**7, 10**8, N),
    "uuid": [str(uuid.UUID(bytes=RNG.bytes(16))) for _ in range(N)],
    "session": [str(uuid.UUID(int=n // 4 + 10**30)) for n in range(N)],
    "digest": [md5(str(n // 3).encode()).hexdigest() for n in range(N)],
    "mail": [f"{some(FIRST, 1)[0]}.{n // 3}@example.org".lower() for n in range(N)],
    "page": [f"https://example.org/{n // 4}?x=1" for n in range(N)],
    "phone": [f"+49 30 {1_000_000 + 37 * (n // 3)}" for n in range(N)],
    "tel": [f"(212) 555-{n // 2:04d}" for n in range(N)],
    "name": [f"{some(FIRST, 1)[0]} {some(LAST, 1)[0]} {chr(65 + n % 26)}{n % 7}" for n in range(N)],
    "address": [f"{1 + n % 170} {some(LAST, 1)[0]} Street" for n in range(N)],
    "comment": [sentence() for _ in range(N)],
    "article": [sentence(80) for _ in range(N // 2)] * 2,
    "评论": [f"包裹来得太晚，打开的时候里面的东西已经坏了，我不会再来这里买第{n}次了" for n in range(N)],
}
#: columns to be kept, by name
GENERATED_USEFUL: dict[str, Any] = {
    "year": some(np.arange(1990, 2024)),
    "each_year": [1700 + n % 400 for n in range(N)],
    "age": some(np.arange(18, 90)),
    "price": np.round(RNG.lognormal(12, 0.6, N)).astype(int),
    "price_in_cents": RNG.lognormal(5, 1, N).round(2),
    "population": np.round(RNG.lognormal(10, 2, N)).astype(int),
    "fnlwgt": RNG.integers(12_285, 1_484_705, N),
    "area": RNG.integers(200, 5_000, N),
    "income": RNG.integers(10_000, 200_000, N) // 100 * 100,
    "timestamp": 1_700_000_000 + 3600 * np.arange(N),
    "seconds": 1_700_000_000 + np.sort(RNG.integers(0, 10**6, N)),
    "day": [20200000 + 100 * m + d for y in range(3) for m in range(1, 13) for d in range(1, 29)][:N],
    "month_of_sale": [100 * y + m for y in range(1950, 2024) for m in range(1, 13)],
    "rank": RNG.permutation(N) + 1,
    "postal_code": [f"{p:05d}" for p in some(np.arange(10_000, 10_300))],
    "zip_code": some(np.arange(10_000, 10_600)),
    "store_id": some(np.arange(1, 60)),
    "model": [f"model {c}" for c in some(np.arange(120))],
    "surname": [f"{LAST[c % 35]}{c}" for c in some(np.arange(300), p=SHARES / SHARES.sum())],
    "cabin": [None] * (N - 150) + [f"C{n}" for n in range(150)],
    "seller": [f"seller{n}@example.org" for n in some(np.arange(25))],
    "referrer": [f"https://example.org/{n}" for n in some(np.arange(12))],
    "device": [md5(str(n).encode()).hexdigest() for n in some(np.arange(40))],
    "complaint": some([sentence() for _ in range(20)]),
    "date": [date.fromordinal(730_000 + n) for n in range(N)],
    "number_of_rooms": some(np.arange(1, 12)),
    "heat_index": RNG.integers(60, 120, N),
    "balance": RNG.normal(size=N),
    "temperature": RNG.normal(20, 5, N).round(1),
    "flag": some([True, False]),
    "score": RNG.integers(300, 851, N),
    "pixel": RNG.integers(0, 17, N),
    "odometer": np.round(RNG.exponential(60_000, N)).astype(int),
}


@pytest.mark.parametrize("name", GENERATED_UNUSABLE)
def test_a_typical_unusable_column_is_left_out(name: str) -> None:
    """Identifiers, row numbers and long texts, generated as tables have them."""
    assert unusable_reason(column_of(name, GENERATED_UNUSABLE[name]))


@pytest.mark.parametrize("name", GENERATED_USEFUL)
def test_a_typical_useful_column_is_kept(name: str) -> None:
    """Measurements, times and categories, among them categories of few rows and integers different in every row."""
    assert unusable_reason(column_of(name, GENERATED_USEFUL[name])) is None


def test_each_kind_of_unusable_columns_is_the_first_to_recognise_some_column() -> None:
    """The law over the table: names and reasons differ, and no record is idle."""
    shapes = [ColumnShape(column_of(name, values)) for name, values in GENERATED_UNUSABLE.items()]
    first = {next(kind.name for kind in UNUSABLE if kind.holds(shape)) for shape in shapes}
    assert first | {"unique text"} == {kind.name for kind in UNUSABLE}
    assert len({kind.reason for kind in UNUSABLE}) == len(UNUSABLE) == len({kind.name for kind in UNUSABLE})


@pytest.mark.parametrize("name", [*GENERATED_UNUSABLE, *GENERATED_USEFUL])
def test_the_order_of_the_rows_is_of_no_account(name: str) -> None:
    """A column is left out in any order of its rows, or in none."""
    values = list({**GENERATED_UNUSABLE, **GENERATED_USEFUL}[name])
    shuffled = [values[row] for row in np.random.default_rng(2).permutation(len(values))]
    assert unusable_reason(column_of(name, values)) == unusable_reason(column_of(name, shuffled))


@pytest.mark.parametrize("name", [*GENERATED_UNUSABLE, *GENERATED_USEFUL])
def test_a_table_of_few_rows_loses_only_what_is_plain(name: str) -> None:
    """Of 19 rows only constant columns, consecutive integers and text of its own in every row are left out."""
    values = list({**GENERATED_UNUSABLE, **GENERATED_USEFUL}[name])[:19]
    plain = {"the same in every row", "text, different in every row", "consecutive integers, a row number", None}
    assert unusable_reason(column_of(name, values)) in plain


# ---- real tables, labelled by hand

LEFT_OUT = {
    "titanic": {"PassengerId", "Name", "Ticket"},
    "mushroom": {"veil-type"},
    "covertype_a": {"Soil_Type7", "Soil_Type15", "Soil_Type25"},
}
FILES = ("adult_test", "adult_train", "california_housing", "covertype_a", "diamonds", "iris", "mushroom")
FILES += ("nursery", "penguins", "sales_zh", "taxis", "titanic", "wine_quality_red")


@pytest.mark.skipif("TREERULES_DATA" not in os.environ, reason="TREERULES_DATA does not name the folder of real data")
@pytest.mark.parametrize("file", FILES)
def test_real_tables_lose_the_columns_that_cannot_generalise(file: str) -> None:
    """Of 170 columns of 13 tables seven are left out; Cabin, taxi zones, native-country and fnlwgt are kept."""
    table = read(Path(os.environ["TREERULES_DATA"]) / f"{file}.csv")
    assert {c.feature.name for c in table.columns if unusable_reason(c)} == LEFT_OUT.get(file, set())


@pytest.mark.peer
def test_the_tables_of_scikit_learn_lose_constant_columns_alone() -> None:
    """Iris, wine, breast cancer and diabetes keep all columns; of the pixels of digits three are always 0."""
    datasets = pytest.importorskip("sklearn.datasets")
    n_columns = 0
    for name in ("iris", "wine", "breast_cancer", "diabetes", "digits"):
        data = getattr(datasets, f"load_{name}")()
        columns = [column_of(str(n), data.data[:, i]) for i, n in enumerate(data.feature_names)]
        n_columns += len(columns)
        expected = {str(n) for i, n in enumerate(data.feature_names) if len(np.unique(data.data[:, i])) == 1}
        assert {column.feature.name for column in columns if unusable_reason(column)} == expected
        assert len(expected) == (3 if name == "digits" else 0)
    assert n_columns == 121


# ---- keep, drop, max_categories, copies


def table_of(n: int = 60, **columns: Any) -> Table:
    """Return a table of a useful number, a target and some more columns."""
    rng = np.random.default_rng(1)
    return Table.from_columns({"x": rng.normal(size=n), **columns, "y": rng.choice(["a", "b"], n).tolist()})


def names_of(table: Table, **options: Any) -> list[str]:
    """Return the features of a tree that is learned from a table."""
    return [feature.name for feature in learn(table, target="y", **options).schema.features]


def test_a_column_to_keep_is_never_left_out() -> None:
    """`keep` overrules each reason, and the note of a column that is left out names it."""
    table = table_of(id=range(60), always=[1] * 60, town=[f"t{n % 30}" for n in range(60)], mail=["a@b.de"] * 60)
    assert names_of(table) == ["x", "town"]
    assert names_of(table, keep=["id", "mail"]) == ["x", "id", "town", "mail"]
    assert names_of(table, max_categories=29) == ["x"]
    assert names_of(table, max_categories=30) == ["x", "town"]
    assert names_of(table, max_categories=1, keep=["town"]) == ["x", "town"]
    assert "left out 'id': consecutive integers, a row number; to use it: keep=['id'], --keep id" in (
        learn(table, target="y").notes
    )


def test_a_copy_of_an_earlier_column_is_left_out() -> None:
    """Two columns of equal cells are one feature; the note names the earlier one. Small tables keep both."""
    cells = [float(n % 7) for n in range(60)]
    table = table_of(first=cells, second=cells, third=[*cells[:-1], 9.0])
    assert names_of(table) == ["x", "first", "third"]
    assert any("left out 'second': a copy of 'first'" in note for note in learn(table, target="y").notes)
    assert names_of(table, keep=["second"]) == ["x", "first", "second", "third"]
    assert names_of(table_of(10, first=cells[:10], second=cells[:10])) == ["x", "first", "second"]


def test_the_last_feature_and_declared_columns_are_kept() -> None:
    """A table of one feature keeps it; so does a column whose kind the user declared."""
    assert names_of(Table.from_columns({"id": range(30), "y": ["a", "b"] * 15})) == ["id"]
    assert names_of(with_types(table_of(id=range(60)), {"id": "category"})) == ["x", "id"]


def test_keep_and_max_categories_mean_the_same_everywhere() -> None:
    """`cross_validate`, `compare_recipes` and `feature_gains` take them as `learn` does."""
    table = table_of(id=range(60), town=[f"t{n % 30}" for n in range(60)])
    options: Any = {"target": "y", "keep": ["id"], "max_categories": 5}
    assert [f.name for f in cross_validate(table, folds=3, **options).tree.schema.features] == ["x", "id"]
    assert [gain.feature.name for gain in feature_gains(table, **options).features] == ["x", "id"]
    recipe = learn(table, target="y").recipe
    assert compare_recipes(table, [recipe], folds=3, **options).rows[0].n_leaves == learn(table, **options).n_leaves


def test_names_of_columns_to_keep_are_checked() -> None:
    """A name that is unknown, dropped, or given beside `features` is an error."""
    table = table_of(id=range(60))
    with pytest.raises(UnknownNameError, match="did you mean 'id'"):
        learn(table, target="y", keep=["idd"])
    for options in ({"drop": ["id"], "keep": ["id"]}, {"features": ["x"], "keep": ["id"]}, {"max_categories": 0}):
        with pytest.raises(OptionError):
            learn(table, target="y", **options)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="target"):
        learn(table, target="y", keep=["y"])


@pytest.mark.parametrize("name", ["age", "a, b", "", 'say "x"', " blank "])
def test_a_name_is_told_as_it_is_typed(name: str) -> None:
    """What the note says after --keep is read back as the name."""
    (word,) = shlex.split(as_typed(name))
    assert list(split_names(word)) == [name.strip()]


# ---- leaks


def leaks(target: Any, **columns: Any) -> list[str]:
    """Return the columns that notes name as possible leaks."""
    table = Table.from_columns({**columns, "y": target})
    notes = learn(table, target="y", keep=list(columns)).notes
    return [name for name in columns if any(f"{name!r} alone decides" in note for note in notes)]


def test_a_column_that_alone_decides_the_target_is_named() -> None:
    """The target in other words, its logarithm, and a code of it."""
    wage = np.round(RNG.lognormal(3, 0.5, 300), 2)
    survived = RNG.integers(0, 2, 300)
    assert leaks(wage, logwage=np.log(wage), age=RNG.integers(18, 65, 300)) == ["logwage"]
    assert leaks(wage, negative=-wage) == ["negative"]
    alive = np.where(survived == 1, "yes", "no").tolist()
    assert leaks(survived, alive=alive, sex=some(["m", "f"], 300)) == ["alive"]
    assert leaks(survived, chance=survived + RNG.random(300) / 2) == ["chance"]


def test_a_column_of_few_rows_for_each_value_decides_nothing() -> None:
    """Values of their own in every row, a town of two rows, or 19 rows say nothing of other rows."""
    target = [n % 2 for n in range(300)]
    assert leaks(target, id=RNG.permutation(300), town=[f"t{n // 4}{n % 2}" for n in range(300)]) == []
    assert leaks(["a", "b"] * 9, copy=["x", "y"] * 9) == []
    assert leaks(target, nearly=[*target[:-1], 1 - target[-1]]) == []


def test_text_that_was_left_in_its_file_is_unusable() -> None:
    """An unfetched column is text that differs in every row."""
    column = Column(column_of("x", ["a"]).feature, np.zeros(30, np.int32), np.zeros(30, bool), False)
    assert unusable_reason(column) == "text, different in every row"


@pytest.mark.parametrize(
    ("name", "is_useful"), [("heat_index", True), ("price index", True), ("row_index", False), ("Unnamed: 0", False)]
)
def test_the_index_of_something_is_a_measurement_and_that_of_rows_an_identifier(name: str, is_useful: bool) -> None:
    """Integers spread evenly, different in more than half of the rows: the name tells what they are."""
    values = [int(value) for value in np.random.default_rng(3).integers(60, 190, 100)]
    assert (unusable_reason(column_of(name, values)) is None) is is_useful

"""Dates that are not ISO: d/m/y and m/d/y where one order fits alone, and formats that the user names."""

import csv
import io
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_line import printed
from profiles import examples
from run_emitted import module
from treerules import (
    Kind,
    cart,
    compile_rules,
    learn,
    load,
    predict_table,
    read,
    render,
    save,
    to_javascript,
    to_python,
)
from treerules.data.moment_form import is_moment_form, plain_moment
from treerules.data.value_format import cell_form
from treerules.emit.python.runtime import plain_cell
from treerules.errors import ColumnError, OptionError
from treerules.formats import rules_from_text, rules_to_text
from treerules.readers import read_csv
from treerules.readers.csv.form_sql import plain_cell_sql
from treerules.readers.duckdb_connection import open_connection

FORMATS = st.sampled_from(
    """%d/%m/%Y|%m/%d/%Y|%d.%m.%Y|%m-%d-%Y|%d %b %Y|%b %d, %Y|%Y.%m.%d|%d/%m/%Y %H:%M|%m/%d/%Y %H:%M:%S|
    %d %b %Y %H:%M:%S.%f|%H:%M %d.%m.%Y|%Y年%m月%d日|
    %Y年%m月%d日 %H:%M|%Y年%m月%d日%H时%M分%S秒|%Y年%m月""".replace("\n    ", "").split("|")
)
MOMENTS = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31))


def file_of(folder: Path, cells: list[str]) -> Path:
    """Return a CSV file of a column `day` of these cells, and a class."""
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("day", "y"), *((cell, "ab"[n % 2]) for n, cell in enumerate(cells))])
    return folder / "rows.csv"


def unpadded(text: str) -> str:
    """Return a date with one digit for days and months below 10, as people write it."""
    return "/".join(str(int(part)) for part in text.split("/"))


@settings(max_examples=examples(100), deadline=None)
@given(FORMATS, st.lists(MOMENTS, min_size=1, max_size=10))
def test_a_format_reads_what_strftime_writes_as_strptime_does(form: str, moments: list[datetime]) -> None:
    """Python's strptime is the source: the plain text of a cell is its moment, in SQL and in emitted modules too."""
    cells = [moment.strftime(form) for moment in moments]
    wanted = [datetime.strptime(cell, form) for cell in cells]
    plain = [plain_moment(form, cell) or "" for cell in cells]
    assert [datetime.fromisoformat(text) for text in plain] == wanted
    assert [plain_cell(cell, cell_form(form)) for cell in cells] == plain
    with open_connection() as connection:
        for cell, moment in zip(cells, wanted, strict=True):
            query = f"SELECT CAST({plain_cell_sql(form).format(c='$1')} AS TIMESTAMP)"
            assert connection.execute(query, [cell]).fetchone() == (moment,)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=st.lists(st.dates(date(1000, 1, 1), date(9999, 12, 31)), min_size=1, max_size=10),
    is_american=st.booleans(),
    sign=st.sampled_from("/.-"),
    is_padded=st.booleans(),
)
def test_days_are_read_where_one_order_fits_alone(
    days: list[date], is_american: bool, sign: str, is_padded: bool, tmp_path: Path
) -> None:
    """Some day above 12 decides; else the column is text, and a note names both orders."""
    form = "%m/%d/%Y" if is_american else "%d/%m/%Y"
    texts = [day.strftime(form) if is_padded else unpadded(day.strftime(form)) for day in days]
    table = read_csv(file_of(tmp_path, [text.replace("/", sign) for text in texts]))
    if any(day.day > 12 for day in days) or all(day.day == day.month for day in days):
        assert [row["day"] for row in table.rows()] == days
        assert "read '" in table.notes[-1]
    else:
        assert table.schema.feature("day").kind is Kind.CATEGORY
        assert all(f"day=date:{order}".replace("/", sign) in table.notes[-1] for order in ("%d/%m/%Y", "%m/%d/%Y"))


@pytest.mark.parametrize("cells", [["13/1/2019", "1/13/2019"], ["13/1/2019", "13.1.2019"], ["31/2/2019"], ["1/1/19"]])
def test_columns_of_no_one_order_stay_text(cells: list[str], tmp_path: Path) -> None:
    """Mixed orders, mixed signs, days that do not exist and years of two digits are no dates."""
    assert read_csv(file_of(tmp_path, cells)).schema.feature("day").kind is Kind.CATEGORY


def test_a_declared_format_reads_the_column(tmp_path: Path) -> None:
    """Date=date:%d/%m/%Y decides a doubtful column, in the API and the command line; without a format it is refused."""
    path = file_of(tmp_path, ["1/2/2019", "3/4/2019", "5/6/2019", "7/8/2019"])
    assert read(path, types={"day": "date:%d/%m/%Y"}).row(0)["day"] == date(2019, 2, 1)
    assert read(path, types={"day": "date:%m/%d/%Y"}).row(0)["day"] == date(2019, 1, 2)
    with pytest.raises(ColumnError, match="day=date:%d/%m/%Y or day=date:%m/%d/%Y"):
        read(path, types={"day": "date"})
    printed("learn", path, "--target", "y", "--types", "day=date:%m/%d/%Y", "-o", tmp_path / "m.json")
    assert load(tmp_path / "m.json").schema.feature("day").form == "%m/%d/%Y"
    moments = file_of(tmp_path, ["1 Feb 2019 08:05", "28 FEB 2019 18:45"])
    wanted = [datetime(2019, 2, 1, 8, 5), datetime(2019, 2, 28, 18, 45)]
    assert [row["day"] for row in read(moments, types={"day": "timestamp:%d %b %Y %H:%M"}).rows()] == wanted


@pytest.mark.parametrize("cell", ["30/2/2019", "2/13/2019", "1.2.2019", "soon"])
def test_a_cell_that_is_no_such_date_is_an_error_that_shows_it(cell: str, tmp_path: Path) -> None:
    """A format is a promise about every cell; ISO dates are read beside it, since they can mean one day alone."""
    with pytest.raises(ColumnError, match=cell):
        read(file_of(tmp_path, ["1/2/2019", cell]), types={"day": "date:%d/%m/%Y"})
    assert read(file_of(tmp_path, ["2019-02-01"]), types={"day": "date:%d/%m/%Y"}).row(0)["day"] == date(2019, 2, 1)


@pytest.mark.parametrize("form", ["%d/%m", "%d/%m/%y", "%d/%d/%Y", "%m %b %d %Y", "%Y-%m-%d %H:%M", "%d/%m/%Y %H", "y"])
def test_other_formats_are_refused_as_declarations(form: str, tmp_path: Path) -> None:
    """A date needs day, month and year once each, and nothing else."""
    assert not is_moment_form("date", form)
    with pytest.raises(OptionError, match="date:%d/%m/%Y"):
        read(file_of(tmp_path, ["1/2/2019"]), types={"day": f"date:{form}"})


def test_a_model_of_dates_reads_its_file_and_prints_iso(tmp_path: Path) -> None:
    """The library, the emitted script and `predict` agree on the file; rules have ISO dates, which read back."""
    path = file_of(tmp_path, [f"{n % 28 + 1}/{n % 12 + 1}/2019" for n in range(56)])
    tree = learn(read(path), target="y", recipe=cart())
    save(tree, tmp_path / "m.json")
    wanted = render(predict_table(tree, read(path, schema=tree.schema)), format="csv").split()[1:]
    out: list[Any] = []
    module(to_python(tree, style="full")).score(io.StringIO(path.read_text(), newline=""), out.append, only=True)
    assert [row[0] for row in out[1:]] == wanted == printed("predict", tmp_path / "m.json", path).split()[1:]
    rules = compile_rules(tree)
    text = rules_to_text(rules)
    assert "2019-" in text and "/2019" not in text + to_javascript(tree)
    assert [rule.conditions for rule in rules_from_text(text).rules] == [rule.conditions for rule in rules.rules]


@pytest.mark.parametrize(
    ("cells", "values", "form"),
    [
        (["2024年01月15日", "2024年2月3日"], [date(2024, 1, 15), date(2024, 2, 3)], "%Y年%m月%d日"),
        (["2024年1月15日 7:05"], [datetime(2024, 1, 15, 7, 5)], "%Y年%m月%d日 %H:%M"),
        (["2024年1月15日07:05:09"], [datetime(2024, 1, 15, 7, 5, 9)], "%Y年%m月%d日%H:%M:%S"),
        (["2024年1月15日 7时5分"], [datetime(2024, 1, 15, 7, 5)], "%Y年%m月%d日 %H时%M分"),
        (["2024年1月", "2023年12月"], [date(2024, 1, 1), date(2023, 12, 1)], "%Y年%m月"),
    ],
)
def test_chinese_dates(cells: list[str], values: list[Any], form: str, tmp_path: Path) -> None:
    """A column of one form is read; a month is its first day, as the note says; rows are read by a model likewise."""
    table = read_csv(file_of(tmp_path, cells * 3))
    feature = table.schema.feature("day")
    assert feature.kind is (Kind.TIMESTAMP if isinstance(values[0], datetime) else Kind.DATE)
    assert (feature.form, [table.row(n)["day"] for n in range(len(cells))]) == (form, values)
    assert ("the first day of the month" in table.notes[-1]) is ("日" not in cells[0])
    plain = plain_cell(cells[0], cell_form(form))
    assert (datetime if " " in plain else date).fromisoformat(plain) == values[0]


@pytest.mark.parametrize(
    "cells", [["2024年1月15日", "2024年1月"], ["2024年13月1日"], ["2024年2月30日"], ["3月"], ["2024年"]]
)
def test_what_is_no_chinese_date_or_of_two_forms_is_text(cells: list[str], tmp_path: Path) -> None:
    """One form a column, and days that there are, as for other dates."""
    assert read_csv(file_of(tmp_path, cells * 2)).schema.feature("day").kind is Kind.CATEGORY


@pytest.mark.parametrize(
    "cells",
    [
        ["2024年1月5日 10:00", "2024年1月5日 10:00:30", "2024年12月5日 9:05"],
        ["2024年1月", "2024年2月3日", "2024年3月4日"],
        ["13/1/2024", "2/3/2024", "1/13/2024"],
    ],
)
def test_dates_in_several_forms_are_noted(cells: list[str], tmp_path: Path) -> None:
    """They stay text, since no form has nine of ten; the note stands last, and names two that differ."""
    table = read(file_of(tmp_path, cells * 10))
    assert table.schema.feature("day").kind is Kind.CATEGORY
    (note,) = table.doubts
    assert note.startswith("column 'day' is read as text: its dates are written in several forms (for example ")
    assert sum(repr(cell) in note for cell in cells) == 2
    assert not read(file_of(tmp_path, cells * 10), types={"day": "category"}).doubts

"""Numbers as people write them: money, percent, thousands, decimal commas and units, read where one reading is left."""

import csv
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_line import printed
from profiles import examples
from run_emitted import module
from selection import few
from treerules import (
    Feature,
    Kind,
    Schema,
    Tree,
    cart,
    compile_rules,
    learn,
    load,
    predict,
    predict_table,
    read,
    render,
    save,
    to_python,
)
from treerules.data.find_number_form import NumberMarks, find_number_form, looks_like_a_number
from treerules.data.number_form import NumberForm, parsed_number_form
from treerules.data.value_format import cell_form
from treerules.emit.python.runtime import plain_cell
from treerules.errors import ColumnError, OptionError
from treerules.formats import rules_from_text, rules_to_text
from treerules.readers import read_csv
from treerules.readers.csv.form_sql import plain_cell_sql
from treerules.readers.duckdb_connection import open_connection
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest

MARKS = st.sampled_from(
    [("", "."), (",", "."), ("", ","), (".", ","), (" ", ","), ("\u202f", ","), ("'", "."), ("’", "."), (" ", ".")]
)
AFFIXES = st.sampled_from(
    [("", ""), ("$", ""), ("US$ ", ""), ("¥", ""), ("CHF ", ""), ("", " €"), ("", "%"), ("", " kg"), ("", "元")]
)  # fmt: skip
CENTS = st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8)


def file_of(folder: Path, cells: list[str], **more: list[str]) -> Path:
    """Return a CSV file of a column x, and others, all cells in quotes."""
    columns = {"x": cells, **more}
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([columns, *zip(*columns.values(), strict=True)])
    return folder / "rows.csv"


def written(cents: int, form: NumberForm, digits: int = 2) -> str:
    """Return a number of hundredths in a form, by Python's own formatting of decimals."""
    text = f"{abs(Decimal(cents).scaleb(-2)):,.{digits}f}"
    text = text.translate({ord(","): form.thousands, ord("."): form.decimal})
    return f"{'-' if cents < 0 else ''}{form.prefix}{text}{form.suffix}"


@st.composite
def forms(draw: Any) -> NumberForm:
    """Draw a form of numbers."""
    (prefix, suffix), (thousands, decimal) = draw(AFFIXES), draw(MARKS)
    return NumberForm(prefix, suffix, thousands, decimal)


@settings(max_examples=examples(100), deadline=None)
@given(forms(), CENTS)
def test_numbers_written_in_a_form_are_read_as_the_same_numbers(form: NumberForm, cents: list[int]) -> None:
    """With two digits behind the mark one reading is left, and it is that of Python's Decimal."""
    cells = [written(value, form) for value in cents]
    found = find_number_form(cells)
    if found.form is None:
        assert form.thousands.strip() == "" and not found.forms  # blanks between digits that may be anything
        found = find_number_form([*cells, written(5, form)])
    assert found.form is not None
    assert [Decimal(found.form.plain(cell) or "nan") for cell in cells] == [Decimal(v).scaleb(-2) for v in cents]


@settings(max_examples=examples(50), deadline=None)
@given(forms(), CENTS)
def test_whole_numbers_are_read_as_they_are_or_left_in_doubt(form: NumberForm, cents: list[int]) -> None:
    """A form that is found without marks reads the numbers that were written, or they are one of several readings."""
    cells = [written(value * 100, form, 0) for value in cents]
    found = find_number_form(cells)
    readings = [[Decimal(one.plain(cell) or "nan") for cell in cells] for one in found.forms]
    assert not found.forms or [Decimal(value) for value in cents] in readings


@settings(max_examples=examples(50), deadline=None)
@given(forms(), CENTS)
def test_what_the_user_says_of_marks_leaves_one_reading(form: NumberForm, cents: list[int]) -> None:
    """With decimal= and thousands= no column is in doubt, whole numbers of three digits and a comma included."""
    cells = [*(written(value * 100, form, 0) for value in cents), written(500, form, 0)]
    found = find_number_form(cells, NumberMarks(form.decimal, form.thousands or None))
    assert found.form is not None
    assert [int(found.form.plain(cell) or "") for cell in cells[:-1]] == cents


@settings(max_examples=examples(50), deadline=None)
@given(forms())
def test_a_form_is_kept_as_the_text_that_it_gives_to_a_number(form: NumberForm) -> None:
    """The text of a form reads back as the form, and a feature takes it; it is no part of the feature's equality."""
    assert parsed_number_form(str(form)) == form
    if str(form) != "1234.5":
        assert Feature("x", Kind.NUMBER, form=str(form)) == Feature("x", Kind.NUMBER)


CELLS = st.text("0123456789.,'$€ -()%eEkg\u202f−", max_size=9) | st.sampled_from(
    ["1.660", "1,660", "1.66", "1660", "12e3", "-inf", "$1", "1 kg", "(5)", "($5)", "1.660,16", "", " 7 ", "007"]
)


@settings(max_examples=examples(200), deadline=None)
@given(forms(), st.lists(CELLS, min_size=1, max_size=20))
def test_sql_the_library_and_emitted_code_read_a_cell_alike(form: NumberForm, cells: list[str]) -> None:
    """DuckDB's SQL, Python and the function of emitted modules make the same plain text, or none, of any cell."""
    text = str(form)
    expected = [form.plain(cell) for cell in cells]
    assert [plain_cell(cell, cell_form(text)) or None for cell in cells] == [one or None for one in expected]
    with open_connection() as connection:
        connection.execute("CREATE TABLE cells (place INTEGER, cell VARCHAR)")
        connection.executemany("INSERT INTO cells VALUES (?, ?)", list(enumerate(cells)))
        query = f"SELECT {plain_cell_sql(text).format(c='cell')} FROM cells ORDER BY place"
        assert [plain for (plain,) in connection.execute(query).fetchall()] == [one or "-" for one in expected]


@pytest.mark.parametrize(
    ("cells", "values", "form"),
    [
        (["$1,660.16", "$5"], [1660.16, 5.0], "$1,234.5"),
        (["$1,660", "$2,750"], [1660, 2750], "$1,234.5"),
        (["¥1,660", "¥980"], [1660, 980], "¥1,234.5"),
        (["-$5", "($7.50)"], [-5.0, -7.5], "$1234.5"),
        (["1 660,16 €", "12,50 €"], [1660.16, 12.5], "1 234,5 €"),
        (["1.660,16", "0,50"], [1660.16, 0.5], "1.234,5"),
        (["1660,16", "1,5"], [1660.16, 1.5], "1234,5"),
        (["0,660", "1,234"], [0.66, 1.234], "1234,5"),
        (["1'660.16", "3.50"], [1660.16, 3.5], "1'234.5"),
        (["12,34,567", "5,000"], [1234567, 5000], "12,34,567.5"),
        (["1,234,567", "5,000"], [1234567, 5000], "1,234.5"),
        (["1,660", "950", "2,500"], [1660, 950, 2500], "1,234.5"),
        (["12.3%", "5%"], [12.3, 5.0], "1234.5%"),
        (["12 kg", "3.5kg"], [12.0, 3.5], "1234.5 kg"),
        (["36 months", "60 months"], [36, 60], "1234.5 months"),
        (["8GB", "16GB"], [8, 16], "1234.5GB"),
        (["36个月", "60个月"], [36, 60], "1234.5个月"),
        (["12元", "1,660.50元"], [12.0, 1660.5], "1,234.5元"),
        (["1,5e5", "2,25"], [150000.0, 2.25], "1234,5"),
        (["(5)", "7"], [-5, 7], "1234.5"),
        (["−5.5", "7.25"], [-5.5, 7.25], "1234.5"),
    ],
)
def test_columns_of_one_form_are_numbers(cells: list[str], values: list[Any], form: str, tmp_path: Path) -> None:
    """The whole column agrees and one reading is left: numbers, or integers; a note shows a cell and its number."""
    table = read_csv(file_of(tmp_path, cells))
    feature = table.schema.feature("x")
    assert feature.kind == (Kind.INTEGER if all(isinstance(value, int) for value in values) else Kind.NUMBER)
    assert [table.row(index)["x"] for index in range(len(cells))] == values
    assert feature.form == form
    assert "column 'x': read " in table.notes[-1]


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (["1,660", "2,751"], "'1,660' can be 1.66 or 1660"),
        (["1.660 €", "2.751 €"], "can be 1.66 or 1660"),
        (["12.345 kg"], "can be 12.345 or 12345"),
        (["$5", "12%"], "not all in one form (for example '$5', '12%')"),
        (["1.5", "1,5"], "not all in one form"),
        (["1,660.5", "1.660,5"], "not all in one form"),
        ([*(f"${n}" for n in range(1, 20)), "unknown"], "1 of 20 cells cannot be read as numbers in the form $1234.5"),
        (["3月", "5月"], ""),
        (["5th", "6th"], ""),
        (["12A", "14A"], ""),
        (["Q1", "Q2"], ""),
        (["$007", "$008"], ""),
        (["192.168.1.1"], ""),
        (["555 123", "555 124"], "may be another thing"),
        (["1_660", "2_000"], ""),
        (["１２", "１３"], ""),
    ],
)
def test_columns_in_doubt_stay_text_and_a_note_names_the_ways(cells: list[str], note: str, tmp_path: Path) -> None:
    """Nothing is guessed: text stays text, and what looks like numbers is told with the declarations that read it."""
    table = read_csv(file_of(tmp_path, cells, y=["a"] * len(cells)))
    assert table.schema.feature("x").kind is Kind.CATEGORY
    assert (note in table.notes[-1] and "--types" in table.notes[-1]) if note else len(table.notes) == 1


def test_a_declaration_says_how_a_doubtful_column_is_read(tmp_path: Path) -> None:
    """x=number:1,234.5 and x=number:1234,5 read 1,660 as 1660 and 1.66; x=number alone is refused with both."""
    path = file_of(tmp_path, ["1,660", "2,751"])
    assert read_csv(path, types={"x": "number:1,234.5"}).row(0) == {"x": 1660.0}
    assert read_csv(path, types={"x": "integer:1,234.5"}).row(0) == {"x": 1660}
    assert read_csv(path, types={"x": "number:1234,5"}).row(0) == {"x": 1.66}
    with pytest.raises(ColumnError, match=r"1.66 or 1660.*x=number:1234,5 or x=number:1,234.5"):
        read_csv(path, types={"x": "number"})
    with pytest.raises(OptionError, match="number:1"):
        read_csv(path, types={"x": "number:about"})


def test_a_declared_column_may_lack_its_sign_in_some_cells(tmp_path: Path) -> None:
    """x=number reads $5 beside 7, and refuses a cell that is no number by name."""
    assert read_csv(file_of(tmp_path, ["$5.5", "7"]), types={"x": "number"}).rows()
    assert list(read_csv(file_of(tmp_path, ["$5.5", "7"]), types={"x": "number"}).rows()) == [{"x": 5.5}, {"x": 7.0}]
    with pytest.raises(ColumnError, match="'about 7'"):
        read_csv(file_of(tmp_path, ["$5.5", "$6", "about 7"]), types={"x": "number"})


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cents=st.lists(st.integers(-(10**8), 10**8), min_size=1, max_size=8), digits=st.sampled_from([0, 1, 2, 3]))
def test_marks_read_a_german_file_as_pandas_does(cents: list[int], digits: int, tmp_path: Path) -> None:
    """read(decimal=",", thousands=".") has the values of pandas.read_csv with the same arguments, for every column."""
    import pandas

    cells = [written(value, NumberForm(thousands=".", decimal=","), digits) for value in cents]
    path = tmp_path / "german.csv"
    path.write_text("x;n\n" + "".join(f"{cell};{n}\n" for n, cell in enumerate(cells)))
    wanted = pandas.read_csv(path, sep=";", decimal=",", thousands=".")
    table = read(path, decimal=",", thousands=".")
    assert [float(value) for value in table.column("x").data] == wanted["x"].astype(float).tolist()
    assert table.column("n").feature.kind is Kind.INTEGER


def test_a_point_is_no_decimal_mark_where_the_user_says_that_a_comma_is(tmp_path: Path) -> None:
    """With decimal="," 1.660 is 1660, because nothing else is left for the point; pandas keeps 1.66 as text too."""
    path = file_of(tmp_path, ["1.660", "2.751"], y=["1.66", "2.7"])
    assert read_csv(path).row(0) == {"x": 1.66, "y": 1.66}
    assert read_csv(path, decimal=",").row(0) == {"x": 1660, "y": "1.66"}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"decimal": ";"}, "decimal"),
        ({"thousands": "x"}, "thousands"),
        ({"decimal": ",", "thousands": ","}, "thousands"),
        ({"decimal": 1}, "decimal"),
    ],
)
def test_impossible_marks_are_refused_by_name(arguments: dict[str, Any], named: str, tmp_path: Path) -> None:
    """The error names the argument."""
    with pytest.raises(OptionError, match=named):
        read(file_of(tmp_path, ["1"]), **arguments)


def test_a_declared_column_has_negative_numbers_in_brackets(tmp_path: Path) -> None:
    """(5) is -5 where the user says that a column holds numbers, as where this is found."""
    path = file_of(tmp_path, ["(5)", "7", "1e3"])
    assert [row["x"] for row in read_csv(path, types={"x": "number"}).rows()] == [-5, 7, 1000]


def test_marks_apply_to_csv_alone(tmp_path: Path) -> None:
    """A JSON file holds numbers as such, so decimal= is refused for it."""
    (tmp_path / "a.jsonl").write_text('{"x": 1}\n')
    with pytest.raises(OptionError, match="does not apply to JSON"):
        read(tmp_path / "a.jsonl", decimal=",")


def test_chinese_and_german_files_are_read(tmp_path: Path) -> None:
    """GBK with ¥ and percent; semicolons with decimal commas: the format is detected as ever."""
    path = tmp_path / "gbk.csv"
    path.write_bytes('价格,增长,月份\n"￥1,660",12%,3月\n"￥980",5.5%,5月\n'.encode("gbk"))
    assert read(path).row(0) == {"价格": 1660, "增长": 12.0, "月份": "3月"}
    path.write_text("Preis;Menge\n1660,16;3\n12,5;4\n")
    assert read(path).row(0) == {"Preis": 1660.16, "Menge": 3}


@pytest.mark.parametrize("last", few(["free", "$1.5", "$2", "1,5"], 1))
def test_the_form_is_that_of_all_rows(last: str, tmp_path: Path) -> None:
    """A cell behind the rows of the first guess counts like any other, as in the same file in another order."""
    cells = [f"${n},250" for n in range(1, 900)] * 30
    long, sorted_rows = read_csv(file_of(tmp_path, [*cells, last])), read_csv(file_of(tmp_path, [last, *cells]))
    assert long.schema == sorted_rows.schema
    assert long.column("x").value(len(cells)) == sorted_rows.column("x").value(0)


def priced_rows(tmp_path: Path) -> Path:
    """Return a file in which a class hangs on money and a percentage."""
    money = [f"${n * 37 % 2000:,}.50" for n in range(40)]
    shares = [f"{n * 7 % 50},5 %" for n in range(40)]
    dear = ["dear" if n * 37 % 2000 > 900 else "few" if n * 7 % 50 < 20 else "many" for n in range(40)]
    return file_of(tmp_path, money, share=shares, y=dear)


def test_a_model_reads_the_file_it_was_learned_from(tmp_path: Path) -> None:
    """The library, the loaded model, `predict` and the emitted script give the same predictions for the same file."""
    path = priced_rows(tmp_path)
    tree = learn(read(path), target="y", recipe=cart())
    save(tree, tmp_path / "m.tree.json")
    assert [feature.form for feature in load(tmp_path / "m.tree.json").schema.features] == ["$1,234.5", "1234,5 %"]
    wanted = render(predict_table(tree, read(path, schema=tree.schema)), format="csv").split()[1:]
    assert wanted == [row["y"] for row in read(path).rows()]
    out = io.StringIO()
    emitted = module(to_python(tree, style="full"))
    emitted.score(io.StringIO(path.read_text(encoding="utf-8"), newline=""), csv.writer(out).writerow, only=True)
    assert [line.split(",")[0] for line in out.getvalue().splitlines()[1:]] == wanted
    assert printed("predict", tmp_path / "m.tree.json", path).split() == ["prediction", *wanted]


@pytest.mark.parametrize("cell", ["1,66", "5 €", "about", "$1.660,16.5"])
def test_a_cell_in_no_known_form_is_an_error_everywhere(cell: str, tmp_path: Path) -> None:
    """Of the library and of the emitted script: it names the column and the cell."""
    feature = Feature("x", Kind.NUMBER, form="$1,234.5")
    ends = [Leaf(MeanPrediction(float(n)), (1,)) for n in range(2)]
    tree = Tree(Schema([feature], Feature("y", Kind.NUMBER)), Split(ThresholdTest(0, 5.0), ends, missing=0))
    path = file_of(tmp_path, [cell])
    with pytest.raises(ColumnError, match="'x'"):
        read_csv(path, schema=tree.schema)
    with pytest.raises(ValueError, match="line 2, column 'x'"):
        module(to_python(tree, style="full")).score(io.StringIO(path.read_text(), newline=""), lambda row: None)
    assert predict(tree, {"x": 7.0}) == 1.0


def test_an_integer_target_in_a_form_is_predicted_and_compared_by_value(tmp_path: Path) -> None:
    """Classes that are written 1,000 and 2,500 are the integers 1000 and 2500, also where a model reads them again."""
    path = file_of(tmp_path, ["1", "2", "3", "4"], y=["$1,000", "$1,000", "$2,500", "$2,500"])
    tree = learn(read(path), target="y", task="classification", recipe=cart())
    assert tree.schema.classes == (1000, 2500)
    save(tree, tmp_path / "m.tree.json")
    assert ["accuracy", "1"] in [
        line.split() for line in printed("evaluate", tmp_path / "m.tree.json", path).splitlines()
    ]


def test_a_target_in_a_form_is_read_again_as_the_same_numbers(tmp_path: Path) -> None:
    """The model keeps the form of a number that it predicts, so `evaluate` and `relearn` read the file it came from."""
    prices = [f"${n * 37 % 2000:,}.50" for n in range(40)]
    path = file_of(tmp_path, [str(n * 37 % 2000 // 500) for n in range(40)], y=prices)
    tree = learn(read(path), target="y", recipe=cart())
    assert tree.schema.target == Feature("y", Kind.NUMBER)
    save(tree, tmp_path / "m.tree.json")
    assert "R2" in printed("evaluate", tmp_path / "m.tree.json", path)
    assert printed("relearn", tmp_path / "m.tree.json", path) == (tmp_path / "m.tree.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("column", ["x", "n", "day"])
def test_categories_of_a_form_are_those_of_the_model_in_its_file(column: str, tmp_path: Path) -> None:
    """A number or date that was declared a category is found again by value: $5.50 is 5.5, in the script too."""
    cells = {"x": ["$5.50", "$6.00", "$7.25", "$8.00"], "n": ["1,000", "950", "2,000", "3,500"]}
    days = ["13/1/2019", "14/1/2019", "15/1/2019", "16/1/2019"]
    path = file_of(tmp_path, cells["x"] * 5, n=cells["n"] * 5, day=days * 5, y=["a", "b", "b", "a"] * 5)
    tree = learn(read(path), target="y", features=[column], types={column: "category"})
    wanted = ["a", "b", "b", "a"] * 5
    table = read(path, schema=tree.schema)
    assert render(predict_table(tree, table), format="csv").split()[1:] == wanted
    out: list[Any] = []
    module(to_python(tree, style="full")).score(io.StringIO(path.read_text(), newline=""), out.append, only=True)
    assert [row[0] for row in out[1:]] == wanted


def test_a_model_of_plain_numbers_reads_a_german_file_when_told(tmp_path: Path) -> None:
    """predict --decimal , reads new rows with decimal commas for a model that was learned from points."""
    tree = learn(read(file_of(tmp_path, ["1.5", "2.5", "3.5", "4.5"], y=["a", "a", "b", "b"])), target="y")
    save(tree, tmp_path / "m.json")
    path = file_of(tmp_path, ["1,5", "1.003,5"])
    assert printed("predict", tmp_path / "m.json", path, "--decimal", ",").split() == ["prediction", "a", "b"]
    table = read(path, schema=tree.schema)
    assert [row["x"] for row in table.rows()] == [1.5, 1003.5]
    assert table.notes[-1].endswith("read '1.003,5' as 1003.5, in the form 1.234,5; that of the model is 1234.5")


def test_the_options_of_the_command_line_read_a_file(tmp_path: Path) -> None:
    """--decimal, --thousands and --types NAME=number:FORM reach the reader."""
    path = file_of(tmp_path, ["1.660", "2.751", "3.000"] * 4, y=["1", "0", "0"] * 4)
    printed("learn", path, "--target", "y", "--decimal", ",", "--thousands", ".", "-o", tmp_path / "a.json")
    assert load(tmp_path / "a.json").schema.feature("x") == Feature("x", Kind.INTEGER)
    printed("learn", path, "--target", "y", "--types", "x=number:1.234,5", "-o", tmp_path / "b.json")
    assert load(tmp_path / "b.json").schema.feature("x") == Feature("x", Kind.NUMBER)


def test_rules_print_plain_numbers_that_read_back(tmp_path: Path) -> None:
    """Text of rules has numbers without form, so it is read back as the same rules by the model's schema."""
    rules = compile_rules(learn(read(priced_rows(tmp_path)), target="y", recipe=cart()))
    text = rules_to_text(rules)
    assert "$" not in text and "%" not in text
    assert [rule.conditions for rule in rules_from_text(text).rules] == [rule.conditions for rule in rules.rules]


@pytest.mark.parametrize("cell", ["007", "", "$", "%", "-", "1.2.3", "1,2,3", "12:30", "5-7", "1/2", "3月", "A1"])
def test_other_text_does_not_look_like_a_number(cell: str) -> None:
    """Codes, times, ranges, versions and months are left alone."""
    assert not looks_like_a_number(cell)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("amount;rate;y\n1.500;0,5;a\n2.250;0,75;b\n", None),
        ("amount;y\n1.500;a\n2.251;b\n", None),
        ("amount\trate\n1.500\t0,5\n2.251\t0,25\n", None),
        ("amount;rate;y\n1.500;5.5;a\n2.250;7;b\n", 1.5),
        ("amount;y\n1.500;a\n0.250;b\n", 1.5),
        ("amount;y\n1.500;a\n2.25;b\n", 1.5),
        ("amount;y\n1.500;a\n950;b\n", 1500),
        ("amount,y\n1.500,a\n2.251,b\n", 1.5),
    ],
)
def test_three_digits_behind_a_point_beside_commas_or_semicolons(
    text: str, value: float | None, tmp_path: Path
) -> None:
    """1.500 is 1500 where people write decimal commas; other cells may decide, else both readings are told."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    table = read(path)
    if value is not None:
        assert table.row(0)["amount"] == value
        return
    assert table.row(0)["amount"] == "1.500"
    said = "'1.500' can be 1.5 or 1500: say which by types=, --types: amount=number"
    assert said in table.notes[-1]
    with pytest.raises(ColumnError, match=r"1.5 or 1500.*amount=number:1234.5 or amount=number:1.234,5"):
        read(path, types={"amount": "number"})
    assert read(path, types={"amount": "number:1234.5"}).row(0)["amount"] == 1.5
    assert read(path, types={"amount": "number:1.234,5"}).row(0)["amount"] == 1500
    assert read(path, decimal=".").row(0)["amount"] == 1.5


def test_a_point_that_a_later_row_decides(tmp_path: Path) -> None:
    """The first 20,000 rows leave it open."""
    path = tmp_path / "table.csv"
    path.write_text("amount;y\n" + "1.500;a\n" * 25_000 + "1.5;b\n")
    assert read(path).row(0)["amount"] == 1.5
    path.write_text("amount;y\n" + "1.500;a\n" * 25_000)
    assert read(path).row(0)["amount"] == "1.500"

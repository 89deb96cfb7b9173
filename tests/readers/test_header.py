"""Whether the first line of a CSV file is its header: the rule, the names c1, c2, ..., and how to overrule it."""

from pathlib import Path

import pytest

from treerules import Table, cart, learn, load, predict, read, save
from treerules.errors import OptionError, UnknownNameError
from treerules.readers import read_csv
from whole_tables import FILES


def written(folder: Path, text: str, name: str = "data.csv") -> Path:
    """Return a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def names_of(table: Table) -> tuple[str, ...]:
    """Return the names of the columns of a table."""
    return tuple(table.schema.indices)


ADULT = "39, State-gov, 77516, <=50K\n50, Private, 83311, >50K\n38, Private, 215646, <=50K\n53, State-gov, 2, >50K\n"
IRIS = "5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,virginica\n6.4,3.2,virginica\n"
NURSERY = "usual,proper,1,yes\nusual,less,2,no\ngreat,proper,more,no\ngreat,less,1,yes\nusual,proper,2,yes\n"
CARS = "vhigh,low,unacc\nvhigh,high,unacc\nlow,low,acc\nlow,high,unacc\nvhigh,low,acc\n"


@pytest.mark.parametrize(
    "text",
    [
        ADULT,
        IRIS,
        "14.23,1.71,127,1\n13.2,1.78,100,1\n12.4,2.1,101,2\n",
        NURSERY,
        CARS,
        "3\n8\n5\n",
        "2.5,,x\n3.5,1,y\n1.0,2,x\n",
        "2019,2021,yes\n2020,2019,no\n2021,2022,yes\n",
        "2019,north\n2020,south\n2021,north\n",
        "2024-01-05,7\n2024-01-06,9\n",
        "$5.10,12%\n$7.20,9%\n",
        "0,1,yes\n4,7,no\n2,9,yes\n",
        "0,0,3\n4,7,1\n2,9,2\n",
        "1,0,3,Braund,male,22\n2,1,1,Cumings,female,38\n3,1,3,Heikkinen,female,26\n4,1,1,Futrelle,male,35\n",
        "7,?,a\n8,2,b\n9,3,a\n",
    ],
)
def test_a_first_line_that_is_clearly_data_is_no_header(tmp_path: Path, text: str) -> None:
    """No row is lost, the columns are c1, c2, ..., and a note says so and how to overrule it."""
    table = read(written(tmp_path, text))
    assert table.n_rows == text.count("\n")
    assert names_of(table) == tuple(f"c{n}" for n in range(1, len(table.columns) + 1))
    assert any("no header" in note and "--header" in note for note in table.notes)


@pytest.mark.parametrize(
    "text",
    [
        "age,job\n31,cook\n54,cook\n",
        "region,2019,2020,2021\nnorth,5,7,9.5\nsouth,1,2,3\n",
        "2019,2020,2021\n1.5,2.5,3.5\n4,5,6\n",
        "2000,2005,2013\n1.5,2.5,3.5\n4,5,6\n",
        ",0,1,2\n0,5,7,9\n1,5,8,2\n",
        "0,1,2,3\n5.5,6,7,1\n1,2,5,1\n",
        ",0\n0,5.5\n1,3.5\n",
        "month,1990,2000,2010\nMay,5,6,7\nJune,1,2,3\n",
        "class,shape,bruises,odor\nedible,convex,bruises,none\npoisonous,flat,no,foul\nedible,flat,bruises,none\n",
        "parents,form,class\nusual,complete,no\nusual,foster,yes\ngreat,complete,no\ngreat,foster,yes\n",
        "color\nred\nblue\nred\n",
        "name,city\nann,rome\nbob,bern\ncy,oslo\n",
        "a,,b\n1,2,3\n4,5,6\n",
        "state,1/22/20,1/23/20\nHubei,4,7\nBern,0,1\n",
        "text,label\nname,x\nfree words,y\n",
        "a,b,class\nx,1,p\na,b,class\ny,2,q\n",
        "x,y\n,\n,\n",
        "sensor,900.5,901.0,901.5\na,0.1,0.2,0.3\nb,0.1,0.5,0.3\n",
        "a,b\n1,2\n",
    ],
)
def test_a_first_line_that_is_not_clearly_data_is_the_header(tmp_path: Path, text: str) -> None:
    """Names stand above what is unlike them; years and even sequences above numbers may be names."""
    table = read(written(tmp_path, text))
    assert names_of(table) == tuple(text.split("\n", 1)[0].split(","))
    assert table.n_rows == text.count("\n") - 1


@pytest.mark.parametrize(
    ("text", "cell"),
    [("region,2019,2020\nnorth,5,7\nsouth,1,2\n", "2019"), ("1,2,3\n4,5,6\n", "1"), ("39,job\n5,x\n6,x\n6,x\n", "39")],
)
def test_a_near_thing_is_told(tmp_path: Path, text: str, cell: str) -> None:
    """A header that could be data is told, with the option that overrules it."""
    notes = read(written(tmp_path, text)).notes
    assert [note for note in notes if f"though {cell!r} looks like data" in note and "--no-header" in note]
    assert not [note for note in read(written(tmp_path, text), header=True).notes if "looks like" in note]


def test_header_overrules_the_rule(tmp_path: Path) -> None:
    """header=True and header=False decide; columns= is for a file without a header."""
    path = written(tmp_path, IRIS)
    assert names_of(read(path, header=True)) == ("5.1", "3.5", "setosa")
    named = written(tmp_path, "a,b\n1,2\n3,4\n", "named.csv")
    for reader in (read, read_csv):
        assert names_of(reader(named, header=False)) == ("c1", "c2")
        assert reader(named, header=False).n_rows == 3
        assert reader(path, columns=["a", "b", "c"]).n_rows == 4
        assert reader(path, columns=["a", "b", "c"], header=False).n_rows == 4
        with pytest.raises(OptionError, match="header=True"):
            reader(path, columns=["a", "b", "c"], header=True)
        with pytest.raises(OptionError, match="header"):
            reader(path, header="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="does not apply to JSON"):
        read(written(tmp_path, '{"a": 1}\n', "a.jsonl"), header=False)


def test_a_file_of_one_line(tmp_path: Path) -> None:
    """One line is a header without rows, unless header=False says that it is a row."""
    path = written(tmp_path, "5.1,3.5,setosa\n")
    with pytest.raises(Exception, match=r"has a header and no rows.*--no-header"):
        read(path)
    assert read(path, header=False).n_rows == 1


def test_a_model_of_a_file_without_a_header_reads_such_files(tmp_path: Path) -> None:
    """Columns c1, c2, ... of a model are columns of a file without a header, even of one line; a header is seen."""
    tree = learn(read(written(tmp_path, IRIS)), target="c3", recipe=cart())
    save(tree, tmp_path / "m.tree.json")
    schema = load(tmp_path / "m.tree.json").schema
    row = read(written(tmp_path, "5,3,setosa\n"), schema=schema)
    assert predict(tree, row).tolist() == ["setosa"]
    named = read(written(tmp_path, "c2,c1\n3,5\n"), schema=schema)
    assert named.n_rows == 1 and predict(tree, named).tolist() == ["setosa"]


def test_an_unknown_target_of_a_file_without_a_header_is_explained(tmp_path: Path) -> None:
    """The error for a target that a file without a header cannot have says so, and names the last column."""
    table = read(written(tmp_path, ADULT))
    with pytest.raises(UnknownNameError, match=r"no header.*'c1'.*'c4'"):
        learn(table, target="class", recipe=cart())


@pytest.mark.skipif(not FILES, reason="TREERULES_DATA does not name the folder of real data")
@pytest.mark.large
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_which_tables_have_no_header(path: Path) -> None:
    """Of the tables of the folder that TREERULES_DATA names exactly these have no header."""
    has_none = path.stem in ("adult_train", "adult_test", "iris", "wine_quality_red")
    assert (names_of(read(path))[0] == "c1") is has_none


def test_a_long_header_is_read_whole(tmp_path: Path) -> None:
    """A header line that is longer than the start from which the format is detected keeps all its names."""
    names = [f"{n}_{'name' * 500}" for n in range(100)]
    text = ",".join(names) + "\n" + (",".join(["1"] * 100) + "\n") * 3
    assert names_of(read(written(tmp_path, text))) == tuple(names)

"""The tables that defaults.py learns from: those of scikit-learn, of TREERULES_DATA, and of R packages."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pandas as pd
from attrs import frozen
from sklearn import datasets


@frozen(eq=False)
class Rows:
    """A table, one column of which is the target."""

    name: str
    #: numbers, or text; missing cells are NaN
    frame: Any
    target_name: str
    is_class: bool

    @property
    def target(self) -> Any:
        """The target: text, or numbers."""
        return self.frame[self.target_name].to_numpy(dtype=object if self.is_class else float)


def rows_of(name: str, frame: Any, target: str, is_class: bool, most: int = 10**9) -> Rows:
    """Return a table without the rows that have no target; of too many rows, a sample."""
    frame = frame[frame[target].notna()]
    if len(frame) > most:
        frame = frame.sample(most, random_state=7)
    frame = frame.reset_index(drop=True)
    frame[target] = frame.pop(target)
    text = [column for column in frame if not pd.api.types.is_numeric_dtype(frame[column]) or column == target]
    for column in text:
        if column != target or is_class:
            frame[column] = frame[column].map(_text).astype(object)
    return Rows(name, frame, target, is_class)


def _text(cell: Any) -> Any:
    return cell if pd.isna(cell) else f"c{cell}" if isinstance(cell, (int, float)) else str(cell).strip()


def rows_of_sklearn() -> Iterator[Rows]:
    """Yield the tables that come with scikit-learn."""
    for name in ("iris", "wine", "breast_cancer", "digits"):
        yield rows_of(name.replace("_", " "), getattr(datasets, f"load_{name}")(as_frame=True).frame, "target", True)
    yield rows_of("diabetes", datasets.load_diabetes(as_frame=True).frame, "target", False)


#: File, target (a number: the position in a file without a header), whether it is a class, columns left out: those that
#: hold the answer.
FILES: tuple[tuple[str, str | int, bool, tuple[str, ...]], ...] = (
    ("adult_train.csv", 14, True, ()),
    ("california_housing.csv", "median_house_value", False, ()),
    ("covertype_a.csv", 54, True, ()),
    ("diamonds.csv", "price", False, ()),
    ("mushroom.csv", "class", True, ()),
    ("nursery.csv", "class", True, ()),
    ("penguins.csv", "species", True, ()),
    ("taxis.csv", "fare", False, ("total", "tip", "pickup", "dropoff")),
    ("titanic.csv", "Survived", True, ()),
    ("wine_quality_red.csv", 11, True, ()),
)


def rows_of_data(most: int) -> Iterator[Rows]:
    """Yield the tables of the folder that TREERULES_DATA names; nothing without it."""
    for file, target, is_class, left_out in FILES:
        path = Path(os.environ.get("TREERULES_DATA", ""), file)
        if path.is_file():
            header: Any = None if isinstance(target, int) else "infer"
            frame = pd.read_csv(path, header=header, skipinitialspace=True, na_values=["?"], quotechar=_quote(path))
            frame = frame.drop(columns=list(left_out)).rename(columns=lambda name: str(name).strip())
            yield rows_of(path.stem.replace("_", " "), frame, str(target), is_class, most)


def _quote(path: Path) -> str:
    """Return the character that quotes the cells of a file."""
    with path.open(encoding="utf-8") as file:
        return "'" if file.readline().startswith("'") else '"'


#: Package, table, target, whether it is a class, columns left out: those that hold the answer.
R_TABLES: tuple[tuple[str, str, str, bool, str], ...] = (
    ("AER", "CPS1985", "wage", False, ""),
    ("AER", "HMDA", "deny", True, ""),
    ("AER", "HousePrices", "price", False, ""),
    ("MASS", "Boston", "medv", False, ""),
    ("MASS", "biopsy", "class", True, ""),
    ("MASS", "birthwt", "low", True, "bwt"),
    ("MASS", "crabs", "sp", True, ""),
    ("MASS", "fgl", "type", True, ""),
    ("MASS", "nlschools", "lang", False, ""),
    ("MASS", "synth.te", "yc", True, ""),
    ("carData", "Chile", "vote", True, ""),
    ("carData", "Salaries", "salary", False, ""),
    ("kernlab", "spam", "type", True, ""),
    ("mlbench", "HouseVotes84", "Class", True, ""),
    ("mlbench", "Ionosphere", "Class", True, ""),
    ("mlbench", "PimaIndiansDiabetes2", "diabetes", True, ""),
    ("mlbench", "Satellite", "classes", True, ""),
    ("mlbench", "Servo", "Class", False, ""),
    ("mlbench", "Vehicle", "Class", True, ""),
    ("modeldata", "concrete", "compressive_strength", False, ""),
    ("modeldata", "credit_data", "Status", True, ""),
    ("modeldata", "mlc_churn", "churn", True, ""),
    ("nlme", "MathAchieve", "MathAch", False, ""),
    ("nlme", "bdf", "langPOST", False, ""),
    ("rpart", "car90", "Price", False, ""),
    ("rpart", "solder.balance", "skips", False, ""),
    ("survival", "colon", "status", True, "time"),
    ("survival", "flchain", "death", True, "futime chapter"),
    ("survival", "pbc", "status", True, "time"),
)

#: Writes each table that is installed as a CSV file.
EXPORT = """
args <- commandArgs(trailingOnly = TRUE)
wanted <- read.table(args[1], sep = ",", stringsAsFactors = FALSE)
for (i in seq_len(nrow(wanted))) {
  package <- wanted[i, 1]; name <- wanted[i, 2]
  if (!requireNamespace(package, quietly = TRUE)) next
  items <- data(package = package)$results[, "Item"]
  item <- items[sub(" .*", "", items) == name]
  if (!length(item)) next
  found <- new.env()
  data(list = sub(".*\\\\((.*)\\\\)", "\\\\1", item[1]), package = package, envir = found)
  write.csv(as.data.frame(found[[name]]), file.path(args[2], paste0(name, ".csv")), row.names = FALSE, na = "")
}
"""


def r_tables(most: int) -> Iterator[Rows]:
    """Yield the tables of the R packages that are installed; nothing without R."""
    if not which("Rscript"):
        return
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder, "names")
        names.write_text("\n".join(",".join(row[:2]) for row in R_TABLES))
        subprocess.run(["Rscript", "--vanilla", "-e", EXPORT, str(names), folder], capture_output=True, check=True)
        for _, name, target, is_class, left_out in R_TABLES:
            path = Path(folder, f"{name}.csv")
            if path.is_file():
                frame = pd.read_csv(path, na_values=[""], keep_default_na=False).drop(columns=left_out.split())
                yield rows_of(name, frame, target, is_class, most)

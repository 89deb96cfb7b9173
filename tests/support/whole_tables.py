"""Whole tables, as `build` is given them: those that scikit-learn carries, and the files of TREERULES_DATA."""

import os
from collections.abc import Mapping
from pathlib import Path

from sklearn import datasets

#: Tables that scikit-learn carries: four of classes, and diabetes, whose target is a number.
CARRIED = ("iris", "wine", "breast_cancer", "digits", "diabetes")

#: The files of the folder that TREERULES_DATA names; none without it.
FILES = tuple(sorted(Path(os.environ["TREERULES_DATA"]).glob("*.csv"))) if "TREERULES_DATA" in os.environ else ()

#: The target of a file by its stem; of the others it is the last column.
TARGETS: Mapping[str, str] = {
    "california_housing": "median_house_value",
    "diamonds": "price",
    "mushroom": "class",
    "penguins": "species",
    "sales_zh": "销售额",
    "taxis": "fare",
    "titanic": "Survived",
}

#: Columns that hold the answer: the total of a ride is its fare and what was added.
ANSWERS: Mapping[str, tuple[str, ...]] = {"taxis": ("total",)}


def carried_file(name: str, folder: Path) -> Path:
    """Write a table that scikit-learn carries as CSV, and return the path; the target is the last column."""
    path = folder / f"{name}.csv"
    getattr(datasets, f"load_{name}")(as_frame=True).frame.to_csv(path, index=False)
    return path

"""An oracle that runs: Weka's J48, from apt. Tests that need it are skipped without, and say so.

What Weka reads has names and categories by number (x0, v0, c0), so that nothing needs quoting; its answers are put back
into the table's own.
"""

import csv
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import field, frozen

from treerules import Feature, Kind, Table
from treerules.data.column import of_values

JAVA = which("java")
WEKA = next((jar for jar in (Path("/usr/share/java/weka.jar"),) if JAVA and jar.is_file()), None)

needs_weka = pytest.mark.skipif(WEKA is None, reason="no Weka (apt-get install weka default-jre-headless)")

#: The tables that Weka's package installs.
WEKA_DATA = Path("/usr/share/doc/weka/examples")


def arff_table(path: Path) -> Table:
    """Return the table of an ARFF file: nominal attributes are categories, all that it declares; others are numbers."""
    names, domains, rows, in_data = [], [], [], False
    for line in path.read_text("latin-1").splitlines():
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        if in_data:
            rows.append(_fields(line))
        elif found := re.match(r"@attribute\s+('[^']*'|\S+)\s+(.*)", line, re.IGNORECASE):
            names.append(found[1].strip("'"))
            domains.append(sorted(_fields(found[2].strip("{} "))) if found[2].startswith("{") else None)
        in_data = in_data or line.lower() == "@data"
    columns = []
    for name, domain, cells in zip(names, domains, zip(*rows, strict=True), strict=True):
        known = [None if cell == "?" else cell if domain else float(cell) for cell in cells]
        columns.append(of_values(Feature(name, Kind.CATEGORY if domain else Kind.NUMBER, domain or ()), known))
    return Table(columns, declared=frozenset(names))


def _fields(line: str) -> list[str]:
    (found,) = csv.reader([line], quotechar="'", skipinitialspace=True)
    return [text.strip() for text in found]


@frozen
class J48Leaf:
    """What a leaf of J48's prints: its class, the weight of its rows, and of those of another class."""

    label: Any
    n: float
    errors: float


@frozen
class J48Line:
    """A line of J48's drawing: a node's depth, from 0 below the root, the edge to it, and its leaf if it is one.

    The lines in their order are the tree. A tree of one leaf is one line without an edge.
    """

    depth: int
    feature: str | None
    #: "<=", ">", "=" or "!="
    relation: str | None
    value: Any
    leaf: J48Leaf | None


@frozen
class J48:
    """J48's tree: thresholds are printed to 6 decimals, weights to 2."""

    lines: tuple[J48Line, ...] = field(converter=tuple)
    n_leaves: int
    size: int


def j48(
    table: Table,
    target: str,
    *,
    unpruned: bool = False,
    confidence: float | None = None,
    min_leaf: int = 2,
    raising: bool = True,
    binary: bool = False,
    weights: Sequence[float] | None = None,
) -> J48:
    """Return the tree that Weka's J48 learns of all other columns; classes and categories in the schema's order."""
    options = ["-M", str(min_leaf)]
    options += ["-U"] if unpruned else ["-C", str(0.25 if confidence is None else confidence)]
    options += [flag for flag, given in (("-S", not raising and not unpruned), ("-B", binary)) if given]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.arff"
        path.write_text(_arff(table, target, weights), "utf-8")
        command = [str(JAVA), "-Xmx1g", "-Djava.awt.headless=true", "-cp", str(WEKA), "weka.classifiers.trees.J48"]
        done = subprocess.run([*command, "-t", str(path), "-no-cv", "-v", *options], capture_output=True, text=True)
    assert "Size of the tree" in done.stdout, done.stdout + done.stderr
    return _read_j48(done.stdout, table, table.column(target).feature)


def _arff(table: Table, target: str, weights: Sequence[float] | None) -> str:
    columns = sorted(table.columns, key=lambda column: column.feature.name == target)  # the class comes last
    lines = ["@relation t"]
    for number, column in enumerate(columns):
        kind = "numeric" if column.feature.is_ordered else f"{{{','.join(_words(column.feature, target))}}}"
        lines.append(f"@attribute x{number} {kind}")
    lines.append("@data")
    for row in range(table.n_rows):
        cells = [_cell(column.feature, column.value(row), target) for column in columns]
        lines.append(",".join([*cells, *([f"{{{weights[row]!r}}}"] if weights else [])]))
    return "\n".join(lines) + "\n"


def _words(feature: Feature, target: str) -> list[str]:
    return [f"{'c' if feature.name == target else 'v'}{place}" for place in range(len(feature.categories))]


def _cell(feature: Feature, value: Any, target: str) -> str:
    if value is None:
        return "?"
    return repr(value) if feature.is_ordered else _words(feature, target)[feature.categories.index(value)]


_LEAF = r": c(?P<label>\d+) \((?P<n>[\d.E]+)(?:/(?P<errors>[\d.E]+))?\)"
_LINE = re.compile(rf"(?P<bars>(?:\|   )*)x(?P<feature>\d+) (?P<relation><=|>|!?=) (?P<value>\S+?)(?:{_LEAF})?")


def _read_j48(printed: str, table: Table, goal: Feature) -> J48:
    """Return the tree of what J48 prints: a title, a rule, the drawing, and two counts."""
    features = [column.feature for column in table.columns if column.feature.name != goal.name]
    drawing, _, counts = printed.partition("------------------")[2].partition("Number of Leaves")
    lines = []
    for line in drawing.strip().splitlines():
        if lone := re.fullmatch(_LEAF, line):
            lines.append(J48Line(0, None, None, None, _leaf(lone, goal)))
            continue
        found = _LINE.fullmatch(line)
        assert found, f"J48 printed {line!r}"
        feature, value = features[int(found["feature"])], found["value"]
        asked = float(value) if feature.is_ordered else feature.categories[int(value[1:])]
        leaf = _leaf(found, goal) if found["n"] else None
        lines.append(J48Line(len(found["bars"]) // 4, feature.name, found["relation"], asked, leaf))
    n_leaves, size = (int(number) for number in re.findall(r":\s+(\d+)", counts)[:2])
    return J48(lines, n_leaves, size)


def _leaf(found: re.Match[str], goal: Feature) -> J48Leaf:
    return J48Leaf(goal.categories[int(found["label"])], float(found["n"]), float(found["errors"] or 0))

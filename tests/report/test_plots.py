"""Plots in SVG: bars, curves and regions stand where the figures say."""

import re
import xml.etree.ElementTree as ElementTree
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from paths import EXAMPLES
from treerules import Table, Tree, cart, cross_validate, feature_gains, importances, learn, predict, read, render, save
from treerules.errors import OptionError
from treerules.report.svg.axes import ticks
from treerules.report.svg.palette import MARK_COLOUR, PLAIN_COLOUR

SVG = "{http://www.w3.org/2000/svg}"
WEATHER = EXAMPLES / "weather.csv"


def drawn(result: Any, **options: Any) -> ElementTree.Element:
    """Return the parsed plot of a result."""
    text = render(result, format="svg", **options)
    assert not re.search(r"<script|<style|style=| id=|href|url\(|nan|inf\b", text)
    root = ElementTree.fromstring(text)
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text and root[1].text
    return root


def texts(root: ElementTree.Element) -> list[str]:
    """Return the texts that are shown."""
    return [found.text or "" for found in root.iter(f"{SVG}text")]


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.integers(2, 10))
def test_ticks_are_round_and_few(first: float, second: float, most: int) -> None:
    """At most one more than asked for, ascending, between the ends, and evenly spaced but for rounding."""
    low, high = sorted((first, second))
    found = ticks(low, high, most)
    assert 1 <= len(found) <= most + 1
    assert found == sorted(set(found)) and low <= found[0] and found[-1] <= high


def test_importances_are_bars() -> None:
    """The widths are in the ratio of the importances, the greatest first, each with its figure."""
    tree = learn(read(WEATHER), target="play", recipe=cart())
    found = importances(tree)
    root = drawn(found)
    widths = [float(rect.attrib["width"]) for rect in root.iter(f"{SVG}rect")]
    values = [importance.value for importance in found.ranked]
    assert widths == pytest.approx([widths[0] * value / values[0] for value in values], abs=0.06)
    assert texts(root)[1::2][: len(values)] == [importance.feature for importance in found.ranked]


def test_the_cp_table_is_a_curve_with_the_line_of_1se() -> None:
    """A point a subtree at the height of its xerror; the line is one xstd above the least; the chosen one is marked."""
    draw = [(number * 7919) % 101 / 101 for number in range(300)]
    table = Table.from_columns({"x": draw, "y": ["ab"[int(value * 10) % 3 > 0] for value in draw]})
    validation = cross_validate(table, target="y", features=["x"], seed=1)
    root = drawn(validation)
    dots = list(root.iter(f"{SVG}circle"))
    assert len(dots) == len(validation.rows) > 3
    heights = [float(dot.attrib["cy"]) for dot in dots]
    errors = [row.xerror for row in validation.rows]
    per_error = (heights[-1] - heights[0]) / (errors[0] - errors[-1])
    assert heights == pytest.approx([heights[0] + (errors[0] - error) * per_error for error in errors], abs=0.11)
    best, chosen = validation.row("min"), validation.row("1se")
    marked = [line for line in root.iter(f"{SVG}line") if line.attrib["stroke"] == MARK_COLOUR]
    limit = float(marked[0].attrib["y1"])  # the other one is in the legend
    assert limit == pytest.approx(heights[0] + (errors[0] - best.xerror - best.xstd) * per_error, abs=0.11)
    assert [dot.attrib["fill"] == MARK_COLOUR for dot in dots] == [row is chosen for row in validation.rows]
    assert f"{chosen.n_splits + 1}" in texts(root)


def test_gains_are_bars_and_curves() -> None:
    """A bar a feature, and a curve of each ordered one with the cut that the table of gains has."""
    days = [date(2024, 1, 1) + timedelta(days=number) for number in range(40)]
    columns = {"day": days, "x": [number % 7 for number in range(40)], "c": ["u", "v"] * 20}
    columns["y"] = ["a" if day < date(2024, 1, 25) else "b" for day in days]
    gains = feature_gains(Table.from_columns(columns), target="y", keep=["day"])
    root = drawn(gains)
    assert len(list(root.iter(f"{SVG}rect"))) == 3
    curves = [path for path in root.iter(f"{SVG}path") if path.attrib["stroke"] == PLAIN_COLOUR]
    assert [path.attrib["d"].count("L") + 1 for path in curves] == [39, 6]
    assert f"<= {gains.feature('day').cut.isoformat()}" in texts(root)
    assert any(text.startswith("2024-") for text in texts(root))


def regions_tree() -> Tree:
    """Return a tree over two numbers whose classes lie as in a chessboard of four fields."""
    points = [(x, y) for x in range(10) for y in range(10)]
    columns = {"x": [x for x, _ in points], "y": [y for _, y in points]}
    columns["label"] = ["ab"[(x < 5) ^ (y < 3)] for x, y in points]
    return learn(Table.from_columns(columns), target="label", keep=["x", "y"], recipe=cart())


def test_the_regions_cover_the_plane_once() -> None:
    """The rectangles of all rules have the area of the plot, no two overlap, and each has the class of its middle."""
    tree = regions_tree()
    root = drawn(tree, regions=("x", "y"))
    fills = [rect for rect in root.iter(f"{SVG}rect") if "stroke" not in rect.attrib and "rx" not in rect.attrib]
    boxes = [[float(rect.attrib[name]) for name in ("x", "y", "width", "height")] for rect in fills]
    assert len(boxes) == tree.n_leaves == 4
    assert sum(width * height for *_, width, height in boxes) == pytest.approx(560 * 380, rel=1e-3)
    for index, (x, y, width, height) in enumerate(boxes):
        for other_x, other_y, other_width, other_height in boxes[:index]:
            apart = (x - other_x - other_width, other_x - x - width, y - other_y - other_height, other_y - y - height)
            assert max(apart) >= -0.11
    colours = {rect.attrib["fill"] for rect in fills}
    assert len(colours) == 2
    corner = min(boxes, key=lambda box: (box[0], -box[1]))  # the lowest values of both
    assert predict(tree, {"x": 0, "y": 0}) == "a"
    others = [rect for rect, box in zip(fills, boxes, strict=True) if box[0] > corner[0] and box[1] < corner[1]]
    assert fills[boxes.index(corner)].attrib["fill"] == others[0].attrib["fill"]


def test_regions_are_of_two_numbers_that_are_tested_alone(tmp_path: Path) -> None:
    """A third column that the tree tests, a category, an unknown name, another format."""
    tree = regions_tree()
    weather = learn(read(WEATHER), target="play", recipe=cart())
    for model, options in (
        (weather, {"regions": ("outlook", "windy")}),
        (tree, {"regions": ("x", "z")}),
        (tree, {"regions": ("x",)}),
        (tree, {"regions": ("x", "y"), "format": "text"}),
    ):
        with pytest.raises(OptionError, match="regions"):
            render(model, **{"format": "svg", **options})
    save(tree, tmp_path / "m.tree.json")
    done = run("show", tmp_path / "m.tree.json", "--format", "svg", "--regions", "x", "y")
    assert done.stdout == render(tree, format="svg", regions=("x", "y"))
    assert run("show", tmp_path / "m.tree.json", "--regions", "x", "y").returncode == 2


@pytest.mark.parametrize("command", ["gains", "importances"])
def test_commands_have_the_format(command: str, tmp_path: Path) -> None:
    """The commands print the plots of their results."""
    save(learn(read(WEATHER), target="play", recipe=cart()), tmp_path / "m.tree.json")
    arguments = (WEATHER, "--target", "play") if command == "gains" else (tmp_path / "m.tree.json",)
    done = run(command, *arguments, "--format", "svg", "--lang", "zh")
    assert done.stdout.startswith("<svg"), done.stderr
    ElementTree.fromstring(done.stdout)

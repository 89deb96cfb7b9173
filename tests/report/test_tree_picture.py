"""Pictures of trees in SVG: every node and figure is there, a row's path is that of `predict`, texts are only text."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from command_line import run
from deep_trees import chain
from hostile_names import ATTACKS, attacked
from paths import EXAMPLES
from profiles import examples
from strategies_random import trees
from treerules import Table, Tree, cart, explain, id3, learn, predict, read, render, save
from treerules.errors import OptionError
from treerules.report.svg.palette import CLASS_COLOURS, MARK_COLOUR
from treerules.trees import Split, preorder

SVG = "{http://www.w3.org/2000/svg}"


def drawn(tree: Tree, **options: Any) -> ElementTree.Element:
    """Return the parsed picture of a tree."""
    return ElementTree.fromstring(render(tree, format="svg", **options))


def boxes(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the groups of the nodes, which have an outline."""
    groups = root.findall(f"{SVG}g")
    return [group for group in groups if any("stroke-width" in rect.attrib for rect in group.findall(f"{SVG}rect"))]


def texts(element: ElementTree.Element) -> list[str]:
    """Return the texts that are shown."""
    return [found.text or "" for found in element.iter(f"{SVG}text")]


def loan() -> Tree:
    """Return the tree of Li Hang's loan table (Statistical Learning Methods, 2nd edition, figure 5.4)."""
    return learn(read(EXAMPLES / "loan.csv"), target="类别", recipe=id3())


def test_the_tree_of_the_book_is_drawn() -> None:
    """The nodes, conditions, counts and rules of the loan table's tree, from the root to the last leaf."""
    nodes = [texts(box) for box in boxes(drawn(loan(), lang="zh"))]
    assert nodes == [
        ["有自己的房子?", "否 6, 是 9"],
        ["= 否", "有工作?", "否 6, 是 3"],
        ["= 否", "否", "否 6", "规则 1"],
        ["= 是", "是", "是 3", "规则 2"],
        ["= 是", "是", "是 6", "规则 3"],
    ]


def test_the_picture_says_what_it_shows() -> None:
    """It has a title and a description; it has no script, no style, no id and nothing to load."""
    text = render(loan(), format="svg")
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "Decision tree for 类别"
    assert root[1].text == "3 rules, depth 2. The first question: 有自己的房子?"
    assert not re.search(r"<script|<style|style=| id=|href|url\(", text)
    assert re.findall(r'"(http[^"]*)"', text) == ["http://www.w3.org/2000/svg"]


@settings(max_examples=examples(60))
@given(trees(max_splits=12))
def test_every_node_has_a_box(tree: Tree) -> None:
    """One box a node, one edge less; each leaf names its rule; a bar's widths are the shares of the classes."""
    root = drawn(tree, depth=10_000)
    nodes = list(preorder(tree.root))
    found = boxes(root)
    assert len(found) == len(nodes)
    assert len(root.findall(f"{SVG}g")[0].findall(f"{SVG}path")) == len(nodes) - 1
    rules = [text for box in found for text in texts(box)[-1:] if text.startswith("rule ")]
    assert rules == [f"rule {number}" for number in range(1, tree.n_leaves + 1)]
    if tree.schema.is_regression:
        return
    for node, box in zip(nodes, found, strict=True):
        if not isinstance(node, Split) and node.n:
            whole, *bars = [float(rect.attrib["width"]) for rect in box.findall(f"{SVG}rect")[2:]]
            shares = [count / node.n for count in node.counts if count]
            assert [width / whole for width in bars] == pytest.approx(shares, abs=0.11 / whole)


@settings(max_examples=examples(60))
@given(trees(max_splits=12))
def test_folded_parts_are_counted(tree: Tree) -> None:
    """The leaves that are drawn and those of the parts that are folded are all leaves of the tree."""
    for depth in range(4):
        shown = [texts(box)[-1] for box in boxes(drawn(tree, depth=depth))]
        n_folded = sum(int(text.split()[1].replace(",", "")) for text in shown if text.startswith("… "))
        assert n_folded + sum(text.startswith("rule ") for text in shown) == tree.n_leaves


def test_an_edge_is_as_wide_as_its_share_of_the_rows() -> None:
    """9 of 15 rows have no house: the edge is 9/6 as wide as the other."""
    root = drawn(loan())
    widths = [float(path.attrib["stroke-width"]) for path in root.iter(f"{SVG}path")]
    assert widths == [pytest.approx(14 * n / 15, abs=0.05) for n in (9, 6, 3, 6)]


@settings(max_examples=examples(40))
@given(trees(max_splits=12))
def test_the_path_of_a_row_is_marked(tree: Tree) -> None:
    """The marked boxes are the splits of `explain` and the leaf that predicts, and their edges."""
    explanation = explain(tree, {}, budget=0)
    root = drawn(tree, depth=10_000, row={})
    marked = [box for box in boxes(root) if any(rect.attrib.get("stroke") == MARK_COLOUR for rect in box.iter())]
    assert len(marked) == len(explanation.path) + 1
    assert texts(marked[-1])[-1] == f"rule {explanation.rule.number if explanation.rule else None}"
    edges = [path for path in root.iter(f"{SVG}path") if path.attrib["stroke"] == MARK_COLOUR]
    assert len(edges) == len(explanation.path)


def test_more_classes_than_colours() -> None:
    """Twelve classes: colours begin again, and every leaf says its class."""
    names = [f"c{number:02}" for number in range(12)]
    tree = learn(Table.from_columns({"x": list(range(12)), "y": names}), target="y", features=["x"], recipe=cart())
    root = drawn(tree)
    leaves = [box for box in boxes(root) if texts(box)[-1].startswith("rule ")]
    assert [texts(box)[1] for box in leaves] == names
    fills = [box.findall(f"{SVG}rect")[0].attrib["fill"] for box in leaves]
    assert fills == [CLASS_COLOURS[number % 8] for number in range(12)]
    assert set(names) <= set(texts(root.findall(f"{SVG}g")[-2]))


def test_a_regression_is_drawn_with_means_and_deviations() -> None:
    """Rows 1, 1, 5: mean 7/3 and population deviation 1.886; the leaves 1 and 5 from faint to strong."""
    table = Table.from_columns({"x": [1, 2, 3], "y": [1.0, 1.0, 5.0]})
    found = boxes(drawn(learn(table, target="y", features=["x"], recipe=cart())))
    assert [texts(box) for box in found] == [
        ["x?", "mean 2.333, sd 1.886", "n 3"],
        ["<= 2", "1", "sd 0, n 2", "rule 1"],
        ["> 2", "5", "sd 0, n 1", "rule 2"],
    ]
    weak, strong = (float(box.findall(f"{SVG}rect")[0].attrib["fill-opacity"]) for box in found[1:])
    assert weak < strong


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_texts_are_texts(attack: str) -> None:
    """Names, categories and labels of any characters appear as text; the picture stays well-formed."""
    root = drawn(attacked(attack, attack, attack))
    allowed = {"svg", "g", "title", "desc", "rect", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
    assert len(boxes(root)) == 3


def test_a_set_of_200_categories_is_cut() -> None:
    """The condition is cut to the width of a column; its title says more."""
    names = [f"town {number}" for number in range(200)]
    table = Table.from_columns({"town": names, "y": ["a" if number % 2 else "b" for number in range(200)]})
    root = drawn(learn(table, target="y", recipe=cart()))
    assert float(root.attrib["width"]) < 800
    assert all(text.endswith("…") for text in (texts(box)[0] for box in boxes(root)[1:]))


def test_a_large_tree_is_folded_and_has_an_overview() -> None:
    """Some thousand leaves of a chain: the whole strip is there, and few boxes. A depth of one's own is kept."""
    tree = chain(right=True)
    root = drawn(tree)
    assert len(boxes(root)) <= 129
    assert any(text.startswith(f"all {tree.n_leaves:,} leaves") for text in texts(root))
    assert len(render(tree, format="svg")) < 200_000
    assert len(boxes(drawn(tree, depth=300))) == 601


def test_only_svg_marks_a_row() -> None:
    """Another format refuses the option, and so does a value that is no row."""
    for options in ({"format": "text", "row": {}}, {"format": "svg", "row": 5}):
        with pytest.raises(OptionError, match="row"):
            render(loan(), **options)


def test_the_command_writes_the_picture(tmp_path: Path) -> None:
    """show --format svg --row prints what render does; the row of another format is an error."""
    tree = loan()
    save(tree, tmp_path / "m.tree.json")
    row = {"有自己的房子": "否", "有工作": "是"}
    assert predict(tree, row) == "是"
    arguments = ("show", tmp_path / "m.tree.json", "--row", json.dumps(row, ensure_ascii=False))
    done = run(*arguments, "--format", "svg", "--lang", "zh")
    assert done.stdout == render(tree, format="svg", lang="zh", row=row)
    refused = run(*arguments)
    assert refused.returncode == 2 and "--row" in refused.stderr

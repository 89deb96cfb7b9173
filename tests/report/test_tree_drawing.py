"""Drawings of trees and HTML: every node is there, hostile text is only text, real tools read them."""

import csv
import html.parser
import io
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from deep_trees import chain
from hostile_names import ATTACKS, attacked
from profiles import examples
from strategies_random import trees
from treerules import Table, Tree, TreeRulesError, c45, cart, compile_rules, feature_gains, learn, predict_table, render
from treerules.errors import DataError, OptionError, UnknownNameError
from treerules.rendering.text_tables import TextTable, display_width, table_text
from treerules.report import write_parquet
from treerules.report.drawn_nodes import drawn_nodes
from treerules.trees import Leaf, Split, leaves, preorder

MELONS = {
    "色泽": ["青绿", "乌黑", "浅白", "青绿"],
    "敲声": ["浊响", "沉闷", "浊响", "沉闷"],
    "好瓜": ["是", "否", "否", "是"],
}


@settings(max_examples=examples(60))
@given(trees(max_splits=12))
def test_every_node_is_drawn_once_under_its_parent(tree: Tree) -> None:
    """Numbers are preorder positions, rules count the leaves, parents are the nodes above."""
    nodes = list(preorder(tree.root))
    shown = list(drawn_nodes(tree))
    assert [node.number for node in shown] == list(range(len(nodes)))
    assert [node.rule for node in shown if node.rule] == list(range(1, tree.n_leaves + 1))
    children: dict[int, int] = {}
    for node in shown[1:]:
        assert node.parent is not None and node.parent < node.number
        children[node.parent] = children.get(node.parent, 0) + 1
    for number, node in enumerate(nodes):
        assert children.get(number, 0) == (len(node.children) if isinstance(node, Split) else 0)
    for format_ in ("text", "mermaid", "dot"):
        assert render(tree, format=format_).count("\n") >= len(nodes)


@settings(max_examples=examples(40))
@given(trees(max_splits=12))
def test_a_depth_cuts_and_counts(tree: Tree) -> None:
    """What is drawn and what is said to lie below make the whole tree."""
    total = sum(1 for _ in preorder(tree.root))
    for depth in range(4):
        shown = list(drawn_nodes(tree, depth))
        assert max(node.depth for node in shown) <= depth
        assert len(shown) + sum(node.hidden for node in shown) == total


def test_the_counts_of_a_learned_tree_are_those_of_its_rows() -> None:
    """Each node shows the class counts that reach it."""
    tree = learn(Table.from_columns(MELONS), target="好瓜", recipe=c45())
    text = render(tree)
    assert text.splitlines()[0] == "好瓜: 否 2, 是 2"
    assert [line.rsplit("(rule ", 1)[1] for line in text.splitlines() if "(rule" in line] == [
        f"{n})" for n in range(1, tree.n_leaves + 1)
    ]
    for leaf in leaves(tree.root):
        counts = ", ".join(f"{name} {n}" for name, n in zip(("否", "是"), leaf.counts, strict=True) if n)
        assert f"-> {leaf.prediction.value}: {counts or 0} (rule" in text


@pytest.mark.large
def test_deep_and_wide_trees_are_drawn() -> None:
    """5,000 levels and 10,000 leaves without recursion; HTML shows the first 500 nodes and counts the others."""
    tree = chain(right=True)
    assert tree.depth == 5000
    assert len(list(drawn_nodes(tree))) == 10_001
    assert render(tree, depth=3).count("\n") == 7
    assert render(tree, format="dot").count("->") == 10_000
    assert "9501 more nodes" in tree._repr_html_()
    wide = {"c": [f"c{n:05}" for n in range(10_000)], "y": [f"l{n % 97}" for n in range(10_000)]}
    many = learn(Table.from_columns(wide), target="y", recipe=c45(), features=["c"])
    assert render(many).count("(rule") == 10_000


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: ascii(attack)[:20])
def test_hostile_text_is_only_text(attack: str) -> None:
    """A line a node in text; in HTML only our tags, and the text comes back; in Mermaid nothing but letters."""
    tree = attacked(attack, attack, attack)
    n_nodes = sum(1 for _ in preorder(tree.root))
    assert len(render(tree, exact=True).split("\n")) == n_nodes + 1
    assert len(render(tree).split("\n")) == n_nodes + 3  # where missing and unseen values go
    for shown in (tree._repr_html_(), compile_rules(tree)._repr_html_()):
        tags = set(re.findall(r"<\s*/?\s*([A-Za-z]+)", shown))
        assert tags <= {
            *("div", "b", "span", "p", "br", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"),
            *("svg", "title", "desc", "g", "rect", "path", "text", "details", "summary"),
            "style",
        }
        assert shown.count("<style") == 1
        reader = _Reader()
        reader.feed(shown)
        if attack.isprintable() and "\\" not in attack and '"' not in attack and attack.strip():
            assert attack in "".join(reader.found)
    for line in render(tree, format="mermaid").splitlines()[1:]:
        for label in re.findall(r'"([^"]*)"', line):
            assert re.fullmatch(r"(?:[\w _.,=+/]|#\d+;|<br>)*", label), label


class _Reader(html.parser.HTMLParser):
    """Collects what a browser would show."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


@pytest.mark.process
@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize(
    "attack", ["plain", "a\nb", '"', "\\", '\\"', "x];", "<b>", "&lt;", "\\N", "年龄", "{|}", "x" * 20_000, "%s"]
)
def test_graphviz_reads_what_is_drawn(attack: str) -> None:
    """`dot` itself: as many nodes and edges as the tree has, labels as they were."""
    tree = attacked(attack, attack, attack)
    text = render(tree, format="dot")
    done = subprocess.run(["dot", "-Tplain"], input=text.encode(), capture_output=True, check=True)
    lines = done.stdout.decode().splitlines()
    n_nodes = sum(1 for _ in preorder(tree.root))
    assert sum(line.startswith("node ") for line in lines) == n_nodes
    assert sum(line.startswith("edge ") for line in lines) == n_nodes - 1
    svg = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, check=True).stdout.decode()
    reader = _Reader()
    reader.feed(svg)
    if attack.isprintable() and "\\" not in attack and '"' not in attack and len(attack) < 1000:
        assert attack in "".join(reader.found).replace("\xa0", " ")


def test_predictions_and_rules_round_trip_through_csv() -> None:
    """A carriage return in a cell is quoted, so that every CSV reader finds the row again."""
    tree = attacked("a\rb", "c\rd", "e\rf")
    text = render(compile_rules(tree), format="csv")
    assert len(list(csv.reader(io.StringIO(text, newline="")))) == 1 + len(compile_rules(tree))
    table = Table.from_columns({"a\rb": ["c\rd", "other", None]})
    shown = render(predict_table(tree, table, keys=["a\rb"]), format="csv")
    assert [row[0] for row in csv.reader(io.StringIO(shown, newline=""))] == ["a\rb", "c\rd", "other", ""]


def test_predictions_that_parquet_cannot_name_are_refused(tmp_path: Path) -> None:
    """Names that differ in case alone, and text that is no Unicode; nothing is left behind."""
    data = {"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "A", "A"]}
    tree = learn(Table.from_columns(data), target="y", recipe=cart())
    found = predict_table(tree, Table.from_columns(data), proba=True)
    with pytest.raises(DataError, match="'p_a' has the name of another"):
        write_parquet(found, tmp_path / "a.parquet")
    odd = attacked("x", "c", "\ud800")
    with pytest.raises(TreeRulesError):
        write_parquet(predict_table(odd, Table.from_columns({"x": ["c"]})), tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_gains_have_html() -> None:
    """Two tables, the chosen feature in bold."""
    shown = feature_gains(Table.from_columns(MELONS), target="好瓜")._repr_html_()
    assert shown.count("<table>") == 2 and '<tr class="marked">' in shown


def test_columns_line_up_however_wide_their_characters_are() -> None:
    """Each column begins where its heading does, counted in terminal columns."""
    table = TextTable(["名", "n"], [["青年", "1"], ["e\u0301", "22"], ["ab", "3"]], [False, True])
    lines = table_text(table).splitlines()
    assert [display_width(line) for line in lines] == [8] * 4
    assert table_text(TextTable(["a|b"], [["x\ny"]]), "md").splitlines()[0] == "| a\\|b |"
    assert table_text(TextTable(["a"], [["x\ny"]]), "csv") == 'a\n"x\ny"\n'


@pytest.mark.parametrize(
    ("error", "options"),
    [(OptionError, {"format": "png"}), (UnknownNameError, {"lang": "fr"}), (OptionError, {"depth": -1})],
)
def test_what_cannot_be_drawn(error: type[Exception], options: dict[str, Any]) -> None:
    """An unknown format or language, a depth below 0."""
    tree = learn(Table.from_columns(MELONS), target="好瓜", recipe=cart())
    with pytest.raises(error):
        render(tree, **options)
    assert isinstance(next(leaves(tree.root)), Leaf)

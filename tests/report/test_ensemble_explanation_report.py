"""Reports of explanations of ensembles: what people read, and what programs add up."""

import csv
import io
import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier

from drawn_ensembles import ensembles
from selection import few
from treerules import Ensemble, Feature, Kind, Schema, Tree, compile_rules, explain, render
from treerules.errors import OptionError
from treerules.importers import import_model
from treerules.rendering.text_tables import display_width
from treerules.report import REPORTS
from treerules.rules.wording import antecedent_texts
from treerules.testing import rows
from treerules.trees import CategoryTest, Leaf, MeanPrediction, Split, ThresholdTest

FEATURES = [Feature("年龄", Kind.NUMBER), Feature("sex", Kind.CATEGORY, ("female", "male"))]
MARGIN = Schema(FEATURES, Feature("margin", Kind.NUMBER))
ILL, SIZE = Feature("ill", Kind.CATEGORY, ("no", "yes")), Feature("size", Kind.CATEGORY, ("large", "medium", "small"))


def stump(low: float, high: float, threshold: float = 30.0) -> Tree:
    """Return a tree with one threshold; missing values go to the second leaf."""
    leaves = [Leaf(MeanPrediction(value), (1,)) for value in (low, high)]
    return Tree(MARGIN, Split(ThresholdTest(0, threshold), leaves, missing=1))


BY_SEX = Tree(
    MARGIN,
    Split(
        CategoryTest(1, [[0], [1]]),
        [stump(0.0, 0.75).root, Leaf(MeanPrediction(-0.5), (1,))],
        missing=1,
        unseen=1,
    ),
)
BINARY = Ensemble(Schema(FEATURES, ILL), [stump(-0.5, 0.25), BY_SEX], [0.25], link="sigmoid", cut=0.0)


def test_the_text_of_one_of_two_classes() -> None:
    """What is decided, what is summed, and each tree: the largest first, with the sum so far."""
    assert str(explain(BINARY, {"年龄": 40, "sex": "female"})) == (
        "ill = yes: margin 1.25 >= 0; probability 0.7773\n"
        "numbers above 0 speak for yes\n"
        "margin 1.25 = base 0.25 + 1 from 2 trees\n"
        "\n"
        "tree  adds   sum  rule\n"
        "   2  0.75     1  sex = female AND 年龄 > 30\n"
        "   1  0.25  1.25  年龄 > 30\n"
    ).rstrip("\n")
    other = render(explain(BINARY, {"年龄": 20, "sex": "male"}), lang="zh")
    first = "ill = no:边际值 -0.75 < 0;概率 0.6792\n大于 0 的数支持 yes\n"
    assert other.startswith(first + "边际值 -0.75 = 基值 0.25 - 1(2 棵树)\n")


def test_conditions_name_the_missing_values_of_the_row() -> None:
    """And only those, unless everything is to be said."""
    missing = explain(BINARY, {"sex": "female"})
    assert "sex = female AND (年龄 > 30 or missing)" in str(missing)
    known = explain(BINARY, {"sex": "female", "年龄": 31})
    assert "missing" not in str(known) and "(年龄 > 30 or missing)" in render(known, exact=True)


def test_the_text_of_several_classes() -> None:
    """The class of the greatest margin is explained, or the one that is asked for."""
    several = Ensemble(
        Schema(FEATURES, SIZE), [stump(0.0, 2.0), stump(0.25, 0.5)], [0.0, 0.0, 0.5], [0, 1], link="softmax", scale=0.5
    )
    text = str(explain(several, {"年龄": 40}))
    assert text.splitlines()[:3] == [
        "size = large: margin 1, the greatest of 3 classes; probability 0.5142",
        "margin of large 1 = 1 from 1 of 2 trees",
        "each tree adds its leaf times 0.5",
    ]
    assert str(explain(several, {}, label="small")).splitlines()[1] == "margin of small 0.25 = base 0.25"


def test_the_text_of_a_mean_and_of_a_rounded_sum() -> None:
    """The link function, and the line of the rounding where there is one."""
    tenth = float(np.float32(0.1))
    trees = [stump(tenth, tenth)] * 3
    count = Ensemble(Schema(FEATURES, Feature("n", Kind.NUMBER)), trees, link="exp", sum_type="float32")
    assert str(explain(count, {})).splitlines()[:3] == [
        "n = exp(margin) = 1.35",
        "margin 0.3 = 0.3 from 3 trees",
        "rounding of the sums in float32: 7.451e-09",
    ]


def test_a_sum_that_overflows_is_said() -> None:
    """In every format; JSON has no infinities."""
    most = float(np.float32(3e38))
    large = Ensemble(Schema(FEATURES, Feature("y", Kind.NUMBER)), [stump(most, most)] * 2, sum_type="float32")
    explanation = explain(large, {})
    assert "the sums overflow float32" in str(explanation)
    record = json.loads(render(explanation, format="json"))
    assert (record["margin"], record["rounding"], record["exact"]["rounding"]) == ("inf", None, None)


@given(st.data())
def test_the_json_adds_up_exactly(data: st.DataObject) -> None:
    """Of drawn ensembles: base + leaves * factor + rounding is the margin, from the texts of fractions alone.

    Where only some trees are listed, the others are one more number.
    """
    ensemble = data.draw(ensembles())
    explanation = explain(ensemble, data.draw(rows(ensemble.trees[0])))
    for top in (1, None):
        record = json.loads(render(explanation, format="json", top=top))
        exact = {name: Fraction(text) for name, text in record["exact"].items()}
        added = sum((Fraction(tree["leaf"]) * exact["factor"] for tree in record["trees"]), Fraction(0))
        assert exact["base"] + added + exact["others"] + exact["rounding"] == Fraction(record["margin"])
        assert record["n_trees"] == len(explanation.contributions)
    assert [tree["adds"] for tree in record["trees"]] == [float(tree.added) for tree in explanation.contributions]
    assert [tree["rule"] for tree in record["trees"]] == [tree.rule.number for tree in explanation.contributions]


@given(st.data())
def test_the_csv_has_a_line_for_each_tree(data: st.DataObject) -> None:
    """With numbers that read back exactly, and the exact conditions of the rule."""
    ensemble = data.draw(ensembles())
    explanation = explain(ensemble, data.draw(rows(ensemble.trees[0])))
    head, *lines = csv.reader(io.StringIO(render(explanation, format="csv"), newline=""))
    assert head == ["tree", "rule", "leaf", "adds", "if"]
    assert len(lines) == len(explanation.contributions)
    for (number, rule, leaf, adds, condition), tree in zip(lines, explanation.contributions, strict=True):
        assert (int(number), int(rule), float(leaf), float(adds)) == (
            tree.tree,
            tree.rule.number,
            tree.leaf,
            float(tree.added),
        )
        fired = next(r for r in compile_rules(ensemble.trees[tree.tree - 1]) if r.number == tree.rule.number)
        assert [condition] == antecedent_texts(ensemble.schema, [fired])


@pytest.fixture(scope="module")
def boosted() -> Any:
    """Return 300 trees of depth 4 over columns with long names, and a row of theirs."""
    data = load_breast_cancer(as_frame=True)
    fitted = GradientBoostingClassifier(n_estimators=300, max_depth=4, random_state=0).fit(data.data, data.target)
    return import_model(fitted, target="tumour"), data.data.iloc[7].to_dict()


@pytest.mark.parametrize("lang", few(["en", "zh"], 1))
def test_300_trees_fit_80_columns(boosted: Any, lang: str) -> None:
    """All lines, of a row with values and of one without; the first 30 trees, and what the others add."""
    ensemble, row = boosted
    for values in (row, {}):
        explanation = explain(ensemble, values)
        lines = render(explanation, lang=lang).splitlines()
        assert max(map(display_width, lines)) <= 80
        numbers = [int(line.split()[0]) for line in lines[3:] if line[:4].strip().isdigit()]
        assert numbers == [tree.tree for tree in explanation.contributions[:30]]
        assert "270" in lines[-1]
    every = render(explain(ensemble, row), top=0).splitlines()
    assert sum(line[:4].strip().isdigit() for line in every) == 300


def test_the_last_sum_is_the_margin_and_the_others_are_counted(boosted: Any) -> None:
    """With all digits: the sum in the last line is the margin but for the rounding."""
    explanation = explain(*boosted)
    last = [line for line in render(explanation, top=0, exact=True).splitlines() if line[:4].strip().isdigit()][-1]
    exact = explanation.base + explanation.added
    assert float(last.split()[2]) == float(exact)
    others = sum((tree.added for tree in explanation.contributions[299:]), Fraction(0))
    text = render(explanation, top=299, digits=17).splitlines()[-1]
    assert text == f"… 1 more tree adds {float(others):.17g} (--top 0 prints all)"


def test_top_is_for_all_formats(boosted: Any) -> None:
    """CSV and JSON have all trees unless a number is given."""
    explanation = explain(*boosted)
    for top, n in ((None, 300), (0, 300), (2, 2)):
        assert len(json.loads(render(explanation, format="json", top=top))["trees"]) == n
        assert render(explanation, format="csv", top=top).count("\n") == n + 1
    assert render(explanation, format="md", top=2).count("\n| ") == 3
    assert explanation._repr_html_().count("<tr>") == 31
    with pytest.raises(OptionError, match="top"):
        render(explanation, top=-1)


def test_the_headings_are_translated() -> None:
    """No English word of a heading is in a Chinese text; names and figures stay."""
    names = {"ill", "yes", "sex", "female", "float32"}
    report = REPORTS[type(explain(BINARY, {}))]
    assert report.formats == ("text", "md", "csv", "json", "html")
    for row in ({"年龄": 40, "sex": "female"}, {}):
        text = render(explain(BINARY, row), lang="zh", top=1).replace("--top", "")
        words = set("".join(c if c.isascii() and c.isalpha() else " " for c in text).split())
        assert words <= {*names, "no", "male"}

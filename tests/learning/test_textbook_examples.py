"""The published worked examples: every number to its printed digits, every tree node for node."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from published_tables import CASES, GOLF, HAN, LOAN, MELON, TENNIS, Row, outline, rows_of, target_of
from treerules import Recipe, Table, Tree, c45, cart, compile_rules, id3, learn, predict
from treerules.criteria import (
    entropy,
    gain_ratio,
    gini,
    gini_of_split,
    information_gain,
    split_information,
    squared_error,
)
from treerules.trees import Split, ThresholdTest


def groups(
    rows: list[Row], feature: str, target: str, sides: Callable[[Any], Any] = lambda value: value
) -> list[list[int]]:
    """Return the class counts of the children when rows are divided by a feature."""
    classes = sorted({row[target] for row in rows})
    held = sorted({sides(row[feature]) for row in rows}, key=str)
    return [[sum(sides(r[feature]) == side and r[target] == c for r in rows) for c in classes] for side in held]


def counts(rows: list[Row], target: str) -> list[int]:
    """Return the class counts of some rows."""
    return [sum(row[target] == c for row in rows) for c in sorted({row[target] for row in rows})]


def where(rows: list[Row], feature: str, value: Any) -> list[Row]:
    """Return the rows with a value."""
    return [row for row in rows if row[feature] == value]


# ---- numbers: (case, the name of its check, how it is computed here)

A = {"A1": "年龄", "A2": "有工作", "A3": "有自己的房子", "A4": "信贷情况"}


def _gain(feature: str, only: tuple[str, str] | None = None) -> Callable[[list[Row], str], float]:
    return lambda rows, target: information_gain(groups(where(rows, *only) if only else rows, feature, target))


def _entropy(only: tuple[str, str] | None = None) -> Callable[[list[Row], str], float]:
    return lambda rows, target: entropy(counts(where(rows, *only) if only else rows, target))


def _gini_of(feature: str, *values: str) -> Callable[[list[Row], str], float]:
    return lambda rows, target: gini_of_split(groups(rows, feature, target, lambda value: value in values))


def _width(feature: str) -> Callable[[list[Row], str], float]:
    return lambda rows, target: split_information(groups(rows, feature, target))


def _ratio(feature: str) -> Callable[[list[Row], str], float]:
    return lambda rows, target: gain_ratio(groups(rows, feature, target))


def _numbered(measure: Callable[[list[list[int]]], float]) -> Callable[[list[Row], str], float]:
    """Zhou's 编号: every row is a child of its own."""
    return lambda rows, target: measure([counts_of_one(row, rows, target) for row in rows])


def counts_of_one(row: Row, rows: list[Row], target: str) -> list[int]:
    """Return the class counts of one row."""
    return [int(row[target] == c) for c in sorted({r[target] for r in rows})]


NUMBERS: dict[tuple[str, str], Callable[[list[Row], str], float]] = {
    (LOAN, "H(D)"): _entropy(),
    **{(LOAN, f"g(D,{a})"): _gain(name) for a, name in A.items()},
    **{(LOAN, f"g(D2,{a}) [D2: 有自己的房子=否]"): _gain(A[a], ("有自己的房子", "否")) for a in ("A1", "A2", "A4")},
    **{(LOAN, f"Gini(D,A1={v})"): _gini_of("年龄", v) for v in ("青年", "中年", "老年")},
    (LOAN, "Gini(D,A2=是)"): _gini_of("有工作", "是"),
    (LOAN, "Gini(D,A3=是)"): _gini_of("有自己的房子", "是"),
    **{(LOAN, f"Gini(D,A4={v})"): _gini_of("信贷情况", v) for v in ("非常好", "好", "一般")},
    (LOAN, "gain ratio g_R(D,A3) (solutions manual)"): _ratio("有自己的房子"),
    (MELON, "Ent(D)"): _entropy(),
    **{(MELON, f"Gain(D,{f})"): _gain(f) for f in ("色泽", "根蒂", "敲声", "纹理", "脐部", "触感")},
    **{(MELON, f"Ent(色泽={v})"): _entropy(("色泽", v)) for v in ("青绿", "乌黑", "浅白")},
    **{
        (MELON, f"Gain(D1[纹理=清晰],{f})"): _gain(f, ("纹理", "清晰"))
        for f in ("色泽", "根蒂", "敲声", "脐部", "触感")
    },
    (MELON, "IV(触感)"): _width("触感"),
    (MELON, "IV(色泽)"): _width("色泽"),
    (MELON, "IV(编号)"): _numbered(split_information),
    (MELON, "Gain(编号)"): _numbered(information_gain),
    (TENNIS, "Entropy(S)"): _entropy(),
    **{(TENNIS, f"Gain(S,{f})"): _gain(f) for f in ("Outlook", "Temperature", "Humidity", "Wind")},
    **{(TENNIS, f"Gain(Sunny,{f})"): _gain(f, ("Outlook", "Sunny")) for f in ("Humidity", "Temperature", "Wind")},
    (GOLF, "info(T)"): _entropy(),
    (GOLF, "gain(outlook)"): _gain("outlook"),
    (GOLF, "gain(windy)"): _gain("windy"),
    (GOLF, "split info(outlook)"): _width("outlook"),
    (GOLF, "gain ratio(outlook)"): _ratio("outlook"),
    (HAN, "Info(D)"): _entropy(),
    **{(HAN, f"Gain({f})"): _gain(f) for f in ("age", "income", "student", "credit_rating")},
    (HAN, "SplitInfo(income)"): _width("income"),
    (HAN, "GainRatio(income)"): _ratio("income"),
    (HAN, "Gini(D)"): lambda rows, target: gini(counts(rows, target)),
    (HAN, "Gini income in low/medium"): _gini_of("income", "low", "medium"),
    (HAN, "Gini income in low/high"): _gini_of("income", "low", "high"),
    (HAN, "Gini income in medium/high"): _gini_of("income", "medium", "high"),
    (HAN, "Gini age in youth/senior"): _gini_of("age", "youth", "senior"),
    (HAN, "Gini student"): _gini_of("student", "yes"),
    (HAN, "Gini credit_rating"): _gini_of("credit_rating", "fair"),
}

#: Checks that other tests answer; those of Quinlan's fractional samples are in test_missing.
ELSEWHERE = {
    *((GOLF, f"missing: {name}") for name in ("info(known)", "gain(outlook)", "split info", "gain ratio")),
    *(("lihang_5_2", name) for name in ("left mean", "right mean", "min squared loss")),
    *(("rpart_kyphosis", f"improve {name}") for name in ("Start<8.5", "Number<5.5", "Age<39.5")),
}


@pytest.mark.parametrize(("case", "name"), sorted(NUMBERS))
def test_a_published_number(case: str, name: str) -> None:
    """The exact value to 1e-9, the printed one to its last digit or 0.001 (books add up rounded terms)."""
    check = next(check for check in CASES[case]["checks"] if check["name"] == name)
    found = NUMBERS[case, name](rows_of(case), target_of(case))
    assert found == pytest.approx(check["recomputed"], abs=1e-9)
    digits = len(str(check["published"]).partition(".")[2])
    assert found == pytest.approx(check["published"], abs=max(0.0011, 0.5001 * 10**-digits))


def test_no_published_number_is_forgotten() -> None:
    """Every check of the published cases is one of the above."""
    published = {(case["id"], check["name"]) for case in CASES.values() for check in case.get("checks", ())}
    assert published == {*NUMBERS, *ELSEWHERE}


# ---- trees


def textbook_tree(name: str, recipe: Recipe, **options: Any) -> Tree:
    """Return the tree that a recipe learns from a published table."""
    return learn(Table.from_rows(rows_of(name)), target=target_of(name), recipe=recipe, **options)


LOAN_TREE = ("有自己的房子", {"否": ("有工作", {"否": ("否", 6), "是": ("是", 3)}), "是": ("是", 6)})
TENNIS_TREE = (
    "Outlook",
    {
        "Sunny": ("Humidity", {"High": ("No", 3), "Normal": ("Yes", 2)}),
        "Overcast": ("Yes", 4),
        "Rain": ("Wind", {"Strong": ("No", 2), "Weak": ("Yes", 3)}),
    },
)
MELON_TREE = (
    "纹理",
    {
        "模糊": ("否", 3),
        "稍糊": ("触感", {"软粘": ("是", 1), "硬滑": ("否", 4)}),
        "清晰": (
            "根蒂",
            {
                "蜷缩": ("是", 5),
                "硬挺": ("否", 1),
                "稍蜷": (
                    "色泽",
                    {"青绿": ("是", 1), "浅白": ("是", 0), "乌黑": ("触感", {"软粘": ("否", 1), "硬滑": ("是", 1)})},
                ),
            },
        ),
    },
)
HAN_TREE = (
    "age",
    {
        "youth": ("student", {"no": ("no", 3), "yes": ("yes", 2)}),
        "middle": ("yes", 4),
        "senior": ("credit_rating", {"excellent": ("no", 2), "fair": ("yes", 3)}),
    },
)


@pytest.mark.parametrize(
    "recipe", [id3(), c45(), cart(), cart(categories="one_against_rest"), cart(criterion="entropy")]
)
def test_the_loan_tree(recipe: Recipe) -> None:
    """Li Hang, examples 5.3 and 5.4, exercise 5.1: first 有自己的房子, then 有工作; three rules."""
    tree = textbook_tree(LOAN, recipe)
    assert outline(tree) == LOAN_TREE
    assert len(compile_rules(tree)) == 3


@pytest.mark.parametrize(
    ("case", "recipe", "published"),
    [(TENNIS, id3(), TENNIS_TREE), (MELON, id3(), MELON_TREE), (HAN, id3(), HAN_TREE)],
)
def test_a_published_tree(case: str, recipe: Recipe, published: Any) -> None:
    """Mitchell fig. 3.1, Zhou fig. 4.4 (with the empty branch 浅白), Han fig. 8.5."""
    assert outline(textbook_tree(case, recipe)) == published


def test_contact_lenses_by_c45_before_pruning() -> None:
    """C4.5's tree of Cendrowska's lenses begins as J48's: tear-prod-rate, then astigmatism."""
    tree = textbook_tree("contact_lenses_j48", c45(min_samples_leaf=2))
    shown = outline(tree)
    assert shown[0] == "tear-prod-rate"
    assert shown[1]["reduced"] == ("none", 12)
    assert shown[1]["normal"][0] == "astigmatism"
    assert shown[1]["normal"][1]["yes"][0] == "spectacle-prescrip"
    assert shown[1]["normal"][1]["yes"][1]["myope"] == ("hard", 3)


def test_golf_by_c45() -> None:
    """Quinlan's golf tree: outlook, then humidity and windy (the cut is the midpoint here, a data value in C4.5)."""
    tree = textbook_tree(GOLF, c45(min_samples_leaf=2, average_gain=True))
    assert outline(tree) == (
        "outlook",
        {
            "overcast": ("Play", 4),
            "sunny": ("humidity", {"<=77": ("Play", 2), "else": ("Don't Play", 3)}),
            "rain": ("windy", {"true": ("Don't Play", 2), "false": ("Play", 3)}),
        },
    )


def test_table_5_2_is_cut_between_5_and_6() -> None:
    """Li Hang, exercise 5.2: the first cut leaves the means 5.06 and 8.176; x is kept although it counts the rows."""
    tree = textbook_tree("lihang_5_2", cart(max_depth=1))
    left, right = tree.root.children  # type: ignore[attr-defined]
    assert tree.root.test == ThresholdTest(0, 5)  # type: ignore[attr-defined]
    assert (left.prediction.value, right.prediction.value) == pytest.approx((5.06, 8.176), abs=1e-12)
    found = {check["name"]: check["recomputed"] for check in CASES["lihang_5_2"]["checks"]}
    loss = sum(leaf.prediction.sd**2 * leaf.n for leaf in (left, right))
    assert loss == pytest.approx(found["min squared loss"], abs=1e-9)
    assert (found["left mean"], found["right mean"]) == (5.06, 8.176)


def test_table_5_2_every_loss() -> None:
    """The losses of all nine cuts that the solutions manual prints."""
    rows = rows_of("lihang_5_2")
    for cut, published in CASES["lihang_5_2"]["all_cut_losses"].items():
        sides = [[row["y"] for row in rows if (row["x"] <= int(cut)) is first] for first in (True, False)]
        assert sum(map(squared_error, sides)) == pytest.approx(published, abs=1e-6)


def test_table_5_2_whole_tree() -> None:
    """The manual's tree: cuts 5, 3, 7, 6, 8 (its loss of 0.2 a node is a variance of about 0.1 here)."""
    tree = textbook_tree("lihang_5_2", cart(min_impurity=0.1))

    def cuts(node: Any) -> Any:
        if not isinstance(node, Split):
            return round(node.prediction.value, 2)
        return {"cut": node.test.threshold, "left": cuts(node.children[0]), "right": cuts(node.children[1])}

    assert cuts(tree.root) == CASES["lihang_5_2"]["tree_solutions_manual_epsilon_0.2"]


def test_kyphosis_as_rpart_grows_it() -> None:
    """rpart's first improvements, n times our gain; and its printed tree (minsplit 20, minbucket 7)."""
    published = CASES["rpart_kyphosis"]["improve_root"]
    rows = rows_of("rpart_kyphosis")
    for question, improve in published.items():
        feature, cut = question.split("<")
        split = groups(rows, feature, "Kyphosis", lambda value, cut=float(cut): value < cut)
        total = counts(rows, "Kyphosis")
        assert len(rows) * (gini(total) - gini_of_split(split)) == pytest.approx(improve, abs=1e-6)
    tree = textbook_tree("rpart_kyphosis", cart(min_samples_split=20, min_samples_leaf=7))
    assert outline(tree) == (
        "Start",
        {
            "<=8": ("present", 19),
            "else": (
                "Start",
                {
                    "<=14": (
                        "Age",
                        {"<=55": ("absent", 12), "else": ("Age", {"<=111": ("present", 7), "else": ("absent", 14)})},
                    ),
                    "else": ("absent", 29),
                },
            ),
        },
    )


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("recipe", [id3(), c45(), cart()], ids=lambda recipe: recipe.name)
def test_shuffled_rows_and_renamed_columns_give_the_same_tree(case: str, recipe: Recipe) -> None:
    """The order of rows is nothing, and names are only names."""
    rows, target = rows_of(case), target_of(case)
    if recipe.name == "id3":
        rows = [{name: str(value) for name, value in row.items()} for row in rows]
    if recipe.name == "c45" and case == "lihang_5_2":
        rows = [{"x": row["x"], "y": str(row["y"] > 6)} for row in rows]
    tree = learn(Table.from_rows(rows), target=target, recipe=recipe)
    for seed in range(5):
        shuffled = Random(seed).sample(rows, len(rows))
        assert learn(Table.from_rows(shuffled), target=target, recipe=recipe) == tree
    renamed = [{f"列 {name}'": value for name, value in row.items()} for row in rows]
    other = learn(Table.from_rows(renamed), target=f"列 {target}'", recipe=recipe)
    assert other.root == tree.root
    assert predict(other, Table.from_rows(renamed)).tolist() == predict(tree, Table.from_rows(rows)).tolist()

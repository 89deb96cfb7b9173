"""Long tables for people: the best rows first, the others counted; CSV and JSON hold all of them."""

import json
from random import Random

import pytest

from treerules import Table, cart, cross_validate, feature_gains, importances, learn, render
from treerules.errors import OptionError

_RANDOM = Random(0)
_LABELS = [_RANDOM.random() < 0.5 for _ in range(200)]
#: Forty columns; column k copies the label with a chance of k in 80, and is else a coin.
WIDE = Table.from_columns(
    {
        **{
            f"c{k}": [
                "p" if (label if _RANDOM.random() < k / 80 else _RANDOM.random() < 0.5) else "q" for label in _LABELS
            ]
            for k in range(40)
        },
        "y": ["yes" if label else "no" for label in _LABELS],
    }
)


def test_gains_are_sorted_and_the_features_beyond_the_first_are_counted() -> None:
    """By the gain that the result holds; the chosen feature is always shown."""
    gains = feature_gains(WIDE, target="y", recipe=cart())
    ranked = sorted(gains.features, key=lambda feature: -(feature.gain or 0))
    for top, n in ((None, 30), (3, 3), (0, 40)):
        table = render(gains, **({} if top is None else {"top": top})).split("\n\n")[1]
        shown = [line.removeprefix("*").split()[0] for line in table.splitlines()[1:]]
        assert shown == [feature.feature.name for feature in ranked[:n]]
    assert "\n\n… 10 more (--top 0 prints all)\n\n" in render(gains)
    assert "more" not in render(gains, top=0)
    for text, n in ((render(gains, format="csv"), 40), (render(gains, format="csv", top=3), 3)):
        assert len(text.splitlines()) == n + 1
    assert len(json.loads(render(gains, format="json"))["features"]) == 40
    with pytest.raises(OptionError, match="top"):
        render(gains, top=-1)


def test_what_is_cut_from_sets_of_categories_is_counted_in_the_language_of_the_table() -> None:
    """In the column of the best values and in that of the values of each branch."""
    names = [f"c{i:02}" for i in range(40)]
    table = Table.from_columns({"c": names * 2, "y": ["p" if i % 2 else "q" for i in range(40)] * 2})
    gains = feature_gains(table, target="y", recipe=cart())
    english, chinese = render(gains), render(gains, lang="zh")
    assert english.count("… 8 more}") == chinese.count("… 另 8 个}") > 0
    assert "more" not in chinese


def test_the_most_frequent_values_of_a_feature_are_shown() -> None:
    """Twelve values, in the order of the schema; the others are counted in one row."""
    towns = [f"t{n:02}" for n in range(20) for _ in range(n + 1)]
    table = Table.from_columns({"town": towns, "y": ["a" if town < "t10" else "b" for town in towns]})
    gains = feature_gains(table, target="y", recipe=cart(), features=["town"])
    rows = [line.split() for line in render(gains).split("\n\n")[2].splitlines()[1:]]
    assert [row[1] for row in rows] == [*(f"t{n:02}" for n in range(8, 20)), "…"]
    assert rows[-1] == ["town", "…", "8", "more"]
    assert len(render(gains, top=0).split("\n\n")[2].splitlines()) == 1 + 20


def test_long_sets_in_the_table_of_gains_are_cut() -> None:
    """The first side of the best subset of 40 categories; CSV has all of them."""
    names = [f"n{n:02}" for n in range(40)]
    table = Table.from_columns({"name": names * 2, "y": ["a" if name < "n20" else "b" for name in names] * 2})
    gains = feature_gains(table, target="y", recipe=cart(), features=["name"])
    assert "{n00, n01, n02, n03, n04, n05, n06, n07, n08, n09, n10, n11, … 8 more}" in render(gains)
    assert "n18, n19}" in render(gains, format="csv")


def test_importances_and_subtrees_are_cut_with_a_count() -> None:
    """The rows that a rule of choice marks are shown wherever they stand."""
    tree = learn(WIDE, target="y", recipe=cart())
    assert "… 10 more" in render(importances(tree))
    assert render(importances(tree), top=2).splitlines()[-1] == "… 38 more (--top 0 prints all)"
    assert len(render(importances(tree), format="csv").splitlines()) == 41
    validation = cross_validate(WIDE, target="y", recipe=cart(), folds=5)
    n = len(validation.rows)
    text = render(validation, top=1)
    assert text.count("1se") == text.count("min") == 1
    shown = len(text.split("\n\n")[1].splitlines()) - 1
    assert text.endswith(f"\n\n… {n - shown} more (--top 0 prints all)\n")
    assert len(render(validation, format="csv").splitlines()) == n + 1

"""What features tell: the books' tables to the printed digits, and brute force on drawn tables."""

import json
import math
import tracemalloc
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from attrs import evolve as replace
from hypothesis import assume, given
from hypothesis import strategies as st

from published_tables import CASES, rows_of, target_of
from strategies_random import columns
from treerules import FeatureGains, Interval, Kind, Members, Table, c45, cart, feature_gains, id3, learn, render
from treerules.criteria import conditional_entropy, entropy, gini_of_split, squared_error
from treerules.errors import ColumnError, DataError, OptionError, UnknownNameError
from treerules.trees import Split, ThresholdTest

#: Recipes by what they take.
RECIPES = [
    cart,
    c45,
    partial(cart, criterion="entropy"),
    partial(cart, categories="one_against_rest"),
]
BOOK = {"A1": "年龄", "A2": "有工作", "A3": "有自己的房子", "A4": "信贷情况"}


def table_of(name: str) -> Table:
    """Return a published table."""
    return Table.from_rows(rows_of(name))


def published(name: str) -> dict[str, float]:
    """Return a published table's numbers by their names."""
    return {check["name"]: check["published"] for check in CASES[name]["checks"]}


def side(found: FeatureGains, feature: str, value: str) -> Any:
    """Return the figures of one value of a feature."""
    return next(s for s in found.feature(feature).sides if s.values == Members((value,)))


def test_the_loan_table_of_the_book() -> None:
    """Li Hang, examples 5.1 to 5.4: H(D), g(D,A), Gini(D, A=a), the gain ratio, the feature that is chosen."""
    numbers, found = published("lihang_5_1"), feature_gains(table_of("lihang_5_1"), target="类别")
    assert found.entropy == pytest.approx(numbers["H(D)"], abs=5e-4)
    for short, name in BOOK.items():
        assert found.feature(name).gain == pytest.approx(numbers[f"g(D,{short})"], abs=5e-4)
    ratio = numbers["gain ratio g_R(D,A3) (solutions manual)"]
    assert found.feature("有自己的房子").gain_ratio == pytest.approx(ratio, rel=1e-15)
    ginis = {name: value for name, value in numbers.items() if name.startswith("Gini(D,")}
    assert len(ginis) == 8
    for name, value in ginis.items():
        short, _, category = name.removeprefix("Gini(D,").removesuffix(")").partition("=")
        assert side(found, BOOK[short], category).gini == pytest.approx(value, abs=5e-3)
    assert [gain.feature.name for gain in found.features if gain.chosen] == ["有自己的房子"]
    assert found.feature("有自己的房子").gini == pytest.approx(4 / 15, rel=1e-15)


@pytest.mark.parametrize("recipe", [id3(), c45(), cart()], ids=lambda recipe: recipe.name)
def test_the_second_node_of_the_book(recipe: Any) -> None:
    """Example 5.3: g(D2, A) where 有自己的房子 is 否, asked of a model's node; the tree asks for 有工作 there."""
    tree = learn(table_of("lihang_5_1"), target="类别", recipe=recipe)
    found = feature_gains(table_of("lihang_5_1"), tree=tree, node=1)
    numbers = published("lihang_5_1")
    assert found.n == 9
    for short in ("A1", "A2", "A4"):
        wanted = numbers[f"g(D2,{short}) [D2: 有自己的房子=否]"]
        assert found.feature(BOOK[short]).gain == pytest.approx(wanted, abs=1e-3)  # the book subtracts rounded terms
    assert [gain.feature.name for gain in found.features if gain.chosen] == ["有工作"]


def test_the_watermelons_of_the_book() -> None:
    """Zhou, pp. 75-78: Ent(D), Gain(D, a), IV(a), the entropy of each 色泽, the tie under 纹理 = 清晰."""
    table, numbers = table_of("watermelon_2_0"), published("watermelon_2_0")
    found = feature_gains(table, target="好瓜", recipe=id3())
    assert found.entropy == pytest.approx(numbers["Ent(D)"], abs=1e-3)
    for gain in found.features:
        assert gain.gain == pytest.approx(numbers[f"Gain(D,{gain.feature.name})"], abs=1e-3)
    for name in ("触感", "色泽"):
        assert found.feature(name).split_information == pytest.approx(numbers[f"IV({name})"], abs=1e-3)
    for value in ("青绿", "乌黑", "浅白"):
        assert side(found, "色泽", value).entropy == pytest.approx(numbers[f"Ent(色泽={value})"], abs=1e-3)
    assert [gain.feature.name for gain in found.features if gain.chosen] == ["纹理"]
    numbered = Table.from_rows([{"编号": f"{n}号", **row} for n, row in enumerate(rows_of("watermelon_2_0"))])
    identity = feature_gains(numbered, target="好瓜", recipe=id3(), features=["编号"]).feature("编号")
    assert identity.gain == pytest.approx(numbers["Gain(编号)"], abs=1e-3)
    assert identity.split_information == pytest.approx(numbers["IV(编号)"], abs=1e-3)
    tree = learn(table, target="好瓜", recipe=id3())
    clear = next(n for n in range(1, 20) if _is_clear(gains_or_none(table, tree, n)))
    below = feature_gains(table, tree=tree, node=clear)
    for name in ("色泽", "根蒂", "敲声", "脐部", "触感"):
        assert below.feature(name).gain == pytest.approx(numbers[f"Gain(D1[纹理=清晰],{name})"], abs=1e-3)


def gains_or_none(table: Table, tree: Any, node: int) -> FeatureGains | None:
    """Return the gains at a node, None where no row reaches it."""
    try:
        return feature_gains(table, tree=tree, node=node)
    except DataError:
        return None


def _is_clear(found: FeatureGains | None) -> bool:
    return found is not None and [s.values for s in found.feature("纹理").sides] == [Members(("清晰",))]


@pytest.mark.parametrize("name", ["mitchell_playtennis", "quinlan_golf", "han_kamber_allelectronics"])
def test_the_tables_of_other_books(name: str) -> None:
    """Mitchell, Quinlan, Han: every published gain, split information, gain ratio and Gini of the whole table."""
    table, checked = table_of(name), 0
    found = feature_gains(table, target=target_of(name), recipe=cart())
    for check, value in published(name).items():
        kind, _, rest = check.partition("(")
        feature = rest.removesuffix(")").removeprefix("S,")
        is_there = feature in table.schema.indices
        figure = {
            "Gain": lambda f: f.gain,
            "gain": lambda f: f.gain,
            "split info": lambda f: f.split_information,
            "SplitInfo": lambda f: f.split_information,
            "gain ratio": lambda f: f.gain_ratio,
            "GainRatio": lambda f: f.gain_ratio,
        }.get(kind)
        if figure is not None and is_there:
            assert figure(found.feature(feature)) == pytest.approx(value, abs=1e-3), check
            checked += 1
        if check in ("Gini age in youth/senior", "Gini student", "Gini credit_rating"):
            assert found.feature(check.split()[1]).gini == pytest.approx(value, abs=1e-3), check
            checked += 1
    assert checked >= 4


def test_the_cuts_of_table_5_2() -> None:
    """Li Hang, exercise 5.2: the least squared loss 3.36 between 5 and 6, the means 5.06 and 8.176."""
    found = feature_gains(table_of("lihang_5_2"), target="y")
    (x,) = found.features
    assert x.squared_error == pytest.approx(3.36, abs=5e-3)
    assert x.best == Interval(None, 5) and x.chosen
    assert [s.mean for s in x.sides] == pytest.approx([5.06, 8.176], abs=1e-9)
    assert x.decrease == pytest.approx((found.squared_error or 0) - 3.35872, abs=1e-9)


# ---- against brute force


@given(columns(), st.randoms(use_true_random=False))
def test_figures_are_their_definitions(data: dict[str, list[Any]], random: Any) -> None:
    """On the known rows: H(D|A), H_A(D) and Gini of every division that there is; the gain times the known share."""
    n = len(next(iter(data.values())))
    labels = [random.choice("pq") for _ in range(n)]
    names = list(data)
    found = feature_gains(Table.from_columns({**data, "y": labels}), target="y", features=names, recipe=cart())
    stump = learn(Table.from_columns({**data, "y": labels}), target="y", features=names, recipe=cart(max_depth=1)).root
    chosen = [gain.feature.name for gain in found.features if gain.chosen]
    assert chosen == ([names[stump.test.feature]] if isinstance(stump, Split) else [])
    for gain in found.features:
        pairs = [(v, y) for v, y in zip(data[gain.feature.name], labels, strict=True) if v is not None and v == v]
        assert gain.n_known == len(pairs)
        values = sorted({v for v, _ in pairs})
        if gain.feature.is_ordered:
            cuts = [
                [_counts([y for v, y in pairs if v <= low]), _counts([y for v, y in pairs if v > low])]
                for low, _ in pairwise(values)
            ]
            best = min((conditional_entropy(cut) for cut in cuts), default=entropy(_counts([y for _, y in pairs])))
            gini = min((gini_of_split(cut) for cut in cuts), default=gini_of_split([_counts([y for _, y in pairs])]))
        else:
            groups = [_counts([y for v, y in pairs if v == value]) for value in values]
            best = conditional_entropy(groups) if groups else 0.0
            gini = _least_gini(groups)
            assert gain.split_information == pytest.approx(entropy([sum(g) for g in groups]) if groups else 0.0)
            assert [list(s.counts) for s in gain.sides] == [_counts_of(found, g) for g in groups]
        if pairs:
            assert gain.conditional_entropy == pytest.approx(best, abs=1e-12)
            whole = entropy(_counts([y for _, y in pairs]))
            assert gain.gain == pytest.approx(len(pairs) / n * (whole - best), abs=1e-12)
            assert gain.gini == pytest.approx(gini, abs=1e-12)


def _counts(labels: list[str]) -> list[int]:
    return [labels.count("p"), labels.count("q")]


def _counts_of(found: FeatureGains, counts: list[int]) -> list[int]:
    return [n for n, label in zip(counts, "pq", strict=True) if label in found.classes]


def _least_gini(groups: list[list[int]]) -> float:
    """Return the least Gini of a division of the groups in two; of one group its own."""
    n = len(groups)
    if n < 2:
        return gini_of_split(groups) if groups else 0.0
    total = [sum(column) for column in zip(*groups, strict=True)]
    sides = []
    for mask in range(1, 2 ** (n - 1)):
        first = [sum(g[k] for i, g in enumerate(groups) if mask >> i & 1) for k in range(2)]
        sides.append(gini_of_split([first, [a - b for a, b in zip(total, first, strict=True)]]))
    return min(sides)


@given(st.lists(st.tuples(st.sampled_from((0.0, 1.0, 2.5)), st.sampled_from((1.0, 2.0, 4.0, 8.5))), min_size=1))
def test_a_regression_is_cut_where_the_squared_error_is_least(pairs: list[tuple[float, float]]) -> None:
    """Least over all cuts, by the definition."""
    found = feature_gains(
        Table.from_columns({"x": [x for x, _ in pairs], "y": [y for _, y in pairs]}), target="y", features=["x"]
    )
    whole = squared_error([y for _, y in pairs])
    errors = [
        squared_error([y for x, y in pairs if x <= low]) + squared_error([y for x, y in pairs if x > low])
        for low, _ in pairwise(sorted({x for x, _ in pairs}))
    ]
    assert found.squared_error == pytest.approx(whole, abs=1e-9)
    assert found.features[0].squared_error == pytest.approx(min([whole, *errors]), abs=1e-9)


def test_missing_and_unseen_values_are_left_out() -> None:
    """At a model's node values that the model does not know count as missing."""
    table = Table.from_columns({"c": ["a", "a", "b", "b"], "x": [1, 2, 3, 4], "y": ["p", "p", "q", "q"]})
    tree = learn(table, target="y", drop=["x"], recipe=cart())
    later = Table.from_columns({"c": ["a", "b", "new", None], "y": ["p", "q", "q", "p"]})
    (found,) = feature_gains(later, tree=tree).features
    assert found.n_known == 2
    assert [s.values for s in found.sides] == [Members(("a",)), Members(("b",))]
    assert found.gain == pytest.approx(0.5)


@given(columns(), st.sampled_from(RECIPES), st.integers(1, 3), st.randoms(use_true_random=False), st.booleans())
def test_the_chosen_feature_shows_the_split_that_is_learned(
    data: dict[str, list[Any]], make: Any, least: int, random: Any, is_regression: bool
) -> None:
    """Whatever the recipe: its cut, or the first side of its division in two, stands in the row that is marked.

    Figures are those of known values, so it is so where the recipe judges by them: missing ones go to the larger child.
    """
    n = len(next(iter(data.values())))
    target = [random.choice((0.0, 1.0, 7.5)) if is_regression else random.choice("pqr") for _ in range(n)]
    recipe = make(min_samples_leaf=least, missing="larger")
    if is_regression and not recipe.is_binary:
        return
    table = Table.from_columns({**data, "y": target})
    found = feature_gains(table, target="y", recipe=recipe, features=list(data))
    root = learn(table, target="y", recipe=replace(recipe, max_depth=1), features=list(data)).root
    if not isinstance(root, Split):
        assert not any(gain.chosen for gain in found.features)
        return
    (chosen,) = [gain for gain in found.features if gain.chosen]
    if isinstance(root.test, ThresholdTest):
        shown = chosen.cut if not recipe.is_binary or recipe.criterion == "entropy" else chosen.best.upto
        assert shown == root.test.threshold
    elif recipe.is_binary and recipe.criterion == "gini":
        known = {v for v in data[chosen.feature.name] if v is not None}
        sides = [{chosen.feature.categories[at] for at in group} & known for group in root.test.groups]
        assert set(chosen.best.values) & known in sides


@pytest.mark.parametrize("missing", ["larger", "learned", "fraction", "branch"])
@given(data=columns(), make=st.sampled_from(RECIPES), random=st.randoms(use_true_random=False))
def test_the_feature_that_is_learned_is_marked(
    missing: Any, data: dict[str, list[Any]], make: Any, random: Any
) -> None:
    """By every policy, also where what tells is that a value is missing."""
    recipe, labels = make(missing=missing), [random.choice("pqr") for _ in next(iter(data.values()))]
    table = Table.from_columns({**data, "y": labels})
    found = feature_gains(table, target="y", recipe=recipe, features=list(data))
    root = learn(table, target="y", recipe=replace(recipe, max_depth=1), features=list(data)).root
    chosen = [place for place, gain in enumerate(found.features) if gain.chosen]
    assert chosen == ([root.test.feature] if isinstance(root, Split) else [])
    render(found)


@given(columns(), st.sampled_from(RECIPES[:2]), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_a_row_of_weight_two_counts_as_two_rows(
    data: dict[str, list[Any]], make: Any, random: Any, is_regression: bool, as_column: bool
) -> None:
    """Every figure of weighted rows is that of the table in which each row stands as often as it weighs."""
    n = len(next(iter(data.values())))
    target = [random.choice((0.0, 1.0, 7.5)) if is_regression else random.choice("pqr") for _ in range(n)]
    weights = [random.choice((0, 1, 2, 3)) for _ in range(n - 1)] + [1]
    times = {name: [v for v, w in zip(cells, weights, strict=True) for _ in range(w)] for name, cells in data.items()}
    recipe = cart(missing="larger") if is_regression else make(missing="larger")
    whole = {**data, "y": target}
    kinds = {
        name: str(column.feature.kind) for name, column in zip(whole, Table.from_columns(whole).columns, strict=True)
    }
    assume(all(cells.count(None) < len(cells) for cells in times.values()))
    repeated = {**times, "y": [v for v, w in zip(target, weights, strict=True) for _ in range(w)]}
    expected = feature_gains(Table.from_columns(repeated, types=kinds), target="y", recipe=recipe, features=list(data))
    table = Table.from_columns({**whole, "w": weights}, types=kinds)
    found = feature_gains(table, target="y", recipe=recipe, features=list(data), weight="w" if as_column else weights)
    assert _figures(found) == pytest.approx(_figures(expected), nan_ok=True)


def _figures(found: FeatureGains) -> list[float]:
    """Return all numbers of a table of gains."""
    own = [found.n, *(count for count in found.counts if count), found.entropy, found.gini, found.squared_error]
    for gain in found.features:
        own += [gain.n_known, gain.gain, gain.gain_ratio, gain.gini, gain.squared_error, gain.chosen]
        own += [value for side in gain.sides for value in (side.n, side.entropy, side.gini, side.mean)]
    return [math.nan if value is None else float(value) for value in own]


def test_an_ordinal_is_divided_in_its_order() -> None:
    """S and L against M is no division that can be made of S < M < L."""
    types = {"size": "ordinal:S<M<L"}
    table = Table.from_columns({"size": ["S", "M", "L"] * 4, "y": ["n", "y", "n"] * 4}, types=types)
    (found,) = feature_gains(table, target="y").features
    assert found.best == Members(("S",)) and found.gini == pytest.approx(1 / 3)


@pytest.mark.large
def test_figures_keep_their_range_and_their_memory() -> None:
    """Targets near the ends of float64 have figures or infinity; thousands of categories take no rows times them."""
    for scale in (1e200, 1e-200):
        table = Table.from_columns({"x": [1, 2, 3], "y": [scale, -scale, scale / 2]})
        found = feature_gains(table, target="y", features=["x"])
        assert found.squared_error == (math.inf if scale > 1 else 0.0) or found.squared_error > 0
        json.loads(render(found, format="json"))
        render(found)
    n, random = 60_000, Random(0)
    labels = ["p" if random.random() < (k % 4000) / 4000 else "q" for k in range(n)]
    many = Table.from_columns({"c": [f"c{k % 4000}" for k in range(n)], "y": labels})
    tracemalloc.start()
    feature_gains(many, target="y")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


# ---- as text


def test_the_text_is_the_table_of_the_book() -> None:
    """The printed digits of examples 5.2 and 5.4, feature by feature, value by value; the chosen one is marked."""
    text = render(feature_gains(table_of("lihang_5_1"), target="类别"))
    head, features, values = text.split("\n\n")
    assert "15 rows, 类别: 否 6, 是 9, H(D) 0.971" in head
    rows = [line.split() for line in features.splitlines()[1:]]
    assert [row[2] for row in rows if row[0] != "*"] == ["0.363", "0.324", "0.083"]
    assert [row[:4] for row in rows if row[0] == "*"] == [["*", "有自己的房子", "0.551", "0.420"]]
    counts = [line.split() for line in values.splitlines()[1:]]
    assert ["年龄", "青年", "5", "3", "2", "0.971", "0.440"] in counts
    assert ["信贷情况", "非常好", "4", "0", "4", "0.000", "0.364"] in counts


def test_every_format_and_language_holds_the_same_figures() -> None:
    """CSV and JSON are exact; Markdown and Chinese headings hold the rows of the text."""
    found = feature_gains(table_of("lihang_5_1"), target="类别")
    record = json.loads(render(found, format="json"))
    assert (record["format"], record["version"], record["n"]) == ("treerules.gains", 1, 15)
    assert record["counts"] == {"否": 6, "是": 9}
    by_name = {feature["feature"]: feature for feature in record["features"]}
    for gain in found.features:
        assert by_name[gain.feature.name]["gain"] == gain.gain
        assert by_name[gain.feature.name]["gini"] == gain.gini
    lines = render(found, format="csv").splitlines()
    assert [line.split(",")[3] for line in lines[1:]] == [
        repr(gain.gain) for gain in sorted(found.features, key=lambda gain: -(gain.gain or 0))
    ]
    chinese = render(found, lang="zh")
    assert "信息增益比" in chinese and "15 行" in chinese
    english = render(found)
    assert [line.split() for line in chinese.splitlines() if "0.083" in line] == [
        line.split() for line in english.splitlines() if "0.083" in line
    ]
    assert "| 年龄 | 0.888 | 0.083 |" in render(found, format="md")


def test_a_regression_and_numbers_are_shown_too() -> None:
    """Dates are cut at dates, numbers with their threshold; missing values are counted."""
    table = Table.from_columns(
        {"x": [1.0, 2.0, None, 8.0], "flag": [True, False, True, None], "y": [1.5, 2.5, 3.5, math.pi]}
    )
    text = render(feature_gains(table, target="y"))
    assert "<= 1.5" in text and "squared error" in text and "known" in text
    assert feature_gains(table, target="y").feature("flag").feature.kind is Kind.BOOLEAN
    json.loads(render(feature_gains(table, target="y"), format="json"))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OptionError, lambda t, m: feature_gains(t)),
        (OptionError, lambda t, m: feature_gains(t, target="类别", tree=m)),
        (OptionError, lambda t, m: feature_gains(t, tree=m, node=99)),
        (OptionError, lambda t, m: feature_gains(t, tree=m, node=-1)),
        (OptionError, lambda t, m: feature_gains(t, tree=m, node=True)),
        (OptionError, lambda t, m: feature_gains(t, tree="m")),
        (OptionError, lambda t, m: feature_gains([1], target="类别")),
        (OptionError, lambda t, m: feature_gains(t, target="类别", recipe="cart")),
        (OptionError, lambda t, m: render(feature_gains(t, target="类别"), digits=True)),
        (UnknownNameError, lambda t, m: feature_gains(t, target="x")),
        (DataError, lambda t, m: feature_gains(Table.from_rows(rows_of("lihang_5_1")[:1]), tree=m, node=4)),
        (ColumnError, lambda t, m: feature_gains(table_of("quinlan_golf"), target="class", recipe=id3())),
        (OptionError, lambda t, m: render(feature_gains(t, target="类别"), format="xml")),
        (UnknownNameError, lambda t, m: render(feature_gains(t, target="类别"), lang="fr")),
        (OptionError, lambda t, m: render(feature_gains(t, target="类别"), digits=-1)),
    ],
)
def test_what_cannot_be_asked(error: type[Exception], call: Any) -> None:
    """Each with what is wrong and what to do."""
    table = table_of("lihang_5_1")
    with pytest.raises(error):
        call(table, learn(table, target="类别", recipe=cart()))

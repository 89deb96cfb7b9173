"""Each option of a recipe changes what `learn`, growers, the optimal search and certificates say, or is refused."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from attrs import evolve, fields

from selection import few
from treerules import Recipe, Table, c45, cart, id3, learn, optimal
from treerules.errors import TreeRulesError
from treerules.growing.array_tree import ArrayTree
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.growers import GROWERS
from treerules.growing.problem import problem_of
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import Grower, GrowthTask
from treerules.proof import certify, prove_optimal
from treerules.proof.certificate import Certificate
from treerules.proof.certificate_files import claim_text
from treerules.recipes.optimal_search import OptimalSearch
from treerules.recipes.size_choice import SizeChoice


def table(**columns: Any) -> Table:
    """Return a table whose column "k" is a category."""
    return Table.from_columns(columns, types={"k": "category"})


def noise(seed: int, x: list[Any]) -> Table:
    """Return a table of 120 rows of two classes, of which a third are drawn."""
    draw = random.Random(seed)
    xs, ks = [draw.choice(x) for _ in range(120)], [draw.choice("pqrs") for _ in range(120)]
    labels = ["ab"[(x.index(value) // 2 + (k in "pq")) % 2] for value, k in zip(xs, ks, strict=True)]
    return table(x=xs, k=ks, y=[draw.choice("ab") if draw.random() < 1 / 3 else label for label in labels])


#: Missing values; ties of two features; noise.
TABLES = (
    table(x=[1.0, 2, 3, 4, 5, 6, 7, None], k=list("ppqqrrss"), y=list("aabbabbc")),
    table(x=[1.0, 1, 2, 2, None, None, None, None], k=list("ppppqqpp"), y=list("ababcccc")),
    table(x=[1.0, 2, 3, 4] * 20, k=list("ppqq") * 20, y=list("aabb") * 20),
    table(x=list("uuvv") * 20, k=list("ppqq") * 20, y=list("aabb") * 20),
    noise(1, [1.0, 2, 3.25, 10, 11, 12, None]),
    noise(2, [1.0, 2, 3.25, 10, 11, 12]),
    noise(3, list("uvw")),
)
#: A value of each option that is not its default.
VALUES: dict[str, Any] = {
    "criterion": "entropy",
    "categories": "multiway",
    "thresholds": "data",
    "base": "e",
    "average_gain": True,
    "missing": "branch",
    "quinlan": True,
    "confidence": 0.1,
    "max_depth": 1,
    "max_leaves": 2,
    "min_samples_split": 5,
    "min_samples_leaf": 3,
    "min_gain": 0.5,
    "min_impurity": 0.6,
    "class_weight": {"a": 0.1},
    "priors": {"a": 0.9, "b": 0.1},
    "costs": {("a", "b"): 0.02},
    "monotone": {"x": -1},
    "feature_cost": {"x": 100.0},
    "prefer": ("k",),
    "size_choice": SizeChoice(folds=2),
    "optimal_search": OptimalSearch(time_limit=None),
}
OF_NO_TREE = {"name", "own_criterion"}
#: What is done after growth, or in its place.
OF_NO_GROWER = {"confidence", "size_choice", "optimal_search"}


def test_every_option_is_tried() -> None:
    """A new option of recipes stands in the table of values."""
    assert set(VALUES) | OF_NO_TREE == {option.name for option in fields(Recipe)}


def is_learned(data: Table, recipe: Recipe) -> bool:
    """Return whether a recipe learns from a table."""
    try:
        problem_of(data, target="y", recipe=recipe, features=["x", "k"])
    except TreeRulesError:
        return False
    return True


def answers(name: str, answer: Callable[[Table, Recipe], Any]) -> Iterator[tuple[Any, Any]]:
    """Yield what is answered by recipes with the default and with another value of an option, on each table."""
    for base in bases(name):
        try:
            changed = evolve(base, **{name: VALUES[name]})
        except TreeRulesError:
            continue
        for data in TABLES:
            if is_learned(data, base) and is_learned(data, changed):
                pair = answer(data, base), answer(data, changed)
                if None not in pair:
                    yield pair


def differs(pairs: Iterable[tuple[Any, Any]]) -> bool:
    """Return whether two answers differ somewhere, or nothing is answered."""
    pairs = list(pairs)
    return not pairs or any(one != other for one, other in pairs)


def bases(name: str) -> list[Recipe]:
    """Return recipes from which an option is changed; bounds of gains feel the base of logarithms."""
    if name == "base":
        return [cart(criterion="entropy", min_gain=0.9), id3(min_gain=0.9)]
    return [cart(), c45(), id3()]


@pytest.mark.parametrize("name", VALUES)
def test_an_option_changes_what_is_learned(name: str) -> None:
    """The tree of `learn`."""

    def learned(data: Table, recipe: Recipe) -> Any:
        return learn(data, target="y", recipe=recipe, features=["x", "k"]).root

    assert differs(answers(name, learned))


def grown(grower: Grower, data: Table, recipe: Recipe) -> Any:
    """Return the root that a grower makes; None where it refuses the task."""
    problem = problem_of(data, target="y", recipe=recipe, features=["x", "k"])
    task = GrowthTask(problem, recipe, compiled=grower.name == "compiled")
    if grower.refusal(task) is not None:
        return None
    result = grower.grow(task)
    return to_nodes(result, problem, recipe) if isinstance(result, ArrayTree) else result


@pytest.mark.parametrize("name", few(sorted(VALUES.keys() - OF_NO_GROWER), 5))
def test_the_reference_follows_an_option(name: str) -> None:
    """Its tree changes on some table; it refuses no recipe."""
    assert differs(answers(name, partial(grown, REFERENCE)))


@pytest.mark.parametrize(
    "grower",
    [
        pytest.param(grower, id=grower.name, marks=[pytest.mark.compiled] if grower.name == "compiled" else [])
        for grower in GROWERS
        if grower is not REFERENCE
    ],
)
@pytest.mark.parametrize("name", few(sorted(VALUES.keys() - OF_NO_GROWER), 5))
def test_a_grower_follows_an_option_as_the_reference_does_or_refuses_it(grower: Grower, name: str) -> None:
    """From recipes that it grows."""

    def pair(data: Table, recipe: Recipe) -> Any:
        root = grown(grower, data, recipe)
        return None if root is None else (root, grown(REFERENCE, data, recipe))

    assert any(pair(data, base) for data in TABLES for base in bases(name) if is_learned(data, base))
    for both in answers(name, pair):
        assert all(root == reference for root, reference in both)


# ---- the search for the tree of least cost, and certificates

BASE = optimal(max_depth=2, leaf_penalty=0.5, time_limit=None)
#: A table where a search of depth 3 does not end at once.
WIDE = noise(0, [float(number) for number in range(12)])
SEARCHES: dict[str, Any] = {
    "leaf_penalty": OptimalSearch(2.0, None),
    "gap": OptimalSearch(0.5, None, gap=0.9),
    "time_limit": OptimalSearch(0.5, 1e-9),
}
#: Options that choose among trees of equal cost, or the price of a leaf, which a certificate holds.
OF_NO_CLAIM = {"thresholds", "size_choice"}


def test_every_option_of_the_search_is_tried() -> None:
    """A new option of `OptimalSearch` stands in the table of searches."""
    assert set(SEARCHES) == {option.name for option in fields(OptimalSearch)}


def searched(name: str) -> dict[str, Any]:
    """Return what is changed in a recipe of `optimal()`."""
    if name == "size_choice":
        return {"size_choice": SizeChoice(folds=2), "optimal_search": OptimalSearch(None, None)}
    return {"optimal_search": SEARCHES[name]} if name in SEARCHES else {name: VALUES[name]}


@pytest.mark.parametrize("name", sorted({*VALUES, *SEARCHES} - {"optimal_search"}))
def test_the_search_follows_an_option_or_refuses_it(name: str) -> None:
    """Its tree or its bounds, and the claim of its certificate."""
    base = evolve(BASE, max_depth=3) if name == "gap" else BASE
    try:
        recipe = evolve(base, **searched(name))
    except TreeRulesError:
        return
    trees, claims = [], []
    for data in [WIDE] if name == "gap" else filter(lambda data: is_learned(data, recipe), TABLES):
        pair = [learn(data, target="y", recipe=each, features=["x", "k"]) for each in (base, recipe)]
        trees.append(tuple((tree.root, tree.bounds) for tree in pair))
        claims.append(tuple(claim(prove_optimal(tree, data)) for tree in pair))
    assert trees and differs(trees)
    assert name in OF_NO_CLAIM or differs(claims)


def claim(certificate: Certificate) -> Any:
    """Return what a certificate says, without its recipe."""
    return claim_text(certificate), certificate.cost / certificate.scale, certificate.proof


@pytest.mark.parametrize("name", sorted({*VALUES, *SEARCHES} - OF_NO_CLAIM - {"optimal_search", "gap", "time_limit"}))
def test_the_check_follows_an_option_or_refuses_it(name: str) -> None:
    """An option that is changed in a certificate changes its claim, or is found out."""
    data = TABLES[4]
    certificate = prove_optimal(learn(data, target="y", recipe=BASE, features=["x", "k"]), data)
    try:
        forged = evolve(certificate, recipe=evolve(BASE, **searched(name)))
    except TreeRulesError:
        return
    assert claim_text(forged) != claim_text(certificate) or certify(forged, data).problem is not None

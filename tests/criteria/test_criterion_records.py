"""Criteria as records: the law of `CRITERIA`, criteria of a user's own, and the names that are errors everywhere."""

import ast
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import isclose, sqrt
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import treerules
from sources import files_with, syntax_nodes
from treerules import (
    Recipe,
    Table,
    Tree,
    cart,
    compile_rules,
    importances,
    learn,
    load,
    load_recipe,
    predict,
    prune,
    relearn,
    render,
    save,
    to_python,
)
from treerules.cli.recipe_options import recipe_options
from treerules.criteria import CRITERIA, Criterion, Impurity, split_information
from treerules.criteria.table import VARIANCE
from treerules.errors import ColumnError, ModelFileError, OptionError, TreeRulesError
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.levelwise.level_growth import level_refusal
from treerules.growing.problem import problem_of
from treerules.growing.refusals import binary_criterion_refusal
from treerules.recipes.recipe_files import recipe_of
from treerules.trees import Split, tree_from_json, tree_to_json
from treerules.trees.json_codec import _digest

SOURCE = Path(treerules.__file__).parent
Groups = Sequence[Sequence[float]]

# ---- two criteria of a user's own


def hellinger(groups: Groups, base: str) -> float:
    """Return the Hellinger distance between the classes' shares of the children (Cieslak and Chawla 2008).

    Of more than two classes it is the root of the sum of the squared distances of all pairs.
    """
    shares = [[count / sum(column) for count in column] for column in zip(*groups, strict=True)]
    return sqrt(
        sum((sqrt(a) - sqrt(b)) ** 2 for one, two in combinations(shares, 2) for a, b in zip(one, two, strict=True))
    )


def chi_square(groups: Groups, base: str) -> float:
    """Return Pearson's statistic of the table of children and classes (Kass 1980)."""
    columns = [sum(column) for column in zip(*groups, strict=True)]
    n = sum(columns)
    expected = [[sum(group) * column / n for column in columns] for group in groups]
    pairs = ((o, e) for group, row in zip(groups, expected, strict=True) for o, e in zip(group, row, strict=True))
    return sum((o - e) ** 2 / e for o, e in pairs)


def chi_squares(counts: Any, base: str) -> Any:
    """Return the statistics of many splits at once; `counts` has the shape (children, classes, splits)."""
    sizes, columns = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    expected = sizes * columns / sizes.sum(axis=0)
    return (np.square(counts - expected) / np.where(expected > 0, expected, 1.0)).sum(axis=(0, 1))


def misclassification(counts: Sequence[float], base: str) -> float:
    """Return the share of all classes but the largest."""
    return 1 - max(counts) / sum(counts)


HELLINGER = Criterion("own_hellinger", hellinger)
CHI_SQUARE = Criterion("chi_square", chi_square, scores=chi_squares, words={"en": "chi-square", "zh": "卡方"})
OWN = (HELLINGER, CHI_SQUARE)


def balance(groups: Groups, base: str) -> float:
    """Return the entropy of the children's sizes: the best subset is no cut in the order of the classes' shares."""
    return split_information(groups, "2")


BALANCE = Criterion("balance", balance)


# ---- the best split by brute force


@frozen
class Rows:
    """Some rows of a table: the cells of each feature, the target and the weights."""

    cells: dict[str, tuple[Any, ...]]
    target: tuple[Any, ...]
    weights: tuple[float, ...]
    #: what least numbers of rows count of each row; None: its weight
    sizes: tuple[float, ...] | None = None

    def of(self, chosen: Sequence[int]) -> "Rows":
        """Return the rows of these numbers."""
        cells = {name: tuple(column[row] for row in chosen) for name, column in self.cells.items()}
        sizes = None if self.sizes is None else tuple(self.sizes[row] for row in chosen)
        weights = tuple(self.weights[row] for row in chosen)
        return Rows(cells, tuple(self.target[row] for row in chosen), weights, sizes)


@frozen
class Best:
    """A split: its feature, its first child's rows of known value, and the child that missing values go to."""

    feature: str
    order: tuple[Any, ...]
    children: tuple[frozenset[int], ...]
    score: float


def _sides(column: Sequence[Any]) -> Iterator[tuple[tuple[Any, ...], frozenset[int]]]:
    """Yield the order among equals, and the first side, of each split of a column's known values."""
    known = [(value, row) for row, value in enumerate(column) if value is not None]
    values = sorted({value for value, _ in known})
    if values and isinstance(values[0], str):
        for size in range(len(values) - 1):
            for others in combinations(range(1, len(values)), size):
                side = {values[place] for place in (0, *others)}
                yield (False, (0, *others)), frozenset(row for value, row in known if value in side)
    else:
        for place, threshold in enumerate(values[:-1]):
            yield (False, (place,)), frozenset(row for value, row in known if value <= threshold)


def _weight(rows: Rows, chosen: Any) -> float:
    return sum(rows.weights[row] for row in chosen)


def _size(rows: Rows, chosen: Any) -> float:
    sizes = rows.weights if rows.sizes is None else rows.sizes
    return sum(sizes[row] for row in chosen)


def _groups(rows: Rows, children: Sequence[Any], criterion: Criterion) -> Any:
    if "regression" in criterion.tasks and "classification" not in criterion.tasks:
        return [(_weight(rows, one), sum(rows.weights[row] * rows.target[row] for row in one)) for one in children]
    classes = sorted(set(rows.target))
    return [[sum(rows.weights[row] for row in one if rows.target[row] == c) for c in classes] for one in children]


def _score(rows: Rows, children: Sequence[Any], criterion: Criterion) -> float:
    """Return the criterion's own score of children that have rows, times the share of those."""
    groups = [group for group in _groups(rows, children, criterion) if any(group)]
    if "classification" in criterion.tasks:  # a class that no child has is left out
        kept = [place for place, column in enumerate(zip(*groups, strict=True)) if any(column)]
        groups = [[group[place] for place in kept] for group in groups]
        if len(kept) < 2:
            return 0.0
    return criterion.score(groups, "2") * sum(_weight(rows, one) for one in children) / sum(rows.weights)


def _tolerance(rows: Rows, criterion: Criterion) -> float:
    """Return 1e-12 of the impurity of the node, or of the score of the split that separates its classes."""
    if criterion.impurity is None:
        classes = [[row for row, label in enumerate(rows.target) if label == c] for c in sorted(set(rows.target))]
        return 1e-12 * _score(rows, classes, criterion)
    (counts,) = _groups(rows, [range(len(rows.target))], criterion)
    if criterion.impurity is VARIANCE:
        n, total = counts
        squares = sum(w * y * y for w, y in zip(rows.weights, rows.target, strict=True))
        return 1e-12 * (squares / n - (total / n) ** 2)
    return 1e-12 * criterion.impurity.of(counts, "2")


def _candidates(rows: Rows, recipe: Recipe, criterion: Criterion) -> Iterator[Best]:
    """Yield every split of the rows, with its missing values where the recipe sends them."""
    tolerance = _tolerance(rows, criterion)
    for feature, column in rows.cells.items():
        known = frozenset(row for row, value in enumerate(column) if value is not None)
        missing = frozenset(range(len(column))) - known
        for order, first in _sides(column):
            sides = (first, known - first)
            sizes = [_weight(rows, side) for side in sides]
            largest = 0 if sizes[0] >= sizes[1] else 1
            filled = [(sides[0] | missing, sides[1]), (sides[0], sides[1] | missing)]
            fits = [min(_size(rows, side) for side in pair) >= recipe.min_samples_leaf for pair in filled]
            if recipe.missing == "larger" or not missing:
                if min(_size(rows, side) for side in sides) >= recipe.min_samples_leaf:
                    yield Best(feature, order, filled[largest], _score(rows, sides, criterion))
            elif any(fits):
                scores = [_score(rows, pair, criterion) if ok else -1.0 for pair, ok in zip(filled, fits, strict=True)]
                to = largest if scores[largest] >= max(scores) - tolerance else 1 - largest
                yield Best(feature, order, filled[to], max(scores))
        apart = (known, missing)
        if recipe.missing == "learned" and min(_size(rows, side) for side in apart) >= recipe.min_samples_leaf:
            yield Best(feature, (True, ()), apart, _score(rows, apart, criterion))


def best_of(rows: Rows, recipe: Recipe, criterion: Criterion) -> Best | None:
    """Return the best split by the rules of design: first feature, lowest cut, first categories among equals."""
    best = _unbounded_best(rows, recipe, criterion)
    return best if best is None or best.score >= recipe.min_gain else None


def _unbounded_best(rows: Rows, recipe: Recipe, criterion: Criterion) -> Best | None:
    tolerance = _tolerance(rows, criterion)
    found = list(_candidates(rows, recipe, criterion))
    places = {name: place for place, name in enumerate(rows.cells)}

    def first_of(candidates: list[Best]) -> Best:
        most = max(candidate.score for candidate in candidates)
        tied = [candidate for candidate in candidates if candidate.score >= most - tolerance]
        return min(tied, key=lambda candidate: (places[candidate.feature], candidate.order))

    if criterion.divisor is None:
        gaining = [candidate for candidate in found if candidate.score > tolerance]
        return first_of(gaining) if gaining else None
    finalists = [first_of(own) for name in places if (own := [one for one in found if one.feature == name])]
    finalists = [one for one in finalists if one.score > tolerance]
    if not finalists:
        return None
    widths = [_width(rows, one, recipe, criterion) for one in finalists]
    ratios = [one.score / width if width > 0 else 0.0 for one, width in zip(finalists, widths, strict=True)]
    best = ratios.index(max(ratios))
    tied = (
        evolve(one, score=ratio)
        for one, ratio, width in zip(finalists, ratios, widths, strict=True)
        if (ratios[best] - ratio) * min(width, widths[best]) <= tolerance
    )
    return next(tied)


def _width(rows: Rows, one: Best, recipe: Recipe, criterion: Criterion) -> float:
    assert criterion.divisor is not None
    known = {row for row, value in enumerate(rows.cells[one.feature]) if value is not None}
    children = [child & known if recipe.missing == "larger" else child for child in one.children]
    return criterion.divisor([(_weight(rows, child),) for child in children], "2")


def check_against_brute_force(rows: Rows, recipe: Recipe, criterion: Criterion, tree: Tree) -> int:
    """Check each split of a tree against the best of all; return how many there are."""
    are_copies = all(float(weight).is_integer() for weight in rows.weights)  # otherwise least numbers count rows
    counted = rows if are_copies else evolve(rows, sizes=(1.0,) * len(rows.weights))
    splits, waiting = 0, [(tree.root, counted, 0)]
    while waiting:
        node, here, depth = waiting.pop()
        is_pure = len(set(here.target)) < 2 or _size(here, range(len(here.target))) < recipe.min_samples_split
        best = None if is_pure or depth == recipe.max_depth else best_of(here, recipe, criterion)
        assert isinstance(node, Split) is (best is not None)
        if isinstance(node, Split) and best is not None:
            assert tree.schema.features[node.test.feature].name == best.feature
            children = [[] for _ in node.children]  # type: ignore[var-annotated]
            for row in range(len(here.target)):
                value = here.cells[best.feature][row]
                children[_child(tree, node, value)].append(row)
            assert [frozenset(child) for child in children] == list(best.children)
            splits += 1
            waiting += [(child, here.of(own), depth + 1) for child, own in zip(node.children, children, strict=True)]
    return splits


def _child(tree: Tree, node: Split, value: Any) -> int:
    if value is None:
        return node.missing
    categories = tree.schema.features[node.test.feature].categories
    groups: Any = getattr(node.test, "groups", None)
    if groups is None:
        return 0 if value <= node.test.threshold else 1  # type: ignore[union-attr]
    return next(place for place, group in enumerate(groups) if value in [categories[code] for code in group])


def worlds(targets: Sequence[Any], weights: Sequence[float] = (1, 1, 2, 3.5)) -> st.SearchStrategy[Rows]:
    """Draw rows with a number, a category and an integer, ties, missing values and weights."""
    return st.builds(_world, st.just(targets), st.just(weights), st.integers(0, 1 << 32), st.integers(4, 30))


def _world(targets: Sequence[Any], weights: Sequence[float], seed: int, n: int) -> Rows:
    random = Random(seed)
    values = {"x": (None, 0.5, 1.0, 2.5, 4.0, 8.0), "c": (None, "a", "b", "c", "d"), "k": (1, 2, 3)}
    cells = {name: tuple(random.choices(column, k=n)) for name, column in values.items()}
    return Rows(cells, tuple(random.choices(targets, k=n)), tuple(random.choices(weights, k=n)))


KINDS = {"x": "number", "c": "category", "k": "integer"}


def grown(rows: Rows, recipe: Recipe) -> Tree:
    """Return the tree of some rows, all of whose columns take part."""
    table = Table.from_columns(
        {**rows.cells, "y": rows.target},
        types={name: KINDS[name] for name in rows.cells},
    )
    return learn(table, target="y", recipe=recipe, features=list(rows.cells), weight=np.array(rows.weights))


def _plain(rows: Rows) -> Rows:
    return evolve(rows, weights=(1.0,) * len(rows.weights))


# ---- the law of the table


@pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
@pytest.mark.parametrize("missing", ["larger", "learned"])
@given(st.data())
def test_brute_force_chooses_the_same_split(missing: str, criterion: Criterion, data: Any) -> None:
    """Of every row of `CRITERIA`: each node of the tree has the best of all splits, and a leaf has none that gains."""
    targets = (0.0, 1.0, 4.0, 9.5) if criterion.tasks == ("regression",) else ("p", "q", "r")
    rows = data.draw(worlds(targets[: data.draw(st.integers(2, len(targets)))]))
    rows = rows if data.draw(st.booleans()) else _plain(rows)
    least = data.draw(st.sampled_from([1, 2.5]))
    gain = data.draw(st.sampled_from([0.0, 0.1]))
    recipe = Recipe(
        "any", criterion.name, "subset", missing=missing, max_depth=3, min_samples_leaf=least, min_gain=gain
    )
    check_against_brute_force(rows, recipe, criterion, grown(rows, recipe))


def test_rows_have_words_in_both_languages() -> None:
    """What importances and reports print of a criterion is there in English and Chinese."""
    for name, row in CRITERIA.items():
        assert row.name == name
        assert {lang for lang, _ in row.words} == {"en", "zh"}
        assert row.impurity is None or {lang for lang, _ in row.impurity.words} == {"en", "zh"}


@pytest.mark.parametrize("criterion", [c for c in CRITERIA.values() if c.impurity and "classification" in c.tasks])
def test_the_impurity_is_the_score_of_the_split_that_separates_the_classes(criterion: Criterion) -> None:
    """So tolerances of criteria without an impurity are relative to the same quantity."""
    counts = (5, 3, 0.5)
    separated = [[c * (at == place) for at, c in enumerate(counts)] for place in range(3)]
    assert isclose(criterion.largest_score(counts, "2"), criterion.score_of(separated, "2"), rel_tol=1e-12)
    bare = evolve(criterion, name="bare", impurity=None)
    assert isclose(bare.largest_score(counts, "2"), criterion.largest_score(counts, "2"), rel_tol=1e-12)


# ---- criteria of a user's own


@pytest.mark.parametrize("criterion", [*OWN, BALANCE], ids=lambda own: own.name)
@pytest.mark.parametrize("missing", ["larger", "learned"])
@given(st.data())
def test_an_own_criterion_grows_the_tree_of_brute_force(missing: Any, criterion: Criterion, data: Any) -> None:
    """By numbers, categories, integers, missing values and weights, of two classes and of three."""
    rows = data.draw(worlds(("p", "q", "r")[: data.draw(st.integers(2, 3))]))
    rows = rows if data.draw(st.booleans()) else _plain(rows)
    least = data.draw(st.sampled_from([1, 2.5]))
    gain = data.draw(st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8]))
    recipe = cart(criterion=criterion, missing=missing, max_depth=3, min_samples_leaf=least, min_gain=gain)
    assert recipe.criterion == criterion.name
    check_against_brute_force(rows, recipe, criterion, grown(rows, recipe))


@pytest.mark.parametrize("choices", [{"categories": "one_against_rest"}, {"missing": "branch"}, {"max_leaves": 4}])
@given(worlds(("p", "q", "r")))
def test_the_vectorised_score_grows_the_tree_of_the_readable_one(choices: Any, rows: Rows) -> None:
    """`scores` only makes it faster."""
    slow = evolve(CHI_SQUARE, scores=None)
    assert grown(rows, cart(criterion=CHI_SQUARE, **choices)) == grown(rows, cart(criterion=slow, **choices))


@pytest.mark.parametrize("missing", ["larger", "learned", "branch", "fraction"])
@pytest.mark.parametrize("categories", ["subset", "one_against_rest", "multiway"])
@given(st.data())
def test_gini_as_a_users_criterion_grows_the_tree_of_gini(categories: str, missing: str, data: Any) -> None:
    """The general way of scoring, by the readable score alone, gives the trees of the special one."""
    rows = data.draw(worlds(("p", "q", "r")[: data.draw(st.integers(2, 3))]))
    own = Criterion("own", CRITERIA["gini"].score)
    recipe = Recipe("any", "gini", categories, missing=missing, max_depth=3)
    assert grown(rows, evolve(recipe, criterion=own)).root == grown(rows, recipe).root


@given(worlds(("p", "q")))
def test_class_weights_weigh_the_counts_of_an_own_criterion(rows: Rows) -> None:
    """A class of weight 20 has twenty times the counts."""
    rows = evolve(rows, cells={"x": tuple(value or 0.5 for value in rows.cells["x"]), "k": rows.cells["k"]})
    if "q" in rows.target:
        recipe = cart(criterion=CHI_SQUARE, max_depth=3, class_weight={"q": 20.0})
        weights = tuple(w * (20 if label == "q" else 1) for w, label in zip(rows.weights, rows.target, strict=True))
        check_against_brute_force(evolve(rows, weights=weights), recipe, CHI_SQUARE, grown(rows, recipe))


def example(n: int = 40) -> Table:
    """Return a table with numbers, categories and missing values."""
    random = np.random.default_rng(5)
    x = random.integers(0, 9, n).tolist()
    c = [None if value > 7 else "abcdefgh"[value] for value in random.integers(0, 9, n).tolist()]
    y = ["yes" if (a > 4) ^ (b in ("a", "b", "c")) or a == 0 else "no" for a, b in zip(x, c, strict=True)]
    return Table.from_columns({"x": x, "c": c, "y": y})


@pytest.mark.parametrize("criterion", OWN, ids=lambda own: own.name)
def test_an_own_criterion_works_from_learning_to_emitting(criterion: Criterion, tmp_path: Path) -> None:
    """Learn, prune, importances, rules, code, save, load, learn again: nothing else is touched."""
    table = example()
    tree = learn(table, target="y", recipe=cart(criterion=criterion, max_depth=4))
    assert tree.n_leaves > 3
    pruned = prune(tree, "cost_complexity", alpha=3)
    assert 1 < pruned.n_leaves < tree.n_leaves
    assert relearn(pruned, table) == pruned
    save(pruned, path := tmp_path / "a.tree.json")
    loaded = load(path)
    assert loaded == pruned
    assert tree_to_json(loaded) == tree_to_json(pruned)
    assert predict(loaded, table).tolist() == predict(pruned, table).tolist()
    assert to_python(compile_rules(loaded)) == to_python(compile_rules(pruned))
    assert prune(loaded, "penalised", alpha=1) == prune(pruned, "penalised", alpha=1)
    for verb in (lambda: relearn(loaded, table), lambda: importances(loaded)):
        with pytest.raises(OptionError, match=rf"criterion='{criterion.name}'\): expected its Criterion"):
            verb()
    assert relearn(loaded, table, criterion=criterion) == pruned
    assert importances(loaded, criterion=criterion) == importances(pruned)
    with pytest.raises(OptionError, match="the Criterion that the tree was learned by"):
        relearn(loaded, table, criterion=evolve(criterion, name="other"))


@pytest.mark.parametrize("criterion", OWN, ids=lambda own: own.name)
def test_importances_of_a_criterion_without_an_impurity_are_scores_of_splits(criterion: Criterion) -> None:
    """The sum of n x score over the splits of a feature, per row of the root."""
    tree = learn(example(), target="y", recipe=cart(criterion=criterion, max_depth=3))
    sums, waiting = {"x": 0.0, "c": 0.0}, [tree.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Split):
            figures = [child.as_leaf if isinstance(child, Split) else child for child in node.children]
            groups: Any = [leaf.counts for leaf in figures]  # type: ignore[union-attr]
            n = sum(map(sum, groups))
            kept = [place for place, column in enumerate(zip(*groups, strict=True)) if any(column)]
            score = criterion.score([[group[place] for place in kept] for group in groups], "2")
            sums[tree.schema.features[node.test.feature].name] += n * score / 40
            waiting += node.children
    found = importances(tree)
    assert found.measure == criterion.name
    for one in found.features:
        assert one.decrease is not None
        assert isclose(one.decrease, sums[one.feature], rel_tol=1e-9)
        assert isclose(one.value, sums[one.feature] / sum(sums.values()), rel_tol=1e-9)


def test_importances_print_the_words_of_the_criterion() -> None:
    """The record's word in the language; its name where it has none."""
    trees = {own.name: learn(example(), target="y", recipe=cart(criterion=own, max_depth=2)) for own in OWN}
    assert "y: score of splits (own_hellinger)" in render(importances(trees["own_hellinger"]))
    assert "y: score of splits (chi-square)" in render(importances(trees["chi_square"]))
    assert "y: 划分得分(卡方)" in render(importances(trees["chi_square"]), lang="zh")


def test_an_own_impurity_is_what_importances_measure() -> None:
    """A criterion with an impurity of its own has it in importances, `min_impurity` and tolerances."""
    error = Impurity("error", misclassification, {"zh": "错误率"})
    own = Criterion("own", CRITERIA["gini"].score, impurity=error)
    found = importances(learn(example(), target="y", recipe=cart(criterion=own, max_depth=2)))
    assert found.measure == "error"
    assert "不纯度减少量(错误率)" in render(found, lang="zh")
    assert learn(example(), target="y", recipe=cart(criterion=own, min_impurity=0.5)).n_leaves == 1


@pytest.mark.parametrize("criterion", [*OWN, *CRITERIA.values()], ids=lambda row: row.name)
def test_records_and_their_recipes_can_be_pickled(criterion: Criterion) -> None:
    """Folds are learned in other processes; records are equal by value."""
    assert pickle.loads(pickle.dumps(criterion)) == criterion
    recipe = Recipe("any", criterion, "subset")  # type: ignore[arg-type]
    again = pickle.loads(pickle.dumps(recipe))
    assert again == recipe
    assert hash(again) == hash(recipe)
    assert again.scoring == recipe.scoring == criterion
    assert evolve(recipe, max_depth=3).scoring == criterion
    assert evolve(recipe, criterion="gini").scoring is CRITERIA["gini"]


def test_a_recipe_holds_the_name() -> None:
    """A row of `CRITERIA` and its name make the same recipe; the text of an own criterion is its name."""
    assert cart(criterion=CRITERIA["entropy"]) == cart(criterion="entropy")
    assert cart(criterion=CRITERIA["entropy"]).own_criterion is None
    assert repr(cart(criterion=HELLINGER)) == repr(cart()).replace("gini", "own_hellinger")


# ---- what is refused


def test_the_fast_growers_refuse_an_own_criterion_with_a_reason() -> None:
    """The reference grows it, compiled or not, on any number of threads."""
    table = example(200)
    for own in OWN:
        recipe = cart(criterion=own, max_depth=4)
        problem = problem_of(table, target="y", recipe=recipe)
        assert f"the criterion {own.name}" in str(kernel_refusal(problem, recipe, None))
        assert level_refusal(problem, recipe, None) is not None
        assert binary_criterion_refusal(own) == f"no compiled kernel computes the criterion {own.name}"
        trees = [learn(table, target="y", recipe=recipe, compiled=c, threads=t) for c, t in ((True, 2), (False, 1))]
        assert trees[0] == trees[1]
    gain_ratio = CRITERIA["gain_ratio"]
    assert binary_criterion_refusal(gain_ratio) == "the criterion gain_ratio compares features by a ratio"


def test_tasks_are_checked() -> None:
    """A criterion of classes refuses a regression, and the squared error classes."""
    table = Table.from_columns({"x": [1.5, 2.5, 3.5, 4.5], "y": [1.5, 1.5, 2.5, 7.0], "z": ["a", "a", "b", "b"]})
    with pytest.raises(
        ColumnError, match="which the criterion own_hellinger cannot learn; use the criterion squared_error"
    ):
        learn(table, target="y", recipe=cart(criterion=HELLINGER))
    with pytest.raises(OptionError, match=r"criterion='squared_error'\): expected one of a classification"):
        learn(table, target="z", recipe=cart(criterion="squared_error"))
    assert (
        learn(table, target="y", recipe=cart(criterion="squared_error")).root
        == learn(table, target="y", recipe=cart()).root
    )
    both = evolve(HELLINGER, tasks=("classification", "regression"))
    assert learn(table, target="y", recipe=cart(criterion=both)).root == learn(table, target="y", recipe=cart()).root


def lone(criterion: Any = "gini") -> Tree:
    """Return a tree of one split."""
    return learn(example(), target="y", recipe=cart(criterion=criterion, max_depth=1))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Criterion("no name", hellinger), "an identifier"),
        (lambda: Criterion("own", None), "score of the criterion own"),  # type: ignore[arg-type]
        (lambda: Criterion("own", hellinger, scores=3), "scores of the criterion own"),  # type: ignore[arg-type]
        (lambda: Criterion("own", hellinger, tasks=("ranking",)), "classification, regression or both"),  # type: ignore[arg-type]
        (lambda: cart(criterion=Criterion("gini", hellinger)), "gini is one of treerules' own"),
        (lambda: cart(criterion=HELLINGER, min_impurity=0.1), "criterion that has no impurity"),
        (lambda: Recipe("any", HELLINGER, "grouped"), "criterion that has no purity"),  # type: ignore[arg-type]
        (lambda: importances(lone(), criterion=3), "a Criterion for a classification"),  # type: ignore[arg-type]
        (lambda: lone(Criterion("own", lambda groups, base: float("nan"))), "score of the criterion own"),
    ],
)
def test_what_means_nothing_is_refused(make: Callable[[], Any], message: str) -> None:
    """An invalid record, or a choice that needs what the record lacks, is an error."""
    with pytest.raises(OptionError, match=message):
        make()


def _in_model_file(name: str) -> Tree:
    content = json.loads(tree_to_json(learn(example(), target="y", recipe=cart())))
    content["recipe"]["criterion"] = name
    body = {key: value for key, value in content.items() if key not in ("format", "version", "digest")}
    return tree_from_json(json.dumps({**content, "digest": _digest(body)}))


@pytest.mark.parametrize("name", ["no_criterion", "Gini", "", "squares", "criterion"])
def test_an_unknown_name_is_an_error_everywhere(name: str, tmp_path: Path) -> None:
    """No unknown name grows another criterion's tree."""
    (path := tmp_path / "recipe.toml").write_text(f'criterion = "{name}"\n', "utf-8")
    for make in (
        lambda: cart(criterion=name),
        lambda: Recipe("any", name, "subset"),
        lambda: evolve(cart(), criterion=name),
        lambda: recipe_of({"criterion": name}),
        lambda: load_recipe(path),
    ):
        with pytest.raises(OptionError, match=rf"criterion='{name}'\): expected one of {', '.join(CRITERIA)}"):
            make()
    with pytest.raises(ModelFileError, match="criterion is"):
        _in_model_file(name)
    with pytest.raises(TreeRulesError):
        prune(learn(example(), target="y", recipe=cart()), "cost_complexity", alpha=1, risk=name)
    found = CliRunner().invoke(click.command()(recipe_options(lambda **options: None, "auto")), ["--criterion", name])
    assert found.exit_code == 2
    assert "Invalid value for '--criterion'" in found.output


def test_the_command_line_lists_the_table() -> None:
    """`--criterion` takes the names of `CRITERIA`."""
    command = click.command()(recipe_options(lambda **options: None, "auto"))
    (option,) = (option for option in command.params if option.name == "criterion")
    assert list(option.type.choices) == list(CRITERIA)  # type: ignore[attr-defined]


def _constants(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the text constants of a module, but for docstrings and the keys of dictionaries."""
    keys = {id(key) for node in syntax_nodes(path) if isinstance(node, ast.Dict) for key in node.keys}
    for node in syntax_nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in keys:
            yield node.lineno, node.value


def test_no_module_names_a_criterion() -> None:
    """Outside `criteria`, `recipes` and the keys of JSON no constant is a name of a criterion, and no flag is one."""
    flags = {f"{prefix}_{word}" for prefix in ("by", "is") for word in ("squares", "entropy", *CRITERIA)}
    found = []
    for path in files_with(SOURCE, "|".join([*flags, *(f'"{name}"' for name in CRITERIA)])):
        folder = path.relative_to(SOURCE).parts[0]
        names = {node.id for node in syntax_nodes(path) if isinstance(node, ast.Name)}
        names |= {node.attr for node in syntax_nodes(path) if isinstance(node, ast.Attribute)}
        found += [(path.name, name) for name in names & flags]
        if folder not in ("criteria", "recipes"):
            found += [(path.name, line, text) for line, text in _constants(path) if text in CRITERIA]
    assert not found


def test_a_record_whose_forms_disagree_is_refused() -> None:
    """No function of a record can stand in for its score, unless it gives the same."""
    wrong: dict[str, Any] = {
        "known_score": lambda groups, known, n, base: 0.0,
        "exact_score": lambda groups, n: None,
        "scores": lambda counts, base: np.full(counts.shape[2], np.nan),
        "purity": lambda sums, n: n,
    }
    for name, function in wrong.items():
        with pytest.raises(OptionError, match=f"{name} of the criterion own"):
            Criterion("own", hellinger, **{name: function})
    with pytest.raises(OptionError, match="of the criterion own"):
        evolve(CRITERIA["gini"], name="own", score=hellinger)


def test_a_record_like_a_row_is_grown_by_its_own_functions() -> None:
    """Kernels compute the rows of the table alone; the reference grows a copy of another name, to the same tree."""
    copy = evolve(CRITERIA["gini"], name="own")
    table = example(200)
    for compiled in (True, False):
        own, row = (learn(table, target="y", recipe=cart(criterion=c), compiled=compiled) for c in (copy, "gini"))
        assert own.root == row.root
    assert binary_criterion_refusal(copy) is not None and binary_criterion_refusal(CRITERIA["gini"]) is None


@pytest.mark.parametrize(
    "given", [{"impurity": "gini"}, {"tasks": None}, {"words": 5}, {"words": "abc"}, {"score": None}]
)
def test_what_is_no_part_of_a_record_is_refused(given: dict[str, Any]) -> None:
    """Each field says what it wants."""
    with pytest.raises(OptionError):
        Criterion(**{"name": "own", "score": hellinger, **given})
    with pytest.raises(OptionError, match="a finite number"):
        Criterion("own", lambda groups, base: "0.5")

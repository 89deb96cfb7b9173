"""Pruning against brute force over all subtrees, the books' numbers, scikit-learn, SciPy and Weka."""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from pruning_cases import LABELS, RECIPES, ab, end, fork, full, problems
from published_tables import LOAN, rows_of, target_of
from strategies_random import a_value, trees_with_rows
from treerules import Feature, Kind, Recipe, Schema, Table, Tree, cart, id3, learn, predict
from treerules.criteria import entropy
from treerules.errors import ColumnError, DataError, OptionError, TreeRulesError, UnknownNameError
from treerules.pruning.common import risk_of
from treerules.pruning.cost_complexity import collapse_alphas, cost_complexity, cost_complexity_path
from treerules.pruning.error_bounds import LIMITS, extra_errors, incomplete_beta
from treerules.pruning.merge_equal_leaves import merge_equal_leaves
from treerules.pruning.minimum_error import minimum_error
from treerules.pruning.penalised import penalised, penalised_loss
from treerules.pruning.pessimistic import pessimistic
from treerules.pruning.pruners import prune
from treerules.pruning.reduced_error import reduced_error
from treerules.pruning.snip import snip
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Node,
    Split,
    ThresholdTest,
    find_leaf,
    leaves,
    preorder,
    unfold,
)

RISKS = ("misclassification", "gini", "entropy")
ALPHAS = (0.0, 0.125, 0.3, 0.5, 1.0, 4 / 3, 2.0, 3.7, 10.0)


# ---- trees to prune


@st.composite
def grown(draw: st.DrawFn) -> Tree:
    """Draw a small learned classification, with few enough subtrees to try them all."""
    return learned(draw(problems()), draw(st.sampled_from(RECIPES)))


@st.composite
def means(draw: st.DrawFn) -> Tree:
    """Draw a small learned regression."""
    return learned(draw(problems((0.0, 0.5, 1.0, 2.0, 8.0))), cart(max_depth=4))


def learned(data: dict[str, list[Any]], recipe: Recipe) -> Tree:
    """Return the tree of a drawn table, all columns kept."""
    return learn(Table.from_columns(data), target="y", recipe=recipe, features=[name for name in data if name != "y"])


# ---- oracles: every subtree, one at a time


def subtrees(node: Node) -> Iterator[Node]:
    """Yield every subtree that pruning can leave."""
    if not isinstance(node, Split):
        yield node
        return
    assert node.as_leaf is not None
    yield node.as_leaf
    for children in product(*(list(subtrees(child)) for child in node.children)):
        yield evolve(node, children=children)


def smallest_best(tree: Tree, loss: Callable[[Node], Any], tolerance: float = 1e-9) -> Tree:
    """Return the one subtree of fewest leaves among those of least loss."""
    tried = [(loss(root), sum(1 for _ in leaves(root)), root) for root in subtrees(tree.root)]
    least = min(found[0] for found in tried)
    best = [found for found in tried if found[0] <= least + tolerance]
    fewest = min(found[1] for found in best)
    (chosen,) = (found[2] for found in best if found[1] == fewest)
    return evolve(tree, root=chosen)


def exact_risk(leaf: Leaf, risk: str, classes: Sequence[Any]) -> Any:
    """Return a leaf's risk, in rational arithmetic where that is possible."""
    counts, n = [Fraction(count) for count in leaf.counts], Fraction(leaf.n)
    if n == 0:
        return Fraction(0)
    if isinstance(leaf.prediction, MeanPrediction):
        return n * Fraction(leaf.prediction.sd) ** 2
    if risk == "misclassification":
        return n - counts[classes.index(leaf.prediction.value)]
    if risk == "gini":
        return n - sum(count * count for count in counts) / n
    return -sum(float(count) * math.log2(count / n) for count in counts if count)


def total_risk(root: Node, risk: str, classes: Sequence[Any]) -> Any:
    """Return R(T)."""
    return sum(exact_risk(leaf, risk, classes) for leaf in leaves(root))


def weakest_links(tree: Tree, risk: str) -> list[tuple[Any, int]]:
    """Return the path's alphas and sizes as the book finds them: every g(t) anew in each round (algorithm 5.7)."""
    classes, root, alpha = tree.schema.classes, tree.root, Fraction(0)
    found: list[tuple[Any, int]] = []
    while True:
        weakest = _weakest(root, risk, classes)
        if weakest is None or weakest[0] > alpha + Fraction(1, 10**11):
            found.append((alpha, sum(1 for _ in leaves(root))))
        if weakest is None:
            return found
        alpha = max(alpha, weakest[0])
        root = snip(evolve(tree, root=root), node=weakest[1]).root


def _weakest(root: Node, risk: str, classes: Sequence[Any]) -> tuple[Any, int] | None:
    links = []
    for number, node in enumerate(preorder(root)):
        if isinstance(node, Split) and node.as_leaf is not None:
            gain = exact_risk(node.as_leaf, risk, classes) - total_risk(node, risk, classes)
            links.append((Fraction(gain) / (sum(1 for _ in leaves(node)) - 1), number))
    return min(links, default=None)


def is_pruned(small: Node, large: Node) -> bool:
    """Whether one tree is another with splits cut off."""
    if not isinstance(small, Split):
        return small == (large.as_leaf if isinstance(large, Split) else large)
    return (
        isinstance(large, Split)
        and (small.test, small.missing, small.unseen) == (large.test, large.missing, large.unseen)
        and all(map(is_pruned, small.children, large.children))
    )


# ---- the penalised loss


@given(tree=st.one_of(grown(), means()), alpha=st.sampled_from(ALPHAS), base=st.sampled_from(("2", "e")))
def test_penalised_is_the_smallest_minimiser_of_all_subtrees(tree: Tree, alpha: float, base: Any) -> None:
    """Li Hang's C_alpha(T), from its definition, over every subtree."""

    def loss(root: Node) -> float:
        if tree.schema.is_regression:
            risks = [leaf.n * leaf.prediction.sd**2 for leaf in leaves(root)]  # type: ignore[union-attr]
        else:
            risks = [leaf.n * entropy(leaf.counts, base) if leaf.n else 0.0 for leaf in leaves(root)]
        return sum(risks) + alpha * len(risks)

    pruned = penalised(tree, alpha=alpha, base=base)
    assert pruned == smallest_best(tree, loss)
    assert penalised_loss(pruned, alpha=alpha, base=base) == pytest.approx(loss(pruned.root), abs=1e-9)
    assert penalised(pruned, alpha=alpha, base=base) == pruned


def test_the_loan_tree_is_pruned_at_the_alphas_computed_by_hand() -> None:
    """Li Hang, figure 5.4: 15 H(9/15) = 14.564, 9 H(3/9) = 8.265; the root goes at 14.564 / 2, before the split below.

    By Gini 15 x 0.48 / 2 = 3.6, by misclassification 6 / 2 = 3, where the split below has 3 / 1.
    """
    tree = learn(Table.from_rows(rows_of(LOAN)), target=target_of(LOAN), recipe=id3())
    assert tree.n_leaves == 3
    assert penalised_loss(tree, alpha=1.5) == 4.5
    assert [penalised(tree, alpha=alpha).n_leaves for alpha in (0.0, 7.28, 7.29, 1e9, math.inf)] == [3, 3, 1, 1, 1]
    assert penalised_loss(snip(tree, node=0), alpha=2.0) == pytest.approx(14.564 + 2, abs=1e-3)
    inner = next(n for n, node in enumerate(preorder(tree.root)) if n and isinstance(node, Split))
    assert penalised_loss(snip(tree, node=inner), alpha=2.0) == pytest.approx(8.265 + 4, abs=1e-3)
    natural = penalised_loss(snip(tree, node=0), alpha=0.0, base="e")
    assert natural == pytest.approx(14.564 * math.log(2), abs=1e-3)
    for risk, alpha in (("misclassification", 3.0), ("gini", 3.6), ("entropy", 14.5643 / 2)):
        path = cost_complexity_path(tree, risk=risk)
        assert path.alphas == pytest.approx((0.0, alpha), abs=1e-4)
        assert [step.n_leaves for step in path.steps] == [3, 1]


def test_empty_leaves_count_in_the_penalty() -> None:
    """|T| counts every leaf: an empty one costs alpha too."""
    tree = ab(fork(fork(end(0, 0), end(4, 0)), end(0, 4)))
    assert penalised_loss(tree, alpha=2.0) == 6.0
    assert penalised(tree, alpha=0.5).n_leaves == 2


# ---- weakest links


@given(tree=grown(), alpha=st.sampled_from(ALPHAS), risk=st.sampled_from(RISKS))
def test_cost_complexity_is_the_smallest_minimiser_of_all_subtrees(tree: Tree, alpha: float, risk: str) -> None:
    """Breiman 1984, 3.3: T(alpha), over every subtree."""
    best = smallest_best(
        tree, lambda root: float(total_risk(root, risk, tree.schema.classes)) + alpha * sum(1 for _ in leaves(root))
    )
    assert cost_complexity(tree, alpha=alpha, risk=risk) == best


@given(tree=means(), alpha=st.sampled_from(ALPHAS))
def test_cost_complexity_of_a_regression_is_the_smallest_minimiser(tree: Tree, alpha: float) -> None:
    """The same with squared errors; and so does the penalised loss say."""
    pruned = cost_complexity(tree, alpha=alpha)
    assert pruned == smallest_best(
        tree, lambda root: float(total_risk(root, "", ())) + alpha * sum(1 for _ in leaves(root))
    )
    assert pruned == penalised(tree, alpha=alpha)


@given(tree=grown(), risk=st.sampled_from(RISKS))
def test_the_path_is_that_of_computing_every_link_anew(tree: Tree, risk: str) -> None:
    """Algorithm 5.7 to the letter, with fractions."""
    steps = cost_complexity_path(tree, risk=risk).steps
    wanted = weakest_links(tree, risk)
    assert [step.n_leaves for step in steps] == [n for _, n in wanted]
    assert [step.alpha for step in steps] == pytest.approx([float(alpha) for alpha, _ in wanted], rel=1e-9, abs=1e-12)


@given(tree=st.one_of(grown(), means()), place=st.integers(0, 2))
def test_a_path_is_nested_and_its_alphas_increase(tree: Tree, place: int) -> None:
    """From alpha 0 to the root alone; each step's figures are its subtree's; between steps nothing changes."""
    risk = "squared_error" if tree.schema.is_regression else RISKS[place]
    path = cost_complexity_path(tree, risk=risk)
    found = list(path.subtrees())
    assert path.alphas[0] == 0.0 and all(a < b for a, b in pairwise(path.alphas))
    assert is_pruned(found[0].root, tree.root)
    assert all(is_pruned(small.root, large.root) for large, small in pairwise(found))
    assert isinstance(found[-1].root, Leaf) and path.subtree(math.inf) == found[-1]
    whole = float(total_risk(tree.root, risk, tree.schema.classes))
    assert path.steps[0].risk == pytest.approx(whole, abs=1e-9)
    for step, subtree in zip(path.steps, found, strict=True):
        assert step.n_leaves == subtree.n_leaves
        assert step.risk == pytest.approx(float(total_risk(subtree.root, risk, tree.schema.classes)), abs=1e-9)
        assert cost_complexity(tree, alpha=step.alpha, risk=risk) == subtree
        assert cost_complexity(subtree, alpha=step.alpha, risk=risk) == subtree
    for (low, high), subtree in zip(pairwise(path.alphas), found, strict=False):
        assert path.subtree((low + high) / 2) == path.subtree(high - (high - low) / 1e6) == subtree


@given(tree=grown(), risk=st.sampled_from(RISKS))
def test_collapse_alphas_say_how_far_a_row_is_led_on(tree: Tree, risk: str) -> None:
    """A split is one while alpha is below its number, which no split above has a lower one than; leaves have 0."""
    alphas = collapse_alphas(tree.root, risk_of(tree, risk))
    nodes = list(preorder(tree.root))
    assert all((alpha == 0.0) or isinstance(node, Split) for alpha, node in zip(alphas, nodes, strict=True))
    assert all(map(math.isfinite, alphas)) and max(alphas) == alphas[0]
    for alpha in {0.0, *alphas}:
        cuts = [n for n, node in enumerate(nodes) if isinstance(node, Split) and alphas[n] <= alpha]
        assert snip(tree, node=cuts) == cost_complexity(tree, alpha=alpha, risk=risk)


@given(drawn=trees_with_rows(max_splits=6), seed=st.integers(0, 2**32), alpha=st.sampled_from(ALPHAS))
def test_trees_whose_labels_are_anyhow_are_minimised_too(drawn: Any, seed: int, alpha: float) -> None:
    """Where a leaf's label is not its best, a split can have less risk than its children: still the least of all."""
    tree = full(drawn[0], seed)
    if tree.schema.is_regression or sum(1 for _ in subtrees(tree.root)) > 3000:
        return
    best = smallest_best(
        tree,
        lambda root: (
            float(total_risk(root, "misclassification", tree.schema.classes)) + alpha * sum(1 for _ in leaves(root))
        ),
    )
    assert cost_complexity(tree, alpha=alpha) == best


def test_splits_that_only_help_together_survive_alpha_zero() -> None:
    """Exclusive or: the first split gains nothing by itself, all three gain everything."""
    tree = ab(fork(fork(end(5, 0), end(0, 5)), fork(end(0, 5), end(5, 0))))
    path = cost_complexity_path(tree)
    assert [(step.alpha, step.n_leaves, step.risk) for step in path.steps] == [(0.0, 4, 0.0), (10 / 3, 1, 10.0)]
    assert cost_complexity(ab(fork(end(5, 1), end(5, 1))), alpha=0.0).n_leaves == 1


def test_a_far_value_does_not_hide_the_rest() -> None:
    """Rounding is judged node by node: squared errors of 1e18 at the root leave those of 1 below as they are."""
    x = [float(n) for n in range(9)]
    tree = learn(Table.from_columns({"x": x, "y": [0.0, 0, 0, 0, 1, 1, 1, 1, 1e9]}), target="y", recipe=cart())
    path = cost_complexity_path(tree)
    assert [step.n_leaves for step in path.steps] == [3, 2, 1]
    assert path.alphas[1] == pytest.approx(2.0)


def test_iris_has_the_cp_table_of_rpart() -> None:
    """R 4, rpart 4.1: cp .5 .44 .02 .01 .005 0, nsplit 0 1 2 3 6 8, rel error 1 .5 .06 .04 .01 0; times 100."""
    datasets = pytest.importorskip("sklearn.datasets")
    data = datasets.load_iris()
    table = Table.from_columns({f"x{n}": data.data[:, n] for n in range(4)} | {"y": data.target})
    steps = cost_complexity_path(learn(table, target="y", recipe=cart())).steps
    assert [step.alpha for step in steps] == [0.0, 0.5, 1.0, 2.0, 44.0, 50.0]
    assert [step.n_leaves - 1 for step in steps] == [8, 6, 3, 2, 1, 0]
    assert [step.risk for step in steps] == [0.0, 1.0, 4.0, 6.0, 50.0, 100.0]


def theirs(model: Any, n_classes: int) -> Tree:
    """Return a tree of scikit-learn as one of ours: structure and figures, all that pruning looks at."""
    arrays = model.tree_
    regression = n_classes == 0
    target = Feature("y", Kind.NUMBER) if regression else Feature("y", Kind.CATEGORY, range(n_classes), "integer")
    schema = Schema([Feature(f"x{n}", Kind.NUMBER) for n in range(model.n_features_in_)], target)

    def figures(node: int) -> Leaf:
        n = int(arrays.n_node_samples[node])
        values = arrays.value[node][0]
        if regression:
            return Leaf(MeanPrediction(float(values[0]), math.sqrt(max(0.0, arrays.impurity[node]))), (n,))
        return Leaf(
            ClassPrediction(int(values.argmax()), [float(share) for share in values]), [round(v * n) for v in values]
        )

    def step(node: int) -> Any:
        if arrays.children_left[node] < 0:
            return figures(node)
        test = ThresholdTest(int(arrays.feature[node]), float(arrays.threshold[node]))
        children = [int(arrays.children_left[node]), int(arrays.children_right[node])]
        return lambda below: Split(test, below, 0, None, figures(node)), children

    return Tree(schema, unfold(0, step))


@pytest.mark.peer
@pytest.mark.parametrize(
    ("name", "risk"), [("iris", "gini"), ("breast_cancer", "gini"), ("wine", "gini"), ("diabetes", None)]
)
def test_the_path_is_that_of_scikit_learn(name: str, risk: str | None) -> None:
    """Alpha / n and risk / n are its ccp_alphas and impurities; sizes those of its trees between two alphas."""
    datasets, trees = pytest.importorskip("sklearn.datasets"), pytest.importorskip("sklearn.tree")
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    make = trees.DecisionTreeRegressor if name == "diabetes" else trees.DecisionTreeClassifier
    model = make(random_state=0).fit(x, y)
    ours = cost_complexity_path(theirs(model, model.n_classes_ if name != "diabetes" else 0), risk=risk)
    wanted = make(random_state=0).cost_complexity_pruning_path(x, y)
    scale = wanted.impurities[-1]
    alphas = np.array(ours.alphas) / len(y)
    last = np.searchsorted(wanted.ccp_alphas, alphas + 1e-9 * scale, side="right") - 1  # theirs repeat equal alphas
    assert len(set(last.tolist())) == len(alphas) and last[-1] == len(wanted.ccp_alphas) - 1
    assert np.allclose(wanted.ccp_alphas[last], alphas, rtol=1e-9, atol=1e-9 * scale)
    gaps = np.diff(wanted.ccp_alphas)
    assert (gaps > 1e-9 * scale).sum() == len(alphas) - 1
    assert np.allclose(wanted.impurities[last], [step.risk / len(y) for step in ours.steps], atol=1e-9 * scale)
    for place in range(0, len(alphas) - 1, max(1, len(alphas) // 8)):
        middle = float(alphas[place : place + 2].mean())
        pruned = make(random_state=0, ccp_alpha=middle).fit(x, y)
        assert pruned.get_n_leaves() == ours.steps[place].n_leaves == ours.subtree(middle * len(y)).n_leaves


# ---- weights, priors and costs


def test_weights_priors_and_costs_enter_the_risk() -> None:
    """Numbers by hand: left 50 a, 10 b, predicted a; right 10 a, 30 b, predicted b; the root 60 a, 40 b.

    Plain: 40 - 20. b three times: root 60 (predicted b), below 3 x 10 + 10. Missing a b costs 4: root 60, below 4 x 10
    + 10. Equal priors, factors 5/6 and 5/4: root 50, below 12.5 + 25/3.
    """
    cases: list[tuple[Recipe, str, float]] = [
        (cart(), "a", 20.0),
        (cart(class_weight={"b": 3}), "b", 20.0),
        (cart(costs={("b", "a"): 4}), "b", 10.0),
        (cart(priors={"a": 1, "b": 1}), "a", 50 - 12.5 - 25 / 3),
    ]
    for recipe, label, alpha in cases:
        tree = ab(fork(end(50, 10), end(10, 30), label=label), recipe)
        path = cost_complexity_path(tree)
        assert path.alphas == pytest.approx((0.0, alpha))
    weighted = ab(fork(end(50, 10), end(10, 30)), cart(class_weight={"b": 3}))
    gini = 60 * 120 / 180 * 2 - 50 * 30 / 80 * 2 - 10 * 90 / 100 * 2
    assert cost_complexity_path(weighted, risk="gini").alphas == pytest.approx((0.0, gini))
    loss = sum(sum(c) * entropy(c) for c in ((50, 30), (10, 90)))
    assert penalised_loss(weighted, alpha=0.0) == pytest.approx(loss)


def test_a_costly_error_keeps_a_split_that_validation_rows_would_cut() -> None:
    """Five of ten validation rows are b: as one leaf b costs 5, the split costs 2 x 1; dear a turns that round."""
    root = fork(end(9, 1), end(1, 9), label="b")
    table = Table.from_columns({"x": [-1.0] * 4 + [1.0] * 6, "y": ["b", "b", "b", "a", "b", "b", "b", "b", "b", "a"]})
    assert reduced_error(ab(root), table=table).n_leaves == 1
    assert reduced_error(ab(root, cart(costs={("a", "b"): 9})), table=table).n_leaves == 2
    assert reduced_error(ab(root, cart(class_weight={"a": 9})), table=table).n_leaves == 2


# ---- upper limits


def test_the_limits_are_the_books() -> None:
    """Quinlan 1993, p. 41: U25(0,6) = .206, U25(0,9) = .143, U25(0,1) = .750, U25(1,16) = .157."""
    for limit in LIMITS:
        rates = [extra_errors(n, 0, 0.25, limit) / n for n in (6, 9, 1)]
        assert [round(rate, 3) for rate in rates] == [0.206, 0.143, 0.75]
    assert round((1 + extra_errors(16, 1)) / 16, 3) == 0.157


def test_the_books_subtree_becomes_a_leaf() -> None:
    """Quinlan 1993, p. 41: the three branches of education spending are charged 3.273 errors, one leaf 2.512."""
    branches = [end(6, 0), end(9, 0), end(0, 1)]
    charged = [extra_errors(leaf.n, 0) for leaf in branches]
    assert sum(charged) == pytest.approx(3.273, abs=2e-3)
    assert 1 + extra_errors(16, 1) == pytest.approx(2.512, abs=6e-3)
    schema = Schema([Feature("spending", Kind.CATEGORY, "nuy")], Feature("y", Kind.CATEGORY, "ab"))
    tree = Tree(schema, Split(CategoryTest(0, [[0], [1], [2]]), branches, 0, 0, end(15, 1)))
    for limit in LIMITS:
        assert pessimistic(tree, limit=limit).root == end(15, 1)
    useful = ab(fork(end(6, 0), end(0, 9)))
    assert pessimistic(useful) == useful


@pytest.mark.peer
@given(
    n=st.floats(0.05, 3000.0),
    share=st.floats(0.0, 1.0),
    confidence=st.one_of(st.floats(1e-4, 0.5), st.just(0.25)),
)
def test_the_binomial_limit_is_that_of_scipy(n: float, share: float, confidence: float) -> None:
    """The quantile of the beta distribution, fractional errors and rows too."""
    special = pytest.importorskip("scipy.special")
    errors = n * share
    wanted = n * special.betaincinv(errors + 1, n - errors, 1 - confidence) - errors if errors < n else 0.0
    assert extra_errors(n, errors, confidence, "binomial") == pytest.approx(wanted, abs=1e-9 * n)


@pytest.mark.peer
@given(a=st.floats(0.01, 2000), b=st.floats(0.01, 2000), x=st.floats(0, 1))
def test_the_incomplete_beta_function_is_that_of_scipy(a: float, b: float, x: float) -> None:
    """To eleven digits of 1."""
    special = pytest.importorskip("scipy.special")
    assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), abs=1e-11)


def test_whole_binomial_limits_solve_their_equation() -> None:
    """Up to e errors of n have the probability CF: summed up term by term."""
    for n, errors in ((16, 1), (40, 7), (5, 4), (3, 0)):
        rate = (errors + extra_errors(n, errors, 0.25, "binomial")) / n
        terms = [math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(errors + 1)]
        assert sum(terms) == pytest.approx(0.25, abs=1e-12)


#: What weka.classifiers.trees.j48.Stats.addErrs of Weka 3.6.14 returns.
WEKA = (
    (6.0, 0.0, 0.25, 1.2377968440954012), (6.0, 0.0, 0.5, 0.6546076911579644), (10.0, 0.5, 0.25, 1.3535279340241242),
    (10.0, 0.5, 0.5, 0.584835042315963), (16.0, 1.0, 0.25, 1.4757146318372634), (168.0, 1.0, 0.25, 1.5737591129026032),
    (10.0, 3.0, 0.25, 1.5623690876171556), (10.0, 3.0, 0.5, 0.5), (4.0, 3.0, 0.25, 0.7964573950162754),
    (4.0, 3.7, 0.25, 0.2999999999999998), (100.0, 20.0, 0.25, 3.353634704621612),
    (2.5, 1.25, 0.25, 0.8790865028947445), (10.0, 3.0, 0.10000000149011612, 2.515512005651564),
    (168.0, 1.0, 0.10000000149011612, 3.046820110225486), (100.0, 20.0, 0.10000000149011612, 6.130437520465282),
)  # fmt: skip


def test_the_limit_of_j48_is_wekas() -> None:
    """Weka 3.6.14, run for this. It takes 1 - CF in single precision, which .25 and .5 do not feel."""
    for n, errors, confidence, wanted in WEKA:
        exact = confidence in (0.25, 0.5)
        assert extra_errors(n, errors, confidence, "j48") == pytest.approx(wanted, abs=1e-9 if exact else 1e-6)


def test_quinlans_coefficient_is_read_between_his_points() -> None:
    """At CF = .05 the deviate is 1.65, at .25 a quarter of the way from .84 to .25: .6925; n = 10, e = 3 by hand."""
    for confidence, deviate in ((0.05, 1.65), (0.25, 0.6925), (0.001, 3.09), (0.5, 0.25 - 0.25 / 6)):
        c = deviate * deviate
        rate = (3.5 + c / 2 + math.sqrt(c * (3.5 * (1 - 0.35) + c / 4))) / (10 + c)
        assert extra_errors(10, 3, confidence) == pytest.approx(10 * rate - 3, abs=1e-12)
    assert extra_errors(4, 3.75) == pytest.approx(0.67 * 0.25)
    assert extra_errors(4, 0.5) == pytest.approx((extra_errors(4, 0) + extra_errors(4, 1)) / 2)


@given(tree=grown(), confidence=st.sampled_from((0.5, 0.25, 0.05)), limit=st.sampled_from(sorted(LIMITS)))
def test_pessimistic_follows_its_definition(tree: Tree, confidence: float, limit: str) -> None:
    """The recursive definition: a leaf where its estimate is at most 0.1 more than that of the pruned branches."""

    def estimate(leaf: Leaf) -> float:
        seen = float(exact_risk(leaf, "misclassification", tree.schema.classes))
        return seen + extra_errors(leaf.n, seen, confidence, limit)

    def pruned(node: Node) -> tuple[float, Node]:
        if not isinstance(node, Split):
            return estimate(node), node  # type: ignore[arg-type]
        below = [pruned(child) for child in node.children]
        assert node.as_leaf is not None
        alone = estimate(node.as_leaf)
        if alone <= sum(errors for errors, _ in below) + 0.1:
            return alone, node.as_leaf
        return sum(errors for errors, _ in below), evolve(node, children=[child for _, child in below])

    found = pessimistic(tree, confidence=confidence, limit=limit)
    assert found.root == pruned(tree.root)[1]
    assert pessimistic(found, confidence=confidence, limit=limit) == found


# ---- validation rows


@st.composite
def judged(draw: st.DrawFn, regression: bool) -> tuple[Tree, dict[str, list[Any]]]:
    """Draw a small tree and validation rows for it, some with labels that it does not know."""
    tree = draw(means() if regression else grown())
    random, n = Random(draw(st.integers(0, 2**32))), draw(st.integers(1, 25))
    data = {f.name: [a_value(random, f, ()) for _ in range(n)] for f in tree.schema.features}
    kept = {name: cells for name, cells in data.items() if any(cell is not None for cell in cells)}
    values = st.sampled_from((0.0, 1.0, 3.0, 8.0)) if regression else st.sampled_from((*LABELS, "new"))
    target = draw(st.lists(values, min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from((0.0, 1.0, 2.5)), min_size=n, max_size=n))
    return tree, {**data, **kept, "y": target, "w": [*weights[1:], 1.0]}


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("regression", [False, True])
@given(drawn=st.data())
def test_reduced_error_is_the_smallest_of_the_best_subtrees(
    regression: bool, weight: str | None, drawn: st.DataObject
) -> None:
    """Esposito, Malerba and Semeraro 1997: of all subtrees the fewest errors, and of these the fewest leaves."""
    tree, data = drawn.draw(judged(regression))
    rows = [dict(zip(data, cells, strict=True)) for cells in zip(*data.values(), strict=True)]

    def errors(root: Node) -> float:
        total = 0.0
        for row in rows:
            given_ = find_leaf(evolve(tree, root=root), row).prediction.value
            n = 1.0 if weight is None else row["w"]
            total += n * ((given_ - row["y"]) ** 2 if regression else given_ != row["y"])
        return total

    types = {f.name: str(f.kind) for f in tree.schema.features if f.kind is not Kind.CATEGORY}
    table = Table.from_columns(data, types=types)
    pruned = reduced_error(tree, table=table, weight=weight)
    if sum(1 for _ in subtrees(tree.root)) <= 1000:
        assert pruned == smallest_best(tree, errors)
    assert reduced_error(pruned, table=table, weight=weight) == pruned


@pytest.mark.parametrize(
    "target",
    [
        [1.7e308, -1.7e308, 1.6e308, 0.0],
        [1e-200, 2e-200, 3e-200, 9e-200],
        [5e-324, 1e-323, 1.5e-323, 2e-323],
        [1e-200, 2e-200, 3.0, 9e200],
    ],
)
def test_reduced_error_keeps_a_perfect_tree_where_squares_leave_the_range_of_floats(target: list[float]) -> None:
    """Each leaf predicts its row without error, and no smaller subtree does, however large or small the targets are."""
    table = Table.from_columns({"x": [1.5, 2.0, 3.0, 4.0], "y": target})
    tree = learn(table, target="y", recipe=cart())
    assert tree.n_leaves == 4
    assert reduced_error(tree, table=table) == tree


@given(
    learned=st.lists(st.integers(-8, 8), min_size=6, max_size=6),
    judging=st.lists(st.integers(-8, 8), min_size=6, max_size=6),
    exponent=st.sampled_from([-1000, -600, 500, 900, 1019]),
)
def test_reduced_error_does_not_depend_on_the_unit_of_the_target(
    learned: list[int], judging: list[int], exponent: int
) -> None:
    """Targets multiplied by a power of two are pruned to the same splits, and to means multiplied by it."""
    roots = []
    for unit in (1.0, 2.0**exponent):
        tables = (
            Table.from_columns({"x": [*range(6)], "y": [value * unit for value in target]})
            for target in (learned, judging)
        )
        tree = learn(next(tables), target="y", recipe=cart(), task="regression")
        pruned = reduced_error(tree, table=next(tables))
        roots.append(
            [node.test if isinstance(node, Split) else node.prediction.value / unit for node in preorder(pruned.root)]
        )
    assert roots[0] == roots[1]


def test_reduced_error_says_what_it_wants() -> None:
    """Rows without a target, no target at all, weights that are none."""
    tree = ab(fork(end(3, 0), end(0, 3)))
    rows: list[tuple[dict[str, list[Any]], str | None, type[TreeRulesError]]] = [
        ({"x": [1.0, 2.0], "y": ["a", None]}, None, DataError),
        ({"x": [1.0, 2.0]}, None, ColumnError),
        ({"y": ["a"]}, None, ColumnError),
        ({"x": [1.0], "y": ["a"], "w": [-1.0]}, "w", ColumnError),
        ({"x": [1.0], "y": ["a"]}, "w", UnknownNameError),
        ({"x": [], "y": []}, None, TreeRulesError),
    ]
    for data, weight, error in rows:
        with pytest.raises(error):
            reduced_error(tree, table=Table.from_columns(data), weight=weight)
    table = Table.from_columns({"x": [-1.0, 1.0, 5.0], "y": ["a", "b", None]})
    assert reduced_error(tree, table=table, drop_missing_target=True) == tree


# ---- the m-estimate


def test_minimum_error_is_that_of_bratko() -> None:
    """Bratko's example of Laplace estimates: .375 and .429, .333 (cut: backed up .413); .4 (cut); .5 against .383.

    Those are m-estimates with m = 2 where both classes have a half at the root: two rows of b beside his tree do that.
    """
    b = fork(end(3, 2), end(1, 0))
    d = fork(end(1, 1), end(0, 1))
    c = fork(d, end(1, 0))
    a = fork(b, c)
    tree = ab(fork(a, end(0, 2)))
    assert minimum_error(tree) == ab(fork(fork(end(4, 2), fork(end(1, 2), end(1, 0))), end(0, 2)))


@given(tree=grown(), m=st.sampled_from((0.0, 0.5, 2.0, 10.0, 100.0)))
def test_minimum_error_is_the_least_of_all_subtrees(tree: Tree, m: float) -> None:
    """The expected errors of the leaves, weighted by their rows, from the definition (Cestnik and Bratko 1991)."""
    root = tree.root.as_leaf if isinstance(tree.root, Split) else tree.root
    assert isinstance(root, Leaf)
    shares = [Fraction(count) / Fraction(root.n) for count in root.counts]

    def expected(leaf: Leaf) -> Fraction:
        drawn = [Fraction(n) + Fraction(m) * p for n, p in zip(leaf.counts, shares, strict=True)]
        return Fraction(leaf.n) * (1 - max(drawn) / Fraction(leaf.n + m)) if leaf.n else Fraction(0)

    pruned = minimum_error(tree, m=m)
    assert pruned == smallest_best(tree, lambda node: sum(map(expected, leaves(node))), 1e-11)
    assert minimum_error(pruned, m=m) == pruned


# ---- by hand, and leaves that say the same


@given(drawn=trees_with_rows(), seed=st.integers(0, 2**32))
def test_snipped_splits_are_leaves_and_all_else_stays(drawn: Any, seed: int) -> None:
    """One number or several; a number of a leaf or of nothing is refused."""
    tree = full(drawn[0], seed)
    nodes = list(preorder(tree.root))
    splits = [n for n, node in enumerate(nodes) if isinstance(node, Split)]
    for wrong in ({*range(len(nodes))} - {*splits}).union({-1, len(nodes), True, "0", None}):  # type: ignore[arg-type]
        with pytest.raises(OptionError):
            snip(tree, node=wrong)  # type: ignore[arg-type]
    if splits:
        chosen = Random(seed).sample(splits, min(3, len(splits)))
        pruned = snip(tree, node=chosen)
        assert is_pruned(pruned.root, tree.root)
        assert snip(tree, node=chosen[0]).root == snip(tree, node=[chosen[0]]).root
        ordered = sorted(chosen, reverse=True)  # from the last on, so that numbers stay
        for number in ordered:
            tree = snip(tree, node=number)
        assert pruned == tree


@given(drawn=trees_with_rows(), seed=st.integers(0, 2**32))
def test_merging_equal_leaves_keeps_every_prediction(drawn: Any, seed: int) -> None:
    """Labels and means of all rows stay, whatever a split's own would be; nothing is left to merge; a note says it."""
    tree = full(drawn[0], seed)
    merged = merge_equal_leaves(tree)
    for row in drawn[1]:
        assert find_leaf(merged, row).prediction.value == find_leaf(tree, row).prediction.value
    for node in preorder(merged.root):
        if isinstance(node, Split):
            values = {child.prediction.value for child in node.children if isinstance(child, Leaf)}
            assert len(values) > 1 or any(isinstance(child, Split) for child in node.children)
    assert merge_equal_leaves(merged) == merged
    assert len(merged.notes) - len(tree.notes) == (merged.n_leaves < tree.n_leaves)
    assert sum(leaf.n for leaf in leaves(merged.root)) == sum(leaf.n for leaf in leaves(tree.root))


def test_a_merged_leaf_has_its_childrens_label_and_the_splits_figures() -> None:
    """Both leaves predict b, by costs say, and the split itself would predict a."""
    tree = ab(fork(end(3, 2, label="b"), end(1, 0, label="b"), label="a"))
    merged = merge_equal_leaves(tree)
    assert merged.root == Leaf(ClassPrediction("b", (4 / 6, 2 / 6)), (4, 2))
    assert merged.notes == ("1 split with one prediction below made leaves: labels stay, class shares are the split's",)


# ---- all methods


def test_prune_names_what_is_wrong() -> None:
    """Unknown methods and options, wanting ones, and what is no tree."""
    tree = ab(fork(end(3, 1), end(1, 3)))
    with pytest.raises(UnknownNameError, match="did you mean 'penalised'"):
        prune(tree, "penalized", alpha=1.0)
    with pytest.raises(OptionError, match=r"the option 'm' of penalised is 2; expected one of alpha, base"):
        prune(tree, "penalised", alpha=1.0, m=2)
    with pytest.raises(OptionError, match=r"none: it has no options"):
        prune(tree, "merge_equal_leaves", alpha=1.0)
    with pytest.raises(OptionError, match=r"alpha=None\): expected a value: cost_complexity requires one"):
        prune(tree)
    with pytest.raises(OptionError, match="a Tree"):
        prune("tree", "pessimistic")  # type: ignore[arg-type]
    for wrong in (-1.0, math.nan, "1", None, True):
        for method in ("penalised", "cost_complexity"):
            with pytest.raises(OptionError, match="alpha"):
                prune(tree, method, alpha=wrong)
        with pytest.raises(OptionError, match="m="):
            minimum_error(tree, m=wrong)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="confidence"):
            pessimistic(tree, confidence=wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="confidence"):
        pessimistic(tree, confidence=0.6)
    with pytest.raises(OptionError, match="weight"):
        pessimistic(tree, weight="w")
    with pytest.raises(UnknownNameError, match="upper limit"):
        pessimistic(tree, limit="normal")
    with pytest.raises(UnknownNameError, match="risk"):
        cost_complexity(tree, alpha=1.0, risk="error")
    with pytest.raises(OptionError, match="risk"):
        cost_complexity(tree, alpha=1.0, risk="squared_error")
    with pytest.raises(UnknownNameError, match="base"):
        penalised(tree, alpha=1.0, base="10")  # type: ignore[arg-type]


def test_regressions_are_pruned_by_squared_errors_alone() -> None:
    """Methods that count errors refuse them; so does a risk of classes; squares beyond floats are refused."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.NUMBER))

    def tree(sd: float) -> Tree:
        leaves_ = Leaf(MeanPrediction(0.0), (2,)), Leaf(MeanPrediction(1.0), (2,))
        return Tree(schema, Split(ThresholdTest(0, 0.0), leaves_, 0, None, Leaf(MeanPrediction(0.5, sd), (4,))))

    for refused in (pessimistic, minimum_error):
        with pytest.raises(OptionError, match="regression"):
            refused(tree(0.5))
    with pytest.raises(OptionError, match="squared_error: the tree is a regression"):
        cost_complexity(tree(0.5), alpha=1.0, risk="gini")
    assert cost_complexity_path(tree(0.5)).alphas == (0.0, 1.0)
    for sd in (1e200, 1e-200):
        with pytest.raises(DataError, match="range of floats"):
            cost_complexity(tree(sd), alpha=1.0)


@given(drawn=trees_with_rows(), seed=st.integers(0, 2**32))
def test_a_pruned_tree_is_the_tree_with_splits_cut_off(drawn: Any, seed: int) -> None:
    """These methods change no leaf and no split that they leave, over all kinds of features and routings."""
    tree = full(drawn[0], seed)
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("penalised", {"alpha": 1.0}),
        ("cost_complexity", {"alpha": 1.0}),
        ("pessimistic", {}),
        ("minimum_error", {}),
        ("snip", {"node": 0}),
    )
    for method, options in ways:
        try:
            pruned = prune(tree, method, **options)
        except OptionError:
            continue  # a regression where errors are counted, a lone leaf to snip
        assert is_pruned(pruned.root, tree.root)


def test_predictions_of_a_learned_tree_stay_through_the_first_step() -> None:
    """At alpha 0 by misclassification no training row changes its error; merging leaves changes no prediction."""
    random = Random(1)
    data = {"x": [random.random() for _ in range(300)], "z": [random.random() for _ in range(300)]}
    data |= {"y": ["ab"[x + z / 3 + random.random() / 3 > 0.8] for x, z in zip(data["x"], data["z"], strict=True)]}  # type: ignore
    table = Table.from_columns(data)
    tree = learn(table, target="y", recipe=cart())
    errors = [(predict(t, table) != np.array(data["y"])).sum() for t in (tree, cost_complexity(tree, alpha=0.0))]
    assert errors[0] == errors[1] == 0
    shallow = learn(table, target="y", recipe=cart(max_depth=4))
    merged = merge_equal_leaves(shallow)
    assert merged.n_leaves < shallow.n_leaves
    assert predict(merged, table).tolist() == predict(shallow, table).tolist()

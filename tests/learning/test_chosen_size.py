"""The default recipe: the size of a tree by cross-validation, its note, its place in the model."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treerules import Table, Tree, auto, compile_rules, cost_complexity_path, evaluate, learn, prune, read, relearn
from treerules.errors import OptionError
from treerules.growing.problem import problem_of
from treerules.learning.folds import dealt_folds
from treerules.learning.grow_and_choose import _fold_grower
from treerules.learning.subtree_losses import cost_loss, fold_trees, own_risk, squared_loss, unit_losses
from treerules.recipes.auto import growth_recipe
from treerules.trees import tree_from_json, tree_to_json

EXAMPLES = Path(__file__).parents[2] / "examples"


def numbers(n: int, seed: int, *, noise: float = 0.2) -> Table:
    """Return rows of four random numbers, of which two decide the class, with noise."""
    random = np.random.default_rng(seed)
    x = random.uniform(size=(n, 4))
    is_a = ((x[:, 0] > 0.5) & (x[:, 1] > 0.3)) ^ (random.uniform(size=n) < noise)
    columns: dict[str, Any] = {f"x{i}": x[:, i] for i in range(4)}
    return Table.from_columns({**columns, "y": np.where(is_a, "a", "b").tolist()})


def values(n: int, seed: int) -> Table:
    """Return rows of three random numbers and a target that depends on two of them."""
    random = np.random.default_rng(seed)
    x = random.uniform(size=(n, 3))
    y = np.where(x[:, 0] > 0.5, 10, 0) + 5 * x[:, 1] + random.normal(size=n)
    return Table.from_columns({**{f"x{i}": x[:, i] for i in range(3)}, "y": y})


def test_the_loan_table_has_the_three_rules_of_the_book() -> None:
    """Li Hang, example 5.3 and figure 5.6: own house, then job."""
    tree = learn(read(EXAMPLES / "loan.csv"), target="类别")
    features = {name for rule in compile_rules(tree).rules for name, _ in rule.conditions}
    assert (tree.n_leaves, features) == (3, {"有自己的房子", "有工作"})


@pytest.mark.large
def test_a_rare_class_in_a_region_is_found_by_log_loss() -> None:
    """Where no label changes, errors keep the root alone: log loss finds the region of more positive rows."""
    random = np.random.default_rng(0)
    x = random.uniform(size=(20_000, 4))
    region = (x[:, 0] > 0.9) & (x[:, 1] > 0.8)
    y = random.uniform(size=20_000) < np.where(region, 0.15, 0.0015)
    table = Table.from_columns({**{f"x{i}": x[:, i] for i in range(4)}, "y": np.where(y, "yes", "no").tolist()})
    tree = learn(table, target="y")
    assert tree.estimate is not None and tree.estimate.auc is not None
    assert tree.estimate.chosen_by == "log loss"
    assert 2 <= tree.n_leaves <= 6 and tree.estimate.auc > 0.72
    assert {name for rule in compile_rules(tree).rules for name, _ in rule.conditions} >= {"x0", "x1"}


@given(st.integers(0, 10**6), st.sampled_from([numbers, values]), st.integers(1, 40))
def test_a_tree_has_no_more_rules_than_allowed_and_lies_on_the_path(seed: int, rows: Any, most: int) -> None:
    """It is the whole tree, grown by the same recipe and cut by cost complexity at some alpha."""
    table = rows(150, seed)
    recipe = auto(max_rules=most)
    tree = learn(table, target="y", recipe=recipe)
    assert tree.estimate is not None and tree.n_leaves == tree.estimate.n_rules <= most
    if tree.estimate.chosen_by == "log loss":
        return
    whole = learn(table, target="y", recipe=growth_recipe(recipe, is_regression=tree.schema.is_regression, size=150))
    assert tree.root in [subtree.root for subtree in cost_complexity_path(whole).subtrees()]


@given(st.integers(0, 10**6), st.sampled_from([numbers, values]), st.integers(2, 6))
def test_the_losses_are_those_of_pruned_trees_on_held_out_rows(seed: int, rows: Any, n_folds: int) -> None:
    """Each fold: learned without its rows, pruned by `prune`, evaluated on its rows by `evaluate`."""
    table = rows(80, seed)
    recipe = growth_recipe(auto(), is_regression=rows is values, size=80)
    problem = problem_of(table, target="y", recipe=recipe)
    folds = dealt_folds(problem, n_folds)
    alphas = [5.0, 2.0, 1.0, 0.5, 0.0] if rows is numbers else [300.0, 100.0, 30.0, 0.0]
    loss = cost_loss if rows is numbers else squared_loss(0)
    trees = list(fold_trees(folds, _fold_grower(folds, recipe, lambda part: None, None, None)))
    means = unit_losses(trees, own_risk, alphas, loss).means
    for alpha, mean in zip(alphas, means.tolist(), strict=True):
        total = 0.0
        for training, held_out in folds.parts():
            parts = [take(table, folds.problem.rows[part]) for part in (training, held_out)]
            tree = learn(parts[0], target="y", recipe=recipe, features=[c.name for c in problem.schema.features])
            pruned = prune(tree, "cost_complexity", alpha=alpha * len(training) / 80)
            evaluation = evaluate(pruned, parts[1])
            total += (evaluation.rmse**2 if rows is values else 1 - evaluation.accuracy) * len(held_out)  # type: ignore[operator]
        assert mean == pytest.approx(total / 80)


def take(table: Table, rows: Any) -> Table:
    """Return some rows of a table."""
    return Table.from_rows([table.row(int(row)) for row in rows])


@given(st.integers(0, 10**6), st.sampled_from([numbers, values]))
def test_a_weight_counts_as_copies_and_the_order_of_rows_is_of_no_account(seed: int, rows: Any) -> None:
    """The same tree and the same estimate from rows of weight k, from k copies of them, and from shuffled copies."""
    random = np.random.default_rng(seed)
    table = rows(60, seed)
    weight = random.integers(1, 4, 60)
    copies = np.repeat(np.arange(60), weight)
    weighted = learn(table, target="y", weight=weight.astype(float))
    copied = learn(take(table, copies), target="y")
    shuffled = learn(take(table, random.permutation(copies)), target="y")
    assert copied == shuffled and copied.estimate == shuffled.estimate
    assert weighted.root == copied.root
    assert weighted.estimate is not None and copied.estimate is not None
    assert weighted.estimate.error == pytest.approx(copied.estimate.error)


def test_a_model_file_holds_the_estimate_and_relearning_chooses_again() -> None:
    """The same rows give the same text; other rows a choice of their own; a pruned tree has no estimate."""
    tree = learn(numbers(200, 1), target="y", recipe=auto(max_rules=9))
    text = tree_to_json(tree)
    loaded = tree_from_json(text)
    assert (loaded, loaded.estimate) == (tree, tree.estimate) and tree_to_json(loaded) == text
    assert loaded.recipe == auto(max_rules=9)
    assert tree_to_json(relearn(loaded, numbers(200, 1))) == text
    anew = relearn(loaded, numbers(300, 2), anew=True)
    assert anew.root == learn(numbers(300, 2), target="y", recipe=auto(max_rules=9)).root
    assert anew.estimate is not None and anew.estimate != tree.estimate
    assert prune(tree, "cost_complexity", alpha=1e9).estimate is None


def test_the_note_tells_the_sizes_that_were_not_chosen() -> None:
    """A larger tree that errs less is named with the option that gives it."""
    tree = learn(values(600, 3), target="y", recipe=auto(max_rules=3))
    note = next(note for note in tree.notes if note.startswith("size chosen"))
    assert "3 rules: " in note and ", chosen" in note and "(--max-rules " in note


@pytest.mark.parametrize("seed", [2, 7, 25])
def test_the_options_of_the_note_give_the_sizes_that_it_names(seed: int) -> None:
    """A larger tree is not worth the price of its rules, so that the note names the price beside the bound."""
    random = np.random.default_rng(seed)
    x = random.random((120, 3)).round(2)
    y = (x[:, 0] > 0.5) * 2 + (x[:, 1] > 0.3) + random.normal(size=120) * 0.8
    columns = {f"x{i}": x[:, i].tolist() for i in range(3)}
    table = Table.from_columns({**columns, "y": [f"c{(v > 1) + (v > 2)}" for v in y]})
    for max_rules in (6, 32):
        tree = learn(table, target="y", recipe=auto(max_rules=max_rules))
        note = next(note for note in tree.notes if note.startswith("size chosen"))
        for n_rules, bound, price in re.findall(
            r"(\d+) rules: [^;(]*\((--max-rules \d+)? ?(--reduction[^)]*)?\)", note
        ):
            options = {"reduction_per_rule": 0.0} if price else {}
            recipe = auto(max_rules=int(bound.split()[1]) if bound else max_rules, **options)
            other = learn(table, target="y", recipe=recipe)
            assert other.n_leaves == int(n_rules)


def test_degenerate_tables_are_learned() -> None:
    """One row, one class, two rows, a constant target: a leaf, and an estimate where there is something to test."""
    one = learn(Table.from_columns({"x": [1], "y": ["a"]}), target="y")
    assert (one.n_leaves, one.estimate) == (1, None)
    for column in (["a", "a", "a"], ["a", "b"], [2.0, 2.0, 2.0], [1.5, 2.5]):
        tree: Tree = learn(Table.from_columns({"x": range(len(column)), "y": column}), target="y")
        assert tree.n_leaves == 1 and tree.estimate is not None


@pytest.mark.parametrize(
    ("options", "argument"),
    [({"max_rules": 0}, "max_rules"), ({"folds": 1}, "folds"), ({"reduction_per_rule": -1}, "reduction_per_rule")],
)
def test_impossible_choices_are_refused(options: Any, argument: str) -> None:
    """The error names the argument."""
    with pytest.raises(OptionError) as raised:
        auto(**options)
    assert raised.value.option == argument

"""The greedy tree in place of one that a search found before it was ended, where the greedy one costs less."""

from attrs import evolve

from treerules._internal.notes import Note
from treerules.growing.growers import grow
from treerules.growing.optimal.optimal_growth import bounds_note
from treerules.growing.problem import Problem
from treerules.learning.problem_arrays import risk_of_problem
from treerules.pruning.pruners import prune
from treerules.recipes.recipe import Recipe
from treerules.trees.nodes import as_leaf
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves


def no_worse_than_greedy(tree: Tree, problem: Problem) -> Tree:
    """Return a tree of a search, or CART's of the same depth, pruned by the leaf penalty, if that costs less.

    An optimal tree never costs more.
    """
    bounds = tree.bounds
    if bounds is None or bounds.is_optimal:
        return tree
    recipe: Recipe = tree.recipe
    growth = evolve(recipe, name="cart", size_choice=None, optimal_search=None)
    greedy = prune(grow(problem, growth), "cost_complexity", alpha=bounds.leaf_penalty)
    risk = risk_of_problem(problem, as_leaf(tree.root))
    cost = sum(risk(leaf) for leaf in leaves(greedy)) + bounds.leaf_penalty * greedy.n_leaves
    if cost >= bounds.cost:
        return tree
    better = evolve(bounds, cost=cost)
    new = bounds_note(better, recipe)
    notes = [new if isinstance(note, Note) and note.code == new.code else note for note in tree.notes]
    return evolve(tree, root=greedy.root, notes=notes, bounds=better)

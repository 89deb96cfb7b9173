"""The record of a recipe in files.

It uses the published names of the options, which do not change if fields of `Recipe` are renamed.
"""

from typing import Any

from attrs import asdict

from treerules.recipes.recipe import Recipe

#: A recipe with the default options. Three options have no default and are always written.
_USUAL = Recipe("", "gini", "subset")
_ALWAYS = ("name", "criterion", "categories")


def recipe_record(recipe: Recipe) -> dict[str, Any]:
    """Return the options of a recipe by their published names, in their published order."""
    choice = recipe.size_choice
    size_choice = {} if choice is None else {"size_choice": asdict(choice)}
    search = recipe.optimal_search
    optimal_search = {} if search is None else {"optimal_search": asdict(search)}
    return {
        "name": recipe.name,
        "criterion": recipe.criterion,
        "categories": recipe.categories,
        "thresholds": recipe.thresholds,
        "base": recipe.base,
        "average_gain": recipe.average_gain,
        "missing": recipe.missing,
        "quinlan": recipe.quinlan,
        "confidence": recipe.confidence,
        "max_depth": recipe.max_depth,
        "max_leaves": recipe.max_leaves,
        "min_samples_split": recipe.min_samples_split,
        "min_samples_leaf": recipe.min_samples_leaf,
        "min_gain": recipe.min_gain,
        "min_impurity": recipe.min_impurity,
        "class_weight": recipe.class_weight,
        "priors": recipe.priors,
        "costs": recipe.costs,
        "monotone": recipe.monotone,
        "feature_cost": recipe.feature_cost,
        "prefer": recipe.prefer,
        **size_choice,
        **optimal_search,
    }


def recipe_text(recipe: Recipe) -> str:
    """Return the options of a recipe that differ from the defaults, as the JSON of a comparison of recipes shows them.

    >>> recipe_text(Recipe("mine", "gini", "subset", max_depth=3))
    "Recipe(name='mine', criterion='gini', categories='subset', max_depth=3)"
    """
    usual = recipe_record(_USUAL)
    choices = [
        f"{name}={value!r}"
        for name, value in recipe_record(recipe).items()
        if name in _ALWAYS or value != usual.get(name)
    ]
    return f"Recipe({', '.join(choices)})"

"""Names of classes, fields and functions that files and the command line publish: no renaming in the code changes them.

What is expected here was printed by treerules before these names were written out.
"""

import json
from datetime import date
from inspect import cleandoc

import pytest
from attrs import evolve
from click import Command, Context

from treerules import (
    Recipe,
    Table,
    c45,
    cart,
    compare_recipes,
    compile_rules,
    cross_validate,
    id3,
    learn,
    prune,
    render,
)
from treerules.cli import app, emit_commands
from treerules.recipes.recipe_record import recipe_record, recipe_text
from treerules.trees.json_codec import tree_to_json

DAY = date(2024, 3, 21)
#: Recipes, beside their text: the choices that are not the usual ones.
RECIPES = (
    (
        id3(),
        "Recipe(name='id3', criterion='information_gain', categories='multiway', thresholds='none')",
    ),
    (
        c45(),
        "Recipe(name='c45', criterion='gain_ratio', categories='multiway', missing='fraction')",
    ),
    (
        cart(),
        "Recipe(name='cart', criterion='gini', categories='subset', missing='learned')",
    ),
    (
        c45(quinlan=True),
        "Recipe(name='c45', criterion='gain_ratio', categories='multiway', thresholds='data', average_gain=True, "
        "missing='fraction', quinlan=True, confidence=0.25, min_samples_split=4, min_samples_leaf=2)",
    ),
    (
        cart(criterion="entropy", max_depth=3, min_samples_leaf=5.0, class_weight="balanced", prefer=("a's",)),
        "Recipe(name='cart', criterion='entropy', categories='subset', missing='learned', max_depth=3, "
        "min_samples_leaf=5.0, class_weight='balanced', prefer=(\"a's\",))",
    ),
    (
        cart(
            priors={"no": 0.5, "yes": 0.5},
            costs={("no", "yes"): 2, ("yes", "no"): 3.5},
            monotone={"x": 1, "n": -1},
            feature_cost={"x": 2},
        ),
        "Recipe(name='cart', criterion='gini', categories='subset', missing='learned', priors=(('no', 0.5), "
        "('yes', 0.5)), costs=(('no', 'yes', 2), ('yes', 'no', 3.5)), monotone=(('x', 1), ('n', -1)), "
        "feature_cost=(('x', 2),))",
    ),
    (
        cart(class_weight={DAY: 2.0, 1: 3}),
        "Recipe(name='cart', criterion='gini', categories='subset', missing='learned', "
        "class_weight=((datetime.date(2024, 3, 21), 2.0), (1, 3)))",
    ),
    (
        evolve(
            cart(),
            name="all",
            criterion="entropy",
            categories="one_against_rest",
            base="e",
            average_gain=True,
            missing="learned",
            confidence=0.25,
            max_depth=0,
            max_leaves=1,
            min_samples_split=1.5,
            min_samples_leaf=0.5,
            min_gain=0.1,
            min_impurity=0.2,
            class_weight={True: 2},
            thresholds="midpoint",
        ),
        "Recipe(name='all', criterion='entropy', categories='one_against_rest', base='e', average_gain=True, "
        "missing='learned', confidence=0.25, max_depth=0, max_leaves=1, min_samples_split=1.5, "
        "min_samples_leaf=0.5, min_gain=0.1, min_impurity=0.2, class_weight=((True, 2),))",
    ),
    (
        evolve(id3(), thresholds="midpoint"),
        "Recipe(name='id3', criterion='information_gain', categories='multiway')",
    ),
)
#: The choices in the order in which model files hold them.
CHOICES = [
    "name",
    "criterion",
    "categories",
    "thresholds",
    "base",
    "average_gain",
    "missing",
    "quinlan",
    "confidence",
    "max_depth",
    "max_leaves",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "min_impurity",
    "class_weight",
    "priors",
    "costs",
    "monotone",
    "feature_cost",
    "prefer",
]
#: The commands, and what `emit` takes.
COMMANDS = [
    "build",
    "certify",
    "check",
    "compile",
    "diff",
    "doctor",
    "emit",
    "evaluate",
    "explain",
    "gains",
    "help",
    "import",
    "importances",
    "learn",
    "predict",
    "prune",
    "relearn",
    "report",
    "rules",
    "score",
    "show",
    "verify",
]
EMITTED = ["dbt", "dmn", "javascript", "python", "rules", "sql", "table", "text"]
TABLE = Table.from_columns({"x": list(range(20)), "y": ["no", "yes"] * 5 + ["yes"] * 10})


@pytest.mark.parametrize(("recipe", "text"), RECIPES, ids=range(len(RECIPES)))
def test_the_text_of_a_recipe(recipe: Recipe, text: str) -> None:
    """It names the choices that are not the usual ones, as the JSON of a grid does."""
    assert recipe_text(recipe) == text
    assert list(recipe_record(recipe)) == CHOICES


def test_the_json_of_a_grid_names_choices() -> None:
    """The text of each recipe stands in its row."""
    rows = json.loads(render(compare_recipes(TABLE, target="y", recipes=[cart(max_depth=1)], folds=2), format="json"))[
        "rows"
    ]
    assert [row["recipe"] for row in rows] == [recipe_text(cart(max_depth=1))]


@pytest.mark.parametrize(("recipe", "text"), RECIPES, ids=range(len(RECIPES)))
def test_a_record_reads_back(recipe: Recipe, text: str) -> None:
    """A recipe made of its record is the same, so no choice is forgotten."""
    assert Recipe(**recipe_record(recipe)) == recipe


def test_the_keys_of_a_model_file() -> None:
    """The recipe and the origin have the keys of version 1, in its order; version 2 adds what the training rows had."""
    tree = prune(learn(TABLE, target="y", recipe=cart()), "penalised", alpha=0.1)
    content = json.loads(tree_to_json(tree))
    assert list(content["recipe"]) == CHOICES
    assert list(content["origin"]) == ["data", "n_rows", "weight", "validation", "pruned", "values"]
    assert list(content["origin"]["values"]) == ["missing", "unseen", "zero_one"]
    assert [method for method, _ in content["origin"]["pruned"]] == ["penalised"]


def test_the_keys_of_a_cp_table() -> None:
    """Each row of the JSON has the keys of version 1, in its order."""
    rows = json.loads(render(cross_validate(TABLE, target="y", folds=2), format="json"))["rows"]
    assert {tuple(row) for row in rows} == {
        ("cp", "alpha", "n_splits", "relative_error", "xerror", "xstd", "chosen"),
    }


def test_the_line_below_a_table_of_rules() -> None:
    """A notebook shows the target and the number of rules."""
    rules = compile_rules(learn(TABLE, target="y", recipe=cart()))
    assert f"<p>y: {len(rules)} rules</p>" in rules._repr_html_()


def test_the_commands() -> None:
    """The names of commands do not depend on those of functions."""
    assert {*app.COMMANDS} == set(COMMANDS)
    assert {*emit_commands.EMITTED} == set(EMITTED)
    for group in (app.app, emit_commands.emit):
        for name, entry in group.entries.items():
            command = group.get_command(Context(group), name)
            assert command is not None and command.name == name and entry.summary == summary(command)


def summary(command: Command) -> str:
    """Return the first paragraph of a command's help."""
    return " ".join(cleandoc(str(command.help)).partition("\n\n")[0].split())

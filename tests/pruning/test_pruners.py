"""Laws of every pruning method: for each record of PRUNERS, with options drawn from what the record says of them."""

import math
import re
from collections.abc import Iterator
from inspect import Parameter, signature
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given, reject
from hypothesis import strategies as st

from pruning_cases import LABELS, RECIPES, ab, end, fork, full, problems
from selection import few
from strategies_random import trees_with_rows
from treerules import Kind, Table, Tree, c45, cart, check, compile_rules, learn, load, prune, save
from treerules.cli import main
from treerules.cli.prune_command import prune_command
from treerules.data.casting import align_column
from treerules.errors import DataError, OptionError, TreeRulesError, UnknownNameError
from treerules.pruning.cost_complexity import cost_complexity_path
from treerules.pruning.pruner import ColumnOf, NodeNumbers, NumberRange, OneOf, Option, Pruner, Switch, TableRows
from treerules.pruning.pruners import PRUNERS
from treerules.readers import read_csv
from treerules.trees import Leaf, Node, Split, ThresholdTest, find_leaf, preorder
from treerules.trees.routing import sides_of

EVERY_PRUNER = pytest.mark.parametrize("pruner", PRUNERS.values(), ids=PRUNERS.keys())
#: Two of the methods by default, and all where large tests are selected.
SOME_PRUNERS = pytest.mark.parametrize("pruner", few(PRUNERS.values(), 2))
#: All methods, each with one of its options; and those that are of one kind, or on the command line.
OPTIONS = [(pruner, option) for pruner in PRUNERS.values() for option in pruner.options]
FLAGS = [(pruner, option) for pruner, option in OPTIONS if option.flag is not None]
NUMBERS = [(pruner, option) for pruner, option in OPTIONS if isinstance(option.values, NumberRange)]
NAMES = [(pruner, option) for pruner, option in OPTIONS if isinstance(option.values, OneOf)]


def name_of(value: Any) -> str:
    """Return the name of a method or an option, for the names of tests."""
    return str(value.name)


# ---- options from what a record says of them


@frozen
class Problem:
    """A tree, the rows that it was learned from, their column of weights if it has one, and other rows like them."""

    tree: Tree
    table: Table
    weight: str | None
    others: Table


@st.composite
def learned(draw: st.DrawFn) -> Problem:
    """Draw a learned tree, of classes or of means, with a column of weights that it was learned with or not."""
    values: tuple[Any, ...] = draw(st.sampled_from((LABELS, (0.0, 0.5, 1.0, 2.0, 8.0))))
    data = draw(problems(values))
    n = len(data["y"])
    features = [name for name in data if name != "y"]
    data["w"] = draw(st.lists(st.sampled_from((1.0, 2.0, 2.5)), min_size=n, max_size=n))
    weight = draw(st.sampled_from((None, "w")))
    recipe = draw(st.sampled_from(RECIPES if values is LABELS else RECIPES[:1]))
    table = Table.from_columns(data)
    tree = learn(table, target="y", recipe=recipe, features=features, weight=weight)
    return Problem(tree, table, weight, Table.from_columns(data | {"y": draw(st.permutations(data["y"]))}))


@st.composite
def options_of(draw: st.DrawFn, pruner: Pruner, problem: Problem) -> dict[str, Any]:
    """Draw options of a method: those that it needs and some of the others, each by the values that it takes."""
    given = {option.name for option in pruner.options if option.required or draw(st.booleans())}
    tables = {option.name: option for option in pruner.options if isinstance(option.values, TableRows)}
    options = {}
    for option in pruner.options:
        if isinstance(option.values, ColumnOf):
            table = tables[option.values.table]
            assert isinstance(table.values, TableRows)
            training = table.values.training  # then the weights must be those that the tree was learned with
            if table.name in given and (problem.weight is not None if training else option.name in given):
                options[option.name] = "w"
        elif option.name in given:
            options[option.name] = draw(values_of(option, problem))
    return options


def values_of(option: Option, problem: Problem) -> st.SearchStrategy[Any]:
    """Return what draws a value of an option; columns are drawn with their tables."""
    values = option.values
    if isinstance(values, NumberRange):
        most = None if values.most == math.inf else values.most
        return st.floats(values.least, most, exclude_min=values.exclusive, allow_nan=False, allow_infinity=False)
    if isinstance(values, OneOf):
        return st.sampled_from(values.names)
    if isinstance(values, Switch):
        return st.booleans()
    if isinstance(values, TableRows):
        return st.just(problem.table if values.training else problem.others)
    assert isinstance(values, NodeNumbers)
    splits = split_numbers(problem.tree)
    return st.lists(st.sampled_from(splits)) if splits else st.just([])


def split_numbers(tree: Tree) -> list[int]:
    """Return the numbers of a tree's splits."""
    return [number for number, node in enumerate(preorder(tree.root)) if isinstance(node, Split)]


def required_options(pruner: Pruner, tree: Tree, table: Table) -> dict[str, Any]:
    """Return the options that a method needs, with the first of their examples."""
    return {option.name: examples_of(option, tree, table)[0] for option in pruner.options if option.required}


def examples_of(option: Option, tree: Tree, table: Table) -> list[Any]:
    """Return some values of an option: all names, numbers within bounds; of nodes those of splits."""
    values = option.values
    if isinstance(values, NumberRange):
        return [number for number in (1.0, 0.25, 3.5) if values.least < number <= values.most]
    if isinstance(values, NodeNumbers):
        return [split_numbers(tree)[:1], split_numbers(tree)[-2:]]
    examples: dict[type, list[Any]] = {TableRows: [table], ColumnOf: ["w"], Switch: [True]}
    return list(values.names) if isinstance(values, OneOf) else examples[type(values)]


def pruned_by(pruner: Pruner, problem: Problem, data: st.DataObject) -> Tree:
    """Return a tree pruned with drawn options; options that do not fit the tree's task are drawn anew."""
    options = data.draw(options_of(pruner, problem))
    try:
        return prune(problem.tree, pruner.name, **options)
    except OptionError:
        return reject()


# ---- the tree that is left


def rows_in_leaves(tree: Tree, table: Table, weights: Any) -> Iterator[tuple[Leaf, Any]]:
    """Yield each leaf with the weight of each row in it: the rows sent down, where the recipe says so in fractions."""
    pending: list[tuple[Node, Any]] = [(tree.root, weights)]
    while pending:
        node, weights = pending.pop()
        if not isinstance(node, Split):
            assert isinstance(node, Leaf)
            yield node, weights
            continue
        feature = tree.schema.features[node.test.feature]
        sides = sides_of(node.test, align_column(feature, table.column(feature.name)), missing=-1, unseen=node.unseen)
        parts = [np.where(sides == child, weights, 0.0) for child in range(len(node.children))]
        shares = [float(child == node.missing) for child in range(len(node.children))]
        if tree.recipe is not None and tree.recipe.missing == "fraction":
            total = sum(part.sum() for part in parts)
            shares = [part.sum() / total if total else 1 / len(parts) for part in parts]
        for child, part, share in zip(node.children, parts, shares, strict=True):
            pending.append((child, part + np.where(sides < 0, weights * share, 0.0)))


@EVERY_PRUNER
@given(problem=learned(), data=st.data())
def test_figures_of_a_pruned_tree_are_those_of_its_rows(pruner: Pruner, problem: Problem, data: st.DataObject) -> None:
    """Each leaf's counts, shares, means and deviations are those of the training rows that reach it."""
    assert_figures_are_those_of(problem.table, pruned_by(pruner, problem, data), problem.weight)


@EVERY_PRUNER
@pytest.mark.parametrize("seed", few(range(6), 1))
def test_figures_of_larger_pruned_trees_are_those_of_their_rows(pruner: Pruner, seed: int) -> None:
    """The same for each option of a method, on trees of many noisy rows, where subtrees are raised."""
    random = Random(seed)
    data: dict[str, list[Any]] = {name: [random.randint(0, 9) for _ in range(200)] for name in "abc"}
    pairs = zip(data["a"], data["b"], strict=True)
    data["y"] = ["no" if random.random() < 0.25 + (a > 4) * (b > 5) / 2 else "yes" for a, b in pairs]
    table = Table.from_columns(data)
    tree = learn(table, target="y", recipe=c45(missing="larger"))
    for option in pruner.options:
        if not isinstance(option.values, ColumnOf):
            options = required_options(pruner, tree, table)
            for value in examples_of(option, tree, table):
                try:
                    pruned = prune(tree, pruner.name, **options | {option.name: value})
                except OptionError:
                    continue  # a name for trees of means
                assert_figures_are_those_of(table, pruned, None)


def assert_figures_are_those_of(table: Table, pruned: Tree, weight: str | None) -> None:
    """Raise AssertionError unless each leaf's figures are those of the rows that reach it."""
    weights = np.ones(table.n_rows) if weight is None else np.array(table.column(weight).data)
    target = align_column(pruned.schema.target, table.column("y")).data  # type: ignore[arg-type]
    for leaf, own in rows_in_leaves(pruned, table, weights):
        if pruned.schema.is_regression:
            assert leaf.n == pytest.approx(own.sum())
            figures = [leaf.prediction.value, leaf.prediction.sd]  # type: ignore[union-attr]
            mean = (own * target).sum() / own.sum() if own.sum() else figures[0]
            spread = math.sqrt((own * (target - mean) ** 2).sum() / own.sum()) if own.sum() else figures[1]
            assert figures == pytest.approx([mean, spread])
        else:
            counts = np.bincount(target, weights=own, minlength=len(pruned.schema.classes))
            assert leaf.counts == pytest.approx(counts.tolist())
            if own.sum():
                shares = leaf.prediction.probabilities  # type: ignore[union-attr]
                assert shares == pytest.approx((counts / counts.sum()).tolist())


@SOME_PRUNERS
@given(problem=learned(), data=st.data())
def test_a_pruned_tree_has_no_more_leaves(pruner: Pruner, problem: Problem, data: st.DataObject) -> None:
    """A method cuts splits off or replaces them; schema and recipe stay, and the origin says how it was pruned."""
    tree = problem.tree
    pruned = pruned_by(pruner, problem, data)
    assert pruned.n_leaves <= tree.n_leaves
    assert pruned.depth <= tree.depth
    assert (pruned.schema, pruned.recipe) == (tree.schema, tree.recipe)
    assert pruned.notes[: len(tree.notes)] == tree.notes
    assert pruned.origin is not None
    assert pruned.origin.pruned[0][0] == pruner.name


@SOME_PRUNERS
@given(problem=learned(), data=st.data())
def test_rules_of_a_pruned_learned_tree_pass_check(pruner: Pruner, problem: Problem, data: st.DataObject) -> None:
    """The rules of what is left are exclusive and complete."""
    assert check(compile_rules(pruned_by(pruner, problem, data)))


@EVERY_PRUNER
@given(drawn=trees_with_rows(), seed=st.integers(0, 2**32))
def test_rules_of_any_pruned_tree_pass_check(pruner: Pruner, drawn: Any, seed: int) -> None:
    """Over all kinds of features and routings, learned or not; what the tree's rows cannot be a table for is left."""
    tree = full(drawn[0], seed)
    rows = [row | {"y": find_leaf(tree, row).prediction.value, "w": 1.0} for row in drawn[1]]
    types = {f.name: str(f.kind) for f in tree.schema.features if f.kind not in (Kind.CATEGORY, Kind.ORDINAL)}
    try:
        table = Table.from_columns({name: [row[name] for row in rows] for name in rows[0]}, types=types)
        pruned = prune(tree, pruner.name, **required_options(pruner, tree, table))
    except TreeRulesError:
        return  # a column that no table holds, or a regression where errors are counted
    assert check(compile_rules(pruned))
    assert pruned.n_leaves <= tree.n_leaves


TABLE = Table.from_columns({"x": [-1.0, 1.0, 2.0, 3.0], "w": [1.0, 2.0, 1.0, 2.0], "y": ["a", "b", "b", "a"]})


@EVERY_PRUNER
def test_prune_finds_methods_by_name(pruner: Pruner) -> None:
    """As the function itself; schema, recipe and notes are kept."""
    tree = evolve(ab(fork(fork(end(3, 1), end(1, 3)), end(0, 4)), cart()), notes=("kept",))
    options = required_options(pruner, tree, TABLE)
    pruned = pruner.prune(tree, **options)
    assert prune(tree, pruner.name, **options) == pruned
    assert (pruned.schema, pruned.recipe, pruned.notes[:1]) == (tree.schema, tree.recipe, ("kept",))


@EVERY_PRUNER
def test_a_split_without_figures_is_refused_with_a_sentence(pruner: Pruner) -> None:
    """A tree built by hand may lack the leaf that a split would be."""
    tree = ab(Split(ThresholdTest(0, 0.0), (end(1, 1), end(1, 1)), 0, None))
    with pytest.raises(DataError, match="does not hold the leaf"):
        prune(tree, pruner.name, **required_options(pruner, tree, TABLE))


@pytest.mark.large
@EVERY_PRUNER
@pytest.mark.parametrize("leaning", ["left", "right"])
def test_chains_of_depth_5000_are_pruned(pruner: Pruner, leaning: str) -> None:
    """No recursion, and no quadratic time: the path of alphas too."""
    random = Random(0)
    node: Node = end(1, 0)
    for _ in range(5000):
        leaf = end(random.randint(0, 5), random.randint(0, 5))
        node = fork(node, leaf) if leaning == "left" else fork(leaf, node)
    tree = ab(node)
    assert tree.depth == 5000
    assert prune(tree, pruner.name, **required_options(pruner, tree, TABLE)).n_leaves <= 5001
    alphas = cost_complexity_path(tree, risk="gini").alphas
    assert all(a < b for a, b in pairwise(alphas))


# ---- records


@EVERY_PRUNER
def test_options_of_a_record_are_those_of_its_function(pruner: Pruner) -> None:
    """The names in their order, and which of them the function has no default for; a column's table is one of them."""
    assert PRUNERS[pruner.name] is pruner
    parameters = list(signature(pruner.prune).parameters.values())[1:]
    assert [parameter.name for parameter in parameters] == list(pruner.option_names)
    assert all(parameter.kind is Parameter.KEYWORD_ONLY for parameter in parameters)
    for option, parameter in zip(pruner.options, parameters, strict=True):
        assert option.required is (parameter.default is Parameter.empty)
        if isinstance(option.values, ColumnOf):
            tables = {own.name for own in pruner.options if isinstance(own.values, TableRows)}
            assert option.values.table in tables


def test_methods_agree_about_an_option_that_they_share() -> None:
    """Options of one name have one flag, the same kind of values, and the same names to choose from."""
    by_name = sorted((option for _, option in OPTIONS), key=name_of)
    for _, same in groupby(by_name, key=name_of):
        first, *others = same
        for option in others:
            assert (option.flag, type(option.values)) == (first.flag, type(first.values))
            assert not isinstance(option.values, OneOf) or option.values == first.values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rows.csv: two features, case weights, and targets of both tasks."""
    folder, random = tmp_path_factory.mktemp("pruners"), Random(3)
    lines = ["x,z,w,y,mean"]
    for at in range(80):
        x, z = random.randint(0, 9), random.choice("pqr")
        mean = x + (z == "p") * 3 + random.randint(0, 4)
        lines.append(f"{x},{z},{1 + at % 3},{'yes' if mean > 8 else 'no'},{mean}.5")
    (folder / "rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def table(folder: Path) -> Table:
    """Return the rows of rows.csv."""
    return read_csv(folder / "rows.csv")


@pytest.fixture(scope="module")
def tree(table: Table) -> Tree:
    """Return a tree of classes."""
    return learn(table, target="y", recipe=cart(), weight="w", drop=["mean"])


@pytest.fixture(scope="module")
def trees(table: Table, tree: Tree) -> tuple[Tree, Tree]:
    """Return a tree of classes that was learned with weights, and one of means that was learned without."""
    return tree, learn(table, target="mean", recipe=cart(), drop=["w", "y"])


@EVERY_PRUNER
def test_options_that_a_method_does_not_have_are_refused(pruner: Pruner, tree: Tree) -> None:
    """The error names the option, the method, and the options that it has; the same without a tree."""
    for name in ("nothing", *({option.name for _, option in OPTIONS} - set(pruner.option_names))):
        for given_tree in (tree, None):
            with pytest.raises(OptionError) as error:
                prune(given_tree, pruner.name, **{name: 1})  # type: ignore[call-overload]
            assert f"the option {name!r} of {pruner.name} is 1" in str(error.value)
            assert all(own in str(error.value) for own in pruner.option_names)


@pytest.mark.parametrize(("pruner", "option"), [use for use in OPTIONS if use[1].required], ids=name_of)
def test_options_that_a_method_needs_are_asked_for(pruner: Pruner, option: Option, tree: Tree, table: Table) -> None:
    """Without a required option the error names it and the method."""
    options = required_options(pruner, tree, table)
    del options[option.name]
    with pytest.raises(OptionError, match=rf"{option.name}=None\): expected a value: {pruner.name} requires one"):
        prune(tree, pruner.name, **options)


@pytest.mark.parametrize(("pruner", "option"), NUMBERS, ids=name_of)
def test_a_method_takes_the_numbers_that_its_record_says(
    pruner: Pruner, option: Option, tree: Tree, table: Table
) -> None:
    """Bounds are taken unless they are exclusive, and what lies beyond them, or is no number, is refused."""
    values, options = option.values, required_options(pruner, tree, table)
    assert isinstance(values, NumberRange)
    beyond: list[Any] = [math.nan, "1", None, True, math.nextafter(values.least, -math.inf)]
    inside = [math.nextafter(values.least, math.inf)]
    (beyond if values.exclusive else inside).append(values.least)
    if values.most < math.inf:
        inside.append(values.most)
        beyond.append(math.nextafter(values.most, math.inf))
    for number in inside:
        assert isinstance(prune(tree, pruner.name, **options | {option.name: number}), Tree)
    for number in beyond:
        with pytest.raises(OptionError, match=f"{option.name}="):
            prune(tree, pruner.name, **options | {option.name: number})


@pytest.mark.parametrize(("pruner", "option"), NAMES, ids=name_of)
def test_a_method_takes_the_names_that_its_record_says(
    pruner: Pruner, option: Option, trees: tuple[Tree, Tree], table: Table
) -> None:
    """Each name fits a tree of classes or one of means; another name is an error that lists them."""
    assert isinstance(option.values, OneOf)
    options = required_options(pruner, trees[0], table)
    for name in option.values.names:
        assert any(outcome(tree, pruner, options | {option.name: name})[0] == 0 for tree in trees), name
    with pytest.raises(UnknownNameError) as error:
        prune(trees[0], pruner.name, **options | {option.name: "nothing"})
    assert tuple(error.value.known) == option.values.names


def outcome(tree: Tree, pruner: Pruner, options: dict[str, Any]) -> tuple[int, Any]:
    """Return what the command line is to say: 0 and the tree, or 2 and the sentence of the error."""
    try:
        return 0, prune(tree, pruner.name, **options)
    except (OptionError, UnknownNameError) as error:
        return 2, error.sentence()


# ---- the command line


@pytest.fixture(scope="module")
def files(folder: Path, trees: tuple[Tree, Tree]) -> Path:
    """Return the folder with the models of both tasks too."""
    for name, tree in zip(("classes", "means"), trees, strict=True):
        save(tree, folder / f"{name}.json")
    return folder


def arguments_of(pruner: Pruner, options: dict[str, Any], files: Path) -> list[str]:
    """Return options as the command line takes them: a table by its file, each of several nodes by itself."""
    arguments = []
    for option in pruner.options:
        if option.name in options:
            value = options[option.name]
            if isinstance(option.values, Switch):
                arguments.append(str(option.flag))
                continue
            value = files / "rows.csv" if isinstance(option.values, TableRows) else value
            for one in value if isinstance(value, list) else [value]:
                arguments += [str(option.flag), str(one)]
    return arguments


def test_every_option_has_a_flag_of_its_own() -> None:
    """No two options of the command share a flag or a name."""
    flags = [flag for parameter in prune_command.params for flag in parameter.opts]
    assert len(set(flags)) == len(flags)
    names = [parameter.name for parameter in prune_command.params]
    assert len(set(names)) == len(names)
    assert {option.flag for _, option in FLAGS} <= set(flags)


@pytest.mark.parametrize(("pruner", "option"), FLAGS, ids=name_of)
def test_help_says_what_an_option_means(pruner: Pruner, option: Option, capsys: pytest.CaptureFixture[str]) -> None:
    """`prune --help` has the flag, the method, the meaning of the option for it, and the default where one is told."""
    assert main(["prune", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    own = text[text.index(f" {option.flag} ") :]
    meaning = option.help[1:]  # a sentence begins with a capital letter
    assert option.help
    assert meaning in own
    assert option.default in own
    needs_no_name = isinstance(option.values, ColumnOf) or option.implies_method
    assert needs_no_name or re.match(rf"{re.escape(meaning)} \([\w, -]*{pruner.name}", own[own.index(meaning) :])


@pytest.mark.parametrize(("pruner", "option"), FLAGS, ids=name_of)
@pytest.mark.parametrize("model", few(["classes", "means"], 1))
def test_the_command_line_takes_every_option(
    pruner: Pruner,
    option: Option,
    model: str,
    files: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With each value of each option the command prunes as the library does, or says what the library says."""
    tree, rows = load(files / f"{model}.json"), read_csv(files / "rows.csv")
    for value in examples_of(option, tree, rows):
        options = required_options(pruner, tree, rows) | {option.name: value}
        if isinstance(option.values, ColumnOf):
            options[option.values.table] = rows
        arguments = arguments_of(pruner, options, files)
        for how in (["--method", pruner.name], *([[]] if option.implies_method else [])):
            code = main(["prune", str(files / f"{model}.json"), *how, *arguments, "-o", str(tmp_path / "out.json")])
            said = capsys.readouterr().err
            expected, result = outcome(tree, pruner, options)
            assert code == expected, said
            assert load(tmp_path / "out.json") == result if code == 0 else result in said


@SOME_PRUNERS
def test_a_pruned_model_is_learned_again(
    pruner: Pruner, files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model says how it was pruned, byte for byte; one that was pruned by a table refuses."""
    tree, rows = load(files / "classes.json"), read_csv(files / "rows.csv")
    options = required_options(pruner, tree, rows)
    pruned, again = str(tmp_path / "pruned.json"), str(tmp_path / "again.json")
    model, data = str(files / "classes.json"), str(files / "rows.csv")
    assert main(["prune", model, "--method", pruner.name, *arguments_of(pruner, options, files), "-o", pruned]) == 0
    needs_table = any(isinstance(option.values, TableRows) and option.required for option in pruner.options)
    assert main(["relearn", pruned, data, "-o", again]) == (3 if needs_table else 0)
    assert needs_table is ("with a table" in capsys.readouterr().err)
    assert needs_table or Path(again).read_bytes() == Path(pruned).read_bytes()


@EVERY_PRUNER
def test_the_command_line_refuses_what_a_method_does_not_have(
    pruner: Pruner, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option of another method, an unknown option and a required one that is wanting are usage errors."""
    tree, rows, model = load(files / "classes.json"), read_csv(files / "rows.csv"), str(files / "classes.json")
    own = ["--method", pruner.name, *arguments_of(pruner, required_options(pruner, tree, rows), files)]
    assert main(["prune", model, *own, "--nothing", "1"]) == 2
    assert "--nothing" in capsys.readouterr().err
    for other, option in FLAGS:
        if option.name not in pruner.option_names and not isinstance(option.values, ColumnOf):
            value = {option.name: examples_of(option, tree, rows)[0]}
            assert main(["prune", model, *own, *arguments_of(other, value, files)]) == 2
            assert capsys.readouterr().err
    for option in pruner.options:
        if option.required:
            assert main(["prune", model, "--method", pruner.name]) == 2
            assert f"--method {pruner.name} needs {option.flag}" in capsys.readouterr().err


def test_unknown_methods_are_errors(tree: Tree, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library and the command line list the methods that there are."""
    for given_tree in (tree, None):
        with pytest.raises(UnknownNameError) as error:
            prune(given_tree, "nothing")  # type: ignore[call-overload]
        assert tuple(error.value.known) == tuple(PRUNERS)
    assert main(["prune", str(files / "classes.json"), "--method", "nothing"]) == 2
    said = capsys.readouterr().err
    assert all(f"'{name}'" in said for name in PRUNERS)

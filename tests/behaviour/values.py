"""Values: loading, pickling, copying, comparing; damaged model files; values that cannot be."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from behaviour import calls
from behaviour.calls import (
    CategoryTest,
    ClassPrediction,
    ColumnDomain,
    Condition,
    Feature,
    Interval,
    Leaf,
    MeanPrediction,
    Members,
    Recipe,
    Rule,
    RuleFigures,
    RuleList,
    RuleSet,
    Schema,
    Split,
    ThresholdTest,
    Tree,
    check,
    compile_rules,
    copied,
    load,
    load_recipe,
    measures,
    outcome,
    pickled,
    told,
    tree_from_json,
)
from behaviour.parsing import parts
from behaviour.stored import model_text, models, tables


def recorded() -> Iterator[tuple[str, str]]:
    """Yield values that went through files, pickles and copies, and what is refused."""
    for name, tree in models().items():
        with TemporaryDirectory() as folder:
            again = calls.loaded(Path(folder), tree)
        through = [again, pickled(tree), *copied(tree)]
        yield f"model {name}", told([tree, [each == tree and hash(each) == hash(tree) for each in through]])
        yield f"model {name} pickled", told(pickled(tree))
        rules = compile_rules(tree)
        yield f"rules {name} pickled", _same(rules, told(pickled(rules)))
        if name not in ("leaves", "chain"):
            yield f"repr {name}", repr(rules) + repr(tree.schema) + str(tree) + repr(tree.root)[:2000]
    for name, table in tables().items():
        yield f"table {name} pickled", _same(table, told(pickled(table)))
    for place, (name, part) in enumerate(parts()):
        if place % 9 == 0 and len(part.rules.rules) < 200:
            yield f"{name} pickled", _same(part, told(pickled(part))) + repr(part.rules)
    yield from _damaged()
    yield from _refused()
    yield from _recipes()
    yield from _measured()


def _same(value: Any, text: str) -> str:
    one, other = copied(value)
    return f"{one == value} {other == value} {pickled(value) == value} {told(one) == told(value)}\n{text}"


def _damaged() -> Iterator[tuple[str, str]]:
    """Yield what loading says of model files that are cut, edited or no model files."""
    text = model_text("kinds")
    for place in range(0, len(text), max(1, len(text) // 60)):
        yield f"cut at {place}", outcome(lambda place=place: tree_from_json(text[:place]))
        other = "0" if text[place] != "0" else "x"
        edited = text[:place] + other + text[place + 1 :]
        yield f"edited at {place}", outcome(lambda edited=edited: tree_from_json(edited))
    for place, odd in enumerate(("", "null", "[]", "{}", "1", '{"format": "treerules.tree"}', b"\xff\xfe", "{" * 3000)):
        yield f"odd {place}", outcome(lambda odd=odd: tree_from_json(odd))
    content = json.loads(text)
    for key in content:
        without = {name: value for name, value in content.items() if name != key}
        yield f"without {key}", outcome(lambda without=without: tree_from_json(json.dumps(without)))
        for odd in (None, 0, "x", [], {}, [[]]):
            changed = {**content, key: odd}
            yield f"{key} is {odd!r}", outcome(lambda changed=changed: tree_from_json(_signed(changed)))
    yield from _rows_damaged(content)


def _signed(content: dict[str, Any]) -> str:
    """Return a model file whose digest is right."""
    rest = {key: value for key, value in content.items() if key not in ("format", "version", "digest")}
    canonical = json.dumps(rest, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return json.dumps({**content, "digest": sha256(canonical.encode()).hexdigest()}, ensure_ascii=False)


def _rows_damaged(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    nodes = content["nodes"]
    for place, row in enumerate(nodes[:6]):
        for at in range(len(row)):
            for odd in (None, -1, 99, "x", [], {"groups": [[0], [0]]}):
                changed = [*nodes[:place], [*row[:at], odd, *row[at + 1 :]], *nodes[place + 1 :]]
                text = outcome(lambda changed=changed: tree_from_json(_signed({**content, "nodes": changed})))
                yield f"node {place} at {at} is {odd!r}", text
    features = content["schema"]["features"]
    for place, feature in enumerate(features):
        for key in feature:
            for odd in (None, 1, "x", ["b", "a"]):
                changed = [{**each, key: odd} if at == place else each for at, each in enumerate(features)]
                text = outcome(
                    lambda changed=changed: tree_from_json(
                        _signed({**content, "schema": {**content["schema"], "features": changed}})
                    )
                )
                yield f"feature {place} {key} is {odd!r}", text


def _refused() -> Iterator[tuple[str, str]]:
    """Yield what the constructors of values say of fields that do not fit."""
    goal = Feature("y", "category", ("a", "b"))
    x, c, o = Feature("x", "number"), Feature("c", "category", ("p", "q")), Feature("o", "ordinal", ("S", "M"))
    schema = Schema([x, c, o], goal)
    a, b = Leaf(ClassPrediction("a", (1.0, 0.0)), (3, 0)), Leaf(ClassPrediction("b", (0.0, 1.0)), (0, 2))
    cut = ThresholdTest(0, 1.5)
    made: dict[str, Callable[[], Any]] = {
        "feature": lambda: Feature(1, "number"),
        "feature kind": lambda: Feature("x", "text"),
        "feature scalar": lambda: Feature("x", "number", (), "text"),
        "feature form": lambda: Feature("x", "number", form="?"),
        "feature cut": lambda: Feature("x", "number", (1,)),
        "feature unsorted": lambda: Feature("c", "category", ("b", "a")),
        "feature twice": lambda: Feature("c", "category", ("a", "a")),
        "feature mixed": lambda: Feature("c", "category", ("a", 1)),
        "feature nan": lambda: Feature("c", "category", (nan,), "number"),
        "feature boolean": lambda: Feature("b", "boolean"),
        "ordinal empty": lambda: Feature("o", "ordinal"),
        "schema twice": lambda: Schema([x, x]),
        "schema target": lambda: Schema([x], Feature("x", "number")),
        "schema date": lambda: Schema([x], Feature("d", "date")),
        "schema unknown": lambda: schema.feature("z"),
        "schema index": lambda: schema.index("X"),
        "position": lambda: [o.position("M"), o.position("L"), c.position(None)],
        "converted": lambda: x.convert("1"),
        "label": lambda: ClassPrediction("a", ()),
        "leaf counts": lambda: Leaf(MeanPrediction(1.0), ()),
        "mean": lambda: MeanPrediction("x"),
        "interval": lambda: Interval(2, 1),
        "interval open": lambda: Interval(),
        "interval equal": lambda: Interval(1, 1),
        "members": lambda: Members(()),
        "members unsorted": lambda: Members(["b", "a"]),
        "members other": lambda: Members(["a"], True),
        "condition": lambda: Condition(None),
        "condition missing": lambda: Condition(None, missing=True),
        "condition odd": lambda: Condition(3),
        "domain": lambda: ColumnDomain(missing=3),
        "domain unseen": lambda: ColumnDomain(unseen=0),
        "threshold": lambda: ThresholdTest(0, nan),
        "threshold feature": lambda: ThresholdTest(-1, 1.0),
        "groups": lambda: CategoryTest(1, [[0], [0]]),
        "groups one": lambda: CategoryTest(1, [[0]]),
        "groups odd": lambda: CategoryTest(1, 3),
        "tree": lambda: Tree(schema, Split(cut, [a, b])),
        "tree missing": lambda: Tree(schema, Split(cut, [a, b], missing=2)),
        "tree missing child": lambda: Tree(schema, Split(cut, [a, b, a], missing=2)),
        "tree children": lambda: Tree(schema, Split(cut, [a])),
        "tree unseen": lambda: Tree(schema, Split(cut, [a, b], unseen=1)),
        "tree groups": lambda: Tree(schema, Split(CategoryTest(1, [[0], [1]]), [a, b], unseen=0)),
        "tree groups unseen": lambda: Tree(schema, Split(CategoryTest(1, [[0], [1]]), [a, b])),
        "tree groups few": lambda: Tree(schema, Split(CategoryTest(1, [[0], []]), [a, b], unseen=0)),
        "tree groups range": lambda: Tree(schema, Split(CategoryTest(1, [[0], [9]]), [a, b], unseen=0)),
        "tree feature": lambda: Tree(schema, Split(ThresholdTest(7, 1.0), [a, b])),
        "tree kind": lambda: Tree(schema, Split(ThresholdTest(1, 1.0), [a, b])),
        "tree value": lambda: Tree(schema, Split(ThresholdTest(0, "1"), [a, b])),
        "tree label": lambda: Tree(schema, Leaf(ClassPrediction("z", (1.0, 0.0)), (1, 0))),
        "tree shares": lambda: Tree(schema, Leaf(ClassPrediction("a", (1.0,)), (1, 0))),
        "tree counts": lambda: Tree(schema, Leaf(ClassPrediction("a", (1.0, 0.0)), (1,))),
        "tree mean": lambda: Tree(schema, Leaf(MeanPrediction(1.0), (1,))),
        "tree without a target": lambda: Tree(Schema([x]), a),
        "tree root": lambda: Tree(schema, None),
        "tree schema": lambda: Tree(None, a),
        "split": lambda: Split(None, [a, b]),
        "tree collapsed": lambda: Tree(
            schema, Split(cut, [a, b], as_leaf=Leaf(ClassPrediction("z", (1.0, 0.0)), (3, 2)))
        ),
        "rule": lambda: RuleSet(
            schema, [Rule(1, [("z", Condition(None, True))], ClassPrediction("a", (1.0, 0.0)), RuleFigures(1, 1))]
        ),
        "rule twice": lambda: RuleSet(schema, [_rule(1), _rule(1)]),
        "rule interval": lambda: RuleSet(schema, [_rule(1, "c")]),
        "rule number": lambda: RuleSet(schema, [_rule(0)]),
        "rule column twice": lambda: RuleSet(schema, [_rule(1, "x", "x")]),
        "rule label": lambda: RuleSet(schema, [_rule(1, value="z")]),
        "rules": lambda: RuleSet(schema, [_rule(1), _rule(2)]),
        "rule list": lambda: RuleList(schema, [_rule(1), _rule(2)]),
        "rules sorted": lambda: RuleSet(schema, [_rule(1)]).sorted_by("size"),
        "rules where": lambda: RuleSet(schema, [_rule(1)]).where("size", least=1),
        "rules firing": lambda: RuleSet(schema, [_rule(1)]).firing({"x": 1}),
        "rules firing odd": lambda: RuleSet(schema, [_rule(1)]).firing({"x": "a"}),
        "rules length": lambda: len(RuleSet(schema, [_rule(1)])),
        "figures": lambda: [RuleFigures(1.0, 0.5, 0.25, 0.5, 2.0), RuleFigures(inf, 0)],
        "check": lambda: check(RuleSet(schema, [_rule(1)])),
    }
    for name, make in made.items():
        yield f"made {name}", outcome(make)


def _rule(number: int, *columns: str, value: str = "a") -> Any:
    asked = [(column, Condition(Interval(0.0, 1.0))) for column in columns or ("x",)]
    return Rule(number, asked, ClassPrediction(value, (1.0, 0.0)), RuleFigures(1.0, 0.5))


def _recipes() -> Iterator[tuple[str, str]]:
    """Yield recipes as text, from files too, and what they refuse."""
    files = {
        "cart": 'algorithm = "cart"\nmax_depth = 5\nclass_weight = {good = 1, bad = 5}\n',
        "c45": 'algorithm = "c45"\nquinlan = true\nconfidence = 0.1\n',
        "id3": 'algorithm = "id3"\nbase = "e"\n',
        "costs": 'costs = [["a", "b", 2]]\nmonotone = {x = 1}\nprefer = ["x"]\n',
        "unknown": 'algorithm = "cart"\nmax_dept = 5\n',
        "algorithm": 'algorithm = "chaid"\n',
        "toml": "algorithm = cart\n",
        "empty": "",
        "wrong": 'algorithm = "cart"\nmax_depth = "5"\n',
        "other": 'algorithm = "id3"\ncriterion = "gini"\n',
        "encoding": "\udcff",
        "list": "algorithm = [1]\n",
        "priors": 'priors = {a = 0.5, b = 0.5}\nmissing = "branch"\n',
    }
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / f"{name}.toml"
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            yield f"recipe {name}", outcome(lambda path=path: load_recipe(path)).replace(folder, "FOLDER")
        path = Path(folder) / "none.toml"
        yield "recipe none", outcome(lambda: load_recipe(path)).replace(folder, "FOLDER")
        yield "model none", outcome(lambda: load(path)).replace(folder, "FOLDER")
        wrong: tuple[dict[str, Any], ...] = (
            {"criterion": "chi2"},
            {"categories": "x"},
            {"missing": "x"},
            {"base": "10"},
            {"max_depth": -1},
            {"max_depth": 1.5},
            {"max_leaves": 0},
            {"min_samples_leaf": 0},
            {"min_samples_split": -1},
            {"min_gain": -1},
            {"min_gain": nan},
            {"min_impurity": "x"},
            {"class_weight": "heavy"},
            {"class_weight": {"a": -1}},
            {"class_weight": 3},
            {"priors": {"a": 0}},
            {"priors": {"a": "x"}},
            {"costs": {("a", "b"): -1}},
            {"costs": {"a": 1}},
            {"costs": {("a", "a"): 1}},
            {"monotone": {"x": 2}},
            {"monotone": {1: 1}},
            {"feature_cost": {"x": 0}},
            {"prefer": "x"},
            {"prefer": [1]},
            {"prefer": 3},
            {"confidence": 0.7},
            {"confidence": 0},
            {"quinlan": 1},
            {"thresholds": 1},
            {"average_gain": "x"},
            {"name": 3},
            {"max_depth": True},
            {"class_weight": "balanced", "priors": {"a": 1}},
            {"quinlan": True, "missing": "larger"},
            {"priors": {"a": 1, "b": 1}},
            {"class_weight": {"a": 2}, "costs": {("a", "b"): 3}},
            {"confidence": 0.25, "costs": {("a", "b"): 3}},
        )
        for given in wrong:
            plain: dict[str, Any] = {"name": "own", "criterion": "gini", "categories": "subset"}
            called = ", ".join(f"{key}={value!r}" for key, value in given.items())
            yield f"Recipe {called}", outcome(lambda given=given, plain=plain: repr(Recipe(**{**plain, **given})))
    for name, make in (("cart", calls.cart), ("c45", calls.c45), ("id3", calls.id3)):
        for choice in (
            {"quinlan": True, "missing": "branch"},
            {"unpruned": True},
            {"confidence": 0.2},
            {"criterion": "gini"},
            {"criterion": "gain_ratio"},
            {"categories": "multiway"},
            {"average_gain": True, "quinlan": True},
            {"quinlan": True, "unpruned": True, "confidence": 0.1},
            {"min_samples_leaf": 3, "quinlan": True},
        ):
            called = ", ".join(f"{key}={value!r}" for key, value in choice.items())
            text = outcome(lambda make=make, choice=choice: repr(make(**choice)))
            if "unexpected keyword" not in text:
                yield f"{name} {called}", text


def _measured() -> Iterator[tuple[str, str]]:
    """Yield what the measures of impurity say, on odd counts too."""
    groups: tuple[Any, ...] = (
        [(9, 5)],
        [(2, 3), (4, 0), (3, 2)],
        [(0, 0), (1, 2)],
        [(0.5, 1.5), (1e-300, 1e300)],
        [(0,)],
    )
    for place, group in enumerate(groups):
        for base in ("2", "e", "10"):
            for name in ("conditional_entropy", "information_gain", "split_information", "gain_ratio"):
                text = outcome(lambda name=name, group=group, base=base: repr(getattr(measures, name)(group, base)))
                yield f"{name} {place} base={base}", text
            yield f"entropy {place} base={base}", outcome(lambda g=group, b=base: repr(measures.entropy(g[0], b)))
        yield (
            f"gini {place}",
            outcome(lambda g=group: repr([measures.gini(each) for each in g] + [measures.gini_of_split(g)])),
        )
    for values in ((), (1.0,), (1e200, -1e200), (5e-324, 0.0), (1.5, 2.5, 4.0), (1e308, -1e308)):
        yield f"squared_error {values}", outcome(lambda values=values: repr(measures.squared_error(values)))

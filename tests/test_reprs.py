"""Reprs: those of public classes and of what their values consist of stay short, whatever they hold."""

import inspect
import pickle
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
import pytest
from attrs import evolve

import treerules as tr
from treerules import (
    criteria,
    emit,
    errors,
    formats,
    readers,
    report,
    testing,
    trees,
)
from treerules.errors import LONGEST_REPR, TreeRulesError
from treerules.sql.dialects import DUCKDB
from treerules.verification.equivalence import Difference

PACKAGES = (tr, trees, criteria, emit, errors, formats, readers, report, testing)
CLASSES = [f"class {n:04} {'名' * 30}" for n in range(1_000)]
LONG = ("columns" * 10, "c" * 3_000)


def classes_of_ours() -> dict[str, type]:
    """Return the classes of attrs in the modules that are loaded, by name."""
    modules = [module for name, module in sys.modules.items() if name.startswith("treerules")]
    found = [value for module in modules for value in vars(module).values()]
    return {kind.__name__: kind for kind in found if inspect.isclass(kind) and attrs.has(kind)}


def shown_classes() -> list[type]:
    """Return the public classes of attrs, and those that the annotations of their fields name, and so on."""
    public = [getattr(package, name) for package in PACKAGES for name in getattr(package, "__all__", vars(package))]
    ours, shown = classes_of_ours(), {}
    todo = [kind for kind in public if inspect.isclass(kind) and attrs.has(kind)]
    while todo:
        kind = todo.pop()
        if kind.__name__ not in shown and kind.__module__.startswith("treerules"):
            shown[kind.__name__] = kind
            words = {word for field in attrs.fields(kind) for word in re.findall(r"\w+", str(field.type))}
            todo += [ours[word] for word in words & set(ours)]
    return [shown[name] for name in sorted(shown)]


def balanced(first: int, n: int) -> trees.Node:
    """Return the tree of `n` leaves, each of a class of its own, from that of a position; categories at the root."""
    if n == 1:
        return trees.Leaf(
            trees.ClassPrediction(CLASSES[first], [1.0 * (m == first) for m in range(1_000)]), [0] * 1_000
        )
    children = [balanced(first, n // 2), balanced(first + n // 2, n // 2)]
    at_root = trees.CategoryTest(1, [range(500), range(500, 1_000)])
    test = at_root if n == 32 else trees.ThresholdTest(0, first + n / 2)
    return trees.Split(test, children, missing=0, unseen=0 if n == 32 else None)


@cache
def large_values() -> dict[str, Any]:
    """Return results of long names, 300 columns, 1,000 classes and 10,000 leaves, by the names of their classes."""
    target = "y" * 3_000
    table = tr.Table.from_columns(
        {
            LONG[0]: [float(n) for n in range(200)],
            LONG[1]: [CLASSES[n % 20] for n in range(200)],
            target: [CLASSES[n // 10] for n in range(200)],
        }
    )
    wide = tr.Table.from_columns({f"{'col' * 22}{n:04}": [1.0, 2.0, 3.0] for n in range(300)} | {"y": list("aba")})
    schema = tr.Schema(
        [tr.Feature(LONG[0], "number"), tr.Feature(LONG[1], "category", CLASSES)],
        tr.Feature(target, "category", CLASSES),
    )
    tree = tr.Tree(schema, balanced(0, 32))
    rules = tr.compile_rules(tree)
    some = tr.RuleSet(rules.schema, rules.rules[:20])
    listed = tr.RuleList(rules.schema, rules.rules[:20])
    few = formats.ParsedRules(some)
    small = tr.Table.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": list("aabb")})
    stump = tr.learn(small, target="y", recipe=tr.cart())
    learned = tr.learn(table, target=target, recipe=tr.cart(max_depth=3))
    codes = tr.Schema([tr.Feature("c", "category", [f"c{n:05}" for n in range(10_000)])], tr.Feature("y", "number"))
    leaf = trees.Leaf(trees.MeanPrediction(0.0), (1,))
    test = trees.CategoryTest(0, [[n] for n in range(10_000)])
    deep = tr.Tree(codes, trees.Split(test, [leaf] * 10_000, missing=0, unseen=0))
    assert deep.n_leaves == 10_000
    values = [
        *(
            table,
            wide,
            tree,
            rules,
            listed,
            few,
            deep,
            tr.Ensemble(deep.schema, [deep] * 50),
            tr.learn(wide, target="y", recipe=tr.cart()),
            tree.schema,
            tree.root,
        ),
        *(next(trees.leaves(tree.root)), tr.check(rules), tr.check(some), tr.check_list(listed), tr.review(few)),
        *(tr.diff(some, listed), tr.diff(listed, tr.RuleList(rules.schema, rules.rules[5:20]))),
        tr.explain(tr.Ensemble(deep.schema, [deep] * 3), {"c": "c00007"}),
        *(tr.explain(tree, {LONG[0]: 7.0}), tr.evaluate(learned, table), tr.feature_gains(table, target=target)),
        *(
            tr.importances(learned),
            tr.rule_metrics(tr.compile_rules(learned), table),
            tr.predict_table(learned, table, proba=True),
        ),
        *(tr.cost_complexity_path(learned), tr.to_exclusive(listed), tr.verify(stump, tr.to_python(stump))),
        tr.cross_validate(small, target="y", folds=2),
        tr.compare_recipes(small, {LONG[1]: tr.cart()}, target="y", folds=2),
        tr.cart(class_weight=dict.fromkeys(CLASSES, 2.0)),
        tr.ValueSet(tree.schema.features[1], (), CLASSES[:100]),
        evolve(DUCKDB.spelling, name="n" * 3_000),
        testing.Sql("SELECT " + LONG[1], object()),
        report.Reviews([(LONG[1], [tr.review(few)])]),
        Difference({LONG[0]: 1.0}, LONG[1], 1, LONG[1], "f()"),
    ]
    return {f"{type(value).__name__} {n}": value for n, value in enumerate(values)}


def parts_of(value: Any, seen: set[int]) -> Iterator[Any]:
    """Yield a value of ours, and what its fields hold: of a tuple the first three and the last."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo += [*part[:3], *part[-1:]]
        elif attrs.has(type(part)) and type(part).__module__.startswith("treerules") and id(part) not in seen:
            seen.add(id(part))
            yield part
            todo += [getattr(part, field.name) for field in attrs.fields(type(part)) if hasattr(part, field.name)]


def assert_short(value: Any) -> None:
    """Raise AssertionError unless the repr of a value is one line of at most 200 characters."""
    text = repr(value)
    assert len(text) <= LONGEST_REPR == 200 and "\n" not in text, f"{type(value).__name__}: {len(text)} characters"


@pytest.mark.large
def test_large_values_have_short_reprs() -> None:
    """Results and their parts, with 1,000 classes, 300 columns, long names and 10,000 leaves."""
    seen: set[int] = set()
    for value in large_values().values():
        for part in parts_of(value, seen):
            assert_short(part)


def filled(kind: type, content: Any) -> Any:
    """Return an instance of a class with the same content in each field, without its checks."""
    instance = kind.__new__(kind)
    for field in attrs.fields(kind):
        object.__setattr__(instance, field.name, content)
    return instance


@pytest.mark.parametrize("kind", shown_classes(), ids=lambda kind: kind.__name__)
def test_each_class_has_a_short_repr(kind: type) -> None:
    """Every public class and each class of its fields: with long fields, or in one of the values above."""
    if any(isinstance(value, kind) for value in large_values().values()):
        return
    assert_short(filled(kind, tuple(CLASSES)))


def test_reprs_of_small_values_are_expressions() -> None:
    """What is evaluated is equal."""
    feature = tr.Feature("c", "category", ["a", "b"])
    condition = tr.Condition(tr.Members(["a"]), missing=True)
    for value in (
        *(feature, tr.Schema([feature]), condition, tr.Interval(1.0, 2.0), trees.ThresholdTest(0, 1.5)),
        *(trees.CategoryTest(0, [[0], [1]]), trees.ClassPrediction("a", (0.5, 0.5)), tr.RuleFigures(1, 0.5)),
    ):
        names = {**vars(trees), **{name: getattr(tr, name) for name in tr.__all__}}
        text = re.sub(r"<(Kind\.\w+): '\w+'>", r"\1", repr(value))
        names |= {name: getattr(trees, name) for name in trees.__all__}
        assert eval(text, names) == value


def test_errors_have_the_reprs_of_records() -> None:
    """With the facts by name; of one without facts, Python's own. They pickle."""
    error = errors.UnknownNameError("column", "agee", ["age"])
    assert repr(error) == "UnknownNameError(what='column', name='agee', known=('age',))"
    assert repr(pickle.loads(pickle.dumps(error))) == repr(error)
    assert repr(TreeRulesError("no")) == "TreeRulesError('no')"

"""What is made once and shared, or written without its usual means, is what the plain definition makes."""

import ast
import gc
import json
import math
import weakref
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from strategies_random import trees
from treerules import Feature, Kind, RuleSet, Schema, Tree, compile_rules, to_python
from treerules._internal.paused_gc import paused_gc
from treerules.data.interval import Interval
from treerules.errors import InvalidTreeError, ModelFileError
from treerules.rules.rule import Condition, Rule, RuleFigures
from treerules.rules.wording import antecedent_texts, condition_text, rule_text, rule_texts
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest, tree_from_json, tree_to_json
from treerules.trees.json_codec import _digest


def unshared(rule: Rule) -> Rule:
    """Return an equal rule that shares no condition, bound or pair with another."""
    conditions = [
        (name, evolve(condition, values=evolve_values(condition.values))) for name, condition in rule.conditions
    ]
    return evolve(rule, conditions=conditions)


def evolve_values(values: Any) -> Any:
    """Return an equal value that is another object."""
    if isinstance(values, tuple):
        return tuple(map(evolve, values))
    return None if values is None else evolve(values)


@given(trees())
def test_rules_of_a_tree_pass_the_checks_that_they_skip(tree: Tree) -> None:
    """What compile_rules builds unchecked is what the public, checking constructors build."""
    rules = compile_rules(tree)
    assert RuleSet(tree.schema, [unshared(rule) for rule in rules.rules]) == rules
    assert rules.tree is tree


@given(trees())
def test_texts_do_not_depend_on_what_rules_share(tree: Tree) -> None:
    """A rule reads the same beside others and alone, and as its conditions do one by one."""
    schema, rules = tree.schema, compile_rules(tree).rules
    assert rule_texts(schema, rules) == [rule_text(schema, unshared(rule)) for rule in rules]
    texts = [[condition_text(schema.feature(name), condition) for name, condition in rule.conditions] for rule in rules]
    assert antecedent_texts(schema, rules) == [" AND ".join(text) or "always" for text in texts]


@given(trees())
def test_the_lines_of_a_model_file_are_those_of_json(tree: Tree) -> None:
    """Each line of nodes is what `json.dumps` makes of its value, and the digest that of the whole content."""
    text = tree_to_json(tree)
    rows = text.partition('"nodes": [\n')[2].removesuffix("\n]}\n").split("\n")
    for row in rows:
        value = json.loads(row.removesuffix(","))
        assert json.loads(json.dumps(value)) == value
        assert json.dumps(value, separators=(",", ":")).encode() == ascii_of(row.removesuffix(",")).encode()
    content = json.loads(text)
    rest = {name: value for name, value in content.items() if name not in ("format", "version", "digest")}
    assert content["digest"] == _digest(rest)


def ascii_of(row: str) -> str:
    """Return JSON text with what is not ASCII escaped."""
    return "".join(c if " " <= c <= "~" else json.dumps(c)[1:-1] for c in row)


@given(trees())
def test_a_model_file_in_any_other_form_is_the_same_model(tree: Tree) -> None:
    """The digest is of the content, not of its layout: indented, in one line, in ASCII, with other line ends."""
    text = tree_to_json(tree)
    content = json.loads(text)
    for other in (json.dumps(content, indent=1), json.dumps(content, ensure_ascii=False), text.replace("\n", "\r\n")):
        assert tree_from_json(other.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")) == tree


def two_leaves(labels: list[str]) -> Tree:
    """Return a tree of one cut."""
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, labels))
    leaf = [Leaf(ClassPrediction(label, (0.5, 0.5)), (1, 1)) for label in labels]
    return Tree(schema, Split(ThresholdTest(0, 0.5), leaf))


@pytest.mark.parametrize(
    "label", ["],\n[", '"],"', "\x7f", "\x80", "é", "\ud800", "😀", "\\u00e9", ',\n"nodes": [\n', "\n]}\n"]
)
def test_labels_that_look_like_the_file_survive_and_guard_it(label: str) -> None:
    """A label may hold what stands between rows, or what ASCII has not; another label in its place is refused."""
    tree = two_leaves(sorted([label, "zz\U0010ffff"]))
    text = tree_to_json(tree)
    assert tree_from_json(text) == tree_from_json(text.encode()) == tree
    assert tree_to_json(tree_from_json(text)) == text
    with pytest.raises(ModelFileError, match="does not fit its digest"):
        tree_from_json(text.replace("zz", "zy"))


def test_the_collector_is_left_as_it_was() -> None:
    """Pausing garbage collection ends with the work, also by an error, and does not start what was off."""
    assert gc.isenabled()
    with pytest.raises(ModelFileError):
        tree_from_json("{}")
    assert gc.isenabled()
    with paused_gc():
        compile_rules(two_leaves(["a", "b"]))
        assert not gc.isenabled()
    assert gc.isenabled()


def test_garbage_is_collected_after_a_pause() -> None:
    """After a pause no more is frozen than before it, and a cycle from before, within or after it is collected."""

    class Cycle(list[object]):
        """A list that can be watched."""

    def cycle() -> weakref.ref[Cycle]:
        made = Cycle()
        made.append(made)
        return weakref.ref(made)

    watched, frozen = [cycle()], gc.get_freeze_count()
    with paused_gc():
        watched.append(cycle())
        many = [[place] for place in range(60_000)]
    assert gc.get_freeze_count() == frozen and len(many) == 60_000
    watched.append(cycle())
    gc.collect()
    assert [each() for each in watched] == [None] * 3


def test_what_others_froze_stays_frozen() -> None:
    """A pause of the collector thaws nothing that a server froze before it forked."""
    gc.freeze()
    try:
        n = gc.get_freeze_count()
        with paused_gc():
            many = [[place] for place in range(60_000)]
        # what others drop meanwhile counts no more; thawed, none would
        assert n - 1_000 < gc.get_freeze_count() <= n and len(many) == 60_000
    finally:
        gc.unfreeze()


def rules_that_say(*probabilities: float) -> RuleSet:
    """Return one hand-built rule that always fires, with these shares of its classes."""
    classes = [f"c{place}" for place in range(max(1, len(probabilities)))]
    schema = Schema([Feature("x", Kind.NUMBER)], Feature("y", Kind.CATEGORY, classes))
    return RuleSet(schema, [Rule(1, (), ClassPrediction("c0", probabilities), RuleFigures(1.0, 1.0, 1.0, 1.0, 1.0))])


@pytest.mark.parametrize("shares", [(), (math.inf, 1.0), (1, 0)])
def test_shares_that_are_none_are_refused(shares: tuple[float, ...]) -> None:
    """Each class has its share, a float from 0 to 1, as the leaves of trees have."""
    with pytest.raises(InvalidTreeError, match="a float from 0 to 1 for each class"):
        rules_that_say(*shares)


@pytest.mark.parametrize("shares", [(1.0,), (0.25, 0.75), (0.1, 0.2, 0.7), (5e-324, 1.0)])
def test_shares_are_emitted_so_that_they_read_back(shares: tuple[float, ...]) -> None:
    """They are written exactly."""
    said = to_python(rules_that_say(*shares), style="full")
    space: dict[str, Any] = {}
    exec(compile(said, "rules", "exec"), space)
    assert space["_SHARES"] == {1: shares}
    assert space["predict"]({}) == "c0"


@pytest.mark.parametrize(
    ("conditions", "ends"),
    [
        ([()], "return 1"),
        ([[("x", Condition(Interval(), missing=True))]], "return 1"),
        (
            [[("x", Condition(Interval()))], [("x", Condition(None, missing=True))]],
            "raise AssertionError('no rule fires')",
        ),
    ],
)
def test_a_module_falls_through_where_its_last_line_asks(conditions: list[Any], ends: str) -> None:
    """A rule that always fires is returned; after a question comes an error that no row meets."""
    (rule,), schema = rules_that_say(1.0).rules, rules_that_say(1.0).schema
    rules = [evolve(rule, number=number, conditions=each) for number, each in enumerate(conditions, start=1)]
    body = ast.parse(to_python(RuleSet(schema, rules), style="full")).body
    fired = next(found for found in body if isinstance(found, ast.FunctionDef) and found.name == "rule")
    assert ast.unparse(fired.body[-1]) == ends


@pytest.mark.parametrize(
    "conditions",
    [
        [("x", Condition(None, missing=True), "more")],
        [("x",)],
        [()],
        [None],
        [1],
        [("x", Condition(None, missing=True)), ("x", Condition(None), 1)],
    ],
)
def test_a_condition_that_is_no_pair_is_told(conditions: list[Any]) -> None:
    """The rule that is malformed is named, by an error of ours."""
    with pytest.raises(InvalidTreeError, match="rule 7: each condition must be a pair"):
        Rule(7, conditions, ClassPrediction("a", (1.0,)), RuleFigures(1.0, 1.0))

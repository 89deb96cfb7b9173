"""What may stand where rules are asked for: every form says the same, and what means nothing is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from treerules import Feature, Schema, Tree, compile_rules
from treerules.data.domain import ColumnDomain
from treerules.data.table import Table
from treerules.errors import DataError, OptionError
from treerules.evaluation.rule_metrics import rule_metrics
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.formats.tables.table_writer import decision_table_text
from treerules.proof.check import check
from treerules.proof.check_list import check_list
from treerules.proof.diff import diff
from treerules.proof.explain import explain
from treerules.proof.review import review
from treerules.proof.to_exclusive import to_exclusive
from treerules.proof.to_tree import tree_from_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest, find_leaf

AGE = Feature("age", "integer")
TREE = Tree(
    Schema([AGE], Feature("y", "number")),
    Split(ThresholdTest(0, 30), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])]),
)
RULES = compile_rules(TREE)
ORDERED = RuleList(RULES.schema, RULES.rules)
ROW = {"age": 3}
TABLE = Table.from_columns({"age": [1, 40]})
#: A function of rules of any kind, of a set alone, and of a list alone.
ANY: dict[str, Callable[..., Any]] = {
    "decision_table_text": decision_table_text,
    "diff": lambda rules, **given: diff(rules, RULES, **given),
    "explain": lambda rules, **given: explain(rules, ROW, **given),
    "review": review,
    "score": lambda rules, **given: rule_metrics(rules, TABLE, **given),
    "tree_from_rules": tree_from_rules,
    "rules_to_text": rules_to_text,
}
SET, LIST = {"check": check}, {"check_list": check_list, "to_exclusive": to_exclusive}


@pytest.mark.parametrize("name", [*ANY, *SET])
def test_a_tree_a_set_and_a_file_say_the_same(name: str) -> None:
    """A tree stands for its rules, and a file of rules for those it holds."""
    ask = {**ANY, **SET}[name]
    whole = ask(RULES)
    found = [ask(TREE), ask(ParsedRules(RULES)), ask(RuleSet(RULES.schema, RULES.rules))]
    if name == "score":
        whole, *found = ([one.figures for one in each.by_rule] for each in (whole, *found))
    elif name == "explain":  # only a tree has a path
        whole, *found = ((each.rule, each.change) for each in (whole, *found))
    elif name == "review":
        whole, *found = (each.verdict for each in (whole, *found))
    assert all(each == whole for each in found)


@pytest.mark.parametrize("name", [*ANY, *LIST])
def test_a_list_may_come_from_a_file(name: str) -> None:
    """A rule list and a file that holds it are the same."""
    ask = {**ANY, **LIST}[name]
    one, other = ask(ORDERED), ask(ParsedRules(ORDERED))
    assert repr(one) == repr(other) if name in ("score", "diff") else one == other


@pytest.mark.parametrize(
    ("ask", "rules", "use"),
    [(check, ORDERED, "check_list"), (check_list, RULES, "check"), (to_exclusive, RULES, "check"),
     (check, ParsedRules(ORDERED), "check_list"), (check_list, TREE, "check"),
     (to_exclusive, ParsedRules(RULES), "check")],
)  # fmt: skip
def test_a_set_is_no_list(ask: Callable[..., Any], rules: Any, use: str) -> None:
    """What asks whether rules exclude each other refuses a list, what asks of the order a set; each names the other."""
    with pytest.raises(OptionError, match=rf"\b{use}\b"):
        ask(rules)


@pytest.mark.parametrize("name", [*ANY, *SET, *LIST])
@pytest.mark.parametrize("nonsense", [3, None, "IF x THEN y", []])
def test_what_holds_no_rules_is_refused(name: str, nonsense: Any) -> None:
    """Numbers, text and lists of nothing are no rules."""
    with pytest.raises(OptionError, match=r"(rules|old)="):
        {**ANY, **SET, **LIST}[name](nonsense)


def test_what_a_file_declares_holds_unless_a_domain_is_given() -> None:
    """Rules for each age from 0 that is never missing are complete there, and not where all may come."""
    text = "column age: integer 0..120, never missing\n{}IF age <= 30 THEN a\nIF 30 < age <= 120 THEN b"
    written, ordered = rules_from_text(text.format("")), rules_from_text(text.format("ordered\n"))
    for found in (check(written), check_list(ordered), review(written), review(ordered)):
        assert found
    for found in (check(written, domain={}), check_list(ordered, domain={}), review(written, domain={})):
        assert not found
    wider = {"age": ColumnDomain(0, 121, missing=False)}
    assert [gap.row for gap in review(ordered, domain=wider).verdict.gaps] == [{"age": 121}]
    for age, answer in ((0, "a"), (30, "a"), (31, "b"), (120, "b")):
        for tree in (
            tree_from_rules(written),
            tree_from_rules(ordered),
            tree_from_rules(to_exclusive(ordered).rules, domain=ordered.domain),
        ):
            assert find_leaf(tree, {"age": age}).prediction.value == answer


@pytest.mark.parametrize("ask", [check_list, to_exclusive, tree_from_rules, decision_table_text])
def test_nothing_is_proved_of_a_file_that_was_not_read_whole(ask: Callable[..., Any]) -> None:
    """A WHEN that could not be read may take any row."""
    (written,) = rules_from_sql("CASE WHEN x > 'm' THEN 1 ELSE 2 END", dialect="duckdb")
    assert written.unparsed
    with pytest.raises(DataError, match="not read, on line 1"):
        ask(written)


@pytest.mark.parametrize("budget", ["x", {}, TREE, -1, 1.5, None, True])
def test_a_budget_is_a_whole_number(budget: Any) -> None:
    """Wherever steps are counted, a budget that counts nothing is refused."""
    for ask, rules in ((check, RULES), (check_list, ORDERED), (to_exclusive, ORDERED), (tree_from_rules, RULES)):
        with pytest.raises(OptionError, match="budget"):
            ask(rules, budget=budget)
    for name in ("diff", "explain"):
        with pytest.raises(OptionError, match="budget"):
            ANY[name](RULES, budget=budget)
    if budget is not None:  # the default
        with pytest.raises(OptionError, match="budget"):
            review(RULES, budget=budget)


@pytest.mark.parametrize("row", [3, None, "age", [("age", 3)]])
def test_a_row_is_a_mapping(row: Any) -> None:
    """A row gives a value for a column's name."""
    with pytest.raises(OptionError, match="row"):
        explain(RULES, row)

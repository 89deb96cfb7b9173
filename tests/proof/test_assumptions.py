"""What a proof assumes: the domain stands with each verdict and model, and the line about it is true of every row."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from brute_force import TARGET, a_world, values
from command_line import printed
from drawn_domains import a_declared_domain
from strategies_random import a_table, some_rows
from treerules import (
    ColumnDomain,
    Feature,
    RuleList,
    RuleSet,
    Schema,
    Tree,
    cart,
    check,
    check_list,
    compile_rules,
    diff,
    learn,
    predict,
    prune,
    render,
    review,
    to_exclusive,
    tree_from_rules,
    verify,
)
from treerules.data.domain import next_value
from treerules.errors import OptionError, UnknownNameError
from treerules.formats import rules_from_text
from treerules.proof.assumption import assumption_of, rules_outside
from treerules.rules.outside_values import OutsideValues
from treerules.trees import tree_from_json, tree_to_json

REVENUE = """column revenue: number 0..10, never missing
IF revenue <= 5 OR missing THEN low
IF revenue > 5 THEN high
"""
#: The sentences of the issue, word for word.
CHECKED = "checked: 2 rules, mutually exclusive and complete"
ASSUMING = (
    "assuming: revenue in 0..10, never missing. "
    "Outside this, rule 1 answers for missing, NaN and below 0, rule 2 for above 10"
)


def drawn_rules(seed: int) -> tuple[RuleSet | RuleList, dict[str, ColumnDomain], list[dict[str, Any]]]:
    """Return any rules, as a set or a list, a domain, and a row for all that rules can tell apart."""
    world = a_world(seed)
    columns = [[*values(feature, None), *beyond(feature, world.domain or {})] for feature in world.schema.features]
    rows = product(*columns)
    rules = (RuleSet, RuleList)[seed % 2](world.schema, world.rules)
    return rules, world.domain or {}, [dict(zip(world.schema.indices, row, strict=True)) for row in rows]


def beyond(feature: Feature, domain: dict[str, ColumnDomain]) -> list[Any]:
    """Return the values next to the bounds of a domain, outside of it."""
    declared = domain.get(feature.name, ColumnDomain())
    ends = [(declared.lowest, False), (declared.highest, True)] if feature.is_ordered else []
    return [next_value(feature, bound, up=up) for bound, up in ends if bound is not None]


def is_outside(values: OutsideValues, row: dict[str, Any]) -> bool:
    """Return whether a row has one of the values, by the words about them."""
    value = row[values.feature.name]
    (word, *_), bound = values.text.split(), values.bound
    if word == "missing":
        return value is None
    if word == "unseen":
        return value is not None and value not in values.feature.categories
    return value is not None and (value < bound if word == "below" else value > bound)


@pytest.mark.parametrize("seed", range(120))
def test_the_rules_named_are_those_that_answer_outside(seed: int) -> None:
    """For each kind of values outside: exactly the rules that decide for some row with them."""
    rules, domain, rows = drawn_rules(seed)
    for outside, numbers in rules_outside(rules, domain):
        fired = [rules.firing(row) for row in rows if is_outside(outside, row)]
        assert fired
        deciding = [found[:1] if isinstance(rules, RuleList) else found for found in fired]
        assert set(numbers) == {rule.number for found in deciding for rule in found}


@pytest.mark.parametrize("seed", range(40))
def test_every_row_outside_lies_in_one_of_the_kinds_and_no_row_inside_does(seed: int) -> None:
    """The kinds of values outside and the domain divide all rows."""
    rules, domain, rows = drawn_rules(seed)
    kinds = [outside for outside, _ in rules_outside(rules, domain)]
    inside = [set(values(feature, domain)) for feature in rules.schema.features]
    for row in rows:
        lies_inside = all(value in column for value, column in zip(row.values(), inside, strict=True))
        assert lies_inside is not any(is_outside(outside, row) for outside in kinds)
    assert bool(assumption_of(rules, domain)) is bool(kinds)


@pytest.mark.parametrize("seed", range(40))
def test_a_tree_keeps_its_domain_and_answers_as_without(seed: int) -> None:
    """In its model file, compiled, pruned and edited; the domain is no part of equality."""
    random = Random(seed)
    tree = learn(a_table(random), target="y", recipe=cart(min_samples_leaf=1))
    domain = a_declared_domain(random, tree.schema)
    declared = evolve(tree, domain=domain)
    assert declared == tree and hash(declared) == hash(tree)
    text = tree_to_json(declared)
    read = tree_from_json(text)
    assert read == tree and read.domain == domain and tree_to_json(read) == text
    assert tree_from_json(tree_to_json(tree)).domain == {} and '"domain"' not in tree_to_json(tree)
    rules = compile_rules(declared)
    assert rules.domain == domain and rules.without(rules[0].number).domain == domain
    assert prune(declared, "collapse").domain == domain if tree.n_leaves > 1 else True
    verdict = check(declared)
    assert verdict and set(verdict.domain) <= set(domain)
    assert verdict.whole_domain is not bool(assumption_of(rules, domain))
    assert check(declared, domain={}).domain == {} and check(declared, domain={}).whole_domain
    for row in some_rows(random, tree, 5):
        assert predict(declared, row) == predict(tree, row)


def test_the_line_is_that_of_the_issue_in_every_report(tmp_path: Path) -> None:
    """Text, Markdown, HTML, JSON, rules, verify, the model that compile writes, and --whole-domain without it."""
    parsed = rules_from_text(REVENUE)
    verdict, tree = check(parsed), tree_from_rules(parsed)
    assert str(verdict).splitlines() == [CHECKED, ASSUMING]
    assert json.loads(render(verdict, format="json"))["assuming"] == ASSUMING.removeprefix("assuming: ")
    for result in (verdict, review(parsed), compile_rules(tree), tree):
        for format_ in ("text", "html", *(() if isinstance(result, Tree) else ("md",))):
            assert ASSUMING in render(result, format=format_).replace("&#39;", "'")
    assert ASSUMING in str(verify(tree, lambda row: "low" if (row["revenue"] or 0) <= 5 else "high"))
    file, model = tmp_path / "r.rules", tmp_path / "r.tree.json"
    file.write_text(REVENUE)
    printed("compile", file, "-o", model)
    for each in (file, model):
        assert printed("check", each).splitlines() == [CHECKED, ASSUMING]
        assert printed("check", each, "--whole-domain").splitlines() == [CHECKED]
    assert printed("rules", model, "--format", "text").splitlines()[-1] == ASSUMING


def test_nothing_is_assumed_where_nothing_is_declared() -> None:
    """The line is absent, also where what is declared excludes no value."""
    for declaration in ("", "column revenue: number\n"):
        verdict = check(rules_from_text(declaration + REVENUE.partition("\n")[2]))
        assert verdict.whole_domain and str(verdict) == CHECKED
        assert "assuming" not in json.loads(render(verdict, format="json"))


def test_no_rule_is_named_where_none_answers() -> None:
    """The rules are complete over the domain alone."""
    parsed = rules_from_text("column x: number 0..10, never missing\nIF x >= 0 AND x <= 10 THEN a")
    assert str(check(parsed)).splitlines()[1] == "assuming: x in 0..10, never missing"


def test_a_column_that_no_rule_tests_has_no_rules_outside() -> None:
    """Its values decide nothing; what is declared of it is said all the same."""
    text = "column day: date 2024-01-01..2024-12-31, never missing\n" + REVENUE
    rules = rules_from_text(text)
    outside = "Outside this, rule 1 answers for revenue (missing, NaN and below 0), rule 2 for revenue (above 10)"
    line = assumption_of(rules.rules, rules.domain)
    assert line == f"day in 2024-01-01..2024-12-31, never missing; revenue in 0..10, never missing. {outside}"
    untested = rules_from_text("column day: date 2024-01-01..2024-12-31\ncolumn x: number\nIF x < 5 OR missing THEN a")
    assert assumption_of(untested.rules, untested.domain) == "day in 2024-01-01..2024-12-31"


def test_a_list_an_edit_and_the_exclusive_rules_keep_the_domain() -> None:
    """A list names its first rule that fires."""
    parsed = rules_from_text("column x: integer 0..9\ncolumn c: category {p, q}, closed\nordered\n"
                             "IF x > 5 THEN a\nIF c = p THEN b\nOTHERWISE c")  # fmt: skip
    verdict = check_list(parsed)
    assert render(review(parsed), format="text").splitlines()[1] == (
        "assuming: x in 0..9; c never unseen. Outside this, rules 2 and 3 answer for x (below 0), "
        "rule 1 for x (above 9), rules 1 and 3 for c (unseen)"
    )
    exclusive = to_exclusive(parsed).rules
    edited = parsed.rules.replace(2, value="a")
    assert verdict.domain == exclusive.domain == edited.domain == parsed.domain == tree_from_rules(parsed).domain


def test_many_rules_are_counted_and_chinese_is_chinese() -> None:
    """Five rules are named."""
    text = "column x: number >= 0\ncolumn n: integer\nIF n <= 1 OR missing THEN a\n" + "".join(
        f"IF {n} < n <= {n + 1} THEN b\n" for n in range(1, 8)
    )
    parsed = rules_from_text(text + "IF n > 8 THEN a IF x > 5 THEN a IF x <= 5 THEN b")
    words = assumption_of(parsed.rules, parsed.domain)
    assert words == "x >= 0. Outside this, rules 1, 2, 3, 4, 5 and 5 more answer for below 0"
    revenue = rules_from_text(REVENUE)
    assert assumption_of(revenue.rules, revenue.domain, "zh") == (
        "revenue 在 0..10 之内,从不缺失。在此之外,规则 1 回答 缺失、NaN 和 小于 0 的取值,规则 2 回答 大于 10 的取值"
    )


def test_a_domain_that_does_not_fit_is_refused() -> None:
    """By rules and by trees, with the errors of a check."""
    schema = Schema([Feature("x", "number")], TARGET)
    tree = tree_from_rules(rules_from_text(REVENUE))
    for kind in (RuleSet, RuleList):
        with pytest.raises(UnknownNameError):
            kind(schema, [], domain={"y": ColumnDomain()})
        with pytest.raises(OptionError, match="not above the highest"):
            kind(schema, [], domain={"x": ColumnDomain(1.0, 0.0)})
    with pytest.raises(OptionError, match="bounds of kind number"):
        evolve(tree, domain={"revenue": ColumnDomain("a")})
    with pytest.raises(UnknownNameError):
        evolve(tree, domain={"income": ColumnDomain()})


def test_models_of_different_domains_are_compared_over_their_intersection() -> None:
    """And the diff says so; over all values only where that is asked for."""
    old = tree_from_rules(rules_from_text(REVENUE))
    new = tree_from_rules(
        rules_from_text(REVENUE.replace("0..10", "-5..8").replace("> 5", "> 8").replace("<= 5", "<= 8"))
    )
    found = diff(old, new)
    assert found.domain == {"revenue": ColumnDomain(0.0, 8.0, missing=False)} and found.equal is False
    assert "the two declare different domains: compared over their intersection" in str(found)
    assert json.loads(render(found, format="json"))["assuming"] == "revenue in 0..8, never missing"
    assert "assuming" not in str(diff(old, new, domain={}))
    assert "intersection" not in str(diff(old, old)) and "assuming: revenue in 0..10" in str(diff(old, old))

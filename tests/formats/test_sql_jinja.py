"""SQL with Jinja, as dbt writes it: what is read holds for whatever the expressions stand for."""

from random import Random
from typing import Any

import duckdb
import pytest
from jinja2 import Environment

from treerules import Feature, Kind, Schema, Tree, to_sql
from treerules.errors import DataError
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.proof.check_list import check_list
from treerules.proof.diff_parts import diff_parts
from treerules.proof.review import review
from treerules.sql.jinja import masked, stand_in, with_jinja
from treerules.trees import ClassPrediction, Leaf, Split, ThresholdTest

#: What a name may stand for, where a number, a condition or a text is expected.
VALUES = {
    "n": ("1", "2", "a", "a + 1"), "m": ("0", "b"), "p": ("a > 1", "a = 1 OR b = 2", "b IS NULL", "NULL"),
    "q": ("TRUE", "a > 0 AND b > 0", "a <> 2 OR FALSE"), "s": ("x", "1", ""),
}  # fmt: skip
CONDITIONS = (
    "a > {{ n }}", "a = {{ n }}", "NOT a <= {{ n }}", "b IN (1, {{ m }})", "{{ p }}", "NOT {{ p }}",
    "{{ p }} AND a > 1",
    "({{ p }}) OR b = 2", "a > 1", "b = 2", "{{ q }} AND {{ p }}", "NOT ({{ q }})", "s = '{{ s }}'", "s <> '{{ s }}'",
    "s = 'x'", "{{ n }} < 2", "a BETWEEN {{ m }} AND {{ n }}", "{{ p }} OR {{ q }}", "a = {{ n }} AND b = {{ m }}",
)  # fmt: skip
GRID = [(a, b, s) for a in (None, 0, 1, 2, 3) for b in (None, 0, 1, 2) for s in (None, "", "x")]


def a_case(random: Random) -> str:
    """Return a CASE of conditions with Jinja; each WHEN gives its own number."""
    whens = [random.choice(CONDITIONS) for _ in range(random.randint(2, 6))]
    return f"CASE {' '.join(f'WHEN {when} THEN {n}' for n, when in enumerate(whens, 1))} END"


def test_a_when_that_never_decides_does_so_for_no_rendering() -> None:
    """Jinja renders the CASE with drawn values and DuckDB answers all rows: a WHEN that is called dead gives none."""
    random, connection, n_found = Random(3), duckdb.connect(), 0
    connection.execute("CREATE TABLE t (a INTEGER, b INTEGER, s VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", GRID)
    for case in (a_case(random) for _ in range(16)):
        (parsed,) = rules_from_sql(f"SELECT {case} FROM {{{{ ref('t') }}}}", dialect="duckdb")
        dead = {int(parsed.name(rule.number).removeprefix("WHEN ")) for rule in review(parsed).subsumed()}
        n_found += len(dead)
        for _ in range(3 if dead else 0):
            given = {name: random.choice(values) for name, values in VALUES.items()}
            rendered = Environment().from_string(case).render(given)
            answers = {answer for (answer,) in connection.sql(f"SELECT DISTINCT {rendered} FROM t").fetchall()}
            assert not dead & answers, (case, given)
    assert n_found > 3


def test_equal_expressions_are_equal_values_and_others_may_be_equal() -> None:
    """The same text is the same value; another text may be anything, also the same; an outcome is a text."""
    text = "CASE WHEN {{ x }} > 5 THEN {{ y }} WHEN {{ x }} > 7 THEN 2 WHEN {{ z }} > 7 THEN '{{ y }}' END"
    (parsed,) = rules_from_sql(text)
    assert not parsed.unparsed
    assert [parsed.name(rule.number) for rule in review(parsed).subsumed()] == ["WHEN 2"]
    assert [rule.value for rule in parsed.rules.rules] == ["{{ y }}", "2", "'{{ y }}'"]


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [
        ("{{ x }}", "{{ x }}"), ("m.{{ c }}", "m.{{ c }}"), ('"{{ x }}"', '"{{ x }}"'), ("'{{ x }}'", "'{{ x }}'"),
        ("CAST(x AS {{ dbt.type_string() }})", "CAST(x AS {{ dbt.type_string() }})"),
        ("'{{ var('y') }}'", "'{{ var('y') }}'"), ("{{ '}}' }}", "{{ '}}' }}"),
        ("pre_{{ x }}_post", "pre_{{ x }}_post"), ("{{ {'a': {'b': 1}} }}", "{{ {'a': {'b': 1}} }}"),
        ("{{ f('case when a then b end') }}", "{{ f('case when a then b end') }}"), ("{{ x }} {{ y }} z", None),
    ],
)  # fmt: skip
def test_an_outcome_is_shown_as_it_is_written(outcome: str, shown: str | None) -> None:
    """The WHEN is read whatever its outcome is; names that stand for Jinja while SQL is parsed are never seen."""
    (parsed,) = rules_from_sql(f"CASE WHEN a > 1 THEN {outcome} ELSE 2 END", dialect="duckdb")
    assert not parsed.unparsed
    assert [rule.value for rule in parsed.rules.rules] == [shown or outcome, "2"]


MODEL = """{{ config(materialized='table') }}
{% set kinds = ["it's", 'b'] %}
{% macro band(column) %} CASE WHEN {{ column }} > 1 THEN 'it''s' END {% endmacro %}
{# CASE WHEN it's a comment THEN #}
SELECT
  CASE WHEN a > 1 THEN 1
    {% for kind in kinds %} WHEN b = '{{ kind }}' THEN 2 {% endfor %}
  END AS bad,
  {% if other %} CASE WHEN c > 1 THEN 1 END {% else %} CASE WHEN d > 1 THEN 2 END {% endif %} AS good,
  {% raw %} CASE WHEN s = '{{ x }}' THEN 3 END {% endraw %} AS plain
FROM {{ ref('t') }}
"""


def test_expressions_side_by_side_are_one_value() -> None:
    """`{{ a }} {{ b }}`, as `count(*) {{ operator }}`, is a condition in two parts; equal parts make an equal value."""
    case = "CASE WHEN {{ a }} {{ b }} THEN 1 WHEN {{ a }}  {{ b }} THEN 2 WHEN {{ b }} {{ a }} THEN 3 END"
    (parsed,) = rules_from_sql(case)
    assert parsed.opaque == ("{{ a }} {{ b }}", "{{ b }} {{ a }}") and not parsed.unparsed
    assert [parsed.name(rule.number) for rule in review(parsed).subsumed()] == ["WHEN 2"]


def test_statements_in_a_case_leave_that_case_unread() -> None:
    """The others of the file are read, in macros and branches of statements too; the place is that of the file."""
    found = rules_from_sql(MODEL)
    assert [parsed.title for parsed in found] == ["CASE 1", "CASE 2 (bad)", "CASE 3", "CASE 4 (good)", "CASE 5 (plain)"]
    assert [[rule.value for rule in parsed.rules.rules] for parsed in found] == [["it's"], [], [1.0], [2.0], [3.0]]
    assert [parsed.rules.schema.features[0].name for parsed in found if parsed.rules.rules] == [
        "{{ column }}", "c", "d", "s",
    ]  # fmt: skip
    assert found[4].rules.schema.features[0].categories == ("{{ x }}",)
    (part,) = found[1].unparsed
    assert (part.line, part.column) == (6, 3)
    assert MODEL.splitlines()[6].strip() in part.text
    assert "{% for kind in kinds %} (line 7, column 5)" in part.problem
    assert all(not parsed.unparsed for parsed in found if parsed is not found[1])


def test_nothing_is_claimed_of_a_case_that_is_not_read() -> None:
    """No gap and no proof: the review is undecided, and what needs rules refuses."""
    (_, parsed, *_) = rules_from_sql(MODEL)
    result = review(parsed)
    assert (bool(result), result.verdict.complete, result.verdict.gaps) == (False, None, ())
    with pytest.raises(DataError, match="was not read"):
        check_list(parsed)


def test_cases_that_jinja_tells_apart_are_not_alike() -> None:
    """Two CASEs that differ in a statement alone are not called equal, though no part of them is read."""
    text = "SELECT CASE WHEN a THEN 1 {% if x %} WHEN b THEN 2 {% endif %} END AS c"
    one, other = (rules_from_sql(each) for each in (text, text.replace("if x", "if not x")))
    assert [part.change for part in diff_parts(one, one)] == ["same"]
    assert [part.change for part in diff_parts(one, other)] == ["not compared"]


@pytest.mark.parametrize(
    "text",
    [
        "CASE WHEN x = '{{' THEN 1 WHEN x = '}}' THEN 2 END", "CASE WHEN x = '{%' THEN 1 WHEN x = '%}' THEN 2 END",
        "CASE WHEN x = '{#' THEN 1 WHEN x = '#}' THEN 2 END", "CASE WHEN x = '{{a' THEN 1 WHEN x = 'b}}' THEN 2 END",
        "CASE WHEN x = '{% a' THEN 1 WHEN x = 'b' THEN 2 END", "CASE WHEN x = '}}' THEN 1 WHEN x = '{{' THEN 2 END",
    ],
)  # fmt: skip
def test_braces_in_texts_are_no_jinja(text: str) -> None:
    """What Jinja could not render, or would take SQL between two texts for, is plain SQL: both WHENs are read."""
    (parsed,) = rules_from_sql(text)
    assert not parsed.unparsed
    assert [rule.value for rule in parsed.rules.rules] == [1.0, 2.0]


def test_what_we_emit_is_never_jinja() -> None:
    """Names and categories with braces are read back as they are: the first line tells the dialect."""
    schema = Schema([Feature("{{ x }}", Kind.NUMBER)], Feature("y", Kind.CATEGORY, ["{% if a %}", "{{ b }}"]))
    leaves = [
        Leaf(ClassPrediction("{{ b }}", [0.0, 1.0]), [0, 1]),
        Leaf(ClassPrediction("{% if a %}", [1.0, 0.0]), [1, 0]),
    ]
    tree = Tree(schema, Split(ThresholdTest(0, 0.5), leaves, 0))
    (parsed,) = rules_from_sql(to_sql(tree, dialect="duckdb"), dialect="duckdb")
    assert [feature.name for feature in parsed.rules.schema.features] == ["{{ x }}"]
    assert {rule.value for rule in parsed.rules.rules} == {"{% if a %}", "{{ b }}"}


PIECES = (
    "{{ a }}", "{{ f('}}', \"{{\") }}", "{% if x %}", "{%- set y = '%}' -%}", "{# it's \n #}", "{% raw %}", "\n",
    "{% endraw %}", "SELECT", "'", '"', "{{", "}}", "{%", "%}", "{#", "CASE WHEN", " ", "é", "{{ {'a': {}} }}",
)  # fmt: skip


def test_a_masked_text_keeps_every_place() -> None:
    """Each character has its place, those outside of Jinja are the same, and lines outside of expressions too."""
    random = Random(5)
    for _ in range(300):
        text = "".join(random.choice(PIECES) for _ in range(random.randint(1, 12)))
        result = masked(text)
        inside = {at for start, end in (*result.expressions, *result.blanks) for at in range(start, end)}
        assert len(result.text) == len(text)
        assert all(
            one == other for at, (one, other) in enumerate(zip(text, result.text, strict=True)) if at not in inside
        )
        assert all(text[start : start + 2] == "{{" and text[end - 2 : end] == "}}" for start, end in result.expressions)
        assert all(text[start : start + 2] == "{%" and text[end - 2 : end] == "%}" for start, end in result.statements)


def test_a_name_stands_for_one_text() -> None:
    """The text can be had back, in any case to which a dialect folds names; a name of the text is not taken for one."""
    texts = ["", "{{ x }}", "é\ud800\0", "x" * 9_999, stand_in("{{ x }}")]
    for text in texts:
        assert with_jinja(stand_in(text).upper()) == with_jinja(stand_in(text)) == text
    (parsed,) = rules_from_sql(f"CASE WHEN {stand_in('{{ x }}')} > 1 THEN 1 WHEN {{{{ x }}}} > 1 THEN 2 END")
    assert not review(parsed).subsumed()


def test_places_are_those_of_the_file() -> None:
    """What is not read stands at its line and column, behind Jinja of several lines."""
    random, whens = Random(9), ("a b c = 1", "random() > {{ x }}", "({{ x }} y) > 1", "a > 1")
    for _ in range(20):
        text = "".join(
            random.choice(("{{ f(\n  1) }}\n", "{# a\nb #}", "{% set x = '\n' %}", " x,\n", "é ")) for _ in range(5)
        )
        text += "CASE " + "\n".join(f"WHEN {random.choice(whens)} THEN {{{{ z\n }}}}" for _ in range(4)) + " END"
        lines: list[Any] = text.split("\n")
        for part in rules_from_sql(text)[0].unparsed:
            assert "\n".join([lines[part.line - 1][part.column - 1 :], *lines[part.line :]]).startswith(part.text)

"""What `print(rules)` and `treerules rules` print is read back, with the lines below the rules."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from growing_cases import recipes, tables
from treerules import Recipe, RuleSet, Table, cart, compile_rules, learn, render
from treerules.errors import ParseError
from treerules.formats import rules_from_text


def bare(rules: RuleSet) -> list[tuple[int, object, object]]:
    """Return the number, the conditions and the class of each rule."""
    return [(rule.number, dict(rule.conditions), rule.value) for rule in rules.rules]


LABELS = st.sampled_from(["p", "q", "q", "r"])


@given(table=tables(LABELS), recipe=recipes(), seed=st.integers(0, 99))
def test_printed_rules_read_back_equal(table: Table, recipe: Recipe, seed: int) -> None:
    """Conditions with missing, unseen and other numbers, of drawn trees; a column of 0 and 1 is among them."""
    draw = Random(seed)
    columns = {c.feature.name: [c.value(row) for row in range(table.n_rows)] for c in table.columns}
    columns["member"] = [draw.choice([0.0, 1.0]) for _ in range(table.n_rows)]
    types = {c.feature.name: c.feature for c in table.columns}
    kinds = {name: str(f.kind) for name, f in types.items() if str(f.kind) not in ("category", "ordinal")}
    kinds |= {name: "ordinal:low<middle<high" for name, f in types.items() if str(f.kind) == "ordinal"}
    whole = Table.from_columns(columns, types={**kinds, "member": "number"})
    rules = compile_rules(learn(whole, target="y", recipe=recipe, features=[n for n in columns if n != "y"]))
    assert bare(rules_from_text(str(rules), schema=rules.schema).rules) == bare(rules)
    exact = render(rules, exact=True)
    assert bare(rules_from_text(exact, schema=rules.schema).rules) == bare(rules)


@pytest.mark.parametrize("thresholds", ["midpoint", "short", "data"])
def test_a_column_of_zero_and_one_reads_back(thresholds: str) -> None:
    """Its threshold stands in the line below; without a schema the column is a number, and no value is left out."""
    columns = {"member": [0.0, 1.0, 0.0, 1.0], "ok": ["no", "yes", "no", "yes"]}
    table = Table.from_columns(columns, types={"member": "number"})
    rules = compile_rules(learn(table, target="ok", recipe=cart(thresholds=thresholds)))
    assert "other member: up to 0" in str(rules)
    assert bare(rules_from_text(str(rules)).rules) == bare(rules)


def test_the_command_line_reads_what_it_prints(tmp_path: Path) -> None:
    """`treerules rules m > f.rules; treerules check f.rules`, in both thresholds."""
    (tmp_path / "t.csv").write_text(
        "member,age,town,ok\n0,20,a,no\n1,30,b,yes\n0,40,a,no\n1,50,c,yes\n0,60,c,maybe\n", encoding="utf-8"
    )
    model = tmp_path / "m.tree.json"
    assert run("learn", tmp_path / "t.csv", "--target", "ok", "--algorithm", "cart", "-o", model).returncode == 0
    (tmp_path / "f.rules").write_text(run("rules", model).stdout, encoding="utf-8")
    checked = run("check", tmp_path / "f.rules", "--schema", model)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert run("diff", model, tmp_path / "f.rules").stdout.startswith("equal on the whole domain: proved")
    assert run("check", tmp_path / "f.rules").returncode == 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("missing z: as z = 1", "no rule has a condition on 'z'"),
        ("missing x: like x = 1", "'like' stands here"),
        ("missing x: as y = 1", "this line is about two columns"),
        ("other x: down to 1 as x = 1, above as x = 2", "'down' stands here"),
        ("missing x: … 5 more (--full)", "was cut off: print all of it"),
    ],
)
def test_lines_in_other_words_are_refused(line: str, problem: str) -> None:
    """The error names the word."""
    with pytest.raises(ParseError, match=problem):
        rules_from_text(f"IF x <= 1 THEN no IF x > 1 AND y = 1 THEN yes\n{line}")

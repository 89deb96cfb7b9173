"""Rules, code, pictures and explanations spell a bound alike: `x < 1.59`, never `x <= 1.5899999999999999`."""

from functools import partial
from math import nextafter
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from treerules import compile_rules, explain, predict, render, to_javascript, to_python, to_sql, tree_from_rules
from treerules.formats import rules_from_text
from treerules.sql.dialects import DIALECTS

#: Bounds of few digits, of many, and at the ends of doubles.
BOUNDS = st.one_of(
    st.decimals(-1000, 1000, places=2).map(float),
    st.floats(-1e6, 1e6).map(lambda number: number + 0.0),
    st.sampled_from([0.1 + 0.2, 17.450000000000003, 1e300, 5e-324]),
)


def spelled(bound: float, sign: str) -> Any:
    """Return a tree of two rules that people wrote with this bound."""
    other = {"<": ">=", "<=": ">"}[sign]
    text = f"IF x {sign} {bound!r} THEN a\nIF x {other} {bound!r} or missing THEN b\n"
    return tree_from_rules(rules_from_text(text).rules)


#: Each form that shows the rules of a tree.
FORMS = {
    "rules": lambda tree: render(compile_rules(tree), exact=True),
    "text": render,
    "mermaid": lambda tree: render(tree, format="mermaid").replace("#60;", "<").replace("#62;", ">"),
    "dot": lambda tree: render(tree, format="dot"),
    "javascript": lambda tree: to_javascript(tree, style="full").split("function rule")[-1].split("const rows")[0],
    "plain javascript": to_javascript,
    **{f"sql {name}": partial(to_sql, dialect=name) for name in DIALECTS},
    "plain": lambda tree: to_python(tree, style="plain"),
    "full": lambda tree: to_python(tree, style="full").split("def _rule")[-1].split("_ROWS")[0],
}


def test_all_forms_spell_the_bound_that_people_wrote() -> None:
    """The number 1.59 stands in each, and the number below it in none."""
    tree = spelled(1.59, "<")
    for name, form in FORMS.items():
        text = form(tree)
        spell = DIALECTS[name.removeprefix("sql ")].spelling.literal if name.startswith("sql ") else repr
        assert spell(1.59) in text, name
        assert spell(nextafter(1.59, 0.0)) not in text.partition("_CHECKS")[0], name
    explanation = render(explain(tree, {"x": 2.0}))
    assert "1.59" in explanation and "1.58" not in explanation


@given(bound=BOUNDS, sign=st.sampled_from(["<", "<="]), beside=st.integers(-1, 1))
def test_plain_and_full_modules_compare_as_the_rules_say(bound: float, sign: str, beside: int) -> None:
    """At the bound and at the numbers next to it, every module answers as its tree."""
    tree = spelled(bound, sign)
    value = bound if not beside else nextafter(bound, beside * float("inf"))
    for style in ("plain", "full"):
        names: dict[str, Any] = {"__name__": "module"}
        exec(to_python(tree, style=cast(Any, style)), names)
        for row in ({"x": value}, {"x": None}):
            assert names["predict"](row) == predict(tree, row)

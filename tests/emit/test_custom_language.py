"""A language of one's own: the README's Lua is a Language and a template, and real Lua gives the tree's answers."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from hostile_names import ATTACKS, attacked
from paths import ROOT
from strategies_random import a_feature, a_tree, some_rows
from treerules import Feature, Kind, Schema, Tree, cart, learn, read
from treerules.emit.checked_rules import check_source
from treerules.emit.custom import CodeContext, code_context, to_code
from treerules.errors import FileError, OptionError, TemplateFailedError, UnsupportedError
from treerules.sql.language import Language
from treerules.trees import CategoryTest, Split, ThresholdTest, ValueSetTest, find_leaf, preorder

FOLDER = ROOT / "examples/lua"

LUA = Language(
    name="lua",
    column="f[{index}]",
    text=lambda text: '"' + re.sub(r'[\0-\37"\\\177]', lambda found: f"\\{ord(found[0]):03}", text) + '"',
    number=repr,
    true="true",
    false="false",
    infinity="{}math.huge",
    missing_is="nan",
    equal="{} == {}",
    differs="{} ~= {}",
    among=None,
    not_among=None,
    missing="{} == nil",
    known="{} ~= nil",
    both=" and ",
    either=" or ",
    no="not ({})",
    always="true",
    never="false",
)
CHINESE = {"年龄": "青年", "有工作": "是", "有自己的房子": "否", "信贷情况": "好"}


def by_lua(text: str, rows: list[dict[str, Any]]) -> list[Any]:
    """Return the predictions of an emitted chunk, run by Lua 5.4, whose integers have 64 bits."""
    runtime = pytest.importorskip("lupa.lua54", reason="lupa, which holds a Lua, is not installed").LuaRuntime()
    emitted = runtime.execute(text)
    return [emitted.predict(runtime.table_from(row)) for row in rows]


def in_lua(source: Any, layout: Any = "auto") -> str:
    """Return the Lua of the README."""
    return to_code(source, LUA, template="rules.lua.j2", templates=FOLDER, layout=layout)


def a_drawn_tree(random: Random) -> Tree:
    """Return a tree of numbers, integers, booleans and categories of text."""
    features: list[Feature] = []
    while len(features) < 4:
        feature = a_feature(random, f"column {len(features)}")
        if feature.scalar in ("number", "integer", "boolean", "text") and (
            feature.is_ordered or feature.scalar in ("text", "boolean")
        ):
            features.append(feature)
    target = random.choice((Feature("y", Kind.NUMBER), Feature("y", Kind.CATEGORY, ["a\nb", "it's", "否"])))
    return a_tree(random, Schema(features, target), random.randint(0, 80), deep=random.random() < 0.25)


@pytest.mark.engine
def test_lua_gives_the_answer_of_the_tree() -> None:
    """20,000 rows at the boundaries of drawn trees, missing and unseen values included, in both layouts."""
    random, n, met = Random(7), 0, set[Any]()
    for number in range(200):
        tree = a_drawn_tree(random)
        rows = some_rows(random, tree, 100)
        known_cells = [{k: v for k, v in row.items() if v is not None} for row in rows]
        wanted = [find_leaf(tree, row).prediction.value for row in rows]
        assert by_lua(in_lua(tree, ("flat", "guarded")[number % 2]), known_cells) == wanted
        n += len(rows)
        met |= {feature.kind for feature in tree.schema.features}
        met |= {type(node.test) for node in preorder(tree.root) if isinstance(node, Split)}
    assert n == 20_000
    tests = {ThresholdTest, ValueSetTest, CategoryTest}
    assert met == {Kind.NUMBER, Kind.INTEGER, Kind.BOOLEAN, Kind.CATEGORY, Kind.ORDINAL, *tests}


@pytest.mark.engine
def test_lua_scores_the_loan_table() -> None:
    """Each row of examples/loan.csv, and one in which nothing is known."""
    table = read(ROOT / "examples/loan.csv")
    tree = learn(table, target="类别", recipe=cart())
    rows = list(table.rows())
    rows = [*rows, {}, CHINESE, dict.fromkeys(CHINESE, "从未见过")]
    assert by_lua(in_lua(tree), rows) == [find_leaf(tree, row).prediction.value for row in rows]


@pytest.mark.engine
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: ascii(attack)[:20])
def test_hostile_text_is_only_a_literal_in_lua(attack: str) -> None:
    """As column, category and label: the tree's answer."""
    tree = attacked(attack, attack, attack)
    rows: list[dict[str, Any]] = [{attack: attack}, {attack: "other"}, {attack: "another"}, {attack: "unseen"}, {}]
    assert by_lua(in_lua(tree), rows) == [find_leaf(tree, row).prediction.value for row in rows]


@pytest.mark.engine
def test_what_lua_cannot_take_is_an_error() -> None:
    """A value of another type, by Lua; a lone surrogate, by us."""
    tree = attacked("x", "a", "label")
    with pytest.raises(Exception, match="x: a value that is no text"):
        by_lua(in_lua(tree), [{"x": 5}])
    with pytest.raises(UnsupportedError, match="lua cannot express this"):
        in_lua(attacked("x", "\ud800", "label"))


def test_the_template_is_short_and_all_that_a_language_takes() -> None:
    """Under 40 lines; a file that is not there, or is given nothing of that name, is an error of ours."""
    assert len((FOLDER / "rules.lua.j2").read_text(encoding="utf-8").splitlines()) < 40
    tree = attacked("x", "a", "label")
    with pytest.raises(TemplateFailedError, match=r"none\.lua\.j2"):
        to_code(tree, LUA, template="none.lua.j2", templates=FOLDER)
    with pytest.raises(FileError, match="is not a folder"):
        to_code(tree, LUA, template="rules.lua.j2", templates=FOLDER / "none")
    with pytest.raises(OptionError, match="a Language"):
        to_code(tree, "lua", template="rules.lua.j2", templates=FOLDER)  # type: ignore[arg-type]


def test_a_template_is_given_what_is_documented(tmp_path: Path) -> None:
    """The fields of CodeContext by name: texts are finished literals and questions of that very Language."""
    tree = attacked("the x", "a", "label")
    context = code_context(check_source(tree), LUA)
    assert isinstance(context, CodeContext)
    (tmp_path / "all.j2").write_text(
        "{{ opening.language }}|{{ features[0].name }}|{{ classes | join }}|{{ target }}|{{ rules | length }}|"
        "{{ lines[0].step }}|{{ rules[0].figures.n }}|{{ rules[0].shares | join(',') }}"
    )
    text = to_code(tree, LUA, template="all.j2", templates=tmp_path)
    assert text == 'lua|"the x"|"label""label2"|"label of it"|2|open|2|1.0,0.0'
    other = evolve(LUA, name="moon", equal="{} is {}", differs="{} is not {}")
    tests = [line.test for line in code_context(check_source(tree), other).lines if line.step == "when"]
    assert sorted(tests) == ['f[0] is "a"', 'f[0] is not "a"']

"""DMN decision tables: what is read and what is refused, exact round trips, an engine of FEEL, hostile XML."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rule_equality import assert_equal_rules
from strategies_random import a_feature, a_schema, a_tree, a_value, some_rows, trees
from treerules import Condition, Feature, Interval, Kind, Members, Schema, Tree, check, compile_rules
from treerules.data.domain import ColumnDomain, domain_of
from treerules.errors import OptionError, ParseError, TreeRulesError, UnsupportedError
from treerules.formats.dmn.dmn_reader import rules_from_dmn
from treerules.formats.dmn.dmn_writer import to_dmn
from treerules.formats.tables.cell_texts import condition_cell
from treerules.rules.rule import Rule, RuleFigures
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees import MeanPrediction, find_leaf
from union_trees import in_thresholds

NAMESPACES = {
    "1.1": "http://www.omg.org/spec/DMN/20151101/dmn.xsd",
    "1.2": "http://www.omg.org/spec/DMN/20180521/MODEL/",
    "1.3": "https://www.omg.org/spec/DMN/20191111/MODEL/",
    "1.4": "https://www.omg.org/spec/DMN/20211108/MODEL/",
    "1.5": "https://www.omg.org/spec/DMN/20230324/MODEL/",
}


def dmn(inputs: str, rules: Sequence[str], *, policy: str = "UNIQUE", output: str = '<output name="y"/>',
        before: str = "", version: str = "1.3") -> str:  # fmt: skip
    """Return a DMN file: inputs are `name:type` or whole clauses, parted by `;;`; rules are cells parted by `|`."""
    clauses = "".join(
        clause if clause.startswith("<") else
        '<input><inputExpression typeRef="{1}"><text>{0}</text></inputExpression></input>'.format(*clause.split(":"))
        for clause in inputs.split(";;")
    )  # fmt: skip
    rows = []
    for rule in rules:
        *cells, outcome = (
            f"<text>{cell.replace('&', '&amp;').replace('<', '&lt;')}</text>" for cell in rule.split("|")
        )
        entries = "".join(f"<inputEntry>{cell}</inputEntry>" for cell in cells)
        rows.append(f"\n<rule>{entries}<outputEntry>{outcome}</outputEntry></rule>")
    return (
        f'<definitions xmlns="{NAMESPACES[version]}" name="t" namespace="urn:t">{before}<decision id="d" name="D">'
        f'<decisionTable hitPolicy="{policy}">{clauses}{output}{"".join(rows)}\n</decisionTable></decision>'
        "</definitions>"
    )


def conditions(cell: str, type: str = "number") -> list[Condition | None]:
    """Return the conditions that a cell of a column x becomes; None is no condition."""
    (written,) = rules_from_dmn(dmn(f"x:{type}", [f'{cell}|"a"']))
    return [dict(rule.conditions).get("x") for rule in written.rules.rules]


def is_written(tree: Tree) -> str | None:
    """Return the tree as DMN, None where a name has a backtick or a category is infinite."""
    try:
        return to_dmn(tree)
    except UnsupportedError:
        return None


@given(trees(max_splits=12).map(in_thresholds))
def test_what_is_written_reads_back_equal(tree: Tree) -> None:
    """The rules of any tree come back from DMN with their schema: columns, numbers, conditions, predictions."""
    text = is_written(tree)
    if text is None:
        assert any("`" in f.name or float("inf") in map(abs_, f.categories) for f in tree.schema.features)
        return
    (written,) = rules_from_dmn(text, schema=tree.schema)
    assert isinstance(written.rules, RuleSet) and written.rules.schema == tree.schema and not written.unparsed
    assert_equal_rules(written.rules, compile_rules(tree))
    assert text == to_dmn(compile_rules(tree))
    for number, line in written.lines.items():
        assert f'<rule id="rule_{number}">' in text.splitlines()[line - 1]


def abs_(value: Any) -> Any:
    """Return the absolute value of a number, of anything else the value."""
    return abs(value) if isinstance(value, float) else value


@given(st.integers(0, 2**32))
def test_a_declared_domain_comes_back(seed: int) -> None:
    """What is declared of columns is written as input values, and read as it was."""
    random = Random(seed)
    schema = a_schema(random, random.randint(1, 4))
    domain = {}
    for feature in schema.features:
        ends = [feature.convert(a_value(random, feature, ())) for _ in range(2)] if feature.is_ordered else []
        low, high = sorted(ends) if None not in ends and ends else (None, None)
        missing, unseen = random.random() < 0.5, feature.is_open and random.random() < 0.5
        domain[feature.name] = ColumnDomain(low, high, missing=missing or not feature.categories, unseen=unseen)
    tree = a_tree(random, schema, 6)
    try:
        text = to_dmn(tree, domain=domain)
    except UnsupportedError:
        return
    (written,) = rules_from_dmn(text, schema=schema)
    for name in {name for rule in written.rules.rules for name, _ in rule.conditions}:
        assert domain_of(schema.feature(name), written.domain) == domain_of(schema.feature(name), domain)


@pytest.mark.parametrize("version", sorted(NAMESPACES))
def test_each_version_is_read(version: str) -> None:
    """The namespaces of DMN 1.1 to 1.5 are known; other XML is refused."""
    text = dmn("season:string;;guests:integer", ['"Fall"|<= 8|"Ribs"', 'not("Fall")|-|"Stew"'], version=version)
    (written,) = rules_from_dmn(text.encode())
    assert [f.kind for f in written.rules.schema.features] == [Kind.CATEGORY, Kind.INTEGER]
    assert written.title == "D" and written.lines == {1: 2, 2: 3}
    with pytest.raises(ParseError, match="this is not DMN"):
        rules_from_dmn(text.replace("spec/DMN", "spec/BPMN"))


def test_cells_of_feel() -> None:
    """Each unary test means what FEEL says: comparisons never take null, not(...) of values does."""
    assert conditions("]1..2]") == conditions("(1..2]") == [Condition(Interval(1.0, 2.0))]
    assert conditions("(1..2[") == [Condition(Interval(1.0, 1.9999999999999998))]
    assert conditions("[1..2], (1.5..3], 3") == [Condition(Interval(0.9999999999999999, 3.0))]
    assert conditions("> 1, null") == [Condition(Interval(1.0, None), missing=True)]
    assert conditions("-1.5") == [Condition(Interval(-1.5000000000000002, -1.5))]
    assert conditions("-") == conditions("") == conditions("not(1), 1") == [None]
    assert conditions("null") == [Condition(None, missing=True)]
    assert conditions("not(null)") == [Condition(Interval())]
    assert conditions("not(1)") == [Condition(Interval(None, 0.9999999999999999), True), Condition(Interval(1.0, None))]
    assert conditions("not(<= 1, null)") == [Condition(Interval(1.0, None))]
    days = [Condition(Interval(date(2024, 1, 1), date(2024, 2, 1)))]
    assert conditions('(date("2024-01-01")..@"2024-02-01"]', "date") == days
    moment = datetime(2024, 1, 1, 12, 30, tzinfo=UTC)
    assert conditions('<= date and time("2024-01-01T20:30:00+08:00")', "dateTime") == [
        Condition(Interval(None, moment))
    ]
    assert conditions('<= date and time("2024-01-01T12:30:00")', "dateTime") == [
        Condition(Interval(None, moment.replace(tzinfo=None)))
    ]
    assert conditions("true", "boolean") == [Condition(Members((True,)))]
    assert conditions("not(true)", "boolean") == [Condition(Members((False,)), missing=True)]
    assert conditions(r'"a\n\"b\" \u4e2d\U01F600"', "string") == [Condition(Members(('a\n"b" 中😀',)))]


@pytest.mark.parametrize(
    ("cell", "type", "said"),
    [
        ("< count(a)", "number", "the cell calls the function 'count'"),
        ("a", "string", "the cell refers to 'a'"),
        ("? > 5", "number", r"the cell computes '\?'"),
        ("< 1 + 2", "number", r"the cell computes '1 \+ 2'"),
        ("5 or 6", "number", "the cell refers to '5 or 6'"),
        ("!= 5", "number", "a unary test has no !="),
        ("not(< 5)", "number", "engines disagree whether this takes null"),
        ("not(not(5))", "number", "is nested in another not"),
        ("missing", "number", "refers to 'missing'"),
        ('"a"', "number", "is not a value of column .x., which holds numbers"),
        ("5", "string", "'5' is not a value of column 'x', which holds text"),
        ('> "a"', "string", "have no order"),
        ('date("2024-13-01")', "date", "which holds dates"),
        ("date(2024, 1, 1)", "date", "calls the function 'date'"),
        ('duration("P1D")', "date", "calls the function 'duration'"),
        ('date and time("2024-01-01T00:00:00@Europe/Paris")', "dateTime", "which holds timestamps without a time zone"),
        ("[5..1]", "number", "begins at 5, above its end 1"),
        ('"a', "string", "this quote is not closed"),
        (r'"\q"', "string", "has no meaning"),
        ("5,", "number", "the cell ends here, where a value belongs"),
    ],
)
def test_other_cells_are_refused_by_name(cell: str, type: str, said: str) -> None:
    """A cell that is no literal test is an error at its place, never passed over."""
    text = dmn(f"x:{type}", ['-|"a"', f'{cell}|"b"'])
    with pytest.raises(ParseError, match=said) as caught:
        rules_from_dmn(text, file="t.dmn")
    assert caught.value.line == 3 and str(caught.value).startswith("t.dmn:3:")


TYPED = """<itemDefinition name="tRisk"><typeRef>string</typeRef><allowedValues><text>"low","high",null</text>
</allowedValues></itemDefinition><itemDefinition name="tAge"><typeRef>feel:number</typeRef><allowedValues>
<text>[0..120]</text></allowedValues></itemDefinition>
<itemDefinition name="tOwn"><typeRef>tAge</typeRef></itemDefinition>
<itemDefinition name="tMany" isCollection="true"><typeRef>string</typeRef></itemDefinition>
<itemDefinition name="tLoop"><typeRef>tLoop</typeRef></itemDefinition>
<inputData name="a+b"><variable name="a+b" typeRef="tOwn"/></inputData>"""


def test_declared_types_and_values_are_the_domain() -> None:
    """A list of values closes a column, an interval bounds it; null stands for missing values alone."""
    codes = (
        "<input><inputExpression typeRef='number'><text>code</text></inputExpression><inputValues><text>1, 2, 3</text>"
    )
    text = dmn(f"risk:tRisk;;a+b:;;{codes}</inputValues></input>", ['"low"|< 3|> 1|"x"'], before=TYPED)
    (written,) = rules_from_dmn(text)
    assert written.domain == {
        "risk": ColumnDomain(missing=True, unseen=False),
        "a+b": ColumnDomain(0.0, 120.0, missing=False),
        "code": ColumnDomain(missing=False, unseen=False),
    }
    risk, age, code = written.rules.schema.features
    assert risk.categories == ("high", "low") and age.kind is Kind.NUMBER
    assert code == Feature("code", Kind.CATEGORY, (1.0, 2.0, 3.0), "number")
    assert dict(written.rules.rules[0].conditions)["code"] == Condition(Members((2.0, 3.0)))
    for inputs, said in (
        ("r:tMany", "more than single"),
        ("r:tLoop", "'tLoop' is not read"),
        ("r:time", "'time' is not"),
    ):
        with pytest.raises(ParseError, match=said):
            rules_from_dmn(dmn(inputs, ['-|"x"'], before=TYPED))
    with pytest.raises(ParseError, match="column 'risk' has no category '\"lo\"'; did you mean 'low'"):
        rules_from_dmn(dmn("risk:tRisk", ['"lo"|"x"'], before=TYPED))
    split = (
        "<input><inputExpression typeRef='number'><text>x</text></inputExpression><inputValues><text>&lt;1, >2</text>"
    )
    with pytest.raises(ParseError, match="neither one interval nor a list"):
        rules_from_dmn(dmn(f"{split}</inputValues></input>", ['-|"x"']))


def test_hit_policies() -> None:
    """FIRST and PRIORITY are rule lists, with a default output at their end; the others are refused by name."""
    rules = ['< 5|"mid"', '< 9|"low"', '-|"high"', '> 100|"mid"']
    output = '<output name="y" typeRef="string"><outputValues><text>"high","mid","low"</text></outputValues>{}</output>'
    first = output.format('<defaultOutputEntry><text>"low"</text></defaultOutputEntry>')
    (written,) = rules_from_dmn(dmn("x:number", rules, policy="FIRST", output=first))
    assert isinstance(written.rules, RuleList)
    assert [rule.number for rule in written.rules.rules] == [1, 2, 3, 4, 5]
    assert written.name(5) == "the default output" and not written.rules.rules[4].conditions
    (written,) = rules_from_dmn(dmn("x:number", rules, policy="PRIORITY", output=output.format("")))
    assert [rule.value for rule in written.rules.rules] == ["high", "mid", "mid", "low"]
    assert [rule.number for rule in written.rules.rules] == [3, 1, 4, 2]
    with pytest.raises(ParseError, match="needs the output's values in order"):
        rules_from_dmn(dmn("x:number", rules, policy="PRIORITY"))
    with pytest.raises(ParseError, match="UNIQUE has a default output"):
        rules_from_dmn(dmn("x:number", rules, output=first))
    for policy in ("ANY", "COLLECT", "RULE ORDER", "OUTPUT ORDER"):
        with pytest.raises(ParseError, match=f"hit policy {policy}; only tables of"):
            rules_from_dmn(dmn("x:number", rules, policy=policy))


def test_what_is_no_table_is_named() -> None:
    """Where some tables are read, decisions that are none are listed with their line; alone they are the error."""
    other = '<decision name="E"><literalExpression><text>x</text></literalExpression></decision>'
    inside = "<decisionService name='B'><encapsulatedLogic><decisionTable/></encapsulatedLogic></decisionService>"
    text = dmn("x:number", ['-|"a"']).replace("</definitions>", f"\n{other}\n{inside}</definitions>")
    (written,) = rules_from_dmn(text)
    assert [(part.line, part.text, part.problem) for part in written.unparsed] == [
        (4, "E", "decision 'E' is not a table but literalExpression"),
        (5, "decisionTable", "a decision table stands inside another expression"),
    ]
    for text, said in (
        (dmn("x:number", ['-|"a"'], output="<output name='a'/><output name='b'/>"), "has 2 outputs"),
        (dmn("x:number", ['-|"a"']).replace("<inputEntry>", '<inputEntry expressionLanguage="juel">'), "in juel"),
        (dmn("count(x):number", ['-|"a"']), r"the input 'count\(x\)' is an expression"),
        (dmn("x:number;;x:number", ['-|-|"a"']), "input 'x' stands twice"),
        (dmn("x:number", ['"a"']), "rule 1 has 0 input entries"),
        (dmn("x:number", []), "the table has no rules"),
        (dmn("x:number", ["5|a"]), "the cell refers to 'a'"),
        (dmn("x:number", ["5|"]), "the cell ends here, where a value belongs"),
        ("<definitions xmlns='https://www.omg.org/spec/DMN/20191111/MODEL/'/>", "there is no decision table"),
    ):
        with pytest.raises(ParseError, match=said):
            rules_from_dmn(text)


DISHES = [
    '"Fall"|<= 8|"Spareribs"',
    '"Winter"|<= 8|"Roastbeef"',
    '"Spring"|<= 4|"Gourmet Steak"',
    '"Spring"|[5..8]|"Steak"',
    '"Fall", "Winter", "Spring"|> 8|"Stew"',
    '"Summer"|-|"Salad"',
]


def test_the_dishes_of_camunda() -> None:
    """Camunda's first example: one dish for each season and number of guests; 4.5 guests in spring get none."""
    seasons = ("Fall", "Winter", "Spring", "Summer")
    wanted = {
        ("Fall", 8): "Spareribs", ("Winter", 1): "Roastbeef", ("Spring", 4): "Gourmet Steak", ("Spring", 5): "Steak",
        ("Spring", 9): "Stew", ("Winter", 30): "Stew", ("Summer", 30): "Salad",
    }  # fmt: skip
    for type in ("integer", "number"):
        clauses = [
            f"<input><inputExpression typeRef='{of}'><text>{name}</text></inputExpression><inputValues><text>{values}"
            for name, of, values in (
                ("season", "string", ", ".join(map(json.dumps, seasons))),
                ("guestCount", type, "[0..99]"),
            )
        ]
        (written,) = rules_from_dmn(dmn("</text></inputValues></input>;;".join([*clauses, ""])[:-2], DISHES))
        rules = written.rules
        assert isinstance(rules, RuleSet)
        verdict = check(rules, domain=written.domain)
        assert verdict.exclusive and verdict.complete is (type == "integer")
        assert [4 < gap.row["guestCount"] < 5 and gap.row["season"] for gap in verdict.gaps] == ["Spring"] * (
            type == "number"
        )
        for season in seasons:
            for guests in range(13):
                assert len(rules.firing({"season": season, "guestCount": guests})) == 1
        for (season, guests), dish in wanted.items():
            assert rules.firing({"season": season, "guestCount": guests})[0].value == dish
    assert rules.firing({"season": "Spring", "guestCount": 4.5}) == ()


def test_the_approval_tables_of_the_tck_agree() -> None:
    """The TCK writes one decision as UNIQUE (0004) and as PRIORITY (0006): Approved goes before Declined."""
    risk = (
        "<input><inputExpression typeRef='feel:string'><text>RiskCategory</text></inputExpression><inputValues><text>"
    )
    inputs = f'Age:number;;{risk}"High", "Low", "Medium"</text></inputValues></input>;;isAffordable:boolean'
    output = '<output><outputValues><text>"Approved", "Declined"</text></outputValues></output>'
    approved = '>=18|"Medium","Low"|true|"Approved"'
    unique = [approved, '<18|"Medium","Low"|true|"Declined"', '-|"High"|true|"Declined"', '-|-|false|"Declined"']
    priority = ['<18|-|-|"Declined"', '-|"High"|-|"Declined"', '-|-|false|"Declined"', approved]
    (first,) = rules_from_dmn(dmn(inputs, unique, output=output, version="1.1"))
    (second,) = rules_from_dmn(dmn(inputs, priority, output=output, policy="PRIORITY", version="1.1"))
    assert isinstance(first.rules, RuleSet) and isinstance(second.rules, RuleList)
    assert check(first.rules).exclusive and first.rules.schema.target == second.rules.schema.target
    assert [rule.number for rule in second.rules.rules] == [4, 1, 2, 3]
    for age, risk, affordable in product((17.0, 18.0, 19.0), ("High", "Low", "Medium"), (True, False)):
        row = {"Age": age, "RiskCategory": risk, "isAffordable": affordable}
        (fired,) = first.rules.firing(row)
        is_approved = age >= 18 and risk != "High" and affordable
        assert fired.value == second.rules.firing(row)[0].value == ("Approved" if is_approved else "Declined")


def test_several_intervals_are_several_rules() -> None:
    """A cell of two intervals is two rules that keep the rule's line and name."""
    (written,) = rules_from_dmn(dmn("x:number", ['< 1, > 5|"a"', '[1..5]|"b"']))
    assert [rule.number for rule in written.rules.rules] == [1, 3, 2]
    assert written.name(3) == "rule 1" and written.lines == {1: 2, 3: 2, 2: 3}


BOMB = '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><definitions>&b;</definitions>'
OUTSIDE = '<!DOCTYPE d SYSTEM "file:///etc/passwd"><definitions/>'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "line 1, column 13: a document type is declared"),
        (OUTSIDE, "a document type is declared"),
        ("<a>" * 5000, "more than 100 elements nest"),
        ("", "this is not XML"),
        ("<a>&b;</a>", "this is not XML"),
        ("<a b='1' b='2'/>", "this is not XML"),
        ("<a>\x00</a>", "this is not XML"),
        ("<a>\ud800</a>", "half a character"),
        (b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>', "not text in utf-8"),
        (b'<?xml version="1.0" encoding="rot13"?><a/>', "not text in rot13"),
        ("<a/>", "this is not DMN"),
    ],
)
def test_hostile_xml_is_refused(text: str | bytes, said: str) -> None:
    """No document type, so no entities; little nesting; broken text is an error of ours."""
    with pytest.raises(ParseError, match=said):
        rules_from_dmn(text)


def test_encodings() -> None:
    """UTF-8 with a mark, UTF-16 and a declared GBK are read."""
    text = dmn("年龄:string", ['"青年"|"批准"'])
    wanted = rules_from_dmn(text)
    assert rules_from_dmn("\ufeff" + text) == rules_from_dmn(text.encode("utf-8-sig")) == wanted
    assert rules_from_dmn(text.encode("utf-16")) == wanted
    assert rules_from_dmn(('<?xml version="1.0" encoding="GBK"?>' + text).encode("gbk")) == wanted


def test_names_that_cannot_be_written_are_refused() -> None:
    """XML has no NUL and FEEL no backtick in a name; a target is needed, and a condition that some value meets."""
    for name in ("a\0b", "\ud800", "a`b", ""):
        schema = Schema([Feature(name, Kind.NUMBER)], Feature("y", Kind.CATEGORY, ("a",)))
        (written,) = rules_from_dmn(dmn("x:number", ['<1|"a"']))
        rule = written.rules.rules[0]
        rules = RuleSet(schema, [evolve(rule, conditions=[(name, rule.conditions[0][1])])])
        with pytest.raises(UnsupportedError):
            to_dmn(rules)
    nothing = rules_from_dmn(dmn("x:number", ['(1..1)|"a"']))[0].rules
    assert isinstance(nothing, RuleSet)
    with pytest.raises(UnsupportedError, match="no value at all meets the condition on column 'x'"):
        to_dmn(nothing)
    with pytest.raises(OptionError):
        to_dmn(RuleSet(Schema([Feature("x", Kind.NUMBER)]), []))


def test_a_list_is_never_written_as_unique() -> None:
    """Of a list several rules may fire, which UNIQUE forbids; what was read of a file is written with its domain."""
    (first,) = rules_from_dmn(dmn("x:number", ['<= 3|"a"', '-|"b"'], policy="FIRST"))
    assert isinstance(first.rules, RuleList)
    for source in (first, first.rules, 3, None):
        with pytest.raises(OptionError, match="a rule set"):
            to_dmn(source)  # type: ignore[arg-type]
    made = evolve(first, rules=first.rules.to_exclusive().rules, domain={"x": ColumnDomain(0.0, 9.0)})
    assert isinstance(made.rules, RuleSet)
    assert to_dmn(made) == to_dmn(made.rules, domain=made.domain) != to_dmn(made.rules)


SEED = dmn("x:number;;c:tRisk;;a+b:", ['(1..2], > 5|not("low")|< 3|"a"', '-|"high", null|-|"b"'], before=TYPED)


@given(st.integers(0, 2**32))
def test_edited_files_are_read_or_refused(seed: int) -> None:
    """Characters dropped, doubled or changed make another table or a ParseError, nothing else."""
    random = Random(seed)
    chars = list(SEED)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(random.choice((0, SEED.index("<rule>"))), len(chars))
        chars[place] = random.choice(("", chars[place] * 2, *'"<>&|()[],.=-/ai1né\x00'))
    try:
        rules_from_dmn("".join(chars))
    except ParseError as error:
        assert error.line >= 1 and error.column >= 1 and str(error)


#: Evaluates cells by feelin, an interpreter of FEEL in JavaScript: [[cell, value as FEEL], ...] to [true, ...].
RUNNER = """
const { unaryTest, evaluate } = require("feelin");
const plain = (found) => (found && typeof found === "object" && "value" in found ? found.value : found);
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = asked.map(([cell, value]) => plain(unaryTest(cell, { "?": plain(evaluate(value)) })));
require("fs").writeSync(1, JSON.stringify(answers));
"""


@cache
def no_feelin() -> str:
    """Return why feelin cannot be asked, "" where it can: it is found as Node.js finds packages (NODE_PATH)."""
    node = shutil.which("node")
    if node is None:
        return "Node.js is not installed"
    done = subprocess.run([node, "-e", 'require("feelin")'], capture_output=True, check=False, env=os.environ)
    return "" if done.returncode == 0 else "the npm package feelin is not on NODE_PATH"


def by_feelin(asked: Sequence[tuple[str, str]]) -> list[bool]:
    """Return whether each value, written in FEEL, meets its cell."""
    if no_feelin():
        pytest.skip(no_feelin())
    done = subprocess.run(
        ["node", "-e", RUNNER], input=json.dumps(asked), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return [bool(answer) for answer in json.loads(done.stdout)]


def in_feel(value: Any) -> str:
    """Return a value as FEEL, spelled here and not by what is tested."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, datetime):
        return f'date and time("{value.isoformat().replace("+00:00", "Z")}")'
    return f'date("{value}")' if isinstance(value, date) else f"{value:.1f}"


@pytest.mark.engine
def test_an_engine_of_feel_agrees_with_what_is_written() -> None:
    """feelin takes a value for a cell just where the condition does. It holds whole seconds and doubles alone."""
    random, asked, wanted = Random(7), [], []
    moments = [datetime(2024, 3, 21, 20, 21, second) for second in range(5)]
    pools: dict[str, Sequence[Any]] = {
        "number": [-2.0, -1.5, 0.0, 1.0, 2.5, 1e6], "integer": range(-3, 4),
        "date": [date(2024, 2, day) for day in range(1, 6)],
        "timestamp": moments, "timestamp_utc": [moment.replace(tzinfo=UTC) for moment in moments],
    }  # fmt: skip
    while len(asked) < 1500:
        feature = a_feature(random, "x")
        pool = pools.get(feature.scalar) if feature.is_ordered else [*feature.categories, *["mauve"] * feature.is_open]
        if not pool or (not feature.is_ordered and feature.scalar not in ("text", "boolean")):
            continue
        ends: list[Any] = sorted([random.choice(pool), random.choice(pool)]) if feature.is_ordered else []
        if feature.is_ordered:
            above, upto = random.choice(((None, ends[1]), (ends[0], None), (None, None), (ends[0], ends[1])))
            values: Any = Interval(above, upto) if None in (above, upto) or above < upto else None
        else:
            values = Members([each for each in feature.categories if random.random() < 0.5])
        condition = Condition(values, random.random() < 0.5, feature.is_open and random.random() < 0.5)
        try:
            cell = condition_cell(feature, condition, feel=True)
        except UnsupportedError:
            continue
        for value in (None, *random.sample(list(pool), min(3, len(pool)))):
            asked.append((cell, in_feel(value)))
            wanted.append(condition.holds(feature, value))
    found = by_feelin(asked)
    assert [pair for pair, *both in zip(asked, found, wanted, strict=True) if both[0] is not both[1]] == []
    assert len({cell for cell, _ in asked}) > 100 and {True, False} == set(wanted)


@pytest.mark.engine
def test_an_engine_of_feel_agrees_with_what_is_read() -> None:
    """Cells as people write them mean to us what they mean to feelin."""
    cells = ["<5", "<= 5", "> 5", ">=5", "5", "=5", "[1..5]", "(1..5)", "]1..5]", "[1..5[", "1, 3, >7", "not(5)",
             "null", "not(null)", "not(1, 3)", "not(5, null)", "not(>3, null)", "<2, null", "-", "-1",
             "[-1..1.5]"]  # fmt: skip
    values = [None, -1.0, 0.0, 1.0, 1.5, 3.0, 5.0, 7.5]
    x = Feature("x", Kind.NUMBER)
    asked = [(cell, value) for cell in cells for value in values]
    found = by_feelin([(cell, in_feel(value)) for cell, value in asked])
    for (cell, value), takes in zip(asked, found, strict=True):
        ours = any(condition is None or condition.holds(x, value) for condition in conditions(cell))
        assert ours is takes, (cell, value)


@given(trees(max_splits=6).map(in_thresholds), st.integers(0, 2**32))
def test_a_file_answers_as_the_tree_does(tree: Tree, seed: int) -> None:
    """What was written and read fires one rule a row, the one whose class or mean the tree predicts."""
    text = is_written(tree)
    if text is None:
        return
    rules = rules_from_dmn(text, schema=tree.schema)[0].rules
    for row in some_rows(Random(seed), tree, 20):
        (fired,) = rules.firing(row)
        assert fired.value == find_leaf(tree, row).prediction.value


def test_a_given_domain_must_fit() -> None:
    """A domain of a column that is not there is refused by its name."""
    with pytest.raises(TreeRulesError, match="no column named 'nope'"):
        rules_from_dmn(dmn("x:number", ['-|"a"']), domain={"nope": ColumnDomain()})


def test_a_carriage_return_in_a_name_or_a_category_comes_back() -> None:
    """XML reads a bare one as a line end."""
    schema = Schema([Feature("a\rb", Kind.CATEGORY, ["x\ry", "z"])], Feature("y", Kind.NUMBER))
    condition = Condition(Members(("x\ry",)))
    rules = RuleSet(schema, [Rule(1, [("a\rb", condition)], MeanPrediction(1.0), RuleFigures(0, 0.0))])
    (parsed,) = rules_from_dmn(to_dmn(rules))
    assert parsed.rules.schema.features[0].name == "a\rb"
    assert parsed.rules.rules[0].conditions[0][1].values == Members(("x\ry",))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("kind", "highest"),
    [("number", float("inf")), ("integer", 2**63 - 1), ("date", date.max), ("timestamp", datetime.max)],
)
def test_a_condition_above_all_values_comes_back_or_is_refused(kind: str, highest: Any, missing: bool) -> None:
    """No value is above the greatest of its kind: a cell that is written means the same, and none is empty."""
    condition = Condition(Interval(highest, None), missing)
    schema = Schema([Feature("x", kind)], Feature("y", Kind.NUMBER))
    rules = RuleSet(schema, [Rule(1, [("x", condition)], MeanPrediction(1.0), RuleFigures(0, 0.0))])
    if kind == "number" and not missing:
        with pytest.raises(UnsupportedError, match="no value at all meets the condition on column 'x'"):
            to_dmn(rules)
        return
    (parsed,) = rules_from_dmn(to_dmn(rules), schema=schema)
    ((_, found),) = parsed.rules.rules[0].conditions
    values = [highest, schema.features[0].lowest, None]
    assert [found.holds(schema.features[0], value) for value in values] == [False, False, missing]

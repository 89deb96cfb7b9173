"""What a check found in words: witnesses can be pasted, regions hold them, every format says the same."""

import csv
import datetime
import io
import json
import re
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import trees
from treerules import (
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Rule,
    RuleFigures,
    RuleSet,
    Schema,
    Table,
    Verdict,
    cart,
    check,
    compile_rules,
    learn,
    render,
)
from treerules.errors import OptionError, UnknownNameError
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.proof.check import Gap, Mergeable, Overlap, Region, SubsumedRule
from treerules.proof.check_list import ListVerdict, check_list
from treerules.proof.review import Review, review
from treerules.rendering.chinese_headings import CHINESE_HEADINGS
from treerules.rendering.text_tables import display_width
from treerules.rendering.wrap import SENTENCE, fold_lines
from treerules.report import Reviews, findings
from treerules.rules.parsed import ParsedRules, SqlSource, UnparsedPart
from treerules.rules.row_text import row_text
from treerules.rules.rule_set import RuleList
from treerules.trees.node_parts import certain_prediction

SCHEMA = Schema(
    [
        Feature("年龄", Kind.INTEGER),
        Feature("income", Kind.NUMBER),
        Feature("城市", Kind.CATEGORY, ("上海", "北京", "广州")),
        Feature("day", Kind.DATE),
    ],
    Feature("类别", Kind.CATEGORY, ("批准", "拒绝")),
)
REGION: Region = (
    ("年龄", Condition(Interval(30, 40))),
    ("income", Condition(Interval(3000.0, None), missing=True)),
    ("城市", Condition(Members(("北京",)))),
)
ROW = {"年龄": 31, "income": float("inf"), "城市": "北京", "day": datetime.date(2024, 3, 21)}


def rule(number: int, value: str, conditions: Region = ()) -> Rule:
    """Return a rule that nobody learned."""
    return Rule(number, conditions, certain_prediction(SCHEMA, value), RuleFigures(0, 0.0))


#: A verdict with every finding there is, and one on a list. Rules 1 and 4 are one WHEN.
SET = Review(
    ParsedRules(
        RuleSet(SCHEMA, [rule(1, "批准", REGION), rule(2, "拒绝", REGION[:1]), rule(3, "批准", REGION[1:2])]),
        lines={1: 3, 2: 5, 3: 9},
        names={3: "行 3"},
        unparsed=[UnparsedPart(7, 3, "IF f(x)\n > 2", "f is a function")],
    ),
    Verdict(
        False,
        False,
        [Overlap(1, 2, ROW, REGION), Overlap(1, 2, ROW, REGION[:1])],
        [Gap(dict.fromkeys(ROW), REGION[:2], rule(4, "批准", REGION[:2]))],
        [SubsumedRule(1, [2]), SubsumedRule(2, [1, 3])],
        [3],
        [Mergeable(1, 3, REGION[:1])],
        ["overlaps", "gaps"],
    ),
)
LISTED = Review(
    ParsedRules(
        RuleList(SCHEMA, [*SET.parsed.rules.rules, rule(4, "批准", REGION), rule(5, "拒绝")]),
        lines={1: 3, 2: 4, 3: 5, 4: 3, 5: 6},
        names={1: "WHEN 1", 2: "WHEN 2", 3: "WHEN 3", 4: "WHEN 1", 5: "ELSE"},
        title="CASE 1 (类别)",
        notes=["text is compared as it stands"],
        sql=SqlSource("", {}, {}, {}),
    ),
    ListVerdict(
        False,
        [SubsumedRule(2, [1, 4]), SubsumedRule(3, []), SubsumedRule(4, [1])],
        [Overlap(1, 2, ROW, REGION)],
        [Gap(ROW, REGION, rule(6, "批准", REGION))],
        [5],
        [],
    ),
    [Gap(ROW, REGION)],
)


def pasted(text: str) -> list[dict[str, Any]]:
    """Return the rows that a text shows, each pasted into Python."""
    whole = re.sub(r"\n {4,}", " ", text)
    return [eval(row, {"datetime": datetime}) for row in re.findall(r"^  row: (\{.*\})$", whole, re.MULTILINE)]


@given(trees(), st.data())
def test_witnesses_of_edited_rules_can_be_pasted(tree: Any, data: st.DataObject) -> None:
    """A rule dropped and a rule doubled: each row of the text, pasted into Python, fires two rules or none."""
    whole = compile_rules(tree)
    doubled, dropped = (data.draw(st.sampled_from(whole.rules)) for _ in range(2))
    number = max(found.number for found in whole.rules) + 1
    rules = RuleSet(
        whole.schema, [*(found for found in whole.rules if found is not dropped), evolve(doubled, number=number)]
    )
    verdict = check(rules)
    assert bool(verdict) is (doubled is dropped)
    shown = render(verdict)
    assert shown.startswith("checked: " if verdict else "exclusive: no\ncomplete: no\n")
    rows = pasted(shown)
    assert len(rows) == len({(o.first, o.second) for o in verdict.overlaps}) + len(verdict.gaps)
    fired = [len(rules.firing(row)) for row in rows]
    n_overlaps = len(fired) - len(verdict.gaps)
    assert all(n > 1 for n in fired[:n_overlaps]) and not any(fired[n_overlaps:])
    records = json.loads(render(verdict, format="json"))
    assert [len(records["overlaps"]), len(records["gaps"])] == [len(verdict.overlaps), len(verdict.gaps)]


@given(trees(), st.data())
def test_rules_that_close_gaps_read_back(tree: Any, data: st.DataObject) -> None:
    """As text they fire for the gap's row, predict what was proposed, and overlap no other rule."""
    whole = compile_rules(tree)
    dropped = data.draw(st.sampled_from(whole.rules))
    rules = RuleSet(whole.schema, [found for found in whole.rules if found is not dropped])
    number = max(found.number for found in whole.rules) + 1
    for gap in check(rules).gaps:
        if gap.rule is None:
            continue
        read = rules_from_text(findings.closing_text(whole.schema, gap.rule), schema=whole.schema).rules
        (closing,) = read.firing(gap.row)
        assert closing.value == gap.rule.value
        assert check(RuleSet(whole.schema, [*rules.rules, evolve(closing, number=number)])).exclusive


def test_a_yes_is_one_line() -> None:
    """Of a set, of a list, and in Chinese."""
    rules, listed = SET.parsed.rules, LISTED.parsed.rules
    assert render(Verdict(True, True, rules=rules)) == "checked: 3 rules, mutually exclusive and complete\n"
    assert render(Verdict(True, True, rules=rules), lang="zh") == "已检验:3 条规则,互斥且完备\n"
    assert render(ListVerdict(True, rules=listed)) == "checked: 5 rules in order, each can decide, complete\n"


def test_the_verdict_stands_first_then_what_makes_the_no() -> None:
    """The answers, then errors, then warnings, then notes; rules are called as the file calls them."""
    shown = render(Reviews([("a.rules", [SET])]))
    assert shown.startswith("exclusive: no\ncomplete: no\nread: no\n\nline 7, column 3 is not read: f is a function\n")
    order = [
        "text: IF f(x) > 2\n",
        "rule 1 (line 3) and rule 2 (line 5) both fire\n  where: 30 < 年龄 <= 40 AND",
        "no rule fires\n",
        "closed by: IF 30 < 年龄 <= 40 AND (income > 3000 or missing) THEN 类别 = 批准\n",
        "行 3 (line 9) never fires: no row meets it\n",
        "rule 1 (line 3) only fires where rule 2 (line 5) fires too\n",
        "rule 2 (line 5) only fires where rule 1 (line 3) and 行 3 (line 9) fire too\n",
        "rule 1 (line 3) and 行 3 (line 9) could be one rule\n",
        "more findings are not shown (overlaps, gaps): raise limit=, --limit\n",
    ]
    places = [shown.index(part) for part in order]
    assert places == sorted(places)
    assert shown.count("both fire") == 1, "one for each pair"


def test_what_a_file_calls_by_one_name_is_one_rule() -> None:
    """WHEN 1 is two rules, of which one can never decide: that is a warning; WHEN 2 and 3 never decide: those are."""
    assert [found.number for found in LISTED.subsumed()] == [2, 3]
    assert [found.by for found in LISTED.subsumed()] == [(1,), ()]
    assert [(found.number, found.by) for found in LISTED.partly_subsumed()] == [(4, ())]
    shown = render(Reviews([("x.sql", [LISTED])]))
    assert "WHEN 2 (line 4) never decides: WHEN 1 (line 3) takes its rows\n" in shown
    assert "WHEN 3 (line 5) never decides: no row meets it\n" in shown
    assert "a part of WHEN 1 (line 3) never decides" in shown
    assert "no WHEN holds: the answer is NULL\n" in shown
    assert "what is left comes to ELSE (line 6)\n" in shown
    assert "WHEN 1 (line 3) and WHEN 2 (line 4) both hold: the first decides\n" in shown
    assert shown.startswith("== CASE 1 (类别)\ncomplete: no\nevery rule can decide: no\n")


def test_a_list_is_a_yes_although_its_order_matters() -> None:
    """What depends on the order, what comes to the last rule and a spare part of a rule make no no."""
    verdict = evolve(LISTED.verdict, complete=True, gaps=(), undecided=(), subsumed=[SubsumedRule(4, [1])])
    fine = evolve(LISTED, verdict=verdict)
    assert fine
    for worse in (
        evolve(fine, verdict=evolve(fine.verdict, complete=None)),
        evolve(fine, verdict=evolve(fine.verdict, undecided=[2])),
        evolve(fine, verdict=evolve(fine.verdict, subsumed=[SubsumedRule(2, [1])])),
        evolve(fine, parsed=evolve(fine.parsed, unparsed=[UnparsedPart(1, 1, "", "")])),
    ):
        assert not worse
    assert evolve(fine, verdict=evolve(fine.verdict, undecided=[1])).undecided() == (1,), "its other part never does"
    assert evolve(fine, verdict=evolve(fine.verdict, undecided=[4], subsumed=[])).undecided() == (), (
        "its other part does"
    )


@pytest.mark.parametrize("found", [SET, LISTED], ids=["set", "list"])
def test_chinese_has_every_word(found: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of our own words that a text uses has a translation."""
    asked: list[str] = []
    own = findings.heading

    def heading(text: str, lang: str = "en", **parts: object) -> str:
        asked.append(text)
        return own(text, lang, **parts)

    monkeypatch.setattr("treerules.report.findings.heading", heading)
    monkeypatch.setattr("treerules.report.verdict_report.heading", heading)
    for format in ("text", "md", "csv"):
        render(Reviews([("x", [found])]), format=format, lang="zh")
    assert set(asked) <= set(CHINESE_HEADINGS)
    assert len(asked) > 20


def test_every_kind_of_finding_is_met() -> None:
    """The two verdicts above have each kind; each comes with a level that SARIF knows."""
    kinds = {finding.kind for found in (SET, LISTED) for finding in findings.findings(found)}
    assert kinds == set(findings.KINDS)
    assert {level for level, _ in findings.KINDS.values()} == {"error", "warning", "note"}


def test_several_parts_stand_one_after_another() -> None:
    """With the title of each; and with the file's name where there are several files."""
    shown = render(Reviews([("a.sql", [LISTED, LISTED])]))
    assert shown.count("== CASE 1 (类别)\n") == 2
    shown = render(Reviews([("a.sql", [LISTED]), ("b.rules", [SET])]), format="md")
    assert "## a.sql: CASE 1 (类别)\n" in shown and "\n## b.rules\n" in shown
    content = json.loads(render(Reviews([("a.sql", [LISTED, SET])]), format="json"))
    assert (content["format"], content["version"], content["ok"]) == ("treerules.verdicts", 1, False)
    assert [part["format"] for part in content["verdicts"]] == ["treerules.list_verdict", "treerules.verdict"]


def test_json_holds_what_it_held_and_more() -> None:
    """Version 1 of the record, as before; rows read back with infinities and dates as text."""
    content = json.loads(render(Reviews([("a.rules", [SET])]), format="json"))
    old = {"format": "treerules.verdict", "version": 1, "rules": 3, "exclusive": False, "complete": False}
    assert old.items() <= content.items()
    first = content["overlaps"][0]
    assert (first["first"], first["second"]) == (1, 2)
    assert first["row"] == {"年龄": 31, "income": "inf", "城市": "北京", "day": "2024-03-21"}
    assert first["where"] == "30 < 年龄 <= 40 AND (income > 3000 or missing) AND 城市 = 北京"
    assert content["gaps"][0]["rule"].startswith("IF 30 < 年龄 <= 40 AND")
    assert content["unread"][0]["line"] == 7
    assert content["lines"] == {"1": 3, "2": 5, "3": 9}
    content = json.loads(render(Reviews([("x.sql", [LISTED])]), format="json"))
    assert [part["rule"] for part in content["never"]] == [2, 3, 4]
    assert content["otherwise"][0]["row"]["年龄"] == 31
    assert all(set(part) == {"row", "where"} for part in content["otherwise"])  # the rule is there already, the last


def test_csv_has_a_row_for_each_answer_and_each_finding() -> None:
    """It is read back by Python's csv."""
    rows = list(csv.DictReader(io.StringIO(render(Reviews([("a.rules", [SET])]), format="csv"))))
    assert [row["kind"] for row in rows[:3]] == ["exclusive", "complete", "read"]
    assert len(rows) == 3 + len(findings.findings(SET))
    overlap = next(row for row in rows if row["kind"] == "overlap")
    assert (overlap["level"], overlap["lines"]) == ("error", "3 5")
    assert eval(overlap["witness"], {"datetime": datetime}) == ROW


def test_sarif_has_the_shape_that_the_standard_asks_for() -> None:
    """SARIF 2.1.0: properties that it requires, names that it knows, places from 1, paths as URIs.

    The same text was held against the standard's own JSON schema by hand.
    """
    content = json.loads(render(Reviews([("a b/规则.rules", [SET]), ("x.sql", [LISTED])]), format="sarif"))
    assert content["version"] == "2.1.0" and content["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = content["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "treerules"
    for result in run["results"]:
        assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "properties"}
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uri"] in ("a%20b/%E8%A7%84%E5%88%99.rules", "x.sql")
            assert min(place["region"].values()) >= 1
    (overlap,) = [result for result in run["results"] if result["ruleId"] == "treerules/overlap"]
    assert overlap["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert overlap["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 5}
    (unread,) = [result for result in run["results"] if result["ruleId"] == "treerules/unread"]
    assert unread["locations"][0]["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 3}


@given(st.lists(st.sampled_from(["a = 1", "城市 in {北京, 上海}", 'b = "x AND y, z"', "3 < c <= 4"]), min_size=1))
def test_folded_lines_are_narrow_and_lose_nothing(parts: list[str]) -> None:
    """At most 78 columns where a text can be folded; text in quotes stays whole; put together it is the text."""
    text = " AND ".join(parts)
    lines = fold_lines("where: ", text)
    assert all(display_width(line) <= 78 for line in lines)
    assert " ".join(line.strip() for line in lines) == f"where: {text}"
    assert "".join(lines).count('"x AND y, z"') == text.count('"x AND y, z"')


@given(st.lists(st.sampled_from(["so", "城市", "wonderful", "'a quoted name'"]), min_size=1, max_size=40))
def test_sentences_are_folded_at_blanks(words: list[str]) -> None:
    """At most 78 columns; put together it is the sentence."""
    lines = fold_lines("", " ".join(words), at=SENTENCE)
    assert all(display_width(line) <= 78 for line in lines)
    assert " ".join(lines) == " ".join(words)


def test_rows_are_python() -> None:
    """Infinities and dates are written so that Python reads them."""
    assert eval(row_text(ROW), {"datetime": datetime}) == ROW


@pytest.mark.parametrize("format", ("text", "md", "csv", "json", "sarif"))
def test_what_nobody_knows_is_refused(format: str) -> None:
    """A format, a language of headings, and what are no files with reviews: in every format alike."""
    with pytest.raises(OptionError, match="'sarif'"):
        render(Verdict(True, True, rules=SET.parsed), format=format + "x")
    with pytest.raises(UnknownNameError, match="'fr'"):
        render(Verdict(True, True, rules=SET.parsed), format=format, lang="fr")
    with pytest.raises(OptionError, match="a verdict that holds its rules"):
        render(Verdict(True, True), format=format)
    for files in (3, "x", SET, [SET], [("a", SET)], [("a", [3])], [(3, [SET])], [("a", [SET], 1)], None):
        with pytest.raises(OptionError, match="review"):
            render(Reviews(files), format=format)


def test_rules_are_called_as_their_file_calls_them() -> None:
    """The verdict on what a file says has the names and the lines of the file, and a tree stands for its rules."""
    found = rules_from_text("IF x < 3 THEN a\nIF x < 5 THEN b")
    shown = render(check(found))
    assert "rule 1 (line 1) and rule 2 (line 2) both fire" in shown
    assert shown == render(Reviews([("", [Review(found, check(found))])]))
    tree = learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart())
    assert render(check(tree)) == render(check(compile_rules(tree)))


def test_a_review_asks_for_each_name_a_few_times() -> None:
    """What never decides under one rule for everything costs its own share: twice the rules, twice the names."""
    counts = []
    for n in (40, 80):
        rules = rules_from_text("\n".join(["ordered", "ALWAYS a", *(f"IF x = {turn} THEN b" for turn in range(n))]))
        found = review(rules)
        asked = 0
        name = ParsedRules.name

        def counting(written: ParsedRules, number: int, name: Any = name) -> str:
            nonlocal asked
            asked += 1
            return name(written, number)  # type: ignore[no-any-return]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ParsedRules, "name", counting)
            text = render(Reviews([("", [found])]))
            assert not found
        assert text.count("never decides") == n
        counts.append(asked)
    assert counts[1] < 2.2 * counts[0]


def test_a_verdict_on_other_rules_is_refused() -> None:
    """A verdict names rules by their numbers, and says of a set what it does not say of a list."""
    written = rules_from_text("IF x < 1 THEN a\nIF x < 2 THEN b\nALWAYS c")
    fewer = rules_from_text("IF x < 1 THEN a")
    ordered = RuleList(written.rules.schema, written.rules.rules)
    with pytest.raises(OptionError, match="verdict"):
        render(evolve(check(written), rules=fewer.rules))
    for verdict, rules in ((check(written), ordered), (check_list(ordered), written.rules), (3, ordered)):
        with pytest.raises(OptionError, match="verdict"):
            render(Review(ParsedRules(rules), verdict))

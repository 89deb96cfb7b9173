"""Rules as text: what is printed and written reads back, each condition means what Python's own comparison does."""

import math
import operator
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import lark
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.lexer import Lexer

from document_examples import fences
from paths import ROOT
from strategies_random import NUMBERS, TEXTS, a_feature, a_schema, a_value, trees
from treerules import Condition, Feature, Interval, Kind, Rule, RuleFigures, RuleSet, Schema, compile_rules, render
from treerules._internal.unicode import is_of_words
from treerules.data.domain import ColumnDomain, next_value
from treerules.data.value_set import ValueSet
from treerules.errors import ParseError, TreeRulesError
from treerules.formats.notation.lexer import tokens
from treerules.formats.rules_text.document import Document
from treerules.formats.rules_text.grammar import parse_text
from treerules.formats.rules_text.text_reader import rules_from_text
from treerules.formats.rules_text.text_writer import rules_to_text
from treerules.rules.conditions import to_condition
from treerules.rules.rule_set import RuleList
from treerules.rules.wording import word
from treerules.trees import ClassPrediction, MeanPrediction
from treerules.trees.node_parts import certain_prediction

DOCS = (ROOT / "docs" / "en" / "reference" / "rule_text.md").read_text(encoding="utf-8")


def said(rules: RuleSet | RuleList) -> list[Any]:
    """Return what rules say, without figures and shares."""
    return [(rule.number, rule.conditions, rule.value, type(rule.value)) for rule in rules.rules]


@given(trees())
def test_printed_rules_of_any_tree_are_read(tree: Any) -> None:
    """With the tree's schema they have equal numbers, conditions and values; figures are left aside."""
    rules = compile_rules(tree)
    found = rules_from_text(render(rules), schema=tree.schema)
    assert found.rules.schema == tree.schema
    assert said(found.rules) == said(rules)


def a_condition(random: Random, feature: Feature) -> Condition:
    """Return a condition from the corners of a feature, spelled as a tree's rules spell it."""
    missing = random.random() < 0.3
    if not feature.is_ordered:
        places = {place for place in range(len(feature.categories)) if random.random() < 0.5}
        return to_condition(
            ValueSet(
                feature,
                (),
                [feature.categories[place] for place in places],
                missing,
                feature.is_open and random.random() < 0.4,
            )
        )
    if random.random() < 0.3:
        return _several_intervals(random, feature, missing)
    bounds = sorted(value for _ in range(2) if (value := a_value(random, feature, ())) is not None and value == value)
    above, upto = bounds if len(bounds) == 2 else (None, None)
    above = None if random.random() < 0.3 or above == upto or above == feature.highest else above
    return Condition(random.choice((None, Interval(above, None if random.random() < 0.3 else upto))), missing)


def _several_intervals(random: Random, feature: Feature, missing: bool) -> Condition:
    """Return a condition of up to three intervals, some of which hold one value."""
    values = [value for _ in range(6) if (value := a_value(random, feature, ())) is not None and value == value]
    ends = [None, *sorted({*values} - {feature.lowest, feature.highest}), None]
    known = ValueSet(feature, [Interval(*pair) for pair in list(pairwise(ends))[random.randint(0, 1) :: 2]])
    return to_condition(known | ValueSet(feature, missing=missing))


def a_domain(random: Random, feature: Feature) -> ColumnDomain:
    """Return something that is declared of a feature."""
    lowest = highest = None
    if feature.is_ordered:
        ends = sorted(v for _ in range(2) if (v := a_value(random, feature, ())) is not None and v == v)
        lowest, highest = ends if len(ends) == 2 else (None, None)
        lowest, highest = random.choice(((lowest, highest), (lowest, None), (None, highest)))
    return ColumnDomain(lowest, highest, missing=random.random() < 0.5, unseen=not feature.is_open)


def a_rule_set(random: Random) -> tuple[RuleSet | RuleList, dict[str, ColumnDomain]]:
    """Return rules that no tree made, over columns with hostile names and categories, and a domain."""
    schema = a_schema(random, random.randint(1, 5))
    values = (0.0, -0.0, 5e-324, -1e300, 0.1, 7.0) if schema.is_regression else schema.classes
    rules = []
    for number in random.sample(range(40), random.randint(0, 6)):
        asked = random.sample(schema.features, random.randint(0, len(schema.features)))
        conditions = [(feature.name, a_condition(random, feature)) for feature in asked]
        rules.append(Rule(number, conditions, certain_prediction(schema, random.choice(values)), RuleFigures(0, 0.0)))
    asked = [feature for feature in schema.features if random.random() < 0.5]
    domain = {feature.name: a_domain(random, feature) for feature in asked}
    kept = {name: column for name, column in domain.items() if column != ColumnDomain()}
    return random.choice((RuleSet, RuleList))(schema, rules), kept


@given(st.integers(0, 2**32))
def test_written_rules_read_back(seed: int) -> None:
    """Schema, domain, numbers, order, list or set, conditions and predicted values are equal."""
    rules, domain = a_rule_set(Random(seed))
    found = rules_from_text(rules_to_text(rules, domain=domain))
    assert type(found.rules) is type(rules)
    assert found.rules == rules
    assert said(found.rules) == said(rules)
    assert found.domain == domain
    assert rules_to_text(found) == rules_to_text(rules, domain=domain)


@given(trees())
def test_rules_of_any_tree_can_be_written(tree: Any) -> None:
    """All but figures and shares reads back, without the schema."""
    rules = compile_rules(tree)
    found = rules_from_text(rules_to_text(rules)).rules
    assert found.schema == tree.schema
    assert said(found) == said(rules)


SIGNS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


@given(st.integers(0, 2**32))
def test_comparisons_mean_what_python_means(seed: int) -> None:
    """For every ordered kind, sign, side, and value beside the bound: a rule fires where Python's comparison holds."""
    random = Random(seed)
    feature = a_feature(random, "x")
    while not feature.is_ordered:
        feature = a_feature(random, "x")
    bounds = [a_value(random, feature, ()) for _ in range(4)]
    low, high = ([bound for bound in bounds if bound is not None and bound == bound] * 2 or [None, None])[:2]
    if low is None:
        return
    values = {low, high, feature.lowest, feature.highest}
    values |= {next_value(feature, value, up=up) for value in list(values) for up in (False, True)} - {None}
    schema = Schema([feature])

    def fires(text: str, value: Any) -> bool:
        return bool(rules_from_text(f"IF {text} THEN a", schema=schema).rules.firing({"x": value}))

    for sign, holds in TURNED.items():
        compare = SIGNS[sign]
        for text in (f"x {sign} {word(low)}", f"{word(low)} {holds} x"):
            rules = rules_from_text(f"IF {text} THEN a", schema=schema).rules
            assert [bool(rules.firing({"x": value})) for value in values] == [compare(value, low) for value in values]
            assert not rules.firing({"x": None})
    for value in values:
        assert fires(f"{word(low)} < x <= {word(high)}", value) is (low < value <= high)
        assert fires(f"x in [{word(low)}..{word(high)})", value) is (low <= value < high)
        assert fires(f"x >= {word(low)} AND (x < {word(high)} or missing)", value) is (low <= value < high)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("c = a", "a"),
        ("c in {a, b}", "ab"),
        ("c != a", "bcu"),
        ("c not in {a, b}", "cu"),
        ("c is known", "abcu"),
        ("c is not missing", "abcu"),
        ("c is missing", "-"),
        ("c is unseen", "u"),
        ("c is nothing", ""),
        ("c = a or missing", "a-"),
        ("(c = a or unseen or missing)", "au-"),
        ("c != a or c is missing", "bcu-"),
        ("(c != a or missing) AND (c != b or missing)", "cu-"),
        ("c != a AND (c = b or missing)", "b"),
        ("c = a AND c = b", ""),
        ("c in {}", ""),
        ("c not in {}", "abcu"),
        ("s <= b", "ab"),
        ("b < s", "c"),
        ("a < s <= c", "bc"),
        ("s >= b AND s != c", "b"),
    ],
)
def test_categories_mean_what_they_say(text: str, taken: str) -> None:
    """= and in name values; != and not in take any other, unseen ones too; missing only where it is said."""
    schema = Schema([Feature("c", Kind.CATEGORY, ("a", "b", "c")), Feature("s", Kind.ORDINAL, ("a", "b", "c"))])
    rules = rules_from_text(f"IF {text} THEN y", schema=schema).rules
    rows = {name: {"c": value, "s": value} for name, value in zip("abcu-", ("a", "b", "c", "zzz", None), strict=True)}
    assert "".join(name for name, row in rows.items() if rules.firing(row)) == taken


def test_bounds_are_written_in_their_shorter_spelling() -> None:
    """x < 50 reads better than x <= 49.99999999999999, and is the same."""
    feature = Feature("x", Kind.NUMBER)
    below = next_value(feature, 50.0, up=False)
    rule = Rule(
        1,
        [("x", Condition(Interval(below, next_value(feature, 60.0, up=False))))],
        MeanPrediction(1.0),
        RuleFigures(0, 0.0),
    )
    rules = RuleSet(Schema([feature], Feature("y", Kind.NUMBER)), [rule])
    assert "IF 50 <= x < 60 THEN y = 1" in rules_to_text(rules)
    assert render(rules).startswith("1: IF 50 <= x < 60 THEN")


def test_kinds_are_inferred() -> None:
    """Numbers, dates, moments, booleans; anything else is a category of what is named; the target alike."""
    found = rules_from_text(
        "IF n > 3 AND d < 2024-01-02 AND t < 2024-01-02 10:00 AND z >= 2024-01-02T10:00Z AND b = TRUE "
        "AND c in {x, 'y} AND q is missing THEN 是".replace("'y", '"5"')
    ).rules.schema
    kinds = [(feature.kind, feature.scalar, feature.categories) for feature in found.features]
    assert kinds == [
        ("number", "number", ()),
        ("date", "date", ()),
        ("timestamp", "timestamp", ()),
        ("timestamp", "timestamp_utc", ()),
        ("boolean", "boolean", (False, True)),
        ("category", "text", ("5", "x")),
        ("category", "text", ()),
    ]
    assert found.target == Feature("decision", Kind.CATEGORY, ("是",))
    assert rules_from_text("ALWAYS y = 3").rules.schema.is_regression
    assert rules_from_text("target y: category ALWAYS 3 ").rules.schema.classes == (3,)
    assert rules_from_text("ALWAYS y = true").rules.schema.classes == (True,)


def test_a_text_reads_the_same_however_it_is_typed() -> None:
    """Line ends, a byte order mark, comments, the case of keywords, the signs of Chinese keyboards."""
    text = (
        "column 年龄: category {青年, 中年}\nIF 年龄 in {青年} AND (x <= 3 or missing) THEN a # b\nIF x != inf THEN b\n"
    )
    wanted = rules_from_text(text)
    assert [rule.number for rule in wanted.rules.rules] == [1, 2]
    assert wanted.lines == {1: 2, 2: 3}
    for other in (
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
        "\ufeff" + text,
        text.replace("IF", "if").replace("AND", "and").replace("THEN", "Then"),
        text.replace("(", "（").replace(")", "）").replace(",", "，").replace("<=", "≤").replace("!=", "≠"),
        text.replace("{", "｛").replace("}", "｝").replace(":", "：").replace(" ", "\u3000"),
    ):
        assert rules_from_text(other) == wanted


SCHEMA = Schema([Feature("income", Kind.NUMBER), Feature("city", Kind.CATEGORY, ("Lyon", "Paris"))])


@pytest.mark.parametrize(
    ("text", "place", "fragment"),
    [
        ("IF income > THEN a", (1, 13), "something is left out"),
        ("IF income > 3\nOR city = Lyon THEN a", (2, 4), "write a rule of its own"),
        ("IF income > 3 OR 5 THEN a", (1, 20), "a comparison"),
        ("IF (income > 3) OR income = 2 THEN a", (1, 17), "OR adds values of one column"),
        ("IF income = missing THEN a", (1, 13), "is missing"),
        ("IF my city = Lyon THEN a", (1, 7), "double quotes"),
        ("IF city is Lyon THEN a", (1, 12), "x = red"),
        ("IF city = 'Lyon' THEN a", (1, 11), "double quotes"),
        ('IF city = "Lyon THEN a', (1, 11), "not closed"),
        ('IF city = "\\q" THEN a', (1, 12), "escape"),
        ("IF (income > 3 THEN a", (1, 16), "parenthesis"),
        ("IF income > 3", (1, 14), "THEN"),
        ("income > 3", (1, 1), "a rule is written"),
        ("IF incone > 3 THEN a", (1, 4), "'income'"),
        ("IF INCOME > 3 THEN a", (1, 4), "'income'"),
        ("IF city = paris THEN a", (1, 11), "'Paris'"),
        ("IF city > Lyon THEN a", (1, 11), "ordinal"),
        ("IF income > high THEN a", (1, 13), "'high'"),
        ("IF income is unseen THEN a", (1, 14), "no unseen values"),
        ("IF income > 1e999 THEN a", (1, 13), "too large for a number of float64; write inf"),
        ("IF income > +1E999 THEN a", (1, 13), "too large for a number of float64; write inf"),
        ("IF income > -1e999 THEN a", (1, 13), "too large for a number of float64; write -inf"),
        ("IF income > 1e-999 THEN a", (1, 13), "too small"),
        ("IF income > 9007199254740993 THEN a", (1, 13), "integer"),
        ("IF income in 5 THEN a", (1, 14), "3..5"),
        ("IF 3 < income > 2 THEN a", (1, 15), "the same way"),
        ("IF income > 3 or city is missing THEN a", (1, 18), "'city'"),
        ("IF x > 3 AND x = red THEN a", (1, 18), "values of one kind"),
        ("3: ALWAYS a\n3: ALWAYS b", (2, 1), "line 1"),
        ("OTHERWISE a", (1, 1), "ordered"),
        ("ordered OTHERWISE a ALWAYS b", (1, 9), "last"),
        ("ALWAYS 1 ALWAYS red", (1, 17), "'red'"),
        ("ALWAYS inf", (1, 8), "finite"),
        ("ALWAYS y = 1 ALWAYS z = 1", (1, 21), "'z'"),
        ("IF y = 1 THEN y = 1", (1, 4), "predict"),
        ("ALWAYS a column x: number", (1, 10), "before the first rule"),
        ("column x: integr", (1, 11), "'integer'"),
        *(
            (f"column {word}{rest}\n{rule}", (1, 11), f"no kind is named '{name}'; did you mean '{meant}'?")
            for word, name, meant, rest in (
                ("x: nmber", "nmber", "number", ""),
                ("x: nmber", "nmber", "number", ", never missing"),
                ("x: nmber", "nmber", "number", " 0..5"),
                ("x: int", "int", "integer", ""),
                ('x: "number"', '"number"', "number", ""),
                ("x: catgory", "catgory", "category", " {a, b}"),
                ("x: catgory", "catgory", "category", " of text {a}"),
                ("x: ordnal", "ordnal", "ordinal", " a < b"),
            )
            for rule in ("IF x < 3 THEN a", "1: IF x = b THEN a", "ALWAYS a")
        ),
        ("target z: nmber IF x < 3 THEN a", (1, 11), "no kind is named 'nmber'; did you mean 'number'?"),
        ("column x: text IF x = a THEN a", (1, 11), "no kind is named 'text'; write"),
        ("column x: 0-120 IF x < 3 THEN a", (1, 11), "'0-120' is not an option of a column"),
        ("column x: closed, opn IF x = b THEN a", (1, 19), "did you mean 'open'?"),
        ("column x: integer, nver missing IF x < 3 THEN a", (1, 20), "did you mean 'never missing'?"),
        ("column x: number, closed", (1, 19), "closed"),
        ("column x: number 5..3", (1, 8), "lower bound"),
        ("column x: number column x: number", (1, 25), "twice"),
        ("column x: closed", (1, 8), "kind"),
        ("column x: ordinal a < a", (1, 23), "twice"),
        ("column income: date", (1, 8), "schema"),
        ("IF income < ３ THEN a", (1, 13), "a number, such as"),
        ("IF x < ３ THEN a", (1, 8), "digits"),
        ("IF income < 3\u202e THEN a", (1, 14), "U+202E"),
        ("IF income < 3 \x00 THEN a", (1, 15), "U+0000"),
        ("IF city = a#b THEN a", (1, 12), "comment"),
        ("ALWAYS a # x\u2028ALWAYS b", (1, 13), "U+2028"),
    ],
)
def test_errors_name_the_place_and_the_way_out(text: str, place: tuple[int, int], fragment: str) -> None:
    """The line, the column, a caret below it where the line is shown, and what to do."""
    with pytest.raises(ParseError) as caught:
        rules_from_text(text, schema=SCHEMA, file="loan.rules")
    error = caught.value
    assert (error.line, error.column) == place
    assert fragment in str(error)
    assert str(error).startswith(f"loan.rules:{place[0]}:{place[1]}: ")
    assert "\n" not in error.text and error.text[: error.column - 1] == re.split("\r|\n", text)[place[0] - 1][
        : error.column - 1
    ].replace("\u2028", "\ufffd").replace("\u202e", "\ufffd")
    assert not re.search(r"__|\bLPAR\b|\$END|PLAIN|RBRACE", str(error))


PIECES = (
    *("IF ", " THEN ", " AND ", " or missing", "(", ")", "{", "}", ",", ":", "=", "<", "..", '"', "\\", "\n", "\r"),
    *("\x00", "\u202e", "ordered\n", "column x: ", "target ", "1e999", "inf", "-", "2024-02-30", "is ", "not ", "in "),
    *("unseen", "OTHERWISE x", "#", "closed", "of integer", "\ud800", '"\\ud800"', "７", "3: ", "(n 12)", "İ"),
)


@given(st.integers(0, 2**32))
def test_no_text_breaks_the_reader(seed: int) -> None:
    """Good text with random edits is read, and then reads back when written, or refused with a ParseError."""
    random = Random(seed)
    rules, domain = a_rule_set(random)
    base = rules_to_text(rules, domain=domain)
    for _ in range(10):
        text = base
        for _ in range(random.randint(1, 3)):
            place, n = random.randrange(len(text) + 1), random.randint(0, 5)
            text = text[:place] + random.choice((*PIECES, "")) + text[place + n :]
        try:
            found = rules_from_text(text)
        except ParseError as error:
            assert str(error)
        else:
            assert rules_from_text(rules_to_text(found)).rules == found.rules


def test_size_and_depth_do_no_harm() -> None:
    """Deep parentheses, a line of a megabyte, many columns, a quote that never ends, a number of many digits."""
    n = 20_000
    nested = rules_from_text(f"IF {'(' * n}x < 3{')' * n} THEN a").rules
    assert nested == rules_from_text("IF x < 3 THEN a").rules
    many = " AND ".join(f"x{place} < 3" for place in range(3_000))
    assert len(rules_from_text(f"IF {many} THEN a").rules.rules[0].conditions) == 3_000
    members = ", ".join(f"c{number}" for number in range(n))
    assert len(rules_from_text(f"IF c not in {{{members}}} THEN a").rules.schema.features[0].categories) == n
    long = "x" * 1_000_000
    assert rules_from_text(f'IF "{long}" < 3 THEN a').rules.schema.features[0].name == long
    for text in (f"IF {'(' * n}x < 3 THEN a", "9" * 5_000 + ": ALWAYS a", '"' + '\\"' * 50_000, "ALWAYS a " + "b " * n):
        with pytest.raises(ParseError):
            rules_from_text(text)


def test_what_wording_leaves_bare_is_one_word() -> None:
    """Every letter and digit of any script, and the signs that need no quotes."""
    letters = "".join(chr(code) for code in range(sys.maxunicode + 1) if is_of_words(chr(code)))
    bare = "a" + letters + "_-+.%/"
    assert [(token.type, token.text) for token in tokens(Document(bare))] == [("WORD", bare), ("END", "")]


@pytest.mark.parametrize("text", (*TEXTS, "2024-03-21", "column", "first", "or", "a..b", "1..2", "Known", "x" * 70))
def test_any_text_can_be_a_name_a_category_and_a_class(text: str) -> None:
    """It is quoted where it would read as something else."""
    schema = Schema([Feature(text, Kind.CATEGORY, (text,))], Feature("y" + text, Kind.CATEGORY, (text,)))
    condition = ((text, to_condition(ValueSet.of_values(schema.features[0], schema.features[0].categories[:1]))),)
    rules = RuleSet(schema, [Rule(1, condition, ClassPrediction(text, [1.0]), RuleFigures(0, 0.0))])
    assert rules_from_text(rules_to_text(rules)).rules == rules
    assert said(rules_from_text(render(rules), schema=schema).rules) == said(rules)


def test_what_is_known_beforehand_is_kept() -> None:
    """The schema's columns come first; the domain is merged with what the text declares."""
    domain = {"income": ColumnDomain(0.0, missing=False)}
    text = "column income: <= 9 column age: integer IF income > 3 AND age < 4 AND z = true THEN a"
    found = rules_from_text(text, schema=SCHEMA, domain=domain)
    assert [feature.name for feature in found.rules.schema.features] == ["income", "city", "age", "z"]
    assert found.domain == {"income": ColumnDomain(0.0, 9.0, missing=False)}
    with pytest.raises(TreeRulesError, match="incme"):
        rules_from_text(text, domain={"incme": ColumnDomain()})


def test_reading_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules as text are written and read by what every installation has."""
    for extra in ("lark", "duckdb", "click", "sqlglot", "hypothesis"):
        monkeypatch.setitem(sys.modules, extra, None)
    assert rules_from_text(rules_to_text(rules_from_text("ALWAYS a"))).rules.rules[0].value == "a"


class _Tokens(Lexer):
    """Hands our tokens to lark."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, data: str) -> Iterator[lark.Token]:  # type: ignore[override]
        return (lark.Token(token.type, token.text) for token in tokens(Document(data)) if token.type != "END")


#: The grammar of docs/en/reference/rule_text.md, run by lark.
(GRAMMAR,) = re.findall(r"```lark\n(.*?)```", DOCS, re.DOTALL)
DOCUMENTED = lark.Lark(GRAMMAR, parser="lalr", lexer=_Tokens)


def follows_documentation(text: str) -> bool:
    """Whether a text follows the grammar of the documentation."""
    try:
        DOCUMENTED.parse(text)
    except lark.exceptions.UnexpectedToken:
        return False
    return True


def is_parsed(text: str) -> bool | None:
    """Whether our parser reads a text; None where it stops at a word that is no kind and no option."""
    try:
        parse_text(Document(text))
    except ParseError as error:
        return None if re.search("is not an option of a column|no kind is named", str(error)) else False
    return True


@given(st.integers(0, 2**32))
def test_the_documented_grammar_is_the_one_that_is_read(seed: int) -> None:
    """Good texts with random edits of whole tokens follow the grammar of the page where our parser reads them."""
    random = Random(seed)
    rules, domain = a_rule_set(random)
    words = [token.text for token in tokens(Document(rules_to_text(rules, domain=domain)))]
    for _ in range(20):
        edited = list(words)
        for _ in range(random.randint(0, 2)):
            start, n = random.randrange(len(edited)), random.randint(0, 2)
            edited[start : start + n] = random.choices((*PIECES_OF_GRAMMAR, *words), k=random.randint(0, 2))
        text = " ".join(edited)
        read = is_parsed(text)
        assert read is None or read is follows_documentation(text), text


@pytest.mark.parametrize("levels", [("of", "b"), ("of",), ("of", "text"), ("of", "of text"), ("text", "of")])
def test_levels_may_be_named_as_the_words_of_declarations(levels: tuple[str, ...]) -> None:
    """An ordinal column with levels such as of and text is written and read again."""
    levels_text = " < ".join(map(word, levels))
    rules = rules_from_text(f"column x: ordinal {levels_text}\ntarget y: category {{a, b}}\nALWAYS y = a\n").rules
    (feature,) = rules.schema.features
    assert feature.categories == levels
    assert rules_from_text(rules_to_text(rules)).rules == rules


PIECES_OF_GRAMMAR = (
    *(
        "IF",
        "THEN",
        "AND",
        "OR",
        "NOT",
        "IN",
        "IS",
        "ALWAYS",
        "OTHERWISE",
        "MISSING",
        "UNSEEN",
        "KNOWN",
        "NOTHING",
        "x",
    ),
    *(
        "column",
        "target",
        "ordered",
        "first match wins",
        "number",
        "category",
        "ordinal",
        "of",
        "text",
        "closed",
        "0..5",
    ),
    *(
        "never",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "3:",
        "(n 12)",
        '"a b"',
        "boolean",
    ),
)


def test_the_rules_of_the_documentation_are_read_and_read_back() -> None:
    """Each file of rules that the page shows."""
    texts = [fence.file_text for fence in fences(DOCS) if fence.file_name.endswith(".rules")]
    assert len(texts) == 2
    for text in texts:
        found = rules_from_text(text)
        again = rules_from_text(rules_to_text(found))
        assert (again.rules, again.domain) == (found.rules, found.domain)


def test_numbers_are_read_exactly() -> None:
    """Every corner of float64 is the bound that it spells."""
    for number in (*NUMBERS, math.pi, 1e22, 123456789.123456789):
        (rule,) = rules_from_text(f"IF x <= {number!r} THEN a").rules.rules
        assert rule.conditions == (("x", Condition(Interval(None, number + 0.0))),)


@pytest.mark.parametrize(("word", "meant"), [("AN", "AND"), ("adn", "AND"), ("ORR", "OR"), ("THE", "THEN")])
def test_a_misspelled_word_between_conditions_is_named(word: str, meant: str) -> None:
    """The word that was meant is the remedy; another word is no misspelling."""
    with pytest.raises(ParseError, match=f"unexpected '{word}'; did you mean {meant}\\?"):
        rules_from_text(f"IF age < 30 {word} b = 1 THEN x")
    with pytest.raises(ParseError, match="'b' stands here"):
        rules_from_text("IF age < 30 b = 1 THEN x")


@pytest.mark.parametrize(
    ("declaration", "word"),
    [
        ("column x: boolean missing", "missing"),
        ("column x: integer 0..5 missing", "missing"),
        ("column x: category {a} unseen", "unseen"),
        ("column x: date, unseen", "unseen"),
        ("column x: boolean never missing", "never"),
    ],
)
def test_a_word_that_ends_no_declaration_is_named_where_it_stands(declaration: str, word: str) -> None:
    """Not the rule behind it: lines such as `missing x: as x = 1` stand below rules alone."""
    with pytest.raises(ParseError) as caught:
        rules_from_text(f"{declaration}\nIF x = 1 THEN a")
    assert (caught.value.line, caught.value.column) == (1, declaration.index(word) + 1)
    assert f"'{word}' stands here, where" in str(caught.value)
    assert "a column is declared as in column age: integer 0..120, never missing" in str(caught.value)

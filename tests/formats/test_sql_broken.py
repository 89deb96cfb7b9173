"""SQL that is broken, large or strange: an answer or an error of ours, and no WHEN is counted to another CASE."""

import re
import time
from collections.abc import Callable
from random import Random

import pytest

from treerules.errors import ParseError, TreeRulesError
from treerules.formats.sql.case_reader import rules_from_sql
from treerules.proof.review import review

#: Files by name, each of a size that grows with a number.
NASTY: dict[str, Callable[[int], str]] = {
    "one line": lambda n: "SELECT " + ", ".join(f"CASE WHEN a > {k} THEN 1 END" for k in range(n)),
    "long text": lambda n: f"SELECT CASE WHEN a = '{'x' * 50 * n}' THEN 1 END",
    "long name": lambda n: f"SELECT CASE WHEN {'x' * 50 * n} > 1 THEN 1 END",
    "long number": lambda n: f"SELECT CASE WHEN a > {'9' * n} THEN {'9' * n} END",
    "nested comments": lambda n: "/*" * n + " CASE " + "*/" * n + " SELECT CASE WHEN a > 1 THEN 1 END",
    "open comments": lambda n: "SELECT CASE WHEN a > 1 THEN 1 END\n" + "/*" * n,
    "open Jinja comments": lambda n: "SELECT CASE WHEN a > 1 THEN 1 END\n" + "{#" * n,
    "WHENs": lambda n: "CASE " + " ".join(f"WHEN a = {k} THEN {k}" for k in range(n)) + " END",
    "broken WHENs": lambda n: "CASE " + " ".join(f"WHEN a b = {k} THEN x y {k}" for k in range(n)) + " END",
    "WHENs with Jinja": lambda n: "CASE " + " ".join(f"WHEN {{{{ a{k} }}}} THEN {k}" for k in range(n // 10)) + " END",
    "in THEN": lambda n: "".join(f"CASE WHEN a > {k} THEN " for k in range(n // 2)) + "1" + " END" * (n // 2),
    "in ELSE": lambda n: "".join(f"CASE WHEN a = {k} THEN 1 ELSE " for k in range(n // 2)) + "1" + " END" * (n // 2),
    "in a sum": lambda n: "".join(f"CASE WHEN a > {k} THEN 1 + " for k in range(n // 2)) + "1" + " END" * (n // 2),
    "in a condition": lambda n: "CASE WHEN " * (n // 2) + "a" + " THEN 1 END" * (n // 2),
    "in an operand": lambda n: "CASE " * (n // 2) + "a" + " WHEN 1 THEN 1 END" * (n // 2),
    "in parentheses": lambda n: "".join(f"CASE WHEN a > {k} THEN (" for k in range(n // 2)) + "1" + ") END" * (n // 2),
    "{{": lambda n: "{{" * 20 * n,
    "{%": lambda n: "{%" * 20 * n,
    "{{'": lambda n: "{{'}}" * 20 * n,
    "{{{": lambda n: "{{{}}" * 20 * n,
    "{{ (": lambda n: "{{ " + "(" * n + " case " + ")" * n + " }}",
    "{% raw %}": lambda n: "{% raw %}" * n + "CASE WHEN a THEN 1 END",
    "{% if %}": lambda n: "{% if x %}" * n + "CASE WHEN a THEN 1 END" + "{% endif %}" * n,
    "expressions": lambda n: "SELECT " + ", ".join("CASE WHEN {{ x }} > 1 THEN {{ y }} END" for _ in range(n // 5)),
    "only CASE": lambda n: "CASE " * 20 * n,
    "only CASE WHEN": lambda n: "CASE WHEN " * 10 * n,
    "only END": lambda n: "END " * 20 * n,
    "WHENs behind END": lambda n: "CASE WHEN a THEN 1 END " + "WHEN " * 10 * n,
    "no END": lambda n: "CASE WHEN a THEN 1, " * n,
    "no THEN": lambda n: "CASE WHEN a " * n + "END " * n,
    "parentheses": lambda n: "CASE WHEN " + "(" * 10 * n + "a > 1" + ")" * 10 * n + " THEN 1 END",
    "outcome in parentheses": lambda n: "CASE WHEN a THEN " + "(" * 10 * n + "1" + ")" * 10 * n + " END",
    "open parentheses": lambda n: "CASE WHEN a THEN " + "(" * 10 * n,
    "open brackets": lambda n: "CASE WHEN a[" * n,
    "open braces": lambda n: "CASE WHEN {'a': " * n,
    "closed parentheses": lambda n: ")" * 10 * n + "CASE WHEN a THEN 1 END" + ")" * 10 * n,
    "NOT": lambda n: "CASE WHEN " + "NOT " * 5 * n + "a THEN 1 END",
    "AND": lambda n: "CASE WHEN " + " AND ".join(f"a > {k}" for k in range(n)) + " THEN 1 END",
    "signs": lambda n: "CASE WHEN a > " + "- " * 5 * n + "1 THEN 1 END",
    "sum": lambda n: "CASE WHEN " + " + ".join("a" for _ in range(n)) + " > 1 THEN 1 END",
    "sum as an outcome": lambda n: "CASE WHEN a THEN " + " + ".join("b" for _ in range(n)) + " END",
    "list": lambda n: "CASE WHEN a IN (" + ", ".join(f"'{k}'" for k in range(n)) + ") THEN 1 END",
    "quotes": lambda n: "SELECT CASE WHEN a THEN 1 END,\n" + "'" * (10 * n + 1),
    "names": lambda n: "SELECT CASE WHEN a THEN 1 END,\n" + '"' * (10 * n + 1),
    "$$": lambda n: "$$" * (n + 1),
    "semicolons": lambda n: "CASE WHEN a THEN " + ";" * 10 * n + " END",
    "BEGIN": lambda n: "CASE WHEN a THEN " + "BEGIN " * 10 * n,
    "lines": lambda n: "\n" * 100 * n + "CASE WHEN a > 1 THEN 1 END",
    "CASEs before a quote": lambda n: "SELECT CASE WHEN a THEN 1 END\n" * (n // 5) + "'",
    "NUL": lambda n: "\0" * n + "CASE WHEN \0 > 2 THEN '\0' WHEN a = '\0' THEN \0 END",
}
#: Files that are strange whatever their size.
STRANGE = (
    "", " ", "\0", "\ufeff", "CASE", "case", "END", "CASE END", "CASE WHEN", "SELECT case FROM t",
    "SELECT t.case, t.end",
    "SELECT \"case\", CASE WHEN \"end\" > 1 THEN \"when\" END", "SELECT x AS case, CASE WHEN a THEN 1 END AS end",
    "CASE WHEN end > 3 THEN 1 END", "CASE WHEN a THEN 1 END END",
    "CASE CASE WHEN a THEN 1 END WHEN 1 THEN 2 END",
    "CASE WHEN a THEN 1 END CASE WHEN b THEN 2 END", "CASE WHEN a THEN 'x", "CASE WHEN a = \"x THEN 1 END",
    "CASE WHEN {{ '}}' }} THEN 1 END", "CASE WHEN {{ x THEN 1 END",
    "CASE WHEN x }} THEN 1 END", "CASE WHEN {} THEN 1 END",
    "CASE WHEN a LIKE '{%' THEN 1 END", "CASE WHEN {%- THEN 1 END", "CASE WHEN {{}} THEN 1 END", "{{ {{ }} }} CASE",
    "CASE WHEN {{ x }}{{ y }} THEN {{ x }}.{{ y }} END", "CASE {{ x }} END",
    "CASE {{ x }} WHEN {{ y }} THEN {{ z }} END",
    "{% raw %} CASE WHEN a THEN 1 END", "{% endraw %} CASE WHEN a THEN 1 END", "CASE WHEN a THEN 1 {% endif %} END",
    "CASE WHEN a = '\ud800' THEN '\ud800' WHEN {{ '\ud800' }} THEN 2 END", "CASE WHEN a THEN 1 ELSE ELSE 2 END",
    "CASE WHEN 1 = ALL (SELECT 1) THEN (SELECT 1 FROM t) END", "CASE WHEN a THEN b::{{ x }} ELSE x.{{ y }}.z END",
    "CASE WHEN @x := 1 THEN @@y END", "CASE WHEN :x > ? THEN $1 END", "CASE WHEN a ~ 'x' THEN #{x} END",
    "CASE WHEN \\ THEN 1 END",
    "CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3", "CASE a, b WHEN 1 THEN 2 END", "CASE WHEN THEN END",
    "CASE WHEN 'a' 'b' THEN 1 END",
    "BEGIN IF a THEN SET x = CASE WHEN b THEN 1 END; END IF; END", "CASE x WHEN 1 THEN BEGIN a; END; END CASE;",
    "BEGIN LOOP x := CASE WHEN a THEN 1 ELSE 2 END; END LOOP; END;", "SELECT CASE WHEN a THEN 1 END IF",
    "MERGE INTO t USING s ON CASE WHEN a THEN b END = 1 WHEN MATCHED THEN UPDATE SET x = CASE WHEN c THEN 1 END",
    "IF CASE WHEN a THEN 1 END = 1 THEN SELECT 2; ELSE SELECT CASE WHEN b THEN 2 END; END IF;",
    "BEGIN TRY SELECT CASE WHEN a THEN 1 END END TRY BEGIN CATCH SELECT CASE WHEN b THEN 2 END END CATCH",
    "CASE WHEN a THEN 1e999999 WHEN b > 1e999999 THEN -0 END", "CASE WHEN d > DATE '9999-99-99' THEN 1 END",
    "CASE WHEN a THEN treerules_jinja_zz WHEN treerules_jinja_7 > 1 THEN 2 END",
    "/* CASE */ -- CASE\nCASE WHEN a THEN 1 END",
)  # fmt: skip


def read(text: str, dialect: str | None) -> None:
    """Read a text and review its parts; an error must be one of ours."""
    try:
        for parsed in rules_from_sql(text, dialect=dialect):
            if len(parsed.rules) < 20:
                review(parsed, budget=100)
    except TreeRulesError as error:
        assert str(error)


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_file_is_read_or_refused(name: str) -> None:
    """No other exception, whatever the dialect."""
    for dialect in (None, "tsql", "bigquery"):
        read(NASTY[name](40), dialect)


@pytest.mark.large
@pytest.mark.parametrize("name", NASTY)
def test_the_time_for_a_large_nasty_file_is_bounded(name: str) -> None:
    """A hundred times the size: 5,000 WHENs, comments 5,000 deep, 2,500 nested CASEs take seconds, not minutes."""
    start = time.process_time()
    read(NASTY[name](5_000), None)
    assert time.process_time() - start < 30


@pytest.mark.parametrize("text", STRANGE)
def test_a_strange_file_is_read_or_refused(text: str) -> None:
    """Keywords as names, blocks of procedures, Jinja in every place, characters that are none."""
    for dialect in (None, "tsql", "snowflake", "mysql"):
        read(text, dialect)
        read(f"SELECT CASE WHEN a > 1 THEN 1 END\n, {text}", dialect)


# ---- what is read of a broken text


def nested(random: Random, column: str, numbers: list[int], depth: int = 0) -> list[str]:
    """Return the words of a CASE of which each WHEN asks a column of its own, with the number that is its outcome."""
    words = ["CASE"]
    for _ in range(random.randint(1, 3)):
        number = len(numbers)
        numbers.append(number)
        asked, outcome = f"{column}_{number}", [str(number)]
        if depth < 2 and random.random() < 0.3:
            outcome = nested(random, column, numbers, depth + 1)
            outcome = ["(", *outcome, ")"] if random.random() < 0.5 else outcome
        words += ["WHEN", *random.choice(([asked], ["(", asked, ")"])), "THEN", *outcome]
    return [*words, *(["ELSE", "-1"] if random.random() < 0.4 else []), "END"]


def test_a_when_is_never_counted_to_another_case() -> None:
    """One word is dropped, doubled or moved: each rule that is read asks the column of its outcome, and of one CASE."""
    random, n_read, n_unread = Random(11), 0, 0
    for _ in range(100):
        numbers: list[int] = []
        queries = [nested(random, f"c{n}", numbers) for n in range(3)]
        words = ["SELECT", *queries[0], ",", *queries[1], "AS", "x", ",", *queries[2], "FROM", "t"]
        at = random.randrange(1, len(words) - 2)
        one, other = words[at : at + 2]
        words[at : at + 2] = random.choice(([other], [one, one, other], [other, one]))
        text = " ".join(words)
        for parsed in rules_from_sql(text, dialect="duckdb"):
            n_read, n_unread = n_read + (not parsed.unparsed), n_unread + bool(parsed.unparsed)
            for rule in parsed.rules.rules:
                conditions = " ".join(name for name, _ in rule.conditions)
                asked = re.findall(r"c(\d)_(\d+)", conditions)
                assert len({case for case, _ in asked}) <= 1, text
                number = f"{rule.value:.0f}" if isinstance(rule.value, float) else str(rule.value)
                is_own = number in {column for _, column in asked} or conditions == "()"  # as in WHEN ( ) THEN 1
                assert is_own or not number.isdecimal(), text
    assert n_read > 200
    assert n_unread > 40


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("SELECT CASE WHEN a THEN 1 ELSE 2, CASE WHEN b THEN 3 END", [[], [3.0]]),
        ("SELECT CASE WHEN a THEN 1 ELSE 2 FROM t; SELECT CASE WHEN b THEN 3 END", [[], [3.0]]),
        ("SELECT f(CASE WHEN a THEN 1), CASE WHEN b THEN 3 END", [[], [3.0]]),
        ("SELECT CASE WHEN a THEN CASE WHEN b THEN 1 ELSE 2 WHEN c THEN 3 END, CASE WHEN d THEN 4 END", [[], [4.0]]),
        ("SELECT CASE WHEN a THEN f(CASE WHEN b THEN 1) ELSE 2 END, CASE WHEN d THEN 4 END", [[], [4.0]]),
        ("SELECT CASE WHEN a THEN 1 END END WHEN b THEN 2 END, CASE WHEN d THEN 4 END", [[], [4.0]]),
        ("SELECT case, t.case, CASE WHEN a THEN 1 END FROM t WHERE case = 2", [[1.0]]),
        ("SELECT * FROM case JOIN b; # CASE of texts\nSELECT CASE WHEN a THEN 1 END", [[1.0]]),
        ("BEGIN IF a THEN SET x = CASE WHEN b THEN 1 END; END IF; SET y = CASE WHEN c THEN 2 END; END", [[1.0], [2.0]]),
        ("CASE x WHEN 1 THEN SELECT 1, 2; WHEN 3 THEN SET y = CASE WHEN c THEN 2 END; END CASE;",
         [["SELECT 1, 2;", "SET y = CASE WHEN c THEN 2 END;"], [2.0]]),
        ("SELECT CASE WHEN a THEN 1 END END; CASE WHEN b THEN 2 END", [[1.0], [2.0]]),
        ("SELECT CASE WHEN a IS DISTINCT FROM 1 THEN {'x': 1, 'y': 2} ELSE 3 END", [["{'x': 1, 'y': 2}", "3"]]),
        ("SELECT CASE WHEN extract(year FROM a) = 1 THEN (SELECT 1 FROM t WHERE b) ELSE 3 END",
         [["(SELECT 1 FROM t WHERE b)", "3"]]),
        ("SELECT CASE WHEN a THEN 1 END\nFROM t\nWHERE x = 'open AND CASE WHEN b THEN 2 END", [[1.0], []]),
        ("SELECT CASE WHEN a THEN 1 END,\n CASE WHEN b THEN 'x WHEN c\n THEN 2 END", [[1.0], []]),
    ],
)  # fmt: skip
def test_the_other_cases_of_a_broken_text_are_read(text: str, parts: list[list[object]]) -> None:
    """The outcomes of the rules of each part; one that is not read has none, and one unparsed part that says why."""
    found = rules_from_sql(text, dialect="duckdb")
    assert [list(dict.fromkeys(rule.value for rule in parsed.rules.rules)) for parsed in found] == parts
    assert all(len(parsed.unparsed) == (not parsed.rules.rules) for parsed in found)


def test_lines_before_a_quote_that_is_not_closed_are_certain() -> None:
    """A quote that another dialect escapes shifts all texts behind it: what is behind its line is not read."""
    text = "SELECT CASE WHEN a THEN 1 END,\n 'it\\'s',\n CASE WHEN b = 'x' THEN 2 END,\n CASE WHEN c = 'y' THEN 3 END"
    first, rest = rules_from_sql(text, dialect="postgres")
    assert [rule.value for rule in first.rules.rules] == [1.0]
    assert (rest.unparsed[0].line, rest.unparsed[0].text) == (2, text[text.index("'it") :])
    with pytest.raises(ParseError, match="closing '"):
        rules_from_sql(text.split("\n", 1)[1], dialect="postgres")

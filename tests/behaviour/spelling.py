"""Texts that somebody spells wrongly or in a way of their own: rules, declarations, SQL; forms of dates in files."""

from collections.abc import Iterator
from typing import Any

from behaviour.calls import (
    Feature,
    Schema,
    compile_rules,
    decision_table_text,
    declared_from_json,
    learn,
    outcome,
    predict_table,
    predictions_text,
    read_csv,
    rules_from_csv,
    rules_from_markdown,
    rules_from_sql,
    rules_from_text,
    rules_text,
    rules_to_text,
    to_python,
    to_sql,
    tree_text,
    tree_to_json,
)
from behaviour.calls import cart as a_cart
from behaviour.reading import working_in

#: Rules that are wrong in one way each, or read in a way of their own.
TEXTS = (
    "column x: number\ncolumn x: number\nIF x > 1 THEN y = a",
    "column zz\nIF x > 1 THEN y = a",
    "column c: ordinal S < M < S\nIF c = S THEN y = a",
    "IF c IN {a, 5} THEN y = a\nIF c = 7 THEN y = b",
    "IF c > a THEN y = a",
    "column x: number 9..3\nIF x > 1 THEN y = a",
    "column c: category 1..3\nIF c = a THEN y = a",
    "column x: text\nIF x = a THEN y = a",
    "target y: number 0..1\nIF x > 1 THEN y = 1",
    "IF 3 > 1 THEN y = a",
    "IF x > 1 OR z < 3 THEN y = a",
    "IF x IN 3 THEN y = a",
    "IF x IS NOT MISSING THEN y = a",
    "IF x IS NOT UNSEEN THEN y = a",
    "IF x IS NOT KNOWN THEN y = a",
    "column c: category\nIF c > a THEN y = a",
    "IF x > 1 AND x IS UNSEEN THEN y = a",
    "column x: integer\nIF x = 2.5 THEN y = a",
    "IF x = 1e400 THEN y = a",
    "IF x > 1 THEN y = a\nIF y = a THEN y = b",
    "target y: category\ntarget z: category\nIF x > 1 THEN y = a",
    "IF x > 1 THEN y = a\nIF x > 2 THEN z = b",
    "IF x > 1 THEN x = a",
    "IF x > 1 THEN y = inf",
    "1: IF x > 1 THEN y = a\n1: IF x > 2 THEN y = b",
    "IF x > 1 THEN y = a\nOTHERWISE y = b",
    "ordered\nOTHERWISE y = b\nIF x > 1 THEN y = a",
    "IF x > 1,5 THEN y = a",
    "IF x > 1.5.2 THEN y = a",
    "IF x > 1\u00a0 THEN y = a",
    "IF x \u2264 1 THEN y = a",
    "IF \u201cx\u201d > 1 THEN y = a",
    "IF x >",
    "IF",
    "THEN y = a",
    "ordred\nIF x > 1 THEN y = a",
    "IF x > 1 THEN",
    "IF x > 1 THEN y",
    "IF x > 1 THEN y =",
    "IF x > 1 AND THEN y = a",
    "IF (x > 1 THEN y = a",
    "IF x > 1) THEN y = a",
    "IF x > 1 THEN y = a b",
    "IF x IN {1, 2 THEN y = a",
    "IF x IN [1, 2) THEN y = a",
    "IF x IN (1..2] THEN y = a",
    "IF x IN [3..2] THEN y = a",
    "IF x IN {} THEN y = a",
    "IF x NOT IN {a, b} THEN y = a",
    "IF NOT x > 1 THEN y = a",
    "IF x = a OR x = b THEN y = a",
    "IF 1 < x <= 3 THEN y = a",
    "IF 3 < x < 1 THEN y = a",
    "IF x != 3 THEN y = a",
    "IF x <> a THEN y = a",
    "IF day > 2024-03-21 THEN y = a",
    "IF day > 2024-02-30 THEN y = a",
    "IF day > 2024-03-21 AND day > 3 THEN y = a",
    "IF at > 2024-03-21T20:21:09 THEN y = a",
    "IF at > 2024-03-21T20:21:09+08:00 THEN y = a",
    "IF ok THEN y = a",
    "IF ok = true THEN y = a",
    "IF ok = TRUE AND ok = 1 THEN y = a",
    "column size: ordinal S < M < L\nIF size >= M THEN y = a",
    "column size: ordinal S < M < L\nIF size > XL THEN y = a",
    "column age: integer 0..120, never missing\nIF age > 3 THEN y = a\nIF age <= 3 THEN y = b",
    "column c: category a, b, never unseen\nIF c = a THEN y = a",
    "# a comment\n\nIF x > 1 THEN y = a # more",
    "IF x > 1 THEN y = a (n 3, coverage 0.5)",
    "target y: ordinal lo < hi\nIF x > 1 THEN y = hi\nIF x <= 1 THEN y = lo",
    "target y: integer\nIF x > 1 THEN y = 3",
    "IF x > 1 THEN y = 3\nIF x <= 1 THEN y = a",
    "IF true THEN y = a",
    "IF x IS MISSING THEN y = a",
    "IF x IS KNOWN THEN y = a",
    "IF x = 007 THEN y = a",
    "IF x = 007 THEN y = a\nIF x = 8 THEN y = b",
    "IF select > 1 AND from = 'x' THEN y = a",
    'IF "two words" > 1 THEN y = "it\'s"',
    "IF x > 1 THEN y = 'unclosed",
    "IF x > 1 THEN y = a\n2 IF x > 2 THEN y = b",
    "rule 7: IF x > 1 THEN y = a",
    "IF x > 1 THEN y = a;",
    "IF x == 1 THEN y = a",
    "IF x > 1 && z < 2 THEN y = a",
    "IF x => 1 THEN y = a",
    "x > 1 -> a",
    "IF x > -0.0 THEN y = a",
    "IF x > +3 THEN y = a",
    "IF x > .5 THEN y = a",
    "IF x > 5. THEN y = a",
    "IF x > 1_000 THEN y = a",
    "IF x > ١ THEN y = a",
)
#: Declarations of columns in JSON, wrong in one way each.
DECLARED = (
    '{"columns": {"x": "number"}}',
    '{"columns": {"x": "numbr"}}',
    '{"columns": {"x": 3}}',
    '{"columns": 3}',
    '{"columns": {"x": {"kind": "integer", "kind": "number"}}}',
    "[1]",
    "{",
    "null",
    '{"column": {}}',
    '{"columns": {"x": {"kind": "category", "categories": "a"}}}',
    '{"columns": {"x": {"kind": "category", "categories": [[1]]}}}',
    '{"columns": {"x": {"kind": "category", "categories": ["a", 1]}}}',
    '{"columns": {"x": {"kind": "category", "of": "date", "categories": ["2024-03-21"]}}}',
    '{"columns": {"x": {"kind": "category", "of": "text", "categories": [1]}}}',
    '{"columns": {"x": {"kind": "category", "of": "colour"}}}',
    '{"columns": {"x": {"kind": "integer", "lowest": "a"}}}',
    '{"columns": {"x": {"kind": "integer", "lowest": 3, "highest": 1}}}',
    '{"columns": {"x": {"kind": "category", "lowest": 3}}}',
    '{"columns": {"x": {"missing": 3}}}',
    '{"columns": {"x": {"missing": false}}}',
    '{"columns": {"x": {"kind": "ordinal"}}}',
    '{"columns": {"x": {"kind": "ordinal", "categories": ["S", "M"], "unseen": false}}}',
    '{"target": 3}',
    '{"target": {"name": 3}}',
    '{"target": {"kind": "category"}}',
    '{"target": "y"}',
    '{"target": {"name": "y", "kind": "category", "categories": ["no", "yes"]}}',
    '{"target": {"name": "y", "kind": "date"}}',
    '{"columns": {"x": {"kind": "date", "lowest": "2024-03-21"}}}',
    '{"columns": {"x": {"kind": "timestamp", "highest": "2024-03-21T00:00:00"}}}',
    '{"columns": {"x": {"kind": "number", "lowest": "-inf", "highest": 3}}}',
    '{"columns": {"x": {"kind": "number", "colour": 3}}}',
    '{"columns": {"x": {"kind": "boolean", "categories": [true]}}}',
)
#: Conditions of SQL that are read in ways of their own, or not at all.
WHENS = (
    "x IS TRUE",
    "x IS NOT FALSE",
    "x IS UNKNOWN",
    "x IS DISTINCT FROM 3",
    "x IN (NULL)",
    "x IN (1, NULL)",
    "x NOT IN (1, NULL)",
    "x IN (SELECT 1)",
    "x LIKE 'a%'",
    "x",
    "NOT x",
    "1",
    "0",
    "'a'",
    "1 = 1",
    "1 = 2",
    "NULL = NULL",
    "x = y",
    "t.x = 1",
    "a.b.x = 1",
    '"x" = 1',
    "[x] = 1",
    "`x` = 1",
    "x = 1 XOR y = 2",
    "x > 1 AND NULL",
    "x > ALL (1, 2)",
    "EXISTS (SELECT 1)",
    "COALESCE(x, 0) > 1",
    "x + 1 > 2",
    "-x > 2",
    "(x) = (1)",
    "CAST(x AS DOUBLE) > 1",
    "CAST(x AS INTEGER) > 1",
    "x BETWEEN SYMMETRIC 3 AND 1",
    "x BETWEEN 3 AND 1",
    "x >= 'a' AND x < 'b'",
    "x = 'a' AND x = 1",
    "x = DATE '2024-03-21' OR x = 3",
    "x || '.' = 'a.'",
    "x || '.' = 'a'",
    "x COLLATE NOCASE = 'a'",
    "x COLLATE \"C\" = 'a'",
    "BINARY x = 'a'",
    "x IS NULL OR x > 1",
    "NOT (x > 1 OR y IS NULL)",
    "x <> 1 AND x <> 2",
    "x = 1 IS TRUE",
    "(x > 1) IS NULL",
    "x = ''",
    "x = 'A' OR x = 'a'",
    "x IN ('a', 'A', 'a ')",
    "CASE WHEN x > 1 THEN TRUE END",
    "x = {}",
    "toFloat64(x) > 1",
    "ISNAN(x)",
    "x = 'nan'::DOUBLE",
    "IFNULL(x, 1) = 1",
    "x <=> 1",
    "x ~ 'a'",
    "x::TEXT = 'a'",
    "x = 0.1::REAL",
    "x > CURRENT_DATE",
)
#: Decision tables, wrong in one way each.
TABLES = (
    "x,c,y\n> 3,a,yes\n<= 3,-,no\n",
    "x,c,y\n> 3,a\n",
    "x\n1\n",
    "",
    "x,y\n",
    "x,x,y\n1,2,a\n",
    "x,,y\n1,2,a\n",
    "x,y\n> a,yes\n<= 3,no\n",
    "x,y\n1..3,a\n3..1,b\n",
    "x,y\n[1..3),a\n]3..5],b\n",
    "x,y\nnot(3),a\n3,b\n",
    'x,y\n"a, b",yes\n"not(a, b)",no\n',
    "x,y\nmissing,a\n-,b\n",
    "x,y\n> 3 or missing,a\n<= 3,b\n",
    "day,y\n> 2024-03-21,a\n<= 2024-03-21,b\n",
    "day,y\n> 2024-03-21,a\n<= 3,b\n",
    'at,y\n"date and time(""2024-03-21T20:21:09"")",a\n-,b\n',
    "x,y\n3 4,a\n",
    "x,y\n>,a\n",
    "x,y\n> 3,\n",
    "x,y\n> 3,a\n,b\n",
    "F,x,y\n1,> 3,a\n2,-,b\n",
    "U,x,y\n1,> 3,a\n2,<= 3,b\n",
    "C,x,y\n1,> 3,a\n",
    "ok,y\ntrue,a\nfalse,b\n",
    "x;y\n> 3;a\n<= 3;b\n",
    "x\ty\n> 3\ta\n<= 3\tb\n",
    "x,y\n=3,a\n!=3,b\n",
    "x,y\n'a',yes\nb,no\n",
    "x,y\nnull,a\n-,b\n",
    "x,y\nunseen,a\n-,b\n",
    "x,y\n1.5.2,a\n",
)
FORMS = {
    "day": ["2024/3/21", "2024/3/22", "2024/12/1", "2024/12/31"],
    "padded": ["2024/03/21", "2024/03/22", "2024/12/01", "2024/12/31"],
    "iso": ["2024-03-21", "2024-03-22", "2024-12-01", "2024-12-31"],
    "at": ["2024-03-21T20:21:09", "2024-03-22T00:00:00", "2024-12-01T01:01:01", "2024-12-31T00:00:00"],
    "blank": ["2024-03-21 20:21:09", "2024-03-22 00:00:00", "2024-12-01 01:01:01", "2024-12-31 00:00:00"],
    "zulu": ["2024-03-21T20:21:09Z", "2024-03-22T00:00:00Z", "2024-12-01T01:01:01Z", "2024-12-31T00:00:00Z"],
    "east": [
        "2024-03-21 20:21:09+08:00",
        "2024-03-22 00:00:00+08:00",
        "2024-12-01 01:01:01+08:00",
        "2024-12-31 00:00:00+08:00",
    ],
    "west": [
        "2024-03-21T20:21:09-0530",
        "2024-03-22T00:00:00-0530",
        "2024-12-01T01:01:01-0530",
        "2024-12-31T00:00:00-0530",
    ],
    "truth": ["TRUE", "TRUE", "FALSE", "FALSE"],
    "True": ["True", "True", "False", "False"],
    "digits": ["1.10", "1.1", "2.0", "2"],
    "zeros": ["001", "001", "020", "020"],
}


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is read, or said."""
    schema = Schema(
        [Feature("x", "number"), Feature("c", "category", ("a", "b"))], Feature("y", "category", ("a", "b"))
    )
    for place, text in enumerate(TEXTS):
        yield f"text {place:03}", outcome(lambda text=text: rules_from_text(text))
        yield f"text {place:03} schema", outcome(lambda text=text: rules_from_text(text, schema=schema, file="f.rules"))
    for place, text in enumerate(DECLARED):
        yield f"declared {place:03}", outcome(lambda text=text: declared_from_json(text, "s.json"))
    for place, text in enumerate(TABLES):
        yield f"table {place:03}", outcome(lambda text=text: rules_from_csv(text))
        lines = [f"| {line.replace(',', ' | ')} |" for line in text.splitlines()]
        marked = "\n".join([*lines[:1], "|---" * lines[0].count("|") if lines else "", *lines[1:]])
        yield f"table {place:03} md", outcome(lambda text=marked: rules_from_markdown(text))
        yield f"table {place:03} schema", outcome(lambda text=text: rules_from_csv(text, schema=schema, file="t.csv"))
    for place, when in enumerate(WHENS):
        for dialect in ("duckdb", "mysql", "tsql", "snowflake", "oracle", None):
            text = f"SELECT CASE WHEN {when} THEN 'a' WHEN x > 7 THEN 'b' ELSE 'c' END AS band FROM t"
            yield f"when {dialect} {place:03}", outcome(lambda text=text, d=dialect: rules_from_sql(text, dialect=d))
    yield from _literals()
    yield from _formed()


#: Literals as rules and decision tables spell them.
LITERALS = """
3|3.5|-3|+3|.5|5.|1e3|1e400|-0|007|1_000|inf|-inf|nan|true|True|false|yes|a|"a"|'a'|"3"|""|null|missing
unseen|2024-03-21|2024/3/21|2024-3-21
2024-02-30|2024-03-21 08:00|2024-03-21T08:00:00|2024-03-21 08:00:00.5|2024-03-21T08:00:00Z
2024-03-21T08:00:00+08:00|2024-03-21T08:00:00+0800
2024-03-21T08:00:00+08|2024-03-21T25:00:00|9223372036854775808|3..5|2024-03-21..2024-03-22
[1..2)|{a, b}|not(a)|> 3|<= 2024-03-21|date("2024-03-21")
"""


def _literals() -> Iterator[tuple[str, str]]:
    """Yield what each literal is to a column of each kind, in rules and in decision tables."""
    features = [
        Feature("x", "number"),
        Feature("x", "integer"),
        Feature("x", "boolean"),
        Feature("x", "category", ("a", "b")),
        Feature("x", "category", (3, 7), "integer"),
        Feature("x", "ordinal", ("b", "a")),
        Feature("x", "date"),
        Feature("x", "timestamp"),
        Feature("x", "timestamp", (), "timestamp_utc"),
    ]
    for feature in features:
        schema = Schema([feature], Feature("y", "category", ("p", "q")))
        for literal in LITERALS.replace("\n", "|").strip("|").split("|"):
            called = f"{feature.kind} {feature.scalar} {literal}"
            texts = [f"IF x {sign} {literal} THEN y = p" for sign in ("=", "<=", ">", "IN", "!=")]
            found = [outcome(lambda text=text, schema=schema: rules_from_text(text, schema=schema)) for text in texts]
            yield f"literal {called}", "\n".join(found)
            cell = '"' + literal.replace('"', '""') + '"'
            table = f"x,y\n{cell},p\n-,q\n"
            yield f"cell {called}", outcome(lambda table=table, schema=schema: rules_from_csv(table, schema=schema))
            bounds = f"column x: {feature.kind} {literal}\nIF x IS MISSING THEN y = p"
            yield f"bounds {called}", outcome(lambda text=bounds: rules_from_text(text))


def _formed() -> Iterator[tuple[str, str]]:
    """Yield what is made of files whose values come in forms: they are printed back as they came."""
    for name, cells in FORMS.items():
        for target in ("class", "value"):
            with working_in({"f.csv": _file(cells, target)}):
                for choice in ("", name):
                    text = outcome(lambda name=name, choice=choice: _made(name if choice else "y"))
                    yield f"form {name} {target} predicts {choice or 'y'}", text


def _file(cells: list[str], target: str) -> bytes:
    rows = [
        f"{cell},{number},{'ab'[number // 2] if target == 'class' else number // 2 + 0.5}"
        for number, cell in enumerate(cells)
    ]
    return "\n".join(["when,n,y", *rows * 3, ""]).encode()


def _made(target: str) -> str:
    table = read_csv("f.csv")
    tree = learn(
        table,
        target="when" if target != "y" else "y",
        recipe=a_cart(max_depth=3),
        keep=["when", "n"][: 1 + (target == "y")][-1:],
    )
    rules = compile_rules(tree)
    found = predict_table(tree, table, keys=["when"], rule=True)
    texts: list[Any] = [
        tree_to_json(tree),
        tree_text(tree),
        rules_text(rules),
        rules_text(rules, format="json"),
        predictions_text(found),
        predictions_text(found, "json"),
        to_python(tree),
        to_sql(tree, dialect="duckdb"),
        outcome(lambda: rules_to_text(rules)),
        outcome(lambda: decision_table_text(rules)),
    ]
    return "\n".join(texts)

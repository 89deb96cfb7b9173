"""Edits of rules, SQL literals in every dialect, rules in large numbers, and what templates are given."""

from collections.abc import Iterator
from random import Random
from typing import Any

from attrs import fields
from behaviour.calls import (
    CONTEXTS,
    DIALECTS,
    ClassPrediction,
    Condition,
    Feature,
    Interval,
    Members,
    Rule,
    RuleFigures,
    RuleList,
    RuleSet,
    Schema,
    check,
    check_list,
    compile_rules,
    diff,
    outcome,
    rule_text,
    rules_from_sql,
    rules_from_text,
    to_exclusive,
    to_python,
    to_sql,
    told,
    tree_from_rules,
)
from behaviour.stored import models

#: Literals as some dialect spells them, and the column that they are compared with.
LITERALS = (
    "DATE '2024-03-21'",
    "TIMESTAMP '2024-03-21 20:21:09'",
    "TIMESTAMP '2024-03-21 20:21:09.000001+00:00'",
    "'2024-03-21'",
    "TIMESTAMPTZ '2024-03-21 20:21:09+08:00'",
    "CAST('2024-03-21' AS DATE)",
    "CAST('2024-03-21 20:21:09' AS TIMESTAMP)",
    "CAST('1.5' AS DOUBLE)",
    "CAST(1.5 AS DOUBLE)",
    "CAST('inf' AS DOUBLE)",
    "CAST('Infinity' AS DOUBLE)",
    "CAST('nan' AS DOUBLE)",
    "CAST('x' AS DOUBLE)",
    "CAST(3 AS INTEGER)",
    "CAST('3' AS INTEGER)",
    "CAST('3.5' AS INTEGER)",
    "CAST(3.5 AS INTEGER)",
    "CAST(1 AS BOOLEAN)",
    "CAST('true' AS BOOLEAN)",
    "CAST('maybe' AS BOOLEAN)",
    "CAST('a' AS VARCHAR)",
    "CAST('a' AS VARCHAR(3))",
    "CAST(NULL AS INTEGER)",
    "CAST(DATE '2024-03-21' AS TIMESTAMP)",
    "CAST('2024-03-21 20:21:09' AS DATE)",
    "CAST((5) AS BIGINT)",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1",
    "1.50",
    "-(-(3))",
    "- 3",
    "+3",
    "1_000",
    "0x10",
    "infinity",
    '"infinity"',
    "inf()",
    "inf",
    "nan",
    "TO_DATE('2024-03-21', 'YYYY-MM-DD')",
    "TO_TIMESTAMP('2024-03-21 20:21:09', 'YYYY-MM-DD HH24:MI:SS')",
    "TO_DATE('21/03/2024', 'DD/MM/YYYY')",
    "arrow_cast('2024-03-21 20:21:09', 'Timestamp(Microsecond, None)')",
    "arrow_cast('x', 'Utf8')",
    "toDateTime64('2024-03-21 20:21:09', 6, 'UTC')",
    "'it''s'",
    "''",
    "N'否'",
    "E'a\\nb'",
    "'a\\\\b'",
    '"text"',
    "TRUE",
    "FALSE",
    "NULL",
    "b'x'",
    "X'00'",
    "1 + 2",
    "LOWER('A')",
    "BINARY_DOUBLE_INFINITY",
    "DATETIME '2024-03-21 20:21:09'",
    "TIMESTAMP '2024-03-21 20:21:09 Asia/Shanghai'",
    "INTERVAL '1' DAY",
    "DATE '2024-02-30'",
    "DATE 'soon'",
)
#: Conditions, some of which are read.
CONDITIONS = (
    "x = {}",
    "x > {}",
    "x <= {}",
    "x <> {}",
    "x IN ({}, {})",
    "x NOT IN ({})",
    "x BETWEEN {} AND {}",
    "NOT (x = {})",
    "x IS NOT DISTINCT FROM {}",
    "{} < x",
    "x = {} OR x IS NULL",
    "x = {} AND y > 1",
)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield edits, literals, large sets of rules and contexts."""
    for name, tree in models().items():
        if 2 < tree.n_leaves < 40:
            yield from _edited(name, compile_rules(tree))
    yield from _literals()
    yield from _large()
    for template, context in sorted(CONTEXTS.items()):
        yield f"context {template}", " ".join(field.name for field in fields(context))


def _edited(name: str, rules: Any) -> Iterator[tuple[str, str]]:
    """Yield rules of which some are merged, replaced and left out, as a set and as a list."""
    numbers = [rule.number for rule in rules.rules]
    ordered = RuleList(rules.schema, rules.rules)
    for kind, some in (("set", rules), ("list", ordered)):
        for first in numbers[:6]:
            for second in [other for other in numbers[:9] if other != first]:
                merged = outcome(lambda some=some, a=first, b=second: some.merge(a, b))
                yield f"{name} | {kind} merge {first} {second}", merged
            yield f"{name} | {kind} without {first}", outcome(lambda some=some, a=first: some.without(a))
        yield f"{name} | {kind} merge all", outcome(lambda some=some: some.merge(*numbers))
        yield from _replaced(f"{name} | {kind}", some)


def _replaced(name: str, rules: Any) -> Iterator[tuple[str, str]]:
    first, last = rules.rules[0], rules.rules[-1]
    asked = next((name for rule in rules.rules for name, _ in rule.conditions), "zz")
    text = outcome(lambda: rule_text(rules.schema, last))
    choices: dict[str, Any] = {
        "itself": {"rule": first},
        "by text": {"rule": text},
        "by two": {"rule": f"{text}\n{text}"},
        "by nonsense": {"rule": "IF"},
        "value": {"value": last.prediction.value},
        "odd value": {"value": "nothing of the kind"},
        "dropped": {"conditions": {asked: None}},
        "missing": {"conditions": {asked: Condition(None, missing=True)}},
        "unknown": {"conditions": {"zz": None}},
        "odd": {"conditions": {asked: 3}},
        "no mapping": {"conditions": 3},
        "both": {"rule": first, "value": 1},
        "odd rule": {"rule": 3},
        "nothing": {},
    }
    for choice, given in choices.items():
        yield f"{name} replace {choice}", outcome(lambda given=given: rules.replace(first.number, **given))
    for number in (999, "1", True, 1.0):
        yield f"{name} replace number {number!r}", outcome(lambda number=number: rules.replace(number, value=1))
        yield f"{name} without number {number!r}", outcome(lambda number=number: rules.without(number))
    yield f"{name} merge itself", outcome(lambda: rules.merge(first.number, first.number))


def _literals() -> Iterator[tuple[str, str]]:
    """Yield what is read of each literal in each dialect, and of each kind of condition."""
    for dialect in (*DIALECTS, None):
        for literal in LITERALS:
            text = f"CASE WHEN x = {literal} THEN 1 WHEN x > {literal} THEN 2 ELSE 3 END"
            found = outcome(lambda text=text, d=dialect: rules_from_sql(text, dialect=d))
            yield f"literal {dialect} {literal}", found
    for dialect in ("duckdb", "oracle", "tsql", "mysql", "bigquery"):
        for condition in CONDITIONS:
            for literal in ("3", "'a'", "DATE '2024-03-21'", "NULL", "TRUE", "1.5e0"):
                text = f"CASE WHEN {condition.format(literal, literal)} THEN 'yes' ELSE 'no' END"
                found = outcome(lambda text=text, d=dialect: rules_from_sql(text, dialect=d))
                yield f"condition {dialect} {condition} {literal}", found


def _large() -> Iterator[tuple[str, str]]:
    """Yield what is found of many rules over few and many columns, and what is emitted of long names and lists."""
    for seed, n_rules, n_columns in ((1, 300, 3), (2, 120, 8), (3, 40, 14), (4, 700, 2)):
        one, other = _many(seed, n_rules, n_columns), _many(seed + 10, n_rules, n_columns)
        yield f"many {n_rules} check", outcome(lambda one=one: check(one, limit=3, budget=4000))
        some = outcome(lambda one=one, other=other: diff(one, other, limit=3, budget=4000).disagreements)
        yield f"many {n_rules} diff", some
        ordered = RuleList(one.schema, one.rules[:60])
        yield f"many {n_rules} check list", outcome(lambda ordered=ordered: check_list(ordered, limit=3, budget=4000))
        few = RuleList(one.schema, one.rules[:12])
        yield f"many {n_rules} exclusive", outcome(lambda few=few: to_exclusive(few, budget=3000))
        yield f"many {n_rules} tree_of", outcome(lambda few=few: tree_from_rules(few, budget=3000))
    for layout in ("flat", "guarded"):
        yield f"long names {layout}", outcome(lambda layout=layout: _long(layout))


def _many(seed: int, n_rules: int, n_columns: int) -> Any:
    """Return rules of boxes that overlap."""
    random = Random(seed)
    names = [f"c{place}" for place in range(n_columns)]
    features = [
        Feature(name, "category", ("p", "q", "r", "s")) if place % 3 == 2 else Feature(name, "number")
        for place, name in enumerate(names)
    ]
    schema = Schema(features, Feature("y", "category", ("no", "yes")))
    rules = []
    for number in range(1, n_rules + 1):
        asked = []
        for feature in random.sample(features, min(n_columns, 3)):
            low = random.randrange(20)
            values: Any = Interval(float(low), float(low + random.randrange(1, 6)))
            if not feature.is_ordered:
                values = Members(sorted(random.sample("pqrs", random.randint(1, 3))))
            asked.append((feature.name, Condition(values, random.random() < 0.2)))
        asked.sort(key=lambda pair: names.index(pair[0]))
        shares = (1.0, 0.0) if number % 2 else (0.0, 1.0)
        rules.append(Rule(number, asked, ClassPrediction("no" if number % 2 else "yes", shares), RuleFigures(0.0, 0.0)))
    return RuleSet(schema, rules)


def _long(layout: str) -> str:
    name = "a very long name of a column that leaves no room on the line for what is asked of it"
    values = [f"category number {place:03}" for place in range(30)]
    text = (
        f"1: IF '{name}' IN ({', '.join(repr(value) for value in values[::2])}) AND x <= 0.1234567890123 THEN y = a\n"
        f"2: IF '{name}' IN ({', '.join(repr(value) for value in values[1::2])}) AND x <= 0.1234567890123 THEN y = b\n"
        "3: IF (x > 0.1234567890123 or missing) THEN y = a\n"
    )
    rules = rules_from_text(text).rules
    tree = tree_from_rules(to_exclusive(RuleList(rules.schema, rules.rules)).rules)
    made = [to_python(tree, layout=layout), *(to_sql(tree, dialect=d, layout=layout) for d in ("oracle", "clickhouse"))]
    return told([rules, *made])

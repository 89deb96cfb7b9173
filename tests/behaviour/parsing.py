"""Rules that people write: text, decision tables, DMN and SQL as they are read, and written again."""

from collections.abc import Iterator
from typing import Any

from behaviour import calls
from behaviour.calls import (
    decision_table_text,
    declared_from_json,
    outcome,
    rewrite_case,
    row_from_text,
    rules_from_csv,
    rules_from_dmn,
    rules_from_markdown,
    rules_from_sql,
    rules_from_text,
    rules_to_text,
    to_dmn,
    told,
    tree_from_rules,
    tree_to_json,
)
from behaviour.stored import content_of, from_plain, models, rules_texts

_CALLED: dict[str, Any] = {
    "rules_from_text": rules_from_text,
    "rules_from_csv": rules_from_csv,
    "rules_from_markdown": rules_from_markdown,
    "rules_from_dmn": rules_from_dmn,
    "rules_from_sql": rules_from_sql,
    "declared_from_json": declared_from_json,
    "row_from_text": row_from_text,
}


def parsed() -> Iterator[tuple[str, Any]]:
    """Yield what each stored text is read as, by a name: the call, or a function that makes it."""
    for place, call in enumerate(content_of("parsed.json.gz")):
        args, given = [from_plain(each) for each in call["args"]], {k: from_plain(v) for k, v in call["kwargs"].items()}
        function = _CALLED[call["function"]]
        yield f"{call['function']} {place:04}", lambda f=function, a=args, g=given: f(*a, **g)
    for name, text in rules_texts().items():
        yield f"rules_from_text {name}", lambda text=text: rules_from_text(text)


def parts() -> Iterator[tuple[str, Any]]:
    """Yield the rules of every stored text that can be read, part by part."""
    for name, make in parsed():
        if name.startswith("rules"):
            try:
                found = make()
            except Exception:  # recorded where it is read
                continue
            for number, part in enumerate(found if isinstance(found, tuple) else (found,), 1):
                yield f"{name} part {number}", part


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is read, and the rules that were read as they are written in every form."""
    for name, make in parsed():
        yield name, outcome(make)
    for name, part in parts():
        yield f"{name} as text", outcome(lambda part=part: rules_to_text(part))
        yield (
            f"{name} as tables",
            "\n".join(
                outcome(lambda part=part, format=format: decision_table_text(part, format=format))
                for format in ("csv", "md")
            ),
        )
        yield f"{name} as DMN", outcome(lambda part=part: to_dmn(part))
        if part.sql is not None:
            dialect = part.sql.dialect
            yield f"{name} as CASE", outcome(lambda part=part, dialect=dialect: rewrite_case(part, dialect=dialect))
            yield f"{name} as CASE bigquery", outcome(lambda part=part: rewrite_case(part, dialect="bigquery"))
    yield from _of_models()


def _of_models() -> Iterator[tuple[str, str]]:
    """Yield models written in every form and read back."""
    for name, tree in models().items():
        if tree.n_leaves > 80:
            continue
        rules = calls.compile_rules(tree)
        text = outcome(lambda rules=rules: rules_to_text(rules))
        yield f"model {name} text", text + outcome(lambda text=text: rules_from_text(text))
        yield f"model {name} text schema", outcome(lambda text=text, t=tree: rules_from_text(text, schema=t.schema))
        for format, read in (("csv", rules_from_csv), ("md", rules_from_markdown)):
            table = outcome(lambda rules=rules, format=format: decision_table_text(rules, format=format))
            again = outcome(lambda table=table, read=read, tree=tree: read(table, schema=tree.schema))
            yield f"model {name} {format}", table + again
        dmn = outcome(lambda rules=rules: to_dmn(rules))
        yield f"model {name} DMN", dmn + outcome(lambda dmn=dmn: rules_from_dmn(dmn))
        yield f"model {name} DMN named", outcome(lambda rules=rules: to_dmn(rules, name="a <name> & more"))
        for dialect in ("duckdb", "bigquery", "mysql", "tsql", "oracle"):
            sql = outcome(lambda t=tree, d=dialect: calls.to_sql(t, dialect=d, layout="flat"))
            found = outcome(lambda sql=sql, d=dialect, t=tree: rules_from_sql(sql, dialect=d, schema=t.schema))
            yield f"model {name} SQL {dialect}", found
        yield f"model {name} tree_of", outcome(lambda rules=rules: tree_to_json(tree_from_rules(rules)))
    yield "told", told([None, True, 1.5, "text"])

"""Everything that is emitted: modules, SQL in every dialect, kind and layout, dbt, tables of rules, drawings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from behaviour.calls import (
    DIALECTS,
    DRAWINGS,
    SQL_KINDS,
    Language,
    compile_rules,
    decision_table_text,
    outcome,
    rules_table_sql,
    rules_table_statements,
    rules_text,
    rules_to_text,
    to_code,
    to_dbt,
    to_dmn,
    to_javascript,
    to_python,
    to_sql,
    tree_text,
)
from behaviour.stored import models

#: Models whose columns every dialect can name and hold, or that are small: all options are tried on these.
SOME = ("kinds", "kinds_number", "learned_cart", "learned_id3", "leaf")
LARGE = ("chain", "leaves")
TEMPLATES = Path(__file__).parent / "templates"

LUA = Language(
    name="lua",
    column="f[{index}]",
    text=lambda text: '"' + text.encode("unicode_escape").decode() + '"',
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
OWN = Language(
    name="own",
    quotes=("[", "]"),
    longest_name=12,
    fewest_among=3,
    number=repr,
    missing="missing({})",
    known="known({})",
    column="row({text}, {index})",
    longest_text=40,
)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield every emitter of every model, with every layout, dialect and option."""
    for name, tree in models().items():
        yield from _modules(name, tree)
        yield from _sql(name, tree)
        yield from _code(name, tree)
        yield from _drawn(name, tree)
        if name not in LARGE:
            yield from _rules_tables(name, tree)
            yield from _dbt(name, tree)
            yield from _of_rules(name, compile_rules(tree))
    for name in SOME:
        yield from _options(name, models()[name])


def _modules(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    for layout in ("auto", "flat", "guarded"):
        for lang in ("en", "zh"):
            for language, emit in (("python", to_python), ("javascript", to_javascript)):
                for style, words in (("full", ""), ("plain", " plain")):
                    text = outcome(lambda e=emit, o=layout, g=lang, s=style: e(tree, layout=o, lang=g, style=s))
                    yield f"{name} | {language}{words} {layout} {lang}", text
            yield (
                f"{name} | python vectorized {layout} {lang}",
                outcome(lambda o=layout, g=lang: to_python(tree, layout=o, lang=g, vectorized=True)),
            )


def _sql(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    for dialect in ("duckdb", "sqlite", "tsql", "postgres") if name in LARGE else DIALECTS:
        for layout in ("auto", "flat", "guarded", "lookup"):
            given: dict[str, Any] = {"dialect": dialect, "layout": layout}
            if layout == "lookup":
                given |= {"kind": "select", "table": "people"}
            yield f"{name} | sql {dialect} {layout}", outcome(lambda given=given: to_sql(tree, **given))
        if name not in LARGE:
            yield from _kinds(name, tree, dialect)


def _kinds(name: str, tree: Any, dialect: str) -> Iterator[tuple[str, str]]:
    for kind in SQL_KINDS:
        given: dict[str, Any] = {"dialect": dialect, "kind": kind, "layout": "flat"}
        if kind in ("select", "view", "table"):
            given |= {"table": ["main", "people"], "keys": ["id"], "rule": True}
        if kind not in ("expression", "select"):
            given |= {"name": "scored"}
        yield f"{name} | sql {dialect} kind={kind}", outcome(lambda given=given: to_sql(tree, **given))


def _options(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    """Yield SQL with every option alone and with others."""
    first = tree.schema.features[0].name
    choices: dict[str, dict[str, Any]] = {
        "proba": {"kind": "select", "proba": True},
        "rule": {"kind": "select", "rule": True},
        "reason": {"kind": "select", "reason": True, "layout": "guarded"},
        "all": {"kind": "view", "name": "v", "proba": True, "rule": True, "reason": True, "keys": ["id", "二"]},
        "comments": {"comments": True, "layout": "flat"},
        "comments guarded": {"comments": True, "layout": "guarded"},
        "otherwise": {"otherwise": "?", "layout": "flat"},
        "otherwise number": {"otherwise": -1.5, "layout": "flat"},
        "rename": {"rename": {first: "renamed"}, "kind": "select", "keys": ["id"]},
        "rename prediction": {"rename": {"prediction": "answer"}, "kind": "select", "keys": ["id"]},
        "rename twice": {"rename": {first: "id"}, "kind": "select", "keys": ["id"]},
        "table of parts": {"kind": "table", "table": ["a", "b", "c"], "name": ["s", "t"], "keys": ["id"]},
        "table dotted": {"kind": "view", "table": "main.people", "name": "main.v"},
        "lookup all": {"kind": "select", "layout": "lookup", "keys": ["id"], "rule": True, "proba": True},
        "macro": {"kind": "macro", "name": "m"},
        "function rule": {"kind": "function", "name": "f", "rule": True},
        "expression keys": {"keys": ["id"]},
        "select without a table": {"kind": "select"},
        "templates": {"templates": TEMPLATES},
    }
    for dialect in DIALECTS:
        for choice, given in choices.items():
            text = outcome(lambda d=dialect, g=given: to_sql(tree, dialect=d, **g))
            yield f"{name} | sql {dialect} option {choice}", text
    for choice in ("python", "javascript"):
        emit: Any = {"python": to_python, "javascript": to_javascript}[choice]
        yield f"{name} | {choice} templates", outcome(lambda emit=emit: emit(tree, templates=TEMPLATES, style="full"))


def _code(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    for language in (LUA, OWN):
        for layout in ("auto", "flat", "guarded"):
            text = outcome(
                lambda language=language, o=layout: to_code(
                    tree, language, template="rules.lua.j2", templates=TEMPLATES, layout=o
                )
            )
            yield f"{name} | code {language.name} {layout}", text


def _drawn(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    for format in DRAWINGS:
        for lang in ("en", "zh"):
            for depth in (None, 0, 2):
                text = outcome(lambda f=format, g=lang, d=depth: tree_text(tree, format=f, lang=g, depth=d))
                yield f"{name} | drawing {format} {lang} depth={depth}", text
        yield (
            f"{name} | drawing {format} templates",
            outcome(lambda f=format: tree_text(tree, format=f, templates=TEMPLATES)),
        )
    yield f"{name} | notebook", outcome(lambda: tree._repr_html_() if hasattr(tree, "_repr_html_") else "none")


def _rules_tables(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    for dialect in DIALECTS:
        given: dict[str, Any] = {"dialect": dialect, "keys": ["id"], "table": "people", "name": "my rules"}
        yield f"{name} | rules table {dialect}", outcome(lambda given=given: rules_table_sql(tree, **given))
        yield (
            f"{name} | rules statements {dialect}",
            outcome(lambda given=given: "\n;;\n".join(rules_table_statements(tree, **{**given, "table": ["a", "b"]}))),
        )
    first = tree.schema.features[0].name
    yield (
        f"{name} | rules table renamed",
        outcome(
            lambda: rules_table_sql(
                tree, dialect="duckdb", keys=["a", "b"], rename={first: "other"}, templates=TEMPLATES
            )
        ),
    )


def _dbt(name: str, tree: Any) -> Iterator[tuple[str, str]]:
    choices: dict[str, dict[str, Any]] = {
        "all dialects": {"name": "predicted", "model": "scored"},
        "with a table": {
            "name": "predicted",
            "model": "scored",
            "table": "people",
            "dialects": ["duckdb", "snowflake"],
        },
        "flat": {"layout": "flat", "dialects": ["postgres", "bigquery"]},
        "guarded": {"layout": "guarded", "dialects": ["tsql"]},
        "lookup": {"layout": "lookup", "dialects": ["duckdb"], "table": "people"},
        "renamed": {"rename": {tree.schema.features[0].name: "other"}, "dialects": ["duckdb"], "table": "people"},
    }
    for choice, given in choices.items():
        yield f"{name} | dbt {choice}", outcome(lambda given=given: _joined(to_dbt(tree, **given)))


def _joined(texts: Any) -> str:
    return "\n".join(f"--- {path}\n{text}" for path, text in texts.items())


def _of_rules(name: str, rules: Any) -> Iterator[tuple[str, str]]:
    for format in ("text", "md", "csv", "json"):
        for lang in ("en", "zh"):
            yield (
                f"{name} | rules {format} {lang}",
                outcome(lambda f=format, g=lang: rules_text(rules, format=f, lang=g)),
            )
    yield f"{name} | rules sorted", outcome(lambda: rules_text(rules.sorted_by("n"), format="csv"))
    yield f"{name} | rules where", outcome(lambda: rules_text(rules.where("n", least=3, most=9), format="csv"))
    yield f"{name} | written", outcome(lambda: rules_to_text(rules))
    yield (
        f"{name} | tables",
        outcome(lambda: decision_table_text(rules, format="csv") + decision_table_text(rules, format="md")),
    )
    yield f"{name} | tables templates", outcome(lambda: decision_table_text(rules, format="md", templates=TEMPLATES))
    yield f"{name} | DMN", outcome(lambda: to_dmn(rules, name="a decision", templates=TEMPLATES))
    yield f"{name} | python of rules", outcome(lambda: to_python(rules, layout="flat", style="full"))
    yield f"{name} | guarded of rules", outcome(lambda: to_python(rules, layout="guarded", style="full"))
    yield f"{name} | sql of rules", outcome(lambda: to_sql(rules, dialect="snowflake", layout="flat"))
    fewer = outcome(lambda: to_sql(type(rules)(rules.schema, rules.rules[1:]), dialect="duckdb"))
    yield f"{name} | sql of fewer rules", fewer
    yield from _forgetful(name, type(rules)(rules.schema, rules.rules))


def _forgetful(name: str, rules: Any) -> Iterator[tuple[str, str]]:
    """Yield what is emitted of whole rules that remember no tree."""
    for layout in ("auto", "flat", "guarded", "lookup"):
        made: dict[str, Any] = {
            "python": lambda layout=layout: to_python(rules, layout=layout, style="full"),
            "vectorized": lambda layout=layout: to_python(rules, layout=layout, vectorized=True),
            "javascript": lambda layout=layout: to_javascript(rules, layout=layout, style="full"),
            "sql": lambda layout=layout: to_sql(rules, dialect="duckdb", layout=layout),
            "select": lambda layout=layout: to_sql(rules, dialect="duckdb", layout=layout, kind="select"),
            "code": lambda o=layout: to_code(rules, LUA, template="rules.lua.j2", templates=TEMPLATES, layout=o),
            "dbt": lambda layout=layout: _joined(to_dbt(rules, layout=layout, dialects=["duckdb"])),
        }
        for what, make in made.items():
            yield f"{name} | {what} {layout} of rules without a tree", outcome(make)
    yield (
        f"{name} | rules table of rules without a tree",
        outcome(lambda: rules_table_sql(rules, dialect="duckdb", keys=["id"])),
    )

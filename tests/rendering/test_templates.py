"""Templates: what they are given is declared, theirs come before ours, and what fails in them is an error of ours."""

import inspect
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import attrs
import pytest
from jinja2 import Environment, meta

from engines import ENGINES
from treerules import Table, cart, learn, to_python, to_sql
from treerules.cli.catalogue import catalogue
from treerules.emit import to_code
from treerules.emit.custom import CodeContext
from treerules.emit.javascript_language import JAVASCRIPT
from treerules.errors import FileError, OptionError, TemplateFailedError, UnknownNameError
from treerules.formats import template_contexts
from treerules.formats.template_contexts import CONTEXTS
from treerules.rendering.templates import template_folder
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language

TREE = learn(
    Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]}), target="类别", recipe=cart()
)
#: Templates that only stand in others of the same folder.
PARTS = {
    *(
        "javascript/keys.js.j2",
        "javascript/loads.js.j2",
        "javascript/outside.js.j2",
        "javascript/moments.js.j2",
        "javascript/nodes.js.j2",
        "javascript/values.js.j2",
    ),
    *(
        "python/columns.py.j2",
        "python/command.py.j2",
        "python/keys.py.j2",
        "python/strict.py.j2",
        "python/nodes.py.j2",
        "python/script.py.j2",
    ),
    *(
        "python/split.py.j2",
        "page/regions.js.j2",
        "page/change.js.j2",
        "page/words.js.j2",
        "page/form.js.j2",
        "page/fields.js.j2",
        "page/rules.js.j2",
        "page/ensemble.js.j2",
    ),
    *("page/style.css.j2", "page/tree.js.j2", "html/style.css.j2"),
}


def names_in(template: str) -> set[str]:
    """Return the names that a template, or one that it includes, takes from outside."""
    text = (template_folder() / template).read_text(encoding="utf-8")
    parsed = Environment(autoescape=True).parse(text)
    found = set(meta.find_undeclared_variables(parsed))
    given = set(re.findall(r"{% (?:set|for) (\w+)", text))
    for other in meta.find_referenced_templates(parsed):
        found |= names_in(str(other)) - given
    return found


def test_a_template_is_given_the_fields_of_its_class_and_no_more() -> None:
    """Whatever it names is a field; every template that a user may replace has a class."""
    all_templates = {path.relative_to(template_folder()).as_posix() for path in template_folder().rglob("*.j2")}
    of_dialects = {name for name in all_templates if name.count("/") > 1}
    assert set(CONTEXTS) == all_templates - of_dialects - PARTS
    for template in all_templates - PARTS:
        first, *_, last = template.split("/")
        context = CONTEXTS[f"{first}/{last}"]
        assert names_in(template) - {"output"} <= {field.name for field in attrs.fields(context)}, template


def commented(source: str) -> set[str]:
    """Return the names of fields that have a comment before them, or behind."""
    lines, found = source.splitlines(), set()
    for place, line in enumerate(lines):
        field = re.match(r"    (\w+): ", line)
        if field and lines[place - 1].strip().startswith("#:"):
            found.add(field.group(1))
    return found


@pytest.mark.parametrize("context", sorted(set(CONTEXTS.values()), key=lambda found: found.__name__))
def test_what_a_template_is_given_is_documented_and_typed(context: type) -> None:
    """Each class says what it is for, each field has a type, and larger classes a comment for each."""
    assert context.__doc__
    fields = attrs.fields(context)
    assert all(field.type for field in fields)
    source = inspect.getsource(context)
    if len(fields) > 4:
        assert {field.name for field in fields} - commented(source) <= grouped(source)


def held(kind: Any) -> set[type]:
    """Return the attrs classes that a type names, and those that their fields hold."""
    if not isinstance(kind, type) or not attrs.has(kind):
        return {found for inner in get_args(kind) for found in held(inner)}
    hints = get_type_hints(kind)
    return {kind} | {found for field in attrs.fields(kind) for found in held(hints[field.name])}


def test_what_a_context_holds_is_exported() -> None:
    """Each class of ours that a field of a context holds, however deep, is public under its own name."""
    found = {inner for context in {*CONTEXTS.values(), CodeContext} for inner in held(context)}
    assert len(found) > len(set(CONTEXTS.values()))
    assert {kind.__name__ for kind in found} == set(template_contexts.__all__) - {"CONTEXTS"}
    assert all(getattr(template_contexts, kind.__name__) is kind for kind in found)


def grouped(source: str) -> set[str]:
    """Return the fields that share the comment of the field before them."""
    found, lines = set(), source.splitlines()
    for place, line in enumerate(lines):
        field = re.match(r"    (\w+): ", line)
        if field and re.match(r"    \w+: ", lines[place - 1]):
            found.add(field.group(1))
    return found


def test_each_dialect_says_what_it_is_for() -> None:
    """A line of its own, which `treerules emit --list` shows; the engines that the tests run are marked so."""
    lines = [dialect.spelling.about for dialect in DIALECTS.values()]
    assert all(lines) and len(set(lines)) == len(lines)
    run = {name for name, dialect in DIALECTS.items() if "(run in the tests)" in dialect.spelling.about}
    assert run == set(ENGINES)
    shown = [row[1:] for row in catalogue().rows if row[0] == "SQL dialect"]
    assert shown == [(name, dialect.spelling.about) for name, dialect in DIALECTS.items()]


def test_users_may_replace_templates(tmp_path: Path) -> None:
    """Their folder is searched first; what it lacks is ours."""
    (tmp_path / "sql").mkdir()
    own = '/* ours */ {% set output = outputs[0] %}{% include "sql/case.sql.j2" %}'
    (tmp_path / "sql/expression.sql.j2").write_text(own)
    for dialect in DIALECTS:
        assert to_sql(TREE, dialect=dialect, templates=tmp_path).startswith("/* ours */ CASE")
    assert to_python(TREE, templates=tmp_path) == to_python(TREE)


def test_a_dialect_may_have_a_template_of_its_own(tmp_path: Path) -> None:
    """In a folder of its name, for that dialect alone."""
    (tmp_path / "sql/trino").mkdir(parents=True)
    (tmp_path / "sql/trino/view.sql.j2").write_text("CREATE OR REPLACE VIEW {{ created }}")
    own, ours = (to_sql(TREE, dialect=dialect, kind="view", templates=tmp_path) for dialect in ("trino", "duckdb"))
    assert own == 'CREATE OR REPLACE VIEW "predictions"'
    assert ours == to_sql(TREE, dialect="duckdb", kind="view")


@pytest.mark.parametrize("text", ["{{ nothing }}", "{% for %}", "{{ 1 / 0 }}", "{% include 'none' %}"])
def test_a_template_that_fails_is_an_error_of_ours(tmp_path: Path, text: str) -> None:
    """Undefined names and broken syntax name the template."""
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql/expression.sql.j2").write_text(text)
    with pytest.raises(TemplateFailedError, match=r"sql/expression\.sql\.j2"):
        to_sql(TREE, dialect="duckdb", templates=tmp_path)
    with pytest.raises(FileError, match="is not a folder"):
        to_sql(TREE, dialect="duckdb", templates=tmp_path / "none")


def test_the_line_of_a_language_of_ones_own(tmp_path: Path) -> None:
    """A template is given a CodeContext whole: the opening, lines, features, rules, classes and the target."""
    names = " ".join(f"{{{{ {field.name} is defined }}}}" for field in attrs.fields(CodeContext))
    (tmp_path / "mine.j2").write_text(names + " {{ target }} {{ classes | join('/') }}")
    said = to_code(TREE, JAVASCRIPT, template="mine.j2", templates=tmp_path).split()
    assert said[:-2] == ["True"] * len(attrs.fields(CodeContext))
    assert said[-2:] == ['"类别"', '"否"/"是"']


def test_what_is_no_language_layout_or_template_is_refused(tmp_path: Path) -> None:
    """Before anything is printed."""
    mine: Any = {"template": "mine.j2", "templates": tmp_path}
    with pytest.raises(OptionError, match="a Language"):
        to_code(TREE, "lua", **mine)
    with pytest.raises(UnknownNameError, match="layout"):
        to_code(TREE, Language("mine"), layout="nested", **mine)
    with pytest.raises(TemplateFailedError, match=r"mine\.j2"):
        to_code(TREE, Language("mine"), **mine)

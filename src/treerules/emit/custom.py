"""Rules in any language that a Language value and a template describe."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

from attrs import frozen

from treerules._internal.paused_gc import paused_gc
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import LAYOUTS, Layout, lines_of, picked, rules_of
from treerules.emit.template_records import (
    PrintedFeature,
    PrintedLine,
    PrintedRule,
    printed_features,
    printed_lines,
    printed_rules,
)
from treerules.errors import OptionError, UnknownNameError
from treerules.rendering.templates import rendered
from treerules.rules.rule_set import RuleSet
from treerules.sql.language import Language
from treerules.trees.tree import Tree


@frozen
class CodeContext:
    """What the template of a language is given, each field by its name. It is public API."""

    #: the first line of the file, without the mark of a comment
    opening: Opening
    #: the questions, in order
    lines: tuple[PrintedLine, ...]
    #: the columns, in the schema's order
    features: tuple[PrintedFeature, ...]
    #: the leaves, by number
    rules: tuple[PrintedRule, ...]
    #: the classes as literals; empty for a regression
    classes: tuple[str, ...]
    #: the target's name as a literal
    target: str


@overload
def to_code(
    source: Tree | RuleSet,
    language: Language,
    *,
    template: str,
    templates: str | Path | None = ...,
    layout: Layout = ...,
) -> str: ...


@overload
def to_code(
    *, language: Language, template: str, templates: str | Path | None = ..., layout: Layout = ...
) -> Callable[[Tree | RuleSet], str]: ...


def to_code(
    source: Tree | RuleSet | None = None,
    language: Language | None = None,
    *,
    template: str,
    templates: str | Path | None = None,
    layout: Layout = "auto",
) -> Any:
    """Return rules in a language of your own: `template` is the file in the folder `templates` that prints it.

    The template is given the fields of CodeContext. Without a source, returns the function that waits for one.

    Raises:
        FileError: there is no such folder.
        TemplateFailedError: the template cannot be rendered.
        UnsupportedError: the language cannot hold a name, category or label.
        NotAPartitionError: an edited rule set is not exclusive and complete.
        OptionError: the guarded layout is asked of an edited rule set.
    """
    if not isinstance(language, Language):
        raise OptionError("language", language, "a Language")
    if layout not in LAYOUTS:
        raise UnknownNameError("layout", layout, LAYOUTS)
    if source is None:
        return lambda source: to_code(source, language, template=template, templates=templates, layout=layout)
    return rendered(template, templates, code_context(source, language, layout))


@paused_gc()
def code_context(source: Tree | RuleSet, language: Language, layout: Layout = "auto") -> CodeContext:
    """Return what the template of a language is given.

    Raises:
        UnsupportedError: the language cannot hold a name, category or label.
        NotAPartitionError: an edited rule set is not exclusive and complete.
    """
    rules = rules_of(source)
    meant = picked(rules, layout)
    lines, schema = lines_of(rules, meant), rules.schema
    asked = tuple(dict.fromkeys(name for line in lines for name, _ in line.conditions))
    return CodeContext(
        opening_of(rules, language.name, layout=meant),
        tuple(printed_lines(language, rules, lines)),
        tuple(printed_features(language, schema, asked)),
        tuple(printed_rules(language, rules)),
        tuple(language.literal(value) for value in schema.classes),
        language.literal(schema.target.name if schema.target else ""),
    )

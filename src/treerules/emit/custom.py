"""Rules in any language that a Language record and a template describe."""

from pathlib import Path

from attrs import frozen

from treerules._internal.paused_gc import paused_gc
from treerules._internal.short_repr import short_repr
from treerules.emit.assuming import assuming_remark
from treerules.emit.checked_rules import CheckedRules, check_source
from treerules.emit.header import Opening, opening_of
from treerules.emit.layout import Layout, choose_layout, lines_of, require_layout
from treerules.emit.template_records import (
    PrintedFeature,
    PrintedLine,
    PrintedRule,
    printed_features,
    printed_lines,
    printed_rules,
)
from treerules.errors import OptionError
from treerules.rendering.templates import render_template
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleSet
from treerules.sql.language import Language
from treerules.trees.tree import Tree


@short_repr
@frozen
class CodeContext:
    """The values passed to the template of a language, by field name. Public API."""

    #: the first line of the file, without the mark of a comment
    opening: Opening
    #: the lines of the layout, in order
    lines: tuple[PrintedLine, ...]
    #: the features, in the order of the schema
    features: tuple[PrintedFeature, ...]
    #: the leaves, in the order of their numbers
    rules: tuple[PrintedRule, ...]
    #: the classes as literals; empty for a regression
    classes: tuple[str, ...]
    #: the target's name as a literal
    target: str
    #: what is declared of the columns, for a comment, with the rules that answer outside of it; "" where nothing is
    assuming: str = ""


def to_code(
    source: Tree | RuleSet | ParsedRules,
    language: Language,
    *,
    template: str,
    templates: str | Path | None = None,
    layout: Layout = "auto",
) -> str:
    """Return rules in a language of your own.

    Args:
        source: a Tree, or a RuleSet or ParsedRules, exclusive and complete for all values of the columns, also those
            outside the domain that a file declares. Rules that were written or edited are checked first.
        language: the Language record that says how names, values and tests are written.
        template: the name of the jinja2 template that prints the program, such as "rules.lua.j2". It receives the
            fields of `CodeContext`.
        templates: the folder of that template; by default the templates of treerules are searched.
        layout: "flat" is one line for each rule, "guarded" nested blocks whose depth grows with the logarithm of the
            leaves (for trees only), and "auto", the default, is flat up to 64 rules.

    Returns:
        The text that the template prints.

    Raises:
        OptionError: `source` is not a tree or rule set, `language` is not a Language, or "guarded" was chosen for an
            edited rule set, which has no tree.
        UnknownNameError: there is no such layout.
        NotAPartitionError: the rules of an edited rule set overlap or leave a gap; the error holds a witness.
        UnsupportedError: the language cannot hold a name, category or label.
        FileError: there is no folder `templates`.
        TemplateFailedError: the template cannot be found or rendered.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> from treerules.emit import Language, to_code
        >>> tree = learn(Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]}), target="y", recipe=cart())
        >>> words = Language("words", column="{text}", text=str, number=repr, missing="no {}", either=" or ")
        >>> folder = getfixture("tmp_path")  # a new folder
        >>> text = "{% for line in lines if line.step == 'when' %}if {{ line.test }}: {{ line.value }}. {% endfor %}"
        >>> _ = (folder / "rules.j2").write_text(text)
        >>> to_code(tree, words, template="rules.j2", templates=folder)
        'if (x <= 1.5 or no x): a. if x > 1.5: b. '
    """
    if not isinstance(language, Language):
        raise OptionError("language", language, "a Language")
    if not isinstance(template, str):
        raise OptionError("template", template, "the name of a template")
    require_layout(layout)
    return render_template(template, templates, code_context(check_source(source), language, layout))


@paused_gc()
def code_context(checked: CheckedRules, language: Language, layout: Layout = "auto") -> CodeContext:
    """Return the values passed to the template of a language.

    Raises:
        OptionError: "guarded" was chosen for rules without a tree.
        UnsupportedError: the language cannot hold a name, category or label.
    """
    layout_name = choose_layout(checked, layout)
    lines, schema = lines_of(checked, layout_name), checked.schema
    feature_names = dict.fromkeys(name for line in lines for name, _ in line.conditions)
    return CodeContext(
        opening_of(checked.rules, language.name, layout=layout_name),
        tuple(printed_lines(language, checked, lines)),
        tuple(printed_features(language, schema, feature_names)),
        tuple(printed_rules(language, checked)),
        tuple([language.literal(label) for label in schema.classes]),
        language.literal(schema.target.name if schema.target else ""),
        assuming_remark(checked),
    )

"""Write rules as a decision table of DMN 1.3: XML for Camunda, Drools and other engines, its cells in FEEL.

FEEL has null for missing values and no infinities. A condition that takes unseen values lists the known values that it
excludes: `not("a", null)`. The greatest and least finite numbers replace the infinities.
"""

import re
from collections.abc import Sequence
from html import escape as escape_html  # xml.sax would load urllib, email and ssl at each start
from pathlib import Path

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notes import or_none
from treerules._internal.unicode import is_of_words
from treerules.data.domain import Domain, domain_of, next_value, require_domain
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.emit.header import Opening, opening_of
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.errors import OptionError, UnsupportedError
from treerules.formats.arguments import require_declared
from treerules.formats.tables.cell_texts import condition_cell, require_single_intervals, value_cell
from treerules.rendering.templates import render_template
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Members
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.shared_conditions import by_identity
from treerules.trees.ensemble import one_tree_of
from treerules.trees.tree import Tree

_TYPES = {"text": "string", "number": "number", "integer": "integer", "boolean": "boolean", "date": "date",
          "timestamp": "dateTime", "timestamp_utc": "dateTime"}  # fmt: skip
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Words of FEEL's grammar, which a name may hold only in backticks.
_WORDS = {
    *("and", "or", "not", "in", "between", "if", "then", "else", "for", "return", "some", "every", "satisfies"),
    *("function", "external", "instance", "of", "true", "false", "null", "date", "time", "duration"),
}


def escape(text: str) -> str:
    """Return the text of an element, in which XML would read a carriage return as a line end."""
    return escape_html(text, quote=False).replace("\r", "&#13;")


@frozen
class DmnColumn:
    """A column of a DMN table: an input, or the output."""

    #: the name as an attribute, in quotes
    name: str
    #: the type, as DMN names it
    type: str
    #: the values that may occur, as FEEL; empty if all may
    values: str
    #: the name as FEEL, in backticks unless it is a plain name
    expression: str = ""


@frozen
class DmnRule:
    """A rule: its number, a cell for each input, and the predicted value, all as FEEL."""

    number: int
    cells: tuple[str, ...] = field(converter=as_tuple)
    outcome: str


@frozen
class DmnContext:
    """The context of dmn/table.dmn: every text in it is escaped for XML."""

    #: the first line of the file: version, and hash of the rules
    opening: Opening
    #: the name of the decision as an attribute, in quotes
    name: str
    inputs: tuple[DmnColumn, ...] = field(converter=as_tuple)
    output: DmnColumn
    rules: tuple[DmnRule, ...] = field(converter=as_tuple)
    #: whether a column has the type "integer", which FEEL does not know and the file defines
    has_integers: bool = False


def to_dmn(
    rules: Tree | RuleSet | ParsedRules,
    *,
    name: str | None = None,
    domain: Domain | None = None,
    templates: str | Path | None = None,
) -> str:
    """Return rules as a decision table of DMN 1.3 with hit policy UNIQUE.

    The table has an input for each feature of the rules' conditions and one output, the target. Rules are written as
    they are: `check` tells whether they are exclusive, which UNIQUE promises, and complete. Figures and probabilities
    are not written. A name that is not a plain name of FEEL is written in backticks, as Camunda reads it. FEEL's
    numbers are
    decimal: an engine must take a float for its shortest decimal (0.1 for 0.1), as engines do.

    Args:
        rules: The rules: a RuleSet, ParsedRules of a rule set, or a Tree, with a target. A RuleList is refused, since
            several of its rules may fire.
        name: The name of the decision; by default that of the target.
        domain: The domains of columns, by their names; they become the input values. By default those that ParsedRules
            declare.
        templates: A folder with a template dmn/table.dmn.j2, which replaces that of treerules; it receives a
            `DmnContext`.

    Returns:
        The XML document. `rules_from_dmn` reads equal rules from it, given the rules' schema.

    Raises:
        UnsupportedError: XML or FEEL cannot express a name, no value satisfies a condition, or a rule takes several
            intervals of a column.
        OptionError: `rules` is not a rule set or has no target, or the domain does not fit its columns.
        UnknownNameError: the domain names a column that the rules' schema does not have.

    Examples:
        >>> from treerules.formats.rules_text.text_reader import rules_from_text
        >>> parsed = rules_from_text("IF age < 30 THEN no  IF age >= 30 THEN yes")
        >>> [line.strip() for line in to_dmn(parsed).splitlines() if "inputEntry" in line]
        ['<inputEntry><text>&lt; 30</text></inputEntry>', '<inputEntry><text>&gt;= 30</text></inputEntry>']
    """
    if name is not None and not isinstance(name, str):
        raise OptionError("name", name, or_none("the name of the decision, a str"))
    require_declared(None, domain)
    declared = rules.domain if domain is None and isinstance(rules, ParsedRules) else domain
    rules = _rule_set(rules)
    target = rules.schema.target
    if target is None:
        raise OptionError("rules", rules, "rules with a target")
    require_domain(rules.schema, declared)
    require_single_intervals(rules, "DMN")
    features = features_of_rules(rules)
    classes = escape(", ".join(value_cell(value, feel=True) for value in rules.schema.classes))
    inputs = [_input(feature, declared) for feature in features]
    output = DmnColumn(_attribute(target.name), _TYPES[rules.schema.predicted], classes)
    context = DmnContext(
        opening_of(rules, "dmn", layout="table"),
        _attribute(target.name if name is None else name),
        inputs,
        output,
        _dmn_rules(rules, features),
        has_integers="integer" in {column.type for column in (*inputs, output)},
    )
    return render_template("dmn/table.dmn.j2", templates, context)


def _rule_set(source: object) -> RuleSet:
    rules = source.rules if isinstance(source, ParsedRules) else source
    if isinstance(rules, RuleList):  # several rules of a list may fire, which UNIQUE forbids
        raise OptionError("rules", rules, "a tree or a rule set; `to_exclusive` makes a rule set of a list")
    if not isinstance(rules, (Tree, RuleSet)):
        raise OptionError("rules", rules, one_tree_of(rules, "a tree or a rule set"))
    return compile_rules(rules) if isinstance(rules, Tree) else rules


def _input(feature: Feature, domain: Domain | None) -> DmnColumn:
    expression = escape(_expression(feature.name))
    return DmnColumn(_attribute(feature.name), _TYPES[feature.scalar], _values(feature, domain), expression)


def _dmn_rules(rules: RuleSet, features: Sequence[Feature]) -> list[DmnRule]:
    conditions = by_identity(pair for rule in rules.rules for pair in rule.conditions)
    texts = {
        key: escape(condition_cell(rules.schema.feature(name), condition, feel=True))
        for key, (name, condition) in conditions.items()
    }
    dmn_rules = []
    for rule in rules.rules:
        cells = {pair[0]: texts[id(pair)] for pair in rule.conditions}
        outcome = escape(value_cell(rule.value, feel=True))
        dmn_rules.append(DmnRule(rule.number, [cells.get(feature.name, "-") for feature in features], outcome))
    return dmn_rules


def _attribute(name: str) -> str:
    illegal = _ILLEGAL.search(name)
    if illegal:
        problem = f"the name {name!r} holds the character {illegal.group()!r}, which XML does not allow"
        raise UnsupportedError("DMN", problem, "rename the column")
    text = escape(name).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' in text and "'" not in text:
        return f"'{text}'"
    return '"' + text.replace('"', "&quot;") + '"'


def _expression(name: str) -> str:
    words = name.split(" ")
    is_plain = all(word and all(is_of_words(c) or c in "_'" for c in word) for word in words)
    is_plain = is_plain and name[0] not in "0123456789'"
    if is_plain and not _WORDS & set(words):
        return name
    if not name or "`" in name:
        raise UnsupportedError("FEEL", f"the name {name!r} can be written in no form", "rename the column")
    return f"`{name}`"


def _values(feature: Feature, domain: Domain | None) -> str:
    """Return the values of a column's domain as FEEL; empty if all values may occur."""
    if domain is None or feature.name not in domain:
        return ""
    limits = domain_of(feature, domain)
    if feature.is_ordered:
        above = next_value(feature, limits.lowest, up=False)
        condition = Condition(Interval(above, limits.highest), limits.missing)
    else:
        condition = Condition(Members(feature.categories), limits.missing, feature.is_open and limits.unseen)
    text = condition_cell(feature, condition, feel=True)
    return "" if text == "-" else escape(text)

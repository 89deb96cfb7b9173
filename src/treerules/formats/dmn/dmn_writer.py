"""Rules as a decision table of DMN 1.3: XML for Camunda, Drools and other engines, its cells in FEEL.

FEEL has null for missing values and no infinities. A condition that takes unseen values says which known ones it does
not take: `not("a", null)`. The numbers beside the infinities stand for them.
"""

import re
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.unicode import is_of_words
from treerules.data.domain import Domain, domain_of, next_value, require_domain
from treerules.data.interval import Interval
from treerules.data.schema import Feature
from treerules.emit.header import Opening, opening_of
from treerules.emit.sql.rules_table_rows import features_of_rules
from treerules.errors import OptionError, UnsupportedError
from treerules.formats.tables.cell_texts import condition_cell, value_cell
from treerules.rendering.templates import rendered
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Members
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.trees.tree import Tree

_TYPES = {"text": "string", "number": "number", "integer": "number", "boolean": "boolean", "date": "date",
          "timestamp": "dateTime", "timestamp_utc": "dateTime"}  # fmt: skip
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Words of FEEL's grammar, which a name may not hold unless it stands in backticks.
_WORDS = {
    *("and", "or", "not", "in", "between", "if", "then", "else", "for", "return", "some", "every", "satisfies"),
    *("function", "external", "instance", "of", "true", "false", "null", "date", "time", "duration"),
}


@frozen
class DmnColumn:
    """A column of a DMN table, the output too."""

    #: as an attribute, in its quotes
    name: str
    #: as DMN names it
    type: str
    #: the values that may come, as FEEL; empty where all may
    values: str
    #: the name as FEEL, in backticks where it is no plain name
    expression: str = ""


@frozen
class DmnRule:
    """A rule: its number, a cell for each column, and what it predicts, all as FEEL."""

    number: int
    cells: tuple[str, ...] = field(converter=as_tuple)
    outcome: str


@frozen
class DmnContext:
    """Of dmn/table.dmn: every text in it is escaped for XML."""

    #: what the file says of itself
    opening: Opening
    #: of the decision, as an attribute in its quotes
    name: str
    inputs: tuple[DmnColumn, ...] = field(converter=as_tuple)
    output: DmnColumn
    rules: tuple[DmnRule, ...] = field(converter=as_tuple)


def to_dmn(
    source: Tree | RuleSet | ParsedRules,
    *,
    name: str | None = None,
    domain: Domain | None = None,
    templates: str | Path | None = None,
) -> str:
    """Return rules as a decision table of DMN 1.3 with hit policy UNIQUE: a column for each feature that is asked.

    `rules_from_dmn` with the rules' schema gives equal rules again; figures and probabilities are not written. `name`
    is that of the decision, else the target's. What `domain`, or a file of rules, declares of a column becomes its
    input values. Rules are written as they are: `check` says whether they are exclusive, which UNIQUE promises, and
    complete. A rule list is none, so it is refused.

    A name that is no plain name of FEEL stands in backticks, as Camunda reads it. FEEL's numbers are decimal, so that
    an engine must take a float for its shortest decimal (0.1 for 0.1), as engines do.

    Raises:
        UnsupportedError: XML or FEEL cannot hold a name, or a condition that no value meets.
        OptionError: these are no rules of a set, they have no target, or the domain does not fit the columns.
        UnknownNameError: the domain names a column that the schema does not have.
    """
    rules, domain = _rules_and_domain(source, domain)
    target = rules.schema.target
    if target is None:
        raise OptionError("the rules' target", None, "rules over a schema with a target")
    require_domain(rules.schema, domain)
    features = features_of_rules(rules)
    spelled = {
        id(pair): _cell(pair[1], rules.schema.feature(pair[0])) for rule in rules.rules for pair in rule.conditions
    }
    printed = []
    for rule in rules.rules:
        cells = {pair[0]: spelled[id(pair)] for pair in rule.conditions}
        outcome = escape(value_cell(rule.value, feel=True))
        printed.append(DmnRule(rule.number, [cells.get(feature.name, "-") for feature in features], outcome))
    inputs = [
        DmnColumn(_attribute(f.name), _TYPES[f.scalar], _values(f, domain), escape(_expression(f.name)))
        for f in features
    ]
    classes = escape(", ".join(value_cell(value, feel=True) for value in rules.schema.classes))
    output = DmnColumn(_attribute(target.name), _TYPES[target.scalar], classes)
    shown = _attribute(target.name if name is None else name)
    context = DmnContext(opening_of(rules, "dmn", layout="table"), shown, inputs, output, printed)
    return rendered("dmn/table.dmn.j2", templates, context)


def _rules_and_domain(source: Tree | RuleSet | ParsedRules, domain: Domain | None) -> tuple[RuleSet, Domain | None]:
    """Return the rules of a source, and the domain: the given one, else what a file of rules declares."""
    held = source.rules if isinstance(source, ParsedRules) else source
    if isinstance(held, RuleList):  # of which several may fire, which UNIQUE forbids
        raise OptionError("rules", held, "a tree or a rule set; `to_exclusive` makes a rule set of a list")
    if not isinstance(held, (Tree, RuleSet)):
        raise OptionError("rules", held, "a tree or a rule set")
    declared = source.domain if domain is None and isinstance(source, ParsedRules) else domain
    return compile_rules(held) if isinstance(held, Tree) else held, declared


def _cell(condition: Condition, feature: Feature) -> str:
    return escape(condition_cell(feature, condition, feel=True))


def _attribute(name: str) -> str:
    illegal = _ILLEGAL.search(name)
    if illegal:
        problem = f"the name {name!r} holds the character {illegal.group()!r}, which XML has not"
        raise UnsupportedError("DMN", problem, "rename the column")
    return quoteattr(name, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


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
    """Return what may come in a column as FEEL; empty where all may."""
    if domain is None or feature.name not in domain:
        return ""
    found = domain_of(feature, domain)
    if feature.is_ordered:
        above = next_value(feature, found.lowest, up=False)
        condition = Condition(Interval(above, found.highest), found.missing)
    else:
        condition = Condition(Members(feature.categories), found.missing, feature.is_open and found.unseen)
    said = condition_cell(feature, condition, feel=True)
    return "" if said == "-" else escape(said)

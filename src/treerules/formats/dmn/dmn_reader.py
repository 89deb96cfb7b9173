"""Read decision tables of DMN 1.1 to 1.5, XML of the Object Management Group.

    hit policy UNIQUE              a rule set
    FIRST                          a rule list; a default output is its last rule
    PRIORITY                       a rule list, sorted by the position of the output among the declared output values
    ANY, COLLECT, RULE ORDER, OUTPUT ORDER    refused: their result does not come from a single rule

A column is named by its input expression, which must be a name. Its kind is the declared type; a list of declared
values (inputValues, or allowedValues of its type) makes a closed category, one interval bounds an ordered column.
Values that are not declared do not occur: a value may be missing only if `null` is declared too.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.formats.arguments import require_readable
from treerules.formats.dmn.dmn_types import DmnDefinitions, UnreadableDecision, declared_type, definitions_of
from treerules.formats.dmn.xml import XmlElement, parse_xml
from treerules.formats.notation.comparisons import literals_of
from treerules.formats.notation.lexer import RuleToken, token_repr
from treerules.formats.notation.literals import token_text
from treerules.formats.tables.cell_parser import comparisons_of, literal_of
from treerules.formats.tables.model import DecisionTable, TableCell, TableColumn, TableRow
from treerules.formats.tables.to_rules import rules_from_table
from treerules.rules.parsed import ParsedRules, UnparsedPart

_NAMESPACE = re.compile(r"https?://www\.omg\.org/spec/DMN/\d+/(MODEL/|dmn\.xsd)")
_READABLE = "only tables of hit policy UNIQUE, FIRST or PRIORITY with one output are read"
_NUMBERED = re.compile(r"rule_([0-9]{1,9})")
_NAME = re.compile(r"[^\W\d][\w.']*(?: [\w.']+)*")


def rules_from_dmn(
    text: str | bytes, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> tuple[ParsedRules, ...]:
    """Read the rules of each decision table of a DMN file.

    Args:
        text: The XML document; bytes may be in the encoding that its declaration names.
        schema: The known features and target; it may hold only some columns.
        domain: The domains of columns, by their names; they override those that the file declares.
        file: The name of the file for error messages; "" names none.

    Returns:
        The rules of each table, in the order of the file: a rule set for hit policy UNIQUE, a rule list for FIRST and
        PRIORITY. Decisions that are not such tables are in `unparsed` of the first value.

    Raises:
        ParseError: the document is not DMN, a cell of a table cannot be read, or no decision is a readable table.
        UnknownNameError: the domain names a column that neither a table nor the schema has.
        OptionError: an argument is of the wrong type, or a bound of the domain does not fit its column.

    Examples:
        >>> from treerules import to_dmn
        >>> from treerules.formats import rules_from_text
        >>> (parsed,) = rules_from_dmn(to_dmn(rules_from_text("IF age < 30 THEN no  IF age >= 30 THEN yes")))
        >>> parsed.rules
        <RuleSet 'decision' rules=2>
    """
    require_readable(text, schema, domain, file, bytes_too=True)
    elements = parse_xml(text, file)
    root = elements[0]
    if root.name != "definitions" or not _NAMESPACE.fullmatch(root.namespace):
        raise root.error("this is not DMN", "give a file whose root is <definitions> of DMN 1.1 to 1.5")
    definitions = definitions_of(root)
    parts, unreadable = list[ParsedRules](), list[UnreadableDecision]()
    for decision in root.children_named("decision"):
        try:
            table = _decision_table(decision, _table_element(decision, root), definitions)
            parts.append(rules_from_table(table, schema=schema, domain=domain))
        except UnreadableDecision as problem:
            unreadable.append(problem)
    unreadable += _tables_elsewhere(root, elements)
    if parts:
        return (evolve(parts[0], unparsed=[_unparsed_part(problem) for problem in unreadable]), *parts[1:])
    if unreadable:
        raise unreadable[0].element.error(unreadable[0].problem, unreadable[0].remedy)
    raise root.error("there is no decision table", "give a file with a decision that is a table")


def _unparsed_part(unreadable: UnreadableDecision) -> UnparsedPart:
    element = unreadable.element
    return UnparsedPart(element.line, element.column, element.attribute("name") or element.name, unreadable.problem)


def _tables_elsewhere(root: XmlElement, elements: Sequence[XmlElement]) -> Iterator[UnreadableDecision]:
    """Yield the tables outside of decisions."""
    of_decisions = {
        id(table) for decision in root.children_named("decision") for table in decision.children_named("decisionTable")
    }
    for element in elements:
        is_table = element.name == "decisionTable" and element.namespace == root.namespace
        if is_table and id(element) not in of_decisions:
            yield UnreadableDecision(
                element, "a decision table stands inside another expression", "make it a decision of its own"
            )


_EXPRESSIONS = ("literalExpression", "invocation", "context", "relation", "list", "functionDefinition", "conditional",
                "filter", "for", "every", "some")  # fmt: skip


def _table_element(decision: XmlElement, root: XmlElement) -> XmlElement:
    """Return the table of a decision.

    Raises:
        UnreadableDecision: it has no table, or one that cannot be read.
    """
    table = decision.first_child("decisionTable")
    name = decision.attribute("name") or decision.attribute("id")
    if table is None:
        kind = next((child.name for child in decision.children_named(*_EXPRESSIONS)), "nothing")
        raise UnreadableDecision(decision, f"decision {name!r} is not a table but {kind}", _READABLE)
    policy = table.attribute("hitPolicy") or "UNIQUE"
    if policy not in ("UNIQUE", "FIRST", "PRIORITY"):
        raise UnreadableDecision(table, f"decision {name!r} has hit policy {policy}", _READABLE)
    if len(list(table.children_named("output"))) != 1:
        raise UnreadableDecision(
            table, f"decision {name!r} has {len(list(table.children_named('output')))} outputs", _READABLE
        )
    clauses = [inner for clause in table.children_named("input") for inner in clause.children_named("inputExpression")]
    entries = [
        inner for rule in table.children_named("rule") for inner in rule.children_named("inputEntry", "outputEntry")
    ]
    for element in (root, *clauses, *entries):
        language = element.attribute("expressionLanguage")
        if language and "feel" not in language.lower():
            raise UnreadableDecision(element, f"decision {name!r} is written in {language}", "write its cells in FEEL")
    return table


def _decision_table(decision: XmlElement, table: XmlElement, definitions: DmnDefinitions) -> DecisionTable:
    columns = [_column(clause, definitions) for clause in table.children_named("input")]
    names = set[str]()
    for column in columns:
        if column.name in names:
            raise column.cell.error(f"input {column.name!r} stands twice", "write both cells of a rule as one")
        names.add(column.name)
    target = _target(decision, table, definitions)
    rules = list(table.children_named("rule"))
    rows = [_row(number, rule, len(columns)) for number, rule in zip(_numbers(rules), rules, strict=True)]
    policy = table.attribute("hitPolicy") or "UNIQUE"
    if policy == "PRIORITY":
        rows = _by_priority(rows, target)
    rows += _default(table, policy, max((row.number for row in rows), default=0), columns)
    title = decision.attribute("name") or decision.attribute("id")
    return DecisionTable(columns, target, rows, is_list=policy != "UNIQUE", title=title)


def _column(clause: XmlElement, definitions: DmnDefinitions) -> TableColumn:
    expression = clause.first_child("inputExpression")
    if expression is None or not expression.text_cell.text:
        raise clause.error("an input has no expression", "name the column in <inputExpression><text>")
    cell = expression.text_cell
    name = _name(cell, definitions)
    declared = declared_type(
        expression.attribute("typeRef") or definitions.variables.get(name, ""), definitions, clause
    )
    values = clause.first_child("inputValues")
    return TableColumn(name, cell, declared.scalar, _declared_cell(values) or declared.allowed)


def _name(cell: TableCell, definitions: DmnDefinitions) -> str:
    """Return the column that an input expression names.

    The expression is an input, a name in backticks, or letters, digits, points and blanks.
    """
    text = " ".join(cell.text.split())
    if cell.text in definitions.variables:
        return cell.text
    if _NAME.fullmatch(text) and not _OPERATOR.search(text):
        return text
    if len(text) > 2 and cell.text[0] == cell.text[-1] == "`" and "`" not in cell.text[1:-1]:
        return cell.text[1:-1]
    remedy = "compute it beforehand, and name the column that holds it here"
    raise cell.error(f"the input {text!r} is an expression", remedy)


_OPERATOR = re.compile(r"\b(and|or|not|in|between|if|for|some|every|function|instance of)\b")


def _declared_cell(values: XmlElement | None) -> TableCell | None:
    return values.text_cell if values is not None and values.text_cell.text else None


def _target(decision: XmlElement, table: XmlElement, definitions: DmnDefinitions) -> TableColumn:
    (output,) = table.children_named("output")
    variable = decision.first_child("variable")
    reference = output.attribute("typeRef") or ("" if variable is None else variable.attribute("typeRef"))
    declared = declared_type(reference, definitions, output)
    name = (
        output.attribute("name")
        or output.attribute("label")
        or decision.attribute("name")
        or decision.attribute("id")
        or "output"
    )
    return TableColumn(
        name,
        output.own_text_cell,
        declared.scalar,
        _declared_cell(output.first_child("outputValues")) or declared.allowed,
    )


def _numbers(rules: Sequence[XmlElement]) -> Sequence[int]:
    """Return the numbers of rules: from ids such as rule_7 if every rule has its own, else 1, 2, ..."""
    matches = [_NUMBERED.fullmatch(rule.attribute("id")) for rule in rules]
    numbers = [int(match.group(1)) for match in matches if match]
    return numbers if len(set(numbers)) == len(rules) else range(1, len(rules) + 1)


def _row(number: int, rule: XmlElement, n_columns: int) -> TableRow:
    entries, outputs = list(rule.children_named("inputEntry")), list(rule.children_named("outputEntry"))
    if len(entries) != n_columns or len(outputs) != 1:
        problem = f"rule {number} has {len(entries)} input entries and {len(outputs)} output entries"
        raise rule.error(problem, f"write {n_columns} and 1, as the table has columns")
    outcome = outputs[0].text_cell
    return TableRow(number, [entry.text_cell for entry in entries], outcome, line=rule.line)


def _by_priority(rows: list[TableRow], target: TableColumn) -> list[TableRow]:
    """Return rows sorted by the position of their output among the declared output values; ties keep their order."""
    if target.allowed is None:
        raise target.cell.error("hit policy PRIORITY needs the output's values in order", "declare <outputValues>")
    declared = target.allowed
    order = [_named_value(declared, literal) for literal in literals_of(comparisons_of(declared))]

    def priority(row: TableRow) -> int:
        literal = literal_of(row.outcome)
        value = _named_value(row.outcome, literal)
        if value not in order:
            problem = f"the output {token_repr(literal)} is none of the declared output values"
            raise row.outcome.error(problem, f"declared: {declared.text}", literal.start)
        return order.index(value)

    return sorted(rows, key=priority)


def _named_value(cell: TableCell, literal: RuleToken) -> tuple[bool, str]:
    return literal.type == "STRING", token_text(cell, literal)


def _default(table: XmlElement, policy: str, last: int, columns: list[TableColumn]) -> list[TableRow]:
    """Return the default output as a last row whose cells take any value."""
    (output,) = table.children_named("output")
    default = output.first_child("defaultOutputEntry")
    if default is None:
        return []
    if policy == "UNIQUE":
        raise UnreadableDecision(
            default, "a table of hit policy UNIQUE has a default output", "use FIRST, or write it as rules"
        )
    outcome = default.text_cell
    return [TableRow(last + 1, [evolve(outcome, text="-") for _ in columns], outcome, "the default output")]

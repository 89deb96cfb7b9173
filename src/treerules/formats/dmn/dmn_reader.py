"""Decision tables of DMN 1.1 to 1.5 (XML of the Object Management Group), of which 1.3 is written.

    hit policy UNIQUE              a rule set
    FIRST                          a rule list; a default output is its last rule
    PRIORITY                       a rule list, sorted by the place of the output among the declared output values
    ANY, COLLECT, RULE ORDER, OUTPUT ORDER    refused: they do not give one answer by one rule

A column is named by its input expression, which must be a name. Its kind is the declared type; a list of declared
values (inputValues, or allowedValues of its type) makes a closed category, one interval bounds an ordered column. What
is declared is all that may come: a value may be missing only where `null` is declared too.
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
_TOLD = "only tables of hit policy UNIQUE, FIRST or PRIORITY with one output are read"
_NUMBERED = re.compile(r"rule_([0-9]{1,9})")
_NAME = re.compile(r"[^\W\d][\w.']*(?: [\w.']+)*")


def rules_from_dmn(
    text: str | bytes, *, schema: Schema | None = None, domain: Domain | None = None, file: str = ""
) -> tuple[ParsedRules, ...]:
    """Return the rules of each decision table of a DMN file, in the order of the file.

    `schema` and `domain` declare columns beforehand, maybe only some; `file` is named in errors. Decisions that are no
    such table are named in `unread` of the first; where there is no other, the first of them is the error.

    Raises:
        ParseError: the file is no DMN, or a cell of a table cannot be read.
        UnknownNameError, OptionError: the domain does not fit the columns, or something given is of another type.
    """
    require_readable(text, schema, domain, file, bytes_too=True)
    elements = parse_xml(text, file)
    root = elements[0]
    if root.name != "definitions" or not _NAMESPACE.fullmatch(root.namespace):
        raise root.error("this is no DMN", "give a file whose root is <definitions> of DMN 1.1 to 1.5")
    definitions = definitions_of(root)
    found, refused = list[ParsedRules](), list[UnreadableDecision]()
    for decision in root.each("decision"):
        try:
            grid = _grid(decision, _table(decision, root), definitions)
            found.append(rules_from_table(grid, schema=schema, domain=domain))
        except UnreadableDecision as problem:
            refused.append(problem)
    refused += _elsewhere(root, elements)
    if found:
        return (evolve(found[0], unread=[_unread(each) for each in refused]), *found[1:])
    if refused:
        raise refused[0].element.error(refused[0].problem, refused[0].remedy)
    raise root.error("there is no decision table", "give a file with a decision that is a table")


def _unread(refused: UnreadableDecision) -> UnparsedPart:
    element = refused.element
    return UnparsedPart(element.line, element.column, element.get("name") or element.name, refused.problem)


def _elsewhere(root: XmlElement, elements: Sequence[XmlElement]) -> Iterator[UnreadableDecision]:
    """Yield the tables that stand elsewhere than in a decision."""
    of_decisions = {id(table) for decision in root.each("decision") for table in decision.each("decisionTable")}
    for element in elements:
        is_table = element.name == "decisionTable" and element.namespace == root.namespace
        if is_table and id(element) not in of_decisions:
            yield UnreadableDecision(
                element, "a decision table stands inside another expression", "make it a decision of its own"
            )


_EXPRESSIONS = ("literalExpression", "invocation", "context", "relation", "list", "functionDefinition", "conditional",
                "filter", "for", "every", "some")  # fmt: skip


def _table(decision: XmlElement, root: XmlElement) -> XmlElement:
    """Return a decision's table, whose hit policy is one that is read.

    Raises:
        Refused: it has none.
    """
    table = decision.first("decisionTable")
    name = decision.get("name") or decision.get("id")
    if table is None:
        kind = next((child.name for child in decision.each(*_EXPRESSIONS)), "nothing")
        raise UnreadableDecision(decision, f"decision {name!r} is no table but {kind}", _TOLD)
    policy = table.get("hitPolicy") or "UNIQUE"
    if policy not in ("UNIQUE", "FIRST", "PRIORITY"):
        raise UnreadableDecision(table, f"decision {name!r} has hit policy {policy}", _TOLD)
    if len(list(table.each("output"))) != 1:
        raise UnreadableDecision(table, f"decision {name!r} has {len(list(table.each('output')))} outputs", _TOLD)
    clauses = [inner for clause in table.each("input") for inner in clause.each("inputExpression")]
    entries = [inner for rule in table.each("rule") for inner in rule.each("inputEntry", "outputEntry")]
    for element in (root, *clauses, *entries):
        language = element.get("expressionLanguage")
        if language and "feel" not in language.lower():
            raise UnreadableDecision(element, f"decision {name!r} is written in {language}", "write its cells in FEEL")
    return table


def _grid(decision: XmlElement, table: XmlElement, definitions: DmnDefinitions) -> DecisionTable:
    columns = [_column(clause, definitions) for clause in table.each("input")]
    names = set[str]()
    for column in columns:
        if column.name in names:
            raise column.cell.error(f"input {column.name!r} stands twice", "write both cells of a rule as one")
        names.add(column.name)
    target = _target(decision, table, definitions)
    rules = list(table.each("rule"))
    rows = [_row(number, rule, len(columns)) for number, rule in zip(_numbers(rules), rules, strict=True)]
    policy = table.get("hitPolicy") or "UNIQUE"
    if policy == "PRIORITY":
        rows = _by_priority(rows, target)
    rows += _default(table, policy, max((row.number for row in rows), default=0), columns)
    title = decision.get("name") or decision.get("id")
    return DecisionTable(columns, target, rows, is_list=policy != "UNIQUE", title=title)


def _column(clause: XmlElement, definitions: DmnDefinitions) -> TableColumn:
    expression = clause.first("inputExpression")
    if expression is None or not expression.text:
        raise clause.error("an input has no expression", "name the column in <inputExpression><text>")
    cell = expression.text_cell
    name = _name(cell, definitions)
    declared = declared_type(expression.get("typeRef") or definitions.variables.get(name, ""), definitions, clause)
    values = clause.first("inputValues")
    return TableColumn(name, cell, declared.scalar, _declared_cell(values) or declared.allowed)


def _name(cell: TableCell, definitions: DmnDefinitions) -> str:
    """Return the name that an input expression is: of an input, in backticks, or of letters, digits, points, blanks."""
    said = " ".join(cell.text.split())
    if cell.text in definitions.variables or (_NAME.fullmatch(said) and not _OPERATOR.search(said)):
        return cell.text if cell.text in definitions.variables else said
    if len(said) > 2 and cell.text[0] == cell.text[-1] == "`" and "`" not in cell.text[1:-1]:
        return cell.text[1:-1]
    raise cell.error(
        f"the input {said!r} is an expression", "compute it beforehand, and name the column that holds it here"
    )


_OPERATOR = re.compile(r"\b(and|or|not|in|between|if|for|some|every|function|instance of)\b")


def _declared_cell(values: XmlElement | None) -> TableCell | None:
    return values.text_cell if values is not None and values.text else None


def _target(decision: XmlElement, table: XmlElement, definitions: DmnDefinitions) -> TableColumn:
    (output,) = table.each("output")
    variable = decision.first("variable")
    reference = output.get("typeRef") or ("" if variable is None else variable.get("typeRef"))
    declared = declared_type(reference, definitions, output)
    name = output.get("name") or output.get("label") or decision.get("name") or decision.get("id") or "output"
    return TableColumn(
        name, output.cell, declared.scalar, _declared_cell(output.first("outputValues")) or declared.allowed
    )


def _numbers(rules: Sequence[XmlElement]) -> Sequence[int]:
    """Return the numbers of rules: those of ids such as rule_7 where all have one of their own, else from 1."""
    found = [_NUMBERED.fullmatch(rule.get("id")) for rule in rules]
    numbers = [int(each.group(1)) for each in found if each]
    return numbers if len(set(numbers)) == len(rules) else range(1, len(rules) + 1)


def _row(number: int, rule: XmlElement, n_columns: int) -> TableRow:
    entries, outputs = list(rule.each("inputEntry")), list(rule.each("outputEntry"))
    if len(entries) != n_columns or len(outputs) != 1:
        problem = f"rule {number} has {len(entries)} input entries and {len(outputs)} output entries"
        raise rule.error(problem, f"write {n_columns} and 1, as the table has columns")
    outcome = outputs[0].text_cell
    return TableRow(number, [entry.text_cell for entry in entries], outcome, line=rule.line)


def _by_priority(rows: list[TableRow], target: TableColumn) -> list[TableRow]:
    """Return rows sorted by the place of what they predict among the declared output values, then as they stand."""
    if target.allowed is None:
        raise target.cell.error("hit policy PRIORITY needs the output's values in order", "declare <outputValues>")
    declared = target.allowed
    order = [_named_value(declared, literal) for literal in literals_of(comparisons_of(declared))]
    places = []
    for row in rows:
        literal = literal_of(row.outcome)
        value = _named_value(row.outcome, literal)
        if value not in order:
            problem = f"the output {token_repr(literal)} is none of the declared output values"
            raise row.outcome.error(problem, f"declared: {declared.text}", literal.start)
        places.append(order.index(value))
    return [rows[place] for place in sorted(range(len(rows)), key=lambda place: places[place])]


def _named_value(cell: TableCell, literal: RuleToken) -> tuple[bool, str]:
    return literal.type == "STRING", token_text(cell, literal)


def _default(table: XmlElement, policy: str, last: int, columns: list[TableColumn]) -> list[TableRow]:
    """Return the default output as a last row that takes all that is left."""
    (output,) = table.each("output")
    default = output.first("defaultOutputEntry")
    if default is None:
        return []
    if policy == "UNIQUE":
        raise UnreadableDecision(
            default, "a table of hit policy UNIQUE has a default output", "use FIRST, or write it as rules"
        )
    outcome = default.text_cell
    return [TableRow(last + 1, [evolve(outcome, text="-") for _ in columns], outcome, "the default output")]

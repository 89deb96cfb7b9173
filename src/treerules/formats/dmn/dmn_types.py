"""What DMN declares of columns: built-in types, item definitions, the variables of inputs."""

from attrs import frozen

from treerules.formats.dmn.xml import XmlElement
from treerules.formats.tables.model import TableCell

#: What a type of FEEL, or of Camunda, holds: a key of SCALARS, "timestamps" with a zone or without, "" what cells say.
TYPES = {
    "string": "text",
    "number": "number",
    "boolean": "boolean",
    "date": "date",
    "dateTime": "timestamps",
    "date and time": "timestamps",
    "integer": "integer",
    "long": "integer",
    "double": "number",
    "Any": "",
    "": "",
}


class UnreadableDecision(Exception):
    """A part of a DMN file that is well said but cannot be read as rules."""

    def __init__(self, element: XmlElement, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.element, self.problem, self.remedy = element, problem, remedy


@frozen
class DmnDefinitions:
    """What a file defines: types by name, and the type of each input's or decision's variable."""

    items: dict[str, XmlElement]
    variables: dict[str, str]


@frozen
class DeclaredType:
    """A column's scalar, and the values that its type allows."""

    scalar: str
    allowed: TableCell | None = None


def definitions_of(root: XmlElement) -> DmnDefinitions:
    """Return what a file defines."""
    items = {item.get("name"): item for item in root.each("itemDefinition")}
    variables = dict[str, str]()
    for element in root.each("inputData", "decision"):
        variable = element.first("variable")
        variables[element.get("name")] = "" if variable is None else variable.get("typeRef")
    return DmnDefinitions(items, variables)


def declared_type(reference: str, definitions: DmnDefinitions, element: XmlElement) -> DeclaredType:
    """Return what a reference to a type says; a definition of one's own leads to a built-in one.

    Raises:
        Refused: the type is unknown, or holds more than single values.
    """
    allowed, seen = None, list[str]()
    name = reference.strip()
    while name in definitions.items or name.removeprefix("feel:") not in TYPES:
        item = definitions.items.get(name) or definitions.items.get(name.rpartition(":")[2])
        if item is None or name in seen:
            known = ", ".join([*filter(None, TYPES), *definitions.items][:12])
            raise UnreadableDecision(element, f"the type {reference!r} is not read", f"give one of {known}")
        _require_single(item)
        seen.append(name)
        values = item.first("allowedValues")
        allowed = allowed or (values.text_cell if values is not None else None)
        inner = item.first("typeRef")
        name = inner.cell.text if inner is not None else ""
    return DeclaredType(TYPES[name.removeprefix("feel:")], allowed)


def _require_single(item: XmlElement) -> None:
    if item.get("isCollection") in ("true", "1") or item.first("itemComponent") or item.first("functionItem"):
        raise UnreadableDecision(
            item, f"the type {item.get('name')!r} holds more than single values", "give each value a column"
        )

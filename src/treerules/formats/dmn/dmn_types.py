"""The declared types of DMN columns: built-in types, item definitions, the variables of inputs."""

from attrs import frozen

from treerules.formats.dmn.xml import XmlElement
from treerules.formats.tables.model import TableCell

#: The scalar of each type of FEEL and of Camunda: a key of SCALARS, "timestamps" with a zone or without, "" unknown.
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
    """A valid part of a DMN file that cannot be read as rules."""

    def __init__(self, element: XmlElement, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.element, self.problem, self.remedy = element, problem, remedy


@frozen
class DmnDefinitions:
    """The definitions of a file: types by name, and the type of the variable of each input and decision."""

    items: dict[str, XmlElement]
    variables: dict[str, str]


@frozen
class DeclaredType:
    """The scalar of a column, and the cell with the values that its type allows."""

    scalar: str
    allowed: TableCell | None = None


def definitions_of(root: XmlElement) -> DmnDefinitions:
    """Return the definitions of a file."""
    items = {item.attribute("name"): item for item in root.children_named("itemDefinition")}
    variables = dict[str, str]()
    for element in root.children_named("inputData", "decision"):
        variable = element.first_child("variable")
        variables[element.attribute("name")] = "" if variable is None else variable.attribute("typeRef")
    return DmnDefinitions(items, variables)


def declared_type(reference: str, definitions: DmnDefinitions, element: XmlElement) -> DeclaredType:
    """Return the type that a reference names; item definitions are followed to a built-in type.

    FEEL has no integers: a type of numbers that is named `integer` holds them, as in the files of `to_dmn`.

    Raises:
        UnreadableDecision: the type is unknown, or holds more than single values.
    """
    allowed, names = None, list[str]()
    name = reference.strip()
    while name in definitions.items or name.removeprefix("feel:") not in TYPES:
        item = definitions.items.get(name) or definitions.items.get(name.rpartition(":")[2])
        if item is None or name in names:
            readable = ", ".join([*filter(None, TYPES), *definitions.items][:12])
            raise UnreadableDecision(element, f"the type {reference!r} is not read", f"give one of {readable}")
        _require_single(item)
        names.append(name)
        values = item.first_child("allowedValues")
        allowed = allowed or (values.text_cell if values is not None else None)
        inner = item.first_child("typeRef")
        name = inner.own_text_cell.text if inner is not None else ""
    scalar = TYPES[name.removeprefix("feel:")]
    is_integer = scalar == "number" and any(TYPES.get(one) == "integer" for one in names)
    return DeclaredType("integer" if is_integer else scalar, allowed)


def _require_single(item: XmlElement) -> None:
    is_collection = item.attribute("isCollection") in ("true", "1")
    if is_collection or item.first_child("itemComponent") or item.first_child("functionItem"):
        problem = f"the type {item.attribute('name')!r} holds more than single values"
        raise UnreadableDecision(item, problem, "give each value a column")

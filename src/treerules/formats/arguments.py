"""Checks of the arguments that readers and writers of rules share."""

from collections.abc import Mapping
from typing import Any

from treerules._internal.notes import or_none
from treerules.data.domain import ColumnDomain
from treerules.data.schema import Schema
from treerules.errors import OptionError


def require_readable(text: Any, schema: Any, domain: Any, file: Any, *, bytes_too: bool = False) -> None:
    """Check the types of a reader's arguments. `bytes_too`: whether the text may be bytes.

    Raises:
        OptionError: one is of the wrong type.
    """
    if not isinstance(text, (str, bytes) if bytes_too else str):
        wanted = "a str or bytes" if bytes_too else "a str; of bytes, .decode() gives it"
        raise OptionError("text", text, f"the text itself, {wanted}; a file is read by read_rules(path)")
    if not isinstance(file, str):
        raise OptionError("file", file, "a name for errors, a str")
    require_declared(schema, domain)


def require_declared(schema: Any, domain: Any) -> None:
    """Check the types of a schema and a domain; None stands for nothing known.

    Raises:
        OptionError: one is of the wrong type.
    """
    if schema is not None and not isinstance(schema, Schema):
        raise OptionError("schema", schema, or_none("a Schema"))
    if domain is None:
        return
    if not isinstance(domain, Mapping):
        raise OptionError("domain", domain, or_none("a ColumnDomain for each column that it names"))
    for name, limits in domain.items():
        if not isinstance(name, str):
            raise OptionError("a column of the domain", name, "a name, a str")
        if not isinstance(limits, ColumnDomain):
            raise OptionError(f"the domain of column {name!r}", limits, "a ColumnDomain")

"""What readers of rules are given: refused at the door where it is something else than they ask for."""

from collections.abc import Mapping
from typing import Any

from treerules.data.domain import ColumnDomain
from treerules.data.schema import Schema
from treerules.errors import OptionError

#: A longer value is named by its type.
_SHOWN = 80


def require_readable(text: Any, schema: Any, domain: Any, file: Any, *, bytes_too: bool = False) -> None:
    """Raise unless these can be what somebody wrote, what is declared beforehand, and what errors call it.

    Raises:
        OptionError: one is of another type.
    """
    if not isinstance(text, (str, bytes) if bytes_too else str):
        wanted = "a str or bytes" if bytes_too else "a str; of bytes, .decode() gives it"
        raise OptionError("text", _shown(text), f"the text itself, {wanted}; a file is read by read_rules(path)")
    if not isinstance(file, str):
        raise OptionError("file", _shown(file), "a name for errors, a str")
    require_declared(schema, domain)


def require_declared(schema: Any, domain: Any) -> None:
    """Raise unless these can be what is declared of columns beforehand.

    Raises:
        OptionError: one is of another type.
    """
    if schema is not None and not isinstance(schema, Schema):
        raise OptionError("schema", _shown(schema), "a Schema, or None")
    if domain is None:
        return
    if not isinstance(domain, Mapping):
        raise OptionError("domain", _shown(domain), "a ColumnDomain for each column that it names, or None")
    for name, declared in domain.items():
        if not isinstance(name, str):
            raise OptionError("a column of the domain", _shown(name), "a name, a str")
        if not isinstance(declared, ColumnDomain):
            raise OptionError(f"the domain of column {name!r}", _shown(declared), "a ColumnDomain")


def _shown(value: Any) -> Any:
    return value if len(repr(value)) <= _SHOWN else type(value)

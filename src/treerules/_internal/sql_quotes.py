"""Names and texts of SQL in quotes that are doubled inside, as the standard spells them."""


def quote_doubling(text: str) -> str:
    """Return text in single quotes, with the single quotes inside doubled."""
    return "'" + text.replace("'", "''") + "'"


def quote_identifier(name: str) -> str:
    """Return a name in double quotes, with the double quotes inside doubled."""
    return '"' + name.replace('"', '""') + '"'

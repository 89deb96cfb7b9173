"""What reports call a rule: by its name in the file that it comes from, else by its number."""

from collections.abc import Iterable, Mapping

from toolz import unique

from treerules.rendering.headings import heading
from treerules.rendering.text_tables import escape_unprintable


def rule_name(names: Mapping[int, str], number: int, lang: str) -> str:
    """Return the name of a rule, on one line."""
    return escape_unprintable(names.get(number) or heading("rule {number}", lang, number=number))


def rule_names(names: Mapping[int, str], numbers: Iterable[int], lang: str) -> list[str]:
    """Return the names of rules; a name that several of them have comes once."""
    return list(unique(rule_name(names, number, lang) for number in numbers))

"""The comment in emitted code on the declared domain, and on the rules that answer outside of it."""

import re
from typing import Any

from attrs import evolve

from treerules.data.domain import narrowing, require_outside
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.layout import CodeLine
from treerules.proof.assumption import assuming_line, assumption_of
from treerules.rendering.headings import heading
from treerules.rules.outside_values import column_words, outside_conditions

#: What could end a comment of jinja, C or HTML, and what Python would read as the encoding of the file.
_ACTIVE = re.compile(r"(?<=[#*<])(?=[}/!?\w])|(?<=coding)(?=[:=])")


def refusing(checked: CheckedRules, outside: Any) -> CheckedRules:
    """Return rules whose code refuses rows outside the declared domain, if `outside` is "refuse".

    Raises:
        OptionError: `outside` is neither "answer" nor "refuse", or no domain is declared.
    """
    refuses = require_outside(outside, checked.domain) and bool(narrowing(checked.schema, checked.domain))
    return evolve(checked, refuses=refuses)


def refusal_lines(checked: CheckedRules) -> list[CodeLine]:
    """Return the lines in front of a layout that refuse rows outside the declared domain; none where none are."""
    conditions = outside_conditions(checked.schema, checked.domain) if checked.refuses else {}
    numbers = {name: -1 - checked.schema.index(name) for name in conditions}
    return [CodeLine(0, "when", ((name, condition),), numbers[name]) for name, condition in conditions.items()]


def refused_columns(checked: CheckedRules) -> dict[str, str]:
    """Return what is declared of each column for which rows are refused, in words; empty where none are."""
    names = narrowing(checked.schema, checked.domain) if checked.refuses else {}
    return {name: column_words(checked.schema.feature(name), checked.domain) for name in names}


def assuming_remark(checked: CheckedRules, lang: str = "en", *, refusal: str = "a row is an error") -> str:
    """Return the text of the comment; "" where nothing is declared.

    `refusal` is what happens to rows outside, where the code refuses them, as a heading.
    """
    if not narrowing(checked.schema, checked.domain):  # the rules of a large tree are not compiled for nothing
        return ""
    assumption = assumption_of(checked.rules, checked.domain, lang, is_answered=not checked.refuses)
    if checked.refuses:
        text = heading(refusal, lang)
        assumption = heading("{domain}. Outside this, {answers}", lang, domain=assumption, answers=text)
    return _ACTIVE.sub(" ", assuming_line(assumption, lang))

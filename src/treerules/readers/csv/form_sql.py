"""SQL that turns cells of a form into plain ones: $1,660.16 into 1660.16, 1/5/2019 into 2019-05-01."""

from treerules._internal.sql_quotes import quote_doubling
from treerules.data.moment_form import MONTHS, moment_letters, moment_pattern
from treerules.data.number_form import NumberForm, parsed_number_form

#: What stands for a cell that is not in the form: no type recognises it.
_NOTHING = "'-'"


def plain_cell_sql(form: str) -> str:
    """Return SQL for the plain text of a cell; {c} is the cell. A cell of no known form becomes text of no type."""
    number_form = parsed_number_form(form)
    return _moment_sql(form) if number_form is None else _number_sql(number_form)


def in_form_sql(form: str) -> str:
    """Return SQL that is true of the cells in the form itself; {c} is the cell."""
    number_form = parsed_number_form(form)
    return _matches(moment_pattern(form) if number_form is None else number_form.pattern)


def _matches(pattern: str) -> str:
    return f"regexp_full_match({{c}}, {_literal(pattern)})"


def _literal(text: str) -> str:
    return quote_doubling(text).replace("{", "{{").replace("}", "}}")


def _number_sql(form: NumberForm) -> str:
    text = "{c}"
    for removed in filter(None, form.removed):
        text = f"replace({text}, {_literal(removed)}, '')"
    old, new = form.translation
    text = f"translate({text}, {_literal(old)}, {_literal(new)})"
    return f"CASE WHEN {_matches(form.lenient_pattern)} THEN {text} WHEN {{c}} IS NOT NULL THEN {_NOTHING} END"


def _moment_sql(form: str) -> str:
    pattern, letters = _literal(moment_pattern(form)), moment_letters(form)
    part = {letter: f"regexp_extract({{c}}, {pattern}, {index})" for index, letter in enumerate(letters, 1)}
    month = part.get("m") or _month_number(part["b"])
    text = f"{part['Y']} || '-' || lpad({month}, 2, '0') || '-' || lpad({part.get('d', quote_doubling('1'))}, 2, '0')"
    if "H" in part:
        clock = " || ':' || ".join(f"lpad({part[letter]}, 2, '0')" if letter in part else "'00'" for letter in "HMS")
        text = f"{text} || ' ' || {clock} || '.' || {part.get('f') or quote_doubling('0')}"
    return f"CASE WHEN {_matches(moment_pattern(form))} THEN {text} ELSE {{c}} END"


def _month_number(month: str) -> str:
    names = ", ".join(map(quote_doubling, MONTHS))
    return f"CAST(list_position([{names}], lower({month})) AS VARCHAR)"

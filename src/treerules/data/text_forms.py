"""What text cells are besides text: numbers or moments in a form of their own, or nearly so; with a note."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from attrs import evolve, frozen

from treerules._internal.conversion import parse_date, parse_integer, parse_number, parse_timestamp
from treerules._internal.notes import Note
from treerules._internal.short_repr import short_repr
from treerules.data.find_number_form import (
    NO_MARKS,
    FoundForm,
    NumberMarks,
    find_declared_form,
    find_number_form,
    looks_like_a_number,
)
from treerules.data.moment_form import fitting_moment_forms, plain_moment
from treerules.data.number_form import APOSTROPHES, BLANKS, NumberForm, parsed_number_form
from treerules.data.value_format import plain_text
from treerules.errors import ColumnError
from treerules.rendering.headings import joined_texts, translated_text

#: Cells that are looked at to say that most are numbers, and the share of them that must be.
_LOOKED_AT, _MOST = 1000, 0.9
#: Cells of which one must look like a number or a date before others are looked at.
_FIRST_OF_ALL = 4
_HAS_DIGIT = re.compile("[0-9]").search


def _parse_timestamp(text: str) -> Any:
    return parse_timestamp(text, zoned=False)


_PARSERS = {"number": parse_number, "integer": parse_integer, "date": parse_date, "timestamp": _parse_timestamp}


@short_repr
@frozen
class TextForm:
    """What the text cells of a column are: of a scalar and form, or text; and a remark for the user, or ""."""

    scalar: str = "text"
    form: str = ""
    note: str = ""
    #: how the column can be declared, such as "number:1,234.5", where it looks like numbers or dates and stays text
    declarations: tuple[str, ...] = ()


def parsed_text(cell: str, scalar: str, form: str) -> Any:
    """Return the value that a cell of a form spells, None if it spells none.

    >>> parsed_text("1.660,16 €", "number", "1.234,5 €"), parsed_text("x", "number", "")
    (1660.16, None)
    """
    plain = plain_text(cell, scalar, form)
    return None if plain is None else _PARSERS[scalar](plain)


def may_be_formed(cells: Sequence[str]) -> bool:
    """Return whether the first cells of a column are a reason to look at all of them."""
    if not any(map(_is_formed, cells[:_FIRST_OF_ALL])):
        return False
    return 2 * sum(map(_is_formed, cells)) >= len(cells)


def _is_formed(cell: str) -> bool:
    return _HAS_DIGIT(cell) is not None and (looks_like_a_number(cell) or bool(fitting_moment_forms([cell])))


def text_form(name: str, cells: Sequence[str], marks: NumberMarks = NO_MARKS) -> TextForm:
    """Return what the distinct cells of a column of text are.

    >>> text_form("amount", ["$1,660.16", "$5"]).note
    "column 'amount': read '$1,660.16' as the number 1660.16"
    >>> text_form("day", ["1/13/2019", "2/1/2019"]).form
    '%m/%d/%Y'
    """
    found = find_number_form(cells, marks)
    if found.form is not None:
        return _numbers(name, cells, found.form, found.example)
    if found.forms:
        declarations = tuple(f"number:{form}" for form in found.forms)
        return TextForm(note=_doubt(name, "numbers", readings_of(found), declarations), declarations=declarations)
    if found.doubtful is not None:
        declared = f"number:{found.doubtful}"
        other = translated_text("{cell!r} may be another thing", cell=found.example)
        return TextForm(note=_doubt(name, "numbers", other, (declared,)), declarations=(declared,))
    forms = fitting_moment_forms(cells)
    if forms:
        return _moments(name, cells, forms)
    return _mixed_moments(name, cells) or _mixed(name, cells)


def _numbers(name: str, cells: Sequence[str], form: NumberForm, example: str) -> TextForm:
    plain = [form.plain(cell) or "" for cell in cells]
    is_whole = all(text.lstrip("+-").isdigit() and parse_integer(text) is not None for text in plain)
    scalar = "integer" if is_whole else "number"
    value = _PARSERS[scalar](form.plain(example) or "")
    text = f"column {{place!r}}: read {{example!r}} as the {scalar} {{value!r}}"
    return TextForm(scalar, str(form), Note(f"read_as_{scalar}", text, name, example=example, value=value))


def _moments(name: str, cells: Sequence[str], forms: list[str]) -> TextForm:
    scalar = "timestamp" if "%H" in forms[0] else "date"
    differing = [cell for cell in cells if len({plain_moment(form, cell) for form in forms}) > 1]
    if differing:
        readings = [str(_moment(scalar, form, differing[0])) for form in forms]
        doubt = translated_text("{cell!r} can be {values}", cell=differing[0], values=joined_texts(readings, " or "))
        declarations = tuple(f"{scalar}:{form}" for form in forms)
        note = _doubt(name, "dates", doubt, declarations)
        return TextForm(note=note, declarations=declarations)
    example = max(cells, key=lambda cell: (len(cell), cell))
    first_day = "" if "%d" in forms[0] else ", the first day of the month"
    text = f"column {{place!r}}: read {{example!r}} as the {scalar} {{value}}{first_day} ({{form}})"
    value, form = _moment(scalar, forms[0], example), forms[0]
    return TextForm(scalar, form, Note(f"read_as_{scalar}", text, name, example=example, value=value, form=form))


def _moment(scalar: str, form: str, cell: str) -> object:
    return _PARSERS[scalar](plain_moment(form, cell) or "")


def _doubt(name: str, things: str, doubt: str, declarations: tuple[str, ...]) -> Note:
    text = f"column {{place!r}} looks like {things}, but {{doubt}}: {{ways}}"
    return Note(f"looks_like_{things}", text, name, doubt=doubt, ways=_ways(name, declarations))


def readings_of(found: FoundForm) -> str:
    """Return the numbers that a cell of a doubtful column can be, in words."""
    values = [repr(parse_number(form.plain(found.example) or "")).removesuffix(".0") for form in found.forms]
    return translated_text("{cell!r} can be {values}", cell=found.example, values=joined_texts(values, " or "))


def _ways(name: str, declarations: Sequence[str]) -> str:
    ways = joined_texts([f"{name}={declared}" for declared in declarations], " or ")
    return translated_text("say which by types=, --types: {ways}", ways=ways)


def _mixed_moments(name: str, cells: Sequence[str]) -> TextForm | None:
    """Return the remark on a column most of whose cells are dates or timestamps, in several forms; None for others."""
    some = list(islice(cells, _LOOKED_AT))
    moments = [cell for cell in some if fitting_moment_forms([cell])]
    if len(moments) < _MOST * len(some) or fitting_moment_forms(moments):
        return None
    other = next((cell for cell in moments if not fitting_moment_forms([moments[0], cell])), moments[-1])
    fact = "column {place!r} is read as text: its dates are written in several forms (for example {cells})"
    remedy = "write them in one form; to keep the text: types=, --types {place}=category"
    return TextForm(note=Note("mixed_dates", fact, name, remedy, cells=f"{moments[0]!r}, {other!r}"))


def _mixed(name: str, cells: Sequence[str]) -> TextForm:
    """Return the remark on a column most of whose cells look like numbers."""
    some = list(islice(cells, _LOOKED_AT))
    others = [cell for cell in some if not looks_like_a_number(cell)]
    if len(others) > (1 - _MOST) * len(some) or not some:
        return TextForm()
    shown = ", ".join(repr(cell) for cell in (others or _different_kinds(some))[:3])
    what = "some cells are none" if others else "not all in one form"
    fact = f"column {{place!r}} looks like numbers, but {what} (for example {{cells}}): it stays text"
    remedy = "correct these cells, name them in missing=, --missing, or declare it in types=, --types: {place}=number"
    note = Note("stays_text", fact, name, remedy, cells=shown)
    return TextForm(note=note, declarations=("number",))


def _different_kinds(cells: Sequence[str]) -> list[str]:
    """Return cells of different forms: the first, and the first that does not share its form."""
    first = cells[0]
    other = next((cell for cell in cells if not find_number_form([first, cell]).forms), cells[-1])
    return [first, other]


def form_of_most(cells: Sequence[str], marks: NumberMarks) -> list[tuple[str, str]]:
    """Return the form in which most cells that look like numbers are numbers, and that in which dates or timestamps
    are, each with its scalar; none that leaves two readings, and not the usual one.

    >>> form_of_most(["$5", "$7", "none", "3/31/2024"], NO_MARKS)
    [('number', '$1234.5'), ('date', '%m/%d/%Y')]
    """
    found = find_declared_form([cell for cell in cells if looks_like_a_number(cell)], marks)
    forms = [] if found.form is None or str(found.form) == "1234.5" else [("number", str(found.form))]
    moments = [cell for cell in cells if fitting_moment_forms([cell])]
    found_moments = _moments("", moments, fitted) if (fitted := fitting_moment_forms(moments)) else TextForm()
    return [*forms, *([(found_moments.scalar, found_moments.form)] if found_moments.form else [])]


def form_of_declared(name: str, scalar: str, cells: Sequence[str], marks: NumberMarks) -> str:
    """Return the form of a column declared to hold numbers or moments, "" if no form is better than the usual one.

    Raises:
        ColumnError: several forms fit, and read different values.
    """
    if scalar not in ("number", "integer"):
        found_moments = _moments(name, cells, forms) if (forms := fitting_moment_forms(cells)) else TextForm()
        if found_moments.declarations:
            raise ColumnError(name, "can be read in two ways", _ways(name, found_moments.declarations), cells[:3])
        return found_moments.form if found_moments.scalar == scalar else ""
    found = find_declared_form(cells, marks)
    if len(found.forms) > 1:
        ways = _ways(name, [f"{scalar}:{form}" for form in found.forms])
        raise ColumnError(name, f"can be read in two ways: {readings_of(found)}", ways)
    is_usual = found.form is None or (str(found.form) == "1234.5" and all(map(_is_plain, cells)))
    return "" if is_usual else str(found.form)


def _is_plain(cell: str) -> bool:
    return NumberForm().plain(cell) in (cell, None)


def marked_form(form: str, marks: NumberMarks) -> str:
    """Return the form of a known column of numbers, with what the user says of all numbers of the file.

    >>> marked_form("$1,234.5", NumberMarks(decimal=",")), marked_form("", NumberMarks(thousands=","))
    ('$1.234,5', '1,234.5')
    """
    known = parsed_number_form(form or "1234.5") or NumberForm()
    if marks == NO_MARKS:
        return form
    decimal = marks.decimals[0] if len(marks.decimals) == 1 else known.decimal
    thousands = known.thousands if marks.thousands is None else marks.thousands
    if thousands == decimal or (
        marks.thousands is None and decimal == "," and thousands not in (*BLANKS, *APOSTROPHES)
    ):
        thousands = "." if decimal == "," else ""
    text = str(evolve(known, decimal=decimal, thousands=thousands, is_indian=known.is_indian and thousands == ","))
    return "" if text == "1234.5" else text

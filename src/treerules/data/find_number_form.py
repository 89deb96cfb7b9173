"""Finding the form of a column of numbers: the one in which all its cells are numbers, where one reading is left.

A form is taken where every form that fits all cells reads the same numbers. Where they differ, as for 1,660, which is
1660 or 1.66, this decides, and nothing else does:

1. What the caller says of the decimal mark and of thousands.
2. Money that is written with commas between thousands: $1,660 is 1660.
3. Two spellings that one reading alone explains: a column of 950 and 1,660 writes thousands, because fractions would
   either always have three digits, or lose their last zeros.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.number_form import APOSTROPHES, BLANKS, MINUS, NumberForm
from treerules.data.units import has_thousands_commas, is_prefix, is_suffix

_SEPARATORS = f".,{APOSTROPHES}{BLANKS}"
_PARTS = re.compile(
    rf"[{BLANKS}]*(?:\((?=.*\)))?[+\-{MINUS}]?(?P<prefix>[^0-9+\-{MINUS}()]*?)[+\-{MINUS}]?"
    rf"(?P<core>(?:[.,](?=[0-9]))?[0-9](?:[0-9{_SEPARATORS}]*[0-9])?)(?P<suffix>[^0-9()]*?)\)?[{BLANKS}]*"
)
_GROUPED = re.compile(r"0|[1-9][0-9]{0,2}")
_LEADING_ZERO = re.compile(r"0[0-9]")
_EXPONENT = re.compile("[eE][+-]?[0-9]+$")


@short_repr
@frozen
class NumberMarks:
    """What the user says of all numbers of a file: the decimal mark, and the character between thousands."""

    decimal: str | None = None
    thousands: str | None = None
    #: whether 1.500 may be 1500: the file is one as people write it whose decimal mark is a comma
    is_point_open: bool = False

    @property
    def decimals(self) -> tuple[str, ...]:
        """The decimal marks that are possible."""
        if self.decimal is not None:
            return (self.decimal,)
        return {".": (",",), ",": (".",)}.get(self.thousands or "", (".", ","))

    def allows(self, thousands: str) -> bool:
        """Return whether this can stand between thousands; "" is nothing."""
        alike = next((signs for signs in (BLANKS, APOSTROPHES) if (self.thousands or "-") in signs), self.thousands)
        return thousands == "" or alike is None or thousands in alike


#: Nothing is known of the numbers.
NO_MARKS = NumberMarks()


@short_repr
@frozen
class FoundForm:
    """What is known of the form of a column: one form, several that read different numbers, or none."""

    #: the forms that fit all cells and read different numbers; one if the reading is unambiguous
    forms: tuple[NumberForm, ...] = field(default=(), converter=as_tuple)
    #: a cell that shows the form, or the difference of several
    example: str = ""
    #: the one form that fits a column which may well hold other things than numbers
    doubtful: NumberForm | None = None

    @property
    def form(self) -> NumberForm | None:
        """The form, if the reading is unambiguous."""
        return self.forms[0] if len(self.forms) == 1 else None


@lru_cache(maxsize=1 << 14)  # a column in doubt asks it twice of each cell
def looks_like_a_number(cell: str) -> bool:
    """Return whether a cell is a number in some form, with or without a sign of money, a percent sign or a unit.

    >>> [looks_like_a_number(cell) for cell in ("$1,660.16", "(5.5)", "12 kg", "192.168.1.1", "3月", "007", "12:30")]
    [True, True, True, False, False, False, False]
    """
    parts = _parts(cell)
    if parts is None:
        return False
    forms = _candidates(*parts[:2], [parts[2]], NO_MARKS)
    return any(re.fullmatch(form.pattern, cell) for form in forms)


def find_number_form(cells: Collection[str], marks: NumberMarks = NO_MARKS) -> FoundForm:
    """Return the form in which all cells are numbers, all with the same sign of money, percent sign or unit.

    >>> find_number_form(["1.660,16 €", "12,5 €"]).form
    NumberForm(prefix='', suffix=' €', thousands='.', decimal=',', is_indian=False)
    >>> [str(form) for form in find_number_form(["1,660", "2,750"]).forms]
    ['1234,5', '1,234.5']
    """
    parts: list[tuple[str, str, str]] = []
    for cell in cells:
        split = _parts(cell)
        if split is None or [affix.strip(BLANKS) for affix in split[:2]] != [
            affix.strip(BLANKS) for affix in (parts or [split])[0][:2]
        ]:
            return FoundForm()
        parts.append(split)
    if not parts:
        return FoundForm()
    cores = [core for _, _, core in parts]
    return _unambiguous(list(cells), cores, _candidates(*parts[0][:2], cores, marks))


def find_declared_form(cells: Sequence[str], marks: NumberMarks) -> FoundForm:
    """Return the form of a column that was declared to hold numbers: some cells may have no sign of money or unit.

    The form may fit not all cells: it is then the one that fits most.
    """
    found = find_number_form(cells, marks)
    if found.forms:
        return found
    parts = [split for split in map(_parts, cells) if split is not None]
    affixes = Counter((prefix, suffix) for prefix, suffix, _ in parts if prefix or suffix).most_common(1)
    prefix, suffix = affixes[0][0] if affixes else ("", "")
    forms = _candidates(prefix, suffix, [core for _, _, core in parts], marks)
    counts = [sum(form.plain(cell) is not None for cell in cells) for form in forms]
    best = [form for form, n in zip(forms, counts, strict=True) if n == max(counts)]
    fitting = [cell for cell in cells if best and best[0].plain(cell) is not None]
    return FoundForm(_different(best, fitting), next(iter(fitting), ""))


def _parts(cell: str) -> tuple[str, str, str] | None:
    """Return what stands before the digits of a cell, what behind, and the digits with their separators."""
    found = _PARTS.fullmatch(_EXPONENT.sub("", cell))
    if not found or _LEADING_ZERO.match(found["core"]):
        return None
    prefix, suffix = found["prefix"].lstrip(BLANKS), found["suffix"].rstrip(BLANKS)
    return (prefix, suffix, found["core"]) if is_prefix(prefix) and is_suffix(suffix) else None


def _candidates(prefix: str, suffix: str, cores: Iterable[str], marks: NumberMarks) -> list[NumberForm]:
    """Return the forms that digits with these separators can have, the simplest first."""
    cores = list(cores)
    separators = sorted({sign for core in cores for sign in core if sign in _SEPARATORS})
    has_commas = "," in separators
    points_group = bool(prefix or suffix or has_commas or any(core.count(".") > 1 for core in cores))
    points_group |= marks.is_point_open
    forms = []
    for thousands in ("", *separators):
        for decimal in marks.decimals:
            is_plain_point = thousands == "." and not points_group and marks.decimal is None and marks.thousands is None
            if decimal != thousands and marks.allows(thousands) and not is_plain_point:
                forms.append(NumberForm(prefix, suffix, thousands, decimal))
                if thousands == "," and decimal == ".":
                    forms.append(NumberForm(prefix, suffix, thousands, decimal, True))
    return forms


def _unambiguous(cells: list[str], cores: list[str], forms: list[NumberForm]) -> FoundForm:
    fitting = [form for form in forms if all(map(re.compile(form.pattern).fullmatch, cells))]
    different = _different(fitting, cells)
    if len(different) > 1:
        different = _decided(different, cores)
    if len(different) == 1 and _is_doubtful(different[0], cores):
        return FoundForm((), cells[0], different[0])
    differing = (cell for cell in cells if len({form.plain(cell) for form in different}) == len(different))
    example = next(differing, cells[0]) if len(different) > 1 else max(cells, key=len)
    return FoundForm(different, example)


def _different(forms: Iterable[NumberForm], cells: Sequence[str]) -> list[NumberForm]:
    """Return the first form of each reading of the cells."""
    first: dict[tuple[str, ...], NumberForm] = {}
    for form in forms:
        first.setdefault(tuple(form.plain(cell) or "" for cell in cells), form)
    return list(first.values())


def _decided(forms: list[NumberForm], cores: list[str]) -> list[NumberForm]:
    """Return the forms that are left after the second and the third rule of this module."""
    if has_thousands_commas(forms[0].prefix, forms[0].suffix):
        commas = [form for form in forms if form.thousands == "," and form.decimal == "."]
        if commas:
            return commas[:1]
    separators = {sign for core in cores for sign in core if sign in _SEPARATORS}
    single = [core for core in cores if core.isdigit()]
    is_grouped = (
        len(separators) == 1
        and all(map(_GROUPED.fullmatch, single))
        and any(core != "0" for core in single)
        and any(core.endswith("0") and not core.isdigit() for core in cores)
    )
    grouped = [form for form in forms if form.thousands in separators]
    return grouped[:1] if is_grouped and grouped else forms


def _is_doubtful(form: NumberForm, cores: list[str]) -> bool:
    """Return whether blanks between digits may mean anything: 555 123 in every row is rather a telephone number."""
    has_other_signs = form.prefix or form.suffix or any(form.decimal in core for core in cores)
    return bool(
        form.thousands
        and form.thousands in BLANKS
        and not has_other_signs
        and len({re.sub("[0-9]", "0", core) for core in cores}) == 1
    )

"""The form of a column of dates or timestamps that are not ISO: a small subset of strptime's formats.

%Y year of four digits, %m month, %d day (one or two digits each), %b Jan to Dec, %H %M %S, %f fraction of a second. A
date without a day is the first day of its month.
"""

import re
from collections.abc import Collection
from datetime import date, datetime

_PARTS = {
    "Y": "([0-9]{4})",
    "m": "([0-9]{1,2})",
    "d": "([0-9]{1,2})",
    "b": "([A-Za-z]{3})",
    "H": "([0-9]{1,2})",
    "M": "([0-9]{1,2})",
    "S": "([0-9]{1,2})",
    "f": "([0-9]{1,6})",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ORDERS = ("%d{0}%m{0}%Y", "%m{0}%d{0}%Y")
_CLOCKS = ("", " %H:%M", " %H:%M:%S")
_CHINESE_CLOCKS = ("%H:%M", "%H:%M:%S", "%H时%M分", "%H时%M分%S秒")
_LIKE_A_CHINESE_DATE = re.compile("[0-9]{4}年[0-9]{1,2}月(?:[0-9]{1,2}日( ?)(?:[0-9].*)?)?")
_LIKE_A_DATE = re.compile(r"[0-9]{1,2}([/.-])[0-9]{1,2}\1[0-9]{4}( [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)?")


def moment_letters(form: str) -> str:
    """Return the letters of a format's fields, in its order.

    >>> moment_letters("%d/%m/%Y %H:%M")
    'dmYHM'
    """
    return "".join(re.findall("%(.)", form))


def is_moment_form(scalar: str, form: str) -> bool:
    """Return whether dates or timestamps can have a format: it has a year and a month, and no field twice.

    A timestamp has a day too.
    """
    letters = moment_letters(form)
    allowed = "Ymdb" if scalar == "date" else "YmdbHMSf"
    is_whole = "Y" in letters and ("d" in letters or scalar == "date") and ("m" in letters) is not ("b" in letters)
    is_known = len(set(letters)) == len(letters) and set(letters) <= set(allowed)
    between = re.sub("%[a-zA-Z]", "", form)
    is_clock = all(before in letters for before, after in ("HM", "MS", "Sf") if after in letters)
    return is_whole and is_known and is_clock and re.fullmatch(r"[^0-9%'\"\\\n]*", between) is not None


def moment_pattern(form: str) -> str:
    """Return a regular expression with one group for each field of a format.

    >>> moment_pattern("%d.%m.%Y")
    '([0-9]{1,2})\\\\.([0-9]{1,2})\\\\.([0-9]{4})'
    """
    pieces = re.split("(%.)", form)
    return "".join(_PARTS[piece[1:]] if piece[:1] == "%" else re.escape(piece) for piece in pieces)


def plain_moment(form: str, cell: str) -> str | None:
    """Return a cell as an ISO date or timestamp; None if it is not in the format. ISO cells are returned as they are.

    >>> plain_moment("%d/%m/%Y", "1/5/2019"), plain_moment("%d %b %Y %H:%M", "1 May 2019 7:05")
    ('2019-05-01', '2019-05-01 07:05:00')
    """
    found = re.fullmatch(moment_pattern(form), cell)
    if not found:
        return cell if cell[:5].rstrip("-/").isdigit() else None
    part = dict(zip(moment_letters(form), found.groups(), strict=True))
    month = part["m"] if "m" in part else str((*MONTHS, part["b"].lower()).index(part["b"].lower()) + 1)
    day = f"{part['Y']}-{month.zfill(2)}-{part.get('d', '1').zfill(2)}"
    if "H" not in part:
        return day
    clock = ":".join(part.get(letter, "0").zfill(2) for letter in "HMS")
    fraction = part.get("f", "").rstrip("0")
    return f"{day} {clock}.{fraction.ljust(6, '0')}" if fraction else f"{day} {clock}"


def fitting_moment_forms(cells: Collection[str]) -> list[str]:
    """Return the formats in which all cells are dates or timestamps: day, month and year in either order, or Chinese.

    >>> fitting_moment_forms(["13/1/2019", "2/1/2019"]), fitting_moment_forms(["3.1.2019"])
    (['%d/%m/%Y'], ['%d.%m.%Y', '%m.%d.%Y'])
    >>> fitting_moment_forms(["2024年01月15日", "2024年1月5日"]), fitting_moment_forms(["2024年1月15日 7:30"])
    (['%Y年%m月%d日'], ['%Y年%m月%d日 %H:%M'])
    """
    first = next(iter(cells), "")
    found = _LIKE_A_DATE.fullmatch(first)
    forms = _chinese_forms(first)
    if found:
        clock = _CLOCKS[(found[2] or "").count(":")]
        forms = [order.format(found[1]) + clock for order in _ORDERS]
    return [form for form in forms if all(_is_moment(form, cell) for cell in cells)]


def _chinese_forms(cell: str) -> list[str]:
    """Return the formats that a cell such as 2024年1月15日, with or without a time, or 2024年1月 can have."""
    found = _LIKE_A_CHINESE_DATE.fullmatch(cell)
    if not found:
        return []
    day = "%Y年%m月%d日" if "日" in cell else "%Y年%m月"
    return [day, *(f"{day}{found[1]}{clock}" for clock in _CHINESE_CLOCKS if "日" in cell)]


def _is_moment(form: str, cell: str) -> bool:
    if not re.fullmatch(moment_pattern(form), cell):
        return False
    text = plain_moment(form, cell) or ""
    try:
        datetime.fromisoformat(text) if ":" in text else date.fromisoformat(text)
    except ValueError:
        return False
    return True

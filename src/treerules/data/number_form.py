"""The form of a column of numbers, as people write them: $1,660.16, 1 660,16 €, 12.3%, 12 kg, 12,34,567.

A form is kept as the text that it gives to 1234.5: "$1,234.5", "1 234,5 €", "1234.5%", "1234.5 kg", "12,34,567.5".
A form is about spelling alone: 12.3% is the number 12.3.
"""

import re
from functools import cached_property

from attrs import frozen

from treerules._internal.short_repr import short_repr

#: Blanks that people write between the digits and their sign or unit, and some write between thousands.
BLANKS = " \u00a0\u202f"
APOSTROPHES = "'’"
MINUS = "−"
_TEXT = re.compile(
    r"(?P<prefix>[^0-9]*)(?:1(?P<thousands>[^0-9]?)234|(?P<indian>12,34,567))(?P<decimal>[.,])5"
    r"(?P<suffix>[^0-9]*)",
    re.DOTALL,
)
#: What no sign or unit may hold, and words that would be part of a number.
_AFFIX = re.compile(rf"[^0-9+\-{MINUS}()'\"’;,\s]{{0,12}}")
_RESERVED = ("e", "E", "i", "I", "n", "in", "inf", "Inf", ".")


@short_repr
@frozen
class NumberForm:
    """How a column writes numbers.

    >>> form = NumberForm(prefix="$", thousands=",")
    >>> str(form), form.plain("-$1,660.16"), form.plain("($5)"), form.plain("1,66")
    ('$1,234.5', '-1660.16', '-5', None)
    """

    #: what stands before the digits and behind them, with a blank where the column has one
    prefix: str = ""
    suffix: str = ""
    #: the character between groups of digits; "" for none
    thousands: str = ""
    decimal: str = "."
    #: whether groups are Indian: 12,34,567
    is_indian: bool = False

    def __str__(self) -> str:
        whole = "12,34,567" if self.is_indian else f"1{self.thousands}234"
        return f"{self.prefix}{whole}{self.decimal}5{self.suffix}"

    @cached_property
    def digits(self) -> str:
        """A regular expression of the digits of a number without a sign, with the groups that the form has."""
        group, mark = re.escape(self.thousands), re.escape(self.decimal)
        wholes = ["[0-9]+"]
        if self.thousands:
            groups = (
                f"[0-9]?(?:{group}[0-9]{{2}})*{group}[0-9]{{3}}"
                if self.is_indian
                else (f"[0-9]{{0,2}}(?:{group}[0-9]{{3}})+")
            )
            wholes.insert(0, f"[1-9]{groups}")
        return f"(?:(?:{'|'.join(wholes)})(?:{mark}[0-9]*)?|{mark}[0-9]+)"

    @cached_property
    def pattern(self) -> str:
        """A regular expression of cells in this form: sign, prefix and suffix where they belong."""
        blank, sign = f"[{BLANKS}]*", rf"[+\-{MINUS}]?"
        before, behind = (re.escape(affix.strip(BLANKS)) for affix in (self.prefix, self.suffix))
        amount = f"{self.digits}{blank}{behind}" if behind else self.digits
        signed = f"{sign}{amount}" if not before else rf"(?:{sign}{before}{blank}|{before}{blank}{sign}){amount}"
        bare = rf"\({before}{blank}{amount}\)" if before else rf"\({amount}\)"
        exponent = "" if before or behind else "(?:[eE][+-]?[0-9]+)?"
        return rf"{blank}(?:{signed}{exponent}|{bare}){blank}"

    @cached_property
    def lenient_pattern(self) -> str:
        """A regular expression of cells in this form, or plain numbers that cannot be misread."""
        plain = [rf"[+\-{MINUS}]?{self.digits}(?:[eE][+-]?[0-9]+)?", "[+-]?[iI]nf(?:inity)?"]
        if self.decimal == "," and self.thousands != ".":  # 1660.16, but not 1.660, which people read as 1660
            plain.append(r"[+-]?(?:[0-9]{4,}\.[0-9]+|[0-9]{1,3}\.(?:[0-9]{1,2}|[0-9]{4,}))")
        return rf"(?:{self.pattern}|[ \t]*(?:{'|'.join(plain)})[ \t]*)"

    @property
    def removed(self) -> tuple[str, str]:
        """The texts that are taken out of a cell first."""
        return self.prefix.strip(BLANKS), self.suffix.strip(BLANKS)

    @property
    def translation(self) -> tuple[str, str]:
        """Characters, and what they become; those without a counterpart are taken out."""
        return f"{self.decimal}({MINUS}){self.thousands}{BLANKS}\t", ".--"

    def plain(self, cell: str) -> str | None:
        """Return a cell as a plain number, such as -1660.16; None if it is not in the form, nor a plain number."""
        if not re.fullmatch(self.lenient_pattern, cell):
            return None
        for text in self.removed:
            cell = cell.replace(text, "")
        old, new = self.translation
        return cell.translate(str.maketrans(old[: len(new)], new, old[len(new) :]))


def parsed_number_form(text: str) -> NumberForm | None:
    """Return the form that a text such as "$1,234.5" describes; None if it describes none.

    >>> parsed_number_form("1.234,5 €")
    NumberForm(prefix='', suffix=' €', thousands='.', decimal=',', is_indian=False)
    """
    found = _TEXT.fullmatch(text)
    if not found:
        return None
    prefix, suffix, thousands, decimal = found.group("prefix", "suffix", "thousands", "decimal")
    form = NumberForm(prefix, suffix, "," if found["indian"] else thousands, decimal, bool(found["indian"]))
    is_valid = (
        all(_AFFIX.fullmatch(affix) and affix not in _RESERVED for affix in form.removed)
        and form.thousands in {"", ",", ".", *BLANKS, *APOSTROPHES} - {decimal}
        and prefix.lstrip(BLANKS) == prefix
        and suffix.rstrip(BLANKS) == suffix
    )
    return form if is_valid else None

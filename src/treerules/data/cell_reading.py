"""How the cells of a column are read, as far as the user chose it: part of the column, and of the model of it.

    words for missing   cells of these words are missing. One that reads as a value of the column is compared as that
                        value: "-999" is -999.0 in a column of numbers. Any other word is compared as text.
    trim                blanks and tabs at both ends of text are removed; what is empty then is missing
    unreadable          cells of text files that cannot be read as values of the column are missing

The usual words (`USUAL_WORDS`) are missing in files of text alone, unless the user names other words for all columns.
"""

from collections.abc import Collection, Mapping
from struct import pack, unpack
from typing import Any

from attrs import field, frozen

from treerules._internal.conversion import parse_date, parse_integer, parse_number, parse_timestamp
from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.data.value_format import is_read_by_form, plain_text
from treerules.errors import OptionError
from treerules.rendering.headings import heading

#: The words that are missing in files of text.
USUAL_WORDS = ("NA", "NaN", "null", "?")
#: What is removed at both ends of text.
TRIMMED = " \t"
#: Words for missing values: of all columns, or by column, where None stands for all of them.
MissingWords = Collection[str] | Mapping[str | None, Collection[str]]


@short_repr
@frozen
class CellReading:
    """How the cells of a column are read, as far as the user chose it.

    >>> CellReading(["-"], trim=True).text(" - ") is None, CellReading().text("-")
    (True, '-')
    """

    #: the words that the user named
    missing: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: whether the usual words are missing too, in files of text
    usual: bool = True
    trim: bool = False
    unreadable: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The texts that are missing in every source."""
        return (*self.missing, *([""] if self.trim else []))

    @property
    def words_in_files(self) -> tuple[str, ...]:
        """The texts that are missing in files of text, the empty one among them."""
        return tuple(dict.fromkeys(("", *self.missing, *(USUAL_WORDS if self.usual else ()))))

    def text(self, text: str) -> str | None:
        """Return a text as it is read from any source, None where it is missing."""
        text = text.strip(TRIMMED) if self.trim else text
        return None if text in self.words else text

    def values(self, scalar: str, form: str = "") -> tuple[Any, ...]:
        """Return the values of a scalar that the words spell, in the form of the column or the usual one.

        A number with decimals is followed by the one that a float32 holds in its place.

        >>> CellReading(["-999", "-", "-9.50"]).values("number")
        (-999.0, -9.5)
        """
        if scalar == "text":
            return self.words
        spelled = [value_of_word(word, scalar, form) for word in self.missing]
        known = [value for value in spelled if value is not None]
        singles = [_as_single(value) for value in known if isinstance(value, float) and value % 1]
        return tuple(dict.fromkeys([*known, *(value for value in singles if value % 1)]))

    def cell(self, value: Any, scalar: str, form: str = "") -> Any:
        """Return a converted value of a column, None where it is missing.

        >>> CellReading(["-999"]).cell(-999.0, "number"), CellReading(trim=True).cell(" a", "text")
        (None, 'a')
        """
        if isinstance(value, str):
            return self.text(value)
        return None if value is not None and value in self.values(scalar, form) else value


AS_USUAL = CellReading()


def value_of_word(word: str, scalar: str, form: str) -> Any:
    """Return the value of a scalar that a word spells, None if it spells none.

    >>> value_of_word("-9,5", "number", "1.234,5"), value_of_word("-9", "number", ""), value_of_word("x", "date", "")
    (-9.5, -9.0, None)
    """
    text = word.strip(TRIMMED)
    if scalar == "boolean":
        return {"true": True, "false": False}.get(text.lower())
    read = (lambda spelled: parse_timestamp(spelled, zoned=True)) if scalar == "timestamp_utc" else _READERS[scalar]
    plain = plain_text(text, scalar, form)
    values = [read(spelled) for spelled in (plain, text) if spelled is not None]
    return next((value for value in values if value is not None), None)


def _as_single(value: float) -> float:
    """Return a number as a float32 holds it, in which -99.9 is another one."""
    return float(unpack("f", pack("f", value))[0])


def _parse_whole(text: str) -> Any:
    whole, number = parse_integer(text), parse_number(text)
    if whole is None and number is not None and number.is_integer() and abs(number) < 2.0**63:
        return int(number)
    return whole


_READERS: dict[str, Any] = {
    "number": parse_number,
    "integer": _parse_whole,
    "date": parse_date,
    "timestamp": lambda text: parse_timestamp(text, zoned=False),
}


def require_missing_words(missing: Any) -> None:
    """Raise OptionError for words for missing values that are no text, or cannot stand in a cell without quotes."""
    wanted = 'a collection of texts, such as ["NA", "-"], or those of columns, such as {"months": ["-999"]}'
    is_list = isinstance(missing, Collection) and not isinstance(missing, str) and getattr(missing, "ndim", 1) == 1
    collections = list(missing.values()) if isinstance(missing, Mapping) else [missing] if is_list else []
    is_text = all(not isinstance(words, str) and all(isinstance(w, str) for w in words) for words in collections)
    if not (missing is None or (is_list and is_text)):
        raise OptionError("missing", missing, wanted)
    for word in (word for words in collections for word in words):
        if set(word) & set(",;|\t\"'\r\n") or any("\ud800" <= c <= "\udfff" for c in word):
            raise OptionError("missing", word, "words without delimiters, quotes, line ends and lone surrogates")


def chosen_reading(
    name: str, missing: MissingWords | None, trim: bool | None = None, unreadable: bool | None = None
) -> CellReading:
    """Return the reading of a column that a user asks for; words of one column stand beside those of all.

    >>> chosen_reading("x", ["-"]).words_in_files, chosen_reading("x", {"x": ["-"]}).words_in_files
    (('', '-'), ('', '-', 'NA', 'NaN', 'null', '?'))
    """
    of_all, of_column = (missing.get(None), missing.get(name)) if isinstance(missing, Mapping) else (missing, None)
    words = dict.fromkeys([*(of_all or ()), *(of_column or ())])
    return CellReading(words, of_all is None, bool(trim), bool(unreadable))


def require_agreement(name: str, known: CellReading, chosen: CellReading, said: Collection[str]) -> None:
    """Raise OptionError where the user asks for another reading of a column than the model has.

    `said` are the options that the user gave for the column: missing, trim and unreadable.
    """
    has_other_words = {*chosen.missing} != {*known.missing} or chosen.usual < known.usual
    if "missing" in said and has_other_words:
        shown = ",".join(known.missing) or "no words"
        raise OptionError("missing", ",".join(chosen.missing), f"{shown}, as the model reads column {name!r}")
    for option, asked in (("trim", True), ("unreadable", "missing")):
        is_chosen, is_of_model = getattr(chosen, option), getattr(known, option)
        if option in said and is_chosen and not is_of_model:
            wanted = f"a model that was learned with it; this one reads column {name!r} without it"
            raise OptionError(option, asked, wanted)
        if option in said and is_of_model and not is_chosen:
            raise OptionError(option, None, f"{asked!r}, as the model reads column {name!r}")


def require_same_reading(name: str, known: CellReading, chosen: CellReading) -> None:
    """Raise OptionError where a table was read by choices that are not those of a model."""
    said = {"missing": chosen.missing or not chosen.usual, "trim": chosen.trim, "unreadable": chosen.unreadable}
    require_agreement(name, known, chosen, [option for option, is_said in said.items() if is_said])


def reading_text(reading: CellReading, scalar: str = "text", form: str = "", lang: str = "en") -> str:
    """Return how a column is read in words, as far as the user or the form of its file says it; "" where neither does.

    >>> reading_text(CellReading(["-999", "-"], trim=True))
    "missing: '-999', '-'; blanks and tabs at both ends of text are removed"
    """
    parts = (
        [heading("{scalar}s as in {form!r}", lang, scalar=scalar, form=form)] if is_read_by_form(scalar, form) else []
    )
    words, usual = (heading(", ", lang).join(texts) for texts in (map(repr, reading.missing), USUAL_WORDS))
    parts += [heading("missing: {words}", lang, words=words)] if words else []
    parts += [] if reading.usual else [heading("the words {words} are values", lang, words=usual)]
    parts += [heading("blanks and tabs at both ends of text are removed", lang)] if reading.trim else []
    parts += [heading("cells that cannot be read are missing", lang)] if reading.unreadable else []
    return heading("; ", lang).join(parts)

"""The width of texts in pictures, in pixels.

Which font a browser takes is not known here, so widths are those of a wide one (DejaVu Sans, bold). A Chinese character
is as wide as two columns of a terminal, and as wide as it is high.
"""

from treerules.rendering.text_tables import display_width

#: Widths as shares of the size of the font, by the characters that have them.
_ASCII_WIDTHS = {
    0.45: " !'(),-./:;I[]`fijlrt|",
    1.05: "%@MWmw",
    0.9: "#&+<=>CDGHNOQTUVXYZ^_~",
}
_WIDTHS = {character: width for width, characters in _ASCII_WIDTHS.items() for character in characters}
#: Of all other ASCII characters, of those that take one column of a terminal, and of those that take two.
_USUAL, _ONE_COLUMN, _TWO_COLUMNS = 0.75, 0.95, 1.0
#: Characters from here on that take two columns are emoji or rare, and may be wider.
_EMOJI, _EMOJI_WIDTH = 0x1F000, 1.4


def text_width(text: str, size: float) -> float:
    """Return an upper bound of the width of a text in a font of some size.

    >>> text_width("年龄", 12), text_width("i", 10)
    (24.0, 4.5)
    """
    return sum(map(_width, text)) * size


def cut_to(text: str, width: float, size: float) -> str:
    """Return a text that is no wider than a width: whole, or its beginning and "…".

    >>> cut_to("petal length", 40, 10)
    'peta…'
    """
    if text_width(text, size) <= width:
        return text
    left = width / size - _width("…")
    kept = 0
    for character in text:
        left -= _width(character)
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def lines_within(text: str, width: float, size: float) -> list[str]:
    """Return a text in lines no wider than a width, which end at blanks, or in a word that is wider.

    >>> lines_within("missing age: as age <= 35", 120, 10)
    ['missing age: as', 'age <= 35']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".removeprefix(" ")
        if text_width(longer, size) <= width:
            lines[-1] = longer
            continue
        lines.append("")
        for character in word:
            if text_width(lines[-1] + character, size) > width:
                lines.append("")
            lines[-1] += character
    return [line for line in lines if line]


def _width(character: str) -> float:
    if character.isascii():
        return _WIDTHS.get(character, _USUAL)
    if ord(character) >= _EMOJI and display_width(character) > 1:
        return _EMOJI_WIDTH
    return (0.0, _ONE_COLUMN, _TWO_COLUMNS)[display_width(character)]

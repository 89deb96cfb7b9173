"""The colours of pictures."""

#: Eight colours that people with any kind of colour blindness tell apart: M. Okabe and K. Ito, "Color Universal Design"
#: (2008), with a grey in place of black, which would be invisible on a dark page.
CLASS_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#888888")
#: The colour of what has one: bars, the values of a regression, the curve of a plot.
PLAIN_COLOUR = CLASS_COLOURS[0]
#: The colour of what is marked.
MARK_COLOUR = "#d55e00"
#: Fills are see-through, so that text stands on them as on the page, light or dark.
FAINT, STRONG = 0.2, 0.6


def class_colour(position: int) -> str:
    """Return the colour of a class by its position in the schema; after eight classes they begin again."""
    return CLASS_COLOURS[position % len(CLASS_COLOURS)]


def value_opacity(value: float, lowest: float, highest: float) -> float:
    """Return how strong the colour of a predicted number is, between those of the lowest and the highest."""
    share = 0.5 if highest <= lowest else (value / 2 - lowest / 2) / (highest / 2 - lowest / 2)
    return FAINT / 2 + (STRONG - FAINT / 2) * min(max(share, 0.0), 1.0)

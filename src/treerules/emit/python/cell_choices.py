"""The code by which emitted Python modules read cells as the user chose: words for missing values, and trimmed text."""

from collections.abc import Mapping

from treerules.data.cell_reading import AS_USUAL, TRIMMED, CellReading
from treerules.data.schema import Feature
from treerules.emit.numeric_cuts import threshold_number
from treerules.emit.python.python_literals import assignment, python_literal


def choice_lines(feature: Feature, variable: str, hole: str = "None") -> list[str]:
    """Return the statements that follow the loading of a value: a word for missing values becomes `hole`.

    >>> from treerules.data.cell_reading import CellReading
    >>> choice_lines(Feature("x", "number", reading=CellReading(["-9"])), "x")
    ['if x == -9.0:', '    x = None']
    """
    reading, lines = feature.reading, list[str]()
    if reading.trim and feature.scalar == "text":
        lines.append(f"{variable} = {variable} and {variable}.strip({python_literal(TRIMMED)})")
    for word in feature.reading.values(feature.scalar, feature.form):
        lines += [f"if {variable} == {python_literal(word)}:", f"    {variable} = {hole}"]
    return lines


def cell_choices(features: Mapping[int, Feature]) -> list[str]:
    """Return the statements that say how cells of CSV are read, by the positions of columns; none where as usual."""
    readings = {index: feature.reading for index, feature in features.items()}
    if set(readings.values()) <= {AS_USUAL}:
        return []
    words = {index: reading.words_in_files for index, reading in readings.items() if reading != AS_USUAL}
    return [
        assignment("_WORDS", words, "dict[int, tuple[str, ...]]"),
        assignment("_TRIMMED", _indices(readings, "trim"), "tuple[int, ...]"),
        assignment("_UNREADABLE", _indices(readings, "unreadable"), "tuple[int, ...]"),
    ]


def _indices(readings: Mapping[int, CellReading], choice: str) -> tuple[int, ...]:
    return tuple(index for index, reading in readings.items() if getattr(reading, choice))


def array_choices(features: Mapping[int, Feature]) -> list[str]:
    """Return the statements that say which numbers, as arrays hold them, and which categories are missing values."""
    chosen = {index: feature for index, feature in features.items() if feature.reading != AS_USUAL}
    if not chosen:
        return []
    words = {
        index: tuple(
            threshold_number(feature, word) if feature.is_ordered else word
            for word in feature.reading.values(feature.scalar, feature.form)
        )
        for index, feature in chosen.items()
    }
    trimmed = tuple(index for index, feature in chosen.items() if feature.reading.trim and feature.scalar == "text")
    return [assignment("_WORDS", words, "dict[int, Any]"), assignment("_TRIMMED", trimmed, "tuple[int, ...]")]


def word_sets(features: Mapping[str, Feature]) -> list[str]:
    """Return the statement that sets `words`, the texts of missing cells by an expression of a column's name."""
    entries = [
        f"{name}: {python_set(feature.reading.words_in_files)}"
        for name, feature in features.items()
        if feature.reading != AS_USUAL
    ]
    return ["words = {", *(f"    {entry}," for entry in entries), "}"] if entries else []


def python_set(texts: tuple[str, ...]) -> str:
    """Return the expression of a set of texts."""
    return f"{{{', '.join(map(python_literal, texts))}}}"

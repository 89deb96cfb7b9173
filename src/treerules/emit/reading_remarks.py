"""What a file of code says of the columns that it expects: how the model reads them, and what code does not parse."""

from collections.abc import Iterable

from attrs import evolve

from treerules.data.cell_reading import reading_text
from treerules.data.schema import Feature
from treerules.data.value_format import is_read_by_form


def reading_remark(features: Iterable[Feature]) -> str:
    """Return how SQL reads the columns that rules test, in a line; "" where there is nothing to say.

    >>> from treerules.data.cell_reading import CellReading
    >>> reading_remark([Feature("x", "number", form="1.234,5", reading=CellReading(["-9"]))])
    "column 'x': missing: '-9'. expects values, and parses no text: 'x' of number values, '1.234,5' in the file"
    """
    features = tuple(features)
    texts = {repr(feature.name): reading_text(evolve(feature.reading, usual=True)) for feature in features}
    parts = [f"column {name}: {text}" for name, text in texts.items() if text]
    formed = [feature for feature in features if is_read_by_form(feature.scalar, feature.form)]
    shown = ", ".join(f"{f.name!r} of {f.scalar} values, {f.form!r} in the file" for f in formed)
    parts += [f"expects values, and parses no text: {shown}"] if formed else []
    return ". ".join(parts).replace("{", "(").replace("}", ")")  # dbt would take braces for its own

"""How a model reads the columns of a file, in lines for people."""

from treerules.data.cell_reading import reading_text
from treerules.data.schema import Schema
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import escape_unprintable


def reading_lines(schema: Schema, lang: str = "en") -> list[str]:
    """Return a line for each column of which the user, or the form of the file, says how cells are read."""
    columns = [*schema.features, *([schema.target] if schema.target else [])]
    texts = {f.name: reading_text(f.reading, f.scalar, f.form, lang) for f in columns}
    lines = (heading("reads {column}: {how}", lang, column=name, how=how) for name, how in texts.items() if how)
    return list(map(escape_unprintable, lines))

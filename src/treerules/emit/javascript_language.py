"""How JavaScript spells names, values and conditions."""

import json
import re
from datetime import datetime

from treerules.data.schema import Feature
from treerules.sql.language import Language

#: Characters to escape: all but plain ASCII and the letters of scripts in wide use. The list is fixed, so that every
#: version of Python emits the same text. `<` is escaped except in a comparison: the text may be part of a page, where
#: </script> or <!-- would end it.
_ESCAPED = re.compile(
    r"<(?![= ])|[^ -~\u00a1-\u00ac\u00ae-\u024f\u0391-\u03a9\u03b1-\u03c9\u0410-\u044f"
    r"\u3001-\u3011\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e]"
)
#: The largest integer up to which JavaScript's numbers hold every integer.
_SAFE = 2**53 - 1


def javascript_text(text: str) -> str:
    """Return a string literal that reads back exactly, also within a page and in text with lone surrogates.

    >>> javascript_text("是"), javascript_text("</script>"), javascript_text("\\u2028\\ud800")
    ('"是"', '"\\\\u003c/script>"', '"\\\\u2028\\\\ud800"')
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(lambda match: _escape(match[0]), escaped) + '"'


def _escape(character: str) -> str:
    return "\\u003c" if character == "<" else json.dumps(character)[1:-1].replace("\x7f", "\\u007f")


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _integer(value: int) -> str:
    return str(value) if abs(value) <= _SAFE else f"{value}n"


def _timestamp(moment: datetime) -> str:
    return f'"{moment.replace(tzinfo=None).isoformat(timespec="microseconds")}{"Z" if moment.tzinfo else ""}"'


def choice_lines(feature: Feature, variable: str, hole: str) -> list[str]:
    """Return the statements that follow the loading of a value: a word for missing values becomes `hole`.

    >>> from treerules.data.cell_reading import CellReading
    >>> choice_lines(Feature("x", "number", reading=CellReading(["-9"])), "x", "undefined")
    ['if (x === -9) x = undefined;']
    """
    reading, lines = feature.reading, list[str]()
    if reading.trim and feature.scalar == "text":
        lines.append(f'{variable} = {variable} && {variable}.replace(/^[ \\t]+|[ \\t]+$/g, "");')
    for word in reading.values(feature.scalar, feature.form):
        lines.append(f"if ({variable} === {JAVASCRIPT.literal(word)}) {variable} = {hole};")
    return lines


#: Dates and timestamps are ISO text of one width, which sorts like time. A missing one is NaN: comparisons of NaN with
#: text are false, too.
JAVASCRIPT = Language(
    name="javascript",
    column="f{index}",
    text=javascript_text,
    number=_number,
    integer=_integer,
    date=lambda day: f'"{day.isoformat()}"',
    timestamp=_timestamp,
    true="true",
    false="false",
    infinity="{}Infinity",
    holds_any_text=True,
    missing_is="nan",
    below="{} < {}",
    at_least="{} >= {}",
    equal="{} === {}",
    differs="{} !== {}",
    among="\0{1}\0.has({0})",  # a set between two NULs, which no literal contains, gets a name
    not_among="!\0{1}\0.has({0})",
    fewest_among=9,
    null_if="{}",  # modules read words for missing values, and trim text, where they load values
    trim="{}",
    missing="{} === null",
    known="{} !== null",
    both=" && ",
    either=" || ",
    no="!({})",
    always="true",
    never="false",
)

"""What a result can be shown as: `Report`, a row of the table `REPORTS`, and the contents that its functions return.

A content is made for one format at a time. What it consists of depends on the format:

    text, md, html    a sequence of headings, lines and tables, in the order in which they are read
    csv               one table with exact figures
    json, sarif       a record: a dictionary of plain values
    any format        a `Page`: a template of its own and what it is given
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError
from treerules.rendering.text_tables import TextTable


@short_repr
@frozen
class Heading:
    """A heading above the lines and tables that follow it."""

    text: str


@short_repr
@frozen
class Page:
    """A template and its context, an attrs value whose fields are the names in the template."""

    template: str
    context: Any


#: A paragraph (a text; its lines end in a newline), a heading or a table.
Part: TypeAlias = "TextTable | Heading | str"
Content: TypeAlias = "Sequence[Part] | TextTable | Mapping[str, Any] | Page"
#: Called with the result, the language of headings, and the report's own options as keywords.
ContentFunction: TypeAlias = Callable[..., Content]


@short_repr
@frozen
class ReportOption:
    """A keyword of `render` that the results of one type accept."""

    name: str
    default: Any
    #: whether a value is accepted
    accepts: Callable[[Any], bool]
    #: what is accepted, in words, for the error
    wanted: str


def _as_options(options: Any) -> tuple[ReportOption, ...]:
    if not isinstance(options, (list, tuple)) or not all(isinstance(option, ReportOption) for option in options):
        raise OptionError("options", options, "a sequence of ReportOption")
    return tuple(options)


@short_repr
@frozen
class Report:
    """How the results of one type are shown: a row of `REPORTS`.

    `contents` holds a function for each format that these results have, and `formats` their names. `options` are the
    keywords of `render` that these results accept beside those that all accept; each function takes all of them.

    Raises:
        OptionError: `result` is not a class, or a content is not a function.
    """

    result: type
    contents: Mapping[str, ContentFunction]
    options: tuple[ReportOption, ...] = field(default=(), converter=_as_options)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.result, type):
            raise OptionError("result", self.result, "the class of the results")
        for name, function in self.contents.items():
            if not callable(function):
                raise OptionError(name, function, "a function of a result and a language")

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats that these results have."""
        return tuple(self.contents)


def tables_report(
    result: type,
    *,
    parts: Callable[..., Sequence[Part]],
    table: Callable[..., TextTable],
    record: Callable[..., Mapping[str, Any]],
    options: Sequence[ReportOption] = (),
    **others: ContentFunction,
) -> Report:
    """Return the report of results that are shown by lines and tables.

    Each function is called with the result, the language of headings ("en" or "zh"), and the report's own options as
    keywords.

    Args:
        result: The class of the results.
        parts: Returns the lines and tables of text, Markdown and HTML, in reading order.
        table: Returns the table of the CSV, with exact figures.
        record: Returns the dictionary of the JSON, of plain values.
        options: The keywords of `render` that only these results accept.
        **others: Functions for further formats, or for one of these formats that differs from the others.

    Returns:
        The report, a row for `REPORTS`.

    Raises:
        OptionError: `result` is not a class, or a function cannot be called.

    Examples:
        >>> from attrs import frozen
        >>> @frozen
        ... class Days:
        ...     days: tuple[str, ...]
        >>> def table(result, lang):
        ...     return TextTable(["day"], [[day] for day in result.days])
        >>> report = tables_report(
        ...     Days,
        ...     parts=lambda result, lang: [table(result, lang)],
        ...     table=table,
        ...     record=lambda result, lang: {"days": result.days},
        ... )
        >>> report.formats
        ('text', 'md', 'csv', 'json', 'html')
    """
    contents: dict[str, ContentFunction] = {"text": parts, "md": parts, "csv": table, "json": record, "html": parts}
    return Report(result, {**contents, **others}, options)

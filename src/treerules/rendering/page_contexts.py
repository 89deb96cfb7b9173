"""The contexts of the templates of pages: finished texts. They are public API."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples


@frozen
class PageScriptContext:
    """The context of page/script.js: the module that predicts, and the statements that set the page's constants.

    A page has the script of a tree or that of an ensemble.
    """

    module: str
    has_tree: bool
    constants: tuple[str, ...] = field(converter=as_tuple)


@frozen
class ReportPageContext:
    """The context of page/report.html. The style and the script stand in the page as they are; all else is escaped."""

    #: the language of the page: en or zh
    lang: str
    #: the heading of the page
    title: str
    #: the Content-Security-Policy, with the hashes of style and script
    policy: str
    #: whether the page draws a tree
    has_tree: bool
    #: the finished style sheet and script
    style: str
    script: str
    #: what is known of the model: each a name, and lines
    summary: tuple[tuple[str, tuple[str, ...]], ...] = field(converter=as_tuples)
    #: the words of the page, by the names that the template uses
    texts: Mapping[str, str]
    #: code of the model: a value of the script, its name, and the text
    codes: tuple[tuple[str, str, str], ...] = field(converter=as_tuples)
    #: on rows of data: a heading, HTML or SVG that stands in the page as it is, and the reason where it is lacking
    parts: tuple[tuple[str, str, str], ...] = field(converter=as_tuples)
    #: the orders of the rules: a value of the script, and its text
    orders: tuple[tuple[str, str], ...] = field(converter=as_tuples)
    #: the name of the target
    target: str
    #: what the page shows where no script runs: the first rules, and a remark on the others
    sentences: tuple[str, ...] = field(converter=as_tuple)
    more: str
    #: the lines below the rules: where missing and unseen values go, and what is assumed of the columns
    remarks: tuple[str, ...] = field(default=(), converter=as_tuple)

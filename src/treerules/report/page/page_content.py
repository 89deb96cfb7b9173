"""`PageContent`: what a page says about a model, whichever kind of model it is."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple, as_tuples
from treerules.data.schema import Schema


@frozen
class PageContent:
    """The parts of a page that depend on the kind of its model."""

    schema: Schema
    #: the module that predicts, and what its script knows beside it
    module: str
    constants: tuple[str, ...] = field(converter=as_tuple)
    #: what is known of the model: each a name, and lines
    summary: tuple[tuple[str, tuple[str, ...]], ...] = field(converter=as_tuples)
    #: the first rules as sentences, and the number of all of them
    sentences: tuple[str, ...] = field(converter=as_tuple)
    n_rules: int
    has_tree: bool
    #: code of the model: a value of the script, its name, and the text
    codes: tuple[tuple[str, str, str], ...] = field(default=(), converter=as_tuples)
    #: the lines below the rules: where missing and unseen values go, and what is assumed
    remarks: tuple[str, ...] = field(default=(), converter=as_tuple)

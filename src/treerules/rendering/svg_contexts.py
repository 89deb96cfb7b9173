"""The contexts of the templates of pictures: finished shapes. They are public API."""

from collections.abc import Mapping

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple


@frozen
class SvgShape:
    """An element of SVG: its name, its attributes, and its text, which is empty for all but text."""

    name: str
    attributes: Mapping[str, str]
    text: str = ""


@frozen
class SvgGroup:
    """Shapes that belong together, such as those of a node. The title is what a browser shows beside the pointer."""

    title: str
    shapes: tuple[SvgShape, ...] = field(converter=as_tuple)


@frozen
class SvgPicture:
    """A picture, of which the template escapes all texts."""

    #: in pixels
    width: str
    height: str
    #: what the picture is, for people who do not see it, and what it shows
    title: str
    description: str
    #: from the back to the front
    groups: tuple[SvgGroup, ...] = field(converter=as_tuple)


@frozen
class SvgContext:
    """The context of svg/picture.svg: a picture."""

    picture: SvgPicture

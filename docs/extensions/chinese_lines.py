"""Join the lines of Chinese paragraphs without the blank that a line end becomes in HTML."""

import re

from docutils import nodes
from sphinx.application import Sphinx

_WIDE = r"[\u2018-\u201d\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]"
_LINE_END = re.compile(rf"(?<={_WIDE})\n(?={_WIDE})")


def _join(app: Sphinx, document: nodes.document) -> None:
    for text in list(document.findall(nodes.Text)):
        if "\n" in text and not isinstance(text.parent, (nodes.literal_block, nodes.literal)):
            text.parent.replace(text, nodes.Text(_LINE_END.sub("", text)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the joiner; English has no wide characters, so that it changes nothing there."""
    app.connect("doctree-read", _join)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

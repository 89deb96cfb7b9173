"""Join the lines of Chinese paragraphs without the blank that a line end becomes in HTML."""

import re

from docutils import nodes
from sphinx.application import Sphinx

_IS_WIDE = re.compile(r"[\u2018-\u201d\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")


def _join(app: Sphinx, document: nodes.document) -> None:
    """Remove each line end, which MyST keeps as a text of its own, between two wide characters."""
    for line_end in [text for text in document.findall(nodes.Text) if text == "\n"]:
        parent = line_end.parent
        position = parent.index(line_end)
        before, after = parent[position - 1].astext()[-1:], parent[position + 1].astext()[:1]
        if position and _IS_WIDE.match(before) and _IS_WIDE.match(after):
            parent.pop(position)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the joiner; English has no wide characters, so that it changes nothing there."""
    app.connect("doctree-read", _join)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The directive `screenshot`: a picture that the build takes in Chromium, or nothing where Chromium is lacking."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Screenshot(SphinxDirective):
    """Shows `_pictures/NAME.png`; the content of the directive is the text for those who do not see it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the picture."""
        file = Path(self.env.srcdir) / "_pictures" / f"{self.arguments[0]}.png"
        return [nodes.image(uri=f"/_pictures/{file.name}", alt=" ".join(self.content))] if file.exists() else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("screenshot", Screenshot)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

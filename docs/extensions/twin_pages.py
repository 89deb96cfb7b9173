"""Give each page a link to its twin in the other language, or to the first page there where it has none."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

#: The other language of each, and the words of the link.
OTHER = {"en": ("zh", "中文"), "zh": ("en", "English")}


def _add_link(
    app: Sphinx, page: str, template: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    language = Path(app.srcdir).name
    other, words = OTHER[language]
    has_twin = (Path(app.srcdir).parent / other / f"{page}.md").exists()
    to_root = "../" * (page.count("/") + 1)
    context["twin"] = {
        "href": f"{to_root}{other}/{page if has_twin else 'index'}.html",
        "words": words,
        "language": "zh-CN" if other == "zh" else other,
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the link to what templates are given."""
    app.connect("html-page-context", _add_link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

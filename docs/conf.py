"""The configuration of Sphinx for both languages; `build.py` gives the language by a tag, `en` or `zh`."""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))

from treerules import __version__  # noqa: E402

IS_CHINESE = tags.has("zh")  # type: ignore[name-defined]  # noqa: F821  (Sphinx defines it)

project = "treerules"
author = copyright = "the authors of treerules"
release = version = __version__
language = "zh_CN" if IS_CHINESE else "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "chinese_lines",
    "chinese_search",
    "chinese_theme",
    "command_line_reference",
    "google_docstrings",
    "mathml",
    "public_names",
    "reference_lists",
    "screenshots",
    "twin_pages",
]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
default_role = "code"  # docstrings have `names` in single backquotes, as Markdown has them
# No page may depend on a network: other projects are plain links.
nitpicky = True

# Signatures: names are written without their modules, and long ones with one parameter a line.
add_module_names = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"


def setup(app: Sphinx) -> None:
    """Name the languages of examples that Pygments does not know."""
    for name in ("lark", "rules"):
        app.add_lexer(name, TextLexer)


html_theme = "furo"
html_title = "treerules"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # a summary is fetched, which a browser forbids to pages on a disk
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}

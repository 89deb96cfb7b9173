"""Words of the theme in Chinese, which neither furo nor Sphinx has translated."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _

_CHINESE = {"Home": "首页", "Next": "下一页", "On this page": "本页内容", "Previous": "上一页"}


def _add_words(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if app.config.language == "zh_CN":
        context["_"] = lambda text: _CHINESE.get(text) or _(text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Hand the words to the templates."""
    app.connect("html-page-context", _add_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""A document around the HTML of a result, for a file that a browser opens."""

import re
from pathlib import Path

from treerules.rendering.templates import render_template
from treerules.rendering.text_contexts import HtmlDocumentContext
from treerules.report.content_policy import content_policy

#: Light or dark as the reader's system is; the fragment takes its colours from here.
_STYLE = "body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 72rem; padding: 0 1rem; }"


def html_document(fragment: str, *, title: str, lang: str = "en", templates: str | Path | None = None) -> str:
    """Return a document that holds the HTML of a result and loads nothing.

    Args:
        fragment: the HTML that `render` returns.
        title: the title of the document.
        lang: the language of its headings.
        templates: a folder of templates that is searched first.
    """
    styles = [_STYLE, *re.findall(r"<style>(.*?)</style>", fragment, re.DOTALL)]
    policy = content_policy(styles=styles)
    context = HtmlDocumentContext(lang, title, policy, _STYLE, fragment.rstrip("\n"))
    return render_template("html/document.html.j2", templates, context)

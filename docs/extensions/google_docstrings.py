"""Read docstrings of functions and classes in Google's style; those of attributes are plain sentences.

The extension napoleon takes the words before a colon in the docstring of an attribute for its type, so that
"the first line: language and hashes" would have the type "the first line". So it is asked for all else alone.
"""

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, GoogleDocstring

_CONFIG = Config(napoleon_use_ivar=True)


class _Docstring(GoogleDocstring):
    """Takes all of "Returns:" for a description: the types stand in signatures."""

    def _consume_returns_section(self, preprocess_types: bool = False) -> list[tuple[str, str, list[str]]]:
        lines = self._dedent(self._consume_to_next_section())
        return [("", "", lines)] if lines else []


def _escaped(line: str) -> str:
    """Escape what docstrings say as it stands: |T| is no substitution, feature_importances_ no reference."""
    parts = line.split("`")
    parts[::2] = [re.sub(r"\||(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
    return "`".join(parts)


def _convert(app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else _escaped(line) for line in lines]
    if what not in ("attribute", "data", "property"):
        lines[:] = _Docstring(lines, _CONFIG, app, what, name, value, options).lines()


def _skip(app: Sphinx, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the methods that scikit-learn adds to estimators, whose docstrings refer to its own pages."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the reader of docstrings."""
    app.connect("autodoc-process-docstring", _convert)
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The formats in which tables are printed, and JSON as this project writes it."""

import json
from typing import Any

from treerules.errors import UnknownNameError
from treerules.rendering.headings import require_lang

FORMATS = ("text", "md", "csv", "json")


def require_format(format: str, lang: str) -> None:
    """Raise UnknownNameError unless there are such a format and words for the language."""
    if format not in FORMATS:
        raise UnknownNameError("format", str(format), FORMATS)
    require_lang(lang)


def json_text(content: dict[str, Any]) -> str:
    """Return a record as JSON; what JSON does not know is given as text."""
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False, default=str) + "\n"

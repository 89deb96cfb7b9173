"""Spellings that several dialects share. Those that languages of users may take stand in `sql/language.py`."""

from datetime import datetime

from treerules.sql.language import iso_text


def cast(kind: str, text: str) -> str:
    """Return CAST('text' AS kind); the text holds no quote."""
    return f"CAST('{text}' AS {kind})"


def with_zone_type(moment: datetime) -> str:
    """Return TIMESTAMPTZ '...' of a moment with a zone, else TIMESTAMP '...'."""
    return f"{'TIMESTAMPTZ' if moment.tzinfo else 'TIMESTAMP'} '{iso_text(moment)}'"

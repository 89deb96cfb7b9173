"""Rules that people wrote: text, decision tables, DMN and SQL."""

from treerules.parse.written import Unread, Written

__all__ = ("Unread", "Written")

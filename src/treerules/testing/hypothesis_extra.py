"""Hypothesis, which the extra [testing] installs; without it the error names the extra."""

from treerules.errors import MissingExtraError

try:
    from hypothesis import event, note
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ImportError as error:
    raise MissingExtraError("hypothesis", "testing") from error

__all__ = ("InvalidArgument", "event", "note", "st")

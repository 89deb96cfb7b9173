"""Pausing of Python's cyclic garbage collector."""

import gc
from contextlib import ContextDecorator
from threading import Lock

from attrs import define, field


@define
class _Pauses:
    """The pauses that are under way in all threads, and whether the collector was on before the first of them."""

    lock: Lock = field(factory=Lock)
    depth: int = 0
    was_enabled: bool = False

    def enter(self) -> None:
        """Disable the collector where this is the only pause."""
        with self.lock:
            if self.depth == 0:
                self.was_enabled = gc.isenabled()
                gc.disable()
            self.depth += 1

    def leave(self) -> None:
        """Enable the collector where this was the last pause, and the collector was on before the first."""
        with self.lock:
            self.depth -= 1
            if self.depth == 0 and self.was_enabled:
                gc.enable()


_PAUSES = _Pauses()


class paused_gc(ContextDecorator):  # noqa: N801 (used as a function)
    """Pause the cyclic garbage collector while many values without cycles are made; a decorator, too.

    Every 700 new values the collector looks through the young ones, and now and then through all. Values that make no
    cycles need none of this. Pauses may be nested and run in several threads: the collector is on again after the last
    of them, if it was on before the first. A collector that the user has switched off stays off, and what `gc.freeze`
    has put aside stays there.

    It is a class and not a generator: the end of a generator raises StopIteration, a new value. It would start a
    collection of all the values that were just made.
    """

    def __enter__(self) -> None:
        _PAUSES.enter()

    def __exit__(self, *_error: object) -> None:
        _PAUSES.leave()

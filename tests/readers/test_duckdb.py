"""Queries and Ctrl-C: what is interrupted, and what is left to the program. (`test_cli` presses it on a terminal.)"""

import signal
import socket
import threading
from collections.abc import Iterator

import pytest

from treerules.readers.duckdb_connection import open_connection

#: Some tenths of a second of work.
QUERY, COUNT = "SELECT count(*) FROM range(200000000) AS r WHERE r.range % 7 = 3", len(range(3, 200_000_000, 7))
#: Hours of it, in one task.
LONG = "SELECT count(*) FROM range(10000000) AS r, range(10000000) AS s WHERE r.range * s.range = 7"


@pytest.fixture
def pressed() -> Iterator[threading.Timer]:
    """Press Ctrl-C in a moment, once it is started; a suite that was started in the background may be deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, lambda: signal.raise_signal(signal.SIGINT))
    yield timer
    timer.cancel()
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_query(pressed: threading.Timer) -> None:
    """As KeyboardInterrupt, and the listener is gone."""
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), open_connection() as connection:
        pressed.start()
        connection.execute(
            "SELECT count(*) FROM range(10000000) AS r, range(10000000) AS s WHERE r.range * s.range = 7"
        )
    pressed.join()
    assert threading.active_count() == before
    assert signal.set_wakeup_fd(-1) == -1


def test_a_program_that_heeds_ctrl_c_itself_keeps_its_query(pressed: threading.Timer) -> None:
    """Its handler is called, and the query goes on to its end."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with open_connection() as connection:
            pressed.start()
            assert connection.execute(QUERY).fetchall() == [(COUNT,)]
            pressed.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_another_listener_stays() -> None:
    """Python wakes one listener at a signal: one that is there, such as asyncio's, is there afterwards."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    try:
        signal.set_wakeup_fd(theirs.fileno())
        with open_connection() as connection:
            assert connection.execute("SELECT 1").fetchall() == [(1,)]
        assert signal.set_wakeup_fd(-1) == theirs.fileno()
    finally:
        ours.close()
        theirs.close()


def test_other_threads_may_ask() -> None:
    """Signals are the main thread's: elsewhere nothing listens, and queries are answered."""
    found: list[object] = []

    def ask() -> None:
        with open_connection() as connection:
            found.extend(connection.execute("SELECT 1").fetchall())

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join()
    assert found == [(1,)]

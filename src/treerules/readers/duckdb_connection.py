"""DuckDB connections: translation of errors, and interruption by Ctrl-C."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treerules._internal.sql_quotes import quote_doubling
from treerules.errors import MissingExtraError, TreeRulesError


@contextmanager
def open_connection(database: Path | None = None) -> Iterator[Any]:
    """Yield a DuckDB connection in memory, for which a database file can be read; timestamps with a zone are in UTC.

    Raises:
        MissingExtraError: DuckDB is not installed.
        KeyboardInterrupt: Ctrl-C was pressed during a query.
    """
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtraError("duckdb", "cli") from error
    with duckdb.connect(config={"autoinstall_known_extensions": False}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        if database is not None:
            connection.execute(f"ATTACH {quote_doubling(str(database))} AS source (READ_ONLY); USE source")
        try:
            with _interrupt_on_ctrl_c(connection):
                yield connection
        except (RuntimeError, duckdb.InterruptException) as error:
            if "nterrupted" in str(error):
                raise KeyboardInterrupt from None
            raise


@contextmanager
def _interrupt_on_ctrl_c(connection: Any) -> Iterator[None]:
    """Interrupt a running query on Ctrl-C.

    DuckDB checks for signals only between its tasks, and one task may take hours.

    Only the main thread receives signals, and Python wakes one listener. This does nothing if there is another
    listener, or if the program handles Ctrl-C itself.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def listen() -> None:
        while number := ours.recv(1):
            if number[0] == signal.SIGINT:
                connection.interrupt()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    before = -1
    try:
        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        if before != -1:
            signal.set_wakeup_fd(before)
        yield
    finally:
        if before == -1:
            signal.set_wakeup_fd(-1)
        theirs.close()  # ends the listener
        listener.join()
        ours.close()


@contextmanager
def translate_errors(error_of: Callable[[str], TreeRulesError]) -> Iterator[None]:
    """Translate an error of DuckDB into a TreeRulesError with its first paragraph."""
    try:
        yield
    except Exception as error:
        is_theirs = type(error).__module__.startswith(("duckdb", "_duckdb")) or type(error) in (
            RuntimeError,
            UnicodeError,
        )
        if isinstance(error, TreeRulesError) or not is_theirs:
            raise
        raise error_of(" ".join(str(error).split("\n\n")[0].split())[:300]) from error

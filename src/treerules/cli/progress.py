"""Progress bars: on a terminal, for what takes more than a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

Tell = Callable[[int, int], None]

#: Seconds that pass before a bar is shown.
PATIENCE = 1.0


@contextmanager
def progress(what: str) -> Iterator[Tell | None]:
    """Give the callback that moves a bar on stderr, with (done, total); None where stderr is no terminal.

    A total of 0 is unknown. The bar goes when all is done.
    """
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=None)
    timer = Timer(PATIENCE, bar.start)  # so that what calls nothing back for long is seen too
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()

"""Progress bars on a terminal for work that takes more than a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

ReportProgress = Callable[[int, int], None]

#: Seconds that pass before a bar is shown.
PATIENCE = 1.0
_BOUNDS = "no tree costs less than {task.completed:.0f}; best so far {task.total:.0f}"


@contextmanager
def progress(description: str, *, has_bounds: bool = False) -> Iterator[ReportProgress | None]:
    """Yield a callback (done, total) that moves a bar on stderr; None where stderr is not a terminal.

    A total of 0 means that it is unknown. The bar disappears in the end. With `has_bounds` the callback takes the lower
    bound and the cost of the best tree, which are shown.
    """
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(_BOUNDS if has_bounds else "{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(description, total=None)
    timer = Timer(PATIENCE, bar.start)  # shows the bar even before the first call
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()

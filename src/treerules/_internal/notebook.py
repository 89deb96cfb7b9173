"""Display of results in Python and notebooks: the base class `Shown`."""

from typing import Any


class Shown:
    """A result that `print` shows as its text report and a notebook as HTML. Its `repr` stays short."""

    __slots__ = ()

    def __str__(self) -> str:
        return _render(self, "text").rstrip("\n")

    def _repr_html_(self) -> str:
        return _render(self, "html")


def _render(result: Any, format: str) -> str:
    from treerules.report.render_result import render  # late: reports need the results that know how they are shown

    return render(result, format=format)

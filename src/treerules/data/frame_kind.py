"""Answers as data frames and series of the library that the caller uses, with the index of the caller's frame."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.data.frames import is_frame, open_frame
from treerules.errors import OptionError

#: The libraries that can be asked for by name.
_LIBRARIES = {
    "pandas": nw.Implementation.PANDAS,
    "polars": nw.Implementation.POLARS,
    "pyarrow": nw.Implementation.PYARROW,
}


@short_repr
@frozen(eq=False)
class FrameKind:
    """A library of data frames, and the index of the rows where it has one (pandas)."""

    #: a narwhals Implementation
    library: Any
    index: Any = None

    def series(self, name: str, values: Any) -> Any:
        """Return an array as a series of the library, with the index; None in an array of objects is missing."""
        return self._indexed(self._series(name, values).to_native())

    def data_frame(self, columns: Mapping[str, Any]) -> Any:
        """Return named arrays as a data frame of the library, with the index."""
        frames = [self._series(name, values).to_frame() for name, values in columns.items()]
        return self._indexed(nw.concat(frames, how="horizontal").to_native())

    def _series(self, name: str, values: Any) -> Any:
        if values.dtype.kind != "O":
            return nw.new_series(name, values, backend=self.library)
        cells = values.tolist()
        if self.library.is_pandas_like() and _are_integers_with_gaps(cells):
            native = self.library.to_native_namespace()
            return nw.from_native(native.Series(cells, name=name, dtype="Int64"), series_only=True)  # exact beyond 2^53
        return nw.new_series(name, cells, backend=self.library)

    def _indexed(self, native: Any) -> Any:
        if self.index is not None:
            native.index = self.index
        return native


def _are_integers_with_gaps(cells: list[Any]) -> bool:
    return set(map(type, cells)) == {int, type(None)}


def kind_of_frame(frame: Any) -> FrameKind:
    """Return the kind of a narwhals DataFrame."""
    return FrameKind(frame.implementation, nw.maybe_get_index(frame))


def wanted_kind(like: Any, n_rows: int) -> FrameKind:
    """Return the kind of frame that a caller asks for: that of a frame, or of a library by its name.

    Raises:
        OptionError: `like` is neither, has another number of rows, or its library is not installed.
    """
    if isinstance(like, str) and like in _LIBRARIES:
        try:
            _LIBRARIES[like].to_native_namespace()
        except ModuleNotFoundError:
            raise OptionError("like", like, f"a library that is installed; run: pip install {like}") from None
        return FrameKind(_LIBRARIES[like])
    if isinstance(like, str) or not is_frame(like):
        raise OptionError("like", like, 'a data frame, or "pandas", "polars" or "pyarrow"')
    frame = open_frame(like, "like")
    if len(frame) != n_rows:
        raise OptionError("like", f"a frame of {len(frame)} rows", f"one of {n_rows} rows, as there are predictions")
    return kind_of_frame(frame)

"""The public functions of treerules, curried as those of `toolz.curried` are.

A call without all required arguments returns a function of the remaining ones, so that a pipeline needs no lambdas:

>>> from toolz import pipe
>>> from treerules import Table, curried
>>> table = Table.from_columns({"x": ["p", "p", "q"] * 9, "y": ["no", "no", "yes"] * 9})
>>> pipe(table, curried.learn(target="y"), curried.prune(alpha=0.5), curried.predict(table=table)).tolist()[:3]
['no', 'no', 'yes']

They are those of `treerules` and of its packages `trees`, `readers`, `importers`, `formats`, `emit` and `report`; no
two have the same name. Those of `criteria` and `testing` are not steps of a pipeline. Importing this module loads all
of them.
"""

from inspect import isfunction
from typing import TYPE_CHECKING, Any

from toolz import curry

import treerules
from treerules import emit, formats, importers, proof, readers, report, trees

_FUNCTIONS = {
    name: getattr(package, name)
    for package in (treerules, trees, readers, importers, formats, emit, proof, report)
    for name in package.__all__
    if isfunction(getattr(package, name))
}

__all__ = tuple(sorted(_FUNCTIONS))

globals().update({name: curry(function) for name, function in _FUNCTIONS.items()})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...

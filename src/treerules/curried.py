"""The public functions of treerules, curried as those of `toolz.curried` are.

A function that is called without some required argument returns a function that waits for it. So steps of a pipeline
need no lambdas:

>>> from toolz import pipe
>>> from treerules import Table, curried
>>> table = Table.from_columns({"有工作": ["否", "否", "是"], "类别": ["否", "否", "是"]})
>>> pipe(table, curried.learn(target="类别"), curried.prune(alpha=0.5), curried.predict(table=table)).tolist()
['否', '否', '是']

Importing this module loads every public function.
"""

from inspect import isfunction
from typing import TYPE_CHECKING, Any

from toolz import curry

import treerules

__all__ = tuple(name for name in treerules.__all__ if isfunction(getattr(treerules, name)))

for _name in __all__:
    globals()[_name] = curry(getattr(treerules, _name))
del _name

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...

"""Strategies for our types, registered where hypothesis is loaded: `from_type(Tree)` is `treerules.testing.trees()`.

    treerules first     hypothesis runs its entry points when it is imported: `_treerules_hypothesis.register`
    hypothesis first    `import treerules` ends with `register`

Neither loads the other, and the strategies are made when they are first asked for.
"""

import sys
from typing import Any

import treerules.testing

#: Types, by their public name, and the strategy of each.
_STRATEGIES = {"Schema": "schemas", "Table": "tables", "Tree": "trees", "RuleSet": "rule_sets"}


def register() -> None:
    """Register the strategies of our types, if hypothesis is loaded."""
    strategies: Any = sys.modules.get("hypothesis.strategies")
    if strategies is None or not hasattr(strategies, "register_type_strategy"):
        return  # it is not there, or being imported: then its entry point comes back
    for name, strategy in _STRATEGIES.items():
        kind = getattr(sys.modules.get("treerules"), name, None)
        if kind is not None:  # else the package is being imported, and registers at its end
            strategies.register_type_strategy(kind, _resolver(strategy))


def _resolver(name: str) -> Any:
    def resolve(thing: Any) -> Any:
        return getattr(treerules.testing, name)()

    return resolve

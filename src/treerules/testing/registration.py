"""Strategies for our types, registered where hypothesis is loaded: `from_type(Tree)` is `treerules.testing.trees()`.

    treerules first     hypothesis runs its entry points when it is imported: `_treerules_hypothesis.register`
    hypothesis first    `treerules` registers its types as they are loaded

Neither loads the other, and the strategies are made when they are first asked for.
"""

import sys
from typing import Any

import treerules.testing

#: Types, by their public name, and the strategy of each.
_STRATEGIES = {"Schema": "schemas", "Table": "tables", "Tree": "trees", "RuleSet": "rule_sets"}


def register() -> None:
    """Register the strategies of those of our types that are loaded, if hypothesis is."""
    strategies: Any = sys.modules.get("hypothesis.strategies")
    if strategies is None or not hasattr(strategies, "register_type_strategy"):
        return  # it is not there, or being imported: then its entry point comes back
    loaded = vars(sys.modules["treerules"])
    for name in _STRATEGIES.keys() & loaded.keys():
        strategies.register_type_strategy(loaded[name], _resolver(_STRATEGIES[name]))


def _resolver(name: str) -> Any:
    def resolve(thing: Any) -> Any:
        return getattr(treerules.testing, name)()

    return resolve

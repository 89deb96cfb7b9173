"""Strategies for our types, registered where hypothesis is loaded: `from_type(Tree)` is `treerules.testing.trees()`.

    treerules first     hypothesis runs its entry points when it is imported: `_treerules_hypothesis.register`
    hypothesis first    `treerules` registers its types as they are loaded

Neither package loads the other, and each strategy is made when it is first used.
"""

import sys
from importlib import import_module
from typing import Any

import treerules.testing

#: The types by their public name, each with its module and its strategy.
_STRATEGIES = {
    "Schema": ("treerules.data.schema", "schemas"),
    "Table": ("treerules.data.table", "tables"),
    "Tree": ("treerules.trees.tree", "trees"),
    "RuleSet": ("treerules.rules.rule_set", "rule_sets"),
}


def register() -> None:
    """Register the strategies of those of our types that are loaded, if hypothesis is."""
    if "hypothesis" not in sys.modules:
        return
    import_module("hypothesis")  # waits while another thread imports it: its modules are halves until then
    strategies: Any = sys.modules.get("hypothesis.strategies")
    if strategies is None or not hasattr(strategies, "register_type_strategy"):
        return  # hypothesis is not loaded, or is being imported and will call this through its entry point
    for name, (module, strategy) in _STRATEGIES.items():
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None:  # else its module, and so the type, is not loaded yet
            strategies.register_type_strategy(kind, _resolver(strategy))


def _resolver(name: str) -> Any:
    def resolve(kind: Any) -> Any:
        return getattr(treerules.testing, name)()

    return resolve

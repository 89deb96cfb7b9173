"""Strategies for our types, registered where hypothesis is loaded: `from_type(Tree)` is `treerules.testing.trees()`.

    treerules first     hypothesis runs its entry points when it is imported: `_treerules_hypothesis.register`
    hypothesis first    `import treerules` ends with `register`

Neither loads the other, and the strategies are made when they are first asked for.
"""

import sys
from typing import Any

#: By the type, the module that it stands in, and its strategy.
_STRATEGIES = (
    ("Schema", "treerules.schema", "schemas"),
    ("Table", "treerules.table", "tables"),
    ("Tree", "treerules.tree", "trees"),
    ("RuleSet", "treerules.rules", "rule_sets"),
)


def register() -> None:
    """Register the strategies of our types, if hypothesis is loaded."""
    strategies: Any = sys.modules.get("hypothesis.strategies")
    if strategies is None or not hasattr(strategies, "register_type_strategy"):
        return  # it is not there, or being imported: then its entry point comes back
    for name, module, strategy in _STRATEGIES:
        loaded = sys.modules.get(module)
        if loaded is not None and hasattr(loaded, name):
            strategies.register_type_strategy(getattr(loaded, name), _resolver(strategy))


def _resolver(name: str) -> Any:
    def resolve(thing: Any) -> Any:
        import treerules.testing

        return getattr(treerules.testing, name)()

    return resolve

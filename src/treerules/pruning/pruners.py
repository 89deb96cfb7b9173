"""The pruning methods, a record each, and `prune`, which finds them by name."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from treerules.data.table_data import table_of
from treerules.errors import OptionError, UnknownNameError
from treerules.pruning.collapse import COLLAPSE
from treerules.pruning.cost_complexity import COST_COMPLEXITY
from treerules.pruning.merge_equal_leaves import MERGE_EQUAL_LEAVES
from treerules.pruning.minimum_error import MINIMUM_ERROR
from treerules.pruning.penalised import PENALISED
from treerules.pruning.pessimistic import PESSIMISTIC
from treerules.pruning.pruner import NodeNumbers, Pruner, as_node_numbers
from treerules.pruning.reduced_error import REDUCED_ERROR
from treerules.pruning.snip import SNIP
from treerules.trees.ensemble import require_tree
from treerules.trees.tree import Tree

#: The pruning methods by name.
PRUNERS: dict[str, Pruner] = {
    pruner.name: pruner
    for pruner in (
        PENALISED,
        COST_COMPLEXITY,
        PESSIMISTIC,
        REDUCED_ERROR,
        MINIMUM_ERROR,
        SNIP,
        MERGE_EQUAL_LEAVES,
        COLLAPSE,
    )
}
#: The name of the default method.
DEFAULT_PRUNER = COST_COMPLEXITY.name


def prune(tree: Tree, method: str = DEFAULT_PRUNER, **options: Any) -> Tree:
    """Return the tree pruned by a method.

        cost_complexity      alpha=, risk=                          Breiman 1984, chapter 3; Li Hang, algorithm 5.7
        penalised            alpha=, base=                          Li Hang, algorithm 5.4
        pessimistic          confidence=, limit=, table=, weight=   C4.5: Quinlan 1993, chapter 4
        reduced_error        table=, weight=, drop_missing_target=  validation rows: Quinlan 1987
        minimum_error        m=                                     Niblett and Bratko 1986
        snip                 node=                                  by hand, by the numbers of nodes
        merge_equal_leaves                                          leaves of one parent that predict the same
        collapse                                                    splits that save no training errors: C4.5, J48 -U

    Args:
        tree: a Tree whose splits have `as_leaf`, the leaf to replace them, such as one returned by `learn`.
        method: the name of a method.
        **options: the options of the method; each method's function in `treerules.pruning` documents its own.

    Returns:
        A Tree with no more leaves; its `origin` records the method and its options.

    Raises:
        UnknownNameError: no method has this name.
        OptionError: an option is missing, or the method has no such option; other errors as the method raises them.
        DataError: a split has no leaf to replace it; other errors as the method raises them.

    Examples:
        >>> from treerules import cart, learn, Table
        >>> table = Table.from_columns({"x": [1, 2, 3, 4, 5, 7], "y": ["a", "a", "b", "a", "b", "b"]})
        >>> tree = learn(table, target="y", recipe=cart())
        >>> tree, prune(tree, "cost_complexity", alpha=0.5), prune(tree, "snip", node=0)
        (<Tree 'y' leaves=4 depth=3>, <Tree 'y' leaves=2 depth=1>, <Tree 'y' leaves=1 depth=0>)
    """
    if not isinstance(method, str) or method not in PRUNERS:
        raise UnknownNameError("pruning method", str(method), PRUNERS)
    pruner = PRUNERS[method]
    _check_options(pruner, options)
    for option in pruner.options:
        if isinstance(option.values, NodeNumbers) and option.name in options:
            options[option.name] = as_node_numbers(options[option.name])
    if options.get("table") is not None:
        options["table"] = table_of(options["table"])
    require_tree("tree", tree)
    pruned = pruner.prune(tree, **options)
    return pruned if tree.origin is None else evolve(pruned, origin=tree.origin.after(method, options))


def _check_options(pruner: Pruner, options: Mapping[str, Any]) -> None:
    """Raise OptionError unless a method has these options, and all required ones are among them."""
    method, names = pruner.name, pruner.option_names
    for name, value in options.items():
        if name not in names:
            accepted = f"one of {', '.join(names)}" if names else "none: it has no options"
            raise OptionError(f"the option {name!r} of {method}", value, accepted)
    for option in pruner.options:
        if option.required and option.name not in options:
            example = f"prune(tree, {method!r}, {option.name}={option.example})"
            raise OptionError(option.name, None, f"a value: {method} requires one, as in {example}")

"""The first line of the code of an ensemble, and the hash of its model in it."""

from collections.abc import Iterator

from treerules.emit.hashed_text import hash_of_text, hashed_schema_text
from treerules.emit.header import Opening, opening_with
from treerules.trees.ensemble import SUM_FIELDS, Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.node_parts import CategoryTest, Test, ThresholdTest
from treerules.trees.nodes import Leaf, Split
from treerules.trees.walkers import preorder


def ensemble_opening(ensemble: Ensemble, language: str, layout: str) -> Opening:
    """Return the opening of a file with the code of an ensemble: its rules are those of all trees."""
    return opening_with(ensemble.schema, ensemble.n_leaves, hash_of_ensemble(ensemble), language, layout)


def hash_of_ensemble(ensemble: Ensemble) -> str:
    """Return the hash of the columns, the sum, the tests and the leaves of an ensemble, without figures and notes.

    Like the hash of rules it is published, so the texts that it is made of never change.
    """
    return hash_of_text("\n".join(_hashed_lines(ensemble)))


def _hashed_lines(ensemble: Ensemble) -> Iterator[str]:
    yield hashed_schema_text(ensemble.schema)
    yield f"Ensemble({', '.join(f'{name}={getattr(ensemble, name)!r}' for name in SUM_FIELDS)})"
    for tree in ensemble.trees:
        yield "Tree"
        for node in preorder(tree):
            if isinstance(node, Split):
                yield f"{node.test.feature} {_hashed_test(node.test)} {node.missing} {node.unseen}"
            elif isinstance(node, Leaf):
                yield repr(leaf_vector(node.prediction))


def _hashed_test(test: Test) -> str:
    if isinstance(test, CategoryTest):
        return repr(test.groups)
    return repr(test.threshold) if isinstance(test, ThresholdTest) else repr((test.thresholds, test.lowest_child))

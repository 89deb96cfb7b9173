"""A decision tree with its schema. The nodes are in `nodes`, the functions that walk them in `walkers`."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Protocol, cast

from attrs import field, frozen

from treerules._internal.arguments import require_type
from treerules._internal.field_converters import as_dict, as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Feature, Schema
from treerules.errors import InvalidTreeError, shortened
from treerules.trees.cost_bounds import CostBounds
from treerules.trees.error_estimate import ErrorEstimate
from treerules.trees.node_parts import Prediction, check_figures, check_test
from treerules.trees.nodes import Leaf, Node, Split, nodes_from, shape
from treerules.trees.provenance import Origin
from treerules.trees.routing import RoutingTable, compile_routing


@frozen(repr=False)
class Tree(Shown):
    """A decision tree: total, so every row of its schema's domain reaches exactly one leaf.

    Notes, origin, estimate, bounds and domain take no part in equality.

    Args:
        schema: the features, and the target.
        root: a Split or a Leaf; the other nodes are its descendants.
        recipe: the Recipe by which the tree was learned; None where it was not learned.
        notes: sentences about inferred kinds and columns that were left out.
        origin: the data that the tree was learned from, and how it was pruned; None where that is not known.
        estimate: its cross-validated error, if its size was chosen by cross-validation.
        bounds: what is proved about its cost, if `optimal()` learned it.
        domain: the values that columns are declared to have, a `ColumnDomain` by name: that of the rules that it was
            compiled from; empty where nothing is declared. It changes no answer.

    Raises:
        OptionError: the schema is no Schema, the root no node, or the domain does not fit the schema.
        UnknownNameError: the domain names a column that the schema does not have.
        InvalidTreeError: a test, routing or prediction does not fit the schema.
    """

    #: the features, and the target
    schema: Schema
    #: a Split or a Leaf; the nodes below it hang from its `children`
    root: Node
    #: the Recipe that the tree was learned by; None where it was not learned
    recipe: Any = None
    #: sentences about inferred kinds and columns that were left out
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)
    #: the data that the tree was learned from, and how it was pruned
    origin: Origin | None = field(default=None, eq=False)
    #: the cross-validated error by which the size was chosen; None where it was not, or the tree was changed since
    estimate: ErrorEstimate | None = field(default=None, eq=False)
    #: the cost on the training rows and its lower bound; None where they are not known, or the tree was changed since
    bounds: CostBounds | None = field(default=None, eq=False)
    #: the declared domain of columns, over which `check` proves; empty where nothing is declared
    domain: Domain = field(factory=dict, converter=as_dict, eq=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        require_type("schema", self.schema, Schema, "a Schema")
        require_type("root", self.root, Node, "a Split or a Leaf")
        if self.schema.target is None:
            raise InvalidTreeError("the schema of a tree names no target")
        require_domain(self.schema, self.domain)
        check_figures(self._checked_nodes(), self.schema)

    def _checked_nodes(self) -> Iterator[tuple[Prediction, tuple[float, ...]]]:
        """Yield the prediction and figures of each node, and check the tests."""
        for node in nodes_from(self.root):
            if isinstance(node, Split):
                check_test(node.test, node.unseen, self.schema)
            leaf = node.as_leaf if isinstance(node, Split) else cast(Leaf, node)
            if leaf is not None:
                yield leaf.prediction, leaf.counts

    @classmethod
    def _unchecked(
        cls,
        schema: Schema,
        root: Node,
        recipe: Any,
        notes: tuple[str, ...],
        origin: Origin | None = None,
        estimate: ErrorEstimate | None = None,
        bounds: CostBounds | None = None,
        domain: Domain | None = None,
    ) -> "Tree":
        """Return the tree of nodes that are known to fit the schema, without checking each."""
        tree = object.__new__(cls)
        values = {"schema": schema, "root": root, "recipe": recipe, "notes": notes}
        values |= {"origin": origin, "estimate": estimate, "bounds": bounds, "domain": domain or {}}
        for name, value in values.items():
            object.__setattr__(tree, name, value)
        return tree

    def _with_origin(self, origin: Origin) -> "Tree":
        """Return the same tree with another origin, without checking its nodes again."""
        parts = (self.schema, self.root, self.recipe, self.notes, origin, self.estimate, self.bounds, self.domain)
        return Tree._unchecked(*parts)

    def __repr__(self) -> str:
        name = self.schema.target.name if self.schema.target else ""
        return f"<Tree {shortened(name)} leaves={self.n_leaves} depth={self.depth}>"

    @cached_property
    def _shape(self) -> tuple[int, int]:
        return shape(self.root)

    @property
    def n_leaves(self) -> int:
        """The number of leaves, |T|."""
        return self._shape[0]

    @property
    def depth(self) -> int:
        """The number of edges on the longest path; 0 for a lone leaf."""
        return self._shape[1]

    @cached_property
    def _routing(self) -> RoutingTable:
        """The routing table of all nodes; it is made when rows are first routed, and lives as long as the tree."""
        return compile_routing(self.root)


class HasSchema(Protocol):
    """A value with a schema: a Tree, an Ensemble."""

    @property
    def schema(self) -> Schema:
        """The features, and the target."""
        ...


def target_of(model: HasSchema) -> Feature:
    """Return the target, which the schema of a model always has."""
    assert model.schema.target is not None
    return model.schema.target

"""From rules back to a tree: an exclusive and complete rule set, divided until each part holds one rule.

    1: x <= 5                    x <= 5 ── yes: Leaf, rule 1
    2: x > 5, c in {red}               └─ no: c in {red} ── yes: Leaf, rule 2
    3: x > 5, c != red                                   └─ no: Leaf, rule 3

A rule that reaches to both sides of a question is cut in two, so leaves may be more than rules.
"""

from collections.abc import Sequence

import numpy as np

from treerules.data.domain import Domain, domain_of, require_domain
from treerules.data.sample_values import has_no_values
from treerules.errors import DataError, NotAPartitionError, OptionError, counted
from treerules.proof.check import check
from treerules.proof.region_tree import grow_from_rules
from treerules.proof.to_exclusive import to_exclusive
from treerules.regions.space import lies_within, space_of_regions
from treerules.rules.compile import compile_rules
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, domain_for
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves


def tree_from_rules(rules: Source, *, domain: Domain | None = None, budget: int = 100_000) -> Tree:
    """Return a decision tree that answers as the rules do, on every row of the domain.

    Each leaf carries the number of the rule it comes from, `Leaf.rule`; no training figures. The first note of the tree
    says how many leaves the rules became. Of a rule list the first rule that fires decides. The domain is what a
    file of rules declares, unless one is given; rows outside of it go where rows beside them go.

    >>> from treerules import Feature, Leaf, MeanPrediction, Schema, Split, ThresholdTest, compile_rules
    >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
    >>> rules = compile_rules(Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root))
    >>> tree = tree_from_rules(rules)
    >>> tree.notes, [leaf.rule for leaf in leaves(tree.root)]
    (('2 rules became 2 leaves',), [1, 2])

    Raises:
        NotAPartitionError: the rules are not exclusive and complete over the domain; the error holds a witness.
        DataError: the tree would have more than `budget` leaves, a list is too entangled to be made exclusive, or some
            column can take no value.
        OptionError: these are no rules, their schema names no target, or the domain does not fit it.
    """
    rules, domain = all_rules_of(rules), domain_for(rules, domain)
    if rules.schema.target is None:
        raise OptionError("what becomes a tree", rules, "rules whose schema names a target")
    if type(budget) is not int or budget < 1:
        raise OptionError("budget", budget, "the greatest number of leaves, from 1")

    require_domain(rules.schema, domain)
    void = [f.name for f in rules.schema.features if has_no_values(f, domain_of(f, domain))]
    if void:
        raise DataError(f"column {void[0]!r} can take no value, so there is no row to decide", "declare what may come")
    found, sources = _partition(rules, domain)
    root, pieces = grow_from_rules(found, sources, domain, budget)
    tree = Tree(rules.schema, root)
    _require_equal(tree, pieces, domain)
    n = sum(1 for _ in leaves(tree.root))
    note = f"{counted(len(rules.rules), 'rule')} became {n} {'leaf' if n == 1 else 'leaves'}"
    return Tree(tree.schema, tree.root, notes=[note])


def _partition(rules: RuleSet | RuleList, domain: Domain | None) -> tuple[RuleSet, dict[int, int]]:
    """Return rules that are exclusive and complete, and the number that each came from."""
    if isinstance(rules, RuleList):
        made = to_exclusive(rules, domain=domain)
        found, sources = made.rules, dict(made.sources)
    else:
        found, sources = rules, {rule.number: rule.number for rule in rules.rules}
    verdict = check(found, domain=domain, limit=1)
    for overlap in verdict.overlaps:
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    for gap in verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", gap.row)
    return found, sources


# ---- the proof


def _require_equal(tree: Tree, rule_of_leaf: Sequence[Rule], domain: Domain | None) -> None:
    """Prove the tree equal to the rules: leaves part the space, and each lies within the rule that it names."""
    leaves_as_rules = compile_rules(tree).rules
    rules = [rule_of_leaf[leaf.number - 1] for leaf in leaves_as_rules]
    space = space_of_regions(tree.schema, [rule.conditions for rule in (*leaves_as_rules, *rules)], domain)
    n = len(rules)
    for at in np.flatnonzero(~lies_within(space, space.every[:n], space.every[n:]))[:1].tolist():
        raise AssertionError(f"leaf {leaves_as_rules[at].number} does not lie within rule {rules[at].number}")

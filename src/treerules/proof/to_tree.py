"""Rules as a tree: an exclusive and complete rule set, divided until each part holds one rule.

    1: x <= 5                    x <= 5 ── yes: Leaf, rule 1
    2: x > 5, c in {red}               └─ no: c in {red} ── yes: Leaf, rule 2
    3: x > 5, c != red                                   └─ no: Leaf, rule 3

A rule that lies on both sides of a test is cut in two, so there may be more leaves than rules.
"""

from collections.abc import Sequence

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
    """Return a decision tree that answers as rules do, on every row of the domain.

    The answer is proved: leaves part the space, and each lies within the rule that it names. `Leaf.rule` is the number
    of that rule; leaves have no training figures. The first note of the tree says how many leaves the rules became.

    Args:
        rules: an exclusive and complete rule set, a complete rule list (the first rule that fires decides), a tree, or
            a parsed file of rules.
        domain: the values that columns can take, by column name. By default what the file declares; where it declares
            nothing, every value of the column's kind. A row outside the domain goes where a neighbouring row goes.
        budget: the greatest number of leaves, from 1.

    Returns:
        The tree.

    Raises:
        NotAPartitionError: the rules are not exclusive and complete over the domain; the error holds a witness.
        DataError: the tree would have more than `budget` leaves, a list takes too many steps to be made exclusive, a
            column can take no value, or a part of the file was not read.
        OptionError: `rules` are not rules, their schema names no target, `budget` is not such a number, or `domain`
            does not fit the rules.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules import Feature, Leaf, MeanPrediction, Schema, Split, ThresholdTest, compile_rules
        >>> root = Split(ThresholdTest(0, 5), [Leaf(MeanPrediction(0.0), [1]), Leaf(MeanPrediction(1.0), [1])])
        >>> rules = compile_rules(Tree(Schema([Feature("x", "integer")], Feature("y", "number")), root))
        >>> tree = tree_from_rules(rules)
        >>> tree.notes, [leaf.rule for leaf in leaves(tree.root)]
        (('2 rules became 2 leaves',), [1, 2])
    """
    rules, domain = all_rules_of(rules), domain_for(rules, domain)
    if rules.schema.target is None:
        raise OptionError("rules", rules, "rules whose schema names a target")
    if type(budget) is not int or budget < 1:
        raise OptionError("budget", budget, "the greatest number of leaves, from 1")

    require_domain(rules.schema, domain)
    void = [feature.name for feature in rules.schema.features if has_no_values(feature, domain_of(feature, domain))]
    if void:
        raise DataError(f"column {void[0]!r} can take no value, so there is no row to decide", "declare what may come")
    exclusive, sources = _partition(rules, domain)
    root, rule_of_leaf = grow_from_rules(exclusive, sources, domain, budget)
    tree = Tree(rules.schema, root)
    _require_equal(tree, rule_of_leaf, domain)
    n_leaves = sum(1 for _ in leaves(tree.root))
    note = f"{counted(len(rules.rules), 'rule')} became {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}"
    return Tree(tree.schema, tree.root, notes=[note])


def _partition(rules: RuleSet | RuleList, domain: Domain | None) -> tuple[RuleSet, dict[int, int]]:
    """Return exclusive and complete rules, and the number of the rule that each came from.

    Raises:
        NotAPartitionError: they are not exclusive and complete.
    """
    if isinstance(rules, RuleList):
        result = to_exclusive(rules, domain=domain)
        exclusive, sources = result.rules, dict(result.sources)
    else:
        exclusive, sources = rules, {rule.number: rule.number for rule in rules.rules}
    verdict = check(exclusive, domain=domain, limit=1)
    for overlap in verdict.overlaps:
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    for gap in verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", gap.row)
    return exclusive, sources


# ---- the proof


def _require_equal(tree: Tree, rule_of_leaf: Sequence[Rule], domain: Domain | None) -> None:
    """Prove the tree equal to the rules: leaves part the space, and each lies within the rule that it names."""
    leaves_as_rules = compile_rules(tree).rules
    rules = [rule_of_leaf[leaf.number - 1] for leaf in leaves_as_rules]
    space = space_of_regions(tree.schema, [rule.conditions for rule in (*leaves_as_rules, *rules)], domain)
    n = len(rules)
    within = lies_within(space, space.every[:n], space.every[n:])
    for leaf, rule, is_within in zip(leaves_as_rules, rules, within.tolist(), strict=True):
        if not is_within:
            raise AssertionError(f"leaf {leaf.number} does not lie within rule {rule.number}")

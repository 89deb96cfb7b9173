"""Rules as a tree: an exclusive and complete rule set, divided until each part holds one rule.

    1: x <= 5                    x <= 5 ── yes: Leaf, rule 1
    2: x > 5, c in {red}               └─ no: c in {red} ── yes: Leaf, rule 2
    3: x > 5, c != red                                   └─ no: Leaf, rule 3

A rule with rows on both sides of a test is divided, so there may be more leaves than rules.
"""

from collections.abc import Sequence

from treerules.data.domain import Domain, domain_of, narrowing, require_domain
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

    This is proved before the tree is returned: its leaves partition the space, and each lies within one rule, whose
    number is `Leaf.rule`. Leaves have no training figures. The first note of the tree says how many leaves the rules
    became.

    Args:
        rules: an exclusive and complete rule set, a complete rule list (the first rule that fires decides), a tree, or
            a parsed file of rules.
        domain: the values that columns can take, by column name, kept with the tree. By default what the rules declare;
            where they declare nothing, every value of the column's kind. A row outside the domain gets the answer of a
            neighbouring row.
        budget: the greatest number of leaves, from 1.

    Returns:
        The tree.

    Raises:
        NotAPartitionError: the rules are not exclusive and complete over the domain; the error holds a witness.
        DataError: the tree would have more than `budget` leaves, a list takes too many steps to be made exclusive, a
            column can take no value, or a part of the file was not read.
        OptionError: `rules` are not rules, their schema names no target, `budget` is not a whole number from 1, or
            `domain` does not fit the rules.
        UnknownNameError: `domain` names a column that the schema does not have.

    Examples:
        >>> from treerules import Feature, Schema, compile_rules
        >>> from treerules.trees import Leaf, MeanPrediction, Split, ThresholdTest
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
    empty = [feature.name for feature in rules.schema.features if has_no_values(feature, domain_of(feature, domain))]
    if empty:
        raise DataError(f"column {empty[0]!r} can take no value, so there is no row to decide", "give it a domain")
    exclusive_rules, original_numbers = _partition(rules, domain)
    root, rule_of_leaf = grow_from_rules(exclusive_rules, original_numbers, domain, budget)
    tree = Tree(rules.schema, root)
    _require_equal(tree, rule_of_leaf, domain)
    n_leaves = sum(1 for _ in leaves(tree.root))
    note = f"{counted(len(rules.rules), 'rule')} became {n_leaves} {'leaf' if n_leaves == 1 else 'leaves'}"
    return Tree(tree.schema, tree.root, notes=[note], domain=narrowing(tree.schema, domain))


def _partition(rules: RuleSet | RuleList, domain: Domain | None) -> tuple[RuleSet, dict[int, int]]:
    """Return exclusive and complete rules, and by the number of each that of the rule of `rules` it is a part of.

    A rule list is made exclusive, which may cut a rule into several; a rule set is returned as it is.

    Raises:
        NotAPartitionError: two rules of a set overlap, or the rules leave a gap.
    """
    if isinstance(rules, RuleList):
        result = to_exclusive(rules, domain=domain)
        exclusive_rules, original_numbers = result.rules, dict(result.sources)
    else:
        exclusive_rules, original_numbers = rules, {rule.number: rule.number for rule in rules.rules}
    verdict = check(exclusive_rules, domain=domain, limit=1)
    if verdict.overlaps:
        overlap = verdict.overlaps[0]
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    if verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", verdict.gaps[0].row)
    return exclusive_rules, original_numbers


def _require_equal(tree: Tree, rule_of_leaf: Sequence[Rule], domain: Domain | None) -> None:
    """Prove that a tree answers as rules do: each leaf lies within the rule whose prediction it has.

    Leaves partition the space, as those of every tree do, so that no row is left to compare.

    Args:
        tree: the tree.
        rule_of_leaf: for each leaf, in the order of the leaves, the rule from which it was made.
        domain: the values that columns can take.

    Raises:
        AssertionError: a leaf does not lie within its rule.
    """
    leaves_as_rules = compile_rules(tree).rules  # without leaves that no row reaches
    rules = [rule_of_leaf[leaf.number - 1] for leaf in leaves_as_rules]
    space = space_of_regions(tree.schema, [rule.conditions for rule in (*leaves_as_rules, *rules)], domain)
    leaf_boxes, rule_boxes = space.every[: len(rules)], space.every[len(rules) :]
    within = lies_within(space, leaf_boxes, rule_boxes)
    for leaf, rule, is_within in zip(leaves_as_rules, rules, within.tolist(), strict=True):
        if not is_within:
            raise AssertionError(f"leaf {leaf.number} does not lie within rule {rule.number}")

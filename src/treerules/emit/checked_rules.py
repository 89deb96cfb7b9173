"""The input of every emitter: rules that are known to be exclusive and complete, and the tree that they come from."""

from functools import cached_property
from typing import Any, cast

from attrs import frozen

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import NotAPartitionError, OptionError
from treerules.proof.check import check
from treerules.rules.compile import compile_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import all_rules_of
from treerules.trees.ensemble import one_tree_of
from treerules.trees.node_parts import Prediction
from treerules.trees.training_values import TrainingValues
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves

#: What the emitters accept, in errors.
_SOURCES = "a Tree, a RuleSet or ParsedRules"


@frozen
class CheckedRules:
    """Rules that are exclusive and complete, and the tree that they were compiled from.

    `check_source` creates these records. Functions of this package pass them on, so no rule set is checked twice.
    """

    #: the rule set; None for a tree whose rules are not compiled yet
    compiled: RuleSet | None
    #: the tree that the guarded, lookup and vectorized layouts walk; None for a rule set that people wrote or edited
    tree: Tree | None
    #: whether code refuses rows outside the declared domain
    refuses: bool = False

    @cached_property
    def rules(self) -> RuleSet:
        """The rules. Those of a tree are compiled when first asked for; plain modules of many rules ask for none."""
        return compile_rules(cast(Tree, self.tree)) if self.compiled is None else self.compiled

    @property
    def schema(self) -> Schema:
        """The schema of the rules."""
        return self.rules.schema if self.tree is None else self.tree.schema

    @property
    def domain(self) -> Domain:
        """The declared domain; empty where nothing is declared."""
        return self.rules.domain if self.tree is None else self.tree.domain

    @property
    def training(self) -> TrainingValues | None:
        """The special values of the training rows; None where they are unknown."""
        if self.tree is None:
            return self.rules.training
        return None if self.tree.origin is None else self.tree.origin.values


def check_source(source: Any) -> CheckedRules:
    """Return the rules of a tree or a rule set, checked.

    The rules of a tree are a partition by construction. A rule set that was written or edited is checked here.

    Args:
        source: the argument `source` of a public function.

    Raises:
        OptionError: `source` is neither a Tree nor a rule set.
        DataError: a part of a file of rules was not parsed.
        NotAPartitionError: the rules are not exclusive and complete; the error holds a witness.
    """
    if isinstance(source, Tree):
        return CheckedRules(None, source)
    rules, tree = rules_and_tree(source)
    if tree is None:
        _require_partition(rules)
    return CheckedRules(rules, tree)


def rules_and_tree(source: Any) -> tuple[RuleSet, Tree | None]:
    """Return the rules of a source, unchecked, and the tree that they were compiled from.

    Raises:
        OptionError: `source` is neither a Tree nor a rule set.
        DataError: a part of a file of rules was not parsed.
    """
    if isinstance(source, Tree):
        return compile_rules(source), source
    rules = all_rules_of(source, "source") if isinstance(source, ParsedRules) else source
    if not isinstance(rules, RuleSet):
        raise OptionError("source", source, _wanted(rules))
    return rules, rules.tree


def _wanted(source: Any) -> str:
    """Return a description of the sources that an emitter accepts, with a hint for objects that hold rules."""
    if isinstance(source, RuleList):
        return f"{_SOURCES}; to_exclusive(rules).rules is the rule set of a rule list"
    if isinstance(getattr(source, "rules", None), (RuleSet, RuleList)):
        return f"{_SOURCES}; its attribute .rules holds rules"
    return one_tree_of(source, _SOURCES)


def _require_partition(rules: RuleSet) -> None:
    """Raise NotAPartitionError unless each row fires exactly one rule, also a row outside the declared domain."""
    verdict = check(rules, domain={})
    for overlap in verdict.overlaps:
        raise NotAPartitionError(f"rules {overlap.first} and {overlap.second} overlap", overlap.row)
    for gap in verdict.gaps:
        raise NotAPartitionError("the rules leave a gap", gap.row)


def prediction_by_rule(checked: CheckedRules) -> dict[int, Prediction]:
    """Return the prediction of each rule number.

    Those of a tree are the predictions of all its leaves: a leaf that no row can reach has a number but no rule.
    """
    if checked.tree is None:
        return {rule.number: rule.prediction for rule in checked.rules.rules}
    return {number: leaf.prediction for number, leaf in enumerate(leaves(checked.tree.root), 1)}

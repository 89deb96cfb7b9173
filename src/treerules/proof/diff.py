"""Where two trees, rule sets or rule lists answer differently: exact, over the whole domain, each with a witness row.

Both sides are made boxes of one grid: their rules, exclusive, and what no rule takes. Two boxes that share rows and
have different answers are a difference; where there is none, the two are equal, which is a proof.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules.data.domain import Domain, require_domain
from treerules.data.schema import Schema
from treerules.data.table import Table
from treerules.errors import OptionError
from treerules.proof.align_schemas import domain_of_both, merge_schemas, rebase_rules, spelled_by_category
from treerules.proof.check import Region, Row, require_budget
from treerules.proof.diff_partition import partition_of
from treerules.proof.diff_regions import DifferingRegion, PartitionComparison, compare_partitions
from treerules.proof.rule_changes import Edit, edit_script
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, domain_for, names_of
from treerules.trees.predict import find_leaf
from treerules.trees.tree import Tree

#: How many differences are told.
LIMIT = 100
BUDGET = 300_000


@frozen
class Disagreement:
    """A region in which the two answer differently, and a row of it that was put to both.

    `old` and `new` are the numbers of the rules that fire there; without any the value is None.
    """

    region: Region = field(converter=as_tuple)
    row: Row
    old: tuple[int, ...] = field(converter=as_tuple)
    new: tuple[int, ...] = field(converter=as_tuple)
    old_value: Any
    new_value: Any
    #: how many rows of the table lie in it; None without a table
    n: int | None = None


@frozen(repr=False)
class Diff(Shown):
    """How two sets of rules differ. `equal` is a proof over the whole domain, or None: undecided within the budget."""

    #: the columns and categories of both
    schema: Schema
    equal: bool | None
    #: those with most rows of the table first, then by the old rules' numbers
    disagreements: tuple[Disagreement, ...] = field(converter=as_tuple)
    #: how many there are, of which `disagreements` may show the first
    n_disagreements: int
    #: what became of each rule
    edits: tuple[Edit, ...] = field(converter=as_tuple)
    old: RuleSet | RuleList
    new: RuleSet | RuleList
    #: the table's rows in the domain, those for which the answers differ, and the rows outside the domain
    n_rows: int | None = None
    n_differing: int | None = None
    n_outside: int | None = None
    #: of "old" and "new" those whose rules were too many to make exclusive, or to find what they leave, in the budget
    undecided: tuple[str, ...] = field(default=(), converter=as_tuple)
    #: the names that files give their rules, by number
    old_names: Mapping[int, str] = field(factory=dict, eq=False)
    new_names: Mapping[int, str] = field(factory=dict, eq=False)

    def __repr__(self) -> str:
        return f"<Diff equal={self.equal} disagreements={self.n_disagreements}>"

    def of_kind(self, kind: str) -> tuple[Edit, ...]:
        """Return the rules of which this became: "unchanged", "moved", "answer", "added" or "removed"."""
        return tuple(edit for edit in self.edits if edit.kind == kind)


def diff(
    old: Source,
    new: Source,
    *,
    domain: Domain | None = None,
    table: Table | None = None,
    limit: int | None = LIMIT,
    budget: int = BUDGET,
) -> Diff:
    """Return where two trees, rule sets or rule lists answer differently, and what became of each rule.

    Columns are matched by name; a category that only one side names is unseen to the other. Answers are compared,
    not shares: classes, and means exactly. Adjacent regions with the same two answers are told as one, as long as
    they are few enough to read. `limit` is how many are told, None is all. `domain` says what may come; by default
    it is what the files of rules declare, of both the wider. A `table` has its rows counted.

    >>> from treerules.learning.learn import learn
    >>> rows = Table.from_columns({"age": [20, 30, 40, 50], "y": ["no", "no", "yes", "yes"]})
    >>> more = Table.from_columns({"age": [20, 30, 40, 50], "y": ["no", "yes", "yes", "yes"]})
    >>> found = diff(learn(rows, target="y"), learn(more, target="y"), table=rows)
    >>> found.equal, found.disagreements[0].row, found.disagreements[0].n
    (False, {'age': 35}, 1)

    Raises:
        NotAPartitionError: rules of a set fire together and predict different values.
        ColumnError: a column is of different kinds in the two, or the table does not fit.
        OptionError, UnknownNameError: there is nothing to compare, or the domain, limit or budget means nothing.
    """
    if limit is not None and not (type(limit) is int and limit >= 0):
        raise OptionError("limit", limit, "a whole number from 0, or None")
    if table is not None and not isinstance(table, Table):
        raise OptionError("table", table, "a Table, or None")
    require_budget(budget)

    sources = all_rules_of(old), all_rules_of(new)
    schema = merge_schemas(sources[0].schema, sources[1].schema)
    if domain is None:
        domain = domain_of_both(domain_for(old, None) or {}, domain_for(new, None) or {})
        domain = {name: declared for name, declared in domain.items() if name in schema.indices}
    require_domain(schema, domain)
    same = [rebase_rules(source.rules, source.schema, schema) for source in sources]
    sides = [partition_of(source, rules, schema, domain, budget) for source, rules in zip(sources, same, strict=True)]
    comparison = compare_partitions(sides[0], sides[1], schema, domain, table, limit)
    trees = [source if isinstance(source, Tree) else None for source in (old, new)]
    undecided = [name for name, side in zip(("old", "new"), sides, strict=True) if not side.decided]
    return Diff(
        schema=schema,
        equal=False if comparison.n_regions else None if undecided else True,
        disagreements=[_disagreement(comparison, region, schema, sources, trees) for region in comparison.regions],
        n_disagreements=comparison.n_regions,
        edits=edit_script(same[0], same[1]),
        old=sources[0],
        new=sources[1],
        n_rows=comparison.n_rows,
        n_differing=comparison.n_differing,
        n_outside=comparison.n_outside,
        undecided=undecided,
        old_names=names_of(old),
        new_names=names_of(new),
    )


def _disagreement(
    comparison: PartitionComparison,
    region: DifferingRegion,
    schema: Schema,
    sources: Sequence[RuleSet | RuleList],
    trees: Sequence[Tree | None],
) -> Disagreement:
    """Return a region with a row, after it was put to both."""
    row = comparison.space.plain_row(region.box)
    fired = [_fired(source, row, numbers) for source, numbers in zip(sources, (region.old, region.new), strict=True)]
    for tree, rule in zip(trees, fired, strict=True):
        if tree is not None and (rule is None or find_leaf(tree, row).prediction.value != rule.value):
            raise AssertionError(f"a tree has another answer than its rules for {row!r}")
    values = [None if rule is None else rule.value for rule in fired]
    if values[0] == values[1] and fired[0] is not None and fired[1] is not None:
        raise AssertionError(f"both sides have the same answer for {row!r}")
    n = None if comparison.n_rows is None else region.n
    conditions = spelled_by_category(comparison.space.region(region.box), schema)
    return Disagreement(conditions, row, region.old, region.new, values[0], values[1], n)


def _fired(source: RuleSet | RuleList, row: Row, numbers: Sequence[int]) -> Rule | None:
    """Return the rule that decides for a row, after making sure that it is one of these; None where none is expected.

    The rules of a set do not contradict each other, so only those that are expected need to be asked.
    """
    wanted = set(numbers)
    rules = [rule for rule in source.rules if rule.number in wanted] if isinstance(source, RuleSet) and wanted else None
    fired = (source if rules is None else evolve(source, rules=rules)).firing(row)
    if bool(fired) is not bool(wanted) or (fired and fired[0].number not in wanted):
        raise AssertionError(f"the witness {row!r} fires rule {fired[0].number if fired else None} of {numbers}")
    return fired[0] if fired else None

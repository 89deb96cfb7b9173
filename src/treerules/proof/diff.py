"""Differences between two trees, rule sets or rule lists: exact, over the whole domain, each with a witness row.

Each side becomes a partition of the domain: its rules, made exclusive, and the regions that no rule takes. Two regions
that share rows and have different answers are a difference. Without differences the two are proved equal.
"""

from collections.abc import Mapping, Sequence
from typing import Any, overload

from attrs import evolve, field, frozen

from treerules._internal.arguments import require_whole_number
from treerules._internal.field_converters import as_dict, as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.notes import or_none, with_arguments
from treerules._internal.short_repr import short_repr
from treerules.data.domain import Domain, intersection_of, narrowing, require_domain
from treerules.data.schema import Schema
from treerules.data.table_data import TableLike, table_of
from treerules.errors import OptionError
from treerules.proof.align_schemas import merge_schemas, rebase_rules, require_same_readings, spelled_by_category
from treerules.proof.check import Region, Row
from treerules.proof.diff_partition import partition_of
from treerules.proof.diff_regions import DifferingRegion, PartitionComparison, compare_partitions
from treerules.proof.ensemble_diff import diff_ensembles
from treerules.proof.rule_changes import Edit, edit_script
from treerules.proof.sampled_diff import SampledDiff
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleList, RuleSet
from treerules.rules.sources import Source, all_rules_of, names_of
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.leaf_of_row import leaf_of_values
from treerules.trees.tested_columns import require_reading_of
from treerules.trees.tree import Tree

LIMIT = 100
#: The default budget: some ten seconds.
BUDGET = 300_000


@short_repr
@frozen
class Disagreement:
    """A region in which two rule sets answer differently, and a witness, which was verified against both.

    Attributes:
        region: the conditions of the region.
        row: the witness.
        old: the numbers of the old rules that fire in the region; empty if none does.
        new: those of the new rules.
        old_value: the old prediction; None if no rule fires.
        new_value: the new one.
        n: the number of rows of the table in the region; None without a table.
    """

    region: Region = field(converter=as_tuple)
    row: Row
    old: tuple[int, ...] = field(converter=as_tuple)
    new: tuple[int, ...] = field(converter=as_tuple)
    old_value: Any
    new_value: Any
    n: int | None = None


@frozen(repr=False)
class Diff(Shown):
    """The result of `diff`.

    Attributes:
        schema: the columns and categories of both.
        equal: whether the two are proved to answer equally on every row of the domain; None if that was not decided
            within the budget.
        disagreements: the first regions in which they differ: those with most rows of the table first, then by the
            numbers of the old rules.
        n_disagreements: the number of all such regions.
        edits: how each rule changed.
        old: the old rules.
        new: the new rules.
        n_rows: the number of the table's rows in the domain; None without a table.
        n_differing: the number of those for which the answers differ.
        n_outside: the number of the table's rows outside the domain.
        undecided: those of "old" and "new" for which the budget did not suffice to make the rules exclusive or to find
            their gaps.
        old_names: the names that a file gives the old rules, by number.
        new_names: those of the new rules.
        domain: the values that columns were assumed to have, as in a Verdict.
    """

    schema: Schema
    equal: bool | None
    disagreements: tuple[Disagreement, ...] = field(converter=as_tuple)
    n_disagreements: int
    edits: tuple[Edit, ...] = field(converter=as_tuple)
    old: RuleSet | RuleList
    new: RuleSet | RuleList
    n_rows: int | None = None
    n_differing: int | None = None
    n_outside: int | None = None
    undecided: tuple[str, ...] = field(default=(), converter=as_tuple)
    old_names: Mapping[int, str] = field(factory=dict, eq=False)
    new_names: Mapping[int, str] = field(factory=dict, eq=False)
    domain: Domain = field(factory=dict, converter=as_dict, eq=False)

    def __repr__(self) -> str:
        return f"<Diff equal={self.equal} disagreements={self.n_disagreements}>"

    def of_kind(self, kind: str) -> tuple[Edit, ...]:
        """Return the edits of one kind: "unchanged", "moved", "answer", "added" or "removed"."""
        return tuple(edit for edit in self.edits if edit.kind == kind)


@overload
def diff(
    old: Ensemble,
    new: TreeModel,
    *,
    domain: None = None,
    table: TableLike | None = None,
    limit: int | None = LIMIT,
    budget: int = BUDGET,
    most: int | None = None,
) -> SampledDiff: ...


@overload
def diff(
    old: TreeModel,
    new: Ensemble,
    *,
    domain: None = None,
    table: TableLike | None = None,
    limit: int | None = LIMIT,
    budget: int = BUDGET,
    most: int | None = None,
) -> SampledDiff: ...


@overload
def diff(
    old: Source,
    new: Source,
    *,
    domain: Domain | None = None,
    table: TableLike | None = None,
    limit: int | None = LIMIT,
    budget: int = BUDGET,
    most: None = None,
) -> Diff: ...


def diff(
    old: Source | Ensemble,
    new: Source | Ensemble,
    *,
    domain: Domain | None = None,
    table: TableLike | None = None,
    limit: int | None = LIMIT,
    budget: int = BUDGET,
    most: int | None = None,
) -> Diff | SampledDiff:
    """Return the regions in which two trees, rule sets or rule lists answer differently, and how each rule changed.

    Columns are matched by name; a category that only one side names is unseen to the other. Predicted classes and means
    are compared, not probabilities; "no rule fires" is an answer too. Up to 5,000 differences are merged: adjacent
    regions with the same two answers are one.

    An Ensemble is compared with another one, or with a tree, on rows, and the result is a `SampledDiff`: how many rows
    differ, by how much, under which conditions. That is no proof, but for models that are equal as values. The rows are
    boundary rows of both, see `treerules.testing.boundary_rows`, half of them at tests of the trees that only one of
    the two has; and those of the table.

    Args:
        old: a tree, a rule set whose rules do not contradict each other, a rule list, or a parsed file of rules; or an
            Ensemble, with a tree or an Ensemble as the other.
        new: the model, rule set or rule list to compare it with; of the same target.
        domain: the values that columns can take, by column name. By default those that lie in the domain of both;
            where neither declares one, every value of the column's kind. None for an Ensemble.
        table: a Table, a data frame, a list of dicts or a dict of columns, whose rows are
            counted in each region; or None. An Ensemble is compared on them too.
        limit: the greatest number of regions, or of rows that differ, in the result, from 0; None is all.
        budget: the greatest number of steps, from 0: half for each side, for making its rules exclusive and as many for
            finding their gaps. The default is some ten seconds; a greater budget decides more. Not for an Ensemble.
        most: the greatest number of boundary rows on which an Ensemble is compared, from 1; None is 10,000. None for
            rules, which are not sampled.

    Returns:
        The differences: a `SampledDiff` where one of the two is an Ensemble, else a `Diff`.

    Raises:
        NotAPartitionError: rules of a set fire together and predict different values.
        ColumnError: a column is of different kinds in the two, or the table lacks a column or has one of another kind.
        DataError: a part of a file was not read, or one side predicts classes and the other numbers.
        OptionError: `old` or `new` are not rules, `table` is not a table, `limit`, `budget` or `most` is not such a
            number, or does not apply, or `domain` does not fit.
        UnknownNameError: `domain` names a column that neither has.

    Examples:
        >>> from treerules import Table, cart, learn
        >>> rows = Table.from_columns({"age": [20, 30, 40, 50], "y": ["no", "no", "yes", "yes"]})
        >>> more = Table.from_columns({"age": [20, 30, 40, 50], "y": ["no", "yes", "yes", "yes"]})
        >>> changes = diff(learn(rows, target="y", recipe=cart()), learn(more, target="y", recipe=cart()), table=rows)
        >>> changes.equal, changes.disagreements[0].row, changes.disagreements[0].n
        (False, {'age': 35}, 1)
    """
    if limit is not None and not (type(limit) is int and limit >= 0):
        raise OptionError("limit", limit, or_none("a whole number from 0"))
    table = None if table is None else table_of(table)
    require_whole_number("budget", budget, 0)
    if isinstance(old, Ensemble) or isinstance(new, Ensemble):
        return _diff_on_rows(old, new, domain=domain, budget=budget, table=table, limit=limit, most=most)
    if most is not None:
        raise OptionError("most", most, "None: rules are compared exactly, not on boundary rows")

    sources = all_rules_of(old, "old"), all_rules_of(new, "new")
    if all(getattr(source, "tree", None) is not None for source in sources):  # rules hold values that are read
        require_same_readings(sources[0].schema, sources[1].schema)
    if table is not None:
        for source in sources:
            require_reading_of(getattr(source, "tree", None), table)
    schema = merge_schemas(sources[0].schema, sources[1].schema)
    if domain is None:
        domain = intersection_of(sources[0].domain, sources[1].domain)
    require_domain(schema, domain)
    rebased = [rebase_rules(source.rules, source.schema, schema) for source in sources]
    partitions = [
        partition_of(source, rules, schema, domain, -(-budget // 2))
        for source, rules in zip(sources, rebased, strict=True)
    ]
    comparison = compare_partitions(partitions[0], partitions[1], schema, domain, table, limit)
    trees = [source if isinstance(source, Tree) else None for source in (old, new)]
    undecided = [name for name, partition in zip(("old", "new"), partitions, strict=True) if not partition.decided]
    return Diff(
        schema=schema,
        equal=False if comparison.n_regions else None if undecided else True,
        disagreements=[_disagreement(comparison, region, schema, sources, trees) for region in comparison.regions],
        n_disagreements=comparison.n_regions,
        edits=edit_script(rebased[0], rebased[1]),
        old=sources[0],
        new=sources[1],
        n_rows=comparison.n_rows,
        n_differing=comparison.n_differing,
        n_outside=comparison.n_outside,
        undecided=undecided,
        old_names=names_of(old),
        new_names=names_of(new),
        domain=narrowing(schema, domain),
    )


def _diff_on_rows(old: Any, new: Any, *, domain: Domain | None, budget: int, **choices: Any) -> SampledDiff:
    """Return the differences of two models on rows.

    Raises:
        OptionError: an argument is given that is for rules alone.
    """
    if domain is not None:
        raise OptionError("domain", domain, "None: an ensemble is compared on rows; give those of your domain as table")
    if budget != BUDGET:
        wanted = with_arguments("no budget: an ensemble is compared on rows, whose number is {most}", "most")
        raise OptionError("budget", budget, wanted)
    return diff_ensembles(old, new, **choices)


def _disagreement(
    comparison: PartitionComparison,
    region: DifferingRegion,
    schema: Schema,
    sources: Sequence[RuleSet | RuleList],
    trees: Sequence[Tree | None],
) -> Disagreement:
    """Return a region with a witness, which is verified against both sides and their trees."""
    row = comparison.space.plain_row(region.box)
    fired = [_fired(source, row, numbers) for source, numbers in zip(sources, (region.old, region.new), strict=True)]
    for tree, rule in zip(trees, fired, strict=True):
        if tree is not None and (rule is None or leaf_of_values(tree, row).prediction.value != rule.value):
            raise AssertionError(f"a tree has another answer than its rules for {row!r}")
    values = [None if rule is None else rule.value for rule in fired]
    if values[0] == values[1] and fired[0] is not None and fired[1] is not None:
        raise AssertionError(f"both sides have the same answer for {row!r}")
    n = None if comparison.n_rows is None else region.n
    conditions = spelled_by_category(comparison.space.region(region.box), schema)
    return Disagreement(conditions, row, region.old, region.new, values[0], values[1], n)


def _fired(source: RuleSet | RuleList, row: Row, numbers: Sequence[int]) -> Rule | None:
    """Return the rule that decides for a row; its number must be one of `numbers`. None if `numbers` is empty.

    Rules of a set do not contradict each other, so only the rules of these numbers are tested.
    """
    expected = set(numbers)
    if isinstance(source, RuleSet) and expected:
        source = evolve(source, rules=[rule for rule in source.rules if rule.number in expected])
    firing = source._firing_of_values(row)
    if bool(firing) is not bool(expected) or (firing and firing[0].number not in expected):
        raise AssertionError(f"the witness {row!r} fires rule {firing[0].number if firing else None} of {numbers}")
    return firing[0] if firing else None

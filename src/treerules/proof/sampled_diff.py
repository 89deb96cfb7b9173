"""The result of comparing two models on rows, where one is an ensemble: no proof, unless they are equal as values."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.schema import Schema
from treerules.proof.check import Row
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet

#: Where a compared row comes from.
RowKind = Literal["data", "boundary"]
#: What the differences of two models are differences of.
Measure = Literal["answer", "margin", "probability"]


@short_repr
@frozen
class ComparedRows:
    """Rows on which two models were compared: how many answers differ, and by how much.

    The figures are of the absolute differences of the measure; of several margins or probabilities the greatest. They
    are None where there are no rows, infinite where one side is and the other is not.

    Attributes:
        n: the number of rows.
        n_differing: the number of rows whose answers, labels or numbers, differ.
        mean: the mean difference.
        median: the median difference.
        quantile_90: the difference that 90% of the rows do not exceed.
        quantile_99: the difference that 99% of the rows do not exceed.
        greatest: the greatest difference.
    """

    n: int
    n_differing: int
    mean: float | None = None
    median: float | None = None
    quantile_90: float | None = None
    quantile_99: float | None = None
    greatest: float | None = None


@short_repr
@frozen
class ChangedLabel:
    """A label of the old model that is another one in the new model, and the number of such rows."""

    old: Any
    new: Any
    n: int


@short_repr
@frozen
class DifferingGroup:
    """The compared rows that satisfy the conditions of a rule, some of which differ.

    Attributes:
        rule: the rule of a small tree.
        n: the number of compared rows that it covers.
        n_differing: the number of those whose answers differ.
        mean: the mean absolute difference of the rows that it covers.
        change: their mean of new minus old, of numbers; None for labels.
    """

    rule: Rule
    n: int
    n_differing: int
    mean: float
    change: float | None = None


@short_repr
@frozen
class DifferingRow:
    """A row for which two models differ.

    Attributes:
        kind: "data" for a row of the table, "boundary" for one that was made from the models.
        number: the number of the row in the table, from 1; None for a boundary row.
        row: the values of the columns that the models test.
        old: the answer of the old model.
        new: the answer of the new model.
        difference: the absolute difference of the measure.
    """

    kind: RowKind
    number: int | None
    row: Row
    old: Any
    new: Any
    difference: float


@frozen(repr=False)
class SampledDiff(Shown):
    """The result of `diff` where one side or both are an Ensemble: they are compared on rows, which is no proof.

    Attributes:
        schema: the columns, categories and classes of both.
        equal: True if both are equal as values, which is a proof that they answer equally, then no rows are compared;
            False if the answers of a compared row differ; None if no compared row shows a difference.
        measure: what differences are of: "answer" for numbers; for labels "margin" where both models have the same kind
            of margins, else "probability".
        boundary: the boundary rows, which are made from both models; None if both are equal as values.
        data: the rows of the table; None without a table, or if both are equal as values.
        labels: which labels became which, with the number of rows: rows of the table, where some of them differ, else
            boundary rows. The most frequent first, then in the order of the classes.
        groups: conditions under which the answers differ: the rules of a small tree, learned from the rows of the
            table, else the boundary rows. Those with most differing rows first.
        rules: all rules of that tree; None where no answers differ.
        witnesses: rows whose answers differ, where there are none those whose margins or probabilities do: first rows
            of the table, then boundary rows, of these the greatest differences first.
        n_trees: the number of trees of the old and of the new model.
        n_equal_trees: how many of the first trees are equal.
        settings: base, link and other fields of an ensemble that differ: for each name the old and the new value.
    """

    schema: Schema
    equal: bool | None
    measure: Measure
    n_trees: tuple[int, int]
    n_equal_trees: int
    settings: Mapping[str, tuple[Any, Any]] = field(factory=dict, converter=dict)
    boundary: ComparedRows | None = None
    data: ComparedRows | None = None
    labels: tuple[ChangedLabel, ...] = field(default=(), converter=as_tuple)
    groups: tuple[DifferingGroup, ...] = field(default=(), converter=as_tuple)
    rules: RuleSet | None = None
    witnesses: tuple[DifferingRow, ...] = field(default=(), converter=as_tuple)

    def __repr__(self) -> str:
        return f"<SampledDiff equal={self.equal} differing={self.n_differing} of {self.n_rows} sampled rows>"

    @property
    def compared(self) -> tuple[tuple[RowKind, ComparedRows], ...]:
        """The rows that were compared, by their kind: those of the table first."""
        kinds: tuple[tuple[RowKind, ComparedRows | None], ...] = (("data", self.data), ("boundary", self.boundary))
        return tuple((kind, rows) for kind, rows in kinds if rows is not None)

    @property
    def n_rows(self) -> int:
        """The number of rows that were compared."""
        return sum(rows.n for _, rows in self.compared)

    @property
    def n_differing(self) -> int:
        """The number of compared rows whose answers differ."""
        return sum(rows.n_differing for _, rows in self.compared)

    @property
    def greatest(self) -> float:
        """The greatest difference of the measure on the compared rows; 0.0 without rows."""
        return max((rows.greatest or 0.0 for _, rows in self.compared), default=0.0)

"""Result records of `feature_gains`: the figures of a node, of each feature, and of each branch of a feature."""

from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.data.interval import Interval
from treerules.data.schema import Feature, Schema
from treerules.errors import shortened
from treerules.rules.rule import Members


@short_repr
@frozen
class GainBranch:
    """The rows of D with one category of a feature, or on one side of its cut."""

    values: Interval | Members
    #: the number of its rows; where rows have weights, the sum of their weights
    n: float
    #: (weighted) class counts, in the order of `FeatureGains.classes`; empty for a regression
    counts: tuple[float, ...] = field(converter=as_tuple)
    #: the entropy of the branch; None for a regression
    entropy: float | None
    #: Gini(D, A = a): of this value against the rest (Li Hang, formula 5.25); None at a cut
    gini: float | None
    #: the mean of the branch; None for a classification
    mean: float | None = None


@short_repr
@frozen
class CutGain:
    """The gain of a cut of an ordered feature: its place (dates in days, timestamps in microseconds), its gain."""

    at: float
    gain: float


@short_repr
@frozen
class FeatureGain:
    """The gains of one feature. Each category is a branch; an ordered feature is cut where the gain is greatest.

    If values are missing, all figures are those of the known rows, and `gain` is multiplied by their share.
    """

    feature: Feature
    #: the (weighted) number of rows with a known value
    n_known: float
    #: the threshold of an ordered feature; None for categories, or if no cut has a gain
    cut: Any
    #: H(D|A), information gain, H_A(D) and gain ratio; None for a regression
    conditional_entropy: float | None
    gain: float | None
    split_information: float | None
    gain_ratio: float | None
    #: Gini(D, A) of the best binary split, and its first side; None for a regression
    gini: float | None
    #: the sum of squared errors after the best binary split, and its decrease; None for a classification
    squared_error: float | None
    decrease: float | None
    #: the first side of the best binary split by Gini or squared error; None if no split has a gain
    best: Interval | Members | None
    #: whether the recipe splits here
    chosen: bool
    sides: tuple[GainBranch, ...] = field(converter=as_tuple)
    #: the gains of the cuts of an ordered feature, ascending, for plots; of many cuts the best of neighbours
    curve: tuple[CutGain, ...] = field(default=(), converter=as_tuple, eq=False)


@frozen(repr=False)
class FeatureGains(Shown):
    """The rows D of one node: their figures, and the gain of each feature."""

    target: Feature
    #: the number of rows; where rows have weights, the sum of their weights
    n: float
    #: the classes of D and their (weighted) counts; empty for a regression
    classes: tuple[Any, ...] = field(converter=as_tuple)
    counts: tuple[float, ...] = field(converter=as_tuple)
    #: H(D) and Gini(D) of a classification
    entropy: float | None
    gini: float | None
    #: the mean of a regression, and the sum of squared errors around it
    mean: float | None
    squared_error: float | None
    features: tuple[FeatureGain, ...] = field(converter=as_tuple)
    notes: tuple[str, ...] = field(default=(), converter=as_tuple, eq=False)

    def __repr__(self) -> str:
        return f"<FeatureGains {shortened(self.target.name)} n={self.n} features={len(self.features)}>"

    @property
    def is_regression(self) -> bool:
        """Whether the target is predicted as a number."""
        return self.mean is not None

    def feature(self, name: str) -> FeatureGain:
        """Return the gains of the feature of a name.

        Raises:
            UnknownNameError: there is no such feature; the error names the closest one.
        """
        return self.features[Schema([gain.feature for gain in self.features]).index(name)]

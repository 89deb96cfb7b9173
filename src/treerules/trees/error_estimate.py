"""The cross-validated error of a tree whose size was chosen, and of the other sizes it could have."""

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr


@short_repr
@frozen
class SizeError:
    """A subtree of the cost-complexity path: its number of rules, its mean loss on held-out rows, and its error."""

    n_rules: int
    error: float
    standard_error: float


@short_repr
@frozen
class ErrorEstimate:
    """How well a tree predicts new rows, estimated by cross-validation when its size was chosen.

    Errors are misclassified shares, mean costs where a recipe has costs, or mean squared errors of a regression.
    """

    #: "error", "cost" or "squared error"
    measure: str
    #: the loss by which the size was chosen: the measure, or "log loss"
    chosen_by: str
    n_folds: int
    #: the error on the rows that the tree was learned from
    training_error: float
    #: the cross-validated error, corrected for the choice of the size, and its standard error
    error: float
    standard_error: float
    #: the error of predicting the most frequent class, or the mean, for every row
    baseline_error: float
    #: the cross-validated figures of a classification: None for a regression, the AUC also where rows cannot be ranked
    balanced_accuracy: float | None
    log_loss: float | None
    auc: float | None
    #: the number of rules that was chosen
    n_rules: int
    #: the subtrees that were compared, from the root alone up; their losses are those of `chosen_by`, not corrected
    sizes: tuple[SizeError, ...] = field(converter=as_tuple)

    @property
    def is_regression(self) -> bool:
        """Whether errors are mean squared errors."""
        return self.measure == "squared error"

    @property
    def r2(self) -> float | None:
        """The share of the variance that is predicted, 1 - error / error of the mean; None for a classification."""
        return 1 - self.error / self.baseline_error if self.is_regression and self.baseline_error else None

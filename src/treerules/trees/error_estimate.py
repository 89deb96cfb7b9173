"""The cross-validated error of a tree whose size was chosen, and of the other sizes it could have."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError, shortened

_MEASURES = ("error", "cost", "squared error")
_REASONS = ("", "unstable growth", "heavy tails")


@short_repr
@frozen
class SizeError:
    """A subtree of the cost-complexity path: its number of rules, its mean loss on held-out rows, and its error."""

    n_rules: int
    error: float
    standard_error: float

    def __attrs_post_init__(self) -> None:
        _require_count("n_rules", self.n_rules, 1)
        for name in ("error", "standard_error"):
            _require_error(name, getattr(self, name))


@frozen(repr=False)
class ErrorEstimate(Shown):
    """How well a tree predicts new rows, estimated by cross-validation when its size was chosen.

    Errors are misclassified shares, mean costs where a recipe has costs, or mean squared errors of a regression.

    Raises:
        OptionError: a figure is impossible, such as a negative error.
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
    #: why the standard error is wide: "unstable growth", "heavy tails", or "" where it is not
    reason: str = ""

    def __attrs_post_init__(self) -> None:
        _require_known("measure", self.measure, _MEASURES)
        _require_known("reason", self.reason, _REASONS)
        if self.chosen_by not in (self.measure, "log loss"):
            raise OptionError("chosen_by", self.chosen_by, f"{self.measure}, or log loss")
        _require_count("n_folds", self.n_folds, 1)
        for name in ("training_error", "error", "standard_error", "baseline_error"):
            _require_error(name, getattr(self, name))
        for name in ("balanced_accuracy", "log_loss", "auc"):
            if getattr(self, name) is not None:
                _require_error(name, getattr(self, name))
        sizes: Any = self.sizes
        if not isinstance(sizes, tuple) or not all(isinstance(size, SizeError) for size in sizes):
            raise OptionError("sizes", sizes, "a sequence of SizeError")
        if self.n_rules not in [size.n_rules for size in sizes]:
            raise OptionError("n_rules", self.n_rules, "the number of rules of one of the sizes")

    def __repr__(self) -> str:
        figures = (shortened(figure, 20) for figure in (self.measure, self.error, self.n_rules))
        return "<ErrorEstimate {} {} rules={}>".format(*figures)

    @property
    def is_regression(self) -> bool:
        """Whether errors are mean squared errors."""
        return self.measure == "squared error"

    @property
    def r2(self) -> float | None:
        """The share of the variance that is predicted, 1 - error / error of the mean; None for a classification."""
        return 1 - self.error / self.baseline_error if self.is_regression and self.baseline_error else None


def _require_known(name: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise OptionError(name, value, f"one of {', '.join(filter(None, known))}")


def _require_count(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(name, value, f"a whole number from {least}")


def _require_error(name: str, value: Any) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or value < 0:
        raise OptionError(name, value, "a number from 0")

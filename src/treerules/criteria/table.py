"""The built-in criteria; a new one is added as a row."""

from attrs import evolve

from treerules.criteria.criterion import Criterion, Impurity
from treerules.criteria.scores import (
    Base,
    Counts,
    entropy,
    entropy_purity,
    exact_gini_gain,
    exact_variance_decrease,
    gini,
    gini_gain,
    information_gain,
    known_gini_gain,
    known_information_gain,
    known_variance_decrease,
    split_information,
    squares_purity,
    variance,
    variance_decrease,
)

#: Codes of the compiled kernels: squares of counts, c log2 c, squares of sums.
GINI_KERNEL, ENTROPY_KERNEL, SQUARES_KERNEL = range(3)


def _gini(counts: Counts, base: Base) -> float:
    return gini(counts)


ENTROPY_IMPURITY = Impurity("entropy", entropy, {"en": "entropy", "zh": "熵"})
GINI_IMPURITY = Impurity("gini", _gini, {"en": "Gini", "zh": "基尼指数"})
VARIANCE = Impurity("variance", variance, {"en": "variance", "zh": "方差"})

INFORMATION_GAIN = Criterion(
    "information_gain",
    information_gain,
    impurity=ENTROPY_IMPURITY,
    purity=entropy_purity,
    known_score=known_information_gain,
    orders_categories=True,
    words={"en": "information gain", "zh": "信息增益"},
)
GAIN_RATIO = evolve(
    INFORMATION_GAIN,
    name="gain_ratio",
    divisor=split_information,
    words={"en": "gain ratio", "zh": "信息增益比"},
)
#: The decrease of the Gini index (Breiman et al. 1984): CART's criterion.
GINI = Criterion(
    "gini",
    gini_gain,
    tasks=("classification", "regression"),
    impurity=GINI_IMPURITY,
    purity=squares_purity,
    exact_score=exact_gini_gain,
    known_score=known_gini_gain,
    orders_categories=True,
    words={"en": "Gini", "zh": "基尼指数"},
)
#: The decrease of the entropy, the information gain (Quinlan 1986): ID3's criterion.
ENTROPY = evolve(
    INFORMATION_GAIN,
    name="entropy",
    tasks=("classification", "regression"),
    words={"en": "entropy", "zh": "熵"},
)
#: The decrease of the squared error around the mean (Breiman et al. 1984): the criterion of regressions.
SQUARED_ERROR = Criterion(
    "squared_error",
    variance_decrease,
    tasks=("regression",),
    impurity=VARIANCE,
    purity=squares_purity,
    exact_score=exact_variance_decrease,
    known_score=known_variance_decrease,
    orders_categories=True,
    words={"en": "squared error", "zh": "平方误差"},
)
_ROWS = (
    INFORMATION_GAIN,
    GAIN_RATIO,
    GINI,
    ENTROPY,
    SQUARED_ERROR,
)
#: The criteria that recipes name.
CRITERIA: dict[str, Criterion] = {row.name: row for row in _ROWS}
#: The kernel code of a criterion. A record that differs in any field, such as the name, has no code.
_KERNELS = (
    (INFORMATION_GAIN, ENTROPY_KERNEL),
    (GAIN_RATIO, ENTROPY_KERNEL),
    (ENTROPY, ENTROPY_KERNEL),
    (GINI, GINI_KERNEL),
    (SQUARED_ERROR, GINI_KERNEL),
)


def general_kernel_of(criterion: Criterion) -> int | None:
    """Return the code of the kernel that computes a criterion before any division by a divisor; None: none does."""
    if criterion == SQUARED_ERROR:
        return SQUARES_KERNEL
    return ENTROPY_KERNEL if criterion == GAIN_RATIO else kernel_of(criterion)


def kernel_of(criterion: Criterion) -> int | None:
    """Return the code of the compiled kernel that computes a criterion; None: the fast growers refuse it."""
    return next((code for row, code in _KERNELS if row == criterion), None)

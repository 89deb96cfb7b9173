"""Link functions in plain Python modules: the bodies of `predict` and `predict_proba` of an ensemble."""

from treerules.emit.link_lines import link_lines
from treerules.emit.python.python_literals import python_literal
from treerules.trees.ensemble import Ensemble
from treerules.trees.links import MOST_EXP, MOST_SINGLE_POWER


def mean_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict` of a regression."""
    return link_lines(ensemble, MEANS, SINGLE_MEANS, python_literal)


def probability_lines(ensemble: Ensemble) -> list[str]:
    """Return the body of `predict_proba`; none for a regression."""
    if ensemble.use == "mean":
        return []
    return link_lines(ensemble, PROBABILITIES, SINGLE_PROBABILITIES, python_literal)


#: The body of `predict` of a regression, by link function.
MEANS = {
    "identity": ("return predict_margin(row)",),
    "exp": ("margin = predict_margin(row)", f"return exp(margin) if margin <= {MOST_EXP} else INF"),
    "expit": ("margin = predict_margin(row)", f"return 1 / (1 + exp(-margin)) if margin >= -{MOST_EXP} else 0.0"),
    "square": ("margin = predict_margin(row)", "return abs(margin) * margin"),
    "softplus": ("margin = predict_margin(row)", f"return log1p(exp(margin)) if margin <= {MOST_EXP} else INF"),
}
#: The body of `predict_proba`, by link function; `SLOPE * ` is replaced by the factor of the margin.
PROBABILITIES = {
    "identity": ("return predict_margin(row)",),
    "sigmoid": (
        "margin = SLOPE * predict_margin(row)",
        f"second = 1 / (1 + exp(-margin)) if margin >= -{MOST_EXP} else 0.0",
        "return dict(zip(CLASSES, (1 - second, second)))",
    ),
    "step": (
        "second = 1.0 if predict_margin(row) > 0 else 0.0",
        "return dict(zip(CLASSES, (1 - second, second)))",
    ),
    "softmax": (
        "margins = predict_margin(row)",
        "powers = [exp(margin - max(margins.values())) for margin in margins.values()]",
        "return {label: power / sum(powers) for label, power in zip(CLASSES, powers)}",
    ),
    "sigmoids": (
        "powers = {label: -SLOPE * margin for label, margin in predict_margin(row).items()}",
        f"return {{label: 1 / (1 + exp(power)) if power <= {MOST_EXP} else 0.0 for label, power in powers.items()}}",
    ),
}
_SINGLE_EXPIT = (
    f"power = min(single(-SLOPE * predict_margin(row)), {MOST_SINGLE_POWER!r})",
    "second = single(1 / single(1 + single(exp(power))))",
)
#: The same of sums of float32, rounded to float32 step by step.
SINGLE_MEANS = {
    **MEANS,
    "exp": ("margin = predict_margin(row)", f"return single(exp(margin)) if margin <= {MOST_EXP} else INF"),
    "expit": (*_SINGLE_EXPIT, "return second"),
}
SINGLE_PROBABILITIES = {
    **PROBABILITIES,
    "sigmoid": (*_SINGLE_EXPIT, "return dict(zip(CLASSES, (single(1 - second), second)))"),
    "softmax": (
        "margins = predict_margin(row)",
        "top = max(margins.values())",
        "powers = [single(exp(single(margin - top))) for margin in margins.values()]",
        "total = single(sum(powers))",
        "return {label: single(power / total) for label, power in zip(CLASSES, powers)}",
    ),
}

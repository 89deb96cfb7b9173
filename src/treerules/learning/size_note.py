"""The note on the choice of a tree's size."""

from math import floor, inf, log, log10

from treerules._internal.notes import Note
from treerules.recipes.size_choice import SizeChoice
from treerules.trees.error_estimate import ErrorEstimate, SizeError


def size_note(estimate: ErrorEstimate, choice: SizeChoice, weight: float) -> Note:
    """Return the note that names the chosen size, one of at most half as many rules, and a larger one that errs less.

    Errors are cross-validated and not corrected for the choice; those of a regression are shares of the variance.
    `weight` is that of all rows.
    """
    price = choice.price(weight)
    sizes = {size.n_rules: size for size in estimate.sizes}
    chosen = sizes[estimate.n_rules]
    few = [size for size in estimate.sizes if 1 < size.n_rules <= chosen.n_rules / 2]
    smaller = sorted(few, key=lambda size: _score(size, price))[:1]  # what --max-rules would choose
    least = min(estimate.sizes, key=lambda size: size.error)
    larger = [least] if least.n_rules > chosen.n_rules else []
    compared = (*smaller, chosen, *larger)
    texts = [f"{_rules(size)}: {_figure(size, estimate)}{_way(size, chosen, estimate, choice)}" for size in compared]
    text = "size chosen by {n}-fold cross-validation ({loss}): {sizes}"
    return Note("size", text, n=estimate.n_folds, loss=_loss(estimate), sizes="; ".join(texts))


def _loss(estimate: ErrorEstimate) -> str:
    if estimate.is_regression:
        return "squared error as a share of the variance"
    return "log loss in nats" if estimate.chosen_by == "log loss" else estimate.chosen_by


def _rules(size: SizeError) -> str:
    return "1 rule" if size.n_rules == 1 else f"{size.n_rules} rules"


def _score(size: SizeError, price: float) -> float:
    """Return what the choice minimises."""
    return (log(size.error) if size.error else -inf) + price * size.n_rules


def _way(size: SizeError, chosen: SizeError, estimate: ErrorEstimate, choice: SizeChoice) -> str:
    """Return the options that give a size which was not chosen; "" where the choice was made by log loss."""
    if size is chosen:
        return ", chosen"
    if chosen.n_rules == 1 or estimate.chosen_by == "log loss":
        return ""
    if size.n_rules < chosen.n_rules:
        return f" (--max-rules {size.n_rules})"
    bound = f"--max-rules {size.n_rules} " if size.n_rules > choice.max_rules else ""
    return f" ({bound}--reduction-per-rule 0)"


def _figure(size: SizeError, estimate: ErrorEstimate) -> str:
    scale = estimate.baseline_error if estimate.is_regression and estimate.baseline_error else 1.0
    return figure_with_error(size.error / scale, size.standard_error / scale)


def figure_with_error(value: float, standard_error: float) -> str:
    """Return a figure and its standard error, both to two digits of the latter.

    >>> figure_with_error(0.19321, 0.01234), figure_with_error(0.25, 0.0)
    ('0.193 ± 0.012', '0.25 ± 0')
    """
    if not standard_error:
        return f"{value:.4g} ± 0"
    digits = max(0, 1 - floor(log10(standard_error)))
    return f"{value:.{digits}f} ± {standard_error:.{digits}f}"

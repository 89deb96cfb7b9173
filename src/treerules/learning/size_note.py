"""The note on the choice of a tree's size."""

from math import floor, log10

from treerules.trees.error_estimate import ErrorEstimate, SizeError


def size_note(estimate: ErrorEstimate, max_rules: int) -> str:
    """Return the note that names the chosen size, a size of half as many rules, and a larger one that errs less.

    Errors are cross-validated and not corrected for the choice; those of a regression are shares of the variance.
    """
    sizes = {size.n_rules: size for size in estimate.sizes}
    chosen = sizes[estimate.n_rules]
    smaller = [size for size in estimate.sizes if 1 < size.n_rules <= chosen.n_rules / 2][-1:]
    least = min(estimate.sizes, key=lambda size: size.error)
    larger = [least] if least.n_rules > chosen.n_rules else []
    compared = (*smaller, chosen, *larger)
    texts = [f"{_rules(size)}: {_figure(size, estimate)}{_way(size, chosen, estimate, max_rules)}" for size in compared]
    return f"size chosen by {estimate.n_folds}-fold cross-validation ({_loss(estimate)}): {'; '.join(texts)}"


def _loss(estimate: ErrorEstimate) -> str:
    return "squared error as a share of the variance" if estimate.is_regression else estimate.chosen_by


def _rules(size: SizeError) -> str:
    return "1 rule" if size.n_rules == 1 else f"{size.n_rules} rules"


def _way(size: SizeError, chosen: SizeError, estimate: ErrorEstimate, max_rules: int) -> str:
    """Return the option that gives a size which was not chosen; "" where no option certainly does."""
    if size is chosen:
        return ", chosen"
    if chosen.n_rules == 1 or estimate.chosen_by == "log loss":
        return ""
    is_bound = size.n_rules < chosen.n_rules or size.n_rules > max_rules
    return f" (--max-rules {size.n_rules})" if is_bound else " (--reduction-per-rule 0)"


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

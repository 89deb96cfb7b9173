"""Why a fast grower cannot grow by a criterion: a reason, or None where it can. The reference grows by all of them."""

from treerules.criteria import ENTROPY_KERNEL, Criterion, kernel_of


def refusal_in_one_step(criterion: Criterion) -> str | None:
    """Return why the kernels for two children, and growth by levels, cannot use a criterion."""
    if kernel_of(criterion) is None:
        return f"no compiled kernel computes the criterion {criterion.name}"
    if criterion.divisor is not None:
        return f"the criterion {criterion.name} compares features by a ratio"
    return None


def refusal_for_many_children(criterion: Criterion) -> str | None:
    """Return why the kernels for a child for each category cannot use a criterion."""
    if kernel_of(criterion) != ENTROPY_KERNEL:
        return f"no compiled kernel for many children computes the criterion {criterion.name}"
    return None

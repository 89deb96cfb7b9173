"""Rows of a search whose columns all have two values, as bits: what the kernels of `bits_kernel` take."""

from typing import Any

import numpy as np

from treerules.growing.optimal.search_rows import SearchRows

_WORD = 64
#: The number of columns is a multiple of this.
_BLOCK = 16
#: CPU seconds of the kernel for each pair of columns, word of rows and label.
_SECONDS = 8e-11
#: The time limit holds by as many seconds.
_LONG = 0.4


def has_two_values(rows: SearchRows) -> bool:
    """Whether all columns have two values, and leaves no least weight."""
    return bool(rows.n_rows) and not rows.has_least_weight and int(rows.ranks.max(initial=0)) <= 1


def is_short(rows: SearchRows) -> bool:
    """Whether a call of the kernel of depth 3, which no time limit ends, takes less than `_LONG` seconds."""
    n_columns = len(rows.ranks)
    return 2 * _SECONDS * n_columns**3 * (rows.n_rows / _WORD + 1) * rows.costs.shape[1] < _LONG


def bit_arguments(rows: SearchRows) -> tuple[Any, ...]:
    """Return the arguments of `best_of_bits` from the columns to the rows.

    A row of greater costs is either several rows of cost 1, or has several planes of bits, whichever takes less room.
    """
    n_labels = rows.costs.shape[1]
    costs, ranks = rows.costs.astype(np.int64), rows.ranks
    n_planes = sum(int(line.max(initial=0)).bit_length() for line in costs.T)
    n_copies = int(rows.greatest_cost.sum())
    if -(-n_copies // _WORD) * n_labels < -(-rows.n_rows // _WORD) * n_planes:
        copy = np.repeat(np.arange(rows.n_rows), rows.greatest_cost)
        number = np.arange(len(copy)) - np.repeat(
            np.cumsum(rows.greatest_cost) - rows.greatest_cost, rows.greatest_cost
        )
        costs, ranks = (costs[copy] > number[:, None]).astype(np.int64), ranks[:, copy]
    order = np.argsort(costs.argmax(axis=1), kind="stable")  # the words of a plane lie together
    costs, ranks = costs[order], ranks[:, order]
    n_columns = -(-len(ranks) // _BLOCK) * _BLOCK
    columns = np.zeros((n_columns, ranks.shape[1]), dtype=bool)
    columns[: len(ranks)] = ranks > 0
    planes, facts = _planes(costs)
    greatest, greatest_facts = _planes(costs.max(axis=1, keepdims=True))
    whole = _packed(np.ones((1, ranks.shape[1]), dtype=bool))[0]
    bits = np.ascontiguousarray(_packed(columns).T).ravel()
    return bits, len(ranks), planes, facts, n_labels, greatest, greatest_facts, whole


def _packed(flags: Any) -> Any:
    """Return lines of flags as words of 64 bits, int64, shape (lines, words)."""
    n_words = -(-flags.shape[1] // _WORD)
    padded = np.zeros((len(flags), n_words * _WORD), dtype=bool)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view(np.int64)


def _planes(costs: Any) -> tuple[Any, Any]:
    """Return the binary digits of the costs of each label, and their facts, as `costs_of_two` takes them."""
    digits = [
        (label, digit)
        for label in range(costs.shape[1])
        for digit in range(int(costs[:, label].max(initial=0)).bit_length())
    ]
    planes = _packed(np.array([(costs[:, label] >> digit) & 1 for label, digit in digits], dtype=bool))
    is_used = planes != 0
    start, stop = is_used.argmax(axis=1), planes.shape[1] - is_used[:, ::-1].argmax(axis=1)
    facts = [(label, 1 << digit, *ends) for (label, digit), *ends in zip(digits, start, stop, strict=True)]
    return planes, np.array(facts, dtype=np.int64)

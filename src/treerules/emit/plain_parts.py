"""What plain modules of every language hold beside their code: the shares of classes, wrapped texts."""

import re
from collections.abc import Callable, Mapping

from treerules.emit.checked_rules import CheckedRules
from treerules.emit.python.python_literals import code_width
from treerules.trees.node_parts import ClassPrediction, Prediction

#: Up to this number of rules their texts stand beside the code; of more, in a table, which compilers read faster.
MOST_INLINE_RULES = 64


def shares_of(prediction: Prediction) -> tuple[float, ...]:
    """Return the probabilities of the classes; none for a mean."""
    return prediction.probabilities if isinstance(prediction, ClassPrediction) else ()


def class_counts(checked: CheckedRules, predictions: Mapping[int, Prediction]) -> dict[int, tuple[int, ...]]:
    """Return the number of training rows of each class by rule, where the probabilities are exactly their shares.

    The mapping is empty where they are not, as after weighting classes.
    """
    sizes = {rule.number: rule.figures.n for rule in checked.rules.rules}
    counts: dict[int, tuple[int, ...]] = {}
    for number, found in predictions.items():
        size, shares = sizes.get(number), shares_of(found)
        if not size or size != int(size):
            return {}
        counts[number] = tuple(round(share * size) for share in shares)
        if sum(counts[number]) != size or any(n / int(size) != p for n, p in zip(counts[number], shares, strict=True)):
            return {}
    return counts


def wrapped(text: str, literal: Callable[[str], str], width: int) -> list[str]:
    """Return a text in parts whose literals fit a width, divided before blanks; a word that is too wide is a part."""
    parts: list[str] = []
    for word in re.findall(r" *[^ ]+| +$", text):
        if parts and code_width(literal(parts[-1] + word)) <= width:
            parts[-1] += word
        else:
            parts.append(word)
    return parts

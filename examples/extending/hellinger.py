"""A criterion of your own: the Hellinger distance, in which the sizes of the classes have no effect.

python examples/extending/hellinger.py
"""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import fsum, sqrt
from typing import Any

import numpy as np

from treerules import cart, compile_rules, learn, read
from treerules.criteria import Criterion


def hellinger_distance(groups: Sequence[Sequence[float]], base: str = "2") -> float:
    """Return the Hellinger distance of the classes' shares of the children (Cieslak and Chawla 2008, pp. 241-256).

    Of more than two classes it is the root of the sum of the squared distances of all pairs. The sizes of the classes
    have no effect, and `base` has none.

    >>> round(hellinger_distance([(6, 3), (0, 6)]), 3)
    0.919
    >>> hellinger_distance([(1, 100), (2, 200)]), round(hellinger_distance([(1, 0), (0, 100)]) ** 2, 3)
    (0.0, 2.0)
    """
    classes = [(column, total) for column in zip(*groups, strict=True) if (total := fsum(column)) > 0]
    roots = [[sqrt(count / total) for count in column] for column, total in classes]
    return sqrt(fsum((a - b) ** 2 for one, two in combinations(roots, 2) for a, b in zip(one, two, strict=True)))


def hellinger_distances(counts: Any, base: str = "2") -> Any:
    """Return the Hellinger distances of many splits; `counts` has the shape (children, classes, splits).

    >>> hellinger_distances(np.array([[[6, 1], [3, 0]], [[0, 0], [6, 100]]])).round(3).tolist()
    [0.919, 1.414]
    """
    totals = counts.sum(axis=0)
    roots = np.sqrt(counts / np.where(totals > 0, totals, 1.0))
    pairs = combinations(range(counts.shape[1]), 2)
    squares = (np.square(roots[:, a] - roots[:, b]).sum(axis=0) * ((totals[a] > 0) & (totals[b] > 0)) for a, b in pairs)
    return np.sqrt(reduce(np.add, squares, np.zeros(counts.shape[2])))


HELLINGER = Criterion(
    "hellinger",
    hellinger_distance,
    scores=hellinger_distances,
    orders_categories=True,  # its square is a convex function of the first child's shares of the two classes
    words={"en": "Hellinger distance", "zh": "海林格距离"},
)

if __name__ == "__main__":
    tree = learn(read("examples/weather.csv"), target="play", recipe=cart(criterion=HELLINGER, max_depth=2))
    print(compile_rules(tree))

"""The candidates of one node: all that its features offer, cut down to those near the best.

Gains here are approximate, found with numpy on whole columns; `splits` scores what is left and decides.
"""

from collections.abc import Iterator
from math import log2

from treerules.growing.encoding import Encoded
from treerules.growing.reference.categorical import division_offers
from treerules.growing.reference.node_data import Bag, Candidate, Offer
from treerules.growing.reference.numeric import counted_block, cut_offers, in_order, lines_of_block, sorted_lines
from treerules.recipes.recipe import Recipe

#: A candidate is near the best when its approximate gain is this close, relative to what the node could gain.
_SLACK = 1e-11


def candidates_near_best(data: Encoded, bag: Bag, recipe: Recipe) -> Iterator[Candidate]:
    """Yield the candidates near the greatest gain; for the gain ratio, near the greatest gain of their feature."""
    slack = _SLACK * _most(data, bag)
    offers = [offer for offer in _offers(data, bag, recipe, slack) if len(offer.gains)]
    worth = [offer.gains if data.costs is None else offer.gains / data.costs[offer.features] for offer in offers]
    best = 0.0 if bag.scale.criterion.divisor is not None else max([0.0, *(gains.max() for gains in worth)])
    for offer, gains in zip(offers, worth, strict=True):
        for place in (gains >= best - slack).nonzero()[0].tolist():
            yield offer.candidate(place)


def _offers(data: Encoded, bag: Bag, recipe: Recipe, slack: float) -> Iterator[Offer]:
    for block in data.tabulated:
        counted, missing = counted_block(data, bag, block)
        chosen = in_order(data, bag, recipe, block, counted, missing)
        found = lines_of_block(data, bag, recipe, block, counted, missing, chosen)
        if found is not None:
            yield from cut_offers(data, bag, recipe, found, slack)
        yield from division_offers(bag, recipe, block, counted, missing, ~chosen)
    for lines in sorted_lines(data, bag):
        yield from cut_offers(data, bag, recipe, lines, slack)


def _most(data: Encoded, bag: Bag) -> float:
    n = bag.whole[0]
    if data.is_regression or bag.scale.criterion.purity is None:
        return float(n * bag.impurity)
    return float(n * max(1.0, log2(max(n, 1.0))))

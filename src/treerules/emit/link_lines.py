"""Link functions in a language of code: the bodies of functions that predict, by link function and type of the sums."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from treerules.trees.ensemble import Ensemble

#: The lines of a body by the name of the link function; `SLOPE * ` stands for the factor of the margin.
Bodies: TypeAlias = Mapping[str, Sequence[str]]


def link_lines(ensemble: Ensemble, bodies: Bodies, single_bodies: Bodies, literal: Callable[[float], str]) -> list[str]:
    """Return the body for the link function of an ensemble.

    Args:
        ensemble: the ensemble.
        bodies: the bodies for sums of float64.
        single_bodies: those for sums of float32, which round each step.
        literal: a function that spells a number in the language.
    """
    lines = (bodies if ensemble.sum_type == "float64" else single_bodies)[ensemble.link]
    factor = "" if ensemble.slope == 1 else f"{literal(ensemble.slope)} * "
    return [line.replace("SLOPE * ", factor) for line in lines]

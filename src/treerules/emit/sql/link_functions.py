"""Link functions as SQL: means and probabilities, given the expressions of margins.

Beyond some bounds exp is an error in some engines, so a CASE answers there. Of sums of float32 each step is rounded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from attrs import evolve, frozen

from treerules.trees.links import LEAST_SINGLE_EXP, LINKS, MOST_EXP, MOST_SINGLE_EXP, MOST_SINGLE_POWER

#: Below this number exp is 0, which some engines refuse.
_LEAST_EXP = -745.0
#: The least probability of a sigmoid of float32.
_LEAST_SINGLE_EXPIT = float(LINKS["expit"].answers(np.array([[-MOST_SINGLE_POWER]], dtype=np.float32), 1.0)[0, 0])


def double_of(language: Any) -> str:
    """Return the pattern that makes a number of 32 bits a double."""
    return f"CAST({{}} AS {language.types['number']})"


@frozen
class LinkWriter:
    """The writer of link functions in a language.

    Args:
        language: the spelling of the dialect.
        single: the pattern that rounds each step to float32; None for sums of doubles.
        slope: the factor of the margin in a sigmoid.
    """

    language: Any
    single: str | None
    slope: float

    def rounded(self, text: str) -> str:
        """Return an expression, rounded to float32 where that is the type of the sums; always a double."""
        if self.single is None:
            return text
        return double_of(self.language).format(self.single.format(text))

    def exp(self, power: str) -> str:
        """Return e to a power, which is a name or an expression, without an error where it is infinite or 0."""
        language = self.language
        least, most = (_LEAST_EXP, MOST_EXP) if self.single is None else (LEAST_SINGLE_EXP, MOST_SINGLE_EXP)
        highest = (
            []
            if language.infinity is None
            else [f"WHEN {power} > {language.literal(most)} THEN {language.literal(inf)}"]
        )
        lowest = f"WHEN {power} < {language.literal(least)} THEN {language.literal(0.0)}"
        return f"CASE {' '.join([*highest, lowest])} ELSE {self.rounded(f'EXP({power})')} END"

    def identity(self, margins: Sequence[str]) -> Iterator[list[str]]:
        """Yield the margins, which are the probabilities."""
        yield from ([margin] for margin in margins)

    def expit(self, power: str, *, complement: bool = False) -> str:
        """Return 1 / (1 + exp(-power)), or 1 minus that.

        Beyond these bounds exp is an error in some engines, and the result is 0 or 1.
        """
        bound, lowest = (MOST_EXP, 0.0) if self.single is None else (MOST_SINGLE_POWER, _LEAST_SINGLE_EXPIT)
        low, high, least, zero, one = map(self.language.literal, (-bound, bound, lowest, 0.0, 1.0))
        power_of_e = self.rounded(f"EXP(-({power}))")
        between = self.rounded(f"{one} / {self.rounded(f'({one} + {power_of_e})')}")
        most = one
        if complement:
            least, between, most = one, self.rounded(f"{one} - {between}"), zero
        return f"CASE WHEN {power} < {low} THEN {least} WHEN {power} > {high} THEN {most} ELSE {between} END"

    def square(self, margin: str) -> str:
        """Return the margin times its distance from 0."""
        return f"ABS({margin}) * {margin}"

    def softplus(self, margin: str) -> str:
        """Return log(1 + e) of e, the power of the margin: e where the sum is 1, else corrected for its rounding."""
        doubles = evolve(self, single=None)
        one, power = self.language.literal(1.0), doubles.exp(margin)
        total = f"({one} + {power})"
        return f"CASE WHEN {total} = {one} THEN {power} ELSE LN({total}) * ({power} / ({total} - {one})) END"

    def sigmoids(self, margins: Sequence[str]) -> Iterator[list[str]]:
        """Yield expit of each margin times the slope."""
        factor = "" if self.slope == 1 else f"{self.language.literal(self.slope)} * "
        for margin in margins:
            yield [evolve(self, single=None).expit(f"{factor}{margin}")]

    def sigmoid(self, margins: Sequence[str]) -> Iterator[list[str]]:
        """Yield the probabilities of two classes, 1 minus expit and expit."""
        slope = self.slope
        factor = self.language.literal(slope)
        power = margins[0] if slope == 1 else self.rounded(f"{factor} * {margins[0]}")
        yield [self.expit(power, complement=True)]
        yield [self.expit(power)]

    def step(self, margins: Sequence[str]) -> Iterator[list[str]]:
        """Yield 0 and 1, or 1 and 0 where the margin is not above 0."""
        zero, one = map(self.language.literal, (0.0, 1.0))
        for above, other in ((zero, one), (one, zero)):
            yield [f"CASE WHEN {margins[0]} > {zero} THEN {above} ELSE {other} END"]

    def softmax(self, margins: Sequence[str]) -> Iterator[list[str]]:
        """Yield the power of e of each margin, divided by their sum."""
        whens = of_greatest(margins, margins)
        greatest = f"CASE {' '.join(whens)} END" if len(margins) > 1 else margins[0]
        powers = [self.exp(self.rounded(f"({margin} - ({greatest}))")) for margin in margins]
        for power in powers:
            if self.single is None:
                yield [f"{power} / (", *_joined_lines(powers, "  + "), ")"]
            else:
                yield [self.rounded(f"{power} / {self.rounded(' + '.join(powers))}")]


#: The prediction of a regression, by link function: a method of the writer, given the margin.
MEANS: Mapping[str, Callable[[LinkWriter, str], str]] = {
    "identity": lambda writer, margin: margin,
    "exp": LinkWriter.exp,
    "expit": LinkWriter.expit,
    "square": LinkWriter.square,
    "softplus": LinkWriter.softplus,
}
#: The probabilities of the classes, by link function: a method of the writer, given the margins.
PROBABILITIES: Mapping[str, Callable[[LinkWriter, Sequence[str]], Iterator[list[str]]]] = {
    "identity": LinkWriter.identity,
    "sigmoid": LinkWriter.sigmoid,
    "step": LinkWriter.step,
    "softmax": LinkWriter.softmax,
    "sigmoids": LinkWriter.sigmoids,
}


def _joined_lines(texts: Sequence[str], joiner: str) -> list[str]:
    return [f"{joiner if at else '  '}{text}" for at, text in enumerate(texts)]


def of_greatest(margins: Sequence[str], results: Sequence[str]) -> list[str]:
    """Return the branches of a CASE for the result of the greatest margin, the first on ties.

    That is the first margin that is below none of the later ones.
    """
    tests = [" AND ".join(f"{own} >= {other}" for other in margins[at + 1 :]) for at, own in enumerate(margins)]
    whens = [f"WHEN {test} THEN {result}" for test, result in zip(tests[:-1], results[:-1], strict=True)]
    return [*whens, f"ELSE {results[-1]}"]

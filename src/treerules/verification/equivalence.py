"""The result of comparing two predictors, and the error of an assertion that they answer alike."""

from typing import Any

from attrs import field, frozen

from treerules._internal.notebook import Shown
from treerules.errors import TreeRulesError, counted
from treerules.rules.row_text import row_text
from treerules.verification.answers import RaisedError
from treerules.verification.minimise import python_call

Row = dict[str, Any]


@frozen
class Difference:
    """A row that two predictors answer differently, as small as was cheap.

    Attributes:
        row: The row, a value for each feature that it needs; a feature without a value is missing.
        expected: The answer of the first predictor, the model of `verify`.
        rule: The number of the rule by which the model answers; None where no rule fires.
        answer: The answer of the second, the code of `verify`; `RaisedError` where it gives none.
        paste: The row as a call or a query of the code, which can be pasted.
        names: What the two are.
        reasons: The rules that fire for each, in words; "" where it has no rules.
    """

    row: Row
    expected: Any
    rule: int | None
    answer: Any
    paste: str
    names: tuple[str, str] = field(default=("the model", "the code"), eq=False)
    reasons: tuple[str, str] = field(default=("", ""), eq=False)

    def __repr__(self) -> str:
        return f"<Difference expected={self.expected!r:.50} answer={self.answer!r:.50}>"

    def __str__(self) -> str:
        answers = zip(self.names, (self.expected, self.answer), self.reasons, strict=True)
        lines = [f"    {name} {_answer_text(answer)}{f' ({why})' if why else ''}" for name, answer, why in answers]
        pasted = [] if self.paste == python_call(self.row) else [self.paste]
        return "\n".join(["the answers differ for this row:", f"    row = {row_text(self.row)}", *lines, *pasted])


def _answer_text(answer: Any) -> str:
    return str(answer) if isinstance(answer, RaisedError) else f"answers {answer!r}"


@frozen
class Equivalence(Shown):
    """The result of `verify`: true where no row makes a difference.

    Attributes:
        n_rows: The number of rows that were compared, those of the data among them; 0 where a proof needed none.
        n_data: The number of rows of the data that were compared.
        engine: What ran the code, with its version; "" where both ran in this process.
        difference: The first difference; None where there is none.
        n_left_out: The number of rows that were not compared, since a database cannot hold their text.
        is_proved: Whether equality is proved for every row: both are trees or rules.
    """

    n_rows: int
    n_data: int
    engine: str
    difference: Difference | None = None
    n_left_out: int = 0
    is_proved: bool = False

    def __bool__(self) -> bool:
        return self.difference is None

    def __repr__(self) -> str:
        return f"<Equivalence {'equal' if self else 'different'} n_rows={self.n_rows} engine={self.engine!r:.50}>"

    def __str__(self) -> str:
        if self.is_proved:
            return "proved for every row: no difference"
        engine = f" on {self.engine}" if self.engine else ""
        data = f", {self.n_data} of them from the data" if self.n_data else ""
        compared, left_out = f"compared {counted(self.n_rows, 'row')}{engine}{data}", ""
        if self.n_left_out:
            were = "was" if self.n_left_out == 1 else "were"
            left_out = f"; {counted(self.n_left_out, 'row')} with text that SQL cannot hold {were} left out"
        return f"{compared}: no difference{left_out}" if self else f"{compared}{left_out}: {self.difference}"


@frozen
class DifferentAnswersError(TreeRulesError, AssertionError):
    """Two predictors that should answer alike do not."""

    equivalence: Equivalence

    @property
    def difference(self) -> Difference:
        """The first difference."""
        assert self.equivalence.difference is not None
        return self.equivalence.difference

    @property
    def row(self) -> Row:
        """The row that shows it."""
        return self.difference.row

    def __str__(self) -> str:
        return str(self.difference)

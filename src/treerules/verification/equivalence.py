"""The result of comparing two predictors, and the error of an assertion that they answer alike."""

from typing import Any

from attrs import field, frozen

from treerules._internal.notebook import Shown
from treerules._internal.short_repr import short_repr
from treerules.errors import TreeRulesError
from treerules.proof.assumption import assuming_line
from treerules.rendering.headings import heading, in_language, row_count
from treerules.rules.row_text import row_text
from treerules.verification.answers import RaisedError
from treerules.verification.minimise import python_call

Row = dict[str, Any]


@short_repr
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
        return difference_text(self)


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
        assumption: What is assumed of the columns, whose other values were not compared; "" where nothing is.
        notes: How the columns of a table of the user's differ from those that the SQL needs, and where rules do not
            hold how the model reads cells.
    """

    n_rows: int
    n_data: int
    engine: str
    difference: Difference | None = None
    n_left_out: int = 0
    is_proved: bool = False
    assumption: str = field(default="", eq=False)
    notes: tuple[str, ...] = field(default=(), eq=False)

    def __bool__(self) -> bool:
        return self.difference is None

    def __repr__(self) -> str:
        return f"<Equivalence {'equal' if self else 'different'} n_rows={self.n_rows} engine={self.engine!r:.50}>"

    def __str__(self) -> str:
        return equivalence_text(self)


def equivalence_text(equivalence: Equivalence, lang: str = "en", file: str = "") -> str:
    """Return an equivalence in words: notes, what was compared, what was assumed, and the difference if there is one.

    `file` is the name of the code, which stands before what was compared; "" for none.
    """
    notes = [heading("note: {remark}", lang, remark=in_language(note, lang)) for note in equivalence.notes]
    compared = f"{file}: {_compared_text(equivalence, lang)}" if file else _compared_text(equivalence, lang)
    line = assuming_line(in_language(equivalence.assumption, lang), lang)
    return "\n".join([*notes, compared, *([line] if line else [])])


def _compared_text(equivalence: Equivalence, lang: str) -> str:
    if equivalence.is_proved:
        of_domain = " of the declared domain" if equivalence.assumption else ""
        return heading(f"proved for every row{of_domain}: no difference", lang)
    compared = heading("compared {rows}", lang, rows=row_count(equivalence.n_rows, lang))
    if equivalence.engine:
        compared += heading(" on {engine}", lang, engine=equivalence.engine)
    if equivalence.n_data:
        compared += heading(", {n} of them from the data", lang, n=equivalence.n_data)
    left_out, n_left_out = "", equivalence.n_left_out
    if n_left_out:
        were = "was" if n_left_out == 1 else "were"
        text = f"; {{rows}} with text that SQL cannot hold {were} left out"
        left_out = heading(text, lang, rows=row_count(n_left_out, lang))
    if equivalence.difference is None:
        return f"{compared}{heading(': no difference', lang)}{left_out}"
    return f"{compared}{left_out}: {difference_text(equivalence.difference, lang)}"


def difference_text(difference: Difference, lang: str = "en") -> str:
    """Return a difference in lines: the row, the two answers, and the row to paste where that is another text."""
    answers = zip(difference.names, (difference.expected, difference.answer), difference.reasons, strict=True)
    lines = [
        f"    {heading(name, lang)} {_answer_text(answer, lang)}{f' ({in_language(reason, lang)})' if reason else ''}"
        for name, answer, reason in answers
    ]
    pasted = [] if difference.paste == python_call(difference.row) else [difference.paste]
    row = f"    {heading('row', lang)} = {row_text(difference.row)}"
    return "\n".join([heading("the answers differ for this row:", lang), row, *lines, *pasted])


def _answer_text(answer: Any, lang: str) -> str:
    return str(answer) if isinstance(answer, RaisedError) else heading("answers {answer}", lang, answer=repr(answer))


@short_repr
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

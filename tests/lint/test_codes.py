"""The table of codes: each is explained by SQL that has it, and by SQL that has it no more."""

import pytest

from treerules.errors import OptionError, UnknownNameError
from treerules.lint.codes import CODES, SEVERITIES, codes_starting, help_page
from treerules.lint.lint_file import LintOptions, lint_sql
from treerules.rendering.text_tables import display_width

#: Notes on how a CASE was read, which may stand beside any finding.
READING = {code for code in CODES if code.startswith("TR3")}
#: The severity of codes by the first digit.
BY_DIGIT = {"0": "error", "1": "warning", "2": "note", "3": "note"}


def codes_of(sql: str, **options: object) -> set[str]:
    """Return the codes of the findings in a text."""
    linted = lint_sql(sql.encode(), "a.sql", LintOptions(**options))  # type: ignore[arg-type]
    assert not linted.problem
    return {found.code for found in linted.findings}


@pytest.mark.parametrize("code", sorted(set(CODES) - {"TR303"}))
def test_the_example_of_a_code_has_it_and_the_mended_one_has_not(code: str) -> None:
    """Wrong SQL gives exactly this code, notes on the reading aside; mended SQL gives it not, and nothing worse."""
    row = CODES[code]
    assert codes_of(row.wrong) - (READING - {code}) == {code}
    mended = codes_of(row.mended)
    assert code not in mended
    worst = SEVERITIES.index(row.severity)
    assert all(SEVERITIES.index(CODES[other].severity) > worst for other in mended if row.severity != "note")


def test_a_budget_that_ended_is_a_note() -> None:
    """TR303 has no SQL of its own: it depends on the budget."""
    bands = " ".join(f"WHEN a > {n}.5 AND b < {n}.5 THEN 'v{n}'" for n in range(9))
    assert "TR303" in codes_of(f"CASE {bands} END", budget=0)


def test_codes_have_severities_by_their_first_digit() -> None:
    """TR0 are errors, TR1 warnings, TR2 and TR3 notes; names are different."""
    assert all(row.severity == BY_DIGIT[code[2]] for code, row in CODES.items())
    assert len({row.name for row in CODES.values()}) == len(CODES)
    assert all(code == row.code and row.sentence.endswith(".") and row.explanation for code, row in CODES.items())


def test_codes_are_chosen_by_what_they_begin_with() -> None:
    """TR0 stands for all errors, in any case; what no code begins with is refused with the list."""
    assert codes_starting(["tr0"], "--select") == {"TR001", "TR002"}
    assert codes_starting(["TR101", "TR2"], "--select") > {"TR101", "TR201"}
    for wrong in ("TR9", "", "x", "TR0011"):
        with pytest.raises(OptionError, match="TR001, TR002") as raised:
            codes_starting([wrong], "--ignore")
        assert raised.value.option == "--ignore"


def test_help_has_a_page_for_each_code() -> None:
    """With the SQL of the example, in 80 columns; a list of all codes; an unknown one is an error."""
    listed = help_page("")
    for code, row in CODES.items():
        assert f"{code}  {row.severity}" in listed
        page = help_page(code)
        assert page.startswith(f"{code} {row.name} ({row.severity})\n")
        assert all(display_width(line) <= 80 for line in page.splitlines()), code
        assert all(line in page for line in row.wrong.splitlines())
    assert help_page("TR0") == f"{help_page('TR001')}\n{help_page('TR002')}"
    with pytest.raises(UnknownNameError):
        help_page("TR999")


def test_remarks_do_not_repeat_what_codes_say() -> None:
    """ELSE NULL, a part that is not read and an expression have codes of their own; answers need no remark."""
    assert codes_of("CASE WHEN a = 'x' THEN b + 1\n WHEN a = 'y' THEN f('\n', c) ELSE NULL END") == {"TR202"}
    assert codes_of("CASE WHEN a < 'x' THEN 1 WHEN a = 'y' THEN 2 ELSE g END") == {"TR301"}
    assert codes_of("CASE WHEN lower(a) = 'x' THEN b.c ELSE g END") == {"TR302"}

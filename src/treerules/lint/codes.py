"""The codes of findings in SQL, with what `treerules help CODE` says: the table `CODES`.

    TR0xx  errors      a WHEN that decides for no row, whatever the data
    TR1xx  warnings    rows that the CASE probably forgets, an ELSE that nothing reaches
    TR2xx  notes       what is often meant so
    TR3xx  notes       how the CASE was read, and what was not decided

The law over all rows: the wrong SQL has this code, and the mended SQL has not; beside it both have notes TR3xx at most.
"""

from collections.abc import Mapping, Sequence
from textwrap import fill
from types import MappingProxyType

from attrs import frozen

from treerules.errors import OptionError, UnknownNameError

#: The severities, the first being the worst.
SEVERITIES = ("error", "warning", "note")


@frozen
class FindingCode:
    """A code of findings: what it means, and SQL that has it and that has it no more."""

    code: str
    #: in words, as `never-decides`
    name: str
    severity: str
    #: what is true of the CASE, in one sentence
    sentence: str
    #: why it matters, and what to do
    explanation: str
    #: SQL with this finding
    wrong: str
    #: the SQL without it
    mended: str

    def help(self) -> str:
        """Return the page that explains the code."""
        paragraphs = (
            f"{self.code} {self.name} ({self.severity})",
            fill(f"{self.sentence} {self.explanation}", 78),
            f"With {self.code}:\n\n{_indented(self.wrong)}",
            f"Without it:\n\n{_indented(self.mended)}",
            fill(f"It is not reported at a WHEN, or in the whole CASE, where -- treerules: ignore[{self.code}] ends "
                 f"the line of the WHEN or of the CASE; anywhere with --ignore {self.code}.", 78),
        )  # fmt: skip
        return "\n\n".join(paragraphs) + "\n"


def _indented(sql: str) -> str:
    return "\n".join(f"    {line}" for line in sql.splitlines())


_ROWS = (
    FindingCode(
        "TR001",
        "never-decides",
        "error",
        "A WHEN never decides: the WHENs before it take all its rows.",
        "The answer of a CASE is that of the first WHEN whose condition is true. This holds for every row that the "
        "columns can hold, so the WHEN has no effect: it stands in the wrong place, or one of its bounds is wrong.",
        "CASE\n  WHEN income > 1000.5 THEN 'high'\n  WHEN income > 5000.5 THEN 'very high'\n  ELSE 'low'\nEND",
        "CASE\n  WHEN income > 5000.5 THEN 'very high'\n  WHEN income > 1000.5 THEN 'high'\n  ELSE 'low'\nEND",
    ),
    FindingCode(
        "TR002",
        "contradiction",
        "error",
        "No row can meet the condition of a WHEN.",
        "Its parts exclude each other, or it compares with NULL, which is never true (write IS NULL). Bounds in the "
        "wrong order and AND in the place of OR are the usual causes.",
        "CASE WHEN code >= 39.6 AND code <= 29.8 THEN 'heart' ELSE 'other' END",
        "CASE WHEN code >= 29.8 AND code <= 39.6 THEN 'heart' ELSE 'other' END",
    ),
    FindingCode(
        "TR101",
        "gap",
        "warning",
        "No WHEN takes some rows, and there is no ELSE: the answer is NULL.",
        "A CASE of several WHENs usually means to answer for every row. Say what the other rows get by ELSE; where "
        "NULL is meant, write ELSE NULL.",
        "CASE WHEN plan = 'basic' THEN 'a' WHEN plan = 'gold' THEN 'b' END",
        "CASE\n  WHEN plan = 'basic' THEN 'a'\n  WHEN plan = 'gold' THEN 'b'\n  ELSE 'other'\nEND",
    ),
    FindingCode(
        "TR102",
        "gap-between-bands",
        "warning",
        "No WHEN takes the values between two bands, such as 30 between `< 30` and `> 30`.",
        "The answer for them is NULL. One of the bounds should usually be <= or >=.",
        "CASE\n  WHEN age < 30.5 THEN 'young'\n  WHEN age > 30.5 THEN 'old'\n  WHEN age IS NULL THEN 'unknown'\nEND",
        "CASE\n  WHEN age < 30.5 THEN 'young'\n  WHEN age >= 30.5 THEN 'old'\n  WHEN age IS NULL THEN 'unknown'\nEND",
    ),
    FindingCode(
        "TR103",
        "gap-of-null",
        "warning",
        "Only rows with NULL in a column that is compared are taken by no WHEN, and there is no ELSE.",
        "A comparison with NULL is not true, so that neither `x < 3` nor `NOT x < 3` takes it. Say what such rows get "
        "by ELSE or IS NULL; where NULL is meant, write ELSE NULL.",
        "CASE WHEN age < 30.5 THEN 'young' WHEN age >= 30.5 THEN 'old' END",
        "CASE\n  WHEN age < 30.5 THEN 'young'\n  WHEN age >= 30.5 THEN 'old'\n  ELSE 'unknown'\nEND",
    ),
    FindingCode(
        "TR104",
        "unreachable-else",
        "warning",
        "No row reaches ELSE: the WHENs before it take them all.",
        "Leave it out, or keep it on purpose for values that the columns do not have today. ELSE NULL is not "
        "reported: a CASE without it gives NULL too.",
        "CASE\n  WHEN paid IS NULL THEN 'open'\n  WHEN paid IS NOT NULL THEN 'paid'\n  ELSE 'error'\nEND",
        "CASE\n  WHEN paid IS NULL THEN 'open'\n  WHEN paid IS NOT NULL THEN 'paid'\nEND",
    ),
    FindingCode(
        "TR201",
        "flag",
        "note",
        "A CASE of one WHEN without ELSE gives NULL for all other rows.",
        "That is often meant, as in count(CASE WHEN ... THEN 1 END).",
        "count(CASE WHEN paid > 0.5 THEN 1 END)",
        "sum(CASE WHEN paid > 0.5 THEN 1 ELSE 0 END)",
    ),
    FindingCode(
        "TR202",
        "else-null",
        "note",
        "Rows that no WHEN takes get NULL, as ELSE NULL says.",
        "The gap is intended; nothing needs to be done.",
        "CASE\n  WHEN plan = 'basic' THEN 1\n  WHEN plan = 'gold' THEN 2\n  ELSE NULL\nEND",
        "CASE WHEN plan = 'basic' THEN 1 WHEN plan = 'gold' THEN 2 ELSE 0 END",
    ),
    FindingCode(
        "TR203",
        "order",
        "note",
        "WHENs with different answers hold for the same rows: their order decides.",
        "That is how a ladder such as > 90, > 80, > 70 is written. It matters when a WHEN is moved or copied.",
        "CASE\n  WHEN score > 90.5 THEN 'a'\n  WHEN score > 80.5 THEN 'b'\n  ELSE 'c'\nEND",
        "CASE\n  WHEN score > 90.5 THEN 'a'\n  WHEN score > 80.5 AND score <= 90.5 THEN 'b'\n  ELSE 'c'\nEND",
    ),
    FindingCode(
        "TR204",
        "spare-part",
        "note",
        "A part of a WHEN never decides.",
        "One side of an OR, or one value of an IN, is taken by what stands before it, or no row meets it.",
        "CASE\n  WHEN age < 30.5 THEN 1\n  WHEN age < 20.5 OR city = 'Rome' THEN 1\n  ELSE 0\nEND",
        "CASE WHEN age < 30.5 THEN 1 WHEN city = 'Rome' THEN 1 ELSE 0 END",
    ),
    FindingCode(
        "TR205",
        "possible-gap",
        "note",
        "There may be rows that no WHEN takes.",
        "An expression, such as a function of a column, was taken as a column of its own (TR302). Whether it takes "
        "the values of the gap is not known, so no row is shown.",
        "CASE\n  WHEN lower(city) = 'rome' THEN 1\n  WHEN lower(city) = 'oslo' THEN 2\nEND",
        "CASE\n  WHEN lower(city) = 'rome' THEN 1\n  WHEN lower(city) = 'oslo' THEN 2\n  ELSE 0\nEND",
    ),
    FindingCode(
        "TR206",
        "possible-overlap",
        "note",
        "WHENs with different answers may hold for the same rows.",
        "An expression, such as a function of a column, was taken as a column of its own (TR302). Whether it takes "
        "values for which both hold is not known, so no row is shown.",
        "CASE\n  WHEN lower(city) = 'rome' THEN 1\n  WHEN age > 60.5 THEN 2\n  ELSE 0\nEND",
        "CASE\n  WHEN lower(city) = 'rome' THEN 1\n  WHEN age > 60.5 AND lower(city) <> 'rome' THEN 2\n  ELSE 0\nEND",
    ),
    FindingCode(
        "TR207",
        "bound-in-else",
        "note",
        "The values between two bands, such as 30 between `< 30` and `> 30`, come to ELSE.",
        "That may be meant, as for zero between negative and positive numbers.",
        "CASE\n  WHEN amount < 0.5 THEN 'down'\n  WHEN amount > 0.5 THEN 'up'\n  ELSE 'other'\nEND",
        "CASE\n  WHEN amount < 0.5 THEN 'down'\n  WHEN amount >= 0.5 THEN 'up'\n  ELSE 'other'\nEND",
    ),
    FindingCode(
        "TR301",
        "not-read",
        "note",
        "A part of a CASE is not read.",
        "What is said of the other WHENs is true all the same; whether there is a gap is not said.",
        "CASE WHEN city < 'm' THEN 1 WHEN city IS NULL THEN 2 ELSE 0 END",
        "CASE WHEN city = 'Bern' THEN 1 WHEN city IS NULL THEN 2 ELSE 0 END",
    ),
    FindingCode(
        "TR302",
        "taken-as-column",
        "note",
        "An expression is taken as a column: equal text is an equal value.",
        "A WHEN that never decides, and WHENs that leave no gap, are proved for any value of the expression; overlaps "
        "and gaps that need it are only possible (TR205, TR206).",
        "CASE WHEN lower(city) = 'rome' THEN 1 ELSE 0 END",
        "CASE WHEN city = 'rome' THEN 1 ELSE 0 END",
    ),
    FindingCode(
        "TR303",
        "undecided",
        "note",
        "The budget ended before a question was decided.",
        "Give a greater one (--budget).",
        "",
        "",
    ),
    FindingCode(
        "TR304",
        "remark",
        "note",
        "How the CASE was understood: kinds of columns that follow from literals, particulars of a dialect.",
        "Declare kinds by --schema, and name the dialect by --dialect.",
        "CASE WHEN age > 30 THEN 'old' ELSE 'young' END",
        "CASE WHEN age > 30.5 THEN 'old' ELSE 'young' END",
    ),
    FindingCode(
        "TR305",
        "unknown-code",
        "note",
        "A comment `-- treerules: ignore[...]` names a code that does not exist.",
        "`treerules help` lists the codes.",
        "CASE WHEN age > 9.5 THEN 1 ELSE 0 END -- treerules: ignore[TR999]",
        "CASE WHEN age > 9.5 THEN 1 ELSE 0 END -- treerules: ignore[TR101]",
    ),
)  # fmt: skip
#: The codes of findings, by code.
CODES: Mapping[str, FindingCode] = MappingProxyType({row.code: row for row in _ROWS})


def codes_starting(prefixes: Sequence[str], option: str) -> frozenset[str]:
    """Return the codes that begin with one of some prefixes, such as TR001 or TR1, in any case.

    Raises:
        OptionError: no code begins with a prefix; `option` names where it stands.
    """
    for prefix in prefixes:
        if not prefix or not matching_codes(prefix):
            raise OptionError(option, prefix, f"codes, or what they begin with: {', '.join(CODES)}")
    return frozenset(code for prefix in prefixes for code in matching_codes(prefix))


def matching_codes(prefix: str) -> tuple[str, ...]:
    """Return the codes that begin with a prefix, in any case; a code itself stands for itself.

    >>> matching_codes("tr00")
    ('TR001', 'TR002')
    """
    return tuple(code for code in CODES if code.startswith(prefix.upper()))


def help_page(topic: str) -> str:
    """Return the page on a code, or the pages on all codes that begin so; "" lists the codes.

    Raises:
        UnknownNameError: there is no such code.
    """
    if not topic:
        width = max(len(row.name) for row in _ROWS)
        return "".join(f"{row.code}  {row.severity:7}  {row.name:{width}}  {row.sentence}\n" for row in _ROWS)
    codes = matching_codes(topic)
    if not codes:
        raise UnknownNameError("code", topic, tuple(CODES))
    return "\n".join(CODES[code].help() for code in codes)

"""The verdict of a check as text, Markdown, CSV and JSON."""

from treerules.check import Row, Verdict
from treerules.emit.formats import json_text, require_format
from treerules.emit.headings import heading
from treerules.emit.tables import TextTable, finite, table_text

_SAID = {True: "yes", False: "no", None: "undecided within the budget"}


def verdict_text(verdict: Verdict, n_rules: int, *, format: str = "text", lang: str = "en") -> str:
    """Return a verdict in words, with the witness rows.

    The JSON is {"format": "treerules.verdict", "version": 1, "rules": n, "exclusive": true or false, "complete": true,
    false or null, "overlaps": [{"first", "second", "row"}], "gaps": [{"row"}]}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    require_format(format, lang)
    if format == "json":
        return _json(verdict, n_rules)
    if format != "text":
        return table_text(_table(verdict, lang), format)
    if verdict:
        rules = heading("{n} rule" if n_rules == 1 else "{n} rules", lang, n=n_rules)
        return heading("checked: {rules}, mutually exclusive and complete", lang, rules=rules) + "\n"
    said = [f"{heading(name, lang)}: {heading(_SAID[found], lang)}" for name, found in _answers(verdict)]
    both, none = "rules {first} and {second} both fire for {row}", "no rule fires for {row}"
    said += [heading(both, lang, first=o.first, second=o.second, row=repr(o.row)) for o in verdict.overlaps]
    said += [heading(none, lang, row=repr(gap.row)) for gap in verdict.gaps]
    return "".join(line + "\n" for line in said)


def _answers(verdict: Verdict) -> list[tuple[str, bool | None]]:
    return [("exclusive", verdict.exclusive), ("complete", verdict.complete)]


def _table(verdict: Verdict, lang: str) -> TextTable:
    both = "rules {first} and {second} both fire"
    rows = [
        *((heading(name, lang), heading(_SAID[found], lang)) for name, found in _answers(verdict)),
        *((heading(both, lang, first=o.first, second=o.second), repr(o.row)) for o in verdict.overlaps),
        *((heading("no rule fires", lang), repr(gap.row)) for gap in verdict.gaps),
    ]
    return TextTable([heading("finding", lang), heading("witness", lang)], rows)


def _json(verdict: Verdict, n_rules: int) -> str:
    content = {
        "format": "treerules.verdict",
        "version": 1,
        "rules": n_rules,
        "exclusive": verdict.exclusive,
        "complete": verdict.complete,
        "overlaps": [
            {"first": overlap.first, "second": overlap.second, "row": _plain(overlap.row)}
            for overlap in verdict.overlaps
        ],
        "gaps": [{"row": _plain(gap.row)} for gap in verdict.gaps],
    }
    return json_text(content)


def _plain(row: Row) -> Row:
    return {name: finite(value) for name, value in row.items()}

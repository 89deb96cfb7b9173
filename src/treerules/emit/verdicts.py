"""The verdict of a check as text, Markdown, CSV and JSON."""

import json

from treerules.check import Verdict
from treerules.emit.headings import heading, require_lang
from treerules.emit.tables import TextTable, table_text
from treerules.errors import UnknownNameError

FORMATS = ("text", "md", "csv", "json")
_SAID = {True: "yes", False: "no", None: "undecided within the budget"}


def verdict_text(verdict: Verdict, n_rules: int, *, format: str = "text", lang: str = "en") -> str:
    """Return a verdict in words, with the witness rows.

    The JSON is {"format": "treerules.verdict", "version": 1, "rules": n, "exclusive": true or false, "complete": true,
    false or null, "overlaps": [{"first", "second", "row"}], "gaps": [{"row"}]}.

    Raises:
        UnknownNameError: there is no such format, or no such language.
    """
    if format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    require_lang(lang)
    if format == "json":
        return _json(verdict, n_rules)
    if format != "text":
        return table_text(_table(verdict, lang), format)
    if verdict:
        rules = heading("{n} rule" if n_rules == 1 else "{n} rules", lang, n=n_rules)
        return heading("checked: {rules}, mutually exclusive and complete", lang, rules=rules) + "\n"
    return "".join(f"{finding}: {said}\n" for finding, said in _findings(verdict, lang))


def _findings(verdict: Verdict, lang: str) -> list[tuple[str, str]]:
    both = "rules {first} and {second} both fire"
    return [
        (heading("exclusive", lang), heading(_SAID[verdict.exclusive], lang)),
        (heading("complete", lang), heading(_SAID[verdict.complete], lang)),
        *((heading(both, lang, first=o.first, second=o.second), repr(dict(o.row))) for o in verdict.overlaps),
        *((heading("no rule fires", lang), repr(dict(gap.row))) for gap in verdict.gaps),
    ]


def _table(verdict: Verdict, lang: str) -> TextTable:
    return TextTable([heading("finding", lang), heading("witness", lang)], _findings(verdict, lang))


def _json(verdict: Verdict, n_rules: int) -> str:
    content = {
        "format": "treerules.verdict",
        "version": 1,
        "rules": n_rules,
        "exclusive": verdict.exclusive,
        "complete": verdict.complete,
        "overlaps": [
            {"first": overlap.first, "second": overlap.second, "row": _row(overlap.row)} for overlap in verdict.overlaps
        ],
        "gaps": [{"row": _row(gap.row)} for gap in verdict.gaps],
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False, default=str) + "\n"


def _row(row: object) -> dict[str, object]:
    values = dict(row)  # type: ignore[call-overload]
    return {name: str(v) if isinstance(v, float) and abs(v) == float("inf") else v for name, v in values.items()}

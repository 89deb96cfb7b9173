"""Checks of certificates: whether the claim is proved, the tree that was evaluated, and the problem, if any.

CSV    one row: file, valid, optimal, claim, cost, lower, rounding, problem
JSON   {"format": "treerules.certificate_check", "version": 1, "file", "valid", "optimal", "claim", "depth", "rows",
       "cost", "lower", "rounding", "problem": sentence or null}
"""

from typing import Any

from treerules.proof.certificate_check import CertificateCheck
from treerules.proof.certificate_files import claim_text
from treerules.rendering.headings import heading, in_language
from treerules.rendering.text_tables import TextTable
from treerules.report.report import Part, ReportOption, tables_report
from treerules.trees.cost_bounds import cost_text

_COLUMNS = ("file", "valid", "optimal", "claim", "cost", "lower", "rounding", "problem")


def _parts(check: CertificateCheck, lang: str, file: str) -> list[Part]:
    claim = in_language(claim_text(check.certificate), lang)
    start = f"{file}: " if file else ""
    if check.problem is not None:
        problem = in_language(check.problem, lang)
        return ["\n".join([start + heading("not proved: {claim}", lang, claim=claim), problem])]
    lines = [start + heading("proved: {claim}", lang, claim=claim)]
    if check.tree_cost is not None:
        cost = cost_text(check.tree_cost / check.certificate.scale)
        is_open = "the tree costs {cost}; whether a better one exists is not known"
        is_optimal = "the tree is optimal but for the rounding of costs: it costs {cost}"
        if not check.rounding:
            is_optimal = "the tree is optimal: it costs {cost}"
        text = is_optimal if check.is_optimal else is_open
        lines.append(heading(text, lang, cost=cost))
    if check.rounding:
        text = "costs that are no whole numbers were rounded: those of a tree are exact to {rounding}"
        lines.append(heading(text, lang, rounding=f"{check.rounding:.3g}"))
    return ["\n".join(lines)]


def _table(check: CertificateCheck, lang: str, file: str) -> TextTable:
    record = _record(check, lang, file)
    return TextTable(list(_COLUMNS), [["" if record[name] is None else str(record[name]) for name in _COLUMNS]])


def _record(check: CertificateCheck, lang: str, file: str) -> dict[str, Any]:
    certificate = check.certificate
    return {
        "format": "treerules.certificate_check",
        "version": 1,
        "file": file or None,
        "valid": check.is_valid,
        "optimal": check.is_optimal,
        "claim": str(claim_text(certificate)),
        "depth": certificate.max_depth,
        "rows": certificate.n_rows,
        "cost": certificate.cost / certificate.scale,
        "lower": certificate.lower / certificate.scale,
        "rounding": check.rounding,
        "problem": None if check.problem is None else str(check.problem),
    }


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


CERTIFICATE = tables_report(
    CertificateCheck,
    parts=_parts,
    table=_table,
    record=_record,
    options=[ReportOption("file", "", _is_text, "the name of the file of the certificate, as text")],
)

"""Verdicts: the answers first, then each finding with the row that shows it.

A Verdict, a ListVerdict, a Review and Reviews have the same report. Rules have the names that their file gives them.
SARIF is in English, see `report/sarif.py`; the JSON is described in `report/verdict_record.py`.
"""

from collections.abc import Iterable

from toolz import concat, unique

from treerules.proof.assumption import assuming_line
from treerules.proof.check import Verdict
from treerules.proof.check_list import ListVerdict
from treerules.proof.review import Review
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import TextTable, escape_unprintable
from treerules.rendering.wrap import SENTENCE, fold_lines
from treerules.report.findings import Finding, check_answers, findings, has_rule_set, same_answer_lines
from treerules.report.report import Heading, Part, tables_report
from treerules.report.reviews import Reviews, reviews_of
from treerules.report.sarif import sarif_record
from treerules.report.verdict_record import assumption_of_review, list_names, verdict_record
from treerules.rules.row_text import row_text

_ANSWERS = {True: "yes", False: "no", None: "undecided within the budget"}
AnyVerdict = Verdict | ListVerdict | Review | Reviews


def review_paragraphs(result: AnyVerdict, lang: str) -> list[Part]:
    """Return the summary of each review and a paragraph for each finding."""
    reviews = reviews_of(result)
    return list(concat([*_headings(reviews, file, review), *_lines(review, lang)] for file, review in reviews.parts))


def _tables(result: AnyVerdict, lang: str) -> list[Part]:
    """Return a table for each review."""
    reviews = reviews_of(result)
    return list(concat([*_headings(reviews, file, review), _table(review, lang)] for file, review in reviews.parts))


def _headings(reviews: Reviews, file: str, review: Review) -> list[Part]:
    """Return the heading of a review, where there are several or its part of the file has a title."""
    title = review.parsed.title
    if len(reviews.parts) == 1 and not title:
        return []
    names = [*([file] if len(reviews.files) > 1 else []), *([title] if title else [])]
    return [Heading(": ".join(names))]


# ---- text


def _lines(review: Review, lang: str) -> list[Part]:
    found = [_finding_text(finding, lang) for finding in findings(review, lang)]
    summary = "\n".join([_summary(review, lang), *_assuming(review, lang)])
    return [summary, *_same_answer(review, lang), *found, *_cut_off(review, lang)]


def _summary(review: Review, lang: str) -> str:
    """Return the line that says yes, or a line for each question with its answer."""
    n = len({review.parsed.name(rule.number) for rule in review.parsed.rules.rules})
    rules = heading("{n} rule" if n == 1 else "{n} rules", lang, n=n)
    if not review:
        return "\n".join(_answers(review, lang))
    if has_rule_set(review):
        return heading(
            f"checked{_special_values(review)}: {{rules}}, mutually exclusive and complete", lang, rules=rules
        )
    return heading("checked: {rules} in order, each can decide, complete", lang, rules=rules)


def _same_answer(review: Review, lang: str) -> list[str]:
    """Return the line that says that all rules that were learned as a classification answer the same."""
    rules = review.parsed.rules
    target = rules.schema.target
    if target is None or any(rule.figures.confidence is None for rule in rules.rules):
        return []
    return same_answer_lines([rule.prediction.value for rule in rules.rules], target.form, lang)


def _assuming(review: Review, lang: str) -> list[str]:
    """Return the line that says over which domain the verdict holds; none where it holds for every value."""
    line = assuming_line(assumption_of_review(review, lang), lang)
    return [escape_unprintable(line)] if line else []


def _special_values(review: Review) -> str:
    """Return what the check considered beside the values that short rules name; "" where rules have no short form."""
    rules = review.parsed.rules
    if rules.training is None or not (isinstance(review.verdict, Verdict) and review.verdict.whole_domain):
        return ""
    has_unseen = any(feature.is_open for feature in rules.schema.features)
    return ", with missing and unseen values" if has_unseen else ", with missing values"


def _answers(review: Review, lang: str) -> list[str]:
    return [f"{heading(name, lang)}: {heading(_ANSWERS[answer], lang)}" for name, answer in check_answers(review)]


def _finding_text(finding: Finding, lang: str) -> str:
    """Return the lines of a finding: the sentence, and its details, indented."""
    sentence = fold_lines("", escape_unprintable(finding.sentence), at=SENTENCE)
    return "\n".join([*sentence, *detail_lines(finding, lang)])


def detail_lines(finding: Finding, lang: str, is_folded: bool = True) -> list[str]:
    """Return the details of a finding as indented lines, folded or one for each."""
    details = [(f"{name}: ", escape_unprintable(text)) for name, text in finding_details(finding, lang).items()]
    lines = concat(fold_lines(*pair) if is_folded else ["".join(pair)] for pair in details)
    return [f"  {line}" for line in lines]


def finding_details(finding: Finding, lang: str) -> dict[str, str]:
    """Return the details of a finding under their headings."""
    details = {
        "where": finding.region,
        "row": "" if finding.row is None else row_text(finding.row),
        "predicted": finding.answers,
        "closed by" if finding.kind == "gap" else "as one": finding.rule,
        "text": "" if finding.unparsed is None else " ".join(finding.unparsed.text.split()),
    }
    return {heading(name, lang): text for name, text in details.items() if text}


def _cut_off(review: Review, lang: str) -> list[Part]:
    """Return the lines that name the kinds of findings of which there are more, or may be: by the limit, the budget."""
    verdict = review.verdict
    by_limit = [name for name in verdict.cut_off if name not in verdict.by_budget]
    by_budget = [name for name in verdict.by_budget if not (name == "gaps" and verdict.complete is None)]
    by_budget += ["never"] if isinstance(verdict, ListVerdict) and review.undecided() else []
    lines = (
        ("more findings are not shown ({kinds}): raise limit=, --limit", by_limit),
        ("there may be more findings ({kinds}): give a greater budget=, --budget", by_budget),
    )
    kinds = [(text, ", ".join(heading(name, lang) for name in list_names(names))) for text, names in lines if names]
    return [heading(text, lang, kinds=named) for text, named in kinds]


# ---- tables


def _table(review: Review, lang: str) -> TextTable:
    """Return the answers, then the findings, with a column for each detail that some finding has."""
    details = [(finding.sentence, finding_details(finding, lang)) for finding in findings(review, lang)]
    names = list(unique(concat(shown for _, shown in details)))
    lines = [*((answer, {}) for answer in (*_answers(review, lang), *_assuming(review, lang))), *details]
    lines += [(str(more), {}) for more in _cut_off(review, lang)]
    rows = [[sentence, *(shown.get(name, "") for name in names)] for sentence, shown in lines]
    return TextTable([heading("finding", lang), *names], rows)


def _long_table(result: AnyVerdict, lang: str) -> TextTable:
    """Return a row for each answer and each finding of all reviews."""
    names = ["file", "part", "level", "kind", "finding", "lines", "where", "witness", "closing rule"]
    rows = concat(_long_rows(file, review, lang) for file, review in reviews_of(result).parts)
    return TextTable([heading(name, lang) for name in names], rows)


def _long_rows(file: str, review: Review, lang: str) -> Iterable[list[str]]:
    title, lines = review.parsed.title, review.parsed.lines
    for (name, answer), sentence in zip(check_answers(review), _answers(review, lang), strict=True):
        yield [file, title, "none" if answer else "error", name, sentence, "", "", "", ""]
    for line in _assuming(review, lang):
        yield [file, title, "none", "assuming", line, "", "", "", ""]
    for finding in findings(review, lang):
        numbers = [lines[number] for number in finding.numbers if number in lines]
        numbers = numbers if finding.unparsed is None else [finding.unparsed.line]
        witness = "" if finding.row is None else row_text(finding.row)
        start = [file, title, finding.level, finding.kind, finding.sentence, " ".join(map(str, numbers))]
        yield [*start, finding.region, witness, finding.rule]


def _record(result: AnyVerdict, lang: str) -> dict[str, object]:
    return verdict_record(reviews_of(result))


def _sarif(result: AnyVerdict, lang: str) -> dict[str, object]:
    return sarif_record(reviews_of(result))


VERDICT, LIST_VERDICT, REVIEW, REVIEWS = (
    tables_report(kind, parts=_tables, table=_long_table, record=_record, text=review_paragraphs, sarif=_sarif)
    for kind in (Verdict, ListVerdict, Review, Reviews)
)

"""The findings of one CASE, with codes: from the review of its rules, and from the parts that were not read.

A gap or an overlap is said to be there only where a row shows it: not if a WHEN was not read, which may take the row,
and not if the region needs an expression that was taken as a column. What never decides does so in any case.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from attrs import evolve, field, frozen
from toolz import unique

from treerules._internal.field_converters import as_tuple
from treerules.errors import cut_text
from treerules.formats.sql.unordered_nan import may_hold_nan, nan_may_decide
from treerules.lint.band_gaps import BandGap, band_gap, needs_null
from treerules.lint.codes import CODES, SEVERITIES, FindingCode
from treerules.proof.check import Gap, Overlap
from treerules.proof.review import Review
from treerules.rendering.headings import heading, in_language
from treerules.report.findings import Finding, findings, region_text, rule_label
from treerules.rules.parsed import ParsedRules, UnparsedPart
from treerules.rules.rule import Condition

#: The maximum number of WHENs that one sentence names.
_MOST_NAMES = 8


@frozen
class CaseFinding:
    """A finding in a CASE: its code, the line and the WHEN where it stands, and what is said of it."""

    code: str
    #: the line of the first WHEN concerned, else of the CASE
    line: int
    finding: Finding
    #: the name of that WHEN in the CASE, such as "WHEN 2"; "" for the CASE
    when: str = ""
    #: the lines and labels of the other WHENs concerned
    others: tuple[tuple[int, str], ...] = field(default=(), converter=as_tuple)

    @property
    def severity(self) -> str:
        """The severity: error, warning or note."""
        return self.row.severity

    @property
    def row(self) -> FindingCode:
        """The row of the table of codes."""
        return CODES[self.code]


def case_line(parsed: ParsedRules) -> int:
    """Return the line of the word CASE; that of what was not read, where nothing was."""
    if parsed.sql is not None and parsed.sql.line:
        return parsed.sql.line
    return min((part.line for part in parsed.unparsed), default=1)


def case_hash(parsed: ParsedRules) -> str:
    """Return a hash of the text of a CASE that does not change where lines, blanks or comments do."""
    text = parsed.sql.tokens if parsed.sql else " ".join(part.text for part in parsed.unparsed)
    return sha256(" ".join(text.split()).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def case_findings(parsed: ParsedRules, review: Review | None, lang: str = "en") -> list[CaseFinding]:
    """Return the findings of a CASE: errors, then warnings, then notes, each by line.

    Args:
        parsed: the CASE.
        review: the review of its rules; None where no rule could be read.
        lang: the language of the sentences.
    """
    coded = list(_reading(parsed, lang)) if review is None else list(_coded(review, lang))
    placed = [_placed(parsed, code, finding, lang) for code, finding in coded]
    return sorted([*placed, *_of_no_column(parsed, lang)], key=_rank)


def _of_no_column(parsed: ParsedRules, lang: str) -> Iterator[CaseFinding]:
    """Yield the WHENs without a rule in a CASE without columns: `x = NULL` compares x with no value."""
    if parsed.unparsed or parsed.sql is None or parsed.rules.schema.features:
        return
    read = {name.split(".")[0] for name in parsed.names.values()}
    for name, place in parsed.sql.branches.items():
        if name != "ELSE" and name not in read:
            label = heading("{name} (line {line})", lang, name=name, line=place.line)
            sentence = heading("{rule} never decides: no row meets it", lang, rule=label)
            yield CaseFinding("TR002", place.line, Finding("never", sentence), name)


def _rank(found: CaseFinding) -> tuple[int, bool, int, str]:
    """Return the place of a finding among those of its CASE: what was read, and how, is the last."""
    return SEVERITIES.index(found.severity), found.code.startswith("TR3"), found.line, found.code


def _placed(parsed: ParsedRules, code: str, finding: Finding, lang: str) -> CaseFinding:
    """Return a finding with the line and the name of the first WHEN that it concerns."""
    numbers = list(unique(finding.numbers, key=parsed.name))
    if finding.unparsed is not None:
        return CaseFinding(code, finding.unparsed.line, finding)
    if not numbers:
        return CaseFinding(code, case_line(parsed), finding)
    others = [(parsed.lines.get(number, 1), rule_label(parsed, number, lang)) for number in numbers[1:]]
    first = numbers[0]
    return CaseFinding(code, parsed.lines.get(first, 1), finding, parsed.name(first), others)


def unknown_code_finding(line: int, name: str, lang: str) -> CaseFinding:
    """Return the note on a comment that names a code which does not exist."""
    sentence = heading("this comment names {code}, which is no code of treerules", lang, code=name)
    return CaseFinding("TR305", line, Finding("remark", sentence))


# ---- which code a finding has


def _coded(review: Review, lang: str) -> Iterator[tuple[str, Finding]]:
    parsed = review.parsed
    yield from _reading(parsed, lang)
    for finding in findings(review, lang):
        if finding.kind == "never":
            code = _code_of_never(review, finding)
            if code:
                yield code, finding
        elif finding.kind in _CODE_OF_KIND:
            yield _CODE_OF_KIND[finding.kind], finding
    yield from _of_gaps(review, lang)
    yield from _of_order(review, lang)
    for note in parsed.notes:
        if note.code not in _NOT_REPEATED:
            yield "TR304", Finding("remark", in_language(note, lang))


#: The notes of the reader that other codes say, TR302, TR202 and TR301, and those on answers, which no finding needs.
_NOT_REPEATED = frozenset(("expressions", "gives_null", "not_read", "no_literal", "prefix"))
#: The codes of the findings of a review that are taken as they stand.
_CODE_OF_KIND = {"spare": "TR204", "undecided": "TR303"}


def _code_of_never(review: Review, finding: Finding) -> str:
    """Return the code of what never decides; "" for ELSE NULL, which changes no answer, and an ELSE of NaN."""
    number = finding.numbers[0]
    if review.parsed.name(number).rpartition(".")[2] != "ELSE":
        if nan_may_decide(review.parsed, finding.numbers):
            return ""
        return "TR001" if len(finding.numbers) > 1 else "TR002"
    sql = review.parsed.sql
    is_null = sql is not None and sql.outcomes.get(number, "").upper() == "NULL"
    return "" if is_null or may_hold_nan(review.parsed) else "TR104"


def _reading(parsed: ParsedRules, lang: str) -> Iterator[tuple[str, Finding]]:
    """Yield what was not read, and what was taken as a column."""
    for part in parsed.unparsed:
        yield "TR301", Finding("unread", _unread_sentence(part, lang), unparsed=part)
    if parsed.opaque:
        columns = ", ".join(cut_text(" ".join(name.split()), 60) for name in parsed.opaque)
        yield "TR302", Finding("remark", heading("taken as columns: {columns}", lang, columns=columns))


def _unread_sentence(part: UnparsedPart, lang: str) -> str:
    place = heading("line {line}, column {column} is not read", lang, line=part.line, column=part.column)
    return f"{place}: {part.problem}"


# ---- gaps


def _of_gaps(review: Review, lang: str) -> Iterator[tuple[str, Finding]]:
    """Yield one finding for each gap between bands, and one for all other gaps of a code."""
    parsed = review.parsed
    if parsed.unparsed or parsed.sql is None:
        return
    for gap, band in _bands(review, review.otherwise):
        yield "TR207", _band_finding(review, gap, band, "{values} between {below} and {above} comes to ELSE", lang)
    gaps = review.verdict.gaps
    possible = [gap for gap in gaps if not parsed.is_certain(gap.region)]
    certain = [gap for gap in gaps if gap not in possible]
    if parsed.sql.n_whens > 1:
        bands = _bands(review, certain)
        for gap, band in bands:
            sentence = "no WHEN holds for {values} between {below} and {above}: the answer is NULL"
            yield "TR102", _band_finding(review, gap, band, sentence, lang)
        certain = [gap for gap in certain if gap not in [other for other, _ in bands]]
    if certain:
        is_all = len(certain) == len(gaps) and "gaps" not in review.verdict.cut_off
        yield _gap_finding(parsed, certain, is_all, lang)
    elif possible and not parsed.sql.falls:
        yield _possible_gap_finding(parsed, possible[0], lang)


def _possible_gap_finding(parsed: ParsedRules, gap: Gap, lang: str) -> tuple[str, Finding]:
    """Return the finding on a gap that needs an expression, whose values are not known: it has no row."""
    is_flag = parsed.sql is not None and parsed.sql.n_whens < 2
    sentence = "there may be rows that no WHEN takes: the answer is NULL"
    sentence = "the only WHEN does not hold: the answer is NULL" if is_flag else sentence
    region = region_text(parsed.rules.schema, gap.region, lang)
    return "TR201" if is_flag else "TR205", Finding("gap", heading(sentence, lang), region=region)


def _bands(review: Review, gaps: Iterable[Gap]) -> list[tuple[Gap, BandGap]]:
    """Return the gaps between bands, one for each column and place."""
    found = [(gap, band_gap(review, gap.region)) for gap in gaps if review.parsed.is_certain(gap.region)]
    bands = [(gap, band) for gap, band in found if band is not None]
    return list(unique(bands, key=lambda pair: (pair[1].column, pair[1].between)))


def _band_finding(review: Review, gap: Gap, band: BandGap, sentence: str, lang: str) -> Finding:
    parsed = review.parsed
    schema = parsed.rules.schema
    labels = [rule_label(parsed, rule.number, lang) for rule in (band.lower, band.upper)]
    values = region_text(schema, ((band.column, Condition(band.between)),), lang)
    text = heading(sentence, lang, values=values, below=labels[0], above=labels[1])
    return Finding("gap", text, [band.lower.number, band.upper.number], region_text(schema, gap.region, lang), gap.row)


def _gap_finding(parsed: ParsedRules, gaps: Sequence[Gap], is_all: bool, lang: str) -> tuple[str, Finding]:
    """Return the finding on the rows that no WHEN takes; `is_all` is whether these gaps are all that there are."""
    assert parsed.sql is not None
    only_null = is_all and all(needs_null(gap.region) for gap in gaps)
    code, sentence = "TR101", "no WHEN holds: the answer is NULL"
    if parsed.sql.falls:
        code, sentence = "TR202", "no WHEN holds: the answer is NULL, as ELSE NULL says"
    elif parsed.sql.n_whens < 2:
        code, sentence = "TR201", "the only WHEN does not hold: the answer is NULL"
    elif only_null:
        code, sentence = "TR103", "no WHEN holds where a column is NULL: the answer is NULL"
    gap = gaps[0]
    return code, Finding(
        "gap", heading(sentence, lang), (), region_text(parsed.rules.schema, gap.region, lang), gap.row
    )


# ---- order


def _of_order(review: Review, lang: str) -> Iterator[tuple[str, Finding]]:
    """Yield one finding for all pairs of WHENs whose order decides, and one for those that only may."""
    never = {review.parsed.name(rule.number) for rule in review.subsumed()}
    overlaps = [pair for pair in review.overlaps() if not never & {*map(review.parsed.name, (pair.first, pair.second))}]
    possible = [pair for pair in overlaps if not review.parsed.is_certain(pair.region)]
    certain = [pair for pair in overlaps if pair not in possible]
    if certain:
        yield "TR203", _order_finding(review, certain, "the order decides between {rules}", lang)
    if possible:
        finding = _order_finding(
            review, possible, "there may be rows for which the order decides between {rules}", lang
        )
        yield "TR206", evolve(finding, row=None)


def _order_finding(review: Review, pairs: Sequence[Overlap], sentence: str, lang: str) -> Finding:
    parsed = review.parsed
    numbers = sorted({number for pair in pairs for number in (pair.first, pair.second)})
    numbers = list(unique(numbers, key=parsed.name))
    named = [rule_label(parsed, number, lang) for number in numbers[:_MOST_NAMES]]
    n_more = len(numbers) - _MOST_NAMES
    if n_more > 0:
        named.append(heading("{n} more", lang, n=n_more))
    elif "overlaps" in review.verdict.cut_off:
        named.append(heading("others", lang))
    rules = f" {heading('and', lang)} ".join([", ".join(named[:-1]), named[-1]])
    first = pairs[0]
    region = region_text(parsed.rules.schema, first.region, lang)
    return Finding("order", heading(sentence, lang, rules=rules), numbers, region, first.row)

"""The findings of a check in words: the rules concerned, the region, a witness row, the rule that closes a gap."""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Schema
from treerules.formats.rules_text.text_writer import exact_condition_text, exact_literal
from treerules.proof.check import Gap, Mergeable, Overlap, Region, Row, SubsumedRule, Verdict
from treerules.proof.review import Review
from treerules.rendering.headings import heading, in_language
from treerules.rules.parsed import ParsedRules, UnparsedPart
from treerules.rules.phrasing import phrasing_for
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet
from treerules.rules.wording import consequent_text, word

#: The kinds of findings: the level of each, and its meaning. Errors make the verdict negative.
KINDS = {
    "overlap": ("error", "Two rules fire for one row."),
    "gap": ("error", "No rule fires for a row."),
    "never": ("error", "A rule of a list can never decide."),
    "undecided": ("error", "The budget was too small to decide."),
    "unread": ("error", "A part of the file cannot be read."),
    "shadowed": ("warning", "A rule only fires where others do."),
    "unreachable": ("warning", "A rule never fires."),
    "spare": ("warning", "A part of a rule can never decide."),
    "remark": ("note", "What must be known to read the verdict."),
    "order": ("note", "Two rules of a list answer differently where both hold, so their order decides."),
    "otherwise": ("note", "What is left comes to the last rule of a list."),
    "redundant": ("note", "Two rules could be one."),
}
#: The maximum number of rules that one sentence names.
_MOST_NAMES = 5


@frozen
class Finding:
    """One finding: its kind (a key of KINDS), a sentence, the numbers of the rules concerned, and what shows it."""

    kind: str
    sentence: str
    numbers: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: the conditions of the region in words; empty where it is not known
    region: str = ""
    row: Row | None = None
    #: the predictions of the rules
    answers: str = ""
    #: the rule that would close a gap, or replace two rules
    rule: str = ""
    #: the part of the file that could not be read
    unparsed: UnparsedPart | None = None

    @property
    def level(self) -> str:
        """The level: error, warning or note."""
        return KINDS[self.kind][0]


def findings(review: Review, lang: str = "en") -> list[Finding]:
    """Return the findings of a review, errors first, then warnings, then notes."""
    of_rules = _set_findings if isinstance(review.verdict, Verdict) else _list_findings
    all_findings = [*_unread_findings(review, lang), *of_rules(review, lang)]
    remarks = [in_language(note, lang) for note in review.parsed.notes]
    all_findings += [Finding("remark", heading("note: {remark}", lang, remark=remark)) for remark in remarks]
    if review.verdict.complete is None and not review.is_unread:
        sentence = heading(
            "the budget is too small to tell whether some rule fires for every row; give a greater budget (--budget)",
            lang,
        )
        all_findings.append(Finding("undecided", sentence))
    return sorted(all_findings, key=lambda finding: ("error", "warning", "note").index(finding.level))


def rule_label(parsed: ParsedRules, number: int, lang: str = "en") -> str:
    """Return the name of a rule, with its line where that is known."""
    name = parsed.names.get(number) or heading("rule {number}", lang, number=number)
    line = parsed.lines.get(number)
    return name if line is None else heading("{name} (line {line})", lang, name=name, line=line)


def region_text(schema: Schema, region: Region, lang: str = "en") -> str:
    """Return the conditions of a region in words; empty for the whole space, or an unknown region."""
    words = phrasing_for(None, lang, exact=True).words
    return words.and_.join(exact_condition_text(schema.feature(name), condition, lang) for name, condition in region)


def closing_text(schema: Schema, rule: Rule) -> str:
    """Return a rule in the form that files of rules have."""
    region = region_text(schema, rule.conditions)
    target = f"{exact_literal(schema.target.name)} = " if schema.target else ""
    then = f"{target}{exact_literal(rule.value)}"
    return f"IF {region} THEN {then}" if region else f"ALWAYS {then}"


def _unread_findings(review: Review, lang: str) -> Iterator[Finding]:
    for part in review.parsed.unparsed:
        sentence = heading("line {line}, column {column} is not read", lang, line=part.line, column=part.column)
        yield Finding("unread", f"{sentence}: {part.problem}", unparsed=part)


def _set_findings(review: Review, lang: str) -> Iterator[Finding]:
    verdict, parsed = review.verdict, review.parsed
    assert isinstance(verdict, Verdict)
    yield from (_overlap_finding(review, overlap, lang) for overlap in review.overlaps())
    yield from (_gap_finding(parsed, gap, lang) for gap in verdict.gaps)
    for number in verdict.unreachable:
        sentence = heading("{rule} never fires: no row meets it", lang, rule=rule_label(parsed, number, lang))
        yield Finding("unreachable", sentence, [number])
    for subsumed in verdict.subsumed:
        sentence = "{rule} only fires where {others} " + ("fires too" if len(subsumed.by) == 1 else "fire too")
        yield _subsumed_finding(parsed, "shadowed", sentence, subsumed, lang)
    yield from (_mergeable_finding(review, pair, lang) for pair in verdict.redundant)


#: The sentences where no rule, one rule, or several rules take the rows of a rule that cannot decide.
_NEVER = {
    "never": (
        "{rule} never decides: no row meets it",
        "{rule} never decides: {others} takes its rows",
        "{rule} never decides: {others} take its rows",
    ),
    "spare": (
        "a part of {rule} never decides: the rest of it takes its rows, or none meets it",
        "a part of {rule} never decides: {others} takes its rows",
        "a part of {rule} never decides: {others} take its rows",
    ),
}


def _list_findings(review: Review, lang: str) -> Iterator[Finding]:
    parsed = review.parsed
    yield from (_gap_finding(parsed, gap, lang) for gap in review.verdict.gaps)
    for kind, rules in (("never", review.subsumed()), ("spare", review.partly_subsumed())):
        yield from (_subsumed_finding(parsed, kind, _NEVER[kind][min(len(rule.by), 2)], rule, lang) for rule in rules)
    for number in review.undecided():
        sentence = heading("undecided whether {rule} ever decides", lang, rule=rule_label(parsed, number, lang))
        yield Finding("undecided", sentence, [number])
    yield from (_order_finding(review, overlap, lang) for overlap in review.overlaps())
    last = parsed.rules.rules[-1:]
    for gap in review.otherwise:
        sentence = heading("what is left comes to {rule}", lang, rule=rule_label(parsed, last[0].number, lang))
        yield evolve(
            _gap_finding(parsed, gap, lang), kind="otherwise", sentence=sentence, numbers=[last[0].number], rule=""
        )


def _overlap_finding(review: Review, overlap: Overlap, lang: str) -> Finding:
    parsed = review.parsed
    pair = [overlap.first, overlap.second]
    first, second = (rule_label(parsed, number, lang) for number in pair)
    sentence = heading("{first} and {second} both fire", lang, first=first, second=second)
    region, answers = region_text(parsed.rules.schema, overlap.region, lang), _predictions(review, pair)
    row = overlap.row if parsed.is_certain(overlap.region) else None
    return Finding("overlap", sentence, pair, region, row, answers)


def _order_finding(review: Review, overlap: Overlap, lang: str) -> Finding:
    first, second = (rule_label(review.parsed, number, lang) for number in (overlap.first, overlap.second))
    sentence = heading("{first} and {second} both hold: the first decides", lang, first=first, second=second)
    return evolve(_overlap_finding(review, overlap, lang), kind="order", sentence=sentence)


def _predictions(review: Review, numbers: Sequence[int]) -> str:
    """Return the predictions of rules, one after another."""
    schema = review.parsed.rules.schema
    return ", ".join(consequent_text(schema, review.by_number[number].value) for number in numbers)


def _gap_finding(parsed: ParsedRules, gap: Gap, lang: str) -> Finding:
    schema = parsed.rules.schema
    sentence = heading("no rule fires" if parsed.sql is None else "no WHEN holds: the answer is NULL", lang)
    row = gap.row if parsed.is_certain(gap.region) else None
    rule = "" if gap.rule is None or parsed.sql else closing_text(schema, gap.rule)
    return Finding("gap", sentence, (), region_text(schema, gap.region, lang), row, rule=rule)


def _subsumed_finding(parsed: ParsedRules, kind: str, sentence: str, subsumed: SubsumedRule, lang: str) -> Finding:
    name = rule_label(parsed, subsumed.number, lang)
    others = [rule_label(parsed, number, lang) for number in subsumed.by[:_MOST_NAMES]]
    rest = len(subsumed.by) - _MOST_NAMES
    if rest > 0:
        others.append(heading("{n} more", lang, n=rest))
    joined = f" {heading('and', lang)} ".join(part for part in (", ".join(others[:-1]), *others[-1:]) if part)
    return Finding(kind, heading(sentence, lang, rule=name, others=joined), [subsumed.number, *subsumed.by])


def _mergeable_finding(review: Review, pair: Mergeable, lang: str) -> Finding:
    parsed = review.parsed
    first, second = (rule_label(parsed, number, lang) for number in (pair.first, pair.second))
    model = review.by_number[pair.first]
    merged = Rule(pair.first, pair.region, model.prediction, model.figures)
    sentence = heading("{first} and {second} could be one rule", lang, first=first, second=second)
    return Finding("redundant", sentence, [pair.first, pair.second], rule=closing_text(parsed.rules.schema, merged))


def check_answers(review: Review) -> list[tuple[str, bool | None]]:
    """Return the questions that a check answers with the answers; None means undecided."""
    verdict = review.verdict
    if review.is_unread:
        return [("read", False)]
    if isinstance(verdict, Verdict):
        answers: list[tuple[str, bool | None]] = [("exclusive", verdict.exclusive), ("complete", verdict.complete)]
    else:
        decides = False if review.subsumed() else None if review.undecided() else True
        answers = [("complete", verdict.complete), ("every rule can decide", decides)]
    return [*answers, ("read", False)] if review.parsed.unparsed else answers


def has_rule_set(review: Review) -> bool:
    """Whether the rules are a set, which does not depend on the order of its rules."""
    return isinstance(review.parsed.rules, RuleSet)


def same_answer_lines(values: Sequence[Any], form: str, lang: str) -> list[str]:
    """Return the line that says that all rules of a learned classification answer the same; [] where they do not."""
    if len(values) < 2 or len(set(values)) > 1:
        return []
    sentence = "all {n} rules answer {value}: only the shares of the classes differ"
    return [heading(sentence, lang, n=len(values), value=word(values[0], form))]

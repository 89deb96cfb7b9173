"""What a check found, a finding at a time, in words: which rules, where, shown by which row, closed by which rule."""

from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.data.schema import Schema
from treerules.formats.rules_text.text_writer import exact_condition_text, exact_literal
from treerules.proof.check import Gap, Mergeable, Overlap, Region, Row, SubsumedRule, Verdict
from treerules.proof.review import Review
from treerules.rendering.headings import heading
from treerules.rules.parsed import ParsedRules, UnparsedPart
from treerules.rules.rule import Rule
from treerules.rules.rule_set import RuleSet
from treerules.rules.wording import consequent_text

#: The kinds of findings: how bad each is, and what it means. An error is what makes the answer a no.
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
#: So many rules are named in one sentence.
_MOST = 5


@frozen
class Finding:
    """One thing that was found: a key of KINDS, a sentence, the rules it is about, and what shows it."""

    kind: str
    sentence: str
    numbers: tuple[int, ...] = field(default=(), converter=as_tuple)
    #: conditions in words; empty where nothing is told
    region: str = ""
    row: Row | None = None
    #: what the rules predict
    answers: str = ""
    #: the rule that would close a gap, or be the two rules
    rule: str = ""
    #: where it stands, if no rule does
    unparsed: UnparsedPart | None = None

    @property
    def level(self) -> str:
        """How bad it is: error, warning or note."""
        return KINDS[self.kind][0]


def findings(review: Review, lang: str = "en") -> list[Finding]:
    """Return what was found, the worst first, as it stands in the file."""
    found = [*_unread(review, lang), *(_of_set if isinstance(review.verdict, Verdict) else _of_list)(review, lang)]
    found += [Finding("remark", heading("note: {remark}", lang, remark=note)) for note in review.written.notes]
    if review.verdict.complete is None:
        sentence = heading("the budget is too small to tell whether some rule fires for every row", lang)
        found.append(Finding("undecided", sentence))
    return sorted(found, key=lambda finding: ("error", "warning", "note").index(finding.level))


def called(written: ParsedRules, number: int, lang: str = "en") -> str:
    """Return what a rule is called, with its line where that is known."""
    name = written.names.get(number) or heading("rule {number}", lang, number=number)
    line = written.lines.get(number)
    return name if line is None else heading("{name} (line {line})", lang, name=name, line=line)


def region_text(schema: Schema, region: Region) -> str:
    """Return a part of the space of rows in words; empty where it is all of it, or not known."""
    return " AND ".join(exact_condition_text(schema.feature(name), condition) for name, condition in region)


def closing_text(schema: Schema, rule: Rule) -> str:
    """Return a rule as it can be pasted into a file of rules."""
    region = region_text(schema, rule.conditions)
    then = (
        f"{exact_literal(schema.target.name)} = {exact_literal(rule.value)}"
        if schema.target
        else exact_literal(rule.value)
    )
    return f"IF {region} THEN {then}" if region else f"ALWAYS {then}"


def _unread(review: Review, lang: str) -> Iterator[Finding]:
    for part in review.written.unread:
        sentence = heading("line {line}, column {column} is not read", lang, line=part.line, column=part.column)
        yield Finding("unread", f"{sentence}: {part.problem}", unparsed=part)


def _of_set(review: Review, lang: str) -> Iterator[Finding]:
    verdict, written = review.verdict, review.written
    assert isinstance(verdict, Verdict)
    yield from (_overlap(review, overlap, lang) for overlap in review.overlaps())
    yield from (_gap(written, gap, lang) for gap in verdict.gaps)
    for number in verdict.unreachable:
        sentence = heading("{rule} never fires: no row meets it", lang, rule=called(written, number, lang))
        yield Finding("unreachable", sentence, [number])
    for shadowed in verdict.subsumed:
        sentence = "{rule} only fires where {others} " + ("fires too" if len(shadowed.by) == 1 else "fire too")
        yield _covered(written, "shadowed", sentence, shadowed, lang)
    yield from (_mergeable(review, pair, lang) for pair in verdict.redundant)


#: What is sentence where nothing takes the rows of a rule, where one rule does, and where several do.
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


def _of_list(review: Review, lang: str) -> Iterator[Finding]:
    written = review.written
    yield from (_gap(written, gap, lang) for gap in review.verdict.gaps)
    for kind, found in (("never", review.subsumed()), ("spare", review.partly_subsumed())):
        yield from (_covered(written, kind, _NEVER[kind][min(len(one.by), 2)], one, lang) for one in found)
    for number in review.undecided():
        sentence = heading("undecided whether {rule} ever decides", lang, rule=called(written, number, lang))
        yield Finding("undecided", sentence, [number])
    yield from (_order(review, overlap, lang) for overlap in review.overlaps())
    last = written.rules.rules[-1:]
    for gap in review.otherwise:
        sentence = heading("what is left comes to {rule}", lang, rule=called(written, last[0].number, lang))
        yield evolve(_gap(written, gap, lang), kind="otherwise", sentence=sentence, numbers=[last[0].number], rule="")


def _overlap(review: Review, overlap: Overlap, lang: str) -> Finding:
    written = review.written
    pair = [overlap.first, overlap.second]
    first, second = (called(written, number, lang) for number in pair)
    sentence = heading("{first} and {second} both fire", lang, first=first, second=second)
    region, answers = region_text(written.rules.schema, overlap.region), _answers(review, pair)
    return Finding("overlap", sentence, pair, region, overlap.row, answers)


def _order(review: Review, overlap: Overlap, lang: str) -> Finding:
    first, second = (called(review.written, number, lang) for number in (overlap.first, overlap.second))
    sentence = heading("{first} and {second} both hold: the first decides", lang, first=first, second=second)
    return evolve(_overlap(review, overlap, lang), kind="order", sentence=sentence)


def _answers(review: Review, numbers: Sequence[int]) -> str:
    """Return what rules predict, one after another."""
    schema = review.written.rules.schema
    return ", ".join(consequent_text(schema, review.by_number[number].value) for number in numbers)


def _gap(written: ParsedRules, gap: Gap, lang: str) -> Finding:
    schema = written.rules.schema
    sentence = heading("no rule fires" if written.sql is None else "no WHEN holds: the answer is NULL", lang)
    rule = "" if gap.rule is None or written.sql else closing_text(schema, gap.rule)
    return Finding("gap", sentence, (), region_text(schema, gap.region), gap.row, rule=rule)


def _covered(written: ParsedRules, kind: str, sentence: str, shadowed: SubsumedRule, lang: str) -> Finding:
    name = called(written, shadowed.number, lang)
    others = [called(written, number, lang) for number in shadowed.by[:_MOST]]
    rest = len(shadowed.by) - _MOST
    if rest > 0:
        others.append(heading("{n} more", lang, n=rest))
    joined = f" {heading('and', lang)} ".join(part for part in (", ".join(others[:-1]), *others[-1:]) if part)
    return Finding(kind, heading(sentence, lang, rule=name, others=joined), [shadowed.number, *shadowed.by])


def _mergeable(review: Review, pair: Mergeable, lang: str) -> Finding:
    written = review.written
    first, second = (called(written, number, lang) for number in (pair.first, pair.second))
    model = review.by_number[pair.first]
    merged = Rule(pair.first, pair.region, model.prediction, model.figures)
    sentence = heading("{first} and {second} could be one rule", lang, first=first, second=second)
    return Finding("redundant", sentence, [pair.first, pair.second], rule=closing_text(written.rules.schema, merged))


def answers(review: Review) -> list[tuple[str, bool | None]]:
    """Return the questions that a check answers, and the answers; None is undecided."""
    verdict = review.verdict
    if isinstance(verdict, Verdict):
        found: list[tuple[str, bool | None]] = [("exclusive", verdict.exclusive), ("complete", verdict.complete)]
    else:
        decides = False if review.subsumed() else None if review.undecided() else True
        found = [("complete", verdict.complete), ("every rule can decide", decides)]
    return [*found, ("read", False)] if review.written.unread else found


def is_set(review: Review) -> bool:
    """Whether the rules are a set, of which none leans on the others."""
    return isinstance(review.written.rules, RuleSet)

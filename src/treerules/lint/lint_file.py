"""A file of SQL with the findings of its CASEs: read, reviewed, and filtered by codes and comments."""

from attrs import evolve, frozen

from treerules.data.domain import Domain
from treerules.data.schema import Schema
from treerules.errors import FileError, ParseError, TreeRulesError
from treerules.formats.rule_files import RuleFile, parse_rules
from treerules.lint.case_findings import CaseFinding, case_findings, case_hash, case_line, unknown_code_finding
from treerules.lint.codes import CODES
from treerules.lint.ignore_comments import IgnoreComments, ignore_comments
from treerules.lint.linted import LintedCase, LintedFile
from treerules.proof.review import Review, reviewed
from treerules.report.reviews import Reviews
from treerules.report.verdict_record import verdict_record
from treerules.rules.parsed import ParsedRules
from treerules.sql.dialects import dialect_to_read


@frozen(kw_only=True)
class LintOptions:
    """How files of SQL are read and checked, and which findings are reported; a value that processes can be sent."""

    dialect: str | None = None
    schema: Schema | None = None
    domain: Domain | None = None
    limit: int = 10
    budget: int | None = None
    lang: str = "en"
    #: the codes that are reported
    codes: frozenset[str] = frozenset(CODES)
    #: whether each CASE has its record for JSON
    has_records: bool = False


def lint_sql(content: bytes, name: str, options: LintOptions) -> LintedFile:
    """Return the findings of the CASEs of a file of SQL; why it cannot be read, if so.

    Raises:
        MissingExtraError: sqlglot is not installed.
        UnknownNameError: there is no such dialect.
    """
    file = RuleFile(content, name, options.dialect, options.schema, options.domain)
    try:
        parts = parse_rules(file, "sql")
        comments = ignore_comments(file.text, dialect_to_read(options.dialect))
    except (FileError, ParseError) as error:
        return file_with_problem(name, error)
    return linted_parts(parts, name, options, comments)


def linted_parts(
    parts: tuple[ParsedRules, ...], name: str, options: LintOptions, comments: IgnoreComments | None = None
) -> LintedFile:
    """Return the findings of CASEs that are read already."""
    comments = comments or IgnoreComments()
    cases = [_linted_case(parsed, name, options, comments) for parsed in parts]
    if comments.unknown and cases and "TR305" in options.codes:
        notes = [unknown_code_finding(line, code, options.lang) for line, code in comments.unknown]
        for note in notes:
            at = max((index for index, case in enumerate(cases) if case.line <= note.line), default=0)
            cases[at] = evolve(cases[at], findings=[*cases[at].findings, note])
    return LintedFile(name, cases)


def file_with_problem(name: str, error: TreeRulesError) -> LintedFile:
    """Return a file that cannot be read, with the sentence of the error."""
    line = error.line if isinstance(error, ParseError) else 0
    reason = evolve(error, text="") if isinstance(error, ParseError) else error
    return LintedFile(name, problem=error.sentence(), reason=reason.sentence(), problem_line=line)


def _linted_case(parsed: ParsedRules, name: str, options: LintOptions, comments: IgnoreComments) -> LintedCase:
    found_in: Review | None = None
    if parsed.rules.rules or options.has_records:
        found_in = reviewed(parsed, None, options.limit, options.budget, has_closing=options.has_records)
    line = case_line(parsed)
    found: list[CaseFinding] = [
        finding
        for finding in case_findings(parsed, found_in if parsed.rules.rules else None, options.lang)
        if finding.code in options.codes and not comments.ignores(finding, line)
    ]
    record = None
    if options.has_records and found_in is not None:
        record = verdict_record(Reviews([(name, [found_in])]))
    return LintedCase(parsed.title, line, case_hash(parsed), found, record)

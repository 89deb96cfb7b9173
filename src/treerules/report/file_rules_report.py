"""The rules of files as sentences, part by part, each with its name and line in the file."""

from collections.abc import Iterator, Sequence

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules.rendering.headings import heading
from treerules.rendering.text_tables import escape_unprintable
from treerules.report.findings import rule_label
from treerules.report.report import Heading, Part, Report
from treerules.rules.parsed import ParsedRules
from treerules.rules.wording import rule_texts


@frozen
class FileRules:
    """The rules of files, as `read_rules` returns them: the name of each file, and its parts."""

    files: tuple[tuple[str, tuple[ParsedRules, ...]], ...] = field(converter=as_tuple)


def _parts(result: FileRules, lang: str) -> list[Part]:
    return [shown for file, parts in result.files for shown in _file_parts(file, parts, lang)]


def _file_parts(file: str, parts: Sequence[ParsedRules], lang: str) -> Iterator[Part]:
    """Yield the rules of each part of a file under a heading, then what was not read, then the notes."""
    for part in parts:
        schema, rules = part.rules.schema, part.rules.rules
        name = part.title or (schema.target.name if schema.target else "")
        yield Heading(escape_unprintable(": ".join(filter(None, (file, name)))))
        sentences = rule_texts(schema, rules)
        lines = [f"{rule_label(part, r.number, lang)}: {text}" for r, text in zip(rules, sentences, strict=True)]
        for unread in part.unparsed:
            place = heading("line {line}, column {column} is not read", lang, line=unread.line, column=unread.column)
            lines.append(f"{place}: {unread.problem}")
        lines += [heading("note: {remark}", lang, remark=note) for note in part.notes]
        yield "\n".join(map(escape_unprintable, lines))


#: A sentence has no other form: there is no table of them.
FILE_RULES = Report(FileRules, {"text": _parts, "md": _parts})

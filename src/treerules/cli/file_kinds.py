"""What a file is that a command cannot use: a table where rules or a model are asked for."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from treerules.data.known_values import extremes_of
from treerules.data.schema import Feature
from treerules.errors import FileError, TreeRulesError
from treerules.formats.rule_files import RuleFile, parse_rules
from treerules.rules.parsed import ParsedRules
from treerules.rules.rule import Condition, Members

#: The endings of tables that are no files of rules.
_TABLE_ENDINGS = (".parquet", ".jsonl", ".ndjson", ".tsv", ".arff", ".db", ".sqlite", ".sqlite3", ".duckdb")
#: How models of other libraries start.
_MODEL_STARTS = (b"tree\nversion=", b'{"learner":', b"CBM1")
#: How cells of decision tables begin that are no plain values, and the lines that are looked at for them.
_CONDITION, _FIRST_LINES = re.compile(r"[<>=!≤≥≠\[(（]|(not|missing|unseen)\b|-$|\*$|.*[0-9] *\.\."), 100
_AS_ROWS = "each rule has one value for each column, as rows of data have"


def refuse_table(path: Path, content: bytes, wanted: str) -> None:
    """Raise FileError for a table, or the model of another library, where rules or a model are asked for.

    Args:
        path: the path of the file.
        content: its bytes.
        wanted: what is asked for, such as "a model".
    """
    learn = f"learn a model from it first: treerules learn {path} --target COL -o {path.stem}.tree.json"
    name = path.name.lower().removesuffix(".gz")
    is_table = content.startswith((b"PAR1", b"SQLite format 3\0", b"[")) or content[8:12] == b"DUCK"
    if is_table or name.endswith(_TABLE_ENDINGS) or (name.endswith(".csv") and _has_rows_of_data(path, content)):
        raise FileError(str(path), f"is a table, not {wanted}", learn)
    if content.startswith(_MODEL_STARTS):
        remedy = f"read it first: treerules import {path} -o {path.stem}.ensemble.json"
        raise FileError(str(path), "is a model of another library, not of treerules", remedy)


def _has_rows_of_data(path: Path, content: bytes) -> bool:
    try:
        return all(is_like_data(part) for part in parse_rules(RuleFile(content, str(path)), "csv"))
    except TreeRulesError:
        return _has_no_condition(content)


def _has_no_condition(content: bytes) -> bool:
    """Return whether a table has rows, and none of its first cells is a condition, such as <=30 or (30..50]."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("gb18030", errors="replace")
    lines = [line for line in text.splitlines() if line.strip()][:_FIRST_LINES]
    return len(lines) > 1 and not any(
        _CONDITION.match(cell.strip(' "')) for cell in re.split(r"[,;\t|]", "|".join(lines))
    )


def refuse_unread_data(file: RuleFile, form: str, error: TreeRulesError) -> None:
    """Raise FileError for a table that cannot be read as rules and has no condition, unless --as names its format."""
    if file.format is None and form in ("csv", "md") and _has_no_condition(file.content):
        reason = str(error).splitlines()[0]
        remedy = f"learn from data: treerules learn {file.name} --target COL; if it is a decision table: {reason}"
        raise FileError(file.name, "looks like data, not rules: no cell is a condition such as <=30", remedy) from error


def refuse_rows_of_data(file: RuleFile, form: str, parts: tuple[ParsedRules, ...]) -> None:
    """Raise FileError for a table whose rows are data, unless the format is named by --as.

    Rows that hold one number, or one date, for each column are data; so are rows of categories that are repeated.
    """
    if file.format is None and form in ("csv", "md") and all(_is_surely_data(part) for part in parts):
        remedy = (
            f"learn from data: treerules learn {file.name} --target COL; if it is a decision table, say --as {form}"
        )
        raise FileError(file.name, f"is a table of data, not of rules: {_AS_ROWS}", remedy)


def _is_surely_data(parsed: ParsedRules) -> bool:
    rules = parsed.rules.rules
    has_numbers = any(feature.is_ordered for feature in parsed.rules.schema.features)
    return is_like_data(parsed) and (has_numbers or len({rule.conditions for rule in rules}) < len(rules))


def notes_on_data(parsed: Iterable[tuple[Path, Sequence[ParsedRules]]]) -> list[str]:
    """Return a note on each file of rules each of which has one value for each column."""
    return [
        f"{file}: {_AS_ROWS}; if it is data, learn a tree first: treerules learn {file} --target COL"
        for file, parts in dict(parsed).items()
        if all(map(is_like_data, parts))
    ]


def is_like_data(parsed: ParsedRules) -> bool:
    """Return whether each rule has exactly one value for each feature, as a row of data has."""
    schema, rules = parsed.rules.schema, parsed.rules.rules
    return len(rules) > 1 and all(
        len(rule.conditions) == len(schema.features)
        and all(_is_one_value(schema.feature(name), condition) for name, condition in rule.conditions)
        for rule in rules
    )


def _is_one_value(feature: Feature, condition: Condition) -> bool:
    if condition.missing or condition.unseen:
        return False
    if isinstance(condition.values, Members):
        return len(condition.values.of(feature.categories)) == 1
    if len(condition.intervals) != 1:
        return False
    extremes = extremes_of(feature, condition.intervals[0])
    return extremes is not None and extremes[0] == extremes[1]

"""How much of other people's SQL is read, and how many WHENs that can never decide are found in it.

    python benchmarks/real_sql.py FOLDER... [--dialect NAME] [--plant N] [--seed N]

Each *.sql file of the folders: the CASEs that are read whole, whole but with columns that stand for expressions, in
part, and not at all; the WHENs that never decide. Then such WHENs are planted, one in a CASE at a time: a copy of an
earlier condition, one narrowed by another condition, and a condition with its own negation; all should be found.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from attrs import frozen
from measuring import cpu

from treerules.errors import TreeRulesError
from treerules.formats import rules_from_sql
from treerules.proof.review import review
from treerules.rules.parsed import ParsedRules

#: How the planted condition is made of an earlier one and of another one of the same CASE.
PLANTS = {
    "copy": "{one}",
    "narrowed": "({one}) AND ({other})",
    "contradiction": "({other}) AND NOT ({other}) AND ({one})",
}


@frozen
class File:
    """A file of SQL with its CASEs."""

    path: Path
    text: str
    parts: tuple[ParsedRules, ...]


def files_of(folders: list[Path], dialect: str | None, errors: list[str]) -> Iterator[File]:
    """Yield the files that are read; those that are not are told in `errors`."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.sql")):
        text = path.read_bytes().decode("utf-8-sig", "replace")
        if re.search(r"\bcase\b", text, re.IGNORECASE) is None:
            continue
        try:
            yield File(path, text, rules_from_sql(text, dialect=dialect, file=path.name))
        except TreeRulesError as error:
            errors.append(f"{path}: {str(error).splitlines()[0]}")


def reading_of(part: ParsedRules) -> str:
    """Return how much of a CASE was read."""
    if not part.unparsed:
        return "with expressions as columns" if getattr(part, "opaque", ()) else "whole"
    return "in part" if any(part.names.get(rule.number, "") != "ELSE" for rule in part.rules.rules) else "not at all"


def condition_of(text: str, part: ParsedRules, branch: str) -> str | None:
    """Return the text of a condition; None where comments or a nested THEN make it hard to cut out."""
    place = part.sql.branches[branch] if part.sql else None
    found = place and re.fullmatch(r"(?is)when\b(.*)\bthen\s*", text[place.start : place.outcome])
    condition = found[1].strip() if found else ""
    return condition if condition and "--" not in condition and "then" not in condition.lower() else None


def planted(file: File, number: int, random: Random, dialect: str | None) -> tuple[str, bool] | None:
    """Plant a WHEN in a CASE, and return its kind and whether it is found; None where it cannot be planted."""
    part = file.parts[number]
    whens = [name for name in (part.sql.branches if part.sql else ()) if name != "ELSE"]
    conditions = {name: found for name in whens if (found := condition_of(file.text, part, name))}
    if part.unparsed or len(conditions) < 2 or not part.rules.schema.features:
        return None
    first = part.sql.branches[whens[0]]
    is_simple = re.search(r"(?i)\bcase\s*$", file.text[: first.start]) is None  # CASE operand WHEN value
    one, other = random.sample(sorted(conditions), 2)
    kind = "copy" if is_simple else random.choice(sorted(PLANTS))
    place = part.sql.branches[max(one, other, key=whens.index)]
    condition = PLANTS[kind].format(one=conditions[one], other=conditions[other])
    text = f"{file.text[: place.stop]} WHEN {condition} THEN NULL {file.text[place.stop :]}"
    try:
        changed = rules_from_sql(text, dialect=dialect)[number]
    except (TreeRulesError, IndexError):
        return kind, False
    name = f"WHEN {whens.index(max(one, other, key=whens.index)) + 2}"
    return kind, name in {changed.name(found.number) for found in review(changed, limit=1).subsumed()}


def report_reading(files: list[File], n_errors: int, seconds: float) -> None:
    """Print how much was read, why the rest was not, and the WHENs that never decide."""
    parts = [(file, part) for file in files for part in file.parts]
    counts = Counter(reading_of(part) for _, part in parts)
    print(f"{len(files)} files with {len(parts)} CASEs read in {seconds:.1f} s, {n_errors} files not read")
    for name, n in counts.most_common():
        print(f"  {name:<28} {n:>6} {n / max(len(parts), 1):>6.1%}")
    reasons = Counter(" ".join(unread.problem.split()[-6:]) for _, part in parts for unread in part.unparsed)
    for reason, n in reasons.most_common(10):
        print(f"  not read: {n:>5}  ... {reason}")
    for file, part in parts:
        for found in review(part, limit=1).subsumed():
            print(f"never decides: {file.path}:{part.lines.get(found.number)} {part.name(found.number)}")


def report_planted(files: list[File], n: int, random: Random, dialect: str | None) -> None:
    """Print how many of the WHENs that were planted are found."""
    planted_of, found_of = Counter[str](), Counter[str]()
    places = [(file, number) for file in files for number in range(len(file.parts))]
    for file, number in random.sample(places, len(places)):
        result = planted(file, number, random, dialect) if planted_of.total() < n else None
        if result is not None:
            planted_of[result[0]] += 1
            found_of[result[0]] += result[1]
    for kind, n_planted in sorted(planted_of.items()):
        print(f"planted: {kind:<14} {found_of[kind]:>4} of {n_planted:>4} found")


def report(arguments: argparse.Namespace) -> None:
    """Print the counts."""
    errors: list[str] = []
    files: list[File] = []
    seconds = cpu(lambda: files.extend(files_of(arguments.folders, arguments.dialect, errors)))
    report_reading(files, len(errors), seconds)
    print(*errors[:10], sep="\n")
    report_planted(files, arguments.plant, Random(arguments.seed), arguments.dialect)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--dialect")
    parser.add_argument("--plant", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    report(parser.parse_args())

"""Mutants of emitted code: texts with one small fault, by what the fault is. They are made on the text alone.

edge        `<=` becomes `<`, `>` becomes `>=`
ulp         a bound moves by one unit in the last place, an integer by one
missing     missing values change sides
category    a category is dropped from a set, or a line of one
null test   a test for missing values is removed
labels      two answers are swapped

Whether a mutant changes an answer is decided elsewhere: many do not, such as a missing side where both sides answer the
same.
"""

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import NamedTuple


class Mutant(NamedTuple):
    """A text with one fault."""

    fault: str
    text: str


class Edit(NamedTuple):
    """A piece of a text, and what stands there instead."""

    fault: str
    start: int
    end: int
    text: str


#: A comparison: the operator, blanks (and what Postgres writes before a number), the bound.
_COMPARISON = re.compile(
    r"(?<![<>=!-])(<=|>=|<|>)(\s*)((?:float8 ')?)(-?\d+(?:\.\d+)?(?:e[+-]?\d+)*)(n?)(?=['\s):]|$)", re.MULTILINE
)
_EDGES = {"<=": "<", "<": "<=", ">": ">=", ">=": ">"}


def mutants(text: str, language: str, random: Random, most: int) -> list[Mutant]:
    """Return some mutants of an emitted text, as many of each fault as possible."""
    edits = list(_EDITS[language](text))
    random.shuffle(edits)
    by_fault: dict[str, list[Edit]] = {}
    for edit in edits:
        by_fault.setdefault(edit.fault, []).append(edit)
    dealt = sorted((place, fault) for fault, some in by_fault.items() for place in range(len(some)))
    chosen = [by_fault[fault][place] for place, fault in dealt[:most]]
    return [Mutant(fault, text[:start] + new + text[end:]) for fault, start, end, new in chosen]


def _bounds(text: str, start: int, end: int) -> Iterator[Edit]:
    """Yield the edits of comparisons: at the edge, and by one ulp."""
    for found in _COMPARISON.finditer(text, start, end):
        yield Edit("edge", *found.span(1), _EDGES[found[1]])
        yield from (Edit("ulp", *found.span(4), near) for near in _beside(found[4]))


def _beside(number: str) -> list[str]:
    """Return the numbers next to one, spelled as it is."""
    if re.fullmatch(r"-?\d+", number):
        return [str(int(number) + 1), str(int(number) - 1)]
    near = [repr(math.nextafter(float(number), way)) for way in (math.inf, -math.inf)]
    return [spelled + "e0" if "e" in number and "e" not in spelled else spelled for spelled in near]


def _swaps(text: str, pattern: str, start: int, end: int) -> Iterator[Edit]:
    """Yield edits that swap two answers that follow each other and differ."""
    found = list(re.compile(pattern, re.MULTILINE).finditer(text, start, end))
    for one, two in pairwise(found):
        if one[1] != two[1]:
            yield Edit("labels", one.start(1), two.end(1), two[1] + text[one.end(1) : two.start(1)] + one[1])


def _dropped(text: str, pattern: str, item: str, start: int, end: int) -> Iterator[Edit]:
    """Yield edits that drop an item of each list that a pattern finds, the first, the middle or the last one."""
    for found in re.compile(pattern, re.MULTILINE).finditer(text, start, end):
        items = list(re.compile(item).finditer(text, *found.span(1)))
        for one in {items[0], items[len(items) // 2], items[-1]} if len(items) > 1 else ():
            after = re.compile(r",?\s*").match(text, one.end())
            assert after is not None
            last = one.end() == found.end(1)
            first = text.rindex(",", 0, one.start()) if last else one.start()
            yield Edit("category", first, one.end() if last else after.end(), "")


_TEXT = r"'(?:[^']|'')*'"
_NAME = r'(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`)'


def _sql(text: str) -> Iterator[Edit]:
    start = text.index("\n") + 1 if text.startswith("--") else 0
    end = len(text)
    yield from _bounds(text, start, end)
    for found in re.compile(rf" OR {_NAME} IS NULL").finditer(text, start):
        yield Edit("null test", *found.span(), "")
    for found in re.compile(rf"({_NAME}) (<=|>) (float8 '[^']*'|[^\s()]+)(?=[\s)]|$)(?! OR| AND {_NAME} <=)").finditer(
        text, start
    ):
        yield Edit("missing", *found.span(), f"({found[0]} OR {found[1]} IS NULL)")
    for found in re.compile(rf"({_NAME}) IS NULL").finditer(text, start):
        yield Edit("missing", *found.span(), f"{found[1]} IS NOT NULL")
    yield from _dropped(text, rf" IN \(({_TEXT}(?:, {_TEXT})*)\)", _TEXT, start, end)
    yield from _swaps(text, rf"(?:THEN|ELSE) ({_TEXT}|-?[\d.e+-]+|TRUE|FALSE)(?=$|\s)", start, end)


def _python(text: str) -> Iterator[Edit]:
    start, end = _body(text, "def rule(" if "\ndef rule(" in text else "def predict(", "\n\n\n", "\n    if ")
    yield from _bounds(text, start, end)
    for found in re.compile(r"(?<!< )(not )?(f\d+) (<=|>) (\S+?)(?=[\s:)])").finditer(text, start, end):
        opposite = f"{found[2]} {'>' if found[3] == '<=' else '<='} {found[4]}"
        yield Edit("missing", *found.span(), opposite if found[1] else f"not {opposite}")
    yield from _dropped(text, r"in \{([^}]*)\}", _PYTHON_TEXT, start, end)
    yield from _dropped(text, r"^G\d+ = \{\s*([^}]*?),?\s*\}", _PYTHON_TEXT, 0, start)
    yield from _swaps(text, r"return (\d+)$", start, end)


#: An item of a list: text, a call such as date(2024, 2, 29), a number.
_PYTHON_TEXT = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\w+\([^()]*\)|[^\s,"'(){}|&;]+"""


def _plain(text: str) -> Iterator[Edit]:
    """Yield edits of a plain module: of the lines of conditions, of sets, and of the table of answers."""
    opening = "def rule(" if "\ndef rule(" in text else "def explain("  # of many rules a function of its own
    start, end = _body(text, opening, "\n\n\n", "\n    if ")
    for line in re.compile(r"^ +(?!return|[\"'\d) ]).*$", re.MULTILINE).finditer(text, start, end):
        yield from _bounds(text, *line.span())
        for found in re.compile(r"(\w+) is (not )?None (or|and) \1 ([<>]=?) ([^\s:)]+)").finditer(text, *line.span()):
            name, is_known, _, operator, bound = found.groups()
            swapped = f"{name} is None or" if is_known else f"{name} is not None and"
            yield Edit("missing", *found.span(), f"({swapped} {name} {operator} {bound})")
            yield Edit("null test", *found.span(), f"{name} {operator} {bound}")
        yield from _dropped(text, r"in \{([^}]*)\}", _PYTHON_TEXT, *line.span())
    yield from _dropped(text, r"^G\d+ = \{\s*([^}]*?),?\s*\}", _PYTHON_TEXT, 0, start)
    if "\n_LINES = " in text:  # of many rules a rule a line: number, position of the answer, ...
        yield from _swaps(text, r"^\d+ (\d+) ", *_body(text, "\n_LINES = ", '\n"""', '"""'))
    else:
        opened = text.index("\nANSWERS = {")
        yield from _swaps(text, r"\d+: (.+?)(?=,|\}$)", opened, text.index("}\n", opened) + 1)


def _javascript(text: str) -> Iterator[Edit]:
    start, end = _body(text, "function fired(", "\n}", "\n  if (f")
    yield from _bounds(text, start, end)
    for found in re.compile(r"(!\()?(f\d+) (<=|>) ([^\s)]+)(\))?").finditer(text, start, end):
        opposite = f"{found[2]} {'>' if found[3] == '<=' else '<='} {found[4]}"
        if found[1] and found[5]:
            yield Edit("missing", *found.span(), opposite)
        else:
            yield Edit("missing", found.start(2), found.end(4), f"!({opposite})")
    yield from _dropped(text, r"^const S\d+ = new Set\(\[\s*([^\]]*?),?\s*\]\)", _PYTHON_TEXT, 0, len(text))
    for found in re.compile(rf" \|\| f\d+ === (?:{_PYTHON_TEXT})").finditer(text, start, end):
        yield Edit("category", *found.span(), "")
    yield from _swaps(text, r"return (\d+);$", start, end)


def _arrays(text: str) -> Iterator[Edit]:
    """Yield edits of the table of nodes: the cut, the child of missing values, those of categories; and of leaves."""
    start, end = _body(text, '_NODES = """', '\n"""', "\n")
    for found in re.compile(r"^(\d+) (\S+) (\S+) (\S+) (\S+)$", re.MULTILINE).finditer(text, start, end):
        _, cut, missing, *sides = found.groups()
        if cut == "in":
            continue
        yield from (Edit("ulp", *found.span(2), near) for near in _beside(cut))
        yield from (Edit("missing", *found.span(3), side) for side in sides if side != missing)
    for found in re.compile(r"^\d+ in (.*)$", re.MULTILINE).finditer(text, start, end):
        children = list(re.compile(r"-?\d+").finditer(text, *found.span(1)))
        for one in children:
            other = next((child[0] for child in children if child[0] != one[0]), None)
            if other is not None:
                fault = "missing" if one is children[1] else "category"
                yield Edit(fault, *one.span(), other)
    start, end = _body(text, '_LEAVES = """', '\n"""', "\n")
    yield from _swaps(text, r"^(\S+)", start + 1, end)


def _body(text: str, opening: str, closing: str, first: str) -> tuple[int, int]:
    """Return the part of a text that decides: from its `first` piece behind the opening to the closing."""
    opened = text.index(opening)
    end = text.index(closing, opened)
    start = text.find(first, opened, end)
    return (end, end) if start < 0 else (start, end)


_EDITS: dict[str, Callable[[str], Iterator[Edit]]] = {
    "python": _python,
    "plain": _plain,
    "arrays": _arrays,
    "javascript": _javascript,
    "sql": _sql,
}

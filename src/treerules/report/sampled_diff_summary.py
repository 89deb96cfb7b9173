"""The first lines about models that were compared on rows: whether answers differ, which trees and sums do."""

from typing import Any

from treerules.errors import shortened
from treerules.proof.sampled_diff import SampledDiff
from treerules.rendering.headings import heading, row_count

#: What differences are differences of, by the measure of a SampledDiff.
MEASURE_NAMES = {"answer": "answers", "margin": "margins", "probability": "probabilities"}


def summary_lines(diff: SampledDiff, lang: str) -> list[str]:
    """Return the lines that say whether the answers differ, and which trees and numbers of the sums do."""
    return [*_verdict(diff, lang), *_trees_lines(diff, lang)]


def _verdict(diff: SampledDiff, lang: str) -> list[str]:
    if diff.equal:
        return [heading("equal: the same trees and sums, so every answer is: proved", lang)]
    if diff.equal is None:
        rows = row_count(diff.n_rows, lang)
        if not diff.greatest:
            return [heading("no difference on {rows} that were sampled; this is no proof", lang, rows=rows)]
        return [
            heading("the same answers on {rows} that were sampled; this is no proof", lang, rows=rows),
            heading(f"their {MEASURE_NAMES[diff.measure]} differ", lang),
        ]
    counts = [
        heading(_COUNTS[kind], lang, differing=rows.n_differing, rows=row_count(rows.n, lang))
        for kind, rows in diff.compared
    ]
    return [
        heading("different answers: {counts}", lang, counts=", ".join(counts)),
        heading("compared on sampled rows: nothing is proved of other rows", lang),
    ]


_COUNTS = {"data": "{differing} of {rows} of the data", "boundary": "{differing} of {rows} at boundaries"}


def _trees_lines(diff: SampledDiff, lang: str) -> list[str]:
    """Return the lines that say which trees are equal, and which numbers of the sums are not."""
    if diff.equal:
        return []
    settings = [
        f"{name}: {shortened(_setting(old))} -> {shortened(_setting(new))}"
        for name, (old, new) in diff.settings.items()
    ]
    return [_trees_line(diff, lang), *settings]


def _trees_line(diff: SampledDiff, lang: str) -> str:
    (old, new), equal = diff.n_trees, diff.n_equal_trees
    if not equal:
        text = "trees: {old} -> {new}" if 1 in diff.n_trees else "trees: {old} -> {new}; the first ones differ"
        return heading(text, lang, old=old, new=new)
    if old == new == equal:
        return heading("the {n} trees are equal", lang, n=equal)
    added, removed = new - equal if old == equal else 0, old - equal if new == equal else 0
    text = "then {old} others in the old model, {new} in the new one"
    if added or removed:
        text = f"{'1 tree' if added + removed == 1 else '{n} trees'} {'added' if added else 'removed'}"
    rest = heading(text, lang, n=added + removed, old=old - equal, new=new - equal)
    first = "tree 1 is equal" if equal == 1 else "trees 1 to {n} are equal"
    return f"{heading(first, lang, n=equal)}; {rest}"


def _setting(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value

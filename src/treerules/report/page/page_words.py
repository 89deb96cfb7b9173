"""The words of pages, by the names under which scripts and templates use them."""

from collections.abc import Mapping

from treerules.rendering.headings import heading

#: Without a script a page shows the first rules, and counts the others.
MOST_SENTENCES = 500

SCRIPT_WORDS = {
    "missing": "missing",
    "rule": "rule {number}",
    "source": "rule {number}, from rule {source}",
    "column": "column",
    "value": "value",
    "condition": "condition",
    "more": "show {n} more rules",
    "refused": "{column} does not take {value}",
    "change": "nearest change: {changes} would give {answer} ({rule})",
    "changed": "{column} {before} -> {after}",
    "no_change": "no change of the row gives another answer",
    "path": "path ({n})",
    "leaves": "… {n} leaves",
    "above": "above {value}",
    "below": "below {value}",
    "tree_rule": "tree {tree}, rule {number}",
    "tree": "tree",
    "adds": "adds",
    "margin": "margin",
    "parts": "base {base}, and what {n} trees add",
    "more_trees": "… {n} more trees",
}
PAGE_WORDS = {
    "no_script": "This page predicts by a script, which this browser does not run. The rules are:",
    "what_if": "What if?",
    "rules": "Rules",
    "tree": "Tree",
    "larger": "larger",
    "smaller": "smaller",
    "natural": "natural size",
    "key_help": "Arrow keys go to each box; Enter folds and unfolds; + and - zoom.",
    "filter": "Show rules with",
    "sort": "Sort by",
    "form": "Show as",
    "table": "table",
    "number": "rule",
    "if": "if",
}


def translated(words: Mapping[str, str], lang: str) -> dict[str, str]:
    """Return words in a language."""
    return {name: heading(text, lang) for name, text in words.items()}

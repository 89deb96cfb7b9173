"""The words of the pages: one term for one thing, as the glossary of the project has it."""

import re
from pathlib import Path

import pytest

from paths import ROOT

#: Other words for feature, row, threshold, leaf, split, training error, prune and depth.
OTHER_WORDS = {
    "en": r"attributes?|data points?|instances?|cut-?points?|split values?|terminal nodes?|branch nodes?|apparent error"
    r"|resubstitution error|trim(?:med|ming)?|height of the tree|hyperparameters?|exemplars?",
    "zh": r"节点|叶子|缺省|分支点|修剪|数据点|属性值为空",
}
PAGES = [path for language in OTHER_WORDS for path in sorted((ROOT / "docs" / language).rglob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT / "docs").as_posix())
def test_pages_use_the_terms_of_the_glossary(path: Path) -> None:
    """Outside of code no other word stands for a feature, a row, a leaf, a threshold or pruning."""
    text = path.read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    language = path.relative_to(ROOT / "docs").parts[0]
    words = OTHER_WORDS[language]
    found = re.findall(rf"\b(?:{words})\b" if language == "en" else words, prose, re.IGNORECASE)
    assert not found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT / "docs").as_posix())
def test_pages_for_people_begin_by_saying_for_whom(path: Path) -> None:
    """The first sentence of each guide, explanation and tutorial; the reference and the first pages are for all."""
    folder = path.relative_to(ROOT / "docs").parts[1]
    if folder in ("reference", "index.md", "architecture.md"):
        return
    first = re.search(r"^# .*\n\n(.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert first and first[1].startswith(("For ", "适合"))

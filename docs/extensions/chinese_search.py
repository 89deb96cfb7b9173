"""Search in Chinese without a dictionary: the index and the query are split into pairs of neighbouring characters.

Sphinx splits the index into words, by jieba, but leaves the query as it was typed, so that a phrase without blanks such
as 规则互斥 finds nothing. Here both are split in the same way: a page is found where it has all pairs of the query.
"""

import re

from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese

_HAN = r"\u3400-\u9fff\uf900-\ufaff"
_RUNS = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+")


def pairs(text: str) -> list[str]:
    """Return the words of a text; of Chinese characters each pair of neighbours, or a single one that stands alone.

    >>> pairs("规则互斥, CASE 是")
    ['规则', '则互', '互斥', 'CASE', '是']
    """
    words: list[str] = []
    for run in _RUNS.findall(text):
        is_han = re.match(rf"[{_HAN}]", run)
        words += [run[at : at + 2] for at in range(max(1, len(run) - 1))] if is_han else [run]
    return words


class SearchChinesePairs(SearchChinese):
    """Splits Chinese into pairs of characters, and stems English words."""

    #: names the stemmer that pages load; Sphinx 9.0.4 asks for a ChineseStemmer, which does not exist
    language_name = "English"
    js_splitter_code = r"""
function splitQuery(query) {
  const words = [];
  const runs = /[\u3400-\u9fff\uf900-\ufaff]+|(?:(?![\u3400-\u9fff\uf900-\ufaff])[\p{L}\p{N}_])+/gu;
  for (const run of query.match(runs) || []) {
    if (!/^[\u3400-\u9fff\uf900-\ufaff]/.test(run)) words.push(run);
    else for (let at = 0; at < Math.max(1, run.length - 1); at++) words.push(run.slice(at, at + 2));
  }
  return words;
}
"""

    def split(self, input: str) -> list[str]:  # the name of the parameter is Sphinx's
        """Return the words of a text."""
        words = pairs(input)
        self.latin_terms.update(word for word in words if word.isascii())
        return words

    def word_filter(self, word: str) -> bool:
        """Return whether a word is of use: single Chinese characters are, single letters are not."""
        return len(word) > 1 or not word.isascii()


def setup(app: Sphinx) -> dict[str, bool]:
    """Replace Sphinx's search of Chinese."""
    app.add_search_language(SearchChinesePairs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

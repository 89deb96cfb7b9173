"""The prefixes that the texts of a column are asked for, and whether they can be told from literals.

Prefixes and literals divide the texts: those that begin with 'ab', but with no longer prefix, and are no literal, are
one category, 'ab%'. This holds where LIKE and = agree on which texts begin with which prefix.
"""

from collections.abc import Collection

from attrs import field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules._internal.text_identity import is_placeholder, loose_text

#: A text that begins with these may be the text of a number or a moment, which has several spellings.
_FIRST_OF_OTHERS = frozenset("0123456789+-. ")
_WORDS = frozenset({"", "true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "nan", "inf", "infinity"})


@short_repr
@frozen
class Prefixes:
    """The prefixes of one column.

    Args:
        texts: the prefixes.
        ignores_case: whether LIKE may take a and A for one, where = does not.
    """

    texts: tuple[str, ...] = field(converter=as_tuple)
    ignores_case: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The category of each prefix, as LIKE writes it."""
        return tuple(f"{text}%" for text in self.texts)

    def tell(self, literals: Collection[str]) -> bool:
        """Return whether it is known which of the literals begin with which prefixes, whatever holds the texts.

        >>> prefixes = Prefixes(["ab"], ignores_case=True)
        >>> [prefixes.tell([text]) for text in ("abc", "ABC", "ab%", "5", "${name}")]
        [True, False, False, False, False]
        """
        return all(map(_is_mere_text, literals)) and (not self.ignores_case or self._tell_by_any_case(literals))

    def _tell_by_any_case(self, literals: Collection[str]) -> bool:
        texts = {*self.texts, *literals}
        folded = {text: text.casefold() for text in texts}
        return all(loose_text(text) == folded[text] for text in texts) and all(
            folded[text].startswith(folded[prefix]) == text.startswith(prefix)
            for prefix in self.texts
            for text in texts
        )

    def category_of(self, text: str) -> str:
        """Return the category of a text that is no literal: that of its longest prefix; the text itself if it has none.

        >>> Prefixes(["a", "ab"]).category_of("abc")
        'ab%'
        """
        begun = [prefix for prefix in self.texts if text.startswith(prefix)]
        return f"{max(begun, key=len)}%" if begun else text


def _is_mere_text(text: str) -> bool:
    """Return whether a literal has one spelling, whatever the type of the column is, and is no pattern."""
    is_of_other_type = text[:1] in _FIRST_OF_OTHERS or text.casefold() in _WORDS
    return not is_of_other_type and "%" not in text and not text.endswith(" ") and not is_placeholder(text)

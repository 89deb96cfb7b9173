"""The indefinite article of a noun."""


def with_article(noun: str) -> str:
    """Return a noun behind its indefinite article; capitals at its begin are spelled as letters.

    >>> with_article("AdaBoostClassifier"), with_article("LGBMRanker"), with_article("category")
    ('an AdaBoostClassifier', 'an LGBMRanker', 'a category')
    """
    vowels = "AEFHILMNORSX" if noun[:2].isupper() else "AEIOU"
    return f"{'an' if noun[:1].upper() in tuple(vowels) else 'a'} {noun}"

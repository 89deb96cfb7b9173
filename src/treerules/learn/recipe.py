"""ID3, C4.5 and CART are values of one record."""

from typing import Any, Literal

from attrs import frozen

from treerules.criteria import LOGARITHMS, Base
from treerules.errors import OptionError

_CRITERIA = ("information_gain", "gain_ratio", "gini", "entropy")
_CATEGORIES = ("subset", "one_against_rest", "multiway")


@frozen
class Recipe:
    """The choices that make a learning algorithm. `id3()`, `c45()` and `cart()` name the usual ones.

    Raises:
        OptionError: a choice has a value that means nothing.
    """

    name: str
    #: what a split is scored by; a regression is always scored by the squared error
    criterion: str
    #: how categories are divided: two subsets, one against the rest, or a child for each
    categories: str
    #: whether numbers, integers, dates and timestamps are cut, and ordinals in their order
    thresholds: bool = True
    #: the base of logarithms, "2" (bits) or "e"
    base: str = "2"
    #: only features whose gain is at least the average gain compete (C4.5)
    average_gain: bool = False
    #: the greatest depth of a leaf; None is unbounded
    max_depth: int | None = None
    #: a tree has at most so many leaves: the split that takes most impurity away is made first; None is unbounded
    max_leaves: int | None = None
    #: a node with fewer rows is a leaf
    min_samples_split: int = 2
    #: both children of a split (two of a multiway split's) have at least so many rows
    min_samples_leaf: int = 1
    #: a split's own score (gain, gain ratio, impurity decrease) is at least this: the books' epsilon
    min_gain: float = 0.0
    #: a node whose impurity (entropy, Gini, variance) is below this is a leaf
    min_impurity: float = 0.0

    def __attrs_post_init__(self) -> None:
        _require("name", self.name, isinstance(self.name, str), "text")
        for flag in ("thresholds", "average_gain"):
            _require(flag, getattr(self, flag), isinstance(getattr(self, flag), bool), "True or False")
        _require("criterion", self.criterion, self.criterion in _CRITERIA, f"one of {', '.join(_CRITERIA)}")
        _require("categories", self.categories, self.categories in _CATEGORIES, f"one of {', '.join(_CATEGORIES)}")
        _require("base", self.base, self.base in LOGARITHMS, "'2' or 'e'")
        deep = self.max_depth is None or _is_whole(self.max_depth, 0)
        _require("max_depth", self.max_depth, deep, "a whole number from 0, or None")
        few = self.max_leaves is None or _is_whole(self.max_leaves, 1)
        _require("max_leaves", self.max_leaves, few, "a whole number from 1, or None")
        split, leaf = self.min_samples_split, self.min_samples_leaf
        _require("min_samples_split", split, _is_whole(split, 2), "a whole number from 2")
        _require("min_samples_leaf", leaf, _is_whole(leaf, 1), "a whole number from 1")
        for name in ("min_gain", "min_impurity"):
            value = getattr(self, name)
            fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")
            _require(name, value, fits, "a number from 0")

    @property
    def is_binary(self) -> bool:
        """Whether every split has two children."""
        return self.categories != "multiway"


def _require(option: str, value: Any, fits: bool, wanted: str) -> None:
    if not fits:
        raise OptionError(option, value, wanted)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def id3(
    *,
    base: Base = "2",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
) -> Recipe:
    """Return ID3: a child for each category, by information gain (Quinlan 1986; Li Hang, algorithm 5.2).

    `min_gain` is the book's epsilon. Numbers, integers, dates and timestamps are refused; ordinals are categories.
    """
    return Recipe(
        "id3",
        "information_gain",
        "multiway",
        thresholds=False,
        base=base,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
    )


def c45(
    *,
    base: Base = "2",
    average_gain: bool = False,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
) -> Recipe:
    """Return C4.5's growing phase: by gain ratio (Quinlan 1993; Li Hang, algorithm 5.3).

    A child for each category; numbers are cut in two where the gain is greatest, then features compete by gain ratio,
    with `average_gain` only those whose gain is at least the average of the features that gain anything.
    """
    return Recipe(
        "c45",
        "gain_ratio",
        "multiway",
        base=base,
        average_gain=average_gain,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
    )


def cart(
    *,
    criterion: Literal["gini", "entropy"] = "gini",
    categories: Literal["subset", "one_against_rest"] = "subset",
    base: Base = "2",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
) -> Recipe:
    """Return CART: two children a split, by Gini, entropy or, for a regression, squared error (Breiman 1984).

    Categories are divided into the best two subsets, or one against the rest as in Li Hang, algorithm 5.6. The best
    subset is exact with two classes in the node or in a regression, when `min_samples_leaf` is 1 (Breiman, theorem
    4.5), and up to 10 categories always; beyond that two classes and regressions are divided in the theorem's order,
    more classes one against the rest, with a note.
    """
    return Recipe(
        "cart",
        criterion,
        categories,
        base=base,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
    )

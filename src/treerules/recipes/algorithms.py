"""ID3, C4.5 and CART: recipes with their usual choices made."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from treerules.criteria import Base, Criterion
from treerules.errors import OptionError
from treerules.recipes.recipe import Recipe

Missing = Literal["larger", "learned", "fraction", "branch", "error"]
ClassWeight = Mapping[Any, float] | Literal["balanced"]
Costs = Mapping[tuple[Any, Any], float]

_CONFIDENCE = 0.25


def id3(
    *,
    base: Base = "2",
    missing: Missing = "larger",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float = 2,
    min_samples_leaf: float = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006 (copied)
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return ID3: a child for each category, by information gain (Quinlan 1986; Li Hang, algorithm 5.2).

    `min_gain` is the book's epsilon. Numbers, integers, dates and timestamps are refused; ordinals are categories.
    The choices are the fields of Recipe.
    """
    return Recipe(
        "id3",
        "information_gain",
        "multiway",
        thresholds=False,
        base=base,
        missing=missing,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        feature_cost=feature_cost,
        prefer=prefer,
    )


def c45(
    *,
    quinlan: bool = False,
    categories: Literal["multiway", "grouped", "subset", "one_against_rest"] = "multiway",
    base: Base = "2",
    average_gain: bool = False,
    confidence: float | None = None,
    unpruned: bool = False,
    missing: Missing = "fraction",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float | None = None,
    min_samples_leaf: float | None = None,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    monotone: Mapping[str, int] = {},
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return C4.5: by gain ratio (Quinlan 1993; Li Hang, algorithm 5.3).

    A child for each category (or, `categories="grouped"`, for each group of those that merging two at a time finds:
    Quinlan 1993, chapter 7); numbers are cut in two where the gain is greatest, then features compete by gain ratio:
    all, or with `average_gain` those that gain at least the average of those that gain anything.

    `quinlan=True` grows and prunes as release 8 does, in doubles: a cut leaves a tenth of the known rows for each class
    on either side (at least `min_samples_leaf`, at most 25), and pays log2(cuts tried)/n of its gain; cuts lie at
    values of the table, between values more than 1e-5 apart; features of average gain (less 1e-3) compete, where those
    with a category for every third row do not count; every category has a child; `min_samples_leaf` is 2 unless given,
    `min_samples_split` twice that. Then, unless `unpruned`, subtrees that do not reduce the training error are cut off
    and the tree is pruned at `confidence` (0.25), with subtree raising; given without `quinlan` it prunes so too.
    """
    if unpruned and confidence is not None:
        raise OptionError("confidence", confidence, "it without unpruned")
    leaf = (2 if quinlan else 1) if min_samples_leaf is None else min_samples_leaf
    return Recipe(
        "c45",
        "gain_ratio",
        categories,
        base=base,
        average_gain=average_gain or quinlan,
        missing=missing,
        quinlan=quinlan,
        confidence=_CONFIDENCE if quinlan and not unpruned and confidence is None else confidence,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=_split(leaf, quinlan) if min_samples_split is None else min_samples_split,
        min_samples_leaf=leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        monotone=monotone,
        feature_cost=feature_cost,
        prefer=prefer,
    )


def _split(leaf: float, quinlan: bool) -> float:
    return 2 * leaf if quinlan and isinstance(leaf, (int, float)) else 2


def cart(
    *,
    criterion: str | Criterion = "gini",
    categories: Literal["subset", "one_against_rest"] = "subset",
    base: Base = "2",
    missing: Missing = "learned",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_samples_split: float = 2,
    min_samples_leaf: float = 1,
    min_gain: float = 0.0,
    min_impurity: float = 0.0,
    class_weight: ClassWeight = {},  # noqa: B006
    priors: Mapping[Any, float] = {},
    costs: Costs = {},  # noqa: B006
    monotone: Mapping[str, int] = {},
    feature_cost: Mapping[str, float] = {},
    prefer: Sequence[str] = (),
) -> Recipe:
    """Return CART: two children a split, by Gini, entropy or, for a regression, squared error (Breiman 1984).

    `criterion` is a name in `treerules.criteria.CRITERIA`, or a `Criterion` of your own.

    Categories are divided into the best two subsets, or one against the rest as in Li Hang, algorithm 5.6. The best
    subset is exact with two classes in the node or in a regression, when each category alone is large enough for
    `min_samples_leaf` (Breiman, theorem 4.5), and up to 10 categories always; beyond that two classes and regressions
    are divided in the theorem's order, more classes in that of the first principal component of their shares
    (Coppersmith, Hong and Hosking 1999), with a note.
    """
    return Recipe(
        "cart",
        cast(str, criterion),
        categories,
        base=base,
        missing=missing,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_samples_split=min_samples_split,
        min_samples_leaf=min_samples_leaf,
        min_gain=min_gain,
        min_impurity=min_impurity,
        class_weight=class_weight,
        priors=priors,
        costs=costs,
        monotone=monotone,
        feature_cost=feature_cost,
        prefer=prefer,
    )

"""Chinese sentences of the checks of certificates."""

from collections.abc import Mapping

CHINESE_CERTIFICATES: Mapping[str, str] = {
    "proved: {claim}": "已证明:{claim}",
    "not proved: {claim}": "未证明:{claim}",
    "tree of depth {depth} or less": "深度不超过 {depth} 的树",
    "tree of depth {depth} or less, of leaves of at least {least} rows,": (
        "深度不超过 {depth}、叶结点不少于 {least} 行的树"
    ),
    "no {tree} has fewer than {cost} errors on these {n} rows": "在这 {n} 行上,{tree}至少错 {cost} 行",
    "no {tree} costs less than {cost} on these {n} rows": "在这 {n} 行上,{tree}的代价都不低于 {cost}",
    "no {tree} costs less than {cost}, with {penalty} for each leaf, on these {n} rows": (
        "在这 {n} 行上,每个叶结点计 {penalty},{tree}的代价都不低于 {cost}"
    ),
    "the tree is optimal: it costs {cost}": "该树是最优的:代价为 {cost}",
    "the tree is optimal but for the rounding of costs: it costs {cost}": "除取整误差外,该树是最优的:代价为 {cost}",
    "the tree has other columns than the certificate": "该树的列与证书的列不同",
    "the tree costs {cost}; whether a better one exists is not known": "该树的代价为 {cost};是否有更好的树尚不可知",
    "costs that are no whole numbers were rounded: those of a tree are exact to {rounding}": (
        "代价不是整数,已取整:一棵树的代价误差不超过 {rounding}"
    ),
    "a leaf costs {cost}": "一个叶结点的代价为 {cost}",
    "a tree of depth {depth} costs {cost}": "有一棵深度为 {depth} 的树,代价为 {cost}",
    "a bound of depth {depth} has no proof": "深度 {depth} 的下界没有证明",
    "the bound {bound} of depth {depth}: {problem}": "深度 {depth} 的下界 {bound}:{problem}",
    "the bound {bound} beside {cut}: {problem}": "{cut}一侧的下界 {bound}:{problem}",
    "{cut} is not excluded": "{cut}未被排除",
    "{cut} divides no rows": "{cut}没有划分任何行",
    "the cut of {column} below its value {number}": "列 {column} 在第 {number} 个取值之前的切分",
    "the tree costs {cost}, not {claimed}": "该树的代价为 {cost},而不是 {claimed}",
    "the certificate is about {n} rows; the table has {actual}": "证书针对 {n} 行;表中有 {actual} 行",
    "the values of the column {name} are not those of the certificate": "列 {name} 的取值与证书不符",
    "the values of the target are not those of the certificate": "目标列的取值与证书不符",
    "the weights are not those of the certificate": "权重与证书不符",
    "the columns hold the values of the certificate, but in other rows": "各列取值与证书相同,但行的搭配不同",
    "the recipe has no leaf penalty or no greatest depth": "配方没有叶结点惩罚或最大深度",
    "the price of a leaf is {penalty}, which is not {units} / {scale}": (
        "叶结点的惩罚为 {penalty},不等于 {units} / {scale}"
    ),
    "costs are below 0, or the bound is above the cost of the tree": "代价为负,或下界高于树的代价",
    "at this scale costs are rounded by too much": "在此比例下代价取整的误差过大",
    "sums of costs are not exact at this scale": "在此比例下代价之和不精确",
    "the table has no such column of splits: {name}": "表中没有这样的划分列:{name}",
}

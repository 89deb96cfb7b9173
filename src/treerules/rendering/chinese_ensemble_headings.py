"""The headings of ensembles in Chinese, by those in English: how they add and decide, and explanations of them."""

from collections.abc import Mapping

CHINESE_ENSEMBLE_HEADINGS: Mapping[str, str] = {
    "sums of trees are exact in float64, in any order": "各树之和在 float64 中是精确的,与次序无关",
    "trees are added in float64": "各树以 float64 相加",
    "{sums}; margins of the model, added in float32, differ by at most {bound}": (
        "{sums};模型的边际值以 float32 相加,与此最多相差 {bound}"
    ),
    "numbers above 0 speak for {label}": "大于 0 的数支持 {label}",
    "margin": "边际值",
    "margin of each class": "各类的边际值",
    "{n} trees, {leaves} leaves, depth {depth}": "{n} 棵树,{leaves} 个叶结点,深度 {depth}",
    "the leaf of each tree, added one after the other in {type}": "依次以 {type} 相加各树的叶结点值",
    "{base}, then {added}": "{base},再{added}",
    "{added}; then {base}": "{added};再加 {base}",
    "{sum}, times {scale}": "{sum},乘以 {scale}",
    "{sum}, divided by {n}": "{sum},除以 {n}",
    "{target} = {label} where {test}; probability 1 there, else 0": (
        "若 {test},则 {target} = {label},其概率为 1;否则为 0"
    ),
    "{target} = {label} where {test}; probability 1 / (1 + exp(-{power}))": (
        "若 {test},则 {target} = {label};概率为 1 / (1 + exp(-{power}))"
    ),
    "{target}: the class of the greatest margin": "{target}:边际值最大的类",
    "{target}: the class of the greatest probability, rounded": "{target}:概率(舍入后)最大的类",
    "adds": "相加值",
    "sum": "累计",
    "leaf": "叶结点值",
    "margin of {label}": "{label} 的边际值",
    "base {base}": "基值 {base}",
    "{base} {sign} {added} from {trees}": "{base} {sign} {added}({trees})",
    "{all} from {trees}": "{all}({trees})",
    "{n} tree": "{n} 棵树",
    "{n} trees": "{n} 棵树",
    "{n} of {all} trees": "{all} 棵树中的 {n} 棵",
    "each tree adds its leaf times {factor}": "每棵树加上其叶结点值的 {factor} 倍",
    "the sums overflow {type}": "求和超出 {type} 的范围",
    "rounding of the sums in {type}: {rounding}": "以 {type} 求和的舍入:{rounding}",
    "… {n} more trees add {added} (--top 0 prints all)": "… 另 {n} 棵树共加 {added}(--top 0 全部列出)",
    "… {n} more tree adds {added} (--top 0 prints all)": "… 另 {n} 棵树加 {added}(--top 0 全部列出)",
    "{target} = {answer}: margin {margin} {sign} {cut}; probability {probability}": (
        "{target} = {answer}:边际值 {margin} {sign} {cut};概率 {probability}"
    ),
    "{target} = {answer}: probability {probability}, the greatest of {n} classes": (
        "{target} = {answer}:概率 {probability},{n} 类中最大"
    ),
    "{target} = {answer}: margin {margin}, the greatest of {n} classes; probability {probability}": (
        "{target} = {answer}:边际值 {margin},{n} 类中最大;概率 {probability}"
    ),
    "{label}; the margin is the probability": "{label},边际值即其概率",
    "{label}; probability exp(margin) / sum of exp(margin)": "{label};概率为 exp(边际值) / exp(边际值) 之和",
    "{label}; probability 1 / (1 + exp(-{power})), each by itself": "{label};各类的概率分别为 1 / (1 + exp(-{power}))",
}

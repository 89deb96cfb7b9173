"""The headings of pictures in Chinese, by those in English."""

from collections.abc import Mapping

CHINESE_PICTURE_HEADINGS: Mapping[str, str] = {
    "Decision tree for {target}": "{target} 的决策树",
    "{n} rules, depth {depth}. The first question: {question}": "{n} 条规则,深度 {depth}。第一个问题:{question}",
    "{n} parts are folded.": "折叠了 {n} 处。",
    "… {n} leaves": "… {n} 个叶结点",
    "all {n} leaves, each as wide as its share of the rows:": "全部 {n} 个叶结点,宽度为其样本占比:",
}

"""The headings of pictures in Chinese, by those in English."""

from collections.abc import Mapping

CHINESE_PICTURE_HEADINGS: Mapping[str, str] = {
    "Decision tree for {target}": "{target} 的决策树",
    "{n} rules, depth {depth}. The first question: {question}": "{n} 条规则,深度 {depth}。第一个问题:{question}",
    "{n} parts are folded.": "折叠了 {n} 处。",
    "… {n} leaves": "… {n} 个叶结点",
    "all {n} leaves, each as wide as its share of the rows:": "全部 {n} 个叶结点,宽度为其样本占比:",
    "Cross-validation of trees for {target}": "{target} 的决策树的交叉验证",
    "The least error is {error} with {leaves} leaves; the smallest tree within one standard error has {chosen}.": (
        "最小误差为 {error}({leaves} 个叶结点);在一个标准误之内的最小树有 {chosen} 个叶结点。"
    ),
    "error, as a share of the root's": "误差(相对于根结点)",
    "cross-validated error and its standard error": "交叉验证误差及其标准误",
    "one standard error above the least": "最小误差加一个标准误",
    "Importances of the features for {target}": "各特征对 {target} 的重要性",
    "Gains of the features for {target}": "各特征对 {target} 的信息增益",
    "Regions of {target} over {x} and {y}": "{target} 在 {x} 与 {y} 平面上的区域",
    "all nodes as a list": "全部结点列表",
    "{n} column": "{n} 列",
    "{n} columns": "{n} 列",
    "{n} more columns": "另有 {n} 列",
    "kind": "类型",
    "categories": "类别数",
}

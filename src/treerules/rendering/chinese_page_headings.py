"""The headings of pages about models in Chinese, by those in English."""

from collections.abc import Mapping

CHINESE_PAGE_HEADINGS: Mapping[str, str] = {
    "Rules for {target}": "{target} 的规则",
    "treerules {version}, model {hash}": "treerules {version},模型 {hash}",
    "This page predicts by a script, which this browser does not run. The rules are:": (
        "本页用脚本进行预测,而此浏览器未运行脚本。规则如下:"
    ),
    "This page holds the categories of {columns}": "本页含有以下各列的类别:{columns}",
    "What if?": "假设分析",
    "Rules": "规则",
    "Show rules with": "只显示含有以下文字的规则",
    "Sort by": "排序依据",
    "show {n} more rules": "显示其余 {n} 条规则",
    "{n} more rules": "另有 {n} 条规则",
    "{column} does not take {value}": "{column} 不接受 {value}",
    "Tree": "决策树",
    "Show as": "显示为",
    "table": "表格",
    "SQL (DuckDB)": "SQL(DuckDB)",
    "Predictions of the rows of data": "对数据各行的预测",
    "Predictions of the training rows": "对训练数据各行的预测",
    "Cross-validation": "交叉验证",
    "Importances": "特征重要性",
    "larger": "放大",
    "smaller": "缩小",
    "natural size": "原始大小",
    "Arrow keys go to each box; Enter folds and unfolds; + and - zoom.": (
        "方向键移到各结点;回车键折叠或展开;+ 与 - 键缩放。"
    ),
    "path ({n})": "路径({n})",
    "Data": "数据",
    "Recipe": "学习方法",
    "Error": "误差",
    "Check": "检验",
    "Version": "版本",
    "Privacy": "隐私",
    "This page holds no category of the data.": "本页不含数据中的任何类别。",
    "unknown: the model does not say what it was learned from": "未知:模型没有记录训练数据",
    "{rows}, hash {hash}": "{rows},哈希值 {hash}",
    "pruned by {methods}": "剪枝方法:{methods}",
    "Every row meets exactly one rule: no two rules overlap, and no row falls between them.": (
        "每一行恰好满足一条规则:任何两条规则都不重叠,也没有任何一行被遗漏。"
    ),
    "Sum": "求和",
    "adds": "贡献",
    "base {base}, and what {n} trees add": "基准 {base},加上 {n} 棵树的贡献",
    "… {n} more trees": "… 另有 {n} 棵树",
    "tree {tree}, rule {number}": "第 {tree} 棵树,规则 {number}",
}

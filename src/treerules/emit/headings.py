"""The words of tables in the languages that they come in. A new language is one more row."""

from treerules.errors import UnknownNameError

_ZH = {
    "rule": "规则",
    "if": "条件",
    "n": "样本数",
    "relative error": "相对误差",
    "choice": "选择",
    "recipe": "配方",
    "error": "误差",
    "standard error": "标准误",
    "training error": "训练误差",
    "leaves": "叶结点数",
    "depth": "深度",
    "{target}: {folds} folds, root risk {risk}": "{target}:{folds} 折,根结点风险 {risk}",
    "coverage": "覆盖率",
    "support": "支持度",
    "confidence": "置信度",
    "lift": "提升度",
    "feature": "特征",
    "value": "取值",
    "cut": "切分点",
    "known": "已知",
    "gain": "信息增益",
    "gain ratio": "信息增益比",
    "Gini": "基尼指数",
    "best": "最优划分",
    "mean": "均值",
    "squared error": "平方误差",
    "decrease": "减少量",
    "chosen": "选中",
    "figure": "指标",
    "class": "类别",
    "predicted": "预测",
    "true \\ predicted": "实际 \\ 预测",
    "confusion": "混淆矩阵",
    "accuracy": "准确率",
    "balanced accuracy": "平衡准确率",
    "log loss": "对数损失",
    "Brier score": "布赖尔分数",
    "precision": "精确率",
    "recall": "召回率",
    "RMSE": "均方根误差",
    "MAE": "平均绝对误差",
    "R2": "决定系数",
    "weight": "权重",
    "importance": "重要性",
    "splits": "划分数",
    "sd": "标准差",
    "entropy": "熵",
    "variance": "方差",
    "decrease of impurity ({measure})": "不纯度减少量({measure})",
    "drop of {measure} {score} by shuffling {n}x (seed {seed})": "打乱后{measure} {score} 的下降({n} 次,种子 {seed})",
    "{rows}, weight {weight}": "{rows},权重 {weight}",
    "rows": "行",
    "missing": "缺失",
    "finding": "结论",
    "witness": "见证",
    "exclusive": "互斥",
    "complete": "完备",
    "yes": "是",
    "no": "否",
    "undecided within the budget": "预算内未能判定",
    "what": "项目",
    "name": "名称",
    "about": "简介",
    "found": "发现",
    "remark": "说明",
    "not installed": "未安装",
    "node": "结点",
    "prediction": "预测",
    "and": "和",
    "checked: {rules}, mutually exclusive and complete": "已检验:{rules},互斥且完备",
    "rules {first} and {second} both fire": "规则 {first} 与 {second} 同时成立",
    "no rule fires": "没有规则成立",
    "rules {first} and {second} both fire for {row}": "规则 {first} 与 {second} 同时成立:{row}",
    "no rule fires for {row}": "没有规则成立:{row}",
    "{n} rules": "{n} 条规则",
    "{n} rule": "{n} 条规则",
    "{n} rows": "{n} 行",
    "{n} row": "{n} 行",
    "{n} more nodes": "另有 {n} 个结点",
    "rule {number}": "规则 {number}",
    "rule {number}, from rule {source}": "规则 {number}，出自规则 {source}",
}
_WORDS: dict[str, dict[str, str]] = {"en": {}, "zh": _ZH}
LANGS = tuple(_WORDS)


def heading(text: str, lang: str = "en", **parts: object) -> str:
    """Return a table's own words in a language, with {parts} filled in.

    >>> heading("gain", "zh"), heading("{n} rows", "zh", n=15), heading("{n} rows", n=15)
    ('信息增益', '15 行', '15 rows')
    """
    found = _WORDS[lang].get(text, text)
    return found.format(**parts) if parts else found


def require_lang(lang: str) -> None:
    """Raise UnknownNameError unless there are words for the language."""
    if lang not in _WORDS:
        raise UnknownNameError("language of headings", lang, LANGS)

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
}

"""The docstrings and help texts of emitted Python modules, in both languages."""

_EN = {
    "rules": """A decision tree as if-then rules, exclusive and complete.

It needs nothing but Python's standard library.

predict(row), rule(row) and explain(row) take a mapping from column names to values. A
missing key, None or NaN is a missing value, extra keys are ignored, dates may be ISO
text, and a value of the wrong kind is a TypeError that names its column. With strict=True
a missing key is a TypeError of predict too, and so is a key that is no column.

    python THIS.py rows.csv      scores a CSV file; without a name, what is piped in
    python THIS.py --selftest    checks the module by rows that it carries""",
    "plain": "If-then rules of a decision tree: exactly one of {n} holds for each row.",
    "plain class": "Return the class of a row: None, NaN and (if not strict) no key are missing.",
    "plain mean": "Return the mean for a row: None, NaN and (if not strict) no key are missing.",
    "ensemble": "The sum of {n} decision trees: each adds the value of the leaf that a row reaches.",
    "ensemble_margin": "Return the sum of the leaves that a row reaches, added in the order of the trees.",
    "ensemble_proba": "Return the probability of each class.",
    "single": "Return a number rounded to 32 bits.",
    "lookup_nodes": "A node a line: a code's position, a bound, the next node up to it and above; below 0 a leaf.",
    "lookup_leaves": "What each leaf adds, one a line.",
    "lookup_leaves_of": "Yield what the leaf of each tree adds that a row of these codes reaches.",
    "lookup_order": "Return the number of bounds below a value, twice; a missing value is below or above all.",
    "lookup_place": "Return the position of a category; -1 is missing, -2 unseen.",
    "ensemble_arrays": """A sum of decision trees for columns of many rows at once. It needs nothing but numpy.

predict(columns) and predict_margin(columns) take a mapping from column names to 1-D
arrays, all of one length. NaN, NaT, None and masked cells are missing, and so is a
column that is not there. A column of the wrong kind is a TypeError that names it.""",
    "ensemble_nodes": "Of each tree its root and its splits; a child below 0 is a leaf's number.",
    "ensemble_leaves": "Of each tree its leaves, one a line: what they add.",
    "predict_ensemble_arrays": "Return the prediction for each row.",
    "proba_ensemble_arrays": "Return the probability of each class for each row, in the order of CLASSES.",
    "margin_arrays": "Return the sum of the leaves that each row reaches, added in the order of the trees.",
    "leaves_arrays": "Return the position of the leaf of a tree that each row reaches.",
    "plain_usage": "usage: THIS.py FILE.csv",
    "plain_error": "an error is one line",
    "plain_pipe": "as in | head",
    "plain_table": "A rule a line: number, prediction, share of each class, text.",
    "table": "A rule a line: compilers are slow with literals of many rules.",
    "record": "Return the rule of a line of the table.",
    "predict class": "Return the class that the rule of a row predicts.",
    "predict mean": "Return the mean that the rule of a row predicts.",
    "rule": "Return the number of the rule that fires for a row.",
    "predict_proba": "Return the share of each class where a row's rule was learned.",
    "explain": "Return the number and the text of the rule that fires for a row.",
    "predict_many": "Return an iterator over the predictions for rows, made as they are asked for.",
    "predict_values": "Return the prediction for values in the order of FEATURES.",
    "known": "Return a converted value, or what stands for a missing one.",
    "missing": "A missing date or timestamp: like NaN, it is not before, at or after any other.",
    "command": "---- the command line",
    "cell": "Return what a cell of a CSV file holds, None where that is missing.",
    "names": "Return the names of a header, those that are asked spelled so: blanks at their ends do not matter.",
    "delimiter": "Return the delimiter that finds all columns in a header line.",
    "even": "Return the delimiter that divides all lines into equally many cells.",
    "headless": "the file has no header",
    "blanks": "Return whether a blank that is no part of the cells follows each delimiter.",
    "rows": "Yield the rows of a CSV file, each with its line.",
    "score": "Write the rows of a CSV file with the prediction and the number of the rule.",
    "selftest": "Print whether the rows that the module carries fire the tree's rules.",
    "scored": "Score CSV to the standard output.",
    "main": "Run the command line, and return its exit code.",
    "description": "Score a CSV file by the rules of a decision tree.",
    "file": "CSV file; - is the standard input",
    "proba": "give the share of each class too",
    "only": "leave out the columns of the file",
    "separator": "what separates cells; told by the header by default",
    "encoding": "of the file; UTF-8 by default",
    "test": "check the module by rows that it carries",
    "arrays": """A decision tree that scores columns of many rows at once. It needs nothing but numpy.

predict(columns) and rule(columns) take a mapping from column names to 1-D arrays, all of
one length. NaN, NaT, None and masked cells are missing, and so is a column that is not
there. A column of the wrong kind is a TypeError that names it.""",
    "predict_arrays": "Return what the rule of each row predicts.",
    "rule_arrays": "Return the number of the rule that fires for each row.",
    "proba_arrays": "Return the share of each class for each row, in the order of CLASSES.",
    "nodes": "A split a line: column, cut, children; a child below 0 is a rule's number.",
    "leaves": "A leaf a line, in the order of the rules' numbers.",
    "node": "Return the split of a line of the table.",
    "at": "several intervals: the sides take turns",
    "by_cut": "Return the children of a cut, each with the rows that go there.",
    "by_category": "Return the children of a set test, each with the rows that go there.",
    "cells": "Return the number of rows, and for each column its cells and the missing ones.",
    "array": "Return a column as an array of one dimension.",
    "column": "Return the cells of a column as its kind holds them, and which are missing.",
    "holes": "Return the missing cells, None where there are none.",
    "plain_cells": "Return the cells of an array as Python values.",
    "check_keys": "Raise TypeError for an unknown key, or without a key that is needed.",
    "refuse": "Raise ValueError for the first row outside the declared domain.",
    "codes": "Return the places of categories; -1 is missing, -2 unseen.",
}
_ZH = {
    "rules": """决策树的 if-then 规则,互斥且完备。只需要 Python 标准库。

predict(row)、rule(row) 和 explain(row) 接受从列名到值的映射。缺少的键、None 和 NaN 是缺失值,
多余的键被忽略,日期可以写成 ISO 文本;类型不符的值引发 TypeError,并指出列名。
predict(row, strict=True) 对缺少的键和不是列名的键引发 TypeError。

    python THIS.py rows.csv      为 CSV 文件评分;不给文件名时读标准输入
    python THIS.py --selftest    用模块自带的行检验自身""",
    "plain": "决策树的 if-then 规则:每一行恰好满足 {n} 条中的一条。",
    "plain class": "返回一行的类别:None、NaN 和(非 strict 时)缺少的键是缺失值。",
    "plain mean": "返回一行的均值:None、NaN 和(非 strict 时)缺少的键是缺失值。",
    "ensemble": "{n} 棵决策树之和:每棵树加上该行所到叶结点的值。",
    "ensemble_margin": "返回该行所到各叶结点之和,按模型的次序相加。",
    "ensemble_proba": "返回各类别的概率。",
    "single": "返回舍入为 32 位的数。",
    "lookup_nodes": "每行一个结点:编码的位置、界、不超过和超过该界时的下一结点;小于 0 的是叶结点。",
    "lookup_leaves": "每行一个叶结点:所加的值。",
    "lookup_leaves_of": "依次给出一行在每棵树中所到叶结点所加的值。",
    "lookup_order": "返回小于该值的界的个数,共两份;缺失值分别低于和高于一切值。",
    "lookup_place": "返回类别的位置;-1 为缺失,-2 为未见过的类别。",
    "ensemble_arrays": """以数组表示的决策树之和:一次为多行评分,只需要 numpy。

predict(columns) 和 predict_margin(columns) 接受从列名到一维数组的映射,各数组长度相同。NaN、NaT、None
和被屏蔽的单元格是缺失值,不存在的列全部缺失。类型不符的列引发 TypeError,并指出列名。""",
    "ensemble_nodes": "每棵树的根和划分;小于 0 的子结点是叶结点编号。",
    "ensemble_leaves": "每棵树的叶结点,每行一个:所加的值。",
    "predict_ensemble_arrays": "返回各行的预测。",
    "proba_ensemble_arrays": "返回各行各类别的概率,类别按 CLASSES 的顺序。",
    "margin_arrays": "返回各行所到叶结点之和,按模型的次序相加。",
    "leaves_arrays": "返回各行在一棵树中所到叶结点的位置。",
    "plain_usage": "用法:THIS.py FILE.csv",
    "plain_error": "错误只占一行",
    "plain_pipe": "例如 | head",
    "plain_table": "每行一条规则:编号、预测、各类别的比例、文本。",
    "table": "每行一条规则:规则很多时,编译字面量很慢。",
    "record": "返回表中一行所写的规则。",
    "predict class": "返回该行所触发规则预测的类别。",
    "predict mean": "返回该行所触发规则预测的均值。",
    "rule": "返回该行所触发规则的编号。",
    "predict_proba": "返回学习该规则时各类别所占的比例。",
    "explain": "返回该行所触发规则的编号和文本。",
    "predict_many": "返回逐行预测的迭代器,取用时才计算。",
    "predict_values": "按 FEATURES 的顺序给出各值,返回预测。",
    "known": "返回转换后的值;缺失时返回代表缺失的值。",
    "missing": "缺失的日期或时间:与 NaN 一样,同任何值比较都为假。",
    "command": "---- 命令行",
    "cell": "返回 CSV 单元格的值,缺失时为 None。",
    "names": "返回表头的各列名,所需列按模型的写法:列名两端的空格不计。",
    "delimiter": "返回能在表头中找到所有列的分隔符。",
    "even": "返回把各行分成同样多单元格的分隔符。",
    "headless": "文件没有表头",
    "blanks": "返回每个分隔符后是否都有不属于单元格的空格。",
    "rows": "逐行给出 CSV 文件的各行及行号。",
    "score": "写出 CSV 文件的各行,并附上预测和规则编号。",
    "selftest": "打印模块自带的行是否触发树的规则。",
    "scored": "为 CSV 评分,写到标准输出。",
    "main": "运行命令行,返回退出码。",
    "description": "按决策树的规则为 CSV 文件评分。",
    "file": "CSV 文件;- 表示标准输入",
    "proba": "同时给出各类别的比例",
    "only": "不输出文件原有的列",
    "separator": "单元格的分隔符;默认由表头判断",
    "encoding": "文件的编码;默认 UTF-8",
    "test": "用模块自带的行检验自身",
    "arrays": """以数组表示的决策树:一次为多行评分,只需要 numpy。

predict(columns) 和 rule(columns) 接受从列名到一维数组的映射,各数组长度相同。NaN、NaT、None 和
被屏蔽的单元格是缺失值,不存在的列全部缺失。类型不符的列引发 TypeError,并指出列名。""",
    "predict_arrays": "返回各行所触发规则的预测。",
    "rule_arrays": "返回各行所触发规则的编号。",
    "proba_arrays": "返回各行各类别的比例,类别按 CLASSES 的顺序。",
    "nodes": "每行一个划分:列、切分点、子结点;小于 0 的子结点是规则编号。",
    "leaves": "每行一个叶结点,按规则编号的顺序。",
    "node": "返回表中一行所写的划分。",
    "at": "多个区间:两侧交替",
    "by_cut": "返回切分的各子结点及前往的行。",
    "by_category": "返回类别划分的各子结点及前往的行。",
    "cells": "返回行数,以及各列的单元格和缺失的单元格。",
    "array": "返回一列的一维数组。",
    "column": "返回按列的类型转换的单元格,以及哪些缺失。",
    "holes": "返回缺失的单元格;没有时为 None。",
    "plain_cells": "返回数组单元格的 Python 值。",
    "check_keys": "有未知的键或缺少所需的键时引发 TypeError。",
    "refuse": "对声明的定义域以外的第一行引发 ValueError。",
    "codes": "返回各类别的位置;-1 为缺失,-2 为未见过的值。",
}
_DOCS = {"en": _EN, "zh": _ZH}


def docs_of(lang: str, *, is_regression: bool) -> dict[str, str]:
    """Return the docstrings and help texts of a module, by subject. `lang` is one of `headings.LANGS`."""
    docs = dict(_DOCS[lang])
    predict = docs["predict mean" if is_regression else "predict class"]
    return {**docs, "predict": predict}

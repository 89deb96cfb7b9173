"""The Chinese words of declared domains, and of what a proof assumes."""

CHINESE_DOMAINS = {
    "assuming: {assumption}": "假定:{assumption}",
    "assuming": "假定",
    "{domain}. Outside this, {answers}": "{domain}。在此之外,{answers}",
    "{rules} answers for {values}": "{rules} 回答 {values} 的取值",
    "{rules} answer for {values}": "{rules} 回答 {values} 的取值",
    "{rules} for {values}": "{rules} 回答 {values} 的取值",
    "rules {number}": "规则 {number}",
    "{first} and {last}": "{first} 和 {last}",
    "{item}, ": "{item}、",
    ", ": ",",
    "; ": ";",
    "in {lowest}..{highest}": "在 {lowest}..{highest} 之内",
    "the answer is NULL": "结果为 NULL",
    "a row is an error": "该行引发错误",
    "never missing": "从不缺失",
    "never unseen": "从无未见类别",
    "below {bound}": "小于 {bound}",
    "above {bound}": "大于 {bound}",
    "equal on the declared domain: proved, not sampled": "在声明的定义域上相等:已证明,并非抽样",
    "proved for every row of the declared domain: no difference": "已证明对声明的定义域中的每一行都没有差异",
    "column {column} of the table has the type {type}; the SQL needs {wanted}": (
        "表的列 {column} 的类型为 {type};该 SQL 需要 {wanted}"
    ),
    "column {column} of the table takes {other} for 'a'; the SQL needs a binary collation": (
        "表的列 {column} 把 {other} 当作 'a';该 SQL 需要二进制排序规则"
    ),
    "the two declare different domains: compared over their intersection": "两者声明的定义域不同:在其交集上比较",
}

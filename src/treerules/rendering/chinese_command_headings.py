"""Chinese words of what only the command line lists: emitters, and what is installed."""

from collections.abc import Mapping

CHINESE_COMMAND_HEADINGS: Mapping[str, str] = {
    # the list of emitters
    "language": "语言",
    "SQL dialect": "SQL 方言",
    "SQL kind": "SQL 种类",
    "layout": "布局",
    "a module for Python 3.8 and later without dependencies; with --vectorized it needs numpy": (
        "Python 3.8 及以上的模块,不依赖任何库;--vectorized 需要 numpy"
    ),
    "an ES module without dependencies": "不依赖任何库的 ES 模块",
    "a macro with a variant for each warehouse, and a schema.yml with tests": (
        "dbt 宏(每种数据仓库一个变体),以及含测试的 schema.yml"
    ),
    "rules to edit by hand; they read back equal": "可手工编辑的规则文本;读回后完全相同",
    "a decision table to edit by hand, in CSV or Markdown": "可手工编辑的决策表(CSV 或 Markdown)",
    "a decision table of DMN 1.3, hit policy UNIQUE": "DMN 1.3 决策表,命中策略 UNIQUE",
    "SQL: the rules as a table with a row for each condition, and the query that applies them": (
        "SQL:规则存为一张表(每个条件一行),以及使用它的查询"
    ),
    "the standard's SQL": "标准 SQL",
    "DuckDB (run in the tests)": "DuckDB(测试中实际运行)",
    "SQLite (run in the tests)": "SQLite(测试中实际运行)",
    "PostgreSQL (run in the tests)": "PostgreSQL(测试中实际运行)",
    "MariaDB 10.5 and newer (run in the tests)": "MariaDB 10.5 及以上(测试中实际运行)",
    "ClickHouse (run in the tests)": "ClickHouse(测试中实际运行)",
    "Apache DataFusion (run in the tests)": "Apache DataFusion(测试中实际运行)",
    "Apache Spark (run in the tests)": "Apache Spark(测试中实际运行)",
    "Trino and Athena": "Trino 和 Athena",
    "Microsoft SQL Server, Azure SQL and Fabric": "Microsoft SQL Server、Azure SQL 和 Fabric",
    "a CASE expression for a query of your own": "CASE 表达式,放入您自己的查询",
    "a query of a table: keys, prediction and, if requested, probabilities, rule and reason": (
        "对一张表的查询:键、预测,以及按需要给出的概率、规则和理由"
    ),
    "CREATE VIEW of that query": "该查询的 CREATE VIEW",
    "CREATE TABLE AS that query": "该查询的 CREATE TABLE AS",
    "CREATE MACRO, a function of the columns": "CREATE MACRO,以各列为参数的函数",
    "CREATE FUNCTION, a function of the columns": "CREATE FUNCTION,以各列为参数的函数",
    "flat up to 64 rules (8 in Python), else guarded; lookup for DuckDB queries of more than 500 leaves": (
        "至多 64 条规则(Python 为 8 条)用 flat,否则用 guarded;DuckDB 查询超过 500 个叶结点用 lookup"
    ),
    "a line for each rule, for people and auditors": "每条规则一行,供人阅读和审计",
    "nested at most log2(leaves) deep: loads at any size and runs fast": (
        "嵌套深度至多 log2(叶结点数):任意规模都能载入,运行快"
    ),
    "DuckDB queries: constant arrays that are searched level by level, for thousands of leaves": (
        "DuckDB 查询:逐层查找常量数组,适合数千个叶结点"
    ),
    # what was learned
    "learned 1 leaf, depth {depth}": "学得 1 个叶结点,深度 {depth}",
    "learned {leaves} leaves, depth {depth}": "学得 {leaves} 个叶结点,深度 {depth}",
    # what is installed
    "always needed": "必需",
    "the command line": "命令行",
    "reading files and queries; an SQL engine": "读取文件和查询;SQL 引擎",
    "reading files; an SQL engine": "读取文件;SQL 引擎",
    "compiled growers": "编译的生长算法",
    "large tables several times faster": "大表快数倍",
    "reading SQL that people wrote": "读取人工编写的 SQL",
    "random trees and laws": "随机树与性质测试",
    "estimators for pipelines and searches": "用于流水线和参数搜索的估计器",
    "data frames": "数据框",
    "treerules verify on Postgres": "在 Postgres 上运行 treerules verify",
    "psql; the emitted SQL needs no more than a server": "psql;输出的 SQL 只需要服务器",
    "treerules verify runs emitted JavaScript by it": "treerules verify 用它运行输出的 JavaScript",
    "what is printed is UTF-8 when it is piped": "输出到管道时使用 UTF-8",
    "SQL dialects: {n} (treerules emit --list)": "SQL 方言:{n} 种(treerules emit --list)",
    "{use}: pip install '{package}'": "{use}:pip install '{package}'",
    "file names": "文件名",
    "locale: {encoding}": "区域设置:{encoding}",
}

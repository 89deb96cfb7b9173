"""Chinese sentences of the notes on how a table was read."""

from collections.abc import Mapping

CHINESE_READING_NOTES: Mapping[str, str] = {
    "column {place!r}: made missing: {cells}": "列 {place!r}:视为缺失值:{cells}",
    "column {place!r} is read as text: {cells}": "列 {place!r} 读作文本:{cells}",
    "correct these cells, name them by missing=, --missing, or make them missing: {option}; "
    "to keep the text: types=, --types {place}=category": (
        "请更正这些单元格,用 missing=、--missing 写明,或视为缺失值:{option};保留文本:types=、--types {place}=category"
    ),
    "{n:,} of {known:,} cells cannot be read as {noun}: {cells}": (
        "{known:,} 个单元格中有 {n:,} 个不能读作{noun}:{cells}"
    ),
    "{cell} in line {number}": "第 {number} 行的 {cell}",
    "{cell} in row {number}": "第 {number} 个样本的 {cell}",
    "{cells} and {n:,} more": "{cells},另有 {n:,} 个",
    "{noun} in the form {form}": "{form} 形式的{noun}",
    "truth values (true, false)": "布尔值(true、false)",
    "whole numbers": "整数",
    "numbers": "数",
    "dates": "日期",
    "timestamps": "时间戳",
    "timestamps with a zone": "带时区的时间戳",
    "levels of the order": "有序类别的等级",
    "line {line} looks like a total and no row: {text!r} in column {place!r}": (
        "第 {line} 行像是合计而不是样本:列 {place!r} 中为 {text!r}"
    ),
    "take it out of the file": "请从文件中去掉",
    "column {place!r} has categories that differ in case or blanks alone (rows in brackets): {groups}": (
        "列 {place!r} 有只在大小写或空格上不同的类别(括号中为行数):{groups}"
    ),
    "{groups} and {n:,} more such groups": "{groups},另有 {n:,} 组",
    "if they are one: read_query, --query '{query}'": "若是同一类别:read_query、--query '{query}'",
    "if they are one, save the file in UTF-8: read_query, --query '{query}'": (
        "若是同一类别,请把文件存为 UTF-8:read_query、--query '{query}'"
    ),
    "column {place!r}: read {example!r} as the number {value!r}": "列 {place!r}:把 {example!r} 读作数 {value!r}",
    "column {place!r}: read {example!r} as the integer {value!r}": "列 {place!r}:把 {example!r} 读作整数 {value!r}",
    "column {place!r}: read {example!r} as the date {value} ({form})": (
        "列 {place!r}:把 {example!r} 读作日期 {value}({form})"
    ),
    "column {place!r}: read {example!r} as the date {value}, the first day of the month ({form})": (
        "列 {place!r}:把 {example!r} 读作日期 {value},即该月第一天({form})"
    ),
    "column {place!r}: read {example!r} as the timestamp {value} ({form})": (
        "列 {place!r}:把 {example!r} 读作时间戳 {value}({form})"
    ),
    "column {place!r} looks like numbers, but {doubt}: {ways}": "列 {place!r} 像是数,但 {doubt}:{ways}",
    "column {place!r} looks like dates, but {doubt}: {ways}": "列 {place!r} 像是日期,但 {doubt}:{ways}",
    "column {place!r} is read as text: its dates are written in several forms (for example {cells})": (
        "列 {place!r} 读作文本:其日期有多种写法(例如 {cells})"
    ),
    "write them in one form; to keep the text: types=, --types {place}=category": (
        "请统一写法;保留文本:types=、--types {place}=category"
    ),
    "{cell!r} can be {values}": "{cell!r} 可能是 {values}",
    "{cell!r} may be another thing": "{cell!r} 可能是别的内容",
    "say which by types=, --types: {ways}": "请用 types=、--types 写明:{ways}",
    " or ": " 或 ",
    "; ": ";",
    "column {place!r} looks like numbers, but some cells are none (for example {cells}): it stays text": (
        "列 {place!r} 像是数,但有的单元格不是(例如 {cells}):保持为文本"
    ),
    "column {place!r} looks like numbers, but not all in one form (for example {cells}): it stays text": (
        "列 {place!r} 像是数,但写法不一(例如 {cells}):保持为文本"
    ),
    "correct these cells, name them in missing=, --missing, or declare it in types=, --types: {place}=number": (
        "请更正这些单元格,用 missing=、--missing 写明,或用 types=、--types 声明:{place}=number"
    ),
    "no column {place!r}; did you mean {other!r}?": "没有列 {place!r};是否指 {other!r}?",
    "column {place!r}: read {example!r} as {value}, in the form {form}; that of the model is {known}": (
        "列 {place!r}:把 {example!r} 读作 {value},写法为 {form};模型的写法是 {known}"
    ),
    "column {place!r}: each point stands before three digits, and is the decimal mark, as for the model": (
        "列 {place!r}:每个点后都是三位数字,按模型的写法读作小数点"
    ),
    "if 1.500 is 1500 in this file: decimal=',', --decimal ,": "若此文件中 1.500 是 1500:decimal=','、--decimal ,",
    "rules do not hold how the model reads {columns}: each reads the same rows in its own way": (
        "规则不保存模型读取 {columns} 的方式:两者各按自己的方式读取相同的行"
    ),
    "values are compared as they are after reading: rules do not hold how the model reads {columns}": (
        "比较的是读取之后的值:规则不保存模型读取 {columns} 的方式"
    ),
    "words for missing values, trim and unreadable count in these rows alone: none are kept for {names}": (
        "缺失值的写法、trim 和 unreadable 只对这些行有效:模型没有为 {names} 保存它们"
    ),
    "… {n:,} more like: {fact}": "… 另有 {n:,} 条类似:{fact}",
}

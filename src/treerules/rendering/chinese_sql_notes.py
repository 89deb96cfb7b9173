"""Chinese sentences of the notes on how SQL was read."""

from collections.abc import Mapping

CHINESE_SQL_NOTES: Mapping[str, str] = {
    "in {dialect} '' is NULL, so no comparison with it is true": "{dialect} 中 '' 即 NULL,与它的比较都不为真",
    "{names} are read as {n} columns; if they are one, write its name in one way": (
        "{names} 读作 {n} 列;若是同一列,请统一写法"
    ),
    "taken as a column: {expressions}; what is proved holds whatever the values are, but a gap or an overlap that "
    "needs them is only possible": (
        "视为一列:{expressions};无论其取值如何,已证明的结论都成立,但依赖它的空缺或重叠只是可能存在"
    ),
    "taken as columns: {expressions}; what is proved holds whatever the values are, but a gap or an overlap that "
    "needs them is only possible": (
        "视为列:{expressions};无论其取值如何,已证明的结论都成立,但依赖它们的空缺或重叠只是可能存在"
    ),
    "{place} = {first} stands for the texts that begin with {prefix!r} and are no other value": (
        "{place} = {first} 代表以 {prefix!r} 开头、且不是其他取值的文本"
    ),
    "{names}: only integers are named, but other numbers may occur; declare the kind integer if they do not": (
        "{names}:只写了整数,但也可能有其他数值;若没有,请声明为整数类型(integer)"
    ),
    "{dialect} orders NaN above infinity: in {names} it is treated like the greatest numbers, unless infinity is "
    "named; the rules treat NaN as missing": (
        "{dialect} 把 NaN 排在无穷大之上:除非写明无穷大,{names} 中的 NaN 按最大的数处理;规则把 NaN 视为缺失"
    ),
    "{dialect} finds every comparison with NaN false; NaN in {names} was not checked": (
        "{dialect} 中与 NaN 的比较都为假;没有检验 {names} 中的 NaN"
    ),
    "by default {dialect} treats {one!r} and {other!r} of {place!r} as equal; the rules do not": (
        "{dialect} 默认把 {place!r} 的 {one!r} 与 {other!r} 视为相等;规则则不然"
    ),
    "by default {dialect} ignores case and trailing blanks when it compares text; the rules compare {names} exactly": (
        "{dialect} 比较文本时默认忽略大小写和末尾空格;规则精确比较 {names}"
    ),
    "{place!r}: only days are named, but timestamps may lie between two days; declare the kind date if none does": (
        "{place!r}:只写了日期,但时间戳可能在两天之间;若没有,请声明为日期类型(date)"
    ),
    "{place!r} is read as a date, since it is compared with text of that form; declare its kind": (
        "{place!r} 与日期形式的文本比较,因此读作日期;请声明其类型"
    ),
    "{place!r} is read as a timestamp, since it is compared with text of that form; declare its kind": (
        "{place!r} 与时间戳形式的文本比较,因此读作时间戳;请声明其类型"
    ),
    "{place!r} is read in microseconds; the finer values of {dialect} were not checked": (
        "{place!r} 按微秒读取;没有检验 {dialect} 中更精细的取值"
    ),
    "{place} gives NULL, as CASE does without it: rows that no WHEN takes are a gap": (
        "{place} 给出 NULL,与没有它时相同:没有 WHEN 取走的样本是空缺"
    ),
    "{place} gives {sql}, which is not a literal: the rules predict its text": (
        "{place} 给出 {sql},它不是字面值:规则预测的是这段文本"
    ),
    "{whens} could not be read: a row of a gap or an overlap may belong to them; a rule that is reported as never "
    "deciding never decides in any case": (
        "{whens} 无法读取:空缺或重叠中的样本可能属于它们;报告为永不生效的规则在任何情况下都不生效"
    ),
}

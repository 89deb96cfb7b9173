"""What the name of a column suggests: an identifier, a number of something, a time. Names are weak evidence."""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|#")
_IDENTIFIERS = frozenset(["id", "ids", "uid", "uuid", "guid", "identifier", "ssn", "isbn", "sku", "rownames", "rowid"])
_CHINESE_IDENTIFIERS = ("编号", "序号", "学号", "工号", "单号", "订单号", "卡号", "证号", "账号", "编码")
_NUMBERS = frozenset(["no", "nr", "num", "number", "key", "idx", "index", "code", "row", "#", "unnamed"])
#: A code or number of these is a category or a measurement.
_USEFUL_NUMBERS = frozenset(["zip", "postal", "post", "area", "country", "region", "state", "of"])
#: The index of these is a row number, of others (heat, prices) a measurement; pandas writes Unnamed: 0.
_INDEXED = frozenset(
    ["row", "record", "line", "item", "sample", "case", "person", "data", "df", "old", "level", "unnamed"]
)
_TIMES = ("time", "date", "day", "week", "month", "year", "hour", "minute", "second", "timestamp", "epoch", "t", "age")
_RANKS = frozenset(["rank", "ranking", "ranks", "percentile"])
_CHINESE_RANKS = ("排名", "名次")
_TIME_WORDS = frozenset([*_TIMES, *(f"{word}s" for word in _TIMES), "yr", "jahr", "tag", "monat", "zeit"])
_CHINESE_TIMES = ("年", "月", "日", "时间", "日期", "天")


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case.

    >>> words_of("CustomerID"), words_of("invoice_no"), words_of("客户编号"), words_of("x2Id")
    (['customer', 'id'], ['invoice', 'no'], ['客户编号'], ['x', '2', 'id'])
    """
    return [word.lower() for word in _WORD.findall(name)]


def is_identifier_name(name: str) -> bool:
    """Return whether a name ends as names of identifiers do.

    >>> [is_identifier_name(name) for name in ("Id", "customer_id", "客户编号", "acid", "number")]
    [True, True, True, False, False]
    """
    words = words_of(name)
    return bool(words) and (words[-1] in _IDENTIFIERS or words[-1].endswith(_CHINESE_IDENTIFIERS))


def is_number_name(name: str) -> bool:
    """Return whether a name may be that of a number or code that is given to each row; an empty name may.

    >>> [is_number_name(name) for name in ("", "Ticket No.", "account_number", "zip_code", "number of rooms")]
    [True, True, True, False, False]
    >>> [is_number_name(name) for name in ("index", "row_index", "Unnamed: 0", "heat_index", "Consumer Price Index")]
    [True, True, True, False, False]
    """
    words = words_of(name)
    if words and (words[-1] in ("index", "idx") or words[:1] == ["unnamed"]):
        return all(word in _INDEXED or word.isdecimal() for word in words[:-1])
    return not words or (not _NUMBERS.isdisjoint(words[-1:]) and _USEFUL_NUMBERS.isdisjoint(words))


def is_rank_name(name: str) -> bool:
    """Return whether a name is that of a rank.

    >>> is_rank_name("SalesRank"), is_rank_name("排名"), is_rank_name("frank")
    (True, True, False)
    """
    return not _RANKS.isdisjoint(words_of(name)) or any(word in name for word in _CHINESE_RANKS)


def is_measurement_name(name: str) -> bool:
    """Return whether a name is that of a time or a rank, which may differ in every row as row numbers do.

    >>> [is_measurement_name(name) for name in ("Year", "days_since_start", "年份", "rank", "timeless")]
    [True, True, True, True, False]
    """
    is_time = not _TIME_WORDS.isdisjoint(words_of(name)) or any(word in name for word in _CHINESE_TIMES)
    return is_time or is_rank_name(name)

"""The comparison of two literals, where all engines agree on it."""

from treerules._internal.text_identity import is_placeholder
from treerules.formats.sql.predicate_terms import Constant, NotReadError
from treerules.sql.dialect import Dialect
from treerules.sql.literals import NULL, SqlLiteral


def literal_comparison(first: SqlLiteral, relation: str, second: SqlLiteral, dialect: Dialect) -> Constant:
    """Return the truth value of a comparison of two literals.

    Raises:
        NotReadError: engines differ in how they compare the two.
    """
    if relation == "same" and NULL in (first, second):
        return Constant(first == second)
    if NULL in (first, second):
        return Constant(None)
    text = f"{first.sql} is compared with {second.sql}"
    is_plain = first == second or (relation in ("in", "<>", "same") and not dialect.loose_text)
    texts = [str(value.value) for value in (first, second) if value.kind == "text"]
    if first != second and (any(map(is_placeholder, texts)) or len({each.rstrip(" ") for each in texts}) < len(texts)):
        is_plain = False
    if first.kind != second.kind or (first.kind == "text" and not is_plain):
        raise NotReadError(f"{text}, which engines do in their own ways")
    left, right = first.value, second.value
    decided = {"in": left == right, "same": left == right, "<>": left != right}
    if relation in decided:
        return Constant(decided[relation])
    return Constant({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[relation])

"""What is proved and found of rules: check, diff, explain, score, as values, JSON and text in both languages."""

from collections.abc import Iterator
from typing import Any

from behaviour.calls import (
    VERDICT_FORMATS,
    ColumnDomain,
    Leaf,
    RuleList,
    Split,
    Tree,
    boundary_rows,
    check,
    check_list,
    compile_rules,
    diff,
    diff_text,
    explain,
    explanation_text,
    fold,
    leaves,
    outcome,
    review,
    reviews_text,
    rule_metrics,
    scores_text,
    to_exclusive,
    told,
    tree_from_rules,
    tree_to_json,
    verdict_text,
)
from behaviour.parsing import parts
from behaviour.predicting import table_of
from behaviour.stored import models, rows_of

FORMATS = ("text", "md", "csv", "json")
LANGS = ("en", "zh")
#: Rules in larger numbers take their time, and say nothing new.
MOST = 40


def recorded() -> Iterator[tuple[str, str]]:
    """Yield the verdicts on all rules that were read, on models and on pairs of them."""
    before: Any = None
    small = [(name, part) for name, part in parts() if is_small(part)]
    for place, (name, part) in enumerate(small):
        yield f"review {name}", outcome(lambda name=name, part=part: _reviewed(name, part))
        kept = outcome(lambda part=part: _made_whole(part))
        yield f"whole {name}", kept
        yield f"explain {name}", outcome(lambda part=part: _explained(part, part.names, 5))
        if before is not None:
            yield f"diff {name}", outcome(lambda one=before, two=part: _compared(one, two))
        if place % 3 == 0:
            yield f"limits {name}", outcome(lambda part=part: _limited(part))
        before = part
    yield from _of_models()


def is_small(part: Any) -> bool:
    """Whether rules are few, of few columns."""
    return len(part.rules.rules) <= MOST and len(part.rules.schema.features) <= MOST


def _reviewed(name: str, part: Any) -> str:
    found = review(part, limit=6, budget=20_000)
    texts = [reviews_text([(name, [found])], format=format, lang=lang) for format in VERDICT_FORMATS for lang in LANGS]
    lists = [found.subsumed(), found.partly_subsumed(), found.undecided(), found.otherwise]
    return "\n".join([told(found.verdict), str(bool(found)), told(lists), *texts])


def _made_whole(part: Any) -> str:
    is_list = isinstance(part.rules, RuleList)
    first = outcome(lambda: to_exclusive(part)) if is_list else outcome(lambda: check_list(part))
    return first + outcome(lambda: tree_to_json(tree_from_rules(part, budget=2000)))


def _limited(part: Any) -> str:
    verdict = check_list if isinstance(part.rules, RuleList) else check
    few = outcome(lambda: verdict(part, limit=1))
    poor = outcome(lambda: verdict(part, budget=3))
    return few + "\n" + poor + outcome(lambda: review(part, limit=2, budget=10).verdict)


def _explained(part: Any, names: Any, n: int) -> str:
    found = []
    for row in boundary_rows(part.rules if hasattr(part, "rules") and hasattr(part, "lines") else part, 40)[:n]:
        explanation = explain(part, row, budget=500)
        texts = [explanation_text(explanation, format=format, lang=lang, names=names)
                 for format in FORMATS for lang in LANGS]  # fmt: skip
        found += [told(explanation), *texts]
    return "\n".join(found)


def _compared(one: Any, two: Any) -> str:
    found = diff(one, two, limit=8, budget=20_000)
    texts = [diff_text(found, format=format, lang=lang) for format in FORMATS for lang in LANGS]
    return "\n".join([told([found.equal, found.n_disagreements, found.disagreements, found.edits, found.undecided]),
                      *texts])  # fmt: skip


def changed(tree: Any) -> Any:
    """Return a tree of which one leaf in the middle answers otherwise, where there is another answer."""
    some = list(leaves(tree.root))
    place = len(some) // 2
    other = next((leaf for leaf in some if leaf.prediction.value != some[place].prediction.value), some[place])
    left = iter(range(len(some)))

    def leaf_again(leaf: Any) -> Any:
        return Leaf(other.prediction, leaf.counts) if next(left) == place else leaf

    def split_again(split: Any, children: Any) -> Any:
        return Split(split.test, children, split.missing, split.unseen)

    return Tree(tree.schema, fold(tree.root, leaf_again, split_again))


def _of_models() -> Iterator[tuple[str, str]]:
    for name, tree in models().items():
        if name in ("leaves", "chain"):
            yield f"model {name} | check", outcome(lambda tree=tree: check(tree))
            continue
        rules = compile_rules(tree)
        table = table_of(tree, rows_of(name), target=True)
        texts = [verdict_text(check(rules), rules, format=format, lang=lang)
                 for format in VERDICT_FORMATS for lang in LANGS]  # fmt: skip
        yield f"model {name} | check", "\n".join([told(check(tree)), *texts])
        domain = _domain(tree)
        yield f"model {name} | check domain", outcome(lambda r=rules, d=domain: check(r, domain=d, limit=3))
        yield f"model {name} | tree_of domain", outcome(lambda r=rules, d=domain: tree_from_rules(r, domain=d))
        yield f"model {name} | explain", outcome(lambda tree=tree: _explained(tree, None, 6))
        yield f"model {name} | explain rules", outcome(lambda rules=rules: _explained(rules, {1: "the first"}, 3))
        row = rows_of(name)[0]
        found = outcome(lambda tree=tree, d=domain, row=row: explain(tree, row, domain=d))
        yield f"model {name} | explain domain", found
        yield f"model {name} | score", outcome(lambda rules=rules, table=table: _scored(rules, table))
        smaller = outcome(lambda tree=tree, table=table: _changed(tree, table))
        yield f"model {name} | diff", smaller


def _domain(tree: Any) -> dict[str, Any]:
    """Return a domain of every other column: bounded where it is ordered, closed where it is not."""
    found = {}
    for feature in tree.schema.features[::2]:
        values = sorted(set(_known(tree, feature))) if feature.is_ordered else []
        if values:
            found[feature.name] = ColumnDomain(values[0], values[-1], missing=False)
        else:
            found[feature.name] = ColumnDomain(missing=False, unseen=False)
    return found


def _known(tree: Any, feature: Any) -> Iterator[Any]:
    for row in boundary_rows(tree, 30):
        value = feature.convert(row.get(feature.name))
        if value is not None:
            yield value


def _scored(rules: Any, table: Any) -> str:
    found = rule_metrics(rules, table)
    weighted = rule_metrics(rules, table, weight=[1 + place % 2 for place in range(table.n_rows)])
    texts = [scores_text(each, format=format, lang=lang, names={1: "the first"})
             for each in (found, weighted) for format in FORMATS for lang in LANGS]  # fmt: skip
    return "\n".join([told([each.by_rule for each in (found, weighted)]), *texts])


def _changed(tree: Any, table: Any) -> str:
    smaller = changed(tree)
    found = diff(tree, smaller, table=table, limit=None)
    texts = [diff_text(found, format=format, lang=lang, old_names={1: "old one"}, new_names={1: "new one"})
             for format in FORMATS for lang in LANGS]  # fmt: skip
    domain = outcome(lambda: diff(smaller, tree, domain=_domain(tree), limit=3))
    return "\n".join([told([found.equal, found.disagreements, found.edits, found.n_rows, found.n_differing]), *texts,
                      domain])  # fmt: skip

"""The public strategies and checks of rules; what hypothesis draws comes from a provider of ours, by seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from behaviour.calls import (
    EDITS,
    Schema,
    assert_complete,
    assert_exclusive,
    check_rules,
    compile_rules,
    outcome,
    parametrize_rules,
    rows,
    rule_sets,
    schemas,
    tables,
    told,
    trees,
)
from behaviour.parsing import parts
from behaviour.stored import models
from behaviour.verdicts import _domain
from hypothesis.control import BuildContext
from hypothesis.internal.conjecture.data import ConjectureData, StopTest
from hypothesis.internal.conjecture.providers import PrimitiveProvider


class Seeded(PrimitiveProvider):
    """Draws plain values by a seed: nothing of what hypothesis knows of the code around takes part."""

    lifetime = "test_case"

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.random = Random(0)

    def draw_boolean(self, p: float = 0.5) -> bool:
        """Return True so often."""
        return self.random.random() < p

    def draw_integer(
        self, min_value: Any = None, max_value: Any = None, *, weights: Any = None, shrink_towards: int = 0
    ) -> int:
        """Return an integer, small ones where there is no bound."""
        lowest = (
            -1000 if min_value is None and max_value is None else max_value - 2000 if min_value is None else min_value
        )
        return self.random.randint(lowest, lowest + 2000 if max_value is None else max_value)

    def draw_float(
        self,
        *,
        min_value: float = -1e9,
        max_value: float = 1e9,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """Return a number: an end, or one between."""
        lowest, highest = max(min_value, -1e300), min(max_value, 1e300)
        found = self.random.choice(
            (min_value, max_value, lowest + (highest / 2 - lowest / 2) * self.random.random(), 0.0)
        )
        found = min(max(found, min_value), max_value)
        return found if found == 0 or abs(found) >= smallest_nonzero_magnitude else max(min_value, 0.0)

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 20) -> str:
        """Return a text of the characters that are allowed."""
        n = self.random.randint(min_size, min(max_size, min_size + 6))
        return "".join(chr(intervals[self.random.randrange(min(len(intervals), 300))]) for _ in range(n))

    def draw_bytes(self, min_size: int = 0, max_size: int = 20) -> bytes:
        """Return bytes."""
        return self.random.randbytes(self.random.randint(min_size, min(max_size, min_size + 6)))


def drawn(strategy: Any, seed: int) -> str:
    """Return what a strategy draws by a seed."""
    data = ConjectureData(random=Random(seed), provider=Seeded)
    data.provider.random = Random(seed)
    try:
        with BuildContext(data, wrapped_test=drawn):
            found = data.draw(strategy)
    except StopTest:
        return "stopped"
    return told(compile_rules(found)) if False else told(found)


def recorded() -> Iterator[tuple[str, str]]:
    """Yield what is drawn, and what the assertions and the checks say of rules."""
    known = models()["kinds"].schema
    strategies: dict[str, Any] = {
        "schemas": schemas(),
        "schemas classification": schemas(task="classification", max_features=3),
        "schemas regression": schemas(task="regression", kinds=["number", "date"]),
        "schemas category": schemas(kinds=["category"], names=["a", "b"], max_features=2),
        "tables": tables(),
        "tables known": tables(known, min_rows=5, max_rows=9, missing=False),
        "tables of schemas": tables(schemas(max_features=2)),
        "trees": trees(),
        "trees deep": trees(known, deep=True, max_splits=20),
        "trees bushy": trees(known, deep=False, max_splits=20),
        "trees none": trees(max_splits=0),
        "rule_sets": rule_sets(),
        "rule_sets partition": rule_sets(partition=True),
        "rule_sets broken": rule_sets(partition=False),
        "rule_sets edits": rule_sets(known, edits=2),
        "rows schema": rows(known, at="any"),
        "rows inside": rows(models()["kinds"], at="inside"),
        "rows boundaries": rows(compile_rules(models()["kinds"]), at="boundaries"),
        "rows any": rows(models()["bushy"], at="any"),
        "rows schema boundaries": rows(known),
        "rows schema inside": rows(known, at="inside"),
        "rows leaf": rows(models()["leaf"], at="boundaries"),
        **{f"rule_sets {kind}": rule_sets(known, partition=False, kinds=[kind]) for kind in EDITS},
    }
    for name, strategy in strategies.items():
        for seed in range(12):
            yield f"{name} seed={seed}", outcome(lambda s=strategy, seed=seed: drawn(s, seed))
    yield from _refused(known)
    yield from _checked()


def _refused(known: Any) -> Iterator[tuple[str, str]]:
    empty = Schema(known.features)
    made: dict[str, Any] = {
        "task": lambda: schemas(task="x"),
        "kinds": lambda: schemas(kinds=[]),
        "features": lambda: schemas(max_features=99),
        "fewer": lambda: schemas(min_features=4, max_features=2),
        "schema": lambda: trees(3),
        "splits": lambda: trees(max_splits=-1),
        "no target": lambda: trees(empty),
        "rows": lambda: tables(min_rows=3, max_rows=1),
        "rows odd": lambda: tables(min_rows=True),
        "edits": lambda: rule_sets(edits=-1),
        "edits of a partition": lambda: rule_sets(partition=True, edits=1),
        "kind": lambda: rule_sets(kinds=["x"]),
        "partition": lambda: rule_sets(partition=1),
        "place": lambda: rows(known, at="x"),
        "of": lambda: rows(3),
        "no edits": lambda: rule_sets(partition=False, edits=0),
        "no kinds": lambda: rule_sets(edits=1, kinds=[]),
        "tables schema": lambda: tables(3),
    }
    for name, make in made.items():
        yield f"refused {name}", outcome(make)


def _checked() -> Iterator[tuple[str, str]]:
    for name, tree in models().items():
        if tree.n_leaves < 60:
            yield f"check_rules {name}", outcome(lambda tree=tree: told(check_rules(tree)))
            domain = _domain(tree)
            yield (
                f"check_rules {name} domain",
                outcome(lambda tree=tree, d=domain: told(check_rules(compile_rules(tree), d))),
            )
    for name, part in parts():
        if "slip" in name:
            for called, check in (
                ("exclusive", assert_exclusive),
                ("complete", assert_complete),
                ("check_rules", check_rules),
            ):
                yield f"{called} {name}", outcome(lambda check=check, part=part: told(check(part.rules)))
            poor = outcome(lambda part=part: told(assert_complete(part.rules, budget=1)))
            yield f"complete {name} budget=1", poor
    for odd in (3, None, [1]):
        yield f"exclusive {odd}", outcome(lambda odd=odd: told(assert_exclusive(odd)))
        yield f"parametrize {odd}", outcome(lambda odd=odd: told(parametrize_rules(odd)))
    marks = parametrize_rules({"leaf": models()["leaf"], "cart": models()["learned_cart"]})
    yield "parametrize", told([[each.id for each in marks.args[1]], marks.args[0]])
    named = parametrize_rules([models()["leaf"], compile_rules(models()["kinds"])])
    yield "parametrize listed", told([each.id for each in named.args[1]])
    for each in named.args[1]:
        rules, check = each.values
        yield f"parametrized {each.id}", outcome(lambda rules=rules, check=check: told(check(rules)))

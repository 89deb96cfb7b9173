"""Arguments at the edge of what they may be: paths that no file can have, and very large numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treerules import (
    RuleList,
    RuleSet,
    Table,
    TreeRulesError,
    cart,
    check,
    check_list,
    compile_rules,
    diff,
    explain,
    learn,
    load,
    load_recipe,
    predict_table,
    read,
    read_rules,
    render,
    review,
    save,
    to_python,
    verify,
)
from treerules.errors import FileError
from treerules.formats import ParsedRules
from treerules.formats.schema_json import read_declared_schema
from treerules.readers import read_csv, read_jsonl, read_parquet, read_query, read_sqlite
from treerules.report import write_parquet
from treerules.testing import boundary_rows

TABLE = Table.from_columns({"x": [1, 2, 3, 4], "c": list("pqrp"), "y": list("aabb")})
TREE = learn(TABLE, target="y", recipe=cart())
RULES = compile_rules(TREE)
LIST = RuleList(RULES.schema, RULES.rules)

OF_PATHS: dict[str, Callable[[str], Any]] = {
    "load": load,
    "load_recipe": load_recipe,
    "read": read,
    "read_csv": read_csv,
    "read_declared_schema": read_declared_schema,
    "read_jsonl": read_jsonl,
    "read_parquet": read_parquet,
    "read_query": lambda path: read_query("SELECT 1 AS a", database=path),
    "read_rules": read_rules,
    "read_sqlite": lambda path: read_sqlite(path, table="a"),
    "save": lambda path: save(TREE, path),
    "render": lambda path: render(TREE, format="html", templates=path),
    "write_parquet": lambda path: write_parquet(predict_table(TREE, TABLE), path),
}


@pytest.mark.parametrize("path", ["\0", "a\0b", "\ud800", "a" * 300], ids=["NUL", "NUL inside", "surrogate", "long"])
@pytest.mark.parametrize("name", OF_PATHS)
def test_a_path_that_no_file_can_have_is_our_error(
    name: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each function that takes the path of a file or folder raises FileError."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError):
        OF_PATHS[name](path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [10**30, 2**63 - 1])
def test_whole_numbers_of_any_size_bound_a_search(number: int) -> None:
    """A limit or a budget that is never reached changes nothing."""
    gap = RuleSet(RULES.schema, RULES.rules[1:])
    for option in ("limit", "budget"):
        large = {option: number}
        assert check(RULES, **large) == check(RULES)
        assert check(gap, **large) == check(gap)
        assert check_list(LIST, **large) == check_list(LIST)
        assert review(ParsedRules(gap), **large) == review(ParsedRules(gap))
        assert diff(RULES, gap, **large) == diff(RULES, gap)
    assert explain(TREE, {"x": 1}, budget=number) == explain(TREE, {"x": 1})
    assert boundary_rows(TREE, most=number) == boundary_rows(TREE, most=1_000)
    assert verify(TREE, to_python(TREE), most=number)


@pytest.mark.parametrize("rules", [RULES, LIST], ids=["RuleSet", "RuleList"])
def test_errors_name_the_class_of_the_method_that_was_called(rules: Any) -> None:
    """They name no private base class."""
    calls: list[Callable[[], Any]] = [
        lambda: rules.by_number(9),
        lambda: rules.replace(9, RULES.rules[0]),
        lambda: rules.without(9),
    ]
    for call in calls:
        with pytest.raises(TreeRulesError, match=f"^{type(rules).__name__}[.(]"):
            call()

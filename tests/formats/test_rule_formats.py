"""The table RULE_FORMATS: what is written reads back equal, and files are recognised."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies_random import some_rows, trees
from treerules import Tree, compile_rules, read_rules
from treerules.errors import FileError, OptionError, UnknownNameError, UnsupportedError
from treerules.formats.rule_files import RULE_FORMATS, RuleFile, parse_rules, recognised_format
from treerules.trees import find_leaf


@pytest.mark.parametrize("name", RULE_FORMATS)
@given(tree=trees(max_splits=8), seed=st.integers(0, 2**32))
def test_what_is_written_reads_back_equal(name: str, tree: Tree, seed: int) -> None:
    """The rules of any tree come back with their schema: on each row one rule fires, with the value of the tree."""
    try:
        content = RULE_FORMATS[name].write(tree).encode()
    except UnsupportedError:
        return  # a name or a value that this format cannot spell
    parts = parse_rules(RuleFile(content, dialect="duckdb", schema=tree.schema), name)
    if name == "sql" and len(compile_rules(tree)) == 1:
        return  # a lone rule is a value in SQL, no CASE
    (parsed,) = parts
    assert not parsed.unparsed
    assert all(feature == tree.schema.feature(feature.name) for feature in parsed.rules.schema.features)
    assert {rule.value for rule in parsed.rules.rules} <= {rule.value for rule in compile_rules(tree).rules}
    for row in some_rows(Random(seed), tree, 20):
        known = {feature.name: row[feature.name] for feature in parsed.rules.schema.features}
        assert parsed.rules.firing(known)[0].value == find_leaf(tree, row).prediction.value


@pytest.mark.parametrize("name", RULE_FORMATS)
def test_files_are_recognised(name: str) -> None:
    """Each ending belongs to one format; a model is recognised by its first bytes as well."""
    row = RULE_FORMATS[name]
    for ending in row.endings:
        assert recognised_format(f"a{ending.upper()}", b"") == name
        assert [other.name for other in RULE_FORMATS.values() if ending in other.endings] == [name]
    if row.mark is not None:
        assert recognised_format("a.xyz", b"{" + row.mark) == name


def test_wrong_arguments_are_errors_that_name_them(tmp_path: Path) -> None:
    """Of a format that does not exist, of an unknown ending, of arguments of the wrong type."""
    path = tmp_path / "a.xyz"
    path.write_text("ALWAYS a")
    with pytest.raises(FileError, match=r"ends in \.xyz, which is that of no format of rules"):
        read_rules(path)
    with pytest.raises(UnknownNameError, match="no format of rules named 'text'"):
        read_rules(path, format="text")
    for arguments in ({"schema": "x"}, {"domain": ["x"]}):
        with pytest.raises(OptionError, match=rf"read_rules\({next(iter(arguments))}="):
            read_rules(path, **arguments)  # type: ignore[arg-type]
    for wrong in (None, 3, compile_rules):
        with pytest.raises(OptionError, match=r"read_rules\(path="):
            read_rules(wrong)  # type: ignore[arg-type]

"""treerules.emit is a public package: its names load on demand, and its functions say what they take and return."""

import ast
import re
from inspect import cleandoc, getsource, isfunction, signature
from typing import Any

import pytest

from treerules import emit
from treerules.formats import template_contexts

FUNCTIONS = [value for name in emit.__all__ if isfunction(value := getattr(emit, name))]


def test_each_name_loads_and_type_checkers_see_the_same_names() -> None:
    """The imports for type checkers name what __all__ does."""
    block = next(node for node in ast.parse(getsource(emit)).body if isinstance(node, ast.If))
    imported = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported == set(emit.__all__)
    for name in emit.__all__:
        assert getattr(emit, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'to_cobol'"):
        emit.to_cobol  # noqa: B018
    assert set(emit.__all__) <= set(dir(emit))


def test_the_classes_that_templates_of_emitters_are_given_are_public() -> None:
    """Those of `template_contexts` that are defined by an emitter."""
    classes = {name: getattr(template_contexts, name) for name in template_contexts.__all__ if name != "CONTEXTS"}
    emitted = {name for name, value in classes.items() if value.__module__.startswith("treerules.emit.")}
    assert emitted and emitted <= set(emit.__all__)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_each_parameter_is_described(function: Any) -> None:
    """In Args, with more than its name; Returns, Raises and Examples are there too."""
    text = cleandoc(function.__doc__)  # Python 3.13 takes the indentation away, others do not
    sections = re.split(r"\n(Args|Returns|Raises|Examples):\n", text)
    assert sections[1::2] == ["Args", "Returns", "Raises", "Examples"]
    described = dict(re.findall(r"^    (\w+): (.*)$", sections[2], re.MULTILINE))
    assert list(described) == list(signature(function).parameters)
    assert all(len(words.split()) >= 3 for words in described.values())

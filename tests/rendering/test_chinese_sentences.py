"""Sentences that are said in Chinese too: notes on SQL, the list of emitters, what is installed, kinds of columns."""

import ast
import pickle
import re
from pathlib import Path
from types import ModuleType

import pytest

from treerules.cli.catalogue import catalogue
from treerules.cli.doctor import installation
from treerules.data.schema import Kind
from treerules.formats.sql import notes
from treerules.proof import certificate_check, certificate_files, cost_bound
from treerules.rendering.headings import TranslatedText, heading, in_language, kind_name, translated_text
from treerules.report import certificate_report

#: A text of the lists that is a name, such as "Google BigQuery", a path or a version.
IS_NAME = re.compile(r"[A-Z][\w ]+( 8)?|[\d.]+|/.*|[\w.-]+|Linux.*|macOS.*|Windows.*")


def literals(module: str) -> list[str]:
    """Return the texts with parts in braces that a module has, without those of f-strings."""
    tree = ast.parse(Path(module).read_text(encoding="utf-8"))
    inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in inside]
    plain = [node.value for node in constants if isinstance(node.value, str)]
    return [text for text in plain if re.search(r"\{\w+\}", text)]


@pytest.mark.parametrize("text", literals(notes.__file__))
def test_each_note_on_sql_has_a_chinese_sentence(text: str) -> None:
    """It has the same parts as the English one."""
    chinese = heading(text, "zh")
    assert re.search(r"[\u4e00-\u9fff]", chinese)
    assert set(re.findall(r"\{\w+\}", chinese)) == set(re.findall(r"\{\w+\}", text))


def test_a_sentence_is_its_english_text() -> None:
    """It equals the text, is a key like it, and keeps its parts through pickle."""
    counted = translated_text("{n} rows", n=15)
    assert isinstance(counted, TranslatedText) and counted == "15 rows" and {counted: 1}["15 rows"] == 1
    assert in_language(pickle.loads(pickle.dumps(counted)), "zh") == "15 行"
    assert in_language("15 rows", "zh") == "15 rows"


def test_lists_of_the_command_line_are_in_chinese() -> None:
    """What the list of emitters and the list of installed components say is in Chinese, but for names."""
    texts = [about for _, _, about in catalogue().rows] + [what for what, _, _ in catalogue().rows]
    texts += [part for _, _, remark in installation().findings for part in remark.split(": ")[:1]]
    assert not [text for text in texts if heading(text, "zh") == text and not IS_NAME.fullmatch(text)]


def test_kinds_of_columns_are_in_chinese() -> None:
    """Each kind has a Chinese name."""
    assert all(re.search(r"[\u4e00-\u9fff]", kind_name(str(kind), "zh")) for kind in Kind)


def sentences(module: str) -> list[str]:
    """Return the first argument of each call of `translated_text` and `heading`, and texts that a variable holds."""
    tree = ast.parse(Path(module).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func) in ("translated_text", "heading") and call.args]
    texts = [call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)]
    return [*texts, *literals(module)]


@pytest.mark.parametrize("module", [cost_bound, certificate_check, certificate_files, certificate_report])
def test_each_sentence_on_a_certificate_is_in_chinese(module: ModuleType) -> None:
    """The claim, the verdict, and every reason for which a claim is not proved."""
    texts = sentences(str(module.__file__))
    assert texts
    assert not [text for text in texts if not re.search(r"[\u4e00-\u9fff]", heading(text, "zh"))]

"""Plain JavaScript modules: short, readable. tests/emit/test_javascript.py has the laws of both styles."""

import json
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from hostile_names import ATTACKS, UNSTORABLE, attack_parameters, attacked
from plain_trees import COLLIDING, three_rules
from treerules import Table, Tree, cart, compile_rules, learn, predict, to_javascript
from treerules.emit.javascript_plain import SCRIPT_KEYWORDS

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def said(folder: Path, tree: Tree, expression: str) -> Any:
    """Return the value of an expression of the plain module of a tree, `m`."""
    (folder / "rules.mjs").write_text(to_javascript(tree), encoding="utf-8")
    script = f'import * as m from "./rules.mjs"; console.log(JSON.stringify({expression}))'
    (folder / "said.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run([str(NODE), "said.mjs"], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("tree", three_rules())
def test_three_rules_of_three_columns_are_at_most_62_lines_of_88_columns_in_javascript(tree: Tree) -> None:
    """With comments, shares and explanations; the first line has the hashes."""
    lines = to_javascript(tree).splitlines()
    assert tree.n_leaves == 3
    assert len(lines) <= 62
    assert max(map(len, lines[1:])) <= 88


def test_a_module_has_the_functions_that_its_columns_need() -> None:
    """Text needs no conversion of numbers, numbers none of dates."""
    text, numbers, *_ = map(to_javascript, three_rules())
    assert not {"number", "integer", "moment", "day"} & set(re.findall(r"function (\w+)", text))
    assert {"number", "integer"} & set(re.findall(r"function (\w+)", numbers))
    assert "Date" not in numbers
    table = Table.from_columns({"d": [date(2024, 3, 1), date(2024, 3, 2)], "y": ["a", "b"]})
    dates = to_javascript(learn(table, target="y", recipe=cart()))
    assert {"day", "isDay", "isoText"} <= set(re.findall(r"function (\w+)", dates))
    assert 'd > "2024-03-01"' in dates or 'd <= "2024-03-01"' in dates


@pytest.mark.engine
@needs_node
def test_a_plain_module_explains_as_its_code_reads(tmp_path: Path) -> None:
    """The exports, and the number and short text of the rule, which say no more than the training rows had."""
    tree = three_rules()[0]
    answers = said(tmp_path, tree, '[Object.keys(m), m.explain({ 有自己的房子: "是" }), m.CLASSES, m.predict({})]')
    assert answers[0] == ["CLASSES", "explain", "predict", "predictProba"]
    number, text = answers[1]
    assert str(compile_rules(tree).rules[number - 1].value) == text.rsplit(" = ", 1)[1]
    assert "missing" not in text
    means = learn(Table.from_columns({"x": [1.0, 2.0], "y": [0.1, 0.2]}), target="y", recipe=cart())
    assert said(tmp_path, means, "[Object.keys(m), m.predict({ x: 2 })]") == [["explain", "predict"], 0.2]


@pytest.mark.engine
@needs_node
def test_a_large_plain_module_has_its_texts_in_a_table(tmp_path: Path) -> None:
    """With the numbers, answers and shares of the tree."""
    table = Table.from_columns({"x": [float(i) for i in range(90)], "y": ["p", "q"] * 45})
    tree = learn(table, target="y", recipe=cart())
    calls = "[...Array(90).keys()].map((x) => [m.explain({ x }), m.predict({ x }), [...m.predictProba({ x })]])"
    answers = said(tmp_path, tree, calls)
    assert "RULES" in to_javascript(tree)
    assert [answer for _, answer, _ in answers] == predict(tree, table).tolist()
    assert [shares for _, _, shares in answers] == [[["p", 1 - i % 2], ["q", i % 2]] for i in range(90)]
    assert [explained[0] for explained, _, _ in answers] == list(range(1, 91))
    assert answers[7][0][1].endswith("THEN y = q")


@pytest.mark.engine
@needs_node
def test_columns_may_be_named_like_anything_of_a_javascript_module(tmp_path: Path) -> None:
    """Reserved words, our functions and tables, and names that become one identifier."""
    names = [*COLLIDING, *sorted(SCRIPT_KEYWORDS - set(COLLIDING)), "x" * 40]
    n = len(names)
    cells = {name: [float(at == i) for i in range(n)] for at, name in enumerate(names)}
    table = Table.from_columns({**cells, "label of it": [f"l{i}" for i in range(n)]}, types={"label of it": "category"})
    tree = learn(table, target="label of it", recipe=cart(), keep=names)
    assert tree.n_leaves == n
    rows = json.dumps([dict(row) for row in table.rows()])
    assert said(tmp_path, tree, f"{rows}.map(m.predict)") == predict(tree, table).tolist()


@pytest.mark.parametrize(
    "attack", attack_parameters([*ATTACKS, *UNSTORABLE, ""]), ids=lambda attack: ascii(attack)[:20]
)
def test_hostile_text_reaches_a_plain_module_as_literals_and_one_identifier(attack: str) -> None:
    """Outside strings and comments there are no words but those of a harmless module and the column's variable."""

    def words(text: str) -> set[str]:
        code = re.sub(r"/\*\*.*?\*/|^// .*$", "", STRINGS.sub('""', text), flags=re.MULTILINE)
        return set(re.findall(r"[^\W\d]\w*", code)) | set(re.findall(r"[^\w\s]", code))

    for layout in ("flat", "guarded"):
        for lang in ("en", "zh"):
            text = to_javascript(attacked(attack, attack, attack), layout=layout, lang=lang)  # type: ignore[arg-type]
            tame = to_javascript(attacked("column", "a", "label"), layout=layout, lang=lang)  # type: ignore[arg-type]
            declared = re.search(r"  const (\S+) = value\(", text)
            assert declared and declared[1].isidentifier()
            assert words(text) - words(tame) <= {declared[1], "COLUMN_1", "+"}
            assert "</script" not in text.lower() and "<!--" not in text
            assert not set("\u2028\u2029\r\0\x7f\u202e\u2066\ufeff") & set(text)
            assert text.encode().decode() == text

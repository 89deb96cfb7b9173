"""The examples of the documents run: each line of Python and each command prints what stands below it."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from document_examples import Difference, differences, fences, page_folder
from paths import ROOT

#: The pages of both languages, and other documents with examples.
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("[ez][nh]/**/*.md"))
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", *PAGES]
#: Programs that a newcomer lacks: pages that call them run where engines are installed.
ENGINES = re.compile(r"^\$ .*\b(dbt|node)\b", re.MULTILINE)

#: Blocks of code that do not run, by the page and the first words of the block, each with its reason.
NOT_RUN = {
    ("README.md", "1: IF outlook"): "what the first command prints; tests/test_readme.py compares it",
    ("README.md", "python3 -m venv"): "the two commands: `.ci/run` runs them on a bare machine",
    ("CONTRIBUTING.md", "python3 -m venv"): "README's second command",
    ("docs/en/get_started.md", "python3 -m venv"): "it installs; README's first command is the same",
    ("docs/zh/get_started.md", "python3 -m venv"): "the same",
    (
        "docs/en/guides/importing.md",
        "from sklearn.compose import",
    ): "it needs XGBoost; tests/importers runs such pipelines",
    (
        "docs/en/reference/rule_text.md",
        "// Words in",
    ): "the grammar, which tests/formats/test_rule_text.py runs",
}


def text_of(name: str) -> str:
    """Return the text of a document."""
    return (ROOT / name).read_text(encoding="utf-8")


def is_directive(info: str) -> bool:
    """Return whether a block is not code: a directive of the site."""
    return info.startswith("{") and not info.startswith("{code-block}")


def reported(found: Iterator[Difference]) -> str:
    """Return what differs, in words."""
    return "\n".join(
        f"line {each.line}: {each.example}\nexpected:\n{each.expected}printed:\n{each.printed}" for each in found
    )


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Return the markers of the test of a page's commands."""
    return [pytest.mark.engine] if ENGINES.search(text_of(name)) else [pytest.mark.process]


def has_commands(name: str) -> bool:
    """Return whether a document has commands, without which its Python may not run either."""
    return "```console" in text_of(name)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if ">>> " in text_of(name) and not has_commands(name)])
def test_the_python_of_the_documents_runs(name: str) -> None:
    """Each line gives what stands below it; hashes are left open. The blocks of a page share their names."""
    with page_folder(ROOT) as folder:
        assert not reported(differences(text_of(name), folder))


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in PAGES if has_commands(name)])
def test_the_commands_of_the_documents_run(name: str) -> None:
    """Each command prints what stands below it, and so does the Python between them."""
    with page_folder(ROOT) as folder:
        assert not reported(differences(text_of(name), folder))


def test_all_blocks_of_code_run_but_for_a_few() -> None:
    """At most ten blocks do not run, each with its reason; there is no other kind of block."""
    still = Counter(
        (name, " ".join(fence.body.split()[:3]))
        for name in DOCUMENTS
        for fence in fences(text_of(name))
        if not fence.runs and not is_directive(fence.info)
    )
    assert set(still) == set(NOT_RUN)
    assert still.total() <= 10
    assert sum(fence.runs for name in PAGES for fence in fences(text_of(name))) >= 300


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    """A page whose Python or whose command prints something else is not what its tests pass."""
    python, console = "```python\n>>> 1 + 1\n3\n\n```\n", "```console\n$ echo a\nb\n```\n"
    assert [each.printed for each in differences(python + console, tmp_path)] == ["2\n", "a\n"]
    assert not list(differences(python.replace("3", "2") + console.replace("b", "a"), tmp_path))

"""README and the other documents of the repository: the two commands, links, the files that they name."""

import re
from pathlib import Path

import pytest

import treerules
from document_examples import shell
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/architecture.md"]


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("name", ["docs/architecture.md", "docs/en/extending.md", "CONTRIBUTING.md"])
def test_the_files_that_documents_name_exist(name: str) -> None:
    """Every file and folder of the project that is named is there."""
    text = (ROOT / name).read_text(encoding="utf-8")
    paths = {path for path in re.findall(r"`([\w./]+(?:/|\.py|\.md|\.toml))`", text) if "NAME" not in path}
    source = Path(treerules.__file__).parent  # that of the checkout, or of an installed wheel
    folders = (ROOT, source, *(path for path in source.iterdir() if path.is_dir()))
    names = {path: path.removeprefix("src/").removeprefix("treerules/") for path in paths}
    missing = [path for path, name in names.items() if not any((folder / name).exists() for folder in folders)]
    assert paths and not missing


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_of_the_documents_lead_somewhere(name: str) -> None:
    """Each relative link names a file. (Those of the pages of the site are tested where it is built.)"""
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert not [link for link in links if not (ROOT / name).parent.joinpath(link).exists()]


def test_the_readme_is_short() -> None:
    """It is read in five minutes; the subjects have pages of their own."""
    assert len(README.splitlines()) <= 150


@pytest.mark.process
def test_the_first_command_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """The main job of command 1, without its installation."""
    install = next(block for block in blocks("sh") if "build" in block)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = install.rsplit("&&", 1)[1].replace(".venv/bin/", "")
    assert shell(command, tmp_path) == blocks("text")[0]
    names = ["weather.html", "weather.py", "weather.sql", "weather.tree.json"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names


def test_the_two_commands_are_one_line_each() -> None:
    """One sets up and runs the main job, one sets up and runs the tests."""
    commands = blocks("sh")
    assert len(commands) == 2
    assert all(command.count("\n") == 1 and command.startswith("python3 -m venv .venv && ") for command in commands)

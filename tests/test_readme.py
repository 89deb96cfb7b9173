"""The documents are run: each line of Python and of shell prints what stands below it."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import treerules
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def shell(command: str, folder: Path) -> str:
    """Return what a shell command prints, with `treerules` and `python` of this environment."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for name, line in {"treerules": "-m treerules", "python": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {line} "$@"\n')
        (tools / name).chmod(0o755)
    source = os.pathsep.join(path for path in sys.path if path)
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": source,
        "PYTHONUTF8": "1",
        "LC_ALL": "C",
    }
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env=environment, check=False)
    shown = done.stdout.decode()
    return shown + (done.stderr.decode() if done.returncode else "")


#: The pages of the documentation, and other documents with examples.
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "en").glob("*.md"))
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", *PAGES]
#: Documents whose examples are rules, tables or commands.
WITHOUT_PYTHON = ["docs/en/command_line.md", "docs/en/limits.md"]


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name not in WITHOUT_PYTHON])
def test_the_python_of_the_documents_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line gives what stands below it; hashes are left open. The blocks of a page share their names."""
    monkeypatch.chdir(ROOT)
    text = (ROOT / name).read_text(encoding="utf-8").replace("DIGEST", "...")
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    for block in re.findall(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE):
        example = parser.get_doctest(dedent(block), names, name, name, 0)
        runner.run(example, clear_globs=False)
        names.update(example.globs)
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
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
    """Each relative link names a file."""
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert not [link for link in links if not (ROOT / name).parent.joinpath(link).exists()]


def test_the_readme_is_short() -> None:
    """It is read in five minutes; the subjects have pages of their own."""
    assert len(README.splitlines()) <= 170


@pytest.mark.process
@pytest.mark.parametrize("name", ["docs/en/checking.md", "docs/en/command_line.md", "docs/en/importing.md"])
def test_the_commands_of_the_documents_run(name: str, tmp_path: Path) -> None:
    """Each command prints what stands below it; messages on stderr are shown where it fails."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    text = (ROOT / name).read_text(encoding="utf-8")
    tours = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    steps = [step for tour in tours for step in re.split(r"^\$ ", tour, flags=re.MULTILINE)[1:]]
    assert steps
    for step in steps:
        command, _, expected = step.partition("\n")
        assert shell(command, tmp_path) == expected, command


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
